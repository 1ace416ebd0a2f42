"""Groups of hands: a hand counts where no card was played, too."""

from __future__ import annotations

import pytest

from retruco.agents.registry import find_agent
from retruco.arena.duel import deals_from
from retruco.arena.match import play_match
from retruco.cbr.clusters import fit
from retruco.games.truco import Truco
from retruco.vocab.truco.hand_groups import SECOND, describe_groups, hand_sample
from retruco.vocab.truco.scenarios import OTHER_FOLDED, OWN_LOST

GAME = Truco.named("trucogame")


@pytest.fixture(scope="module")
def hands() -> list[tuple[dict[str, object], int]]:
    players = (find_agent("aggressive", "truco"), find_agent("cautious", "truco"))
    matches = (play_match(GAME, players, deals_from(GAME, 3, one), 0, one) for one in range(20))
    return [(hand.state.record(), seat) for match in matches for hand in match.hands for seat in (0, 1)]


@pytest.mark.parametrize("scenario", SECOND)
def test_every_hand_of_who_plays_second_is_in_a_group(
    hands: list[tuple[dict[str, object], int]], scenario: str
) -> None:
    sample = hand_sample(hands, scenario)
    second = sum(record["mao"] != seat for record, seat in hands)
    assert sample.rows == second > 20
    groups = list(describe_groups(sample, fit(sample, 4)))
    assert sum(share for share, _ in groups) == pytest.approx(1)
    assert all(like for _, like in groups)


def test_hands_that_end_before_a_card_is_played_are_there(
    hands: list[tuple[dict[str, object], int]],
) -> None:
    sample = hand_sample(hands, "card-1-follow")
    own = set(sample.numbers[:, sample.names.index("own first")].tolist())
    assert {OTHER_FOLDED, OWN_LOST} <= own


def test_no_hands_have_no_groups() -> None:
    with pytest.raises(ValueError, match="no hand has all columns of card-1-follow"):
        hand_sample([], "card-1-follow")
