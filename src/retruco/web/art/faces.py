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
    "walt": Face(
        "#e9bd97", "#5b5f3a", "",
        _path("M27 42Q26 30 34 26Q30 38 31 46zM73 42Q74 30 66 26Q70 38 69 46z", "#8d8478") + GLASSES
        + _path("M36 62Q43 57 50 60Q57 57 64 62Q57 66 50 64Q43 66 36 62z", "#8d8478"),
        "M43 70Q50 74 57 70",
    ),
    "june": Face(
        "#8a5a3c", "#c4892c",
        '<circle cx="50" cy="38" r="33" fill="#201511"/>',
        _path("M27 42Q32 24 50 24Q68 24 73 42Q62 33 50 34Q38 33 27 42z", "#201511")
        + '<circle cx="26" cy="60" r="3" fill="#ffd667"/><circle cx="74" cy="60" r="3" fill="#ffd667"/>',
        "M38 64Q50 75 62 64",
    ),
    "earl": Face(
        "#d8a680", "#7a2f2a", "",
        _path("M26 40Q26 20 50 19Q74 20 74 40z", "#2f4a6b") + _path("M24 40Q50 33 88 42Q70 44 50 42Q34 42 24 40z", "#243a54"),
        "M42 67Q50 70 59 66",
    ),
    "peg": Face(
        "#f3cdb0", "#3d7a6d",
        _path("M22 54Q16 20 50 16Q84 20 78 54Q80 62 74 66H26Q20 62 22 54z", "#b5502a"),
        _path("M26 46Q26 24 46 24Q52 36 74 40Q74 22 50 20Q28 20 26 46z", "#b5502a"),
        "M41 65Q50 72 59 65",
    ),
    "gus": Face(
        "#e2b08c", "#44536b", "",
        _path("M28 40Q28 22 50 21Q72 22 72 40Q66 32 50 32Q34 32 28 40z", "#d9b45a")
        + _path("M29 56Q32 76 50 79Q68 76 71 56Q66 62 60 61Q50 58 40 61Q34 62 29 56z", "#c79f45"),
        "M42 67Q50 71 58 67",
    ),
    "tess": Face(
        "#edc2a0", "#b04a6e",
        _path("M20 66Q14 50 24 38L30 60zM80 66Q86 50 76 38L70 60z", "#5a3a20"),
        _path("M25 46Q26 20 50 20Q74 20 75 46Q66 36 60 38Q50 32 40 38Q34 36 25 46z", "#5a3a20")
        + '<circle cx="23" cy="40" r="4" fill="#f4d35e"/><circle cx="77" cy="40" r="4" fill="#f4d35e"/>',
        "M44 66Q50 72 56 66Q50 69 44 66",
    ),
    "casey": Face(
        "#d9ab86", "#2f5d50", "",
        _path("M26 44Q22 18 50 18Q80 18 75 46Q72 34 64 32Q48 40 34 32Q28 36 26 44z", "#4b3423")
        + '<rect x="64" y="74" width="16" height="24" rx="2" fill="#fffaf0" stroke="#2b2118"/><path d="M72 80l4 6l-4 6l-4 -6z" fill="#b3272d"/>',
        "M41 66Q50 72 59 66",
    ),
    "vera": Face(
        "#b98460", "#22313f",
        _path("M26 46Q22 20 50 18Q78 20 74 46z", "#17110d") + '<circle cx="50" cy="15" r="10" fill="#17110d"/>',
        _path("M27 43Q30 22 50 23Q70 22 73 43Q62 31 50 32Q38 31 27 43z", "#17110d") + GLASSES,
        "M42 67Q50 69 58 67",
    ),
    "tom": Face(
        "#f0c6a4", "#6c5b2c", "",
        _path("M26 42Q22 14 46 18Q54 12 60 19Q80 20 74 44Q70 32 60 34Q52 28 44 34Q34 30 26 42z", "#a35a24"),
        "M41 67Q51 70 60 64",
    ),
    "lou": Face(
        "#dba27a", "#87562f", "",
        _path("M31 30Q50 18 69 30Q50 25 31 30z", "#6f655b") + _line("M33 43Q40 39 46 42M54 42Q60 39 67 43", "#6f655b", 3)
        + _path("M26 56Q29 82 50 84Q71 82 74 56Q68 66 62 60Q50 56 38 60Q32 66 26 56z", "#7b7067"),
        "M40 67Q50 75 60 67",
    ),
    "max": Face(
        "#c58d65", "#a02c2c", "",
        _path("M27 44Q26 26 36 20L42 28L48 16L55 27L64 17L66 28Q74 32 73 44Q66 34 50 35Q34 34 27 44z", "#141110")
        + _line("M33 42L46 46M54 46L67 42", INK, 3.2),
        "M40 66Q50 72 61 63",
    ),
    "kim": Face(
        "#f1cfae", "#5c4b8a",
        _path("M24 50Q20 18 50 18Q80 18 76 50Q78 62 74 68Q70 58 70 44H30Q30 58 26 68Q22 62 24 50z", "#1d1a24"),
        _path("M27 46Q28 24 50 24Q72 24 73 46Q73 40 66 38H34Q27 40 27 46z", "#1d1a24")
        + _path("M30 45H70L68 55Q60 58 53 53H47Q40 58 32 55z", "#2b2118"),
        "M43 67Q50 71 57 67",
    ),
}  # fmt: skip
"""By person: the levels of Truco, then those who sit at Euchre and at hold'em."""


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
