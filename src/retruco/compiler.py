"""Functions compiled to machine code on first use, and the folder that holds the machine code.

The code is saved in the user's cache folder, or where NUMBA_CACHE_DIR says, and never beside the
package, which may be read-only or belong to somebody else. There is one file for each function
and signature, named after everything the code depends on: the source of the function and of the
compiled functions it calls, the versions of Python and numba, the processor. So environments with
the same sources share their code, and an upgrade never runs old code.

A file is written under a name of its own and then renamed, so any number of processes may compile
at once. If nothing can be saved, the functions are compiled at every start; if nothing can be
written but the code is there, it is read.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import sys
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import FunctionType
from typing import Any, Final, TypeVar, cast

import numba
from numba import njit, typeof
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

FORMAT: Final = 2
"""Code that was saved under another number is compiled anew: raise it when functions are compiled otherwise."""
DIGEST: Final = hashlib.sha256().digest_size

log = logging.getLogger("retruco.compiler")


def compiled(function: F) -> F:
    """Compile a function, keeping its type for the reader and its code on disk."""
    dispatcher = njit(function)
    dispatcher._cache = SavedCode(cast(FunctionType, function))
    return cast(F, dispatcher)


def compiled_step(function: F) -> F:
    """Compile a function that makes no arrays: numba then counts no references to those it is given.

    Counting takes most of the time of a short step on a group of arrays. Whatever such a function calls must make
    no arrays either; one that makes some does not compile.
    """
    dispatcher: Any = without_counting(function)
    dispatcher._cache = SavedCode(cast(FunctionType, function))
    return cast(F, dispatcher)


def inlined(function: F) -> F:
    """Compile a function as a part of those that call it: for steps of a loop, which are compiled only once then.

    It makes no arrays, so that steps can call it, too.
    """
    dispatcher: Any = without_counting(function, inline="always")
    dispatcher._cache = SavedCode(cast(FunctionType, function))  # callers are stamped with its source
    return cast(F, dispatcher)


def without_counting(function: Callable[..., Any], **options: Any) -> Any:
    """Compile without numba's reference counts, by an option that its type hints do not list."""
    counting: Any = {"_nrt": False}
    return njit(**options, **counting)(function)


def fixed_types(function: F) -> F:
    """Call a compiled function with the argument types of its first call, without checking them again.

    Checking groups of arrays would take numba about as long as a short search. Only for functions whose
    arguments always have the same types: an array of another width is an error, but one of another shape
    or memory layout is not noticed.
    """
    dispatcher: Any = function
    machine_code: Any = None

    def call(*arguments: Any) -> Any:
        nonlocal machine_code
        if machine_code is None:
            types = tuple(typeof(argument) for argument in arguments)  # type: ignore[no-untyped-call]  # numba's
            machine_code = dispatcher.compile(types)
        return machine_code(*arguments)

    return cast(F, call)


def code_folder() -> Path:
    """The folder of the compiled code; it may be removed at any time."""
    return Path(os.environ.get("NUMBA_CACHE_DIR") or user_cache_path("retruco") / "compiled")


class SavedCode(NullCache):
    """The compiled code of one function on disk, as numba asks for it: one file for each signature."""

    def __init__(self, function: FunctionType) -> None:
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.function = function

    @cached_property
    def stamp(self) -> str:
        """A digest of the sources, made on first use: by then the functions that are called exist, too."""
        return source_stamp(self.function)

    @property
    def cache_path(self) -> str:
        return str(code_folder())

    def load_overload(self, sig: object, target_context: Any) -> Any:
        """The code for a signature, if it was saved whole.

        It needs numba's memory of arrays, but nothing that numba knows of types: to load that takes longer than all else.
        """
        content = read_checked(self._file(sig, target_context.codegen()))
        if content is None:
            return None
        rtsys.initialize(target_context)
        parts = pickle.loads(content)  # noqa: S301  # the user's own file, trusted like the user's own Python files
        return CompileResult._rebuild(target_context, *parts)  # type: ignore[no-untyped-call]  # numba's own

    def save_overload(self, sig: object, data: Any) -> None:
        """Save what was compiled; where that is impossible, say so once and go on without."""
        if data.lifted or data.library.has_dynamic_globals:
            return  # such code holds addresses of this process
        content = dumps(data._reduce())  # type: ignore[no-untyped-call]  # numba's own
        try:
            write_checked(self._file(sig, data.codegen), content)
        except OSError as error:
            warn_once(f"compiled code cannot be saved in {code_folder()}: {error.strerror}")

    def _file(self, sig: object, codegen: Any) -> Path:
        key = (
            FORMAT,
            self.stamp,
            sig,
            codegen.magic_tuple(),
            numba.__version__,
            sys.implementation.cache_tag,
        )
        return code_folder() / f"{self.name}-{hashlib.sha256(repr(key).encode()).hexdigest()[:32]}.code"


def source_stamp(function: FunctionType) -> str:
    """A digest of the file of a function and of the compiled functions it calls from other files."""
    code = function.__code__
    called = (getattr(function.__globals__.get(name), "_cache", None) for name in code.co_names)
    stamps = [one.stamp for one in called if isinstance(one, SavedCode)]
    return hashlib.sha256(" ".join([read_digest(code.co_filename), *stamps]).encode()).hexdigest()


@cache
def read_digest(file: str) -> str:
    """The digest of a source file, which is read once."""
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def read_checked(file: Path) -> bytes | None:
    """The content of a file that `write_checked` wrote; none if it cannot be read or is damaged."""
    try:
        data = file.read_bytes()
    except OSError:
        return None  # not saved yet, or not for this user: it is compiled
    digest, content = data[:DIGEST], data[DIGEST:]
    return content if hashlib.sha256(content).digest() == digest else None


def write_checked(file: Path, content: bytes) -> None:
    """Write a file together with its digest, whole or not at all."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(file, hashlib.sha256(content).digest() + content)


def write_whole(file: Path, content: bytes) -> None:
    """Write a file, whole or not at all."""
    with NamedTemporaryFile(dir=file.parent, prefix=file.name, suffix=".part", delete=False) as part:
        try:
            part.write(content)
            part.close()
            os.replace(part.name, file)
        except OSError:
            os.unlink(part.name)
            raise


@cache
def warn_once(message: str) -> None:
    """Say what it costs that nothing can be saved."""
    log.warning("retruco: %s; every start compiles again. NUMBA_CACHE_DIR names another folder.", message)
