"""How work that takes a while reports where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, Protocol, TypeVar

OFTEN: Final = 50
"""After how many things it is told how many there are."""


class Progress(Protocol):
    """Hears what is being made and how much of it is done; `of` is 0 where nobody can tell."""

    def __call__(self, message: str, done: int = 0, of: int = 0) -> None: ...
    def __hash__(self) -> int: ...


T = TypeVar("T")


def silent(message: str, done: int = 0, of: int = 0) -> None:
    """Report to nobody."""


def count_off(things: Iterable[T], of: int, message: str, progress: Progress) -> Iterator[T]:
    """Give the first `of` things, reporting how many there are so far.

    >>> list(count_off("abc", 2, "letters", lambda message, done=0, of=0: print(message, done, of)))
    letters 0 2
    letters 2 2
    ['a', 'b']
    """
    progress(message, 0, of)
    for done, thing in enumerate(islice(things, of), 1):
        yield thing
        if done == of or done % OFTEN == 0:
            progress(message, done, of)
