"""The generalised case: what similar cases brought, strategy by strategy (Sandven and Tessem 2006).

Table 3 of the paper, as data: for every strategy the result, how often it was taken, won and
lost, with the sums of the group that plays and of all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from retruco.cbr.case import Json
from retruco.cbr.summary import EMPTY, Summary, Tally


@dataclass(frozen=True, slots=True)
class Generalised:
    """A retrieval summed up by strategy; `playing` names the group that is compared."""

    tallies: Mapping[str, Tally]
    playing: tuple[str, ...]

    @classmethod
    def of(cls, summary: Summary, playing: Sequence[str]) -> Generalised:
        """Sum a retrieval up."""
        return cls({name: summary.by_action.get(name, EMPTY) for name in summary.actions}, tuple(playing))

    def joined(self, names: Sequence[str]) -> Tally:
        """Add up the tallies of some strategies."""
        whole = EMPTY
        for name in names:
            whole = whole.plus(self.tallies[name])
        return whole

    @property
    def rows(self) -> int:
        """How many cases were found."""
        return sum(tally.rows for tally in self.tallies.values())

    def means(self) -> dict[str, float]:
        """The mean result of every strategy of the playing group that was ever taken."""
        taken = {name: self.tallies[name] for name in self.playing if self.tallies[name].rows}
        return {name: tally.points / tally.rows for name, tally in taken.items()}

    def best(self) -> tuple[str, float] | None:
        """The strategy of the playing group with the best mean result; the closer cases break ties."""
        means = self.means()
        if not means:
            return None
        name = max(means, key=lambda one: (means[one], self.tallies[one].closeness))
        return name, means[name]

    def as_json(self) -> list[dict[str, Json]]:
        """The table as plain data, sums last."""
        lines = {
            **self.tallies,
            "sum of play": self.joined(self.playing),
            "sum": self.joined(list(self.tallies)),
        }
        return [
            {
                "strategy": name,
                "result": tally.points,
                "mean": round(tally.points / tally.rows, 3) if tally.rows else None,
                "frequency": tally.rows,
                "wins": tally.wins,
                "losses": tally.rows - tally.wins - tally.draws,
            }
            for name, tally in lines.items()
        ]
