"""Asking in compiled matches: where a tree has no answer yet, its player is asked in Python."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from retruco.agents.core import Agent, agent_stream, ask_agent
from retruco.agents.trees import UNKNOWN, NotAFunction, RecordedStream
from retruco.arena.compiled import Asking, PlayReadable
from retruco.arena.compiled_loop import ACTION, DECISIONS, HAND_NUMBER, LENGTH, PLAYER, TAG, Lanes
from retruco.arena.compiled_players import CompiledPlayers
from retruco.arena.seatings import Seating
from retruco.cbr.case import Decision
from retruco.games.core import Seat
from retruco.games.truco import TrucoObservation, TrucoState
from retruco.games.truco.compiled.automaton import MAO_FLOR
from retruco.games.truco.compiled.situation import PLAYER_SHIFT, part_bits, sort_hand, write_key
from retruco.games.truco.compiled.stepper import (
    CONDITIONS,
    FIRST_CALL,
    HAND,
    MAO,
    POINTS,
    SCORES,
    STATE,
    action_number,
    action_text,
    hands_of,
)
from retruco.games.truco.deck import Hand, strength
from retruco.games.truco.state import Turn, turn_of
from retruco.streams import key_number

MOST_SEEN: Final = 100_000
"""How many observations are remembered; then all are forgotten."""


@dataclass(frozen=True)
class LaneMatch:
    """The match of a lane."""

    number: int
    order: int
    """Which of the matches of its set it is."""
    seating: Seating
    seed: int
    deals: Callable[[int], Any] | None

    @cached_property
    def match_seed(self) -> int:
        """The seed of its agents' chance."""
        return key_number("match", self.seed, self.number)


@dataclass(frozen=True)
class Tracing:
    """An agent that records what it compares."""

    decide: Callable[[Any, Any], Decision]


class Asker:
    """Asks the players of some lanes, and enters their answers in their trees."""

    def __init__(
        self, players: CompiledPlayers, matches: Sequence[LaneMatch], lanes: Lanes, asking: Asking
    ) -> None:
        self.players, self.matches, self.lanes, self.asking = players, matches, lanes, asking
        self._turns: dict[int, tuple[int, int, Turn]] = {}
        """By lane: the number of a hand, how many actions of it were taken in the readable engine, and where they led."""

    def ask(self, lane: int, check: bool = False) -> None:
        """Ask the seat to act; the answer is entered in its tree, or must be there already, and is carried out."""
        players, numbers, key = self.players, self.lanes.numbers[lane], self.lanes.keys[lane]
        seat, place = self.who_and_where(lane)
        player = int(numbers[PLAYER + seat])
        agent, parts = players.agents[player], int(players.parts[player, place])
        if parts == UNKNOWN:
            parts = self._learn_parts(lane, seat, player, place)
        self._write_key(lane, seat, player, parts)
        traced = getattr(agent, "decide_traced", None)
        itself = check or traced is not None
        seen = self.state(lane).observe(seat) if itself else self._observation(lane, seat, parts)
        match, hand, decided = self.matches[lane], int(numbers[HAND_NUMBER]), int(numbers[DECISIONS + seat])
        chance = RecordedStream(agent_stream(match.match_seed, seat, hand, decided))
        self.asking.begin(match.number, match.order, hand, decided, seat)
        decision = self.decide(Tracing(traced) if traced else agent, seen, chance)
        self.asking.end()
        if traced:
            players.looks.learn(place, seen, chance.steps)
        action, tag = in_order_of_strength(seen.hand, decision.action), players.tag_of(decision)
        numbers[ACTION], numbers[TAG] = action, tag
        try:
            players.trees.enter(key, chance.steps, action, tag)
        except NotAFunction as error:
            raise NotAFunction(f"{agent} decides by more than its key_parts say: {error}") from error
        players.reading.asked += not check
        players.reading.checked += check

    def who_and_where(self, lane: int) -> tuple[Seat, int]:
        """The seat to act and its situation, as the compiled loop has them."""
        row, tables = self.lanes.rows[lane], self.players.tables
        state = int(row[STATE])
        actor = int(tables.actor[state])
        return actor ^ int(row[MAO]), 2 * state + int(row[CONDITIONS + MAO_FLOR + actor])

    def _learn_parts(self, lane: int, seat: Seat, player: int, place: int) -> int:
        """Ask a player what its decisions depend on in a new situation."""
        agent: Any = self.players.agents[player]
        parts = part_bits(agent.key_parts(self.state(lane).observe(seat)))
        self.players.parts[player, place] = parts
        return parts

    def _write_key(self, lane: int, seat: Seat, player: int, parts: int) -> None:
        """Write the key of a lane anew: what a decision depends on may be known only since the lane has stopped."""
        tables, row, order = self.players.tables, self.lanes.rows[lane], self.players.room.order
        sort_hand(tables, row, seat, order)
        write_key(tables, row, seat, order, player, parts, self.lanes.keys[lane])

    def _observation(self, lane: int, seat: Seat, parts: int) -> TrucoObservation:
        """What the seat to act sees, or saw when another player was asked with the same key."""
        seen, (first, second) = self.players.seen, self.lanes.keys[lane].tolist()
        place = (first % (1 << PLAYER_SHIFT), second, parts)
        found = seen.get(place)
        if found is None:
            if len(seen) >= MOST_SEEN:
                seen.clear()
            found = seen[place] = self.state(lane).observe(seat)
        return found

    def state(self, lane: int) -> TrucoState:
        """The hand of a lane in the readable engine; it goes on from where the lane was asked last."""
        length, hand = int(self.lanes.numbers[lane, LENGTH]), int(self.lanes.numbers[lane, HAND_NUMBER])
        number, taken, turn = self._turns.get(lane, (UNKNOWN, 0, None))
        if number != hand or turn is None:
            taken, turn = 0, self._begin(lane)
        for action in self.lanes.actions[lane, taken:length].tolist():
            turn.seat = turn_of(turn.rounds, turn.envido, turn.flor, turn.bet)
            turn.take(action_text(turn.hands[turn.seat], action))
        self._turns[lane] = hand, length, turn
        return turn.finished()

    def _begin(self, lane: int) -> Turn:
        """The beginning of a lane's hand."""
        row = self.lanes.rows[lane].tolist()
        paid = [sum(row[POINTS + seat : POINTS + 6 : 2]) for seat in (0, 1)]
        scores = (row[SCORES] - paid[0], row[SCORES + 1] - paid[1])
        return Turn(self.players.game.begin(hands_of(row), scores, row[MAO]))

    def decide(self, agent: Agent, seen: Any, chance: RecordedStream) -> Decision:
        started = time.perf_counter()
        try:
            decision = ask_agent(agent, seen, chance)
        except (Exception, SystemExit) as error:  # the readable way lets it forfeit
            raise PlayReadable(str(error)) from error
        late = self.asking.move_time
        if late is not None and time.perf_counter() - started > late:
            raise PlayReadable("a decision took too long")
        if decision.action not in seen.legal:
            raise PlayReadable(f"illegal action {decision.action}")
        return decision


def in_order_of_strength(hand: Hand, action: str) -> int:
    """The number of an action, own cards counted from the weakest."""
    number = action_number(hand, action)
    if number >= FIRST_CALL:
        return number
    down, played = divmod(number, HAND)
    own = strength(hand[played])
    weaker = sum((strength(card), place) < (own, played) for place, card in enumerate(hand))
    return HAND * down + weaker
