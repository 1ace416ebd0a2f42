"""Hold'em at the web table: seats, bets and board as one seat sees them, and the why of agents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from retruco.cbr.case import Decision, Match, QuestionRecord
from retruco.games.core import Action, Seat
from retruco.games.holdem import STAGES, VARIANTS, Betting, Holdem, HoldemObservation, HoldemState
from retruco.games.holdem.betting import AGGRESSIVE, FOLD
from retruco.games.holdem.deck import Hole, bits
from retruco.games.holdem.ranking import kind, value
from retruco.games.holdem.rules import MOST_SEATS
from retruco.games.holdem.state import position_of, seat_at, showdown
from retruco.vocab.holdem import VOCABULARY
from retruco.vocab.holdem.strategies import STRATEGIES
from retruco.web.art.french_deck import card_text
from retruco.web.core.i18n import Texts
from retruco.web.core.store import Ending
from retruco.web.tables.table_view import CasePicture, EvidenceTable, Json, Step, TableView, how_it_went

HANDS: Final = 200
"""A match ends after so many hands, if nobody leaves before."""
AGENTS: Final = (
    "casey-learns",
    "casey-newest-sunk",
    "casey",
    "casey-newest",
    "casey-sunk",
    "casey-wide",
    "casey-best-match",
    "casey-odds",
    "casey-starts",
    "casey-reads",
    "rulebot",
    "simplebot",
    "random",
    "always-call",
    "always-raise",
)
"""Who may sit at the table."""
PEOPLE: Final = {
    "casey": "casey-learns",
    "vera": "rulebot",
    "tom": "simplebot",
    "lou": "always-call",
    "max": "always-raise",
    "kim": "random",
}
"""Those who have a face, a name and a sentence."""
SIZES: Final = {"hand": " %", "position": " %", "positive": " %", "negative": " %", "read": " %"}
"""What a number of Casey's situation is counted in, where it is not plain."""


class HoldemView(TableView):
    """What one seat is shown of a match of hold'em."""

    game = "holdem"
    sizes = tuple(range(2, MOST_SEATS + 1))
    rules = tuple(VARIANTS)
    usual = ("casey-learns", "rulebot", "simplebot")
    people = PEOPLE
    leaving: ClassVar[Ending] = "left"
    felt_template = "holdem_felt.html"
    can_be_watched = True

    @classmethod
    def agents(cls) -> tuple[str, ...]:
        """Name everybody, the most interesting first."""
        return AGENTS

    @classmethod
    def set_table(cls, rules: str, seats: int | None = None, target: int | None = None) -> Holdem:
        """Set a table by a variant and the number of seats, or by a name such as `limit-4`."""
        named = f"{rules}-{seats or 2}" if rules in VARIANTS else rules
        return Holdem.named(named, HANDS if target is None else target)

    @classmethod
    def name_rules(cls, rules: str, texts: Texts) -> str:
        """Name the variant, whatever the number of seats."""
        return super().name_rules(rules if rules in VARIANTS else rules.rpartition("-")[0], texts)

    def bb(self, chips: int) -> str:
        """Chips as big blinds, with their sign."""
        assert isinstance(self.live.game, Holdem)
        return f"{chips / self.live.game.rules.big_blind:+.1f}"

    def word(self, action: Action, betting: Betting) -> str:
        """An action as a button says it, with what it costs."""
        if action == "call":
            return self.t("holdem.word.call", amount=betting.to_call)
        if action in AGGRESSIVE:
            to = betting.level - base_of(betting) + betting.size
            return self.t(f"holdem.word.{action}", amount=to)
        return self.t(f"holdem.word.{action}")

    def describe_action(self, done: Step) -> str:
        """What somebody did, in a line."""
        assert isinstance(done.before, HoldemState)
        return f"{self.name(done.seat)}: {self.word(done.action, done.before.betting)}"

    def describe_hand(self, steps: Sequence[Step]) -> list[tuple[str, list[str]]]:
        """What was done, stage by stage."""
        parts: dict[str, list[str]] = {}
        for done in steps:
            assert isinstance(done.before, HoldemState)
            stage = self.t(f"holdem.stage.{STAGES[done.before.betting.stage]}")
            parts.setdefault(stage, []).append(self.describe_action(done))
        return list(parts.items())

    # The table

    def felt(self, state: HoldemState, is_open: bool = False) -> Json:
        """Seats with button, blinds, bets and cards; the board and the pot."""
        seen = state.observe(self.seat)
        hands = state.deal.hands if is_open else hands_seen(seen, self.is_spectator)
        winners = winners_of(state) if state.outcome else ()
        return {
            "seats": [
                self._seat(seen, seat, hands[seat], seat in winners) for seat in range(seen.game.seats)
            ],
            "stage": self.t(f"holdem.stage.{STAGES[seen.stage]}"),
            "board": [{"card": card, "shown": card_text(card)} for card in seen.board],
            "empty": 5 - len(seen.board),
            "pot": seen.betting.pot,
            "rules": self.name_rules(seen.game.rules.name, self.t),
        }

    def _seat(self, seen: HoldemObservation, seat: Seat, hand: Hole | None, has_won: bool) -> Json:
        seats, betting = seen.game.seats, seen.betting
        position = position_of(seen.dealer, seat, seats)
        is_live = bool(betting.live >> position & 1)
        bet = 0 if seen.outcome else max(0, betting.spent[position] - base_of(betting))
        gain = seen.outcome.points[seat] if seen.outcome else None
        return {
            "name": self.name(seat),
            "face": self.face(seat),
            "me": self.is_own(seat),
            "at": (seat - self.seat) % seats,
            "dealer": seat == seen.dealer,
            "blind": _blind(position, seats),
            "to_act": seat == seen.to_act,
            "folded": not is_live,
            "bet": bet,
            "gain": "" if gain is None else f"{gain:+d}" if gain else "0",
            "won": has_won,
            "cards": [{"card": card, "shown": card_text(card)} for card in hand or ()],
            "backs": hand is None and is_live,
            "kind": self._kind(hand, seen.board) if seen.shown and seen.shown[seat] and hand else "",
        }

    def _kind(self, hand: Hole, board: tuple[str, ...]) -> str:
        return self.t(f"holdem.kind.{kind(value(bits((*hand, *board)))).replace(' ', '-')}")

    def turn(self, seen: HoldemObservation) -> Json:
        """The buttons, with what each costs."""
        betting = seen.betting
        asks = self.t("holdem.ask_free" if not betting.to_call else "holdem.ask", amount=betting.to_call)
        return {"asks": asks, "words": [(one, self.word(one, betting)) for one in seen.legal]}

    # How it went

    def result(self, state: HoldemState) -> str:
        """Who takes the pot, and with what."""
        outcome, winners = state.outcome, winners_of(state)
        assert outcome is not None
        names, pot = ", ".join(map(self.name, winners)), state.betting.pot
        mine = "" if self.is_spectator else self.t("holdem.mine", bb=self.bb(outcome.points[self.seat]))
        you = "you_" if len(winners) == 1 and self.is_own(winners[0]) else ""
        if outcome.reason == FOLD:
            return f"{self.t(f'holdem.end.{you}fold', name=names, pot=pot)} {mine}".strip()
        best = state.deal.hands[winners[0]]
        assert best is not None
        key = f"holdem.end.{you}showdown" if len(winners) == 1 else "holdem.end.shared"
        return f"{self.t(key, name=names, pot=pot, kind=self._kind(best, state.board))} {mine}".strip()

    def score(self, hands: int) -> str:
        """The person's result so far, in big blinds; a spectator sees everybody's."""
        if self.is_spectator:
            finished = self.live.table.hands[:hands]
            gains = [sum(hand.gains[seat] for hand in finished) for seat in range(self.live.game.seats)]
            return " · ".join(f"{self.name(seat)} {self.bb(chips)}" for seat, chips in enumerate(gains))
        mine = sum(hand.gains[self.seat] for hand in self.live.table.hands[:hands])
        return self.t("holdem.score", bb=self.bb(mine), hands=hands)

    # Why

    def reason(self, done: Step) -> tuple[str, Sequence[EvidenceTable]]:
        """Casey's generalised case with its plan; the numbers of the others in words."""
        decision, seen = done.decision, done.seen
        assert decision is not None
        assert isinstance(seen, HoldemObservation)
        sentences = [self.sentence(decision)]
        if "strategy" in decision.values:
            sentences.append(self._plan(str(decision.values["strategy"]), seen))
        sheets = []
        for asked in decision.asked:
            sheets.append(self._situation(asked))
            if asked.matches:
                sheets.append(self._generalised(decision))
                sheets.append(self.cases(asked.matches))
        return " ".join(sentences), sheets

    def case_picture(self, match: Match, scenario: str) -> CasePicture:
        """How good the hand of a similar case was."""
        hand = next(int(part.case) for part in match.parts if part.name == "hand")
        caption = self.t("holdem.case_hand", percent=hand)
        return CasePicture("bar", hand, 100, caption, self.name_answer(match.action), how_it_went(match))

    def name_answer(self, answer: str) -> str:
        """A strategy by its name."""
        return self.t(f"holdem.strategy.{answer.replace(' ', '-')}")

    def _plan(self, strategy: str, seen: HoldemObservation) -> str:
        """The plan for the stage, and whether this was its beginning or what follows a raise."""
        first, then = (self.t(f"holdem.manner.{one}") for one in STRATEGIES[strategy])
        again = any(step.seat == seen.seat and step.betting.stage == seen.stage for step in seen.steps())
        key = "holdem.plan_again" if again else "holdem.plan"
        return self.t(key, strategy=self.t(f"holdem.strategy.{strategy}"), first=first, then=then)

    def _situation(self, asked: QuestionRecord) -> EvidenceTable:
        """What was asked of the cases, feature by feature."""
        named = VOCABULARY[asked.scenario].decode(asked.problem)
        rows = [
            (self.t(f"holdem.feature.{name}"), f"{self._feature(name, one)}{SIZES.get(name, '')}")
            for name, one in named.items()
        ]
        return EvidenceTable(
            self.t("holdem.situation"), (self.t("holdem.what"), self.t("holdem.value")), rows
        )

    def _feature(self, name: str, value: int | str) -> str:
        return self.t(f"holdem.stage.{STAGES[int(value)]}") if name == "stage" else str(value)

    def _generalised(self, decision: Decision) -> EvidenceTable:
        """What each strategy has brought in similar situations, as Sandven and Tessem (2006) print it."""
        lines: Any = decision.values["generalised"]
        columns = ("strategy", "frequency", "wins", "losses", "mean")
        rows = [
            (
                self.t(f"holdem.strategy.{line['strategy'].replace(' ', '-')}"),
                *(str(line[name]) for name in columns[1:4]),
                "–" if line["mean"] is None else f"{line['mean']:+.2f}",
            )
            for line in lines
        ]
        names = [line["strategy"] for line in lines]
        head = [self.t(f"holdem.column.{name}") for name in columns]
        marked = names.index(decision.values["strategy"])
        return EvidenceTable(self.t("holdem.generalised"), head, rows, marked)


def base_of(betting: Betting) -> int:
    """What everybody still in had put in before this stage.

    >>> from retruco.games.holdem import preset
    >>> from retruco.games.holdem.betting import after, opening
    >>> start = opening(preset("limit-2"))
    >>> base_of(start), base_of(after(after(start, "call"), "check"))
    (0, 2)
    """
    return betting.level - betting.raises * betting.size if betting.stage else 0


def hands_seen(seen: HoldemObservation, is_spectator: bool = False) -> tuple[Hole | None, ...]:
    """The hands that the reader may see: the person's own, and at the end those that the rules show."""
    shown_hands = seen.shown or (None,) * seen.game.seats
    own = None if is_spectator else seen.seat
    return tuple(seen.hole if seat == own else hand for seat, hand in enumerate(shown_hands))


def winners_of(state: HoldemState) -> tuple[Seat, ...]:
    """The seats that take the pot or share it; one of several may get no more than it paid."""
    assert state.outcome is not None
    by_fold = state.outcome.reason == FOLD
    betting = state.betting
    positions = betting.live_positions() if by_fold else showdown(state.deal, state.dealer, betting)
    return tuple(sorted(seat_at(state.dealer, one, state.game.seats) for one in positions))


def _blind(position: int, seats: int) -> str:
    """Which blind a position posts, if any; with two seats the dealer posts the small one.

    >>> [_blind(position, 3) for position in range(3)], [_blind(position, 2) for position in range(2)]
    (['small', 'big', ''], ['big', 'small'])
    """
    small, big = (1, 0) if seats == 2 else (0, 1)
    return {small: "small", big: "big"}.get(position, "")
