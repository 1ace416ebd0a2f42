"""Why: decisions and rules in sentences of three languages, the same in the terminal and on the web.

`texts` (sentences by key and language), `decisions` (why an agent decided so), `solutions` (what a
solution knows), `opponents` (what a player thinks of the other), `why_not` (why a call of Truco is not possible now). The sentences are in `sentences`: those of all games, and a folder for
each game that has reasons of its own.
"""

from retruco.explain.decisions import Explainer
from retruco.explain.texts import LANGUAGES, Texts, sentences
from retruco.explain.why_not import why_not

__all__ = ["LANGUAGES", "Explainer", "Texts", "sentences", "why_not"]
