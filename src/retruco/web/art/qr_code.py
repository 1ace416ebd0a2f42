"""QR codes of addresses, as drawings: bytes, error correction L, versions 1 to 5, mask 0 (ISO/IEC 18004)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

SIZES: Final = {1: (19, 7), 2: (34, 10), 3: (55, 15), 4: (80, 20), 5: (108, 26)}
"""Codewords of data and of error correction by version."""
HEADER_BYTES: Final = 2
"""The mode and the length take twelve bits, the end four."""
LONGEST: Final = SIZES[5][0] - HEADER_BYTES
"""Bytes of the longest text."""
FORMAT: Final = 0b111011111000100
"""Error correction L and mask 0, with their own error correction."""
QUIET: Final = 4
"""Empty modules around the code."""

Matrix = list[list[bool | None]]


def qr_matrix(text: str) -> list[list[bool]]:
    """The modules of a code, dark ones true; `ValueError` if the text is too long.

    >>> len(qr_matrix("https://example.org/join/abcdefghijklmnop"))
    29
    """
    data = text.encode()
    version = next((one for one, (size, _) in SIZES.items() if size - HEADER_BYTES >= len(data)), None)
    if version is None:
        raise ValueError(f"{len(data)} bytes are too many for a QR code: at most {LONGEST}")
    matrix = _patterns(version)
    _place(matrix, _bits(_codewords(data, *SIZES[version])))
    _write_format(matrix)
    return [[bool(module) for module in row] for row in matrix]


def qr_path(text: str) -> tuple[int, str]:
    """A code as a drawing: its width with the empty border, and a path of its dark modules."""
    matrix = qr_matrix(text)
    dark = (
        f"M{x + QUIET} {y + QUIET}h1v1h-1z" for y, row in enumerate(matrix) for x, is_dark in enumerate(row) if is_dark
    )  # fmt: skip
    return len(matrix) + 2 * QUIET, "".join(dark)


# Codewords


def _codewords(data: bytes, size: int, correction: int) -> list[int]:
    """Mode, length, data, the end and padding; then the error correction."""
    number = int.from_bytes(data)
    header = (0b0100 << 8 | len(data)) << 8 * len(data) | number
    words = list((header << 4).to_bytes(len(data) + HEADER_BYTES))
    padding = (0xEC, 0x11)
    words += [padding[place % 2] for place in range(size - len(words))]
    return words + _remainder(words, correction)


def _product(one: int, other: int) -> int:
    """Multiply in the field of 256 elements."""
    found = 0
    for bit in range(7, -1, -1):
        found = (found << 1) ^ (0x11D if found & 0x80 else 0)
        found ^= one if other >> bit & 1 else 0
    return found


def _generator(degree: int) -> list[int]:
    """The polynomial whose roots are the first powers of 2."""
    found, root = [1], 1
    for _ in range(degree):
        shifted = [*found, 0]
        found = [left ^ _product(right, root) for left, right in zip(shifted, [0, *found], strict=True)]
        root = _product(root, 2)
    return found


def _remainder(words: Sequence[int], degree: int) -> list[int]:
    """The error correction: what is left after a division by the generator."""
    generator = _generator(degree)[1:]
    rest = [0] * degree
    for word in words:
        factor = word ^ rest[0]
        rest = [left ^ _product(right, factor) for left, right in zip([*rest[1:], 0], generator, strict=True)]
    return rest


def _bits(words: Sequence[int]) -> Iterator[bool]:
    return (bool(word >> place & 1) for word in words for place in range(7, -1, -1))


# Modules


def _patterns(version: int) -> Matrix:
    """What every code of a version has: the three corners, the lines of timing, the small square; format is reserved."""
    size = 17 + 4 * version
    matrix: Matrix = [[None] * size for _ in range(size)]
    for place in range(8, size - 8):
        matrix[6][place] = matrix[place][6] = place % 2 == 0
    for y, x in ((3, 3), (3, size - 4), (size - 4, 3)):
        _draw_square(matrix, y, x, 4)
    if version > 1:
        _draw_square(matrix, size - 7, size - 7, 2)
    for y, x in _format_places(size):
        matrix[y][x] = False
    matrix[size - 8][8] = True
    return matrix


RINGS: Final = {4: (True, True, False, True, False), 2: (True, False, True)}
"""Whether the rings of a corner, and of the small square, are dark, from the middle outwards."""


def _draw_square(matrix: Matrix, y: int, x: int, reach: int) -> None:
    """Draw rings around a module, as far as they are on the code."""
    size = len(matrix)
    for row in range(max(0, y - reach), min(size, y + reach + 1)):
        for column in range(max(0, x - reach), min(size, x + reach + 1)):
            matrix[row][column] = RINGS[reach][max(abs(row - y), abs(column - x))]


def _format_places(size: int) -> list[tuple[int, int]]:
    """The two places of each of the fifteen bits of the format, the highest first."""
    down = [0, 1, 2, 3, 4, 5, 7, 8]
    first = [(8, column) for column in down] + [(row, 8) for row in reversed(down[:-1])]
    second = [(row, 8) for row in range(size - 1, size - 8, -1)] + [
        (8, column) for column in range(size - 8, size)
    ]
    return first + second


def _write_format(matrix: Matrix) -> None:
    for place, (y, x) in enumerate(_format_places(len(matrix))):
        matrix[y][x] = bool(FORMAT >> (14 - place % 15) & 1)
    matrix[len(matrix) - 8][8] = True


def _place(matrix: Matrix, bits: Iterator[bool]) -> None:
    """Fill the free modules by pairs of columns from the right, up and down in turn, under mask 0."""
    size = len(matrix)
    columns = [column for column in range(size - 1, 0, -2) if column > 6]
    columns += range(5, 0, -2)
    for turn, right in enumerate(columns):
        rows = range(size - 1, -1, -1) if turn % 2 == 0 else range(size)
        for row in rows:
            for column in (right, right - 1):
                if matrix[row][column] is None:
                    matrix[row][column] = next(bits, False) ^ ((row + column) % 2 == 0)
