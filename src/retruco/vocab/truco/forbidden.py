"""Which rows of a base the published revision would have forbidden (Paulus 2020, sections 4.1.2 and 4.1.3).

The dissertation cleans its learned base with the rules that revise decisions. A row holds what its question
showed, so the rules can be asked again without the hand: `forbidden_rule` is to a row what the rules of
`retruco.vocab.truco.revision` are to a question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from retruco.cbr.casebase import CaseBase
from retruco.cbr.similarity import Value
from retruco.games.truco.rounds import TIE, decided
from retruco.games.truco.rules import ENVIDO_CALLS
from retruco.vocab.truco.revision import POOR_ENVIDO
from retruco.vocab.truco.scenarios import LABELS, ME, NOBODY, OTHER

CALLS = ("envido", "envido_again", "real", "falta")
WINNERS = {"tie": TIE, ME: 0, OTHER: 1}


def forbidden_rule(scenario: str, values: Mapping[str, Value], action: str) -> str | None:
    """Name the published rule that would have replaced the answer of a row, if one would.

    >>> opening = {"envido_points": 7, "envido": "nobody", "envido_again": "nobody", "real": "nobody", "falta": "nobody"}
    >>> forbidden_rule("envido-first", opening, "envido"), forbidden_rule("envido-first", opening, "none")
    ('compulsive-bluff', None)
    """
    kind = scenario.partition("-")[0]
    if kind == "envido":
        return "compulsive-bluff" if _bluffs(values, action) else None
    if scenario == "truco-3-follow":
        return "logical-bet" if action in _timid_answers(values) and _wins(values) else None
    if kind == "card":
        if action == "baralho":
            return "thrown-hand"
        return "wasted-card" if scenario.endswith("follow") and _wastes(scenario, values, action) else None
    return None


def _bluffs(values: Mapping[str, Value], action: str) -> bool:
    nobody = all(values[call] == NOBODY for call in CALLS)
    return nobody and action in ENVIDO_CALLS and int(values["envido_points"]) < POOR_ENVIDO


def _timid_answers(values: Mapping[str, Value]) -> tuple[str, ...]:
    """What is forbidden to somebody who wins for sure: to give way, and not to raise where that is still possible."""
    highest = next((call for call in ("vale4", "retruco", "truco") if values[call] != NOBODY), None)
    if highest == "vale4":
        return "nao-quero", "baralho"
    return "none", "quero", "nao-quero", "baralho"


def _wins(values: Mapping[str, Value]) -> bool:
    """Whether the last card held wins the hand against the one on the table."""
    facing, left = values["other_third"], cards_left(values)
    if values["own_third"] != "absent" or facing == "absent" or len(left) != 1:
        return False
    power, mine = (0 if facing == "down" else int(facing)), next(iter(left.values()))
    last = 0 if mine > power else TIE if mine == power else 1
    winners = [WINNERS[str(values[f"winner_{number}"])] for number in (1, 2)]
    return decided((*winners, last), 0 if values["is_mao"] == "yes" else 1) == 0


def _wastes(scenario: str, values: Mapping[str, Value], action: str) -> bool:
    """Whether a higher card was played than the lowest that wins."""
    facing = values[f"other_{('first', 'second', 'third')[int(scenario[5]) - 1]}"]
    power = 0 if facing == "down" else int(facing)
    winners = {label: code for label, code in cards_left(values).items() if code > power}
    return action in winners and winners[action] > min(winners.values())


def cards_left(values: Mapping[str, Value]) -> dict[str, int]:
    """The cards still held by label; of equal strengths the one played first had the higher label.

    A card face down does not tell which one it was: then no card is known to be held.
    """
    held = {label: int(values[label]) for label in LABELS}
    for name in ("own_first", "own_second", "own_third"):
        played = values.get(name, "absent")
        if played == "down":
            return {}
        if played != "absent":
            held.pop(next(label for label in LABELS if held.get(label) == played))
    return held


def find_forbidden(cases: CaseBase) -> dict[str, set[int]]:
    """The episodes with a row that a rule would have forbidden, by the name of the rule."""
    found: dict[str, set[int]] = {}
    for scenario in cases.vocabulary.scenarios:
        for row in cases.rows(scenario.name):
            rule = forbidden_rule(scenario.name, scenario.decode(row.problem), row.action)
            if rule is not None:
                found.setdefault(rule, set()).add(row.episode)
    return found


def clean(cases: CaseBase) -> tuple[CaseBase, Counter[str]]:
    """Copy a base without the cases that a rule would have forbidden, and count those by rule."""
    forbidden = find_forbidden(cases)
    copy = cases.compared_by(cases.vocabulary, cases.measure)
    copy.remove(*sorted(set().union(*forbidden.values())))
    return copy, Counter({rule: len(episodes) for rule, episodes in forbidden.items()})
