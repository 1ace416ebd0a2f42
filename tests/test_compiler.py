"""Compiled code is saved in the user's cache folder, whole or not at all, and never run when it is old."""

import importlib.util
import sys
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from retruco import compiler
from retruco.compiler import code_folder

SOURCE = "from retruco.compiler import compiled\n\n@compiled\ndef double(n):\n    return n * 2\n"


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for compiled code.

    Python writes no bytecode: it would run the old one of a source that changes within a second and keeps its size.
    """
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "code"))
    return tmp_path / "code"


def load(file: Path) -> Any:
    """Import a file anew, as another process would."""
    compiler.read_digest.cache_clear()
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def write(folder: Path, name: str, text: str = SOURCE) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}.py"
    file.write_text(text)
    return file


def hits(function: Any) -> int:
    return sum(function.stats.cache_hits.values())


def test_compiled_code_is_saved_apart_from_its_source(tmp_path: Path, saved: Path) -> None:
    file = write(tmp_path / "package", "apart")
    assert load(file).double(4) == 8
    assert [one.suffix for one in saved.iterdir()] == [".code"]
    assert not list(tmp_path.glob("package/**/*.nb*"))


def test_saved_code_is_read_instead_of_compiled(tmp_path: Path, saved: Path) -> None:
    file = write(tmp_path / "package", "again")
    assert hits(load(file).double) == 0
    assert load(file).double(4) == 8
    double = load(file).double
    assert double(4) == 8
    assert hits(double) == 1


def test_the_same_source_in_another_folder_shares_the_code(tmp_path: Path, saved: Path) -> None:
    load(write(tmp_path / "one", "shared")).double(4)
    double = load(write(tmp_path / "other", "shared")).double
    assert double(4) == 8
    assert hits(double) == 1


def test_a_change_in_another_file_is_compiled_anew(tmp_path: Path, saved: Path) -> None:
    caller = "from inner import double\n" + SOURCE.replace("double(n)", "twice(n)").replace(
        "n * 2", "double(n)"
    )
    inner, outer = write(tmp_path / "package", "inner"), write(tmp_path / "package", "outer", caller)
    load(inner)
    assert load(outer).twice(4) == 8
    inner.write_text(SOURCE.replace("n * 2", "n * 3"))
    load(inner)
    assert load(outer).twice(4) == 12


@pytest.mark.parametrize(
    ("line", "name"), [("from constants import FACTOR", "FACTOR"), ("import constants", "constants.FACTOR")]
)
def test_a_constant_of_another_file_that_changes_is_compiled_anew(
    line: str, name: str, tmp_path: Path, saved: Path
) -> None:
    source = f"{line}\n" + SOURCE.replace("n * 2", f"n * {name}")
    constants, outer = (
        write(tmp_path / "package", "constants", "FACTOR = 2"),
        write(tmp_path / "package", "uses", source),
    )
    load(constants)
    assert load(outer).double(4) == 8
    constants.write_text("FACTOR = 3")
    load(constants)
    assert load(outer).double(4) == 12


@pytest.mark.parametrize("content", [b"", b"cut", None], ids=["empty", "foreign", "truncated"])
def test_damaged_code_is_replaced(tmp_path: Path, saved: Path, content: bytes | None) -> None:
    file = write(tmp_path / "package", "damaged")
    load(file).double(4)
    (code,) = saved.iterdir()
    whole = code.read_bytes()
    code.write_bytes(whole[:-100] if content is None else content)
    assert load(file).double(4) == 8
    double = load(file).double
    assert double(4) == 8
    assert hits(double) == 1


def test_a_folder_that_cannot_be_written_is_reported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "code"))
    double = load(write(tmp_path / "package", "unsaved")).double
    assert double(4) == 8
    assert double(4.0) == 8.0
    assert [one.getMessage() for one in caplog.records] == [
        f"retruco: compiled code cannot be saved in {tmp_path}/file/code: Not a directory;"
        " every start compiles again. NUMBA_CACHE_DIR names another folder."
    ]


def double_in_process(file: Path) -> int:
    return int(load(file).double(4))


def test_a_prepared_folder_is_looked_into_first_and_never_written_to(
    tmp_path: Path, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path / "package", "prepared")
    load(file).double(4)
    saved.rename(tmp_path / "ready")
    monkeypatch.setenv("RETRUCO_COMPILED", str(tmp_path / "ready"))
    double = load(file).double
    assert double(4) == 8
    assert hits(double) == 1
    assert not saved.exists()
    assert double(4.0) == 8.0  # what is not there is saved in the user's own folder
    assert len(list((tmp_path / "ready").iterdir())) == len(list(saved.iterdir())) == 1


@pytest.mark.slow
def test_processes_that_compile_at_once_leave_one_whole_file(tmp_path: Path, saved: Path) -> None:
    file = write(tmp_path / "package", "crowd")
    with get_context("spawn").Pool(2) as pool:
        assert pool.map(double_in_process, [file] * 4, chunksize=1) == [8] * 4
    assert [one.suffix for one in saved.iterdir()] == [".code"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no variable names the user's cache folder")
def test_the_folder_is_in_the_cache_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert code_folder() == tmp_path / "retruco" / "compiled"


STEPS = """
from retruco import compiler
from retruco.compiler import compiled_step

@compiled_step
def first(numbers):
    return numbers[0]

@compiled_step
def second(numbers, wait):
    wait()
    return first(numbers[1:])
"""


def test_a_plain_call_stays_plain_when_numba_is_loaded_meanwhile(
    tmp_path: Path, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = load(write(tmp_path / "package", "steps", STEPS))
    is_loaded = [False]
    monkeypatch.setattr(compiler, "is_numba_loaded", lambda: is_loaded[0])
    assert module.second([1, "two"], lambda: is_loaded.__setitem__(0, True)) == "two"
    assert is_loaded == [True]
