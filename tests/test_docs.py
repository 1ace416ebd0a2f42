"""The docs name everything a user can meet."""

import re
from pathlib import Path

import pytest
import typer

from retruco.agents.registry import roster
from retruco.cli import app
from retruco.games.registry import game_names
from retruco.games.truco import CALLS, Truco

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
DOCS = README + "".join(file.read_text() for file in sorted((ROOT / "docs").rglob("*.md")))


def commands() -> list[str]:
    found = []

    def walk(command: object, name: str) -> None:
        children = getattr(command, "commands", None)
        if children is None:
            found.append(name)
        else:
            for key, child in children.items():
                walk(child, f"{name} {key}")

    walk(typer.main.get_command(app), "retruco")
    return found


@pytest.mark.parametrize("command", commands())
def test_every_command_is_in_the_readme(command: str) -> None:
    assert command in README


def test_every_preset_and_call_is_on_the_page_of_truco() -> None:
    page = (ROOT / "docs" / "games" / "truco.md").read_text()
    for name in (*Truco.presets(), *CALLS):
        assert name in page


@pytest.mark.parametrize("game", game_names())
def test_every_agent_is_in_the_docs_or_the_changelog(game: str) -> None:
    text = DOCS + (ROOT / "CHANGELOG.md").read_text()
    for name in roster(game):
        assert f"`{name}`" in text, f"{name} is nowhere in the docs"


@pytest.mark.parametrize(
    "file", ["README.md", *(str(f.relative_to(ROOT)) for f in (ROOT / "docs").rglob("*.md"))]
)
def test_links_and_pictures_lead_somewhere(file: str) -> None:
    text = (ROOT / file).read_text()
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if "://" not in target:
            assert ((ROOT / file).parent / target).exists(), f"{file} links to {target}"


def test_every_test_that_the_docs_name_is_there() -> None:
    named = set(re.findall(r"`(test_\w+)`", DOCS))
    written = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)", file.read_text())
    }
    assert len(named) > 50
    assert named <= written
