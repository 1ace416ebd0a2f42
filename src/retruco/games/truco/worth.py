"""What a call is worth now, as a player would say it before making it."""

from __future__ import annotations

from dataclasses import dataclass

from retruco.games.core import Action
from retruco.games.truco import envido as envidos
from retruco.games.truco import flor as flores
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.rules import ENVIDO_CALLS, TRUCO_VALUE


@dataclass(frozen=True, slots=True)
class Worth:
    """The points a call plays for, and those it gains when it is declined."""

    accepted: int
    declined: int | None = None
    """`None` where the call cannot be declined."""

    def __str__(self) -> str:
        return str(self.accepted) if self.declined is None else f"{self.accepted}/{self.declined}"


def call_worth(seen: TrucoObservation, call: Action) -> Worth | None:
    """Value a call for the seat that could make it now; `None` for an answer or a card.

    A falta is valued as if this seat won it.
    """
    game, rules = seen.game, seen.game.rules
    if call in TRUCO_VALUE:
        return Worth(TRUCO_VALUE[call], TRUCO_VALUE[call] - 1)
    if call in ENVIDO_CALLS:
        chain = (*(seen.envido.calls if seen.envido.pending else ()), call)
        won = envidos.worth(rules, game.target, seen.scores, chain, seen.seat)
        return Worth(won, envidos.declined(chain))
    if call == "achico" and rules.achico is not None:
        return Worth(rules.achico)
    if call == "flor":
        return Worth(rules.flor_flor if seen.flor.pending else rules.flor_alone)
    if call in ("contraflor", "contraflor-resto"):
        chain = (*seen.flor.calls, call)
        won = flores.worth(rules, game.target, seen.scores, chain, seen.seat)
        return Worth(won, flores.declined(rules, chain))
    return None
