"""The tables of a store, and the steps by which a store of any age comes to have them.

Each step runs in a transaction together with its own entry in `retruco_migrations`, so a store
is always exactly as old as it says. A step, once published, is never changed: what comes later
is another step. MariaDB cannot take back the making of a table: there a step that was cut off
is taken again, and leaves alone what it finds made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Engine,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    inspect,
    select,
)
from sqlalchemy.dialects.mysql import LONGTEXT

from retruco.storage.errors import StoreError

METADATA: Final = MetaData()

LETTERS: Final = Text().with_variant(LONGTEXT(), "mysql")
"""Text of any length; MariaDB's own TEXT ends after 65,535 bytes."""

EXACT: Final[dict[str, Any]] = {
    "mysql_engine": "InnoDB",
    "mysql_charset": "utf8mb4",
    "mysql_collate": "utf8mb4_bin",
}
"""For MariaDB: changes that happen at once or not at all, and names that differ when their bytes do."""

BASES: Final = Table(
    "bases",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(60), nullable=False, unique=True),
    Column("game", String(40), nullable=False),
    Column("rules", String(200), nullable=False),
    Column("note", LETTERS, nullable=False),
    Column("created", String(60), nullable=False),
    Column("fixed", Boolean, nullable=False),
    Column("next_number", Integer, nullable=False),
    Column("removed", Integer, nullable=False),
    Column("origins", LETTERS, nullable=False),
    Column("digest", String(64), nullable=False),
    **EXACT,
)
"""A case base. How many hands it has of which origin, and their digest, are kept up to date
with every change, so that a base of a million hands is described without reading them."""

HANDS: Final = Table(
    "hands",
    METADATA,
    Column("base", ForeignKey("bases.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("origin", String(20), nullable=False),
    Column("uses", Integer, nullable=False),
    Column("record", LETTERS, nullable=False),
    **EXACT,
    sqlite_with_rowid=False,  # hands lie in the order of their numbers, which is how they are read
)
"""A hand as one seat saw it: its record in the notation. It never changes but for `uses`."""

DERIVED: Final = Table(
    "derived",
    METADATA,
    Column("base", ForeignKey("bases.id", ondelete="CASCADE"), primary_key=True),
    Column("vocabulary", String(40), primary_key=True),
    Column("kind", String(60), primary_key=True),
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("fingerprint", String(60), nullable=False),
    Column("content", LargeBinary(2**32 - 1), nullable=False),
    **EXACT,
)
"""What was made from the hands in the words of one vocabulary; it can be dropped at any time."""

RUNS: Final = Table(
    "runs",
    METADATA,
    Column("base", ForeignKey("bases.id", ondelete="CASCADE"), primary_key=True),
    Column("match", Integer, nullable=False),
    Column("fingerprint", String(60), nullable=False),
    Column("settings", LETTERS, nullable=False),
    Column("state", LargeBinary(2**32 - 1), nullable=False),
    **EXACT,
)
"""Who learns into a base, by what settings, and how things stood after so many matches. The
fingerprint is that of the base then: a base that is changed by others is no longer the run's."""

JOURNAL: Final = Table(
    "run_journal",
    METADATA,
    Column("base", ForeignKey("bases.id", ondelete="CASCADE"), primary_key=True),
    Column("match", Integer, primary_key=True, autoincrement=False),
    Column("line", Integer, primary_key=True, autoincrement=False),
    Column("content", LETTERS, nullable=False),
    **EXACT,
)
"""What happened on a run worth telling: looks at clusters, and clusters made anew."""

MIGRATIONS: Final = Table(
    "retruco_migrations",
    MetaData(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", String(100), nullable=False),
    **EXACT,
)
"""The steps this store has taken; having this table is what makes a database ours."""


DEALS: Final = Table(
    "deals",
    MetaData(),  # of a step of its own: the first step makes what METADATA holds
    Column("name", String(60), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("note", LETTERS, nullable=False),
    Column("content", LETTERS, nullable=False),
    **EXACT,
)
"""Fixed deals under a name, one a line."""


def bases_hands_derived(connection: Connection) -> None:
    """Make the first tables."""
    METADATA.create_all(connection, [BASES, HANDS, DERIVED])


def fixed_deals(connection: Connection) -> None:
    """Make the table of deals."""
    DEALS.create(connection, checkfirst=True)


def runs(connection: Connection) -> None:
    """Make the tables of learning."""
    METADATA.create_all(connection, [RUNS, JOURNAL])


Step = Callable[[Connection], None]

STEPS: Final[Sequence[Step]] = (bases_hands_derived, fixed_deals, runs)
"""All steps in their order; the first has number 1."""


def taken(connection: Connection) -> tuple[int, ...]:
    """Say which steps a store has taken: none if it is new."""
    if not inspect(connection).has_table(MIGRATIONS.name):
        return ()
    return tuple(connection.scalars(select(MIGRATIONS.c.number).order_by(MIGRATIONS.c.number)))


def check_age(place: str, done: Sequence[int], steps: Sequence[Step] = STEPS) -> None:
    """Refuse a store that has taken steps this program does not know.

    >>> check_age("cases.db", (1, 2), (bases_hands_derived,))
    Traceback (most recent call last):
    ...
    retruco.storage.errors.StoreError: cases.db was made by a newer Retruco: it has taken step 2, this one knows 1
    """
    if tuple(done) != tuple(range(1, len(done) + 1)) or len(done) > len(steps):
        last = max(done)
        raise StoreError(
            f"{place} was made by a newer Retruco: it has taken step {last}, this one knows {len(steps)}"
        )


def migrate(engine: Engine, steps: Sequence[Step] = STEPS) -> None:
    """Take the steps a store has not taken yet, each in a transaction of its own."""
    for number, step in enumerate(steps, 1):
        with engine.begin() as connection:
            # Asked within the transaction: another process may be taking the same steps.
            if number in taken(connection):
                continue
            MIGRATIONS.create(connection, checkfirst=True)
            step(connection)
            connection.execute(MIGRATIONS.insert().values(number=number, name=step.__name__))
