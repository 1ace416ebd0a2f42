"""`montecarlo`: imagines deals that agree with what it has seen and plays each card out in all of them.

The rest of an imagined hand is played as HIGH! would, with the cheapest winner where that is the last
card of a trick; the card with the best mean balance of points is played. Bidding counts tricks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from retruco.agents.core import Entry
from retruco.agents.euchre.imagining import imagined
from retruco.agents.euchre.players import EuchrePlayer
from retruco.cbr.case import Decision
from retruco.compiler import compiled
from retruco.games.euchre import DECK, EuchreObservation
from retruco.games.euchre import stepper as at
from retruco.games.euchre.stepper import Row, balance, play
from retruco.streams import Stream
from retruco.vocab.euchre.cards import sensible

BIDDING: Final = EuchrePlayer("HIGH", "tricks")


@dataclass(frozen=True, slots=True)
class MonteCarlo:
    """Plays the card that does best in imagined deals."""

    deals: int = 20

    def decide(self, seen: EuchreObservation, chance: Stream) -> Decision:
        """Bid by counting tricks; play by imagining."""
        is_choice = len(seen.legal) > 1 and seen.legal[0] in DECK
        return self._imagine(seen, chance) if is_choice else BIDDING.decide(seen, chance)

    def _imagine(self, seen: EuchreObservation, chance: Stream) -> Decision:
        sums = np.zeros(at.DECK_SIZE, np.int64)
        for _ in range(self.deals):
            try_cards(np.array(imagined(seen, chance).row), sums)
        balances = {card: int(sums[DECK.index(card)]) for card in seen.legal}
        best = max(seen.legal, key=balances.__getitem__)
        values = {card: round(total / self.deals, 2) for card, total in balances.items()}
        return Decision(best, "euchre.imagined", {"deals": self.deals, "points": values})


@compiled
def try_cards(row: Row, sums: NDArray[np.int64]) -> None:
    """Play each legal card out, every seat by the same plain sense, and add what that brings."""
    for card in range(at.DECK_SIZE):
        if row[at.LEGAL] >> card & 1:
            end = row.copy()
            play(end, card)
            while end[at.STAGE] != at.OVER:
                play(end, sensible(end))
            sums[card] += balance(end, row[at.SEAT])


ROSTER = (
    Entry(
        "montecarlo",
        "euchre",
        "Imagines twenty deals and plays each card out in all of them; bids counting tricks.",
        lambda cases_for: MonteCarlo(),
    ),
)
