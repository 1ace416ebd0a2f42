"""The docs name everything a user can meet."""

import json
import re
import shlex
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyspiel
import pytest
import rlcard.envs.registration
import typer

from retruco.agents.registry import roster
from retruco.cli import app
from retruco.games.registry import game_names
from retruco.games.truco import CALLS, Truco
from retruco.interfaces.openspiel import PREFIX as OUR_PREFIX
from retruco.interfaces.openspiel import register_games

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
def test_every_command_is_on_the_page_of_commands(command: str) -> None:
    assert command in (ROOT / "docs" / "commands.md").read_text()


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


def test_every_page_has_a_place_in_the_menu_of_the_site() -> None:
    menu = (ROOT / "mkdocs.yml").read_text()
    pages = [page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if not re.search(rf"(- |: ){re.escape(page)}$", menu, re.MULTILINE)] == []


def test_every_test_that_the_docs_name_is_there() -> None:
    named = set(re.findall(r"`(test_\w+)`", DOCS))
    written = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)", file.read_text())
    }
    assert len(named) > 50
    assert named <= written


BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(*languages: str) -> Iterator[tuple[Path, str]]:
    """The blocks of all pages in some languages, with the page."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        for language, text in BLOCK.findall(page.read_text()):
            if language in languages:
                yield page, text


def test_every_block_of_python_compiles() -> None:
    found = [(page, text) for page, text in blocks("python") if ">>>" not in text]
    assert len(found) > 10
    for page, text in found:
        compile(text, str(page), "exec")


def test_every_block_of_json_is_json() -> None:
    for page, text in blocks("json"):
        assert json.loads(text) is not None, page


def typed_commands() -> Iterator[tuple[Path, list[str]]]:
    """Every line of the pages that types a command of ours, as words."""
    for page, text in blocks("", "sh", "text"):
        for line in text.replace("\\\n", " ").splitlines():
            if re.match(r"retruco [a-z]", line):
                words = shlex.split(re.split(r" [|&]|;", line)[0], comments=True)
                yield page, words[1:]


def test_every_command_of_the_pages_is_understood() -> None:
    found = list(typed_commands())
    assert len(found) > 80
    wrong = [
        f"{page.relative_to(ROOT)}: {' '.join(words)}" for page, words in found if not is_understood(words)
    ]
    assert wrong == []


COMMAND: Any = typer.main.get_command(app)


def is_understood(words: list[str]) -> bool:
    """Whether a command exists and takes these options; nothing is run."""
    command: Any = COMMAND
    while hasattr(command, "commands"):
        name, *words = words or [""]
        if name not in command.commands:
            return name in ("", "--help")
        command = command.commands[name]
    options = {
        option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)
    }
    return {word.split("=")[0] for word in words if word.startswith("--")} <= options | {"--help"}


def test_the_comparison_names_the_versions_that_are_installed() -> None:
    page = (ROOT / "docs" / "comparison.md").read_text()
    for name, package in (
        ("OpenSpiel", "open-spiel"),
        ("RLCard", "rlcard"),
        ("CBRkit", "cbrkit"),
        ("pytruco", "pytruco"),
    ):
        assert re.search(rf"\[{name}\]\S+ \| {re.escape(version(package))} \|", page), name


def test_the_comparison_is_right_about_the_games_of_others() -> None:
    register_games()
    names = (game.short_name for game in pyspiel.registered_games())
    spiel = {name for name in names if not name.startswith(OUR_PREFIX)}
    assert not any("truco" in name for name in spiel)
    assert len(spiel) > 100
    assert {"euchre", "kuhn_poker", "leduc_poker", "universal_poker"} <= spiel
    cards = set(rlcard.envs.registration.registry.env_specs)
    assert len(cards) == 9
    assert {"limit-holdem", "no-limit-holdem", "leduc-holdem"} <= cards
