"""Hold'em players: the rules of the formula players, and how Casey decides and learns."""

from collections import Counter
from typing import Any

import pytest

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.holdem.policies import POLICIES
from retruco.agents.holdem.rulebot import REASONS
from retruco.agents.holdem.simplebot import NOTHING, starting
from retruco.agents.registry import find_agent, roster
from retruco.arena.match import play_match
from retruco.arena.sets import deals_from
from retruco.cbr.case import Decision, Row
from retruco.cbr.casebase import CaseBase
from retruco.cbr.modes import TopNewest
from retruco.games.holdem import Holdem, HoldemState
from retruco.games.holdem.compiled import AT
from retruco.games.holdem.deck import PLACE
from retruco.games.records import replay
from retruco.learning.holdem.training import casey_loop, points_of
from retruco.streams import Stream
from retruco.vocab.holdem import VOCABULARY, rows
from retruco.vocab.holdem.questions import view_of
from retruco.vocab.holdem.revision import PotOdds, StartingHand
from retruco.vocab.holdem.strategies import PLAY


def state_of(actions: str, hand: str, board: str = "2c 7d 9h 4s 3d", rules: str = "casey-4") -> HoldemState:
    """A hand in which the seat to act holds these cards."""
    seats = int(rules.rpartition("-")[2])
    state = replay(
        {
            "game": "holdem",
            "rules": rules,
            "dealer": 0,
            "hands": [hand.split()] + [None] * (seats - 1),
            "board": board.split(),
            "actions": actions.split(),
        }
    )
    assert isinstance(state, HoldemState)
    assert state.to_act == 0
    return state


def decided(name: str, state: HoldemState, cases: CaseBase | None = None, seed: int = 1) -> Decision:
    agent = find_agent(name, "holdem", lambda *_: cases or CaseBase(VOCABULARY))
    answer = agent.decide(state.observe(0), Stream(seed))
    assert isinstance(answer, Decision)
    return answer


def test_hold_em_has_a_random_player_of_its_own() -> None:
    assert roster("holdem")["random"].game == "holdem"
    assert roster("kuhn")["random"].game == "*"


class TestSimpleBot:
    @pytest.mark.parametrize(
        ("hole", "expected"),
        [
            ("As Ah", "raise"), ("Ts Th", "raise"), ("2s 2h", "raise"), ("9s 9h", "call"), ("3s 3h", "call"),
            ("As Ts", "raise"), ("As Th", "call"), ("As 2s", "raise"), ("As 9s", "call"), ("8s 7s", "call"),
            ("8s 7h", None), ("Ks 9s", None), ("As 9h", None),
        ],
    )  # fmt: skip
    def test_its_starting_hands(self, hole: str, expected: str | None) -> None:
        listed = starting(*(PLACE[card] for card in hole.split()))
        assert listed == (REASONS.index(f"hold.{expected}") if expected else NOTHING)

    def test_it_calls_one_bet_with_nothing_once_in_twenty(self) -> None:
        state = state_of("fold", "7s 2h")
        answers = Counter(decided("simplebot", state, seed=seed).action for seed in range(600))
        assert 12 <= answers["call"] <= 52  # 30 expected
        assert set(answers) == {"call", "fold"}

    def test_the_nuts_are_always_raised(self) -> None:
        board = "Qs Js Ts 2d 3c"
        state = state_of("call call call check check check check", "As Ks", board)
        assert all(decided("simplebot", state, seed=seed).action == "bet" for seed in range(20))


class TestRuleBot:
    def test_it_raises_aces_calls_a_fair_hand_and_folds_the_worst(self) -> None:
        assert decided("rulebot", state_of("fold", "As Ah")).action == "raise"
        assert decided("rulebot", state_of("fold", "Ts 9s")).action == "call"
        assert decided("rulebot", state_of("fold", "7s 2h")).action == "fold"

    def test_it_calls_with_a_draw_when_the_pot_pays_for_it(self) -> None:
        calls = "call call call check check check bet"
        assert decided("rulebot", state_of(calls, "Ah 5h", "Kh 8h 2c")).reason == "hold.draw"
        assert decided("rulebot", state_of(calls, "6c 4d", "Kh Qh 9h")).action == "fold"


def test_the_probes_do_what_they_are_called() -> None:
    facing = state_of("raise", "7s 2h")
    assert decided("always-call", facing).action == "call"
    assert decided("always-raise", facing).action == "raise"


def test_random_draws_all_six_strategies_about_equally() -> None:
    drawn: Counter[str] = Counter()
    game = Holdem.named("casey-4")
    for number in range(1200):
        state = game.begin(game.deal(Stream("six", number)), 0)
        decision = find_agent("random", "holdem").decide(state.observe(3), Stream(0))
        assert isinstance(decision, Decision)
        drawn[str(decision.values["strategy"])] += 1
    assert len(drawn) == 6
    assert all(150 <= count <= 250 for count in drawn.values())


def taught(state: HoldemState, results: dict[str, list[int]]) -> CaseBase:
    """A base in which this situation was met before, with these results."""
    base = CaseBase(VOCABULARY)
    problem = view_of(state.observe(0))[0].question.problem
    cases = [(strategy, credit) for strategy, some in results.items() for credit in some]
    base.add([Row(problem, strategy, credit, (), place, 0) for place, (strategy, credit) in enumerate(cases)])
    return base


class TestCasey:
    def test_with_fewer_than_twenty_cases_it_plays_at_random_and_never_folds(self) -> None:
        game, seen = Holdem.named("casey-4"), Counter[str]()
        for number in range(300):
            state = game.begin(game.deal(Stream("empty", number)), 0)
            decision = CaseBasedAgent(POLICIES["casey"], CaseBase(VOCABULARY)).decide(
                state.observe(3), Stream(0)
            )
            assert decision.reason == "too-few-cases"
            seen[str(decision.values["strategy"])] += 1
        assert set(seen) == {"BLUFF", *PLAY}

    def test_it_plays_the_strategy_with_the_best_mean_result(self) -> None:
        state = state_of("fold", "As Ah")
        base = taught(state, {"CALL-ANY": [2] * 10, "RAISE-ANY": [30] + [-2] * 5, "CHECK-RAISE": [-1] * 4})
        decision = decided("casey", state, base)
        assert (decision.action, decision.values["strategy"], decision.reason) == (
            "raise",
            "RAISE-ANY",
            "pays-best",
        )
        lines: Any = decision.values["generalised"]
        table = {line["strategy"]: line for line in lines}
        assert table["RAISE-ANY"] == {
            "strategy": "RAISE-ANY", "result": 20, "mean": 3.333, "frequency": 6, "wins": 1, "losses": 5,
        }  # fmt: skip
        assert (table["sum of play"]["result"], table["sum"]["frequency"]) == (36, 20)

    def test_a_profitable_bluff_is_no_reason_to_play(self) -> None:
        state = state_of("fold", "7s 2h")
        base = taught(state, {"BLUFF": [5] * 15, "CALL-ANY": [-2] * 10})
        assert decided("casey", state, base).reason == "nothing-pays"
        assert decided("casey", state, base).action == "fold"

    def test_where_nothing_pays_it_bluffs_one_time_in_ten_against_few(self) -> None:
        game, reasons = Holdem.named("casey-2"), Counter[str]()
        for number in range(400):
            state = game.begin(game.deal(Stream("bluff", number)), 0)
            base = taught(state, {"CALL-ANY": [-2] * 25})
            decision = CaseBasedAgent(POLICIES["casey"], base).decide(state.observe(0), Stream(0))
            reasons[decision.reason] += 1
        assert set(reasons) == {"bluff", "nothing-pays"}
        assert 18 <= reasons["bluff"] <= 66  # 40 expected

    def test_against_three_it_never_bluffs(self) -> None:
        state = state_of("call", "7s 2h")
        for number in range(30):
            base = taught(state, {"CALL-ANY": [-2] * (25 + number)})
            assert decided("casey", state, base).reason == "nothing-pays"

    def test_of_equally_similar_cases_it_goes_by_the_oldest_or_by_the_newest(self) -> None:
        state = state_of("fold", "9s 8s")
        base = taught(state, {"CALL-ANY": [-2] * 100, "RAISE-ANY": [3] * 100})
        assert decided("casey", state, base).reason == "nothing-pays"
        assert decided("casey-newest", state, base).values["strategy"] == "RAISE-ANY"

    def test_a_sunk_blind_is_defended_where_that_loses_less_than_folding(self) -> None:
        blind = state_of("", "7s 2h", board="", rules="casey-2")  # heads-up the dealer is the small blind
        base = taught(blind, {"CALL-ANY": [-1, 0] * 20})
        assert decided("casey-newest", blind, base).values["strategy"] in ("FOLD", "BLUFF")
        assert decided("casey-newest-sunk", blind, base).values["strategy"] == "CALL-ANY"
        worse = taught(blind, {"CALL-ANY": [-1, -1, -2] * 20})
        assert decided("casey-newest-sunk", blind, worse).values["strategy"] in ("FOLD", "BLUFF")

    def test_without_a_blind_a_strategy_that_loses_is_folded_by_every_reading(self) -> None:
        state = state_of("fold", "7s 2h")
        base = taught(state, {"CALL-ANY": [-1, 0] * 20})
        for name in ("casey", "casey-newest", "casey-sunk", "casey-newest-sunk", "casey-wide"):
            assert decided(name, state, base).action == "fold", name

    def test_the_best_match_repeats_the_nearest_case_that_did_not_lose(self) -> None:
        state = state_of("fold", "As Ah")
        base = taught(state, {"CALL-ANY": [-2] * 30, "CHECK-RAISE": [0], "RAISE-ANY": [9] * 5})
        assert decided("casey-best-match", state, base).values["strategy"] == "CHECK-RAISE"
        assert decided("casey", state, base).values["strategy"] == "RAISE-ANY"

    def test_a_wide_casey_does_not_trust_one_lucky_case(self) -> None:
        state = state_of("fold", "As Ah")
        base = taught(state, {"CALL-ANY": [4] * 80, "CHECK-RAISE": [-3] * 40, "RAISE-ANY": [5]})
        assert decided("casey-newest-sunk", state, base).values["strategy"] == "RAISE-ANY"
        assert decided("casey-wide", state, base).values["strategy"] == "CALL-ANY"

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("casey@luck=good", "unknown part 'luck=good' in the reading 'luck=good': one of ties, blinds"),
            (
                "casey@ties=youngest",
                "unknown ties 'youngest' in the reading 'ties=youngest': one of oldest, newest",
            ),
            ("casey@neighbours=many", "cannot read 'neighbours=many' .* write neighbours=100@0.95"),
            ("rulebot@ties=newest", "unknown agent 'rulebot@ties=newest' for holdem: one of "),
        ],
    )
    def test_a_reading_that_there_is_not_is_named(self, name: str, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            find_agent(name, "holdem", lambda *_: CaseBase(VOCABULARY))

    def test_any_reading_can_be_written_after_the_name(self) -> None:
        agent = find_agent(
            "casey@ties=newest+neighbours=300@0.9+prior=20", "holdem", lambda *_: CaseBase(VOCABULARY)
        )
        assert isinstance(agent, CaseBasedAgent)
        assert agent.policy.mode == TopNewest(300, 0.9)
        assert agent.policy.name == "casey@ties=newest+neighbours=300@0.9+prior=20"

    def test_a_reading_says_how_it_takes_what_the_paper_leaves_open(self) -> None:
        assert POLICIES["casey-newest-sunk"].choices == {
            "ties": "newest",
            "blinds": "sunk",
            "search": "generalised",
            "neighbours": "100@0.95",
            "prior": 0,
        }

    def test_the_same_strategy_is_carried_out_to_the_end_of_the_stage(self) -> None:
        """A bluff raises and then folds; whoever asks again gets the same plan."""
        game = Holdem.named("casey-2")
        agent = CaseBasedAgent(POLICIES["casey"], CaseBase(VOCABULARY))
        followed: Counter[tuple[str, str]] = Counter()
        for number in range(200):
            state = game.begin(game.deal(Stream("again", number)), 0)
            first = agent.decide(state.observe(0), Stream(1))
            state = state.play(first.action).play("raise")
            second = agent.decide(state.observe(0), Stream(2))
            assert second.values["strategy"] == first.values["strategy"]
            followed[str(first.values["strategy"]), second.action] += 1
        assert set(followed) == {
            ("BLUFF", "fold"), ("CALL-ANY", "call"), ("SEMI-BLUFF", "call"), ("RAISE-ANY", "raise"),
            ("CHECK-RAISE", "raise"),
        }  # fmt: skip

    def test_pot_odds_call_with_a_draw_that_casey_folds(self) -> None:
        state = state_of("call call call check check check bet", "Ah 5h", "Kh 8h 2c")
        base = taught(state, {"CALL-ANY": [-2] * 25})
        assert decided("casey", state, base).action == "fold"
        mended = decided("casey-odds", state, base)
        assert (mended.action, mended.revised_by[0].rule) == ("call", PotOdds.name)
        assert mended.revised_by[0].before == "FOLD"

    def test_pot_odds_do_not_save_a_hopeless_hand(self) -> None:
        state = state_of("call call call check check check bet", "3s 4d", "Kh Qh 9h")
        base = taught(state, {"CALL-ANY": [-2] * 25})
        assert decided("casey-odds", state, base).action == "fold"

    def test_a_starting_hand_that_wins_less_than_its_part_is_folded(self) -> None:
        weak, strong = (state_of("call", hole) for hole in ("7h 2s", "Ah Kh"))
        for state, action in ((weak, "fold"), (strong, "call")):
            base = taught(state, {"CALL-ANY": [2] * 25})
            assert decided("casey", state, base).action == "call"
            assert decided("casey-starts", state, base).action == action
        revised = decided("casey-starts", weak, taught(weak, {"CALL-ANY": [2] * 25})).revised_by[0]
        assert (revised.rule, revised.before, revised.after) == (StartingHand.name, "CALL-ANY", "FOLD")

    def test_nobody_folds_a_starting_hand_that_costs_nothing_more(self) -> None:
        record = {"game": "holdem", "rules": "casey-4", "dealer": 2, "actions": ["call"] * 3, "board": []}
        big_blind = replay({**record, "hands": [["7h", "2s"], None, None, None]})
        assert isinstance(big_blind, HoldemState)
        question = view_of(big_blind.observe(0))[0].question
        assert question.situation[AT.to_call] == 0
        assert StartingHand()(question, "RAISE-ANY") is None

    def test_a_reader_asks_with_how_aggressive_the_others_have_been(self) -> None:
        game = Holdem.named("casey-3", target=8)
        agents = [
            find_agent(name, "holdem", lambda *_: CaseBase(VOCABULARY))
            for name in ("casey-reads", "always-raise", "always-call")
        ]
        seen: list[Decision] = []

        class Watching:
            def decide(self, observation: object, chance: Stream) -> Decision:
                answer = agents[0].decide(observation, chance)
                assert isinstance(answer, Decision)
                seen.append(answer)
                return answer

        play_match(game, [Watching(), *agents[1:]], deals_from(game, 1, 0), 0, 1)
        kind = VOCABULARY["preflop-read"]
        reads = [
            kind.decode(one.asked[0].problem)["read"] for one in seen if one.asked[0].scenario == kind.name
        ]
        assert reads[0] == 50
        assert len(set(reads)) > 1


class TestLearning:
    def test_live_rows_are_those_that_the_record_gives(self) -> None:
        loop = casey_loop(Holdem.named("casey-4", target=20), "casey", ["simplebot", "random", "rulebot"], 3)
        for hand in loop.hands(60):
            for kept in hand.retained:
                found = rows(kept.record(), 0, 0)
                assert list(kept.rows) == found[: len(kept.rows)]
                assert len(found) == 2 * len(kept.rows), "each once more with what was read"
        assert len(loop.cases) > 60

    def test_reads_are_recorded_as_casey_reads_had_them(self) -> None:
        loop = casey_loop(
            Holdem.named("casey-4", target=20), "casey-reads", ["always-raise", "random", "rulebot"], 3
        )
        reads = set()
        for kept in (kept for hand in loop.hands(40) for kept in hand.retained):
            with_reads = rows(kept.record(), 0, 0)[len(kept.rows) :]
            assert [row.problem for row in with_reads] == [row.problem for row in kept.rows]
            reads |= {row.problem.values[-1] for row in with_reads}
        assert len(reads) > 5

    def test_the_same_seed_gives_the_same_hands(self) -> None:
        def run() -> list[int]:
            loop = casey_loop(Holdem.named("casey-3", target=10), "casey", ["random", "always-call"], 4)
            return [points_of(hand) for hand in loop.hands(30)]

        assert run() == run()

    @pytest.mark.slow
    def test_casey_beats_random_within_a_thousand_hands(self) -> None:
        """From hand 500 on, and by so much that chance does not explain it."""
        loop = casey_loop(Holdem.named("casey-4"), "casey", ["random"] * 3, 2)
        late = [points_of(hand) for hand in loop.hands(1000)][500:]
        mean = sum(late) / len(late)
        error = (sum((one - mean) ** 2 for one in late) / (len(late) - 1) / len(late)) ** 0.5
        assert mean > 2 * error

    def test_a_table_with_too_few_others_is_refused(self) -> None:
        with pytest.raises(ValueError, match="3 seats beside the learner, not 1"):
            casey_loop(Holdem.named("casey-4"), "casey", ["random"], 1)
