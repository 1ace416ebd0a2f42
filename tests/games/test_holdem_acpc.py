"""The competition's text and the PHH format: there and back, beside PokerKit, and what is refused."""

from random import Random

import pytest
from pokerkit import HandHistory

from retruco.games.core import IllegalAction
from retruco.games.holdem import Holdem, HoldemState
from retruco.games.holdem.acpc import (
    BadLine,
    check_version,
    exact_points,
    log_line,
    read_betting,
    read_reply,
    read_view,
    view_line,
)
from retruco.games.holdem.phh import phh
from retruco.games.holdem.state import position_of, seat_at
from retruco.streams import Stream

HEADS_UP = Holdem.named("acpc-2")


def hands(rules: str, count: int) -> list[HoldemState]:
    game, chance, found = Holdem.named(rules), Random(7), []
    for number in range(count):
        state = game.begin(game.deal(Stream("acpc", rules, number)), number % game.seats)
        while state.outcome is None:
            found.append(state)
            state = state.play(chance.choice(state.legal))
        found.append(state)
    return found


@pytest.mark.parametrize("rules", ["acpc-2", "acpc-3", "limit-6"])
def test_what_a_seat_is_told_is_what_it_would_have_observed(rules: str) -> None:
    for number, state in enumerate(hands(rules, 25)):
        seats = state.game.seats
        for seat in range(seats):
            seen = read_view(view_line(state, number, seat), state.game)
            own, theirs = seen.state.observe(0), state.observe(seat)
            assert (seen.hand, own.hole, own.board) == (number, theirs.hole, theirs.board)
            assert (own.actions, own.legal, own.betting) == (theirs.actions, theirs.legal, theirs.betting)
            assert own.position == theirs.position
            if state.outcome is not None and seen.state.outcome is not None:
                turned = [seen.state.outcome.points[(other - seat) % seats] for other in range(seats)]
                assert tuple(turned) == state.outcome.points


def test_lines_as_the_protocol_document_has_them() -> None:
    """Two seats, limit: the dealer is position 1, posts the small blind and acts first before the flop."""
    seen = read_view("MATCHSTATE:0:30:rc/:9s8h|/8c8d5c", HEADS_UP)
    assert seen.state.to_act == 0
    assert seen.state.legal == ("check", "bet")
    assert seen.state.betting.pot == 40
    assert view_line(seen.state, 30, 0) == "MATCHSTATE:0:30:rc/:9s8h|/8c8d5c"
    end = read_view("MATCHSTATE:0:30:rc/cc/cc/cc:9s8h|9c6h/8c8d5c/6s/2d", HEADS_UP)
    assert end.state.outcome is not None
    assert end.state.outcome.points == (20, -20)
    told = log_line(end.state, 30, ["me", "you"])
    assert told == "STATE:30:rc/cc/cc/cc:9s8h|9c6h/8c8d5c/6s/2d:20|-20:me|you"


def test_the_competition_parts_a_pot_exactly() -> None:
    """The small blind folds 5 chips, two share 25: ours gives the odd chip away, the log does not."""
    line = "MATCHSTATE:2:1:cfc/cc/cc/cc:2c3d|2d3h|2h3s/AsKsQs/Js/Ts"
    end = read_view(line, Holdem.named("acpc-3")).state
    assert [float(one) for one in exact_points(end)] == [-5.0, 2.5, 2.5]
    assert end.outcome is not None
    assert sorted(end.outcome.points) == [-5, 2, 3]
    assert ":-5|2.5|2.5:" in log_line(end, 1, ["a", "b", "c"])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "not a match state"),
        ("HELLO", "not a match state: 'HELLO'"),
        ("MATCHSTATE:0:30:cc", "not a match state"),
        ("MATCHSTATE:x:30::9s8h|", "position must be a number, not 'x'"),
        ("MATCHSTATE:2:30::9s8h|", "positions 0 to 1"),
        ("MATCHSTATE:0:-1::9s8h|", "hand must be a number"),
        ("MATCHSTATE:0:30:cx:9s8h|", "'x' at letter 2, where c r would do"),
        ("MATCHSTATE:0:30:r300c:9s8h|", "'3' at letter 2, where f c r would do"),
        ("MATCHSTATE:0:30:rrrrr:9s8h|", "'r' at letter 4, where f c would do"),
        ("MATCHSTATE:0:30:c/:9s8h|", "'/' at letter 2, where the stage is not over"),
        ("MATCHSTATE:0:30:cc:9s8h|/8c8d5c", "'/' is missing at the end"),
        ("MATCHSTATE:0:30:ccc:9s8h|/8c8d5c", "'c' at letter 3, where / would do"),
        ("MATCHSTATE:0:30:cc/:9s8h|", "0 cards lie open where the betting has reached 3"),
        ("MATCHSTATE:0:30:cc/:9s8h|/8c8d", "impossible board"),
        ("MATCHSTATE:0:30:cc/:9s8h|/8c8d9s", "a card is there twice"),
        ("MATCHSTATE:0:30:cc/:9s8h|/8c8d1s", "unknown card '1s'"),
        ("MATCHSTATE:0:30::9s8h", "1 hands in"),
        ("MATCHSTATE:0:30::9s|", "a hand is two cards, not '9s'"),
        ("MATCHSTATE:0:30::|9s8h", "no cards for position 0"),
        ("MATCHSTATE:0:30:f:9s8h|:1", "not a match state"),
    ],
)
def test_a_wrong_line_is_refused_with_what_was_wrong(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(").replace("|", r"\|")):
        read_view(line, HEADS_UP)


def test_wrong_answers_and_versions_are_refused() -> None:
    sent = "MATCHSTATE:0:30:cr:9s8h|"
    assert read_reply(f"{sent}:c", sent, ("fold", "call", "raise")) == "call"
    with pytest.raises(BadLine, match=r"illegal action 'x' to .*: f c r would do"):
        read_reply(f"{sent}:x", sent, ("fold", "call", "raise"))
    with pytest.raises(BadLine, match="an answer to another state"):
        read_reply("MATCHSTATE:0:29:cr:9s8h|:c", sent, ("fold", "call", "raise"))
    check_version("VERSION:2.0.3")
    with pytest.raises(BadLine, match=r"not our protocol: 'VERSION:1\.0\.0'"):
        check_version("VERSION:1.0.0")


def test_betting_after_the_end_is_refused() -> None:
    with pytest.raises(BadLine, match="where the hand is over"):
        read_betting("fc", HEADS_UP)
    with pytest.raises(IllegalAction):
        HEADS_UP.begin(HEADS_UP.deal(Stream(1)), 0).play("bet")


@pytest.mark.parametrize("rules", ["four-2", "four-3", "four-6"])
def test_pokerkit_reads_our_phh_and_comes_to_the_same_end(rules: str) -> None:
    for state in hands(rules, 12):
        if state.outcome is None:
            continue
        history = HandHistory.loads(phh(state))
        *_, end = history
        seats, rich = state.game.seats, 2 * state.game.rules.most_spent
        ours = [state.outcome.points[seat_at(state.dealer, position, seats)] for position in range(seats)]
        assert [stack - rich for stack in end.stacks] == ours, phh(state)
        assert position_of(state.dealer, state.dealer, seats) == seats - 1
