"""A server gives memory back where the C library can."""

import ctypes
import sys

import pytest

from retruco.web.core.allocator import limit_arenas, return_free_pages


@pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "mallopt"), reason="only glibc has arenas"
)
def test_glibc_takes_the_limit_and_gives_pages_back() -> None:
    assert limit_arenas()
    return_free_pages()


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not limit_arenas()
    return_free_pages()
