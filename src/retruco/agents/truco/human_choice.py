"""How people choose: a conditional logit model of the answers that people gave, and agents that play by it.

Every answer to a question has a few features; the chance of an answer grows with the exponential of their weighted
sum (McFadden 1974). The weights in `human_choice.json` are fitted to the published hands of people by
`tools/fit_human_choice.py`; they are all that is known of those hands here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from math import exp
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retruco.agents.core import Agent, CasesFor, Decisions, Entry
from retruco.agents.truco.card_chances import HELD_BASE, held_cards
from retruco.agents.truco.estimates import (
    BARALHO,
    ENVIDO,
    FALTA_ENVIDO,
    FLOR,
    QUERO,
    RAISED,
    SURE,
    TRUCO,
    VALE4,
    Estimates,
    best_strength,
    cheapest_winner,
    hand_odds,
    is_lost,
    other_talk,
    points_odds,
    won_first,
)
from retruco.agents.truco.odds import Odds, whole_odds
from retruco.cbr.case import Decision
from retruco.compiled_streams import weighted
from retruco.compiler import compiled_loop, compiled_step
from retruco.games.truco.compiled.stepper import HAND
from retruco.games.truco.compiled.tables import CHAIN_WAITS
from retruco.games.truco.deck import STRENGTH
from retruco.games.truco.game import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.rules import ENVIDO_CALLS, PRESETS
from retruco.games.truco.situation import (
    DEALT,
    ENVIDO_STATE,
    FACED,
    NOTHING,
    ROUNDS_OVER,
    STRENGTHS,
    TRUCO_CALL,
    Situation,
)
from retruco.streams import Stream
from retruco.vocab.truco import Question, turn
from retruco.vocab.truco.asking import (
    ABOUT_ENVIDO,
    ABOUT_FLOR,
    ABOUT_TRUCO,
    NO_ANSWER,
    Actions,
    Longs,
)
from retruco.vocab.truco.turns import Turns

Row: TypeAlias = NDArray[np.float64]
FILE: Final = "human_choice.json"
STRONGEST: Final = max(STRENGTH.values())

FEATURES: Final = (
    "flor.sung",
    *("envido.quero", "envido.quero.odds", "envido.quero.raised", "envido.baralho"),
    *("envido.raise", "envido.raise.odds", *(f"envido.raise.{call}" for call in ENVIDO_CALLS)),
    *(f"envido.{call}{of}" for call in ENVIDO_CALLS for of in ("", ".odds")),
    "envido.before-truco",
    *(
        f"truco.call.{what}"
        for what in ("round-1", "round-2", "round-3", "odds", "sure", "follows", "higher")
    ),
    *("truco.quero", "truco.quero.odds", "truco.quero.last"),
    *("truco.raise", "truco.raise.odds", "truco.raise.sure", "truco.raise.last", "truco.baralho"),
    *("fold", "fold.lost", "fold.odds", "down", "down.lost"),
    *(
        f"lead.{when}.{what}"
        for when in ("first", "ahead", "level")
        for what in ("highest", "lowest", "power")
    ),
    *(f"follow.{what}" for what in ("wins", "cheapest", "ties", "lowest", "power", "wins.first")),
)
"""The features of answers, in the order in which they are summed up."""
(
    FLOR_SUNG, ENVIDO_QUERO, ENVIDO_BARALHO, ENVIDO_RAISE, ENVIDO_CALL, BEFORE_TRUCO, CALL_ROUND, CALL_ODDS,
    TRUCO_QUERO, TRUCO_RAISE, TRUCO_BARALHO, FOLDS, LIES_DOWN, LEADS, FOLLOWS,
) = map(
    FEATURES.index,
    ("flor.sung", "envido.quero", "envido.baralho", "envido.raise", "envido.envido", "envido.before-truco",
     "truco.call.round-1", "truco.call.odds", "truco.quero", "truco.raise", "truco.baralho", "fold", "down",
     "lead.first.highest", "follow.wins"),
)  # fmt: skip
"""Where groups of features begin."""


@cache
def fitted_weights() -> Mapping[str, float]:
    """The weights of the features, as fitted to the hands of people."""
    found: dict[str, float] = json.loads((files(__package__) / FILE).read_text())["weights"]
    return found


def weight_row(weights: Mapping[str, float]) -> Row:
    """Weights in the order of the features; those without one count nothing."""
    return np.array([weights.get(name, 0.0) for name in FEATURES])


# Features


@compiled_step
def write_features(
    tables: Odds, situation: Situation, about: int, odds: float, action: int, row: Row
) -> None:
    """Write down the features of an answer; those of the plainest one (silence, a decline) are none.

    The odds are those on one's points, or the chance to win the hand.
    """
    for place in range(len(row)):
        row[place] = 0.0
    if about == ABOUT_FLOR:
        row[FLOR_SUNG] = action == FLOR
    elif about == ABOUT_ENVIDO:
        write_envido(situation, odds, action, row)
    elif about == ABOUT_TRUCO:
        write_truco(situation, odds, action, row)
    elif action == BARALHO:
        row[FOLDS], row[FOLDS + 1], row[FOLDS + 2] = 1.0, is_lost(tables, situation), odds
    elif action >= HAND:
        row[LIES_DOWN], row[LIES_DOWN + 1] = 1.0, is_lost(tables, situation)
    else:
        write_card(situation, action, row)


@compiled_step
def write_envido(situation: Situation, odds: float, action: int, row: Row) -> None:
    """Calls and answers go by the odds on one's points."""
    if action == QUERO:
        row[ENVIDO_QUERO], row[ENVIDO_QUERO + 1] = 1.0, odds
        row[ENVIDO_QUERO + 2] = other_talk(situation) == RAISED
    elif action == BARALHO:
        row[ENVIDO_BARALHO] = 1.0
    elif ENVIDO <= action <= FALTA_ENVIDO and situation[ENVIDO_STATE] == CHAIN_WAITS:
        row[ENVIDO_RAISE], row[ENVIDO_RAISE + 1], row[ENVIDO_RAISE + 2 + action - ENVIDO] = 1.0, odds, 1.0
    elif ENVIDO <= action <= FALTA_ENVIDO:
        first = ENVIDO_CALL + 2 * (action - ENVIDO)
        row[first], row[first + 1] = 1.0, odds
        row[BEFORE_TRUCO] = situation[TRUCO_CALL] > 0


@compiled_step
def write_truco(situation: Situation, odds: float, action: int, row: Row) -> None:
    """Calls and answers go by the chance to win the hand and by the round."""
    is_call, is_last = TRUCO <= action <= VALE4, situation[ROUNDS_OVER] == 2
    if is_call and situation[TRUCO_CALL] == 0:
        row[CALL_ROUND + situation[ROUNDS_OVER]] = 1.0
        row[CALL_ODDS], row[CALL_ODDS + 1] = odds, odds >= SURE
        row[CALL_ODDS + 2], row[CALL_ODDS + 3] = situation[FACED] != NOTHING, action != TRUCO
    elif action == QUERO:
        row[TRUCO_QUERO], row[TRUCO_QUERO + 1], row[TRUCO_QUERO + 2] = 1.0, odds, is_last
    elif is_call:
        row[TRUCO_RAISE], row[TRUCO_RAISE + 1] = 1.0, odds
        row[TRUCO_RAISE + 2], row[TRUCO_RAISE + 3] = odds >= SURE, is_last
    elif action == BARALHO:
        row[TRUCO_BARALHO] = 1.0


@compiled_step
def write_card(situation: Situation, action: int, row: Row) -> None:
    """A card goes by its place in the hand and by what it does in the round."""
    power, faced, over = STRENGTHS[situation[DEALT + action]], situation[FACED], situation[ROUNDS_OVER]
    is_highest = power == best_strength(situation)
    is_lowest = power == held_cards(situation)[0] // HELD_BASE
    if faced == NOTHING:
        first = LEADS + 3 * (0 if over == 0 else 1 if won_first(situation) else 2)
        row[first], row[first + 1], row[first + 2] = is_highest, is_lowest, power / STRONGEST
        return
    winner = cheapest_winner(situation)
    row[FOLLOWS] = power > faced
    row[FOLLOWS + 1] = winner != NOTHING and power == STRENGTHS[situation[DEALT + winner]]
    row[FOLLOWS + 2], row[FOLLOWS + 3], row[FOLLOWS + 4] = power == faced, is_lowest, power / STRONGEST
    row[FOLLOWS + 5] = power > faced and over == 0


@compiled_step
def weigh_odds(tables: Odds, situation: Situation, about: int) -> Any:
    """The odds that count for a question."""
    if about == ABOUT_FLOR:
        return 0.0
    return points_odds(tables, situation) if about == ABOUT_ENVIDO else hand_odds(tables, situation)


# Choosing


@compiled_step
def share_out(
    tables: Odds,
    situation: Situation,
    about: int,
    stands_for: Actions,
    weights: Row,
    sharpness: float,
    room: Row,
    shares: Row,
) -> None:
    """Write down how likely people give each answer; the sharper, the more the likeliest stands out."""
    odds, most, whole = weigh_odds(tables, situation, about), -np.inf, 0.0
    for answer in range(len(stands_for)):
        if stands_for[answer] != NO_ANSWER:
            write_features(tables, situation, about, odds, stands_for[answer], room)
            total = 0.0
            for place in range(len(room)):
                total += weights[place] * room[place]
            shares[answer] = sharpness * total
            most = max(most, shares[answer])
    for answer in range(len(stands_for)):
        shares[answer] = exp(shares[answer] - most) if stands_for[answer] != NO_ANSWER else 0.0
        whole += shares[answer]
    for answer in range(len(stands_for)):
        shares[answer] /= whole


@compiled_loop
def choose_many(
    tables: Odds,
    situations: NDArray[np.int32],
    waiting: Longs,
    about: Actions,
    stands_for: Actions,
    weights: Row,
    sharpness: float,
    streams: NDArray[np.uint64],
    room: Row,
    shares: Row,
    answers: Longs,
) -> None:
    """Draw an answer to every question."""
    for row in range(len(answers)):
        turn = waiting[row]
        situation = situations[turn]
        share_out(tables, situation, about[row], stands_for[row], weights, sharpness, room, shares)
        answers[row] = weighted(streams[turn : turn + 1], shares)


def features(question: Question) -> dict[str, dict[str, float]]:
    """The features of every answer, without those that are 0."""
    estimates = Estimates(question.seen, question.situation)
    odds, row, found = estimates.of(weigh_odds, question.about), np.zeros(len(FEATURES)), {}
    for answer, action in question.stands_for.items():
        estimates.of(write_features, question.about, odds, action, row)
        found[answer] = {name: value for name, value in zip(FEATURES, row.tolist(), strict=True) if value}
    return found


def chances(question: Question, weights: Mapping[str, float], sharpness: float = 1.0) -> dict[str, float]:
    """How likely people give each answer; the sharper, the more the likeliest stands out."""
    stands_for = np.array(list(question.stands_for.values()), np.int8)
    room, shares = np.zeros(len(FEATURES)), np.zeros(len(stands_for))
    estimates, row = Estimates(question.seen, question.situation), weight_row(weights)
    estimates.of(share_out, question.about, stands_for, row, sharpness, room, shares)
    return dict(zip(question.answers, shares.tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class HumanChoice:
    """Answers every question of a turn as people do, errors included: a draw by the chances of the answers."""

    sharpness: float
    """At 1 it answers as varied as people in all; the sharper, the more it keeps to what most would do."""

    def decide(self, observation: TrucoObservation, chance: Stream) -> Decision:
        """Draw an answer to every question until one is an action."""
        shares = [1.0]

        def answer(question: Question) -> str:
            found = chances(question, fitted_weights(), self.sharpness)
            place = chance.weighted(list(found.values())) if len(found) > 1 else 0
            shares.append(list(found.values())[place])
            return list(found)[place]

        action = turn(observation, answer)
        return Decision(action, "people.do", {"share": shares[-1]})

    def decide_many(
        self, game: Truco, situations: NDArray[np.int32], streams: NDArray[np.uint64]
    ) -> Decisions:
        """Draw an answer to every question of many turns."""
        tables, weights, states = (
            whole_odds(game.rules, game.target),
            weight_row(fitted_weights()),
            streams.copy(),
        )
        turns = Turns(situations)
        while turns.ask() is not None:
            asked, room = (turns.waiting, turns.about, turns.stands_for), np.zeros(len(FEATURES))
            answers, shares = np.zeros(len(turns.waiting), np.int64), np.zeros(turns.stands_for.shape[1])
            choose_many(
                tables, turns.situations, *asked, weights, self.sharpness, states, room, shares, answers
            )
            turns.carry_out(answers)
        return Decisions(turns.actions.astype(np.int32))


PEOPLE: Final = (
    ("first-timer", 0.25, "Errs where people err, and far more often: plays almost whatever comes to mind."),
    (
        "forgetful",
        0.6,
        "Errs where people err, and more often: knows the words, but forgets what they are worth.",
    ),
    ("sunday-player", 1.3, "Plays about as people do in all, errors included."),
    ("regular", 3.5, "Keeps to what most people would do, and errs where they do."),
)
"""Who plays by the model, how sharply, and how that looks. The sharpness was chosen by `benchmarks/ladder.py`."""


def _make(sharpness: float, cases_for: CasesFor) -> Agent:
    return HumanChoice(sharpness)


ROSTER = tuple(
    Entry(name, "truco", style, partial(_make, sharpness), tuple(PRESETS))
    for name, sharpness, style in PEOPLE
)
