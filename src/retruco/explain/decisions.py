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
SHARES: Final = ("odds", "share", "chance", "price", "mixture")
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

    def explain_plainly(self, decision: Decision) -> str:
        """Say why for somebody who knows the game and nothing else: what was done in similar hands, and how it went."""
        if not decision.asked:
            mixture = decision.values.get("mixture")
            return self._varies(mixture) if mixture else f"{_capital(self._plain_reason(decision))}."
        last = decision.asked[-1]
        if not last.matches or last.choice.answer is None or last.choice.rule == BY_TUTOR:
            return self.explain(decision)
        parts = [self._count(last), *self._adaptations(last), *self._plain_rule(last)]
        parts += [self.revision(found) for found in decision.revised_by if found.after == last.answer][-1:]
        return " ".join(f"{_capital(part)}." for part in parts)

    def _plain_reason(self, decision: Decision) -> str:
        """The reason of a scripted player without its numbers, where there is a plainer sentence."""
        key = f"why.plain.by_script.{decision.reason}"
        if not self.texts.has(key):
            return self._by_reason(decision)
        return self.texts(key, **{name: self._fact(name, value) for name, value in decision.values.items()})

    def _plain_rule(self, asked: QuestionRecord) -> list[str]:
        """What decided, where counting alone does not tell it."""
        key = f"why.plain.rule.{asked.choice.rule}"
        return [self.texts(key)] if self.texts.has(key) else []

    def _varies(self, mixture: object) -> str:
        actions = self._fact("mixture", mixture)
        if isinstance(mixture, Mapping):
            actions = self._fact("mixture", {self._name(action): share for action, share in mixture.items()})
        return f"{_capital(self.texts('why.plain.varies', actions=actions))}."

    def _count(self, asked: QuestionRecord) -> str:
        """How many similar hands did what is proposed, and how often that won; some rules have a sentence instead."""
        instead = f"why.plain.instead.{asked.choice.rule}"
        if self.texts.has(instead):
            return self.texts(instead, total=len(asked.matches))
        label, answer = asked.choice.label, asked.choice.answer
        same = [match for match in asked.matches if label(match.action) == answer]
        won = sum(match.won for match in same)
        how_often = self.texts(f"why.plain.{('never', 'once', 'often')[min(won, 2)]}", won=won)
        did = self._did(str(answer))
        return self.texts(
            "why.plain.counted", count=len(same), total=len(asked.matches), did=did, won=how_often
        )

    def _did(self, answer: str) -> str:
        """What a player did, in the past tense."""
        if self.texts.has(f"why.past.{answer}"):
            return self.texts(f"why.past.{answer}")
        is_call = self.texts.has(f"call.{answer}.label")
        return self.texts("why.plain.called" if is_call else "why.plain.chose", answer=self._name(answer))

    def _adaptations(self, asked: QuestionRecord) -> list[str]:
        """Which actions of the similar hands count as another here."""
        label = asked.choice.label
        actions = sorted({match.action for match in asked.matches if label(match.action) != match.action})
        return [
            self.texts("why.plain.counts_as", before=self._name(action), after=self._name(label(action)))
            for action in actions
            if label(action) == asked.choice.answer
        ]

    def revision(self, revision: Revision) -> str:
        """Say why a rule replaced what experience proposed."""
        key = f"why.rule.{revision.rule}.because"
        facts = {name: self._fact(name, value) for name, value in revision.values.items()}
        values = {"after": self._name(revision.after), **facts}
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
        if asked.matches and not _has_gained(asked):
            key = f"why.no_gain.{asked.choice.rule}"
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
            return share_text(value)
        if isinstance(value, Mapping):
            show = share_text if name in SHARES else _number
            return ", ".join(f"{key} {show(amount)}" for key, amount in value.items() if amount)
        return self.texts(f"why.suit.{value}") if name == "suit" else str(value)


def _has_gained(asked: QuestionRecord) -> bool:
    """Whether the chosen answer has gained what its criterion counts; "won most often" is not said of no victory."""
    if asked.choice.rule == "PV":
        return any(match.won for match in asked.supporters)
    return asked.choice.rule != "NP" or sum(match.credit for match in asked.supporters) > 0


def share_text(share: object) -> str:
    """Show a share as a percentage; what is rare is not said never to happen.

    >>> share_text(0.714), share_text(0.001), share_text(0.999), share_text(1.0)
    ('71%', '<1%', '>99%', '100%')
    """
    if not isinstance(share, float):
        return str(share)
    if 0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1 else f"{share:.0%}"


def _number(amount: object) -> str:
    return f"{amount:+.2f}" if isinstance(amount, float) else str(amount)


def _capital(text: str) -> str:
    """Begin with a capital letter.

    >>> _capital("drawn by lot")
    'Drawn by lot'
    """
    return text[:1].upper() + text[1:]
