"""Sandven and Tessem (2006): Casey learns hold'em from an empty base among rule players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from retruco.arena.conduct import behaviour_of
from retruco.arena.page import Cell, Heading, Part, Picture, Table, Text
from retruco.arena.plots import Panel, Series, bars, panels
from retruco.arena.stats import t_quantile
from retruco.experiments.casey_readings import all_runs, reading_parts, reading_results
from retruco.experiments.casey_training import Bunches, Learning, mean_result, split_phases
from retruco.experiments.published import expected
from retruco.experiments.published_experiment import PublishedExperiment
from retruco.experiments.starting_hands import starting_parts, starting_results
from retruco.experiments.study import Found, Results, Stage, Study, Work
from retruco.games.holdem import Holdem

SAID: Final = expected("sandven2006")
MAIN: Final = tuple(f"{count} rulebots" for count in SAID["opponents"])
LATE: Final = 20_000
"""From this hand on Casey hardly plays at random any more."""


def learnings(study: Study) -> dict[str, Learning]:
    """The published three, the learning curves, and the three that mend Casey's weaknesses."""
    hands, few = study.hands or study.size(SAID["hands"], 1500), study.size(5000, 1000)

    def sit(learner: str, *others: str, count: int = hands) -> Learning:
        rules = f"casey-{len(others) + 1}"
        return Learning(rules, learner, others, count, study.seed)

    mixed, rulebots = ("always-raise", "simplebot", "rulebot"), ("rulebot",) * 3
    return {
        **{
            name: sit("casey", *("rulebot",) * count)
            for name, count in zip(MAIN, SAID["opponents"], strict=True)
        },
        "3 simplebots": sit("casey", *("simplebot",) * 3),
        "3 random": sit("casey", *("random",) * 3, count=few),
        "casey-odds, 3 rulebots": sit("casey-odds", *rulebots),
        "casey-starts, 3 rulebots": sit("casey-starts", *rulebots),
        "casey, mixed table": sit("casey", *mixed),
        "casey-reads, mixed table": sit("casey-reads", *mixed),
    }


def works(study: Study, found: Found) -> Sequence[Work]:
    """All sittings and learning runs at once; a run that serves several tables is made once."""
    runs = [*learnings(study).values(), *all_runs(study)]
    return list({run.name: run for run in runs}.values())


class Sandven2006(PublishedExperiment):
    """The experiment."""

    name = "sandven2006"
    title = "Casey learns hold'em"
    paper = SAID["paper"]
    game = Holdem.named("casey-4")
    needs_cases = False
    stages = (Stage("Casey at its tables", works, 140, 15),)

    def results(self, study: Study, found: Found) -> dict[str, Any]:
        """Every sitting, phase by phase, with its play statistics; the verdicts are those of the first reading."""
        sittings = {name: summary_of(run, found[run.name]) for name, run in learnings(study).items()}
        readings = reading_results(study, found, LATE)
        return {
            "hands": learnings(study)[MAIN[0]].hands,
            "sittings": sittings,
            "readings": readings,
            "judged": next(iter(readings["judged"].values())),
        }

    def about(self, results: Results) -> str:
        """What was played."""
        return (
            f"Casey sits with 3, 5 and 7 rule players for {results['hands']:,} hands, each time from an empty "
            "case base. The paper's RuleBot is a closed program; ours is a formula player of our own that stands in for "
            "it, so results against it can be compared in kind, not in size."
        )

    def parts(self, results: Results) -> list[Part]:
        """The report."""
        sittings = results["sittings"]
        return [
            *reading_parts(results["readings"]),
            *_running(sittings),
            *_phases(sittings),
            *_fluctuations(sittings),
            *_late(sittings),
            *_statistics(sittings),
            *starting_parts(sittings, (*MAIN, "casey-starts, 3 rulebots"), LATE),
            *_learning(sittings),
        ]

    def settings(self, results: Results) -> dict[str, str]:
        """How long Casey sits, and what it begins with."""
        return {"hands": f"{results['hands']:,} a sitting", "base": "empty"}


# Results


def summary_of(work: Learning, bunches: Bunches) -> dict[str, Any]:
    """One sitting as plain data, in thousandths of a big blind per hand."""
    big_blind = Holdem.named(work.rules).rules.big_blind
    phases = split_phases(bunches, SAID["phases"])
    late = [one for one, end in zip(bunches, _ends(bunches), strict=True) if end > LATE]
    return {
        "rules": work.rules,
        "learner": work.learner,
        "others": list(work.others),
        "hands": work.hands,
        "running": _curve(bunches, big_blind),
        "phases": [
            {**won(phase, big_blind), **_known(phase), **_swing(phase, big_blind)} for phase in phases
        ],
        "whole": won(bunches, big_blind),
        "late": won(late, big_blind) if late else None,
        "starting": starting_results(late or bunches, big_blind),
        "cases": bunches[-1]["cases"],
        "behaviour": behaviour_of(Holdem.named(work.rules), [one["counts"] for one in bunches]),
        "late_behaviour": behaviour_of(Holdem.named(work.rules), [one["counts"] for one in late])
        if late
        else None,
    }


def won(bunches: Bunches, big_blind: int) -> dict[str, Any]:
    """What some hands brought, in mbb a hand with its 95 % interval; the unit is the hand."""
    hands = sum(one["hands"] for one in bunches)
    mbb, error = mean_result(bunches, big_blind)
    reach = t_quantile(max(1, hands - 1)) * error
    return {"hands": hands, "mbb": mbb, "ci95": (mbb - reach, mbb + reach)}


def _known(bunches: Bunches) -> dict[str, Any]:
    unknown, plans = (sum(one[what] for one in bunches) for what in ("unknown", "plans"))
    return {"at_random": unknown / plans if plans else None, "cases": bunches[-1]["cases"]}


def _swing(bunches: Bunches, big_blind: int) -> dict[str, Any]:
    """The fluctuation of a phase: the highest less the lowest running result in it, in big blinds."""
    running, highest, lowest = 0, 0, 0
    for bunch in bunches:
        highest, lowest = max(highest, running + bunch["highest"]), min(lowest, running + bunch["lowest"])
        running += bunch["points"]
    return {"fluctuation": (highest - lowest) / big_blind}


def _ends(bunches: Bunches) -> list[int]:
    ends, hands = [], 0
    for bunch in bunches:
        hands += bunch["hands"]
        ends.append(hands)
    return ends


def _curve(bunches: Bunches, big_blind: int) -> list[tuple[int, float]]:
    running, points = 0, [(0, 0.0)]
    for bunch, end in zip(bunches, _ends(bunches), strict=True):
        running += bunch["points"]
        points.append((end, running / big_blind))
    return points


# The page


def _panels(sittings: Mapping[str, Any], names: Sequence[str], height: float) -> str:
    """Draw the running results of some sittings."""
    some = [_panel(name, sittings[name]) for name in names]
    return panels(some, 3, ("hands", "big blinds"), None, 0.0, size=(3.4, height))


def _panel(name: str, sitting: Mapping[str, Any]) -> Panel:
    return Panel(name, [point[0] for point in sitting["running"]], [point[1] for point in sitting["running"]])


def _running(sittings: Mapping[str, Any]) -> list[Part]:
    drawn = _panels(sittings, MAIN, 2.6)
    said = "; ".join(f"against {count}: {text}" for count, text in SAID["told"].items())
    return [
        Heading("Running result (figure 1)"),
        Text(f"What Casey has won or lost so far, in big blinds. Published: {said}."),
        Picture("running", drawn, "Casey's running result among 3, 5 and 7 rulebots", 1000),
    ]


def _phases(sittings: Mapping[str, Any]) -> list[Part]:
    phases = max(len(sittings[name]["phases"]) for name in MAIN)
    head = ["", *(f"phase {number + 1}" for number in range(phases)), "cases at the end"]
    rows: list[list[Cell | str]] = []
    for name in MAIN:
        cells = [_won(phase) for phase in sittings[name]["phases"]]
        rows.append([name, *cells, f"{sittings[name]['cases']:,}"])
    at_random: list[list[Cell | str]] = [
        [name, *(_percent(phase["at_random"]) for phase in sittings[name]["phases"])] for name in MAIN
    ]
    return [
        Heading("Phase by phase"),
        Text(
            "Thousandths of a big blind per hand with 95 % intervals over hands; a loss is orange, a profit blue, what "
            "chance may explain has no colour."
        ),
        Table(head, rows),
        Text(
            "How often Casey knew too few cases and played at random; published: hardly ever after 20,000 hands."
        ),
        Table(head[:-1], at_random),
    ]


def _fluctuations(sittings: Mapping[str, Any]) -> list[Part]:
    phases = max(len(sittings[name]["phases"]) for name in MAIN)
    series = [
        Series(name, [phase["fluctuation"] for phase in sittings[name]["phases"]], [None] * phases)
        for name in MAIN
    ]
    names = [f"phase {number + 1}" for number in range(phases)]
    return [
        Heading("Fluctuation (figure 2)"),
        Text("The highest less the lowest running result within each phase, in big blinds."),
        Picture("fluctuation", bars(names, series, "big blinds", None), "Fluctuation in each phase", 640),
    ]


def _late(sittings: Mapping[str, Any]) -> list[Part]:
    rows: list[list[Cell | str]] = []
    for name, sitting in sittings.items():
        late = sitting["late"]
        rows.append([name, _won(sitting["whole"]), _won(late) if late else "-", f"{sitting['hands']:,}"])
    return [
        Heading("What Casey is worth once it knows the game"),
        Text(
            f"All sittings, as a whole and from hand {LATE:,} on. casey-odds does not fold where the pot pays for the "
            "chance to win; casey-reads has the opponents' aggression as one more feature, which can help only where "
            "opponents differ: the mixed table seats always-raise, simplebot and rulebot."
        ),
        Table(["", "all hands", f"from hand {LATE:,}", "hands"], rows),
    ]


def _statistics(sittings: Mapping[str, Any]) -> list[Part]:
    head = [""]
    for count in SAID["opponents"]:
        head += [f"{count}: published", "ours", f"from {LATE:,}"]
    rates = Holdem.behaviour_ratios
    rows: list[list[Cell | str]] = []
    for rate in rates:
        cells: list[Cell | str] = [rate]
        for count, name in zip(SAID["opponents"], MAIN, strict=True):
            said = SAID["statistics"][str(count)].get(rate)
            sitting = sittings[name]
            late = sitting["late_behaviour"]
            cells += [_percent(said), _share(sitting["behaviour"][rate]), _share(late[rate]) if late else "-"]
        rows.append(cells)
    return [
        Heading("How Casey plays"),
        Text(
            "A hand is played when its flop is seen, entered when chips are put in by choice before it; aggression is "
            "the share of bets and raises among bets, raises and calls. With 95 % intervals over bunches of 500 hands. "
            f"Published with eight at the table: {SAID['where']['7']}."
        ),
        Table(head, rows),
    ]


def _learning(sittings: Mapping[str, Any]) -> list[Part]:
    names = [name for name in sittings if name not in MAIN]
    drawn = _panels(sittings, names, 2.4)
    few = sittings["3 random"]
    first = next((hands for hands, won in few["running"][1:] if won > 0), None)
    ahead = f"here it is ahead after {first:,} hands" if first else "here it is not"
    return [
        Heading("Learning curves"),
        Text(
            f"Published: Casey {SAID['random']}; {ahead} (looked at every 500), and wins {_won(few['whole']).text} mbb a hand."
        ),
        Picture("curves", drawn, "Running results against other players, and of the mended Caseys", 1000),
    ]


def _won(result: Mapping[str, Any]) -> Cell:
    low, high = result["ci95"]
    tint = 0.6 if low > 0 else -0.6 if high < 0 else 0.0
    return Cell(f"{result['mbb']:+.0f} ({low:+.0f} to {high:+.0f})", tint)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _share(found: Mapping[str, Any] | None) -> str:
    if found is None:
        return "-"
    low, high = found["ci95"]
    return f"{100 * found['share']:.1f} % ({100 * low:.0f}-{100 * high:.0f})"


EXPERIMENT = Sandven2006()
