"""QR codes of invitations: as the standard draws them."""

from itertools import pairwise

import pytest

from retruco.web.art import qr_code
from retruco.web.art.qr_code import SIZES, qr_matrix, qr_path

KNOWN = """
#######..#....#######
#.....#..##...#.....#
#.###.#.#.###.#.###.#
#.###.#..####.#.###.#
#.###.#..#....#.###.#
#.....#...#...#.....#
#######.#.#.#.#######
........##..#........
###.#####.##.##...#..
.#...#.######.###..##
.....#####.##...#####
.##..#.#...##...#..##
.#....#.###....#.#..#
........##.##.###...#
#######.##.###.##.###
#.....#.##..#...#....
#.###.#.####.#..##..#
#.###.#....###.###...
#.###.#.#...#..##...#
#.....#.#...#......#.
#######.#.###..###.##
"""
"""`retruco.org/join/` in version 1, drawn by another program."""


def test_a_code_is_drawn_as_others_draw_it() -> None:
    drawn = ["".join("#" if dark else "." for dark in row) for row in qr_matrix("retruco.org/join/")]
    assert drawn == KNOWN.split()


def codewords(matrix: list[list[bool]], version: int) -> list[int]:
    """Read the modules of data back, without the mask."""
    free, size = qr_code._patterns(version), len(matrix)
    pairs = enumerate([*range(size - 1, 7, -2), 5, 3, 1])
    rows = {0: range(size - 1, -1, -1), 1: range(size)}
    places = [
        (row, column) for turn, right in pairs for row in rows[turn % 2] for column in (right, right - 1)
    ]
    bits = [
        matrix[row][column] ^ ((row + column) % 2 == 0) for row, column in places if free[row][column] is None
    ]
    return [
        int("".join("01"[bit] for bit in bits[at : at + 8]), 2) for at in range(0, 8 * sum(SIZES[version]), 8)
    ]


@pytest.mark.parametrize("length", [1, 17, 18, 45, 60, 106])
def test_what_a_code_holds_can_be_read_back_and_its_correction_fits(length: int) -> None:
    text = ("https://example.org/join/abcdefghijklmnop?seat=2" * 3)[:length]
    matrix = qr_matrix(text)
    words = codewords(matrix, (len(matrix) - 17) // 4)
    assert words[0] >> 4 == 0b0100
    assert (words[0] & 15) << 4 | words[1] >> 4 == length
    halves = pairwise(words[1 : length + 2])
    assert bytes((first & 15) << 4 | second >> 4 for first, second in halves).decode() == text
    root = 1
    for _ in range(SIZES[(len(matrix) - 17) // 4][1]):
        value = 0
        for word in words:
            value = qr_code._product(value, root) ^ word
        assert value == 0, "every root of the generator is one of the whole code"
        root = qr_code._product(root, 2)


def test_what_is_too_long_is_refused_and_a_drawing_has_a_border() -> None:
    with pytest.raises(ValueError, match="107 bytes are too many"):
        qr_matrix("a" * 107)
    width, path = qr_path("retruco.org/join/")
    assert width == 21 + 8
    assert path.startswith("M4 4h1")
