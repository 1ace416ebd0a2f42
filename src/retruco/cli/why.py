"""Decisions in words: the sentences that a reason's key and values stand for."""

from __future__ import annotations

from typing import Final

from retruco.cbr.case import Decision, QuestionRecord, Revision

BY_RULE: Final = {
    "MJ": "most of them answered {answer}",
    "PL": "a draw among them fell on {answer}",
    "PV": "{answer} won most often",
    "NP": "{answer} brought the most points",
    "GM": "{answer} has the most votes among what did not lose",
    "lost-least": "all of it lost, and {answer} lost least",
    "lot": "there are too few of them to know; by lot, {answer}",
    "shown": "the tutor showed {answer}",
    "pays-best": "{answer} brought the most on average",
    "bluff": "nothing pays, and by lot this is a bluff",
    "nothing-pays": "nothing pays, so {answer}",
}

REVISED: Final = {
    "logical-bet": "but the last card wins for sure, so {after}",
    "hopeless-bet": "but the last card cannot win any more, so {after}",
    "compulsive-bluff": "but {points} points are too few to open the envido, so {after}",
    "reckless-raise": "but {points} points are too few to raise to a falta, so {after}",
    "reckless-falta": "but {points} points are too few to open with falta, so {after}",
    "wasted-card": "but {beats} can be beaten cheaper, so {after}",
    "thrown-hand": "but no hand is thrown away while a card can be played, so {after}",
    "pot-odds": "but a chance of {chance} % is worth a price of {price} % of the pot, so {after}",
    "dear-fold": "but going to the deck would give the hand away too, so {after}",
}

BY_SCRIPT: Final = {
    "drawn": "drawn by lot",
    "always": "it always does",
    "solved": "drawn from the mixture of the solution",
    "solver.unknown": "the solution has not met this situation, so drawn by lot",
    "hold.raise": "the hand is strong enough to raise",
    "hold.bet": "the hand is good enough to bet",
    "hold.call": "the hand is good enough for the price",
    "hold.draw": "the pot pays for the chance to improve",
    "hold.fold": "the hand is too poor for the price",
    "flor.sung": "three cards of one suit are sung",
    "flor.raised": "a flor this good is worth a raise",
    "flor.answered": "a flor answers a flor",
    "flor.accepted": "the flor is good enough for the price",
    "flor.declined": "the flor is too poor for the price",
    "envido.good": "these points are the better ones more often than not",
    "envido.bluff": "a bluff: the points are poor",
    "envido.first": "envido comes before the truco",
    "envido.gamble": "behind on the board, everything is staked on the envido",
    "envido.raised": "the points are good enough to raise",
    "envido.accepted": "the points are good enough for the price",
    "envido.declined": "the points are too poor for the price",
    "envido.nothing-to-lose": "declining would lose the match",
    "truco.sure": "the hand cannot be lost",
    "truco.strong": "the cards are strong enough to ask for more",
    "truco.bluff": "a bluff: the cards are poor",
    "truco.nothing-to-lose": "losing the hand would lose the match anyway",
    "truco.raised": "the cards are strong enough to raise",
    "truco.accepted": "the cards are good enough for the price",
    "truco.declined": "the cards are too poor for the price",
    "fold.lost": "no card can save this hand",
    "card.only": "it is the last card",
    "card.cheapest": "the lowest card that wins the round",
    "card.best": "the card that leaves the best chance to win the hand",
    "card.high": "a high card to take the round",
    "card.low": "a low card, the good ones are kept",
    "card.kept": "the best card is kept for later",
    "card.hidden": "the round is lost, so the card stays hidden",
}
"""Why a scripted player did something."""

AT_EUCHRE: Final = {
    "euchre.high": "always the highest card",
    "euchre.low": "the lowest card",
    "euchre.partner-wins": "the partner is winning",
    "euchre.can-win": "it can win",
    "euchre.cannot-win": "it cannot win",
    "euchre.share-high": "it holds enough of the value still out to play high",
    "euchre.share-low": "it holds too little of the value still out to play high",
    "euchre.partner-can-trump": "the partner is out of this suit and may trump",
    "euchre.partner-strong": "the partner is strong in this suit",
    "euchre.lead-high": "nothing is known of the partner, so a high card",
    "euchre.partner-void-trump": "the partner has no trumps",
    "euchre.last-may-beat": "the last seat may beat the partner",
    "euchre.leaves-it": "the trick is left to the partner",
    "euchre.wants-it": "it wants the trick",
    "euchre.right-bower": "the right bower is led",
    "euchre.fresh-ace": "an ace of a suit that was not led yet",
    "euchre.only-card": "nothing else is possible",
    "euchre.calls": "the hand is good enough to call",
    "euchre.passes": "the hand is too poor to call",
    "euchre.stuck": "it must call, and this suit is its best",
    "euchre.worst-card": "the least valuable card",
    "euchre.together": "the partner is kept",
    "euchre.alone": "four tricks are in sight, with a bower",
    "euchre.imagined": "the best card of the deals it imagined",
    "euchre.ismcts": "what OpenSpiel's search visited most",
}
"""Why a Euchre player did something."""

NO_EVIDENCE: Final = "No similar hand is remembered; {because}."
NO_EXPERIENCE: Final = "No similar hand is remembered; by plain sense {answer}."
TOO_FEW: Final = "Only {similar} similar situations are remembered, too few to go by; by lot, {answer}."


def sentence(decision: Decision) -> str:
    """Say in a sentence why an action was chosen."""
    if not decision.asked:
        return _scripted(decision)
    last = decision.asked[-1]
    text = _remembered(last)
    fired = [revision for revision in decision.revised_by if revision.after == last.answer]
    return f"{text.removesuffix('.')}, {_revised(fired[-1])}." if fired else text


def _remembered(asked: QuestionRecord) -> str:
    choice = asked.choice
    if asked.evidence is None and choice.rule != "shown":
        return f"There was nothing to choose: only {asked.answer} is possible."
    if choice.rule == "too-few-cases":
        return TOO_FEW.format(similar=len(asked.matches), answer=asked.answer)
    if choice.answer is None:
        return NO_EXPERIENCE.format(answer=asked.answer)
    if not asked.matches:
        return NO_EVIDENCE.format(because=BY_RULE[choice.rule].format(answer=choice.answer))
    similar = len(asked.matches)
    closest = min(match.similarity for match in asked.matches)
    because = BY_RULE[choice.rule].format(answer=choice.answer)
    group = f" in group {choice.cluster + 1}" if choice.cluster is not None else ""
    return f"Of {similar} remembered questions at least {closest:.0%} alike,{group} {because}.".replace(
        ",  ", ", "
    )


def _revised(revision: Revision) -> str:
    return REVISED[revision.rule].format(after=revision.after, **revision.values)


def _scripted(decision: Decision) -> str:
    known = BY_SCRIPT | AT_EUCHRE
    reason = known.get(decision.reason, decision.reason or "it did not say why")
    values = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in decision.values.items())
    return f"{decision.action}: {reason}{f' ({values})' if values else ''}."
