"""The questions a turn asks, in order: flor, envido, truco, card.

In a free turn each is asked only if some call of its kind is legal, and the first answer that is
not `none` ends the asking. Facing a bet, what comes first is asked before the answer to the bet.
Live play and rows rebuilt from records both ask through `questions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import local
from typing import Final, NamedTuple, TypeAlias

from retruco.cards import Card, card
from retruco.cbr.case import Problem
from retruco.games.core import Action
from retruco.games.truco import TrucoObservation
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.games.truco.rules import ENVIDO_CALLS, FLOR_CALLS, TRUCO_CALLS
from retruco.vocab.truco.scenarios import LABELS
from retruco.vocab.truco.view import CODE, View

NONE: Final = "none"
REPLIES: Final[tuple[Action, ...]] = ("quero", "nao-quero", "baralho")


class Question(NamedTuple):
    """One question: what is seen, the answers there are, and what each of them does."""

    problem: Problem
    answers: Mapping[str, Action]
    """Every answer with the action it stands for; `none` stands for no action, but the next question."""
    adapted: Mapping[str, str]
    """Answers that cannot be given here, and what they become."""
    view: View

    @property
    def scenario(self) -> str:
        """The kind of question."""
        return self.problem.scenario

    @property
    def stage(self) -> str:
        """What it plays for: cards and truco share the truco stage."""
        return stage_of(self.scenario)


Ask: TypeAlias = Callable[[TrucoObservation], Iterator[Question]]
"""Asks the questions of a turn, in the words of a vocabulary."""


def stage_of(scenario: str) -> str:
    """Name the stage that a scenario plays for.

    >>> stage_of("card-1-lead"), stage_of("envido-first"), stage_of("flor")
    ('truco', 'envido', 'flor')
    """
    kind = scenario.partition("-")[0]
    return "truco" if kind == "card" else kind


class TurnQuestions:
    """The questions of one turn, each made when somebody first asks for it."""

    def __init__(self, seen: TrucoObservation) -> None:
        self.seen, self._made, self._rest = seen, list[Question](), make_questions(seen)

    def __iter__(self) -> Iterator[Question]:
        place = 0
        while place < len(self._made) or self._make_next():
            yield self._made[place]
            place += 1

    def _make_next(self) -> bool:
        question = next(self._rest, None)
        if question is not None:
            self._made.append(question)
        return question is not None


_latest = local()
"""The questions that a thread asked last: a learner asks them once to decide, and again to note what it answered."""


def questions(seen: TrucoObservation) -> Iterator[Question]:
    """Ask, one after the other, what this turn asks."""
    latest: TurnQuestions | None = getattr(_latest, "questions", None)
    if latest is None or latest.seen is not seen:
        latest = _latest.questions = TurnQuestions(seen)
    return iter(latest)


def make_questions(seen: TrucoObservation) -> Iterator[Question]:
    """Make the questions of a turn."""
    view = View(seen)
    flors = [call for call in seen.legal if call in FLOR_CALLS]
    if flors or seen.flor.pending:
        yield _flor(view, flors)
    if seen.flor.pending:
        return
    envidos = [call for call in seen.legal if call in ENVIDO_CALLS]
    if envidos or seen.envido.pending:
        yield _envido(view, envidos)
    if seen.envido.pending:
        return
    trucos = [call for call in seen.legal if call in TRUCO_CALLS]
    if trucos or seen.bet.call is not None:
        yield _truco(view, trucos)
    if seen.bet.call is None and seen.held:
        yield _card(view)


def key_parts(seen: TrucoObservation) -> Sequence[str]:
    """The parts of an observation that the questions of a turn depend on; points only where they are asked for."""
    asks_flor = seen.flor.pending or any(call in FLOR_CALLS for call in seen.legal)
    asks_envido = seen.envido.pending or any(call in ENVIDO_CALLS for call in seen.legal)
    points = ("points",) if asks_envido else ()
    return ("cards", "twins", *points, *(("flor",) if asks_flor else ()))


def turn(seen: TrucoObservation, answer: Callable[[Question], str], ask: Ask = questions) -> Action:
    """Ask what this turn asks until an answer is an action."""
    for question in ask(seen):
        chosen = answer(question)
        if chosen != NONE:
            return question.answers[chosen]
    raise AssertionError("a turn always ends in an action")


def _call_answers(view: View, calls: list[Action], facing: bool) -> dict[str, Action]:
    """The calls themselves, beside the replies to a bet or, if one need not call, `none`."""
    legal = view.seen.legal
    answers = {call: call for call in calls}
    if facing:
        return answers | {reply: reply for reply in REPLIES if reply in legal}
    return {NONE: "", **answers} if len(calls) < len(legal) else answers


def _flor(view: View, calls: list[Action]) -> Question:
    values = (view.flor_points, view.is_mao, *view.who("flor", "contraflor", "contraflor-resto"))
    return Question(Problem("flor", values), _call_answers(view, calls, view.seen.flor.pending), {}, view)


def _envido(view: View, calls: list[Action]) -> Question:
    seen = view.seen
    callers = view.who("envido", "envido_again", "real-envido", "falta-envido")
    values = (view.envido_points, view.is_mao, *callers, view.other[0])
    scenario = "envido-first" if seen.is_mao else "envido-second"
    return Question(Problem(scenario, values), _call_answers(view, calls, seen.envido.pending), {}, view)


def _truco(view: View, calls: list[Action]) -> Question:
    seen, number = view.seen, view.seen.rounds.number
    if number == 1:
        scenario = "truco-1-first" if seen.is_mao else "truco-1-second"
    else:
        scenario = f"truco-{number}-lead" if view.leads else f"truco-{number}-follow"
    values = (*_table(view, number), *view.who("truco", "retruco", "vale4"))
    return Question(
        Problem(scenario, values), _call_answers(view, calls, seen.bet.call is not None), {}, view
    )


def _table(view: View, number: int) -> tuple[int, ...]:
    """The hand and all cards of this and the earlier rounds, with the winners of the earlier ones."""
    own, other = view.own, view.other
    if number == 1:
        return (*view.hand, own[0], other[0])
    after_one = (*view.hand, own[0], other[0], view.winners[0], own[1], other[1])
    return after_one if number == 2 else (*after_one, view.winners[1], own[2], other[2])


def _card(view: View) -> Question:
    seen, number = view.seen, view.seen.rounds.number
    own, other = view.own, view.other
    values: tuple[int, ...] = view.hand
    if number > 1:
        values = (*values, own[0], other[0], view.winners[0])
    if number > 2:
        values = (*values, own[1], other[1], view.winners[1])
    follows = seen.rounds.facing is not None
    if follows:
        values = (*values, other[number - 1])
    scenario = f"card-{number}-follow" if follows else f"card-{number}-lead"
    labels = view.labels()
    return Question(Problem(scenario, values), card_answers(view, labels), _adapted_cards(view, labels), view)


def card_answers(view: View, labels: Mapping[Card, str]) -> dict[str, Action]:
    """Held cards by label, the lowest face down, and the deck, as far as they are legal.

    Of equal cards the one is played whose suit tells least of the envido.
    """
    seen = view.seen
    found: dict[str, Action] = {}
    for label in LABELS:
        cards = [card for card in seen.held if labels[card] == label]
        if cards:
            found[label] = (
                cards[0] if len(cards) == 1 else min(cards, key=lambda card: _gives_away(card, seen))
            )
    lowest = found[next(reversed(found))]
    if seen.rounds.winners:
        found["down"] = DOWN_PREFIX + lowest
    found["baralho"] = "baralho"
    return found


def _gives_away(card: Card, seen: TrucoObservation) -> int:
    """How much a card tells of the envido: how many of its suit were dealt."""
    return sum(other.suit == card.suit for other in seen.hand)


def _adapted_cards(view: View, labels: Mapping[Card, str]) -> dict[str, str]:
    """A card that is gone becomes the nearest one left by rank, the higher of two as near."""
    if len(labels) == 3 and len(set(labels.values())) == 3:
        return {}
    left = {label: STRENGTH[card] for card, label in labels.items()}
    power = {CODE[card]: STRENGTH[card] for card in view.seen.hand}
    ranks = {label: power[view.codes[place]] for place, label in enumerate(LABELS)}
    return {
        label: min(left, key=lambda near: (abs(left[near] - ranks[label]), -left[near]))
        for label in LABELS
        if label not in left
    }


def answer_of(question: Question, action: Action) -> str:
    """Name the answer that an action gives to a question; `none` if it answers a later one."""
    if not question.scenario.startswith("card"):
        return action if action in question.answers else NONE
    if action.startswith(DOWN_PREFIX):
        return "down"
    return action if action == "baralho" else question.view.labels()[card(action)]
