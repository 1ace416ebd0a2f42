"""The data types of the cycle: problem, row, match, choice, decision, verdict.

A `Decision` carries everything that explains it: its questions, their evidence (built on demand),
the scores, the revisions and a reason. The reason is a key with values; the terminal and the web turn
it into a sentence.

>>> Decision("quero", reason="strong-hand", values={"points": 31}).as_json()["reason"]
'strong-hand'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol

from retruco.cbr.similarity import Part
from retruco.notebook import table_html, text_html

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
"""A value that can be written as JSON."""

MOST_IN_NOTEBOOK: Final = 10
"""How many matches a notebook shows of each question."""

NOTHING: Final[Mapping[str, Json]] = MappingProxyType({})
NOTHING_ADAPTED: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Problem:
    """The query of one question: the codes of a scenario's visible features, in their order."""

    scenario: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One question with its answer and its result.

    Its id is (episode, question), which stays the same while the base grows or shrinks.
    """

    problem: Problem
    action: str
    credit: int
    hindsight: tuple[int, ...]
    episode: int
    question: int


@dataclass(frozen=True, slots=True)
class Match:
    """A retrieved row, with its similarity to the query and its cluster at the time of retrieval."""

    episode: int
    question: int
    similarity: float
    action: str
    credit: int
    cluster: int
    values: tuple[int, ...]
    compare: Callable[[tuple[int, ...]], tuple[Part, ...]] = field(repr=False, compare=False)

    @property
    def won(self) -> bool:
        """Whether the episode's balance was positive."""
        return self.credit > 0

    @property
    def parts(self) -> tuple[Part, ...]:
        """The similarity of each attribute."""
        return self.compare(self.values)

    def as_json(self) -> dict[str, Json]:
        """Return the match as plain data."""
        return {
            "case": f"{self.episode}.{self.question}",
            "similarity": self.similarity,
            "action": self.action,
            "won": self.won,
            "points": self.credit,
            "cluster": self.cluster,
        }


class Pick(NamedTuple):
    """What a criterion chose among items (clusters or actions), and by which rule."""

    chosen: str | int
    rule: str
    scores: Mapping[str, float] | Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Choice:
    """What reuse proposes: the answer, if there is any experience, and the picks that led to it."""

    answer: str | None
    picks: tuple[Pick, ...] = ()
    adapted: Mapping[str, str] = field(default_factory=lambda: NOTHING_ADAPTED)
    """Actions of cases that count as another here: a card that is gone counts as the nearest one left."""

    def label(self, action: str) -> str:
        """What an action of a case counts as here.

        >>> Choice("low", adapted={"medium": "low"}).label("medium")
        'low'
        """
        return self.adapted.get(action, action)

    @property
    def rule(self) -> str:
        """The rule that decided last, or `no-experience`."""
        return self.picks[-1].rule if self.picks else "no-experience"

    @property
    def scores(self) -> Mapping[str, float]:
        """The scores of the actions."""
        return {str(item): score for item, score in self.picks[-1].scores.items()} if self.picks else {}

    @property
    def cluster(self) -> int | None:
        """The cluster picked first, in a model of two steps."""
        chosen = self.picks[0].chosen if len(self.picks) > 1 else None
        return chosen if isinstance(chosen, int) else None

    @property
    def cluster_scores(self) -> Mapping[str, float]:
        """The scores of the clusters, in a model of two steps."""
        two_steps = len(self.picks) > 1
        return {str(item): score for item, score in self.picks[0].scores.items()} if two_steps else {}


class Evidence(Protocol):
    """The retrieved rows behind an answer; matches are built on demand."""

    @property
    def matches(self) -> Sequence[Match]:
        """The retrieved rows, most similar first."""

    def as_json(self) -> dict[str, Json]:
        """Return the evidence as plain data, matches included."""


@dataclass(frozen=True, slots=True)
class QuestionRecord:
    """One question of a decision: its problem, its answer, the choice and the evidence."""

    problem: Problem
    answer: str | None
    choice: Choice = field(default_factory=lambda: Choice(None))
    evidence: Evidence | None = field(default=None, compare=False)

    @property
    def scenario(self) -> str:
        """The kind of question."""
        return self.problem.scenario

    @property
    def matches(self) -> Sequence[Match]:
        """The retrieved rows, most similar first."""
        return self.evidence.matches if self.evidence else ()

    @property
    def supporters(self) -> list[Match]:
        """The retrieved rows that speak for the proposed answer, of the cluster that was picked if there is one."""
        choice = self.choice
        return [
            match
            for match in self.matches
            if choice.label(match.action) == choice.answer and choice.cluster in (None, match.cluster)
        ]

    def as_json(self) -> dict[str, Json]:
        """Return the question as plain data, evidence included."""
        return {
            "scenario": self.scenario,
            "answer": self.answer,
            "rule": self.choice.rule,
            "scores": dict(self.choice.scores),
            "cluster": self.choice.cluster,
            "clusters": dict(self.choice.cluster_scores),
            **(self.evidence.as_json() if self.evidence else {}),
        }

    def _repr_html_(self) -> str:
        """For notebooks: the question, the scores, and its cases."""
        scores = ", ".join(f"{action} {score:.3g}" for action, score in self.choice.scores.items())
        line = f"{self.scenario}: {self.answer} ({self.choice.rule}{': ' + scores if scores else ''})"
        return text_html(line) + matches_html(self.matches)


def matches_html(matches: Sequence[Match]) -> str:
    """For notebooks: the most similar of some matches, and how many there are."""
    rows = [
        (f"{match.episode}.{match.question}", f"{match.similarity:.1%}", match.action, f"{match.credit:+}")
        for match in matches[:MOST_IN_NOTEBOOK]
    ]
    count = text_html(f"{len(matches)} cases{', the most similar ones:' if len(matches) > len(rows) else ''}")
    return count + (table_html(("case", "similarity", "action", "points"), rows) if rows else "")


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision rule that fired: the action before and after, and the values of its reason."""

    rule: str
    before: str
    after: str
    values: Mapping[str, Json] = field(default_factory=lambda: NOTHING)

    def as_json(self) -> dict[str, Json]:
        """Return the revision as plain data."""
        return {"rule": self.rule, "before": self.before, "after": self.after, "values": dict(self.values)}


@dataclass(frozen=True, slots=True)
class Decision:
    """An action with its explanation; a scripted player gives only an action and a reason."""

    action: str
    reason: str = ""
    values: Mapping[str, Json] = field(default_factory=lambda: NOTHING)
    asked: tuple[QuestionRecord, ...] = ()
    revised_by: tuple[Revision, ...] = ()

    def _repr_html_(self) -> str:
        """For notebooks: the action, and each question with its cases."""
        values = ", ".join(f"{name} {value}" for name, value in self.values.items())
        parts = [text_html(f"{self.action}{f': {self.reason}' if self.reason else ''} {values}".strip())]
        parts += [question._repr_html_() for question in self.asked]
        parts += [
            text_html(f"{rule.rule}: {rule.after} instead of {rule.before}") for rule in self.revised_by
        ]
        return "".join(parts)

    def as_json(self) -> dict[str, Json]:
        """Return the decision as plain data; this builds the matches."""
        return {
            "action": self.action,
            "reason": self.reason,
            "values": dict(self.values),
            "asked": [question.as_json() for question in self.asked],
            "revised_by": [revision.as_json() for revision in self.revised_by],
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether to keep an episode, and why; decided before anything is stored."""

    keep: bool
    why: str
    replaces: tuple[int, ...] = ()
    """Episodes that this one replaces."""
