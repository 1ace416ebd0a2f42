"""A partial hand replayed turn by turn, as far as it can be, and its rows.

The calls of a hand are recorded without their order. By three conventions there is one order: a
call precedes the caller's card of that round, envido comes before truco, and a raise in the round
of the call it raises is the answer to it. The hand is played through the engine with stand-in
cards of the recorded strength, so that it asks the questions that live play asks; the replay stops
where something is unknown or cannot have happened, and what comes after makes no rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import permutations, product
from typing import Final, NamedTuple

from retruco.cards import SPANISH_DECK, Card
from retruco.cbr.case import Row
from retruco.games.core import Action, Seat
from retruco.games.truco import Truco, TrucoState, envido_points, has_flor, preset
from retruco.games.truco.deck import Hand
from retruco.games.truco.notation import read
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.games.truco.rules import ENVIDO_CALLS
from retruco.games.truco.situation import OWN_ENVIDO
from retruco.vocab.truco.partial import ENVIDO_AGAIN, Code, PartialHand
from retruco.vocab.truco.questions import Ask, Question, answers_in, questions
from retruco.vocab.truco.scenarios import (
    CALLER_CODES,
    CARD_CODES,
    CATEGORIES,
    DOWN,
    FACE_DOWN,
    LABELS,
    ME,
    NOBODY,
    OTHER,
    OWN_FOLD,
    SLOT_CODES,
    VOCABULARY,
)

OF_CODE: Final[Mapping[Code, tuple[Card, ...]]] = {
    code: tuple(card for card in SPANISH_DECK if CARD_CODES[card] == code)
    for code in sorted(set(CARD_CODES.values()))
}
"""The cards of each strength code."""

FAR_AWAY: Final = 1000
"""A target that no hand reaches: recorded hands were played out whatever the score."""

COMPLETE: Final = "complete"

UNCALLED: Final = "envido-uncalled"
"""The doubt of a hand whose envido was paid although nobody is recorded to have called it."""
SORTED: Final = "sorted-cards"
"""The doubt of a hand in which the other's cards are stored by strength, not as they were played."""


class ReplayStops(Exception):
    """The record does not say what happened next, or says what cannot have happened."""


class PartialReplay(NamedTuple):
    """The turns of a hand as far as they can be replayed: the state before each, and the action."""

    turns: tuple[tuple[TrucoState, Action], ...]
    end: str
    """`complete`, or why the replay stops."""
    final: TrucoState

    @property
    def actions(self) -> list[Action]:
        """All actions replayed."""
        return [action for _, action in self.turns]


# Stand-in cards.


@lru_cache(maxsize=20_000)
def stand_in(
    codes: tuple[Code, ...], suits: tuple[str | None, ...], points: int | None, flor: bool, taken: Hand | None
) -> Hand | None:
    """Find cards of these codes worth these points, in the recorded suits if that can be.

    >>> stand_in((24, 16, 4), ("o", "c", None), 29, False, None)
    ('3o', '2c', '7c')
    """
    choices = (
        sorted(OF_CODE[code], key=lambda card: card.suit != suit)
        for code, suit in zip(codes, suits, strict=True)
    )
    for a, b, c in product(*choices):
        hand = (a, b, c)
        if (
            len({*hand, *(taken or ())}) == (6 if taken else 3)
            and has_flor(hand) == flor
            and (points is None or envido_points(hand) == points)
        ):
            return hand
    return None


def _sings(hand: PartialHand, seat: Seat) -> bool:
    suits = hand.other_suits if seat else hand.suits
    return None not in suits and len(set(suits)) == 1


def stand_ins(hand: PartialHand) -> tuple[Hand, Hand] | None:
    """Deal both hands as recorded, unknown suits and cards filled in."""
    points = hand.points[0]
    flor = _sings(hand, 0)
    mine = stand_in(hand.hand, hand.suits, points, flor, None) or stand_in(
        hand.hand, hand.suits, None, flor, None
    )
    if mine is None:
        return None
    if hand.other_hand is not None:
        other = stand_in(hand.other_hand, hand.other_suits, None, hand.flor == 1 and _sings(hand, 1), mine)
        if other is not None:
            return mine, other
    return _guessed(mine, tuple(card for card in hand.cards[1] if isinstance(card, int)))


@lru_cache(maxsize=20_000)
def _guessed(mine: Hand, codes: tuple[Code, ...]) -> tuple[Hand, Hand] | None:
    """Give the other the cards seen of it, and any others."""
    rest = [code for code in OF_CODE if code < 24 and code not in codes]
    for more in permutations(rest, 3 - len(codes)):
        other = stand_in((*codes, *more), (None,) * 3, None, False, mine)
        if other is not None:
            return mine, other
    return None


# Turns.


def replay_partial(hand: PartialHand) -> PartialReplay | None:
    """Play the hand as recorded, until it ends or cannot be played further; `None` if not at all."""
    dealt = stand_ins(hand)
    if dealt is None:
        return None
    return _play(_Actions(hand), _endless(hand.rules).begin(dealt, (0, 0), hand.mao))


@lru_cache
def _endless(rules: str) -> Truco:
    """A game that no points end: even an accepted falta, by halves, is less than the far target."""
    return Truco(replace(preset(rules), falta="halves"), FAR_AWAY)


def _play(actions: _Actions, state: TrucoState) -> PartialReplay:
    turns: list[tuple[TrucoState, Action]] = []
    while state.outcome is None:
        try:
            action = actions.next(state)
        except ReplayStops as reason:
            return PartialReplay(tuple(turns), str(reason), state)
        if action not in state.legal:
            return PartialReplay(tuple(turns), f"{_kind(action)} not legal", state)
        turns.append((state, action))
        state = state.play(action)
    return PartialReplay(tuple(turns), COMPLETE, state)


def _kind(action: Action) -> str:
    return "a card face down" if action.startswith(DOWN_PREFIX) else action


class _Actions:
    """Gives what each seat did next, by what was recorded; raises `ReplayStops` where nothing says."""

    def __init__(self, hand: PartialHand) -> None:
        self.hand = hand
        self.chain = hand.envido_chain
        placed = all(number is not None for _, _, number in hand.truco)
        self.truco = hand.truco if placed else ()
        """Calls whose rounds are not known are left out; the cards can still be replayed."""
        self.hides = not placed

    def next(self, state: TrucoState) -> Action:
        seat = state.to_act
        assert seat is not None
        if state.flor.pending:
            raise ReplayStops("two flors")
        if state.envido.pending:
            return self._envido_answer(state, seat)
        if state.bet.call is not None:
            return self._truco_answer(state, seat)
        return self._free(state, seat)

    def _envido_answer(self, state: TrucoState, seat: Seat) -> Action:
        made = len(state.envido.calls)
        if made < len(self.chain):
            call, caller = self.chain[made]
            if caller != seat:
                raise ReplayStops("envido called twice by one seat")
            return _plain(call)
        declined = self.hand.declined.get("envido")
        if declined == 1 - seat:
            raise ReplayStops("envido declined by its caller")
        return "nao-quero" if declined == seat else "quero"

    def _opens(self, state: TrucoState, seat: Seat) -> Action | None:
        """The envido or flor that a seat opens now."""
        if state.rounds.has_played(seat):
            return None
        if self.hand.flor == seat and state.flor.untouched and not self.chain:
            return "flor"
        if self.chain and state.envido.untouched and self.chain[0][1] == seat:
            return _plain(self.chain[0][0])
        return None

    def _next_call(self, state: TrucoState, seat: Seat) -> Action | None:
        """The truco call that a seat makes now."""
        level = state.bet.stake + (state.bet.call is not None)
        if level > len(self.truco):
            return None
        call, caller, number = self.truco[level - 1]
        return call if caller == seat and number == state.rounds.number else None

    def _truco_answer(self, state: TrucoState, seat: Seat) -> Action:
        if state.bet.call == "truco" and (first := self._opens(state, seat)):
            return first
        higher = self._next_call(state, seat)
        if higher:
            return higher
        is_last = state.bet.stake == len(self.truco)
        declined = self.hand.declined.get("truco")
        if is_last and declined == 1 - seat:
            raise ReplayStops("truco declined by its caller")
        return "nao-quero" if is_last and declined == seat else "quero"

    def _free(self, state: TrucoState, seat: Seat) -> Action:
        number = state.rounds.number
        said = self._opens(state, seat) or self._next_call(state, seat)
        if said:
            return said
        if seat == 1 and self.hand.has(SORTED):
            raise ReplayStops("the other's cards are out of order")
        if self.hand.played(seat, number):
            return self._card(state, seat)
        if self._folds(seat, number):
            return "baralho"
        if self.hides:
            raise ReplayStops("truco called in an unknown round")
        raise ReplayStops(f"no card of seat {seat} in round {number}")

    def _folds(self, seat: Seat, number: int) -> bool:
        """Whether a seat went to the deck: in the round noted, or in its first turn after that."""
        if self.hand.fold is None or self.hand.fold[0] != seat:
            return False
        return self.hand.fold[1] is None or self.hand.fold[1] <= number

    def _card(self, state: TrucoState, seat: Seat) -> Action:
        wanted = self.hand.cards[seat][state.rounds.number - 1]
        held = state.rounds.held(seat, state.hands[seat])
        if wanted == DOWN:
            # Which card it was is not recorded: the lowest, as an agent would.
            return DOWN_PREFIX + min(held, key=CARD_CODES.__getitem__)
        found = next((card for card in held if CARD_CODES[card] == wanted), None)
        if found is None:
            raise ReplayStops(f"card {wanted} not in hand")
        return found


def _plain(call: str) -> Action:
    return "envido" if call == ENVIDO_AGAIN else call


# Rows.


def partial_rows(hand: PartialHand, episode: int, ask: Ask = questions) -> list[Row]:
    """Write down every question that the recorded player is known to have answered, with its credit."""
    return rows_and_gaps(hand, episode, ask)[0]


def rows_and_gaps(hand: PartialHand, episode: int, ask: Ask = questions) -> tuple[list[Row], Counter[str]]:
    """Make the rows of a partial hand, and count what had to be left out, by reason."""
    found: list[Row] = []
    left_out: Counter[str] = Counter()
    for number, (question, answer) in enumerate(partial_answers(hand, left_out, ask)):
        credit = hand.balance[question.stage]
        if credit is None:
            left_out[f"{question.stage} balance unknown"] += 1
            continue
        known = VOCABULARY[question.scenario].hindsight_codes(_hindsight(hand, question, answer))
        found.append(Row(question.problem, answer, credit, known, episode, number))
    return found, left_out


def partial_answers(
    hand: PartialHand, left_out: Counter[str] | None = None, ask: Ask = questions
) -> list[tuple[Question, str]]:
    """List the questions that seat 0 is known to have answered, and its answers."""
    left_out = Counter() if left_out is None else left_out
    played = replay_partial(hand)
    if played is None:
        left_out["impossible cards"] += 1
        return []
    if played.end != COMPLETE:
        left_out[f"stopped: {played.end.partition(' in round')[0]}"] += 1
    found = []
    own = [(state.observe(0), action) for state, action in played.turns if state.to_act == 0]
    for question, answer in answers_in(own, ask):
        why = _why_not(hand, question)
        if why:
            left_out[why] += 1
        else:
            found.append((question, answer))
    return found


def _why_not(hand: PartialHand, question: Question) -> str | None:
    """Why a question cannot be used, though its turn is replayed."""
    if question.stage == "envido" and question.situation[OWN_ENVIDO] != hand.points[0]:
        return "envido points unknown"
    if question.stage == "envido" and hand.has(UNCALLED):
        return "envido paid, but not called"
    if question.stage == "flor" and (hand.flor != 0 or hand.envido):
        return "flor sung or not: unknown"
    if question.scenario.startswith("truco") and any(number is None for _, _, number in hand.truco):
        return "truco called in an unknown round"
    return None


def _hindsight(hand: PartialHand, question: Question, answer: str) -> dict[str, int]:
    kind, *rest = question.scenario.split("-")
    categories = {
        f"{label} category": CATEGORIES[code] for label, code in zip(LABELS, hand.hand, strict=True)
    }
    if kind == "envido":
        callers = {"envido": "envido", "real": "real-envido", "falta": "falta-envido"}
        who = {f"who {name}": _who(hand.envido.get(call)) for name, call in callers.items()}
        return {**who, "points": int(question.situation[OWN_ENVIDO])}
    if kind == "truco":
        made = {call: seat for call, seat, _ in hand.truco}
        return {
            **{f"who {call}": _who(made.get(call)) for call in ("truco", "retruco", "vale4")},
            **categories,
        }
    if kind == "card":
        return {**categories, **_table(question, answer, int(rest[0]))}
    return {}


def _who(seat: Seat | None) -> int:
    return CALLER_CODES[NOBODY if seat is None else (ME, OTHER)[seat]]


def _table(question: Question, answer: str, number: int) -> dict[str, int]:
    """The own card of the round by its slot, and the other's by its category, if it lay there."""
    name = ("first", "second", "third")[number - 1]
    own = {DOWN: FACE_DOWN, "baralho": OWN_FOLD, **SLOT_CODES}[answer]
    facing = question.seen.rounds.facing
    if facing is None:
        return {f"own {name}": own}
    shown = FACE_DOWN if facing.down or facing.card is None else CATEGORIES[CARD_CODES[facing.card]]
    return {f"own {name}": own, f"other {name}": shown}


# The whole hand, where it is certain.


def whole_record(hand: PartialHand) -> dict[str, object] | None:
    """Write the hand in the notation, if the cards are certain and a replay gives what was recorded."""
    if hand.scores is None or hand.other_hand is None or None in (*hand.suits, *hand.other_suits):
        return None
    if any(_sings(hand, seat) and hand.flor != seat for seat in (0, 1)):
        return None  # whether that flor was sung is not known
    hands = _certain(hand.hand, hand.suits), _certain(hand.other_hand, hand.other_suits)
    played = replay_partial(hand)
    if played is None or played.end != COMPLETE or not _is_whole(hand, played):
        return None
    target = preset(hand.rules).target
    if max(hand.scores[0]) >= target or None in hands or len({*hands[0], *hands[1]}) < 6:  # type: ignore[misc]
        return None
    record: dict[str, object] = {
        "game": "truco",
        "rules": hand.rules,
        "target": target,
        "scores": list(hand.scores[0]),
        "mao": hand.mao,
        "hands": [list(map(str, one)) for one in hands if one],
        "actions": _in_suits(played, hands),
    }
    return record if _as_recorded(hand, record) else None


def _is_whole(hand: PartialHand, played: PartialReplay) -> bool:
    """Whether the replay has every recorded card, all of them open, and every call."""
    if DOWN in (*hand.cards[0], *hand.cards[1]):
        return False
    cards = sum(hand.played(seat, number) for seat in (0, 1) for number in (1, 2, 3))
    actions = played.actions
    envidos = sum(action in ENVIDO_CALLS for action in actions)
    trucos = all(call in actions for call, _, _ in hand.truco)
    return sum(action in CARD_CODES for action in actions) == cards and envidos == len(hand.envido) and trucos


def _certain(codes: tuple[Code, ...], suits: tuple[str | None, ...]) -> Hand | None:
    cards = [
        next((card for card in OF_CODE[code] if card.suit == suit), None)
        for code, suit in zip(codes, suits, strict=True)
    ]
    a, b, c = cards
    return None if a is None or b is None or c is None else (a, b, c)


def _in_suits(played: PartialReplay, hands: tuple[Hand | None, Hand | None]) -> list[str]:
    """The actions replayed, with the real cards in the place of their stand-ins."""
    left = [list(hand or ()) for hand in hands]
    actions = []
    for state, action in played.turns:
        if action in CARD_CODES and state.to_act is not None:
            held = left[state.to_act]
            card = next(one for one in held if CARD_CODES[one] == CARD_CODES[Card(action)])
            held.remove(card)
            actions.append(str(card))
        else:
            actions.append(action)
    return actions


def _as_recorded(hand: PartialHand, record: Mapping[str, object]) -> bool:
    try:
        end = read(record)
    except ValueError:
        return False
    if end.outcome is None:
        return False
    paid = {
        stage: pair[0] - pair[1] for stage, pair in zip(("envido", "flor", "truco"), end.points, strict=True)
    }
    winners = end.rounds.winners
    return (
        paid == dict(hand.balance)
        and winners == hand.winners[: len(winners)]
        and hand.scores is not None
        and tuple(end.scores) == tuple(hand.scores[1])
    )
