"""What forgetting costs: bases kept in part, by use, competence, harm and chance, and how MJS plays with them.

    python benchmarks/maintenance.py human     the published hands of people (RETRUCO_TRUCOGAME names them)
    python benchmarks/maintenance.py expert    30,000 hands of the agent solver against balanced
    python benchmarks/maintenance.py page      write docs/maintenance.md from what has been found

Findings are kept in docs/maintenance as JSON. All bases are made in a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.arena.duel import play_duel
from retruco.arena.sets import Score
from retruco.arena.stats import t_quantile
from retruco.cbr.casebase import CaseBase
from retruco.games.registry import find_game
from retruco.learning.case_bases import open_cases

DOCS = Path(__file__).parent.parent / "docs"
FOLDER = DOCS / "maintenance"
GAME = find_game("truco", "trucogame")
PLAYER, OPPONENT = "MJS", "balanced"
PAIRS, SEED = 500, 22
EXPERT_PAIRS = 1000
GOAL = 0.02
"""Points per hand that a fifth of a base may lose."""
FIFTH: Sequence[tuple[str, str, int]] = (
    *((way, "0.2", 1) for way in ("competence", "chance", "use", "harm")),
)
"""Ways, shares and seeds."""
TRIALS = {
    "human": (
        *FIFTH,
        *(("chance", "0.2", seed) for seed in (2, 3)),
        *(("competence", share, 1) for share in ("0.5", "0.1")),
    ),
    "expert": FIFTH,
}

Found = dict[str, Any]


def retruco(*arguments: str) -> bytes:
    """Run a command; return what it prints."""
    command = [sys.executable, "-m", "retruco", *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


def make_expert_base() -> None:
    """Record hands of the solver against a scripted player, and import the solver's views."""
    records = str(Path(os.environ["RETRUCO_HOME"]) / "hands.jsonl")
    retruco("duel", "solver", OPPONENT, "--matches", str(EXPERT_PAIRS), "--records", records)
    retruco("cases", "import", records, "--into", "expert", "--seat", "solver")


def player(cases: CaseBase) -> Agent:
    """The player with a case base."""
    return find_agent(PLAYER, GAME.name, lambda _: cases)


def duel(a: Agent, b: Agent) -> tuple[Found, list[Score]]:
    """Play the duplicate pairs; what they show, and the pairs."""
    scores: list[Score] = []

    def keep_scores(played: Sequence[Score]) -> None:
        scores[:] = played

    result = play_duel(GAME, (a, b), ("a", "b"), PAIRS, SEED, keep_scores)
    return {"points": result.points_per_hand, "ci95": result.ci95, "won": result.win_rate}, scores


def compare(smaller: Sequence[Score], whole: Sequence[Score]) -> Found:
    """Points per hand of one base less those of another, on the same deals, with an interval over pairs."""
    ratios, residuals = [], []
    for scores in (smaller, whole):
        points = np.array([score.points for score in scores], float)
        hands = np.array([score.all_hands for score in scores], float)
        ratios.append(points.sum() / hands.sum())
        residuals.append((points - ratios[-1] * hands) / hands.mean())
    error = np.std(residuals[0] - residuals[1], ddof=1) / sqrt(len(smaller))
    difference, reach = ratios[0] - ratios[1], t_quantile(len(smaller) - 1, 0.95) * error
    return {"points": difference, "ci95": (difference - reach, difference + reach)}


def measure(base: str) -> Iterator[Found]:
    """Play with the whole base and with each smaller one."""
    opponent = find_agent(OPPONENT, GAME.name)
    whole = open_cases(base, GAME.name)
    against, whole_scores = duel(player(whole.cases), opponent)
    yield {"way": "all hands", "kept": whole.hands, "rows": len(whole.cases), "against": against}
    for way, share, seed in TRIALS[base]:
        name = f"{base}-{way}-{share}-{seed}"
        arguments = ("cases", "maintain", base, "--by", way, "--keep", share, "--out", name, "--json")
        made = json.loads(retruco(*arguments, "--seed", str(seed)))
        cases = open_cases(name, GAME.name).cases
        against, scores = duel(player(cases), opponent)
        yield {
            "way": way,
            "share": share,
            "seed": seed,
            **{key: made[key] for key in ("kept", "basis", "competence", "seconds")},
            "rows": len(cases),
            "against": against,
            "difference": compare(scores, whole_scores),
            "against_whole": duel(player(cases), player(whole.cases))[0],
        }


def run(base: str) -> None:
    """Measure a base, and keep what is found."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as home:
        os.environ["RETRUCO_HOME"] = home
        if base == "expert":
            make_expert_base()
        found = []
        for trial in measure(base):
            found.append(trial)
            print(json.dumps(trial), flush=True)
            (FOLDER / f"{base}.json").write_text(json.dumps(found, indent=1) + "\n")


# The page

HEAD = """# Forgetting

A base that grows for ever gets slower and keeps what nobody needs. `retruco cases maintain` makes a smaller base of the
hands that matter; the base itself stays as it is. Hands are kept or dropped whole, for the rows come from hands, and they
keep their numbers.

```
retruco cases maintain human --by competence --keep 0.2 --out small      # a fifth of the hands
retruco cases maintain human --by use --keep 500 --dry-run               # only say what would be kept
```

| `--by` | keeps the hands |
|---|---|
| `use` | that were retrieved most often, as the store has counted while an agent learnt; where it has counted none, in `--matches` (50) of the game's usual agent against itself |
| `competence` | whose cases together solve most of the base's problems |
| `harm` | whose decisions lost least: mean points lost per decision by the shipped solution, as [`retruco analyse`](analysis.md) judges; a hand that cannot be judged counts as an average one. Games and rules without a solution go by results: what the best answer earned in similar cases, less what the hand's own answer earned there |
| `chance` | that a draw gives (`--seed`), for comparison |

`--keep` is a share (`0.2`, `20%`) or a number of hands. The command prints how many rows of each scenario stay, and how
competent the smaller base is, with intervals over hands: the share of all cases that it answers as all hands do (majority
of what the usual retrieval finds), and the share whose own answer it gives.

## Competence

After Smyth and Keane (1995) and the footprint of Smyth and McKenna (1999). Every distinct situation of the base is a
problem; its answer is what the whole base gives. A case *solves* a problem if it is among its ten nearest rows, or at
least 98 % similar, and gives that answer. The *coverage* of a hand are the problems that its cases solve, the
*reachability* of a problem the cases that solve it. Players take votes, so one solver is not enough, and a near case with
another answer does harm. Each problem has a weight, at first its number of rows; a vote for its answer divides the weight
by e^0.5, a vote against multiplies it. The next hand kept is the one with the greatest weight of solved problems less
spoilt ones. Ten rows and e^0.5 were chosen among ten settings by duels of `MJS` on the hands of people, on other deals
than those below.

It favours the answer of the majority: a rare answer that the majority outvotes is forgotten. That suits `MJS`; lotteries
lose their mixture. Time grows with the square of the distinct situations of a scenario; the tables below have the
seconds of whole commands, measuring included.

## While learning

`retruco learn --limit 5000 --forget competence` keeps a growing base within a limit: when it is full, the next hand that
enters replaces the tenth of the limit that matters least, by `use`, `competence` or `harm` (by results). The limit counts
entries with rows. In Python it is the strategy `SizeLimit` of `retruco.cbr.retain`, around any other.

## What it costs

Made by `python benchmarks/maintenance.py`. `MJS` with each base plays 500 duplicate pairs against `balanced`, and 500 against
`MJS` with all hands; points per hand with 95 % intervals. *Less all hands* is the difference to `MJS` with all hands against
`balanced` on the same deals, its interval paired over pairs."""


def interval(found: Found) -> str:
    """An estimate with its interval."""
    low, high = found["ci95"]
    return f"{found['points']:+.3f} ({low:+.3f} to {high:+.3f})"


def table(found: Sequence[Found]) -> str:
    """The trials of one base as a table."""
    whole, *trials = found
    lines = [
        f"| kept by | hands | rows | answered as by all hands | against `{OPPONENT}` | less all hands | against `{PLAYER}` with all hands | seconds |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
        f"| all hands | {whole['kept']:,} | {whole['rows']:,} | | {interval(whole['against'])} | | | |",
    ]
    for trial in trials:
        same = trial["competence"]["same"]
        low, high = same["ci95"]
        cells = (
            f"{trial['way']}" + (f", draw {trial['seed']}" if trial["way"] == "chance" else ""),
            f"{trial['kept']:,}",
            f"{trial['rows']:,}",
            f"{same['share']:.1%} ({low:.1%} to {high:.1%})",
            interval(trial["against"]),
            interval(trial["difference"]),
            interval(trial["against_whole"]),
            f"{trial['seconds']:.1f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


HEADINGS = {
    "human": "The hands of people",
    "expert": f"Hands of `solver` against `{OPPONENT}`",
}


def page() -> None:
    """Write the page."""
    parts = [HEAD]
    for base, heading in HEADINGS.items():
        file = FOLDER / f"{base}.json"
        if file.exists():
            found = json.loads(file.read_text())
            parts.append(f"## {heading}\n\n{table(found)}\n\n{reading(found)}{bases_of(found)}")
    (DOCS / "maintenance.md").write_text("\n\n".join(parts) + "\n")


def reading(found: Sequence[Found]) -> str:
    """What the table says about a fifth kept by competence."""
    fifth = next(trial for trial in found[1:] if (trial["way"], trial["share"]) == ("competence", "0.2"))
    met = "within" if fifth["difference"]["points"] >= -GOAL else "not within"
    return (
        f"A fifth kept by competence changes the result against `{OPPONENT}` by {interval(fifth['difference'])} points per "
        f"hand, {met} the goal of losing at most {GOAL}. Against `{PLAYER}` with all hands it scores "
        f"{interval(fifth['against_whole'])}."
    )


def bases_of(found: Sequence[Found]) -> str:
    """What the ways that need more than the cases went by."""
    named = {trial["way"]: trial["basis"] for trial in found if trial["way"] in ("use", "harm")}
    return "".join(f" By {way}: {basis}." for way, basis in named.items())


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=("human", "expert", "page"))
    part = parser.parse_args().part
    if part == "page":
        page()
    else:
        run(part)


if __name__ == "__main__":
    main()
