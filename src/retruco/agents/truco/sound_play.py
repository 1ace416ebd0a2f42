"""Sound play: safeguards that replace an answer which no player of any strength would give.

A safeguard looks at the observation and at the action that an answer stands for, whatever the question is
called, so it serves every vocabulary whose questions have a `View`. Cases decide what is good; safeguards
only stop what cannot be right:

| name | what it stops |
|---|---|
| `contrary-cards` | accepting a bet that own points or cards are far from winning, or declining one that they are close to winning |
| `falta-odds` | accepting a falta (or a resto) below its break-even chance |
| `folded-turn` | going to the deck in one's own turn: playing a card and declining later costs no more |
| `losing-card` | a card with which the hand cannot be won any more, while another card still can |
| `kept-winner` | a card with which the hand can still be lost, while another card wins it for certain |
| `nothing-to-lose` | declining or folding where that loses the match: accepting cannot cost more |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final, NamedTuple, TypeAlias

from retruco.agents.case_based import Safeguard
from retruco.agents.truco.chances import IN_DECK, ME, OTHER, Strengths, Winners
from retruco.agents.truco.sense import Situation
from retruco.cbr.revise import Replacement
from retruco.games.core import Action
from retruco.games.truco.deck import STRENGTH, strength
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.rounds import DOWN_PREFIX, TIE, decided
from retruco.vocab.truco import Question

DECLINING: Final = ("nao-quero", "baralho", "achico")
GOING_FOR_ALL: Final = ("falta-envido", "contraflor-resto")
FAR: Final = 0.1
"""How far the chance to win a bet lies from its price before cases that say the opposite are not believed."""
RESPECT: Final = 0.18
"""Who calls truco has something: so much less is the chance to win the hand than against any cards."""

CARD_PARTS: Final = ("cards",)
"""What the fate of a hand depends on; see `games.truco.compiled.situation.PARTS`."""


# Answers to bets


class Stake(NamedTuple):
    """A bet that waits for an answer: the chance to win it, and the chance at which accepting breaks even."""

    chance: float
    price: float

    @property
    def values(self) -> dict[str, float]:
        """The two numbers, for the reason."""
        return {"chance": float(self.chance), "price": float(self.price)}


def waits_for_answer(seen: TrucoObservation) -> bool:
    """Whether a bet waits for this seat's `quero`."""
    return "quero" in seen.legal


def find_stake(seen: TrucoObservation) -> Stake:
    """The chance and the price of the bet that waits for an answer."""
    situation = Situation(seen)
    if seen.flor.pending:
        return Stake(situation.answered_flor_odds, situation.flor_price)
    if seen.envido.pending:
        return Stake(situation.points_odds, situation.points_price)
    return Stake(max(0.0, situation.hand_odds - RESPECT), situation.truco_price)


def stake_parts(seen: TrucoObservation) -> Sequence[str]:
    """The parts of an observation that the chance and the price of the bet depend on."""
    if seen.flor.pending:
        return "flor", "scores"
    return ("points", "shown", "scores") if seen.envido.pending else ("cards", "scores")


def find_answer(question: Question, actions: Iterable[Action]) -> str | None:
    """The answer that stands for the first of these actions that can be given here."""
    by_action = {action: answer for answer, action in question.answers.items()}
    return next((by_action[action] for action in actions if action in by_action), None)


def replace_by(question: Question, *actions: Action, **values: str | float) -> Replacement | None:
    """Prefer the first of these actions that can be given, if any can."""
    answer = find_answer(question, actions)
    return None if answer is None else Replacement(answer, values)


@dataclass(frozen=True, slots=True)
class ContraryCards:
    """Cases do not outvote own points and cards that say the opposite by far."""

    name: ClassVar[str] = "contrary-cards"

    def key_parts(self, seen: TrucoObservation) -> Sequence[str]:
        """What it looks at."""
        return stake_parts(seen) if waits_for_answer(seen) else ()

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Accept well above the price of a bet, decline well below it."""
        seen, action = question.seen, question.answers[proposed]
        if not waits_for_answer(seen) or action not in ("quero", *DECLINING):
            return None
        stake = find_stake(seen)
        if action == "quero":
            return self.reject(question, "nao-quero", stake, stake.chance < stake.price - FAR)
        return self.reject(question, "quero", stake, stake.chance > stake.price + FAR)

    def reject(self, question: Question, better: Action, stake: Stake, far: bool) -> Replacement | None:
        """Replace an answer if the chance is far on the other side of the price."""
        return replace_by(question, better, **stake.values) if far else None


@dataclass(frozen=True, slots=True)
class FaltaOdds:
    """A falta, or a resto, is not accepted below its break-even chance."""

    name: ClassVar[str] = "falta-odds"

    def key_parts(self, seen: TrucoObservation) -> Sequence[str]:
        """What it looks at."""
        return stake_parts(seen) if waits_for_answer(seen) and faces_all(seen) else ()

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Decline, unless the chance is worth the price; where declining loses the match it has none."""
        seen = question.seen
        if question.answers[proposed] != "quero" or not faces_all(seen):
            return None
        stake = find_stake(seen)
        return replace_by(question, "nao-quero", **stake.values) if stake.chance < stake.price else None


def faces_all(seen: TrucoObservation) -> bool:
    """Whether the bet that waits is a falta or a resto."""
    calls = seen.flor.calls if seen.flor.pending else seen.envido.calls if seen.envido.pending else ()
    return calls[-1:] in {(call,) for call in GOING_FOR_ALL}


@dataclass(frozen=True, slots=True)
class NothingToLose:
    """Declining or folding that loses the match can cost no less than anything else."""

    name: ClassVar[str] = "nothing-to-lose"

    def key_parts(self, seen: TrucoObservation) -> Sequence[str]:
        """What it looks at."""
        return ("scores",)

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Accept, answer a flor with a flor, or play on."""
        seen = question.seen
        if question.answers[proposed] not in DECLINING or not Situation(seen).declining_loses_match:
            return None
        return replace_by(question, "quero", "flor", *seen.held)


# Cards


def is_card(action: Action) -> bool:
    """Whether an action plays a card, openly or face down."""
    return action.removeprefix(DOWN_PREFIX) in STRENGTH


def power_of(action: Action) -> int:
    """The strength that a played card has in its round: face down it loses to anything."""
    return 0 if action.startswith(DOWN_PREFIX) else strength(action)


Lying: TypeAlias = tuple[int, int] | None
"""Who has played to a round, and how strong a card, while the other has not."""


class Outlook:
    """What can still become of a hand after a card, over everything that the other may hold."""

    def __init__(self, seen: TrucoObservation) -> None:
        self.situation = situation = Situation(seen)
        self.mao = seen.mao ^ seen.seat
        left = len(seen.held) - (situation.faced is not None)
        out = unseen(situation.seen)
        self.weakest, self.strongest = out[:left], out[len(out) - left :]

    def can_win(self, action: Action) -> bool:
        """Whether the hand can still be won after a card: the other holds the weakest cards and lets it happen."""
        return self._wins(action, self.weakest, any)

    def must_win(self, action: Action) -> bool:
        """Whether the hand is won after a card whatever the other holds: it holds the strongest and plays its best."""
        return self._wins(action, self.strongest, all)

    def _wins(self, action: Action, theirs: Strengths, other_picks: Picks) -> bool:
        held = list(self.situation.strengths)
        held.remove(strength(action.removeprefix(DOWN_PREFIX)))
        faced, power, winners = self.situation.faced, power_of(action), self.situation.winners
        lying: Lying = (ME, power) if faced is None else None
        if faced is not None:
            winners = (*winners, round_winner(power, faced))
        return wins_hand(winners, self.mao, lying, tuple(held), theirs, other_picks)


Picks: TypeAlias = Callable[[Iterable[bool]], bool]
"""How the other chooses among its cards: `any` lets this seat win if it can, `all` only if it must."""


@lru_cache(maxsize=4096)
def unseen(seen: Strengths) -> Strengths:
    """The strengths of all cards that were not seen, in rising order."""
    return tuple(
        power for power, count in enumerate(IN_DECK, start=1) for _ in range(count - seen.count(power))
    )


def round_winner(mine: int, theirs: int) -> int:
    """Who wins a round with these strengths."""
    return TIE if mine == theirs else ME if mine > theirs else OTHER


@lru_cache(maxsize=1 << 15)
def wins_hand(
    winners: Winners, mao: int, lying: Lying, mine: Strengths, theirs: Strengths, other_picks: Picks
) -> bool:
    """Whether the hand is won from here with open cards, this seat playing its best."""
    winner = decided(winners, mao)
    if winner is not None:
        return winner == ME
    leader = mao if not winners or winners[-1] == TIE else winners[-1]
    seat = leader if lying is None else 1 - lying[0]
    held = mine if seat == ME else theirs
    picks = any if seat == ME else other_picks

    def follow(place: int) -> bool:
        rest = held[:place] + held[place + 1 :]
        left = (rest, theirs) if seat == ME else (mine, rest)
        if lying is None:
            return wins_hand(winners, mao, (seat, held[place]), *left, other_picks)
        pair = (held[place], lying[1]) if seat == ME else (lying[1], held[place])
        return wins_hand((*winners, round_winner(*pair)), mao, None, *left, other_picks)

    return picks(follow(place) for place in range(len(held)))


def open_cards(question: Question) -> list[str]:
    """The answers that play a card openly, the weakest first."""
    cards = [answer for answer, action in question.answers.items() if action in STRENGTH]
    return sorted(cards, key=lambda answer: strength(question.answers[answer]))


def can_decide(question: Question, proposed: str) -> bool:
    """Whether a card is proposed in a round that can decide the hand: not in the first."""
    return is_card(question.answers[proposed]) and bool(question.seen.rounds.winners)


def prefer_card(question: Question, proposed: str, is_better: JudgesCard) -> Replacement | None:
    """Replace a card by the lowest that is better, if it is not and another one is."""
    if not can_decide(question, proposed):
        return None
    outlook = Outlook(question.seen)
    if is_better(outlook, question.answers[proposed]):
        return None
    better = (answer for answer in open_cards(question) if is_better(outlook, question.answers[answer]))
    found = next(better, None)
    return None if found is None else Replacement(found)


JudgesCard: TypeAlias = Callable[[Outlook, Action], bool]
"""Tells whether a card is good enough by what can still become of the hand."""


@dataclass(frozen=True, slots=True)
class LosingCard:
    """No card with which the hand cannot be won any more, while another one still can."""

    name: ClassVar[str] = "losing-card"

    def key_parts(self, seen: TrucoObservation) -> Sequence[str]:
        """What it looks at."""
        return CARD_PARTS

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Play the lowest card that keeps the hand alive."""
        return prefer_card(question, proposed, Outlook.can_win)


@dataclass(frozen=True, slots=True)
class KeptWinner:
    """No card with which the hand can still be lost, while another one wins it for certain."""

    name: ClassVar[str] = "kept-winner"

    def key_parts(self, seen: TrucoObservation) -> Sequence[str]:
        """What it looks at."""
        return CARD_PARTS

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Play the lowest card that wins the hand for certain."""
        return prefer_card(question, proposed, Outlook.must_win)


@dataclass(frozen=True, slots=True)
class FoldedTurn:
    """No hand is thrown in where it can be played on: declining the next bet costs no more."""

    name: ClassVar[str] = "folded-turn"

    def key_parts(self, seen: TrucoObservation) -> Sequence[str]:
        """What it looks at."""
        return CARD_PARTS

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Play the card with the best chance to win the hand; decline an envido or a flor and play on."""
        seen = question.seen
        if question.answers[proposed] != "baralho":
            return None
        if seen.envido.pending or seen.flor.pending:
            return replace_by(question, "nao-quero")
        if seen.bet.call is not None or not open_cards(question):
            return None
        return replace_by(question, Situation(seen).best_card, *seen.held)


SOUND_RULES: Final[tuple[Safeguard, ...]] = (
    ContraryCards(),
    FaltaOdds(),
    FoldedTurn(),
    LosingCard(),
    KeptWinner(),
    NothingToLose(),
)
"""In the order in which they are applied."""
