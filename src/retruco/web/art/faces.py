"""The faces of the people one plays against, drawn by this script: `python -m retruco.web.art.faces`."""

from __future__ import annotations

from typing import Final, NamedTuple

from retruco.web.core.paths import STATIC

FILE: Final = STATIC / "faces.svg"
INK: Final = "#2b2118"


class Face(NamedTuple):
    """What a face is drawn from: colours, and shapes laid over the head."""

    skin: str
    coat: str
    behind: str = ""
    """Hair that falls behind the head."""
    before: str = ""
    """Hair, hat, glasses or beard before it."""
    mouth: str = "M40 66Q50 73 60 66"


def _path(shape: str, colour: str) -> str:
    return f'<path d="{shape}" fill="{colour}"/>'


def _line(shape: str, colour: str = INK, width: float = 2.5) -> str:
    return (
        f'<path d="{shape}" fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round"/>'
    )


GLASSES: Final = (
    '<g fill="none" stroke="#2b2118" stroke-width="2"><circle cx="40" cy="50" r="8"/><circle cx="60" cy="50" r="8"/>'
    '<path d="M48 50h4M32 49l-6-2M68 49l6-2"/></g>'
)

FACES: Final = {
    "bia": Face(
        "#f2c7a0", "#d8743a",
        _path("M22 52Q18 18 50 18Q82 18 78 52Q84 74 74 80Q76 60 70 46H30Q24 60 26 80Q16 74 22 52z", "#7a4320"),
        _path("M26 46Q28 20 50 20Q72 20 74 46Q64 34 50 36Q36 34 26 46z", "#7a4320"),
        "M38 64Q50 76 62 64",
    ),
    "nico": Face(
        "#e8b58a", "#3f6ea5", "",
        _path("M25 46Q22 16 52 18Q80 20 75 47Q70 34 62 36Q58 28 48 34Q40 30 36 36Q28 34 25 46z", "#2f241c"),
        "M42 67Q50 69 58 65",
    ),
    "rosa": Face(
        "#c98f66", "#8c2f57",
        _path("M20 56Q14 20 50 16Q86 20 80 56Q78 66 72 70H28Q22 66 20 56z", "#1f1713"),
        _path("M26 46Q30 24 50 26Q70 24 74 46Q66 36 50 38Q34 36 26 46z", "#1f1713")
        + '<circle cx="73" cy="32" r="7" fill="#d64550"/><circle cx="73" cy="32" r="2.5" fill="#ffd667"/>',
        "M38 64Q50 75 62 64",
    ),
    "juca": Face(
        "#d9a178", "#54703c", "",
        _path("M18 38Q50 26 82 38Q70 42 50 41Q30 42 18 38z", "#6b4226") + _path("M32 35Q34 12 50 12Q66 12 68 35Q50 30 32 35z", "#6b4226")
        + _path("M38 62Q44 58 50 61Q56 58 62 62Q56 67 50 64Q44 67 38 62z", "#3a2a1c"),
        "M44 70Q50 73 56 70",
    ),
    "elena": Face(
        "#efc4a2", "#274c5e",
        _path("M24 50Q20 18 50 18Q80 18 76 50L78 70H70V44H30V70H22z", "#4a4a4f"),
        _path("M27 44Q30 22 50 22Q70 22 73 44Q60 30 44 34Q32 36 27 44z", "#4a4a4f") + GLASSES,
        "M42 67H58",
    ),
    "amaro": Face(
        "#d6a27f", "#4c3a2a", "",
        _path("M26 44Q24 30 32 26Q28 40 30 48zM74 44Q76 30 68 26Q72 40 70 48z", "#d9d4ca")
        + _path("M28 58Q34 62 50 60Q66 62 72 58Q72 84 50 86Q28 84 28 58z", "#e6e1d6") + _line("M34 43Q40 40 45 43M55 43Q60 40 66 43", "#e6e1d6", 3.5),
        "M44 69Q50 71 56 69",
    ),
    "memo": Face(
        "#b57f58", "#6a3d7c", "",
        _path("M27 44Q24 20 50 20Q76 20 73 44Q68 30 50 30Q32 30 27 44z", "#3b2b20") + GLASSES
        + '<rect x="64" y="76" width="17" height="22" rx="2" fill="#fffaf0" stroke="#2b2118"/><path d="M67 82h11M67 87h11M67 92h7" stroke="#2b2118"/>',
        "M41 66Q50 72 59 66",
    ),
}  # fmt: skip
"""By level."""


def _face(name: str, face: Face) -> str:
    shoulders = _path("M8 100Q10 82 36 80Q50 90 64 80Q90 82 92 100z", face.coat)
    head = f'<rect x="42" y="66" width="16" height="20" fill="{face.skin}"/><ellipse cx="50" cy="50" rx="24" ry="28" fill="{face.skin}"/>'
    eyes = f'<circle cx="40" cy="50" r="2.6" fill="{INK}"/><circle cx="60" cy="50" r="2.6" fill="{INK}"/>'
    nose = _line("M50 51Q53 57 49 58", INK, 1.6)
    drawn = face.behind + shoulders + head + eyes + nose + face.before + _line(face.mouth)
    return f'<symbol id="face-{name}" viewBox="0 0 100 100">{drawn}</symbol>'


def sprite() -> str:
    """All faces in one file."""
    faces = "\n".join(_face(name, face) for name, face in FACES.items())
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{faces}\n</svg>\n'


if __name__ == "__main__":
    FILE.write_text(sprite(), encoding="utf-8")
