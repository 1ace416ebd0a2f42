"""Words in three languages: every sentence of the pages is looked up here by its key.

>>> texts("en")("call.truco.label")
'Truco'
>>> texts("en")("board.to", target=24)
'to 24'
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from retruco.web.core.paths import TEXTS

LANGUAGES: Final = ("pt", "es", "en")
"""The languages of the pages, Portuguese first: it is where the game is at home."""


class Texts:
    """The sentences of one language, by key; values are filled in where a sentence has places for them."""

    def __init__(self, language: str, tree: Mapping[str, Any]) -> None:
        self.language, self.tree = language, tree
        self.known = _flat(tree)

    def __call__(self, key: str, /, **values: object) -> str:
        """Look a sentence up; a key without one is shown itself, so that nothing is ever silent."""
        sentence = self.known.get(key)
        if sentence is None:
            return key
        return sentence.format_map(_Shown(values)) if values else sentence

    def has(self, key: str) -> bool:
        """Whether there is a sentence for a key."""
        return key in self.known

    def under(self, *prefixes: str) -> dict[str, str]:
        """The sentences that a page's script needs."""
        return {key: text for key, text in self.known.items() if key.startswith(prefixes)}


class _Shown(dict[str, object]):
    """Leaves a place that nothing is known for as it is."""

    def __missing__(self, key: str) -> str:
        return f"{{{key}}}"


@cache
def texts(language: str) -> Texts:
    """Read the sentences of a language."""
    return Texts(language, json.loads((TEXTS / f"{language}.json").read_text(encoding="utf-8")))


def _flat(tree: Mapping[str, Any], before: str = "") -> dict[str, str]:
    """Join nested keys by dots; lists, such as the pages of the lesson, are read from the tree.

    >>> _flat({"call": {"truco": "Truco"}})
    {'call.truco': 'Truco'}
    """
    found: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{before}{key}.")
        elif isinstance(value, str):
            found[before + key] = value
    return found


def preferred(accepted: str) -> str:
    """Choose a language by what a browser accepts; English if it asks for none of ours.

    >>> preferred("es-AR,es;q=0.9,en;q=0.8"), preferred("de"), preferred("fr, pt-BR;q=0.5")
    ('es', 'en', 'pt')
    """
    wanted: list[tuple[float, str]] = []
    for part in accepted[:200].split(","):
        name, _, weight = part.strip().partition(";q=")
        wanted.append((-_number(weight), name[:2].lower()))
    return next((name for _, name in sorted(wanted, key=lambda one: one[0]) if name in LANGUAGES), "en")


def _number(text: str) -> float:
    try:
        return float(text) if text else 1.0
    except ValueError:
        return 0.0
