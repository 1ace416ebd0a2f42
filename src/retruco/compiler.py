"""Functions compiled to machine code on first use, and the folder that holds the machine code.

The code is saved in the user's cache folder, or where NUMBA_CACHE_DIR says, and never beside the
package, which may be read-only or belong to somebody else. There is one file for each function
and signature, named after everything the code depends on: the source of the function and of the
compiled functions it calls, the versions of Python and numba, the processor. So environments with
the same sources share their code, and an upgrade never runs old code.

A file is written under a name of its own and then renamed, so any number of processes may compile
at once. If nothing can be saved, the functions are compiled at every start; if nothing can be
written but the code is there, it is read. `RETRUCO_COMPILED` names a second folder that is looked into
first and never written to: whoever installs for many prepares it once.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import sys
from collections.abc import Callable
from functools import cache, cached_property, update_wrapper
from itertools import product
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import FunctionType, ModuleType
from typing import Any, Final, TypeVar, cast

from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

FORMAT: Final = 4
"""Code that was saved under another number is compiled anew: raise it when functions are compiled otherwise."""
DIGEST: Final = hashlib.sha256().digest_size

READY_FOLDER: Final = "RETRUCO_COMPILED"
"""The environment variable that names a folder of compiled code to look into first; nothing is ever written there."""

log = logging.getLogger("retruco.compiler")


def compiled(function: F) -> F:
    """Compile a function on its first call, keeping its type for the reader and its code on disk; other threads run meanwhile."""
    return cast(F, Compiled(cast(FunctionType, function), nogil=True))


def compiled_step(function: F) -> F:
    """Compile a function that makes no arrays: numba then counts no references to those it is given.

    Counting takes most of the time of a short step on a group of arrays. Whatever such a function calls must make
    no arrays either; one that makes some does not compile. The machine code becomes a part of those that call it: to
    hand over a group of arrays to another function takes as long as a short step.

    Until numba is loaded (see `load_numba`), a step runs as the plain Python that it is written in, and so does
    whatever it calls: a single decision needs no compiler.
    """
    return cast(F, Compiled(cast(FunctionType, function), runs_plain=True, _nrt=False, forceinline=True))


def compiled_loop(function: F) -> F:
    """Compile a loop over arrays that it is given; it makes none, and other threads run while it does.

    As in a `compiled_step`, whatever it calls must make no arrays either.
    """
    return cast(F, Compiled(cast(FunctionType, function), _nrt=False, nogil=True))


def inlined(function: F) -> F:
    """Compile a function as a part of those that call it: for steps of a loop, which are compiled only once then.

    It makes no arrays, so that steps can call it, too.
    """
    return cast(F, Compiled(cast(FunctionType, function), runs_plain=True, _nrt=False, inline="always"))


class Compiled:
    """A function that is turned into machine code when it is first called; numba is imported only then."""

    def __init__(self, function: FunctionType, runs_plain: bool = False, **options: Any) -> None:
        update_wrapper(self, function)
        self.py_func, self.runs_plain, self.options = function, runs_plain, options
        self.saved = SavedCode(function)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Run the machine code; a step runs as plain Python as long as nothing has loaded numba."""
        dispatcher = self.__dict__.get("dispatcher")  # faster than to ask whether numba is loaded
        if dispatcher is None and self.runs_plain and not is_numba_loaded():
            return self.plain(*arguments, **named)
        return (dispatcher or self.dispatcher)(*arguments, **named)

    @cached_property
    def plain(self) -> Callable[..., Any]:
        """The function in plain Python, with all that it calls: a call stays plain when numba is loaded meanwhile."""
        step = self.py_func
        if getattr(step.__globals__.get("__spec__"), "_initializing", False):
            return step  # its module is being imported and has not all of its names
        names = plain_globals(step.__globals__)
        return FunctionType(step.__code__, names, step.__name__, step.__defaults__, step.__closure__)

    @cached_property
    def dispatcher(self) -> Any:
        """The function as numba knows it."""
        load_numba()
        from numba import njit

        dispatcher: Any = njit(**self.options)(self.py_func)
        dispatcher._cache = saved_code_for_numba(self.saved)
        return dispatcher

    def __reduce__(self) -> str:
        return self.py_func.__qualname__  # to another process by its name, as functions go

    def __getattr__(self, name: str) -> Any:
        # What numba asks of a function that another one calls, and what tells how often code was read from disk.
        if name in ("targetoptions", "stats", "compile", "overloads", "signatures"):
            return getattr(self.dispatcher, name)
        raise AttributeError(name)


def plain_globals(names: dict[str, Any]) -> dict[str, Any]:
    """The names of a module with steps as plain functions."""
    if id(names) not in _PLAIN_GLOBALS:
        found = dict(names)
        _PLAIN_GLOBALS[id(names)] = names, found  # before it is whole: modules call each other
        steps = [name for name, step in names.items() if isinstance(step, Compiled) and step.runs_plain]
        found |= {name: names[name].plain for name in steps}
    return _PLAIN_GLOBALS[id(names)][1]


_PLAIN_GLOBALS: Final[dict[int, tuple[dict[str, Any], dict[str, Any]]]] = {}
"""By the names of a module, which are kept, too: the same names for plain Python."""


def is_numba_loaded() -> bool:
    """Whether compiled code runs compiled: once a match, a batch or a case base was opened."""
    return _teach_numba.cache_info().currsize > 0


def load_numba() -> None:
    """Load numba, so that steps run compiled from now on."""
    _teach_numba()


@cache
def _teach_numba() -> None:
    """Let numba take a compiled function that calls another one by its dispatcher."""
    from numba.extending import typeof_impl

    @typeof_impl.register(Compiled)
    def typeof_compiled(function: Compiled, context: Any) -> Any:
        return typeof_impl(function.dispatcher, context)


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
            from numba import typeof

            types = tuple(typeof(argument) for argument in arguments)  # type: ignore[no-untyped-call]  # numba's
            machine_code = dispatcher.compile(types)
        return machine_code(*arguments)

    return cast(F, call)


def code_folder() -> Path:
    """The folder of the compiled code; it may be removed at any time."""
    return Path(os.environ.get("NUMBA_CACHE_DIR") or user_cache_path("retruco") / "compiled")


class SavedCode:
    """The compiled code of one function on disk: one file for each signature."""

    def __init__(self, function: FunctionType) -> None:
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.function = function

    @cached_property
    def stamp(self) -> str:
        """A digest of the sources, made on first use: by then the functions that are called exist, too."""
        return source_stamp(self.function)

    def load(self, sig: object, target_context: Any) -> Any:
        """The code for a signature, if it was saved whole.

        It needs numba's memory of arrays, but nothing that numba knows of types: to load that takes longer than all else.
        """
        from numba.core.compiler import CompileResult
        from numba.core.runtime.nrt import rtsys

        content = read_saved(self._file(sig, target_context.codegen()))
        if content is None:
            return None
        rtsys.initialize(target_context)
        parts = pickle.loads(content)  # noqa: S301  # the user's own file, trusted like the user's own Python files
        return CompileResult._rebuild(target_context, *parts)  # type: ignore[no-untyped-call]  # numba's own

    def save(self, sig: object, data: Any) -> None:
        """Save what was compiled; where that is impossible, say so once and go on without."""
        from numba.core.serialize import dumps

        if data.lifted or data.library.has_dynamic_globals:
            return  # such code holds addresses of this process
        content = dumps(data._reduce())  # type: ignore[no-untyped-call]  # numba's own
        try:
            write_checked(code_folder() / self._file(sig, data.codegen), content)
        except OSError as error:
            warn_once(f"compiled code cannot be saved in {code_folder()}: {error.strerror}")

    def _file(self, sig: object, codegen: Any) -> str:
        import numba

        key = (
            FORMAT,
            self.stamp,
            sig,
            codegen.magic_tuple(),
            numba.__version__,
            sys.implementation.cache_tag,
        )
        return f"{self.name}-{hashlib.sha256(repr(key).encode()).hexdigest()[:32]}.code"


def saved_code_for_numba(saved: SavedCode) -> Any:
    """The saved code of a function in the form in which numba asks for it."""
    from numba.core.caching import NullCache

    class Cache(NullCache):
        @property
        def cache_path(self) -> str:
            return str(code_folder())

        def load_overload(self, sig: object, target_context: Any) -> Any:
            return saved.load(sig, target_context)

        def save_overload(self, sig: object, data: Any) -> None:
            saved.save(sig, data)

    return Cache()


def source_stamp(function: FunctionType) -> str:
    """A digest of all that compiled code depends on: the files of a function and of those it calls, and constants.

    What is named by its module counts as well.
    """
    reached, ahead, parts = {function}, [function], set[str]()
    while ahead:
        step = ahead.pop()
        parts.add(read_digest(step.__code__.co_filename))
        names, homes = step.__code__.co_names, [step.__globals__]
        modules = (step.__globals__.get(name) for name in names)
        homes += [vars(module) for module in modules if isinstance(module, ModuleType)]
        for name, home in product(names, homes):
            value: Any = home.get(name)
            if isinstance(value, Compiled) and value.py_func not in reached:
                reached.add(value.py_func)
                ahead.append(value.py_func)
            elif is_constant(value):
                parts.add(f"{name} {value!r}")
            elif hasattr(value, "tobytes") and not isinstance(value, type):  # an array
                parts.add(f"{name} {hashlib.sha256(value.tobytes()).hexdigest()}")
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()


def is_constant(value: object) -> bool:
    """Whether a value is a number or a text, or a tuple of such."""
    return isinstance(value, int | float | str) or (isinstance(value, tuple) and all(map(is_constant, value)))


@cache
def read_digest(file: str) -> str:
    """The digest of a source file, which is read once."""
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def read_saved(name: str) -> bytes | None:
    """The content of a file of compiled code, from the read-only folder if it is there, else from one's own."""
    ready = os.environ.get(READY_FOLDER)
    content = read_checked(Path(ready) / name) if ready else None
    return read_checked(code_folder() / name) if content is None else content


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
