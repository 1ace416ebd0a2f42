"""The drawings of a report, as SVG text with named colours.

matplotlib is an extra, loaded when a drawing is made; without it a report has its numbers, and a line
in the place of each drawing.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from hashlib import blake2b
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, ParamSpec

from retruco.arena.stats import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAMED: Final = {"#010203": "ink", "#010204": "faint", "#010205": "line", "#010206": "good", "#010207": "bad"}
"""Colours that stand for names until the drawing is written."""
INK, FAINT, LINE, GOOD, BAD = NAMED

NO_MATPLOTLIB: Final = "drawings need matplotlib: pip install 'retruco[plots]'"
PLACEHOLDER: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 460 24" role="img"><text x="0" y="16" '
    f'font-family="system-ui, sans-serif" font-size="12" fill="var(--faint)">{NO_MATPLOTLIB}</text></svg>'
)

P = ParamSpec("P")


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def check_can_draw() -> None:
    """Refuse work whose only result is a drawing, where matplotlib is not installed."""
    if not can_draw():
        raise ValueError(NO_MATPLOTLIB)


def _drawing(draw: Callable[P, str]) -> Callable[P, str]:
    """Draw where matplotlib is installed; elsewhere say what is missing."""

    @wraps(draw)
    def draw_or_say(*args: P.args, **kwargs: P.kwargs) -> str:
        return draw(*args, **kwargs) if can_draw() else PLACEHOLDER

    return draw_or_say


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    _plain(axes)
    return figure, axes


def _plain(axes: Axes, size: float = 9) -> None:
    axes.set_facecolor("none")
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(colors=INK, length=0, labelsize=size)


def _called(name: str) -> str:
    """Leave the folders out of the name of a user's own agent, for which a drawing has no room.

    >>> _called("ideas/of/mine/own.py:Bold"), _called("UF/HIGH!")
    ('own.py:Bold', 'UF/HIGH!')
    """
    return name.rpartition("/")[2] if ".py:" in name else name


def _extra(names: Sequence[str], usual: int = 16) -> float:
    """Say how many inches more than usual the longest name needs.

    >>> _extra(["PVCNPS"]), round(_extra(["PVCNPS", "ismcts@simulations=5000"]), 2)
    (0.0, 0.49)
    """
    return 0.07 * max(0, max(map(len, map(_called, names)), default=0) - usual)


def _svg(figure: Figure) -> str:
    """Write a figure small, the same every time, and with the colours of the page."""
    import matplotlib as mpl

    out = io.StringIO()
    # Text stays text: the reader's own font, a tenth of the size, and it can be searched.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "retruco", "font.family": "sans-serif"}):
        nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
        figure.savefig(out, format="svg", transparent=True, metadata=nothing)
    text = out.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"font-family: [^;\"]*", "font-family: system-ui, sans-serif", text)
    for colour, name in NAMED.items():
        text = text.replace(colour, f"var(--{name})")
    return _small(text)


def _small(svg: str) -> str:
    """Say the same in a third of the bytes: no names nobody uses, one decimal, each style once."""
    used = set(re.findall(r"#([\w-]+)", svg))
    svg = re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in used else "", svg)
    svg = re.sub(r"<g>\s*(<(?:path|text)\b[^>]*?(?:/>|>[^<]*</text>))\s*</g>", r"\1", svg)
    svg = re.sub(r"<[^>]*>", lambda tag: re.sub(r"-?\d+\.\d+", _short, tag[0]), svg)
    styles = {
        style: f"s{blake2b(style.encode(), digest_size=4).hexdigest()}"
        for style in re.findall(r' style="([^"]*)"', svg)
    }
    svg = re.sub(r' style="([^"]*)"', lambda found: f' class="{styles[found[1]]}"', svg)
    rules = "".join(f".{name}{{{style}}}" for style, name in sorted(styles.items()))
    end = svg.index(">") + 1
    return re.sub(r"\s*\n\s*", "\n", svg[:end] + f"<style>{rules}</style>" + svg[end:]).strip()


def _short(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


@_drawing
def whiskers(
    names: Sequence[str],
    values: Sequence[float],
    intervals: Sequence[Interval],
    label: str,
    middle: float,
    percent: bool = False,
) -> str:
    """Draw a value with its interval for everybody, the first on top; what beats the middle is blue."""
    figure, axes = _figure(4.8 + _extra(names), 0.9 + 0.24 * len(names))
    for place, (value, (low, high)) in enumerate(zip(values, intervals, strict=True)):
        colour = GOOD if low > middle else BAD if high < middle else FAINT
        axes.plot([low, high], [place, place], color=colour, linewidth=2, solid_capstyle="round")
        axes.plot([value], [place], "o", color=colour, markersize=5)
    axes.axvline(middle, color=LINE, linewidth=1, zorder=0)
    _name_axes(axes, names, label, percent)
    return _svg(figure)


def _name_axes(axes: Any, names: Sequence[str], label: str, percent: bool) -> None:
    """Name who is beside the drawing, the first on top, and what is below it."""
    axes.set_yticks(range(len(names)), labels=list(map(_called, names)))
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlabel(label, color=FAINT, fontsize=9)
    axes.grid(axis="x", color=LINE, linewidth=0.5)
    axes.set_axisbelow(True)
    if percent:
        from matplotlib.ticker import PercentFormatter

        axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))


@dataclass(frozen=True)
class Series:
    """A value with its interval for each of some names; nothing where there is none."""

    label: str
    values: Sequence[float | None]
    intervals: Sequence[Interval | None]


@_drawing
def bars(
    names: Sequence[str], series: Sequence[Series], label: str, middle: float | None, percent: bool = False
) -> str:
    """Draw a bar with its interval for everybody and each of up to three series, the first on top."""
    high = 0.8 / len(series)
    figure, axes = _figure(6.0 + _extra(names), 1.1 + (0.12 + 0.2 * len(series)) * len(names))
    for bars, (colour, alpha) in zip(series, ((GOOD, 0.85), (FAINT, 0.55), (BAD, 0.7)), strict=False):
        first = -0.4 + high * (series.index(bars) + 0.5)
        for place, (value, interval) in enumerate(zip(bars.values, bars.intervals, strict=True)):
            if value is None:
                continue
            named = bars.label if place == 0 else None
            axes.barh(place + first, value, high * 0.9, color=colour, alpha=alpha, label=named)
            if interval is not None:
                axes.plot(interval, [place + first] * 2, color=INK, linewidth=1, solid_capstyle="round")
    if middle is not None:
        axes.axvline(middle, color=INK, linewidth=0.8, linestyle=(0, (3, 3)))
    _name_axes(axes, names, label, percent)
    if len(series) > 1:
        above: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1), "ncols": len(series)}
        axes.legend(frameon=False, fontsize=9, labelcolor=INK, borderaxespad=0.2, **above)
    return _svg(figure)


@dataclass(frozen=True)
class Panel:
    """A small drawing among others: a line, perhaps with intervals, and a place that is marked."""

    title: str
    xs: Sequence[float]
    ys: Sequence[float]
    intervals: Sequence[Interval] = ()
    marked: float | None = None
    mark: str = ""
    """What stands at the marked place."""


@_drawing
def panels(
    some: Sequence[Panel],
    columns: int,
    labels: tuple[str, str],
    ys: Interval | None = None,
    middle: float | None = None,
    percent: bool = False,
    size: tuple[float, float] = (2.5, 1.75),
) -> str:
    """Draw panels of a size side by side, all on the same scale."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, PercentFormatter, StrMethodFormatter

    lines = -(-len(some) // columns)
    figure = Figure(figsize=(size[0] * columns, size[1] * lines + 0.3), layout="constrained")
    grid = figure.subplots(lines, columns, squeeze=False, sharex=True, sharey=True).ravel()
    for axes in grid[len(some) :]:
        axes.axis("off")
    for axes, panel in zip(grid, some, strict=False):
        _plain(axes, 8)
        _draw_panel(axes, panel)
        axes.grid(color=LINE, linewidth=0.5)
        if middle is not None:
            axes.axhline(middle, color=FAINT, linewidth=0.8, linestyle=(0, (3, 3)))
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        axes.yaxis.set_major_formatter(PercentFormatter(1, 0) if percent else StrMethodFormatter("{x:,g}"))
    if ys:
        grid[0].set_ylim(*ys)
    figure.supxlabel(labels[0], fontsize=9, color=FAINT)
    figure.supylabel(labels[1], fontsize=9, color=FAINT)
    return _svg(figure)


def _draw_panel(axes: Axes, panel: Panel) -> None:
    axes.set_title(panel.title, fontsize=9, color=INK, loc="left")
    axes.plot(panel.xs, panel.ys, "o-", color=GOOD, markersize=3, linewidth=1.2)
    for x, interval in zip(panel.xs, panel.intervals, strict=False):
        axes.plot([x, x], interval, color=GOOD, linewidth=1, alpha=0.6)
    if panel.marked is not None:
        axes.axvline(panel.marked, color=BAD, linewidth=1, linestyle=(0, (3, 2)))
        side, away = ("left", 4) if panel.marked <= sum(panel.xs) / len(panel.xs) else ("right", -4)
        where: dict[str, Any] = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points"}
        axes.annotate(
            panel.mark, (panel.marked, 0.86), xytext=(away, 0), ha=side, color=BAD, fontsize=8, **where
        )


@_drawing
def heat(
    rows: Sequence[str],
    columns: Sequence[str],
    tints: Sequence[Sequence[float | None]],
    texts: Sequence[Sequence[str]],
) -> str:
    """Draw a matrix; a tint from -1 to 1 colours a cell from bad to good, none leaves it empty."""
    from matplotlib.patches import Rectangle

    beside, above = _extra(rows, 10), _extra(columns, 10)
    # Names above the matrix lean by 60 degrees.
    width = 1.4 + 0.44 * len(columns) + beside + 0.5 * above
    figure, axes = _figure(width, 1.0 + 0.27 * len(rows) + 0.87 * above)
    for y, line in enumerate(tints):
        for x, tint in enumerate(line):
            if tint:
                box = Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, linewidth=0, clip_on=False)
                box.set_facecolor(GOOD if tint > 0 else BAD)
                box.set_alpha(round(min(0.6, 0.6 * abs(tint)), 2))
                axes.add_patch(box)
            if texts[y][x]:
                _write(axes, x, y, texts[y][x])
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), labels=list(map(_called, rows)))
    axes.set_xticks(
        range(len(columns)),
        labels=list(map(_called, columns)),
        rotation=60,
        ha="left",
        rotation_mode="anchor",
    )
    axes.xaxis.tick_top()
    return _svg(figure)


def _write(axes: Any, x: int, y: int, text: str) -> None:
    axes.text(x, y, text, ha="center", va="center", fontsize=7.5, color=INK)
