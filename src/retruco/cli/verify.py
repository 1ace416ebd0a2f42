"""`retruco verify`: check that a finished match of the web table was drawn as promised."""

from __future__ import annotations

import json
from pathlib import Path

from retruco.cli.errors import print_error
from retruco.web.tables.verification import PlayerNotes, verify


def verify_file(file: str, commitment: str, contribution: str, as_json: bool) -> int:
    """Check a downloaded match and say what was found; the exit code is 1 if something differs."""
    try:
        match = json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{file} cannot be read as a match: {error}") from None
    if not isinstance(match, dict):
        raise ValueError(f"{file} holds no match: a match is a JSON object")
    found = verify(match, PlayerNotes(commitment, contribution))
    if as_json:
        print(json.dumps({"agrees": found.agrees, "differs": found.differs, "notes": found.notes}))
    else:
        for line in found.notes:
            print(f"note: {line}")
        print(f"{len(found.agrees)} of {len(found.agrees) + len(found.differs)} checks agree")
    for line in found.differs:
        print_error(f"does not agree: {line}")
    return 1 if found.differs else 0
