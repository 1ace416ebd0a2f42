"""Card values learnt from play: what is counted, what the committed values say, who plays by them."""

import json
from importlib.resources import files

import pytest

from retruco.agents.euchre.players import BY_LEARNT_VALUES, EuchrePlayer
from retruco.agents.registry import find_agent
from retruco.cbr.case import Decision
from retruco.games.core import Match
from retruco.games.euchre import Euchre, EuchreDeal, EuchreState
from retruco.learning.euchre.values import PLAN, ValueGeneration, cards_met, learn_values
from retruco.streams import Stream
from retruco.vocab.euchre.cards import PUBLISHED, value_of
from retruco.vocab.euchre.learnt import SITUATIONS, learnt_values, situation_of, values_of

HANDS = ("9c Tc Qc Kc Ac", "9d Td Qd Kd Ad", "9s Ts Qs Ks As", "Jc Jd Jh 9h Th")
COMMITTED = json.loads((files("retruco.vocab.euchre") / "learnt_values.json").read_text())


def table(actions: str, hands: tuple[str, ...] = HANDS, upcard: str = "Qh") -> EuchreState:
    deal = EuchreDeal(tuple(tuple(hand.split()) for hand in hands), upcard)
    state = Euchre.named("seelbinder2012").start(deal, Match((0, 0), 3))
    for action in actions.split():
        state = state.play(action)
    return state


def finished(state: EuchreState) -> EuchreState:
    while state.outcome is None:
        state = state.play(state.legal[0])
    return state


def test_every_card_has_one_situation() -> None:
    assert situation_of("Jh", "h", "") == ("leads trump", "right")
    assert situation_of("Jd", "h", "h") == ("follows trump", "left")
    assert situation_of("9h", "h", "s") == ("ruffs", "9")
    assert situation_of("Ac", "h", "") == ("leads", "A")
    assert situation_of("Ac", "h", "c") == ("follows", "A")
    assert situation_of("Jd", "s", "c") == ("is kept", "J")


def test_what_is_met_in_a_hand() -> None:
    """Clubs are led into three empty hands; the dealer ruffs and leads trumps to the end."""
    end = finished(table("pass pass pass order discard:Jc 9c 9d 9s 9h"))
    met = list(cards_met(end))
    assert met[:4] == [
        (("leads", "9"), False),
        (("is kept", "9"), False),
        (("is kept", "9"), False),
        (("ruffs", "9"), True),
    ]
    kept = met[4:12]
    assert {key[0] for key, _ in kept} == {"is kept"}, "four diamonds and four spades"
    assert met[12][0][0] == "leads trump"
    assert sum(took for key, took in met if key[0] != "is kept") == 5, "every trick is taken once"


def test_a_kept_card_is_worth_what_it_takes_later() -> None:
    """The ace of diamonds is kept while clubs are led, and takes the next trick."""
    hands = ("9c Tc Qc Kc Td", "9h Ad Ts Qs Ks", "Ac 9d Qd 9s Js", "Th Kd Jc Ah As")
    end = finished(table("order discard:As 9c 9h Ac Jc Ad 9d Kd Td", hands))
    assert [took for key, took in cards_met(end) if key == ("is kept", "A")] == [True]


@pytest.mark.slow
def test_learning_is_repeatable_and_every_share_lies_in_its_interval() -> None:
    plan = (ValueGeneration("RANDOM", 400), ValueGeneration("UF.5", 400))
    learnt = learn_values(7, plan)
    assert learn_values(7, plan) == learnt
    assert learn_values(8, plan) != learnt
    assert {place: tuple(ranks) for place, ranks in learnt.items()} == SITUATIONS
    for ranks in learnt.values():
        for one in ranks.values():
            assert 0 <= one.ci95[0] <= one.share <= one.ci95[1] <= 1
            assert one.cards > 0


def test_too_few_hands_are_refused() -> None:
    with pytest.raises(ValueError, match="never met in some situation: more hands are needed"):
        learn_values(1, (ValueGeneration("RANDOM", 1),))


def test_values_that_mislead_are_refused() -> None:
    shares = {place: dict.fromkeys(ranks, 0.5) for place, ranks in SITUATIONS.items()}
    with pytest.raises(ValueError, match="a card that cannot take the trick is above one that can"):
        values_of(shares)


# The values that come with the program.


def test_the_committed_values_come_from_the_plan() -> None:
    assert COMMITTED["generations"] == [[one.play, one.hands] for one in PLAN]
    assert {place: tuple(ranks) for place, ranks in COMMITTED["cards"].items()} == SITUATIONS


def test_the_committed_values_are_ordered_as_cards_are() -> None:
    """Where a card answers a lead, the higher one takes more; the right bower is never beaten."""
    for place in ("follows trump", "ruffs", "follows", "is kept"):
        shares = [one["share"] for one in COMMITTED["cards"][place].values()]
        assert shares == sorted(shares)
    assert all(COMMITTED["cards"][place]["right"]["share"] == 1 for place in ("leads trump", "ruffs"))


def test_learnt_values_lead_a_plain_ace_before_a_low_trump() -> None:
    assert value_of("Ac", "h") < value_of("9h", "h")
    assert value_of("Ac", "h", values=learnt_values()) > value_of("9h", "h", values=learnt_values())
    state = table(
        "order discard:Jc",
        hands=("9h Ac 9c 9s 9d", "Td Qd Kd Ad Tc", "Ts Qs Ks As Qc", *HANDS[3:]),
        upcard="Qh",
    )
    for name, card in {"HIGH!": "9h", "HIGH!^learnt": "Ac"}.items():
        decision = find_agent(name, "euchre").decide(state.observe(0), Stream("lead"))
        assert isinstance(decision, Decision)
        assert decision.action == card


@pytest.mark.parametrize("play", BY_LEARNT_VALUES)
def test_players_by_learnt_values_bid_as_the_others(play: str) -> None:
    learnt, published = find_agent(f"{play}^learnt@tricks", "euchre"), find_agent(f"{play}@tricks", "euchre")
    assert isinstance(learnt, EuchrePlayer)
    assert isinstance(published, EuchrePlayer)
    assert (learnt.play, learnt.bidder) == (published.play, published.bidder)
    assert learnt.cards is learnt_values()
    assert published.cards is PUBLISHED
