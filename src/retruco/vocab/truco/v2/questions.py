"""The one question of a turn in vocabulary 2: what is seen, and what can be done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from retruco.cards import SPANISH_DECK, Card
from retruco.cbr.case import Problem
from retruco.games.core import Action
from retruco.games.truco import TrucoObservation
from retruco.games.truco.deck import STRENGTH, envido_points, flor_points
from retruco.games.truco.rounds import DOWN_PREFIX, TIE, Play
from retruco.games.truco.rules import ENVIDO_CALLS, FLOR_CALLS, TRUCO_CALLS
from retruco.games.truco.situation import situation_of
from retruco.vocab.truco.asking import WHOLE_TURN
from retruco.vocab.truco.questions import Question
from retruco.vocab.truco.v2.scenarios import (
    ENVIDO_CHAINS,
    FAR,
    FLOR_CHAINS,
    LABELS,
    LACKS,
    POINTS_STATES,
    STRONGEST,
    TRUCO_STATES,
    WINNERS,
)

ABSENT_CODE, DOWN_CODE = STRONGEST, STRONGEST + 1
"""Codes of a card that is not there, and of one face down; a card itself is its strength less 1."""
NO_FLOR: Final = 19
UNKNOWN_POINTS: Final = 34
HELD_LABELS: Final = {3: LABELS, 2: ("high", "low"), 1: ("high",)}
OPENING_CALLS: Final = frozenset(ENVIDO_CALLS) | frozenset(FLOR_CALLS)
TRUCO_CODE: Final = {state: code for code, state in enumerate(TRUCO_STATES)}
POINTS_CODE: Final = {state: code for code, state in enumerate(POINTS_STATES)}
WINNER_CODE: Final = {label: code for code, label in enumerate(WINNERS)}
NOTHING_TO_BEAT: Final = WINNER_CODE["nothing"]
CHAIN_CODE: Final = {chain: code for code, chain in enumerate(ENVIDO_CHAINS)}


def questions(seen: TrucoObservation) -> Iterator[Question]:
    """Ask what this turn asks: one question."""
    yield ask_turn(seen)


def turn(seen: TrucoObservation, answer: Callable[[Question], str]) -> Action:
    """Ask what to do now, and give the action of the answer."""
    question = ask_turn(seen)
    return question.answers[answer(question)]


def ask_turn(seen: TrucoObservation) -> Question:
    """The question of a turn."""
    answers, adapted = list_answers(seen)
    return Question(describe_turn(seen), answers, adapted, seen, situation_of(seen), WHOLE_TURN)


def answer_of(question: Question, action: Action) -> str:
    """Name the answer that an action gives; equal cards are one answer."""
    for answer, stands_for in question.answers.items():
        if stands_for == action:
            return answer
    if action.startswith(DOWN_PREFIX):
        return "down"
    held = {STRENGTH[card]: label for label, card in question.answers.items() if label in LABELS}
    return held[STRENGTH[action]]


# Answers


def list_answers(seen: TrucoObservation) -> tuple[dict[str, Action], dict[str, str]]:
    """The answers with their actions, and labels of cards that stand for an equal card.

    Of equal cards the one is played whose suit tells least of the envido.
    """
    if not any(action in seen.held for action in seen.legal):
        return {action: action for action in seen.legal}, {}
    answers, adapted = label_cards(seen)
    lowest = next(reversed(answers.values()))
    for action in seen.legal:
        if action == DOWN_PREFIX + lowest:
            answers["down"] = action
        elif action not in STRENGTH and not action.startswith(DOWN_PREFIX):
            answers[action] = action
    return answers, adapted


def label_cards(seen: TrucoObservation) -> tuple[dict[str, Action], dict[str, str]]:
    """The cards in hand by label, highest first; where two are equal, the second label stands for the first."""
    cards = sorted(seen.held, key=lambda card: (-STRENGTH[card], _suit_count(card, seen)))
    answers: dict[str, Action] = {}
    adapted: dict[str, str] = {}
    labels = HELD_LABELS[len(cards)]
    for place, (label, card) in enumerate(zip(labels, cards, strict=True)):
        if place and STRENGTH[card] == STRENGTH[cards[place - 1]]:
            adapted[label] = adapted.get(labels[place - 1], labels[place - 1])
        else:
            answers[label] = card
    if len(cards) < len(LABELS):
        adapted["medium"] = "high"
    if len(cards) == 1:
        adapted["low"] = "high"
    return answers, adapted


def _suit_count(card: Card, seen: TrucoObservation) -> int:
    return sum(other.suit == card.suit for other in seen.hand)


# What is seen


def describe_turn(seen: TrucoObservation) -> Problem:
    """The scenario of a turn and the codes of its features."""
    if seen.flor.pending:
        return Problem("answer-flor", describe_flor(seen))
    if seen.envido.pending:
        return Problem("answer-envido", describe_envido(seen))
    answers_truco, position = seen.bet.call is not None, "lead" if seen.rounds.facing is None else "follow"
    if not OPENING_CALLS.isdisjoint(seen.legal):
        if answers_truco:
            return Problem("answer-truco-open", (*describe_opening(seen), int(seen.is_mao)))
        return Problem(f"open-{position}", describe_opening(seen))
    number = seen.rounds.number
    scenario = f"answer-truco-{number}" if answers_truco else f"round-{number}-{position}"
    return Problem(scenario, describe_round(seen))


def describe_flor(seen: TrucoObservation) -> tuple[int, ...]:
    """The features of the answer to a flor."""
    chain = FLOR_CHAINS.index(seen.flor.calls[-1])
    cards = (*held_codes(seen), table_code(seen))
    return (flor_code(seen), int(seen.is_mao), chain, *cards, *lack_codes(seen))


def describe_envido(seen: TrucoObservation) -> tuple[int, ...]:
    """The features of the answer to an envido."""
    chain = CHAIN_CODE.get("".join(call[0] for call in seen.envido.calls), len(ENVIDO_CHAINS) - 1)
    cards = (*held_codes(seen), table_code(seen))
    return (envido_code(seen), int(seen.is_mao), chain, *cards, truco_code(seen), *lack_codes(seen))


def describe_opening(seen: TrucoObservation) -> tuple[int, ...]:
    """The features of a turn in which envido or flor can be called."""
    points = (envido_code(seen), flor_code(seen))
    return (*held_codes(seen), *points, *answer_codes(seen), truco_code(seen), *lack_codes(seen))


def describe_round(seen: TrucoObservation) -> tuple[int, ...]:
    """The features of a turn when envido and flor are over."""
    high, _, low = held = held_codes(seen)
    cards = {1: held, 2: (high, low), 3: (high,)}[seen.rounds.number]
    after = (truco_code(seen), *points_codes(seen), *lack_codes(seen))
    table = (int(seen.is_mao), *answer_codes(seen))
    if seen.rounds.number == 1:
        return (*cards, *table, *after)
    winners, bests = past_codes(seen)
    return (*cards, beaters(seen), *table, *winners, *bests, *after)


def held_codes(seen: TrucoObservation) -> tuple[int, int, int]:
    """The strengths of the cards in hand, highest first; of two the second is `low`."""
    codes = sorted([STRENGTH[card] - 1 for card in seen.held], reverse=True)
    if len(codes) == 3:
        return codes[0], codes[1], codes[2]
    if len(codes) == 2:
        return codes[0], ABSENT_CODE, codes[1]
    return (codes[0] if codes else ABSENT_CODE), ABSENT_CODE, ABSENT_CODE


def play_code(play: Play | None) -> int:
    """The code of a card on the table."""
    if play is None:
        return ABSENT_CODE
    return DOWN_CODE if play.down or play.card is None else STRENGTH[play.card] - 1


def table_code(seen: TrucoObservation) -> int:
    """The card of the other seat in this round."""
    facing = seen.rounds.facing
    return play_code(facing if facing is not None and facing.seat != seen.seat else None)


def answer_codes(seen: TrucoObservation) -> tuple[int, int, int]:
    """The card to be answered, the lowest card in hand that beats it, and whether one is as strong."""
    table = table_code(seen)
    if table == ABSENT_CODE:
        return table, NOTHING_TO_BEAT, 0
    power = 0 if table == DOWN_CODE else table + 1
    strengths = sorted([STRENGTH[card] for card in seen.held], reverse=True)
    stronger = sum(strength > power for strength in strengths)
    label = HELD_LABELS[len(strengths)][stronger - 1] if stronger else "none"
    return table, WINNER_CODE[label], int(power in strengths)


def past_codes(seen: TrucoObservation) -> tuple[list[int], list[int]]:
    """Who won each past round, and the strongest card of each."""
    rounds = seen.rounds
    winners = [0 if winner == TIE else 1 if winner == seen.seat else 2 for winner in rounds.winners]
    pairs = zip(rounds.plays[0::2], rounds.plays[1::2], strict=False)
    bests = [play_code(max(pair, key=lambda play: play.power)) for pair in pairs]
    return winners, bests[: len(winners)]


def beaters(seen: TrucoObservation) -> int:
    """How many cards that were not seen yet beat the best one in hand."""
    if not seen.held:
        return 15
    best = max(STRENGTH[card] for card in seen.held)
    known = {*seen.hand, *(play.card for play in seen.rounds.plays if play.card is not None)}
    return min(15, sum(STRENGTH[card] > best for card in SPANISH_DECK if card not in known))


def envido_code(seen: TrucoObservation) -> int:
    """Own envido points."""
    return envido_points(seen.hand)


def flor_code(seen: TrucoObservation) -> int:
    """Own flor points; a value of its own without a flor."""
    points = flor_points(seen.hand)
    return points - 20 if points else NO_FLOR


def truco_code(seen: TrucoObservation) -> int:
    """The last call of the truco that stands, and who made it."""
    bet = seen.bet
    if bet.call is not None:
        call, is_own = bet.call, bet.caller == seen.seat
    elif bet.stake == 1:
        return 0
    else:
        call, is_own = TRUCO_CALLS[bet.stake - 2], bet.raiser != seen.seat
    return TRUCO_CODE[f"{call} {'me' if is_own else 'other'}"]


def points_codes(seen: TrucoObservation) -> tuple[int, int]:
    """How envido ended, and the points that the other seat has shown."""
    if seen.flor.calls:
        return POINTS_CODE["flor"], UNKNOWN_POINTS
    if not seen.envido.calls:
        return POINTS_CODE["none"], UNKNOWN_POINTS
    points = seen.announced("envido")[seen.other]
    shown = UNKNOWN_POINTS if points is None else points
    who = "me" if seen.points[0][seen.seat] > seen.points[0][seen.other] else "other"
    if seen.announced("envido") != (None, None):
        return POINTS_CODE[f"won by {who}"], shown
    return POINTS_CODE[f"declined by {'other' if who == 'me' else 'me'}"], shown


def lack_codes(seen: TrucoObservation) -> tuple[int, int]:
    """The classes of what both sides lack to the target."""
    target = seen.game.target
    return lack_code(target - seen.scores[seen.seat]), lack_code(target - seen.scores[seen.other])


def lack_code(lack: int) -> int:
    """The class of what a side lacks, from 0.

    >>> [lack_code(lack) for lack in (1, 2, 3, 8, 9, 24)]
    [0, 1, 2, 3, 4, 4]
    """
    return next((place for place, most in enumerate(LACKS) if lack <= most), FAR - 1)
