"""Truco at the web table: a position as one seat sees it, as data that the page draws.

Nothing is in it that the seat may not know.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from retruco.agents.registry import roster
from retruco.agents.truco.levels import LADDER, LEVELS, OLD_LEVELS
from retruco.agents.truco.policies import TWENTY
from retruco.cards import SPANISH_DECK
from retruco.cbr.case import Decision
from retruco.explain import why_not
from retruco.games.core import Action, Seat, State
from retruco.games.truco import (
    Acted,
    Announced,
    Truco,
    TrucoObservation,
    TrucoState,
    envido_points,
    flor_points,
)
from retruco.games.truco.observation import observe_public
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.games.truco.rules import CALL_KEYS, CALLS, PRESETS
from retruco.games.truco.state import Event
from retruco.web.core.i18n import Texts
from retruco.web.review.why import answer_in, decision_json
from retruco.web.tables.agent_styles import style_of
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.stakes import price
from retruco.web.tables.table_view import Json, Step, TableView, end_json

if TYPE_CHECKING:
    from retruco.agents.truco.judgement import Judgement

SCRIPTED: Final = (
    *LADDER.values(),
    "novice",
    "cautious",
    "aggressive",
    "bluffer",
    "shouter",
    "reader",
    "random",
)
"""Players without cases: those of the ladder from the bottom up, then the others."""


class TrucoView(TableView):
    """What one seat is shown of a match of Truco; the page's script draws it."""

    game = "truco"
    sizes = (2,)
    rules = tuple(PRESETS)
    levels = LEVELS
    people = LEVELS
    people_texts = "level"
    old_levels = OLD_LEVELS
    usual = ("cautious",)
    explains_hands = False
    has_practice = True
    can_be_watched = True
    page = "table"

    @classmethod
    @cache
    def agents(cls) -> tuple[str, ...]:
        """Name everybody: by rule first, then the twenty, then the rest."""
        known = roster("truco")
        first = [name for name in (*SCRIPTED, *TWENTY) if name in known]
        return (*first, *(name for name in known if name not in first))

    @classmethod
    def describe_agent(cls, name: str, texts: Texts) -> str:
        """Say in a sentence how an agent plays."""
        return style_of(name, roster("truco")[name].style, texts)

    @classmethod
    def name_rules(cls, rules: str, texts: Texts) -> str:
        """Name a variant for people."""
        return texts(f"preset.{rules}.name")

    def frame(self, place: int, open_cards: bool = False) -> Json:
        """Show the position at a place; `open_cards` adds what practice and replays may show."""
        live, position = self.live, self.live.positions[place]
        state = position.state
        assert isinstance(state, TrucoState)
        seen = observe_public(state) if self.is_spectator else state.observe(self.seat)
        is_last = place == len(live.positions) - 1
        frame = {
            "number": live.number(place),
            "hand": position.hand,
            "seal": live.deals[position.hand].seal,
            **_table(seen),
            "moved": _last_move(seen),
            "can": _can(seen) if is_last and live.end is None and not self.is_spectator else None,
            "end": end_json(live) if is_last else None,
            "asks": _asks(live) if is_last else None,
            "clock": live.seconds_left if is_last else None,
        }
        return frame | _open_cards(state, self.seat) if open_cards else frame

    def frame_instead(self, place: int, action: Action) -> Json:
        """The position at a place if another action had led there, all cards open."""
        live, before = self.live, self.live.positions[place - 1]
        state = before.state.play(action)
        assert isinstance(state, TrucoState)
        facts = {"number": live.number(place), "hand": before.hand, "seal": live.deals[before.hand].seal}
        return facts | still_frame(state, self.seat, open_cards=True)

    @classmethod
    def prepare_review(cls, hand: State) -> bool:
        """Judge a move once: that opens the solution and its values."""
        from retruco.agents.truco.judgement import judge_turn  # slow to import, and most only play

        assert isinstance(hand, TrucoState)
        assert hand.to_act is not None
        judge_turn(hand.observe(hand.to_act), hand.legal[0])
        return True

    def judge_move(self, place: int) -> Judgement | None:
        """What the move that led to a place lost, by the solution for these rules."""
        from retruco.agents.truco.judgement import judge_turn  # as above

        done = self._step(place)
        assert isinstance(done.seen, TrucoObservation)
        return judge_turn(done.seen, done.action)

    def win_chance(self, hands: int) -> float:
        """The seat's chance to win the match after so many hands, if both went on by the solution."""
        from retruco.agents.truco.judgement import match_chance  # as above

        game, table = self.live.game, self.live.table
        assert isinstance(game, Truco)
        match = table.hands[hands].before if hands < len(table.hands) else table.match
        return match_chance(game, match.scores, match.first, self.seat)

    def counted_scores(self, hands: int) -> tuple[int, ...]:
        """The points of both after so many hands; nobody has more than the target."""
        return tuple(min(score, self.live.game.goal) for score in self.scores(hands))

    def standing(self) -> str:
        """How the match stands, one's own points first."""
        scores = self.counted_scores(len(self.live.table.hands))
        return self.t("end.score", own=scores[self.seat], other=scores[1 - self.seat])

    def explain(self, place: int, decision: Decision) -> Json:
        """Why the move that led to a place was made, with all evidence."""
        return decision_json(decision, self.t)

    def felt(self, state: TrucoState, is_open: bool = False) -> Json:
        """The table, for programs; the page draws the frames."""
        return _table(state.observe(self.seat))

    def turn(self, seen: TrucoObservation) -> Json:
        """The calls and cards that may be played now."""
        return {"asks": self.t("table.your_turn"), "words": [(action, action) for action in seen.legal]}

    def describe_action(self, done: Step) -> str:
        """What somebody did, in a line; a card that lies face down has no face."""
        hidden = done.action.startswith(DOWN_PREFIX) and not self.is_own(done.seat)
        return f"{self.name(done.seat)}: {self.name_answer('down' if hidden else done.action)}"

    def name_answer(self, answer: str) -> str:
        """Name a call, or a card."""
        return name_action(answer, self.t)

    def result(self, state: TrucoState) -> str:
        """What each seat gained in a finished hand."""
        assert state.outcome is not None
        points = state.outcome.points
        return " · ".join(f"{self.name(seat)} {points[seat]:+d}" for seat in (0, 1))


def name_action(action: Action, texts: Texts) -> str:
    """Name a call, or a card, for people."""
    card = action.removeprefix(DOWN_PREFIX)
    if card not in SPANISH_DECK:
        return answer_in(texts, action)
    name = texts("card.name", rank=texts(f"card.rank.{card[:-1]}"), suit=texts(f"card.suit.{card[-1]}"))
    return name if card == action else f"{name} ({texts('card.down')})"


def still_frame(state: TrucoState, seat: Seat, open_cards: bool = False) -> Json:
    """A position that nobody can act in, drawn as a seat sees it: in a review, or as a puzzle."""
    seen = state.observe(seat)
    frame = {**_table(seen), "moved": _last_move(seen), **dict.fromkeys(("can", "end", "asks", "clock"))}
    return frame | _open_cards(state, seat) if open_cards else frame


def _open_cards(state: TrucoState, seat: Seat) -> Json:
    """What practice and replays may show: the other's cards, and the faces of those that lie face down."""
    faces = [str(play.card) for play in state.rounds.plays]
    return {"other_held": list(state.observe(1 - seat).held), "down_faces": faces}


def _table(seen: TrucoObservation) -> Json:
    return {
        "seat": seen.seat,
        "to_act": seen.to_act,
        "mao": seen.mao,
        "scores": list(seen.scores),
        "stake": seen.bet.stake,
        "waiting": _waiting(seen),
        "dealt": list(seen.hand),
        "held": list(seen.held),
        "envido": envido_points(seen.hand) if seen.hand else None,
        "flor": flor_points(seen.hand) if seen.hand else None,
        "count": 3 - len(seen.rounds.by(seen.seat)),
        "other_count": 3 - len(seen.rounds.by(seen.other)),
        "plays": [
            {"seat": play.seat, "card": play.card, "down": play.down} for play in seen.rounds.plays
        ],
        "winners": list(seen.rounds.winners),
        "log": [_event(event) for event in seen.log],
        "outcome": _outcome(seen),
    }  # fmt: skip


def _last_move(seen: TrucoObservation) -> Json | None:
    """The action that led here, as this seat saw it: the state's own log knows the faces of cards that lie face down."""
    acted = (event for event in reversed(seen.log) if isinstance(event, Acted))
    last = next(acted, None)
    return _event(last) if last else None


def _waiting(seen: TrucoObservation) -> Action | None:
    """The innermost call that waits for an answer."""
    if seen.flor.pending:
        return seen.flor.calls[-1]
    return seen.envido.calls[-1] if seen.envido.pending else seen.bet.call


def _event(event: Event) -> Json:
    if isinstance(event, Acted):
        return {"seat": event.seat, "action": event.action}
    kind = "announced" if isinstance(event, Announced) else "awarded"
    return {"seat": event.seat, kind: event.points, "stage": event.stage}


def _outcome(seen: TrucoObservation) -> Json | None:
    if seen.outcome is None:
        return None
    one = seen.outcome
    return {"reason": one.reason, "winner": one.winner, "points": list(one.points)}


def _asks(live: LiveTable) -> Json | None:
    asks = live.question
    return None if asks is None else {"scenario": asks.scenario, "proposed": asks.proposed}


def _can(seen: TrucoObservation) -> Json:
    """What this seat may do, and why it may not do the rest."""
    return {
        "cards": [action for action in seen.legal if action in seen.held],
        "down": any(action.startswith(DOWN_PREFIX) for action in seen.legal),
        "calls": [_call(seen, call) for call in CALLS],
    }


def _call(seen: TrucoObservation, call: Action) -> Json:
    worth = price(seen, call) if call in seen.legal else None
    return {
        "call": call,
        "key": CALL_KEYS[call],
        "why_not": why_not(seen, call),
        "accepted": worth.accepted if worth else None,
        "declined": worth.declined if worth else None,
    }
