"""The reference client, `retruco bot`, plays every game at a real server."""

import json

import pytest
import serving
from serving import RealServer, cases_of

from retruco.cli.bot import run_bot
from retruco.cli.commands.live_tables import BotOptions
from retruco.games.registry import find_game

server = serving.server


@pytest.mark.parametrize(
    ("game", "rules", "agent", "opponent", "target"),
    [
        ("holdem", "limit-2", "rulebot", "simplebot", 10),
        ("holdem", "limit-4", "rulebot", "rulebot,simplebot,random", 5),
        ("euchre", "stick", "random", "random", 3),
        ("kuhn", "three-seats", "random", "random", 12),
        ("truco", "argentino", "balanced", "easy", 6),
    ],
)
def test_the_reference_client_plays_a_match_and_checks_its_deals(
    server: RealServer,
    capsys: pytest.CaptureFixture[str],
    game: str,
    rules: str,
    agent: str,
    opponent: str,
    target: int,
) -> None:
    options = BotOptions(
        server=server.address, game=game, rules=rules, agent=agent, opponent=opponent, target=target,
        seed=1, as_json=True,
    )  # fmt: skip
    run_bot(options, cases_of)
    printed = capsys.readouterr()
    (match,) = json.loads(printed.out)["matches"]
    assert match["ending"] == "played"
    assert len(match["scores"]) == len(set(find_game(game, rules).teams))
    assert match["result"] in ("won", "lost", "drawn")
    assert "does not agree" not in printed.err
