"""The curve of a run: how far the solver was at each checkpoint, how strong and how exploitable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from retruco.solver.estimates import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """A checkpoint."""

    iterations: int
    seconds: float
    """How long the solver had learnt, all runs together; measuring does not count."""
    infosets: int
    strength: Estimate | None = None
    """What the strategy wins a hand from that of the last checkpoint."""
    exploitability: Estimate | None = None
    merging: float = 0.0
    """How many of the seconds went into adding up what several workers had learnt."""

    def __str__(self) -> str:
        words = [f"{self.infosets:,} information sets"]
        if self.strength is not None:
            words.append(f"{self.strength} a hand against the last checkpoint")
        if self.exploitability is not None:
            words.append(f"exploitability {str(self.exploitability).removeprefix('+')} a hand")
        return ", ".join(words)


Curve = Sequence[CurvePoint]


def write_curve(curve: Curve) -> list[dict[str, Any]]:
    """A curve as plain data."""
    return [asdict(point) for point in curve]


def read_curve(plain: object) -> list[CurvePoint]:
    """Read a curve back; raise `TypeError` or `AttributeError` on anything else."""
    if not isinstance(plain, list):
        raise TypeError(f"a curve is a list, not {type(plain).__name__}")
    return [read_point(point) for point in plain]


def read_point(plain: dict[str, Any]) -> CurvePoint:
    """Read one point."""
    estimates = {
        name: Estimate(*plain[name]) for name in ("strength", "exploitability") if plain.get(name) is not None
    }
    return CurvePoint(**{**plain, **estimates})
