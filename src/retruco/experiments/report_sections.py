"""What the reports of all experiments tell alike: wins as bars, conclusions, how it was made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any, Final

from retruco.arena.page import Cell, Heading, Part, Picture, Table, Text
from retruco.arena.plots import Series, bars
from retruco.arena.report import crew, duration, percent
from retruco.experiments.conclusions import ALIKE, CONFIRMED, CONTRADICTED, EVEN, MANY, UNJUDGED, UNLIKE
from retruco.experiments.study import Experiment, Results

OURS, RAW = "default policies", "read literally (-raw)"
Row = Mapping[str, Any]

TINTS: Final = {CONFIRMED: 0.6, CONTRADICTED: -0.6, ALIKE: 0.15, UNLIKE: -0.15, EVEN: 0.0, UNJUDGED: 0.0}


def standing_of(results: Row, name: str) -> Row:
    """Find an agent in the standing of a contest."""
    row: Row = next(one for one in results["standing"] if one["agent"] == name)
    return row


def win_bars(
    picture: str, caption: str, names: Sequence[str], series: Mapping[str, Mapping[str, Row]]
) -> Picture:
    """Draw the share of matches that each has won, one series a reading; rows have a rate and its interval."""
    drawn = bars(
        names,
        [
            Series(
                label,
                [rows[name]["win_rate"] if name in rows else None for name in names],
                [rows[name]["win_rate_ci95"] if name in rows else None for name in names],
            )
            for label, rows in series.items()
        ],
        "share of matches won, with 95 % intervals",
        0.5,
        percent=True,
    )
    return Picture(picture, drawn, caption, 640)


def by_name(results: Row, suffix: str = "") -> dict[str, Row]:
    """The rows of a standing by the agent's name, without an ending."""
    return {row["agent"].removesuffix(suffix): row for row in results["standing"]}


def rate(row: Row) -> str:
    """A share of matches with its interval."""
    low, high = row["win_rate_ci95"]
    return f"{percent(row['win_rate'])} ({100 * low:.0f}-{100 * high:.0f})"


def wins(row: Row) -> str:
    """How many matches were won, of how many."""
    played = row["wins"] + row["losses"] + row["draws"]
    return f"{row['wins']:,} of {played:,}"


def both_readings(
    names: Sequence[str], ours: Mapping[str, Row], raw: Mapping[str, Row], published: Callable[[str], str]
) -> Table:
    """Who won how much in both readings, beside what was published."""
    head = [
        "policy",
        "published",
        "ours: won",
        "share",
        "points a hand",
        "raw: won",
        "share",
        "points a hand",
    ]
    rows = []
    for name in names:
        cells: list[Cell | str] = [name, published(name)]
        for row in (ours[name], raw[name]):
            tint = 2 * row["win_rate"] - 1
            cells += [wins(row), Cell(rate(row), tint), f"{row['points_per_hand']:+.2f}"]
        rows.append(cells)
    return Table(head, rows)


def side_by_side(
    who: str, won: Mapping[str, Mapping[str, Row]], order: Sequence[str], published: Callable[[str], str]
) -> Table:
    """The share of matches that everybody won in each of some readings, beside what was published."""
    rows: list[list[Cell | str]] = [
        [name, published(name), *(share_cell(rows[name]) for rows in won.values())] for name in order
    ]
    return Table([who, "published", *won], rows)


def share_cell(row: Row) -> Cell:
    """A share of matches with its interval, tinted by how far it is from one half."""
    return Cell(rate(row), 2 * row["win_rate"] - 1)


def after_trainings(results: Results) -> str:
    """How often, and what an interval is taken over, if there are several trainings."""
    count = trainings_in(results)
    return f" after each of {count} trainings; intervals are between trainings" if count > 1 else ""


# What can be concluded


def conclusions(claims: Sequence[Row]) -> list[Part]:
    """Every claim beside ours, with what chance can do in such a plan."""
    names = list(dict.fromkeys(name for claim in claims for name in claim["readings"]))
    table: list[list[Cell | str]] = [
        [
            Cell(f"{claim['said']} ({claim['where']})", wide=True),
            _worth(claim["published"]),
            *(judgement(claim["readings"].get(name)) for name in names),
        ]
        for claim in claims
    ]
    needed: list[list[Cell | str]] = [
        [
            Cell(claim["said"], wide=True),
            _least(claim["published"]),
            _matches(claim["published"].get("needed_matches")),
            *(_matches(claim["readings"].get(name, {}).get("needed_matches")) for name in names),
        ]
        for claim in claims
    ]
    return [
        Heading("What can be concluded"),
        Text(summary(claims)),
        Table(["published", "published lead", *names], table),
        Text(
            "Leads are in points of per cent of matches won, with 95 % intervals. A verdict is confirmed or contradicted where "
            "chance alone would show ours in less than 5 % of runs, over all statements together (Holm); else it is "
            "open. A comparison that the publication tells twice is one statement. What a published lead is worth "
            "follows from the spread that we measure between duplicate sets of the same plan."
        ),
        Heading("How many matches it would have taken"),
        Text(
            "The least lead that the published number of matches can tell from chance; and the matches each side "
            "would have to play for the published lead, and for those of our readings, to show in four of five runs."
        ),
        Table(["claim", "least lead", "for the published lead", *(f"for {name}" for name in names)], needed),
    ]


def judgement(found: Row | None) -> Cell | str:
    """A verdict with the lead it rests on."""
    if found is None:
        return "-"
    return Cell(f"{found['verdict']}: {_verdict(found)}", TINTS[found["verdict"]])


def counted(verdicts: Sequence[str], who: str = "ours") -> str:
    """How many statements ours confirms, contradicts, leaves open and cannot judge.

    >>> counted([CONFIRMED, CONTRADICTED, CONFIRMED, "open"])
    'Of 4 published statements ours confirms 2, contradicts 1 and leaves 1 open.'
    >>> counted([CONFIRMED, UNJUDGED], "the reading 5.3")
    'Of 2 published statements the reading 5.3 confirms 1, contradicts 0 and leaves 0 open; 1 cannot be judged.'
    """
    confirmed, contradicted, unjudged = map(verdicts.count, (CONFIRMED, CONTRADICTED, UNJUDGED))
    left = len(verdicts) - confirmed - contradicted - unjudged
    cannot = f"; {unjudged} cannot be judged" if unjudged else ""
    return (
        f"Of {len(verdicts)} published statements {who} confirms {confirmed}, contradicts {contradicted} "
        f"and leaves {left} open{cannot}."
    )


def count_verdicts(verdicts: Sequence[str], verdict: str) -> str:
    """How many verdicts are this one; not judged, where anything is not.

    >>> count_verdicts([CONFIRMED, CONFIRMED, CONTRADICTED], CONFIRMED)
    '2'
    """
    return UNJUDGED if UNJUDGED in verdicts else str(verdicts.count(verdict))


def summary(claims: Sequence[Row]) -> str:
    """How many claims each reading confirms, contradicts and leaves open, in a few sentences."""
    verdicts: dict[str, list[str]] = {}
    for claim in claims:
        for name, found in claim["readings"].items():
            verdicts.setdefault(name, []).append(found["verdict"])
    sentences = [counted(some, f"the reading {name}") for name, some in verdicts.items()]
    reasons = dict.fromkeys(claim["unjudged"] for claim in claims if claim.get("unjudged"))
    sentences += [f"Not judged: {reason}." for reason in reasons]
    leads = [claim["published"] for claim in claims if claim["published"]["lead"] is not None]
    if leads:
        noise = [lead for lead in leads if lead["p"] >= 0.05]
        sentences.append(
            f"Published leads told in numbers: {len(leads)}, of these within chance: {len(noise)}."
        )
    if blind := len(claims) - len(leads):
        sentences.append(
            f"{blind} are told without numbers: whether they exceed chance cannot be said, only what lead they would need."
        )
    return " ".join(sentences)


def _lead(share: float) -> str:
    return f"{100 * share:+.1f}"


def _worth(published: Row) -> str:
    if published["lead"] is None:
        return "not told"
    chance = f"p {published['p']:.3f}" if published["p"] >= 0.001 else "p < 0.001"
    return f"{_lead(published['lead'])} ({chance})"


def _verdict(ours: Row) -> str:
    low, high = ours["ci95"]
    return f"{_lead(ours['lead'])} ({_lead(low)} to {_lead(high)})"


def _least(published: Row) -> str:
    lead, matches = published["least_lead"], published["matches"]
    return f"{100 * lead:.1f}, or {ceil(lead * matches)} wins of {matches}"


def _matches(count: int | None) -> str:
    if count is None:
        return "-"
    return f"{count:,}" if count < MANY else "more than anybody plays"


# How it was made


def trainings_in(results: Results) -> int:
    """How often everybody was trained."""
    count: int = results.get("trainings", 1)
    return count


def how_made(
    experiment: Experiment, results: Results, manifest: Results, facts: Mapping[str, str]
) -> list[Part]:
    """Everything that one needs to make it again."""
    cases = results["cases"]
    quick = " --quick" if results["quick"] else ""
    chosen = f" --cases {cases['name']}" if cases else ""
    command = f"retruco reproduce {experiment.name}{quick}{chosen}{_sizes(manifest['settings'])} --seed {results['seed']}"
    made = {
        "command": command,
        "case base": _base(cases),
        "rules": f"{results['game']}, {results['rules']} to {results['target']}, game version {results['version']}",
        **facts,
        **{f"reading {name}": reading for name, reading in results.get("agent_readings", {}).items()},
        "seed": str(results["seed"]),
        "duration": f"{duration(manifest['seconds'])} on {crew(manifest)}; "
        f"{duration(manifest['processor_seconds'])} of processor time",
        "finished": manifest["finished"],
        "retruco": f"{manifest['retruco']}, commit {(manifest['commit'] or 'unknown')[:12]}, Python {manifest['python']}",
    }
    return [
        Heading("How it was made"),
        Text("The same seed gives the same results.json, byte for byte, on any number of workers."),
        Table(("", ""), [[name, Cell(value, wide=True)] for name, value in made.items()]),
    ]


def _sizes(settings: Row) -> str:
    """The options that named sizes and readings.

    >>> _sizes({"trainings": 10, "seed": 1}), _sizes({"runs": 5, "reading_names": ["casey", "casey-newest"]})
    (' --trainings 10', ' --runs 5 --readings casey,casey-newest')
    """
    names = {"trainings": "trainings", "runs": "runs", "hands": "hands", "simulated_people": "simulated"}
    given = [f" --{option} {settings[name]}" for name, option in names.items() if name in settings]
    readings = settings.get("reading_names")
    return "".join(given) + (f" --readings {','.join(readings)}" if readings else "")


def _base(cases: Row | None) -> str:
    if cases is None:
        return "none"
    synthetic = "SYNTHETIC: no person played these hands. " if cases["synthetic"] else ""
    return f"{synthetic}{cases['name']}, {cases['hands']:,} {cases['description']}; {cases['digest']}"


def lead_of(results: Results, what: str) -> str:
    """The sentence under a report's title."""
    cases = results["cases"]
    if cases:
        base = "SYNTHETIC hands, which no person played" if cases["synthetic"] else "hands that people played"
        what += f" Ours on the case base {cases['name']} ({base})."
    return what + (" This is a quick look: a fraction of the published matches." if results["quick"] else "")
