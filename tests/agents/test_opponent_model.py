"""Reading the other seat: what it replied, what it showed, and how alike it is to known styles."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from retruco.agents.core import Agent
from retruco.agents.registry import check_rules, find_agent
from retruco.agents.truco.bluffs import bluff_chance, holding_chances
from retruco.agents.truco.opponent_model import FREE, OpponentModel, shipped_styles
from retruco.agents.truco.opponent_turns import (
    HOLDINGS,
    REPLIES,
    SITUATIONS,
    UNKNOWN,
    Reply,
    replies_of_other,
    replies_of_self,
)
from retruco.agents.truco.reader import Reader, lean, load_reader, profile_of
from retruco.arena.sets import play_set
from retruco.games.truco import Truco
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.state import TrucoState
from retruco.streams import Stream

GAME = Truco.named("trucogame")
STYLES = shipped_styles()


@cache
def hands_of(first: str, second: str, pairs: int) -> tuple[tuple[TrucoState, ...], ...]:
    """Finished hands of matches between two agents; the second sits in seat 1, then in seat 0."""
    agents: list[list[Agent]] = [[find_agent(first, "truco")], [find_agent(second, "truco")]]
    matches = list[tuple[TrucoState, ...]]()
    for number in range(pairs):
        for match in play_set(GAME, agents, 5, number).matches:
            assert match.forfeit is None
            matches.append(tuple(hand.state for hand in match.hands if isinstance(hand.state, TrucoState)))
    return tuple(matches)


def history_of(name: str, hands: int) -> tuple[TrucoObservation, ...]:
    """So many hands of an agent, as the other seat saw them end."""
    states = [state for match in hands_of("balanced", name, 4)[::2] for state in match]
    return tuple(state.observe(0) for state in states[:hands])


def belief_in(name: str, history: tuple[TrucoObservation, ...]) -> float:
    """How much a model believes in a style after some hands."""
    return float(OpponentModel(STYLES).read(history).belief[STYLES.names.index(name)])


def test_both_seats_see_the_same_replies_and_only_shown_cards_are_known_to_the_other() -> None:
    known, hidden = 0, 0
    for match in hands_of("aggressive", "bluffer", 3):
        for state in match:
            seen, own = replies_of_other(state.observe(0)), replies_of_self(state.observe(1))
            assert [reply[:2] for reply in seen] == [reply[:2] for reply in own]
            for theirs, mine in zip(seen, own, strict=True):
                assert theirs.holding in (mine.holding, UNKNOWN)
                known, hidden = known + (theirs.holding != UNKNOWN), hidden + (theirs.holding == UNKNOWN)
    assert known > 50
    assert hidden > 50


def test_every_action_that_can_be_a_reply_to_a_bet_is_one() -> None:
    for match in hands_of("aggressive", "bluffer", 3):
        for state in match:
            replies = replies_of_self(state.observe(0)) + replies_of_self(state.observe(1))
            calls = [
                action for action in state.actions if "envido" in action or action in ("truco", "retruco")
            ]
            assert len([reply for reply in replies if reply.is_call]) >= len(calls)


@pytest.mark.parametrize("name", ["shouter", "cautious", "novice"])
def test_a_style_is_noticed(name: str) -> None:
    before, after = belief_in(name, ()), belief_in(name, history_of(name, 20))
    assert after > 4 * before


def test_three_hands_leave_much_doubt() -> None:
    belief = OpponentModel(STYLES).read(history_of("balanced", 3)).belief
    assert belief.max() < 0.8
    assert belief.sum() == pytest.approx(1)


def test_a_change_of_style_is_noticed() -> None:
    history = (*history_of("cautious", 15), *history_of("shouter", 8))
    assert belief_in("shouter", history) > 0.5 > belief_in("cautious", history)


def test_somebody_who_is_like_nobody_is_taken_for_that() -> None:
    model = OpponentModel(STYLES)
    reading = model.start
    strange = [
        Reply(number, 0, UNKNOWN, "nao-quero") for number, name in enumerate(SITUATIONS) if "vale4" in name
    ]
    strange += [Reply(SITUATIONS.index("open envido mao"), 3, UNKNOWN, "falta-envido")]
    for _ in range(15):
        reading = model.after(reading, strange)
    assert STYLES.names[int(reading.belief.argmax())] == FREE


def test_a_reading_does_not_depend_on_what_was_read_before() -> None:
    history, model = history_of("bluffer", 12), OpponentModel(STYLES)
    beliefs = [model.read(history[:count]).belief for count in (12, 3, 7, 12)]
    assert np.array_equal(beliefs[0], beliefs[3])
    for count, belief in zip((12, 3, 7), beliefs, strict=False):
        assert np.array_equal(belief, OpponentModel(STYLES).read(history[:count]).belief)


def test_the_shipped_styles_are_counts_and_gains_of_everybody() -> None:
    assert STYLES.counts.shape == (len(STYLES.names) - 1, len(SITUATIONS), HOLDINGS, REPLIES)
    assert (STYLES.counts.sum((1, 2, 3)) > 500).all()
    assert STYLES.gains[:, STYLES.names.index("solver")].max() < 0, "no response wins from the solution"
    for name in STYLES.responses:
        if name in STYLES.names:
            assert STYLES.gains[STYLES.responses.index(name), STYLES.names.index(name)] > 0


# The player


def certain_of(name: str) -> np.ndarray:
    """A belief without doubt."""
    belief = np.zeros(len(STYLES.names))
    belief[STYLES.names.index(name)] = 1
    return belief


def test_it_leans_only_towards_what_wins_from_what_it_believes() -> None:
    assert lean(STYLES, OpponentModel(STYLES).prior) is None
    assert lean(STYLES, certain_of("solver")) is None
    found = lean(STYLES, certain_of("balanced"))
    assert found is not None
    assert found.gain > 0
    doubtful = 0.5 * certain_of("balanced") + 0.5 * certain_of("solver")
    assert lean(STYLES, doubtful) is None, "the risk is too great"


def test_the_reader_plays_matches_and_is_a_function_of_its_observation() -> None:
    matches = hands_of("reader", "shouter", 2)
    reader, again = Reader(), Reader()
    for seat, match in enumerate(matches[:2]):
        history = tuple(state.observe(seat) for state in match[:-1])
        state = GAME.begin(match[-1].hands, (0, 0), seat)
        seen = state.observe(seat, history)
        first, second = (agent.decide(seen, Stream("same")) for agent in (reader, again))
        assert first.action == second.action
        assert first.as_json() == second.as_json()


def test_its_values_name_what_it_thinks_and_since_when() -> None:
    reader, history = Reader(), history_of("shouter", 14)
    deal = GAME.deal(Stream("values"))
    decision = reader.decide(GAME.begin(deal.hands, (0, 0), 0).observe(0, history), Stream("values"))
    opponent = decision.values["opponent"]
    assert isinstance(opponent, dict)
    assert opponent["hands"] == 14
    assert opponent["responds_to"] in STYLES.responses
    assert 1 < opponent["since"] <= 15
    assert opponent["bluffs_shown"] <= opponent["calls_shown"]


def test_a_reader_may_sit_at_a_table_with_another_target() -> None:
    short = Truco.named("trucogame", 12)
    played = play_set(short, [[Reader()], [find_agent("shouter", "truco")]], 3, 0)
    assert all(match.forfeit is None for match in played.matches)
    with pytest.raises(ValueError, match="trucogame, not by cbtg"):
        check_rules("reader", "truco", "cbtg")


# Bluffs


def test_holdings_are_as_likely_as_the_cards_that_are_not_seen_make_them() -> None:
    deal = GAME.deal(Stream("holdings"))
    seen = GAME.begin(deal.hands, (0, 0), 0).observe(0)
    for situation in ("open envido pe", "open truco 1 follows"):
        chances = holding_chances(seen, situation)
        assert chances.sum() == pytest.approx(1)
        assert (chances > 0).all()


def test_a_call_of_somebody_who_calls_with_anything_is_a_bluff_more_often() -> None:
    model = OpponentModel(STYLES)
    deal = GAME.deal(Stream("bluff"))
    called = GAME.begin(deal.hands, (0, 0), 0).play("truco")
    seen = called.observe(1)
    assert bluff_chance(model, model.start, GAME.begin(deal.hands, (0, 0), 0).observe(0)) is None
    loud, quiet = (
        bluff_chance(model, model.read(history_of(name, 15)), seen) for name in ("shouter", "cautious")
    )
    assert loud is not None
    assert quiet is not None
    assert loud.call == "truco"
    assert loud.by_cards == quiet.by_cards
    assert loud.chance > quiet.chance


# Profiles


def test_a_profile_of_earlier_matches_is_believed_at_the_beginning(tmp_path: Path) -> None:
    file = tmp_path / "profile.json"
    reading = OpponentModel(STYLES).read(history_of("shouter", 20))
    file.write_text(json.dumps(profile_of(STYLES, reading)))
    reader = load_reader(str(file), "truco")
    start = reader.model.start.belief[STYLES.names.index("shouter")]
    assert OpponentModel(STYLES).prior[STYLES.names.index("shouter")] < 0.2 < start < 0.9


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no profile that this version reads"),
        ("[]", "no profile that this version reads"),
        ('{"profile": "euchre", "belief": {}}', "it is for 'euchre'"),
        ('{"profile": "truco", "belief": {"nobody": 1}}', "names the style 'nobody'"),
        ('{"profile": "truco", "belief": {"novice": 2}}', "not between 0 and 1"),
        ('{"profile": "truco", "belief": {}}', "none above 0"),
    ],
)
def test_a_file_that_is_no_profile_is_refused(text: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "profile.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=why):
        find_agent(f"reader:{file}", "truco")
    with pytest.raises(ValueError, match="no profile at"):
        find_agent(f"reader:{file}.gone", "truco")
    with pytest.raises(ValueError, match="not for kuhn"):
        find_agent(f"reader:{file}", "kuhn")
