"""Readings: what a document leaves open about an agent that remembers, as a value that prints itself.

A reading is written after the name of an agent, its parts joined by `+`; what it does not name stays as the
name alone has it:

    PVCNPS@threshold=0.75+plain+revision=published

| part | choices |
|---|---|
| retrieval | `adaptive`, `adaptive=START-STEP-LEAST`, `threshold=SHARE`, `top=COUNT@SHARE` |
| search | `exact` or `two-step`: only the index group nearest to the question |
| criteria | `plain`, or with `support`: enough cases, scores pulled to the mean |
| `similarity=` | `mean` or `euclid`: how attributes combine |
| `points=` | `interval` or `equal`: how envido and flor points compare |
| `score=` | `ignored` or `compared`: whether both scores are attributes, too (Moral 2020, table I) |
| `revision=` | `none`, `published` (Paulus 2020, section 4.1.2), `ours`, or `sound`; none throws a hand away |
| `ties=` | `similarity`, `cases` or `order`: what decides between equal scores |
| `guard=` | `won`, `not-lost` or `none`: which actions the guarded majority counts |
| `unknown=` | `reuse`, or by `lot`: how a bet is answered with fewer than ten similar cases |

The published agents are names of readings; see `retruco.agents.truco.policies.NAMED`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, get_args

from retruco.agents.case_based import Safeguard
from retruco.agents.truco.sound_play import SOUND_RULES
from retruco.cbr.modes import Adaptive, Mode, Threshold, Top
from retruco.cbr.reuse import Guard, Ties
from retruco.cbr.revise import Rule
from retruco.cbr.similarity import as_fraction
from retruco.vocab.truco import with_score
from retruco.vocab.truco.revision import ALL_RULES, ALWAYS_ON, PUBLISHED_RULES

GUARDED: Final = "guarded-majority"
"""The policy of Moral (2020)."""
MARK: Final = "@"
"""Separates the name of an agent from its reading."""
BETWEEN: Final = "+"

SIMILARITIES: Final = ("mean", "euclid")
POINTS: Final = ("interval", "equal")
SCORES: Final[Mapping[str, int | None]] = {"ignored": None, "compared": with_score.VERSION}
"""The vocabulary by which the score is compared or not."""
UNKNOWN: Final = ("reuse", "lot")
REVISIONS: Final[Mapping[str, tuple[Rule[Any], ...]]] = {
    "none": ALWAYS_ON,
    "published": PUBLISHED_RULES,
    "ours": ALL_RULES,
    "sound": ALL_RULES,
}


@dataclass(frozen=True, slots=True)
class Reading:
    """How an agent is read: the policy, and every choice that the documents leave open.

    >>> str(Reading("NPS", Threshold(0.75), support=False, revision="published"))
    'NPS@threshold=0.75+exact+plain+similarity=mean+points=interval+revision=published+ties=similarity'
    """

    policy: str
    """One of the twenty, or `guarded-majority`."""
    retrieval: Mode = Adaptive()  # noqa: RUF009  a frozen record, the same for all
    support: bool = True
    similarity: str = "mean"
    points: str = "interval"
    score: str = "ignored"
    revision: str = "ours"
    ties: Ties = "similarity"
    guard: Guard = "won"
    unknown: str = "reuse"

    @property
    def guarded(self) -> bool:
        """Whether it decides by the guarded majority."""
        return self.policy == GUARDED

    @property
    def rules(self) -> tuple[Rule[Any], ...]:
        """The rules of revision."""
        return REVISIONS[self.revision]

    @property
    def vocabulary(self) -> int | None:
        """The version of the vocabulary that its cases are in; the first if none is named."""
        return SCORES[self.score]

    @property
    def safeguards(self) -> tuple[Safeguard, ...]:
        """The rules that look at the whole table."""
        return SOUND_RULES if self.revision == "sound" else ()

    def parts(self) -> list[str]:
        """Every part in the order of the notation; the score only if it is compared."""
        search = "two-step" if self.retrieval.grouped else "exact"
        criteria = [] if self.guarded else ["support" if self.support else "plain"]
        score = ("score",) if self.score != "ignored" else ()
        bots_only = ("guard", "unknown") if self.guarded else ()
        named = ("similarity", "points", *score, "revision", "ties", *bots_only)
        return [
            write_retrieval(self.retrieval),
            search,
            *criteria,
            *(f"{name}={getattr(self, name)}" for name in named),
        ]

    def __str__(self) -> str:
        return self.policy + MARK + BETWEEN.join(self.parts())

    def shorten(self, name: str, usual: Reading) -> str:
        """Write it as another reading of a named agent: only the parts in which they differ.

        >>> Reading("NPS", support=False).shorten("NPS", Reading("NPS"))
        'NPS@plain'
        """
        changed = [part for part in self.parts() if part not in usual.parts()]
        return name + MARK + BETWEEN.join(changed) if changed else name


# Retrieval


def write_retrieval(mode: Mode) -> str:
    """Write a mode of retrieval as the notation has it.

    >>> write_retrieval(Top(10, 0.9)), write_retrieval(Adaptive(at_least=100))
    ('top=10@0.9', 'adaptive=0.98-0.02-100')
    """
    match mode:
        case Threshold(at_least=share):
            return f"threshold={float(as_fraction(share)):g}"
        case Top(k=count, at_least=share):
            return f"top={count}@{float(as_fraction(share)):g}"
        case Adaptive(start=start, step=step, at_least=least):
            usual = (start, step, least) == (Adaptive().start, Adaptive().step, Adaptive().at_least)
            return "adaptive" if usual else f"adaptive={start}-{step}-{least}"
    raise ValueError(f"{mode} has no notation")


def read_threshold(text: str) -> Mode:
    """Read the value of `threshold=`."""
    return Threshold(read_share(text))


def read_top(text: str) -> Mode:
    """Read the value of `top=`: a count and a share."""
    count, _, share = text.partition("@")
    return Top(read_count(count), read_share(share))


def read_adaptive(text: str) -> Mode:
    """Read the value of `adaptive=`: where it starts, the step, and how many cases are enough."""
    if not text:
        return Adaptive()
    start, step, least = text.split("-")
    found = Adaptive(read_share(start), read_share(step), read_count(least))
    found.levels()  # refuses a step of nothing
    return found


def read_share(text: str) -> float:
    """Read a share from 0 to 1."""
    share = float(text)
    if not 0 <= share <= 1:
        raise ValueError(f"{text} is no share from 0 to 1")
    return share


def read_count(text: str) -> int:
    """Read a number of cases."""
    count = int(text)
    if count < 1:
        raise ValueError(f"{text} is no number of cases")
    return count


RETRIEVALS: Final[Mapping[str, tuple[Callable[[str], Mode], str]]] = {
    "adaptive": (read_adaptive, "adaptive or adaptive=START-STEP-LEAST, as adaptive=0.98-0.02-5"),
    "threshold": (read_threshold, "threshold=SHARE, as threshold=0.75"),
    "top": (read_top, "top=COUNT@SHARE, as top=10@0.90"),
}
"""How the value of each kind of retrieval is read, and how it is written."""

# The notation

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "similarity": SIMILARITIES,
    "points": POINTS,
    "score": tuple(SCORES),
    "revision": tuple(REVISIONS),
    "ties": get_args(Ties),
    "guard": get_args(Guard),
    "unknown": UNKNOWN,
}
"""The parts that choose one word of several."""

WORDS: Final[Mapping[str, str]] = {
    "exact": "search",
    "two-step": "search",
    "plain": "criteria",
    "support": "criteria",
}
"""The parts that are one word, with what they choose."""


def change_reading(usual: Reading, text: str) -> Reading:
    """Read parts, joined by `+`, as changes to a reading.

    >>> change_reading(Reading("NPS"), "threshold=0.75+plain").shorten("NPS", Reading("NPS"))
    'NPS@threshold=0.75+plain'
    >>> change_reading(Reading("NPS"), "revision=strict")
    Traceback (most recent call last):
    ...
    ValueError: unknown revision 'strict' in the reading 'revision=strict': one of none, published, ours, sound
    """
    reading, chosen = usual, set[str]()
    two_step = usual.retrieval.grouped
    for part in text.split(BETWEEN):
        word, equals, value = part.partition("=")
        what = WORDS.get(part) or ("retrieval" if word in RETRIEVALS else word)
        if what in chosen:
            raise ValueError(f"the reading {text!r} chooses the {what} twice")
        chosen.add(what)
        if what == "search":
            two_step = part == "two-step"
        else:
            reading = _change_part(reading, part, word, value if equals else "", text)
    return replace(reading, retrieval=_search(reading.retrieval, two_step))


def _change_part(reading: Reading, part: str, word: str, value: str, text: str) -> Reading:
    if part in WORDS and not reading.guarded:
        return replace(reading, support=part == "support")
    if word in RETRIEVALS:
        return replace(reading, retrieval=_read_retrieval(word, value, part))
    known = [name for name in CHOICES if reading.guarded or name not in ("guard", "unknown")]
    if word not in known:
        words = ", ".join(
            [*RETRIEVALS, *(name for name in WORDS if not reading.guarded or WORDS[name] == "search")]
        )
        raise ValueError(
            f"unknown part {part!r} in the reading {text!r} of {reading.policy}: one of {words}, "
            + ", ".join(f"{name}=" for name in known)
        )
    if value not in CHOICES[word]:
        raise ValueError(
            f"unknown {word} {value!r} in the reading {text!r}: one of {', '.join(CHOICES[word])}"
        )
    change: dict[str, Any] = {word: value}
    return replace(reading, **change)


def _read_retrieval(word: str, value: str, part: str) -> Mode:
    read, form = RETRIEVALS[word]
    try:
        return read(value)
    except ValueError:
        raise ValueError(f"cannot read the retrieval {part!r}: write {form}") from None


def _search(mode: Mode, two_step: bool) -> Mode:
    assert isinstance(mode, Adaptive | Threshold | Top), mode
    return replace(mode, grouped=two_step)
