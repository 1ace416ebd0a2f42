"""Moves that nobody forgives, counted: the figures of docs/blunders.md.

    python benchmarks/blunders.py                        MJS, NPCS and their sound twins
    python benchmarks/blunders.py maestro --hands 10000  others

Every agent plays so many hands against `balanced`, and every decision of it is looked at. The counting does not use the
safeguards: what a card or an answer leads to is tried out in the engine, over every card that the other may hold.
Findings are kept in docs/strength/blunders.json, so that agents can be measured one at a time. Players that remember
play on the hands of people where RETRUCO_TRUCOGAME names them, else on the embedded base.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.agents.truco.odds import board, even_race, points_odds
from retruco.arena.duel import play_duel, play_pair
from retruco.cards import SPANISH_DECK, Card, card
from retruco.cbr.casebase import CaseBase
from retruco.games.core import Seat
from retruco.games.truco import Truco, TrucoState, envido_points
from retruco.games.truco.deck import strength
from retruco.games.truco.envido import declined, falta
from retruco.games.truco.rounds import DOWN_PREFIX, Play, Rounds, decided
from retruco.learning.case_bases import open_cases

DOCS = Path(__file__).parent.parent / "docs"
FINDINGS = DOCS / "strength" / "blunders.json"
GAME = Truco.named("trucogame")
AGENTS = ("MJS", "MJS-sound", "NPCS", "NPCS-sound")
HANDS, PAIRS, SEED = 10_000, 500, 1
CASES = "human" if "RETRUCO_TRUCOGAME" in os.environ else None

KINDS = {
    "losing card": "a card that loses the hand while another held keeps it alive",
    "winner kept back": "a card that leaves the hand open while another wins it for certain",
    "match given away": "a decline or fold that ends the match",
    "falta below break-even": "a falta accepted below its break-even chance",
}


# What a decision leads to


def find_blunders(state: TrucoState, action: str) -> Iterator[str]:
    """The kinds of blunders that an action is in this state."""
    seat = state.to_act
    assert seat is not None
    if action.removeprefix(DOWN_PREFIX)[0].isdigit():
        yield from card_blunders(state, seat, action)
    elif action in ("nao-quero", "baralho", "achico"):
        if state.play(action).match_winner == 1 - seat:
            yield "match given away"
    elif (
        action == "quero" and faces_falta(state) and falta_chance(state, seat) < falta_break_even(state, seat)
    ):
        yield "falta below break-even"


def card_blunders(state: TrucoState, seat: Seat, action: str) -> Iterator[str]:
    """Compare a card with the others held, by all ends that the hand can come to."""
    if not state.rounds.winners:
        return
    others = [other for other in state.legal if other[0].isdigit() and other != action]
    ends = possible_winners(state, seat, action)
    if ends == {1 - seat} and any(seat in possible_winners(state, seat, other) for other in others):
        yield "losing card"
    if 1 - seat in ends and any(possible_winners(state, seat, other) == {seat} for other in others):
        yield "winner kept back"


def possible_winners(state: TrucoState, seat: Seat, action: str) -> set[Seat]:
    """Who can win the hand after a card: every card that the other may hold, in every order."""
    face = card(action.removeprefix(DOWN_PREFIX))
    rounds = state.rounds.add(Play(seat, face, action.startswith(DOWN_PREFIX)))
    mine = list(rounds.held(seat, state.hands[seat]))
    return winners_from(rounds, seat, mine, unseen_classes(state, seat))


def winners_from(rounds: Rounds, seat: Seat, mine: list[Card], theirs: list[Card]) -> set[Seat]:
    """Who can win from here; one card of each strength stands for all that are as strong."""
    winner = decided(rounds.winners, rounds.mao)
    if winner is not None:
        return {winner}
    found: set[Seat] = set()
    for held in mine if rounds.player == seat else theirs:
        after = rounds.add(Play(rounds.player, held))
        rest = [other for other in mine if other != held or rounds.player != seat]
        found |= winners_from(after, seat, rest, theirs)
    return found


def unseen_classes(state: TrucoState, seat: Seat) -> list[Card]:
    """One card of every strength that the other seat may still hold."""
    shown = {play.card for play in state.rounds.plays if play.seat != seat and not play.down}
    known = shown | set(state.hands[seat])
    return list({strength(out): out for out in SPANISH_DECK if out not in known}.values())


def faces_falta(state: TrucoState) -> bool:
    """Whether a falta waits for an answer."""
    return state.envido.pending and state.envido.calls[-1] == "falta-envido"


def falta_chance(state: TrucoState, seat: Seat) -> float:
    """The chance that a falta is won, by own points, the seat, what the other called and what it has shown."""
    shown = next((play.card for play in state.rounds.plays if play.seat != seat), None)
    talk: Any = "raised" if len(state.envido.calls) > 1 else "called"
    points = envido_points(state.hands[seat])
    return points_odds(points, state.mao == seat, talk, shown, state.game.rules.flor)


def falta_break_even(state: TrucoState, seat: Seat) -> float:
    """The chance at which accepting a falta wins the match as often as declining it."""
    target, scores, rules = state.game.target, state.scores, state.game.rules
    mine, theirs = target - scores[seat], target - scores[1 - seat]
    race = even_race()
    if_won = board(race, mine - falta(rules, target, scores, seat), theirs)
    if_lost = board(race, mine, theirs - falta(rules, target, scores, 1 - seat))
    if_declined = board(race, mine, theirs - declined(state.envido.calls))
    return float((if_declined - if_lost) / (if_won - if_lost))


# Playing


@cache
def cases() -> CaseBase:
    """The hands that the agents remember."""
    return open_cases(CASES).cases


def open_agent(name: str) -> Agent:
    """Call an agent to the table."""
    return find_agent(name, "truco", lambda *_: cases())


def count_blunders(name: str, hands: int) -> dict[str, int]:
    """Count what an agent does in so many hands against `balanced`."""
    agent, other = open_agent(name), open_agent("balanced")
    found: Counter[str] = Counter(dict.fromkeys((*KINDS, "hands", "decisions"), 0))
    for number in count():
        for place, match in enumerate(play_pair(GAME, agent, other, SEED, number).matches):
            for hand in match.hands:
                assert isinstance(hand.state, TrucoState)
                count_hand(hand.state, place, found)
                if found["hands"] >= hands:
                    return dict(found)
    raise AssertionError("pairs never end")


def count_hand(played: TrucoState, seat: Seat, found: Counter[str]) -> None:
    """Play a hand again and look at every decision of a seat."""
    won = [sum(pair[each] for pair in played.points) for each in (0, 1)]
    scores = (played.scores[0] - won[0], played.scores[1] - won[1])
    state = GAME.begin(played.hands, scores, played.mao)
    found["hands"] += 1
    for action in played.actions:
        if state.to_act == seat:
            found["decisions"] += 1
            found.update(find_blunders(state, action))
        state = state.play(action)


def play_balanced(name: str, pairs: int) -> dict[str, Any]:
    """What an agent takes from `balanced`."""
    agents = open_agent(name), open_agent("balanced")
    duel = play_duel(GAME, agents, (name, "balanced"), pairs, SEED).as_json()
    return {key: duel[key] for key in ("points_per_hand", "ci95", "win_rate", "win_rate_ci95")}


# The page


def write_page(found: dict[str, Any], hands: int, pairs: int) -> None:
    """Write docs/blunders.md."""
    kinds = "\n".join(f"- **{name}**: {about}." for name, about in KINDS.items())
    counts = [
        f"| `{name}` | " + " | ".join(f"{row['blunders'][kind]:,}" for kind in KINDS) + " |"
        for name, row in found.items()
    ]
    duels = [
        f"| `{name}` | {row['duel']['points_per_hand']:+.3f} ({row['duel']['ci95'][0]:+.3f} to {row['duel']['ci95'][1]:+.3f}) "
        f"| {row['duel']['win_rate']:.1%} ({row['duel']['win_rate_ci95'][0]:.1%} to {row['duel']['win_rate_ci95'][1]:.1%}) |"
        for name, row in found.items()
    ]
    parts = [
        "# Moves that nobody forgives",
        "",
        "Truco by `trucogame` to 24 against `balanced`, made by `python benchmarks/blunders.py`. A name with `-sound` is the same",
        "policy with the [safeguards](agents.md#sound-play). Players that remember play on the published hands of people.",
        "",
        f"## How often in {hands:,} hands",
        "",
        kinds,
        "",
        "| player | " + " | ".join(KINDS) + " |",
        "|---" * (len(KINDS) + 1) + "|",
        *counts,
        "",
        f"## What it brings, {pairs} duplicate pairs against `balanced`",
        "",
        "| player | points per hand | matches won |",
        "|---|---|---|",
        *duels,
        "",
    ]
    (DOCS / "blunders.md").write_text("\n".join(parts))


def main() -> None:
    """Measure the agents that are named, and write the page of all that were measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("agents", nargs="*", default=AGENTS)
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("--pairs", type=int, default=PAIRS)
    options = parser.parse_args()
    found = json.loads(FINDINGS.read_text()) if FINDINGS.is_file() else {}
    for name in options.agents:
        found[name] = {
            "blunders": count_blunders(name, options.hands),
            "duel": play_balanced(name, options.pairs),
        }
        print(name, found[name], flush=True)
        FINDINGS.write_text(json.dumps(found, indent=1) + "\n")
    write_page(found, options.hands, options.pairs)


if __name__ == "__main__":
    main()
