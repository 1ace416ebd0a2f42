"""The report of `retruco solve`: the curve of a run as a page for people, with pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from retruco.arena.page import Cell, Heading, Page, Part, Picture, Table, Text
from retruco.arena.plots import Panel, panels
from retruco.arena.pool import LOCAL
from retruco.arena.report import duration, percent, write_page
from retruco.cli.commands.solving import SolveOptions
from retruco.solver.curve import Curve, CurvePoint
from retruco.solver.estimates import Estimate
from retruco.solver.training import Recorder

PANELS = (4.2, 2.4)
"""The size of a panel in inches."""
MILLION = 1_000_000


def write_report(folder: Path, recorder: Recorder, out: Path, options: SolveOptions) -> None:
    """Write report.html, report.md and the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    write_page(folder, report_page(recorder, out, options))


def report_page(recorder: Recorder, out: Path, options: SolveOptions) -> Page:
    """Show how a solution became what it is."""
    facts, curve = recorder.solver.facts, recorder.curve
    lead = (
        f"{facts.game.capitalize()} ({facts.rules} to {facts.target}), abstraction {facts.abstraction}: "
        f"{facts.iterations:,} iterations, {curve[-1].infosets:,} information sets, {duration(curve[-1].seconds)} of learning."
    )
    parts: list[Part] = [
        *curve_parts(curve, "exploitability", "Exploitability", EXPLOITABILITY),
        *curve_parts(curve, "strength", "Strength", STRENGTH),
        *infoset_parts(curve),
        *merging_parts(curve, options),
        Heading("All checkpoints"),
        Table(
            ("iterations", "seconds", "information sets", "against the last", "exploitability"),
            list(map(point_row, curve)),
        ),
        *how_parts(recorder, out, options),
    ]
    return Page(f"Solving {facts.rules}", lead, parts)


EXPLOITABILITY = (
    "What a best response wins more per hand than the strategy itself, in the mean of both seats, with 95 % intervals "
    "where it is estimated from a sample of hands. In an equilibrium it is zero."
)
STRENGTH = (
    "What the strategy of a checkpoint wins per hand from that of the checkpoint before, every deal played in both "
    "seats, with 95 % intervals. Where it is zero, more iterations make no difference that so few hands can show."
)


def curve_parts(curve: Curve, name: str, title: str, about: str) -> list[Part]:
    """One figure of the curve, against iterations and against time."""
    points = [point for point in curve if getattr(point, name) is not None]
    if not points:
        return [Heading(title), Text(f"{about} It was not measured in this run.")]
    estimates: list[Estimate] = [getattr(point, name) for point in points]
    drawn = [
        panel(f"{title} by {label}", list(map(scale, points)), estimates)
        for label, scale in scales(points).items()
    ]
    pictures = [
        Picture(f"{name}-{number}", draw_panel(one, label, "points per hand"), one.title)
        for number, (one, label) in enumerate(zip(drawn, scales(points), strict=True), 1)
    ]
    return [Heading(title), Text(about), *pictures]


def draw_panel(one: Panel, below: str, beside: str) -> str:
    """Draw a line on a scale that has its zero."""
    ends = [*one.ys, *(end for interval in one.intervals for end in interval), 0.0]
    room = 0.05 * (max(ends) - min(ends)) or 1.0
    return panels([one], 1, (below, beside), (min(ends) - room, max(ends) + room), 0.0, size=PANELS)


def panel(title: str, xs: Sequence[float], estimates: Sequence[Estimate]) -> Panel:
    """A line with intervals."""
    intervals = [(found.mean - found.margin, found.mean + found.margin) for found in estimates]
    return Panel(title, xs, [found.mean for found in estimates], intervals)


def scales(points: Curve) -> dict[str, Callable[[CurvePoint], float]]:
    """What is drawn below: iterations, in millions where there are many, and time, in minutes where it is long."""
    many, long = points[-1].iterations >= 2 * MILLION, points[-1].seconds >= 300
    return {
        "iterations (millions)" if many else "iterations": lambda point: (
            point.iterations / (MILLION if many else 1)
        ),
        "minutes" if long else "seconds": lambda point: point.seconds / (60 if long else 1),
    }


def infoset_parts(curve: Curve) -> list[Part]:
    """How many information sets had been met."""
    if len({point.infosets for point in curve}) == 1:
        return []
    label, scale = next(iter(scales(curve).items()))
    drawn = Panel("Information sets", list(map(scale, curve)), [point.infosets for point in curve])
    caption = "How many information sets the solver had met"
    picture = Picture("infosets", draw_panel(drawn, label, "information sets"), caption)
    return [Heading("Information sets"), picture]


def merging_parts(curve: Curve, options: SolveOptions) -> list[Part]:
    """What it cost that several workers learn in rounds."""
    merging, seconds = curve[-1].merging, curve[-1].seconds
    if options.workers == 1 and options.on == LOCAL:
        return []
    where = "this machine" if options.on == LOCAL else "a Ray cluster"
    return [
        Heading("Workers"),
        Text(
            f"{options.workers} workers on {where} learnt in rounds. {duration(merging)} of {duration(seconds)} "
            f"({percent(merging / seconds if seconds else 0.0)}) went into sending, waiting and adding up what they "
            f"had learnt; {duration(seconds - merging)} into learning."
        ),
    ]


def point_row(point: CurvePoint) -> list[Cell | str]:
    """A checkpoint in the table."""
    exploitability = "" if point.exploitability is None else str(point.exploitability).removeprefix("+")
    strength = "" if point.strength is None else str(point.strength)
    return [f"{point.iterations:,}", f"{point.seconds:,.1f}", f"{point.infosets:,}", strength, exploitability]


def how_parts(recorder: Recorder, out: Path, options: SolveOptions) -> list[Part]:
    """Where the solution came from."""
    facts = recorder.solver.facts
    rows = {
        "solution": f"{out.name}, {out.stat().st_size:,} bytes",
        "game version": facts.version,
        "information sets": facts.meaning,
        "seed": facts.seed,
        "workers": options.workers,
        "on": options.on,
    }
    return [
        Heading("How it was made"),
        Table(("", ""), [[name, Cell(str(value), wide=True)] for name, value in rows.items()]),
    ]
