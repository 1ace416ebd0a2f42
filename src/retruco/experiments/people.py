"""The people of the web table: what they won and lost against agents, and what they said of them.

Matches count that were begun for real and played to the end on this machine's table.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from retruco.storage.store import home
from retruco.web.core.store import Store
from retruco.web.lab.questionnaire import summary


def people_against(agents: Sequence[str], file: Path | None = None) -> list[dict[str, Any]]:
    """Sum up, agent by agent, the matches that people played against some agents, and their answers."""
    file = file or home() / "table.sqlite"
    if not file.exists():
        return []
    store = Store(file)
    try:
        found = {one["agent"]: one for one in summary(store)}
    finally:
        store.close()
    return [found[name] for name in agents if name in found]
