"""Matches in compiled code: lanes that play, and players who are asked what their trees do not say yet."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from retruco.agents.core import Agent, agent_key, agent_stream, ask_agent
from retruco.agents.trees import UNKNOWN, NotAFunction, RecordedStream, Trees
from retruco.agents.truco.situation_tables import MOST_PRICED_TARGET, LookData
from retruco.arena.compiled import SILENT, Asking, PlayReadable
from retruco.arena.compiled_loop import (
    ACTION,
    ALL_HANDS,
    ASKING,
    CHECKING,
    DEALING,
    DECISIONS,
    GAINS,
    HAND_NUMBER,
    HITS,
    LENGTH,
    OVER,
    PLAYER,
    PLAYING,
    READY,
    STATUS,
    TAG,
    Lanes,
    advance,
    new_lanes,
    new_room,
)
from retruco.arena.seatings import Seating, seatings
from retruco.arena.sets import DealsFor, Score, deal_key, first_seat
from retruco.arena.tally import counted
from retruco.cbr.case import Decision
from retruco.games.core import Match, Seat
from retruco.games.truco import Truco, TrucoObservation, TrucoState
from retruco.games.truco.compiled.automaton import MAO_FLOR
from retruco.games.truco.compiled.conduct import conduct_table
from retruco.games.truco.compiled.situation import (
    PLAYER_SHIFT,
    part_bits,
    sort_hand,
    write_key,
)
from retruco.games.truco.compiled.stepper import (
    CARDS,
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
    row_of,
)
from retruco.games.truco.compiled.tables import tables_for
from retruco.games.truco.deck import Hand, strength
from retruco.games.truco.state import Turn, turn_of
from retruco.streams import key_number

MOST_TAGS: Final = 256
MOST_PLAYERS: Final = 4096
MOST_KEYS: Final = 4_000_000
MOST_SEEN: Final = 100_000
"""When more are known, trees are forgotten and grow anew."""


@dataclass
class Reading:
    """How often decisions were read, and how often players were asked."""

    read: int = 0
    asked: int = 0
    checked: int = 0
    """How often a player was asked though its tree had the answer; both must be the same."""

    @property
    def rate(self) -> float:
        """The share of decisions that were read."""
        return self.read / max(1, self.read + self.asked)


@lru_cache(maxsize=4)
def compiled_matches(game: Truco) -> CompiledMatches:
    """The matches of a game, with all that has been learnt of its players in this process."""
    return CompiledMatches(game)


class CompiledMatches:
    """Plays matches of one game, and keeps the trees of their players."""

    def __init__(self, game: Truco) -> None:
        self.game, self.tables = game, tables_for(game)
        self.conduct_names, self.conduct = conduct_table()
        self.room, self.looks = new_room(), LookData(game, 2 * len(self.tables.actor))
        self.reading = Reading()
        self.forget()

    def forget(self) -> None:
        """Forget all trees."""
        self.trees = Trees()
        self.players: dict[tuple[int, int], int] = {}
        self.agents: list[Agent] = []
        self.tags: dict[tuple[str, ...], int] = {}
        self.seen: dict[tuple[int, ...], TrucoObservation] = {}
        self.parts = np.full((16, 2 * len(self.tables.actor)), UNKNOWN, dtype=np.int8)

    def play(
        self,
        entrants: Sequence[Agent],
        seed: int,
        numbers: Sequence[int],
        most_hands: int | None = None,
        deals_for: DealsFor | None = None,
        asking: Asking = SILENT,
    ) -> list[Score]:
        """Play duplicate pairs by their numbers; raises `PlayReadable` where somebody breaks the rules."""
        started = time.perf_counter()
        if self.game.target > MOST_PRICED_TARGET and any(
            hasattr(agent, "decide_traced") for agent in entrants
        ):
            raise PlayReadable(f"scripted players are compiled up to a target of {MOST_PRICED_TARGET}")
        if len(self.players) > MOST_PLAYERS or self.trees.count > MOST_KEYS:
            self.forget()
        matches = [
            LaneMatch(number, order, seating, seed, deals_for(number) if deals_for else None)
            for number in numbers
            for order, seating in enumerate(seatings(self.game))
        ]
        run = Run(self, entrants, matches, most_hands, asking)
        run.play()
        return run.scores(time.perf_counter() - started)

    def player_number(self, agent: Agent) -> int:
        """The number of a player; one that remembers is another whenever its cases change."""
        cases = getattr(agent, "cases", None)
        key = (id(agent), getattr(cases, "generation", 0))
        number = self.players.get(key)
        if number is None:
            number = self.players[key] = len(self.agents)
            self.agents.append(agent)
            if number == len(self.parts):
                self.parts = np.concatenate([self.parts, np.full_like(self.parts, UNKNOWN)])
        return number

    def tag_of(self, decision: Decision) -> int:
        """The number of what a decision counts as."""
        tag = self.tags.setdefault(tuple(counted(decision)), len(self.tags))
        if tag >= MOST_TAGS:
            raise PlayReadable(f"decisions count as more than {MOST_TAGS} things")
        return tag


@dataclass(frozen=True)
class Tracing:
    """An agent that records what it compares."""

    decide: Callable[[Any, Any], Decision]


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


class Run:
    """Some matches being played side by side."""

    def __init__(
        self,
        home: CompiledMatches,
        entrants: Sequence[Agent],
        matches: Sequence[LaneMatch],
        most_hands: int | None,
        asking: Asking,
    ) -> None:
        self.home, self.entrants, self.matches, self.asking = home, entrants, matches, asking
        self.most_hands = ALL_HANDS if most_hands is None else most_hands
        self.lanes = self._new_lanes()
        self.turns: dict[int, tuple[int, int, Turn]] = {}
        """By lane: the number of a hand, how many actions of it were taken in the readable engine, and where they led."""

    def _new_lanes(self) -> Lanes:
        home, game = self.home, self.home.game
        lanes = new_lanes(len(self.matches), home.tables.longest, MOST_TAGS, len(home.conduct.counts))
        for lane, match in enumerate(self.matches):
            lanes.rows[lane, MAO] = first_seat(game, match.seed, match.number)
            lanes.agent_keys[lane] = agent_key(match.match_seed)
            if match.deals is None:
                lanes.deal_keys[lane] = deal_key(match.seed, match.number)
            for seat, (entrant, _) in enumerate(match.seating):
                lanes.numbers[lane, PLAYER + seat] = home.player_number(self.entrants[entrant])
        return lanes

    def play(self) -> None:
        """Play on until all matches are over."""
        home, status = self.home, self.lanes.numbers[:, STATUS]
        while not (status == OVER).all():
            advance(
                home.tables, home.conduct, home.looks.tables, home.trees.arrays, home.parts, self.lanes, home.room,
                self.most_hands,
            )  # fmt: skip
            for lane in np.flatnonzero(status == DEALING):
                self._deal(int(lane))
            answered: set[tuple[int, int]] = set()
            for lane in np.flatnonzero(status == CHECKING):
                self._ask(int(lane), check=True)
                status[lane] = PLAYING
            for lane in np.flatnonzero(status == ASKING):
                key = (int(self.lanes.keys[lane, 0]), int(self.lanes.keys[lane, 1]))
                if key not in answered:  # another lane may have asked the same
                    self._ask(int(lane))
                    answered.add(key)
                status[lane] = PLAYING
        home.reading.read += int(self.lanes.numbers[:, HITS].sum())

    def _deal(self, lane: int) -> None:
        """Put the cards of a fixed deal into a lane."""
        deals = self.matches[lane].deals
        assert deals is not None
        hands = deals(int(self.lanes.numbers[lane, HAND_NUMBER])).hands
        self.lanes.rows[lane, CARDS : CARDS + 2 * HAND] = row_of(hands, (0, 0))[CARDS : CARDS + 2 * HAND]
        self.lanes.numbers[lane, STATUS] = READY

    def _ask(self, lane: int, check: bool = False) -> None:
        """Ask the seat to act; the answer is entered in its tree, or must be there already, and is carried out."""
        home, numbers, key = self.home, self.lanes.numbers[lane], self.lanes.keys[lane]
        seat, place = self._who_and_where(lane)
        player = int(numbers[PLAYER + seat])
        agent, parts = home.agents[player], int(home.parts[player, place])
        if parts == UNKNOWN:
            parts = self._learn_parts(lane, seat, player, place)
        traced = getattr(agent, "decide_traced", None)
        itself = check or traced is not None
        seen = self._state(lane).observe(seat) if itself else self._observation(lane, seat, parts)
        match, hand, decided = self.matches[lane], int(numbers[HAND_NUMBER]), int(numbers[DECISIONS + seat])
        chance = RecordedStream(agent_stream(match.match_seed, seat, hand, decided))
        self.asking.begin(match.number, match.order, hand, decided, seat)
        decision = self._decision(Tracing(traced) if traced else agent, seen, chance)
        self.asking.end()
        if traced:
            home.looks.learn(place, seen, chance.steps)
        action, tag = in_order_of_strength(seen.hand, decision.action), home.tag_of(decision)
        numbers[ACTION], numbers[TAG] = action, tag
        try:
            home.trees.enter(key, chance.steps, action, tag)
        except NotAFunction as error:
            raise NotAFunction(f"{agent} decides by more than its key_parts say: {error}") from error
        home.reading.asked += not check
        home.reading.checked += check

    def _who_and_where(self, lane: int) -> tuple[Seat, int]:
        """The seat to act and its situation, as the compiled loop has them."""
        row, tables = self.lanes.rows[lane], self.home.tables
        state = int(row[STATE])
        actor = int(tables.actor[state])
        return actor ^ int(row[MAO]), 2 * state + int(row[CONDITIONS + MAO_FLOR + actor])

    def _learn_parts(self, lane: int, seat: Seat, player: int, place: int) -> int:
        """Ask a player what its decisions depend on in a new situation, and write its key anew."""
        home, row, order = self.home, self.lanes.rows[lane], self.home.room.order
        agent: Any = home.agents[player]
        parts = part_bits(agent.key_parts(self._state(lane).observe(seat)))
        home.parts[player, place] = parts
        sort_hand(home.tables, row, seat, order)
        write_key(home.tables, row, seat, order, player, parts, self.lanes.keys[lane])
        return parts

    def _observation(self, lane: int, seat: Seat, parts: int) -> TrucoObservation:
        """What the seat to act sees, or saw when another player was asked with the same key."""
        home, (first, second) = self.home, self.lanes.keys[lane].tolist()
        place = (first % (1 << PLAYER_SHIFT), second, parts)
        found = home.seen.get(place)
        if found is None:
            if len(home.seen) >= MOST_SEEN:
                home.seen.clear()
            found = home.seen[place] = self._state(lane).observe(seat)
        return found

    def _state(self, lane: int) -> TrucoState:
        """The hand of a lane in the readable engine; it goes on from where the lane was asked last."""
        length, hand = int(self.lanes.numbers[lane, LENGTH]), int(self.lanes.numbers[lane, HAND_NUMBER])
        number, taken, turn = self.turns.get(lane, (UNKNOWN, 0, None))
        if number != hand or turn is None:
            taken, turn = 0, self._begin(lane)
        for action in self.lanes.actions[lane, taken:length].tolist():
            turn.seat = turn_of(turn.rounds, turn.envido, turn.flor, turn.bet)
            turn.take(action_text(turn.hands[turn.seat], action))
        self.turns[lane] = hand, length, turn
        return turn.finished()

    def _begin(self, lane: int) -> Turn:
        """The beginning of a lane's hand."""
        row = self.lanes.rows[lane].tolist()
        paid = [sum(row[POINTS + seat : POINTS + 6 : 2]) for seat in (0, 1)]
        scores = (row[SCORES] - paid[0], row[SCORES + 1] - paid[1])
        return Turn(self.home.game.begin(hands_of(row), scores, row[MAO]))

    def _decision(self, agent: Agent, seen: Any, chance: RecordedStream) -> Decision:
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

    # Results

    def scores(self, seconds: float) -> list[Score]:
        """Sum the matches up, set by set."""
        places = len(seatings(self.home.game))
        each = seconds / max(1, int(self.lanes.tags.sum()))
        names, done = self._counted()
        return [
            self._score(range(first, first + places), each, names, done)
            for first in range(0, len(self.matches), places)
        ]

    def _counted(self) -> tuple[list[str], NDArray[np.int64]]:
        """All names that anything counts as, and how often by lane, seat and name."""
        home, tags = self.home, self.home.tags
        decided = sorted({name for names in tags for name in names})
        by_tag = np.array([[names.count(name) for name in decided] for names in tags], dtype=np.int64)
        hands = np.repeat(self.lanes.numbers[:, HAND_NUMBER, None, None], 2, axis=1)
        done = (self.lanes.tags[:, :, : len(tags)] @ by_tag, self.lanes.conduct @ home.conduct.counts, hands)
        return [*decided, *home.conduct_names, "hands"], np.concatenate(done, axis=2)

    def _score(
        self, lanes: Sequence[int], seconds_each: float, names: Sequence[str], done: NDArray[np.int64]
    ) -> Score:
        counts = [
            {name: many for name, many in zip(names, some.tolist(), strict=True) if many}
            for some in self._by_entrant(lanes, done).sum(axis=0)
        ]
        return Score(
            self.matches[lanes[0]].number,
            tuple(self._winner(lane) for lane in lanes),
            tuple(map(tuple, self._by_entrant(lanes, self.lanes.numbers[:, GAINS : GAINS + 2]).tolist())),
            tuple(self.lanes.numbers[lanes[0] : lanes[-1] + 1, HAND_NUMBER].tolist()),
            tuple(counts),
            tuple(round(seconds_each * one["decisions"], 6) for one in counts),
        )

    def _by_entrant(self, lanes: Sequence[int], values: NDArray[Any]) -> NDArray[Any]:
        """Values of some lanes by seat, turned into values by entrant."""
        orders = [np.argsort([entrant for entrant, _ in self.matches[lane].seating]) for lane in lanes]
        return np.stack([values[lane][order] for lane, order in zip(lanes, orders, strict=True)])

    def _winner(self, lane: int) -> int | None:
        """The entrant that won a lane's match, if it was played to the end."""
        game, row = self.home.game, self.lanes.rows[lane]
        match = Match((int(row[SCORES]), int(row[SCORES + 1])), 0)
        seat = game.winner(match) if game.is_over(match) else None
        return None if seat is None else self.matches[lane].seating[seat][0]


def in_order_of_strength(hand: Hand, action: str) -> int:
    """The number of an action, own cards counted from the weakest."""
    number = action_number(hand, action)
    if number >= FIRST_CALL:
        return number
    down, played = divmod(number, HAND)
    own = strength(hand[played])
    weaker = sum((strength(card), place) < (own, played) for place, card in enumerate(hand))
    return HAND * down + weaker
