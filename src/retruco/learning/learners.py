"""Who learns how: the bots of Moral (2020) and the imitation of Paulus (2020), as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final, Self

TEN_BEST: Final = (
    "PVCS", "PVS", "NPCS", "NPS", "NPCPVS", "MJCNPS", "PLCNPS", "PVCNPS", "PVCMJS", "PVCPLS",
)  # fmt: skip
"""The ten best policies of Paulus (2020), from whom imitation draws its players."""

EVERYTHING: Final = "everything"
"""The strategy that retains every hand in which something was asked."""

ONE_BY_ONE: Final = "substitution-one"
"""The strategy in which one case goes for one that comes."""

COMPETENCE: Final = "competence"
"""By what a base at its limit forgets if nothing else is said."""

FIRST_HANDS: Final = 513
"""The hands with which the bots of Moral (2020) begin."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How somebody learns; it prints itself, and a run keeps it to go on by."""

    learner: str
    """The name under which it is asked for."""
    strategy: str
    policies: tuple[str, ...]
    """Who plays with the growing base; one is drawn for every match."""
    against: str | None = None
    """A fixed opponent, who remembers the starting base; without one, another of the policies."""
    origin: str = "played"
    """Where its hands come from, as the store says it."""
    staged: bool = False
    """Whether a hand is judged and kept for envido, flor and truco apart."""
    first: int | None = None
    """How many hands of the other base it begins with; all if not said."""
    tutor: str | None = None
    """Who shows moves: an agent's name, or `person`."""
    rare: tuple[str, ...] = ()
    """Rare situations that are dealt on purpose."""
    every: int = 4
    """Every how many hands a rare situation is dealt."""
    bluffs: float = 0.0
    """How often a bluff is tried where the base has few cases of one."""
    seed: int = 1
    game: str = "truco"
    tries: float = 0.0
    """How often another answer is tried than experience would give, in games that explore."""
    vocabulary: int | None = None
    """The version of the vocabulary that hands are judged in; the first if none is named."""
    player: str | None = None
    """Who plays for the base where its worth is measured; one of the policies if nobody is named."""
    limit: int | None = None
    """How many entries with rows the base may have; no limit if not said."""
    forget: str = COMPETENCE
    """By what a base at its limit forgets: use, competence or harm."""

    def as_json(self) -> dict[str, Any]:
        """The plan as plain data."""
        return asdict(self)

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Self:
        """Read a plan from plain data.

        >>> Plan.of(plan_for("BOT1").as_json()) == plan_for("BOT1")
        True
        """
        lists = {key: tuple(value) for key, value in plain.items() if isinstance(value, list)}
        return cls(**{**plain, **lists})

    @property
    def sentence(self) -> str:
        """The plan in a sentence, for the note of a base."""
        others = f" of {' '.join(self.policies)}" if self.policies != (self.learner,) else ""
        how = f"{others} against {self.against}" if self.against else f" by self-play{others}"
        tutor = f", {self.tutor} as tutor" if self.tutor else ""
        dealt = f", one hand in {self.every} dealt for {' or '.join(self.rare)}" if self.rare else ""
        bluffs = f", bluffs tried one time in {1 / self.bluffs:g}" if self.bluffs else ""
        limit = f", at most {self.limit:,} cases, forgetting by {self.forget}" if self.limit else ""
        return f"{self.learner}{how}{tutor}, seed {self.seed}{dealt}{bluffs}{limit}"


def _bot(number: int, strategy: str, **more: Any) -> Plan:
    name = f"BOT{number}"
    return Plan(name, strategy, (name,), "BOT0", staged=True, first=FIRST_HANDS, **more)


BOTS: Final = (
    _bot(0, "never"),
    _bot(1, "new"),
    _bot(2, "substitution"),
    _bot(3, "new"),
    _bot(4, "substitution"),
    _bot(5, "taught", origin="taught", tutor="balanced"),
)
IMITATION: Final = Plan("imitation", "imitation", TEN_BEST, origin="imitated")

EXPERT: Final = Plan(
    "expert",
    "expert",
    ("solver",),
    origin="taught",
    first=0,
    rare=("flor", "flor-flor"),
    every=12,
    vocabulary=2,
    player="PLS-2",
)
"""Hands of an expert, who plays itself and others."""

PLANS: Final[Mapping[str, Plan]] = {
    **{one.learner: one for one in BOTS},
    **{one.strategy: replace(one, learner=one.strategy) for one in (BOTS[0], BOTS[1], BOTS[2], BOTS[5])},
    ONE_BY_ONE: replace(BOTS[2], learner=ONE_BY_ONE, strategy=ONE_BY_ONE),
    "imitation": IMITATION,
    "expert": EXPERT,
}
"""Every plan there is by name: a bot's, or a strategy's own with the bot that goes by it."""


def plan_for(name: str, **changes: Any) -> Plan:
    """Find a plan of Truco by name, with some things done differently.

    >>> print(plan_for("BOT3", seed=7, rare=("flor",)).sentence)
    BOT3 against BOT0, seed 7, one hand in 4 dealt for flor
    >>> plan_for("osmosis")
    Traceback (most recent call last):
    ...
    ValueError: unknown strategy 'osmosis': one of BOT0, BOT1, BOT2, BOT3, BOT4, BOT5, never, new, substitution, taught, substitution-one, imitation, expert
    """
    return plan_among(PLANS, name, **changes)


def plan_among(plans: Mapping[str, Plan], name: str, **changes: Any) -> Plan:
    """Find one of these plans by name, with some things done differently."""
    if name not in plans:
        raise ValueError(f"unknown strategy {name!r}: one of {', '.join(plans)}")
    known = {field.name for field in fields(Plan)}
    assert changes.keys() <= known, f"a plan has no {changes.keys() - known}"
    return replace(plans[name], **changes)
