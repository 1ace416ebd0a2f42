"""Fixed deals: read from a file, kept under a name, dealt in an order that the seed shuffles."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import select

from retruco.cards import Card
from retruco.games.truco import Truco, TrucoDeal
from retruco.storage.errors import StoreError
from retruco.storage.importers.cells import SUITS
from retruco.storage.schema import DEALS
from retruco.storage.store import Store
from retruco.storage.writing import check_name
from retruco.streams import Stream
from retruco.vocab.truco.partial_replay import OF_CODE

LARGEST: Final = 64 << 20
"""How many bytes a file of deals may have."""


@dataclass(frozen=True, slots=True)
class Deals:
    """Deals under a name, and how many of them had to be mended."""

    name: str
    deals: tuple[TrucoDeal, ...]
    note: str

    def for_pair(self, seed: int, pair: int) -> Callable[[int], TrucoDeal]:
        """The deals of a duplicate pair: all of them in an order of its own, then from the start."""
        order = list(self.deals)
        Stream("fixed deals", seed, pair).shuffle(order)
        return lambda number: order[number % len(order)]


def read_deals(file: Path) -> tuple[list[TrucoDeal], int]:
    """Read six cards a deal, by strength and suit; mend a sixth card that cannot be as it is.

    In the published file the suit of the last card is wrong in some deals: a card that does not
    exist, or that another hand holds. It gets the first suit that is free.
    """
    if file.stat().st_size > LARGEST:
        raise ValueError(f"{file} has more than {LARGEST} bytes: no file of deals")
    try:
        plain = json.loads(file.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"{file} is not JSON: {error}") from None
    if not isinstance(plain, list) or not plain:
        raise ValueError(
            f"{file} holds no deals: a list of objects with carta1 to carta6 and naipeCarta1 to 6"
        )
    found, mended = [], 0
    for number, line in enumerate(plain, 1):
        deal, was_mended = _deal(line, f"{file}, deal {number}")
        found.append(deal)
        mended += was_mended
    return found, mended


def _deal(plain: object, where: str) -> tuple[TrucoDeal, bool]:
    if not isinstance(plain, Mapping):
        raise ValueError(f"{where} is not an object with carta1 to carta6: {str(plain)[:40]!r}")
    cards: list[Card] = []
    mended = False
    for place in range(1, 7):
        code, suit = plain.get(f"carta{place}"), plain.get(f"naipeCarta{place}")
        if type(code) is not int or code not in OF_CODE or not isinstance(suit, str) or suit not in SUITS:
            known = ", ".join(map(str, OF_CODE))
            raise ValueError(
                f"{where}, card {place} is {code!r} of {suit!r}: one of {known} of ESPADAS, OURO, BASTOS, COPAS"
            )
        free = [one for one in OF_CODE[code] if one not in cards]
        named = next((one for one in free if one.suit == SUITS[suit]), None)
        if named is None and (place < 6 or not free):
            raise ValueError(f"{where}, card {place}: {code} of {suit} does not exist or is dealt twice")
        mended = mended or named is None
        cards.append(named or free[0])
    a, b, c, d, e, f = cards
    return TrucoDeal(((a, b, c), (d, e, f))), mended


def import_deals(store: Store, file: Path, name: str) -> tuple[Deals, int]:
    """Keep the deals of a file under a free name; all of them or none."""
    check_name(name)
    deals, mended = read_deals(file)
    note = f"{len(deals)} deals of {file.name}, {mended} of them with a last card mended"
    with store.writing() as writer:
        writer.hold_names()
        taken = writer.connection.scalars(select(DEALS.c.name)).all()
        if name in taken:
            raise StoreError(f"there are already deals {name!r}: choose a name other than {', '.join(taken)}")
        content = "\n".join(map(str, deals))
        writer.connection.execute(DEALS.insert().values(name=name, game="truco", note=note, content=content))
    return Deals(name, tuple(deals), note), mended


def find_deals(store: Store, name: str) -> Deals:
    """Find deals by their name, or say which ones there are."""
    with store.reading() as reader:
        found = reader.connection.execute(select(DEALS).where(DEALS.c.name == name)).first()
        known = reader.connection.scalars(select(DEALS.c.name).order_by(DEALS.c.name)).all()
    if found is None:
        raise StoreError(f"unknown deals {name!r}: {_alternatives(known)}")
    return Deals(name, tuple(map(Truco.named().read_deal, found.content.splitlines())), found.note)


def _alternatives(known: Sequence[str]) -> str:
    return f"one of {', '.join(known)}" if known else "none yet; see `retruco cases import-deals`"
