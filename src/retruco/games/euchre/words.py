"""What is said at the table, as it is written down."""

from __future__ import annotations

from typing import Final

from retruco.games.euchre.deck import SUITS

PASSING: Final = "pass"
ORDER: Final = "order"
CALLS: Final = {name: letter for letter, name in SUITS.items()}
"""The suits as they are named in the second round."""
AND_ALONE: Final = "-alone"
"""What a call ends in when the maker leaves the partner out in the same breath."""
ALONE: Final = "alone"
TOGETHER: Final = "together"
DISCARD: Final = "discard:"
"""What the dealer's putting a card away begins with."""
