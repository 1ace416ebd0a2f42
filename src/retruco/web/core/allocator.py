"""The C allocator of a server that runs for months: few arenas, and free pages go back to the system.

By default glibc gives every thread an arena of its own, each with holes that no other thread uses. Where the
C library is another one, its own ways have to do.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Final

M_ARENA_MAX: Final = -8
ARENAS: Final = 2


def limit_arenas() -> bool:
    """Let all threads share a few arenas; say whether that could be set."""
    library = _glibc()
    return library is not None and bool(library.mallopt(M_ARENA_MAX, ARENAS))


def return_free_pages() -> None:
    """Give pages that nobody uses back to the system."""
    library = _glibc()
    if library is not None:
        library.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None
