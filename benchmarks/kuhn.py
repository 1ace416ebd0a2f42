"""The case-based agents of Kuhn poker: against chance, and how far they are from the equilibrium.

    python benchmarks/kuhn.py                    with the base that comes with the program
    python benchmarks/kuhn.py --hands 60000      with so many hands of the same self-play

For each agent: the duel with `random` over 500 duplicate pairs of twelve hands, and two values at the
table of two, in chips a hand averaged over all deals and both seats: what it wins from `random`, and what it loses
to an opponent who knows how it plays. An equilibrium loses nothing: its -1/18 in the first seat and +1/18
in the second cancel out.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from itertools import permutations, product
from typing import Final

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.chance import RandomAgent
from retruco.agents.core import Agent, ask_agent
from retruco.agents.kuhn.policies import NPS, PLS
from retruco.arena.duel import play_duel
from retruco.cbr.casebase import CaseBase
from retruco.games.core import Seat
from retruco.games.kuhn import DECKS, Kuhn, KuhnState
from retruco.learning.kuhn import KUHN
from retruco.streams import Stream
from retruco.vocab.kuhn import VOCABULARY, rows

PAIRS: Final = 500
DRAWS: Final = 2000
"""How often an agent is asked in each situation."""

Situation = tuple[str, tuple[str, ...]]
Strategy = Mapping[Situation, Mapping[str, float]]
"""How likely each action is, by card and betting so far."""

BETTING: Final = ((), ("check",), ("bet",), ("check", "bet"))
SITUATIONS: Final = tuple(product(DECKS[2], BETTING))


def strategy_of(agent: Agent) -> Strategy:
    """Ask an agent in each of the twelve situations of two seats."""
    return {situation: _answers(agent, *situation) for situation in SITUATIONS}


def _answers(agent: Agent, card: str, betting: tuple[str, ...]) -> dict[str, float]:
    other = next(one for one in DECKS[2] if one != card)
    seat = len(betting) % 2
    state = KuhnState((card, other) if seat == 0 else (other, card), 0, betting)
    asked = (ask_agent(agent, state.observe(seat), Stream("kuhn", number)) for number in range(DRAWS))
    actions = [decision.action for decision in asked]
    return {action: actions.count(action) / DRAWS for action in state.legal}


def first_wins(state: KuhnState, strategies: tuple[Strategy, Strategy]) -> float:
    """What the first seat wins on average from here."""
    if state.outcome is not None:
        return float(state.outcome.points[0])
    assert state.to_act is not None
    chances = strategies[state.to_act][state.cards[state.to_act], state.actions]
    return sum(chance * first_wins(state.play(action), strategies) for action, chance in chances.items())


def wins_of(seat: Seat, mine: Strategy, theirs: Strategy) -> float:
    """What a strategy wins in a seat, averaged over all deals."""
    order = (mine, theirs) if seat == 0 else (theirs, mine)
    deals = list(permutations(DECKS[2], 2))
    return (1 - 2 * seat) * sum(first_wins(KuhnState(deal), order) for deal in deals) / len(deals)


def pure_strategies(seat: Seat) -> Iterator[Strategy]:
    """Every way to play a seat without drawing."""
    own = [(card, betting) for card, betting in SITUATIONS if len(betting) % 2 == seat]
    for chosen in product(*(KuhnState(("J", "Q"), 0, betting).legal for _, betting in own)):
        yield {situation: {action: 1.0} for situation, action in zip(own, chosen, strict=True)}


def loss_at_most(strategy: Strategy) -> float:
    """What the best answer to a strategy wins from it, averaged over both seats."""
    return sum(max(wins_of(seat, pure, strategy) for pure in pure_strategies(seat)) for seat in (0, 1)) / 2


def measure(agent: Agent, name: str, hands: int) -> dict[str, object]:
    """Play the duel and compute both values."""
    duel = play_duel(Kuhn(), (agent, RandomAgent()), (name, "random"), PAIRS, seed=1)
    mine, chance = strategy_of(agent), strategy_of(RandomAgent())
    return {
        "agent": name,
        "hands": hands,
        "pairs": duel.pairs,
        "points_per_hand": round(duel.points_per_hand, 3),
        "ci95": [round(end, 3) for end in duel.ci95],
        "wins_from_random": round(sum(wins_of(seat, mine, chance) for seat in (0, 1)) / 2, 3),
        "loses_to_best_answer": round(loss_at_most(mine), 3),
    }


def main() -> None:
    """Learn, and measure both agents on the same base."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--hands", type=int, default=KUHN.hands)
    hands = parser.parse_args().hands
    cases = CaseBase(VOCABULARY)
    for number, hand in enumerate(filter(None, KUHN.play(hands))):
        cases.add(rows(hand.record, hand.seat, number))
    for policy in (NPS, PLS):
        print(json.dumps(measure(CaseBasedAgent(policy, cases), policy.name, hands)), flush=True)
    chance = loss_at_most(strategy_of(RandomAgent()))
    print(json.dumps({"agent": "random", "loses_to_best_answer": round(chance, 3)}))


if __name__ == "__main__":
    main()
