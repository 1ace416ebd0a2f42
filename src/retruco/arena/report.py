"""The report of a tournament: its results as a page for people, with pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from retruco.arena.journal import write_whole
from retruco.arena.page import (
    Cell,
    Heading,
    Page,
    Part,
    Picture,
    Table,
    Text,
    Verbatim,
    as_html,
    as_markdown,
    standalone,
)
from retruco.arena.plots import heat, whiskers
from retruco.arena.records import hand_lines
from retruco.arena.stats import SIGNIFICANT

Row = Mapping[str, Any]
MOST_FORFEITS: Final = 20
"""How many forfeits are told in full."""


def write_reports(folder: Path, results: Row, manifest: Row) -> None:
    """Write report.html, report.md and its pictures."""
    write_page(folder, tournament_page(results, manifest))


def write_page(folder: Path, page: Page) -> None:
    """Write a page as report.html and report.md, with its pictures beside."""
    (folder / "plots").mkdir(exist_ok=True)
    for picture in page.pictures:
        write_whole(folder / "plots" / f"{picture.name}.svg", standalone(picture.svg))
    write_whole(folder / "report.md", as_markdown(page))
    write_whole(folder / "report.html", as_html(page))


def tournament_page(results: Row, manifest: Row) -> Page:
    """Tell a tournament: who won, against whom, how sure that is, and how everybody played."""
    parts: list[Part] = [
        *_standing(results),
        *matrix(results, "win_rate", "p_wins_holm"),
        *matrix(results, "points_per_hand", "p_points_holm"),
        *behaviour(results),
        *_decisions(results, manifest),
        *_forfeits(results),
        *_how(results, manifest),
    ]
    return Page(f"{len(results['agents'])} agents, all against all", _lead(results, manifest), parts)


def _lead(results: Row, manifest: Row) -> str:
    return (
        f"{results['game'].capitalize()} ({results['rules']} to {results['target']}): {results['pairs']} duplicate pairs "
        f"between every two, {results['matches']:,} matches, {results['hands']:,} hands, "
        f"played in {duration(manifest['seconds'])} by {crew(manifest)} "
        f"({duration(manifest['processor_seconds'])} of processor time)."
    )


def crew(manifest: Row) -> str:
    """Say who played.

    >>> crew({"workers": 2}), crew({"workers": 2, "on": "ray"})
    ('2 workers', 'a Ray cluster')
    """
    return (
        plural(manifest["workers"], "worker") if manifest.get("on", "local") == "local" else "a Ray cluster"
    )


def plural(count: int, thing: str) -> str:
    """Say how many there are of something.

    >>> plural(1, "worker"), plural(2000, "hand")
    ('1 worker', '2,000 hands')
    """
    return f"{count:,} {thing}" + ("" if count == 1 else "s")


def duration(seconds: float) -> str:
    """Say how long something took.

    >>> duration(61.4), duration(2.34)
    ('1 min 1 s', '2.3 s')
    """
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{seconds:.1f} s"


def _standing(results: Row) -> list[Part]:
    rows = results["standing"]
    head = ("agent", "won", "95 %", "points a hand", "95 %", "Elo", "95 %", "OpenSkill", "run-off", "W-L-D")
    return [
        Heading("Standing"),
        Text(
            "A duplicate pair is two matches over the same deals with the seats swapped. Intervals take the "
            "pairs of one set of deals, against everybody, as one observation. Blue lies above the middle for "
            "sure, orange below."
        ),
        _whiskers(
            rows, "win_rate", "matches won", 0.5, "Share of matches won, with 95 % intervals", percent=True
        ),
        Table(head, [_standing_row(row) for row in rows]),
        _whiskers(
            rows,
            "elo",
            "Elo, the mean of all being 0",
            0.0,
            "Bradley-Terry strengths on Elo's scale, with 95 % intervals",
        ),
    ]


def _whiskers(
    rows: Sequence[Row], value: str, label: str, middle: float, caption: str, percent: bool = False
) -> Picture:
    names, values = [row["agent"] for row in rows], [row[value] for row in rows]
    drawn = whiskers(names, values, [row[f"{value}_ci95"] for row in rows], label, middle, percent)
    return Picture("standing" if percent else value, drawn, caption)


def _standing_row(row: Row) -> list[Cell | str]:
    skill = row["openskill"]
    return [
        row["agent"],
        Cell(percent(row["win_rate"]), 2 * row["win_rate"] - 1),
        " to ".join(map(percent, row["win_rate_ci95"])),
        f"{row['points_per_hand']:+.3f}",
        " to ".join(f"{one:+.3f}" for one in row["ci95"]),
        f"{row['elo']:+.0f}",
        " to ".join(f"{one:+.0f}" for one in row["elo_ci95"]),
        f"{skill['mu']:.1f} ± {2 * skill['sigma']:.1f}",
        str(row["run_off"]),
        f"{row['wins']}-{row['losses']}-{row['draws']}",
    ]


def percent(share: float) -> str:
    """Write a share in per cent.

    >>> percent(0.125)
    '12.5 %'
    """
    return f"{100 * share:.1f} %"


MATRICES: Final = {
    "win_rate": ("Who beat whom", "Share of matches the row won against the column", "win_rate_ci95"),
    "points_per_hand": ("By how much", "Points a hand the row won from the column", "ci95"),
}


def matrix(results: Row, value: str, test: str, label: str = "") -> list[Part]:
    """A matrix as a picture, and as a table with the intervals; a label tells several on one page apart."""
    title, about, interval = MATRICES[value]
    names = [row["agent"] for row in results["standing"]]
    cells = _both_ways(results["pairings"], value, interval, test)
    most = max((abs(_tint_of(value, cell[0])) for cell in cells.values()), default=0) or 1.0
    tints = [
        [_tint_of(value, cells[a, b][0]) / most if (a, b) in cells else None for b in names] for a in names
    ]
    texts = [[_short(value, cells[a, b]) if (a, b) in cells else "" for b in names] for a in names]
    marked = f"A star marks what chance alone would not show ({SIGNIFICANT:.0%} over all pairings, Holm)."
    table = [
        [
            a,
            *(
                Cell(_long(value, cells[a, b]), _tint_of(value, cells[a, b][0]) / most) if a != b else ""
                for b in names
            ),
        ]
        for a in names
    ]
    picture = heat(names, names, tints, texts)
    return [
        Heading(f"{title}{label and ': ' + label}"),
        Text(f"{about}. {marked}"),
        Picture(
            _named(value.replace("_", "-"), label),
            picture,
            f"{about}; a star: significant",
            110 + 44 * len(names),
        ),
        Table(["", *names], table, folded="The same with 95 % intervals"),
    ]


MatrixCell = tuple[float, Sequence[float], bool]
"""A value, its interval, and whether it is significant."""


def _both_ways(
    pairings: Sequence[Row], value: str, interval: str, test: str
) -> dict[tuple[str, str], MatrixCell]:
    """Every pairing as each of the two tells it."""
    cells: dict[tuple[str, str], MatrixCell] = {}
    for row in pairings:
        amount, (low, high), sure = row[value], row[interval], row[test] < SIGNIFICANT
        whole = 1 if value == "win_rate" else 0
        cells[row["a"], row["b"]] = amount, (low, high), sure
        cells[row["b"], row["a"]] = whole - amount, (whole - high, whole - low), sure
    return cells


def _tint_of(value: str, amount: float) -> float:
    return 2 * amount - 1 if value == "win_rate" else amount


def _short(value: str, cell: MatrixCell) -> str:
    text = f"{100 * cell[0]:.0f}" if value == "win_rate" else f"{cell[0]:+.2f}"
    return text + "*" * cell[2]


def _long(value: str, cell: MatrixCell) -> str:
    if value == "win_rate":
        return f"{100 * cell[0]:.0f}{'*' * cell[2]} ({100 * cell[1][0]:.0f}-{100 * cell[1][1]:.0f})"
    return f"{cell[0]:+.2f}{'*' * cell[2]} ({cell[1][0]:+.2f} to {cell[1][1]:+.2f})"


def _named(picture: str, label: str) -> str:
    return "-".join([picture, *label.replace(",", "").split()])


def behaviour(results: Row, label: str = "") -> list[Part]:
    """How everybody played, as a picture and as a table with the intervals."""
    rows = results["standing"]
    rates = list(rows[0]["behaviour"])
    if not rates:
        return []
    names = [row["agent"] for row in rows]
    found = [[row["behaviour"][rate] for rate in rates] for row in rows]
    most = [
        max((one["share"] for one in column if one), default=0) or 1 for column in zip(*found, strict=True)
    ]
    tints = [
        [one["share"] / top if one else None for one, top in zip(line, most, strict=True)] for line in found
    ]
    texts = [[_per_cent(one["share"]) if one else "-" for one in line] for line in found]
    table = [[name, *map(_rate, line)] for name, line in zip(names, found, strict=True)]
    return [
        Heading(f"How they play{label and ': ' + label}"),
        Text("In per cent of hands, or of the times it was possible; the darker, the more than others."),
        Picture(
            _named("behaviour", label),
            heat(names, rates, tints, texts),
            "Behaviour, in per cent",
            110 + 44 * len(rates),
        ),
        Table(["agent", *rates], table, folded="The same with 95 % intervals"),
    ]


def _per_cent(share: float) -> str:
    return f"{100 * share:.0f}" if share >= 0.0995 or share == 0 else f"{100 * share:.1f}"


def _rate(found: Row | None) -> str:
    if found is None:
        return "-"
    low, high = found["ci95"]
    return f"{_per_cent(found['share'])} ({_per_cent(low)}-{_per_cent(high)})"


def _decisions(results: Row, manifest: Row) -> list[Part]:
    head = ("agent", "decisions", "questions", "without experience", "revised", "illegal", "failed", "late",
            "µs a decision", "revisions by rule")  # fmt: skip
    return [
        Heading("What decisions rest on"),
        Text(
            "A question is asked of the case base; without experience it is answered by plain sense. A revision "
            "is a rule that replaced what experience proposed."
        ),
        Table(head, [_decision_row(row, manifest) for row in results["standing"]]),
    ]


def _decision_row(row: Row, manifest: Row) -> list[Cell | str]:
    rules = ", ".join(f"{rule} {count:,}" for rule, count in row["revisions"].items())
    questions = row["questions"]
    return [
        row["agent"],
        f"{row['decisions']:,}",
        f"{row['questions']:,}",
        percent(row["without_experience"] / questions) if questions else "-",
        percent(sum(row["revisions"].values()) / questions) if questions else "-",
        str(row["illegal"]),
        str(row["failed"]),
        str(row["late"]),
        str(manifest["microseconds_per_decision"][row["agent"]]),
        Cell(rules, wide=True),
    ]


def _forfeits(results: Row) -> list[Part]:
    lost = results["forfeits"]
    if not lost:
        return []
    parts: list[Part] = [Heading("Forfeits"), Text(f"{len(lost)} matches were lost by breaking the rules.")]
    for forfeit in lost[:MOST_FORFEITS]:
        where = f"{forfeit['agent']} against {forfeit['against']}, pair {forfeit['pair']}, hand {forfeit['hand_number']}: {forfeit['fault']}"
        why = str(forfeit["why"]).strip()
        parts += [Text(where), Verbatim("\n".join((*hand_lines(forfeit), why)))]
    return parts


def _how(results: Row, manifest: Row) -> list[Part]:
    cases = results["cases"]
    base = f"{cases['name']}, {cases['hands']:,} hands, {cases['digest']}" if cases else "none"
    readings = results.get("readings", {}).items()  # results of earlier versions have none
    facts = {
        "seed": results["seed"],
        "game version": results["version"],
        "case base": base,
        **{f"reading of {name}": reading for name, reading in readings},
        "move time": "unlimited" if results["move_time"] is None else f"{results['move_time']:g} s",
        "played by": crew(manifest),
        "duration": f"{duration(manifest['seconds'])}; {duration(manifest['processor_seconds'])} of processor time in all",
        "finished": manifest["finished"],
        "retruco": f"{manifest['retruco']}, commit {(manifest['commit'] or 'unknown')[:12]}, Python {manifest['python']}",
    }
    return [
        Heading("How it was made"),
        Text("The same seed gives the same results.json, byte for byte, on any number of workers."),
        Table(("", ""), [[name, Cell(str(value), wide=True)] for name, value in facts.items()]),
    ]
