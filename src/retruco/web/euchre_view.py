"""A Euchre table as a page shows it: cards with what may be played and why not, and the why of agents."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from retruco.cbr.case import Asked
from retruco.games.core import Action, Seat
from retruco.games.euchre import DECK, Card, EuchreObservation, Suit, suit_of
from retruco.games.euchre.deck import left_bower
from retruco.games.euchre.tricks import AROUND, TEAMS
from retruco.games.euchre.words import AND_ALONE, CALLS, DISCARD
from retruco.vocab.euchre.chart import chart_of
from retruco.web.euchre_room import ME, Done, WebGame
from retruco.web.i18n import FOLDER, Texts

SYMBOLS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
PLACES: Final = ("me", "left", "partner", "right")
"""Where each seat sits, as seen from the person's chair."""
CASES_SHOWN: Final = 5


@cache
def euchre_texts(language: str) -> Texts:
    """The sentences of the Euchre pages."""
    import json

    file = FOLDER / "euchre" / f"{language}.json"
    return Texts(language, json.loads(file.read_text(encoding="utf-8")))


def shown(card: Card) -> str:
    """A card as people write it.

    >>> shown("Th")
    '10♥'
    """
    return ("10" if card[0] == "T" else card[0]) + SYMBOLS[card[1]]


class View:
    """What one reader is shown of a game."""

    def __init__(self, game: WebGame, texts: Texts) -> None:
        self.game, self.t = game, texts
        seen = game.table.observe(ME)
        assert isinstance(seen, EuchreObservation)
        self.seen = seen

    def data(self) -> dict[str, Any]:
        """Everything the template needs."""
        game, seen = self.game, self.seen
        return {
            "id": game.id,
            "moves": game.moves,
            "rules": seen.game.rules.name,
            "target": seen.game.target,
            "scores": game.table.match.scores,
            "over": game.table.is_over,
            "won": game.table.winner == TEAMS[ME] if game.table.is_over else None,
            "seats": [self._seat(seat) for seat in range(4)],
            "upcard": seen.upcard if seen.contract is None and len(seen.bids) < 4 else None,
            "trump": seen.trump,
            "trump_name": self.suit(seen.trump) if seen.trump else "",
            "left_bower": left_bower(seen.trump) if seen.trump else None,
            "maker": self.name(seen.contract.maker) if seen.contract else "",
            "alone": bool(seen.contract and seen.contract.alone),
            "tricks": [sum(TEAMS[trick.winner] == team for trick in seen.tricks) for team in (0, 1)],
            "said": [self.told(done) for done in game.done],
            "hand": [self._card(card) for card in self._sorted(seen.held)],
            "words": [(action, self.word(action)) for action in seen.legal if not _is_card(action)],
            "my_turn": seen.to_act == ME,
            "asks": self._asks(),
            "last": self._last(),
        }

    def name(self, seat: Seat) -> str:
        """Who sits there."""
        return self.t("euchre.you") if seat == ME else self.game.names[seat]

    def suit(self, suit: Suit) -> str:
        """A suit by name."""
        return self.t(f"euchre.suit.{suit}")

    def word(self, action: Action) -> str:
        """A bid as a button says it."""
        plain = action.removesuffix(AND_ALONE)
        said = self.suit(CALLS[plain]) if plain in CALLS else self.t(f"euchre.word.{plain}")
        return f"{said}, {self.t('euchre.word.by_myself')}" if action.endswith(AND_ALONE) else said

    def told(self, done: Done) -> str:
        """What somebody did, in a line; another's discard has no face."""
        if done.action.startswith(DISCARD):
            face = shown(done.action.removeprefix(DISCARD)) if done.seat == ME else self.t("euchre.a_card")
            what = self.t("euchre.discards", card=face)
        else:
            what = shown(done.action) if _is_card(done.action) else self.word(done.action)
        return f"{self.name(done.seat)}: {what}"

    def _seat(self, seat: Seat) -> dict[str, Any]:
        seen, out = self.seen, self.seen.contract.out if self.seen.contract else None
        around = AROUND[out][seen.leader]
        place = around.index(seat) if seat in around else 9
        card = seen.table[place] if place < len(seen.table) else None
        return {
            "place": PLACES[seat],
            "name": self.name(seat),
            "dealer": seen.dealer == seat,
            "maker": bool(seen.contract and seen.contract.maker == seat),
            "out": out == seat,
            "card": card,
            "shown": shown(card) if card else "",
        }

    def _sorted(self, cards: tuple[Card, ...]) -> list[Card]:
        trump = self.seen.trump
        return sorted(cards, key=lambda card: (suit_of(card, trump) if trump else card[1], DECK.index(card)))

    def _card(self, card: Card) -> dict[str, Any]:
        legal = self.seen.legal
        discard = DISCARD + card
        action = card if card in legal else discard if discard in legal else None
        return {
            "card": card,
            "shown": shown(card),
            "action": action,
            "why_not": "" if action else self.why_not(card),
        }

    def why_not(self, card: Card) -> str:
        """Why a card cannot be played now."""
        seen = self.seen
        if seen.to_act != ME or seen.contract is None or not seen.table:
            return ""
        trump = seen.contract.trump
        led = suit_of(seen.table[0], trump)
        follow = " ".join(shown(one) for one in seen.legal)
        told = self.t("euchre.must_follow", suit=self.suit(led), cards=follow)
        bower = left_bower(trump)
        if bower == card or bower in seen.legal or seen.table[0] == bower:
            told += " " + self.t("euchre.left_bower", card=shown(bower), suit=self.suit(trump))
        return told[0].upper() + told[1:]

    def _asks(self) -> str:
        seen = self.seen
        if self.game.table.is_over:
            return self.t("euchre.over_won" if self.game.table.winner == TEAMS[ME] else "euchre.over_lost")
        if seen.legal and seen.legal[0].startswith(DISCARD):
            return self.t("euchre.ask_discard")
        if seen.contract is None:
            return self.t(
                "euchre.ask_order" if len(seen.bids) < 4 else "euchre.ask_name", card=shown(seen.upcard)
            )
        return self.t("euchre.ask_lead" if not seen.table else "euchre.ask_card")

    # The hand before, and why.

    def _last(self) -> dict[str, Any] | None:
        last = self.game.last
        if last is None or last.state.outcome is None:
            return None
        outcome = last.state.outcome
        ours = outcome.winner == TEAMS[ME] if outcome.winner is not None else None
        key = "nobody" if ours is None else f"{'we' if ours else 'they'}_{outcome.reason}"
        return {
            "told": self.t(f"euchre.end.{key}", points=max(outcome.points)),
            "rows": [self._why(done) for done in self.game.before],
        }

    def _why(self, done: Done) -> dict[str, Any]:
        row: dict[str, Any] = {"told": self.told(done), "why": "", "chart": None, "asked": [], "points": []}
        decision, seen = done.decision, done.seen
        if decision is None or seen is None:
            return row
        row["why"] = self._sentence(decision.reason, decision.values)
        row["asked"] = [self._asked(one) for one in decision.asked]
        points = decision.values.get("points")
        if isinstance(points, Mapping):
            row["points"] = [(shown(card), value) for card, value in points.items()]
        thought = len(seen.legal) > 1 and _is_card(done.action)
        if self.game.names[done.seat].startswith("UF") and seen.contract and thought:
            row["chart"] = self._chart(seen)
        return row

    def _sentence(self, reason: str, values: Mapping[str, Any]) -> str:
        told: dict[str, object] = dict(values)
        if "suit" in told:
            told["suit"] = self.suit(str(told["suit"]))
        if "card" in told:
            told["card"] = shown(str(told["card"]))
        for key in ("share", "chance"):
            if isinstance(told.get(key), float):
                told[key] = f"{100 * float(str(told[key])):.0f} %"
        return self.t(f"euchre.why.{reason.removeprefix('euchre.')}", **told)

    def _asked(self, asked: Asked) -> dict[str, Any]:
        scores = sorted(asked.choice.scores.items(), key=lambda one: -one[1])
        return {
            "question": self.t(f"euchre.question.{asked.scenario}"),
            "answer": self.t(f"euchre.answer.{asked.answer}"),
            "cases": len(asked.matches),
            "scores": [(self.t(f"euchre.answer.{name}"), f"{score:+.2f}") for name, score in scores],
            "similar": [
                (f"{100 * one.similarity:.0f} %", self.t(f"euchre.answer.{one.action}"), f"{one.credit:+d}")
                for one in asked.matches[:CASES_SHOWN]
            ],
        }

    def _chart(self, seen: EuchreObservation) -> dict[str, Any]:
        """Who may hold what, as the agent saw it before it played."""
        chart = chart_of(seen)
        others = [seat for seat in range(4) if seat != seen.seat]
        cards = [card for card in DECK if any(chart.chance(seat, card) > 0 for seat in others)]
        rows = [
            (self.name(seat), [f"{100 * chart.chance(seat, card):.0f}" for card in cards]) for seat in others
        ]
        return {"cards": [shown(card) for card in cards], "rows": rows}


def _is_card(action: Action) -> bool:
    return action in DECK
