"""What the buttons say: why a call is not possible, and what each plays for."""

from collections.abc import Iterator

import pytest
from visitors import HAND

from retruco.explain import why_not
from retruco.games.core import State
from retruco.games.truco import PRESETS, Truco, TrucoObservation, TrucoState
from retruco.games.truco.notation import read
from retruco.games.truco.rules import CALLS
from retruco.streams import Stream
from retruco.web.core.i18n import LANGUAGES, texts
from retruco.web.tables.stakes import price

every_preset = pytest.mark.parametrize("rules", PRESETS)


def some_states(rules: str, hands: int = 150) -> Iterator[TrucoState]:
    """Positions of random hands; suited hands often, so that flors meet."""
    game = Truco.named(rules)
    for number in range(hands):
        chance = Stream("calls", rules, number)
        match = game.opening(chance.below(2))
        state = game.start(game.deal(chance), match)
        while state.outcome is None:
            yield state
            state = state.play(chance.choice(state.legal))


def seen(state: State) -> TrucoObservation:
    assert state.to_act is not None
    found = state.observe(state.to_act)
    assert isinstance(found, TrucoObservation)
    return found


@every_preset
def test_a_reason_is_given_exactly_for_what_is_not_legal(rules: str) -> None:
    for state in some_states(rules):
        for seat in (0, 1):
            looking = state.observe(seat)
            for call in CALLS:
                assert (why_not(looking, call) is None) == (call in looking.legal)


@every_preset
def test_every_reason_has_its_sentence(rules: str) -> None:
    reasons = {why_not(seen(state), call) for state in some_states(rules) for call in CALLS} - {None}
    for language in LANGUAGES:
        assert all(texts(language).has(f"why_not.{reason}") for reason in reasons)


@every_preset
def test_what_is_given_away_is_what_the_engine_pays(rules: str) -> None:
    for state in some_states(rules):
        looking = seen(state)
        for call in ("nao-quero", "baralho"):
            if call in state.legal:
                after = state.play(call)
                paid = sum(pair[looking.other] for pair in after.points) - sum(
                    pair[looking.other] for pair in state.points
                )
                worth = price(looking, call)
                assert worth is not None
                hidden_flor = any(pair[looking.other] == 3 for pair in after.points[1:2])
                at_target = after.scores[looking.other] >= state.game.target
                assert worth.accepted == paid or hidden_flor or at_target


@every_preset
def test_what_quero_plays_for_is_what_the_winner_gets(rules: str) -> None:
    for state in some_states(rules):
        if "quero" in state.legal and (state.envido.pending or state.flor.pending):
            after = state.play("quero")
            stage = 1 if state.flor.pending else 0
            paid = tuple(new - old for new, old in zip(after.points[stage], state.points[stage], strict=True))
            worth = price(seen(state), "quero")
            assert worth is not None
            assert state.to_act is not None
            if paid[state.to_act]:
                assert worth.accepted == paid[state.to_act]


@pytest.mark.parametrize(
    ("changes", "call", "reason"),
    [
        ({}, "retruco", "one-step"),
        ({}, "quero", "nothing-to-answer"),
        ({}, "flor", "no-flor-in-hand"),
        ({"rules": "argentino-sem-flor"}, "flor", "no-flor-here"),
        ({"actions": ["1e", "3o"]}, "envido", "after-first-card"),
        ({"actions": ["envido", "nao-quero"]}, "real-envido", "envido-over"),
        ({"actions": ["truco", "quero"]}, "envido", "truco-closed-envido"),
        ({"actions": ["truco", "quero"]}, "retruco", "other-may-raise"),
        ({"actions": ["truco", "quero"]}, "truco", "already-called"),
        ({"actions": ["envido"]}, "truco", "answer-first"),
        ({"actions": ["falta-envido"]}, "envido", "falta-is-last"),
        ({"actions": ["envido", "envido"]}, "envido", "envido-not-again"),
        ({"actions": ["envido"], "rules": "argentino"}, "baralho", "answer-instead"),
        ({"hands": [["1e", "7e", "4e"], ["3o", "2c", "5e"]]}, "truco", "sing-first"),
        ({"actions": ["truco", "retruco"]}, "envido", "truco-closed-envido"),
    ],
)
def test_the_reason_is_the_one_a_player_would_give(
    changes: dict[str, object], call: str, reason: str
) -> None:
    assert why_not(seen(read({**HAND, **changes})), call) == reason
