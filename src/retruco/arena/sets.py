"""A duplicate set: the same deals played once for every seating; for two, a duplicate pair.

Chance is duplicated too: the stream of an agent is keyed by its seat, so copies of one agent tie
exactly. The set is the unit of all statistics, and what is kept of it is plain data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from retruco.agents.core import Agent
from retruco.arena.match import Fault, MatchResult, play_match
from retruco.arena.seatings import Seating, seatings
from retruco.arena.tally import Tally
from retruco.games.core import Game, Seat
from retruco.streams import Stream, begin_key, key_number


def deals_from(game: Game, seed: int, number: int) -> Callable[[int], Any]:
    """The deals of a set, as data: the n-th is the same whoever plays and whatever happened."""
    return lambda hand: game.deal(Stream("deal", seed, number, hand))


def deal_key(seed: int, number: int) -> int:
    """The number of the key of a set's deals, to which compiled code adds the hand; see `deals_from`."""
    return begin_key(4, "deal", seed, number)


DealsFor = Callable[[int], Callable[[int], Any]]
"""Gives the deals of a set by its number."""


def first_seat(game: Game, seed: int, number: int) -> Seat:
    """Draw the seat that leads the first hand of a set's matches."""
    return Stream("first", seed, number).below(game.seats)


@dataclass(frozen=True, slots=True)
class Score:
    """What is kept of a duplicate set: plain data, by entrant."""

    number: int
    winners: tuple[int | None, ...]
    """The entrant that won each match."""
    gains: tuple[tuple[int, ...], ...]
    """What each match brought each entrant."""
    hands: tuple[int, ...]
    """How many hands each match had."""
    counts: tuple[Mapping[str, int], ...]
    """What each entrant did, counted."""
    seconds: tuple[float, ...]
    """How long each entrant thought."""
    forfeits: tuple[Mapping[str, object], ...] = ()

    def wins(self, entrant: int) -> int:
        """How many matches an entrant won."""
        return self.winners.count(entrant)

    @property
    def share(self) -> float:
        """The share of a pair's matches that entrant 0 won, a draw counting half."""
        return (len(self.winners) + self.wins(0) - self.wins(1)) / (2 * len(self.winners))

    @property
    def points(self) -> int:
        """What entrant 0 of a pair won more than entrant 1, in all matches."""
        return sum(gains[0] - gains[1] for gains in self.gains)

    @property
    def all_hands(self) -> int:
        """The hands of all matches; a set of forfeits before the first hand's end counts as one."""
        return max(1, sum(self.hands))

    def swapped(self) -> Score:
        """The same pair as the other entrant tells it."""
        return Score(
            self.number,
            tuple(None if winner is None else 1 - winner for winner in self.winners),
            tuple((theirs, ours) for ours, theirs in self.gains),
            self.hands,
            self.counts[::-1],
            self.seconds[::-1],
            tuple({**one, "entrant": 1 - int(str(one["entrant"]))} for one in self.forfeits),
        )

    def as_json(self) -> dict[str, Any]:
        """The set as plain data, in one order whatever was counted first."""
        return {
            "number": self.number,
            "winners": self.winners,
            "gains": self.gains,
            "hands": self.hands,
            "counts": [dict(sorted(one.items())) for one in self.counts],
            "seconds": self.seconds,
            "forfeits": self.forfeits,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Score:
        """Read a set back."""
        return cls(
            data["number"],
            tuple(data["winners"]),
            tuple(map(tuple, data["gains"])),
            tuple(data["hands"]),
            tuple(data["counts"]),
            tuple(data["seconds"]),
            tuple(data["forfeits"]),
        )


@dataclass(frozen=True, slots=True)
class PlayedSet:
    """All matches of a set as they were played."""

    game: Game
    number: int
    matches: tuple[MatchResult, ...]
    """Fewer than there are seatings, if the set ended with a crash."""
    tallies: tuple[Tally, ...]
    crash: Mapping[str, object] | None = None
    """The forfeit that ended the set before its last match."""

    def score(self) -> Score:
        """Sum the set up by entrant."""
        game, places = self.game, seatings(self.game)
        teams = [[_entrant_of(game, place, team) for team in set(game.teams)] for place in places]
        counts, seconds = self._by_entrant(places)
        return Score(
            self.number,
            tuple(
                None if match.winner is None else order[match.winner]
                for order, match in zip(teams, self.matches, strict=True)
            ),
            tuple(
                tuple(match.gains(order.index(entrant)) for entrant in range(len(order)))
                for order, match in zip(teams, self.matches, strict=True)
            ),
            tuple(len(match.hands) for match in self.matches),
            tuple(counts),
            tuple(round(one, 6) for one in seconds),
            tuple(_forfeits(self.number, places, self.matches)),
        )

    def _by_entrant(self, places: Sequence[Seating]) -> tuple[list[Counter[str]], list[float]]:
        entrants = len(set(self.game.teams))
        counts: list[Counter[str]] = [Counter() for _ in range(entrants)]
        seconds = [0.0] * entrants
        for place, match, tally in zip(places, self.matches, self.tallies, strict=True):
            for seat, (entrant, _) in enumerate(place):
                counts[entrant].update(tally.counts[seat])
                seconds[entrant] += tally.seconds[seat]
                for hand in match.hands:
                    counts[entrant].update(self.game.behaviour(hand.state, seat))
        return counts, seconds


def _forfeits(
    pair: int, places: Sequence[Seating], matches: Sequence[MatchResult]
) -> list[dict[str, object]]:
    return [
        {
            "entrant": places[number][lost.seat][0],
            "pair": pair,
            "match": number,
            "seat": lost.seat,
            "fault": lost.fault,
            "hand_number": len(match.hands) + 1,
            "hand": lost.hand,
            "why": lost.why,
        }
        for number, match in enumerate(matches)
        if (lost := match.forfeit) is not None
    ]


def _entrant_of(game: Game, seating: Seating, team: int) -> int:
    return seating[game.teams.index(team)][0]


def play_set(
    game: Game,
    entrants: Sequence[Sequence[Agent]],
    seed: int,
    number: int,
    tally_for: Callable[[int], Tally] | None = None,
    most_hands: int | None = None,
    deals_for: DealsFor | None = None,
    stops_at: Collection[Fault] = (),
) -> PlayedSet:
    """Play all matches of a set; `tally_for` gives each match the one who counts it.

    `deals_for` gives fixed deals in the place of those that the seed names. The set ends with the
    first match that is forfeited by one of the faults in `stops_at`.
    """
    deals = deals_for(number) if deals_for else deals_from(game, seed, number)
    first = first_seat(game, seed, number)
    match_seed = key_number("match", seed, number)
    matches, tallies, places = list[MatchResult](), list[Tally](), seatings(game)
    for order, seating in enumerate(places):
        agents = [entrants[entrant][member] for entrant, member in seating]
        tally = tally_for(order) if tally_for else Tally(game.seats)
        matches.append(play_match(game, agents, deals, first, match_seed, tally, most_hands))
        tallies.append(tally)
        if (lost := matches[-1].forfeit) and lost.fault in stops_at:
            crash = _forfeits(number, places, matches)[-1]
            return PlayedSet(game, number, tuple(matches), tuple(tallies), crash)
    return PlayedSet(game, number, tuple(matches), tuple(tallies))
