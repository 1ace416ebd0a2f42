"""The table, matches and duels are fair."""

from itertools import pairwise

import pytest
from players import Broken, Cheat, First

from retruco.agents.chance import RandomAgent
from retruco.arena.duel import deals_from, first_seat, play_duel, play_pair
from retruco.arena.match import play_match
from retruco.arena.stats import ratio_interval, share_interval
from retruco.arena.table import OutOfTurn, Table
from retruco.games.core import Game, Observation
from retruco.games.kuhn import Kuhn
from retruco.games.registry import all_tables
from retruco.games.truco import Truco
from retruco.streams import Stream


class Last:
    """The last legal action that is no fold: a strange but legal player."""

    def decide(self, observation: Observation, chance: Stream) -> str:
        return [action for action in observation.legal if action != "baralho"][-1]


TWO_SEATS = [game for game in all_tables() if game.seats == 2]


@pytest.mark.parametrize("game", TWO_SEATS, ids=repr)
@pytest.mark.parametrize("player", [First, Last, RandomAgent])
def test_identical_players_tie_exactly(game: Game, player: type) -> None:
    result = play_duel(game, (player(), player()), ("x", "y"), pairs=4, seed=5)
    assert result.wins[0] == result.wins[1]
    assert result.points_per_hand == 0
    assert set(result.ci95) == {0.0}
    assert result.illegal == (0, 0)


def test_a_duel_is_antisymmetric() -> None:
    game = Truco.named("trucogame")
    one = play_duel(game, (First(), RandomAgent()), ("a", "b"), pairs=10, seed=3)
    two = play_duel(game, (RandomAgent(), First()), ("b", "a"), pairs=10, seed=3)
    assert one.points_per_hand == -two.points_per_hand
    assert one.wins == two.wins[::-1]


def test_the_same_seed_gives_the_same_duel_and_another_seed_another() -> None:
    game = Truco.named("cbtg")
    results = [
        play_duel(game, (First(), RandomAgent()), ("a", "b"), 6, seed).points_per_hand for seed in (1, 1, 2)
    ]
    assert results[0] == results[1] != results[2]


def test_deals_do_not_depend_on_who_plays() -> None:
    game = Truco.named("cbtg")
    deals, first = deals_from(game, 7, 3), first_seat(game, 7, 3)
    by_chance = play_match(game, (RandomAgent(), RandomAgent()), deals, first, 1)
    by_rule = play_match(game, (First(), Last()), deals, first, 2)
    for one, two in zip(by_chance.hands, by_rule.hands, strict=False):
        assert one.state.record()["hands"] == two.state.record()["hands"]
        assert one.before.first == two.before.first


def test_both_matches_of_a_pair_have_the_same_deals_and_the_same_mao() -> None:
    pair = play_pair(Truco.named("trucogame"), First(), RandomAgent(), seed=1, pair=0)
    straight, swapped = pair.matches
    for one, two in zip(straight.hands, swapped.hands, strict=False):
        assert one.state.record()["hands"] == two.state.record()["hands"]
        assert one.before.first == two.before.first


def test_the_mao_alternates_every_hand() -> None:
    pair = play_pair(Truco.named("trucogame"), First(), RandomAgent(), seed=1, pair=0)
    leads = [hand.before.first for hand in pair.matches[0].hands]
    assert all(one != two for one, two in pairwise(leads))


def test_points_beyond_the_target_do_not_count() -> None:
    result = play_duel(Truco.named("trucogame", 1), (First(), RandomAgent()), ("a", "b"), pairs=50, seed=1)
    assert -1 <= result.points_per_hand <= 1


def test_an_illegal_action_forfeits_the_match_and_is_counted() -> None:
    result = play_duel(Truco.named("cbtg"), (Cheat(), First()), ("cheat", "b"), pairs=3, seed=1)
    assert result.wins == (0, 6)
    assert result.illegal == (6, 0)


def test_an_agent_that_fails_forfeits_the_match_and_the_reason_is_kept() -> None:
    match = play_match(Kuhn(), (Broken(), First()), deals_from(Kuhn(), 1, 1), 0, 1)
    assert match.winner == 1
    assert match.forfeit is not None
    assert "out of ideas" in match.forfeit.why
    assert not match.forfeit.illegal


def test_nobody_acts_out_of_turn() -> None:
    game = Truco.named("cbtg")
    table = Table(game, deals_from(game, 1, 1), first=0)
    with pytest.raises(OutOfTurn, match="seat 0's turn"):
        table.act(1, table.state.legal[0])


def test_a_seat_remembers_the_hands_of_the_match_as_it_saw_them() -> None:
    game = Truco.named("trucogame")
    table = Table(game, deals_from(game, 1, 1), first=0)
    while len(table.hands) < 3:
        assert table.to_act is not None
        table.act(table.to_act, First().decide(table.observe(table.to_act), Stream()))
    history = table.observe(0).history
    assert [seen.seat for seen in history] == [0, 0, 0]
    assert history == tuple(hand.state.observe(0) for hand in table.hands)


def test_three_seats_play_a_match() -> None:
    game = Kuhn(players=3, hands=9)
    match = play_match(game, [RandomAgent()] * 3, deals_from(game, 1, 1), 0, 1)
    assert len(match.hands) == 9
    assert sum(match.gains(team) for team in range(3)) == 0


def test_one_pair_alone_has_the_widest_interval_there_is() -> None:
    assert ratio_interval([5], [10], widest=(-24, 24)) == (0.5, (-24, 24))


def test_ten_wins_in_ten_do_not_claim_certainty() -> None:
    mean, (low, high) = share_interval([1.0] * 10)
    assert mean == 1.0
    assert 0.5 < low < 0.9
    assert high == 1.0
