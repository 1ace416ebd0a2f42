"""The elbow plots: how much is left within clusters for every number of them, and the one chosen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from retruco.storage.deriving import Elbow
from retruco.storage.library import Base

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS: Final = 3
LINE, CHOSEN, QUIET = "#33658a", "#c8553d", "#666666"


def draw_elbows(base: Base, folder: Path) -> Path:
    """Draw a panel per scenario into one SVG and say where it is."""
    import matplotlib as mpl  # slow to import, and only pictures need it
    from matplotlib.figure import Figure

    rows = -(-len(base.elbows) // COLUMNS)
    picture = folder / "elbows.svg"
    # Text stays text; without a date or random names, the same base gives the same picture.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "retruco", "font.size": 9}):
        figure = Figure(figsize=(10, 2.1 * rows + 0.8), layout="constrained")
        axes = figure.subplots(rows, COLUMNS, squeeze=False, sharey=True).ravel()
        for panel, (scenario, elbow) in zip(axes, base.elbows.items(), strict=False):
            _draw(panel, scenario, elbow, base.cases.count(scenario))
        for empty in axes[len(base.elbows) :]:
            empty.axis("off")
        synthetic = " (synthetic)" if base.facts.synthetic else ""
        figure.supxlabel("number of clusters (K)", fontsize=9)
        figure.suptitle(f"Elbows of {base.name}{synthetic}: squares within clusters, as a share of the most")
        figure.savefig(picture, metadata={"Date": None})
    return picture


def _draw(panel: Axes, scenario: str, elbow: Elbow, rows: int) -> None:
    most = max(elbow.curve.values()) or 1.0
    k = elbow.clustering.k
    panel.plot(
        list(elbow.curve), [within / most for within in elbow.curve.values()], "o-", color=LINE, ms=3, lw=1
    )
    panel.axvline(k, color=CHOSEN, lw=1, ls="--")
    side, away = ("left", 4) if k < 7 else ("right", -4)
    panel.annotate(f"K = {k}", (k, 0.88), xytext=(away, 0), textcoords="offset points", ha=side, color=CHOSEN)
    panel.set_title(f"{scenario} · {rows:,} rows", fontsize=9, color=QUIET, loc="left")
    panel.set_ylim(0, 1.05)
    panel.set_xticks(list(elbow.curve))
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)
