"""The six scripted styles, a page each: `novice`, `cautious`, `balanced`, `aggressive`, `bluffer` and `shouter`.

A page says when a style opens, answers and raises, and which card it plays. It is asked only when there is something to
choose (see `player`), and told the odds: the chance to have the better points, or to win the hand; and the price of the
bet that waits: the odds from which on accepting is worth as much as declining. What it answers is the number of an action
and that of its reason. Chance is drawn from the decision's stream in the order in which the page asks for it.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

from retruco.agents.truco.estimates import (
    BARALHO,
    ENVIDO,
    FALTA_ENVIDO,
    NAO_QUERO,
    NOTHING_SAID,
    QUERO,
    REAL_ENVIDO,
    RETRUCO,
    TRUCO,
    VALE4,
    best_strength,
    cheapest_winner,
    count_strong,
    is_ahead,
    may,
    middle_card,
    other_lack,
    other_talk,
    raise_call,
    round_number,
    stake_wins_match,
    strongest_card,
    weakest_card,
    won_first,
)
from retruco.compiled_streams import StreamState, random
from retruco.compiler import compiled_step
from retruco.games.truco.compiled.automaton import COLUMNS, DOWN
from retruco.games.truco.compiled.stepper import HAND
from retruco.games.truco.deck import strength
from retruco.games.truco.situation import (
    FACED,
    IS_MAO,
    LEGAL,
    NOTHING,
    OWN_ENVIDO,
    TRUCO_CALL,
    Situation,
)

REASONS: Final = (
    "flor.sung", "flor.raised", "flor.answered", "flor.accepted", "flor.declined",
    "envido.good", "envido.bluff", "envido.first", "envido.gamble", "envido.raised",
    "envido.accepted", "envido.declined", "envido.nothing-to-lose",
    "truco.sure", "truco.strong", "truco.bluff", "truco.nothing-to-lose", "truco.raised", "truco.accepted", "truco.declined",
    "fold.lost",
    "card.only", "card.cheapest", "card.best", "card.high", "card.low", "card.kept", "card.hidden",
)  # fmt: skip
"""Every reason a scripted player gives; sentences are made where a person reads them."""
(
    FLOR_SUNG, FLOR_RAISED, FLOR_ANSWERED, FLOR_ACCEPTED, FLOR_DECLINED,
    ENVIDO_GOOD, ENVIDO_BLUFF, ENVIDO_FIRST, ENVIDO_GAMBLE, ENVIDO_RAISED,
    ENVIDO_ACCEPTED, ENVIDO_DECLINED, ENVIDO_NOTHING_TO_LOSE,
    TRUCO_SURE, TRUCO_STRONG, TRUCO_BLUFF, TRUCO_NOTHING_TO_LOSE, TRUCO_RAISED, TRUCO_ACCEPTED, TRUCO_DECLINED,
    FOLD_LOST,
    CARD_ONLY, CARD_CHEAPEST, CARD_BEST, CARD_HIGH, CARD_LOW, CARD_KEPT, CARD_HIDDEN,
) = range(len(REASONS))  # fmt: skip

Answer: TypeAlias = tuple[int, int]
"""An action and its reason."""
PASS: Final = NOTHING, NOTHING
"""Nothing is called."""
BEST_CARD: Final = -2
"""The card that leaves the best chance to win the hand; among equals the weakest."""

ANSWERS_ENVIDO, OPENS_ENVIDO, ANSWERS_TRUCO, CALLS_TRUCO, PLAYS_CARD = range(5)
"""What a page is asked, in this order until it does something."""

FOLDS_FOR_NO: Final = 0.1
"""How often a player says `baralho` for `nao-quero` to a truco, where that costs the same."""

A_TWO, A_THREE, A_SEVEN, SEVEN_OF_OUROS = (strength(card) for card in ("2e", "3e", "7e", "7o"))


class Style(NamedTuple):
    """What all pages have in common, in numbers."""

    page: int
    contraflor_odds: float = 0.75
    """How sure of the better flor it is when it raises the other's."""
    folds_lost: float = 0.85
    """How often it throws in a hand that no card can save, instead of playing it out."""
    waits: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """How often it lets a truco be in each round, to call it later."""
    minds_the_board: bool = True
    """Whether it raises when losing the hand as it stands would lose the match anyway."""
    bluffs_lost: float = 0.0
    """How often it calls truco on a hand that no card can save."""


NOVICE, CAUTIOUS, BALANCED, AGGRESSIVE, BLUFFER, SHOUTER = range(6)
STYLES: Final = {
    "novice": Style(NOVICE, folds_lost=0.5, waits=(0.6, 0.5, 0.0), minds_the_board=False),
    "cautious": Style(CAUTIOUS, folds_lost=0.9, waits=(0.9, 0.5, 0.0)),
    "balanced": Style(BALANCED, folds_lost=0.8, waits=(0.75, 0.6, 0.0), bluffs_lost=0.15),
    "aggressive": Style(AGGRESSIVE, 0.6, folds_lost=0.8, waits=(0.6, 0.5, 0.0), bluffs_lost=0.35),
    "bluffer": Style(BLUFFER, folds_lost=0.9, waits=(0.8, 0.6, 0.0), bluffs_lost=0.4),
    "shouter": Style(SHOUTER, folds_lost=0.0, bluffs_lost=1.0),
}


@compiled_step
def chance(stream: StreamState, probability: float) -> Any:
    """Say yes with this probability."""
    return random(stream) < probability


# The pages


@compiled_step
def novice(asked: int, odds: float, price: float, situation: Situation, stream: StreamState) -> Answer:
    """Goes by its own cards alone: seat, score and what the other does tell it little."""
    points, best, number = situation[OWN_ENVIDO], best_strength(situation), round_number(situation)
    if asked == OPENS_ENVIDO:  # it was told that 27 is a good envido; with poor points it calls just to see
        if points >= 27:
            return ENVIDO, ENVIDO_GOOD
        return (ENVIDO, ENVIDO_BLUFF) if chance(stream, 0.12) else PASS
    if asked == ANSWERS_ENVIDO:  # with 31 it even raises; it accepts with 23, whoever asks and for how much
        if points >= 31 and may(situation, REAL_ENVIDO):
            return REAL_ENVIDO, ENVIDO_RAISED
        return answer_envido(points >= 23)
    call = raise_call(situation)
    if asked == CALLS_TRUCO:  # with a good card for every round still needed; more only with a great card
        least = A_TWO if call == TRUCO else SEVEN_OF_OUROS
        is_strong = count_strong(situation, least) >= (2 if number == 1 else 1)
        return (call, TRUCO_STRONG) if is_strong else PASS
    if asked == ANSWERS_TRUCO:  # keen on a three or the first round won it raises; curious it accepts
        is_keen = call == RETRUCO and (won_first(situation) or best >= A_THREE) and chance(stream, 0.3)
        if call != NOTHING and (is_keen or best >= SEVEN_OF_OUROS):
            return call, TRUCO_RAISED
        return answer_truco(best >= A_TWO or chance(stream, 0.55), situation, stream)
    winner = cheapest_winner(situation)
    if winner == NOTHING:
        return weakest_card(situation), CARD_LOW
    if situation[FACED] != NOTHING and chance(stream, 0.5):  # it remembers that the smallest winner is enough
        return winner, CARD_CHEAPEST
    return strongest_card(situation), CARD_HIGH


@compiled_step
def cautious(asked: int, odds: float, price: float, situation: Situation, stream: StreamState) -> Answer:
    """Bets on what it holds, never on what it hopes, and keeps its best card for last."""
    if asked == OPENS_ENVIDO:  # with points that beat most; before the other's truco only with great ones
        least = 0.9 if situation[TRUCO_CALL] else 0.75
        return (ENVIDO, ENVIDO_GOOD) if odds >= least else PASS
    if asked == ANSWERS_ENVIDO:  # raise with the best points of all; accept well above the price
        if odds >= 0.9 and may(situation, REAL_ENVIDO):
            return REAL_ENVIDO, ENVIDO_RAISED
        return answer_envido(odds >= price + 0.2)
    if asked == PLAYS_CARD:  # win cheaply; lead the middle card first
        if situation[FACED] == NOTHING and round_number(situation) == 1:
            return middle_card(situation), CARD_KEPT
        if situation[FACED] == NOTHING and won_first(situation):
            return weakest_card(situation), CARD_KEPT
        return BEST_CARD, CARD_BEST
    call = raise_call(situation)
    is_strong = call != NOTHING and odds >= by_call(call, 0.72, 0.8, 0.98) and not stake_wins_match(situation)
    if asked == CALLS_TRUCO:  # with a hand that should win
        return (call, TRUCO_STRONG) if is_strong else PASS
    if is_strong:
        return call, TRUCO_RAISED
    # It believes the caller: a hand needs so much more than the price; less with the other near the target.
    respect = 0.22 / 2 if other_lack(situation) <= 4 else 0.22
    return answer_truco(odds >= price + respect, situation, stream)


@compiled_step
def balanced(asked: int, odds: float, price: float, situation: Situation, stream: StreamState) -> Answer:
    """Counts its cards, knows the price of a bet, and bluffs just enough to be believed."""
    if asked == OPENS_ENVIDO:
        if odds >= 0.92 and is_ahead(situation) and chance(stream, 0.4):
            return FALTA_ENVIDO, ENVIDO_GAMBLE  # ahead, losing it costs little and winning it wins all
        if odds >= 0.92 and chance(stream, 0.5):
            return REAL_ENVIDO, ENVIDO_GOOD
        if odds >= 0.6:
            return ENVIDO, ENVIDO_GOOD
        return (ENVIDO, ENVIDO_BLUFF) if chance(stream, 0.1) else PASS  # so that good points get paid
    if asked == ANSWERS_ENVIDO:  # raise with points that beat most callers, accept at a fair price
        if odds >= 0.8 and may(situation, REAL_ENVIDO):
            return REAL_ENVIDO, ENVIDO_RAISED
        return answer_envido(odds >= price)
    if asked == PLAYS_CARD:  # the card that leaves the best chance to win the hand
        return BEST_CARD, CARD_BEST
    call = raise_call(situation)
    is_strong = (
        call != NOTHING and odds >= by_call(call, 0.66, 0.78, 0.95) and not stake_wins_match(situation)
    )
    if asked == CALLS_TRUCO:  # with a hand that wins more often than not; now and then with one that cannot
        if is_strong:
            return call, TRUCO_STRONG
        bluffs = odds < 0.3 and chance(stream, by_call(call, 0.15, 0.04, 0.0))
        return (call, TRUCO_BLUFF) if bluffs else PASS
    if is_strong:
        return call, TRUCO_RAISED
    # Who calls truco has something: a hand needs so much more than the price.
    return answer_truco(odds >= price + 0.18, situation, stream)


@compiled_step
def aggressive(asked: int, odds: float, price: float, situation: Situation, stream: StreamState) -> Answer:
    """Calls first, raises often, and makes the other pay to see the next card."""
    number = round_number(situation)
    if asked == OPENS_ENVIDO:
        if odds >= 0.9 and chance(stream, 0.25):
            return FALTA_ENVIDO, ENVIDO_GAMBLE
        if odds >= 0.8 and chance(stream, 0.5):
            return REAL_ENVIDO, ENVIDO_GOOD
        if odds >= 0.55:
            return ENVIDO, ENVIDO_GOOD
        # Every other truco is met with envido before it is answered, whatever the points.
        return (ENVIDO, ENVIDO_FIRST) if situation[TRUCO_CALL] and chance(stream, 0.5) else PASS
    if asked == ANSWERS_ENVIDO:  # raise with good points, accept a little below the price
        for call in (REAL_ENVIDO, FALTA_ENVIDO):
            if odds >= 0.8 and may(situation, call):
                return call, ENVIDO_RAISED
        return answer_envido(odds >= price - 0.05)
    if asked == PLAYS_CARD:  # lead the highest card up to a three; what is better is kept
        if situation[FACED] == NOTHING and number == 1 and best_strength(situation) <= A_THREE:
            return strongest_card(situation), CARD_HIGH
        return BEST_CARD, CARD_BEST
    call = raise_call(situation)
    strong, push = by_call(call, 0.6, 0.62, 0.95), by_call(call, 0.15, 0.15, 0.01)
    if (
        asked == CALLS_TRUCO
    ):  # with any hand that may well win; in the first round there is time to call later
        if odds >= strong + (0.12 if number == 1 else 0.0):
            return call, TRUCO_STRONG
        return (call, TRUCO_BLUFF) if number > 1 and chance(stream, push) else PASS
    if call != NOTHING and (odds >= strong or chance(stream, push)):
        return call, TRUCO_RAISED
    return answer_truco(odds >= price - 0.05, situation, stream)


@compiled_step
def bluffer(asked: int, odds: float, price: float, situation: Situation, stream: StreamState) -> Answer:
    """Tells a story with every call: weak hands shout, strong hands keep quiet."""
    if asked == OPENS_ENVIDO:  # on poor points as on good ones
        talk = other_talk(situation)
        if odds >= 0.9 and talk == NOTHING_SAID and situation[IS_MAO] and chance(stream, 0.5):
            return PASS  # the best lie in wait while the other may still call
        if odds >= 0.6:
            return ENVIDO, ENVIDO_GOOD
        if other_lack(situation) <= 3 and chance(stream, 0.12):
            return FALTA_ENVIDO, ENVIDO_GAMBLE  # on nothing but nerve
        return (ENVIDO, ENVIDO_BLUFF) if chance(stream, 0.12 if talk == NOTHING_SAID else 0.25) else PASS
    if asked == ANSWERS_ENVIDO:  # spring the trap against a caller, or now and then pretend to
        if may(situation, REAL_ENVIDO) and (odds >= 0.75 or chance(stream, 0.08)):
            return REAL_ENVIDO, ENVIDO_RAISED
        return answer_envido(odds >= price)
    if (
        asked == PLAYS_CARD
    ):  # with the first round won and a great card kept, hide the other one every other time
        is_safe = won_first(situation) and situation[FACED] == NOTHING and best_strength(situation) >= A_SEVEN
        if is_safe and chance(stream, 0.5):
            return face_down(situation, weakest_card(situation)), CARD_HIDDEN
        return BEST_CARD, CARD_BEST
    call = raise_call(situation)
    is_strong = call != NOTHING and odds >= by_call(call, 0.64, 0.68, 0.94)
    if asked == CALLS_TRUCO:  # mostly wait for the last round; shout with weak hands when the story is good
        if is_strong:
            return call, TRUCO_STRONG
        nerve = 0.4 if won_first(situation) and call == TRUCO else 0.12
        bluffs = call != VALE4 and round_number(situation) > 1 and chance(stream, nerve)
        return (call, TRUCO_BLUFF) if bluffs else PASS
    if is_strong:  # with the hands that waited, and with a few that only pretend
        return call, TRUCO_RAISED
    if call == RETRUCO and odds < 0.3 and chance(stream, 0.12):
        return call, TRUCO_BLUFF
    # It believes a caller little: a hand needs hardly more than the price.
    return answer_truco(odds >= price + 0.03, situation, stream)


@compiled_step
def shouter(asked: int, odds: float, price: float, situation: Situation, stream: StreamState) -> Answer:
    """Calls envido and truco in every hand, whatever it holds, and accepts whatever is called."""
    if asked == OPENS_ENVIDO:
        return ENVIDO, ENVIDO_BLUFF
    if asked == ANSWERS_ENVIDO:
        return answer_envido(True)
    if asked == CALLS_TRUCO:
        return raise_call(situation), TRUCO_BLUFF
    if asked == ANSWERS_TRUCO:
        return answer_truco(True, situation, stream)
    winner = cheapest_winner(situation)  # win with the lowest card that does, lead the highest
    if winner == NOTHING:
        return weakest_card(situation), CARD_LOW
    if situation[FACED] != NOTHING:
        return winner, CARD_CHEAPEST
    return strongest_card(situation), CARD_HIGH


@compiled_step
def ask_page(
    page: int, asked: int, odds: float, price: float, situation: Situation, stream: StreamState
) -> Answer:
    """Ask the page of a style."""
    if page == NOVICE:
        return novice(asked, odds, price, situation, stream)
    if page == CAUTIOUS:
        return cautious(asked, odds, price, situation, stream)
    if page == BALANCED:
        return balanced(asked, odds, price, situation, stream)
    if page == AGGRESSIVE:
        return aggressive(asked, odds, price, situation, stream)
    if page == BLUFFER:
        return bluffer(asked, odds, price, situation, stream)
    return shouter(asked, odds, price, situation, stream)


# What pages say


@compiled_step
def by_call(call: int, truco: float, retruco: float, vale4: float) -> float:
    """One of three numbers, by truco call."""
    return truco if call == TRUCO else retruco if call == RETRUCO else vale4


@compiled_step
def answer_envido(accepts: bool) -> Answer:
    """Accept or decline an envido."""
    return (QUERO, ENVIDO_ACCEPTED) if accepts else (NAO_QUERO, ENVIDO_DECLINED)


@compiled_step
def answer_truco(accepts: bool, situation: Situation, stream: StreamState) -> Answer:
    """Accept a truco call, or decline it in the one word or the other."""
    if accepts:
        return QUERO, TRUCO_ACCEPTED
    folds = may(situation, BARALHO) and chance(stream, FOLDS_FOR_NO)
    return BARALHO if folds else NAO_QUERO, TRUCO_DECLINED


@compiled_step
def face_down(situation: Situation, place: int) -> int:
    """Play a card face down where that is allowed, else openly."""
    return place + HAND if situation[LEGAL] >> DOWN_COLUMN & 1 else place


DOWN_COLUMN: Final = COLUMNS.index(DOWN)
