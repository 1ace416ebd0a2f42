"""A review in words: who won, how accurately, what turned the match, how close it was."""

from __future__ import annotations

from collections.abc import Sequence

from retruco.web.core.i18n import Texts
from retruco.web.review.match_review import MatchReview, ReviewedHand, ReviewedMove
from retruco.web.tables.live_table import LiveTable


def percent(share: float | None) -> str:
    """A share in whole per cent.

    >>> percent(0.456), percent(None)
    ('46', '–')
    """
    return "–" if share is None else f"{100 * share:.0f}"


def loss_text(share: float) -> str:
    """A small share in per cent, with a digit behind the point.

    >>> loss_text(0.0312)
    '3.1'
    """
    return f"{100 * share:.1f}"


class ReviewWords:
    """The sentences of a review, in the reader's language; the reader is "you" if they sat at the table."""

    def __init__(self, review: MatchReview, live: LiveTable, own: int | None, texts: Texts) -> None:
        self.review, self.live, self.own, self.t = review, live, own, texts

    def summary(self) -> list[str]:
        """The match in a few sentences."""
        lines = [self.result(), self.lead(), self.before_last(), self.turn()]
        moves = (
            [self.worst_of(player.seat) for player in self.review.players] if self.review.is_judged else []
        )
        return [line for line in (*lines, *moves) if line]

    def result(self) -> str:
        """Who won, and how it stood."""
        end, hands = self.live.end, self.review.hands
        if end is None or not hands or len(hands[-1].after) != 2:
            return ""
        played = "" if end.ending == "played" else " " + self.t("review.broken_off")
        team = self.live.game.teams[self.review.seat] if end.winner is None else end.winner
        own, other = hands[-1].after[team], hands[-1].after[1 - team]
        name = self._names(team)
        key = "review.nobody" if end.winner is None else self._key("won", self._is_own(team))
        return self.t(key, name=name, own=own, other=other) + played

    def _names(self, team: int) -> str:
        teams = self.live.game.teams
        return ", ".join(name for seat, name in enumerate(self.review.names) if teams[seat] == team)

    def _is_own(self, team: int) -> bool:
        return self.own is not None and self.live.game.teams[self.own] == team

    def _key(self, name: str, is_own: bool) -> str:
        return f"review.{name}_{'you' if is_own else 'name'}"

    def lead(self) -> str:
        """How often the lead changed."""
        count = self.review.lead_changes
        return self.t(f"review.lead_{min(count, 2)}", count=count)

    def before_last(self) -> str:
        """How it stood before the last hand."""
        hand = self.review.hands[-1] if self.review.hands else None
        if hand is None or hand.chance_before is None:
            return ""
        own, other = hand.before[self.review.seat], hand.before[1 - self.review.seat]
        return self.t(
            self._key("before_last", self.own is not None),
            name=self.review.names[self.review.seat], own=own, other=other, percent=percent(hand.chance_before),
        )  # fmt: skip

    def turn(self) -> str:
        """Which hand turned the match."""
        turns = self.review.turning_points
        if not turns:
            return self.t("review.no_turn") if self.review.is_judged else ""
        hand = turns[0]
        return self.t(
            self._key("turn", self.own is not None), name=self.review.names[self.review.seat],
            number=hand.hand + 1, before=percent(hand.chance_before), after=percent(hand.chance_after),
        )  # fmt: skip

    def worst_of(self, seat: int) -> str:
        """What a seat lost most by."""
        own = seat == self.own
        moves = [move for move in self.review.moves if move.seat == seat and move.grade not in (None, "good")]
        name = self.review.names[seat]
        if not moves:
            return self.t(self._key("flawless", own), name=name)
        move = max(moves, key=lambda found: found.loss)
        assert move.judgement is not None
        return self.t(
            self._key("worst", own), name=name, move=move.text.partition(": ")[2] or move.text, number=move.hand + 1,
            percent=loss_text(move.loss), points=f"{move.judgement.loss:.2f}", better=move.better,
        )  # fmt: skip

    def caption(self, move: ReviewedMove) -> str:
        """A judged move in a line, for the board."""
        judged, hand = move.judgement, self.t("table.hand", number=move.hand + 1)
        if judged is None:
            return f"{hand} · {move.text}"
        line = f"{hand} · {move.text} · {self.t(f'review.grade.{judged.grade}')}"
        return f"{line} · {self.lost(move)}" if move.better and move.grade != "good" else line

    def lost(self, move: ReviewedMove) -> str:
        """What a move lost, and the better one."""
        assert move.judgement is not None
        points, chance = f"{move.judgement.loss:.2f}", loss_text(move.loss)
        return self.t("review.lost", points=points, percent=chance, better=move.better)

    def score(self, scores: Sequence[int]) -> str:
        """How it stands, the reader's team first."""
        team = self.live.game.teams[self.review.seat]
        return " – ".join(map(str, (scores[team], *scores[:team], *scores[team + 1 :])))

    def turn_line(self, hand: ReviewedHand) -> str:
        """A turning point in a line."""
        score = self.score(hand.after)
        before, after = percent(hand.chance_before), percent(hand.chance_after)
        return self.t("review.turn_line", number=hand.hand + 1, before=before, after=after, score=score)
