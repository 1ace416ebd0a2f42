"""Pins with hashes for what a person installs: names, versions and hashes, nothing else.

    python tools/pins.py            write requirements/*.txt anew, for every platform, with uv
    python tools/pins.py --check    compare them with pyproject.toml, constraints.txt and what is installed

Versions come from constraints.txt; what it does not name keeps the version it is pinned to. The
check needs no network: it follows the metadata of the installed packages, once for each platform
and version of Python that Retruco runs on.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

from packaging.markers import Marker, default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "requirements"

SERVE, POSTGRESQL, BUILD = "serve.txt", "postgresql.txt", "build.txt"
"""The dependencies of the package, what its extra `postgresql` adds, and what builds the package."""

PYTHONS: Final = ("3.11", "3.12", "3.13")
PLATFORMS: Final = (
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "platform_machine": "x86_64"},
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "platform_machine": "aarch64"},
    {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix", "platform_machine": "arm64"},
    {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix", "platform_machine": "x86_64"},
    {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt", "platform_machine": "AMD64"},
)

PIN: Final = re.compile(
    r"(?P<name>[a-z0-9-]+)==(?P<version>[^\s;]+)(?: ; (?P<marker>[^\\]+?))?(?P<hashes>(?: --hash=sha256:[0-9a-f]{64})+)"
)


class Pin(NamedTuple):
    """One line of a requirements file."""

    version: str
    marker: Marker | None

    def holds(self, environment: dict[str, str]) -> bool:
        """Whether it is installed there."""
        return self.marker is None or self.marker.evaluate(environment)


Pins = dict[str, Pin]


def read_pins(text: str, name: str) -> Pins:
    """The pins of a requirements file; a line that is anything else is refused."""
    pins: Pins = {}
    for number, line in enumerate(re.sub(r" \\\n +", " ", text).splitlines(), 1):
        found = PIN.fullmatch(line)
        if found is None:
            raise ValueError(f"{name}: entry {number} is not name==version with its hashes: {line[:80]}")
        marker = found["marker"]
        pins[found["name"]] = Pin(found["version"], Marker(marker) if marker else None)
    return pins


def read_constraints(text: str) -> dict[str, str]:
    """The versions that the checks run with."""
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    pairs = (line.split("==") for line in lines if line)
    return {canonicalize_name(name): pinned for name, pinned in pairs}


def required(project: dict[str, Any], name: str) -> list[Requirement]:
    """What pyproject.toml asks for directly, for the file of that name."""
    if name == BUILD:
        return [Requirement(one) for one in project["build-system"]["requires"]]
    extra = project["project"]["optional-dependencies"]["postgresql"] if name == POSTGRESQL else []
    return [Requirement(one) for one in (*project["project"]["dependencies"], *extra)]


def follow(asked: Iterable[Requirement], environment: dict[str, str]) -> set[str]:
    """Every package that is installed there for the sake of these, by the metadata found here."""
    names: set[str] = set()
    seen: set[tuple[str, str]] = set()
    waiting = [(one, "") for one in asked]
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({**environment, "extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        names.add(name)
        for wanted in {"", *requirement.extras}:
            if (name, wanted) not in seen:
                seen.add((name, wanted))
                waiting += [(one, wanted) for one in dependencies(name)]
    return names


@cache
def dependencies(name: str) -> list[Requirement]:
    """What an installed package asks for; a package of other platforms asks for nothing."""
    try:
        return [Requirement(one) for one in requires(name) or ()]
    except PackageNotFoundError:
        return []


def environments() -> Iterator[dict[str, str]]:
    """The machines that Retruco is installed on, as markers see them."""
    for platform, python in product(PLATFORMS, PYTHONS):
        known = {one: str(value) for one, value in default_environment().items()}
        yield {**known, **platform, "python_version": python, "python_full_version": f"{python}.0"}


def differences(
    project: dict[str, Any], files: dict[str, Pins], constraints: dict[str, str]
) -> Iterator[str]:
    """What is wrong with the pins, a line for each."""
    for name, pins in files.items():
        yield from missing_or_needless(project, name, pins)
        for package, pin in pins.items():
            if pin.version != constraints.get(package, pin.version):
                yield f"{name}: {package} is {pin.version}, in constraints.txt {constraints[package]}"
            if pin.version != (installed_version(package) or pin.version):
                yield f"{name}: {package} is {pin.version}, but {installed_version(package)} is installed"


def missing_or_needless(project: dict[str, Any], name: str, pins: Pins) -> Iterator[str]:
    """Packages that a platform needs and does not get, or the other way round."""
    found: dict[str, set[str]] = {}
    for environment in environments():
        needed = follow(required(project, name), environment)
        if name == POSTGRESQL:
            needed -= follow(required(project, SERVE), environment)
        given = {one for one, pin in pins.items() if pin.holds(environment)}
        where = f"{environment['sys_platform']} {environment['platform_machine']}"
        for package in needed - given:
            found.setdefault(f"{name}: {package} is needed and not pinned", set()).add(where)
        for package in given - needed:
            found.setdefault(f"{name}: {package} is pinned and not needed", set()).add(where)
    here = {str(key): str(value) for key, value in default_environment().items()}
    for package in follow(required(project, name), here):
        if installed_version(package) is None:
            yield f"{name}: {package} is not installed here, so what it needs is unknown: run make setup"
    yield from (f"{text} on {', '.join(sorted(places))}" for text, places in sorted(found.items()))


def installed_version(package: str) -> str | None:
    """The version that is installed, if any is."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def compile_pins(asked: list[str], output: Path) -> str:
    """Let uv resolve requirements for all platforms, with the hashes of every file of each version."""
    command = [
        *(
            sys.executable,
            "-m",
            "uv",
            "pip",
            "compile",
            "--quiet",
            "--universal",
            "--python-version",
            PYTHONS[0],
        ),
        *("--generate-hashes", "--no-header", "--no-annotate", "--constraint", str(ROOT / "constraints.txt")),
        *("--output-file", str(output), "-"),
    ]
    subprocess.run(command, check=True, input="\n".join(asked).encode(), stdout=subprocess.DEVNULL)
    return output.read_text()


def write_pins(project: dict[str, Any]) -> None:
    """Write every requirements file anew."""
    FOLDER.mkdir(exist_ok=True)
    for name in (SERVE, POSTGRESQL, BUILD):
        compile_pins([str(one) for one in required(project, name)], FOLDER / name)
    base = entries((FOLDER / SERVE).read_text())
    added = entries((FOLDER / POSTGRESQL).read_text())
    (FOLDER / POSTGRESQL).write_text("".join(text for text in added if text not in base))


def entries(text: str) -> list[str]:
    """The text of each pin with its hashes."""
    return re.findall(r"^\S.*\n(?: .*\n)*", text, re.MULTILINE)


def main() -> None:
    """Write the pins, or check them."""
    parser = argparse.ArgumentParser(description="Pins with hashes for what a person installs.")
    parser.add_argument("--check", action="store_true", help="compare only; nothing is written or fetched")
    check = parser.parse_args().check
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    if not check:
        write_pins(project)
    files = {name: read_pins((FOLDER / name).read_text(), name) for name in (SERVE, POSTGRESQL, BUILD)}
    wrong = list(differences(project, files, read_constraints((ROOT / "constraints.txt").read_text())))
    if wrong:
        sys.exit("\n".join([*wrong, "`python tools/pins.py` writes the pins anew"]))
    print(", ".join(f"requirements/{name}: {len(pins)} packages" for name, pins in files.items()))


if __name__ == "__main__":
    main()
