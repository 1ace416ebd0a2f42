"""How strong everybody is at Truco: the figures of docs/strength.md.

    python benchmarks/strength.py duels       the agent solver against everybody, 500 duplicate pairs or more each
    python benchmarks/strength.py maestro     the agent maestro against everybody, 500 duplicate pairs or more each
    python benchmarks/strength.py analysis    what a decision of everybody costs, judged by the solution
    python benchmarks/strength.py people      the same for the published hands of people
    python benchmarks/strength.py ratings     Elo from one tournament of all
    python benchmarks/strength.py responses   what a response learnt against some of them takes
    python benchmarks/strength.py page        write docs/strength.md from what has been found

Findings are kept in docs/strength as JSON, so that a part can be run on its own. Players that remember play on the
hands of people where RETRUCO_TRUCOGAME names them, else on the embedded base.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from retruco.agents.truco.policies import TWENTY
from retruco.solver.estimates import estimate_mean

DOCS = Path(__file__).parent.parent / "docs"
FOLDER = DOCS / "strength"
RULES = "trucogame"
SCRIPTED = ("novice", "cautious", "aggressive", "bluffer", "balanced")
BOTS = ("BOT0", "BOT3")
OPPONENTS = (*SCRIPTED, *BOTS, *TWENTY)
EXPLOITED = ("balanced", "MJS", "solver", "maestro")
PAIRS, CLOSE_PAIRS, ANALYSED_PAIRS, RATED_PAIRS = 500, 2000, 20, 20
CLOSE = ("solver", "maestro", "balanced")
"""Between these the differences are small, so they play more pairs."""
HAS_PEOPLE = "RETRUCO_TRUCOGAME" in os.environ
CASES = ("--cases", "human") if HAS_PEOPLE else ()

Found = dict[str, Any]


def retruco(*arguments: str) -> bytes:
    """Run a command; return what it prints."""
    command = [sys.executable, "-m", "retruco", *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


def duels() -> Found:
    """The agent `solver` against everybody."""
    return play_everybody("solver", ("maestro", *OPPONENTS), "duels")


def maestro() -> Found:
    """The agent `maestro` against everybody."""
    return play_everybody("maestro", ("solver", *OPPONENTS), "maestro")


def play_everybody(player: str, others: tuple[str, ...], name: str) -> Found:
    """One player against the others; what is found is written down after every duel."""
    found: Found = {}
    for other in others:
        pairs = CLOSE_PAIRS if other in CLOSE else PAIRS
        duel = json.loads(
            retruco("duel", player, other, "--rules", RULES, "--matches", str(pairs), *CASES, "--json")
        )
        kept = ("pairs", "points_per_hand", "ci95", "win_rate", "win_rate_ci95")
        found[other] = {key: duel[key] for key in kept}
        keep(name, found)
    return found


def analysis() -> Found:
    """What a decision of everybody costs in duels against the solver, in points and in chance to win the match."""
    found = {}
    for name in ("solver", "maestro", *OPPONENTS):
        with TemporaryDirectory() as folder:
            records = str(Path(folder) / "hands.jsonl")
            retruco(
                "duel",
                name,
                "solver",
                "--rules",
                RULES,
                "--matches",
                str(ANALYSED_PAIRS),
                *CASES,
                "--records",
                records,
            )
            found[name] = sum_up(retruco("analyse", records), name)
        keep("analysis", found)
    return found


def people() -> Found:
    """What a decision of people costs."""
    if not HAS_PEOPLE:
        raise SystemExit("set RETRUCO_TRUCOGAME to the folder of the published hands")
    return sum_up(retruco("analyse", "--base", "human"), None)


def sum_up(lines: bytes, player: str | None) -> Found:
    """Mean losses of one player, or of all, and what costs most by kind of action."""
    turns = [
        turn
        for line in lines.splitlines()
        for turn in json.loads(line)["decisions"]
        if turn["grade"] is not None and player in (None, turn["player"])
    ]
    kinds: dict[str, list[float]] = {}
    for turn in turns:
        kinds.setdefault(kind_of(turn["action"]), []).append(turn["loss"])
    return {
        "decisions": len(turns),
        "loss": estimate(turns, "loss"),
        "chance_loss": estimate(turns, "chance_loss"),
        "blunders": sum(turn["grade"] == "blunder" for turn in turns) / len(turns),
        "kinds": {kind: [len(losses), sum(losses)] for kind, losses in kinds.items()},
    }


def estimate(turns: list[Found], name: str) -> list[float]:
    """A mean loss and half the width of its interval, decisions taken as independent."""
    return list(estimate_mean(np.array([turn[name] for turn in turns])))


def kind_of(action: str) -> str:
    """A call by its name, a card as a card."""
    if action.startswith("down:"):
        return "a card face down"
    return "a card" if action[0].isdigit() else action


def ratings() -> Found:
    """Elo of everybody from one tournament."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        retruco(
            "tournament",
            "solver",
            "maestro",
            *OPPONENTS,
            "--rules",
            RULES,
            "--matches",
            str(RATED_PAIRS),
            *CASES,
            "--out",
            str(out),
        )
        results = json.loads((out / "results.json").read_text())
    columns = ("agent", "elo", "elo_ci95", "win_rate", "win_rate_ci95")
    return {
        "pairs": RATED_PAIRS,
        "ratings": [{name: row[name] for name in columns} for row in results["standing"]],
    }


def responses() -> Found:
    """What a response learnt against an agent takes from it, and from the solver."""
    found = {}
    for name in EXPLOITED:
        against = () if name == "solver" else ("--against", "solver")
        found[name] = json.loads(retruco("exploit", name, "--pairs", str(PAIRS), *CASES, *against, "--json"))
        keep("responses", found)
    return found


def keep(name: str, found: Found) -> None:
    """Write a finding down."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n")


# The page

HEAD = """# How strong everybody is

Truco by `trucogame` to 24, made by `python benchmarks/strength.py`. Intervals are of 95 %. The players that remember play
on the published hands of people.
"""


def page() -> Found:
    """Write docs/strength.md; what has not been measured is not there."""
    parts = (solver_part, maestro_part, ratings_part, responses_part, analysis_part, people_part)
    texts = [text for part in parts if (text := part())]
    (DOCS / "strength.md").write_text("\n".join([HEAD, *texts]))
    return {}


def read(name: str) -> Any:
    """A finding, or nothing if there is none."""
    file = FOLDER / f"{name}.json"
    return json.loads(file.read_text()) if file.exists() else None


def solver_part() -> str:
    """The solver against everybody."""
    return duels_part("solver", "duels")


def maestro_part() -> str:
    """The best case-based player against everybody."""
    return duels_part("maestro", "maestro")


def duels_part(player: str, name: str) -> str:
    """One player against everybody."""
    found = read(name)
    if not found:
        return ""
    rows = [
        f"| `{name}` | {duel.get('pairs', PAIRS):,} | {points_of(duel)} | {duel['win_rate']:.1%} ({duel['win_rate_ci95'][0]:.1%} to {duel['win_rate_ci95'][1]:.1%}) |"
        for name, duel in sorted(found.items(), key=lambda item: item[1]["points_per_hand"])
    ]
    title = f"## The agent `{player}` against everybody"
    return table(title, ("against", "duplicate pairs", "points per hand", "matches won"), rows)


def points_of(duel: Found) -> str:
    """Points per hand with their interval."""
    low, high = duel["ci95"]
    return f"{duel['points_per_hand']:+.3f} ({low:+.3f} to {high:+.3f})"


def ratings_part() -> str:
    """Elo of everybody."""
    found = read("ratings")
    if not found:
        return ""
    rows = [
        f"| `{row['agent']}` | {row['elo']:.0f} ({row['elo_ci95'][0]:.0f} to {row['elo_ci95'][1]:.0f}) | {row['win_rate']:.1%} |"
        for row in found["ratings"]
    ]
    title = f"## Elo from one tournament, {found['pairs']} duplicate pairs a pairing"
    return table(title, ("player", "Elo", "matches won"), rows)


def responses_part() -> str:
    """What responses take."""
    found = read("responses")
    if not found:
        return ""
    rows = [
        f"| `{name}` | `{other}` | {points_of(duel)} | {duel['win_rate']:.1%} |"
        for name, response in found.items()
        for other, duel in response["duels"].items()
    ]
    return table(
        "## What a response takes that was learnt against one player",
        ("learnt against", "plays against", "points per hand", "matches won"),
        rows,
    )


def analysis_part() -> str:
    """What decisions cost."""
    found = read("analysis")
    if not found:
        return ""
    rows = [
        f"| `{name}` | {one['loss'][0]:.3f} ± {one['loss'][1]:.3f} | {one['chance_loss'][0]:.2%} ± {one['chance_loss'][1]:.2%} | {one['blunders']:.1%} | {one['decisions']:,} |"
        for name, one in sorted(found.items(), key=lambda item: item[1]["loss"][0])
    ]
    note = (
        "\nA decision is judged by the solution that comes with the package, against itself; a player who profits from "
        "a weakness of the\nopponent is charged for it all the same. What `solver` itself loses says how far "
        "the yardstick can be trusted.\n"
    )
    title = "## What a decision costs, by analysis"
    return table(title, ("player", "points", "chance to win the match", "blunders", "decisions"), rows) + note


def people_part() -> str:
    """What decisions of people cost."""
    found = read("people")
    if not found:
        return ""
    worst = sorted(found["kinds"].items(), key=lambda item: -item[1][1])[:6]
    rows = [
        f"| {kind} | {count:,} | {loss / count:.3f} | {loss / found['decisions']:.4f} |"
        for kind, (count, loss) in worst
    ]
    head = (
        f"A decision of the people in the published hands costs {found['loss'][0]:.3f} ± {found['loss'][1]:.3f} points and "
        f"{found['chance_loss'][0]:.2%} ± {found['chance_loss'][1]:.2%} of the match in the mean\n({found['decisions']:,} decisions; "
        f"{found['blunders']:.1%} are blunders). What costs most:\n"
    )
    body = table(
        "## How well people play",
        ("what they did", "times", "mean loss", "share of the loss per decision"),
        rows,
    )
    title, _, rest = body.partition("\n")
    return f"{title}\n\n{head}{rest}"


def table(title: str, columns: tuple[str, ...], rows: list[str]) -> str:
    """A heading and a table."""
    return "\n".join([title, "", f"| {' | '.join(columns)} |", "|---" * len(columns) + "|", *rows, ""])


PARTS: dict[str, Callable[[], Found]] = {
    "duels": duels,
    "maestro": maestro,
    "analysis": analysis,
    "people": people,
    "ratings": ratings,
    "responses": responses,
}


def main() -> None:
    """Measure what is asked for, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", choices=(*PARTS, "page"), nargs="+")
    for name in parser.parse_args().parts:
        if name != "page":
            keep(name, PARTS[name]())
    page()


if __name__ == "__main__":
    main()
