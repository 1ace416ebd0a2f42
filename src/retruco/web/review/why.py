"""Why an agent moved as it did: its decision with all evidence, as plain data and as a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from retruco.cbr.case import Decision, Match, Problem, QuestionRecord
from retruco.cbr.vocabulary import Scenario
from retruco.explain import Explainer
from retruco.games.truco.deck import CLASSES
from retruco.vocab.registry import find_scenario
from retruco.vocab.truco.scenarios import STRENGTH_CODES
from retruco.vocab.truco.v2 import VOCABULARY as VOCABULARY_2
from retruco.web.core.i18n import Texts

Json = dict[str, Any]

MOST_CASES: Final = 12
"""How many similar cases are shown; all of them are counted."""

CARD_OF_CODE: Final = {code: card for card, code in STRENGTH_CODES.items()}
CARD_OF_STRENGTH: Final = {
    strength: cards[0] if len(cards) == 1 else str(cards[0].removesuffix(cards[0][-1]))
    for strength, cards in enumerate(reversed(CLASSES), 1)
}
"""Cards by strength, as vocabulary 2 counts it; those that tie by their rank."""
NUMBERS: Final = ("envido_points", "flor_points", "other_points", "beaters", "own_score", "other_score")
HAND_FEATURES: Final = ("high", "medium", "low")
LACKS: Final = ("own_lack", "other_lack")


def decision_json(decision: Decision, texts: Texts) -> Json:
    """Show a decision with its evidence."""
    return {
        "action": decision.action,
        "plain": explainer(texts).explain_plainly(decision),
        "sentence": sentence(decision, texts),
        "asked": [_question_json(asked, texts) for asked in decision.asked],
        "revisions": [
            {
                "rule": revision.rule,
                "before": revision.before,
                "after": revision.after,
                "sentence": explainer(texts).revision(revision),
            }
            for revision in decision.revised_by
        ],
    }


def _question_json(asked: QuestionRecord, texts: Texts) -> Json:
    matches, scenario = asked.matches, find_scenario("truco", asked.problem)
    return {
        "scenario": asked.scenario,
        "title": texts(f"why.scenario.{asked.scenario}"),
        "answer": asked.answer,
        "proposed": asked.choice.answer,
        "rule": asked.choice.rule if asked.evidence else None,
        "adapted": [list(pair) for pair in sorted(_adaptations(asked))],
        "count": len(matches),
        "least": min((match.similarity for match in matches), default=None),
        "query": query_of(asked.problem, texts),
        "cards": _pictures(scenario.decode(asked.problem), scenario),
        "actions": _tallies(
            [asked.choice.label(match.action) for match in matches], matches, asked.choice.scores
        ),
        "clusters": _tallies([str(match.cluster) for match in matches], matches, asked.choice.cluster_scores)
        if asked.choice.cluster is not None
        else [],
        "cluster": asked.choice.cluster,
        "cases": [_case(scenario, match, texts) for match in matches[:MOST_CASES]],
    }


def _adaptations(asked: QuestionRecord) -> set[tuple[str, str]]:
    """The actions of the retrieved cases that count as another here, each with what it counts as."""
    label = asked.choice.label
    return {
        (match.action, label(match.action)) for match in asked.matches if label(match.action) != match.action
    }


def query_of(problem: Problem, texts: Texts) -> list[Json]:
    """Show what was asked, attribute by attribute."""
    scenario = find_scenario("truco", problem)
    return [
        {"name": texts(f"why.feature.{name}"), "value": show_value(scenario, name, value, texts)}
        for name, value in scenario.decode(problem).items()
    ]


def show_value(scenario: Scenario, name: str, value: int | str, texts: Texts) -> str:
    """Print an attribute: a strength as the card it stands for, a word in the reader's language."""
    if isinstance(value, str):
        return texts(f"why.value.{value}")
    if name in LACKS:
        return texts(f"why.lack.{value}")
    cards = CARD_OF_STRENGTH if scenario in VOCABULARY_2.scenarios else CARD_OF_CODE
    return str(value) if name in NUMBERS else cards.get(value, str(value))


def _tallies(items: Sequence[str], matches: Sequence[Match], scores: Mapping[str, float]) -> list[Json]:
    """Count the votes for each action or cluster, what they won, and the score they were given."""
    counts = Counter(items)
    won = Counter(item for item, match in zip(items, matches, strict=True) if match.won)
    points: Counter[str] = Counter()
    for item, match in zip(items, matches, strict=True):
        points[item] += match.credit
    return [
        {"item": item, "count": count, "won": won[item], "points": points[item], "score": scores.get(item)}
        for item, count in counts.most_common()
    ]


def _case(scenario: Scenario, match: Match, texts: Texts) -> Json:
    return {
        "case": f"{match.episode}.{match.question}",
        "similarity": match.similarity,
        "action": match.action,
        "points": match.credit,
        "won": match.won,
        "cards": _pictures({part.name: part.case for part in match.parts}, scenario),
        "cluster": match.cluster,
        "parts": [
            {"value": show_value(scenario, part.name, part.case, texts), "similarity": float(part.similarity)}
            for part in match.parts
        ],
    }


def _pictures(values: Mapping[str, int | str], scenario: Scenario) -> list[str]:
    """The cards of a hand for a picture of it; one that is known by its rank alone is shown in cups."""
    known = [values[name] for name in HAND_FEATURES if isinstance(values.get(name), int)]
    cards = CARD_OF_STRENGTH if scenario in VOCABULARY_2.scenarios else CARD_OF_CODE
    names = [str(cards[value]) for value in known if value in cards]
    return [f"{name}c" if name.isdecimal() else name for name in names]


def sentence(decision: Decision, texts: Texts) -> str:
    """Say in a sentence why an action was chosen."""
    return explainer(texts).explain(decision)


def explainer(texts: Texts) -> Explainer:
    """Explain in the reader's language, with the names that the pages have for answers."""
    return Explainer(texts, lambda answer: answer_in(texts, answer))


def answer_in(texts: Texts, answer: str) -> str:
    """Name an answer: a call, a card by its label, or silence."""
    for key in (f"why.answer_word.{answer}", f"call.{answer}.label"):
        if texts.has(key):
            return texts(key)
    return answer
