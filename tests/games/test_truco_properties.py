"""What must hold in every hand of Truco, whoever plays it and however."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from retruco.cards import SPANISH_DECK, Card
from retruco.games.check import check_game, perft
from retruco.games.core import Game, IllegalAction, Match, Seat
from retruco.games.records import replay
from retruco.games.registry import all_tables
from retruco.games.truco import (
    CALLS,
    Awarded,
    Truco,
    TrucoDeal,
    TrucoObservation,
    TrucoState,
    envido_points,
    has_flor,
)
from retruco.games.truco.rounds import DOWN_PREFIX
from retruco.games.truco.state import Acted, Announced
from retruco.streams import Stream

EVERYTHING = (*SPANISH_DECK, *(DOWN_PREFIX + card for card in SPANISH_DECK), *CALLS)


@st.composite
def hands_in_progress(draw: st.DrawFn) -> TrucoState:
    """Any state that play can reach, in any preset, at any score."""
    target = draw(st.sampled_from([1, 2, 3, 12, 15, 24, 30]))
    game = Truco.named(draw(st.sampled_from(Truco.presets())), target)
    score = st.integers(0, target - 1)
    match = Match((draw(score), draw(score)), draw(st.integers(0, 1)))
    chance = Stream("property", draw(st.integers(0, 2**32)))
    state = game.start(_deal(game, chance, draw(st.booleans())), match)
    for _ in range(draw(st.integers(0, 14))):
        if state.outcome is None:
            state = state.play(chance.choice(_likely_long(state)))
    return state


def _deal(game: Truco, chance: Stream, with_flor: bool) -> TrucoDeal:
    """Deal; flors are rare, so every other hand has one."""
    while True:
        deal = game.deal(chance)
        if not with_flor or any(map(has_flor, deal.hands)):
            return deal


def _likely_long(state: TrucoState) -> tuple[str, ...]:
    """Leave folding out most of the time, so that hands live long enough to be interesting."""
    others = tuple(action for action in state.legal if action not in ("baralho", "nao-quero"))
    return others * 3 + state.legal


@given(hands_in_progress())
def test_every_listed_action_is_accepted_and_every_other_refused(state: TrucoState) -> None:
    for action in EVERYTHING:
        if action in state.legal:
            state.play(action)
        else:
            with pytest.raises(IllegalAction):
                state.play(action)


@given(hands_in_progress())
def test_legal_actions_stand_in_the_order_of_the_notation(state: TrucoState) -> None:
    assume(state.to_act is not None)
    assert state.to_act is not None
    held = list(state.rounds.held(state.to_act, state.hands[state.to_act]))
    order = [*held, *(DOWN_PREFIX + card for card in held), *CALLS]
    assert [action for action in order if action in state.legal] == list(state.legal)


@given(hands_in_progress())
def test_each_award_goes_to_one_seat_and_scores_add_up(state: TrucoState) -> None:
    awards = [event for event in state.log if isinstance(event, Awarded)]
    assert all(award.points > 0 for award in awards)
    for place, stage in enumerate(("envido", "flor", "truco")):
        paid = [award for award in awards if award.stage == stage]
        assert len(paid) <= 1
        for seat in (0, 1):
            assert state.points[place][seat] == sum(one.points for one in paid if one.seat == seat)
    before = state.record()["scores"]
    assert isinstance(before, list)
    for seat in (0, 1):
        assert state.scores[seat] == before[seat] + sum(a.points for a in awards if a.seat == seat)


@given(hands_in_progress())
def test_the_hand_is_over_as_soon_as_a_seat_reaches_the_target(state: TrucoState) -> None:
    if max(state.scores) >= state.game.target:
        assert state.outcome is not None
        assert isinstance(state.log[-1], Awarded)
    if state.outcome is not None:
        truco = state.points[2]
        assert (state.outcome.winner is None) == (truco == (0, 0))


@given(hands_in_progress())
def test_records_round_trip_through_json(state: TrucoState) -> None:
    assert replay(json.loads(json.dumps(state.record()))) == state


@given(hands_in_progress())
def test_a_seat_sees_no_card_that_it_may_not(state: TrucoState) -> None:
    for seat in (0, 1):
        other = 1 - seat
        hidden = set(state.hands[other]) - {play.card for play in state.rounds.by(other) if not play.down}
        seen = repr(state.observe(seat))
        for card in hidden:
            assert f"'{card}'" not in seen
            assert f":{card}'" not in seen


def redrawn(state: TrucoState, seat: Seat, chance: Stream) -> TrucoState | None:
    """Give the other seat other cards that fit all that is public, and play the same hand again."""
    other = 1 - seat
    shown = [play.card for play in state.rounds.by(other) if not play.down]
    rules = state.game.rules
    unseen = [card for card in rules.deck if card not in state.hands[seat] and card not in shown]
    drawn = iter(chance.sample(unseen, min(rules.hand_size, len(unseen))))
    swap = {card: card if card in shown else next(drawn) for card in state.hands[other]}
    hands = [list(hand) for hand in state.hands]
    hands[other] = [swap[card] for card in state.hands[other]]
    actions = [_swapped(event, other, swap) for event in state.log if isinstance(event, Acted)]
    try:
        again = replay({**state.record(), "hands": hands, "actions": actions})
    except IllegalAction:
        return None
    assert isinstance(again, TrucoState)
    return again if _fits(state, again, seat) else None


def _swapped(event: Acted, other: Seat, swap: dict[Card, Card]) -> str:
    if event.seat == other and event.action.startswith(DOWN_PREFIX):
        return DOWN_PREFIX + swap[Card(event.action.removeprefix(DOWN_PREFIX))]
    return event.action


def _fits(state: TrucoState, again: TrucoState, seat: Seat) -> bool:
    """What the rules make public of the other hand: announced points, the better envido, a flor."""
    other = 1 - seat
    known = state.observe(seat).knows_flor(other)
    if known is not None and has_flor(again.hands[other]) != known:
        return False
    said = {(e.seat, e.stage): e.points for e in state.log if isinstance(e, Announced)}
    if (other, "envido") in said and envido_points(again.hands[other]) != said[other, "envido"]:
        return False
    if (seat, "envido") in said and (other, "envido") not in said and state.mao == seat:
        return envido_points(again.hands[other]) <= said[seat, "envido"]
    told = [event for event in state.log if isinstance(event, Announced) and event.stage == "flor"]
    return told == [event for event in again.log if isinstance(event, Announced) and event.stage == "flor"]


@pytest.mark.slow
@settings(max_examples=300)
@given(hands_in_progress(), st.integers(0, 1), st.integers(0, 2**32))
def test_redrawing_what_a_seat_cannot_see_leaves_its_observation_unchanged(
    state: TrucoState, seat: Seat, seed: int
) -> None:
    chance = Stream("redraw", seed)
    for _ in range(20):
        again = redrawn(state, seat, chance)
        if again is not None:
            assert again.observe(seat) == state.observe(seat)


def test_redrawing_really_finds_other_hands() -> None:
    """Guards the property above: most states must have a redraw that fits."""
    found = 0
    for number in range(100):
        game = Truco.named("cbtg")
        chance = Stream("guard", number)
        state = game.start(game.deal(chance), game.opening())
        for _ in range(4):
            if state.outcome is None:
                state = state.play(chance.choice(_likely_long(state)))
        found += any(redrawn(state, 0, chance) for _ in range(20))
    assert found >= 80


@pytest.mark.parametrize("game", all_tables(), ids=repr)
def test_the_contract_of_every_registered_game(game: Game) -> None:
    check_game(game, hands=30)


def hands_of(rules: str, actions: list[str], hands: list[list[str]]) -> dict[str, object]:
    return {
        "game": "truco",
        "rules": rules,
        "target": 24,
        "scores": [0, 0],
        "mao": 0,
        "hands": hands,
        "actions": actions,
    }


def seen_after(rules: str, actions: str, seat: Seat, hands: str) -> TrucoObservation:
    record = hands_of(rules, actions.split(), [half.split() for half in hands.split(" / ")])
    state = replay(record)
    assert isinstance(state, TrucoState)
    return state.observe(seat)


class TestSecrets:
    """What is not public does not reach the other seat."""

    def test_declined_envido_shows_nobodys_points(self) -> None:
        for seat in (0, 1):
            seen = seen_after("cbtg", "envido nao-quero", seat, "7e 6e 1o / 4e 5b 6c")
            assert seen.announced("envido") == (None, None)

    def test_the_mao_announces_and_the_other_concedes_in_silence(self) -> None:
        seen = seen_after("cbtg", "envido quero", 0, "7e 6e 1o / 4e 5e 6c")
        assert seen.announced("envido") == (33, None)

    def test_the_other_announces_when_it_is_better(self) -> None:
        seen = seen_after("cbtg", "envido quero", 0, "4e 5e 1o / 7e 6e 2c")
        assert seen.announced("envido") == (29, 33)

    def test_an_unsung_flor_stays_secret_where_it_need_not_be_sung(self) -> None:
        with_flor = seen_after("trucogame", "4b", 0, "4b 5c 1o / 7e 6e 2e")
        without = seen_after("trucogame", "4b", 0, "4b 5c 1o / 7e 6e 2c")
        assert with_flor == without
        assert with_flor.knows_flor(1) is None

    def test_a_compulsory_flor_not_sung_shows_that_there_is_none(self) -> None:
        assert seen_after("cbtg", "4b", 1, "4b 5c 1o / 7e 6e 2c").knows_flor(0) is False

    def test_a_flor_paid_at_once_shows_that_the_other_has_none(self) -> None:
        assert seen_after("trucogame", "flor", 0, "4b 5b 1b / 7e 6e 2c").knows_flor(1) is False

    def test_whoever_must_answer_a_flor_has_one(self) -> None:
        assert seen_after("cbtg", "flor", 0, "4b 5b 1b / 7e 6e 2e").knows_flor(1) is True
        assert seen_after("cbtg", "flor achico", 0, "4b 5b 1b / 7e 6e 2e").knows_flor(1) is True

    def test_a_fold_paid_as_if_it_had_none_shows_that_the_other_has_no_flor(self) -> None:
        assert seen_after("cbtg", "baralho", 0, "4b 5c 1b / 7e 6e 2c").knows_flor(1) is False
        assert seen_after("cbtg", "baralho", 0, "4b 5c 1b / 7e 6e 2e").knows_flor(1) is True
        assert seen_after("argentino", "baralho", 0, "4b 5c 1b / 7e 6e 2e").knows_flor(1) is None

    def test_a_card_face_down_has_no_face_for_the_other_even_after_the_hand(self) -> None:
        actions = "4b 7e 6e down:5c"
        seen = seen_after("trucogame", actions, 1, "4b 5c 1o / 7e 6e 2c")
        assert seen.outcome is not None
        assert seen.rounds.by(0)[1].card is None
        assert "5c" not in repr(seen)
        assert "5c" in repr(seen_after("trucogame", actions, 0, "4b 5c 1o / 7e 6e 2c"))

    def test_legal_actions_are_shown_to_the_seat_to_act_only(self) -> None:
        assert seen_after("cbtg", "", 1, "4b 5b 1b / 7e 6e 2c").legal == ()


def card_orders(state: TrucoState) -> Iterator[tuple[str, ...]]:
    """Every way to play open cards only, without a word."""
    if state.outcome is not None:
        yield state.actions
        return
    for action in state.legal:
        if action in SPANISH_DECK:
            yield from card_orders(state.play(action))


def test_the_tree_of_open_cards_agrees_with_counting_by_hand() -> None:
    """Seat 0 wins every round: three cards against three, decided after two rounds, 3*3*2*2 ways."""
    record = hands_of("trucogame", [], [["1e", "1b", "7e"], ["4c", "5c", "6o"]])
    state = replay(record)
    assert isinstance(state, TrucoState)
    assert len(list(card_orders(state))) == 36


def test_perft_counts_every_state_once() -> None:
    """Depth one: the state itself and one for every legal action, some of which end the hand."""
    record = hands_of("trucogame", [], [["1e", "1b", "7e"], ["4c", "5c", "6o"]])
    state = replay(record)
    counts = perft(state, 1)
    assert counts["decisions"] + counts["ends"] == 1 + len(state.legal)
    assert counts["ends"] == 1  # only baralho ends a hand at once
