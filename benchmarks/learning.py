"""Learning, measured: Table IV, learning curves, the road to 27,515, the cost of a hand as a base grows.

    python benchmarks/learning.py curves BOT1 BOT2    # one after the other, with its curve
    python benchmarks/learning.py road [human]        # 3,195 to 27,515 cases, through the store
    python benchmarks/learning.py bots [human]        # 300 training matches of every bot, through the store
    python benchmarks/learning.py kmeans              # looks at clusters beside those of scikit-learn
    python benchmarks/learning.py growth              # the cost of a hand at ten thousand to a million hands
    python benchmarks/learning.py write               # pictures and tables of docs/learning.md

`human` begins with the hands that people played, which RETRUCO_TRUCOGAME must name; without it everything
begins with the embedded synthetic hands. Findings are kept as JSON in docs/learning; all but times and
memory are the same on every machine.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import mean, median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from retruco.agents.registry import find_agent
from retruco.arena.match import play_match
from retruco.cbr.case import Row
from retruco.cbr.casebase import CaseBase
from retruco.cbr.clusters import FEWEST, MOST, Sample, elbow, elbow_curve
from retruco.cli.commands.learning import LearnOptions
from retruco.cli.learn import begin_run, open_learner
from retruco.games.truco import Truco
from retruco.learning.case_bases import library_of, open_cases
from retruco.learning.checkpoints import Memory, Standing
from retruco.learning.curve import ITSELF, Curve, Point, draw, read_points, table
from retruco.learning.learners import plan_for
from retruco.learning.loop import LearningLoop
from retruco.learning.starting import in_memory
from retruco.learning.truco.dealing import guided_deals
from retruco.storage import runs
from retruco.storage.store import open_store
from retruco.vocab.truco import VOCABULARY, rows

HERE = Path(__file__).parent.parent / "docs"
FOUND = HERE / "learning"
PAGE = HERE / "learning.md"
MATCHES, STARTING, CASES, POINTS, PAIRS = 300, 3_195, 27_515, 10, 200
SHORT = 12
"""The duels of the curves are to twelve points: half the time, and the same questions."""
BOTS = ("BOT1", "BOT2", "BOT3", "BOT4", "BOT5")
SOURCES = {"human": "ours, people's hands", "baseline": "ours, synthetic hands"}
SIZES = (10_000, 100_000, 1_000_000)
PLAYED = 10_000

PUBLISHED = {
    "BOT1": (6859, 1183, 689, 1401),
    "BOT2": (6338, 1656, 704, 1445),
    "BOT3": (6263, 1171, 688, 1711),
    "BOT4": (5876, 1497, 698, 1717),
    "BOT5": (6562, 681, 520, 5125),
}
"""Moral (2020), table IV: hands played, envido, flor and truco cases."""


def keep(name: str, found: object) -> None:
    """Write a finding down."""
    FOUND.mkdir(exist_ok=True)
    (FOUND / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n")
    print(name, "written", flush=True)


def kept(name: str) -> Any:
    """Read a finding, nothing if it is not there."""
    file = FOUND / f"{name}.json"
    return json.loads(file.read_text()) if file.exists() else None


# Curves


def curve(name: str) -> None:
    """Let somebody learn in memory, measured at ten marks and at the start."""
    base = open_cases()
    plan = plan_for(name)
    learner = in_memory(
        plan, Truco.named("trucogame"), base.cases, base.hands, base.elbows if not plan.staged else None
    )
    matches, until = (None, CASES) if name == "imitation" else (MATCHES, None)
    short = Truco.named("trucogame", SHORT)
    measured = Curve(learner, FOUND / f"curve-{name}", PAIRS, (ITSELF, "balanced"), short)
    marks = measured.marks(matches, until, POINTS)  # what was measured before is not measured again

    def after(standing: Standing) -> None:
        marks(standing)
        if standing.match % 25 == 0:
            print(name, standing, flush=True)

    learner.run(matches, until, after)


# Through the store


def stored(name: str, source: str, matches: int | None, until: int | None) -> dict[str, Any]:
    """Learn into a store of its own, as `retruco learn` does, and time it."""
    with TemporaryDirectory() as folder, open_store(Path(folder) / "cases.db") as store:
        library = library_of(store)
        begin_run(library, LearnOptions(into="learnt", strategy=name, source=source))
        learner = open_learner(library, "learnt")
        start, started, worked = learner.groups.ks, time.perf_counter(), time.process_time()
        learner.run(matches, until)
        seconds, cpu = time.perf_counter() - started, time.process_time() - worked
        print(source, name, learner.standing, f"{seconds:.0f} s, {cpu:.0f} s of the processor", flush=True)
        return {
            "name": name,
            **learner.standing.as_json(),
            "seconds": round(seconds, 1),
            "cpu": round(cpu, 1),
            "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "start": start,
            "looks": looked(runs.journal(store, "learnt")) if learner.watching else {},
        }


def looked(journal: Sequence[Mapping[str, Any]]) -> dict[str, list[list[int]]]:
    """Write the looks down in few words: cases in the base, K found, K used, whether made anew."""
    found: dict[str, list[list[int]]] = {one.name: [] for one in clustered()}
    for one in journal:
        found[one["scenario"]].append([one["cases"], one["found"], one["k"], int(one["anew"])])
    return found


def clustered() -> list[Any]:
    """The scenarios that have clusters."""
    return [one for one in VOCABULARY.scenarios if one.hindsight]


def kmeans() -> None:
    """Compare looks with those of scikit-learn on the clusters of the starting base: sums, elbow, time."""
    cases, found = open_cases().cases, []
    for scenario in clustered():
        sample = cases.sample(scenario.name)
        ours, took = timed(elbow_curve, sample)
        theirs, took_theirs = timed(sklearn_curve, sample)
        ratios = [within / theirs[k] for k, within in ours.items() if theirs[k] > 1e-9]
        found.append(
            {
                "scenario": scenario.name,
                "patterns": len(sample.counts),
                "least": round(min(ratios), 4),
                "mean": round(mean(ratios), 4),
                "most": round(max(ratios), 4),
                "k": [elbow(ours), elbow(theirs)],
                "milliseconds": [round(1000 * took, 1), round(1000 * took_theirs, 1)],
            }
        )
        print(found[-1], flush=True)
    keep("kmeans", found)


def sklearn_curve(sample: Sample) -> dict[int, float]:
    """Give the elbow curve as scikit-learn's k-means finds it."""
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    points, weights = sample.standardise()
    with threadpool_limits(1):
        return {
            k: float(KMeans(k, n_init=10, random_state=0).fit(points, sample_weight=weights).inertia_)
            if k < len(points)
            else 0.0
            for k in range(FEWEST - 1, MOST + 2)
        }


def timed(look: Callable[[Sample], dict[int, float]], sample: Sample) -> tuple[dict[int, float], float]:
    """Look three times; give what was found and the median of the processor time."""
    took: list[float] = []
    for _ in range(3):
        started = time.process_time()
        found = look(sample)
        took.append(time.process_time() - started)
    return found, median(took)


# Growth


def many_rows(start: int, count: int) -> Iterator[list[Row]]:
    """Rows of hands that `random` plays against itself, numbered from a start on."""
    game, player = Truco.named("trucogame"), find_agent("random", "truco")
    number = start
    for match in range(start, start + count):
        played = play_match(game, (player, player), guided_deals(game, 77, match), match % 2, match)
        for hand in played.hands:
            yield rows(hand.state.record(), number % 2, number)
            number += 1


def played(cases: CaseBase, start: int, count: int) -> int:
    """Add so many hands that `random` played; give the next number."""
    hands = islice(many_rows(start, count), count)
    while block := list(islice(hands, 2000)):
        cases.add([row for one in block for row in one])
    return start + count


def mixed(cases: CaseBase, start: int, copies: int) -> int:
    """Add hands whose cards, or points, are exchanged at random: more distinct states than play has."""
    for scenario in VOCABULARY.scenarios:
        found = cases.columns(scenario.name)
        dealt = 3 if scenario.visible[0].name == "high" else 1
        for copy in range(1, copies + 1):
            visible, chance = found.visible.copy(), np.random.default_rng(copy)
            visible[:, :dealt] = found.visible[chance.permutation(len(visible)), :dealt]
            episodes = found.episodes + np.int32(start * copy)
            cases.add_columns(scenario.name, *found._replace(visible=visible, episodes=episodes))
    return start * (copies + 1)


def cost(cases: CaseBase, number: int, name: str) -> tuple[dict[str, Any], int]:
    """Time the hands of a learner, match by match: playing, judging, adding, removing; give the next number."""
    learner = LearningLoop(
        plan_for(name), Truco.named("trucogame"), cases, Memory(), number, standing=Standing()
    )
    took: list[float] = []
    for _ in range(60):
        hands, started = learner.standing.hands, time.process_time()
        learner.play_match()
        took.append(1000 * (time.process_time() - started) / (learner.standing.hands - hands))
    quartiles = [round(one, 3) for one in quantiles(took[20:], n=4)]  # the first are for warming up
    return {"learner": name, "milliseconds": quartiles}, number + learner.standing.kept


def growth() -> None:
    """Measure the cost of a hand as a base grows; numbers ascend, as they do in every base that grows."""
    cases, number, size = CaseBase(VOCABULARY), 1, 0
    found: list[dict[str, Any]] = []
    for wanted in SIZES:
        if wanted <= PLAYED:
            number = played(cases, number, wanted - size)
        else:
            number = mixed(cases, number, wanted // size - 1)
        size = wanted
        for name in ("BOT1", "imitation", "BOT2"):  # substitution shrinks a base, so it comes last
            costs, number = cost(cases, number, name)
            found.append({"size": size, **costs})
            print(found[-1], len(cases), "rows", flush=True)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    keep("growth", {"costs": found, "megabytes": megabytes, "rows": len(cases)})


# The page


def table_iv() -> str:
    """Table IV of Moral (2020) beside ours, from the hands of people and from the synthetic ones."""
    lines = ["| | from | hands | envido | flor | truco |", "|---|---|" + "---:|" * 4]
    for place, (name, published) in enumerate(PUBLISHED.items()):
        lines.append(row(name, "Moral (2020)", *published))
        for source in SOURCES:
            if ours := kept(f"bots-{source}"):
                one = ours[place]
                cases = (one["cases"][stage] for stage in ("envido", "flor", "truco"))
                lines.append(row("", SOURCES[source], one["hands"], *cases))
    return "\n".join(lines)


def row(*cells: object) -> str:
    """Lay out one line of a table."""
    return f"| {' | '.join(f'{one:,}' if isinstance(one, int) else str(one) for one in cells)} |"


def curves() -> dict[str, list[Point]]:
    """The curves there are."""
    names = (*BOTS, "imitation")
    found = {name: read_points(FOUND / f"curve-{name}" / "curve.json") for name in names}
    return {name: points for name, points in found.items() if points}


def road_table(found: Mapping[str, Any]) -> str:
    """How K moved on the road: at the start, and whenever clusters were made anew."""
    lines = ["| scenario | K at the start | made anew (at so many cases: K) | looks | K at the end |"]
    lines.append("|---|---:|---|---:|---:|")
    for name, looks in found["looks"].items():
        start = found["start"][name]
        anew = ", ".join(f"{cases:,}: {k}" for cases, _, k, made in looks if made)
        lines.append(row(name, start, anew or "-", len(looks), looks[-1][2] if looks else start))
    return "\n".join(lines)


def draw_road(found: Mapping[str, Any], file: Path) -> None:
    """Draw K of every scenario over the number of cases, looks as dots."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, grid = plt.subplots(7, 2, figsize=(9, 12), sharex=True, sharey=True)
    for axes, scenario in zip(grid.T.flat, clustered(), strict=True):
        looks = found["looks"][scenario.name]
        axes.plot([one[0] for one in looks], [one[1] for one in looks], ".", ms=3, color="darkgrey")
        steps = [(STARTING, found["start"][scenario.name])] + [(one[0], one[2]) for one in looks]
        axes.step([x for x, _ in steps], [k for _, k in steps], where="post", lw=1.4)
        axes.set_title(scenario.name, fontsize=8, loc="left")
        axes.set(ylim=(1, 11), yticks=(2, 4, 6, 8, 10))
    for axes in grid[-1]:
        axes.set_xlabel("cases")
    figure.tight_layout()
    figure.savefig(file, dpi=90, metadata={"Software": None})
    plt.close(figure)


def draw_growth(found: Mapping[str, Any], file: Path) -> None:
    """Draw the cost of a hand over the size of the base."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    plt.rcParams["svg.hashsalt"] = "retruco"
    figure, axes = plt.subplots(figsize=(6, 3.2))
    for name in dict.fromkeys(one["learner"] for one in found["costs"]):
        some = [one for one in found["costs"] if one["learner"] == name]
        low, middle, high = zip(*(one["milliseconds"] for one in some), strict=True)
        reach = np.abs(np.array([low, high]) - np.array(middle))
        axes.errorbar([one["size"] for one in some], middle, reach, marker="o", capsize=3, label=name)
    axes.set(xscale="log", xlabel="hands in the base", ylabel="milliseconds a hand")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def growth_table(found: Mapping[str, Any]) -> str:
    """The cost of a hand, one line a size: the median of matches, and the quartiles."""
    names = list(dict.fromkeys(one["learner"] for one in found["costs"]))
    lines = [f"| hands | {' | '.join(names)} |", "|---:|" + "---:|" * len(names)]
    for size in SIZES:
        some = (one["milliseconds"] for one in found["costs"] if one["size"] == size)
        lines.append(row(size, *(f"{middle:.2f} ms ({low:.2f} to {high:.2f})" for low, middle, high in some)))
    return "\n".join(lines)


def times_table() -> str:
    """How long training took."""
    lines = ["| | from | matches | hands | cases | seconds | processor | memory |", "|---|---|" + "---:|" * 6]
    for source, words in SOURCES.items():
        for one in (*(kept(f"bots-{source}") or ()), *filter(None, [kept(f"road-{source}")])):
            cells = (one["match"], one["hands"], sum(one["cases"].values()))
            spent = (f"{one['seconds']} s", f"{one['cpu']} s", f"{one['megabytes']} MB")
            lines.append(row(one["name"], words.removeprefix("ours, "), *cells, *spent))
    return "\n".join(lines)


def kmeans_table(found: Sequence[Mapping[str, Any]]) -> str:
    """Our looks beside scikit-learn's: the ratio of the sums of squares over all K, the elbow, the time."""
    lines = ["| scenario | patterns | least ratio | mean | most | K ours | K theirs | ours | theirs |"]
    lines.append("|---|" + "---:|" * 8)
    for one in found:
        ratios = (f"{one[which]:.3f}" for which in ("least", "mean", "most"))
        took = (f"{milliseconds:.1f} ms" for milliseconds in one["milliseconds"])
        lines.append(row(one["scenario"], one["patterns"], *ratios, *one["k"], *took))
    least, most = min(one["least"] for one in found), max(one["most"] for one in found)
    ratios = (f"{ratio:.3f}" for ratio in (least, mean(one["mean"] for one in found), most))
    took = (f"{sum(one['milliseconds'][who] for one in found):.0f} ms" for who in (0, 1))
    lines.append(row("all", sum(one["patterns"] for one in found), *ratios, "", "", *took))
    return "\n".join(lines)


def write() -> None:
    """Draw the pictures and fill the tables of the page."""
    images, found = HERE / "images", curves()
    imitation = found.get("imitation", [])
    bots = {name: points for name, points in found.items() if name != "imitation"}
    draw(bots, images / "learning-bots.svg")
    draw(bots, images / "learning-bots-balanced.svg", "balanced")
    others = dict.fromkeys(one.opponent for one in imitation)
    apart = {f"against {name}": [one for one in imitation if one.opponent == name] for name in others}
    draw(apart, images / "learning-imitation.svg", "")
    fill("table-iv", table_iv())
    for name, points in found.items():
        fill(f"curve-{name}", table(points))
    fill("times", times_table())
    for source in SOURCES:
        if road := kept(f"road-{source}"):
            draw_road(road, images / f"learning-road-{source}.png")
            fill(f"road-{source}", road_table(road))
    if looks := kept("kmeans"):
        fill("kmeans", kmeans_table(looks))
    if costs := kept("growth"):
        draw_growth(costs, images / "learning-growth.svg")
        fill("growth", growth_table(costs))


def fill(name: str, text: str) -> None:
    """Put a table between its two marks on the page."""
    begin_mark, end_mark = f"<!-- {name} -->", f"<!-- end of {name} -->"
    page = PAGE.read_text()
    if begin_mark in page:
        before, _, rest = page.partition(begin_mark)
        after = rest.partition(end_mark)[2]
        PAGE.write_text(f"{before}{begin_mark}\n{text}\n{end_mark}{after}")


def main(what: str, *names: str) -> None:
    """Do what was asked."""
    source = names[0] if names else "baseline"
    if what == "curves":
        for name in names or (*BOTS, "imitation"):
            curve(name)
    elif what == "road":
        keep(f"road-{source}", stored("imitation", source, None, CASES))
    elif what == "bots":
        keep(f"bots-{source}", [stored(name, source, MATCHES, None) for name in BOTS])
    elif what == "kmeans":
        kmeans()
    elif what == "growth":
        growth()
    elif what == "write":
        write()
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:] or ("",))
