"""How people choose: a conditional logit model of the answers that people gave, and agents that play by it.

Every answer to a question has a few features; the chance of an answer grows with the exponential of their weighted
sum (McFadden 1974). The weights in `human_choice.json` are fitted to the published hands of people by
`tools/fit_human_choice.py`; they are all that is known of those hands here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, partial
from importlib.resources import files
from math import exp
from typing import Final, TypeAlias

from retruco.agents.core import Agent, CasesFor, Entry
from retruco.agents.truco.sense import SURE, Situation
from retruco.cbr.case import Decision
from retruco.games.core import Action
from retruco.games.truco.deck import STRENGTH, strength
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.games.truco.rules import ENVIDO_CALLS, PRESETS, TRUCO_CALLS
from retruco.streams import Stream
from retruco.vocab.truco import Question, turn

Features: TypeAlias = Mapping[str, float]
FILE: Final = "human_choice.json"
STRONGEST: Final = max(STRENGTH.values())


@cache
def fitted_weights() -> Mapping[str, float]:
    """The weights of the features, as fitted to the hands of people."""
    found: dict[str, float] = json.loads((files(__package__) / FILE).read_text())["weights"]
    return found


# Features


def features(question: Question, situation: Situation) -> dict[str, Features]:
    """The features of every answer; those of the plainest answer (silence, a decline) are none."""
    kind = question.stage if not question.scenario.startswith("card") else "card"
    return {
        answer: FEATURES[kind](question, situation, action) for answer, action in question.answers.items()
    }


def envido_features(question: Question, situation: Situation, action: Action) -> Features:
    """Calls and answers go by the odds on one's points."""
    odds = situation.points_odds
    if action == "quero":
        later = float(len(situation.obs.envido.calls) > 1)
        return {"envido.quero": 1.0, "envido.quero.odds": odds, "envido.quero.raised": later}
    if action not in ENVIDO_CALLS:
        return {"envido.baralho": 1.0} if action == "baralho" else {}
    if situation.obs.envido.pending:
        return {"envido.raise": 1.0, "envido.raise.odds": odds, f"envido.raise.{action}": 1.0}
    first = float(situation.obs.bet.call is not None)
    return {f"envido.{action}": 1.0, f"envido.{action}.odds": odds, "envido.before-truco": first}


def truco_features(question: Question, situation: Situation, action: Action) -> Features:
    """Calls and answers go by the chance to win the hand and by the round."""
    odds = situation.hand_odds
    sure, last = float(odds >= SURE), float(situation.number == 3)
    if situation.obs.bet.call is None:
        if action not in TRUCO_CALLS:
            return {}
        return {
            f"truco.call.round-{situation.number}": 1.0,
            "truco.call.odds": odds,
            "truco.call.sure": sure,
            "truco.call.follows": float(situation.faced is not None),
            "truco.call.higher": float(action != "truco"),
        }
    if action == "quero":
        return {"truco.quero": 1.0, "truco.quero.odds": odds, "truco.quero.last": last}
    if action in TRUCO_CALLS:
        return {
            "truco.raise": 1.0,
            "truco.raise.odds": odds,
            "truco.raise.sure": sure,
            "truco.raise.last": last,
        }
    return {"truco.baralho": 1.0} if action == "baralho" else {}


def card_features(question: Question, situation: Situation, action: Action) -> Features:
    """A card goes by its place in the hand and by what it does in the round."""
    if action == "baralho":
        lost = float(situation.lost)
        return {"fold": 1.0, "fold.lost": lost, "fold.odds": situation.hand_odds}
    if action.startswith(DOWN_PREFIX):
        return {"down": 1.0, "down.lost": float(situation.lost)}
    power = strength(action)
    strengths = situation.strengths
    place = {"highest": float(power == strengths[-1]), "lowest": float(power == strengths[0])}
    if situation.faced is None:
        when = "first" if situation.number == 1 else "ahead" if situation.won_first else "level"
        return {
            **{f"lead.{when}.{name}": value for name, value in place.items()},
            f"lead.{when}.power": power / STRONGEST,
        }
    return follow_features(situation, power, place)


def follow_features(situation: Situation, power: int, place: Features) -> Features:
    """The features of a card that answers another."""
    faced = situation.faced or 0
    cheapest = next((held for held in situation.strengths if held > faced), None)
    return {
        "follow.wins": float(power > faced),
        "follow.cheapest": float(power == cheapest),
        "follow.ties": float(power == faced),
        "follow.lowest": place["lowest"],
        "follow.power": power / STRONGEST,
        "follow.wins.first": float(power > faced and situation.number == 1),
    }


def flor_features(question: Question, situation: Situation, action: Action) -> Features:
    """A flor is sung; the better it is, the sooner it is raised or accepted."""
    return {"flor.sung": 1.0} if action == "flor" else {}


FEATURES: Final = {
    "envido": envido_features,
    "truco": truco_features,
    "card": card_features,
    "flor": flor_features,
}


# Choosing


def chances(question: Question, weights: Mapping[str, float], sharpness: float = 1.0) -> dict[str, float]:
    """How likely people give each answer; the sharper, the more the likeliest stands out."""
    situation = Situation(question.seen)
    sums = {
        answer: sharpness * sum(weights.get(name, 0.0) * value for name, value in found.items())
        for answer, found in features(question, situation).items()
    }
    most = max(sums.values())
    weighed = {answer: exp(total - most) for answer, total in sums.items()}
    whole = sum(weighed.values())
    return {answer: share / whole for answer, share in weighed.items()}


class HumanChoice:
    """Answers every question of a turn as people do, errors included: a draw by the chances of the answers."""

    def __init__(self, sharpness: float) -> None:
        self.sharpness = sharpness
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
        return Decision(action, "people.do", {"share": float(shares[-1])})


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
