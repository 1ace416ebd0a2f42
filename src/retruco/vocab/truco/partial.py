"""A hand of which only a part is known: a record of its own kind, honestly marked.

The TrucoGame hands say who called what but not in which order, give cards as strength codes,
and leave things out. A partial hand keeps what was recorded, as seat 0 saw it, with the doubts
that came up when it was read. `telling` makes turns and rows of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, Self, TypeAlias

from retruco.games.core import BadRecord, Seat, short_repr
from retruco.games.truco.rules import ENVIDO_CALLS, TRUCO_CALLS
from retruco.vocab.truco.scenarios import CATEGORIES, DOWN

Code: TypeAlias = int
"""How strong a card is, in the codes of `scenarios.STRENGTH_CODES`."""
CardOrReason: TypeAlias = Code | str
"""A card of a round: its code, `down`, or why there is none."""

OWN_FOLD: Final = "own-fold"
OWN_LOST: Final = "own-lost"
OTHER_FOLDED: Final = "other-folded"
INCOMPLETE: Final = "incomplete"
UNKNOWN: Final = "unknown"
NO_CARD: Final = (OWN_FOLD, OWN_LOST, OTHER_FOLDED, INCOMPLETE, UNKNOWN)
"""Why a round has no card of a seat; `unknown` where nothing says whether it has one."""

PEOPLE, SELF_PLAY = "people", "self-play"

ENVIDO_AGAIN: Final = "envido_again"
MARK: Final[Mapping[str, object]] = {"game": "truco", "partial": True}
"""What every partial record begins with."""


@dataclass(frozen=True, slots=True)
class PartialHand:
    """One recorded hand as seat 0 saw it; what is not known is `None`."""

    number: int
    """Its number in the table it was read from."""
    match: str | None
    source: str
    """Played by people, or by programs against each other."""
    rules: str
    mao: Seat
    hand: tuple[Code, Code, Code]
    suits: tuple[str | None, ...]
    other_hand: tuple[Code, Code, Code] | None
    other_suits: tuple[str | None, ...]
    points: tuple[int | None, int | None]
    """Envido points of both seats; of three cards of one suit, those of the best two."""
    cards: tuple[
        tuple[CardOrReason, CardOrReason, CardOrReason], tuple[CardOrReason, CardOrReason, CardOrReason]
    ]
    """By seat and round."""
    winners: tuple[int | None, int | None, int | None]
    """By round, as recorded: a seat, -1 for a tie."""
    envido: Mapping[str, Seat]
    """Who made each envido call; a second envido is `envido_again`."""
    flor: Seat | None
    """Who sang a flor that the cards confirm."""
    truco: tuple[tuple[str, Seat, int | None], ...]
    """Each truco call, its caller and its round."""
    declined: Mapping[str, Seat]
    """By stage, who declined."""
    fold: tuple[Seat, int | None] | None
    """Who went to the deck, in which round."""
    balance: Mapping[str, int | None]
    """By stage, what seat 0 won less what the other won."""
    scores: tuple[tuple[int, int], tuple[int, int]] | None = None
    """Both scores before the hand, and after it."""
    labels: Mapping[str, int] = field(default_factory=dict)
    """The original cluster of each scenario and index; a scenario that is not there has none."""
    coded: tuple[tuple[int | None, ...], tuple[int | None, ...]] | None = None
    """The cards of the rounds as the original clusters counted them: own by slot, the other's by category."""
    useful: Mapping[str, int] = field(default_factory=dict)
    """The original flags that say for which decisions a hand may be used."""
    doubts: tuple[str, ...] = ()
    """The kinds of fault found in it."""
    record: Mapping[str, object] | None = None
    """The whole hand in the notation, where what is recorded tells it completely."""

    def as_json(self) -> dict[str, object]:
        """Write it down, with the mark of a partial hand."""
        plain = asdict(self)
        if self.record is None:
            del plain["record"]
        return {**MARK, **plain}

    @classmethod
    def of(cls, record: Mapping[str, object]) -> Self:
        """Read a partial record, or say what is wrong with it."""
        if any(record.get(key) != value for key, value in MARK.items()):
            raise BadRecord(f"a partial hand says {dict(MARK)}, not {short_repr(record.get('partial'))}")
        names = {one.name for one in fields(cls)}
        unknown = sorted(record.keys() - names - MARK.keys())
        missing = sorted(names - record.keys() - {"record"})
        if unknown or missing:
            raise BadRecord(f"a partial hand lacks {missing} and does not know {unknown}")
        values: dict[str, Any] = {key: _tuples(record[key]) for key in record if key not in MARK}
        made = cls(**values)
        made._check()
        return made

    def _check(self) -> None:
        if self.mao not in (0, 1):
            raise BadRecord(f"mao must be 0 or 1, not {short_repr(self.mao)}")
        for codes in (self.hand, self.other_hand or self.hand):
            if len(codes) != 3 or any(code not in CATEGORIES for code in codes):
                raise BadRecord(
                    f"a hand is three strength codes of {sorted(CATEGORIES)}, not {short_repr(codes)}"
                )
        for card in (*self.cards[0], *self.cards[1]):
            if card not in CATEGORIES and card != DOWN and card not in NO_CARD:
                raise BadRecord(
                    f"a card of a round is a code, 'down' or one of {NO_CARD}, not {short_repr(card)}"
                )
        calls = {*self.envido, *(call for call, _, _ in self.truco)}
        known = {*ENVIDO_CALLS, ENVIDO_AGAIN, *TRUCO_CALLS}
        if not calls <= known:
            raise BadRecord(f"unknown calls {sorted(calls - known)}: a partial hand knows {sorted(known)}")

    def has(self, doubt: str) -> bool:
        """Whether a kind of fault was found in it."""
        return doubt in self.doubts

    def played(self, seat: Seat, number: int) -> bool:
        """Whether a seat's card of a round is known to have been played."""
        card = self.cards[seat][number - 1]
        return isinstance(card, int) or card == DOWN

    @property
    def envido_chain(self) -> tuple[tuple[str, Seat], ...]:
        """The envido calls with their callers, in the only order the rules allow."""
        order = ("envido", ENVIDO_AGAIN, "real-envido", "falta-envido")
        return tuple((call, self.envido[call]) for call in order if call in self.envido)


def is_partial(record: Mapping[str, object]) -> bool:
    """Tell a partial record from a whole one.

    >>> is_partial({"game": "truco", "partial": True}), is_partial({"game": "truco"})
    (True, False)
    """
    return record.get("partial") is True


def _tuples(value: object) -> object:
    """Turn the lists of JSON back into tuples; a nested record stays as it is."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(map(_tuples, value))
    return value
