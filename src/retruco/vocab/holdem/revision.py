"""Rules that revise a hold'em strategy where cases alone go wrong."""

from __future__ import annotations

import numpy as np

from retruco.cbr.revise import Replacement
from retruco.compiler import compiled_step
from retruco.games.holdem.compiled import AT, Longs, bets_to_call
from retruco.vocab.holdem.questions import Question
from retruco.vocab.holdem.strength import (
    Odds,
    chance_of,
    odds,
    percent,
    potentials_of,
    price_of,
    strength_of,
)


@compiled_step
def chance_against_bets(situation: Longs, odds: Odds) -> float:
    """The chance to be ahead of hands that bet, or else that the next card puts one ahead."""
    bets = bets_to_call(situation)
    if not situation[AT.stage]:
        return float(chance_of(situation, odds) * 0.8 ** np.float64(bets - 1))
    ahead = strength_of(situation, odds) ** np.float64(situation[AT.opponents] + bets)
    return float(max(ahead, potentials_of(situation, odds)[0]))


class PotOdds:
    """Revision: no fold where the pot pays for the chance to win or to improve.

    Casey throws away strong drawing hands because its cases count what a stage brings, not what
    already lies in the pot.
    """

    name = "pot-odds"

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Call instead of folding when the price is right."""
        situation = question.situation
        if proposed != "FOLD" or not situation[AT.to_call]:
            return None
        worth, price = chance_against_bets(situation, odds()), price_of(situation)
        if worth <= price:
            return None
        return Replacement("CALL-ANY", {"chance": percent(worth), "price": percent(price)})


class StartingHand:
    """Revision: no chips before the flop for two cards that win less than their part.

    Among n players a hand's part is one pot in n. Casey plays too many hands that win seldom (section 5 of the
    paper): a hundred similar cases tell a small loss from a small profit only by luck.
    """

    name = "starting-hand"

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Fold what wins less than its part against as many random hands."""
        situation = question.situation
        if situation[AT.stage] or proposed == "FOLD" or not situation[AT.to_call]:
            return None
        part, chance = 1 / (situation[AT.opponents] + 1), chance_of(situation, odds())
        if chance >= part:
            return None
        return Replacement("FOLD", {"chance": percent(chance), "part": percent(part)})
