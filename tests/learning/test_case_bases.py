"""Embedded bases: every game has one provider, and agents get their cases in one way."""

from pathlib import Path

import pytest

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.registry import find_agent
from retruco.games.registry import game_class, game_names
from retruco.learning.case_bases import cases_named, close_bases, open_cases
from retruco.learning.euchre.embedded import EUCHRE
from retruco.learning.registry import find_learning
from retruco.storage.store import HOME, open_store


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME, str(tmp_path))
    close_bases(["euchre"])
    return tmp_path


@pytest.mark.parametrize("game", game_names())
def test_the_usual_base_of_every_game_has_one_provider(game: str) -> None:
    usual, names = game_class(game).usual_base, [provider.name for provider in find_learning(game).bases]
    assert names.count(usual or "") == (usual is not None)


def test_the_base_that_comes_with_the_program_is_opened_like_any_other() -> None:
    agent = find_agent("NPS", "euchre", cases_named())
    assert isinstance(agent, CaseBasedAgent)
    assert agent.cases.count("lead") == 432_000
    assert list(agent.cases.rows("name")) == list(EUCHRE.cases().rows("name"))
    assert open_cases(game="euchre").description.startswith(
        "synthetic hands of euchre, rules stick: self-play of NPS"
    )


def test_a_base_of_ones_own_is_meant_where_it_has_the_same_name_or_is_named() -> None:
    with open_store() as store:
        store.create("euchre", "euchre", "classic")
        store.create("mine", "euchre", "classic")
    for name in (None, "mine"):
        assert len(cases_named(name)("euchre")) == 0
