"""Draw the pictures of `docs/explanation/case-based-reasoning.md` from a real decision.

python docs/explanation_pictures.py
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean
from typing import Any, Final

import matplotlib as mpl

mpl.use("svg")
mpl.rcParams.update({"svg.hashsalt": "retruco", "svg.fonttype": "none", "font.size": 11})

from matplotlib import pyplot as plt  # noqa: E402  the kind of output is chosen first
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch  # noqa: E402

from retruco.agents.registry import find_agent  # noqa: E402
from retruco.cbr.case import QuestionRecord  # noqa: E402
from retruco.games.records import replay  # noqa: E402
from retruco.learning.case_bases import cases_named  # noqa: E402
from retruco.streams import Stream  # noqa: E402

IMAGES: Final = Path(__file__).parent / "images"
HAND: Final = {
    "game": "truco",
    "rules": "cbtg",
    "target": 24,
    "scores": [11, 9],
    "mao": 1,
    "hands": [["7e", "3e", "12c"], ["1b", "3c", "4o"]],
    "actions": ["envido"],
}
"""Seat 0 holds 30 points of envido and is asked to answer an envido."""

WINE, FELT, PAPER, INK, GREY = "#7c1f2d", "#2c6b4a", "#fffaf0", "#2b2118", "#b9a993"
COLOURS: Final = {
    "quero": FELT,
    "nao-quero": WINE,
    "envido": "#b4531b",
    "real-envido": "#0b57d0",
    "falta-envido": "#6b4226",
}
STEPS: Final = (
    ("Retrieve", "find the cases\nmost like this situation", (0.5, 0.84)),
    ("Reuse", "choose an answer by what\nthose cases did and gained", (0.84, 0.5)),
    ("Revise", "let rules replace an answer\nthat makes no sense here", (0.5, 0.16)),
    ("Retain", "keep what the hand\nhas taught", (0.16, 0.5)),
)
"""The steps of the cycle: name, what it does, and where it is drawn."""
ARROWS: Final = (
    ((0.667, 0.84), (0.84, 0.592)),
    ((0.84, 0.408), (0.667, 0.16)),
    ((0.333, 0.16), (0.16, 0.408)),
    ((0.16, 0.592), (0.333, 0.84)),
)
"""From the edge of each step to the edge of the next."""


def main() -> None:
    """Draw all pictures."""
    question = decide()
    save("cbr-cycle", draw_cycle())
    save("cbr-retrieve", draw_retrieval(question))
    save("cbr-reuse", draw_reuse(question))


def decide() -> QuestionRecord:
    """Let an agent that remembers answer the envido; give the question with its cases."""
    agent = find_agent("NPS", "truco", cases_named("baseline"))
    decision: Any = agent.decide(replay(HAND).observe(0), Stream("pictures"))
    record: QuestionRecord = decision.asked[-1]
    return record


def draw_cycle() -> Figure:
    """The four steps around the case base."""
    figure, axes = plt.subplots(figsize=(9.5, 6))
    axes.set_axis_off()
    for name, text, (x, y) in STEPS:
        draw_box(axes, x, y, name, text)
    draw_box(axes, 0.5, 0.5, "Case base", "situations, answers,\nwhat they gained", FELT)
    for start, end in ARROWS:
        draw_arrow(axes, start, end, "arc3,rad=-0.3")
    axes.text(0.5, 1.0, "a new situation", ha="center", color=INK)
    draw_arrow(axes, (0.5, 0.99), (0.5, 0.93))
    axes.text(0.74, 0.04, "an action", ha="left", color=INK)
    draw_arrow(axes, (0.665, 0.1), (0.735, 0.06))
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(0, 1.05)
    return figure


def draw_box(axes: Axes, x: float, y: float, name: str, text: str, colour: str = WINE) -> None:
    """A step of the cycle, centred at a point."""
    box = FancyBboxPatch(
        (x - 0.15, y - 0.075), 0.3, 0.15, boxstyle="round,pad=0.015", fc=PAPER, ec=colour, lw=2
    )
    axes.add_patch(box)
    axes.text(x, y + 0.045, name, ha="center", va="center", weight="bold", color=colour)
    axes.text(x, y - 0.025, text, ha="center", va="center", size=9, color=INK)


def draw_arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], curve: str = "arc3") -> None:
    """An arrow from one point to another."""
    style: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 16, "color": INK, "zorder": 0}
    axes.add_patch(FancyArrowPatch(start, end, connectionstyle=curve, shrinkA=0, shrinkB=0, **style))


def draw_retrieval(question: QuestionRecord) -> Figure:
    """The retrieved cases: how similar they are, what was done and what it gained."""
    matches = question.matches
    figure, axes = plt.subplots(figsize=(8, 4.2))
    counts = Counter((match.action, match.similarity * 100, match.credit) for match in matches)
    for (action, similarity, credit), count in counts.items():
        beside = 0.03 * (list(COLOURS).index(action) - 1.5)
        axes.scatter(similarity + beside, credit, s=22 * count, color=COLOURS[action], alpha=0.75, lw=0)
    for action in sorted({match.action for match in matches}):
        axes.scatter([], [], s=34, color=COLOURS[action], label=action)
    axes.set_xlabel("similarity to the question, %")
    axes.set_ylabel("points gained (a larger dot: more cases)")
    axes.axhline(0, color=GREY, lw=0.8)
    axes.legend(title="what was done", frameon=False)
    axes.set_title(f"{len(matches)} cases retrieved for “{question.problem.scenario}”", loc="left", color=INK)
    return figure


def draw_reuse(question: QuestionRecord) -> Figure:
    """The mean points of each answer, as counted and as the criterion scores it."""
    points = defaultdict(list)
    for match in question.matches:
        points[match.action].append(match.credit)
    actions = sorted(points, key=lambda action: mean(points[action]))
    figure, axes = plt.subplots(figsize=(8, 0.9 + 0.7 * len(actions)))
    for row, action in enumerate(actions):
        score = question.choice.scores.get(action)
        axes.barh(row, mean(points[action]), height=0.55, color=COLOURS[action], alpha=0.85)
        label = f"  {len(points[action])} cases" + (
            f", score {score:+.2f}" if score is not None else ", too few"
        )
        axes.text(max(mean(points[action]), 0), row, label, va="center", color=INK)
    axes.set_yticks(range(len(actions)), actions)
    axes.set_xlabel("mean points")
    axes.margins(x=0.35)
    axes.axvline(0, color=GREY, lw=0.8)
    axes.set_title(f"The criterion NP answers “{question.answer}”", loc="left", color=INK)
    return figure


def save(name: str, figure: Figure) -> None:
    """Write a picture that is the same bytes each time."""
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(IMAGES / f"{name}.svg", bbox_inches="tight", facecolor=PAPER, metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    main()
