"""Imports point one way: rules know no cases, cases know no games."""

from importlib import import_module

import pytest

from draw_imports import PICTURE, draw, package_graph, reachable, without_transitive
from package_imports import SOURCE, imported_packages, package_of, source_files

MAY_IMPORT = {
    "__main__": {"cli"},
    "streams": set[str](),
    "cards": set[str](),
    "parts": set[str](),
    "aliases": set[str](),
    "damage": set[str](),
    "compiler": set[str](),
    "notebook": set[str](),
    "compiled_streams": {"streams", "compiler"},
    "games": {"cards", "streams", "notebook", "parts", "aliases", "compiler", "compiled_streams"},
    "cbr": {"streams", "compiler", "compiled_streams", "damage", "notebook"},
    "vocab": {"cards", "streams", "parts", "games", "cbr", "compiler", "compiled_streams"},
    "explain": {"games", "cbr"},
    "storage": {"cards", "damage", "streams", "games", "cbr", "vocab"},
    "solver": {"cards", "streams", "compiler", "compiled_streams", "games"},
    "agents": {
        *("cards", "damage", "streams", "parts", "compiler", "compiled_streams"),
        *("games", "cbr", "vocab", "solver"),
    },
    "arena": {
        *("cards", "damage", "streams", "notebook", "compiler", "compiled_streams"),
        *("games", "cbr", "vocab", "agents"),
    },
    "exploit": {"cards", "streams", "compiler", "compiled_streams", "games", "solver", "agents", "arena"},
    "learning": {
        *("cards", "damage", "streams", "parts", "aliases"),
        *("games", "cbr", "vocab", "storage", "agents", "arena"),
    },
    "interfaces": {
        *("cards", "streams", "parts", "compiler", "compiled_streams"),
        *("games", "cbr", "solver", "agents", "arena", "storage", "learning"),
    },
    "web": {
        *("cards", "damage", "streams", "parts", "aliases"),
        *("games", "cbr", "vocab", "explain", "agents", "arena", "storage", "learning"),
    },
    "experiments": {
        *("cards", "damage", "streams", "parts"),
        *("games", "cbr", "vocab", "agents", "arena", "storage", "learning", "web"),
    },
    "cli": {
        *("cards", "damage", "streams"),
        *("games", "cbr", "vocab", "explain", "solver", "agents", "arena", "storage", "learning", "web"),
        *("experiments", "exploit"),
    },
}
"""What each package may import."""


def test_every_package_says_what_it_may_import() -> None:
    assert set(map(package_of, source_files())) == MAY_IMPORT.keys()


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_point_one_way(package: str) -> None:
    may = MAY_IMPORT[package] | {package}
    files = [file for file in source_files() if package_of(file) == package]
    wrong = {str(file.relative_to(SOURCE)): imported_packages(file) - may for file in files}
    assert {file: packages for file, packages in wrong.items() if packages} == {}


def test_the_picture_of_the_imports_is_current() -> None:
    assert PICTURE.read_text() == draw(), "run `python tools/draw_imports.py`"


def test_an_arrow_that_follows_from_others_is_left_out() -> None:
    graph = {
        "web": frozenset({"learning", "games"}),
        "learning": frozenset({"games"}),
        "games": frozenset[str](),
    }
    assert without_transitive(graph) == {**graph, "web": {"learning"}}


def test_the_picture_has_an_arrow_for_every_import_or_a_way_along_other_arrows() -> None:
    graph = package_graph()
    arrows = without_transitive(graph)
    for package, imported in graph.items():
        assert arrows[package] <= imported
        assert reachable(arrows, package) == reachable(graph, package)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("retruco.games.check", "replay"),
        ("retruco.games.core", "shown"),
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
