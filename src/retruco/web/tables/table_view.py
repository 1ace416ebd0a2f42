"""The view and the host that a game other than Truco brings: its seats, its options, its table, and why.

Everything on a page of such a game is made here or by the game's own view: the table as the person's
seat sees it, the hands that are over, and a hand step by step. Reasons are told of finished hands only.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Final

from retruco.cbr.case import Match
from retruco.games.core import Seat, State
from retruco.web.core.i18n import Texts, texts
from retruco.web.core.paths import TEXTS
from retruco.web.core.refusals import Refused
from retruco.web.tables.live_table import ME, LiveTable, Step
from retruco.web.tables.table_registry import TableOptions

Json = dict[str, Any]
CASES_SHOWN: Final = 5
"""How many similar cases are shown; all of them are counted."""


@dataclass(frozen=True, slots=True)
class EvidenceTable:
    """A table of evidence: similar cases, chances, or what strategies have brought."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    marked: int | None = None
    """The row that decided."""


@dataclass(frozen=True, slots=True)
class Why:
    """What somebody did, in a line, with the reason and the evidence that an agent gives."""

    action: str
    sentence: str = ""
    sheets: Sequence[EvidenceTable] = ()


@cache
def texts_of(game: str, language: str) -> Texts:
    """The sentences of a game's pages: the site's, those of all tables beside Truco, and its own."""
    tree = dict(texts(language).tree)
    for folder in ("parlour", game):
        tree |= json.loads((TEXTS / folder / f"{language}.json").read_text(encoding="utf-8"))
    return Texts(language, tree)


class TableView(ABC):
    """What the person at a table is shown of it."""

    def __init__(self, live: LiveTable, texts: Texts) -> None:
        self.live, self.t = live, texts

    # What each game shows in its own way

    @abstractmethod
    def felt(self, state: Any, is_open: bool = False) -> Json:
        """The table in some position of a hand, as the person sees it, or with all cards open."""

    @abstractmethod
    def turn(self) -> Json:
        """What the person may do now, in words."""

    @abstractmethod
    def describe_action(self, done: Step) -> str:
        """What somebody did, in a line."""

    @abstractmethod
    def reason(self, done: Step) -> tuple[str, Sequence[EvidenceTable]]:
        """Why an agent did it: in a sentence, and the evidence."""

    @abstractmethod
    def result(self, state: Any) -> str:
        """How a finished hand ended."""

    @abstractmethod
    def score(self, hands: int) -> str:
        """How the match stood after so many hands."""

    @abstractmethod
    def farewell(self) -> str:
        """How the match ended."""

    # What all show alike

    def name(self, seat: Seat) -> str:
        """Who sits there; of several with one name, which of them."""
        names, name = self.live.names, self.live.names[seat]
        if seat == ME:
            return self.t("parlour.you")
        return f"{name} ({names[: seat + 1].count(name)})" if names.count(name) > 1 else name

    def why(self, done: Step) -> Why:
        """What somebody did, and why."""
        if done.seat == ME:
            return Why(self.describe_action(done))
        if done.decision is None:
            return Why(self.describe_action(done), self.t("parlour.no_reason"))
        return Why(self.describe_action(done), *self.reason(done))

    def describe_hand(self, steps: Sequence[Step]) -> list[tuple[str, list[str]]]:
        """What was done in a hand, in parts with a title each."""
        return [("", [self.describe_action(done) for done in steps])] if steps else []

    def table(self) -> Json:
        """The table as it stands."""
        live, place = self.live, len(self.live.deals) - 1
        steps = live.steps(place)
        is_over = live.end is not None
        return {
            **self._facts(),
            "felt": self.felt(live.state),
            "said": self.describe_hand(steps),
            "turn": self.turn() if live.to_act == ME else None,
            "waits_for": self._waits_for(),
            "missing": live.missing,
            "result": self.result(live.state) if live.is_between else "",
            "why": [self.why(done) for done in steps] if live.is_between else [],
            "farewell": self.farewell() if is_over else "",
            "seal": live.seal,
        }

    def _facts(self) -> Json:
        live = self.live
        return {
            "game": live.game.name,
            "id": live.id,
            "number": live.number,
            "hands": len(live.table.hands),
            "hand": len(live.deals),
            "over": live.end is not None,
            "score": self.score(len(live.table.hands)),
        }

    def _waits_for(self) -> str:
        """The agent that is still learning, if the table waits for one."""
        seat = self.live.to_act
        return "" if seat in (None, ME) or self.live.missing else self.name(seat or 0)

    def hands(self) -> Json:
        """All finished hands."""
        ends = [one.state for one in self.live.table.hands]
        lines = [(place, self.result(end), self.score(place + 1)) for place, end in enumerate(ends)]
        return {**self._facts(), "lines": lines, "farewell": self.farewell() if self.live.end else ""}

    def hand(self, place: int, step: int) -> Json:
        """A finished hand after some of its actions; all cards lie open once the match is over."""
        live = self.live
        if not 0 <= place < len(live.table.hands):
            raise Refused(404, "replay.not_yet" if place < len(live.deals) else "error.not_found")
        end: State = live.table.hands[place].state
        steps = live.steps(place)
        if step > len(steps):
            raise Refused(404, "error.no_position")
        state = steps[step].before if step < len(steps) else end
        deal, is_open = live.deals[place], live.end is not None
        return {
            **self._facts(),
            "score": self.score(place + (step == len(steps))),
            "place": place,
            "step": step,
            "last": len(steps),
            "felt": self.felt(state, is_open),
            "steps": [self.describe_action(done) for done in steps],
            "why": self.why(steps[step - 1]) if step else None,
            "result": self.result(end),
            "is_open": is_open,
            "seal": deal.seal,
            "opened": deal.opened if is_open else "",
        }

    # Evidence that games have in common

    def cases(self, title: str, matches: Sequence[Match], answers: str) -> EvidenceTable:
        """The most similar cases: how alike, what was done, what it brought."""
        head = (self.t("parlour.alike"), self.t("parlour.did"), self.t("parlour.brought"))
        rows = [
            (f"{100 * one.similarity:.0f} %", self.t(f"{answers}.{one.action}"), f"{one.credit:+d}")
            for one in matches[:CASES_SHOWN]
        ]
        return EvidenceTable(title, head, rows)


class GameHost(ABC):
    """Who receives people at the tables of one game."""

    game: ClassVar[str]
    players: ClassVar[tuple[str, ...]]
    """Who may sit at the table, the most interesting first."""
    rules: ClassVar[tuple[str, ...]]
    """The variants on offer; the first is the usual one."""
    view: ClassVar[type[TableView]]

    @abstractmethod
    def read_options(self, fields: Mapping[str, str]) -> TableOptions:
        """Read what somebody wants to play; refused if it makes no sense."""

    @abstractmethod
    def offer(self) -> Json:
        """What the form offers, beside players and rules."""

    def texts(self, language: str) -> Texts:
        """The sentences of the pages."""
        return texts_of(self.game, language)

    def people(self, texts: Texts) -> list[tuple[str, str]]:
        """Who may sit at the table, and how each plays."""
        return [(name, texts(f"{self.game}.agent.{name}")) for name in self.players]

    def player(self, name: str) -> str:
        """Check that somebody is known here."""
        if name not in self.players:
            raise Refused(400, "error.unknown_agent", name=name[:40])
        return name

    def variant(self, name: str) -> str:
        """Check that a variant is on offer."""
        if name not in self.rules:
            raise Refused(400, "error.unknown_rules", name=name[:40])
        return name
