"""The configuration of a laboratory job: the screen of Paulus (2020, figure 8) as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from retruco.agents.truco.policies import NAMED
from retruco.agents.truco.readings import MARK, change_reading
from retruco.web.views.truco import SCRIPTED

SETTINGS, PROGRESS = "settings.json", "progress.json"
"""The files by which a job is told what to do, and tells how far it is."""
CRITERIA: Final = ("MJ", "PL", "PV", "NP")
CBR: Final = "cbr"
"""The technique of remembering; any other technique is a player by rule."""
LEARNING: Final = {"none": "", "imitation": "imitated", "new": "played"}
"""How a side may learn, and what the store calls hands that were kept that way."""
MOST_MATCHES: Final = 5000
MOST_SEED: Final = 2**31


@dataclass(frozen=True, slots=True)
class JobSide:
    """One set: whose hands it remembers, by which criteria it reuses them, and whether it learns."""

    base: str = "baseline"
    extra: str = "PV"
    """The criterion by which a cluster is chosen."""
    intra: str = "NP"
    """The criterion by which the solution is chosen."""
    clusters: bool = True
    """Without clusters the extra-cluster criterion is left out."""
    learning: str = "none"
    auto_k: bool = False
    technique: str = CBR
    reading: str = ""
    """How the policy is read, in the notation of `retruco.agents.truco.readings`; empty: as its name has it."""

    def __post_init__(self) -> None:
        for name in (self.extra, self.intra):
            if name not in CRITERIA:
                raise ValueError(f"unknown criterion {name!r}: one of {', '.join(CRITERIA)}")
        if self.learning not in LEARNING:
            raise ValueError(f"unknown way to learn {self.learning!r}: one of {', '.join(LEARNING)}")
        if self.technique not in (CBR, *SCRIPTED):
            raise ValueError(f"unknown technique {self.technique!r}: one of {', '.join((CBR, *SCRIPTED))}")
        if self.learning != "none" and not self.remembers:
            raise ValueError(f"{self.technique} does not remember, so it cannot learn")
        if self.reading:
            self._check_reading()

    def _check_reading(self) -> None:
        if not self.remembers:
            raise ValueError(f"{self.technique} does not remember, so it has no reading {self.reading!r}")
        chosen, usual = change_reading(NAMED[self.policy], self.reading), NAMED[self.policy]
        parts = ("similarity", "points", "score")
        if self.learning != "none" and any(getattr(chosen, part) != getattr(usual, part) for part in parts):
            raise ValueError(
                "a set that learns compares by similarity=mean, points=interval and score=ignored"
            )

    @property
    def vocabulary(self) -> int | None:
        """The version of the vocabulary that its cases are in; the first if none is named."""
        return change_reading(NAMED[self.policy], self.reading).vocabulary if self.reading else None

    @property
    def remembers(self) -> bool:
        """Whether it plays by a case base."""
        return self.technique == CBR

    @property
    def policy(self) -> str:
        """The policy of the twenty that the criteria name.

        >>> JobSide(extra="PV", intra="NP").policy, JobSide(intra="NP", clusters=False).policy, JobSide(extra="PV", intra="PV").policy
        ('PVCNPS', 'NPS', 'PVCS')
        """
        both = "" if self.extra == self.intra else self.intra
        return f"{self.extra}C{both}S" if self.clusters else f"{self.intra}S"

    @property
    def agent(self) -> str:
        """The agent that these choices name.

        >>> JobSide(reading="threshold=0.75+plain").agent
        'PVCNPS@threshold=0.75+plain'
        """
        if not self.remembers:
            return self.technique
        return f"{self.policy}{MARK}{self.reading}" if self.reading else self.policy

    @property
    def label(self) -> str:
        """What it is called in a report."""
        return f"{self.agent} on {self.base}" if self.remembers else self.agent


@dataclass(frozen=True, slots=True)
class JobConfig:
    """Two sets and a number of matches: played in duplicate or, if the first learns, one after the other."""

    first: JobSide
    second: JobSide
    matches: int = 10
    seed: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.matches <= MOST_MATCHES:
            raise ValueError(f"matches run from 1 to {MOST_MATCHES}, not {self.matches}")
        if self.second.learning != "none":
            raise ValueError("only the first set can learn: put the one that does first")

    def as_json(self) -> dict[str, Any]:
        """The work as plain data."""
        return asdict(self)

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Self:
        """Read work from plain data.

        >>> JobConfig.of(JobConfig(JobSide(), JobSide("other")).as_json()) == JobConfig(JobSide(), JobSide("other"))
        True
        """
        sides = {name: JobSide(**plain[name]) for name in ("first", "second")}
        return cls(**{**plain, **sides})
