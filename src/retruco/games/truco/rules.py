"""The variants of Truco as data: one frozen record a variant, no code.

A preset is a `Rules`; the engine reads its fields and nothing else. `tables()` prints the
same fields for people, so that the page can never disagree with the play.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from retruco.cards import SPANISH_DECK, Card

Call: TypeAlias = str

FLOR_CALLS: Final = ("flor", "contraflor", "contraflor-resto", "achico")
ENVIDO_CALLS: Final = ("envido", "real-envido", "falta-envido")
TRUCO_CALLS: Final = ("truco", "retruco", "vale4")
CALLS: Final = (*FLOR_CALLS, *ENVIDO_CALLS, *TRUCO_CALLS, "quero", "nao-quero", "baralho")
CALL_KEYS: Final = {
    "flor": "l",
    "contraflor": "c",
    "contraflor-resto": "x",
    "achico": "a",
    "envido": "e",
    "real-envido": "r",
    "falta-envido": "f",
    "truco": "t",
    "retruco": "t",
    "vale4": "t",
    "quero": "q",
    "nao-quero": "n",
    "baralho": "b",
}
"""The key on which a person makes each call."""
"""Everything that can be said, in the order in which it is always listed."""

ENVIDO_VALUE: Final = {"envido": 2, "real-envido": 3}
TRUCO_VALUE: Final = {"truco": 2, "retruco": 3, "vale4": 4}

Falta: TypeAlias = Literal["leader", "loser", "halves"]
"""What a falta is worth: what the leader lacks to the target; the target minus the score of the
side that loses it; or, with both in the first half of the board, what the winner lacks to half."""

Resto: TypeAlias = Literal["6 + leader", "target", "falta"]
"""What an accepted contraflor-resto is worth."""

FULL_HAND: Final = 3
"""The cards of a hand of the game that people play."""

MENU_TARGETS: Final = (12, 15, 18, 24, 30)
"""The targets offered in menus; any target from 1 on can be played."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One variant of the game."""

    name: str
    summary: str
    target: int
    """The target played to when nobody asks for another."""
    falta: Falta
    real_repeats: bool = False
    """Whether real-envido may be called again while the chain is worth less than the target."""
    envido_cancels_truco: bool = False
    """Whether an envido or flor put before a truco cancels it instead of only delaying it."""

    flor: bool = True
    flor_compulsory: bool = True
    """Whether a seat with an unsung flor has nothing but flor calls before its first card."""
    flor_alone: int = 3
    flor_flor: int = 6
    """What a flor answered by a flor pays to the better one."""
    achico: int | None = None
    """What the first singer gets when the other gives way; `None`: nobody may."""
    contraflor: int = 6
    contraflor_declined: int = 4
    resto: Resto = "falta"
    resto_over_flor_declined: int = 4
    resto_over_contraflor_declined: int = 6

    fold_unspoken_envido: bool = False
    """Whether going to the deck before any card or call of the hand also costs an envido of 1."""
    fold_unspoken_flor: bool = False
    """Whether it costs 3 for a flor instead, when the other seat was dealt one."""
    fold_envido_after_truco: bool = False
    """Whether, with a truco accepted, no card of one's own played and neither envido nor flor
    called, going to the deck still costs an envido of 1."""
    fold_as_answer: bool = True
    """Whether one may go to the deck instead of answering a bet."""

    deck: tuple[Card, ...] = SPANISH_DECK
    hand_size: int = FULL_HAND
    """The cards that each seat is dealt; as many rounds are played."""
    envido_calls: tuple[Call, ...] = ENVIDO_CALLS
    """The envido calls that are played."""
    truco_calls: tuple[Call, ...] = TRUCO_CALLS
    """The truco calls that are played, from the first on."""

    @property
    def is_full_size(self) -> bool:
        """Whether hands are three of the forty cards, which most agents and pages need."""
        return self.hand_size == FULL_HAND and self.deck == SPANISH_DECK


PRESETS: Final = {
    rules.name: rules
    for rules in (
        Rules(
            name="cbtg",
            summary="Truco Cego of Rio Grande do Sul, as in the tournaments of the CBTG",
            target=24,
            falta="leader",
            real_repeats=True,
            achico=4,
            resto="6 + leader",
            fold_unspoken_envido=True,
            fold_unspoken_flor=True,
        ),
        Rules(
            name="trucogame",
            summary="the game of the recorded human hands and of the published agents",
            target=24,
            falta="loser",
            envido_cancels_truco=True,
            flor_compulsory=False,
            resto="target",
            resto_over_contraflor_declined=4,
        ),
        Rules(
            name="argentino",
            summary="Argentine Truco with flor",
            target=30,
            falta="halves",
            flor_flor=4,
            achico=3,
            fold_unspoken_envido=True,
            fold_envido_after_truco=True,
            fold_as_answer=False,
        ),
        Rules(
            name="argentino-sem-flor",
            summary="Argentine Truco without flor",
            target=30,
            falta="halves",
            flor=False,
            flor_compulsory=False,
            fold_unspoken_envido=True,
            fold_envido_after_truco=True,
            fold_as_answer=False,
        ),
    )
}
"""The variants that people play: three cards of forty."""

SMALL_PRESETS: Final = {
    rules.name: rules
    for rules in (
        Rules(
            name="truco-mini",
            summary="six cards, two rounds: small enough to be solved exactly",
            target=6,
            falta="leader",
            flor=False,
            flor_compulsory=False,
            deck=tuple(card for card in SPANISH_DECK if card.suit in "eb" and card.rank in (3, 7, 12)),
            hand_size=2,
            envido_calls=("envido",),
            truco_calls=("truco",),
        ),
    )
}
"""Reduced variants, for solving and for tests of solvers; no case base, scripted agent or web table plays them."""


def preset(name: object) -> Rules:
    """Find a variant by its name.

    >>> preset("cbtg").target
    24
    >>> preset("mineiro")
    Traceback (most recent call last):
    ...
    ValueError: unknown rules 'mineiro': one of cbtg, trucogame, argentino, argentino-sem-flor, truco-mini
    """
    known = PRESETS | SMALL_PRESETS
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"unknown rules {name!r}: one of {', '.join(known)}")
    return known[name]
