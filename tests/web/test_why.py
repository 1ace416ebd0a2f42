"""Why an agent moved: sentence, votes and cases tell the same, first in plain words."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from serving import some_cases

from retruco.agents.core import ask_agent
from retruco.agents.registry import find_agent
from retruco.arena.duel import deals_from
from retruco.arena.table import Table
from retruco.cbr.case import Decision
from retruco.cbr.casebase import CaseBase
from retruco.explain import LANGUAGES
from retruco.games.truco import Truco
from retruco.streams import Stream
from retruco.vocab.truco import with_score
from retruco.web.core.i18n import texts
from retruco.web.review.why import decision_json

MATCHES = 3


@cache
def decisions(policy: str) -> list[Decision]:
    """What a case-based agent decides in some matches against a scripted one."""
    agent = find_agent(policy, "truco", lambda game: some_cases())
    other = find_agent("balanced", "truco")
    found: list[Decision] = []
    for number in range(MATCHES):
        game = Truco.named("trucogame")
        table = Table(game, deals_from(game, 9, number), 0)
        while (seat := table.to_act) is not None:
            chance = Stream("why", number, len(found))
            who: Any = agent if seat == 0 else other
            decision = who.decide(table.observe(seat), chance)
            if seat == 0:
                found.append(decision)
            table.act(seat, decision.action)
    return found


def questions(policy: str, language: str = "en") -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The decisions that were made by cases, as data, each with its last question."""
    for decision in decisions(policy):
        why = decision_json(decision, texts(language))
        if why["asked"] and why["asked"][-1]["count"] and why["asked"][-1]["rule"] in ("PV", "NP", "MJ"):
            yield why, why["asked"][-1]


@pytest.mark.parametrize("policy", ["PVS", "NPS", "MJS"])
def test_the_answer_that_a_reason_names_has_votes_and_a_score(policy: str) -> None:
    adapted = 0
    for why, asked in questions(policy):
        tallies = {tally["item"]: tally for tally in asked["actions"]}
        assert sum(tally["count"] for tally in tallies.values()) == asked["count"]
        chosen = tallies[asked["proposed"]]
        assert chosen["count"] > 0
        assert chosen["score"] is not None
        if "won most often" in why["sentence"]:
            assert chosen["won"] > 0
        if "brought the most points" in why["sentence"]:
            assert chosen["points"] > 0
        adapted += bool(asked["adapted"])
    assert adapted > 0, "some card that is gone counts as another"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_plain_reason_counts_what_the_votes_count(language: str) -> None:
    for why, asked in questions("PVS", language):
        chosen = next(tally for tally in asked["actions"] if tally["item"] == asked["proposed"])
        numbers = [int(number) for number in re.findall(r"\d+", why["plain"].partition(".")[0])]
        assert numbers[:2] == [chosen["count"], asked["count"]]
        if chosen["won"] > 1:
            assert numbers[2] == chosen["won"]
        assert "{" not in why["plain"]


def test_a_plain_reason_says_what_was_done_as_people_say_it() -> None:
    plain = " ".join(why["plain"] for why, _ in questions("PVS"))
    assert re.search("the player (played|called|said|accepted|declined|folded)", plain)
    assert "the player chose" not in plain


def test_a_case_is_shown_with_the_cards_of_its_hand() -> None:
    hands = [case["cards"] for _, asked in questions("PVS") for case in asked["cases"] if case["cards"]]
    assert hands
    assert all(re.fullmatch(r"\d+[eboc]", card) for hand in hands for card in hand)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reason_shows_the_scores_where_they_are_compared(language: str) -> None:
    game, cases = Truco.named("trucogame"), CaseBase(with_score.VOCABULARY)
    hands = game.deal(Stream("why")).hands
    state = game.begin(hands, (6, 12), 0)
    while (seat := state.to_act) is not None:
        state = state.play(state.observe(seat).held[0])
    cases.add(with_score.rows(state.record(), 0, 1))
    agent = find_agent("NPS@score=compared", "truco", lambda *_: cases)
    seen = game.begin(hands, (7, 13), 0).observe(0)
    why = decision_json(ask_agent(agent, seen, Stream("why")), texts(language))
    shown = {line["name"]: line["value"] for line in why["asked"][0]["query"]}
    names = [texts(language)(f"why.feature.{name}") for name in ("own_score", "other_score")]
    assert [shown[name] for name in names] == ["7", "13"]
    assert len(why["asked"][0]["cases"][0]["parts"]) == len(shown)
