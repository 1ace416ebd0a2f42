"""The agent `reader`: it plays the solution, reads the other seat, and leans towards a response to what it has read.

Between hands it compares what the other seat did and showed in this match with known styles (see `opponent_model`). It
plays a response that was learnt against some agent as soon as that is expected to win enough more than the solution,
over all styles the opponent may have, and as long as what it would lose to the styles that beat the response stays
below a stated risk. Otherwise it plays the solution.

It is a function of its observation and its stream like every agent. What it knows from earlier matches is a profile
that is given when it is made, `reader:FILE`, and does not change while it plays.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from retruco.agents.truco.bluff_cases import shipped_calls
from retruco.agents.truco.bluffs import BluffChance, bluff_chance
from retruco.agents.truco.estimates import Estimates, declining_loses_match
from retruco.agents.truco.opponent_model import (
    FREE,
    Numbers,
    OpponentModel,
    Reading,
    Styles,
    shipped_styles,
    usual_prior,
)
from retruco.agents.truco.shipped_solver import ShippedSolver, at_target_of
from retruco.cbr.case import Decision, Json
from retruco.games.truco.game import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.streams import Stream

if TYPE_CHECKING:
    from retruco.agents.response import TrucoResponse

LEAST_GAIN: Final = 0.06
"""The expected gain over the solution, in points per hand, from which on a response is played."""
RISK: Final = 0.07
"""What a response may be expected to lose to the styles that beat it, in points per hand; how it was chosen is in docs/opponents.md."""
TRUST: Final = 0.8
"""How much of a profile is believed at the beginning of a match; the rest is what is believed of anybody."""
DECLINING: Final = ("nao-quero", "baralho")


class Leaning(NamedTuple):
    """The response that a reader has chosen."""

    response: int
    gain: float
    """What it expects to win more than the solution, in points per hand."""
    risk: float
    """What it expects to lose to the styles that beat the response; contained in the gain."""


def lean(styles: Styles, belief: Numbers, risk: float = RISK) -> Leaning | None:
    """The best response to what is believed, if the evidence is enough for it."""
    gains = styles.gains @ belief
    risks = -np.minimum(styles.gains, 0.0) @ belief
    allowed = np.where(risks <= risk, gains, -np.inf)
    if not len(allowed) or allowed.max() < LEAST_GAIN:
        return None
    best = int(allowed.argmax())
    return Leaning(best, float(gains[best]), float(risks[best]))


class Reader:
    """Plays the solution until it has read enough of the opponent."""

    def __init__(
        self, styles: Styles | None = None, profile: Mapping[str, float] | None = None, risk: float = RISK
    ) -> None:
        self.styles = shipped_styles() if styles is None else styles
        self.risk = risk
        self.model = OpponentModel(self.styles, start_belief(self.styles, profile or {}))
        self.base = ShippedSolver()

    def decide(self, observation: TrucoObservation, chance: Stream) -> Decision:
        """Play the response that fits what was read, or the solution."""
        leaning = self._leaning(observation.history)
        found = self._respond(leaning, observation, chance) if leaning else None
        if leaning is None or found is None:
            base = self.base.decide(observation, chance)
            return Decision(base.action, base.reason, WithReading(base.values, self, observation))
        return Decision(found, "reader.leans", WithReading({}, self, observation))

    def _respond(self, leaning: Leaning, seen: TrucoObservation, chance: Stream) -> str | None:
        """What the response plays; nothing where it would give the match away or does not know the table."""
        response = open_response(self.styles.responses[leaning.response])
        action = response.decide(at_target_of(response.game, seen), chance).action
        gives_up = action in DECLINING and Estimates(seen).of(declining_loses_match)
        return None if gives_up or action not in seen.legal else action

    def since(self, history: tuple[TrucoObservation, ...]) -> int | None:
        """The hand since which it has played the response that it plays now, or the solution."""
        now = self._leaning(history)
        for hands in range(len(history), 0, -1):
            before = self._leaning(history[: hands - 1])
            if (before and before.response) != (now and now.response):
                return hands + 1
        return 1

    def _leaning(self, history: tuple[TrucoObservation, ...]) -> Leaning | None:
        return lean(self.styles, self.model.read(history).belief, self.risk)


class WithReading(Mapping[str, Json]):
    """The values of a decision, and what the player thinks of its opponent; found out when they are asked for."""

    def __init__(self, values: Mapping[str, Json], reader: Reader, seen: TrucoObservation) -> None:
        self.values_before, self.reader, self.seen = values, reader, seen
        self._reading: dict[str, Json] | None = None

    @property
    def reading(self) -> dict[str, Json]:
        """What the player thinks of its opponent."""
        if self._reading is None:
            self._reading = describe_reading(self.reader, self.seen)
        return self._reading

    def __getitem__(self, name: str) -> Json:
        return self.reading if name == "opponent" else self.values_before[name]

    def __iter__(self) -> Any:
        yield from self.values_before
        yield "opponent"

    def __len__(self) -> int:
        return len(self.values_before) + 1


def describe_reading(reader: Reader, seen: TrucoObservation) -> dict[str, Json]:
    """What a reader thinks of its opponent, and since when, as plain data."""
    reading = reader.model.read(seen.history)
    leaning = lean(reader.styles, reading.belief, reader.risk)
    bluff = bluff_chance(reader.model, reading, seen, shipped_calls())
    return {
        **({"call": describe_call(bluff)} if bluff else {}),
        "hands": reading.hands,
        "styles": likeliest(reader.styles, reading),
        "calls_shown": reading.calls_shown,
        "bluffs_shown": reading.bluffs_shown,
        "responds_to": reader.styles.responses[leaning.response] if leaning else None,
        "since": reader.since(seen.history),
        "expected_gain": round(leaning.gain, 3) if leaning else 0.0,
        "risk": round(leaning.risk, 3) if leaning else 0.0,
    }


def describe_call(bluff: BluffChance) -> dict[str, Json]:
    """How likely the call that waits is a bluff, by what is believed of the caller and by cases of like situations."""
    like = bluff.by_cases
    by_cases: dict[str, Json] = {"cases": like.cases, "bluff_by_cases": round(like.share, 3)} if like else {}
    return {"action": bluff.call, "bluff": round(bluff.chance, 3), **by_cases}


MOST_NAMED: Final = 3


def likeliest(styles: Styles, reading: Reading) -> dict[str, Json]:
    """The styles that are believed most, with their shares."""
    order = np.argsort(-reading.belief, kind="stable")[:MOST_NAMED]
    return {styles.names[place]: round(float(reading.belief[place]), 3) for place in order}


def start_belief(styles: Styles, profile: Mapping[str, float]) -> Numbers:
    """What is believed before the first hand: of anybody, or by a profile in part."""
    usual = usual_prior(styles)
    if not profile:
        return usual
    known = np.array([profile.get(name, 0.0) for name in styles.names])
    belief: Numbers = TRUST * known / known.sum() + (1 - TRUST) * usual
    return belief


@cache
def open_response(name: str) -> TrucoResponse:
    """Read a response once; what reads it is heavy, so it is imported here."""
    from retruco.agents.response import TrucoResponse
    from retruco.agents.response import open_response as read

    with as_file(files("retruco.agents.truco") / "responses" / f"{name}.response") as file:
        return TrucoResponse(str(file), read(str(file)))


# Profiles


def profile_of(styles: Styles, reading: Reading) -> dict[str, Json]:
    """A profile of an opponent: what is believed of it, to begin another match with."""
    belief = {name: round(float(share), 5) for name, share in zip(styles.names, reading.belief, strict=True)}
    return {"profile": Truco.name, "hands": reading.hands, "belief": belief}


def load_reader(file: str, game: str) -> Reader:
    """Make a reader that knows its opponent from earlier matches."""
    if game != Truco.name:
        raise ValueError(f"profiles are for {Truco.name}, not for {game}")
    return Reader(profile=read_profile(Path(file), shipped_styles()))


def read_profile(file: Path, styles: Styles) -> dict[str, float]:
    """Read a profile; raise `ValueError` for a file that is not one."""
    if not file.is_file():
        raise ValueError(f"no profile at {file}")
    try:
        plain = json.loads(file.read_text(encoding="utf-8"))
        if plain["profile"] != Truco.name:
            raise ValueError(f"it is for {plain['profile']!r}")
        belief = {str(name): float(share) for name, share in plain["belief"].items()}
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{file} is no profile that this version reads: {error}") from None
    if unknown := sorted(belief.keys() - set(styles.names)):
        raise ValueError(f"{file} names the style {unknown[0]!r}: one of {', '.join(styles.names)}")
    if not all(0 <= share <= 1 for share in belief.values()) or sum(belief.values()) <= 0:
        raise ValueError(f"{file} has shares that are not between 0 and 1, or none above 0")
    return belief


__all__ = ["FREE", "Reader", "describe_reading", "lean", "load_reader", "profile_of", "read_profile"]
