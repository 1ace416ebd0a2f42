"""A hand of limit hold'em: the cards, the betting, and what one seat sees of them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from retruco.games.core import Action, BadRecord, IllegalAction, Outcome, Seat
from retruco.games.holdem.betting import REMEMBERED, Betting, after, opening, positions
from retruco.games.holdem.deck import BIT, Hole, bits
from retruco.games.holdem.ranking import value
from retruco.games.holdem.rules import BOARD, STAGES

if TYPE_CHECKING:
    from retruco.games.holdem.game import Holdem


class HoldemDeal(NamedTuple):
    """The cards of every seat and the five of the board.

    Whoever does not know all of them, such as a player at somebody else's table, may leave a
    hand out (`None`) and the board short; only a showdown needs them.
    """

    hands: tuple[Hole | None, ...]
    board: tuple[str, ...]

    def __str__(self) -> str:
        held = " / ".join(" ".join(hand) if hand else "? ?" for hand in self.hands)
        return f"{held} | {' '.join(self.board)}"


class Step(NamedTuple):
    """One action: who, in which stage, and the betting before it."""

    seat: Seat
    action: Action
    betting: Betting


class HoldemState(NamedTuple):
    """A hand in progress, all cards open."""

    game: Holdem
    deal: HoldemDeal
    dealer: Seat
    betting: Betting
    legal: tuple[Action, ...]
    """What the seat to act may do."""
    actions: tuple[Action, ...]
    outcome: Outcome | None

    @property
    def to_act(self) -> Seat | None:
        """The seat whose turn it is; nobody when the hand is over."""
        position = self.betting.to_act
        return None if position is None else seat_at(self.dealer, position, self.game.rules.seats)

    @property
    def board(self) -> tuple[str, ...]:
        """The cards that lie open."""
        return self.deal.board[: BOARD[self.betting.stage]]

    def play(self, action: Action) -> HoldemState:
        """Return the hand after the seat to act has done this."""
        game, deal, dealer, betting, legal, actions, _ = self
        try:
            betting = betting.following[action]
        except (KeyError, TypeError):  # never done from here before, or not to be done at all
            if action not in legal:
                raise IllegalAction(action, legal, f" after {len(actions)} actions") from None
            betting = after(betting, action)
        actions += (action,)
        outcome = None if betting.to_act is not None else settled(deal, dealer, betting)
        # As HoldemState(...) would, in half the time: this line runs millions of times.
        return tuple.__new__(HoldemState, (game, deal, dealer, betting, betting.legal, actions, outcome))

    def observe(self, seat: Seat, history: tuple[Any, ...] = ()) -> HoldemObservation:
        """Show the hand to one seat."""
        betting, over = self.betting, self.outcome
        to_act = self.to_act
        return HoldemObservation(
            seat,
            to_act,
            betting.legal if seat == to_act else (),
            self.game,
            self.dealer,
            self.deal.hands[seat],
            self.board,
            betting,
            self.actions,
            over,
            self._shown() if over else (),
            history,
        )

    def _shown(self) -> tuple[Hole | None, ...]:
        """The hands on the table at the end: those still in, if there was a showdown."""
        assert self.outcome is not None
        if self.outcome.reason != "showdown":
            return (None,) * len(self.deal.hands)
        seats = len(self.deal.hands)
        live = {seat_at(self.dealer, position, seats) for position in self.betting.live_positions()}
        return tuple(hand if seat in live else None for seat, hand in enumerate(self.deal.hands))

    def steps(self) -> list[Step]:
        """Go through the hand action by action."""
        return steps_of(self.game, self.dealer, self.actions)

    def record(self) -> dict[str, object]:
        """Write the hand down in the notation."""
        from retruco.games.holdem.notation import record

        return record(self)

    def summary(self) -> dict[str, object]:
        """Tell where the hand stands, as `retruco replay` prints it."""
        outcome = self.outcome
        return {
            "turn": self.to_act,
            "legal": list(self.legal),
            "stage": STAGES[self.betting.stage],
            "board": list(self.board),
            "pot": self.betting.pot,
            "over": outcome is not None,
            "winner": outcome.winner if outcome else None,
            "points": list(outcome.points) if outcome else [0] * self.game.seats,
        }


class HoldemObservation(NamedTuple):
    """What one seat sees: its own cards, the board, and all that was bet."""

    seat: Seat
    to_act: Seat | None
    legal: tuple[Action, ...]
    game: Holdem
    dealer: Seat
    hole: Hole | None
    board: tuple[str, ...]
    betting: Betting
    actions: tuple[Action, ...]
    outcome: Outcome | None
    shown: tuple[Hole | None, ...]
    """The hands shown at the end, by seat; empty before."""
    history: tuple[HoldemObservation, ...] = ()

    @property
    def position(self) -> int:
        """Where this seat sits, counted from the dealer's left."""
        return position_of(self.dealer, self.seat, self.game.rules.seats)

    @property
    def stage(self) -> int:
        """0 before the flop, 3 on the river."""
        return self.betting.stage

    def steps(self) -> list[Step]:
        """Go through the hand action by action."""
        return steps_of(self.game, self.dealer, self.actions)


def seat_at(dealer: Seat, position: int, seats: int) -> Seat:
    """Name the seat at a position; the first is the one to the dealer's left."""
    return (dealer + 1 + position) % seats


def position_of(dealer: Seat, seat: Seat, seats: int) -> int:
    """Count a seat's position from the dealer's left."""
    return (seat - dealer - 1) % seats


def steps_of(game: Holdem, dealer: Seat, actions: tuple[Action, ...]) -> list[Step]:
    """Say who did what, with the betting before it."""
    betting, steps = opening(game.rules), []
    for action in actions:
        assert betting.to_act is not None
        steps.append(Step(seat_at(dealer, betting.to_act, game.rules.seats), action, betting))
        betting = after(betting, action)
    return steps


def settled(deal: HoldemDeal, dealer: Seat, betting: Betting) -> Outcome:
    """Pay the pot: to the last one in, or to the best hand."""
    if betting.live & (betting.live - 1) == 0:
        return paid("fold", betting.spent, dealer, positions(betting.live))
    return paid("showdown", betting.spent, dealer, showdown(deal, dealer, betting))


@lru_cache(maxsize=REMEMBERED)
def paid(reason: str, spent: tuple[int, ...], dealer: Seat, winners: tuple[int, ...]) -> Outcome:
    """Part the pot among positions; odd chips go to the first of them from the dealer's left."""
    seats = len(spent)
    share, odd = divmod(sum(spent), len(winners))
    points = [-chips for chips in spent]
    for position in winners:
        points[position] += share
    points[winners[0]] += odd
    turn = (-dealer - 1) % seats
    winner = seat_at(dealer, winners[0], seats) if len(winners) == 1 else None
    return Outcome(reason, winner, (*points[turn:], *points[:turn]))


def showdown(deal: HoldemDeal, dealer: Seat, betting: Betting) -> tuple[int, ...]:
    """List the positions that share the pot, from the dealer's left: those with the best hand."""
    if len(deal.board) < BOARD[-1]:
        raise BadRecord(f"a showdown needs five cards on the board, not {' '.join(deal.board) or 'none'}")
    hands, board, best = deal.hands, bits(deal.board), -1
    winners: tuple[int, ...] = ()
    for position in positions(betting.live):
        hand = hands[seat_at(dealer, position, len(hands))]
        if hand is None:
            raise BadRecord(f"a showdown needs the cards of position {position} from the dealer")
        worth = value(board | BIT[hand[0]] | BIT[hand[1]])
        if worth > best:
            best, winners = worth, (position,)
        elif worth == best:
            winners += (position,)
    return winners
