"""Hands in the text of the Annual Computer Poker Competition, protocol 2.0.0.

    MATCHSTATE:0:30:cc/r:9s8h|/8c8d5c     what the player in position 0 sees of hand 30
    STATE:30:cc/cc/r:9s8h|9c6h/...        a line of a log, with everybody's cards

Positions are those of `betting`: 0 is the first to the dealer's left. A seat that writes numbers
its own seat 0, so that the others keep their places from hand to hand.

>>> seen = read_view("MATCHSTATE:1:30:cr:|9c6h", Holdem.named("acpc-2"))
>>> seen.state.to_act, seen.state.legal, seen.hand
(0, ('fold', 'call', 'raise'), 30)
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from retruco.games.core import Action, Seat, short_repr
from retruco.games.holdem.betting import FOLD, after, opening
from retruco.games.holdem.deck import Hole, card
from retruco.games.holdem.game import Holdem
from retruco.games.holdem.rules import BOARD
from retruco.games.holdem.state import HoldemDeal, HoldemState, position_of, seat_at, showdown

VERSION: Final = "VERSION:2.0.0"
LETTERS: Final = {FOLD: "f", "check": "c", "call": "c", "bet": "r", "raise": "r"}


class BadLine(ValueError):
    """A line that is not of the protocol; it says what was read and what was expected."""


class SeenHand(NamedTuple):
    """A hand as a line of the protocol tells it; the seat that reads it is `seat`."""

    hand: int
    seat: Seat
    state: HoldemState


# Writing


def letter(action: Action) -> str:
    """Write an action as the protocol does."""
    return LETTERS[action]


def betting_text(state: HoldemState) -> str:
    """Write all actions, stage by stage.

    A stage that has begun is told by its slash, although nobody has acted in it yet.
    """
    stages = [""] * (state.betting.stage + 1)
    for step in state.steps():
        stages[step.betting.stage] += LETTERS[step.action]
    return "/".join(stages)


def cards_text(state: HoldemState, viewer: Seat | None) -> str:
    """Write the cards by position as one seat sees them; all of them for nobody in particular."""
    seats = state.game.seats
    live = {seat_at(state.dealer, position, seats) for position in state.betting.live_positions()}
    open_seats = live if state.outcome and state.outcome.reason == "showdown" else set()
    hands = []
    for position in range(seats):
        seat = seat_at(state.dealer, position, seats)
        hand = state.deal.hands[seat]
        visible = viewer is None or seat == viewer or seat in open_seats
        hands.append("".join(hand) if hand and visible else "")
    lying = state.board
    parts = [lying[0:3], lying[3:4], lying[4:5]]
    return "|".join(hands) + "".join(f"/{''.join(some)}" for some in parts if some)


def view_line(state: HoldemState, hand: int, viewer: Seat) -> str:
    """Write what a seat is told."""
    position = position_of(state.dealer, viewer, state.game.seats)
    return f"MATCHSTATE:{position}:{hand}:{betting_text(state)}:{cards_text(state, viewer)}"


def log_line(state: HoldemState, hand: int, names: Sequence[str]) -> str:
    """Write a finished hand as a log does: by position, with what each won and who it was."""
    seats = state.game.seats
    who = "|".join(names[seat_at(state.dealer, position, seats)] for position in range(seats))
    won = "|".join(map(chips_text, exact_points(state)))
    return f"STATE:{hand}:{betting_text(state)}:{cards_text(state, None)}:{won}:{who}"


def exact_points(state: HoldemState) -> list[Fraction]:
    """What each position won: the competition parts a pot exactly and knows no odd chips."""
    betting = state.betting
    winners = betting.live_positions() if betting.folded_out else showdown(state.deal, state.dealer, betting)
    share = Fraction(betting.pot, len(winners))
    return [share * (position in winners) - spent for position, spent in enumerate(betting.spent)]


def chips_text(value: Fraction) -> str:
    """Write an amount of chips as the competition does: whole, or with up to six decimals.

    >>> chips_text(Fraction(20)), chips_text(Fraction(-20, 3))
    ('20', '-6.666667')
    """
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.6f}".rstrip("0")


# Reading


def read_view(line: str, game: Holdem) -> SeenHand:
    """Read what the dealer tells; complain of anything else."""
    parts = line.split(":")
    if len(parts) != 5 or parts[0] != "MATCHSTATE":
        raise BadLine(f"not a match state: {short_repr(line)}; one is MATCHSTATE:position:hand:betting:cards")
    position, hand = _whole(parts[1], "position", line), _whole(parts[2], "hand", line)
    seats = game.seats
    if position >= seats:
        raise BadLine(
            f"position {position} in {short_repr(line)}: {game.rules_name} has positions 0 to {seats - 1}"
        )
    dealer = (-position - 1) % seats
    actions = read_betting(parts[3], game)
    hands, board = read_cards(parts[4], seats, line)
    by_seat = tuple(hands[position_of(dealer, seat, seats)] for seat in range(seats))
    if by_seat[0] is None:
        raise BadLine(f"no cards for position {position} in {short_repr(line)}")
    state = game.begin(HoldemDeal(by_seat, board), dealer)
    for action in actions:
        state = state.play(action)
    if len(board) != BOARD[state.betting.stage]:
        raise BadLine(
            f"an impossible board in {short_repr(line)}: {len(board)} cards lie open where the betting has "
            f"reached {BOARD[state.betting.stage]}"
        )
    return SeenHand(hand, 0, state)


def read_betting(text: str, game: Holdem) -> tuple[Action, ...]:
    """Read a betting string; say which letter the rules do not allow.

    >>> read_betting("cc/r", Holdem.named("acpc-2"))
    ('call', 'check', 'bet')
    >>> read_betting("f/c", Holdem.named("acpc-2"))
    Traceback (most recent call last):
    ...
    retruco.games.holdem.acpc.BadLine: illegal betting 'f/c': '/' at letter 2, where the hand is over
    """
    betting, actions, stage = opening(game.rules), [], 0
    for place, letter in enumerate(text, 1):
        where = f"illegal betting {short_repr(text)}: {letter!r} at letter {place}"
        if betting.to_act is None:
            raise BadLine(f"{where}, where the hand is over")
        if letter == "/":
            stage += 1
            if betting.stage != stage:
                raise BadLine(f"{where}, where the stage is not over")
            continue
        legal = {LETTERS[action]: action for action in betting.legal}
        if letter not in legal or betting.stage != stage:
            raise BadLine(
                f"{where}, where {' '.join([*legal] if betting.stage == stage else ['/'])} would do"
            )
        actions.append(legal[letter])
        betting = after(betting, legal[letter])
    if betting.to_act is not None and betting.stage != stage:
        raise BadLine(f"illegal betting {short_repr(text)}: the stage is over, and '/' is missing at the end")
    return tuple(actions)


def read_cards(text: str, seats: int, line: str) -> tuple[tuple[Hole | None, ...], tuple[str, ...]]:
    """Read the hands by position, and the board."""
    held, *lying = text.split("/")
    hands = tuple(_hole(some, line) for some in held.split("|"))
    if len(hands) != seats:
        raise BadLine(f"{len(hands)} hands in {short_repr(line)}: there are {seats} seats")
    if [len(some) for some in lying] != [6, 2, 2][: len(lying)]:
        raise BadLine(f"an impossible board in {short_repr(line)}: three cards, then one, then one")
    board = tuple(_cards("".join(lying), line))
    every = [*(one for hand in hands if hand for one in hand), *board]
    if len(set(every)) < len(every):
        raise BadLine(f"an impossible board in {short_repr(line)}: a card is there twice")
    return hands, board


def read_reply(line: str, sent: str, legal: Sequence[Action]) -> Action:
    """Read a player's answer to what it was told; complain of another state or an illegal letter."""
    prefix, _, last = line.rpartition(":")
    if prefix != sent:
        raise BadLine(f"an answer to another state: {short_repr(line)}; expected {sent}:action")
    found = {LETTERS[action]: action for action in legal}
    if last not in found:
        raise BadLine(f"illegal action {short_repr(last)} to {sent}: {' '.join(found)} would do")
    return found[last]


def check_version(line: str) -> None:
    """Refuse a player who speaks another protocol."""
    if not line.startswith(VERSION.rpartition(".")[0] + "."):
        raise BadLine(f"not our protocol: {short_repr(line)}; expected {VERSION}")


def _whole(text: str, what: str, line: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 12:
        raise BadLine(f"{what} must be a number, not {short_repr(text)}, in {short_repr(line)}")
    return int(text)


def _hole(text: str, line: str) -> Hole | None:
    if not text:
        return None
    if len(text) != 4:
        raise BadLine(f"a hand is two cards, not {short_repr(text)}, in {short_repr(line)}")
    first, second = _cards(text, line)
    return first, second


def _cards(text: str, line: str) -> list[str]:
    try:
        return [card(text[place : place + 2]) for place in range(0, len(text), 2)]
    except ValueError as error:
        raise BadLine(f"{error}, in {short_repr(line)}") from None
