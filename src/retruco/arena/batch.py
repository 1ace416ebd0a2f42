"""Matches side by side: each in a lane, all lanes in the same arrays, played in rounds until all are over.

A lane is one match: its hand as a row of the stepper, who sits where, what was counted. In every round each agent is asked
once for all lanes that wait for it (`decide_many`), and the lanes go on until they wait again. So an agent that answers
many situations at once pays its overhead once for thousands of hands. An agent without `decide_many` is asked one by one
from a readable observation, behind the same loop, and only its own lanes pay for that.

What a lane does never depends on the other lanes: the same match has the same hands in any batch. An agent that raises,
gives something illegal or takes too long loses its match, as anywhere; no other lane notices.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retruco.agents.core import Agent, Decisions, agent_key, agent_stream, ask_agent
from retruco.arena.euchre_lanes import EuchreLanes
from retruco.arena.lanes import (
    DEALING,
    GAINS,
    HAND_NUMBER,
    LENGTH,
    MADE,
    NONE,
    OVER,
    PLAYER,
    SEAT,
    STATUS,
)
from retruco.arena.match import Condemned, Fault, Forfeit, MatchResult, winner_without
from retruco.arena.seatings import seatings
from retruco.arena.sets import DealsFor, PlayedSet, Score, deal_key, deals_from, first_seat
from retruco.arena.table import Table
from retruco.arena.tally import Tally
from retruco.arena.truco_lanes import TrucoLanes
from retruco.compiler import load_numba
from retruco.games.core import Game, IllegalAction, Match, Seat
from retruco.games.euchre import Euchre
from retruco.games.truco import Truco
from retruco.streams import key_number

NO_LIMIT: Final = -1
MATCHES_OF_A_PAIR: Final = 2


class LaneMatch(NamedTuple):
    """A match to be played in a lane."""

    agents: tuple[Agent, ...]
    """By seat."""
    deals: Callable[[int], Any]
    """Its deals by the number of the hand."""
    first: Seat
    """The seat that leads the first hand."""
    seed: int
    """Names the chance of its agents."""
    deal_key: int = 0
    """The number of the key of its deals, if they are drawn as `deals_from` draws them; 0 asks `deals` for each."""
    pair: int = 0
    """The number of its duplicate pair."""
    order: int = 0
    """Which of the matches of its pair it is."""
    entrants: tuple[int, ...] = (0, 1)
    """By seat: the entrant of the pair."""


def matches_of_pair(
    game: Game, entrants: Sequence[Sequence[Agent]], seed: int, pair: int, deals_for: DealsFor | None = None
) -> list[LaneMatch]:
    """Both matches of a duplicate pair of teams, by the seed of the run and the number of the pair."""
    deals = deals_for(pair) if deals_for else deals_from(game, seed, pair)
    first, match_seed = first_seat(game, seed, pair), key_number("match", seed, pair)
    key = 0 if deals_for else deal_key(seed, pair)
    matches = []
    for order, seating in enumerate(seatings(game)):
        seated = tuple(entrants[entrant][member] for entrant, member in seating)
        by_seat = tuple(entrant for entrant, _ in seating)
        matches.append(LaneMatch(seated, deals, first, match_seed, key, pair, order, by_seat))
    return matches


def lane_game(game: Game) -> TrucoLanes | EuchreLanes:
    """How the lanes of a game are played."""
    if isinstance(game, Euchre):
        return EuchreLanes(game)
    assert isinstance(game, Truco)
    return TrucoLanes(game)


def lanes_of(pair: int) -> range:
    """The lanes of a pair, by its place in a batch of pairs."""
    return range(pair * MATCHES_OF_A_PAIR, (pair + 1) * MATCHES_OF_A_PAIR)


TallyFor = Callable[[LaneMatch], Tally]
"""Makes what counts, times and watches the decisions of agents that are asked one by one."""


class Batch:
    """Matches of one game, played side by side."""

    def __init__(
        self,
        game: Game,
        matches: Sequence[LaneMatch],
        most_hands: int | None = None,
        tally_for: TallyFor = lambda match: Tally(len(match.agents)),
        one_by_one: bool = False,
    ) -> None:
        load_numba()
        self.game, self.table_game, self.matches = game, lane_game(game), matches
        self.most_hands = NO_LIMIT if most_hands is None else most_hands
        self.agents: list[Agent] = []
        """By number: the player."""
        self.lanes = self.table_game.new_lanes([match.first for match in matches])
        self._seat_players()
        self._one_by_one = [one_by_one or not hasattr(agent, "decide_many") for agent in self.agents]
        self._names: list[tuple[str, ...]] = [()] * len(self.agents)
        self._counts: list[NDArray[np.int32] | None] = [None] * len(self.agents)
        self._seconds = [0.0] * len(self.agents)
        self._asked = [0] * len(self.agents)
        self.tallies = {
            lane: tally_for(match)
            for lane, match in enumerate(self.matches)
            if any(self._one_by_one[self.lanes.numbers[lane, PLAYER + seat]] for seat in range(game.seats))
        }
        self._on_readable_tables: dict[int, tuple[Table, int]] = {}
        """By lane: its match, and how many actions it has had there."""
        self.forfeits: dict[int, Forfeit] = {}

    def _seat_players(self) -> None:
        players: dict[int, int] = {}
        lanes = self.lanes
        for lane, match in enumerate(self.matches):
            lanes.agent_keys[lane] = agent_key(match.seed)
            lanes.deal_keys[lane] = match.deal_key
            for seat, agent in enumerate(match.agents):
                number = players.setdefault(id(agent), len(players))
                if number == len(self.agents):
                    self.agents.append(agent)
                lanes.numbers[lane, PLAYER + seat] = number

    def play(self) -> None:
        """Play all matches to their end."""
        self._go_on(np.arange(len(self.matches)), np.full(len(self.matches), NONE))
        is_waiting = True
        while is_waiting:
            is_waiting = False
            for player in range(len(self.agents)):
                lanes = np.flatnonzero(self.lanes.waits == player)
                if len(lanes):
                    is_waiting = True
                    self._take_turns(player, lanes)

    def _take_turns(self, player: int, lanes: NDArray[np.intp]) -> None:
        """Let a player decide in all lanes that wait for it."""
        if self._one_by_one[player]:
            for lane in lanes.tolist():
                self._ask(self.agents[player], lane)
            return
        started = time.perf_counter()
        try:
            decisions = self._decide_many(player, lanes)
        except Exception:  # noqa: BLE001  the lanes are asked one by one, to find the one that forfeits
            self._find_failure(player, lanes)
            return
        self._count(player, lanes, decisions)
        self._go_on(lanes, decisions.actions)
        self._seconds[player] += time.perf_counter() - started
        self._asked[player] += len(lanes)

    def _decide_many(self, player: int, lanes: NDArray[np.intp]) -> Decisions:
        agent: Any = self.agents[player]
        found = agent.decide_many(self.game, self.lanes.situations[lanes], self.lanes.streams[lanes])
        if not isinstance(found, Decisions) or np.shape(found.actions) != (len(lanes),):
            raise TypeError(f"{agent} was asked for {len(lanes)} actions and gave {found!r}")
        return found

    def _find_failure(self, player: int, lanes: NDArray[np.intp]) -> None:
        for lane in lanes:
            one = np.array([lane])
            try:
                decisions = self._decide_many(player, one)
            except Exception:  # noqa: BLE001  whatever an agent raises costs it the match, and is kept
                self._forfeit(int(lane), "failed", traceback.format_exc())
            else:
                self._count(player, one, decisions)
                self._go_on(one, decisions.actions)

    def _go_on(self, lanes: NDArray[np.intp], actions: NDArray[Any]) -> None:
        """Carry out the actions of some lanes; what is illegal costs the match."""
        if int(self.lanes.numbers[:, LENGTH].max(initial=0)) + 1 >= self.lanes.actions.shape[1]:
            wider = np.concatenate([self.lanes.actions, np.zeros_like(self.lanes.actions)], axis=1)
            self.lanes = self.lanes._replace(actions=wider)
        self.table_game.go_on(self.lanes, lanes, np.asarray(actions, np.int64), self.most_hands)
        for lane in lanes[self.lanes.illegal[lanes] != NONE].tolist():
            table, seat = self._table(lane), int(self.lanes.numbers[lane, SEAT])
            text = self.table_game.text_of(table, seat, int(self.lanes.illegal[lane]))
            self._forfeit(lane, "illegal", str(IllegalAction(text, table.state.legal)))
        dealing = lanes[self.lanes.numbers[lanes, STATUS] == DEALING]
        if len(dealing):
            self._deal_fixed(dealing)

    def _deal_fixed(self, lanes: NDArray[np.intp]) -> None:
        for lane in lanes.tolist():
            deal = self.matches[lane].deals(int(self.lanes.numbers[lane, HAND_NUMBER]))
            self.table_game.put_cards(self.lanes.rows[lane], deal)
        self._go_on(lanes, np.full(len(lanes), NONE))

    def _count(self, player: int, lanes: NDArray[np.intp], decisions: Decisions) -> None:
        """Add up what the decisions of a player count as."""
        if decisions.counts is None:
            return
        counts = self._counts[player]
        if counts is None:
            self._names[player] = decisions.names
            counts = self._counts[player] = np.zeros(
                (len(self.matches), self.game.seats, len(decisions.names)), np.int32
            )
        counts[lanes, self.lanes.numbers[lanes, SEAT]] += decisions.counts

    # Agents that are asked one by one

    def _ask(self, agent: Agent, lane: int) -> None:
        """Ask an agent from a readable observation, and carry its action out."""
        table, tally = self._table(lane), self.tallies[lane]
        seat = int(self.lanes.numbers[lane, SEAT])
        try:
            tally.asking(table, seat)
            chance = agent_stream(self.matches[lane].seed, seat, table.match.hand, table.decisions[seat])
            seen: Any = table.observe(seat)
            decision = ask_agent(agent, seen, chance)
            tally.note_decision(table, seat, decision)
            table.act(seat, decision.action)
            number = self.table_game.number_of(seen, decision.action)
            self._check_evidence(agent, lane, number)
        except IllegalAction as error:
            self._forfeit(lane, "illegal", str(error))
        except Condemned as error:
            self._forfeit(lane, error.fault, str(error))
        except (Exception, SystemExit):  # noqa: BLE001  whatever an agent raises costs it the match, and is kept
            self._forfeit(lane, "failed", traceback.format_exc())
        else:
            self._on_readable_tables[lane] = table, int(self.lanes.numbers[lane, LENGTH]) + 1
            self._go_on(np.array([lane]), np.array([number]))

    def _check_evidence(self, agent: Agent, lane: int, action: int) -> None:
        """An agent that explains a decision must decide as it does among thousands."""
        decide_many: Any = getattr(agent, "decide_many", None)
        if decide_many is not None:
            found = decide_many(self.game, self.lanes.situations[[lane]], self.lanes.streams[[lane]])
            if found.actions[0] != action:
                raise RuntimeError(
                    f"{agent} explains action {action} and plays {found.actions[0]} in a batch"
                )

    def _table(self, lane: int) -> Table:
        """The match of a lane at a readable table, as far as it has been played."""
        table, done = self._on_readable_tables.get(lane) or (self._new_table(lane), 0)
        length = int(self.lanes.numbers[lane, LENGTH])
        for action in self.lanes.actions[lane, done:length].tolist():
            seat = table.to_act
            assert seat is not None
            table.act(seat, self.table_game.text_of(table, seat, action))
        self._on_readable_tables[lane] = table, length
        return table

    def _new_table(self, lane: int) -> Table:
        match = self.matches[lane]
        return Table(self.game, match.deals, match.first)

    def _forfeit(self, lane: int, fault: Fault, why: str) -> None:
        seat = int(self.lanes.numbers[lane, SEAT])
        self.forfeits[lane] = Forfeit(seat, fault, why, self._table(lane).state.record())
        self.lanes.numbers[lane, STATUS], self.lanes.waits[lane] = OVER, NONE

    # Results

    def result(self, lane: int) -> MatchResult:
        """How the match of a lane went, hand by hand."""
        table, forfeit = self._table(lane), self.forfeits.get(lane)
        winner = table.winner if forfeit is None else winner_without(self.game, forfeit.seat)
        return MatchResult(winner, tuple(table.hands), forfeit)

    def played_set(self, place: int, stops_at: Collection[Fault] = ()) -> PlayedSet:
        """A pair as it was played, by its place in the batch; it ends with the first fault of those that it stops at."""
        crash, lanes = self.crash(place, stops_at), list(lanes_of(place))
        if crash is not None:
            lanes = lanes[: int(str(crash["match"])) + 1]
        tallies = tuple(self.tallies.get(lane) or Tally(self.game.seats) for lane in lanes)
        matches = tuple(map(self.result, lanes))
        return PlayedSet(self.game, self.matches[lanes[0]].pair, matches, tallies, crash)

    def crash(self, place: int, stops_at: Collection[Fault]) -> Mapping[str, object] | None:
        """The first forfeit of a pair by one of these faults."""
        lost = (lane for lane in lanes_of(place) if lane in self.forfeits)
        return next(
            (self._forfeit_json(lane) for lane in lost if self.forfeits[lane].fault in stops_at), None
        )

    def scores(self) -> list[Score]:
        """Sum up every pair; the lanes of a batch are the matches of pairs, in order."""
        names, counts = self._count_names()
        zeros = self.table_game.counted if self.table_game.counts_nothing else ()
        sums = self._by_entrant(counts).sum(axis=1).tolist()
        numbers = self.lanes.numbers
        gains = self._by_entrant(numbers[:, GAINS : GAINS + 2]).tolist()
        seconds = self._by_entrant(self._seconds_by_seat()).sum(axis=1).round(6).tolist()
        hands = numbers[:, HAND_NUMBER].reshape(-1, MATCHES_OF_A_PAIR).tolist()
        return [
            Score(
                self.matches[lanes_of(place)[0]].pair,
                tuple(self._winner(lane) for lane in lanes_of(place)),
                tuple(map(tuple, gains[place])),
                tuple(hands[place]),
                tuple(
                    {name: many for name, many in zip(names, one, strict=True) if many or name in zeros}
                    for one in sums[place]
                ),
                tuple(seconds[place]),
                tuple(self._forfeit_json(lane) for lane in lanes_of(place) if lane in self.forfeits),
            )
            for place in range(len(hands))
        ]

    @property
    def _players(self) -> NDArray[np.int32]:
        """By lane and seat: the player."""
        return self.lanes.numbers[:, PLAYER : PLAYER + self.game.seats]

    @property
    def _made(self) -> NDArray[np.int32]:
        """By lane and seat: how many decisions it has made."""
        return self.lanes.numbers[:, MADE : MADE + self.game.seats]

    def _by_entrant(self, values: NDArray[Any]) -> NDArray[Any]:
        """Values by lane and seat, or team, summed up by pair, match of the pair and entrant."""
        entrants = np.array([match.entrants[: values.shape[1]] for match in self.matches])
        is_of = np.stack([entrants == entrant for entrant in (0, 1)], axis=1)
        sums = np.einsum("les,ls...->le...", is_of, values)
        by_pair: NDArray[Any] = sums.reshape(-1, MATCHES_OF_A_PAIR, *sums.shape[1:])
        return by_pair

    def _count_names(self) -> tuple[list[str], NDArray[np.int64]]:
        """All names that anything counts as, and how often by lane, seat and name."""
        asked = {name for names in self._names for name in names}
        asked |= {name for tally in self.tallies.values() for counts in tally.counts for name in counts}
        counted = self.table_game.counted
        names = [*counted, "hands", "decisions", *sorted(asked - {"decisions"})]
        places = {name: place for place, name in enumerate(names)}
        found = np.zeros((*self._players.shape, len(names)), np.int64)
        found[:, :, : len(counted)] = self.lanes.behaviour
        found[:, :, places["hands"]] = self.lanes.numbers[:, HAND_NUMBER, None]
        batched = ~np.array(self._one_by_one)[self._players]
        found[:, :, places["decisions"]] = self._made * batched
        for player, counts in enumerate(self._counts):
            if counts is not None:
                found[:, :, [places[name] for name in self._names[player]]] += counts
        for lane, tally in self.tallies.items():
            for seat in np.flatnonzero(~batched[lane]):
                for name, count in tally.counts[seat].items():
                    found[lane, seat, places[name]] = count
        return names, found

    def _seconds_by_seat(self) -> NDArray[np.float64]:
        """How long the player of each seat thought; the time of a batch is shared out by decisions."""
        each = np.array(self._seconds) / np.maximum(1, self._asked)
        found: NDArray[np.float64] = each[self._players] * self._made
        for lane, tally in self.tallies.items():
            found[lane] += tally.seconds
        return found

    def _winner(self, lane: int) -> int | None:
        """The entrant that won the match of a lane, if it was decided."""
        if lane in self.forfeits:
            seat = winner_without(self.game, self.forfeits[lane].seat)
        else:
            match = Match(self.table_game.scores(self.lanes.rows[lane]), 0)
            seat = self.game.winner(match) if self.game.is_over(match) else None
        return None if seat is None else self.matches[lane].entrants[seat]

    def _forfeit_json(self, lane: int) -> Mapping[str, object]:
        match, lost = self.matches[lane], self.forfeits[lane]
        return {
            "entrant": match.entrants[lost.seat],
            "pair": match.pair,
            "match": match.order,
            "seat": lost.seat,
            "fault": lost.fault,
            "hand_number": int(self.lanes.numbers[lane, HAND_NUMBER]) + 1,
            "hand": lost.hand,
            "why": lost.why,
        }
