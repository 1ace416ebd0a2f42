"""What Casey sees of a hand, and what a stage is worth to it."""

import pytest

from retruco.games.holdem import HoldemState
from retruco.games.holdem.compiled import ACTIONS, AT, situation_seen
from retruco.games.records import replay
from retruco.vocab.holdem import VOCABULARY, rows
from retruco.vocab.holdem.questions import view_of
from retruco.vocab.holdem.rows import stage_results
from retruco.vocab.holdem.strategies import NAMES, carry_out, recognised

HANDS = [["As", "Ah"], ["Ks", "Kh"], ["Qs", "Qh"], ["Js", "Jh"]]


def record(actions: str, hands: list[list[str]] = HANDS, **more: object) -> dict[str, object]:
    return {
        "game": "holdem",
        "rules": "casey-4",
        "dealer": 0,
        "hands": hands,
        "board": ["2c", "7d", "9h", "4s", "3d"],
        "actions": actions.split(),
        **more,
    }


def played(actions: str, hands: list[list[str]] = HANDS) -> HoldemState:
    state = replay(record(actions, hands))
    assert isinstance(state, HoldemState)
    return state


def seen_values(actions: str) -> dict[str, object]:
    state = played(actions)
    assert state.to_act is not None
    problem = view_of(state.observe(state.to_act))[0].question.problem
    return dict(VOCABULARY[problem.scenario].decode(problem))


class TestFeatures:
    def test_first_to_act_faces_the_big_blind_with_everybody_behind(self) -> None:
        seen = seen_values("")
        assert (seen["bets"], seen["position"], seen["opponents"]) == (1, 0, 3)

    def test_the_big_blind_that_nobody_raised_has_nothing_to_call_and_acts_last(self) -> None:
        seen = seen_values("call fold call")
        assert (seen["bets"], seen["position"], seen["opponents"]) == (0, 100, 2)

    def test_a_small_blind_has_half_a_bet_to_call_which_counts_as_one(self) -> None:
        assert seen_values("fold fold")["bets"] == 1

    def test_a_capped_stage_is_five_bets(self) -> None:
        state = replay(
            {
                **record("raise raise raise raise"),
                "rules": "casey-6",
                "hands": [None, ["As", "Ah"]] + [None] * 4,
            }
        )
        question = view_of(state.observe(1))[0].question  # type: ignore[arg-type]  # a state of any game
        bets = VOCABULARY["preflop"].decode(question.problem)["bets"]
        assert (question.situation[AT.to_call], bets) == (9, 5), "a small blind: nine chips are five bets"

    def test_after_the_flop_position_is_relative_to_the_last_to_act(self) -> None:
        start = "call call call check"
        assert seen_values(start)["position"] == 0
        assert seen_values(f"{start} check check check")["position"] == 100
        # a bet in front: whoever sits before the bettor is now the last to act
        assert seen_values(f"{start} check check bet")["position"] == round(100 / 3)

    def test_strength_pot_and_stage_are_those_of_the_flop(self) -> None:
        seen = seen_values("call call call check")
        assert (seen["stage"], seen["pot"], seen["bets"]) == (1, 4, 0)
        assert seen["hand"] == round(100 * (0.9435**3), -1) or isinstance(seen["hand"], int)

    def test_a_second_act_in_a_stage_is_seen_as_the_first_was(self) -> None:
        early, late = played("call"), played("call raise fold fold")
        first = view_of(played("").observe(3))
        assert view_of(late.observe(3)) == (first[0], True)
        assert early.to_act == 0

    def test_a_seat_that_has_not_seen_its_cards_cannot_decide(self) -> None:
        state = replay({**record(""), "hands": [None] * 4})
        with pytest.raises(ValueError, match="cannot decide without seeing its cards"):
            view_of(state.observe(3))  # type: ignore[arg-type]


class TestStageResults:
    def test_the_winner_wins_what_the_others_paid_in_each_stage(self) -> None:
        end = played("call fold fold check bet call check check check check")
        # seat 2 (queens) bets, seat 3 (jacks) calls: blinds 1 + 2 + 2 before the flop, then 2 each
        assert stage_results(end, 2) == [3, 2, 0, 0]
        assert stage_results(end, 3) == [-2, -2, 0, 0]

    def test_who_folds_has_lost_its_own_investment_of_each_stage(self) -> None:
        end = played("call fold fold check bet fold")
        assert stage_results(end, 3) == [-2, 0]

    def test_a_split_pot_gives_back_what_each_paid(self) -> None:
        end = played(
            "fold fold call check bet call check check check check",
            [["As", "Ah"], ["5s", "6h"], ["5h", "6s"], ["Js", "Jh"]],
        )
        assert stage_results(end, 1) == [0, 0, 0, 0]

    def test_the_stages_of_a_hand_add_up_to_its_result(self) -> None:
        end = played("raise call fold raise call call bet call call check check check check check check")
        assert end.outcome is not None
        for seat in range(4):
            assert sum(stage_results(end, seat)) == end.outcome.points[seat]


def carried_out(strategy: str, again: bool, actions: str) -> str:
    """What a strategy does after some actions."""
    state = played(actions)
    assert state.to_act is not None
    situation = situation_seen(state.observe(state.to_act))
    return ACTIONS[carry_out(NAMES.index(strategy), again, situation)]


class TestStrategies:
    @pytest.mark.parametrize("strategy", NAMES)
    def test_every_strategy_is_recognised_once_it_had_to_show_both_its_actions(self, strategy: str) -> None:
        first = carried_out(strategy, False, "")
        second = carried_out(strategy, True, "")
        shown = [first] if first == "fold" else [first, second]
        assert recognised(shown) == strategy

    def test_nobody_folds_for_nothing(self) -> None:
        assert carried_out("FOLD", False, "call call call") == "check"
        assert carried_out("BLUFF", True, "call call call check") == "check"

    def test_who_may_not_raise_any_more_calls(self) -> None:
        capped = "raise raise raise raise"
        assert (carried_out("RAISE-ANY", False, "call"), carried_out("RAISE-ANY", False, capped)) == (
            "raise",
            "call",
        )
        assert carried_out("RAISE-ANY", False, "call call call check") == "bet"


class TestRows:
    def test_a_row_for_every_stage_acted_in(self) -> None:
        found = rows(record("call fold fold check bet call check check check check"), 2, 7)
        assert [(row.problem.scenario, row.action, row.credit) for row in found] == [
            ("preflop", "CALL-ANY", 3),
            ("postflop", "SEMI-BLUFF", 2),
            ("postflop", "CALL-ANY", 0),
            ("postflop", "CALL-ANY", 0),
        ]
        assert [(row.episode, row.question) for row in found] == [(7, number) for number in range(4)]

    def test_told_plans_count_more_than_what_the_actions_look_like(self) -> None:
        told = record("fold fold raise fold", plans={"1": ["RAISE-ANY"]})
        assert [row.action for row in rows(told, 1, 0)] == ["RAISE-ANY"]

    @pytest.mark.parametrize(
        ("plans", "message"),
        [
            ({"1": ["RAISE-ANY", "FOLD"]}, "acted in 1 stages and has 2 plans"),
            ({"1": ["WIN"]}, "unknown strategy 'WIN': one of FOLD, BLUFF"),
            ({"1": "FOLD"}, "the plans of seat 1 must be a list"),
            (["FOLD"], "plans must be lists by seat"),
        ],
    )
    def test_wrong_plans_are_refused(self, plans: object, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            rows(record("fold fold raise fold", plans=plans), 1, 0)

    def test_told_reads_give_a_second_row_a_stage(self) -> None:
        told = record("fold fold raise fold", plans={"1": ["RAISE-ANY"]}, reads={"1": [37]})
        plain, read = rows(told, 1, 5)
        assert (plain.problem.scenario, read.problem.scenario) == ("preflop", "preflop-read")
        assert VOCABULARY["preflop-read"].decode(read.problem)["read"] == 37
        assert (read.action, read.credit, read.question) == (plain.action, plain.credit, 1)

    @pytest.mark.parametrize("reads", [[37, 40], [], [101], [True], ["37"]])
    def test_wrong_reads_are_refused(self, reads: list[object]) -> None:
        with pytest.raises(ValueError, match="needs as many reads from 0 to 100"):
            rows(record("fold fold raise fold", reads={"1": reads}), 1, 0)

    def test_an_unfinished_hand_has_no_rows(self) -> None:
        with pytest.raises(ValueError, match="not over"):
            rows(record("call"), 3, 0)

    def test_similarity_is_freecbrs_weighted_euclid(self) -> None:
        """100 * (1 - sqrt(sum(w * d^2) / sum(w))): one feature of four a fifth apart is 90 % alike."""
        from retruco.cbr.case import Row
        from retruco.cbr.casebase import CaseBase
        from retruco.cbr.modes import Threshold

        base = CaseBase(VOCABULARY)
        kind = VOCABULARY["preflop"]
        values = {"hand": 50, "position": 0, "opponents": 3, "bets": 1}
        base.add([Row(kind.problem({**values, "bets": 2}), "FOLD", 0, (), 0, 0)])
        match = base.retrieve(kind.problem(dict(values)), Threshold(0.5)).matches[0]
        assert match.similarity == pytest.approx(0.9)
