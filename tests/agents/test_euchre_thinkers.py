"""Euchre players that imagine, search or remember."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.euchre.imagining import imagined
from retruco.agents.euchre.montecarlo import MonteCarlo
from retruco.agents.euchre.openspiel import Ismcts
from retruco.agents.euchre.policies import NPS
from retruco.agents.euchre.reading import STYLES, fit_of, styles_read
from retruco.agents.registry import find_agent
from retruco.arena.sets import play_set
from retruco.cbr.case import Decision
from retruco.cbr.case_file import read_cases, write_cases
from retruco.games.core import Match
from retruco.games.euchre import Euchre, EuchreDeal, EuchreObservation, EuchreState
from retruco.games.euchre.stepper import NONE
from retruco.learning.euchre.embedded import EUCHRE
from retruco.learning.euchre.training import Generation, learn
from retruco.streams import Stream
from retruco.vocab.euchre.chart import chart_of
from retruco.vocab.euchre.scenarios import VOCABULARY

SMALL = (Generation(60, 1.0), Generation(60, 0.5))


def random_states(rules: str, hands: int) -> list[EuchreState]:
    game, found = Euchre.named(rules), []
    for number in range(hands):
        chance = Stream("thinkers", rules, number)
        state = game.start(game.deal(chance), Match((0, 0), chance.below(4)))
        while state.outcome is None:
            found.append(state)
            state = state.play(chance.choice(state.legal))
    return found


@pytest.mark.parametrize("rules", Euchre.presets())
def test_an_imagined_hand_looks_the_same_to_who_imagines_it(rules: str) -> None:
    for number, state in enumerate(random_states(rules, 12)):
        assert state.to_act is not None
        seen = state.observe(state.to_act)
        assert imagined(seen, Stream("imagine", number)).observe(state.to_act) == seen


def test_imagined_hands_are_as_likely_as_the_chart_says() -> None:
    late = [s for s in random_states("stick", 30) if s.contract and len(s.tricks) == 2 and len(s.table) == 2]
    seen = late[0].observe(late[0].to_act or 0)
    chart, draws, held = chart_of(seen), 1500, Counter[tuple[int, str]]()
    for number in range(draws):
        state = imagined(seen, Stream("draw", number))
        held.update((seat, card) for seat in range(4) for card in state.held(seat))
    for (seat, card), count in held.items():
        expected = draws * chart.chance(seat, card)
        assert abs(count - expected) < 5 * draws**0.5 / 2


def last_trick_choice() -> EuchreState:
    """Hearts are trumps, seat 0 holds the two bowers and is last to play with two tricks to go."""
    hands = ("Jh Jd 9c 9d 9s", "Ah Ac Tc Qc Kc", "As Ts Qs Ks Js", "Ad Td Qd Kd Th")
    deal = EuchreDeal(tuple(tuple(hand.split()) for hand in hands), "9h")
    state = Euchre.named("seelbinder2012").start(deal, Match((0, 0), 0))
    for action in ["pass", "pass", "pass", "order", "discard:9d"]:
        state = state.play(action)
    return state


def test_montecarlo_wins_a_trick_that_it_can_win() -> None:
    state = last_trick_choice().play("Ah").play("As").play("Th")
    assert state.to_act == 0
    decision = MonteCarlo(deals=10).decide(state.observe(0), Stream("mc"))
    assert decision.action in ("Jh", "Jd")
    assert decision.values["deals"] == 10


def test_montecarlo_decides_the_same_again() -> None:
    state = last_trick_choice().play("Ac")
    seen = state.observe(state.to_act or 0)
    assert MonteCarlo().decide(seen, Stream("a")) == MonteCarlo().decide(seen, Stream("a"))


@pytest.mark.openspiel
def test_ismcts_plays_by_its_own_rules_and_no_others() -> None:
    game = Euchre.named("openspiel", target=1)
    team = [Ismcts(simulations=20)] * 2
    played = play_set(game, [team, [find_agent("random", "euchre")] * 2], 1, 0)
    assert [match.forfeit for match in played.matches] == [None, None]
    seen = Euchre.named("classic").start(Euchre.named().deal(Stream(1)), Match((0, 0), 3)).observe(0)
    with pytest.raises(ValueError, match="plays by the rules openspiel or openspiel-pass, not classic"):
        Ismcts().decide(seen, Stream("x"))


# Cases.


def test_self_play_is_the_same_again_and_can_be_kept(tmp_path: Path) -> None:
    one, two = learn(3, SMALL), learn(3, SMALL)
    assert len(one) == len(two) > 300
    file = tmp_path / "cases.npz"
    write_cases(file, one)
    back = read_cases(file, VOCABULARY)
    for scenario in VOCABULARY.scenarios:
        assert _rows(one, scenario.name) == _rows(two, scenario.name) == _rows(back, scenario.name)


def _rows(cases: object, scenario: str) -> Counter[tuple[object, ...]]:
    rows = cases.rows(scenario)  # type: ignore[attr-defined]  # an agent is only known to decide
    return Counter((row.problem.values, row.action, row.credit, row.hindsight) for row in rows)


def test_cases_of_another_vocabulary_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "old.npz"
    np.savez_compressed(file, digest=np.frombuffer(b"0123456789abcdef", np.uint8))
    with pytest.raises(ValueError, match="cases of another vocabulary: 0123456789abcdef"):
        read_cases(file, VOCABULARY)


def test_a_decision_shows_its_cases() -> None:
    player = CaseBasedAgent(NPS, EUCHRE.cases())
    state = last_trick_choice()
    seen = state.observe(state.to_act or 0)
    decision = player.decide(seen, Stream("why"))
    assert isinstance(decision, Decision)
    asked = decision.asked[-1]
    assert asked.scenario == "lead"
    assert len(asked.matches) >= 300
    assert decision.action in seen.legal
    assert asked.choice.scores[str(asked.answer)] == max(asked.choice.scores.values())


def test_it_beats_chance_by_far() -> None:
    """Synthetic cases, real play: NPS against RANDOM over a few duplicate pairs."""
    game = Euchre.named("seelbinder2012")
    nps, chance = (
        [find_agent("NPS", "euchre", lambda *_: EUCHRE.cases())] * 2,
        [find_agent("RANDOM", "euchre")] * 2,
    )
    wins = sum(play_set(game, [nps, chance], 5, number).score().wins(0) for number in range(6))
    assert wins >= 9


def seen_by(seat: int, others: str, hands: int) -> tuple[EuchreObservation, ...]:
    """Some hands as one seat saw them end, with the others playing by one name."""
    game, found = Euchre.named("stick"), list[EuchreObservation]()
    me, them = find_agent("UF", "euchre"), find_agent(others, "euchre")
    for number in range(hands):
        chance = Stream("read", others, number)
        state = game.start(game.deal(chance), Match((0, 0), number % 4))
        while state.outcome is None:
            assert state.to_act is not None
            agent = me if state.to_act == seat else them
            decision = agent.decide(state.observe(state.to_act), chance)
            assert isinstance(decision, Decision)
            state = state.play(decision.action)
        found.append(state.observe(seat))
    return tuple(found)


@pytest.mark.parametrize(
    ("others", "style"), [("HIGH", "high"), ("LOW", "low"), ("HIGH!", "cautious"), ("RANDOM", "any")]
)
def test_after_some_hands_it_is_known_in_which_style_the_others_play(others: str, style: str) -> None:
    before, after = styles_read(()), styles_read(seen_by(0, others, 12))
    assert {tuple(shares.values()) for shares in before} == {(0.25,) * 4}
    for seat in (1, 2, 3):
        assert after[seat][style] > 0.9, after[seat]


def test_who_always_plays_high_and_plays_low_has_nothing_better() -> None:
    """Seat 0 plays the king of spades third; seat 3, last, would take the trick with any better card."""
    hands = ("9s Tc Qc 9d Ad", "9c Kc Ac Td Jd", "Ts Jc Qd Kd Th", "Js Qs Ks As Qh")
    state = EuchreDeal(tuple(tuple(hand.split()) for hand in hands), "9h")
    start = Euchre.named("seelbinder2012").start(state, Match((0, 0), 3))
    for action in ["order", "discard:Qh", "9s", "9c", "Ts"]:
        start = start.play(action)
    styles = [NONE, *(STYLES.index(style) for style in ("cautious", "cautious", "high"))]
    low, high = (fit_of(start.play(card), styles) for card in ("Js", "As"))
    assert high > 5 * low


def test_a_reading_player_tells_the_styles_it_has_read() -> None:
    state = last_trick_choice()
    assert state.to_act is not None
    seen = state.observe(state.to_act, seen_by(state.to_act, "LOW", 8))
    decision = find_agent("montecarlo-reads", "euchre").decide(seen, Stream("reads"))
    assert isinstance(decision, Decision)
    others = {str(seat): "low" for seat in range(4) if seat != state.to_act}
    assert decision.reason == "euchre.read"
    assert decision.values["styles"] == others
