"""The question a turn asks at hold'em: which strategy to play in this stage, by what a seat saw as it first acted in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from retruco.cbr.case import Problem
from retruco.compiler import compiled_step
from retruco.games.core import Action
from retruco.games.holdem import Betting, HoldemObservation
from retruco.games.holdem.betting import REMEMBERED, after, opening
from retruco.games.holdem.compiled import ACTIONS, AT, Longs, bets_to_call, situation_of, situation_seen
from retruco.games.holdem.deck import Hole
from retruco.games.holdem.rules import BOARD, Rules
from retruco.streams import Stream
from retruco.vocab.holdem.reading import aggression
from retruco.vocab.holdem.scenarios import (
    BIGGEST_POT,
    MOST_BETS,
    POSTFLOP,
    PREFLOP,
    READ_POSTFLOP,
    READ_PREFLOP,
)
from retruco.vocab.holdem.strategies import NAMES, carry_out, stage_stream
from retruco.vocab.holdem.strength import Odds, chance_of, equity_of, odds, percent, potentials_of

KINDS: Final = ((PREFLOP, POSTFLOP), (READ_PREFLOP, READ_POSTFLOP))
"""The scenarios without the opponent model and with it, before the flop and after it."""
MOST_CODES: Final = len(READ_POSTFLOP.visible)
EACH: Final[Mapping[str, str]] = {name: name for name in NAMES}


class Question(NamedTuple):
    """What a seat looks at when it chooses its strategy for a stage: nothing that it cannot know."""

    problem: Problem
    situation: Longs
    stream: Callable[[str], Stream]
    """The chance of this stage, for somebody who asks."""

    @property
    def answers(self) -> Mapping[str, str]:
        """All strategies; the action that one comes to depends on whether the seat acts again."""
        return EACH

    @property
    def adapted(self) -> Mapping[str, str]:
        """Every strategy can be played."""
        return {}


class View(NamedTuple):
    """What a seat saw as it first acted in a stage."""

    hole: Hole
    board: tuple[str, ...]
    betting: Betting
    actions: tuple[Action, ...]
    """All that was done before it acted."""
    hand: int = 0
    """How many hands of the match came before."""
    read: int | None = None
    """How aggressive those still in had been, in per cent; where it is told, the question has the opponent model."""

    @property
    def question(self) -> Question:
        """Ask about it."""
        situation, codes = situation_of(self.hole, self.board, self.betting), np.zeros(MOST_CODES, np.uint8)
        kind = KINDS[self.read is not None][self.betting.stage > 0]
        write = write_codes_after if self.betting.stage else write_codes_before
        write(situation, odds(), self.read or 0, codes)
        problem = Problem(kind.name, tuple(codes[: len(kind.visible)].tolist()))
        return Question(problem, situation, self.stream)

    def stream(self, who: str) -> Stream:
        """The chance of this stage."""
        seats = self.betting.rules.seats
        return stage_stream(who, self.hole, self.board, self.actions, self.hand, seats)


@compiled_step
def write_codes_before(situation: Longs, odds: Odds, read: int, codes: Any) -> None:
    """Write down the codes of the features before the flop, in the order of the scenario."""
    codes[0], codes[1] = percent(equity_of(situation, odds)), percent(share_acted(situation))
    codes[2], codes[3] = situation[AT.opponents] - 1, min(bets_to_call(situation), MOST_BETS)
    codes[4] = read


@compiled_step
def write_codes_after(situation: Longs, odds: Odds, read: int, codes: Any) -> None:
    """Write down the codes of the features after the flop, in the order of the scenario."""
    positive, negative = potentials_of(situation, odds)
    codes[0], codes[1] = situation[AT.stage] - 1, percent(chance_of(situation, odds))
    codes[2], codes[3] = percent(share_acted(situation)), min(bets_to_call(situation), MOST_BETS)
    codes[4], codes[5] = percent(positive), percent(negative)
    codes[6] = min(situation[AT.pot] // situation[AT.small_bet], BIGGEST_POT)
    codes[7] = read


@compiled_step
def share_acted(situation: Longs) -> float:
    """How many of the opponents have answered the last bet."""
    return float(1 - situation[AT.yet_to_act] / situation[AT.opponents])


def view_of(seen: HoldemObservation, with_read: bool = False) -> tuple[View, bool]:
    """Give the view in which a seat first acted in this stage, and say whether it acts again now."""
    if seen.hole is None:
        raise ValueError(f"seat {seen.seat} cannot decide without seeing its cards")
    stage = seen.stage
    own = first_turn(seen.game.rules, seen.actions, seen.position, stage)
    number, betting = own or (len(seen.actions), seen.betting)
    board, read = seen.board[: BOARD[stage]], aggression(seen) if with_read else None
    return View(seen.hole, board, betting, seen.actions[:number], len(seen.history), read), own is not None


@lru_cache(maxsize=REMEMBERED)
def first_turn(
    rules: Rules, actions: tuple[Action, ...], position: int, stage: int
) -> tuple[int, Betting] | None:
    """Find the first action of a position in a stage: its number and the betting before it."""
    betting = opening(rules)
    for number, action in enumerate(actions):
        if betting.to_act == position and betting.stage == stage:
            return number, betting
        betting = after(betting, action)
    return None


def turn(seen: HoldemObservation, answer: Callable[[Question], str], with_read: bool = False) -> Action:
    """Ask for the strategy of this stage, the same each time the seat acts in it, and carry it out."""
    view, again = view_of(seen, with_read)
    strategy = NAMES.index(answer(view.question))
    return ACTIONS[carry_out(strategy, again, situation_seen(seen))]


def fallback(question: Question) -> str:
    """Play without experience: see the hand through as cheaply as it goes."""
    return "CALL-ANY"
