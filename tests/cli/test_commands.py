"""The command line as a user types it: exit codes, stdout and stderr, where it counts of real processes."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from shell import typed

HAND = {
    "game": "truco",
    "rules": "cbtg",
    "target": 24,
    "scores": [0, 0],
    "mao": 0,
    "hands": [["1e", "7c", "4b"], ["3o", "2c", "5e"]],
    "actions": ["envido", "real-envido", "quero", "1e"],
}
LINE = json.dumps(HAND).encode()


def retruco(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", "from retruco.cli import main; main()", *args]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=120, check=False)


def with_(**changes: object) -> bytes:
    return json.dumps({**HAND, **changes}).encode()


class TestReplay:
    def test_an_unfinished_hand_says_whose_turn_it_is(self) -> None:
        done = retruco("replay", stdin=LINE + b"\n")
        assert done.returncode == 0
        assert done.stderr == b""
        assert json.loads(done.stdout) == {
            "line": 1,
            "turn": 1,
            "legal": ["3o", "2c", "5e", "truco", "baralho"],
            "over": False,
            "winner": None,
            "match_winner": None,
            "points": {"envido": [5, 0], "flor": [0, 0], "truco": [0, 0]},
            "scores": [5, 0],
        }

    def test_it_reads_a_file_and_numbers_its_lines(self, tmp_path: Path) -> None:
        file = tmp_path / "hands.jsonl"
        file.write_bytes(LINE + b"\n" + LINE)
        done = typed("replay", str(file))
        assert [json.loads(line)["line"] for line in done.stdout.splitlines()] == [1, 2]

    def test_a_bad_line_stops_it_with_one_line_on_stderr(self) -> None:
        done = retruco("replay", stdin=b"\n".join([LINE, with_(mao=2), LINE]))
        assert done.returncode == 2
        assert len(done.stdout.splitlines()) == 1
        assert done.stderr.decode().count("\n") == 1
        assert "line 2" in done.stderr.decode()

    def test_keep_going_processes_the_rest_and_still_fails(self) -> None:
        done = typed("replay", "--keep-going", stdin=b"\n".join([with_(mao=2), LINE, b"{", LINE]))
        assert done.returncode == 2
        assert [json.loads(line)["line"] for line in done.stdout.splitlines()] == [2, 4]
        assert len(done.stderr.splitlines()) == 2

    @pytest.mark.parametrize(
        ("line", "told"),
        [
            (with_(hands=[["1x", "7c", "4b"], ["3o", "2c", "5e"]]), "'1x'"),
            (with_(hands=[["1e", "7c", "4b"], ["1e", "2c", "5e"]]), "'1e' is dealt twice"),
            (with_(hands=[["1e", "7c", "4b", "5b"], ["3o", "2c", "5e"]]), "exactly three"),
            (with_(actions=["evnido"]), "'evnido'"),
            (with_(actions=["quero"]), "legal here: 1e 7c 4b envido"),
            (with_(actions=["baralho", "1e"]), "the hand is over"),
            (with_(actions=[7]), "7"),
            (with_(actions=[["1e"]]), "['1e']"),
            (with_(actions="1e"), "must be a list"),
            (with_(scores=[24, 0]), "24"),
            (with_(scores=[-1, 0]), "-1"),
            (with_(scores=[0, 1.0]), "1.0"),
            (with_(scores=[True, 0]), "True"),
            (with_(scores=[0]), "[0]"),
            (with_(mao=True), "True"),
            (with_(mao=2), "2"),
            (with_(rules="mineiro"), "cbtg, trucogame"),
            (with_(rules=["cbtg"]), "['cbtg']"),
            (with_(target=0), "at least 1"),
            (with_(target=24.0), "24.0"),
            (with_(game="bridge"), "'bridge'"),
            (with_(extra=1), "'extra'"),
            (json.dumps({k: v for k, v in HAND.items() if k != "mao"}).encode(), "'mao'"),
            (b"[1, 2]", "JSON object"),
            (b"{'a': 1}", "not JSON"),
            (b'{"game": "truco", "game": "truco"}', "twice"),
            (LINE.replace(b"24", b"NaN", 1), "NaN"),
            (LINE.replace(b"24", b"9" * 5000, 1), "digits"),
            (b"[" * 100_000, "nested too deep"),
            (b"\xff\xfe", "not UTF-8"),
            (b"   ", "empty line"),
            (b"{" + b" " * 1_000_001, "longer than 1000000 bytes"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_bad_input_is_named_and_refused(self, line: bytes, told: str) -> None:
        done = typed("replay", stdin=line + b"\n")
        assert done.returncode == 2
        assert done.stdout == b""
        message = done.stderr.decode()
        assert message.startswith("retruco: line 1: ")
        assert told in message
        assert message.count("\n") == 1
        assert len(message) < 1000

    def test_a_missing_file_is_named(self) -> None:
        done = typed("replay", "no/such/file")
        assert done.returncode == 2
        assert b"no/such/file" in done.stderr

    def test_what_replay_prints_of_a_stored_record_is_its_result(self) -> None:
        record = {**HAND, "id": 7, "version": 1, "agents": ["a", "b"], "decisions": [], "result": {}}
        assert typed("replay", stdin=json.dumps(record).encode()).returncode == 0


def with_modules(*arguments: str) -> tuple[str, set[str]]:
    """What a command prints in a process of its own, and the modules that it has loaded at its end."""
    command = "import sys; from retruco.cli import main\ntry: main()\nfinally: print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", command, *arguments], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    *printed, modules = done.stdout.splitlines()
    return "\n".join(printed), set(modules.split())


def test_help_and_a_decision_of_a_scripted_player_load_no_compiler(tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    file.write_text(json.dumps(HAND))
    for arguments in (["--help"], ["decide", "--agent", "balanced", str(file)]):
        printed, modules = with_modules(*arguments)
        assert printed
        assert not {"numba", "sqlalchemy"} & modules


class TestDuel:
    def test_it_prints_one_json_object(self) -> None:
        done = retruco("duel", "random", "random", "--matches", "3", "--seed", "4", "--json")
        result = json.loads(done.stdout)
        assert result["pairs"] == 3
        assert result["matches"] == 6
        assert result["wins"] == [3, 3]
        assert result["rules"] == "trucogame"
        assert result["ci95"] == [0, 0]
        assert result["illegal"] == [0, 0]
        assert result["seconds"] >= 0

    def test_agents_without_cases_load_no_database(self) -> None:
        options = ("duel", "novice", "random", "--target", "2", "--matches", "1", "--json")
        result, modules = with_modules(*options)
        assert json.loads(result)["pairs"] == 1
        assert "sqlalchemy" not in modules

    def test_it_plays_other_games_too(self) -> None:
        done = typed(
            "duel", "random", "random", "--game", "kuhn", "--matches", "2", "--workers", "1", "--json"
        )
        assert json.loads(done.stdout)["game"] == "kuhn"

    @pytest.mark.parametrize(
        ("args", "told"),
        [
            (["random", "random", "--matches", "0"], "at least 1"),
            (["random", "nobody"], "unknown agent 'nobody'"),
            (["random", "random", "--rules", "mineiro"], "unknown rules 'mineiro'"),
            (["random", "random", "--game", "bridge"], "unknown game 'bridge'"),
            (["random", "random", "--target", "0"], "at least 1"),
            (["random", "random", "--game", "kuhn", "--rules", "three-seats"], "two seats"),
            (["random", "no/such.py:Agent"], "no agent file"),
        ],
    )
    def test_bad_options_are_refused_before_anything_runs(self, args: list[str], told: str) -> None:
        done = typed("duel", *args)
        assert done.returncode == 2
        assert done.stdout == b""
        assert told in done.stderr.decode()

    def test_a_users_agent_plays_by_its_path(self, tmp_path: Path) -> None:
        file = tmp_path / "mine.py"
        file.write_text(
            "class Mine:\n    def decide(self, observation, chance):\n        return observation.legal[0]\n"
        )
        done = typed("duel", f"{file}:Mine", "random", "--matches", "2", "--workers", "1", "--json")
        assert json.loads(done.stdout)["illegal"] == [0, 0]

    @pytest.mark.parametrize(
        ("text", "class_name", "told"),
        [
            ("import no_such_module", "Mine", "does not import"),
            ("class Other: pass", "Mine", "it has Other"),
            ("class Mine: pass", "Mine", "has no decide"),
            (
                "class Mine:\n    def __init__(self, x): ...\n    def decide(self, o, c): ...",
                "Mine",
                "without arguments",
            ),
        ],
    )
    def test_an_agent_file_that_will_not_do_is_refused(
        self, tmp_path: Path, text: str, class_name: str, told: str
    ) -> None:
        file = tmp_path / "mine.py"
        file.write_text(text)
        done = typed("duel", f"{file}:{class_name}", "random")
        assert done.returncode == 2
        assert told in done.stderr.decode()


class TestLists:
    def test_agents_lists_everybody_with_a_sentence(self) -> None:
        listed = json.loads(typed("agents", "--json").stdout)["agents"]
        assert "random" in [agent["name"] for agent in listed]
        assert all(agent["style"].endswith(".") for agent in listed)

    def test_rules_lists_the_presets_and_shows_each(self) -> None:
        listed = typed("rules").stdout.decode()
        for name in ("cbtg", "trucogame", "argentino", "argentino-sem-flor"):
            assert name in listed
            shown = typed("rules", "show", name).stdout.decode()
            assert "envido - envido - real-envido" in shown
            assert max(map(len, shown.splitlines())) <= 80

    def test_unknown_rules_are_refused(self) -> None:
        done = typed("rules", "show", "mineiro")
        assert done.returncode == 2
        assert b"'mineiro'" in done.stderr


class TestPlay:
    def test_without_a_terminal_it_refuses_politely(self) -> None:
        done = typed("play", "random")
        assert done.returncode == 2
        assert b"terminal" in done.stderr

    def test_an_unknown_opponent_is_refused(self) -> None:
        assert b"unknown agent 'nobody'" in typed("play", "nobody").stderr

    @pytest.mark.parametrize(
        ("rules", "level", "name"), [("cbtg", "random", "random"), ("trucogame", "bia", "Bia")]
    )
    def test_a_person_can_play_a_whole_match_by_keys(self, rules: str, level: str, name: str) -> None:
        """A real terminal: answer every question with the first card or the first key offered."""
        screen = play_by_keys("play", level, "--seed", "5", "--target", "6", "--rules", rules)
        assert "You win" in screen or f"{name} wins" in screen
        assert max(len(line) for line in screen.splitlines()) <= 80


def play_by_keys(*args: str) -> str:
    """Drive the terminal game through a pseudo-terminal and return all that it showed."""
    master, slave = pty.openpty()
    env = {**os.environ, "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "80"}
    command = [sys.executable, "-c", "from retruco.cli import main; main()", *args]
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=env)
    os.close(slave)
    screen = answered = b""
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        screen += chunk
        pending = screen[len(answered) :]
        if pending.endswith(b"> ") or pending.rstrip().endswith((b"first hand", b"next hand")):
            answered = screen
            os.write(master, key_for(pending) + b"\n")
    os.close(master)
    assert process.wait(timeout=120) == 0
    return screen.decode().replace("\r", "")


def key_for(question: bytes) -> bytes:
    """Accept a bet, else sing, else play the first card; a question at the end of a hand wants Enter."""
    for key in (b"fl", b"q", b"1"):
        if b"[" + key in question:
            return key
    return b""
