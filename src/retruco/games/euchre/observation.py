"""What one seat sees of a hand: its own cards, the upcard, what was said, the tricks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from retruco.games.core import Action, BadRecord, Outcome, Seat
from retruco.games.euchre.deck import Card, Hand, Suit
from retruco.games.euchre.tricks import NEXT, SEATS, Contract, Trick, partner_of
from retruco.games.euchre.words import ALONE, DISCARD, TOGETHER

if TYPE_CHECKING:
    from retruco.games.euchre.game import Euchre
    from retruco.games.euchre.state import EuchreState


class EuchreObservation(NamedTuple):
    """A hand as one seat sees it, with the hands of the match before it."""

    game: Euchre
    seat: Seat
    to_act: Seat | None
    legal: tuple[Action, ...]
    """What this seat may do; empty when it is not its turn."""
    dealer: Seat
    scores: tuple[int, ...]
    """The board before this hand."""
    upcard: Card
    dealt: Hand
    """The five cards this seat was dealt."""
    held: Hand
    """Those it holds now."""
    bids: tuple[Action, ...]
    """What was said, from the dealer's left on."""
    contract: Contract | None
    discard: Card | None
    """What this seat has put away, if it is the dealer; nobody else sees that."""
    tricks: tuple[Trick, ...]
    leader: Seat
    """Who leads to the trick being played."""
    table: Hand
    """The cards on the table, the leader's first."""
    outcome: Outcome | None
    history: tuple[EuchreObservation, ...] = ()
    """The finished hands of this match, as this seat saw them end."""

    @property
    def trump(self) -> Suit | None:
        """The suit of trumps, once it is made."""
        return self.contract.trump if self.contract else None

    @property
    def partner(self) -> Seat:
        """The seat across the table."""
        return partner_of(self.seat)

    @property
    def speakers(self) -> tuple[tuple[Seat, Action], ...]:
        """Who said what in the bidding."""
        first = NEXT[self.dealer]
        return tuple(((first + turn) % SEATS, said) for turn, said in enumerate(self.bids))

    @property
    def is_discarding(self) -> bool:
        """Whether this seat is to put a card away."""
        return bool(self.legal) and self.legal[0].startswith(DISCARD)


def actions_seen(seen: EuchreObservation, discard: Card | None) -> list[Action]:
    """All that was said and played so far in this hand, with this as the dealer's discard."""
    done, contract = list(seen.bids), seen.contract
    if contract is None or seen.is_discarding:
        return done
    if contract.ordered:
        done.append(f"{DISCARD}{discard}")
    if seen.game.rules.alone == "after the discard" and seen.legal[:1] != (ALONE,):
        done.append(ALONE if contract.alone else TOGETHER)
    return [*done, *(card for trick in seen.tricks for card in trick.cards), *seen.table]


def observe(state: EuchreState, seat: Seat, history: tuple[Any, ...] = ()) -> EuchreObservation:
    """Show a hand to one seat."""
    dealt = state.deal.hands[seat]
    if not dealt:
        raise BadRecord(f"seat {seat} cannot look at the table without its cards: its hand is not known")
    return EuchreObservation(
        state.game,
        seat,
        state.to_act,
        state.legal if seat == state.to_act else (),
        state.dealer,
        state.scores,
        state.deal.upcard,
        dealt,
        state.held(seat),
        state.bids,
        state.contract,
        state.discard if seat == state.dealer else None,
        state.tricks,
        state.leader,
        state.table,
        state.outcome,
        history,
    )
