"""The chance chart against every deal that agrees with what a seat has seen."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import pytest

from retruco.games.core import Match
from retruco.games.euchre import DECK, Euchre, EuchreDeal, EuchreObservation, EuchreState, suit_of
from retruco.games.euchre.stepper import situation_of
from retruco.games.euchre.tricks import AROUND
from retruco.streams import Stream
from retruco.vocab.euchre.chart import EVEN, ROLES, WITH_BIDS, chart_of, role_of


def consistent(seen: EuchreObservation) -> Iterator[dict[int, frozenset[str]]]:
    """Every way the hidden cards can lie now, written down from the rules and nothing else."""
    contract = seen.contract
    assert contract is not None
    tricks = [(trick.seats, trick.cards) for trick in seen.tricks]
    tricks.append((AROUND[contract.out][seen.leader][: len(seen.table)], seen.table))
    plays = [
        (seat, card, cards[0]) for seats, cards in tricks for seat, card in zip(seats, cards, strict=True)
    ]
    played = {card for _, card, _ in plays}
    shown_out = {
        (seat, suit_of(first, contract.trump))
        for seat, card, first in plays
        if suit_of(card, contract.trump) != suit_of(first, contract.trump)
    }
    left = {seat: 5 - sum(at == seat for at, _, _ in plays) for seat in range(4) if seat != seen.seat}
    out = played | set(seen.held) | {seen.discard}
    upcard_at: int | None = None
    if not contract.ordered:
        out |= {seen.upcard}
    elif seen.dealer != seen.seat and seen.upcard not in played:
        out |= {seen.upcard}
        if left[seen.dealer] and (seen.dealer, contract.trump) not in shown_out:
            upcard_at = seen.dealer
    loose = [card for card in DECK if card not in out]

    def hands(seats: list[int], cards: list[str]) -> Iterator[dict[int, frozenset[str]]]:
        if not seats:
            yield {}
            return
        seat, *others = seats
        may = [card for card in cards if (seat, suit_of(card, contract.trump)) not in shown_out]
        for some in combinations(may, left[seat] - (seat == upcard_at)):
            rest = [card for card in cards if card not in some]
            for more in hands(others, rest):
                yield {seat: frozenset(some) | ({seen.upcard} if seat == upcard_at else set()), **more}

    return hands(list(left), loose)


def counted(seen: EuchreObservation) -> tuple[Counter[tuple[int, str]], int]:
    held: Counter[tuple[int, str]] = Counter()
    deals = 0
    for deal in consistent(seen):
        deals += 1
        held.update((seat, card) for seat, hand in deal.items() for card in hand)
    return held, deals


def played_on(number: int, least: int, most: int, rules: str = "stick") -> EuchreState:
    """A random hand with some cards played."""
    chance = Stream("chart", rules, number)
    game = Euchre.named(rules)
    state = game.start(game.deal(chance), Match((0, 0), chance.below(4)))
    cards = least + chance.below(most - least)
    while (
        state.outcome is None and sum(len(trick.cards) for trick in state.tricks) + len(state.table) < cards
    ):
        state = state.play(chance.choice(state.legal))
    return state


@pytest.mark.parametrize("number", range(30))
def test_the_chart_is_the_share_of_consistent_deals(number: int) -> None:
    state = played_on(number, 12, 19)
    if state.outcome is not None:
        return
    for seat in range(4):
        seen = state.observe(seat)
        chart = chart_of(seen)
        held, deals = counted(seen)
        for card in DECK:
            for other in range(4):
                if other == seat:
                    assert chart.chance(seat, card) == float(card in seen.held)
                else:
                    assert chart.chance(other, card) == pytest.approx(
                        float(Fraction(held[other, card], deals))
                    )


def test_early_in_a_hand_too() -> None:
    """Two tricks played and three cards on the table: thousands of deals agree with that."""
    state = next(s for s in (played_on(n, 11, 12) for n in range(50)) if len(s.tricks) == 2)
    seen = state.observe(state.to_act or 0)
    held, deals = counted(seen)
    chart = chart_of(seen)
    assert deals > 1000
    for card in DECK:
        for other in {0, 1, 2, 3} - {seen.seat}:
            assert chart.chance(other, card) == pytest.approx(held[other, card] / deals)


@pytest.mark.parametrize("number", range(200))
def test_every_hidden_card_is_somewhere_and_every_hand_is_full(number: int) -> None:
    """Chances of a card sum to one with what lies aside, and those of a seat to its cards left."""
    state = played_on(number, 0, 19, "classic")
    if state.outcome is not None or state.contract is None or state.legal[0].startswith("discard:"):
        return
    for seat in range(4):
        chart = chart_of(state.observe(seat))
        for other in range(4):
            total = sum(chart.chance(other, card) for card in DECK)
            assert total == pytest.approx(len(state.held(other)))
        for card in DECK:
            assert sum(chart.chance(other, card) for other in range(4)) <= 1 + 1e-9


def test_who_does_not_follow_has_none() -> None:
    """The left bower follows trumps, and who fails to follow holds no more of that suit."""
    game = Euchre.named("stick")
    for number in range(300):
        state = played_on(number, 4, 5)
        if state.outcome is None and state.contract and not state.contract.alone and len(state.tricks) == 1:
            trick, trump = state.tricks[0], state.contract.trump
            led = suit_of(trick.cards[0], trump)
            for at, card in zip(trick.seats, trick.cards, strict=True):
                if suit_of(card, trump) != led:
                    watcher = (at + 1) % 4
                    chart = chart_of(state.observe(watcher))
                    assert all(chart.chance(at, one) == 0 for one in DECK if suit_of(one, trump) == led)
                    return
    raise AssertionError(f"nobody failed to follow in {game}")


def test_the_published_chart_counts_places_as_in_figure_3_4() -> None:
    state = dealt_out("9h", "order discard:Tc")
    seen = state.observe(0)
    chart = chart_of(seen, EVEN)
    assert chart.chance(3, "9h") == 1.0, "the dealer has picked the upcard up"
    assert chart.chance(0, "Ah") == 1.0
    assert {chart.chance(seat, "Qs") for seat in (1, 2, 3)} == {0.25}
    void = state.play("Ac").play("9s").observe(2)  # seat 1 has no clubs
    chart = chart_of(void, EVEN)
    assert all(chart.chance(1, card) == 0.0 for card in DECK if suit_of(card, "h") == "c")
    assert {chart.chance(seat, "Jc") for seat in (0, 3)} == {1 / 3}


def test_by_the_published_chart_a_seat_without_trumps_may_still_hold_a_bower() -> None:
    seen = dealt_out("9h", "order discard:Tc Ah 9s").observe(2)  # seat 1 does not follow hearts
    even, exact = chart_of(seen, EVEN), chart_of(seen)
    assert exact.chance(1, "Jh") == 0.0
    assert even.chance(1, "Th") == 0.0
    assert even.chance(1, "Jh") == 0.25


def dealt_out(upcard: str, actions: str) -> EuchreState:
    hands = ("Ac Ts Ah Kd Qd", "Ad 9s As 9d Td", "Kc Qc Ks Jd Kh", "Tc Js Jh Qh Th")
    deal = EuchreDeal(tuple(tuple(hand.split()) for hand in hands), upcard)
    state = Euchre.named("seelbinder2012").start(deal, Match((0, 0), 3))
    for action in actions.split():
        state = state.play(action)
    return state


# What bids show


def after_bids(*bids: str) -> EuchreObservation:
    """A hand whose bidding went so, as the dealer's partner sees it before the first lead."""
    game = Euchre.named("classic")
    state = game.start(game.deal(Stream("bids")), Match((0, 0), 3))
    for bid in bids:
        state = state.play(bid)
    while any(len(action) != 2 for action in state.legal):
        state = state.play(state.legal[0])
    return state.observe(1)


def test_who_made_trumps_is_thought_to_hold_more_of_them_and_who_passed_fewer() -> None:
    seen = after_bids("pass", "pass", "order")
    plain, told = chart_of(seen), chart_of(seen, WITH_BIDS)
    situation = situation_of(seen)
    assert [ROLES[role_of(situation, seat)] for seat in range(4)] == ["passed", "passed", "ordered", "silent"]
    hidden = [
        card for card in DECK if suit_of(card, seen.trump or "") == seen.trump and plain.chance(0, card)
    ]
    assert told.chance(2, hidden[0]) > 1.2 * plain.chance(2, hidden[0])
    assert told.chance(0, hidden[0]) < plain.chance(0, hidden[0])


def test_bids_change_no_number_of_cards_and_nothing_that_is_certain() -> None:
    compared = 0
    for number in range(12):
        state = played_on(number, 3, 15)
        if state.outcome is not None:
            continue
        for seat in range(4):
            plain, told = chart_of(state.observe(seat)), chart_of(state.observe(seat), WITH_BIDS)
            for other in range(4):
                held = [sum(chart.chance(other, card) for card in DECK) for chart in (plain, told)]
                assert held[1] == pytest.approx(held[0], abs=0.02)
                for card in DECK:
                    before, after = plain.chance(other, card), told.chance(other, card)
                    assert (before == 0) == (after == 0)
                    assert before < 1 or after == pytest.approx(1)
                    assert 0 <= after <= 1
                    compared += 1
    assert compared > 200
