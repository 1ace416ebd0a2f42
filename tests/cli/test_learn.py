"""Learning and teaching as users type them."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from rich.console import Console

import shell
from retruco.cli import main
from retruco.cli.commands.learning import LearnOptions
from retruco.cli.teach import TerminalTutor, teach
from retruco.cli.terminal_table import draw
from retruco.games.truco import Truco
from retruco.learning.truco.embedded import baseline_hands
from retruco.storage import runs
from retruco.storage.library import Library
from retruco.storage.store import open_store
from retruco.streams import Stream
from retruco.vocab.truco import questions


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with a small base."""
    with open_store(tmp_path / "cases.db") as store:
        store.create("few", "truco", "trucogame")
        store.append("few", islice(baseline_hands(), 60))
    monkeypatch.setenv("RETRUCO_HOME", str(tmp_path))
    return tmp_path


def retruco(monkeypatch: pytest.MonkeyPatch, *args: str) -> object:
    monkeypatch.setattr(sys, "argv", ["retruco", *args])
    with pytest.raises(SystemExit) as left:
        main()
    return left.value.code or 0


@pytest.mark.slow
def test_learn_says_what_it_kept_and_resume_goes_on(
    home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    common = ("learn", "--into", "mine", "--matches")
    options = ("--strategy", "BOT1", "--from", "few", "--first", "50", "--rare", "flor", "--every", "3")
    assert retruco(monkeypatch, *common, "2", *options) == 0
    assert "cases after 2 matches" in capfd.readouterr().out
    assert retruco(monkeypatch, *common, "3", "--resume") == 0
    assert "cases after 3 matches" in capfd.readouterr().out
    assert retruco(monkeypatch, *common, "2", *options) == 2
    assert capfd.readouterr().err.startswith("retruco: there is already a case base 'mine'")
    with open_store() as store:
        assert store.facts("mine").note == "from few, BOT1 against BOT0, seed 1, one hand in 3 dealt for flor"


def test_hands_of_an_expert_are_learnt_in_vocabulary_2_and_a_resumed_run_gives_the_same_base(
    home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    common = ("--strategy", "expert", "--tutor", "balanced,cautious")
    assert retruco(monkeypatch, "learn", "--into", "parts", *common, "--matches", "2") == 0
    assert retruco(monkeypatch, "learn", "--into", "parts", "--resume", "--matches", "4") == 0
    assert retruco(monkeypatch, "learn", "--into", "whole", *common, "--matches", "4") == 0
    assert "cases after 4 matches" in capfd.readouterr().out
    with open_store() as store:
        assert store.facts("parts").digest == store.facts("whole").digest
        base = Library(store).open("whole", version=2)
        assert base.cases.vocabulary.version == 2
        assert len(base.cases) > 100
    assert retruco(monkeypatch, "duel", "PLS-2", "random", "--cases", "whole", "--matches", "2") == 0


@pytest.mark.parametrize(("game", "matches"), [("holdem", (1, 2)), ("euchre", (4, 9)), ("kuhn", (3, 5))])
def test_every_game_with_a_vocabulary_learns_and_a_resumed_run_gives_the_same_base(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    game: str,
    matches: tuple[int, int],
) -> None:
    some, more = map(str, matches)
    assert retruco(monkeypatch, "learn", "--game", game, "--into", "parts", "--matches", some) == 0
    assert retruco(monkeypatch, "learn", "--into", "parts", "--resume", "--matches", more) == 0
    assert retruco(monkeypatch, "learn", "--game", game, "--into", "whole", "--matches", more) == 0
    assert f"cases after {more} matches" in capfd.readouterr().out
    with open_store() as store:
        assert store.facts("parts").game == game
        assert store.facts("parts").digest == store.facts("whole").digest
        assert store.facts("parts").hands > 10


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("--game", "whist"), "unknown game 'whist': one of "),
        (("--game", "holdem", "--strategy", "BOT1"), "unknown strategy 'BOT1': one of casey, casey-newest"),
        (("--game", "holdem", "--against", "random,random"), "casey-4 has 3 seats beside the learner, not 2"),
        (("--game", "euchre", "--rules", "bid"), "unknown rules 'bid': one of "),
        (("--game", "euchre", "--rare", "flor"), "no situation of euchre can be dealt for, not even 'flor'"),
        (("--game", "kuhn", "--curve", "c", "--points", "0"), "--points must be at least 1, not 0"),
        (("--game", "kuhn", "--curve", "c", "--pairs", "-3"), "--pairs must be at least 1, not -3"),
        (
            ("--game", "kuhn", "--curve", "/dev/null/c"),
            "--curve /dev/null/c cannot be a folder for the curve: Not a directory",
        ),
        (("--game", "euchre", "--tutor", "UF"), "nobody teaches euchre, not even 'UF'"),
    ],
)
def test_what_a_game_cannot_learn_is_refused_before_a_base_is_made(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    error: str,
) -> None:
    assert retruco(monkeypatch, "learn", "--into", "mine", *words) == 2
    assert capfd.readouterr().err.startswith(f"retruco: {error}")
    with open_store() as store, store.reading() as reader:
        assert reader.find("mine") is None


def test_a_run_from_nothing_is_played_by_the_rules_it_is_told_and_by_no_others(
    home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    run = ("learn", "--game", "euchre", "--into", "mine", "--matches")
    assert retruco(monkeypatch, *run, "1", "--rules", "openspiel") == 0
    with open_store() as store:
        assert store.facts("mine").rules == "openspiel"
    assert retruco(monkeypatch, *run, "2", "--resume", "--rules", "classic") == 2
    assert "the run into 'mine' has --rules openspiel, not classic" in capfd.readouterr().err


def test_learn_on_a_cluster_needs_a_curve_to_play_there(
    home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert retruco(monkeypatch, "learn", "--into", "mine", "--from", "few", "--on", "ray") == 2
    assert "--on ray plays the duels of a learning curve, and needs --curve DIR" in capfd.readouterr().err
    with open_store() as store, store.reading() as reader:
        assert [base.name for base in reader.bases()] == ["few"]


@pytest.mark.slow
def test_learn_draws_a_curve_on_the_way(
    home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    args = ("learn", "--into", "mine", "--from", "few", "--policies", "NPS,PVCNPS", "--until", "70")
    assert retruco(monkeypatch, *args, "--curve", str(home / "c"), "--points", "1", "--pairs", "1") == 0
    out = capfd.readouterr().out
    assert "K " in out
    assert {file.name for file in (home / "c").iterdir()} == {"curve.json", "curve.md", "curve.svg"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "opponents"),
    [("holdem", ["rulebot", "random"]), ("euchre", ["UF.5", "random"]), ("kuhn", ["random"])],
)
def test_every_game_that_learns_has_a_curve(
    home: Path, monkeypatch: pytest.MonkeyPatch, game: str, opponents: list[str]
) -> None:
    folder = home / "c"
    args = ("learn", "--game", game, "--into", "mine", "--matches", "1", "--curve", str(folder))
    assert retruco(monkeypatch, *args, "--points", "1", "--pairs", "2") == 0
    points = json.loads((folder / "curve.json").read_text())
    assert [(point["match"], point["opponent"]) for point in points] == [
        (match, opponent) for match in (0, 1) for opponent in opponents
    ]
    assert points[0]["cases"] == 0 < points[-1]["cases"]
    assert all(0 <= point["win_rate"] <= 1 for point in points)


def test_teach_needs_a_terminal(home: Path) -> None:
    done = shell.typed("teach", "--into", "x")
    assert done.returncode == 2
    assert b"teach needs a terminal" in done.stderr


def typed(monkeypatch: pytest.MonkeyPatch, console: Console, *lines: str) -> None:
    answers = iter(lines)

    def answer(prompt: str = "") -> str:
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr(console, "input", answer)


def test_a_person_confirms_replaces_and_asks_for_help(monkeypatch: pytest.MonkeyPatch) -> None:
    game, screen = Truco.named("trucogame"), io.StringIO()
    console = Console(file=screen, width=78)
    state = game.start(game.deal(Stream("teach", 3)), game.opening())
    seen = state.observe(0)
    question = next(iter(questions(seen)))
    person = TerminalTutor(console, "BOT0")
    typed(monkeypatch, console, "", "?", "nonsense", "truco")
    assert person.show(question, seen, seen.legal[0]) == seen.legal[0]
    assert person.show(question, seen, seen.legal[0]) == "truco"
    shown = screen.getvalue()
    assert "does not know" in shown
    assert "'nonsense' is not possible here" in shown


def test_the_person_sees_only_what_the_seat_sees() -> None:
    game = Truco.named("trucogame")
    deal = game.deal(Stream("teach", 3))
    other = type(deal)((deal.hands[0], game.deal(Stream("teach", 4)).hands[1]))
    screens = []
    for one in (deal, other):
        screen = io.StringIO()
        Console(file=screen, width=78).print(draw(game.start(one, game.opening()).observe(0), "BOT0"))
        screens.append(screen.getvalue())
    assert screens[0] == screens[1]


@pytest.mark.slow
def test_what_was_taught_before_leaving_is_kept_and_can_go_on(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = Console(file=io.StringIO(), width=78)
    typed(monkeypatch, console, *[""] * 12)
    options = LearnOptions(into="mine", strategy="BOT5", matches=1, source="few", first=40, tutor="person")
    teach(console, options)
    with open_store() as store:
        facts, run = store.facts("mine"), runs.progress(store, "mine")
    assert facts.origins["taught"] >= 1
    assert run.match == 1
    assert run.standing["shown"] >= 1
    typed(monkeypatch, console, "")
    teach(console, LearnOptions(into="mine", strategy="BOT5", matches=1, tutor="person", resume=True))
    with open_store() as store:
        assert runs.progress(store, "mine").match == 2


@pytest.mark.slow
def test_teaching_in_a_real_terminal(home: Path) -> None:
    master, slave = pty.openpty()
    command = [sys.executable, "-c", "from retruco.cli import main; main()", "teach", "--into", "x"]
    process = subprocess.Popen(
        [*command, "--from", "few", "--first", "30"], stdin=slave, stdout=slave, stderr=slave
    )
    os.close(slave)
    os.write(master, b"x\n")
    seen = b""
    while process.poll() is None or seen == b"":
        try:
            seen += os.read(master, 4096)
        except OSError:
            break
    process.wait(timeout=60)
    os.close(master)
    assert process.returncode == 0
    assert b"You leave your bot" in seen
