"""What each stage of a recorded hand paid: as recorded or, where that is missing, derived.

Missing points are derived from the calls and the winner by the table of the trucogame rules.
"""

from __future__ import annotations

from retruco.games.core import Seat
from retruco.games.truco import envido as envidos
from retruco.games.truco import preset
from retruco.games.truco.rules import TRUCO_VALUE
from retruco.vocab.truco.partial import ENVIDO_AGAIN, PartialHand

Balance = tuple[int | None, list[str]]


def signed(seat: Seat, points: int) -> int:
    """Points as seat 0 counts them.

    >>> signed(0, 2), signed(1, 2)
    (2, -2)
    """
    return -points if seat else points


def envido_balance(hand: PartialHand, winner: Seat | None, paid: int | None) -> Balance:
    """Balance the envido, and name what was doubtful about it."""
    if not hand.envido:
        return 0, []
    decliner = hand.declined.get("envido")
    doubts = []
    if decliner is not None and winner == decliner:
        return None, ["envido-decliner"]
    if winner is None:
        winner = 1 - decliner if decliner is not None else _better(hand)
    if winner is None:
        return None, []
    if decliner is None and paid and _better(hand) == 1 - winner:
        doubts.append("envido-label")
    if not paid:
        doubts.append("envido-derived")
        paid = _envido_worth(hand, winner)
    return (None if paid is None else signed(winner, paid)), doubts


def _better(hand: PartialHand) -> Seat | None:
    mine, other = hand.points
    if mine is None or other is None:
        return None
    return hand.mao if mine == other else int(other > mine)


def _envido_worth(hand: PartialHand, winner: Seat) -> int | None:
    calls = tuple("envido" if call == ENVIDO_AGAIN else call for call, _ in hand.envido_chain)
    if "envido" in hand.declined:
        return envidos.declined(calls)
    rules = preset(hand.rules)
    if calls[-1] == "falta-envido" and hand.scores is None:
        return None
    before = hand.scores[0] if hand.scores else (0, 0)
    return envidos.worth(rules, rules.target, before, calls, winner)


def truco_balance(
    hand: PartialHand, winner: Seat | None, paid: int | None, envido: int | None, trusted: bool
) -> Balance:
    """Balance the truco; where the winner is not to be trusted, by who gave way or by the scores."""
    gave_way = _gave_way(hand)
    doubts = []
    if not trusted:
        winner = 1 - gave_way if gave_way is not None else _by_scores(hand, envido)
        doubts.append("truco-winner") if winner is None else None
    if winner is None:
        return None, doubts
    if not paid:
        doubts.append("truco-derived")
        paid = len(hand.truco) if "truco" in hand.declined else _stake(hand)
    return signed(winner, paid), doubts


def _gave_way(hand: PartialHand) -> Seat | None:
    if "truco" in hand.declined:
        return hand.declined["truco"]
    return hand.fold[0] if hand.fold else None


def _stake(hand: PartialHand) -> int:
    return TRUCO_VALUE[hand.truco[-1][0]] if hand.truco else 1


def _by_scores(hand: PartialHand, envido: int | None) -> Seat | None:
    """Who won the truco by the change of the scores, if envido and stake explain all of it."""
    if hand.scores is None or envido is None:
        return None
    before, after = hand.scores
    change = (after[0] - before[0]) - (after[1] - before[1]) - envido
    return int(change < 0) if abs(change) == _stake(hand) else None


def flor_balance(hand: PartialHand) -> int | None:
    """Balance a flor that the cards confirm; where both seats may have one it is not known."""
    if hand.flor is None:
        return 0
    suits = hand.suits if hand.flor else hand.other_suits
    if hand.other_hand is None or None in suits or len(set(suits)) == 1:
        return None
    return signed(hand.flor, preset(hand.rules).flor_alone)
