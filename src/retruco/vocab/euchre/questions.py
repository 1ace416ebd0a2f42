"""The questions a turn asks at Euchre: call or pass, alone or not, how to lead, how to follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.cbr.case import Problem
from retruco.cbr.queries import Queries
from retruco.compiler import compiled_loop, compiled_step
from retruco.games.core import Action
from retruco.games.euchre import EuchreObservation
from retruco.games.euchre import stepper as at
from retruco.games.euchre.deck import RANKS
from retruco.games.euchre.stepper import Row, Situation, count_of, first_of, next_seat, situation_of
from retruco.games.euchre.tricks import SEATS
from retruco.vocab.euchre.cards import (
    JACK,
    PUBLISHED,
    Floats,
    Hand,
    Trick,
    above,
    call_for,
    expected_tricks,
    hand_with,
    highest,
    look_at_trick,
    lowest,
    played,
    winners,
)
from retruco.vocab.euchre.chart import Chart, any_of, draw_chart, is_void, new_chart
from retruco.vocab.euchre.scenarios import ALONE, FIFTHS, QUARTERS, VOCABULARY
from retruco.vocab.question import Question

Codes: TypeAlias = NDArray[np.uint8]
ORDER, NAME, GO_ALONE, LEAD, SECOND, THIRD, LAST = range(len(VOCABULARY.scenarios))


def fallback(question: Question) -> str:
    """Answer without experience: keep the partner, else take what comes first."""
    return next(answer for answer in question.answers if answer != ALONE)


def turn(seen: EuchreObservation, answer: Callable[[Question], str]) -> Action:
    """Ask what this turn asks, one question after the other, and give the action."""
    situation, chart, so_far = situation_of(seen), new_chart(), np.full(2, at.NONE, np.int64)
    codes, does = np.zeros(VOCABULARY.most_features, np.uint8), np.zeros(VOCABULARY.most_actions, np.int64)
    while so_far[0] == at.NONE:
        scenario = VOCABULARY.scenarios[write_question(situation, so_far[1], chart, codes, does)]
        problem = Problem(scenario.name, tuple(codes[: len(scenario.visible)].tolist()))
        stands_for = dict(zip(scenario.actions, does.tolist(), strict=False))
        answers = {name: at.TEXTS[number] for name, number in stands_for.items() if number != at.NONE}
        carry_out(situation, so_far, stands_for[answer(Question(problem, answers))])
    return at.TEXTS[int(so_far[0])]


class Turns:
    """Turns of many seats, asked question by question; a question with a single answer is not asked."""

    def __init__(self, situations: Row) -> None:
        self.situations, self._chart = situations, new_chart()
        self._turns: Row = np.full((len(situations), 2), at.NONE, np.int64)
        self.waiting: Row = np.zeros(0, np.int64)
        """The turns that wait for an answer."""
        self._does: Row = np.zeros((0, VOCABULARY.most_actions), np.int64)
        self._scenario: Codes = np.zeros(0, np.uint8)

    @property
    def actions(self) -> Row:
        """What the seats do, once their turns are finished."""
        return self._turns[:, 0]

    def ask(self) -> Queries | None:
        """The next question of every turn that is not finished."""
        count, answers = len(self.situations), VOCABULARY.most_actions
        waiting, does = np.empty(count, np.int64), np.empty((count, answers), np.int64)
        scenario, codes = np.empty(count, np.uint8), np.empty((count, VOCABULARY.most_features), np.uint8)
        asked = ask_all(self.situations, self._turns, self._chart, waiting, scenario, codes, does)
        self.waiting, self._does, self._scenario = waiting[:asked], does[:asked], scenario[:asked]
        itself = np.broadcast_to(np.arange(answers, dtype=np.uint8), (asked, answers))
        return Queries(self._scenario, codes[:asked], self._does != at.NONE, itself) if asked else None

    def revise(self, rules: Row, answers: Row, counts: NDArray[Any]) -> None:
        """Answer without experience where there is no answer: keep the partner, else take what comes first."""
        counts[self.waiting, 0] += 1
        counts[self.waiting, 1] += answers < 0
        may = self._does != at.NONE
        may[self._scenario == GO_ALONE, 0] = False
        np.copyto(answers, may.argmax(axis=1), where=answers < 0)

    def carry_out(self, answers: Row) -> None:
        """Turn answers into actions; who calls may be asked next whether to go alone."""
        chosen = self._does[np.arange(len(answers)), answers]
        carry_out_all(self.situations, self._turns, self.waiting, chosen)


@compiled_loop
def ask_all(
    situations: Row, turns: Row, chart: Chart, waiting: Row, scenario: Codes, codes: Codes, does: Row
) -> int:
    """Write down the next question of every turn, and finish those that ask nothing more; give how many questions there are.

    By turn, `turns` has the action, and before it the call of who is asked whether to go alone.
    """
    asked = 0
    for turn in range(len(situations)):
        seen, so_far = situations[turn], turns[turn]
        if seen[at.STAGE] == at.DISCARDING:  # by card values, as everybody does
            so_far[0] = at.FIRST_DISCARD + lowest(PUBLISHED[seen[at.TRUMP], at.NO_SUIT], seen[at.LEGAL])
        while so_far[0] == at.NONE:
            scenario[asked] = write_question(seen, so_far[1], chart, codes[asked], does[asked])
            waiting[asked] = turn
            answers, only = 0, at.NONE
            for action in does[asked]:
                answers += action != at.NONE
                only = max(only, action)
            if answers > 1:
                asked += 1
                break
            carry_out(seen, so_far, only)
    return asked


@compiled_loop
def carry_out_all(situations: Row, turns: Row, waiting: Row, chosen: Row) -> None:
    """Carry answers out."""
    for place in range(len(waiting)):
        carry_out(situations[waiting[place]], turns[waiting[place]], chosen[place])


@compiled_step
def carry_out(seen: Situation, so_far: Row, chosen: int) -> None:
    """Carry an answer out, given as an action: it finishes the turn, or is a call that asks whether to go alone."""
    is_call = so_far[1] == at.NONE and seen[at.STAGE] == at.BIDDING and chosen != at.SAY_PASS
    so_far[1 if is_call and seen[at.LEGAL] >> chosen + at.BY_ITSELF & 1 else 0] = chosen


@compiled_step
def write_question(seen: Situation, call: int, chart: Chart, codes: Codes, does: Row) -> int:
    """Write down a question as codes and the action of each answer; give its scenario."""
    for place in range(len(codes)):
        codes[place] = 0
    for place in range(len(does)):
        does[place] = at.NONE
    if call != at.NONE:  # whether to leave the partner out
        trump = seen[at.UPCARD] // len(RANKS) if call == at.SAY_ORDER else call - at.SAY_SUIT
        does[0], does[1] = call + at.BY_ITSELF, call
        fill_strength(hand_with(seen, trump), trump, codes)
        return GO_ALONE
    if seen[at.STAGE] == at.BIDDING:
        return ask_bid(seen, codes, does)
    if seen[at.STAGE] == at.ASKED_ALONE:
        does[0], does[1] = at.SAY_ALONE, at.SAY_TOGETHER
        fill_strength(Hand(seen[at.HELD], at.NONE), seen[at.TRUMP], codes)
        return GO_ALONE
    draw_chart(seen, chart)
    return ask_card(look_at_trick(seen, PUBLISHED), chart.chances, codes, does)


# Before the first card


@compiled_step
def ask_bid(seen: Situation, codes: Codes, does: Row) -> int:
    """Whether to make the suit that promises the most tricks trumps."""
    best, most = at.NONE, 0.0
    for suit in range(at.SUIT_COUNT):
        if call_for(seen, suit) != at.NONE:
            tricks = expected_tricks(hand_with(seen, suit), suit)
            if best == at.NONE or tricks > most:
                best, most = suit, tricks
    is_first = seen[at.SAID] < SEATS
    does[0] = call_for(seen, best)
    if seen[at.LEGAL] >> at.SAY_PASS & 1:
        does[1] = at.SAY_PASS
    fill_strength(hand_with(seen, best), best, codes)
    if is_first:
        codes[2] = codes[1]
        is_own, is_jack = (seen[at.DEALER] - seen[at.SEAT]) % 2 == 0, seen[at.UPCARD] % len(RANKS) == JACK
        codes[1] = (0 if is_jack else 1) if is_own else (3 if is_jack else 2)
    codes[3 if is_first else 2] = (seen[at.SEAT] - seen[at.DEALER] - 1) % SEATS
    return ORDER if is_first else NAME


@compiled_step
def fill_strength(hand: Hand, trump: int, codes: Codes) -> None:
    """The tricks that a hand may take, in quarters, and its trumps."""
    codes[0] = min(QUARTERS, int(np.rint(4 * expected_tricks(hand, trump))))
    codes[1] = count_of(hand.cards & at.SUIT_CARDS[trump, trump])


# The cards


@compiled_step
def ask_card(trick: Trick, chances: Floats, codes: Codes, does: Row) -> int:
    """How to play to this trick."""
    seen, trumps = trick.seen, at.SUIT_CARDS[trick.trump, trick.trump]
    us = seen[at.TAKEN + seen[at.SEAT]] + seen[at.TAKEN + (seen[at.SEAT] + 2) % SEATS]
    away = (seen[at.MAKER] - seen[at.SEAT]) % SEATS
    codes[0], codes[1] = us, seen[at.FINISHED] - us
    codes[2] = 0 if away == 0 else 1 if away == 2 else 2
    codes[3] = count_of(seen[at.HELD] & trumps)
    if trick.led == at.NO_SUIT:
        return ask_lead(trick, chances, codes, does)
    return ask_follow(trick, chances, codes, does)


@compiled_step
def is_boss(trick: Trick, card: int) -> bool:
    """Whether no card of the same suit that others may still hold stands above."""
    suit, gone = at.SUIT[trick.trump, card], played(trick.seen) | trick.seen[at.HELD]
    return not at.SUIT_CARDS[trick.trump, suit] & at.BEATS[trick.trump, suit, card] & ~gone


@compiled_step
def last_highest(trick: Trick, cards: int) -> int:
    """The card of the highest value among some, the last of those that are equal."""
    found = at.NONE
    while cards:
        card = first_of(cards)
        cards &= cards - 1
        if found == at.NONE or trick.values[card] >= trick.values[found]:
            found = card
    return found


@compiled_step
def ask_lead(trick: Trick, chances: Floats, codes: Codes, does: Row) -> int:
    """How to lead."""
    all_trumps = at.SUIT_CARDS[trick.trump, trick.trump]
    trumps, side, bosses = trick.legal & all_trumps, trick.legal & ~all_trumps, 0
    left = side
    while left:
        if is_boss(trick, first_of(left)):
            bosses |= left & -left
        left &= left - 1
    into_void = side & void_suits(trick, chances)
    codes[4] = trumps != 0 and is_boss(trick, highest(trick.values, trumps))
    codes[5] = count_of(all_trumps & ~(played(trick.seen) | trick.seen[at.HELD]))
    codes[6] = min(3, count_of(bosses))
    codes[7] = into_void != 0
    offer(does, 0, highest(trick.values, trumps))
    offer(does, 1, lowest(trick.values, trumps))
    offer(does, 2, last_highest(trick, bosses))
    offer(does, 3, lowest(trick.values, into_void))
    offer(does, 4, last_highest(trick, side))
    offer(does, 5, lowest(trick.values, side))
    return LEAD


@compiled_step
def void_suits(trick: Trick, chances: Floats) -> int:
    """The cards of plain suits that the partner is out of, if it may have a trump."""
    partner, suits = (trick.seen[at.SEAT] + 2) % SEATS, at.SUIT_CARDS[trick.trump]
    cards = 0
    if not is_void(chances, partner, suits[trick.trump]):
        for suit in range(at.SUIT_COUNT):
            if suit != trick.trump and is_void(chances, partner, suits[suit]):
                cards |= suits[suit]
    return cards


@compiled_step
def offer(does: Row, answer: int, card: int) -> None:
    """Let an answer stand for a card, unless one before comes to the same card."""
    for earlier in range(answer):
        if does[earlier] == card:
            return
    does[answer] = card


@compiled_step
def ask_follow(trick: Trick, chances: Floats, codes: Codes, does: Row) -> int:
    """How to follow."""
    seen, cards = trick.seen, winners(trick)
    top = highest(trick.values, cards)
    follows = trick.legal & at.SUIT_CARDS[trick.trump, trick.led]
    codes[4] = not trick.partner_wins
    codes[5] = trick.led != trick.trump
    codes[6] = 0 if not cards else 1 if follows else 2
    codes[7] = cards != 0 and is_boss(trick, top)
    offer(does, 0, lowest(trick.values, cards))
    offer(does, 1, top)
    offer(does, 2, lowest(trick.values, trick.legal))
    if trick.is_last:
        return LAST
    partner, seat = (seen[at.SEAT] + 2) % SEATS, next_seat(seen, seen[at.SEAT])
    while seat != seen[at.LEADER]:
        if seat == partner:
            codes[9] = fifths(trick, chances, seat, trick.best)
        else:
            codes[8] = max(codes[8], fifths(trick, chances, seat, top if cards else trick.best))
        seat = next_seat(seen, seat)
    return THIRD if seen[at.PLACED] == 2 else SECOND


@compiled_step
def fifths(trick: Trick, chances: Floats, seat: int, card: int) -> int:
    """How likely a seat can beat a card, in fifths: by following, or with a trump if it has shown out."""
    has_none = is_void(chances, seat, at.SUIT_CARDS[trick.trump, trick.led])
    suit = trick.trump if has_none else trick.led
    return int(np.rint(FIFTHS * any_of(chances, seat, above(trick, suit, card))))
