"""What bids show at Euchre: the weights of the chance chart, how well it then knows where cards are, what that wins.

    python benchmarks/euchre_bids.py count                count the weights, and write bid_signs.json
    python benchmarks/euchre_bids.py chart                how far the chart with and without bids is from the cards
    python benchmarks/euchre_bids.py play --pairs 1000    UF-bids and UF.5-bids against UF and UF.5
    python benchmarks/euchre_bids.py page                 write the tables of docs/games/euchre.md

Weights are counted over hands of players with three ways to bid; the other parts use other deals.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.arena.sets import play_set
from retruco.arena.stats import t_quantile
from retruco.games.euchre import Euchre, EuchreObservation, EuchreState
from retruco.games.euchre.deck import SUITS, listed
from retruco.games.euchre.stepper import SUIT_CARDS, TRUMP, situation_of
from retruco.games.euchre.tricks import SEATS
from retruco.streams import Stream
from retruco.vocab.euchre.chart import (
    EXACT,
    FILE,
    KINDS,
    ROLES,
    WITH_BIDS,
    Chart,
    Weights,
    chart_of,
    counted_weights,
    kind_of,
    role_of,
)

DOCS: Final = Path(__file__).parent.parent / "docs"
FOUND: Final = DOCS / "games" / "euchre-bids.json"
PAGE: Final = DOCS / "games" / "euchre.md"
OUT: Final = Path(__file__).parents[1] / "src" / "retruco" / "vocab" / "euchre" / FILE
GAME: Final = Euchre.named("classic")
BIDDERS: Final = ("UF", "UF@tricks", "UF@alone")
"""Who bids in the hands that are counted: by card values, by tricks, by tricks and perhaps alone."""
COUNT_SEED, CHART_SEED, PLAY_SEED = 5, 6, 7
PAIRS: Final = (
    ("UF-bids", "UF"),
    ("UF.5-bids", "UF.5"),
    ("UF-bids@tricks", "UF@tricks"),
    ("UF.5-bids@tricks", "UF.5@tricks"),
)
USUAL: Final = 20.0
"""For how many cards no difference counts, where a role is rare."""


# Hands after the bidding


def bid_hands(seed: int, hands: int) -> Iterator[EuchreState]:
    """Hands in which trumps have been made and no card was played yet, of every bidder in turn."""
    agents = [find_agent(name, GAME.name) for name in BIDDERS]
    match = GAME.opening()
    for number in range(hands):
        state = GAME.start(GAME.deal(Stream("bids", seed, number)), match)
        agent = agents[number % len(agents)]
        while state.outcome is None and (state.contract is None or is_bidding(state)):
            seat = state.to_act
            assert seat is not None
            state = state.play(
                decide(agent, state.observe(seat), Stream("bidder", seed, number, len(state.actions)))
            )
        if state.outcome is None:
            yield state


def decide(agent: Agent, seen: EuchreObservation, chance: Stream) -> str:
    """The action of an agent."""
    found = agent.decide(seen, chance)
    return found if isinstance(found, str) else found.action


def is_bidding(state: EuchreState) -> bool:
    """Whether somebody has still to speak or to discard."""
    return not all(len(action) == 2 for action in state.legal)


def places(state: EuchreState) -> Iterator[tuple[EuchreObservation, int]]:
    """Every seat that plays as it sees the others, and each of these."""
    assert state.contract is not None
    playing = [seat for seat in range(SEATS) if seat != state.contract.out]
    for seat in playing:
        seen = state.observe(seat)
        for other in playing:
            if other != seat:
                yield seen, other


# Parts


def count(options: argparse.Namespace) -> None:
    """Count the weights."""
    held = {role: dict.fromkeys(KINDS, 0.0) for role in ROLES}
    expected = {role: dict.fromkeys(KINDS, 0.0) for role in ROLES}
    for state in bid_hands(COUNT_SEED, options.hands):
        for seen, other in places(state):
            chart, situation = chart_of(seen), situation_of(seen)
            role = ROLES[role_of(situation, other)]
            for suit, bits in enumerate(SUIT_CARDS[situation[TRUMP]].tolist()):
                hidden, kind = hidden_cards(chart, bits), KINDS[kind_of(situation, suit)]
                held[role][kind] += len({*hidden} & {*state.held(other)})
                expected[role][kind] += sum(chart.chance(other, card) for card in hidden)
    weights = {
        role: {kind: round((held[role][kind] + USUAL) / (expected[role][kind] + USUAL), 3) for kind in KINDS}
        for role in ROLES
    }
    OUT.write_text(
        json.dumps({"hands": options.hands, "bidders": BIDDERS, "weights": weights}, indent=1) + "\n"
    )
    print(json.dumps(weights, indent=1))


def chart(options: argparse.Namespace) -> None:
    """How far the chances are from where the cards lie, with and without bids, over other deals."""
    losses: dict[str, list[list[float]]] = {"plain": [], "with bids": []}
    for state in bid_hands(CHART_SEED, options.hands):
        for way, kind in (("plain", EXACT), ("with bids", WITH_BIDS)):
            losses[way].append(
                [mean_loss(chart_of(seen, kind), other, state) for seen, other in places(state)]
            )
    plain, bids = (np.array([np.mean(row) for row in losses[way]]) for way in losses)
    found = read()
    found["chart"] = {
        "hands": len(plain),
        "plain": float(plain.mean()),
        "with bids": float(bids.mean()),
        "less": summary(plain - bids),
    }
    write(found)
    print(json.dumps(found["chart"]))


def hidden_cards(chart: Chart, cards: int) -> list[str]:
    """Those of some cards that may lie in more than one place."""
    return [
        card
        for card in listed(cards)
        if all(chart.chance(seat, card) < 1 for seat in range(SEATS))
        and any(chart.chance(seat, card) for seat in range(SEATS))
    ]


def mean_loss(chart: Chart, seat: int, state: EuchreState) -> float:
    """The mean logarithmic loss over the trumps that may lie anywhere: 0 if it were known who holds them."""
    trump = list(SUITS).index(state.trump or "")
    trumps = hidden_cards(chart, int(SUIT_CARDS[trump, trump]))
    total, holds = len(trumps), len({*trumps} & {*state.held(seat)})
    chance = min(max(chart.chance(seat, trumps[0]), 1e-6), 1 - 1e-6) if trumps else 0.5
    loss = -(holds * math.log(chance) + (total - holds) * math.log(1 - chance))
    return loss / total if total else 0.0


def summary(values: Any) -> dict[str, Any]:
    """A mean with its interval."""
    mean, reach = (
        float(values.mean()),
        t_quantile(len(values) - 1) * float(values.std(ddof=1)) / len(values) ** 0.5,
    )
    return {"mean": mean, "ci95": [mean - reach, mean + reach]}


def play(options: argparse.Namespace) -> None:
    """Duplicate matches of the players that know what was bid against those that do not."""
    found = read()
    for mine, theirs in PAIRS:
        teams = [[find_agent(name, GAME.name)] * (SEATS // 2) for name in (mine, theirs)]
        scores = [play_set(GAME, teams, PLAY_SEED, number).score() for number in range(options.pairs)]
        points = np.array([score.points / score.all_hands for score in scores])
        row = {
            "pairs": options.pairs,
            "share": summary(np.array([score.share for score in scores])),
            "points": summary(points),
        }
        found.setdefault("play", {})[mine] = {"against": theirs, **row}
        write(found)
        print(mine, theirs, json.dumps(row), flush=True)


def read() -> dict[str, Any]:
    """What was found before."""
    found: dict[str, Any] = json.loads(FOUND.read_text()) if FOUND.exists() else {}
    return found


def write(found: Mapping[str, Any]) -> None:
    """Keep what was found."""
    FOUND.write_text(json.dumps(found, indent=1) + "\n")


# The page


def page(options: argparse.Namespace) -> None:
    """Write the tables into the page of the game."""
    begin, end = "<!-- bids -->\n", "<!-- end of bids -->\n"
    before, _, rest = PAGE.read_text().partition(begin)
    _, _, after = rest.partition(end)
    lines = "".join(f"{line}\n" for line in (*weights_table(counted_weights()), "", *found_table(read())))
    PAGE.write_text(before + begin + lines + end + after)


def weights_table(weights: Weights) -> Iterator[str]:
    """The weights as Markdown."""
    yield "| in the bidding | trumps | turned suit, if not trumps | other suits |"
    yield "|---|---:|---:|---:|"
    for role, row in weights.items():
        yield f"| {role} | {' | '.join(f'{row[kind]:.2f}' for kind in KINDS)} |"


def found_table(found: Mapping[str, Any]) -> Iterator[str]:
    """What the chart knows and wins, as Markdown."""
    known = found["chart"]
    yield (
        f"Over {known['hands']:,} other hands the mean logarithmic loss about who holds a trump, when the first card is led, is "
        f"{known['plain']:.4f} without bids and {known['with bids']:.4f} with them: {interval(known['less'])} less."
    )
    yield from ("", "| player | against | pairs | matches won | points a hand |", "|---|---|---:|---:|---:|")
    for name, row in found["play"].items():
        low, high = row["share"]["ci95"]
        share = f"{row['share']['mean']:.1%} ({low:.1%} to {high:.1%})"
        yield f"| {name} | {row['against']} | {row['pairs']} | {share} | {interval(row['points'])} |"


def interval(row: Mapping[str, Any], digits: int = 4) -> str:
    """A mean with its interval, as text."""
    low, high = row["ci95"]
    return f"{row['mean']:+.{digits}f} ({low:+.{digits}f} to {high:+.{digits}f})"


PARTS: Final = {"count": count, "chart": chart, "play": play, "page": page}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure a part, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--hands", type=int, default=3000, help="hands for the weights and the chart")
    parser.add_argument("--pairs", type=int, default=200, help="duplicate matches")
    options = parser.parse_args(arguments)
    PARTS[options.part](options)


if __name__ == "__main__":
    main()
