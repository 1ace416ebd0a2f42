"""Exact retrieval side by side with its peers: single queries, one thread, the ten nearest rows.

    python benchmarks/retrieval.py            # everything; about three minutes
    python benchmarks/retrieval.py --quick    # small bases, fewer queries

The rows are those of a hand of cards asked for its third card: ten attributes, seven of them
cards (three received, four played; a played card can be face down), one of two values and two
of three. Peers that know only L1 distances get vectors in which these similarities are L1
distances, so that all answer alike; that they do is asserted on every query.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

for _pool in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_pool] = "1"

import numpy as np  # noqa: E402 - the thread limits must come first
from numpy.typing import NDArray  # noqa: E402

from retruco.cbr.case import Decision, Problem, QuestionRecord  # noqa: E402
from retruco.cbr.case_index import Workspace  # noqa: E402
from retruco.cbr.casebase import CaseBase  # noqa: E402
from retruco.cbr.clusters import fit  # noqa: E402
from retruco.cbr.modes import Adaptive, Mode, Threshold, Top  # noqa: E402
from retruco.cbr.queries import QuestionInWords, encode_queries  # noqa: E402
from retruco.cbr.reuse import Majority, TwoStep, Victory  # noqa: E402
from retruco.cbr.revise import revise  # noqa: E402
from retruco.cbr.vocabulary import Scenario, VisibleFeature, Vocabulary, equal, hindsight, interval  # noqa: E402
from retruco.streams import Stream  # noqa: E402

Array = NDArray[Any]

DECK = np.repeat(
    [52, 50, 42, 40, 24, 16, 12, 8, 7, 6, 4, 3, 2, 1], [1, 1, 1, 1, 4, 4, 2, 4, 4, 4, 2, 4, 4, 4]
)
ABSENT, DOWN = 53, 54
ROUNDS = ("1", "2", "3")


def card(name: str) -> VisibleFeature:
    """A card by strength, which can be absent or face down."""
    return interval(name, 1, 52, span=52, special=("absent", "down"))


def cards_seen(rounds: int, following: bool) -> tuple[VisibleFeature, ...]:
    """What is visible before a card of this round is played."""
    seen = [card("high"), card("medium"), card("low"), equal("is_mao", (0, 1))]
    for number in ROUNDS[: rounds - 1]:
        seen += [card("own" + number), card("other" + number), equal("winner" + number, (0, 1, 2))]
    return (*seen, card("other" + ROUNDS[rounds - 1])) if following else tuple(seen)


def vocabulary() -> Vocabulary:
    """Fifteen scenarios with the attributes of Truco's."""
    who = [equal(name, (0, 1, 2)) for name in ("truco", "retruco", "vale4")]
    calls = [equal(name, (0, 1, 2)) for name in ("envido", "again", "real", "falta")]
    played = (hindsight("high", 51, 41, 20, 12, 7, 3), hindsight("own", 46, 16, 4, -46, -1, -10, -15))
    scenarios = []
    for rounds in (1, 2, 3):
        for place in ("lead", "follow"):
            seen = cards_seen(rounds, place == "follow")
            scenarios += [
                Scenario(f"card-{rounds}-{place}", seen, played, ("high", "medium", "low"), wins_only=True),
                Scenario(f"truco-{rounds}-{place}", (*seen, *who), played, ("none", "truco", "quero")),
            ]
    points = (interval("points", 0, 33), equal("is_mao", (0, 1)), *calls, card("other1"))
    for name in ("envido-first", "envido-second", "flor"):
        scenarios.append(Scenario(name, points, played, ("none", "envido", "quero")))
    return Vocabulary("truco-like", 1, tuple(scenarios))


class Hands:
    """Random hands as one seat saw them, a column per attribute, in codes."""

    def __init__(self, count: int, seed: int) -> None:
        self.chance = chance = np.random.default_rng(seed)
        self.count = count
        dealt = DECK[np.argsort(chance.random((count, len(DECK)), np.float32), axis=1)[:, :6]]
        held = -np.sort(-dealt[:, :3], axis=1)
        order = np.argsort(chance.random((count, 3)), axis=1)
        own = np.take_along_axis(held, order, axis=1)
        down = chance.random((count, 2)) < 0.02
        codes: dict[str, Array] = dict(zip(("high", "medium", "low"), held.T - 1, strict=True))
        codes["is_mao"] = chance.integers(0, 2, count)
        for place, number in enumerate(ROUNDS):
            other = dealt[:, 3 + place]
            codes["winner" + number] = np.sign(own[:, place] - other) + 1
            codes["own" + number] = own[:, place] - 1
            hidden = down[:, place - 1] if place else np.zeros(count, bool)
            codes["other" + number] = np.where(hidden, DOWN - 1, other - 1)
        self._call(codes, ("truco", "retruco", "vale4"))
        self._call(codes, ("envido", "again", "real", "falta"))
        codes["points"] = chance.integers(0, 34, count)
        self.codes = codes

    def _call(self, codes: dict[str, Array], ladder: Sequence[str]) -> None:
        """Let the two sides call in turn: each call answers the one before."""
        height = self.chance.choice(4, self.count, p=(0.7, 0.2, 0.07, 0.03))
        first = self.chance.integers(1, 3, self.count)
        for step, name in enumerate(ladder):
            codes[name] = np.where(height > step, (first + step) % 2 + 1, 0)

    def matrix(self, scenario: Scenario, which: Array | slice = slice(None)) -> NDArray[np.uint8]:
        """The visible codes of a scenario."""
        return np.column_stack([self.codes[one.name][which] for one in scenario.visible]).astype(np.uint8)

    def leads(self, rounds: int) -> Array:
        """Whether this seat leads the round."""
        mao: Array = self.codes["is_mao"] == 1
        if rounds == 1:
            return mao
        won = self.codes["winner" + ROUNDS[rounds - 2]]
        return np.where(won == 1, mao, won == 2)

    def scenarios(self, words: Vocabulary) -> Iterator[tuple[Scenario, Array]]:
        """Each question a hand asks, with the hands that ask it: eight to a hand, or nearly."""
        for rounds in (1, 2, 3):
            leads = self.leads(rounds)
            for place, those in (("lead", leads), ("follow", ~leads)):
                for kind in ("card", "truco"):
                    yield words[f"{kind}-{rounds}-{place}"], np.flatnonzero(those)
        leads = self.leads(1)
        for _ in range(2):
            yield words["envido-first"], np.flatnonzero(leads)
            yield words["envido-second"], np.flatnonzero(~leads)
        yield words["flor"], np.flatnonzero(self.chance.random(self.count) < 0.1)

    def columns(self, scenario: Scenario, which: Array, first_episode: int) -> tuple[Array, ...]:
        """The rows of a question, ready to be added."""
        chance, many = self.chance, len(which)
        known = np.column_stack([chance.integers(0, len(one.values), many) for one in scenario.hindsight])
        actions = chance.integers(0, len(scenario.actions), many)
        credit = chance.choice([-4, -3, -2, -1, 1, 2, 3, 4], many)
        return (
            self.matrix(scenario, which),
            known,
            actions,
            credit,
            first_episode + which,
            np.zeros(many, int),
        )


def whole_base(hands: int, words: Vocabulary, block: int = 10_000) -> CaseBase:
    """Fill a base with all the questions of so many hands."""
    base = CaseBase(words)
    for start in range(0, hands, block):
        some = Hands(min(block, hands - start), seed=start)
        for scenario, which in some.scenarios(words):
            base.add_columns(scenario.name, *some.columns(scenario, which, start))
    return base


# The peers: each takes codes and gives a function from one query to its ten distances.


def as_l1(codes: Array) -> NDArray[np.float32]:
    """Lay codes out so that L1 distance is ours: equal attributes one-hot, face-down cards exactly.

    A card v is (v/2, v/2, 0), a face-down one (1/2, 26, 26.5): 52 away from every card.
    """
    wide = codes.astype(np.float32)
    columns: list[Array] = [wide[:, :3], 52 * wide[:, 3:4]]
    for place in (4, 5, 7, 8):
        value = wide[:, place] + 1
        down = value == DOWN
        low, high = np.where(down, 1, value) / 2, np.where(down, 52, value) / 2
        columns += [low[:, None], high[:, None], 26.5 * down[:, None]]
    columns += [26 * np.eye(3)[codes[:, place]] for place in (6, 9)]
    return np.ascontiguousarray(np.concatenate(columns, axis=1), np.float32)


def ours(codes: Array) -> Callable[[Array], list[int]]:
    """The case base of Retruco."""
    scenario = Scenario("card-3-lead", cards_seen(3, False), (), ("high", "medium", "low"))
    base = CaseBase(Vocabulary("one", 1, (scenario,)))
    zeros = np.zeros(len(codes), int)
    base.add_columns(
        "card-3-lead", codes, np.zeros((len(codes), 0), int), zeros, zeros, np.arange(len(codes)), zeros
    )
    index, mode = base._index("card-3-lead"), Top(10, 0)
    space = Workspace(codes.shape[1])

    def query(one: Array) -> list[int]:
        near = index.search(one, mode, space).near
        assert near is not None
        distances: list[int] = (near >> 32).tolist()
        return distances

    return query


def faiss_flat(codes: Array) -> Callable[[Array], list[int]]:
    """FAISS, exact, L1."""
    import faiss

    faiss.omp_set_num_threads(1)
    vectors = as_l1(codes)
    index = faiss.IndexFlat(vectors.shape[1], faiss.METRIC_L1)
    index.add(vectors)
    return lambda one: index.search(one, 10)[0][0].tolist()


def ball_tree(codes: Array) -> Callable[[Array], list[int]]:
    """scikit-learn's ball tree."""
    from sklearn.neighbors import BallTree

    tree = BallTree(as_l1(codes), metric="manhattan")
    return lambda one: tree.query(one, 10)[0][0].tolist()


def broadcast(codes: Array) -> Callable[[Array], list[int]]:
    """Plain numpy over all rows."""
    vectors = as_l1(codes)

    def query(one: Array) -> list[int]:
        distances = np.abs(vectors - one).sum(axis=1)
        nearest: list[int] = np.sort(distances[np.argpartition(distances, 10)[:10]]).tolist()
        return nearest

    return query


def cbrkit_retriever(codes: Array) -> Callable[[Array], list[int]]:
    """CBRkit with its own measures; a face-down card is a number too far from every card."""
    import cbrkit as untyped

    cbrkit: Any = untyped
    names = [one.name for one in cards_seen(3, False)]
    far = np.array(codes, int)
    far[far == DOWN - 1] = 200
    cases = {number: dict(zip(names, row, strict=True)) for number, row in enumerate(far.tolist())}
    measures = {
        name: cbrkit.sim.generic.equality() if name[:2] in ("is", "wi") else cbrkit.sim.numbers.linear(52)
        for name in names
    }
    similarity = cbrkit.sim.attribute_value(measures, aggregator=cbrkit.sim.aggregator("mean"))
    retriever = cbrkit.retrieval.build(similarity, limit=10)

    def query(one: Array) -> list[int]:
        plain = [200 if code == DOWN - 1 else code for code in one.tolist()]
        found = retriever(cases, dict(zip(names, plain, strict=True)))
        return [round(520 * (1 - similar.value)) for similar in found.values()]

    return query


PEERS: dict[str, tuple[Callable[[Array], Callable[[Array], list[int]]], bool]] = {
    "retruco": (ours, False),
    "FAISS IndexFlat L1": (faiss_flat, True),
    "sklearn BallTree": (ball_tree, True),
    "numpy broadcast": (broadcast, True),
    "CBRkit": (cbrkit_retriever, False),
}


def best_time(query: Callable[[Array], object], queries: Sequence[Array], rounds: int) -> float:
    """Mean time of a query in microseconds, in the best of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for one in queries:
            query(one)
        best = min(best, time.perf_counter() - start)
    return 1e6 * best / len(queries)


def how_many(name: str, rows: int) -> int:
    """How many queries a peer is asked, so that slow ones do not take all day."""
    if name == "CBRkit":
        return 1 if rows > 100_000 else 3
    return 200 if name == "retruco" else min(200, 8_000_000 // rows)


def compare(rows: int) -> None:
    """Time all peers on one base, and check that they agree."""
    scenario = Scenario("card-3-lead", cards_seen(3, False), (), ("low",))
    blocks = [Hands(min(rows, 50_000), seed).matrix(scenario) for seed in range(-(-rows // 50_000))]
    codes, asked = np.concatenate(blocks)[:rows], Hands(200, seed=10**6).matrix(scenario)
    vectors = as_l1(asked)
    expected: list[list[int]] = []
    mine = 0.0
    print(f"\n{rows:,} rows; L1 peers see {vectors.shape[1]} dimensions")
    for name, (build, as_vector) in PEERS.items():
        query = build(codes)
        queries = [vectors[i : i + 1] if as_vector else asked[i] for i in range(how_many(name, rows))]
        answers = [[round(away) for away in query(one)] for one in queries]
        expected = expected or answers
        assert answers == expected[: len(answers)], f"{name} answers differently"
        taken = best_time(query, queries, 1 if len(queries) < 5 else 5)
        mine = mine or taken
        print(f"  {name:20} {taken:14,.1f} us {taken / mine:12,.1f} x")


def whole_question(hands: int) -> None:
    """Time a question from values to decision, fresh and repeated, on a base of all scenarios."""
    words = vocabulary()
    base = whole_base(hands, words)
    for scenario in words.scenarios:
        base.cluster(scenario.name, fit(base.sample(scenario.name), 4, 1))
    print(
        f"\nwhole question at {hands:,} hands ({len(base):,} rows): values, retrieval, two-step reuse, revision"
    )
    hands_asked = Hands(300, seed=77)
    for mode in (Adaptive(), Top(), Threshold(0.75)):
        times = [
            question_times(base, scenario, mode, dict(zip(names(scenario), row, strict=True)))
            for scenario in words.scenarios
            for row in decoded(scenario, np.unique(hands_asked.matrix(scenario), axis=0)[:60])
        ]
        fresh, again = (sorted(1e6 * one[place] for one in times) for place in (0, 1))
        middle, late = len(times) // 2, len(times) * 9 // 10
        print(
            f"  {type(mode).__name__:10} fresh {fresh[middle]:7.1f} us (nine in ten within {fresh[late]:,.0f}),"
            f" repeated {again[middle]:5.1f} us"
        )


def names(scenario: Scenario) -> list[str]:
    """The names of a scenario's visible features."""
    return [one.name for one in scenario.visible]


def decoded(scenario: Scenario, codes: Array) -> Iterator[list[int | str]]:
    """Values for codes."""
    for row in codes.tolist():
        yield [one.decode(code) for one, code in zip(scenario.visible, row, strict=True)]


def question_times(
    base: CaseBase, scenario: Scenario, mode: Mode, values: dict[str, int | str]
) -> tuple[float, float]:
    """Best of three: a question that nobody has asked yet, and the same one again."""
    model = TwoStep(Majority(), Victory())
    best = [1.0, 1.0]
    for _ in range(3):
        base._cache.clear()
        for place in (0, 1):
            start = time.perf_counter()
            problem = scenario.problem(values)
            retrieval = base.retrieve(problem, mode)
            choice = retrieval.choose(model, scenario.actions, Stream("bench", 1, 2, 3))
            action, fired = revise((), problem, choice.answer or "none")
            Decision(action, "reuse", {}, (QuestionRecord(problem, action, choice, retrieval),), fired)
            best[place] = min(best[place], time.perf_counter() - start)
    return best[0], best[1]


def batches(hands: int) -> None:
    """Time questions looked up many at a time: not asked before, asked before, and summed up by action."""
    words = vocabulary()
    base, asked = whole_base(hands, words), Hands(1000, seed=78)
    for scenario in words.scenarios:
        base.cluster(scenario.name, fit(base.sample(scenario.name), 4, 1))
    questions: list[QuestionInWords] = [
        (Problem(scenario.name, tuple(row)), scenario.actions, {})
        for scenario in words.scenarios
        for row in np.unique(asked.matrix(scenario), axis=0)[:300].tolist()
    ]
    order = np.random.default_rng(1).permutation(len(questions))
    queries = encode_queries(words, [questions[place] for place in order.tolist()])
    print(f"\nquestions looked up in batches at {hands:,} hands ({len(base):,} rows)")
    for size in (1, 10, 1000):
        some = [queries.select(np.arange(at, at + size)) for at in range(0, len(order) - size + 1, size)]
        best = [float("inf")] * 3
        for _ in range(5):
            base.clear_cache()
            for place in range(3):
                start = time.process_time()
                for one in some:
                    tallies = base.look_up(one)
                    if place == 2:
                        tallies.by_action()
                best[place] = min(best[place], time.process_time() - start)
        fresh, again, summed = (1e6 * one / (size * len(some)) for one in best)
        print(
            f"  {size:5} at a time: fresh {fresh:5.2f} us, repeated {again:5.2f} us, sums {summed - again:5.2f} us"
        )


def resident() -> float:
    """Megabytes of memory this process holds now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def memory(hands: int) -> None:
    """Say what a base of so many hands holds above the empty process."""
    words = vocabulary()
    whole_base(1000, words)
    empty = resident()
    start = time.perf_counter()
    base = whole_base(hands, words)
    taken = time.perf_counter() - start
    for scenario in words.scenarios:
        base.retrieve(scenario.problem({one.name: one.values[0] for one in scenario.visible}))
    print(
        f"\nmemory of {hands:,} hands ({len(base):,} rows, made and added in {taken:.0f} s): {resident() - empty:,.0f} MB"
    )


def main() -> None:
    """Run all benchmarks; memory in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small bases, fewer queries")
    parser.add_argument("--memory", type=int, metavar="HANDS", help="only measure the memory of a base")
    options = parser.parse_args()
    if options.memory:
        memory(options.memory)
        return
    for rows in (3_195, 27_515) if options.quick else (3_195, 27_515, 1_000_000):
        compare(rows)
    whole_question(27_515)
    for hands in (3_195, 27_515):
        batches(hands)
    hands = 100_000 if options.quick else 1_000_000
    sys.stdout.flush()
    subprocess.run([sys.executable, __file__, "--memory", str(hands)], check=True)


if __name__ == "__main__":
    main()
