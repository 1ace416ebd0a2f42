"""Rules that revise a hold'em strategy where cases alone go wrong."""

from __future__ import annotations

from retruco.cbr.revise import Replacement
from retruco.vocab.holdem.questions import Question
from retruco.vocab.holdem.view import percent


class PotOdds:
    """Revision: no fold where the pot pays for the chance to win or to improve.

    Casey throws away strong drawing hands because its cases count what a stage brings, not what
    already lies in the pot. The chance is that of being ahead against hands that bet, or else the
    chance that the next card puts one ahead.
    """

    name = "pot-odds"

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Call instead of folding when the price is right."""
        view = question.view
        betting, seen = view.betting, view.strength
        if proposed != "FOLD" or not betting.to_call:
            return None
        if seen is None:
            worth = view.chance * 0.8 ** (betting.bets_to_call - 1)
        else:
            worth = max(seen.now ** (betting.opponents + betting.bets_to_call), seen.positive)
        if worth <= view.price:
            return None
        return Replacement("CALL-ANY", {"chance": percent(worth), "price": percent(view.price)})


class StartingHand:
    """Revision: no chips before the flop for two cards that win less than their part.

    Among n players a hand's part is one pot in n. Casey plays too many hands that win seldom (section 5 of the
    paper): a hundred similar cases tell a small loss from a small profit only by luck.
    """

    name = "starting-hand"

    def __call__(self, question: Question, proposed: str, /) -> Replacement | None:
        """Fold what wins less than its part against as many random hands."""
        view = question.view
        if view.board or proposed == "FOLD" or not view.betting.to_call:
            return None
        part = 1 / (view.betting.opponents + 1)
        if view.chance >= part:
            return None
        return Replacement("FOLD", {"chance": percent(view.chance), "part": percent(part)})
