"""Why a call is not possible now, as a key whose sentence is made in the reader's language."""

from __future__ import annotations

from retruco.games.core import Action
from retruco.games.truco import TrucoObservation, has_flor
from retruco.games.truco.rules import ENVIDO_CALLS, FLOR_CALLS, TRUCO_CALLS, TRUCO_VALUE


def why_not(seen: TrucoObservation, call: Action) -> str | None:
    """Name the rule that forbids a call; `None` for a call that is legal.

    The rules are tried in the order in which a player would think of them.
    """
    if call in seen.legal:
        return None
    if seen.outcome is not None:
        return "hand-over"
    if call in FLOR_CALLS and not seen.game.rules.flor:
        return "no-flor-here"
    if seen.to_act != seen.seat:
        return "not-your-turn"
    if seen.legal == ("flor",):
        return "sing-first"
    if call in FLOR_CALLS:
        return _flor(seen, call)
    if call in ENVIDO_CALLS:
        return _envido(seen, call)
    if call in TRUCO_CALLS:
        return _truco(seen, call)
    return _answer(seen, call)


def _flor(seen: TrucoObservation, call: Action) -> str:
    if call == "achico" and seen.game.rules.achico is None:
        return "no-achico-here"
    if not has_flor(seen.hand):
        return "no-flor-in-hand"
    if seen.flor.closed or (seen.flor.calls and not seen.flor.pending):
        return "flor-over"
    if call != "flor":
        return "needs-flor-call"
    return "after-first-card" if seen.rounds.has_played(seen.seat) else "flor-over"


def _envido(seen: TrucoObservation, call: Action) -> str:
    if seen.flor.calls:
        return "flor-closed-envido"
    if seen.envido.closed:
        return "envido-over" if seen.envido.calls else "truco-closed-envido"
    if seen.envido.pending:
        return "falta-is-last" if "falta-envido" in seen.envido.calls else "envido-not-again"
    if seen.rounds.has_played(seen.seat):
        return "after-first-card"
    return "truco-raised"


def _truco(seen: TrucoObservation, call: Action) -> str:
    if seen.flor.pending or seen.envido.pending:
        return "answer-first"
    value, bet = TRUCO_VALUE[call], seen.bet
    if bet.call is not None:
        return "one-step" if value > TRUCO_VALUE[bet.call] else "already-called"
    if value <= bet.stake:
        return "already-called"
    return "one-step" if value > bet.stake + 1 else "other-may-raise"


def _answer(seen: TrucoObservation, call: Action) -> str:
    if seen.flor.pending:
        return "flor-is-answered-so"
    pending = seen.envido.pending or seen.bet.call is not None
    if call == "baralho" and pending:
        return "answer-instead"
    return "nothing-to-answer"
