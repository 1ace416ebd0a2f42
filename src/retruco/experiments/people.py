"""The people of the web table: what they won and lost against agents, and what they said of them.

Matches count that were begun for real and played to the end on this machine's table. Nobody is
asked a questionnaire yet; `QUESTIONS` is what the dissertation asked, from 1 to 5, for when somebody is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from retruco.storage.store import home
from retruco.web.live import LiveMatch
from retruco.web.store import Store

QUESTIONS: Final = ("competence", "coherence", "predictability", "fun")


def people_against(agents: Sequence[str], file: Path | None = None) -> list[dict[str, Any]]:
    """Sum up, agent by agent, the matches that people played against some agents."""
    file = file or home() / "table.sqlite"
    found: dict[str, list[int]] = {name: [] for name in agents}
    if file.exists():
        store = Store(file)
        try:
            for match in store.played_out():
                seat = next((seat for seat, one in enumerate(match.sitters) if one.agent in found), None)
                if seat is not None and match.sitters[1 - seat].visitor is not None:
                    agent = match.sitters[seat].agent
                    assert agent is not None
                    found[agent].append(_difference(LiveMatch(match, store), seat))
        finally:
            store.close()
    return [_told(name, differences) for name, differences in found.items() if differences]


def _difference(match: LiveMatch, seat: int) -> int:
    """By how many points a seat won a match, or lost it."""
    return sum(hand.gains[seat] - hand.gains[1 - seat] for hand in match.table.hands)


def _told(name: str, differences: Sequence[int]) -> dict[str, Any]:
    won, lost = ([one for one in differences if one > 0], [one for one in differences if one < 0])
    return {
        "agent": name,
        "matches": len(differences),
        "wins": len(won),
        "mean_in_wins": sum(won) / len(won) if won else None,
        "mean_in_losses": sum(lost) / len(lost) if lost else None,
    }
