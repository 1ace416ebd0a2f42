"""Kuhn poker at the web table: one card each, a pot in the middle."""

from __future__ import annotations

from typing import ClassVar

from retruco.games.core import Seat
from retruco.games.kuhn import Kuhn, KuhnObservation, KuhnState
from retruco.web.tables.table_view import Json, Step, TableView


class KuhnView(TableView):
    """What one seat is shown of a match of Kuhn poker."""

    game = "kuhn"
    sizes = (2, 3)
    rules: ClassVar[tuple[str, ...]] = ("kuhn",)
    usual = ("NPS",)
    can_be_watched = True

    @classmethod
    def set_table(cls, rules: str, seats: int | None = None, target: int | None = None) -> Kuhn:
        """Set a table for two or three, by number or by name."""
        return Kuhn.named(Kuhn.presets()[(seats or 2) - 2] if rules == "kuhn" else rules, target)

    def felt(self, state: KuhnState, is_open: bool = False) -> Json:
        """A card before every seat; the pot in the middle."""
        seen = state.observe(self.seat)
        paid = state.paid()
        return {
            "seats": [self._seat(state, seen, seat, is_open) for seat in range(state.seats)],
            "middle": [self.t("kuhn.pot", amount=sum(paid))],
        }

    def _seat(self, state: KuhnState, seen: KuhnObservation, seat: Seat, is_open: bool) -> Json:
        card = state.cards[seat] if is_open or self.is_own(seat) else seen.shown[seat]
        did = [self.t(f"kuhn.did.{action}") for actor, action in state.did() if actor == seat]
        outcome = state.outcome
        return {
            "name": self.name(seat),
            "me": self.is_own(seat),
            "to_act": state.to_act == seat,
            "won": outcome is not None and outcome.winner == seat,
            "cards": [{"card": f"{card}s", "shown": self.t(f"kuhn.card.{card}")}] if card else [],
            "backs": 0 if card else 1,
            "notes": [self.t("kuhn.paid", amount=state.paid()[seat]), *did],
        }

    def turn(self, seen: KuhnObservation) -> Json:
        """Check or bet; call or fold."""
        key = "kuhn.ask_bet" if "bet" in seen.actions else "kuhn.ask"
        return {
            "asks": self.t(key),
            "words": [(action, self.t(f"kuhn.word.{action}")) for action in seen.legal],
        }

    def describe_action(self, done: Step) -> str:
        """What somebody did, in a line."""
        return f"{self.name(done.seat)}: {self.t(f'kuhn.did.{done.action}')}"

    def result(self, state: KuhnState) -> str:
        """Who takes the pot, and what the hand brought."""
        outcome = state.outcome
        assert outcome is not None
        mine = self.t("kuhn.mine", points=f"{outcome.points[self.seat]:+d}")
        winner = outcome.winner
        assert winner is not None
        if self.is_own(winner):
            return f"{self.t(f'kuhn.end.you_{outcome.reason}', pot=sum(state.paid()))} {mine}"
        told = self.t(f"kuhn.end.{outcome.reason}", name=self.name(winner), pot=sum(state.paid()))
        return told if self.is_spectator else f"{told} {mine}"

    def name_answer(self, answer: str) -> str:
        """An answer as its button says it."""
        return self.t(f"kuhn.word.{answer}")
