"""What reading the opponent brings: the figures of docs/opponents.md.

    python benchmarks/opponents.py gain                  `reader` less `solver` against every opponent
    python benchmarks/opponents.py gain NPCS --pairs 500 against some, with more pairs
    python benchmarks/opponents.py gain --pairs 500      goes on where it was left
    python benchmarks/opponents.py risk                  what other limits of the risk would bring, on other deals
    python benchmarks/opponents.py notice                how many hands it takes to notice each style
    python benchmarks/opponents.py bluffs                how well bluffs are told, of people and of `bluffer`
    python benchmarks/opponents.py cost                  what reading adds to a decision
    python benchmarks/opponents.py page                  write docs/opponents.md from what has been found

RETRUCO_TRUCOGAME names the folder of the published hands of people. Findings are kept in docs/opponents as JSON, so
that a part can be run on its own.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any, Final

import numpy as np

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent
from retruco.agents.truco.opponent_model import OpponentModel, shipped_styles
from retruco.agents.truco.policies import TWENTY
from retruco.agents.truco.reader import Reader, lean
from retruco.arena.sets import Score, play_set
from retruco.arena.stats import t_quantile
from retruco.cbr.case import Decision
from retruco.cli.opponents import print_studies, study_agent, study_people
from retruco.games.truco.game import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.state import TrucoState
from retruco.learning.case_bases import cases_named
from retruco.streams import Stream

DOCS: Final = Path(__file__).parent.parent / "docs"
FOLDER: Final = DOCS / "opponents"
PAGE: Final = DOCS / "opponents.md"
GAME: Final = Truco.named("trucogame")
SEED: Final = 178
"""Not one of the seeds by which the settings of `reader` were chosen."""
RISK_SEED: Final = 41
"""The deals by which the limit of the risk was chosen."""
RISKS: Final = (0.1, 0.07, 0.05)
DOUBTFUL: Final = ("NPCPLS", "PLCNPS", "PLCS", "PVCS")
"""The opponents from whom `reader` seemed to lose in a first small run with other deals."""
SCRIPTED: Final = ("novice", "cautious", "balanced", "aggressive", "bluffer", "shouter")
SOUND: Final = ("solver", "maestro")
CHANGING: Final = ("cautious, then aggressive", "aggressive, then cautious")
OPPONENTS: Final = (*SCRIPTED, *TWENTY, *SOUND, *CHANGING)
ROUND: Final = 100
"""So many pairs are played against every opponent before the next ones; what was found is kept after each."""
CHANGES_AFTER: Final = 6
"""After so many hands a changing player takes on its second style."""

Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Changing:
    """Plays in one style, and after some hands of the match in another."""

    first: Agent
    second: Agent

    def decide(self, observation: TrucoObservation, chance: Stream) -> Decision | str:
        """Decide as the style of this hand does."""
        agent = self.first if len(observation.history) < CHANGES_AFTER else self.second
        return agent.decide(observation, chance)


def make_opponent(name: str) -> Agent:
    """An opponent by its name; players that remember play on the hands of people."""
    if ", then " in name:
        first, second = name.split(", then ")
        return Changing(make_opponent(first), make_opponent(second))
    return find_agent(name, GAME.name, cases_named("human"))


# What adapting brings


def gain(options: argparse.Namespace) -> None:
    """Play the reader and the plain solution against every opponent over the same deals, all a little further in turn."""
    found = read("gain")
    for pairs in range(ROUND, options.pairs + ROUND, ROUND):
        for name in options.names or OPPONENTS:
            before = found.get(name, {"pairs": 0})
            if before["pairs"] < min(pairs, options.pairs):
                numbers = range(before["pairs"], min(pairs, options.pairs))
                found[name] = with_more(before, play_both(name, numbers))
                keep("gain", found)
                print(f"{name}, {numbers.stop} pairs: {describe_gain(found[name])}", flush=True)


def play_both(name: str, numbers: range) -> tuple[list[Score], list[Score]]:
    """The scores of the reader and of the plain solution against an opponent."""
    opponent = make_opponent(name)
    adapting, base = (play_pairs(agent, opponent, numbers) for agent in (Reader(), make_opponent("solver")))
    return adapting, base


def with_more(before: Found, scores: tuple[Sequence[Score], Sequence[Score]]) -> Found:
    """What was found of some pairs, with more of them; the sums of squares and products are all that it needs."""
    numbers = np.array(
        [[*numbers_of(mine), *numbers_of(theirs)] for mine, theirs in zip(*scores, strict=True)]
    )
    sums, squares = numbers.sum(0), numbers.T @ numbers
    if "sums" in before:
        sums, squares = sums + before["sums"], squares + before["squares"]
    return summarise(before["pairs"] + len(numbers), sums, squares)


def numbers_of(score: Score) -> tuple[float, float, float]:
    """Points, hands, and the share of matches won."""
    return score.points, score.all_hands, score.share


def summarise(pairs: int, sums: Any, squares: Any) -> Found:
    """The difference in points per hand, with its interval over pairs of the same deals."""
    points, hands, won, base_points, base_hands, base_won = map(float, sums)
    mine, theirs = points / hands, base_points / base_hands
    moves = pairs * np.array([1 / hands, -mine / hands, 0, -1 / base_hands, theirs / base_hands, 0])
    variance = max(0.0, float(moves @ squares @ moves)) / max(1, pairs - 1)
    reach = t_quantile(pairs - 1) * (variance / pairs) ** 0.5 if pairs > 1 else 48.0
    difference = mine - theirs
    return {
        "pairs": pairs,
        "adapting": mine,
        "base": theirs,
        "gain": difference,
        "ci95": [difference - reach, difference + reach],
        "matches_won": won / pairs,
        "base_matches_won": base_won / pairs,
        "sums": sums.tolist(),
        "squares": squares.tolist(),
    }


def risk(options: argparse.Namespace) -> None:
    """Play readers with other limits of the risk, over deals that no other figure here is from."""
    found = read("risk")
    for name in options.names or DOUBTFUL:
        opponent, rows = make_opponent(name), dict[str, Found]()
        base = play_pairs(make_opponent("solver"), opponent, range(options.pairs), RISK_SEED)
        for limit in RISKS:
            adapting = play_pairs(Reader(risk=limit), opponent, range(options.pairs), RISK_SEED)
            rows[str(limit)] = compare(adapting, base)
            print(f"{name}, risk {limit}: {describe_gain(rows[str(limit)])}", flush=True)
        found[name] = rows
        keep("risk", found)


def describe_gain(row: Found) -> str:
    """A gain with its interval."""
    low, high = row["ci95"]
    return f"{row['gain']:+.3f} ({low:+.3f} to {high:+.3f})"


def play_pairs(agent: Agent, opponent: Agent, numbers: range, seed: int = SEED) -> list[Score]:
    """Play duplicate pairs."""
    return [play_set(GAME, [[agent], [opponent]], seed, number).score() for number in numbers]


def compare(adapting: Sequence[Score], base: Sequence[Score]) -> Found:
    """The difference in points per hand of two agents against the same opponent."""
    return with_more({"pairs": 0}, (adapting, base))


# How soon a style is noticed


def notice(options: argparse.Namespace) -> None:
    """Let the reader play every style and look at its belief after every hand."""
    found, styles = read("notice"), shipped_styles()
    for name in options.names or [name for name in (*SCRIPTED, *SOUND, *TWENTY) if name in styles.names]:
        beliefs, leans = by_hand(make_opponent(name), options.pairs, options.hands)
        place = styles.names.index(name)
        found[name] = {
            "matches": 2 * options.pairs,
            "seen": [len(row) for row in beliefs],
            "own_style": [float(np.mean([belief[place] for belief in row])) for row in beliefs if row],
            "likeliest": [
                float(np.mean([belief.argmax() == place for belief in row])) for row in beliefs if row
            ],
            "leans": [float(np.mean(row)) for row in leans if row],
        }
        keep("notice", found)
        print(
            f"{name}: belief {found[name]['own_style'][-1]:.2f}, leans {found[name]['leans'][-1]:.2f}",
            flush=True,
        )


def by_hand(opponent: Agent, pairs: int, hands: int) -> tuple[list[list[Any]], list[list[bool]]]:
    """By number of hands seen: what is believed and whether the reader leans, in every match so long."""
    beliefs: list[list[Any]] = [[] for _ in range(hands + 1)]
    leans: list[list[bool]] = [[] for _ in range(hands + 1)]
    reader, model = Reader(), OpponentModel(shipped_styles())
    for history in histories(reader, opponent, pairs):
        for count in range(min(hands, len(history)) + 1):
            belief = model.read(history[:count]).belief
            beliefs[count].append(belief)
            leans[count].append(lean(reader.styles, belief) is not None)
    return beliefs, leans


def histories(reader: Reader, opponent: Agent, pairs: int) -> Iterator[tuple[TrucoObservation, ...]]:
    """The hands of matches as the reader saw them."""
    for number in range(pairs):
        played = play_set(GAME, [[reader], [opponent]], SEED + 1, number)
        for seat, match in enumerate(played.matches):
            states = [hand.state for hand in match.hands if isinstance(hand.state, TrucoState)]
            yield tuple(state.observe(seat) for state in states)


# What it costs


class Timed:
    """An agent whose time is taken."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.seconds, self.decisions = agent, 0.0, 0

    def decide(self, observation: TrucoObservation, chance: Stream) -> Decision | str:
        """Decide, and take the time."""
        started = process_time()
        answer = self.agent.decide(observation, chance)
        self.seconds += process_time() - started
        self.decisions += 1
        return answer


def cost(options: argparse.Namespace) -> None:
    """Processor time of a decision, of the reader and of the plain solution, in the same matches."""
    found: Found = {}
    for name in options.names or ("bluffer", "solver"):
        opponent, times = make_opponent(name), {}
        for who, agent in (("reader", Reader()), ("solver", make_opponent("solver"))):
            play_pairs(agent, opponent, range(2))  # loads and compiles
            timed = Timed(agent)
            play_pairs(timed, opponent, range(options.pairs))
            times[who] = 1e6 * timed.seconds / timed.decisions
        found[name] = {**times, "added": times["reader"] - times["solver"], "pairs": options.pairs}
        print(f"against {name}: reader {times['reader']:.0f} µs, solver {times['solver']:.0f} µs a decision")
    keep("cost", found)


# Bluffs


def bluffs(options: argparse.Namespace) -> None:
    """How well bluffs are told: those of `bluffer`, and those of people in the published hands."""
    studies = [study_agent("bluffer", options.pairs), study_people("human")]
    keep("bluffs", {study.caller: study.as_json()["ways"] for study in studies})
    print_studies(studies)


# Findings


def read(name: str) -> Found:
    """What was found before."""
    file = FOLDER / f"{name}.json"
    found: Found = json.loads(file.read_text()) if file.exists() else {}
    return found


def keep(name: str, found: Found) -> None:
    """Keep what was found."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n")


# The page


def page(options: argparse.Namespace) -> None:
    """Write docs/opponents.md and its plots."""
    draw_notice(read("notice"))
    draw_calibration(read("bluffs"))
    begin, end = "<!-- figures -->\n", "<!-- end of figures -->\n"
    before, _, rest = PAGE.read_text().partition(begin)
    _, _, after = rest.partition(end)
    PAGE.write_text(before + begin + "\n".join(figures()) + "\n" + end + after)


def figures() -> Iterator[str]:
    """Everything that was measured, as Markdown."""
    yield from ("", "## What it brings", "", *gain_table(read("gain")))
    if found := read("risk"):
        yield from ("", "## How the limit of the risk was chosen", "", *risk_table(found), "", RISK_RULE)
    yield from ("", "## How soon a style is noticed", "", *notice_table(read("notice")))
    yield from ("", "![Belief in the own style by hands](opponents/notice.svg)")
    yield from ("", "## Telling bluffs", "", *bluff_table(read("bluffs")))
    yield from ("", "![Predicted and observed shares of bluffs](opponents/bluffs.svg)")
    yield from ("", "## What it costs", "", *cost_table(read("cost")), "")


RISK_RULE: Final = """\
These are other deals than those of the table above. With 0.1, the limit at first, a small run seemed to lose from these
opponents. The limit now is the greatest of the three at which the mean against none of them is below -0.03."""


def gain_table(found: Found) -> Iterator[str]:
    """What adapting brings against everybody."""
    yield "| against | pairs | `reader` | `solver` | gain, 95 % interval |"
    yield "|---|---:|---:|---:|---:|"
    for name in [name for name in OPPONENTS if name in found]:
        row = found[name]
        mine, base = f"{row['adapting']:+.3f}", f"{row['base']:+.3f}"
        yield f"| {name} | {row['pairs']} | {mine} | {base} | {describe_gain(row)} |"
    weak = [row for name, row in found.items() if name not in (*SOUND, *CHANGING)]
    mean = sum(row["gain"] for row in weak) / len(weak)
    reach = sum(((row["ci95"][1] - row["ci95"][0]) / 2) ** 2 for row in weak) ** 0.5 / len(weak)
    yield ""
    yield (
        f"Mean gain against all but sound and changing players: {mean:+.3f} ({mean - reach:+.3f} to {mean + reach:+.3f}), "
        "the rows counted as independent."
    )
    worst = min(found, key=lambda name: found[name]["gain"])
    yield f"`reader` does worst against {worst}, which wins {-found[worst]['gain']:.3f} more from it than from `solver`."


def risk_table(found: Found) -> Iterator[str]:
    """What readers with other limits of the risk win."""
    limits = [str(limit) for limit in RISKS]
    yield f"| against | pairs | {' | '.join(f'risk at most {limit}' for limit in limits)} |"
    yield "|---|---:|---:|---:|---:|"
    for name, rows in found.items():
        gains = " | ".join(describe_gain(rows[limit]) for limit in limits)
        yield f"| {name} | {rows[limits[0]]['pairs']} | {gains} |"


def notice_table(found: Found) -> Iterator[str]:
    """How much the own style is believed, when it is noticed, and how often the reader has turned to a response."""
    hands = (3, 6, 12)
    columns = " | ".join(f"belief after {count}" for count in hands)
    yield f"| opponent | matches | {columns} | likeliest after | turned in the end |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for name in [name for name in OPPONENTS if name in found]:
        row = found[name]
        known = len(row["own_style"])
        beliefs = " | ".join(f"{row['own_style'][count]:.2f}" if count < known else "" for count in hands)
        turned = row["leans"][min(hands[-1], known - 1)]
        yield f"| `{name}` | {row['matches']} | {beliefs} | {hands_to_notice(row)} | {turned:.0%} |"
    yield ""
    yield (
        "*Likeliest after*: the number of hands from which on the own style is the likeliest of all in half of the matches; "
        f"empty where that takes more than {hands[-1]}."
    )


def hands_to_notice(row: Found) -> str:
    """The number of hands from which on a style is the likeliest in half of the matches."""
    late = [count for count, share in enumerate(row["likeliest"]) if share < 0.5]
    first = late[-1] + 1 if late else 0
    return str(first) if first < len(row["likeliest"]) else ""


def bluff_table(found: Found) -> Iterator[str]:
    """How well bluffs are told, by caller and way of judging."""
    yield "| calls of | calls | bluffs | judged by | area under the curve | Brier score |"
    yield "|---|---:|---:|---|---:|---:|"
    for caller, ways in found.items():
        for way, row in ways.items():
            low, high = row["interval"]
            area = f"{row['area']:.3f} ({low:.3f} to {high:.3f})"
            yield f"| {caller} | {row['calls']:,} | {row['bluffs']:,} | {way} | {area} | {row['brier']:.3f} |"


def cost_table(found: Found) -> Iterator[str]:
    """Microseconds of a decision."""
    yield "| against | `reader`, µs a decision | `solver` | added |"
    yield "|---|---:|---:|---:|"
    for name, row in found.items():
        yield f"| `{name}` | {row['reader']:.0f} | {row['solver']:.0f} | {row['added']:.0f} |"


def draw_notice(found: Found) -> None:
    """Draw the belief in the own style by hands."""
    pyplot = plotting()
    figure, axes = pyplot.subplots(figsize=(6.5, 4))
    for policy in [policy for policy in TWENTY if policy in found]:
        axes.plot(found[policy]["own_style"], color="0.8", linewidth=0.8)
    for name in [name for name in (*SCRIPTED, *SOUND) if name in found]:
        axes.plot(found[name]["own_style"], label=name)
    axes.plot([], color="0.8", linewidth=0.8, label="the twenty")
    axes.set(xlabel="hands seen", ylabel="belief in the own style", ylim=(0, 1))
    axes.legend(fontsize=8, ncols=2)
    save(figure, "notice")


def draw_calibration(found: Found) -> None:
    """Draw predicted and observed shares of bluffs, with intervals."""
    pyplot = plotting()
    figure, all_axes = pyplot.subplots(1, len(found), figsize=(4.2 * len(found), 4), squeeze=False)
    for axes, (caller, ways) in zip(all_axes[0], found.items(), strict=True):
        axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        for way, row in ways.items():
            predicted = [each[3] for each in row["calibration"]]
            observed = np.array([each[4] for each in row["calibration"]])
            low, high = (np.array([each[side] for each in row["intervals"]]) for side in (0, 1))
            bars = np.clip([observed - low, high - observed], 0, 1)
            axes.errorbar(
                predicted, observed, bars, marker="o", markersize=4, linestyle="", label=way, capsize=2
            )
        axes.set(title=caller, xlabel="predicted share", ylabel="observed share", xlim=(0, 1), ylim=(0, 1))
        axes.legend(fontsize=8)
    save(figure, "bluffs")


def plotting() -> Any:
    """Pyplot, so that the same numbers give the same file."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "retruco"
    from matplotlib import pyplot

    return pyplot


def save(figure: Any, name: str) -> None:
    """Write a plot."""
    figure.tight_layout()
    figure.savefig(FOLDER / f"{name}.svg", metadata={"Date": None})


PARTS: Final = {"gain": gain, "risk": risk, "notice": notice, "bluffs": bluffs, "cost": cost, "page": page}


def main() -> None:
    """Measure a part, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("names", nargs="*", help="the opponents; all if none is named")
    parser.add_argument("--pairs", type=int, default=100, help="duplicate pairs against each")
    parser.add_argument("--hands", type=int, default=12, help="for notice: hands of a match")
    options = parser.parse_intermixed_args()
    PARTS[options.part](options)


if __name__ == "__main__":
    main()
