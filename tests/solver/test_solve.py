"""`retruco solve`, its files, and the agent that plays them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest

from retruco.agents.core import ask_agent
from retruco.agents.registry import find_agent
from retruco.arena.match import play_match
from retruco.arena.sets import deals_from
from retruco.games.registry import find_game
from retruco.games.truco import Truco
from retruco.solver.cfr import TreeSolver
from retruco.solver.files import read_solution
from retruco.solver.policy import Policy, make_policy
from retruco.solver.training import FIRST_MEASURING_SECONDS, Limits, Recorder, read_checkpoint, run_solver
from retruco.solver.truco import abstraction
from retruco.solver.truco.best_response import Exploitability
from retruco.solver.truco.mccfr import TrucoSolver
from retruco.solver.truco.workers import ParallelTrucoSolver, learn_share
from retruco.streams import Stream
from shell import typed

TRUCO = ("--game", "truco", "--rules", "trucogame", "--abstraction", "xs")
TWO_WORKERS = (*TRUCO, "--iterations", "301", "--workers", "2")


def solve(*args: str) -> str:
    done = typed("solve", *args)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def refused(*args: str) -> str:
    done = typed("solve", *args)
    assert done.returncode == 2
    return done.stderr.decode()


@pytest.fixture(scope="module")
def truco_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A solution after a few hundred iterations: weak, but whole."""
    file = tmp_path_factory.mktemp("truco") / "few.solution"
    solve(*TRUCO, "--iterations", "300", "--out", str(file))
    return file


@pytest.fixture(scope="module")
def kuhn_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("kuhn") / "kuhn.solution"
    solve("--game", "kuhn", "--iterations", "500", "--out", str(file))
    return file


@pytest.fixture(scope="module")
def truco_mini(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A solution of the smallest Truco, and what the command says of it."""
    file = tmp_path_factory.mktemp("mini") / "mini.solution"
    return file, solve("--rules", "truco-mini", "--iterations", "300", "--out", str(file))


def exploitability_in(text: str) -> float:
    return float(text.split("exploitability ")[1].split(" a hand, exactly")[0])


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
@pytest.mark.slow
def test_a_small_game_is_solved_and_its_file_is_as_hard_to_exploit(game: str, tmp_path: Path) -> None:
    text = solve("--game", game, "--iterations", "1000", "--out", str(tmp_path / "x.solution"))
    assert 0 <= exploitability_in(text) < 0.001


@pytest.mark.slow
def test_truco_mini_is_solved_and_its_file_is_as_hard_to_exploit(truco_mini: tuple[Path, str]) -> None:
    _, text = truco_mini
    assert 0 <= exploitability_in(text) < 0.001


def test_the_same_seed_and_iterations_give_the_same_bytes(truco_file: Path, tmp_path: Path) -> None:
    again, other = tmp_path / "again.solution", tmp_path / "other.solution"
    solve(*TRUCO, "--iterations", "300", "--out", str(again))
    solve(*TRUCO, "--iterations", "300", "--seed", "2", "--out", str(other))
    assert again.read_bytes() == truco_file.read_bytes() != other.read_bytes()


def test_a_resumed_run_ends_with_the_bytes_of_one_that_was_never_stopped(
    truco_file: Path, tmp_path: Path
) -> None:
    file = tmp_path / "two.solution"
    solve(*TRUCO, "--iterations", "100", "--out", str(file))
    assert file.read_bytes() != truco_file.read_bytes()
    solve(*TRUCO, "--iterations", "300", "--out", str(file), "--resume")
    assert file.read_bytes() == truco_file.read_bytes()


def test_an_interrupt_between_batches_leaves_a_checkpoint(tmp_path: Path) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    checkpoint, game = tmp_path / "x.checkpoint", find_game("leduc")
    solver, again = TreeSolver(game), TreeSolver(game)
    with pytest.raises(KeyboardInterrupt):
        run_solver(Recorder(solver), Limits(iterations=1000), checkpoint, lambda *_: None, interrupt)
    read_checkpoint(checkpoint, again)
    assert again.iterations == solver.iterations == TreeSolver.batch
    assert (again.average_strategy() == solver.average_strategy()).all()


def test_minutes_end_a_run(tmp_path: Path) -> None:
    file = tmp_path / "x.solution"
    solve("--game", "kuhn", "--minutes", "0.001", "--out", str(file))
    assert read_solution(file).facts.iterations >= 100


@pytest.mark.parametrize("rules", ["trucogame"])
def test_a_solution_plays_whole_matches_of_truco_legally(truco_file: Path, rules: str) -> None:
    game = find_game("truco", rules)
    seats = [find_agent(f"solver:{truco_file}", "truco"), find_agent("random", "truco")]
    for pair in range(3):
        match = play_match(game, seats, deals_from(game, pair, 1), pair % 2, 3)
        assert match.forfeit is None, match.forfeit.why


def test_a_decision_carries_its_mixture_and_says_whether_the_solution_knows_the_situation(
    truco_file: Path,
) -> None:
    game, reasons = Truco.named("trucogame"), set()
    agent = find_agent(f"solver:{truco_file}", "truco")
    for number in range(100):
        state = game.start(game.deal(Stream("mixture", number)), game.opening())
        decision = ask_agent(agent, state.observe(0), Stream(number))
        mixture = decision.values["mixture"]
        assert isinstance(mixture, dict)
        assert sum(mixture.values()) == pytest.approx(1, abs=0.01)
        assert mixture[decision.action] > 0
        reasons.add(decision.reason)
    assert reasons == {"solved", "solver.unknown"}


def test_nothing_is_declined_that_would_lose_the_match(truco_file: Path) -> None:
    game, agent = Truco.named("trucogame"), find_agent(f"solver:{truco_file}", "truco")
    declined = {22: 0, 23: 0}
    for score in declined:
        for number in range(60):
            state = game.begin(game.deal(Stream("point", number)).hands, (score, 3), 0).play("truco")
            decision = ask_agent(agent, state.observe(1), Stream(number))
            declined[score] += decision.action in ("nao-quero", "baralho")
    assert declined[23] == 0 < declined[22]


def test_the_solution_of_kuhn_bluffs_a_third_as_often_as_it_bets_for_value(kuhn_file: Path) -> None:
    """In every equilibrium the first seat bets a jack with a third of the probability of a king."""
    game, agent, bets = find_game("kuhn"), find_agent(f"solver:{kuhn_file}", "kuhn"), {}
    for card in ("J", "K"):
        state = game.start((card, "Q"), game.opening())
        mixture = ask_agent(agent, state.observe(0), Stream(1)).values["mixture"]
        assert isinstance(mixture, dict)
        bets[card] = mixture["bet"]
    assert bets["K"] == pytest.approx(3 * bets["J"], abs=0.03)


@pytest.mark.slow
def test_a_solution_of_truco_mini_beats_random(truco_mini: tuple[Path, str]) -> None:
    file, _ = truco_mini
    done = typed(
        "duel",
        f"solver:{file}",
        "random",
        "--rules",
        "truco-mini",
        "--matches",
        "60",
        "--json",
        "--workers",
        "1",
    )
    result = json.loads(done.stdout)
    assert result["illegal"] == [0, 0]
    assert result["ci95"][0] > 0


def test_decide_says_why(kuhn_file: Path) -> None:
    hand = {"game": "kuhn", "cards": ["K", "J"], "first": 0, "actions": ["check", "bet"]}
    done = typed(
        "decide", "-", "--game", "kuhn", "--agent", f"solver:{kuhn_file}", stdin=json.dumps(hand).encode()
    )
    assert json.loads(done.stdout)["action"] == "call"
    assert json.loads(done.stdout)["why"].startswith("Drawn from the mixture of the solution (mixture call ")


@pytest.fixture(scope="module")
def two_workers_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What two workers on this machine learn."""
    file = tmp_path_factory.mktemp("two") / "two.solution"
    solve(*TWO_WORKERS, "--out", str(file))
    return file


@pytest.mark.slow
def test_two_workers_learn_as_much_and_the_same_every_time(two_workers_file: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.solution"
    solve(*TWO_WORKERS, "--out", str(again))
    assert again.read_bytes() == two_workers_file.read_bytes()
    assert read_solution(again).facts.iterations == 301


def test_what_two_workers_learn_is_the_sum_of_what_each_learns() -> None:
    game = Truco.named("trucogame")
    both, one = ParallelTrucoSolver(game, "xs", 1, workers=2), TrucoSolver(game, "xs", 1)
    one.run(100)
    both.restore(one.arrays(), one.iterations)
    before = one.arrays()
    shares = [learn_share((game, "xs", 1), before, 101 + worker, 20, 2) for worker in (0, 1)]
    for learnt, nodes in shares:
        both.absorb(before, {name: array.copy() for name, array in learnt.items()}, nodes)
    key = int(before["keys"][0])
    begin, many = len(before["learnt"]), int(before["counts"][0])
    gains = sum(learnt["learnt"][:many] - before["learnt"][:many] for learnt, _ in shares)
    assert both.infosets.sets.key[0] == key
    assert both.infosets.learnt[:many] == pytest.approx(before["learnt"][:many] + gains)
    assert len(both.arrays()["learnt"]) > begin


# The curve


def lines_of(done: CompletedProcess[bytes]) -> list[str]:
    assert done.returncode == 0, done.stderr.decode()
    return done.stderr.decode().splitlines()


def test_a_line_at_the_end_says_how_strong_and_how_exploitable(tmp_path: Path) -> None:
    done = typed("solve", "--game", "leduc", "--iterations", "200", "--out", str(tmp_path / "x.solution"))
    last = lines_of(done)[-1]
    assert "200 iterations" in last
    assert "288 information sets" in last
    assert "a hand against the last checkpoint, exploitability 0.0" in last


def test_a_resumed_run_draws_the_whole_curve(tmp_path: Path) -> None:
    file, folder = tmp_path / "x.solution", tmp_path / "report"
    for iterations, more in ((400, ()), (900, ("--resume", "--report", str(folder)))):
        solve("--game", "kuhn", "--iterations", str(iterations), "--out", str(file), *more)
    curve = read_checkpoint(tmp_path / "x.solution.checkpoint", TreeSolver(find_game("kuhn")))
    assert [point.iterations for point in curve] == [100, 200, 300, 400, 600, 800, 900]
    gaps = [point.exploitability.mean for point in curve if point.exploitability]
    assert len(gaps) == len(curve)
    assert gaps[-1] < gaps[0]
    assert [point.strength is not None for point in curve] == [False] + 6 * [True]
    assert [point.seconds for point in curve] == sorted(point.seconds for point in curve)
    page = (folder / "report.md").read_text()
    assert all(f"| {point.iterations} |" in page for point in curve)
    assert (folder / "plots" / "exploitability-1.svg").exists()
    assert (folder / "report.html").exists()


def test_a_strategy_beats_an_older_one_and_ties_with_itself() -> None:
    solver = TrucoSolver(Truco.named("trucogame"), "xs", 1)
    solver.run(20)
    older = solver.solution().policy
    solver.run(3000)
    policy = solver.solution().policy
    mean, margin = solver.compare(policy, older)
    assert mean - margin > 0
    assert solver.compare(older, policy).mean == pytest.approx(-mean, abs=margin)
    itself = solver.compare(policy, policy)
    assert abs(itself.mean) < 2 * itself.margin < 0.5 * mean


def test_exact_strength_is_what_the_hands_of_kuhn_are_worth() -> None:
    """The equilibrium of Kuhn against itself is worth nothing in both seats together, and beats folding always."""
    solver = TreeSolver(find_game("kuhn"))
    solver.run(500)
    policy = solver.solution().policy
    assert solver.compare(policy, policy).mean == pytest.approx(0, abs=1e-9)
    counts = policy.actions
    passive = make_policy(policy.key, counts, np.tile([1.0, 0.0], len(counts)))
    assert solver.compare(policy, passive).mean > 0.1


def test_truco_is_measured_only_when_that_takes_a_tenth_of_the_time() -> None:
    class Quick(TrucoSolver):
        measured = 0

        def measure(self, policy: Policy, hands: int) -> Exploitability:
            self.measured += 1
            return Exploitability(0.5, 0.1, (0.5, 0.5), hands)

    solver = Quick(Truco.named("trucogame"), "xs", 1)
    recorder = Recorder(solver, hands=4)
    recorder.learn(10)
    assert recorder.add_point().exploitability is None
    recorder.seconds = 10 * FIRST_MEASURING_SECONDS
    assert recorder.add_point().exploitability == (0.5, 0.1)
    assert Recorder(solver, hands=0, curve=recorder.curve).add_point().exploitability is None
    assert solver.measured == 1


@pytest.mark.ray
@pytest.mark.loopback
def test_workers_on_a_cluster_learn_the_bytes_of_workers_on_this_machine(
    two_workers_file: Path, tmp_path: Path
) -> None:
    """A real cluster, started by the command itself; the report says what merging cost."""
    there, folder = tmp_path / "there.solution", tmp_path / "report"
    asked = ["solve", *TWO_WORKERS, "--on", "ray", "--out", str(there), "--report", str(folder)]
    # Ray gives its workers the lowest priority: on a busy machine they would hardly ever run.
    env = {**os.environ, "RAY_worker_niceness": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "retruco", *asked], env=env, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert there.read_bytes() == two_workers_file.read_bytes()
    page = (folder / "report.md").read_text()
    assert "2 workers on a Ray cluster learnt in rounds." in page
    assert "went into sending, waiting and adding up" in page


# Bad input


def test_files_that_hold_no_solution_are_refused_by_name(truco_file: Path, tmp_path: Path) -> None:
    content = truco_file.read_bytes()
    for name, data, message in (
        ("foreign.solution", b"PK\x03\x04 something else", "is not a solution"),
        ("empty.solution", b"", "is not a solution"),
        ("cut.solution", content[:-1], "is damaged: a solution is cut short or was changed"),
        ("facts.solution", b"retruco solution 1\n{}\n", "without readable facts"),
    ):
        file = tmp_path / name
        file.write_bytes(data)
        with pytest.raises(ValueError, match=f"{name} .*{message}"):
            find_agent(f"solver:{file}", "truco")
    with pytest.raises(ValueError, match="no solution file at nowhere"):
        find_agent("solver:nowhere", "truco")


def test_a_solution_of_another_game_version_or_table_is_refused(truco_file: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"few.solution is for game truco, not kuhn"):
        find_agent(f"solver:{truco_file}", "kuhn")
    older = tmp_path / "older.solution"
    older.write_bytes(truco_file.read_bytes().replace(b'"version": 1', b'"version": 0'))
    with pytest.raises(ValueError, match=r"older.solution is for version 0, not 1"):
        find_agent(f"solver:{older}", "truco")
    done = typed("duel", f"solver:{truco_file}", "random", "--rules", "cbtg", "--workers", "1")
    assert done.returncode == 2
    assert b"few.solution is for rules trucogame, not cbtg" in done.stderr


def test_a_table_to_another_target_is_refused(truco_file: Path) -> None:
    done = typed("duel", f"solver:{truco_file}", "random", "--target", "15", "--workers", "1")
    assert done.returncode == 2
    assert b"few.solution is for target 24, not 15" in done.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "say when to stop: --iterations or --minutes"),
        (("--iterations", "0"), "--iterations must be above 0, not 0"),
        (("--minutes", "-1"), "--minutes must be above 0, not -1"),
        (("--iterations", "9", "--hands", "1"), "--hands must be 0 or at least 2, not 1"),
        (("--iterations", "9", "--abstraction", "xl"), "unknown abstraction 'xl': one of xs, s, m"),
        (
            ("--iterations", "9", "--game", "kuhn", "--abstraction", "s"),
            "kuhn is solved exactly, without the abstraction 's'",
        ),
        (
            ("--iterations", "9", "--game", "holdem", "--rules", "limit-2"),
            "the deals of holdem are too many to list",
        ),
        (("--iterations", "9", "--game", "euchre"), "only games of two seats are solved, and euchre has 4"),
        (("--iterations", "9", "--resume"), "there is no checkpoint"),
        (
            ("--iterations", "9", "--abstraction", "s", "--start", "none"),
            "there is no checkpoint none to start",
        ),
        (("--iterations", "9", "--game", "kuhn", "--start", "x"), "--start is for Truco"),
        (("--iterations", "9", "--workers", "0"), "--workers must be at least 1, not 0"),
        (("--iterations", "9", "--measure", "1"), "--measure must be 0 or at least 2, not 1"),
        (("--iterations", "9", "--measure", "-4"), "--measure must be 0 or at least 2, not -4"),
        (("--minutes", "nan"), "--minutes must be above 0, not nan"),
        (("--iterations", "9", "--on", "the moon"), "unknown place 'the moon': one of local, ray"),
        (("--iterations", "9", "--game", "kuhn", "--on", "ray"), "kuhn is solved on this machine only"),
        (("--iterations", "9", "--rules", "mineiro"), "unknown rules 'mineiro': one of cbtg"),
        (("--iterations", "9", "--game", "whist"), "unknown game 'whist': one of euchre"),
        (("--iterations", "9", "--target", "0"), "the target must be at least 1, not 0"),
        (("--iterations", "9", "--report", __file__), "is a file, and the report needs a folder"),
        (
            ("--iterations", "9", "--rules", "truco-mini", "--abstraction", "s"),
            "truco by truco-mini is solved exactly, without the abstraction 's'",
        ),
        (
            ("--iterations", "9", "--rules", "truco-mini", "--workers", "2"),
            "truco by truco-mini is solved by one worker, not 2",
        ),
        (
            ("--iterations", "9", "--game", "kuhn", "--workers", "2"),
            "kuhn is solved by one worker, not 2",
        ),
    ],
)
def test_what_cannot_be_solved_is_refused_in_a_line(
    args: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    assert message in refused(*args, "--out", str(tmp_path / "x.solution"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--rules", "cbtg"), "is for rules trucogame, not cbtg"),
        (("--rules", "trucogame", "--target", "15"), "is for target 24, not 15"),
        (("--rules", "trucogame", "--abstraction", "s"), "is for abstraction xs, not s"),
        (("--game", "kuhn"), "is for game truco, not kuhn"),
    ],
)
def test_a_checkpoint_of_another_table_is_not_resumed(
    truco_file: Path, options: tuple[str, ...], message: str
) -> None:
    text = refused(*options, "--iterations", "400", "--out", str(truco_file), "--resume")
    assert f"few.solution.checkpoint {message}" in text


def test_a_damaged_or_foreign_checkpoint_is_refused_by_name(truco_file: Path, tmp_path: Path) -> None:
    content = Path(f"{truco_file}.checkpoint").read_bytes()
    for data, message in (
        (content[:-9], "is damaged: a checkpoint is cut short or was changed"),
        (truco_file.read_bytes(), "is not a checkpoint"),
        (content.replace(b'"curve": [', b'"curve": 7, "x": ['), "is no checkpoint that this version reads"),
        (content.replace(b'"seed": 1', b'"seeds": 1'), "is no checkpoint that this version reads"),
        (content.replace(b'"infosets"', b'"sets"'), "is no checkpoint that this version reads"),
    ):
        (tmp_path / "x.solution.checkpoint").write_bytes(data)
        text = refused(*TRUCO, "--iterations", "400", "--out", str(tmp_path / "x.solution"), "--resume")
        assert "x.solution.checkpoint" in text
        assert message in text


def test_a_solution_with_other_buckets_is_refused_by_name(
    truco_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    buckets = abstraction.BUCKETS.copy()
    buckets[7] = 3
    monkeypatch.setattr(abstraction, "BUCKETS", buckets)
    with pytest.raises(ValueError, match=r"few.solution has other information sets .*: solve it again"):
        find_agent(f"solver:{truco_file}", "truco")


def test_a_solution_of_an_unknown_abstraction_is_refused_by_name(truco_file: Path, tmp_path: Path) -> None:
    file = tmp_path / "xl.solution"
    file.write_bytes(truco_file.read_bytes().replace(b'"abstraction": "xs"', b'"abstraction": "xl"'))
    with pytest.raises(ValueError, match=r"xl.solution is for abstraction xl, not one of xs, s, m"):
        find_agent(f"solver:{file}", "truco")


def test_nothing_is_overwritten_and_another_seed_is_not_resumed(truco_file: Path) -> None:
    again = (*TRUCO, "--iterations", "400", "--out", str(truco_file))
    assert "is there already: go on with --resume, or remove it" in refused(*again)
    assert "checkpoint is for seed 1, not 2" in refused(*again, "--resume", "--seed", "2")
    assert "there is no folder" in refused(*TRUCO, "--iterations", "9", "--out", "no/such/folder/x.solution")
