"""install.py says in one line why it cannot install, and works once the cause is gone."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent


def install(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "install.py", *arguments],
        cwd=folder,
        env={**os.environ, "PIP_RETRIES": "1", "PIP_TIMEOUT": "5", **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's installer, in a folder with spaces and letters beyond ASCII, with a package to install."""
    made = tmp_path_factory.mktemp("install") / "una mesa señorial"
    made.mkdir()
    shutil.copy(ROOT / "install.py", made)
    (made / "constraints.txt").touch()
    (made / "requirements").mkdir()
    for name in ("serve.txt", "build.txt"):
        (made / "requirements" / name).touch()
    (made / "backend.py").write_text(BACKEND)
    (made / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        '[project]\nname = "little"\nversion = "1"\n[project.optional-dependencies]\ndev = []\n'
    )
    return made


BACKEND = '''
"""Builds a package of one file, by hand, so that nothing has to be downloaded."""
import zipfile

def _wheel(folder):
    name = "little-1-py3-none-any.whl"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.writestr("little.py", "here = True")
        wheel.writestr("little-1.dist-info/METADATA", "Metadata-Version: 2.1\\nName: little\\nVersion: 1\\nProvides-Extra: dev\\n")
        wheel.writestr("little-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: hand\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("little-1.dist-info/RECORD", "little.py,,\\nlittle-1.dist-info/METADATA,,\\nlittle-1.dist-info/WHEEL,,\\nlittle-1.dist-info/RECORD,,\\n")
    return name

def build_wheel(folder, config_settings=None, metadata_directory=None):
    return _wheel(folder)

def build_editable(folder, config_settings=None, metadata_directory=None):
    return _wheel(folder)
'''


def works(folder: Path) -> bool:
    python = folder / ".venv" / "bin" / "python"
    return subprocess.run([python, "-c", "import little"], check=False, capture_output=True).returncode == 0


def only_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("retruco: ")
    return line


@pytest.mark.slow
def test_a_half_made_environment_is_made_anew_whatever_the_name_of_its_folder(folder: Path) -> None:
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("garbage")
    python.chmod(0o755)
    for name in ("serve", "dev"):
        done = install(folder, name)
        assert (done.returncode, done.stderr) == (0, "")
        assert works(folder)


@pytest.mark.slow
def test_an_index_out_of_reach_is_named_and_the_same_command_works_afterwards(folder: Path) -> None:
    project = folder / "pyproject.toml"
    text = project.read_text()
    project.write_text(text.replace("requires = []", 'requires = ["hatchling"]'))
    nowhere = {
        "PIP_INDEX_URL": "http://127.0.0.1:9/",
        "PIP_EXTRA_INDEX_URL": "",
        "PIP_CONFIG_FILE": os.devnull,
    }
    line = only_line(install(folder, "dev", **nowhere))
    assert "the package index cannot be reached" in line
    project.write_text(text)
    assert install(folder, "dev").returncode == 0
    assert works(folder)


def test_an_unknown_set_is_refused_with_the_known_ones(folder: Path) -> None:
    assert only_line(install(folder, "everything")) == "retruco: unknown set 'everything': one of serve, dev"


def test_a_file_where_the_environment_should_be_is_named(tmp_path: Path) -> None:
    shutil.copy(ROOT / "install.py", tmp_path)
    (tmp_path / ".venv").write_text("")
    assert str(tmp_path / ".venv") in only_line(install(tmp_path))


@pytest.fixture
def module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("install", ROOT / "install.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_old_python_is_told_which_one_is_needed(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))
    assert module.main([]) == 1
    assert "needs Python 3.11 or later" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
            "the disk is full",
        ),
        ("ERROR: Could not find a version\nERROR: No matching distribution found for uvloop", "not offered"),
        ("error: command 'gcc' failed: No such file or directory", "C compiler"),
        (
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE",
            "not the one that was pinned",
        ),
        ("pip said\nERROR: something new", "something new"),
    ],
)
def test_what_pip_says_is_put_into_one_line(module: ModuleType, words: str, meaning: str) -> None:
    assert meaning in module.meaning(words, "pip failed")
