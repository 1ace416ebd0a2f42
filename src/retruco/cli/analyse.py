"""`retruco analyse`: every decision of recorded hands judged by a solution, as JSON or as a table for people."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from retruco.agents.solver import open_judge
from retruco.cli.commands.recorded_hands import AnalyseOptions
from retruco.cli.errors import print_error
from retruco.cli.formatting import plain_table
from retruco.cli.json_lines import for_each_record
from retruco.cli.progress import show_progress
from retruco.games.core import BadRecord, Seat, short_repr
from retruco.games.truco.game import Truco
from retruco.learning.case_bases import library_of
from retruco.solver.truco.analysis import BLUNDER, GRADE_NAMES, Judge, Judgement
from retruco.solver.truco.shipped import shipped_file
from retruco.storage.exchange import format_of, read_hands
from retruco.storage.reading import Hand
from retruco.storage.store import open_store
from retruco.vocab.truco.recorded_turns import PartlyKnown, RecordedTurn, recorded_turns

Record = Mapping[str, object]
Json = dict[str, Any]
Answer = Callable[[Record, Seat | None], Json | None]
JudgeFor = Callable[[Truco], Judge]

DIGITS: Final = 4


def analyse_hands(options: AnalyseOptions, console: Console | None = None) -> int:
    """Judge hand after hand; print a line of JSON each, or a summary on a console."""
    if options.solution is None and options.values is not None:
        raise ValueError(f"--values {options.values} needs its solution: name it with --solution FILE")
    if options.base is not None and options.file != "-":
        raise ValueError(f"hands come from the file {options.file} or from the base {options.base}, not both")
    if options.worst < 0:
        raise ValueError(f"--worst must be at least 0, not {options.worst}")
    judge_for = find_judges(options)
    summary = Summary(options.worst)

    def answer(record: Record, seat: Seat | None) -> Json | None:
        hand = judge_hand(judge_for, record, seat)
        summary.add(hand)
        return hand.as_json() if console is None else None

    code = answer_source(options, answer)
    if console is not None:
        summary.print(console)
    return code


def find_judges(options: AnalyseOptions) -> JudgeFor:
    """What judges hands by some rules: the solution that is named, or the one that comes with the package."""
    if options.solution is None:
        return lambda game: shipped_judge(game.rules_name)
    judge = open_judge(options.solution, options.values)
    return lambda game: judge


@cache
def shipped_judge(rules: str) -> Judge:
    """Judge by the solution that comes with the package; name the option where there is none."""
    try:
        return open_judge(str(shipped_file(rules)))
    except ValueError as error:
        raise ValueError(f"{error}; name another one with --solution FILE") from None


def answer_source(options: AnalyseOptions, answer: Answer) -> int:
    """Answer each hand of a base, of an exported table, or of lines of JSON; return the exit code."""
    if options.base is not None:
        return answer_base(options.base, options.keep_going, answer)
    if options.file != "-" and (kind := format_of(Path(options.file))) in ("csv", "parquet"):
        hands = enumerate((hand for _, hand in read_hands(Path(options.file), kind)), 1)
        return answer_hands(options.file, hands, options.keep_going, answer)
    return for_each_record(options.file, options.keep_going, lambda record: answer(record, view_of(record)))


def answer_base(name: str, keep_going: bool, answer: Answer) -> int:
    """Answer each hand of a case base, as the seat saw it whose view it is."""
    with open_store() as store:
        library = library_of(store, show_progress)
        if (game := library.info(name).game) != Truco.name:
            raise ValueError(f"case base {name!r} has hands of {game}, not of {Truco.name}")
        return answer_hands(f"case base {name}", library.hands(name), keep_going, answer)


def answer_hands(where: str, hands: Iterable[tuple[int, Hand]], keep_going: bool, answer: Answer) -> int:
    """Answer each stored hand with a line of JSON; report each bad one."""
    code = 0
    for number, hand in hands:
        try:
            print_line(answer({"id": number, **hand.record}, hand.seat))
        except ValueError as error:
            print_error(f"{where}, hand {number}: {error}")
            code = 2
            if not keep_going:
                break
    return code


def print_line(result: Json | None) -> None:
    """Print a line of JSON, if there is any."""
    if result is not None:
        print(json.dumps(result), flush=True)


def view_of(record: Record) -> Seat | None:
    """Whose view a record is, if it says so, as exported hands do; nothing for a hand of both seats."""
    result = record.get("result")
    seat = result.get("seat") if isinstance(result, Mapping) else None
    if seat not in (None, 0, 1):
        raise BadRecord(f"result.seat must be 0 or 1, not {short_repr(seat)}")
    return seat


# A hand


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """A decision and its judgement; there is none without enough samples."""

    player: str
    seat: Seat
    action: str
    judgement: Judgement | None

    def as_json(self) -> Json:
        """The decision as plain data."""
        plain: Json = {"player": self.player, "seat": self.seat, "action": self.action}
        if self.judgement is None:
            return {**plain, "grade": None}
        numbers = {name: round(value, DIGITS) for name, value in numbers_of(self.judgement).items()}
        best = {"best": self.judgement.best, "best_for_match": self.judgement.best_for_match}
        return {**plain, **best, **numbers, "grade": self.judgement.grade}


def numbers_of(judgement: Judgement) -> dict[str, float]:
    """The numbers of a judgement by name."""
    return {
        "points": judgement.points,
        "best_points": judgement.best_points,
        "loss": judgement.loss,
        "chance": judgement.chance,
        "best_chance": judgement.best_chance,
        "chance_loss": judgement.chance_loss,
    }


@dataclass(frozen=True, slots=True)
class JudgedHand:
    """The decisions of a hand."""

    id: object
    turns: list[JudgedTurn]
    gap: str | None = None
    """Why a partial record could not be judged."""

    def as_json(self) -> Json:
        """The hand as plain data."""
        losses = dict.fromkeys(sorted({turn.seat for turn in self.turns}), 0.0)
        for turn in self.turns:
            losses[turn.seat] += turn.judgement.loss if turn.judgement else 0
        return {
            "id": self.id,
            "decisions": [turn.as_json() for turn in self.turns],
            "loss": {str(seat): round(loss, DIGITS) for seat, loss in losses.items()},
            "not_judged": sum(turn.judgement is None for turn in self.turns),
            **({"partial": self.gap} if self.gap else {}),
        }


def judge_hand(judge_for: JudgeFor, record: Record, seat: Seat | None) -> JudgedHand:
    """Judge every decision of a recorded hand."""
    if record.get("game") != Truco.name:
        raise BadRecord(f"game must be {Truco.name!r}, not {short_repr(record.get('game'))}")
    plain = {name: value for name, value in record.items() if name != "id"} if "partial" in record else record
    try:
        turns = recorded_turns(plain, seat)
    except PartlyKnown as gap:
        return JudgedHand(record.get("id"), [], str(gap))
    if not turns:
        return JudgedHand(record.get("id"), [])
    game = turns[0].seen.game
    judge = judge_for(game)
    judge.check_rules(game)
    return JudgedHand(record.get("id"), [judge_turn(judge, record, turn) for turn in turns])


def judge_turn(judge: Judge, record: Record, turn: RecordedTurn) -> JudgedTurn:
    """Judge a decision."""
    seat = turn.seen.seat
    return JudgedTurn(player_of(record, seat), seat, turn.action, judge.judge(turn.seen, turn.action))


def player_of(record: Record, seat: Seat) -> str:
    """Who sat in a seat, as far as the record says."""
    agents, source = record.get("agents"), record.get("source")
    if isinstance(agents, list) and len(agents) > seat:
        return str(agents[seat])
    return str(source) if source else f"seat {seat}"


# A summary


@dataclass(slots=True)
class PlayerSummary:
    """How a player decided."""

    hands: int = 0
    decisions: int = 0
    not_judged: int = 0
    loss: float = 0.0
    chance_loss: float = 0.0
    grades: Counter[str] = field(default_factory=Counter)

    def row(self, name: str) -> tuple[str, ...]:
        """A row of the table for people."""
        many = max(self.decisions, 1)
        shares = (f"{self.grades[grade] / many:.1%}" for grade in GRADE_NAMES)
        means = f"{self.loss / many:.3f}", f"{self.chance_loss / many:.2%}"
        return name, f"{self.hands:,}", f"{self.decisions:,}", *means, *shares


class Summary:
    """What a whole file or base comes to, player by player, and the worst decisions."""

    def __init__(self, worst: int) -> None:
        self.players: dict[str, PlayerSummary] = {}
        self.gaps: Counter[str] = Counter()
        self.most, self.worst = worst, list[tuple[float, int, object, JudgedTurn]]()
        self.hands = 0

    def add(self, hand: JudgedHand) -> None:
        """Count a hand."""
        self.hands += 1
        if hand.gap:
            self.gaps[hand.gap] += 1
        for name in {turn.player for turn in hand.turns}:
            self.players.setdefault(name, PlayerSummary()).hands += 1
        for turn in hand.turns:
            self._add_turn(hand, turn)

    def _add_turn(self, hand: JudgedHand, turn: JudgedTurn) -> None:
        player, judgement = self.players[turn.player], turn.judgement
        if judgement is None:
            player.not_judged += 1
            return
        player.decisions += 1
        player.loss += judgement.loss
        player.chance_loss += judgement.chance_loss
        player.grades[judgement.grade] += 1
        if judgement.chance_loss > 0:
            self.worst.append((judgement.chance_loss, -self.hands, hand.id, turn))
            self.worst = sorted(self.worst, key=lambda found: found[:2], reverse=True)[: self.most]

    def print(self, console: Console) -> None:
        """Print for people."""
        console.print(f"{self.hands:,} hands")
        console.print(self.table())
        console.print("points, chance: mean loss of a judged decision, in points and in match-winning chance")
        apart = ", ".join(f"{name} {player.not_judged:,}" for name, player in sorted(self.players.items()))
        console.print(f"not judged for lack of samples: {apart}")
        if self.gaps:
            reasons = ", ".join(f"{reason} {count:,}" for reason, count in self.gaps.most_common())
            console.print(f"left out, partial records: {reasons}")
        for _, number, name, turn in self.worst:
            console.print(worst_line(name if name is not None else -number, turn))

    def table(self) -> Table:
        """A row for every player, the smallest loss first."""
        table = plain_table("player", "hands", "judged", "points", "chance", *GRADE_NAMES)
        order = sorted(self.players.items(), key=lambda item: item[1].loss / max(item[1].decisions, 1))
        for name, player in order:
            table.add_row(*player.row(name))
        return table


def worst_line(name: object, turn: JudgedTurn) -> str:
    """A bad decision in a line."""
    judgement = turn.judgement
    assert judgement is not None
    grade = judgement.grade if judgement.grade != BLUNDER else BLUNDER.upper()
    return (
        f"{grade}, hand {name}: {turn.player} (seat {turn.seat}) did {turn.action} "
        f"({judgement.points:+.2f}, match {judgement.chance:.1%}); {judgement.best_for_match} has "
        f"{judgement.best_chance:.1%}: {judgement.loss:.2f} points and {judgement.chance_loss:.1%} lost"
    )
