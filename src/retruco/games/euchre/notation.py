"""Hands and observations as JSON objects: written, read back and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from retruco.games.core import BadRecord, short_repr
from retruco.games.euchre.deck import SUITS, Hand, card
from retruco.games.euchre.game import Euchre, EuchreDeal
from retruco.games.euchre.observation import EuchreObservation
from retruco.games.euchre.state import EuchreState, begin
from retruco.games.euchre.tricks import SEATS
from retruco.games.euchre.unknown_hands import UNKNOWN, complete_hands
from retruco.games.observations import read_fields
from retruco.games.records import check_different, check_keys, game_of, played, scores_below, seat_of

KEYS: Final = ("rules", "target", "scores", "dealer", "hands", "upcard", "actions")
DEALT: Final = 5


def record(state: EuchreState) -> dict[str, object]:
    """Write a hand down: who acts follows from the rules, so the actions are a flat list."""
    return {
        "game": "euchre",
        "rules": state.game.rules.name,
        "target": state.game.target,
        "scores": list(state.scores),
        "dealer": state.dealer,
        "hands": [list(hand) or None for hand in state.deal.hands],
        "upcard": state.deal.upcard,
        "actions": list(state.actions),
        "version": Euchre.version,
    }


def read(record: Mapping[str, object]) -> EuchreState:
    """Replay a recorded hand, finished or not.

    >>> hand = {"game": "euchre", "rules": "classic", "target": 10, "scores": [0, 0], "dealer": 3,
    ...         "hands": [["Jh", "Jd", "Ah", "Kh", "Qh"], ["9c", "Tc", "Jc", "Qc", "Kc"],
    ...                   ["9s", "Ts", "Js", "Qs", "Ks"], ["9d", "Td", "Qd", "Kd", "Ad"]],
    ...         "upcard": "9h", "actions": ["order-alone", "discard:9d"]}
    >>> read(hand).legal
    ('Jd', 'Jh', 'Qh', 'Kh', 'Ah')

    Hands that nobody has told are null, and a discard that nobody has seen is `discard:?`.

    >>> seen = read({**hand, "hands": [hand["hands"][0], None, None, None], "actions": ["order-alone", "discard:?"]})
    >>> seen.legal, seen.record()["hands"][1], seen.actions[-1]
    (('Jd', 'Jh', 'Qh', 'Kh', 'Ah'), None, 'discard:?')
    """
    check_keys(record, "euchre", KEYS)
    game = game_of(Euchre, record["rules"], record["target"])
    scores = scores_below(game.target, record["scores"])
    dealer = seat_of("dealer", record["dealer"], SEATS)
    deal, actions = read_deal(record["hands"], record["upcard"]), record["actions"]
    if UNKNOWN not in deal.hands or not isinstance(actions, list) or not all(map(is_text, actions)):
        return played(begin(game, deal, scores, dealer), actions)
    hands, given = complete_hands(game.rules, deal.hands, deal.upcard, dealer, actions)
    state = played(begin(game, EuchreDeal(hands, deal.upcard), scores, dealer), given)
    return state._replace(deal=deal, actions=tuple(actions))


def is_text(value: object) -> bool:
    """Whether something is a string."""
    return isinstance(value, str)


def read_deal(hands: object, upcard: object) -> EuchreDeal:
    """Read the cards of a hand, all different."""
    if not isinstance(hands, list) or len(hands) != SEATS:
        raise BadRecord(f"hands must be four lists of five cards, or null, not {short_repr(hands)}")
    try:
        deal = EuchreDeal(tuple(map(_hand, hands)), card(upcard))
    except ValueError as error:
        raise BadRecord(str(error)) from None
    check_different((*(one for hand in deal.hands for one in hand), deal.upcard))
    return deal


def _hand(value: object) -> Hand:
    if value is None:
        return UNKNOWN
    if not isinstance(value, list) or len(value) != DEALT:
        raise BadRecord(f"a hand has exactly five cards, not {short_repr(value)}")
    return tuple(map(card, value))


def read_observation(kind: type[Euchre], plain: object, history: tuple[Any, ...]) -> EuchreObservation:
    """Read what a seat sees; its cards and trumps must be those of the deck."""
    seen = cast(EuchreObservation, read_fields(kind, plain, history))
    tricks = (one for trick in seen.tricks for one in trick.cards)
    discard = () if seen.discard is None else (seen.discard,)
    try:
        for text in (seen.upcard, *seen.dealt, *seen.held, *discard, *tricks, *seen.table):
            card(text)
    except ValueError as error:
        raise BadRecord(str(error)) from None
    if seen.trump not in (None, *SUITS):
        raise BadRecord(f"trump must be one of {', '.join(SUITS)}, not {short_repr(seen.trump)}")
    return seen
