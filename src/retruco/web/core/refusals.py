"""What is answered to requests that cannot be granted: a plain message, and nothing changed."""

from __future__ import annotations


class Refused(Exception):
    """A request that is refused, with the key of its message and a status in the 400s."""

    def __init__(self, status: int, key: str, **values: object) -> None:
        super().__init__(key)
        self.status, self.key, self.values = status, key, values


def not_found() -> Refused:
    """There is no such match, or none that this visitor may know of."""
    return Refused(404, "error.not_found")


def forbidden() -> Refused:
    """The seat belongs to somebody else."""
    return Refused(403, "error.forbidden")
