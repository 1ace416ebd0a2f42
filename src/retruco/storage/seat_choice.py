"""Whose views to keep of recorded hands that show every seat's cards: a seat, both, the winner's or an agent's.

>>> hand = {"game": "kuhn", "cards": ["K", "J"], "first": 0, "actions": ["bet", "fold"], "agents": ["A", "B"]}
>>> [SeatChoice(text).seats(hand) for text in ("1", "both", "winner", "B")]
[(1,), (0, 1), (0,), (1,)]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from retruco.games.core import Seat, State, short_repr
from retruco.games.records import replay_finished
from retruco.games.registry import find_game
from retruco.vocab.truco.one_sided import is_one_sided
from retruco.vocab.truco.partial import is_partial

Record = Mapping[str, object]

BOTH: Final = "both"
WINNER: Final = "winner"
CHOICES: Final = f"0, 1, {BOTH}, {WINNER} or an agent's name"


class SeatChoice:
    """Chooses the seats of each hand, and counts what it chooses.

    `both` means every seat, also where there are more than two. `winner` means the seats of the team that
    gained most points in the hand; a hand in which several teams gained most has no winner and no seat is chosen.
    """

    def __init__(self, text: str) -> None:
        if not text.strip():
            raise ValueError(f"--seat is empty: one of {CHOICES}")
        self.text = text
        self.hands = 0
        self.skipped = 0
        """Hands of which no seat was chosen."""
        self._agents: set[str] = set()

    @property
    def description(self) -> str:
        """What was chosen, as part of a sentence."""
        if self.text == BOTH:
            return "every seat's view"
        if self.text == WINNER:
            return "the winner's view"
        return f"the view of seat {self.text}" if self._is_number else f"the view of {self.text}"

    @property
    def reason_to_skip(self) -> str:
        """Why no seat of a hand was chosen."""
        return "nobody won them" if self.text == WINNER else f"{self.text} does not play in them"

    @property
    def _is_number(self) -> bool:
        return self.text.isascii() and self.text.isdigit() and len(self.text) < 4

    def seats(self, record: Record) -> tuple[Seat, ...]:
        """Choose the seats of a hand; refuse a hand in which there is nothing to choose."""
        if is_partial(record) or is_one_sided(record):
            raise ValueError("the hand shows the cards of one seat only: import it without --seat")
        chosen = self._choose(record)
        self.hands += 1
        self.skipped += not chosen
        return chosen

    def _choose(self, record: Record) -> tuple[Seat, ...]:
        if self._is_number:
            return (int(self.text),)
        if self.text == WINNER:
            return winning_seats(record)
        if self.text == BOTH:
            return tuple(range(count_seats(replay_finished(record))))
        agents = agents_of(record)
        self._agents.update(agents)
        return tuple(seat for seat, agent in enumerate(agents) if agent == self.text)

    def check_chosen(self, where: object) -> None:
        """Refuse a file in which no hand had a seat to choose."""
        if self.skipped < self.hands:
            return
        if self.text == WINNER:
            raise ValueError(f"{where}: none of the {self.hands} hands has a winner")
        names = ", ".join(sorted(self._agents))
        raise ValueError(
            f"{where}: {short_repr(self.text)} plays in none of the {self.hands} hands: one of {names}, 0, 1, {BOTH}, {WINNER}"
        )


def agents_of(record: Record) -> Sequence[str]:
    """The names of the agents by seat; refuse a record that does not name them."""
    agents = record.get("agents")
    if not isinstance(agents, list) or not agents or not all(isinstance(agent, str) for agent in agents):
        raise ValueError(
            f"agents must be a list of names, not {short_repr(agents)}: choose a seat by --seat 0, 1, {BOTH} or {WINNER}"
        )
    return agents


def winning_seats(record: Record) -> tuple[Seat, ...]:
    """The seats of the team that gained most points in a hand; none where several teams gained most."""
    end = replay_finished(record)
    assert end.outcome is not None
    points = end.outcome.points
    if points.count(max(points)) > 1:
        return ()
    best = points.index(max(points))
    return tuple(seat for seat, team in enumerate(_teams(record, end)) if team == best)


def _teams(record: Record, end: State) -> Sequence[int]:
    assert end.outcome is not None
    seats = count_seats(end)
    if seats == len(end.outcome.points):
        return range(seats)
    rules = record.get("rules")
    return find_game(str(record["game"]), rules if isinstance(rules, str) else None).teams


def count_seats(state: State) -> int:
    """Count the seats of a table."""
    seat = 0
    while True:
        try:
            state.observe(seat)
        except IndexError:
            return seat
        seat += 1
