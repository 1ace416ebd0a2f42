"""How the twenty policies play: against chance, among themselves, and how alike they are.

Writes the tables of `docs/policies.md`.

    python benchmarks/policies.py                    the embedded base
    python benchmarks/policies.py --cases NAME --out FILE --pairs 100
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.core import Agent, CasesFor
from retruco.agents.registry import find_agent
from retruco.agents.truco.policies import TWENTY
from retruco.arena.duel import deals_from, play_duel, play_pair
from retruco.arena.table import Table
from retruco.cbr.case import Decision
from retruco.games.truco import Truco, TrucoObservation, TrucoState
from retruco.games.truco.behaviour import behaviour, rates
from retruco.learning.case_bases import cases_named, open_cases
from retruco.storage.library import Base
from retruco.streams import Stream

GAME = Truco.named("trucogame")
SEED = 20
BOUNDS = {"opens envido": 0.60, "opens falta low": 0.02, "raises truco": 0.50}
SHORTEST_MATCH = 8.0


class Watched:
    """An agent whose questions, revisions and lack of experience are counted."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.counts: Counter[str] = Counter()

    def decide(self, observation: TrucoObservation, chance: Stream) -> Decision:
        """Let the agent decide, and count."""
        decision = self.agent.decide(observation, chance)
        assert isinstance(decision, Decision)
        self.counts.update(one.rule for one in decision.revised_by)
        asked = [one for one in decision.asked if one.evidence is not None]
        self.counts["questions"] += len(asked)
        self.counts["no experience"] += sum(one.choice.answer is None for one in asked)
        return decision


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out a Markdown table, the first column left and in code, the others right."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join((f"`{row[0]}`", *row[1:])) + " |" for row in rows])


def against_chance(names: Sequence[str], cases_for: CasesFor, pairs: int) -> Iterator[list[str]]:
    """Duel every policy with `random`."""
    chance = find_agent("random", "truco")
    for name in names:
        result = play_duel(
            GAME, (find_agent(name, "truco", cases_for), chance), (name, "random"), pairs, SEED
        )
        low, high = result.win_rate_ci95
        points_low, points_high = result.ci95
        yield [
            name,
            f"{result.wins[0]} of {result.matches}",
            f"{result.win_rate:.1%}",
            f"{low:.1%} to {high:.1%}",
            f"{result.points_per_hand:+.2f}",
            f"{points_low:+.2f} to {points_high:+.2f}",
        ]


def among_themselves(
    names: Sequence[str], cases_for: CasesFor, pairs: int
) -> tuple[dict[str, Counter[str]], dict[str, list[int]], dict[str, Counter[str]]]:
    """Let everybody meet everybody; give behaviour, match lengths, revisions."""
    players = {name: Watched(find_agent(name, "truco", cases_for)) for name in names}
    found: dict[str, Counter[str]] = {name: Counter() for name in names}
    lengths: dict[str, list[int]] = {name: [] for name in names}
    for number, (a, b) in enumerate(combinations(names, 2)):
        for pair in range(pairs):
            played = play_pair(GAME, players[a], players[b], SEED, number * pairs + pair)
            for swapped, match in enumerate(played.matches):
                assert match.forfeit is None, match.forfeit.why
                for seat, name in enumerate((b, a) if swapped else (a, b)):
                    lengths[name].append(len(match.hands))
                    for hand in match.hands:
                        assert isinstance(hand.state, TrucoState)
                        found[name] += behaviour(hand.state, seat)
    return found, lengths, {name: player.counts for name, player in players.items()}


SHOWN = ("opens envido", "on poor points", "opens falta low", "accepts envido", "raises envido", "calls truco",
         "on poor cards", "accepts truco", "raises truco", "folds", "folds unprovoked")  # fmt: skip


def behaviour_rows(found: dict[str, Counter[str]], lengths: dict[str, list[int]]) -> Iterator[list[str]]:
    """Put behaviour into rows, and mark what exceeds a bound."""
    for name, counts in found.items():
        shares, length = rates(counts), sum(lengths[name]) / len(lengths[name])
        cells = [f"{shares[one]:.1%}" + " (!)" * (shares[one] > BOUNDS.get(one, 1)) for one in SHOWN]
        yield [name, *cells, f"{length:.1f}" + " (!)" * (length < SHORTEST_MATCH)]


def revision_rows(
    counts: dict[str, Counter[str]], found: dict[str, Counter[str]]
) -> tuple[list[str], list[list[str]]]:
    """Put revisions into rows, by a hundred hands."""
    rules = sorted({rule for one in counts.values() for rule in one} - {"questions", "no experience"})
    rows = []
    for name, one in counts.items():
        hands = found[name]["hands"]
        cells = [f"{100 * one[rule] / hands:.1f}" for rule in rules]
        rows.append([name, *cells, f"{one['no experience'] / max(1, one['questions']):.2%}"])
    return ["policy", *rules, "without experience"], rows


def some_states(count: int, cases_for: CasesFor) -> list[TrucoObservation]:
    """Collect turns from matches between policies drawn at random."""
    found: list[TrucoObservation] = []
    number = 0
    while len(found) < count:
        chance = Stream("states", SEED, number)
        agents = [find_agent(chance.choice(TWENTY), "truco", cases_for) for _ in (0, 1)]
        table = Table(GAME, deals_from(GAME, SEED + 1, number), chance.below(2))
        while (seat := table.to_act) is not None:
            seen = table.observe(seat)
            assert isinstance(seen, TrucoObservation)
            if chance.chance(0.2):
                found.append(seen)
            agent = agents[seat]
            assert isinstance(agent, CaseBasedAgent)
            table.act(seat, agent.decide(seen, chance).action)
        number += 1
    return found[:count]


def alike(states: list[TrucoObservation], cases_for: CasesFor) -> tuple[list[list[str]], list[float]]:
    """Ask all twenty the same questions and count how often two of them agree."""
    choices = []
    for name in TWENTY:
        agent = find_agent(name, "truco", cases_for)
        assert isinstance(agent, CaseBasedAgent)
        choices.append(
            [agent.decide(seen, Stream("alike", name, at)).action for at, seen in enumerate(states)]
        )
    same = [
        [sum(x == y for x, y in zip(one, two, strict=True)) / len(states) for two in choices]
        for one in choices
    ]
    rows = [[name, *(f"{share:.0%}" for share in line)] for name, line in zip(TWENTY, same, strict=True)]
    return rows, [same[one][two] for one, two in combinations(range(len(TWENTY)), 2)]


def page(base: Base, cases_for: CasesFor, pairs: int) -> str:
    """Write the whole page."""
    started = time.perf_counter()
    found, lengths, counts = among_themselves(TWENTY, cases_for, 2)
    raw = [f"{name}-raw" for name in TWENTY]
    raw_found, raw_lengths, _ = among_themselves(raw, cases_for, 1)
    matrix, shares = alike(some_states(1000, cases_for), cases_for)
    head = ["policy", *SHOWN, "hands a match"]
    duel_head = ["policy", "won", "share", "95 % interval", "points a hand", "95 % interval"]
    rule_head, rule_rows = revision_rows(counts, found)
    parts = [
        "# The twenty policies",
        f"Made by `python benchmarks/policies.py`: case base `{base.name}` ({base.description}), {base.hands:,} hands; "
        f"rules `trucogame` to 24; seed {SEED}. Shares are of what the column names: of hands, of bets faced, of calls made.",
        "## Against `random`",
        f"{2 * pairs} duplicate matches each.",
        table(duel_head, list(against_chance(TWENTY, cases_for, pairs))),
        "## How they play",
        "All against all, two duplicate pairs each. The bounds of sane play: envido opened in at most 60 % of hands, falta "
        "opened below 28 points in at most 2 %, truco answered with a raise in at most 50 %, at least 8 hands a match to 24; "
        "(!) marks what lies outside.",
        table(head, list(behaviour_rows(found, lengths))),
        "## How often they are held back",
        "Revisions a hundred hands by rule, and the share of questions that found no usable experience.",
        table(rule_head, rule_rows),
        "## Read literally",
        "The `-raw` variants have neither support nor prior and no revision but `thrown-hand`; all against all, one duplicate "
        "pair each.",
        table(head, list(behaviour_rows(raw_found, raw_lengths))),
        "Against `random`:",
        table(duel_head, list(against_chance(raw, cases_for, pairs))),
        "## They are not copies of each other",
        f"How often two of them choose the same action, over 1,000 turns from matches among them: "
        f"from {min(shares):.0%} to {max(shares):.0%}, {sum(shares) / len(shares):.0%} on average.",
        table(["", *TWENTY], matrix),
    ]
    print(f"{time.perf_counter() - started:.0f} s")
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", help="the case base; the embedded one if not given")
    parser.add_argument("--pairs", type=int, default=100, help="duplicate pairs against random")
    parser.add_argument("--out", type=Path, default=Path("docs/policies.md"))
    arguments = parser.parse_args()
    arguments.out.write_text(page(open_cases(arguments.cases), cases_named(arguments.cases), arguments.pairs))


if __name__ == "__main__":
    main()
