"""What a seat works out of its situation: the odds on points and cards, the price of a bet, what is settled.

Scripted players and safeguards decide by these, and evidence tells them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

from retruco.agents.truco.card_chances import (
    HELD_BASE,
    NO_CARD,
    after,
    best_chance,
    hand_chance,
    held_cards,
    read_deal,
    read_rounds,
    result_of,
)
from retruco.agents.truco.odds import FALTA, RESTO, Odds, plain_odds, price, whole_odds
from retruco.compiler import compiled_step, is_numba_loaded
from retruco.games.truco.compiled.stepper import ACTIONS, BY_OTHER, CARD_COLUMNS, FACE_DOWN, FIRST_CALL
from retruco.games.truco.compiled.tables import CHAIN_WAITS
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.rules import ENVIDO_VALUE, FLOR_CALLS
from retruco.games.truco.situation import (
    ENVIDO_CALLED,
    ENVIDO_COUNTS,
    ENVIDO_STATE,
    FACED,
    FLOR_BASE,
    FLOR_CALLED,
    FLOR_STATE,
    IS_MAO,
    LEGAL,
    ME,
    NOTHING,
    ON_TABLE,
    OTHER,
    OTHER_SCORE,
    OWN_ENVIDO,
    OWN_FLOR,
    OWN_SCORE,
    ROUND_WINNERS,
    ROUNDS_OVER,
    STAKE,
    TABLE_SIZE,
    TARGET,
    TRUCO_CALL,
    TRUCO_CALLER,
    Situation,
    situation_of,
)

(
    FLOR, CONTRAFLOR, CONTRAFLOR_RESTO, ACHICO, ENVIDO, REAL_ENVIDO, FALTA_ENVIDO,
    TRUCO, RETRUCO, VALE4, QUERO, NAO_QUERO, BARALHO,
) = range(FIRST_CALL, ACTIONS)  # fmt: skip
"""Calls as actions."""

T = TypeVar("T")

SURE: Final = 1 - 1e-9
"""From this chance on something is certain."""
NOTHING_SAID, PASSED, CALLED, RAISED = range(4)
"""The other's talk of its points, as in `odds.TALKS`."""
ENVIDO_VALUES: Final = tuple(ENVIDO_VALUE.values())
"""What an envido and a real-envido add to what is called."""
CONTRAFLOR_CALLED: Final = 1 + FLOR_CALLS.index("contraflor")
RESTO_CALLED: Final = 1 + FLOR_CALLS.index("contraflor-resto")
"""Calls by their place in a chain, from 1."""


class Estimates:
    """What one seat works out, for Python: in compiled code if that runs by now, else all of it in plain Python."""

    def __init__(
        self, seen: TrucoObservation, situation: Situation | None = None, is_plain: bool | None = None
    ) -> None:
        self.is_plain = not is_numba_loaded() if is_plain is None else is_plain
        self.situation = situation_of(seen) if situation is None else situation
        self.tables = (plain_odds if self.is_plain else whole_odds)(seen.game.rules, seen.game.target)
        if self.is_plain:
            self.situation = cast(Situation, self.situation.tolist())  # read faster than an array

    def of(self, step: Callable[..., T], *others: Any) -> T:
        """The result of a compiled function of the tables, the situation and what else it needs."""
        run: Any = cast(Any, step).plain if self.is_plain else step
        return cast(T, run(self.tables, self.situation, *others))


@compiled_step
def may(situation: Situation, call: int) -> Any:
    """Whether a call is legal."""
    return situation[LEGAL] >> (call - FIRST_CALL + CARD_COLUMNS) & 1 > 0


# The match


@compiled_step
def own_lack(situation: Situation) -> Any:
    """What this seat lacks to the target."""
    return situation[TARGET] - situation[OWN_SCORE]


@compiled_step
def other_lack(situation: Situation) -> Any:
    """What the other seat lacks to the target."""
    return situation[TARGET] - situation[OTHER_SCORE]


@compiled_step
def is_ahead(situation: Situation) -> Any:
    """Whether this seat leads the match."""
    return situation[OWN_SCORE] > situation[OTHER_SCORE]


@compiled_step
def stake_wins_match(situation: Situation) -> Any:
    """Whether winning the hand as it stands wins the match."""
    return own_lack(situation) <= situation[STAKE]


@compiled_step
def stake_loses_match(situation: Situation) -> Any:
    """Whether losing the hand as it stands loses the match."""
    return other_lack(situation) <= situation[STAKE]


@compiled_step
def declining_loses_match(tables: Odds, situation: Situation) -> Any:
    """Whether the other reaches the target if this seat declines what waits, or goes to the deck."""
    cost = situation[STAKE]
    if situation[FLOR_STATE] == CHAIN_WAITS:
        cost = flor_declined(tables, situation)
    elif situation[ENVIDO_STATE] == CHAIN_WAITS:
        cost = envido_declined(situation)
    return other_lack(situation) <= cost


# Points


@compiled_step
def other_talk(situation: Situation) -> int:
    """What the other's talk says of its points."""
    if situation[ENVIDO_CALLED]:
        return CALLED if situation[ENVIDO_CALLED] in ENVIDO_COUNTS else RAISED
    had_a_turn = situation[TABLE_SIZE] > 0 or situation[TRUCO_CALLER] == OTHER
    return PASSED if had_a_turn else NOTHING_SAID


@compiled_step
def first_shown(situation: Situation) -> int:
    """The first card that the other has played, from 1; 0 if there is none, or it lies face down."""
    for place in range(situation[TABLE_SIZE]):
        card = situation[ON_TABLE + place] - BY_OTHER
        if card >= 0:
            return card + 1 if card < FACE_DOWN else 0
    return 0


@compiled_step
def points_odds(tables: Odds, situation: Situation) -> Any:
    """The chance to have the better points, by what the other has said and shown."""
    talk, shown = other_talk(situation), first_shown(situation)
    return tables.points[talk, shown, situation[OWN_ENVIDO], situation[IS_MAO]]


@compiled_step
def sum_envidos(called: int) -> int:
    """What the envido calls are worth without the falta."""
    envidos, reals = called // ENVIDO_COUNTS[0] % 3, called // ENVIDO_COUNTS[1]
    return envidos * ENVIDO_VALUES[0] + reals * ENVIDO_VALUES[1]


@compiled_step
def faces_falta(situation: Situation) -> Any:
    """Whether the last envido call is a falta."""
    return situation[ENVIDO_CALLED] % ENVIDO_COUNTS[0]


@compiled_step
def envido_declined(situation: Situation) -> int:
    """What it costs to decline the envido that waits."""
    called = situation[ENVIDO_CALLED]
    last = 2 if faces_falta(situation) else 1 if called >= ENVIDO_COUNTS[1] else 0
    return max(1, sum_envidos(called - ENVIDO_COUNTS[last]))


@compiled_step
def points_price(tables: Odds, situation: Situation) -> Any:
    """The odds that an envido call needs to be accepted."""
    own, other = situation[OWN_SCORE], situation[OTHER_SCORE]
    won = lost = sum_envidos(situation[ENVIDO_CALLED])
    if faces_falta(situation):
        won, lost = tables.for_all[FALTA, own, other], tables.for_all[FALTA, other, own]
    return bet_price(tables, situation, won, lost, envido_declined(situation))


@compiled_step
def flor_odds(tables: Odds, situation: Situation) -> Any:
    """The chance to have the better of two flores."""
    return tables.flor[situation[OWN_FLOR], situation[IS_MAO]]


@compiled_step
def answered_flor_odds(tables: Odds, situation: Situation) -> Any:
    """The same against a flor that was raised: who raises one has a good one."""
    return flor_odds(tables, situation) * flor_odds(tables, situation)


@compiled_step
def flor_declined(tables: Odds, situation: Situation) -> Any:
    """What a flor that waits costs if this seat gives way to it."""
    chain = situation[FLOR_CALLED]
    return tables.flor_cost[chain // FLOR_BASE % FLOR_BASE, chain % FLOR_BASE]


@compiled_step
def flor_price(tables: Odds, situation: Situation) -> Any:
    """The odds that a contraflor or contraflor-resto needs to be accepted."""
    own, other = situation[OWN_SCORE], situation[OTHER_SCORE]
    won = lost = tables.contraflor
    if situation[FLOR_CALLED] % FLOR_BASE != CONTRAFLOR_CALLED:
        won, lost = tables.for_all[RESTO, own, other], tables.for_all[RESTO, other, own]
    return bet_price(tables, situation, won, lost, flor_declined(tables, situation))


@compiled_step
def truco_price(tables: Odds, situation: Situation) -> Any:
    """The odds that the truco call waiting for an answer needs to be accepted."""
    worth = situation[TRUCO_CALL] + 1
    return bet_price(tables, situation, worth, worth, situation[STAKE])


@compiled_step
def bet_price(tables: Odds, situation: Situation, won: int, lost: int, declined: int) -> Any:
    """The odds that a bet needs to be accepted, by what it wins or loses, and costs if it is declined."""
    return price(tables.race, own_lack(situation), other_lack(situation), (won, lost), declined)


# Cards


@compiled_step
def hand_odds(tables: Odds, situation: Situation) -> Any:
    """The chance to win the hand as it stands."""
    return hand_chance(tables.chances, read_deal(situation))


@compiled_step
def best_card(tables: Odds, situation: Situation) -> int:
    """The place of the card with the best chance to win the hand; among equals the weakest."""
    deal = read_deal(situation)
    return deal.cards[best_chance(tables.chances, deal)[1]] % HELD_BASE


@compiled_step
def weakest_card(situation: Situation) -> int:
    """The place of the weakest card held."""
    return held_cards(situation)[0] % HELD_BASE


@compiled_step
def middle_card(situation: Situation) -> int:
    """The place of the second weakest card held."""
    return held_cards(situation)[1] % HELD_BASE


@compiled_step
def count_held(situation: Situation) -> int:
    """How many cards are held."""
    first, second, third = held_cards(situation)
    absent = NO_CARD * HELD_BASE
    return (first < absent) + (second < absent) + (third < absent)


@compiled_step
def strongest_card(situation: Situation) -> int:
    """The place of the strongest card held."""
    return held_cards(situation)[count_held(situation) - 1] % HELD_BASE


@compiled_step
def best_strength(situation: Situation) -> int:
    """The strength of the strongest card held; 0 without any."""
    count = count_held(situation)
    return held_cards(situation)[count - 1] // HELD_BASE if count else 0


@compiled_step
def count_strong(situation: Situation, least: int) -> int:
    """How many cards are held of at least this strength."""
    count = 0
    for card in held_cards(situation):
        count += least <= card // HELD_BASE < NO_CARD
    return count


@compiled_step
def cheapest_winner(situation: Situation) -> int:
    """The place of the weakest card that wins the round against the card on the table; `NOTHING` if none does."""
    for card in held_cards(situation):
        if card < NO_CARD * HELD_BASE and card // HELD_BASE > situation[FACED]:
            return card % HELD_BASE
    return NOTHING


@compiled_step
def round_number(situation: Situation) -> Any:
    """The round being played, from 1 on."""
    return situation[ROUNDS_OVER] + 1


@compiled_step
def won_first(situation: Situation) -> Any:
    """Whether this seat won the first round."""
    return situation[ROUND_WINNERS] == ME


@compiled_step
def is_lost(tables: Odds, situation: Situation) -> Any:
    """Whether no card can save the hand: the last word in it is this seat's, and too weak."""
    faced = situation[FACED]
    if faced == NOTHING or situation[ROUNDS_OVER] == 0:
        return False
    rounds = after(read_rounds(situation), result_of(best_strength(situation), faced))
    return tables.chances.settled[rounds, 1 - situation[IS_MAO]] == 0


@compiled_step
def raise_call(situation: Situation) -> Any:
    """The truco call that this seat may make now; `NOTHING` if it may make none."""
    for call in range(TRUCO, VALE4 + 1):
        if may(situation, call):
            return call
    return NOTHING
