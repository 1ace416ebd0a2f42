"""A game in a package of its own, found through an entry point: nothing in Retruco names it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from packages import Shell, install_card_game


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    shell = Shell(install_card_game(tmp_path))
    yield shell
    shell.close()


@pytest.mark.slow
def test_a_game_of_another_package_is_listed_learnt_stored_played_and_decided(shell: Shell) -> None:
    assert "NPS" in shell.run("agents", "--game", "leduc")
    learn = ("learn", "--game", "leduc", "--strategy", "NPS", "--against", "random")
    learnt = shell.run(*learn, "--into", "mine", "--matches", "30")
    assert "after 30 matches, 360 hands" in learnt
    facts = json.loads(shell.run("cases", "info", "mine", "--json"))
    assert facts["game"] == "leduc"
    assert facts["rows"]["turn"] > 300
    options = ("--game", "leduc", "--cases", "mine", "--workers", "1", "--json")
    duel = json.loads(shell.run("duel", "NPS", "random", "--matches", "40", *options))
    assert duel["win_rate"] > 0.5
    hand = {"game": "leduc", "cards": ["K", "J"], "first": 1, "actions": ["bet"]}
    asked = ("decide", "-", "--agent", "NPS", "--game", "leduc", "--cases", "mine")
    decision = json.loads(shell.run(*asked, given=json.dumps(hand) + "\n"))
    assert decision["action"] == "call"
    assert decision["query"] == {"card": "K", "facing": "yes"}
    assert decision["similar"]
