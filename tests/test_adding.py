"""`docs/adding.md` followed to the letter: its files are written, its commands are run, in the order of the page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tutorials import blocks_of, reader_environment, run_commands, write_file

PAGE = Path(__file__).parent.parent / "docs" / "adding.md"

pytestmark = [pytest.mark.slow, pytest.mark.documentation]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reader")


@pytest.fixture(scope="module")
def outputs(folder: Path) -> Mapping[str, str]:
    """What every block of commands prints, by its last line."""
    environment, found = reader_environment(folder), {}
    for language, text in blocks_of(PAGE):
        if language == "sh":
            found[text.splitlines()[-1].strip()] = run_commands(text, folder, environment)
        else:
            write_file(text, folder)
    return found


def output_of(outputs: Mapping[str, str], command: str) -> str:
    (found,) = [printed for line, printed in outputs.items() if line.startswith(command)]
    return found


def test_the_agent_of_the_page_plays_a_duel(outputs: Mapping[str, str]) -> None:
    assert "Patient" in output_of(outputs, "retruco duel patient.py:Patient balanced")


def test_the_game_of_the_page_keeps_the_contract_and_is_played(outputs: Mapping[str, str]) -> None:
    assert "20 matches" in output_of(outputs, "retruco duel --game highcard random random")


def test_the_case_based_agent_of_the_page_learns_and_decides_with_its_cases(
    outputs: Mapping[str, str],
) -> None:
    printed = output_of(outputs, "retruco decide - --game highcard")
    assert "after 50 matches, 1,000 hands" in printed
    (decision,) = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    assert decision["action"] == "call"
    assert decision["query"] == {"card": 9, "facing": "yes"}
    assert decision["similar"]


def test_the_game_of_the_page_has_a_table_in_the_browser(outputs: Mapping[str, str]) -> None:
    assert "'highcard'" in output_of(outputs, 'python -c "from retruco.web.tables.table_view')


def test_the_experiment_of_the_page_confirms_its_claim(outputs: Mapping[str, str], folder: Path) -> None:
    assert "careful2030" in output_of(outputs, "retruco reproduce careful2030")
    results = json.loads((folder / "careful" / "results.json").read_text())
    assert [claim["readings"]["as published"]["verdict"] for claim in results["claims"]] == ["confirmed"]
    assert "careful beats random" in (folder / "careful" / "report.html").read_text()
