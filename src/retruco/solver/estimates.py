"""A measured number and how sure it is."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

NORMAL_95: Final = 1.959964
"""Half the width of a 95 % interval, in standard errors."""


class Estimate(NamedTuple):
    """A mean with half the width of its 95 % interval; 0 if it is exact."""

    mean: float
    margin: float

    def __str__(self) -> str:
        return f"{self.mean:+.4f} ± {self.margin:.4f}" if self.margin else f"{self.mean:+.5f}"


def estimate_mean(values: NDArray[np.float64]) -> Estimate:
    """The mean of independent values.

    >>> print(estimate_mean(np.array([0.0, 1.0, 0.0, 1.0])))
    +0.5000 ± 0.5658
    """
    error = float(values.std(ddof=1)) / len(values) ** 0.5
    return Estimate(float(values.mean()), NORMAL_95 * error)
