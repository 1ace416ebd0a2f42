"""The table view that a game brings: who may sit there, what a seat is shown, in words and as a drawing.

A game of this package has its view in `retruco.web.views.NAME`; a game of another package in
`PACKAGE.views`. The texts of a view stand beside it in `texts/GAME/LANGUAGE.json`, its templates in
`templates/`. Everything else about a live table is the same for all games.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple

from retruco.agents.registry import roster
from retruco.cbr.case import Decision, Match
from retruco.explain import Explainer
from retruco.explain.texts import merge_trees, read_tree
from retruco.games.core import Action, Game, Observation, Seat, State
from retruco.games.registry import find_game, game_names
from retruco.parts import find_part
from retruco.web.core.drawing import render
from retruco.web.core.i18n import Texts, texts
from retruco.web.core.refusals import Refused
from retruco.web.core.store import Ending
from retruco.web.tables.live_table import LiveTable

if TYPE_CHECKING:
    from retruco.agents.truco.judgement import Judgement

Json = dict[str, Any]
DecisionAt = Callable[[int], Decision | None]
"""Gives the decision that an agent made in the position at a place."""
PAGE: Final = 200
"""Positions in one answer; the rest is asked for with `after`."""
CASES_SHOWN: Final = 5
"""How many similar cases are shown; all of them are counted."""
PICTURES_SHOWN: Final = 4
RESULT_PAUSE: Final = 4.0
"""Seconds that the end of a hand stays on the screen."""
MOVE_PAUSE: Final = 0.9
"""Seconds that a move of somebody else stays on the screen."""


@dataclass(frozen=True, slots=True)
class EvidenceTable:
    """A table of evidence: similar cases, chances, or what strategies have brought."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    marked: int | None = None
    """The row that decided."""


@dataclass(frozen=True, slots=True)
class CasePicture:
    """A similar case as a small picture: how many of how many are filled in, what was done and how it went."""

    kind: Literal["cards", "bar"]
    filled: int
    whole: int
    caption: str
    did: str
    went: Literal["won", "lost", "even"]


@dataclass(frozen=True, slots=True)
class Why:
    """What somebody did, in a line, and why: in plain words with pictures; the exact reason with the evidence."""

    action: str
    plain: str = ""
    pictures: Sequence[CasePicture] = ()
    sentence: str = ""
    sheets: Sequence[EvidenceTable] = ()


class Step(NamedTuple):
    """Something that was done in a hand, and the hand before it."""

    seat: Seat
    action: Action
    before: State
    seen: Observation
    """What the seat saw when it acted."""
    decision: Decision | None = None
    """Why an agent did it, where that can be told."""


class TableView(ABC):
    """What one seat is shown of a live table."""

    game: ClassVar[str]
    sizes: ClassVar[tuple[int, ...]]
    """How many may sit at the table."""
    rules: ClassVar[tuple[str, ...]]
    """The variants on offer; the first is the usual one."""
    levels: ClassVar[Mapping[str, str]] = {}
    """Agents by how hard they are to beat, for those who do not know their names yet."""
    old_levels: ClassVar[Mapping[str, str]] = {}
    """Levels of earlier versions, for whoever still asks for them."""
    people: ClassVar[Mapping[str, str]] = {}
    """Agents that have a face, a name and a sentence, by person."""
    people_texts: ClassVar[str] = ""
    """Where the texts about these people stand; under `GAME.person` unless said."""
    usual: ClassVar[tuple[str, ...]]
    """Who sits in the other seats unless somebody else is chosen, from the left on."""
    leaving: ClassVar[Ending] = "resigned"
    """How a match ends when somebody leaves it: `left` where one may go at any time."""
    explains_hands: ClassVar[bool] = True
    """Whether agents tell why after every hand, as long as nobody else's secrets are in it."""
    has_practice: ClassVar[bool] = False
    """Whether there is open practice, with the cards face up."""
    page: ClassVar[str] = "live_table"
    """The template of the page."""
    felt_template: ClassVar[str] = "plain_felt.html"
    """The template of the table on the page."""
    hand_template: ClassVar[str | None] = None
    """The template of one's own cards, if they do not lie on the table."""
    can_be_watched: ClassVar[bool] = False
    """Whether the view can leave out every hidden card, so that others may watch a match of people."""

    def __init__(
        self,
        live: LiveTable,
        seat: Seat,
        texts: Texts,
        name_seats: Callable[[], Sequence[str]],
        decision_at: DecisionAt,
        is_spectator: bool = False,
    ) -> None:
        self.live, self.seat, self.t = live, seat, texts
        self.is_spectator = is_spectator
        """Whether the reader holds no cards: then `seat` only says from which side the table is drawn."""
        self._name_seats, self._decision_at = name_seats, decision_at

    @cached_property
    def names(self) -> Sequence[str]:
        """What everybody at the table is called, seat by seat."""
        return self._name_seats()

    # Who plays what

    @classmethod
    def agents(cls) -> tuple[str, ...]:
        """Name the agents that may sit at the table, the most interesting first."""
        return tuple(roster(cls.game))

    @classmethod
    def name_agent(cls, name: str, texts: Texts) -> str:
        """What an agent is called at the table: by its person's name, if it is one."""
        person = cls.person_of(name)
        return name if person is None else cls.about_person(person, "name", texts)

    @classmethod
    def person_of(cls, agent: str) -> str | None:
        """The person that an agent is at the table."""
        return next((person for person, name in cls.people.items() if name == agent), None)

    @classmethod
    def about_person(cls, person: str, what: Literal["name", "about"], texts: Texts) -> str:
        """A person's name, or the sentence about them."""
        return cls.texts(texts.language)(f"{cls.people_texts or f'{cls.game}.person'}.{person}.{what}")

    @classmethod
    def describe_agent(cls, name: str, texts: Texts) -> str:
        """Say in a sentence how an agent plays."""
        key = f"{cls.game}.agent.{name}"
        return texts(key) if texts.has(key) else roster(cls.game)[name].style

    @classmethod
    def set_table(cls, rules: str, seats: int | None = None, target: int | None = None) -> Game:
        """Set a table by a variant's name; `ValueError` if there is none."""
        if rules not in cls.rules:
            raise ValueError(f"unknown rules {rules!r}: one of {', '.join(cls.rules)}")
        return find_game(cls.game, rules, target)

    @classmethod
    def title(cls, texts: Texts) -> str:
        """What the game is called on its pages."""
        key = f"{cls.game}.title"
        return texts(key) if texts.has(key) else cls.game.capitalize()

    @classmethod
    def name_place(cls, place: Seat, texts: Texts) -> str:
        """Name a seat, as seen from the first."""
        return texts("tables.seat", number=place + 1)

    @classmethod
    def name_rules(cls, rules: str, texts: Texts) -> str:
        """Name a variant for people."""
        key = f"{cls.game}.preset.{rules}"
        return texts(key) if texts.has(key) else rules

    # What each game shows in its own way

    @abstractmethod
    def felt(self, state: Any, is_open: bool = False) -> Json:
        """The table in some position of a hand, as the seat sees it, or with all cards open."""

    @abstractmethod
    def turn(self, seen: Any) -> Json:
        """What the seat may do now: `asks`, a sentence, and `words`, pairs of an action and its name."""

    @abstractmethod
    def describe_action(self, done: Step) -> str:
        """What somebody did, in a line; nothing in it that the seat may not know."""

    @abstractmethod
    def result(self, state: Any) -> str:
        """How a finished hand ended."""

    def name_answer(self, answer: str) -> str:
        """Name an answer that cases give."""
        key = f"{self.game}.answer.{answer}"
        return self.t(key) if self.t.has(key) else answer

    def sentence(self, decision: Decision) -> str:
        """Say in a sentence why an agent decided as it did."""
        return Explainer(self.t, self.name_answer).explain(decision)

    def plain_reason(self, done: Step) -> str:
        """Why an agent did something, for somebody who knows the game and nothing else."""
        assert done.decision is not None
        return Explainer(self.t, self.name_answer).explain_plainly(done.decision)

    def case_picture(self, match: Match, scenario: str) -> CasePicture | None:
        """A similar case as a small picture; nothing where the game does not draw them."""
        return None

    def case_pictures(self, done: Step) -> list[CasePicture]:
        """The cases most similar to the last question, as small pictures."""
        asked = done.decision.asked if done.decision else ()
        matches = asked[-1].matches[:PICTURES_SHOWN] if asked else ()
        pictures = (self.case_picture(match, asked[-1].scenario) for match in matches)
        return [picture for picture in pictures if picture is not None]

    def reason(self, done: Step) -> tuple[str, Sequence[EvidenceTable]]:
        """Why an agent did something: in a sentence, and the evidence."""
        assert done.decision is not None
        cases = [self.cases(asked.matches) for asked in done.decision.asked if asked.matches]
        return self.sentence(done.decision), cases

    def pause(self, place: int) -> float:
        """Seconds that a position stays on the screen before the next one is shown."""
        position = self.live.positions[place]
        if position.state.outcome is not None:
            return RESULT_PAUSE
        return 0.0 if position.moved is None or position.moved.seat == self.seat else MOVE_PAUSE

    def ends_trick(self, place: int) -> bool:
        """Whether a trick ends in a position that does not end the hand; everybody wants to see it."""
        return False

    def score(self, hands: int) -> str:
        """How the match stood after so many hands."""
        scores = self.scores(hands)
        teams = sorted(set(self.live.game.teams))
        return " · ".join(f"{self.name_team(team)} {scores[team]}" for team in teams)

    def standing(self) -> str:
        """How the match stands, in a few words."""
        return self.score(len(self.live.table.hands))

    def farewell(self) -> str:
        """How the match ended."""
        end = self.live.end
        if end is None:
            return ""
        if end.ending != "played":
            return self.t(f"tables.{end.ending}")
        if self.is_spectator and end.winner is not None:
            return self.t("end.match_other", name=self.name_team(end.winner))
        won = end.winner == self.live.game.teams[self.seat]
        return self.t("tables.drawn" if end.winner is None else "tables.won" if won else "tables.lost")

    # What all show alike

    def name(self, seat: Seat) -> str:
        """Who sits there; of several with one name, which of them."""
        name = self.names[seat]
        if self.names.count(name) == 1 or seat == self.seat:
            return name
        return f"{name} ({self.names[: seat + 1].count(name)})"

    def face(self, seat: Seat) -> str:
        """Whose face is shown at a seat; nothing for people, and for agents that are nobody."""
        return self.person_of(self.live.stored.sitters[seat].agent or "") or ""

    def is_own(self, seat: Seat) -> bool:
        """Whether the reader sits there, and may see its cards."""
        return seat == self.seat and not self.is_spectator

    def name_team(self, team: int) -> str:
        """Name everybody of a team."""
        teams = self.live.game.teams
        return ", ".join(self.name(seat) for seat in range(len(teams)) if teams[seat] == team)

    def scores(self, hands: int) -> tuple[int, ...]:
        """The points of each team after so many hands."""
        table = self.live.table
        return table.hands[hands].before.scores if hands < len(table.hands) else table.match.scores

    def counted_scores(self, hands: int) -> tuple[int, ...]:
        """The points of each team after so many hands, as a scoreboard counts them."""
        return self.scores(hands)

    def frames(self, after: int = -1, most: int = PAGE, open_cards: bool = False) -> list[Json]:
        """Show the positions after a number, one page of them."""
        live = self.live
        with live.lock:
            first, last = max(0, after + 1 - live.stored.skipped), len(live.positions)
            last -= live.is_pupil_thinking  # its position is shown with its question, or with its move
            open_cards = open_cards or live.is_practice
            return [self.frame(place, open_cards) for place in range(first, min(last, first + most))]

    def frame(self, place: int, open_cards: bool = False) -> Json:
        """Show the position at a place: facts for programs, and the drawing for the page."""
        live, position = self.live, self.live.positions[place]
        is_last = place == len(live.positions) - 1
        outcome = position.state.outcome
        return {
            "number": live.number(place),
            "hand": position.hand,
            "seal": live.deals[position.hand].seal,
            "seat": self.seat,
            "to_act": position.state.to_act,
            "scores": list(self.scores(position.hand)),
            "legal": self._legal(place),
            "outcome": None if outcome is None else {"reason": outcome.reason, "winner": outcome.winner, "points": list(outcome.points)},
            "end": end_json(live) if is_last else None,
            "clock": live.seconds_left if is_last else None,
            "says": self._says(place),
            "pause": self.pause(place),
            "ends_trick": self.ends_trick(place),
            "html": self.draw(place, open_cards),
            "summary": None if outcome is None or self.is_spectator else self.draw_summary(position.hand),
        }  # fmt: skip

    def _legal(self, place: int) -> list[Action]:
        """What the seat may do in a position: nothing but in the one on the table."""
        live = self.live
        is_now = place == len(live.positions) - 1 and live.end is None and not self.is_spectator
        return list(live.positions[place].state.observe(self.seat).legal) if is_now else []

    def _says(self, place: int) -> str:
        """What has just happened, in a sentence for those who do not see the table."""
        position = self.live.positions[place]
        done = [] if position.moved is None else [self.describe_action(self._step(place))]
        if position.state.outcome is not None:
            done.append(self.result(position.state))
        return " ".join(done)

    def draw(self, place: int, is_open: bool = False, form_key: str = "") -> str:
        """Draw a position: the table, and what is asked of the seat."""
        board = self.board(place, is_open)
        return render(self.folder(), "board.html", v=board, e=self.t, t=self.t, form_key=form_key)

    def draw_summary(self, hand: int) -> str:
        """Draw how a finished hand ended and, where that may be told already, why."""
        return render(self.folder(), "hand_summary.html", v=self.summary(hand), e=self.t, t=self.t)

    def board(self, place: int, is_open: bool = False) -> Json:
        """A position, as the template draws it."""
        live, position = self.live, self.live.positions[place]
        seen = position.state.observe(self.seat)
        is_over = live.end is not None and place == len(live.positions) - 1
        return {
            **self.facts(),
            "number": live.number(place),
            "hand": position.hand + 1,
            "felt": self.felt(position.state, is_open),
            "felt_template": self.felt_template,
            "hand_template": self.hand_template,
            "said": self.describe_hand(list(self.steps(position.hand, place))),
            "turn": self.turn(seen) if self._legal(place) else None,
            "waits_for": "" if seen.to_act is None else self.name(seen.to_act),
            "result": self.result(position.state) if position.state.outcome else "",
            "over": is_over,
            "farewell": self.farewell() if is_over else "",
        }

    def describe_hand(self, steps: Sequence[Step]) -> list[tuple[str, list[str]]]:
        """What was done in a hand, in parts with a title each."""
        return [("", [self.describe_action(done) for done in steps])] if steps else []

    def facts(self) -> Json:
        """What every page about the match says."""
        live = self.live
        return {
            "game": live.game.name,
            "id": live.id,
            "hands": len(live.table.hands),
            "over": live.end is not None,
            "score": self.score(len(live.table.hands)),
        }

    # Finished hands

    def may_explain(self) -> bool:
        """Whether agents may tell why they played a finished hand: after the match, or if nobody else is there."""
        alone = all(one.agent for seat, one in enumerate(self.live.stored.sitters) if seat != self.seat)
        return self.live.end is not None or (self.explains_hands and alone)

    def steps(self, hand: int, last: int | None = None, with_reasons: bool = False) -> Iterator[Step]:
        """Go through a hand action by action, up to a place."""
        for place in self.live.places_of(hand):
            if self.live.positions[place].moved is not None and (last is None or place <= last):
                yield self._step(place, with_reasons)

    def _step(self, place: int, with_reason: bool = False) -> Step:
        """The step that led to a place."""
        before, moved = self.live.positions[place - 1], self.live.positions[place].moved
        assert moved is not None
        decision = self._decision_at(place - 1) if with_reason else None
        return Step(moved.seat, moved.action, before.state, before.state.observe(moved.seat), decision)

    def why(self, done: Step) -> Why:
        """What somebody did, and why."""
        if self.live.stored.sitters[done.seat].agent is None:
            return Why(self.describe_action(done))
        if done.decision is None:
            return Why(self.describe_action(done), self.t("tables.no_reason"))
        plain, pictures = self.plain_reason(done), self.case_pictures(done)
        return Why(self.describe_action(done), plain, pictures, *self.reason(done))

    def summary(self, hand: int) -> Json:
        """How a finished hand ended, and why everybody played it as they did."""
        end = self.live.table.hands[hand].state
        is_last = hand == len(self.live.table.hands) - 1  # earlier hands are explained on their own pages
        steps = self.steps(hand, with_reasons=True) if is_last and self.may_explain() else ()
        facts = {**self.facts(), "place": hand, "result": self.result(end), "score": self.score(hand + 1)}
        return {**facts, "why": [self.why(done) for done in steps]}

    def finished_hands(self) -> Json:
        """All finished hands."""
        ends = [one.state for one in self.live.table.hands]
        lines = [(place, self.result(end), self.score(place + 1)) for place, end in enumerate(ends)]
        return {**self.facts(), "lines": lines, "farewell": self.farewell()}

    def hand(self, hand: int, step: int) -> Json:
        """A finished hand after some of its actions; all cards lie open once the match is over."""
        live = self.live
        if not 0 <= hand < len(live.table.hands):
            raise Refused(404, "replay.not_yet" if hand < len(live.deals) else "error.not_found")
        places = live.places_of(hand)
        if step >= len(places):
            raise Refused(404, "error.no_position")
        place, last, is_open = places[step], len(places) - 1, live.end is not None
        state, deal = live.positions[place].state, live.deals[hand]
        return {
            **self.facts(),
            "score": self.score(hand + (step == last)),
            "place": hand,
            "step": step,
            "last": last,
            "felt": self.felt(state, is_open),
            "felt_template": self.felt_template,
            "hand_template": self.hand_template,
            "steps": [self.describe_action(done) for done in self.steps(hand)],
            "why": self.why(self._step(place, self.may_explain())) if step else None,
            "may_explain": self.may_explain(),
            "result": self.result(live.positions[places[-1]].state),
            "is_open": is_open,
            "seal": deal.seal,
            "opened": deal.opened if is_open else "",
        }

    def explain(self, place: int, decision: Decision) -> Json:
        """Why the move that led to a place was made, as data."""
        done = self._step(place)._replace(decision=decision)
        sentence, sheets = self.reason(done)
        tables = [{"title": one.title, "head": list(one.head), "rows": [list(row) for row in one.rows], "marked": one.marked} for one in sheets]  # fmt: skip
        plain = self.plain_reason(done)
        return {"action": done.action, "plain": plain, "sentence": sentence, "tables": tables}

    # What a review shows

    @classmethod
    def prepare_review(cls, hand: State) -> bool:
        """Open what judges decisions, so that the first review does not wait; tell whether there is a judge."""
        return False

    def judge_move(self, place: int) -> Judgement | None:
        """What the move that led to a place lost; nothing where there was no choice, or nobody can tell."""
        return None

    def describe_move(self, place: int) -> str:
        """What somebody did to come to a place, in a line."""
        return self.describe_action(self._step(place))

    def win_chance(self, hands: int) -> float | None:
        """The seat's chance to win the match after so many hands; nothing where nobody can tell."""
        return None

    def frame_instead(self, place: int, action: Action) -> Json | None:
        """The position at a place if another action had led there, all cards open; nothing if it cannot be drawn."""
        return None

    # Evidence that games have in common

    def cases(self, matches: Sequence[Match]) -> EvidenceTable:
        """The most similar cases: how alike, what was done, what it brought."""
        head = (self.t("tables.alike"), self.t("tables.did"), self.t("tables.brought"))
        rows = [
            (f"{100 * match.similarity:.0f} %", self.name_answer(match.action), f"{match.credit:+d}")
            for match in matches[:CASES_SHOWN]
        ]
        return EvidenceTable(self.t("tables.similar", count=len(matches)), head, rows)

    # Where its files are

    @classmethod
    def folder(cls) -> Path:
        """The folder that holds the texts and the templates of the view."""
        return Path(sys.modules[cls.__module__].__file__ or "").parent

    @classmethod
    def texts(cls, language: str) -> Texts:
        """The sentences of the game's pages: the site's and its own."""
        return _texts_of(cls, language)


def how_it_went(match: Match) -> Literal["won", "lost", "even"]:
    """Whether a case gained or lost points."""
    return "won" if match.credit > 0 else "lost" if match.credit < 0 else "even"


def end_json(live: LiveTable) -> Json | None:
    """How a match ended, as data."""
    return None if live.end is None else {"winner": live.end.winner, "ending": live.end.ending}


@cache
def _texts_of(view: type[TableView], language: str) -> Texts:
    own = view.folder() / "texts" / view.game
    files = [own / f"{language}.json", own / "en.json"]  # a game of another package may speak English alone
    file = next((file for file in files if file.exists()), None)
    site = texts(language)
    return Texts(language, merge_trees(site.tree, read_tree(file))) if file else site


@cache
def view_class(game: str) -> type[TableView]:
    """Find the table view of a game; refuse a game that has none.

    >>> view_class("holdem").__name__
    'HoldemView'
    """
    module = find_part("web.views", game) if game in game_names() else None
    if module is None:
        raise Refused(400, "error.unknown_game", name=game[:40], games=", ".join(games_with_views()))
    views = [
        thing for thing in vars(module).values() if isinstance(thing, type) and issubclass(thing, TableView)
    ]
    return next(view for view in views if view.__dict__.get("game") == game)


@cache
def games_with_views() -> tuple[str, ...]:
    """Name the games that can be played in the browser."""
    return tuple(game for game in game_names() if find_part("web.views", game) is not None)
