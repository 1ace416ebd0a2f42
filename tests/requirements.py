"""What a test can need beside Python and the pinned packages, and what happens where it is missing.

A test asks for a program by a mark with its name, `@pytest.mark.postgresql`, or by a fixture with its name,
`def test_it(node)`. Where the program is missing the test is left out, and the end of the run says how many
tests that were and which command adds the program. Under `CI=true` a program that CI wants must be there.

The environment variable RETRUCO_TEST_HIDE names programs that the tests treat as missing, also under CI:

    RETRUCO_TEST_HIDE="chromium postgresql mariadb" make test
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from servers import HIDE, KINDS, VARIABLES, NotInstalled

HANDS = "RETRUCO_TRUCOGAME"


@dataclass(frozen=True)
class Requirement:
    """A program, or another thing of the machine, that some tests need."""

    name: str
    find: Callable[[], object]
    """Look for it: something true where it is there."""
    reason: str
    """What is said of a test that is left out."""
    command: str
    """The one command that adds it."""
    in_ci: bool = False
    """Whether a test fails instead where CI runs."""


def find_chromium() -> str | None:
    """The path of the browser: without its windows, where it comes so, it takes a quarter less time."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    return next(filter(None, map(shutil.which, names)), None)


def find_server(kind: str) -> bool:
    """Whether a database server is running for the tests, or can be started."""
    if os.environ.get(VARIABLES[kind]):
        return True
    try:
        KINDS[kind].look()
    except NotInstalled:
        return False
    return True


def can_mount() -> bool:
    """Whether a small disk can be mounted, and unmounted again."""
    if os.geteuid() != 0:
        return False
    with tempfile.TemporaryDirectory(prefix="retruco-") as folder:
        mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]
        mounted = subprocess.run(mount, capture_output=True).returncode == 0
        return mounted and subprocess.run(["umount", folder]).returncode == 0


def can_listen() -> bool:
    """Whether this machine lets us listen at a port of its own."""
    try:
        with socket.create_server(("127.0.0.1", 0)):
            return True
    except OSError:
        return False


INSTALL = "sudo apt-get install --no-install-recommends"
DEV = "python3 install.py dev"
REQUIREMENTS = {
    one.name: one
    for one in (
        Requirement(
            "chromium", find_chromium, "no Chromium", f"{INSTALL} chromium-headless-shell", in_ci=True
        ),
        Requirement("playwright", lambda: find_spec("playwright"), "no Playwright", DEV, in_ci=True),
        Requirement("axe", lambda: find_spec("axe_playwright_python"), "no axe-core", DEV, in_ci=True),
        Requirement(
            "postgresql",
            lambda: find_server("postgresql"),
            "no PostgreSQL server, or no user postgres to run it",
            f"{INSTALL} postgresql",
            in_ci=True,
        ),
        Requirement(
            "mariadb",
            lambda: find_server("mariadb"),
            "no MariaDB server, or no user mysql to run it",
            f"{INSTALL} mariadb-server",
            in_ci=True,
        ),
        Requirement(
            "trucogame",
            lambda: os.environ.get(HANDS),
            "no published TrucoGame hands",
            f"export {HANDS}=FOLDER",
            in_ci=True,
        ),
        Requirement("node", lambda: shutil.which("node"), "no Node.js", f"{INSTALL} nodejs"),
        Requirement("small_disk", can_mount, "only root can mount a small disk", "sudo make test"),
        Requirement("loopback", can_listen, "no free port at 127.0.0.1", "sudo ip link set lo up"),
        Requirement("openspiel", lambda: find_spec("pyspiel"), "no OpenSpiel", DEV),
        Requirement("ray", lambda: find_spec("ray"), "no Ray", DEV),
    )
}


def hidden() -> set[str]:
    """The programs that are to be treated as missing."""
    names = set(os.environ.get(HIDE, "").split())
    if unknown := names - REQUIREMENTS.keys():
        raise pytest.UsageError(
            f"{HIDE} names {', '.join(sorted(unknown))}: it knows {', '.join(REQUIREMENTS)}"
        )
    return names


@cache
def is_there(name: str) -> bool:
    """Whether a program is on this machine and not hidden."""
    return name not in hidden() and bool(REQUIREMENTS[name].find())


def require(name: str) -> None:
    """Leave out the test, or the whole file, that is at this line, unless the program is there."""
    if is_there(name):
        return
    one = REQUIREMENTS[name]
    if one.in_ci and os.environ.get("CI") == "true" and name not in hidden():
        pytest.fail(f"{one.reason}: `{one.command}` adds it", pytrace=False)
    pytest.skip(one.reason, allow_module_level=True)


# How pytest asks

TAKE_LONG: Final = ("chromium", "ray", "slow")
"""Marks of tests that take seconds; the files of the first take longest."""


def pytest_configure(config: pytest.Config) -> None:
    """Make a mark of each requirement, and take away what is hidden."""
    for one in REQUIREMENTS.values():
        config.addinivalue_line("markers", f"{one.name}: left out for the reason: {one.reason}")
    if "trucogame" in hidden():
        os.environ.pop(HANDS, None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test by the fixtures that it uses, so that `-m` selects by marks alone; files that take longest come first.

    What runs last runs alone while the other workers have nothing left to do.
    """
    for item in items:
        for name in REQUIREMENTS.keys() & getattr(item, "fixturenames", ()):
            item.add_marker(name)
    ranks: dict[Path, int] = {}
    for item in items:
        ranks[item.path] = min(ranks.get(item.path, len(TAKE_LONG)), rank_of(item))
    items.sort(key=lambda item: ranks[item.path])


def rank_of(item: pytest.Item) -> int:
    """The place of a test's first mark among those that take long; after all of them, if it has none."""
    places = (place for place, mark in enumerate(TAKE_LONG) if item.get_closest_marker(mark))
    return next(places, len(TAKE_LONG))


INTERFACES: Final = {
    "pettingzoo": "pettingzoo",
    "gymnasium": "gymnasium",
    "openspiel": "pyspiel",
    "sklearn": "sklearn",
    "cbrkit": "cbrkit",
}
"""The files of `retruco.interfaces` that cannot be imported without a library."""


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out the doctests of an interface whose library is missing."""
    is_interface = collection_path.parent.name == "interfaces" and collection_path.stem in INTERFACES
    return True if is_interface and find_spec(INTERFACES[collection_path.stem]) is None else None


Collected: TypeAlias = Generator[None, list[pytest.Collector], list[pytest.Collector]]


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Collected:
    """Look for doctests only in files that have some: to look, each worker would import every source file."""
    found = yield
    if file_path.suffix != ".py" or ">>> " in file_path.read_text():
        return found
    return [collector for collector in found if type(collector).__name__ != "DoctestModule"]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Look for what a test needs before anything is made for it."""
    for name in REQUIREMENTS:
        if item.get_closest_marker(name):
            require(name)


@pytest.fixture(scope="session")
def node() -> str | None:
    """The path of Node.js."""
    return shutil.which("node")


@pytest.fixture(scope="session")
def loopback() -> None:
    """A port of this machine can be listened at."""


# What the end of a run says


def left_out(skips: list[pytest.TestReport]) -> Iterator[str]:
    """A line for each reason for which tests were skipped."""
    reasons = Counter(str(one.longrepr[2]).removeprefix("Skipped: ") for one in skips)  # type: ignore[index]
    for reason, count in reasons.most_common():
        yield f"{count:5d} {'test ' if count == 1 else 'tests'}: {reason}{how_to_add(reason)}"


def how_to_add(reason: str) -> str:
    """The command that adds what is missing by this reason; nothing for a reason of a test's own."""
    if reason.startswith("could not import"):
        return f"  (add it: {DEV})"
    for one in REQUIREMENTS.values():
        if one.reason == reason:
            hides = one.name in hidden()
            return f"  ({one.name} is hidden by {HIDE})" if hides else f"  (add it: {one.command})"
    return ""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was left out, how many tests each, and how to add it."""
    if skips := terminalreporter.getreports("skipped"):
        terminalreporter.section("left out")
        for line in left_out(skips):
            terminalreporter.write_line(line)
