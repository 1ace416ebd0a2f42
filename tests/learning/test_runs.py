"""Runs in the store: nothing lost, nothing twice, whatever stops a learner; nothing ever mixed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from bases import furnish

from retruco.cli.commands.learning import LearnOptions
from retruco.cli.learn import begin_run, open_learner, run_learn
from retruco.storage import runs
from retruco.storage.errors import StoreError
from retruco.storage.library import Library
from retruco.storage.store import Store, open_store
from retruco.vocab.truco.rows import entry_stage
from shell import hear_ctrl_c
from waiting import wait_until

POLICIES = ("PVCNPS", "NPS", "PLCNPS")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with a small base."""
    furnish(tmp_path)
    monkeypatch.setenv("RETRUCO_HOME", str(tmp_path))
    return tmp_path


def options_for(name: str, into: str, **more: object) -> LearnOptions:
    given: dict[str, object] = {"source": "few", "seed": 5, **more}
    given |= {"policies": ",".join(POLICIES)} if name == "imitation" else {"first": 100}
    return LearnOptions(into=into, strategy=name, **given)  # type: ignore[arg-type]  # options of many types


def learnt(store: Store, name: str, into: str, *stops: int) -> None:
    """Learn up to each stop with a learner that is seated anew."""
    begin_run(Library(store), options_for(name, into))
    for stop in stops:
        open_learner(Library(store), into).run(matches=stop)


def told(store: Store, into: str) -> object:
    """All that must be the same, however a run was interrupted."""
    facts, run = store.facts(into), runs.progress(store, into)
    base = Library(store).open(into)
    return (
        facts.digest,
        facts.fingerprint,
        facts.origins,
        run.match,
        run.standing,
        run.watches,
        {name: one.as_json() for name, one in run.elbows.items()},
        {name: one.as_json() for name, one in base.elbows.items()},
        runs.journal(store, into),
        [(number, hand) for number, hand in store.hands(into)],
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["BOT2", "BOT5", "imitation"])
def test_a_run_in_many_pieces_gives_the_same_base_as_in_one(name: str, home: Path) -> None:
    with open_store() as store:
        learnt(store, name, "whole", 5)
        learnt(store, name, "pieces", 1, 2, 5)
        assert told(store, "whole") == told(store, "pieces")
        if name == "imitation":
            assert runs.journal(store, "whole")


def test_the_stored_base_is_the_one_in_memory(home: Path) -> None:
    with open_store() as store:
        begin_run(Library(store), options_for("imitation", "mine"))
        learner = open_learner(Library(store), "mine")
        learner.run(matches=4)
        base = Library(store).open("mine")
        for scenario in base.cases.vocabulary.scenarios:
            assert list(base.cases.rows(scenario.name)) == list(learner.cases.rows(scenario.name))
        assert {name: one.clustering.k for name, one in base.elbows.items()} == learner.groups.ks
        assert base.hands == sum(learner.standing.cases.values())


def test_a_staged_base_begins_with_every_hand_once_a_stage(home: Path) -> None:
    with open_store() as store:
        begin_run(Library(store), options_for("BOT1", "mine"))
        stages = runs.stages_of(store, "mine", entry_stage)
        assert stages == {"envido": 100, "flor": 100, "truco": 100}
        whole, parts = Library(store).open("few"), Library(store).open("mine")
        for scenario in whole.cases.vocabulary.scenarios:
            first = [row for row in whole.cases.rows(scenario.name) if row.episode <= 100]
            assert len(first) == parts.cases.count(scenario.name)
        assert "BOT1 against BOT0" in store.facts("mine").note


def test_uses_are_counted_in_the_store(home: Path) -> None:
    with open_store() as store:
        learnt(store, "BOT1", "mine", 3)
        assert sum(hand.uses for _, hand in store.hands("mine")) > 0
        assert store.uses("few") == {}
        assert store.uses("mine") == {number: hand.uses for number, hand in store.hands("mine") if hand.uses}


# Faults


LEARN = "import sys; from retruco.cli import main; sys.argv[1:] = {args}; main()"


def started(home: Path, *args: str, pipe: bool = False) -> subprocess.Popen[bytes]:
    env = {**os.environ, "RETRUCO_HOME": str(home)}
    code = LEARN.format(args=list(args))
    errors = subprocess.PIPE if pipe else subprocess.DEVNULL
    return subprocess.Popen([sys.executable, "-c", code], env=env, stderr=errors, preexec_fn=hear_ctrl_c)


def matches_of(store: Store, into: str) -> int:
    try:
        return runs.progress(store, into).match
    except StoreError:
        return -1


def wait_for(learner: subprocess.Popen[bytes], store: Store, into: str, match: int) -> None:
    """Wait until a learner has played so many matches, or has ended."""
    wait_until(
        lambda: learner.poll() is not None or matches_of(store, into) >= match,
        f"the learner reaches match {match}",
    )


@pytest.mark.slow
@pytest.mark.parametrize(("name", "goals"), [("BOT4", (0, 3)), ("imitation", (1, 3))])
def test_killed_again_and_again_a_run_ends_as_if_nothing_had_happened(
    name: str, goals: tuple[int, ...], home: Path
) -> None:
    options = ["--policies", ",".join(POLICIES)] if name == "imitation" else ["--first", "100"]
    command = ["learn", "--strategy", name, "--from", "few", "--seed", "5", *options, "--into", "killed"]
    with open_store() as store:
        for goal in goals:
            learner = started(home, *command, "--matches", "5000")
            wait_for(learner, store, "killed", goal)
            learner.send_signal(signal.SIGKILL)
            assert learner.wait(timeout=120) == -signal.SIGKILL
            numbers = [number for number, _ in store.hands("killed")]
            assert len(numbers) == len(set(numbers)) == store.facts("killed").hands
            command = ["learn", "--resume", "--into", "killed"]
        reached = runs.progress(store, "killed").match
        assert goals[-1] <= reached
        open_learner(Library(store), "killed").run(matches=reached + 1)
        learnt(store, name, "undisturbed", reached + 1)
        assert told(store, "killed") == told(store, "undisturbed")


@pytest.mark.slow
def test_ctrl_c_waits_for_the_end_of_the_match_and_the_run_goes_on(home: Path) -> None:
    options = ["--from", "few", "--policies", ",".join(POLICIES), "--into", "mine"]
    with open_store() as store:
        learner = started(home, "learn", "--strategy", "imitation", *options, "--matches", "5000", pipe=True)
        wait_for(learner, store, "mine", 2)
        learner.send_signal(signal.SIGINT)
        _, said = learner.communicate(timeout=120)
        reached = runs.progress(store, "mine").match
        assert learner.returncode == 130
        kept = f"everything up to match {reached} is kept: go on with --resume"
        assert said.decode().splitlines()[-1] == f"retruco: stopped; {kept}"
        open_learner(Library(store), "mine").run(matches=reached + 1)


def test_of_two_learners_the_second_is_refused_and_nothing_is_mixed(home: Path) -> None:
    with open_store() as store:
        begin_run(Library(store), options_for("BOT1", "mine"))
        one, other = open_learner(Library(store), "mine"), open_learner(Library(store), "mine")
        one.run(matches=2)
        before = store.facts("mine")
        with pytest.raises(
            StoreError, match="somebody else learns into case base 'mine': its run is at match 2"
        ):
            other.run(matches=1)
        assert store.facts("mine") == before


def test_a_base_that_was_changed_in_the_meantime_cannot_go_on(home: Path) -> None:
    with open_store() as store:
        learnt(store, "BOT1", "mine", 1)
        seated = open_learner(Library(store), "mine")
        store.remove("mine", [1])
        with pytest.raises(StoreError, match="was changed by somebody else: it had"):
            seated.run(matches=3)
        with pytest.raises(StoreError, match="was changed by somebody else: it had"):
            open_learner(Library(store), "mine")


def test_a_base_in_other_words_cannot_go_on(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store() as store:
        learnt(store, "BOT1", "mine", 1)
        monkeypatch.setattr(runs, "words_of", lambda base: {"words": "newer-2"})
        with pytest.raises(StoreError, match="learnt in other words or by other rules"):
            open_learner(Library(store), "mine")


@pytest.mark.slow
def test_the_starting_base_must_stay_as_it_was_while_somebody_plays_against_it(home: Path) -> None:
    with open_store() as store:
        learnt(store, "BOT1", "mine", 1)
        store.remove("few", [1])
        with pytest.raises(ValueError, match="'few' has changed since the run began"):
            open_learner(Library(store), "mine")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"into": "few"}, "there is already a case base 'few'"),
        ({"into": "baseline"}, "is the name of the embedded base"),
        ({"into": "no good"}, "cannot name a case base"),
        ({"source": "nowhere"}, "unknown case base 'nowhere': one of"),
        ({"source": "cards"}, "'cards' is of kuhn, not of truco"),
        ({"strategy": "osmosis"}, "unknown strategy 'osmosis': one of BOT0"),
        ({"against": "nobody"}, "unknown agent 'nobody'"),
        ({"policies": "PVS,XYZ"}, "unknown agent 'XYZ'"),
        ({"policies": "PVS,NPS@similarity=euclid"}, "NPS@similarity=euclid compares cases otherwise"),
        ({"tutor": "socrates"}, "unknown agent 'socrates'"),
        ({"against": "nowhere.py:Mine"}, "no agent file at nowhere.py"),
        ({"rare": "royal"}, "unknown rare situation 'royal'"),
        ({"matches": 0}, "--matches must be at least 1, not 0"),
        ({"every": 0}, "--every must be at least 1, not 0"),
        ({"resume": True}, "nobody learns into case base|unknown case base 'mine'"),
    ],
)
def test_what_cannot_be_is_refused_and_leaves_nothing_behind(
    change: dict[str, object], told: str, home: Path
) -> None:
    asked: dict[str, object] = {
        "into": "mine",
        "strategy": "BOT1",
        "source": "few",
        "matches": 2,
        "first": 50,
    }
    with open_store() as store, store.reading() as reader:
        before = reader.bases()
    with pytest.raises(ValueError, match=told):
        run_learn(LearnOptions(**asked | change))  # type: ignore[arg-type]  # wrong ones on purpose
    with open_store() as store, store.reading() as reader:
        assert reader.bases() == before


def test_a_mixture_of_rules_is_refused(home: Path) -> None:
    with open_store() as store:
        store.create("both", "truco", "cbtg, trucogame")
    with pytest.raises(ValueError, match="needs hands by one set of rules"):
        run_learn(LearnOptions(into="mine", strategy="BOT1", source="both", matches=1))
    with pytest.raises(ValueError, match="'both' has hands by cbtg, trucogame, not by 'argentino'"):
        run_learn(LearnOptions(into="mine", strategy="BOT1", source="both", matches=1, rules="argentino"))


def test_a_run_does_not_go_on_by_other_settings(home: Path) -> None:
    with open_store() as store:
        learnt(store, "BOT1", "mine", 1)
    for change, told in (
        ({"strategy": "BOT2"}, "--strategy BOT1, not BOT2"),
        ({"seed": 6}, "--seed 5, not 6"),
        ({"source": "baseline"}, "--from few, not baseline"),
        ({"first": 99}, "--first 100, not 99"),
    ):
        with pytest.raises(ValueError, match=told):
            run_learn(LearnOptions(into="mine", matches=2, resume=True, **change))


def test_a_store_of_the_first_step_learns_after_its_migration(tmp_path: Path) -> None:
    from sqlalchemy import inspect

    from retruco.storage.schema import STEPS, migrate
    from retruco.storage.sqlite import engine_of

    file = tmp_path / "old.db"
    file.touch()
    engine = engine_of(file)
    migrate(engine.execution_options(writes=True), STEPS[:1])
    with engine.connect() as connection:
        assert not {"runs", "run_journal"} & set(inspect(connection).get_table_names())
    engine.dispose()
    with open_store(file) as store, store.reading() as reader:
        assert {"runs", "run_journal"} <= set(inspect(reader.connection).get_table_names())
