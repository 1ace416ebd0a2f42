"""What `retruco bot` asks of a server, and how it tells the result."""

import pytest

from retruco.cli.bot import MatchRequest, check_opponents, match_result
from retruco.cli.commands.live_tables import BotOptions
from retruco.games.registry import find_game

SERVER = "http://127.0.0.1:1"


@pytest.mark.parametrize(
    ("game", "rules", "agent", "opponent"),
    [
        ("truco", "cbtg", "balanced", "juca"),
        ("holdem", "limit-4", "casey", "casey"),
        ("euchre", "classic", "NPS", "NPS"),
        ("kuhn", "two-seats", "NPS", "NPS"),
    ],
)
def test_what_is_not_named_is_usual_in_the_game(game: str, rules: str, agent: str, opponent: str) -> None:
    request = MatchRequest.of(BotOptions(server=SERVER, game=game))
    assert request.agent == agent
    assert request.body() == {"game": game, "rules": rules, "target": None, "opponent": opponent}


@pytest.mark.parametrize(
    ("game", "names", "message"),
    [
        ("holdem", "a,b", "'a,b' names 2; holdem limit-4 has 4 seats: give one name for all 3 other seats, or 3"),
        ("kuhn", "a,b", "'a,b' names 2; kuhn two-seats has 2 seats: give one name$"),
        ("euchre", "a,,b", "'a,,b' leaves a name out"),
        ("euchre", " ", "' ' leaves a name out"),
    ],
)  # fmt: skip
def test_too_many_or_too_few_opponents_are_refused(game: str, names: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_opponents(names, find_game(game))


@pytest.mark.parametrize("option", [{"game": "chess"}, {"game": "holdem", "rules": "cbtg"}, {"target": 0}])
def test_a_table_that_does_not_exist_is_refused_before_the_server_is_asked(option: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"unknown game 'chess'|unknown rules 'cbtg'|at least 1, not 0"):
        MatchRequest.of(BotOptions(server=SERVER, **option))  # type: ignore[arg-type]  # a target is a number


@pytest.mark.parametrize(
    ("game", "seat", "winner", "scores", "expected"),
    [
        ("truco", 1, 0, [24, 3], ("lost", [3, 24])),
        ("euchre", 2, 0, [10, 7], ("won", [10, 7])),
        ("euchre", 3, 0, [10, 7], ("lost", [7, 10])),
        ("holdem", 2, 2, [-4, -1, 8, -3], ("won", [8, -4, -1, -3])),
        ("kuhn", 0, None, [0, 0], ("drawn", [0, 0])),
    ],
)
def test_a_match_is_won_by_a_team_and_its_score_comes_first(
    game: str, seat: int, winner: int | None, scores: list[int], expected: tuple[str, list[int]]
) -> None:
    over = {"seat": seat, "scores": scores, "end": {"winner": winner, "ending": "played"}}
    result = match_result(find_game(game), over)
    assert (result["result"], result["scores"]) == expected
    assert result["won"] == (expected[0] == "won")
