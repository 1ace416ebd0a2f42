"""All speeds in one go, on one core, beside peers: writes `docs/speed.md`.

    python benchmarks/speed.py                        everything; about five minutes
    python benchmarks/speed.py --equal 10000000       with so many hands a preset compared in both engines
    python benchmarks/speed.py --print                only print it

Rates are by processor time, so that other programs on the machine disturb them less; rivals of one table
are measured one right after the other. Runs that take longer are measured by `benchmarks/whole_runs.py`
and `benchmarks/equality.py`, whose findings in docs/speed are put on the page.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from engine import our_hands, their_hands
from equality import compare_engines, read_counts
from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.agents.truco.policies import TWENTY
from retruco.arena.blocks import Block, Job, blocks_at_once, blocks_of, pairings, play_blocks, tasks_of
from retruco.arena.duel import play_duel, play_pair
from retruco.arena.running import warm_up
from retruco.cbr.casebase import CaseBase
from retruco.games.holdem import Holdem
from retruco.games.registry import find_game
from retruco.games.truco import PRESETS, Truco
from retruco.games.truco.compiled import tables as compiled_tables
from retruco.games.truco.compiled.random_hands import play_random_hands
from retruco.learning.case_bases import open_cases
from retruco.learning.holdem.training import casey_loop
from retruco.learning.learners import plan_for
from retruco.learning.loop import LearningLoop, LearntHand
from retruco.learning.starting import in_memory
from time_shares import PARTS, REST, time_shares
from whole_runs import FOLDER

PAGE = Path(__file__).parent.parent / "docs" / "speed.md"
GAME = Truco.named("trucogame")
SECONDS = 2.0
"""How long a rate is measured."""
BATCH = 100_000
STAGE_PAIRS = 25
"""The duplicate pairs of stage 1 of Paulus (2020) between every two of the twenty: 9,500 matches."""
READABLE_PAIRS = 1
LEARNT = 1500
"""How many cases are learnt to measure learning."""
CASEY_FIRST, CASEY_HANDS = 200, 2000
"""Casey's hands that are not counted, and those that are."""
SHARED_CASES, SHARED_HANDS, SHARED_PAIRS = 700, 1000, 200
"""How much is learnt and played to see where the time goes."""
DUELS = (("random", "random", 2000), ("balanced", "cautious", 2000), ("MJS", "PVCNPS", 100))
READABLE_DUEL = 60
"""Who meets whom, and over how many pairs."""


def rate(step: Callable[[], int], seconds: float = SECONDS) -> float:
    """How many a second a step makes, by processor time; the first call is not counted."""
    step()
    made, started = 0, time.process_time()
    while (passed := time.process_time() - started) < seconds:
        made += step()
    return made / passed


def timed(step: Callable[[], Any]) -> tuple[float, Any]:
    """The processor time of a step, and what it gives."""
    started = time.process_time()
    found = step()
    return time.process_time() - started, found


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out a Markdown table, the first column left, the others right."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


# Rules


def one_by_one(hands: Iterator[int]) -> Callable[[], int]:
    """Take a hand at a time."""

    def step() -> int:
        next(hands)
        return 1

    return step


def rules_rows() -> Iterator[list[str]]:
    """Random hands by every preset, compiled and readable, and the tables they are played by."""
    for preset in PRESETS:
        game = Truco.named(preset)
        with tempfile.TemporaryDirectory() as folder:
            os.environ["NUMBA_CACHE_DIR"], before = folder, os.environ.get("NUMBA_CACHE_DIR")
            compiled_tables._tables.cache_clear()
            made, found = timed(lambda game=game: compiled_tables.tables_for(game))  # type: ignore[misc]
            (file,) = Path(folder).glob("*.tables")
            size = file.stat().st_size
            os.environ.pop("NUMBA_CACHE_DIR") if before is None else os.environ.update(NUMBA_CACHE_DIR=before)
        numbers = itertools.count()

        def batch(game: Truco = game, numbers: Iterator[int] = numbers) -> int:
            play_random_hands(game, next(numbers), BATCH, folding=False)
            return BATCH

        compiled = rate(batch)
        readable = rate(one_by_one(our_hands(game, Random(1), folding=False)))
        ratio = compiled / readable
        yield [
            f"`{preset}`", f"{compiled:,.0f}", f"{readable:,.0f}", f"{ratio:,.0f}", f"{len(found.actor):,}",
            f"{made:.1f} s", f"{size / 1000:.0f} kB",
        ]  # fmt: skip


def equal_rows() -> list[list[str]]:
    """Random hands that were compared in both engines."""
    presets = read_counts()["presets"]
    return [[f"`{name}`", f"{one['hands']:,}", str(one["different"])] for name, one in presets.items()]


# Peers


def openspiel_hands(name: str) -> Iterator[int]:
    """Random games of OpenSpiel's, driven from Python."""
    import pyspiel

    game, chance = pyspiel.load_game(name), Random(1)
    for number in itertools.count():
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        yield number


def rlcard_hands() -> Iterator[int]:
    """Random hands of RLCard's limit hold'em."""
    from rlcard.games.limitholdem import Game

    game, chance = Game(), Random(1)
    for number in itertools.count():
        game.init_game()
        while not game.is_over():
            game.step(chance.choice(game.get_legal_actions()))
        yield number


def peer_rows() -> Iterator[list[str]]:
    """Random hands of other engines."""
    peers: dict[str, tuple[str, Callable[[], Iterator[int]]]] = {
        "pytruco 0.1.3": ("Truco, Python", their_hands),
        "OpenSpiel": ("Euchre, C++ driven from Python", lambda: openspiel_hands("euchre")),
        "OpenSpiel ": ("Kuhn poker, C++ driven from Python", lambda: openspiel_hands("kuhn_poker")),
        "RLCard": ("limit hold'em, Python", rlcard_hands),
    }
    for name, (what, hands) in peers.items():
        yield [name.strip(), what, f"{rate(one_by_one(hands())):,.0f}"]


# Matches


@dataclass
class Played:
    """Matches played: how many hands, in how much processor time."""

    hands: int
    seconds: float


def seated(names: Sequence[str], cases: CaseBase) -> list[Agent]:
    """Agents who remember nothing of what they were asked before."""
    cases.clear_cache()
    return [find_agent(name, "truco", lambda game: cases) for name in names]


def played_readable(agents: Sequence[Agent], numbers: Sequence[int]) -> Played:
    """Play pairs the readable way."""
    a, b = agents
    seconds, scores = timed(lambda: [play_pair(GAME, a, b, 1, number).score() for number in numbers])
    return Played(sum(sum(score.hands) for score in scores), seconds)


def played_in_batches(agents: Sequence[Agent], names: Sequence[str], blocks: Sequence[Block]) -> Played:
    """Play blocks of pairs side by side."""
    job, players = Job(GAME, tuple(names), 1), dict(zip(names, agents, strict=True))
    started, hands = time.process_time(), 0
    for task in tasks_of(blocks, blocks_at_once(job, agents)):
        for played in play_blocks(job, players, task):
            hands += sum(sum(score["hands"]) for score in played.scores)
    return Played(hands, time.process_time() - started)


def duel_rows(cases: CaseBase) -> Iterator[list[str]]:
    """Duels side by side, from an empty memory and once more, beside the same agents match by match."""
    for a, b, pairs in DUELS:
        agents, blocks = seated((a, b), cases), blocks_of([(0, 1)], pairs)
        warm_up(GAME, agents)
        cases.clear_cache()
        first = played_in_batches(agents, (a, b), blocks)
        again = played_in_batches(agents, (a, b), blocks)
        readable = played_readable(seated((a, b), cases), range(min(pairs, READABLE_DUEL)))
        fast, slow = first.hands / first.seconds, readable.hands / readable.seconds
        yield [
            f"`{a}` against `{b}`", f"{first.hands:,}", f"{fast:,.0f}", f"{again.hands / again.seconds:,.0f}",
            f"{slow:,.0f}", f"{fast / slow:.1f}",
        ]  # fmt: skip


def batch_table() -> str:
    """What `benchmarks/batch.py` found last."""
    *rows, ten = json.loads((FOLDER / "batch.json").read_text())
    lines = [
        (
            row["agents"],
            row["cases"],
            f"{row['hands_a_second']:,}",
            f"{row['before']:,}",
            f"{row['ratio']:.0f}",
        )
        for row in rows
    ]
    found = table(("", "cases", "hands a second", "version 1.0", "ratio"), lines)
    return f"{found}\n\nTen pairs, everything included: {ten['seconds']} s, {ten['before']} s in version 1.0."


def stage_rows(cases: CaseBase) -> list[list[str]]:
    """Stage 1 of Paulus (2020): twenty policies, all against all."""
    meetings = pairings(len(TWENTY))
    batched = played_in_batches(seated(TWENTY, cases), TWENTY, blocks_of(meetings, STAGE_PAIRS))
    agents = seated(TWENTY, cases)
    readable = [played_readable([agents[a], agents[b]], range(READABLE_PAIRS)) for a, b in meetings]
    slow = sum(one.seconds for one in readable) * STAGE_PAIRS / READABLE_PAIRS
    return [
        [
            f"{len(meetings) * 2 * STAGE_PAIRS:,} matches, {batched.hands:,} hands",
            f"{batched.seconds:.1f} s", f"{slow:.0f} s", f"{slow / batched.seconds:.1f}",
        ]
    ]  # fmt: skip


# Learning


def truco_loop() -> LearningLoop:
    """Self-play from the embedded base on; the first match loads what it needs."""
    base = open_cases()
    loop = in_memory(plan_for("imitation"), GAME, base.cases, base.hands, base.elbows)
    loop.run(matches=1)
    return loop


def casey_hands() -> Iterator[LearntHand]:
    """Casey among three rulebots, from nothing; the first hands load what they need."""
    hands = casey_loop(Holdem.named("casey-4"), "casey", ["rulebot"] * 3, 1).hands(10**9)
    for _ in range(CASEY_FIRST):
        next(hands)
    return hands


def learning_rows() -> list[list[str]]:
    """What cases cost a learner of Truco, and hands a learner of hold'em."""
    loop = truco_loop()
    start = sum(loop.standing.cases.values())
    seconds, _ = timed(lambda: loop.run(None, start + LEARNT))
    hands = casey_hands()
    casey, _ = timed(lambda: [next(hands) for _ in range(CASEY_HANDS)])
    return [
        [
            f"Truco, {start:,} to {start + LEARNT:,} cases",
            f"{seconds:.1f} s",
            f"{1000 * seconds / LEARNT:.2f} ms a case",
        ],
        [
            f"hold'em, {CASEY_HANDS:,} hands of Casey's",
            f"{casey:.1f} s",
            f"{1000 * casey / CASEY_HANDS:.2f} ms a hand",
        ],
    ]


def share_rows() -> list[list[str]]:
    """Where the loops of three games spend their time."""
    loop, hands, euchre = truco_loop(), casey_hands(), find_game("euchre")
    start = sum(loop.standing.cases.values())
    players = find_agent("HIGH!", "euchre"), find_agent("HIGH", "euchre")
    runs: dict[str, Callable[[], Any]] = {
        "Truco, self-play": lambda: loop.run(None, start + SHARED_CASES),
        "hold'em, Casey": lambda: [next(hands) for _ in range(SHARED_HANDS)],
        "Euchre, `HIGH!` against `HIGH`": lambda: play_duel(euchre, players, ("a", "b"), SHARED_PAIRS, 1),
    }
    shares = {name: time_shares(run) for name, run in runs.items()}
    return [[name, *(f"{share:.0%}" for share in found.values())] for name, found in shares.items()]


def finding(name: str) -> Any:
    """Read what `benchmarks/whole_runs.py` has found; nothing if it has not run."""
    file = FOLDER / f"{name}.json"
    return json.loads(file.read_text()) if file.exists() else None


def whole_rows() -> list[list[str]]:
    """The learning runs at full size."""
    rows, learning, casey = [], finding("learning"), finding("casey")
    if learning:
        rows.append([f"Truco, 3,195 to {learning['cases']:,} cases", f"{learning['seconds']:.0f} s"])
    if casey:
        rows.append([f"hold'em, {casey['hands']:,} hands of Casey's", f"{casey['seconds']:.0f} s"])
    return rows


def ways_rows() -> list[list[str]]:
    """Runs played in all ways, and whether their results are the same."""
    rows = []
    for name in ("tournament", "reproduce", "study", "curve"):
        for way, one in (finding(name) or {}).items():
            rows.append([name, way, f"{one['seconds']:.0f} s", f"`{one['digest'][:12]}`"])
    return rows


def retrieval() -> str:
    """What the benchmark of retrieval prints, beside FAISS and CBRkit."""
    script = Path(__file__).parent / "retrieval.py"
    done = subprocess.run(
        [sys.executable, str(script), "--quick"], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


TEXT = """# Speed

Measured on {machine}, one core, by processor time, with `make bench`; the numbers are of one run on a machine
that did other work too, so compare them within a table.

## Rules

The rules of Truco are stated once, in the readable engine. A compiler explores that engine and lays out its public
states as tables of integers; a stepper in compiled code plays over them. Random hands a second, nobody folding:

{rules}

The tables of a preset are made on first use and saved in the cache folder. What limits the stepper: dealing six cards
and drawing every choice from a keyed stream that gives the same numbers as in Python.

Random hands at random scores, played by both engines from the same streams, at four targets:

{equal}

Beside these, a test takes every action in every public state of each preset in both engines.

Other engines, random hands a second:

{peers}

What limits them: Python objects for every state (pytruco, RLCard), and the way from Python to C++ and back for every
action (OpenSpiel; its own loops in C++ are faster).

## Matches

What a duel of 1,000 duplicate pairs costs as a user starts it, beside version 1.0, on one core: the processor time of the
command less that of the same command with one pair, on deals that neither has seen (`python benchmarks/batch.py OLD/src`):

{batch}

A duel asks agents, counts what they do and keeps scores. Matches are played side by side in lanes, and each agent is
asked for all lanes that wait for it. Hands a second with an empty memory of searches and once more, beside the same
agents match by match at a readable table:

{duels}

What limits them: scripted players compute odds that they have not met yet; players who remember search their cases,
where four questions in ten are new even in a duel of two thousand matches, and choose by arrays of tallies.

Stage 1 of Paulus (2020), twenty policies all against all over the same deals, on the embedded base; the time match by
match is that of {readable_share} of the matches, scaled up:

{stage}

What limits it: the search of questions that nobody has asked before, and for each policy the choice among what was found.

At full size, with everything that the command does, by processor time of all workers together; equal digests are
results of the same bytes:

{ways}

## Learning

Self-play by ten policies, clusters and all, and Casey among three rulebots, in memory:

{learning}

At full size:

{whole}

Each retained hand changes the base, so one hand is played at a time. Where the time goes, by part of the
package; *cases* is retrieval, reuse and adding rows:

{shares}

So compiled rules would gain little here. In Truco k-means measures only centres that have moved, whether there are
enough similar cases is counted without retrieving them, and the questions of a turn are made once. In hold'em the
betting already is a table that fills as it is played: equal states are made once and remember what followed. The hands
were the greatest part: any three cards are now valued once where they were valued three times, and standings are
compared in one sum. Euchre was measured, too: its rules take less than half, and a match takes milliseconds, so
nothing was compiled there. What limits all three is Python itself: no part stands out any more.

## Retrieval

```
{retrieval}
```
"""


def write_page(equal: int) -> str:
    """Measure everything and give the page."""
    compare_engines(equal)
    cases = open_cases().cases
    rules = table(
        ("rules", "compiled", "readable", "ratio", "states", "made in", "on disk"), list(rules_rows())
    )
    return TEXT.format(
        machine=f"{platform.machine()}, Python {platform.python_version()}",
        rules=rules,
        equal=table(("rules", "hands", "different"), equal_rows()),
        peers=table(("engine", "game", "hands a second"), list(peer_rows())),
        duels=table(
            ("", "hands", "at first", "again", "match by match", "ratio at first"), list(duel_rows(cases))
        ),
        readable_share=f"one in {STAGE_PAIRS // READABLE_PAIRS}",
        batch=batch_table(),
        stage=table(("", "side by side", "match by match", "ratio"), stage_rows(cases)),
        ways=table(("run", "how", "processor", "digest"), ways_rows()),
        learning=table(("", "processor", "each"), learning_rows()),
        whole=table(("", "processor"), whole_rows()),
        shares=table(("", *dict.fromkeys(PARTS.values()), REST), share_rows()),
        retrieval=retrieval(),
    )


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--equal", type=int, default=20_000, help="hands a preset to compare")
    parser.add_argument("--print", action="store_true", dest="only_print", help="do not write the page")
    arguments = parser.parse_args()
    page = write_page(arguments.equal)
    print(page)
    if not arguments.only_print:
        PAGE.write_text(page)


if __name__ == "__main__":
    main()
