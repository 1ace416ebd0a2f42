"""What every button plays for now: calls as `games.truco.worth` values them, answers by what waits."""

from __future__ import annotations

from retruco.games.core import Action
from retruco.games.truco import Acted, TrucoObservation
from retruco.games.truco import envido as envidos
from retruco.games.truco import flor as flores
from retruco.games.truco.rules import CALLS, TRUCO_VALUE
from retruco.games.truco.worth import Worth, call_worth


def price(seen: TrucoObservation, call: Action) -> Worth | None:
    """Value a call, what `quero` plays for, or what `nao-quero` and `baralho` give away."""
    if call == "quero":
        return _accepted(seen)
    if call == "nao-quero":
        return Worth(_declined(seen))
    return Worth(_folded(seen)) if call == "baralho" else call_worth(seen, call)


def _accepted(seen: TrucoObservation) -> Worth:
    game, rules, scores = seen.game, seen.game.rules, seen.scores
    if seen.flor.pending:
        return Worth(flores.worth(rules, game.target, scores, seen.flor.calls, seen.seat))
    if seen.envido.pending:
        return Worth(envidos.worth(rules, game.target, scores, seen.envido.calls, seen.seat))
    return Worth(TRUCO_VALUE[seen.bet.call or "truco"])


def _declined(seen: TrucoObservation) -> int:
    if seen.flor.pending:
        return flores.declined(seen.game.rules, seen.flor.calls)
    return envidos.declined(seen.envido.calls) if seen.envido.pending else seen.bet.stake


def _folded(seen: TrucoObservation) -> int:
    """What going to the deck gives away, as far as this seat can know: the other's flor it cannot."""
    if seen.flor.pending or seen.envido.pending:
        return _declined(seen) + 1
    return seen.bet.stake + (1 if _costs_an_envido(seen) else 0)


def _costs_an_envido(seen: TrucoObservation) -> bool:
    rules = seen.game.rules
    if seen.bet.call is not None or seen.rounds.has_played(seen.seat):
        return False
    said = any(event.action in CALLS for event in seen.log if isinstance(event, Acted))
    if not said:
        return rules.fold_unspoken_envido
    open_points = not (seen.envido.calls or seen.flor.calls)
    return rules.fold_envido_after_truco and seen.bet.stake > 1 and open_points
