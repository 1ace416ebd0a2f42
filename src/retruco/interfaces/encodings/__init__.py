"""Actions as numbers and observations as arrays, for every game.

There is one file per game with a class `GameEncoding`; a game of another package brings it as `PACKAGE.encodings`.

>>> from retruco.games.registry import find_game
>>> encoding = find_encoding(find_game("kuhn"))
>>> encoding.actions, encoding.size
(('check', 'bet', 'call', 'fold'), 17)
"""

from __future__ import annotations

from retruco.games.core import Game
from retruco.interfaces.encodings.core import Encoding
from retruco.parts import find_part


def find_encoding(game: Game) -> Encoding:
    """The encoding of a table's game."""
    module = find_part("interfaces.encodings", game.name)
    if module is None:
        raise ValueError(
            f"{game.name} has no encoding: its package needs a module `encodings` with GameEncoding"
        )
    encoding: Encoding = module.GameEncoding(game)
    return encoding
