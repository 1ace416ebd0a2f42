"""Tests ask for the programs they need; what is missing is left out and said once, at the end."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from servers import HIDE, KINDS, VARIABLES, NotInstalled

SOME_TESTS = """
import pytest

@pytest.fixture(params=["file", pytest.param("server", marks=pytest.mark.postgresql)])
def place(request):
    assert request.param == "file", "nothing is made for a test that is left out"

def test_at_a_place(place): ...

@pytest.mark.parametrize("number", range(3))
def test_with_a_browser(chromium, number): ...

@pytest.fixture
def chromium():
    raise RuntimeError("nothing is made for a test that is left out")

@pytest.mark.skip("this one has a reason of its own")
def test_another(): ...

@pytest.mark.xfail(reason="known to fail", strict=True)
def test_known_to_fail():
    assert False
"""


def run_pytest(folder: Path, hide: str, *args: str, **variables: str) -> tuple[int, str]:
    """Run some tests in a new process where these programs are hidden; give its exit code and its words."""
    (folder / "test_some.py").write_text(SOME_TESTS)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent), HIDE: hide, **variables}
    environment["PYTEST_ADDOPTS"] = ""  # options of the run around this one are not its own
    # Of the installed plugins, only those that `args` name.
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "requirements",
        "-q",
        "-rfExX",
        "--strict-markers",
        *args,
    ]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def sleeps(file: Path) -> Iterator[str]:
    """Where a file of tests waits for time instead of for what it needs."""
    text = file.read_text()
    if "sleep" not in text and "wait_for_timeout" not in text:
        return
    for call in ast.walk(ast.parse(text)):
        if isinstance(call, ast.Call) and ast.unparse(call.func).split(".")[-1] in (
            "sleep",
            "wait_for_timeout",
        ):
            yield f"{file.name}:{call.lineno}"


def test_nobody_waits_but_for_a_condition() -> None:
    """What is in a string runs elsewhere: agents and processes that hang on purpose."""
    here = Path(__file__).parent
    files = {*here.rglob("*.py")} - {here / "waiting.py", here / "arena" / "players.py"}
    assert [one for file in files for one in sleeps(file)] == [], "wait_until of tests/waiting.py waits"


@pytest.mark.slow
def test_the_end_of_a_run_on_two_workers_says_what_was_left_out(tmp_path: Path) -> None:
    code, said = run_pytest(tmp_path, "chromium postgresql", "-p", "xdist", "-n", "2", CI="true")
    block = said.partition(" left out ")[2].partition(" short test summary ")[0].splitlines()[1:-1]
    assert [line.split()[0] for line in block] == ["3", "1", "1"]
    assert block[0].split(": ", 1)[1] == f"no Chromium  (chromium is hidden by {HIDE})"
    assert any("this one has a reason of its own" in line for line in block)
    assert "SKIPPED" not in said
    assert "XFAIL test_some.py::test_known_to_fail - known to fail" in said
    assert "1 passed, 5 skipped, 1 xfailed" in said
    assert code == 0


@pytest.mark.slow
def test_what_can_be_left_out_is_selected_by_its_mark_and_the_command_that_adds_it_is_said(
    tmp_path: Path,
) -> None:
    code, said = run_pytest(tmp_path, "", "-m", "chromium", CI="", PATH="/nowhere")
    assert (
        "3 tests: no Chromium  (add it: sudo apt-get install --no-install-recommends chromium-headless-shell)"
        in said
    )
    assert "3 skipped, 4 deselected" in said
    assert code == 0


@pytest.mark.slow
def test_ci_leaves_nothing_out_that_it_wants_unless_it_is_hidden(tmp_path: Path) -> None:
    code, said = run_pytest(tmp_path, "", "-k", "browser", CI="true", PATH="/nowhere")
    assert (
        "no Chromium: `sudo apt-get install --no-install-recommends chromium-headless-shell` adds it" in said
    )
    assert "3 errors" in said
    assert code == 1


@pytest.mark.slow
def test_a_program_that_nobody_knows_cannot_be_hidden(tmp_path: Path) -> None:
    code, said = run_pytest(tmp_path, "netscape")
    assert f"{HIDE} names netscape: it knows chromium, playwright, " in said
    assert code == pytest.ExitCode.USAGE_ERROR


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_without_its_programs_or_its_user_is_not_begun(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(KINDS[kind], "account", "nobody-of-this-name")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    with pytest.raises(NotInstalled, match="no user nobody-of-this-name"):
        KINDS[kind](tmp_path / "server")
    monkeypatch.setattr("os.geteuid", lambda: 1)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(NotInstalled, match="there is no "):
        KINDS[kind](tmp_path / "server")
    assert list(tmp_path.iterdir()) == []


def test_a_command_runs_without_the_servers_that_are_hidden() -> None:
    say = f"import os; print([os.environ.get(name) for name in {list(VARIABLES.values())!r}])"
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES.values()}
    done = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "servers.py"), sys.executable, "-c", say],
        env={**environment, HIDE: " ".join(KINDS)},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "[None, None]\n", done.stderr
