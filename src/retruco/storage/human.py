"""The base of hands that people played: `human`, from the folder that the user names.

The TrucoGame hands are not part of the product. Where the environment variable RETRUCO_TRUCOGAME
names the folder that holds them, the base `human` is imported when it is first asked for.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from retruco.storage.errors import StoreError
from retruco.storage.progress import Progress, silent
from retruco.storage.store import Store

HUMAN: Final = "human"
FOLDER: Final = "RETRUCO_TRUCOGAME"
"""The environment variable that names the folder of the TrucoGame hands."""
FILE: Final = "dbtrucocbr_maos.csv"
NOTE: Final = "the TrucoGame hands, played by people on the web table of Paulus (2020); partial records"


def folder() -> Path | None:
    """The folder of the TrucoGame hands, if one is named; complain if it is not there."""
    named = os.environ.get(FOLDER)
    if not named:
        return None
    path = Path(named)
    if not path.is_dir():
        raise StoreError(f"{FOLDER} names {named!r}, which is no folder")
    return path


def provide_human(store: Store, progress: Progress = silent) -> None:
    """Import the human base if it is not in the store; say how to get it if it cannot be."""
    with store.reading() as reader:
        if reader.find(HUMAN) is not None:
            return
    where = folder()
    if where is None:
        raise StoreError(
            f"there is no case base {HUMAN!r}: set {FOLDER} to the folder that holds {FILE}, "
            f"or import a file of hands with `retruco cases import FILE --into {HUMAN}`"
        )
    from retruco.storage.importers.importing import import_hands  # slow to import, and needed once

    store.check_writable()
    progress(f"importing the case base {HUMAN!r} from {where / FILE}, once")
    import_hands(store, where / FILE, HUMAN, f"from {FILE}", note=NOTE)
