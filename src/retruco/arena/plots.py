"""The drawings of a report, as SVG text with named colours; matplotlib is loaded when one is made."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from retruco.arena.stats import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAMED: Final = {"#010203": "ink", "#010204": "faint", "#010205": "line", "#010206": "good", "#010207": "bad"}
"""Colours that stand for names until the drawing is written."""
INK, FAINT, LINE, GOOD, BAD = NAMED


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.set_facecolor("none")
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(colors=INK, length=0, labelsize=9)
    return figure, axes


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


def whiskers(
    names: Sequence[str],
    values: Sequence[float],
    intervals: Sequence[Interval],
    label: str,
    middle: float,
    percent: bool = False,
) -> str:
    """Draw a value with its interval for everybody, the first on top; what beats the middle is blue."""
    figure, axes = _figure(4.8, 0.9 + 0.24 * len(names))
    for place, (value, (low, high)) in enumerate(zip(values, intervals, strict=True)):
        colour = GOOD if low > middle else BAD if high < middle else FAINT
        axes.plot([low, high], [place, place], color=colour, linewidth=2, solid_capstyle="round")
        axes.plot([value], [place], "o", color=colour, markersize=5)
    axes.axvline(middle, color=LINE, linewidth=1, zorder=0)
    axes.set_yticks(range(len(names)), labels=list(names))
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlabel(label, color=FAINT, fontsize=9)
    axes.grid(axis="x", color=LINE, linewidth=0.5)
    axes.set_axisbelow(True)
    if percent:
        from matplotlib.ticker import PercentFormatter

        axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    return _svg(figure)


def heat(
    rows: Sequence[str],
    columns: Sequence[str],
    tints: Sequence[Sequence[float | None]],
    texts: Sequence[Sequence[str]],
) -> str:
    """Draw a matrix; a tint from -1 to 1 colours a cell from bad to good, none leaves it empty."""
    from matplotlib.patches import Rectangle

    figure, axes = _figure(1.4 + 0.44 * len(columns), 1.0 + 0.27 * len(rows))
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
    axes.set_yticks(range(len(rows)), labels=list(rows))
    axes.set_xticks(range(len(columns)), labels=list(columns), rotation=60, ha="left", rotation_mode="anchor")
    axes.xaxis.tick_top()
    return _svg(figure)


def _write(axes: Any, x: int, y: int, text: str) -> None:
    axes.text(x, y, text, ha="center", va="center", fontsize=7.5, color=INK)
