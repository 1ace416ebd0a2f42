"""Which packages of `retruco` import which, read from the source without running it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).parent.parent / "src" / "retruco"


def source_files() -> list[Path]:
    """Every Python file of the source tree except the top `__init__.py`."""
    return [file for file in sorted(SOURCE.rglob("*.py")) if file != SOURCE / "__init__.py"]


def package_of(file: Path) -> str:
    """The package that a file belongs to; a file at the top is a package of its own."""
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


@cache
def imported_packages(file: Path) -> frozenset[str]:
    """The packages of `retruco` that a file imports, at its top or inside a function."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            modules |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
    packages = {module.split(".")[1] for module in modules if module.startswith("retruco.")}
    return frozenset(packages - {"__version__"})


@cache
def import_graph() -> Mapping[str, frozenset[str]]:
    """Every package, and the other packages that it imports."""
    graph: dict[str, set[str]] = {}
    for file in source_files():
        package = package_of(file)
        graph.setdefault(package, set()).update(imported_packages(file) - {package})
    return {package: frozenset(imported) for package, imported in graph.items()}
