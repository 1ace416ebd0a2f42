"""Build the package, look into it, and use it as a stranger would.

    python tools/check_wheel.py

The wheel and the source archive hold what git knows of src/retruco, the documentation site that
`make docs` has built, and nothing else. The wheel is
installed with the pinned hashes into an empty environment for every supported Python on this
machine, made read-only, and used from an empty folder: help, a decision, a duel, the web table.
Nothing may be written but the user's own data and cache.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from pins import PYTHONS
from running import Failed, fetch, free_port, list_files, run, running, set_writable, without_privileges

ROOT: Final = Path(__file__).resolve().parent.parent
PINS: Final = ROOT / "requirements" / "serve.txt"

A_HAND: Final = """{"game": "euchre", "rules": "classic", "target": 10, "scores": [0, 0], "dealer": 3,
 "hands": [["Jh", "Qd", "Qh", "9d", "Qs"], ["9s", "Kd", "Th", "Tc", "Ac"],
 ["As", "Jd", "Ts", "9h", "Ks"], ["Qc", "Kc", "Jc", "Td", "Js"]], "upcard": "Ad", "actions": []}""".replace(
    "\n", ""
)
"""An unfinished hand of Euchre: the answer needs the embedded cases and compiled code."""


def build(folder: Path) -> tuple[Path, Path]:
    """The wheel and the source archive, as `python -m build` makes them."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    run(command, cwd=folder, env=dict(os.environ))
    (wheel,), (archive,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, archive


def package_files() -> set[str]:
    """The files of the package that git knows, and those of the documentation site, relative to src."""
    listed = run(["git", "ls-files", "-z", "src/retruco"], cwd=ROOT, env=dict(os.environ))
    return {one.removeprefix("src/") for one in listed.split("\0") if one} | documentation_files()


def documentation_files() -> set[str]:
    """The files of the documentation site, relative to src."""
    folder = ROOT / "src" / "retruco" / "web" / "documentation"
    if not (folder / "index.html").is_file():
        raise Failed("the documentation site is missing: run make docs")
    return {str(file.relative_to(ROOT / "src")) for file in folder.rglob("*") if file.is_file()}


def check_wheel_contents(wheel: Path, expected: set[str]) -> None:
    """The package, and what every wheel has."""
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
    about = f"{'-'.join(wheel.name.split('-')[:2])}.dist-info"
    parts = ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")
    compare(wheel.name, names, expected | {f"{about}/{one}" for one in parts})


def check_archive_contents(archive: Path, expected: set[str]) -> None:
    """The package, what builds it and what a reader opens first."""
    with tarfile.open(archive) as file:
        names = {one.name.partition("/")[2] for one in file if one.isfile()}
    parts = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "PKG-INFO", ".gitignore"}
    compare(archive.name, names, {f"src/{one}" for one in expected} | parts)


def compare(name: str, names: set[str], expected: set[str]) -> None:
    """Refuse what is missing and what does not belong there."""
    wrong = [f"{one} is missing" for one in expected - names] + [
        f"{one} does not belong" for one in names - expected
    ]
    if wrong:
        raise Failed(f"{name}: {'; '.join(sorted(wrong)[:20])}")


def find_pythons() -> Iterator[tuple[str, Path | None]]:
    """The supported versions of Python with a program for each, if there is one on this machine."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in PYTHONS:
        places = [sys.executable, shutil.which(f"python{version}"), *versions.glob(f"{version}.*/bin/python")]
        yield version, next((Path(one) for one in places if one and is_python(str(one), version)), None)


def is_python(program: str, version: str) -> bool:
    """Whether a program runs and is that version of Python."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([program, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip() == version


class Install(NamedTuple):
    """An environment with the wheel in it, and an empty folder and home to use it from."""

    venv: Path
    cwd: Path
    home: Path

    @property
    def env(self) -> dict[str, str]:
        """What a program finds in its environment: nothing of the one who runs the check."""
        own = {"HOME": str(self.home), "PATH": os.defpath, "LANG": "C.UTF-8"}
        return {**own, "PYTHONPYCACHEPREFIX": str(self.home.parent / "bytecode")}

    def command(self, *args: str) -> list[str]:
        """The installed command, bound by file permissions."""
        return [*without_privileges(), str(self.venv / "bin" / "retruco"), *args]

    def retruco(self, *args: str, stdin: str = "", **env: str) -> str:
        """What the installed command prints."""
        return run(self.command(*args), cwd=self.cwd, env={**self.env, **env}, stdin=stdin)


def install(python: Path, wheel: Path, folder: Path) -> Install:
    """Install the wheel and exactly the pinned files: with pip for this Python, with uv for the others."""
    made = Install(folder / "venv", folder / "empty", folder / "home")
    made.cwd.mkdir(parents=True)
    made.home.mkdir()
    env = dict(os.environ)
    inside = str(made.venv / "bin" / "python")
    if python == Path(sys.executable):
        run([str(python), "-m", "venv", str(made.venv)], cwd=folder, env=env)
        pip = [inside, "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
    else:
        run([*UV, "venv", "--quiet", "--python", str(python), str(made.venv)], cwd=folder, env=env)
        pip = [*UV, "pip", "install", "--quiet", "--python", inside]
    run([*pip, "--require-hashes", "-r", str(PINS)], cwd=folder, env=env)
    run([*pip, "--no-deps", str(wheel)], cwd=folder, env=env)
    return made


UV: Final = [sys.executable, "-m", "uv"]


def use(made: Install) -> None:
    """Everything a stranger tries first, in an environment that cannot be written."""
    set_writable(made.venv, False)
    try:
        check_read_only(made)
        before = list_files(made.venv)
        try_commands(made)
        try_server(made)
        if list_files(made.venv) != before:
            changed = {one for one, _ in list_files(made.venv).items() ^ before.items()}
            raise Failed(f"written beside the package: {', '.join(sorted(changed))}")
    finally:
        set_writable(made.venv, True)
    check_only_own_folders(made)


def check_read_only(made: Install) -> None:
    """The check itself must not be fooled: a write beside the package fails."""
    code = "import pathlib, retruco; pathlib.Path(retruco.__file__).with_name('written').touch()"
    command = [*without_privileges(), str(made.venv / "bin" / "python"), "-c", code]
    done = subprocess.run(command, cwd=made.cwd, env=made.env, capture_output=True, text=True, check=False)
    if "PermissionError" not in done.stderr:
        raise Failed(f"{made.venv} could be written: {done.stderr}")


def try_commands(made: Install) -> None:
    """Help, a decision that remembers, a duel; the decision once more where nothing can be saved."""
    if "serve" not in made.retruco("--help"):
        raise Failed("retruco --help does not name serve")
    decide = ("decide", "--game", "euchre")
    answer = made.retruco(*decide, stdin=A_HAND)
    if '"similar": [{' not in answer:
        raise Failed(f"the decision shows no cases: {answer}")
    if made.retruco(*decide, stdin=A_HAND, NUMBA_CACHE_DIR="/nowhere", PYTHONWARNINGS="error") != answer:
        raise Failed("the decision is another where nothing can be saved")
    made.retruco("duel", "random", "balanced", "--matches", "2")


def try_server(made: Install) -> None:
    """The first page, a file it names, the interface and the documentation."""
    address = f"http://127.0.0.1:{(port := free_port())}"
    command = made.command("serve", "--no-browser", "--port", str(port))
    with running(command, cwd=made.cwd, env=made.env, log=made.home.parent / "serve.log"):
        page = fetch(f"{address}/").decode()
        styles = re.findall(r'href="(/static/[^"]+\.css[^"]*)"', page)
        if not styles:
            raise Failed("the first page names no style sheet")
        for path in (styles[0], "/api/opponents", "/docs/", "/docs/search/search_index.json"):
            if not fetch(address + path):
                raise Failed(f"{path} is empty")


def check_only_own_folders(made: Install) -> None:
    """Of all there is, only the user's data and cache of Retruco were written."""
    own = (".local/share/retruco/", ".cache/retruco/")
    strange = [one for one in list_files(made.home) if not one.startswith(own)]
    strange += list(list_files(made.cwd))
    if strange and sys.platform == "linux":
        raise Failed(f"written elsewhere: {', '.join(strange)}")


def try_without_install(wheel: Path, folder: Path) -> None:
    """`uvx`: the wheel in an environment made for one command."""
    folder.mkdir()
    command = [*UV, "tool", "run", "--quiet", "--isolated", "--constraints", str(ROOT / "constraints.txt")]
    command += ["--python", sys.executable, "--from", str(wheel), "retruco"]
    env = {
        **os.environ,
        "RETRUCO_HOME": str(folder / "home"),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
    }
    run([*command, "duel", "random", "balanced", "--matches", "2"], cwd=folder, env=env)


def main() -> None:
    """Run the check; say what was done and what was left out."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        wheel, archive = build(folder)
        expected = package_files()
        check_wheel_contents(wheel, expected)
        check_archive_contents(archive, expected)
        print(f"{wheel.name}: {len(expected)} files of the package, nothing else", flush=True)
        for version, python in find_pythons():
            if python is None:
                print(f"Python {version}: not on this machine", flush=True)
                continue
            start = time.monotonic()
            made = install(python, wheel, folder / version)
            size = sum(size for size, _ in list_files(made.venv).values()) / 1e6
            installed = time.monotonic()
            use(made)
            print(
                f"Python {version}: installed in {installed - start:.0f} s, {size:.0f} MB;"
                f" help, decide, duel and serve in {time.monotonic() - installed:.0f} s",
                flush=True,
            )
        try_without_install(wheel, folder / "uvx")
        print("uvx: duel")


if __name__ == "__main__":
    try:
        main()
    except Failed as error:
        sys.exit(f"check_wheel: {error}")
