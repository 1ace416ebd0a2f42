"""The cases that Casey begins with: they cover two to ten seats, and are learnt as the program says."""

from pathlib import Path

import pytest

from retruco.agents.registry import find_agent
from retruco.arena.sets import play_set
from retruco.arena.tables import table_results
from retruco.cbr.case_file import read_cases, write_cases
from retruco.cbr.casebase import CaseBase
from retruco.games.holdem import Holdem
from retruco.learning.holdem import tables
from retruco.learning.holdem.embedded import TABLES
from retruco.vocab.holdem import VOCABULARY


@pytest.fixture(scope="module")
def cases() -> CaseBase:
    return TABLES.cases()


def test_the_shipped_cases_cover_two_to_ten_seats(cases: CaseBase) -> None:
    opponents = {
        cases.vocabulary["preflop"].decode(row.problem)["opponents"] for row in cases.rows("preflop")
    }
    assert opponents == set(range(1, 10))
    assert cases.count("preflop-read") == cases.count("preflop")
    assert TABLES.hands == tables.all_hands()


def test_the_same_seed_learns_the_same_cases_and_a_file_holds_them_all(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tables, "SEATS", (2, 3))
    first, second = (tables.learn_tables(seed=3, hands=5) for _ in range(2))
    assert list(first.rows("preflop")) == list(second.rows("preflop"))
    write_cases(tmp_path / "cases.npz", first)
    assert len(read_cases(tmp_path / "cases.npz", VOCABULARY)) == len(first)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["casey", "casey-learns"])
def test_it_beats_a_random_player_heads_up(cases: CaseBase, name: str) -> None:
    game = Holdem.named("casey-2", target=30)
    players = [find_agent(one, "holdem", lambda *_: cases) for one in (name, "random")]
    played = [play_set(game, [[player] for player in players], 4, number).score() for number in range(10)]
    first = table_results(game, [name, "random"], 4, played)["entrants"][0]
    assert first["mbb_ci95"][0] > 0
