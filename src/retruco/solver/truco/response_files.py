"""Response files: the action that a response plays in every information set, and against whom it was learnt."""

from __future__ import annotations

import lzma
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np

from retruco.solver.files import (
    SolutionFacts,
    byte_planes,
    keys_of,
    pack_arrays,
    read_file,
    unpack_arrays,
    write_file,
)
from retruco.solver.policy import Policy
from retruco.solver.truco.response import best_places, one_choice_policy

RESPONSE: Final = "retruco response 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseFacts(SolutionFacts):
    """What a response is for, and how it was made."""

    against: str
    """The agent that it was learnt against."""


@dataclass(frozen=True, slots=True)
class Response:
    """A policy of one action per information set, and what it is for."""

    facts: ResponseFacts
    policy: Policy


def write_response(file: Path, response: Response) -> None:
    """Write a response."""
    policy = response.policy
    body = {
        "keys": byte_planes(policy.key),
        "counts": policy.actions,
        "chosen": best_places(policy.probability, policy.first, policy.actions),
    }
    write_file(file, RESPONSE, asdict(response.facts), lzma.compress(pack_arrays(body), preset=1))


def read_response(file: Path) -> Response:
    """Read a response; raise `ValueError` for a file that is not one."""
    facts, packed = read_file(file, RESPONSE, "a response")
    try:
        arrays = unpack_arrays(lzma.decompress(packed))
        keys, counts, chosen = keys_of(arrays["keys"]), arrays["counts"], arrays["chosen"]
        if not (len(keys) == len(counts) == len(chosen) and (chosen < counts).all() and (chosen >= 0).all()):
            raise ValueError("its information sets do not fit together")
        return Response(ResponseFacts(**facts), one_choice_policy(keys, counts.astype(np.int8), chosen))
    except (KeyError, TypeError, ValueError, lzma.LZMAError) as error:
        raise ValueError(f"{file} is no response that this version reads: {error}") from None
