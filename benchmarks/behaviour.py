"""How the scripted players behave, beside people, and how they fare against one another.

    python benchmarks/behaviour.py --pairs 100 --seed 1

Every two players (and each with itself) play so many duplicate pairs of matches by the trucogame
rules. The first table is the panel hand by hand, the second what each player does itself; the
human columns are the human hands of the TrucoGame table, 3,195 hands, as measured.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Sequence
from itertools import combinations, combinations_with_replacement

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.arena.duel import play_pair, summed_up
from retruco.arena.match import MatchResult
from retruco.arena.sets import PlayedSet
from retruco.arena.stats import Interval, ratio_interval
from retruco.games.core import Seat
from retruco.games.truco.game import Truco
from retruco.games.truco.rules import ENVIDO_CALLS, TRUCO_CALLS
from retruco.games.truco.state import Acted, TrucoState

PANEL = ("novice", "cautious", "balanced", "aggressive", "bluffer")

HUMAN = {"truco": 0.76, "retruco": 0.21, "vale4": 0.064, "envido": 0.63, "fold": 0.33, "declined": 0.36}
"""In what share of hands it happened (human hands of the TrucoGame table, 3,195 hands, as measured)."""

HUMAN_SEAT = {
    "truco": 0.379,
    "retruco": 0.106,
    "vale4": 0.032,
    "envido": 0.346,
    "fold": 0.165,
    "declined": 0.18,
}
"""In what share of hands one seat did it (the same hands)."""


def done(state: TrucoState) -> set[tuple[str, Seat]]:
    """Tell what of interest each seat did in a finished hand.

    A truco is declined by `nao-quero`, or by `baralho` in its place, which counts as a fold too.
    """
    found: set[tuple[str, Seat]] = set()
    before = ""
    for event in state.log:
        if not isinstance(event, Acted):
            continue
        seat, action = event.seat, event.action
        if action in TRUCO_CALLS:
            found.add((action, seat))
        elif action in ENVIDO_CALLS:
            found.add(("envido", seat))
        elif action == "baralho":
            found.add(("fold", seat))
        if action in ("nao-quero", "baralho") and before in TRUCO_CALLS:
            found.add(("declined", seat))
        before = action
    return found


def rates(counts: Sequence[Sequence[set[str]]]) -> dict[str, tuple[float, Interval]]:
    """Turn what was done in each hand, match by match, into shares of hands with 95 % intervals."""
    hands = [len(match) for match in counts]
    return {
        name: ratio_interval([sum(name in hand for hand in match) for match in counts], hands, (0, 1))
        for name in HUMAN
    }


def by_hand(matches: Iterable[MatchResult]) -> list[list[set[str]]]:
    """What was done in every hand, whoever did it."""
    return [[{name for name, _ in _done(hand.state)} for hand in match.hands] for match in matches]


def by_seat(matches: Iterable[tuple[MatchResult, Seat]]) -> list[list[set[str]]]:
    """What one seat did in every hand."""
    return [
        [{name for name, who in _done(hand.state) if who == seat} for hand in match.hands]
        for match, seat in matches
    ]


def _done(state: object) -> set[tuple[str, Seat]]:
    assert isinstance(state, TrucoState)
    return done(state)


Played = dict[tuple[str, str], list[PlayedSet]]


def play_all(names: Sequence[str], pairs: int, seed: int) -> Played:
    """Let every two of the named players meet, and each play with itself."""
    game = Truco.named("trucogame")
    agents: dict[str, Agent] = {name: find_agent(name, "truco") for name in names}
    return {
        (a, b): [play_pair(game, agents[a], agents[b], seed, number) for number in range(pairs)]
        for a, b in combinations_with_replacement(names, 2)
    }


def seated(played: Played) -> list[tuple[str, str, MatchResult]]:
    """Every match with who sat where; the two matches of a player with itself are one and the same."""
    return [
        (*(names if place == 0 else names[::-1]), match)
        for names, pairs in played.items()
        for pair in pairs
        for place, match in enumerate(pair.matches[: 1 if names[0] == names[1] else 2])
    ]


def panel_rates(played: Played) -> dict[str, tuple[float, Interval]]:
    """The shares of hands over all ordered pairs of the panel."""
    return rates(by_hand(match for a, b, match in seated(played) if a in PANEL and b in PANEL))


def player_rates(played: Played, name: str) -> dict[str, tuple[float, Interval]]:
    """The shares of hands in which one player did something, over its matches in the panel."""
    matches = [one for one in seated(played) if one[0] in PANEL and one[1] in PANEL]
    return rates(by_seat((one[2], seat) for one in matches for seat in (0, 1) if one[seat] == name))


def print_behaviour(played: Played) -> None:
    """Print the panel and each player beside people, in per cent of hands."""
    print(f"{'% of hands':12}{'human':>8}{'panel':>8}   95 %           {'off':>6}")
    for name, (rate, (low, high)) in panel_rates(played).items():
        off = 100 * (rate - HUMAN[name])
        print(
            f"{name:12}{100 * HUMAN[name]:8.1f}{100 * rate:8.1f}   [{100 * low:5.1f}, {100 * high:5.1f}] {off:+6.1f}"
        )
    print(f"\n{'one seat, %':12}{'human':>8}" + "".join(f"{name:>16}" for name in PANEL))
    each = [player_rates(played, name) for name in PANEL]
    for name, human in HUMAN_SEAT.items():
        cells = (
            f"{100 * one[name][0]:9.1f} ± {50 * (one[name][1][1] - one[name][1][0]):4.1f}" for one in each
        )
        print(f"{name:12}{100 * human:8.1f}" + "".join(cells))


def print_duels(played: Played, names: Sequence[str], seed: int) -> None:
    """Print what each player wins from each other, in points per hand and matches."""
    game = Truco.named("trucogame")
    results = {
        (a, b): summed_up(game, (a, b), seed, [pair.score() for pair in played[a, b]], 0.0)
        for a, b in combinations(names, 2)
    }
    print(f"\n{'points/hand':12}" + "".join(f"{name:>12}" for name in names) + "   worst 95 % reach")
    for a in names:
        row = [
            results[a, b].points_per_hand
            if (a, b) in results
            else -results[b, a].points_per_hand
            if (b, a) in results
            else 0.0
            for b in names
        ]
        reach = max((r.ci95[1] - r.ci95[0]) / 2 for pair, r in results.items() if a in pair)
        print(f"{a:12}" + "".join(f"{value:+12.3f}" for value in row) + f"   ± {reach:.3f}")
    print(f"\n{'matches won':12}" + "".join(f"{name:>12}" for name in names))
    for a in names:
        row = [
            results[a, b].win_rate
            if (a, b) in results
            else 1 - results[b, a].win_rate
            if (b, a) in results
            else 0.5
            for b in names
        ]
        print(f"{a:12}" + "".join(f"{100 * value:11.1f}%" for value in row))


def main() -> None:
    """Play, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=100, help="duplicate pairs of matches between every two")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    started = time.perf_counter()
    names = (*PANEL, "random")
    played = play_all(names, options.pairs, options.seed)
    print_behaviour(played)
    print_duels(played, names, options.seed)
    print(f"\n{options.pairs} pairs, seed {options.seed}, {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
