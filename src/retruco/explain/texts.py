"""Sentences by key and language.

>>> sentences("en")("why.criterion.NP.because", answer="envido")
'envido brought the most points'
>>> sentences("pt")("why_not.hand-over")
'A mão acabou.'
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

LANGUAGES: Final = ("pt", "es", "en")
"""Portuguese first: it is where the game is at home."""
FOLDER: Final = Path(__file__).parent / "sentences"

Tree = Mapping[str, Any]


class Texts:
    """The sentences of one language, by key; values are filled in where a sentence has places for them."""

    def __init__(self, language: str, tree: Tree) -> None:
        self.language, self.tree = language, tree
        self.known = _flat(tree)

    def __call__(self, key: str, /, **values: object) -> str:
        """Look a sentence up; a key without one is shown itself, so that nothing is ever silent."""
        sentence = self.known.get(key)
        if sentence is None:
            return key
        return sentence.format_map(_Values(values)) if values else sentence

    def has(self, key: str) -> bool:
        """Whether there is a sentence for a key."""
        return key in self.known

    def under(self, *prefixes: str) -> dict[str, str]:
        """The sentences that a page's script needs."""
        return {key: text for key, text in self.known.items() if key.startswith(prefixes)}


class _Values(dict[str, object]):
    """Leaves a place that has no value as it is."""

    def __missing__(self, key: str) -> str:
        return f"{{{key}}}"


@cache
def sentences(language: str) -> Texts:
    """Read the sentences of all games in one language."""
    tree: Tree = {}
    for file in (FOLDER / f"{language}.json", *sorted(FOLDER.glob(f"*/{language}.json"))):
        tree = merge_trees(tree, read_tree(file))
    return Texts(language, tree)


def read_tree(file: Path) -> Tree:
    """Read nested keys and their sentences from a file."""
    tree: Tree = json.loads(file.read_text(encoding="utf-8"))
    return tree


def merge_trees(first: Tree, second: Tree) -> Tree:
    """Join two trees of sentences; where both have one for a key, the second counts.

    >>> merge_trees({"why": {"a": "A"}}, {"why": {"b": "B"}, "end": "E"})
    {'why': {'a': 'A', 'b': 'B'}, 'end': 'E'}
    """
    merged = dict(first)
    for key, value in second.items():
        before = merged.get(key)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            value = merge_trees(before, value)
        merged[key] = value
    return merged


def _flat(tree: Tree, before: str = "") -> dict[str, str]:
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
