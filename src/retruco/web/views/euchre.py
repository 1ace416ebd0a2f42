"""Euchre at the web table: cards with what may be played and why not, and the why of agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from retruco.cbr.case import Match, QuestionRecord
from retruco.games.core import Action, Seat
from retruco.games.euchre import DECK, Card, EuchreObservation, EuchreState, Suit, suit_of
from retruco.games.euchre.deck import left_bower
from retruco.games.euchre.tricks import AROUND, TEAMS
from retruco.games.euchre.words import AND_ALONE, CALLS, DISCARD
from retruco.vocab.euchre.chart import EVEN, EXACT, WITH_BIDS, Chart, chart_of
from retruco.web.art.french_deck import card_text
from retruco.web.core.i18n import Texts
from retruco.web.tables.table_view import CasePicture, EvidenceTable, Json, Step, TableView, how_it_went

PLACES: Final = ("me", "left", "partner", "right")
"""Where each seat sits, as seen from one's own chair."""
AGENTS: Final = (
    "NPS", "UF.5@tricks", "UF.5^learnt@tricks", "UF@tricks", "HIGH!@tricks", "ratliff@tricks", "montecarlo", "MDP+@tricks", "MDP@tricks", "HIGH@tricks",
    "LOW@tricks", "RANDOM@tricks", "UF.5@alone", "random",
)  # fmt: skip
"""Who may sit at the table."""
PEOPLE: Final = {
    "walt": "NPS",
    "june": "UF.5@tricks",
    "earl": "ratliff@tricks",
    "peg": "montecarlo",
    "gus": "HIGH!@tricks",
    "tess": "random",
}
"""Those who have a face, a name and a sentence."""
TRICK_PAUSE: Final = 2.2
"""Seconds that a finished trick stays on the table."""


class EuchreView(TableView):
    """What one seat is shown of a game of Euchre."""

    game = "euchre"
    sizes = (4,)
    rules = ("classic", "stick", "seelbinder2012")
    usual = ("NPS", "UF.5@tricks", "ratliff@tricks")
    people = PEOPLE
    felt_template = "euchre_felt.html"
    can_be_watched = True
    hand_template = "euchre_hand.html"

    @classmethod
    def agents(cls) -> tuple[str, ...]:
        """Name those who answer quickly, the most interesting first."""
        return AGENTS

    @classmethod
    def name_place(cls, place: Seat, texts: Texts) -> str:
        """Name a seat: one's partner, or an opponent at the left or at the right."""
        return texts(f"euchre.place.{PLACES[place]}") if place else super().name_place(place, texts)

    def pause(self, place: int) -> float:
        """A finished trick stays longer than a card."""
        return TRICK_PAUSE if self.ends_trick(place) else super().pause(place)

    def ends_trick(self, place: int) -> bool:
        """Whether a trick ends in a position that does not end the hand."""
        position = self.live.positions[place]
        seen = position.state.observe(self.seat)
        assert isinstance(seen, EuchreObservation)
        is_last_card = bool(seen.tricks) and not seen.table and position.moved is not None
        return is_last_card and seen.outcome is None

    def suit(self, suit: Suit) -> str:
        """A suit by name."""
        return self.t(f"why.suit.{suit}")

    def word(self, action: Action) -> str:
        """A bid as a button says it."""
        plain = action.removesuffix(AND_ALONE)
        word = self.suit(CALLS[plain]) if plain in CALLS else self.t(f"euchre.word.{plain}")
        return f"{word}, {self.t('euchre.word.by_myself')}" if action.endswith(AND_ALONE) else word

    def describe_action(self, done: Step) -> str:
        """What somebody did, in a line; another's discard has no face."""
        if done.action.startswith(DISCARD):
            face = (
                card_text(done.action.removeprefix(DISCARD))
                if self.is_own(done.seat)
                else self.t("euchre.a_card")
            )
            what = self.t("euchre.discards", card=face)
        else:
            what = card_text(done.action) if _is_card(done.action) else self.word(done.action)
        return f"{self.name(done.seat)}: {what}"

    # The table

    def felt(self, state: EuchreState, is_open: bool = False) -> Json:
        """Score, seats, the cards on the table and one's own; a spectator has none."""
        seen, ours = state.observe(self.seat), TEAMS[self.seat]
        points = state.outcome.points if state.outcome else (0, 0)
        is_live = state is self.live.table.state and self.live.to_act == self.seat
        others = [(self.seat + turn) % 4 for turn in (1, 2, 3)]
        return {
            "rules": seen.game.rules.name,
            "target": seen.game.target,
            "scores": [seen.scores[team] + points[team] for team in (ours, 1 - ours)],
            "seats": [self._seat(seen, seat) for seat in range(4)],
            "upcard": _card(seen.upcard) if seen.contract is None and len(seen.bids) < 4 else None,
            "trump": seen.trump,
            "trump_name": self.suit(seen.trump) if seen.trump else "",
            "maker": self.name(seen.contract.maker) if seen.contract else "",
            "alone": bool(seen.contract and seen.contract.alone),
            "tricks": [
                sum(TEAMS[trick.winner] == team for trick in seen.tricks) for team in (ours, 1 - ours)
            ],
            "teams": self._team_names(),
            "hand": [
                self._card_to_play(seen, card) if is_live else _idle(card)
                for card in _sort_cards(seen)
                if not self.is_spectator
            ],
            "others": [(self.name(seat), [_card(card) for card in state.held(seat)]) for seat in others]
            if is_open
            else [],
        }

    def _seat(self, seen: EuchreObservation, seat: Seat) -> Json:
        """A seat with its card in this trick or, before the next one is led, in the last."""
        out = seen.contract.out if seen.contract else None
        is_gone = not seen.table and bool(seen.tricks)
        around = seen.tricks[-1].seats if is_gone else AROUND[out][seen.leader]
        cards = seen.tricks[-1].cards if is_gone else seen.table
        place = around.index(seat) if seat in around else len(cards)
        return {
            "place": PLACES[(seat - self.seat) % 4],
            "to_act": seen.to_act == seat,
            "name": self.name(seat),
            "face": self.face(seat),
            "dealer": seen.dealer == seat,
            "maker": bool(seen.contract and seen.contract.maker == seat),
            "out": out == seat,
            "card": _card(cards[place]) if place < len(cards) else None,
            "gone": is_gone,
            "won": is_gone and seen.tricks[-1].winner == seat,
        }

    def _card_to_play(self, seen: EuchreObservation, card: Card) -> Json:
        discard = DISCARD + card
        action = card if card in seen.legal else discard if discard in seen.legal else None
        return {**_card(card), "action": action, "why_not": "" if action else self.why_not(seen, card)}

    def why_not(self, seen: EuchreObservation, card: Card) -> str:
        """Why a card cannot be played now."""
        if seen.to_act != self.seat or seen.contract is None or not seen.table:
            return ""
        trump = seen.contract.trump
        led = suit_of(seen.table[0], trump)
        follow = " ".join(card_text(one) for one in seen.legal)
        sentence = self.t("euchre.must_follow", suit=self.suit(led), cards=follow)
        bower = left_bower(trump)
        if bower == card or bower in seen.legal or seen.table[0] == bower:
            sentence += " " + self.t("euchre.left_bower", card=card_text(bower), suit=self.suit(trump))
        return sentence[0].upper() + sentence[1:]

    def turn(self, seen: EuchreObservation) -> Json:
        """What is asked, and the bids to answer with; cards are buttons themselves."""
        words = [(one, self.word(one)) for one in seen.legal if not _is_card(one.removeprefix(DISCARD))]
        return {"asks": self._asks(seen), "words": words}

    def _asks(self, seen: EuchreObservation) -> str:
        if seen.legal[0].startswith(DISCARD):
            return self.t("euchre.ask_discard")
        if seen.contract is None:
            key = "euchre.ask_order" if len(seen.bids) < 4 else "euchre.ask_name"
            return self.t(key, card=card_text(seen.upcard))
        if not _is_card(seen.legal[0]):
            return self.t("euchre.ask_alone")
        return self.t("euchre.ask_lead" if not seen.table else "euchre.ask_card")

    def _team_names(self) -> tuple[str, str]:
        """What the two teams are called: we and they or, for a spectator, by their people."""
        if self.is_spectator:
            return self.name_team(TEAMS[self.seat]), self.name_team(1 - TEAMS[self.seat])
        return self.t("euchre.we"), self.t("euchre.they")

    # How it went

    def result(self, state: EuchreState) -> str:
        """Who made it, marched or was euchred."""
        outcome = state.outcome
        assert outcome is not None
        if self.is_spectator and outcome.winner is not None:
            return f"{self.name_team(outcome.winner)} +{max(outcome.points)}"
        ours = outcome.winner == TEAMS[self.seat] if outcome.winner is not None else None
        key = "nobody" if ours is None else f"{'we' if ours else 'they'}_{outcome.reason}"
        return self.t(f"euchre.end.{key}", points=max(outcome.points))

    def score(self, hands: int) -> str:
        """We and they."""
        scores, ours = self.scores(hands), TEAMS[self.seat]
        we, they = self._team_names()
        return f"{we} {scores[ours]} : {scores[1 - ours]} {they}"

    # Why

    def reason(self, done: Step) -> tuple[str, Sequence[EvidenceTable]]:
        """The sentence; cases for who remembers, points for who imagines, a chart for who counts chances."""
        decision, seen = done.decision, done.seen
        assert decision is not None
        assert isinstance(seen, EuchreObservation)
        sheets = [self._case_table(asked) for asked in decision.asked if asked.choice.scores]
        sheets += [self.cases(asked.matches) for asked in decision.asked if asked.matches]
        points = decision.values.get("points")
        if isinstance(points, Mapping):
            rows = [(card_text(card), f"{value:+.2f}") for card, value in points.items()]
            sheets.append(
                EvidenceTable(
                    self.t("euchre.imagined"), (self.t("euchre.card"), self.t("tables.brought")), rows
                )
            )
        thought = len(seen.legal) > 1 and _is_card(done.action)
        agent = self.live.stored.sitters[done.seat].agent or ""
        if agent.startswith("UF") and seen.contract and thought:
            sheets.append(self._chart(chart_for(agent, seen), seen))
        plain = {name: value for name, value in decision.values.items() if name != "points"}
        return self.sentence(replace(decision, values=plain)), sheets

    def case_picture(self, match: Match, scenario: str) -> CasePicture:
        """The hand of a similar case: as many cards as there were, its trumps filled in."""
        values = {part.name: part.case for part in match.parts}
        trumps, tricks = int(values["trumps"]), int(values.get("us", 0)) + int(values.get("them", 0))
        cards = max(5 - tricks, trumps)
        caption = self.t("euchre.case_hand", trumps=trumps, cards=cards)
        return CasePicture(
            "cards", trumps, cards, caption, self.name_answer(match.action), how_it_went(match)
        )

    def _case_table(self, asked: QuestionRecord) -> EvidenceTable:
        """What each answer has brought in similar cases."""
        scores = sorted(asked.choice.scores.items(), key=lambda one: -one[1])
        cases = self.t("euchre.cases", count=len(asked.matches))
        rows = [(self.name_answer(name), f"{score:+.2f}") for name, score in scores]
        names = [name for name, _ in scores]
        marked = names.index(asked.answer) if asked.answer in names else None
        head = (self.t("tables.did"), self.t("tables.brought"))
        return EvidenceTable(f"{self.t(f'euchre.question.{asked.scenario}')} {cases}", head, rows, marked)

    def _chart(self, chart: Chart, seen: EuchreObservation) -> EvidenceTable:
        """Who may hold what, as the agent saw it before it played."""
        others = [seat for seat in range(4) if seat != seen.seat]
        cards = [card for card in DECK if any(chart.chance(seat, card) > 0 for seat in others)]
        rows = [
            (self.name(seat), *(f"{100 * chart.chance(seat, card):.0f}" for card in cards)) for seat in others
        ]
        return EvidenceTable(self.t("euchre.chart"), ("", *map(card_text, cards)), rows)


def _card(card: Card) -> Json:
    return {"card": card, "shown": card_text(card)}


def _idle(card: Card) -> Json:
    """A card that is only looked at."""
    return {**_card(card), "action": None, "why_not": ""}


def _sort_cards(seen: EuchreObservation) -> list[Card]:
    trump = seen.trump
    return sorted(seen.held, key=lambda card: (suit_of(card, trump) if trump else card[1], DECK.index(card)))


def _is_card(action: Action) -> bool:
    return action in DECK


def chart_for(agent: str, seen: EuchreObservation) -> Chart:
    """The chance chart as an agent draws it up."""
    return chart_of(seen, EVEN if "-even" in agent else WITH_BIDS if "-bids" in agent else EXACT)
