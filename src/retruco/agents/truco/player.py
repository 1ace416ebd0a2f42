"""The order of a turn, what no scripted player gets wrong, and the players themselves.

What comes first is settled first: flor, envido, truco, then the card. The page of a style (see `styles`) is asked only
when there is something to choose:

- a hand won for certain is never given up, and a bet on a hand lost for certain never accepted;
- a hand is thrown in (`baralho`) only when no card can save it, or in place of `nao-quero` to a truco where the rules
  make it cost the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from retruco.agents.core import Agent, CasesFor, Decisions, Entry
from retruco.agents.truco.estimates import (
    ACHICO,
    BARALHO,
    CONTRAFLOR,
    CONTRAFLOR_RESTO,
    ENVIDO,
    FLOR,
    NAO_QUERO,
    QUERO,
    SURE,
    Estimates,
    answered_flor_odds,
    best_card,
    count_held,
    flor_odds,
    flor_price,
    hand_odds,
    is_lost,
    may,
    points_odds,
    points_price,
    raise_call,
    round_number,
    stake_loses_match,
    truco_price,
    weakest_card,
)
from retruco.agents.truco.odds import Odds, whole_odds
from retruco.agents.truco.styles import (
    ANSWERS_ENVIDO,
    ANSWERS_TRUCO,
    BEST_CARD,
    CALLS_TRUCO,
    CARD_HIDDEN,
    CARD_ONLY,
    ENVIDO_NOTHING_TO_LOSE,
    FLOR_ACCEPTED,
    FLOR_ANSWERED,
    FLOR_DECLINED,
    FLOR_RAISED,
    FLOR_SUNG,
    FOLD_LOST,
    OPENS_ENVIDO,
    PASS,
    PLAYS_CARD,
    REASONS,
    STYLES,
    TRUCO_BLUFF,
    TRUCO_NOTHING_TO_LOSE,
    TRUCO_SURE,
    Answer,
    Style,
    answer_truco,
    ask_page,
    chance,
    face_down,
)
from retruco.cbr.case import Decision, Json
from retruco.compiled_streams import StreamState
from retruco.compiler import compiled_loop, compiled_step, inlined
from retruco.games.truco.compiled.stepper import action_text
from retruco.games.truco.compiled.tables import CHAIN_WAITS
from retruco.games.truco.game import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.rules import PRESETS
from retruco.games.truco.situation import (
    ENVIDO_STATE,
    FACED,
    FLOR_STATE,
    NOTHING,
    OWN_ENVIDO,
    OWN_FLOR,
    ROUNDS_OVER,
    TRUCO_CALL,
    Situation,
)
from retruco.streams import Stream

SURE_FLOR: Final = 0.95
"""From these odds on a flor goes for the rest."""
GIVES_WAY: Final = 0.15
"""Below these odds a flor gives way (`achico`) where that is allowed."""
UP_TO_STYLE: Final = BEST_CARD - 1
ASK_STYLE: Final = UP_TO_STYLE, NOTHING
"""The page of the style has to say."""


# The order of a turn


@inlined
def settle(tables: Odds, situation: Situation, style: Style, stream: StreamState) -> Answer:
    """Settle what comes first: flor, envido, truco, the card."""
    if situation[FLOR_STATE] == CHAIN_WAITS:
        return settle_flor(tables, situation, style)
    if may(situation, FLOR):
        return FLOR, FLOR_SUNG
    action, reason = PASS
    is_hopeless = is_lost(tables, situation)
    for asked in range(PLAYS_CARD + 1):
        if action == NOTHING and is_asked(asked, situation):
            odds, price = weigh(tables, situation, asked)
            action, reason = know(style, asked, odds, price, is_hopeless, situation, stream)
            if action == UP_TO_STYLE:
                action, reason = ask_page(style.page, asked, odds, price, situation, stream)
    return best_card(tables, situation) if action == BEST_CARD else action, reason


@compiled_step
def settle_flor(tables: Odds, situation: Situation, style: Style) -> Answer:
    """Raise with the stronger flores, give way with the weakest, accept at a fair price."""
    odds = flor_odds(tables, situation)
    if odds >= SURE_FLOR and may(situation, CONTRAFLOR_RESTO):
        return CONTRAFLOR_RESTO, FLOR_RAISED
    if may(situation, QUERO):
        accepts = answered_flor_odds(tables, situation) >= flor_price(tables, situation)
        return (QUERO, FLOR_ACCEPTED) if accepts else (NAO_QUERO, FLOR_DECLINED)
    if odds >= style.contraflor_odds:
        return CONTRAFLOR, FLOR_RAISED
    if odds < GIVES_WAY and may(situation, ACHICO):
        return ACHICO, FLOR_DECLINED
    return FLOR, FLOR_ANSWERED


@compiled_step
def is_asked(asked: int, situation: Situation) -> Any:
    """Whether a turn comes to a question, if nothing was said before."""
    if asked == ANSWERS_ENVIDO:
        return situation[ENVIDO_STATE] == CHAIN_WAITS
    if asked == OPENS_ENVIDO:
        return may(situation, ENVIDO)
    if asked == ANSWERS_TRUCO:
        return situation[TRUCO_CALL] > 0
    return asked == PLAYS_CARD or raise_call(situation) != NOTHING


@compiled_step
def weigh(tables: Odds, situation: Situation, asked: int) -> tuple[float, float]:
    """The chance to have the better points, or to win the hand, and the price of the bet that waits."""
    if asked == PLAYS_CARD:
        return 0.0, 0.0
    if asked in (ANSWERS_ENVIDO, OPENS_ENVIDO):
        price = points_price(tables, situation) if asked == ANSWERS_ENVIDO else 0.0
        return points_odds(tables, situation), price
    price = truco_price(tables, situation) if asked == ANSWERS_TRUCO else 0.0
    return hand_odds(tables, situation), price


@compiled_step
def know(
    style: Style,
    asked: int,
    odds: float,
    price: float,
    is_hopeless: bool,
    situation: Situation,
    stream: StreamState,
) -> Answer:
    """Answer what needs no judgement; the rest is `UP_TO_STYLE`."""
    if asked == ANSWERS_ENVIDO:  # where declining loses the match, there is nothing to think about
        return (QUERO, ENVIDO_NOTHING_TO_LOSE) if price <= 0 else ASK_STYLE
    if asked == ANSWERS_TRUCO:
        return know_truco(style, odds, price, is_hopeless, situation, stream)
    if asked == CALLS_TRUCO:
        return know_call(style, odds, is_hopeless, situation, stream)
    if asked == PLAYS_CARD:
        return know_card(style, is_hopeless, situation, stream)
    return ASK_STYLE


@compiled_step
def know_truco(
    style: Style, odds: float, price: float, is_hopeless: bool, situation: Situation, stream: StreamState
) -> Answer:
    """Answer a truco call; certain hands need no judgement."""
    call = raise_call(situation)
    if is_hopeless:
        bluffs = chance(stream, style.bluffs_lost) and call != NOTHING
        return (call, TRUCO_BLUFF) if bluffs else answer_truco(False, situation, stream)
    if odds >= SURE:
        return QUERO if call == NOTHING else call, TRUCO_SURE
    return (QUERO, TRUCO_NOTHING_TO_LOSE) if price <= 0 else ASK_STYLE


@compiled_step
def know_call(
    style: Style, odds: float, is_hopeless: bool, situation: Situation, stream: StreamState
) -> Answer:
    """Call or raise a truco in one's own turn, where one may."""
    call, number = raise_call(situation), round_number(situation)
    if is_hopeless:
        return (call, TRUCO_BLUFF) if chance(stream, style.bluffs_lost) else PASS
    if number > 1 and situation[FACED] != NOTHING and odds >= SURE:
        return call, TRUCO_SURE
    if stake_loses_match(situation) and style.minds_the_board:
        return call, TRUCO_NOTHING_TO_LOSE
    return PASS if chance(stream, style.waits[number - 1]) else ASK_STYLE


@compiled_step
def know_card(style: Style, is_hopeless: bool, situation: Situation, stream: StreamState) -> Answer:
    """Play a card; a hand that no card can save is thrown in, or played out in the dark."""
    if is_hopeless:
        if chance(stream, style.folds_lost):
            return BARALHO, FOLD_LOST
        return face_down(situation, weakest_card(situation)), CARD_HIDDEN
    return (weakest_card(situation), CARD_ONLY) if count_held(situation) == 1 else ASK_STYLE


@compiled_loop
def settle_many(
    tables: Odds,
    situations: NDArray[np.int32],
    style: Style,
    streams: NDArray[np.uint64],
    actions: NDArray[np.int32],
) -> None:
    """Decide in every situation."""
    for row in range(len(situations)):
        actions[row] = settle(tables, situations[row], style, streams[row : row + 1])[0]


# Players


@dataclass(frozen=True, slots=True)
class ScriptedPlayer:
    """A seat that plays by a page of rules."""

    style: Style

    def decide(self, observation: TrucoObservation, chance: Stream) -> Decision:
        """Settle what comes first, with the numbers of the reason."""
        estimates, stream = Estimates(observation), np.array([chance.state], dtype=np.uint64)
        with np.errstate(over="ignore"):  # sums of 64 bits run over
            action, number = estimates.of(settle, self.style, stream)
        chance.state, reason = int(stream[0]), REASONS[number]
        return Decision(action_text(observation.hand, action), reason, describe_reason(reason, estimates))

    def decide_many(
        self, game: Truco, situations: NDArray[np.int32], streams: NDArray[np.uint64]
    ) -> Decisions:
        """Decide in many situations at once."""
        actions = np.empty(len(situations), dtype=np.int32)
        settle_many(whole_odds(game.rules, game.target), situations, self.style, streams.copy(), actions)
        return Decisions(actions)


def describe_reason(reason: str, estimates: Estimates) -> Mapping[str, Json]:
    """The numbers that a reason rests on."""
    situation, subject = estimates.situation, reason.partition(".")[0]
    if reason == "flor.sung":
        return {"points": int(situation[OWN_FLOR])}
    if subject == "flor":
        return {"points": int(situation[OWN_FLOR]), "odds": round(estimates.of(flor_odds), 3)}
    if subject == "envido":
        return {"points": int(situation[OWN_ENVIDO]), "odds": round(estimates.of(points_odds), 3)}
    number = {"round": int(situation[ROUNDS_OVER]) + 1}
    return {"odds": round(estimates.of(hand_odds), 3), **number} if subject == "truco" else number


def make_player(name: str, cases_for: CasesFor) -> Agent:
    """Make a scripted player; it needs no cases."""
    return ScriptedPlayer(STYLES[name])


SENTENCES: Final = {
    "novice": "Knows the words and its own cards; seat, score and the other's talk tell it little.",
    "cautious": "Bets on what it holds, never on what it hopes, and keeps its best card for last.",
    "balanced": "Counts its cards, knows the price of a bet, and bluffs just enough to be believed.",
    "aggressive": "Calls first, raises often, and makes the other pay to see the next card.",
    "bluffer": "Tells a story with every call: weak hands shout, strong hands keep quiet.",
    "shouter": "Calls envido and truco in every hand, whatever it holds, and accepts whatever is called.",
}
ROSTER = tuple(
    Entry(name, "truco", sentence, partial(make_player, name), tuple(PRESETS))
    for name, sentence in SENTENCES.items()
)
