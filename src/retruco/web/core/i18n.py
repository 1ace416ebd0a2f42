"""Words in three languages: every sentence of the pages, by its key; those that say why are shared with the terminal.

>>> texts("en")("call.truco.label")
'Truco'
>>> texts("en")("board.to", target=24)
'to 24'
"""

from __future__ import annotations

from functools import cache

from retruco.explain.texts import LANGUAGES, Texts, merge_trees, read_tree, sentences
from retruco.web.core.paths import TEXTS

__all__ = ["LANGUAGES", "Texts", "preferred", "texts"]


@cache
def texts(language: str) -> Texts:
    """Read the sentences of a language."""
    return Texts(language, merge_trees(sentences(language).tree, read_tree(TEXTS / f"{language}.json")))


def preferred(accepted: str) -> str:
    """Choose a language by what a browser accepts; English if it asks for none of ours.

    >>> preferred("es-AR,es;q=0.9,en;q=0.8"), preferred("de"), preferred("fr, pt-BR;q=0.5")
    ('es', 'en', 'pt')
    """
    wanted: list[tuple[float, str]] = []
    for part in accepted[:200].split(","):
        name, _, weight = part.strip().partition(";q=")
        wanted.append((-_number(weight), name[:2].lower()))
    return next((name for _, name in sorted(wanted, key=lambda choice: choice[0]) if name in LANGUAGES), "en")


def _number(text: str) -> float:
    try:
        return float(text) if text else 1.0
    except ValueError:
        return 0.0
