"""Draw the packages of `retruco` and their imports, as they are in the source.

    python tools/draw_imports.py    writes docs/images/architecture.svg

An arrow means "imports". Arrows that follow from others are left out: if web imports learning and
learning imports games, there is no arrow from web to games.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Mapping
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeAlias

from package_imports import SOURCE, import_graph

PICTURE: Final = Path(__file__).parent.parent / "docs" / "images" / "architecture.svg"
MODULES: Final = "shared modules"
"""The box of the files that stand beside the packages."""

WIDTH, BOX_WIDTH, BOX_HEIGHT, GAP, MARGIN, COLUMN = 720, 300, 58, 28, 16, 330
TEXT_COLUMNS: Final = 46

STYLE: Final = """
.paper { fill: #ffffff } .box { fill: #f3f6fa; stroke: #5b7083 }
.name { fill: #12324d; font: 600 16px system-ui, sans-serif } .text { fill: #3a4650; font: 12px system-ui, sans-serif }
.line { fill: none; stroke: #5b7083; stroke-width: 1.5 } .head { fill: #5b7083 }
@media (prefers-color-scheme: dark) {
.paper { fill: #14191e } .box { fill: #222b33; stroke: #8ea3b5 }
.name { fill: #e3eef8 } .text { fill: #c2ccd5 }
.line { stroke: #8ea3b5 } .head { fill: #8ea3b5 }
}
"""

Graph: TypeAlias = Mapping[str, frozenset[str]]
Place: TypeAlias = tuple[float, float]
"""The centre of a box, or a point where an arrow passes a layer."""


def package_graph() -> Graph:
    """The imports between packages, with the files beside them taken together; `__main__` left out."""
    graph: dict[str, set[str]] = {}
    for name, imported in import_graph().items():
        if name != "__main__":
            box = _box_of(name)
            graph.setdefault(box, set()).update({_box_of(other) for other in imported} - {box})
    return {name: frozenset(imported) for name, imported in graph.items()}


def _box_of(name: str) -> str:
    return name if (SOURCE / name).is_dir() else MODULES


def reachable(graph: Graph, start: str) -> set[str]:
    """Everything that a package imports, itself or through others."""
    found = set(graph[start])
    for other in graph[start]:
        found |= reachable(graph, other)
    return found


def without_transitive(graph: Graph) -> Graph:
    """Leave out the imports that follow from others."""
    return {
        name: frozenset(
            other
            for other in imported
            if not any(other in reachable(graph, between) for between in imported - {other})
        )
        for name, imported in graph.items()
    }


def layer_of(graph: Graph, name: str) -> int:
    """How many packages stand below a package, on the longest way down."""
    return max((1 + layer_of(graph, other) for other in graph[name]), default=0)


# Places


def ways(graph: Graph) -> list[list[tuple[str, int]]]:
    """Every arrow as the points that it passes, one per layer; a point is a name and its layer."""
    layers = {name: layer_of(graph, name) for name in graph}
    return [
        [(name, layers[name]), *_passing(name, other, layers), (other, layers[other])]
        for name in sorted(graph)
        for other in sorted(graph[name])
    ]


def _passing(name: str, other: str, layers: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    for layer in range(layers[name] - 1, layers[other], -1):
        yield f"{name} to {other}", layer


def places(graph: Graph) -> dict[tuple[str, int], Place]:
    """Where every point is: layers from the top down, the points of one layer side by side."""
    points = {point for way in ways(graph) for point in way} | {
        (name, layer_of(graph, name)) for name in graph
    }
    top = max(layer for _, layer in points)
    found: dict[tuple[str, int], Place] = {}
    for layer in range(top + 1):
        row = sorted(point for point in points if point[1] == layer)
        y = MARGIN + BOX_HEIGHT / 2 + (top - layer) * (BOX_HEIGHT + GAP)
        for number, point in enumerate(row):
            found[point] = (WIDTH / 2 + (number - (len(row) - 1) / 2) * COLUMN, y)
    return found


# Drawing


def draw() -> str:
    """The picture."""
    graph = without_transitive(package_graph())
    at = places(graph)
    height = max(y for _, y in at.values()) + BOX_HEIGHT / 2 + MARGIN
    boxes = [_draw_box(name, at[name, layer_of(graph, name)]) for name in sorted(graph)]
    lines = [_draw_arrow([at[point] for point in way]) for way in ways(graph)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}" role="img">',
            "<title>The packages of retruco; an arrow means: imports</title>",
            f"<style>{STYLE}</style>",
            '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="head" d="M0 0 8 4 0 8z"/></marker></defs>',
            f'<rect class="paper" width="{WIDTH}" height="{height:g}" rx="8"/>',
            *lines,
            *boxes,
            "</svg>\n",
        ]
    )


def _draw_box(name: str, place: Place) -> str:
    x, y = place
    lines = textwrap.wrap(description(name), TEXT_COLUMNS, max_lines=2, placeholder="...")
    first = y + 5 - 8 * len(lines)
    texts = [f'<text class="name" x="{x:g}" y="{first:g}" text-anchor="middle">{escape(name)}</text>']
    for number, line in enumerate(lines, 1):
        texts.append(
            f'<text class="text" x="{x:g}" y="{first + 2 + 15 * number:g}" text-anchor="middle">{escape(line)}</text>'
        )
    left, top = x - BOX_WIDTH / 2, y - BOX_HEIGHT / 2
    return (
        f'<rect class="box" x="{left:g}" y="{top:g}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6"/>'
        + "".join(texts)
    )


def description(name: str) -> str:
    """What a box says under its name: the first sentence of the package's docstring, or the names of the files."""
    if name == MODULES:
        beside = (other for other in sorted(import_graph()) if _box_of(other) == MODULES)
        return ", ".join(other for other in beside if other != "__main__")
    docstring = ast.get_docstring(ast.parse((SOURCE / name / "__init__.py").read_text()))
    assert docstring, f"{name} has no docstring"
    return docstring.splitlines()[0].removesuffix(".")


def _draw_arrow(points: list[Place]) -> str:
    """A line from the bottom of the first box to the top of the last, straight down past the boxes between."""
    (x, y), (end_x, end_y) = points[0], points[-1]
    way = [(x + _towards(x, points[1][0]), y + BOX_HEIGHT / 2)]
    for passed_x, passed_y in points[1:-1]:
        way += [(passed_x, passed_y - BOX_HEIGHT / 2), (passed_x, passed_y + BOX_HEIGHT / 2)]
    way.append((end_x + _towards(end_x, points[-2][0]), end_y - BOX_HEIGHT / 2))
    drawn = f"M{way[0][0]:g} {way[0][1]:g}"
    for (from_x, from_y), (to_x, to_y) in pairwise(way):
        middle = (from_y + to_y) / 2
        drawn += f"C{from_x:g} {middle:g} {to_x:g} {middle:g} {to_x:g} {to_y:g}"
    return f'<path class="line" d="{drawn}" marker-end="url(#head)"/>'


def _towards(x: float, other: float) -> float:
    """How far from the middle of a box an arrow begins or ends, so that two of them do not meet."""
    return max(-60.0, min(60.0, (other - x) / 2))


if __name__ == "__main__":
    PICTURE.write_text(draw())
    print(PICTURE)
