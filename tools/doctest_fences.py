"""A Griffe extension: the doctests of docstrings become blocks of code in the API reference."""

from __future__ import annotations

import re
from typing import Any, Final

from griffe import Extension, Object

DOCTEST: Final = re.compile(r"(?:^|(?<=\n))>>> .*?(?=\n\s*\n|\Z)", re.DOTALL)


class DoctestFences(Extension):
    """Fences every doctest."""

    def on_object(self, *, obj: Object, **kwargs: Any) -> None:
        """Fence the doctests of one docstring."""
        if obj.docstring is not None:
            obj.docstring.value = fence_doctests(obj.docstring.value)


def fence_doctests(text: str) -> str:
    r"""Put doctests into fences.

    >>> fence_doctests("Adds.\n\n>>> 1 + 1\n2")
    'Adds.\n\n```pycon\n>>> 1 + 1\n2\n```'
    """
    return DOCTEST.sub(lambda found: f"```pycon\n{found[0]}\n```", text)
