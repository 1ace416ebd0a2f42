"""The words of the cycle: what was asked, what was remembered, what was decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Decision:
    """An action with the evidence that led to it."""

    action: str
    reason: str = ""
    """A key that names why; sentences are made where a person reads them."""
    values: Mapping[str, object] = field(default_factory=dict)
    """What the reason speaks of."""
