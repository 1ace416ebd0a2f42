"""Imports point one way: rules know no cases, cases know no games."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

import retruco

SOURCE = Path(retruco.__file__).parent

MAY_IMPORT = {
    "__main__": {"cli"},
    "streams": set[str](),
    "cards": set[str](),
    "parts": set[str](),
    "aliases": set[str](),
    "damage": set[str](),
    "games": {"cards", "streams", "parts", "aliases"},
    "cbr": {"streams"},
    "vocab": {"cards", "streams", "parts", "games", "cbr"},
    "storage": {"cards", "damage", "streams", "games", "cbr", "vocab"},
    "agents": {"cards", "damage", "streams", "parts", "games", "cbr", "vocab"},
    "arena": {"cards", "damage", "streams", "games", "cbr", "vocab", "agents"},
    "learning": {
        *(
            "cards",
            "damage",
            "streams",
            "parts",
            "aliases",
            "games",
            "cbr",
            "vocab",
            "storage",
            "agents",
            "arena",
        )
    },
    "web": {
        "cards",
        "damage",
        "streams",
        "aliases",
        "games",
        "cbr",
        "vocab",
        "agents",
        "arena",
        "storage",
        "learning",
    },
    "experiments": {
        "cards",
        "damage",
        "streams",
        "games",
        "cbr",
        "vocab",
        "agents",
        "arena",
        "storage",
        "learning",
        "web",
    },
    "cli": {
        *("cards", "streams", "games", "cbr", "vocab", "agents", "arena", "storage", "learning", "web"),
        *("damage", "experiments"),
    },
}
"""What each room may know."""


def imported_rooms(file: Path) -> set[str]:
    modules: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            modules |= {f"{node.module}.{name.name}" for name in node.names}
        elif isinstance(node, ast.Import):
            modules |= {name.name for name in node.names}
    rooms = {module.split(".")[1] for module in modules if module.startswith("retruco.")}
    return rooms - {"__version__"}


def room_of(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


FILES = [file for file in sorted(SOURCE.rglob("*.py")) if file.parent != SOURCE or file.name != "__init__.py"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_imports_point_one_way(file: Path) -> None:
    room = room_of(file)
    assert room in MAY_IMPORT, f"{room} is a new room: say here what it may know"
    assert imported_rooms(file) <= MAY_IMPORT[room] | {room}


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("retruco.games.check", "replay"),
        ("retruco.learning.selfplay", "SelfPlay"),
        ("retruco.learning.pages", "Memory"),
        ("retruco.web.opinions", "summary"),
    ],
)
def test_documented_names_that_have_moved_still_work_and_warn(module: str, name: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"{module}.{name} has moved to retruco."):
        assert callable(getattr(import_module(module), name))


def test_the_command_line_starts_without_heavy_imports() -> None:
    import subprocess
    import sys

    code = "import sys, retruco.cli; print([m for m in ('numpy', 'numba', 'sklearn', 'rich', 'sqlalchemy', 'fastapi', 'uvicorn') if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
