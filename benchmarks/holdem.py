"""Limit hold'em beside its peers, in one run: how fast, and whether all agree.

    python benchmarks/holdem.py engine              hands a second, beside RLCard
    python benchmarks/holdem.py lock-step           100,000 hands beside PokerKit, step by step
    python benchmarks/holdem.py lock-step --hands 2000
    python benchmarks/holdem.py growth              what Casey's 50,000 hands cost as its base grows
    python benchmarks/holdem.py sittings            Casey's learning runs at a compiled table, beside the readable loop
    python benchmarks/holdem.py protocol            1,000 hands by the competition's protocol over loopback ports

Times are of the processor, taken in turns, so that what else the machine does strikes both alike.
"""

from __future__ import annotations

import argparse
import socket
import sys
import time
from collections.abc import Callable, Sequence
from multiprocessing import Process
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median
from typing import Any

from retruco.agents.core import Agent
from retruco.arena.acpc import AcpcDealer, seated
from retruco.cbr.case import Decision
from retruco.games.core import Action
from retruco.games.holdem import Holdem
from retruco.games.holdem.acpc import VERSION, read_view
from retruco.learning.holdem.sitting import Sitting
from retruco.learning.holdem.training import HoldemTraining, casey_loop, points_of
from retruco.streams import Stream

WINDOW = 2.0
"""Seconds that each side plays before the other has its turn."""


def our_hand(seats: int) -> Callable[[Random, int], int]:
    """Play a random hand of ours; give the number of its actions."""
    game = Holdem.named(f"four-{seats}")

    def play(chance: Random, number: int) -> int:
        state = game.begin(game.deal(Stream("engine", number)), number % seats)
        while state.outcome is None:
            legal = state.legal
            state = state.play(legal[int(chance.random() * len(legal))])
        return len(state.actions)

    return play


def their_hand(seats: int, free_folds: bool) -> Callable[[Random, int], int]:
    """Play a random hand of RLCard's, which would let a seat fold where checking is free."""
    from rlcard.games.limitholdem import Game

    game = Game(num_players=seats)

    def play(chance: Random, number: int) -> int:
        game.init_game()
        actions = 0
        while not game.is_over():
            legal = game.get_legal_actions()
            if not free_folds and "check" in legal:
                legal.remove("fold")
            game.step(legal[int(chance.random() * len(legal))])
            actions += 1
        game.get_payoffs()
        return actions

    return play


def rate(play: Callable[[Random, int], int]) -> tuple[float, float]:
    """Measure hands a second, and actions a hand."""
    chance, hands, actions, started = Random(1), 0, 0, time.process_time()
    while (passed := time.process_time() - started) < WINDOW:
        for _ in range(50):
            actions += play(chance, hands)
            hands += 1
    return hands / passed, actions / hands


def engine(rounds: int) -> None:
    """Print both rates and their ratio, for two and for four seats."""
    for seats in (2, 4):
        for free_folds in (False, True):
            turns = [(rate(our_hand(seats)), rate(their_hand(seats, free_folds))) for _ in range(rounds)]
            ours, theirs = (median(turn[side][0] for turn in turns) for side in (0, 1))
            told = "folding for nothing too" if free_folds else "nobody folds for nothing"
            print(f"{seats} seats, RLCard: {told} (median of {rounds})")
            print(f"  retruco {ours:9,.0f} hands a second, {turns[0][0][1]:.1f} actions a hand")
            print(f"  RLCard  {theirs:9,.0f} hands a second, {turns[0][1][1]:.1f} actions a hand")
            print(f"  ratio   {median(a[0] / b[0] for a, b in turns):9.1f}")


def lock_step(hands: int) -> None:
    """Play random hands of two to nine seats with both engines; print every difference."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "games"))
    from pokerkit_hands import differences

    chance, found, started = Random(2006), 0, time.process_time()
    for number in range(hands):
        seats = 2 + number % 8
        for difference in differences(seats, number, chance):
            found += 1
            print(f"{seats} seats, hand {number}: {difference}")
    print(f"{hands:,} hands beside PokerKit: {found} differences ({time.process_time() - started:.0f} s)")


class Timed:
    """Casey with a watch: how long its decisions take, and how many they are."""

    def __init__(self, agent: Agent) -> None:
        self._agent, self.seconds, self.decisions = agent, 0.0, 0

    def decide(self, observation: Any, chance: Stream) -> Decision | Action:
        """Decide, and look at the watch."""
        started = time.process_time()
        decision = self._agent.decide(observation, chance)
        self.seconds += time.process_time() - started
        self.decisions += 1
        return decision


def growth(hands: int, steps: int = 10) -> None:
    """Let Casey learn among three rulebots, and print what its decisions cost as it goes."""
    loop = casey_loop(Holdem.named("casey-4"), "casey", ["rulebot"] * 3, 1)
    assert isinstance(loop.training, HoldemTraining)
    loop.training.agents[0] = watch = Timed(loop.training.agents[0])
    began, started = time.perf_counter(), time.process_time()
    print("| hands | cases | ms of a core a hand | ms a decision of Casey's | MB |\n|---|---|---|---|---|")
    for hand in loop.hands(hands):
        if (hand.number + 1) % (hands // steps) == 0:
            now = time.process_time()
            cost, each = 1000 * (now - started) / (hands // steps), 1000 * watch.seconds / watch.decisions
            memory = getrusage(RUSAGE_SELF).ru_maxrss / 1024
            print(f"| {hand.number + 1:,} | {len(loop.cases):,} | {cost:.2f} | {each:.2f} | {memory:.0f} |")
            watch.seconds, watch.decisions, started = 0.0, 0, time.process_time()
    print(f"{time.perf_counter() - began:.0f} s by the clock, {time.process_time():.0f} s of a core")


def readable_points(game: Holdem, players: Sequence[str], hands: int) -> int:
    """Let Casey learn at a readable table: with a watch it is a stranger to the compiled one."""
    loop = casey_loop(game, "casey", players, 1)
    assert isinstance(loop.training, HoldemTraining)
    loop.training.agents[0] = Timed(loop.training.agents[0])
    return sum(map(points_of, loop.hands(hands)))


def compiled_points(game: Holdem, players: Sequence[str], hands: int) -> int:
    """Let Casey learn at a compiled table."""
    return sum(hand.points for hand in Sitting(game, "casey", players).hands(hands, seed=1))


def sittings(hands: int) -> None:
    """Let Casey learn at every table of its experiment, compiled and readable, and print what a hand costs."""
    print("| table | readable, ms of a core a hand | compiled | ratio |\n|---|---:|---:|---:|")
    for opponent in ("rulebot", "simplebot"):
        for others in (3, 5, 7):
            game, players = Holdem.named(f"casey-{others + 1}"), (opponent,) * others
            seconds, points = [], []
            for play in (readable_points, compiled_points):
                play(game, players, 20)  # compiles
                started = time.process_time()
                points.append(play(game, players, hands))
                seconds.append(time.process_time() - started)
            assert points[0] == points[1], "the compiled sitting went otherwise"
            before, now = (1000 * one / hands for one in seconds)
            print(f"| {others} {opponent}s | {before:.2f} | {now:.2f} | {before / now:.1f} |", flush=True)


def example_player(port: int) -> None:
    """Check and call as the competition's example player does: over plain sockets, with the options they come with."""
    with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rb") as lines:
        connection.sendall(VERSION.encode() + b"\r\n")
        game = Holdem.named("acpc-2")
        for line in lines:
            seen = read_view(line.decode().strip(), game)
            if seen.state.to_act == seen.seat:
                connection.sendall(line.strip() + b":c\r\n")


def protocol(hands: int) -> None:
    """Deal to two example players in processes of their own; print how long the match takes, by the clock and of a core."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    ports = [server.getsockname()[1] for server in held]
    for server in held:
        server.close()
    players = [Process(target=example_player, args=(port,)) for port in ports]

    def start(message: str) -> None:
        for player in players:
            player.start()

    lines = seated(ports, "127.0.0.1", 60, start)
    began, started = time.perf_counter(), time.process_time()
    AcpcDealer(Holdem.named("acpc-2"), ["first", "second"], 1, lambda line: None).deal(lines, hands)
    clock, dealer = time.perf_counter() - began, time.process_time() - started
    for line in lines:
        line.close()
    for player in players:
        player.join()
    of_players = getrusage(RUSAGE_CHILDREN).ru_utime + getrusage(RUSAGE_CHILDREN).ru_stime
    print(
        f"{hands:,} hands of acpc-2 over loopback ports: {clock:.1f} s by the clock; "
        f"{dealer:.1f} s of a core for the dealer, {of_players:.1f} s for both players"
    )


def main() -> None:
    """Run the part that is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=("engine", "lock-step", "growth", "sittings", "protocol"))
    parser.add_argument("--hands", type=int)
    parser.add_argument("--rounds", type=int, default=5, help="turns that each side takes")
    arguments = parser.parse_args()
    if arguments.part == "engine":
        engine(arguments.rounds)
    elif arguments.part == "growth":
        growth(arguments.hands or 50_000)
    elif arguments.part == "sittings":
        sittings(arguments.hands or 5_000)
    elif arguments.part == "protocol":
        protocol(arguments.hands or 1_000)
    else:
        lock_step(arguments.hands or 100_000)


if __name__ == "__main__":
    main()
