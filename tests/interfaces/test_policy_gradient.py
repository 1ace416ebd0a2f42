"""The example learner trains, saves itself and plays as an agent file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from retruco.agents.registry import find_agent
from retruco.arena.match import play_match
from retruco.games.registry import find_game
from retruco.streams import Stream

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "policy_gradient.py"


@pytest.mark.slow
def test_the_example_learns_and_then_plays_as_an_agent_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLICY_GRADIENT_WEIGHTS", str(tmp_path / "weights.npz"))
    command = [sys.executable, str(EXAMPLE), "--minutes", "0"]
    assert "1 updates" in subprocess.run(command, check=True, capture_output=True, text=True).stdout
    game = find_game("truco", "cbtg", 6)
    learner = find_agent(f"{EXAMPLE}:PolicyGradient", "truco")
    agents = (learner, find_agent("random", "truco"))
    result = play_match(game, agents, lambda hand: game.deal(Stream("deal", hand)), first=0, seed=1)
    assert result.forfeit is None
    assert result.winner in (0, 1)
