"""Numbers that arrive as text: read within bounds, or refused with a message that says what was expected."""

from __future__ import annotations

from collections.abc import Mapping

from retruco.web.core.refusals import Refused

LONGEST_SHOWN = 20
"""How much of a wrong number is repeated to who sent it."""


def read_number(text: str, least: int, most: int) -> int | None:
    """Read a whole number written in plain digits; nothing if it is none or lies outside the bounds.

    >>> read_number("24", 1, 1000), read_number("9" * 5000, 1, 1000), read_number("²", 1, 1000)
    (24, None, None)
    """
    digits = len(str(most))
    if not (text.isascii() and text.isdecimal() and len(text) <= digits):
        return None
    number = int(text)
    return number if least <= number <= most else None


def number_in(fields: Mapping[str, str], name: str, least: int, most: int, default: int | None = None) -> int:
    """Read a number from a form; refused if it is missing, unless there is a default, or makes no sense."""
    text = fields.get(name, "")
    if not text and default is not None:
        return default
    number = read_number(text, least, most)
    if number is None:
        raise Refused(422, "error.bad_number", field=name, value=text[:LONGEST_SHOWN], least=least, most=most)
    return number
