"""Digests of what every agent decides, so that a change of the code can be shown to change no decision.

    python benchmarks/digests.py                        check all agents on 20,000 situations
    python benchmarks/digests.py --situations 300       the short form, as the test of the suite checks it
    python benchmarks/digests.py --agents 'truco/NPS*'  only agents of a pattern
    python benchmarks/digests.py --write NPS euchre/NPS renew the digests of these agents; of all without names
    python benchmarks/digests.py --keep FOLDER          write a line for each decision; `diff -r` shows which differ

Situations are not stored: they are positions of matches that players by rules and chance play from fixed seeds. Each is
what the seat to act sees, with the earlier hands of the match, and a stream of its own. The digest of the situations
tells a change of the rules or of those players from a change of a decision. Of each agent there are two digests: one
of its actions, and one of the evidence, which are reason, values, questions and revisions. Floats count with ten digits.
Further digests are of the results of duels, of encoded observations, and of vectorised tables.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from retruco.agents.core import Agent, agent_stream, ask_agent
from retruco.agents.registry import check_rules, find_agent, roster
from retruco.arena.duel import play_duel
from retruco.arena.table import Table
from retruco.cbr.case import Decision, QuestionRecord
from retruco.cbr.casebase import Retrieval
from retruco.games.core import Game
from retruco.games.registry import find_game
from retruco.games.truco.rules import PRESETS
from retruco.interfaces.encodings import find_encoding
from retruco.interfaces.encodings.core import Encoding
from retruco.interfaces.vector import VectorTruco
from retruco.learning.case_bases import cases_named
from retruco.storage.store import DATABASE, HOME
from retruco.streams import Stream

FOUND: Final = Path(__file__).with_suffix(".json")

FULL: Final = {"truco": 12_000, "holdem": 3_000, "euchre": 3_000, "kuhn": 1_000, "leduc": 1_000}
SHORT: Final = {"truco": 200, "holdem": 40, "euchre": 40, "kuhn": 10, "leduc": 10}
"""Situations of each game, in the full form and in the short one; the short ones are the first of the full ones."""
SLOW: Final = ("truco/solver", "truco/reader", "holdem/casey-learns", "euchre/montecarlo*", "euchre/ismcts*")
"""Agents that take more than a millisecond to decide: they are asked in the first 500 situations that they play, and in a fifth of the short ones."""
FEW: Final = 500
UNREPEATABLE: Final = ("euchre/ismcts*",)
"""Agents that decide otherwise when asked again, as OpenSpiel's search does; it only counts that they play lawfully."""
WHOLE: Final = 25
"""In one situation of so many, the evidence has every retrieved case; in the others, how many there are."""


class Source(NamedTuple):
    """Where the situations of a game come from."""

    tables: tuple[tuple[str, int | None], ...]
    """Rules and targets, match by match in turn; no target is that of the rules."""
    players: tuple[str, ...]
    hands: int
    """A match breaks off after so many hands at the most."""
    every: int
    """One position of so many is kept."""


USUAL: Final = ("trucogame", None)
SOURCES: Final = {
    "truco": Source(
        (
            *(USUAL, ("cbtg", None), USUAL, USUAL, ("argentino-sem-flor", None)),
            *(USUAL, ("trucogame", 12), USUAL, ("argentino", None), USUAL),
            *(USUAL, ("cbtg", None), USUAL, ("trucogame", 30), ("truco-mini", None)),
        ),
        ("random", "novice", "cautious", "balanced", "aggressive", "bluffer", "shouter"),
        hands=40,
        every=8,
    ),
    "holdem": Source(
        tuple(
            (rules, None)
            for rules in [
                "limit-4",
                "limit-2",
                "casey-6",
                "four-2",
                "limit-3",
                "acpc-2",
                "casey-4",
                "limit-10",
                "acpc-3",
                "limit-6",
                "casey-8",
                "four-9",
                "limit-8",
            ]
        ),
        ("random", "always-call", "always-raise", "rulebot", "simplebot"),
        hands=8,
        every=18,
    ),
    "euchre": Source(
        tuple(
            (rules, None)
            for rules in [
                "classic",
                "openspiel",
                "stick",
                "seelbinder2012",
                "openspiel-pass",
                "seelbinder2012-dealer-leads",
            ]
        ),
        ("random", "RANDOM", "HIGH", "LOW", "HIGH!", "MDP+", "UF", "ratliff@alone"),
        hands=12,
        every=18,
    ),
    "kuhn": Source((("two-seats", None), ("three-seats", None)), ("random",), hands=12, every=4),
    "leduc": Source((("six-cards", None),), ("random",), hands=8, every=6),
}
STRAY: Final = 0.1
"""How often a player by rules does something at random, so that odd situations appear, too."""

READINGS: Final = {
    "truco": (
        *("MJS@adaptive=0.9-0.05-20", "NPS@threshold=0.75", "PLS@top=10@0.90", "PLCNPS@top=25@0.8+two-step"),
        *("NPS@two-step", "PVCNPS@threshold=0.75+two-step", "CNPC-2019@two-step+similarity=euclid"),
        *("PVCNPS@threshold=0.75+plain+revision=published", "PVS@plain", "NPS-raw@support"),
        *("NPS@similarity=euclid", "MJCPVS@similarity=euclid+points=equal", "PVS@points=equal"),
        *(
            "NPS@score=compared",
            "MJCNPS@score=compared+threshold=0.8",
            "PVCMJS@score=compared+revision=sound",
        ),
        *("MJS@revision=none", "PLS@revision=published", "NPS@revision=sound", "MJS-sound@revision=ours"),
        *(
            "NPS@ties=cases",
            "MJS@ties=order",
            "PLCS@ties=cases+threshold=0.6",
            "MJS-2019@ties=similarity+plain",
        ),
        *("BOT0@guard=not-lost", "BOT0@guard=none", "BOT0@unknown=lot", "BOT3@unknown=reuse"),
        *(
            "BOT4@threshold=0.85+guard=none",
            "guarded-majority@revision=sound+ties=order",
            "BOT2@score=compared",
        ),
    ),
    "holdem": (
        *("casey@ties=newest", "casey@blinds=sunk", "casey@search=best-match", "casey@neighbours=300@0.9"),
        *("casey@prior=20", "casey-odds@ties=newest+blinds=sunk+prior=5"),
    ),
    "euchre": ("ismcts@simulations=50",),
}
"""Readings beside the agents of the roster; every part of the notation is in one of them at least."""

DUELS: Final = (
    ("truco", "trucogame", "MJS", "balanced"),
    ("truco", "trucogame", "NPS-sound", "bluffer"),
    ("truco", "trucogame", "PVCNPS-raw", "BOT0"),
    ("truco", "trucogame", "regular", "random"),
    ("truco", "trucogame", "NPS@threshold=0.75", "CNPC-2019"),
    ("truco", "cbtg", "NPCS", "aggressive"),
    ("truco", "argentino-sem-flor", "BOT4", "cautious"),
    ("holdem", "limit-2", "casey", "rulebot"),
    ("euchre", "classic", "NPS", "UF.5"),
    ("euchre", "seelbinder2012", "MDP+", "ratliff"),
    ("kuhn", "two-seats", "NPS", "PLS"),
    ("leduc", "six-cards", "random", "random"),
)
PAIRS: Final = 20
TIMES: Final = ("seconds", "thinking")
"""What of a result is left out."""
TABLES, STEPS = 8, 2_000
"""How many vectorised tables play how many steps in all, by each preset."""

# Situations


@dataclass(frozen=True, slots=True)
class Situation:
    """What the seat to act sees, and the chance that its decision has."""

    number: int
    game: Game
    seen: Any
    hand: int
    decisions: int

    @property
    def chance(self) -> Stream:
        """A stream of its own."""
        return agent_stream(self.number, self.seen.seat, self.hand, self.decisions)


@cache
def situations(game: str, count: int) -> tuple[Situation, ...]:
    """The first situations of a game."""
    found: list[Situation] = []
    match = 0
    while len(found) < count:
        found.extend(_of_match(game, match, len(found)))
        match += 1
    return tuple(found[:count])


def _of_match(name: str, number: int, first: int) -> Iterator[Situation]:
    """Play a match and give some of its positions, numbered from the first on."""
    source = SOURCES[name]
    game = find_game(name, *source.tables[number % len(source.tables)])
    draw = Stream("digests", name, number)
    deals = partial(_deal, game, number)
    table = Table(game, deals, draw.below(game.seats))
    sitting = [_player(name, game, draw.choice(source.players)) for _ in range(game.seats)]
    hands = 1 + draw.below(source.hands)
    while (seat := table.to_act) is not None and len(table.hands) < hands:
        seen, hand, before = table.observe(seat), table.match.hand, table.decisions[seat]
        if not draw.below(source.every):
            yield Situation(first, game, seen, hand, before)
            first += 1
        player = sitting[seat]
        if player is None or draw.chance(STRAY):
            table.act(seat, draw.choice(seen.legal))
        else:
            table.act(seat, ask_agent(player, seen, agent_stream(number, seat, hand, before)).action)


def _deal(game: Game, number: int, hand: int) -> Any:
    return game.deal(Stream("digests", "deal", game.name, number, hand))


def _new_agent(name: str, game: str) -> Agent:
    return find_agent(name, game, cases_named())


_agent: Final = cache(_new_agent)


def _player(game: str, table: Game, name: str) -> Agent | None:
    """A player by rules; none at a table that it cannot play at, where all is chance."""
    return _agent(name, game) if _plays(name, table) else None


@cache
def _plays(name: str, table: Game) -> bool:
    try:
        check_rules(name, table.name, table.rules_name)
    except ValueError:
        return False
    return True


# Digests

FAILED: Final = "failed: "
FLOATS: Final = re.compile(r"-?\d+(?:\.\d+(?:e[-+]?\d+)?|e[-+]?\d+)")


def canonical(value: object) -> str:
    """Write a value as JSON, the same wherever it is written: keys in order, floats with ten digits.

    >>> canonical({"b": 0.1 + 0.2, "a": (1, np.int64(2), -1e-17)})
    '{"a":[1,2,0],"b":0.3}'
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_plain)
    return FLOATS.sub(_rounded, text)


def _rounded(found: re.Match[str]) -> str:
    return f"{round(float(found[0]), 10) + 0.0:.10g}"


def _plain(value: Any) -> object:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else dict(value)


class Digest:
    """A digest of lines, one after another."""

    def __init__(self) -> None:
        self._lines = blake2b(digest_size=8)

    def add(self, line: str | bytes) -> None:
        """Add a line."""
        self._lines.update(line.encode() if isinstance(line, str) else line)
        self._lines.update(b"\n")

    def __str__(self) -> str:
        return self._lines.hexdigest()


def digest_of(*lines: str | bytes) -> str:
    """The digest of some lines."""
    found = Digest()
    for line in lines:
        found.add(line)
    return str(found)


def evidence_of(decision: Decision, whole: bool) -> dict[str, Any]:
    """What a decision rests on; whole, with every retrieved case."""
    plain = (
        dict(decision.as_json()) if whole else {"reason": decision.reason, "values": dict(decision.values)}
    )
    return {
        **plain,
        "questions": [_question(asked) for asked in decision.asked],
        "revised_by": [revision.as_json() for revision in decision.revised_by],
    }


def _question(asked: QuestionRecord) -> dict[str, Any]:
    """A question with its query, its answer, and what was chosen by how many cases."""
    choice, found = asked.choice, asked.evidence
    return {
        "scenario": asked.scenario,
        "query": asked.problem.values,
        "answer": asked.answer,
        "choice": choice.answer,
        "picks": [[pick.chosen, pick.rule, _by_text(pick.scores)] for pick in choice.picks],
        "adapted": dict(choice.adapted),
        "found": [len(found), found.threshold, repr(found.mode)] if isinstance(found, Retrieval) else None,
    }


def _by_text(scores: Any) -> dict[str, float]:
    return {str(item): score for item, score in scores.items()}


# What is digested: each gives the parts of one line of the file

Parts: TypeAlias = list[int | str]
"""Of an agent: count, actions, evidence; and these of the short form unless that is all."""


def digest_situations(game: str, counts: dict[str, int]) -> Parts:
    """Digest what is seen in the situations of a game."""
    written: dict[int, str] = {}
    found = Digest()
    parts: Parts = []
    for situation in situations(game, counts[game]):
        table, seen = situation.game, situation.seen
        for earlier in seen.history:
            if id(earlier) not in written:
                written[id(earlier)] = canonical(table.write_observation(earlier))
        found.add(canonical(table.write_observation(seen)))
        found.add("".join(written[id(earlier)] for earlier in seen.history))
        found.add(f"{situation.chance.bits()}")
        if situation.number + 1 in (SHORT[game], counts[game]):
            parts = [situation.number + 1, str(found), *parts]
    return parts


def digest_encodings(game: str, counts: dict[str, int]) -> Parts:
    """Digest the arrays of the situations of a game."""
    found = Digest()
    parts: Parts = []
    encodings: dict[Game, Encoding | None] = {}
    for situation in situations(game, counts[game]):
        table, seen = situation.game, situation.seen
        if table not in encodings:
            try:
                encodings[table] = find_encoding(table)
            except ValueError:  # a table without an encoding
                encodings[table] = None
        encoding = encodings[table]
        if encoding is not None:
            found.add(encoding.encode(seen).astype("<f4").tobytes())
            found.add(encoding.mask(seen).astype("i1").tobytes())
        if situation.number + 1 in (SHORT[game], counts[game]):
            parts = [situation.number + 1, str(found), *parts]
    return parts


def digest_agent(place: str, counts: dict[str, int], keep: Path | None = None) -> Parts:
    """Digest what an agent decides, named as in `euchre/NPS`."""
    game, _, name = place.partition("/")
    played = [one for one in situations(game, counts[game]) if _plays(name, one.game)]
    short, unrepeatable = SHORT[game], is_unrepeatable(place)
    if _is_among(place, SLOW):
        played, short = played[:FEW], short // 5
        played = [one for one in played if one.number < short] if counts == SHORT else played
    agent = _new_agent(name, game)  # what it remembers of its answers goes with it
    actions, evidence = Digest(), Digest()
    count, lines = 0, []
    parts: Parts = [0, str(actions), str(evidence)]
    for situation in played:
        action, why = _decided(name, agent, situation, whole=not unrepeatable)
        if unrepeatable and action in situation.seen.legal:
            action = "legal"
        actions.add(action)
        evidence.add(why)
        if keep:
            lines.append(f"{situation.number} {action} {digest_of(why)}\n")
        count += 1
        if situation.number < short:
            parts = [count, str(actions), str(evidence)]
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{place.replace('/', '-')}.txt").write_text("".join(lines))
    return parts if counts == SHORT else [count, str(actions), str(evidence), *parts]


def is_unrepeatable(place: str) -> bool:
    """Whether an agent decides otherwise when it is asked again."""
    return _is_among(place, UNREPEATABLE)


def _is_among(place: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(place, pattern) for pattern in patterns)


def _decided(name: str, agent: Agent, situation: Situation, whole: bool) -> tuple[str, str]:
    """The action and the evidence of a decision; an agent that breaks down is written down as such."""
    try:
        decision = ask_agent(agent, situation.seen, situation.chance)
        if decision.revised_by:
            # An agent remembers its answers, and the reason of a revision may then name a card of another suit.
            decision = ask_agent(_new_agent(name, situation.game.name), situation.seen, situation.chance)
    except Exception as error:  # noqa: BLE001  whatever it is, it must stay as it is
        return FAILED + type(error).__name__, str(error)
    return str(decision.action), canonical(evidence_of(decision, whole and situation.number % WHOLE == 0))


def digest_duel(line: str, counts: dict[str, int]) -> Parts:
    """Digest the result of a duel, all but the times."""
    game, rules, a, b = line.split()
    agents = (_agent(a, game), _agent(b, game))
    plain = play_duel(find_game(game, rules), agents, (a, b), PAIRS, seed=1).as_json()
    return [PAIRS, digest_of(canonical({name: plain[name] for name in plain if name not in TIMES}))]


def digest_vector(line: str, counts: dict[str, int]) -> Parts:
    """Digest what stands at vectorised tables while they are played at random."""
    rules, unit = line.split()
    tables, found = VectorTruco(TABLES, rules, episode=unit, seed=1), Digest()
    chance = Stream("digests", "vector")
    batch = tables.batch
    for _ in range(STEPS // TABLES):
        draws = np.array([[chance.random() for _ in row] for row in batch.masks])
        batch = tables.step(((draws + 1) * batch.masks).argmax(axis=1))
        for array in batch:
            found.add(np.ascontiguousarray(array).tobytes())
    return [STEPS, str(found)]


def agent_places() -> list[str]:
    """Every agent of every game, named as in `euchre/NPS`, and some readings."""
    return [f"{game}/{name}" for game in FULL for name in (*roster(game), *READINGS.get(game, ()))]


KINDS: Final[dict[str, tuple[Callable[..., Parts], Callable[[], Iterable[str]]]]] = {
    "situations": (digest_situations, lambda: FULL),
    "encodings": (digest_encodings, lambda: FULL),
    "agents": (digest_agent, agent_places),
    "duels": (digest_duel, lambda: map(" ".join, DUELS)),
    "vectors": (
        digest_vector,
        lambda: (f"{rules} {unit}" for rules in PRESETS for unit in ("hand", "match")),
    ),
}
"""What is digested: how, and of what."""

# The file

Stored: TypeAlias = dict[str, dict[str, str]]
"""By kind and by what is digested: the parts of its line, between blanks."""


def read_digests() -> Stored:
    """Read what is stored; nothing if there is no file."""
    stored: Stored = json.loads(FOUND.read_text()) if FOUND.exists() else {}
    return {kind: stored.get(kind, {}) for kind in KINDS}


def write_digests(stored: Stored) -> None:
    """Write digests down, one line each, in the order of the rosters; those of what is gone are dropped."""
    ordered = {
        kind: {name: stored[kind][name] for name in names() if name in stored[kind]}
        for kind, (_, names) in KINDS.items()
    }
    FOUND.write_text(json.dumps(ordered, indent=0, ensure_ascii=False) + "\n")


def expected(kind: str, line: str, is_short: bool) -> str:
    """What a run should find by a stored line: the last half of it in the short form, where it has two."""
    parts = line.split()
    if is_short and kind in ("situations", "encodings", "agents"):
        parts = parts[len(parts) // 2 :]
    return " ".join(parts)


class Task(NamedTuple):
    """One line to be found."""

    kind: str
    name: str
    counts: dict[str, int]
    keep: Path | None


class Finding(NamedTuple):
    """One line found, and the seconds that it took."""

    kind: str
    name: str
    line: str
    seconds: float


def find(task: Task) -> Finding:
    """Find one line."""
    began = time.process_time()
    digest = partial(KINDS[task.kind][0], task.name, task.counts)
    try:
        parts = digest(task.keep) if task.kind == "agents" else digest()
    except Exception as error:  # noqa: BLE001  told like any other difference, and the other lines are found
        parts = [f"{FAILED}{error!r}"]
    return Finding(task.kind, task.name, " ".join(map(str, parts)), time.process_time() - began)


def find_all(tasks: Sequence[Task], workers: int) -> Iterator[Finding]:
    """Find all lines; workers are forked and share the situations."""
    for game in {task.name.split("/")[0] for task in tasks if task.kind == "agents"}:
        situations(game, tasks[0].counts[game])
    if workers < 2 or len(tasks) < 2:
        yield from map(find, tasks)
        return
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        yield from pool.imap(find, tasks)


def tasks_for(pattern: str, counts: dict[str, int], keep: Path | None = None) -> list[Task]:
    """What is to be found: all, or only agents of a pattern."""
    return [
        Task(kind, name, counts, keep)
        for kind, (_, names) in KINDS.items()
        for name in names()
        if pattern == "*" or (kind == "agents" and matches(name, pattern))
    ]


def matches(place: str, pattern: str) -> bool:
    """Whether an agent is of a pattern, with the game before it or without."""
    return fnmatchcase(place, pattern) or fnmatchcase(place.partition("/")[2], pattern)


def compare(findings: Iterable[Finding], stored: Stored, is_short: bool) -> list[str]:
    """Tell what differs from what is stored, a line each."""
    different = []
    for kind, name, line, _ in findings:
        if name not in stored[kind]:
            different.append(f"{kind} {name}: nothing is stored")
        elif (wanted := expected(kind, stored[kind][name], is_short)) != line:
            if line.startswith(FAILED):
                different.append(f"{kind} {name}: {line}")
                continue
            what = zip(("situations", "actions", "evidence"), wanted.split(), line.split(), strict=False)
            parts = [part for part, old, new in what if old != new] if kind == "agents" else ["digest"]
            different.append(f"{kind} {name}: other {' and '.join(parts)}")
    return different


def main() -> None:
    """Check or write the digests."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", nargs="*", metavar="AGENT", help="renew the digests, of these agents only")
    parser.add_argument("--agents", default="*", metavar="PATTERN", help="check these agents only")
    parser.add_argument("--situations", type=int, default=sum(FULL.values()), choices=(300, 20_000))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write each decision to a file there")
    parser.add_argument("--times", action="store_true", help="print the processor time of each line")
    options = parser.parse_args()
    is_short = options.situations == sum(SHORT.values())
    counts = SHORT if is_short else FULL
    if options.write is not None and is_short:
        parser.error("digests are written in full only")
    with TemporaryDirectory() as folder:
        os.environ[HOME] = folder  # the embedded bases as the program makes them
        os.environ.pop(DATABASE, None)
        stored, began = read_digests(), time.perf_counter()
        tasks = tasks_for(options.agents, counts, options.keep)
        if options.write:
            tasks = [task for pattern in options.write for task in tasks_for(pattern, counts, options.keep)]
        if not tasks:
            parser.error("no agent has such a name")
        findings = []
        for found in find_all(tasks, options.workers):
            findings.append(found)
            if options.times:
                print(f"{found.seconds:8.2f} s  {found.kind} {found.name}: {found.line}", flush=True)
    if options.write is not None:
        for kind, name, line, _ in findings:
            stored[kind][name] = line
        write_digests(stored)
        stored = read_digests()
    different = compare(findings, stored, is_short)
    if options.agents == "*" and not options.write:
        known = {(task.kind, task.name) for task in tasks}
        different += [
            f"{kind} {name}: is gone" for kind in stored for name in stored[kind] if (kind, name) not in known
        ]
    print("\n".join(different) or "all as stored")
    print(f"{len(findings)} lines, {len(different)} differ, {time.perf_counter() - began:.0f} s")
    raise SystemExit(bool(different))


if __name__ == "__main__":
    main()
