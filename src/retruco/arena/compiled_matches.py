"""Matches in compiled code: lanes that play, and players who are asked what their trees do not say yet."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

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
from retruco.games.truco.compiled.conduct import conduct_table
from retruco.games.truco.compiled.situation import (
    PLAYER_SHIFT,
    part_bits,
    situation,
    sort_hand,
    write_key,
)
from retruco.games.truco.compiled.stepper import (
    CARDS,
    FIRST_CALL,
    HAND,
    MAO,
    POINTS,
    SCORES,
    action_number,
    action_text,
    hands_of,
    row_of,
    seat_to_act,
)
from retruco.games.truco.compiled.tables import tables_for
from retruco.games.truco.deck import Hand, strength
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

    @property
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
        home, numbers, row, key = (
            self.home,
            self.lanes.numbers[lane],
            self.lanes.rows[lane],
            self.lanes.keys[lane],
        )
        seat = int(seat_to_act(home.tables, row))
        player = int(numbers[PLAYER + seat])
        agent, place = home.agents[player], situation(home.tables, row)
        if home.parts[player, place] == UNKNOWN:
            home.parts[player, place] = part_bits(agent.key_parts(self._state(lane).observe(seat)))  # type: ignore[attr-defined]
            sort_hand(home.tables, row, seat, home.room.order)
            write_key(home.tables, row, seat, home.room.order, player, int(home.parts[player, place]), key)
        traced = getattr(agent, "decide_traced", None)
        itself = check or traced is not None
        seen = self._state(lane).observe(seat) if itself else self._observation(lane, seat, player)
        match, hand, decided = self.matches[lane], int(numbers[HAND_NUMBER]), int(numbers[DECISIONS + seat])
        chance = RecordedStream(agent_stream(match.match_seed, seat, hand, decided))
        self.asking.begin(match.number, match.order, hand, decided, seat)
        decision = self._decision(Tracing(traced) if traced else agent, seen, chance)
        self.asking.end()
        if traced:
            home.looks.learn(int(place), seen, chance.steps)
        action = in_order_of_strength(seen.hand, decision.action)
        numbers[ACTION], numbers[TAG] = action, home.tag_of(decision)
        try:
            home.trees.enter(key, chance.steps, action, int(numbers[TAG]))
        except NotAFunction as error:
            raise NotAFunction(f"{agent} decides by more than its key_parts say: {error}") from error
        home.reading.asked += not check
        home.reading.checked += check

    def _observation(self, lane: int, seat: Seat, player: int) -> TrucoObservation:
        """What the seat to act sees, or saw when another player was asked with the same key."""
        home, key = self.home, self.lanes.keys[lane]
        parts = int(home.parts[player, situation(home.tables, self.lanes.rows[lane])])
        place = (int(key[0]) % (1 << PLAYER_SHIFT), int(key[1]), parts)
        found = home.seen.get(place)
        if found is None:
            if len(home.seen) >= MOST_SEEN:
                home.seen.clear()
            found = home.seen[place] = self._state(lane).observe(seat)
        return found

    def _state(self, lane: int) -> TrucoState:
        """The hand of a lane in the readable engine."""
        row, numbers, game = self.lanes.rows[lane], self.lanes.numbers[lane], self.home.game
        paid = row[POINTS : POINTS + 6].reshape(3, 2).sum(axis=0)
        before = row[SCORES : SCORES + 2] - paid
        state = game.begin(hands_of(row), (int(before[0]), int(before[1])), int(row[MAO]))
        for action in self.lanes.actions[lane, : numbers[LENGTH]].tolist():
            assert state.to_act is not None
            state = state.play(action_text(state.hands[state.to_act], action))
        return state

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
        lanes = range(0, len(self.matches), places)
        each = seconds / max(1, int(self.lanes.tags.sum()))
        return [self._score(range(first, first + places), each) for first in lanes]

    def _score(self, lanes: Sequence[int], seconds_each: float) -> Score:
        counts = self._counts(lanes)
        return Score(
            self.matches[lanes[0]].number,
            tuple(self._winner(lane) for lane in lanes),
            tuple(tuple(self._by_entrant(lane, GAINS)) for lane in lanes),
            tuple(int(self.lanes.numbers[lane, HAND_NUMBER]) for lane in lanes),
            tuple(counts),
            tuple(round(seconds_each * one["decisions"], 6) for one in counts),
        )

    def _by_entrant(self, lane: int, place: int) -> list[int]:
        values = {
            entrant: int(self.lanes.numbers[lane, place + seat])
            for seat, (entrant, _) in enumerate(self.matches[lane].seating)
        }
        return [values[entrant] for entrant in sorted(values)]

    def _winner(self, lane: int) -> int | None:
        """The entrant that won a lane's match, if it was played to the end."""
        game, row = self.home.game, self.lanes.rows[lane]
        match = Match((int(row[SCORES]), int(row[SCORES + 1])), 0)
        seat = game.winner(match) if game.is_over(match) else None
        return None if seat is None else self.matches[lane].seating[seat][0]

    def _counts(self, lanes: Sequence[int]) -> list[Counter[str]]:
        """What each entrant did in some lanes; what was never done is not there."""
        home, names = self.home, list(self.home.tags)
        counts = [Counter[str]() for _ in self.entrants]
        for lane in lanes:
            for seat, (entrant, _) in enumerate(self.matches[lane].seating):
                found, tags = counts[entrant], self.lanes.tags[lane, seat]
                found["hands"] += int(self.lanes.numbers[lane, HAND_NUMBER])
                for tag in np.flatnonzero(tags).tolist():
                    for name in names[tag]:
                        found[name] += int(tags[tag])
                done = self.lanes.conduct[lane, seat] @ home.conduct.counts
                for place in np.flatnonzero(done).tolist():
                    found[home.conduct_names[place]] += int(done[place])
        return counts


def in_order_of_strength(hand: Hand, action: str) -> int:
    """The number of an action, own cards counted from the weakest."""
    number = action_number(hand, action)
    if number >= FIRST_CALL:
        return number
    order = sorted(range(HAND), key=lambda place: strength(hand[place]))
    return order.index(number % HAND) + HAND * (number // HAND)
