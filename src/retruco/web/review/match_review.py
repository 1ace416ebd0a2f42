"""The review of a finished match: its hands, what every decision lost, how the chance to win went up and down.

Works for every game. Decisions are judged, and chances are known, where the game's table view has a judge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from retruco.games.core import Action, Seat
from retruco.web.tables.table_view import TableView

if TYPE_CHECKING:
    from retruco.agents.truco.judgement import Judgement

Json = dict[str, Any]
GRADES: Final = ("good", "inaccurate", "mistake", "blunder")
"""The grades of `retruco analyse`, the best first."""
WORST: Final = 3
"""How many of the worst moves, and of the turning points, are named."""
LEAST_TURN: Final = 0.08
"""From which change of the chance to win a hand is a turning point."""

HALF_LOSS: Final = 0.05
"""The loss of match-winning chance at which a decision counts half; `retruco analyse` calls that a blunder."""


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """Something that a seat did, and what it lost."""

    number: int
    """Of the position that it led to."""
    hand: int
    seat: Seat
    action: Action
    text: str
    judgement: Judgement | None
    better: str = ""
    """The better move in words, where there is one."""

    @property
    def loss(self) -> float:
        """The loss of match-winning chance; 0 where it is not judged."""
        return self.judgement.chance_loss if self.judgement else 0.0

    @property
    def grade(self) -> str | None:
        """How good it was, in a word."""
        return self.judgement.grade if self.judgement else None

    def as_json(self) -> Json:
        """The move as plain data, with the numbers of `retruco analyse`."""
        plain: Json = {"number": self.number, "hand": self.hand, "seat": self.seat, "action": self.action}
        judged = self.judgement
        if judged is None:
            return {**plain, "grade": None}
        numbers = {"loss": judged.loss, "chance_loss": judged.chance_loss, "chance": judged.chance}
        rounded = {name: round(value, 4) for name, value in numbers.items()}
        return {**plain, "best_for_match": judged.best_for_match, **rounded, "grade": judged.grade}


@dataclass(frozen=True, slots=True)
class ReviewedHand:
    """A finished hand, or the one in which the match was broken off."""

    hand: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    """The scores of the teams."""
    chance_before: float | None
    chance_after: float | None
    """The reader's chance to win the match."""
    result: str
    moves: tuple[ReviewedMove, ...]

    @property
    def swing(self) -> float:
        """How much the reader's chance changed."""
        known = self.chance_before is not None and self.chance_after is not None
        return (self.chance_after or 0.0) - (self.chance_before or 0.0) if known else 0.0

    @property
    def worst_grade(self) -> str | None:
        """The grade of the worst move."""
        graded = [move for move in self.moves if move.judgement]
        return max(graded, key=lambda move: move.loss).grade if graded else None


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """How one seat decided."""

    seat: Seat
    name: str
    accuracy: float | None
    grades: Counter[str]
    points_lost: float
    chance_lost: float


@dataclass(frozen=True)
class MatchReview:
    """A whole match, as one seat reads it."""

    seat: Seat
    names: Sequence[str]
    hands: tuple[ReviewedHand, ...]

    @cached_property
    def moves(self) -> list[ReviewedMove]:
        """All moves in their order."""
        return [move for hand in self.hands for move in hand.moves]

    @property
    def is_judged(self) -> bool:
        """Whether any decision could be judged."""
        return any(move.judgement for move in self.moves)

    @cached_property
    def worst(self) -> list[ReviewedMove]:
        """The moves that lost most, as `retruco analyse` orders them: of equals the earlier one first."""
        return sorted((move for move in self.moves if move.loss > 0), key=lambda move: -move.loss)[:WORST]

    @cached_property
    def turning_points(self) -> list[ReviewedHand]:
        """The hands that changed the chance to win most, the greatest change first."""
        turns = [hand for hand in self.hands if abs(hand.swing) >= LEAST_TURN]
        return sorted(turns, key=lambda hand: -abs(hand.swing))[:WORST]

    @cached_property
    def players(self) -> list[PlayerReview]:
        """Seat by seat, the reader's first."""
        seats = sorted(range(len(self.names)), key=lambda seat: seat != self.seat)
        return [self._player(seat) for seat in seats]

    def _player(self, seat: Seat) -> PlayerReview:
        judged = [move.judgement for move in self.moves if move.seat == seat and move.judgement]
        losses = [judgement.chance_loss for judgement in judged]
        return PlayerReview(
            seat,
            self.names[seat],
            accuracy_of(losses),
            Counter(judgement.grade for judgement in judged),
            sum(judgement.loss for judgement in judged),
            sum(losses),
        )

    @property
    def lead_changes(self) -> int:
        """How often another team came to lead."""
        leaders = [leader for hand in self.hands if (leader := leader_of(hand.after)) is not None]
        return sum(before != after for before, after in pairwise(leaders))

    def as_json(self) -> Json:
        """The review as plain data."""
        return {
            "seat": self.seat,
            "judged": self.is_judged,
            "chances": [hand.chance_before for hand in self.hands] + [self.hands[-1].chance_after] if self.hands else [],
            "scores": [list(hand.after) for hand in self.hands],
            "worst": [move.as_json() for move in self.worst],
            "turning_points": [hand.hand for hand in self.turning_points],
            "players": [
                {"seat": player.seat, "name": player.name, "accuracy": player.accuracy, "grades": dict(player.grades)}
                for player in self.players
            ],
            "moves": [move.as_json() for move in self.moves],
        }  # fmt: skip


def accuracy_of(losses: Sequence[float]) -> float | None:
    """How accurate decisions were that lost so much match-winning chance, from 0 to 1; nothing without decisions.

    A decision that loses nothing counts 1, one that loses 5 % a half, one that loses 10 % a quarter.

    >>> accuracy_of([0, 0.05]), accuracy_of([])
    (0.75, None)
    """
    return sum(0.5 ** (loss / HALF_LOSS) for loss in losses) / len(losses) if losses else None


def leader_of(scores: Sequence[int]) -> int | None:
    """The team that leads; nobody where several do.

    >>> leader_of([3, 5]), leader_of([4, 4])
    (1, None)
    """
    most = max(scores)
    return scores.index(most) if list(scores).count(most) == 1 else None


def review_match(view: TableView) -> MatchReview:
    """Review a finished match for the seat of a view."""
    live = view.live
    count = max((position.hand for position in live.positions if position.moved), default=-1) + 1
    hands = tuple(_review_hand(view, hand) for hand in range(count))
    return MatchReview(view.seat, [view.name(seat) for seat in range(live.game.seats)], hands)


def _review_hand(view: TableView, hand: int) -> ReviewedHand:
    live = view.live
    places = live.places_of(hand)
    end = live.positions[places[-1]].state
    return ReviewedHand(
        hand,
        tuple(view.counted_scores(hand)),
        tuple(view.counted_scores(hand + 1)),
        view.win_chance(hand),
        view.win_chance(hand + 1),
        view.result(end) if end.outcome else "",
        tuple(_review_move(view, place) for place in places if live.positions[place].moved),
    )


def _review_move(view: TableView, place: int) -> ReviewedMove:
    position, judged = view.live.positions[place], view.judge_move(place)
    assert position.moved is not None
    seat, action = position.moved
    has_better = judged is not None and judged.best_for_match != action
    better = view.name_answer(judged.best_for_match) if judged and has_better else ""
    text = view.describe_move(place)
    return ReviewedMove(view.live.number(place), position.hand, seat, action, text, judged, better)
