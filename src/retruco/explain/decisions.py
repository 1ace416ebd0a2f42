"""Decisions in words: the sentence that a decision's rule, reason and values stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import floor
from typing import Final

from retruco.cbr.case import Decision, QuestionRecord, Revision
from retruco.explain.opponents import OPPONENT, opponent_sentences
from retruco.explain.solutions import SOLUTION_VALUES, solution_sentences
from retruco.explain.texts import Texts

BY_TUTOR: Final = "shown"
TOO_FEW: Final = "too-few-cases"
SHARES: Final = ("odds", "share", "chance", "mixture")
"""Values that are shown as percentages where they are fractions."""
OWN_SENTENCES: Final = (*SOLUTION_VALUES, OPPONENT)
"""Values that have sentences of their own."""


@dataclass(frozen=True, slots=True)
class Explainer:
    """Says why an agent decided as it did, in one language.

    >>> from retruco.explain.texts import sentences
    >>> Explainer(sentences("en")).explain(Decision("truco", "truco.raised", {"odds": 0.71}))
    'The cards are strong enough to raise (odds 71%).'
    >>> Explainer(sentences("es")).explain(Decision("pass", "euchre.passes", {"suit": "h", "worth": 0.2, "least": 0.35}))
    'Con corazones ♥ la mano vale 0.2; haría falta 0.35.'
    """

    texts: Texts
    name_answer: Callable[[str], str] = str
    """How an answer is called; by its notation if nothing is given."""

    def explain(self, decision: Decision) -> str:
        """Say in a sentence why an action was chosen; the decisions of a solution need some more."""
        if not decision.asked:
            more = opponent_sentences(self.texts, decision.values)
            more += solution_sentences(self.texts, decision.values, self.name_answer)
            return " ".join(f"{_capital(sentence)}." for sentence in (self._by_reason(decision), *more))
        last = decision.asked[-1]
        parts = [self._by_cases(last)]
        parts += [self.revision(found) for found in decision.revised_by if found.after == last.answer][-1:]
        return f"{_capital(', '.join(parts))}."

    def revision(self, revision: Revision) -> str:
        """Say why a rule replaced what experience proposed."""
        key = f"why.rule.{revision.rule}.because"
        values = {"after": self._name(revision.after), **revision.values}
        return (
            self.texts(key, **values)
            if self.texts.has(key)
            else self.texts("why.other_rule", rule=revision.rule, **values)
        )

    def _name(self, answer: str | None) -> str:
        return self.name_answer(str(answer))

    def _by_cases(self, asked: QuestionRecord) -> str:
        choice, count = asked.choice, len(asked.matches)
        if choice.rule == BY_TUTOR:
            return self._criterion(asked)
        if asked.evidence is None:
            return self.texts("why.only_one", answer=self._name(asked.answer))
        if choice.rule == TOO_FEW:
            return self.texts("why.too_few", count=count, answer=self._name(asked.answer))
        if choice.answer is None:
            return self.texts("why.no_experience", answer=self._name(asked.answer))
        because = self._criterion(asked)
        if not asked.matches:  # an answer by lot needs none
            return self.texts("why.no_evidence", because=because)
        least = min(match.similarity for match in asked.matches)
        values = {"count": count, "percent": f"{floor(100 * least)}%", "because": because}
        if choice.cluster is None:
            return self.texts("why.remembered", **values)
        return self.texts("why.remembered_group", group=choice.cluster + 1, **values)

    def _criterion(self, asked: QuestionRecord) -> str:
        key, answer = f"why.criterion.{asked.choice.rule}.because", self._name(asked.choice.answer)
        if self.texts.has(key):
            return self.texts(key, answer=answer)
        return self.texts("why.other_criterion", rule=asked.choice.rule, answer=answer)

    def _by_reason(self, decision: Decision) -> str:
        """The reason of a scripted player; one that has no sentence here is shown as it was given."""
        key = f"why.by_script.{decision.reason}"
        pattern = self.texts(key) if self.texts.has(key) else decision.reason or self.texts("why.no_reason")
        plain = ((name, decision.values[name]) for name in decision.values if name not in OWN_SENTENCES)
        facts = {name: self._fact(name, value) for name, value in plain}
        reason = self.texts(key, **facts) if self.texts.has(key) else pattern
        rest = [self._detail(name, fact) for name, fact in facts.items() if f"{{{name}}}" not in pattern]
        return f"{reason} ({', '.join(rest)})" if rest else reason

    def _detail(self, name: str, fact: str) -> str:
        key = f"why.detail.{name}"
        return self.texts(key, value=fact) if self.texts.has(key) else f"{name.replace('_', ' ')} {fact}"

    def _fact(self, name: str, value: object) -> str:
        if name in SHARES and isinstance(value, float):
            return f"{value:.0%}"
        if isinstance(value, Mapping):
            show = "{:.0%}".format if name in SHARES else _number
            return ", ".join(f"{key} {show(amount)}" for key, amount in value.items())
        return self.texts(f"why.suit.{value}") if name == "suit" else str(value)


def _number(amount: object) -> str:
    return f"{amount:+.2f}" if isinstance(amount, float) else str(amount)


def _capital(text: str) -> str:
    """Begin with a capital letter.

    >>> _capital("drawn by lot")
    'Drawn by lot'
    """
    return text[:1].upper() + text[1:]
