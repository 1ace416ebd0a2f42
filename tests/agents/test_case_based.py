"""The agents that remember, and the contract of everybody registered."""

import pickle
from collections.abc import Iterator

import pytest

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.core import Agent
from retruco.agents.registry import check_rules, find_agent, roster
from retruco.agents.truco.policies import OF_2019, TWENTY, policies
from retruco.arena.duel import deals_from, play_duel
from retruco.arena.match import play_match
from retruco.arena.table import Table
from retruco.cbr.case import Decision
from retruco.cbr.casebase import CaseBase
from retruco.cbr.clusters import cluster
from retruco.explain import Explainer, sentences
from retruco.games.core import Game
from retruco.games.records import replay
from retruco.games.registry import all_tables, game_names
from retruco.games.truco import Truco, TrucoObservation, TrucoState
from retruco.streams import Stream
from retruco.vocab.registry import find_vocabulary
from retruco.vocab.truco import VOCABULARY, questions, rows
from retruco.vocab.truco.questions import NONE, Question
from retruco.vocab.truco.revision import ALL_RULES


@pytest.fixture(scope="module")
def some_cases() -> CaseBase:
    """A small base of hands played by chance, clustered."""
    game, base, episode = Truco.named("trucogame"), CaseBase(VOCABULARY), 0
    chance = find_agent("random", "truco")
    for number in range(40):
        match = play_match(game, (chance, chance), deals_from(game, 4, number), 0, number)
        for hand in match.hands:
            episode += 1
            base.add(rows(hand.state.record(), episode % 2, episode))
    for scenario in VOCABULARY.scenarios:
        if scenario.hindsight and base.count(scenario.name):
            base.cluster(scenario.name, cluster(base.sample(scenario.name)))
    return base


def called(name: str, game: str, cases: CaseBase) -> Agent:
    def cases_for(asked: str, version: int | None = None) -> CaseBase:
        words = find_vocabulary(asked, version)
        assert words is not None
        return cases if words.VOCABULARY is VOCABULARY else CaseBase(words.VOCABULARY)

    return find_agent(name, game, cases_for)


def tables_for(name: str, game: str) -> Iterator[Game]:
    """Every table of a game by whose rules somebody plays."""
    rules = roster(game)[name].rules
    return (
        table for table in all_tables() if table.name == game and (not rules or table.rules_name in rules)
    )


SOUND_ENOUGH = ("MJS-sound", "PLS-sound", "NPCS-sound")
"""Of the policies with safeguards some stand for all: they differ as the twenty do, and all twenty play."""
EVERYBODY = [
    (name, game)
    for game in game_names()
    for name in roster(game)
    if not name.endswith("-sound") or name in SOUND_ENOUGH
]


@pytest.mark.parametrize(("name", "game"), EVERYBODY)
def test_everybody_registered_plays_whole_matches_legally(name: str, game: str, some_cases: CaseBase) -> None:
    for table in tables_for(name, game):
        seats = [called(name, game, some_cases)] + [find_agent("random", game)] * (table.seats - 1)
        few = 4 if game == "holdem" else None  # its matches are long, and all tables are many
        match = play_match(table, seats, deals_from(table, 2, 1), 0, 3, most_hands=few)
        assert match.forfeit is None, match.forfeit.why


def test_somebody_who_plays_by_some_rules_only_is_not_seated_by_others() -> None:
    check_rules("ismcts", "euchre", "openspiel")
    check_rules("random", "euchre", "classic")
    with pytest.raises(
        ValueError, match="ismcts plays euchre by the rules openspiel or openspiel-pass, not by classic"
    ):
        check_rules("ismcts", "euchre", "classic")


@pytest.mark.parametrize(("name", "game"), EVERYBODY)
def test_the_same_question_gets_the_same_answer(name: str, game: str, some_cases: CaseBase) -> None:
    table = next(tables_for(name, game))
    agent = called(name, game, some_cases)
    state = table.start(table.deal(Stream("same")), table.opening())
    assert state.to_act is not None
    answers = [agent.decide(state.observe(state.to_act), Stream("x")) for _ in (0, 1)]
    first, second = (one.action if isinstance(one, Decision) else one for one in answers)
    assert first == second


def test_the_policies_of_the_papers_are_all_there() -> None:
    names = set(policies())
    assert len(TWENTY) == 20
    raw = {f"{name}-raw" for name in (*TWENTY, *OF_2019)}
    sound = {f"{name}-sound" for name in TWENTY}
    assert names == {*TWENTY, *OF_2019, *raw, *sound, "guarded-majority"}
    assert names <= set(roster("truco"))


def test_a_policy_is_plain_data_that_prints_and_pickles() -> None:
    for policy in policies().values():
        assert pickle.loads(pickle.dumps(policy)) == policy
        assert policy.name in repr(policy)


def turns(cases: CaseBase, count: int) -> Iterator[TrucoObservation]:
    """Turns of matches between two policies."""
    game = Truco.named("trucogame")
    table = Table(game, deals_from(game, 8, 1), 0)
    player = called("PLS", "truco", cases)
    for number in range(count):
        if table.to_act is None:
            table = Table(game, deals_from(game, 8, number), 0)
        assert table.to_act is not None
        seen = table.observe(table.to_act)
        assert isinstance(seen, TrucoObservation)
        yield seen
        decision = player.decide(seen, Stream(number))
        assert isinstance(decision, Decision)
        table.act(table.to_act, decision.action)


def test_a_decision_carries_the_questions_and_the_evidence(some_cases: CaseBase) -> None:
    agent = called("PVCMJS", "truco", some_cases)
    for seen in turns(some_cases, 60):
        decision = agent.decide(seen, Stream("evidence"))
        assert isinstance(decision, Decision)
        assert [one.answer for one in decision.asked[:-1]] == [NONE] * (len(decision.asked) - 1)
        last = decision.asked[-1]
        assert decision.action in seen.legal
        if last.evidence is not None and last.choice.answer is not None:
            assert len(last.matches) >= 1
            assert all(0 <= match.similarity <= 1 for match in last.matches)
        assert Explainer(sentences("en")).explain(decision).endswith(".")


def test_without_any_experience_plain_sense_answers_and_says_so() -> None:
    agent = called("NPCS", "truco", CaseBase(VOCABULARY))
    seen_rules = set()
    for seen in turns(CaseBase(VOCABULARY), 80):
        decision = agent.decide(seen, Stream("empty"))
        assert isinstance(decision, Decision)
        assert decision.action in seen.legal
        seen_rules |= {one.choice.rule for one in decision.asked if one.evidence is not None}
    assert seen_rules == {"no-experience"}


@pytest.mark.slow
def test_an_agent_with_an_empty_base_plays_a_match_to_its_end() -> None:
    game = Truco.named("trucogame")
    players = called("MJS", "truco", CaseBase(VOCABULARY)), find_agent("random", "truco")
    result = play_duel(game, players, ("MJS", "random"), pairs=3, seed=1)
    assert result.failed == (0, 0)


def test_an_agent_that_remembers_needs_a_case_base() -> None:
    with pytest.raises(ValueError, match="needs a case base"):
        find_agent("MJS", "truco")


def question_after(actions: str, hands: str, kind: str, rules: str = "trucogame") -> Question:
    record = {
        "game": "truco",
        "rules": rules,
        "target": 24,
        "scores": [0, 0],
        "mao": 0,
        "hands": [half.split() for half in hands.split(" / ")],
        "actions": actions.split(),
    }
    state = replay(record)
    assert isinstance(state, TrucoState)
    assert state.to_act is not None
    return next(one for one in questions(state.observe(state.to_act)) if one.scenario.startswith(kind))


class TestRevision:
    """Paulus (2020), section 4.1.2, and ours: each rule by name."""

    def revised(self, rule: str, question: Question, proposed: str) -> str | None:
        one = next(one for one in ALL_RULES if one.name == rule)
        better = one(question, proposed)
        return better.action if better else None

    def test_a_sure_winner_raises(self) -> None:
        question = question_after("10e 5o 4c 6b 7c", "4c 10e 1e / 5o 6b 7c", "truco-3")
        assert question.scenario == "truco-3-follow"
        assert self.revised("logical-bet", question, "none") == "truco"

    def test_a_sure_winner_never_gives_way(self) -> None:
        question = question_after("10e 5o 4c 6b 7c truco retruco", "4c 10e 1e / 5o 6b 7c", "truco-3")
        assert self.revised("logical-bet", question, "nao-quero") == "vale4"

    def test_nobody_is_sure_before_the_last_card_lies_there(self) -> None:
        question = question_after("10e 5o 4c 6b", "4c 10e 1e / 5o 6b 7c", "truco-3")
        assert self.revised("logical-bet", question, "none") is None

    def test_a_bet_that_cannot_be_won_is_declined(self) -> None:
        question = question_after("10e 5o 4c 6b 7c truco retruco", "4c 10e 4o / 5o 6b 7c", "truco-3")
        assert self.revised("hopeless-bet", question, "quero") == "nao-quero"
        assert self.revised("logical-bet", question, "nao-quero") is None

    def test_envido_is_not_opened_below_twenty(self) -> None:
        question = question_after("", "4c 10o 1e / 5o 6b 7c", "envido")
        assert self.revised("compulsive-bluff", question, "real-envido") == "none"

    def test_an_answer_to_an_envido_is_no_opening(self) -> None:
        question = question_after("envido", "4c 10e 1e / 5o 6b 7c", "envido")
        assert self.revised("compulsive-bluff", question, "real-envido") is None

    def test_falta_is_not_opened_below_twenty_eight(self) -> None:
        question = question_after("", "4c 3c 1e / 5o 6b 7c", "envido")
        assert self.revised("reckless-falta", question, "falta-envido") == "envido"

    def test_an_envido_is_not_raised_to_a_falta_below_twenty_eight(self) -> None:
        modest = question_after("envido", "4c 3c 1e / 5o 10o 7c", "envido")
        poor = question_after("envido", "4c 3c 1e / 5o 6b 7c", "envido")
        good = question_after("envido", "4c 3c 1e / 7o 6o 10c", "envido")
        assert self.revised("reckless-raise", good, "falta-envido") is None
        assert self.revised("reckless-raise", poor, "falta-envido") == "nao-quero"
        assert self.revised("reckless-raise", poor, "real-envido") is None
        assert self.revised("reckless-raise", modest, "falta-envido") == "quero"

    def test_a_card_is_beaten_with_the_lowest_that_wins(self) -> None:
        question = question_after("5c", "5c 10e 1e / 4o 6b 7c", "card")
        assert self.revised("wasted-card", question, "high") == "medium"
        assert self.revised("wasted-card", question, "low") is None

    def test_no_hand_is_thrown_away(self) -> None:
        question = question_after("", "4c 3c 1e / 5o 6b 7c", "card")
        assert self.revised("thrown-hand", question, "baralho") == "low"

    def test_declining_an_envido_is_cheaper_than_the_deck(self) -> None:
        question = question_after("envido", "4c 3c 1e / 5o 6b 7c", "envido")
        assert self.revised("dear-fold", question, "baralho") == "nao-quero"


@pytest.mark.parametrize("name", ["MJS", "PLCPVS", "NPS-raw", "guarded-majority"])
def test_remembering_agents_print_themselves(name: str, some_cases: CaseBase) -> None:
    agent = called(name, "truco", some_cases)
    assert isinstance(agent, CaseBasedAgent)
    assert name in repr(agent)


def test_an_agent_that_clears_its_cache_holds_nothing_and_decides_as_before(some_cases: CaseBase) -> None:
    agent = find_agent("MJS", "truco", lambda game: some_cases)
    assert isinstance(agent, CaseBasedAgent)
    game = Truco.named("trucogame")
    seen = game.start(game.deal(Stream("cleared")), game.opening()).observe(0)
    before = agent.decide(seen, Stream("once")).action
    agent.clear_cache()
    assert not agent._given
    assert not some_cases._cache
    assert agent.decide(seen, Stream("once")).action == before
