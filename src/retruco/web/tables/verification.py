"""Check that a finished match was drawn as the server had committed itself to before anybody played.

The file is what *Download as JSON* gives. Nothing of the server is needed or believed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from retruco.arena.table import OutOfTurn, Table
from retruco.games.core import Game, IllegalAction, Seat, short_repr
from retruco.games.registry import find_game
from retruco.web.tables.fairness import Draw, Share

Json = Mapping[str, Any]


@dataclass
class Verdict:
    """What a check has found: what agrees, what does not, and what cannot be known."""

    agrees: list[str] = field(default_factory=list)
    differs: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def judge(self, is_right: bool, what: str) -> None:
        """Note something that agrees, or does not."""
        (self.agrees if is_right else self.differs).append(what)


@dataclass(frozen=True, slots=True)
class PlayerNotes:
    """What a player wrote down before and while playing."""

    commitment: str = ""
    contribution: str = ""
    seals: Mapping[int, str] = field(default_factory=dict)
    """The seal shown before each hand, by its number from 0 on."""


def verify(match: Json, noted: PlayerNotes = PlayerNotes()) -> Verdict:  # noqa: B008  it cannot be changed
    """Check a match as it was downloaded, and compare it with what was noted."""
    try:
        return _verify(match, noted)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"this is no match as the web table saves it: {error!r} in {short_repr(match)}"
        ) from None


def _verify(match: Json, noted: PlayerNotes) -> Verdict:
    game = find_game(match["game"], match["rules"], match["target"])
    shares, seals, verdict = match["draw"], match["seals"], Verdict()
    _check_seals(seals, noted, verdict)
    _check_hands(game, match["first"], match.get("hands", ()), seals, verdict)
    if not shares:
        verdict.notes.append(
            "the match was begun before deals were drawn together: only the seals can be checked"
        )
        return verdict
    _check_shares(shares, noted, verdict)
    draw = Draw(tuple(Share(one["secret"], one["contribution"], one["seat"]) for one in shares))
    if match["origin"] is not None:
        verdict.notes.append(f"its deals are those of match {match['origin']}, once more: check that one")
        return verdict
    _check_deals(game, draw, match["first"], seals, verdict)
    return verdict


def _check_seals(seals: Sequence[Json], noted: PlayerNotes, verdict: Verdict) -> None:
    for hand, one in enumerate(seals):
        right = sha256(f"{one['salt']} {one['deal']}".encode()).hexdigest() == one["seal"]
        verdict.judge(right, f"hand {hand + 1}: its seal is that of its deal")
        if hand in noted.seals:
            verdict.judge(noted.seals[hand] == one["seal"], f"hand {hand + 1}: its seal was shown before it")


def _check_hands(
    game: Game, first: Seat, hands: Sequence[Json], seals: Sequence[Json], verdict: Verdict
) -> None:
    """Play the recorded actions on the sealed deals: every hand must come out as it was recorded."""
    deals = [one["deal"] for one in seals]
    table = Table(game, lambda hand: game.read_deal(deals[min(hand, len(deals) - 1)]), first)
    for hand, record in enumerate(hands):
        right = _plays_as_recorded(table, record)
        verdict.judge(right, f"hand {hand + 1}: the cards played are those dealt")
        if not right:
            return


def _plays_as_recorded(table: Table, record: Json) -> bool:
    finished = len(table.hands)
    try:
        for action in record["actions"]:
            table.act(-1 if table.to_act is None else table.to_act, action)
    except (IllegalAction, OutOfTurn):
        return False
    state = table.hands[finished].state if len(table.hands) > finished else table.state
    return state.record() == record


def _check_shares(shares: Sequence[Json], noted: PlayerNotes, verdict: Verdict) -> None:
    for one in shares:
        right = sha256(str(one["secret"]).encode()).hexdigest() == one["commitment"]
        verdict.judge(right, f"commitment {one['commitment'][:16]}: it is that of the secret")
    if not any(one["contribution"] for one in shares):
        verdict.notes.append("no client contributed: the server has drawn alone")
    if noted.commitment or noted.contribution:
        given = (noted.commitment, noted.contribution)
        known = [(one["commitment"], one["contribution"]) for one in shares]
        verdict.judge(given in known, "what you noted is among the shares")


def _check_deals(game: Game, draw: Draw, first: int, seals: Sequence[Json], verdict: Verdict) -> None:
    verdict.judge(draw.stream("first").below(game.seats) == first, "who began is drawn from the shares")
    for hand, one in enumerate(seals):
        drawn = str(game.deal(draw.stream(f"deal {hand}")))
        verdict.judge(drawn == one["deal"], f"hand {hand + 1}: its deal is drawn from the shares")
