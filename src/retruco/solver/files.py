"""Solution and checkpoint files: a line that says what they are, a line of facts, and packed arrays.

The facts name the game, its rules, target and version, the abstraction, and a digest of what the keys
mean. A file that is foreign, damaged or made for another table is refused in one line.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from retruco.compiler import write_whole
from retruco.solver.policy import Policy, make_policy

SOLUTION: Final = "retruco solution 1"
CHECKPOINT: Final = "retruco checkpoint 1"
EXACT: Final = "exact"
"""The abstraction of games that are solved as they are."""
LEAST_PROBABILITY: Final = 0.02
"""A sampled solution leaves out actions that are played more rarely: most of that is noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolutionFacts:
    """What a solution is for, and how it was made."""

    game: str
    rules: str
    target: int
    version: int
    """The version of the game."""
    abstraction: str
    meaning: str
    """A digest of what the keys mean."""
    seed: int
    iterations: int

    def check(self, name: object, **wanted: object) -> None:
        """Refuse a solution that was made for something else.

        >>> facts = SolutionFacts(game="truco", rules="cbtg", target=24, version=1, abstraction="s",
        ...                       meaning="0f", seed=1, iterations=100)
        >>> facts.check("mine.solution", game="truco", rules="trucogame")
        Traceback (most recent call last):
        ...
        ValueError: mine.solution is for rules cbtg, not trucogame
        """
        for fact, value in wanted.items():
            has = getattr(self, fact)
            if has != value and fact == "meaning":
                raise ValueError(
                    f"{name} has other information sets ({has}) than {self.rules} with the abstraction "
                    f"{self.abstraction} has in this version ({value}): solve it again"
                )
            if has != value:
                raise ValueError(f"{name} is for {fact} {has}, not {value}")


@dataclass(frozen=True, slots=True)
class Solution:
    """A policy and what it is for."""

    facts: SolutionFacts
    policy: Policy


def write_solution(file: Path, solution: Solution, levels: int = 255) -> None:
    """Write a solution; an exact one keeps 16 bits of every probability, others so many levels."""
    exact = solution.facts.abstraction == EXACT
    policy = solution.policy
    body = {
        "keys": byte_planes(policy.key),
        "counts": policy.actions,
        "weights": whole_weights(policy, 65535, 0)
        if exact
        else whole_weights(policy, levels, LEAST_PROBABILITY),
    }
    write_file(file, SOLUTION, asdict(solution.facts), lzma.compress(pack_arrays(body), preset=9))


def whole_weights(policy: Policy, levels: int, least: float) -> NDArray[Any]:
    """Probabilities as whole numbers; what is below the least is left out, the greatest never is."""
    kept = np.where(policy.probability < least, 0, policy.probability)
    whole: NDArray[Any] = np.rint(kept * levels).astype(np.uint8 if levels < 256 else np.uint16)
    return whole


def byte_planes(keys: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Ascending keys as differences, first bytes first, which packs well."""
    steps = np.diff(keys, prepend=0).astype("<i8")
    return np.ascontiguousarray(steps.view(np.uint8).reshape(-1, 8).T)


def keys_of(planes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The keys that `byte_planes` wrote."""
    steps = np.ascontiguousarray(planes.T).view("<i8").reshape(-1)
    return np.cumsum(steps, dtype=np.int64)


def read_solution(file: Path) -> Solution:
    """Read a solution; raise `ValueError` for a file that is not one."""
    facts, packed = read_file(file, SOLUTION, "a solution")
    try:
        arrays = unpack_arrays(lzma.decompress(packed))
        keys, counts, weights = keys_of(arrays["keys"]), arrays["counts"], arrays["weights"]
        return Solution(SolutionFacts(**facts), make_policy(keys, counts, weights.astype(np.float64)))
    except (KeyError, TypeError, ValueError, lzma.LZMAError) as error:
        raise ValueError(f"{file} is no solution that this version reads: {error}") from None


# Files


def pack_arrays(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Arrays as bytes, the same for the same arrays."""
    content = io.BytesIO()
    named: dict[str, Any] = dict(arrays)
    np.savez(content, **named)
    return content.getvalue()


def unpack_arrays(content: bytes) -> dict[str, NDArray[Any]]:
    """The arrays that `pack_arrays` wrote."""
    with np.load(io.BytesIO(content), allow_pickle=False) as found:
        return {name: found[name] for name in found.files}


def write_file(file: Path, kind: str, facts: Mapping[str, object], body: bytes) -> None:
    """Write a file, whole or not at all."""
    line = json.dumps({**facts, "digest": hashlib.sha256(body).hexdigest()})
    write_whole(file, f"{kind}\n{line}\n".encode() + body)


def read_file(file: Path, kind: str, what: str) -> tuple[dict[str, Any], bytes]:
    """The facts and the body of a file of some kind."""
    data = file.read_bytes()
    first, _, rest = data.partition(b"\n")
    if first != kind.encode():
        raise ValueError(f"{file} is not {what}: it does not begin with the line {kind!r}")
    line, _, body = rest.partition(b"\n")
    try:
        facts = json.loads(line)
        digest = facts.pop("digest")
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"{file} is {what} without readable facts: it is damaged") from None
    if hashlib.sha256(body).hexdigest() != digest:
        raise ValueError(f"{file} is damaged: {what} is cut short or was changed")
    return facts, body
