"""The Spanish deck as our own drawing: `python -m retruco.web.art.spanish_deck` writes the sprite and the logo.

Every card is a symbol, `card-1e` to `card-12c`, and `card-back`. Shapes are flat and drawn once; a
card uses them. Three colours pass down from a card to all it uses: `color` is the suit's own,
`fill` its light tone, `stroke` its ink. All of them can be changed by a page's custom properties,
such as `--espadas` or `--card-paper`.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin
from typing import Any, Final, TypeAlias

from retruco.cards import SPANISH_RANKS, SUIT_NAMES
from retruco.web.core.paths import STATIC

WIDTH, HEIGHT = 100, 154

TONES: Final = {
    "e": ("#2f74b5", "#bcd7ee", "#17508c"),
    "b": ("#3f9142", "#b9dba0", "#1d6428"),
    "o": ("#dea21c", "#f9e08c", "#8a5a00"),
    "c": ("#d23c32", "#f6b9b0", "#a81d1d"),
}
"""A suit's own colour, its light tone and its ink."""


def tone(name: str, colour: str) -> str:
    """A colour that a page may change by a custom property."""
    return f"var(--{name},{colour})"


PAPER: Final = tone("card-paper", "#fffdf5")
EDGE: Final = tone("card-edge", "#c9bfa8")
GOLD: Final = tone("ouros", TONES["o"][0])
GOLD_LIGHT: Final = tone("ouros-light", TONES["o"][1])
GOLD_INK: Final = tone("ouros-ink", TONES["o"][2])
GREEN: Final = tone("bastos", TONES["b"][0])
GREEN_INK: Final = tone("bastos-ink", TONES["b"][2])
RED: Final = tone("copas", TONES["c"][0])
RED_LIGHT: Final = tone("copas-light", TONES["c"][1])
RED_INK: Final = tone("copas-ink", TONES["c"][2])
SKIN: Final = tone("card-skin", "#f3cfa8")
HAIR: Final = tone("card-hair", "#6b4226")
WOOD: Final = tone("card-wood", "#e9c68f")
HORSE: Final = tone("card-horse", "#f4ead7")
BACK: Final = tone("card-back", "#7c1f2d")
BACK_LIGHT: Final = tone("card-back-light", "#f3e2c0")
BACK_MIDDLE: Final = tone("card-back-middle", "#c9653f")


def num(value: float) -> str:
    """Write a number as short as it goes.

    >>> num(3.0), num(0.256), num(-0.5)
    ('3', '.26', '-.5')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def use(name: str, x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    """Lay a shape down somewhere, turned and scaled."""
    moves = f"translate({num(x)} {num(y)})"
    moves += f"rotate({num(turn)})" if turn else ""
    moves += f"scale({num(scale)})" if scale != 1 else ""
    return f'<use href="#{name}" transform="{moves}"/>'


def draw(kind: str, **attributes: object) -> str:
    """One drawn element; numbers are written short.

    >>> draw("circle", r=2.50, stroke_width=1)
    '<circle r="2.5" stroke-width="1"/>'
    """
    written = (
        f' {key.replace("_", "-")}="{num(value) if isinstance(value, float) else value}"'
        for key, value in attributes.items()
    )
    return f"<{kind}{''.join(written)}/>"


def path(d: str, fill: str | None = None, **more: object) -> str:
    """A path; without a fill it takes the light tone of its suit."""
    return draw("path", d=d, **({"fill": fill} if fill else {}), **more)


def disc(x: float, y: float, r: float, fill: str | None = None, **more: object) -> str:
    """A circle; without a fill it takes the light tone of its suit."""
    return draw("circle", cx=x, cy=y, r=r, **({"fill": fill} if fill else {}), **more)


OWN: Final = "currentColor"
"""The colour of the suit, inside a shape."""


# Digits, drawn as strokes in boxes twenty high.

DIGITS: Final = {
    "0": (12, "M6 1.8C2.6 1.8 1.8 6 1.8 10S2.6 18.2 6 18.2 10.2 14 10.2 10 9.4 1.8 6 1.8Z"),
    "1": (7, "M1.6 5.4 5 1.8V18.4"),
    "2": (12, "M2 6.2C2 3.4 3.8 1.8 6.1 1.8S10 3.4 10 5.8C10 9.2 2.4 13.4 1.9 18.2H10.4"),
    "3": (12, "M2 1.8H9.8L5.6 8.4C8.6 8.2 10.2 10.2 10.2 13 10.2 16.2 8.4 18.2 5.8 18.2 3.6 18.2 2.1 17 1.7 14.8"),
    "4": (12, "M7.9 18.4V1.8L1.8 13.4H10.8"),
    "5": (12, "M9.6 1.8H3.2L2.6 8.9C3.6 8.1 4.8 7.7 6 7.7 8.6 7.7 10.2 9.8 10.2 12.8 10.2 16 8.4 18.2 5.8 18.2 3.8 18.2 2.3 17.2 1.7 15.4"),
    "6": (12, "M9.2 2C4.6 3.4 1.8 8 1.8 12.8 1.8 16 3.4 18.2 6 18.2S10.2 16 10.2 13 8.6 8.1 6 8.1 1.8 10.2 1.8 13"),
    "7": (12, "M1.6 1.8H10.2C7.4 6.6 5.4 11.4 5 18.4"),
}  # fmt: skip


def digits() -> Iterator[str]:
    """All digits, each a shape named `n0` to `n7`."""
    for digit, (_, d) in DIGITS.items():
        yield path(
            d, "none", id=f"n{digit}", stroke_width=3.7, stroke_linecap="round", stroke_linejoin="round"
        )


def number(rank: int) -> str:
    """A rank, written from the origin to the right."""
    x, text = 0.0, ""
    for digit in str(rank):
        text += use(f"n{digit}", x, 0) if x else f'<use href="#n{digit}"/>'
        x += DIGITS[digit][0] + 0.6
    return text


# Suits: each shape lies around the origin; the long ones fill a card.


def sword(half: float, wide: float = 4, guard: float = 8) -> str:
    """A sword, point up, as long as twice the half."""
    low, tip = half - 17, 2 * wide - half
    edge = f"M0 {num(-half)} {num(wide)} {num(tip)} {num(wide - 0.7)} {num(low)}H"
    blade = f"{edge}{num(0.7 - wide)}L{num(-wide)} {num(tip)}Z"
    arms = f"M{num(-guard)} {num(low - 2.5)}Q0 {num(low + 2)} {num(guard)} {num(low - 2.5)}"
    arms += f"L{num(guard + 0.5)} {num(low + 2.5)}Q0 {num(low + 6)} {num(-guard - 0.5)} {num(low + 2.5)}Z"
    grip = f"M-2.2 {num(low + 3.5)}H2.2L1.8 {num(half - 4)}H-1.8Z"
    return (
        path(blade, stroke_width=1.3, stroke_linejoin="round")
        + path(f"{edge}0Z", OWN, stroke="none")
        + path(grip, RED_INK, stroke="none")
        + path(arms, GOLD, stroke=GOLD_INK, stroke_width=0.9)
        + disc(0, half - 3, 3, GOLD, stroke=GOLD_INK, stroke_width=0.9)
    )


def stub(x: float, y: float, side: int) -> str:
    """Where a branch was cut off, to the left or right."""
    d = f"M{num(x)} {num(y + 4)}l{num(5 * side)} -5.5 {num(-2.8 * side)} -3.2 {num(-3.6 * side)} 3z"
    return path(d, OWN, stroke_width=1, stroke_linejoin="round")


def club(half: float, thick: float = 6.4) -> str:
    """A cudgel, thick end up, as long as twice the half."""
    top, foot, thin = 6 - half, half - 2, thick - 3.4
    wood = f"M{num(-thin)} {num(foot)}C{num(-thin)} {num(half + 1)} {num(thin)} {num(half + 1)} {num(thin)} {num(foot)}"
    wood += f"L{num(thick)} {num(top)}C{num(thick + 0.6)} {num(-half)} {num(-thick - 0.6)} {num(-half)} {num(-thick)} {num(top)}Z"
    shine = f"M{num(2 - thick)} {num(top + 3)}H{num(4.6 - thick)}L-.6 {num(half - 4)}H{num(0.8 - thin)}Z"
    cut = draw("ellipse", cy=top - 0.6, rx=thick - 2, ry=thick / 3, fill=WOOD, stroke_width=0.8)
    stubs = (
        stub(thick - 1.4, -half / 4, 1) + stub(1.6 - thick, -half / 2.2, -1) + stub(2.8 - thick, half / 4, -1)
    )
    return stubs + path(wood, OWN, stroke_width=1.3) + path(shine, stroke="none") + cut


def petals(count: int, inner: float, outer: float) -> str:
    """A flower around the origin, as path data."""
    half = pi / count
    d = f"M{num(inner * cos(-half))} {num(inner * sin(-half))}"
    for step in range(count):
        tip, end = 2 * half * step, 2 * half * step + half
        d += f"Q{num(outer * cos(tip))} {num(outer * sin(tip))} {num(inner * cos(end))} {num(inner * sin(end))}"
    return d + "Z"


def rays(count: int, inner: float, outer: float) -> str:
    """A star around the origin, as path data."""
    points = []
    for step in range(2 * count):
        r = inner if step % 2 else outer
        turn = pi * step / count - pi / 2
        points.append(f"{num(r * cos(turn))} {num(r * sin(turn))}")
    return f"M{' '.join(points)}Z"


def coin() -> str:
    """A gold coin with a flower."""
    return (
        disc(0, 0, 13, GOLD, stroke=GOLD_INK, stroke_width=1.4)
        + disc(0, 0, 9.6, GOLD_LIGHT, stroke=GOLD_INK, stroke_width=0.8)
        + path(petals(8, 3.6, 11), GOLD, stroke=GOLD_INK, stroke_width=0.6)
        + disc(0, 0, 2.6, RED, stroke="none")
    )


def cup() -> str:
    """A goblet."""
    bowl = "M-11.5 -13C-11.5 -1 -8 4 -2.4 5.6V9C-2.4 11 -8 11.4 -8.8 15.6H8.8C8 11.4 2.4 11 2.4 9V5.6C8 4 11.5 -1 11.5 -13Z"
    return (
        path(bowl, OWN, stroke_width=1.3, stroke_linejoin="round")
        + path("M-8.4 -9C-8 -3 -6.4 0 -4.4 2", "none", stroke=RED_LIGHT, stroke_width=2, stroke_linecap="round")
        + f'<ellipse cy="-13" rx="11.5" ry="3.2" fill="{GOLD_LIGHT}" stroke="{GOLD_INK}" stroke-width="1"/>'
        + f'<rect x="-4.6" y="5.2" width="9.2" height="3.6" rx="1.8" fill="{GOLD}" stroke="{GOLD_INK}" stroke-width=".8"/>'
    )  # fmt: skip


# Aces: one large shape, with what makes it an ace.

LEAF: Final = "M0 0Q9 -1 12 -12 1 -11 0 0Z"


def leaves(x: float, *heights: float) -> str:
    """Laurel on both sides of the middle of a card."""
    right = "".join(draw("path", d=LEAF, transform=f"translate({num(x)} {num(y)})") for y in heights)
    both = right + f'<g transform="matrix(-1 0 0 1 100 0)">{right}</g>'
    return f'<g fill="{GREEN}" stroke="{GREEN_INK}" stroke-width=".9">{both}</g>'


def ribbon(y: float, fill: str, ink: str) -> str:
    """A ribbon that winds once behind and before a staff in the middle of a card."""
    look: dict[str, Any] = {"stroke": ink, "stroke_width": 1, "stroke_linejoin": "round"}
    tail = f"M38 {num(y + 4)}C28 {num(y + 1)} 27 {num(y + 11)} 17 {num(y + 8)}l3 5 -4 5C28 {num(y + 20)} 30 {num(y + 11)} 38 {num(y + 13)}Z"
    other = f'<g transform="matrix(-1 0 0 -1 100 {num(2 * y + 17)})">{path(tail, fill, **look)}</g>'
    front = f"M36 {num(y + 13)}C44 {num(y + 15)} 56 {num(y - 2)} 64 {num(y + 4)}L64 {num(y + 13)}C56 {num(y + 8)} 44 {num(y + 24)} 36 {num(y + 13)}Z"
    return path(tail, fill, **look) + other + path(front, fill, **look)


def ace_of_swords() -> str:
    """The strongest card: a great sword in laurel."""
    glory = f'<g transform="translate(50 52)">{path(rays(20, 16, 34), stroke="none", opacity=".7")}</g>'
    return glory + leaves(55, 112, 98, 84) + use("great-e", 50, 77) + ribbon(70, RED, RED_INK)


def ace_of_clubs() -> str:
    """The second card: a great cudgel in leaf."""
    glory = f'<g transform="translate(50 50)">{path(rays(20, 16, 34), stroke="none", opacity=".7")}</g>'
    return glory + leaves(58, 132, 68, 48) + use("great-b", 50, 77) + ribbon(82, GOLD, GOLD_INK)


def ace_of_coins() -> str:
    """A sun of gold."""
    beads = "".join(
        disc(24.5 * cos(pi * step / 10), 24.5 * sin(pi * step / 10), 1.5, GOLD_LIGHT, stroke="none")
        for step in range(20)
    )
    sun = (
        path(rays(20, 27, 36), GOLD, stroke=GOLD_INK, stroke_width=1)
        + disc(0, 0, 28, GOLD, stroke=GOLD_INK, stroke_width=1.4)
        + beads
        + disc(0, 0, 20.5, GOLD_LIGHT, stroke=GOLD_INK, stroke_width=1.2)
        + path(petals(8, 8, 25), GOLD, stroke=GOLD_INK, stroke_width=1)
        + disc(0, 0, 6, RED, stroke=GOLD_INK, stroke_width=1)
    )
    return f'<g transform="translate(50 80)scale(1.08)">{sun}</g>'


def ace_of_cups() -> str:
    """A great covered goblet."""
    lid = "M-11 -14C-10 -22 -4 -21 0 -26 4 -21 10 -22 11 -14Z"
    cover = path(lid, OWN, stroke_width=0.6, stroke_linejoin="round") + disc(
        0, -27, 2.4, GOLD, stroke=GOLD_INK, stroke_width=0.5
    )
    flower = path(petals(6, 2, 6.5), GOLD, stroke=GOLD_INK, stroke_width=0.4) + disc(0, 0, 1.4, stroke="none")
    band = f'<g transform="translate(0 -4.5)">{flower}</g>'
    return (
        leaves(58, 124, 110, 96)
        + f'<g transform="translate(50 88)scale(2.3)">{use("c", 0, 0)}{band}{cover}</g>'
    )


ACES: Final = {"e": ace_of_swords, "b": ace_of_clubs, "o": ace_of_coins, "c": ace_of_cups}


def ace(_: int, suit: str) -> str:
    """The one large shape of an ace."""
    return ACES[suit]()


# Court cards: a page, a rider and a king, each drawn once; the suit is in the hand and the cloth.

LINE: Final[dict[str, Any]] = {"stroke_width": 1.1, "stroke_linejoin": "round", "stroke_linecap": "round"}


def face(x: float, y: float) -> str:
    """A head with eyes, nose and mouth."""
    eyes = f"M{num(x - 3)} {num(y - 1)}v.6M{num(x + 3)} {num(y - 1)}v.6"
    smile = f"M{num(x)} {num(y)}v2.4M{num(x - 2)} {num(y + 4.4)}q2 1.4 4 0"
    head = draw("ellipse", cx=x, cy=y, rx=7, ry=8.4, fill=SKIN, stroke=HAIR, stroke_width=1)
    return (
        head
        + path(eyes, "none", stroke=HAIR, stroke_width=1.6, stroke_linecap="round")
        + path(smile, "none", stroke=HAIR, stroke_width=0.8, stroke_linecap="round")
    )


def hand(x: float, y: float) -> str:
    """A hand that holds something."""
    return disc(x, y, 3.6, SKIN, stroke=HAIR, stroke_width=1)


def page() -> str:
    """The sota: a page on his feet, in beret and doublet."""
    return (
        path("M44 104 41 140H49L53 108 58 140H66L62 104Z", **LINE)
        + path("M41 134 40 142H34L31 146H49.4L49 134ZM58 134 58.6 146H72L70 142H67L66 134Z", OWN, **LINE)
        + path("M42 56C30 62 27 76 34 88L42 84C38 78 40 72 45 68Z", OWN, **LINE)
        + path("M60 56C68 56 74 60 80 70L75 76C70 70 66 68 60 68Z", OWN, **LINE)
        + path("M41 55C46 52 58 52 63 55L62 88 70 110C60 116 44 116 34 110L42 88Z", OWN, **LINE)
        + path("M49 54H55L56 112.5C54 113.5 50 113.5 48 112.5Z", **LINE)
        + path("M41 86C48 89 56 89 62.6 86L63.4 91C56 94 48 94 40.4 91Z", GOLD, stroke=GOLD_INK, **LINE)
        + path("M42 32C39 40 40 48 44 51H60C64 48 65 40 62 32Z", HAIR, stroke="none")
        + face(52, 41)
        + path("M44 52C47 56 57 56 60 52L63 57C56 61 48 61 41 57Z", PAPER, **LINE)
        + path("M38 34C37 25 46 22 54 23 64 24 68 30 65 35 56 31 47 31 38 34Z", OWN, **LINE)
        + path("M41 29C36 26 34 20 35 13 40 15 44 21 45 27Z", GOLD_LIGHT, stroke=GOLD_INK, **LINE)
        + hand(37, 87)
    )


def king() -> str:
    """The rey: a king in his mantle, crowned and bearded."""
    ticks = "".join(f"M{x} {y}v3.4" for x, y in ((42, 58), (47, 62), (53, 63), (59, 62), (64, 58)))
    hem = "".join(f"M{x} 136.5v5" for x in range(25, 67, 8))
    return (
        path("M38 56C28 62 24 100 18 145H71C75 104 76 66 68 56Z", OWN, **LINE)
        + path("M46 58H60L60 134H34Z", **LINE)
        + path("M51 66H55L51 134H43Z", GOLD, stroke=GOLD_INK, stroke_width=0.8)
        + path("M19.4 132H72L71 146H17.6Z", PAPER, **LINE)
        + path(hem, "none", stroke_width=1.8, stroke_linecap="round")
        + path("M36 60C28 70 26 84 32 94L42 88C38 82 40 74 44 68Z", OWN, **LINE)
        + path("M66 58C74 58 78 64 83 70L76 77C72 73 68 70 62 70Z", OWN, **LINE)
        + path("M43.6 85 43 92C49 95 55 95 60.2 93V86C54 88 49 88 43.6 85Z", GOLD, stroke=GOLD_INK, **LINE)
        + path("M37 54C46 50 60 50 69 54 70 60 66 66 53 68 40 66 36 60 37 54Z", PAPER, **LINE)
        + path(ticks, "none", stroke_width=1.6, stroke_linecap="round")
        + path("M42 32C38 42 40 52 46 56H60C66 52 68 42 64 32Z", HAIR, stroke="none")
        + face(53, 40)
        + path("M46 42C46 56 50 60 53 60S60 56 60 42C58 47 56 45 53 45S48 47 46 42Z", HAIR, stroke="none")
        + path("M50.6 47.6H55.4", "none", stroke=SKIN, stroke_width=1.2, stroke_linecap="round")
        + path("M42 33 39 16 46 23 53 12 60 23 67 16 64 33C58 30 48 30 42 33Z", GOLD, stroke=GOLD_INK, **LINE)
        + disc(53, 25, 2.2, OWN, stroke="none")
        + disc(53, 12, 2, GOLD_LIGHT, stroke=GOLD_INK, stroke_width=0.8)
        + hand(37, 92)
    )


HORSE_BODY: Final = (
    "M33 66C42 70 45 80 50 88 60 91 68 88 77 89 86 90 89 99 86 107 84 113 77 117 77 124L73 133 74 146H65L65 134"
    "C66 127 67 121 65 115 62 118 55 117 51 115L51 130 53 146H44L44 130 41 114 34 120 37 133 29 135 26 117 37 105"
    "C33 100 32 95 33 89 33 86 31 84 30 82 27 85 23 89 19 91L13 88C12 83 16 78 20 72 22 67 26 64 31 63L30 57 34 61Z"
)


def rider() -> str:
    """The caballo: a rider on a horse that lifts a hoof."""
    return (
        path("M86 95C95 96 91 110 93 122 87 118 87 110 84 104Z", HAIR, stroke="none")
        + path(HORSE_BODY, HORSE, **LINE)
        + path("M34 61C43 64 49 76 52 89 46 88 42 78 33 70Z", HAIR, stroke="none")
        + path("M17 77 28 84M22 71 29 83 48 92", "none", stroke=OWN, stroke_width=2)
        + disc(24, 73, 1.3, HAIR, stroke="none")
        + path("M45 88C54 92 66 91 74 88L76 106C66 110 56 110 46 107Z", OWN, **LINE)
        + path("M46.5 104C56 107 66 107 75.6 103L76 106.5C66 110.4 56 110.4 46.6 107.4Z", GOLD, stroke=GOLD_INK, **LINE)
        + path("M54 84C62 84 66 90 62 98L56 114H48L52 98Z", **LINE)
        + path("M48.6 111H57L54 126C50 128 46 128 42 127L43 123 47 122Z", OWN, **LINE)
        + path("M47 56C40 60 36 70 42 82L50 88 52 82C48 78 47 74 51 69Z", OWN, **LINE)
        + path("M64 55C72 56 76 60 81 68L75 74C71 69 68 68 62 68Z", OWN, **LINE)
        + path("M46 54C52 51 60 51 66 54L67 88C60 93 52 92 47 88Z", OWN, **LINE)
        + path("M53 53H60L61 90C58 91.4 55 91.2 52 90Z", **LINE)
        + path("M47 31C44 38 45 46 49 49H64C68 46 69 38 66 31Z", HAIR, stroke="none")
        + face(56, 40)
        + path("M48 51C52 54 60 54 64 51L67 56C60 60 52 60 45 56Z", PAPER, **LINE)
        + path("M38 33C46 29 66 29 75 33 70 37 44 37 38 33ZM46 31C46 22 50 19 56 19S67 22 67 31C60 33 52 33 46 31Z", OWN, **LINE)
        + path("M46 29C52 31 61 31 67 29V32C60 34 52 34 46 32Z", GOLD, stroke=GOLD_INK, stroke_width=0.8)
        + hand(50, 87)
    )  # fmt: skip


HELD: Final = {
    "e": ("e", 82, 48, 1.05),
    "b": ("b", 82, 46, 1.05),
    "o": ("o", 80, 50, 1.05),
    "c": ("c", 80, 47, 1.0),
}
COURT: Final = {10: "page", 11: "rider", 12: "king"}


def court(rank: int, suit: str) -> str:
    """A figure with the suit in its hand."""
    name, x, y, scale = HELD[suit]
    return f'<use href="#{COURT[rank]}"/>' + use(name, x, y, scale) + hand(80, 70)


# Where the pips lie, rank by rank.

Spots: TypeAlias = tuple[tuple[float, float], ...]

ROUND_PIPS: Final[dict[int, tuple[float, Spots]]] = {
    2: (1.5, ((50, 43), (50, 111))),
    3: (1.25, ((51, 33), (51, 77), (51, 121))),
    4: (1.05, ((39, 44), (68, 44), (39, 110), (68, 110))),
    5: (1, ((37, 37), (66, 37), (51.5, 77), (37, 117), (66, 117))),
    6: (0.98, ((38, 34), (66, 34), (38, 77), (66, 77), (38, 120), (66, 120))),
    7: (0.95, ((37, 33), (67, 33), (52, 55), (37, 77), (67, 77), (37, 121), (67, 121))),
}
"""How large coins and cups are, and where they lie."""

SEVEN_CUPS: Final = (0.95, ((38, 34), (64, 34), (27, 79), (51, 79), (75, 79), (38, 121), (64, 121)))

LONG_PIPS: Final = {2: (36, 64), 3: (32, 50, 68)}
"""Two and three swords or clubs are as long as the card."""


def pips(rank: int, suit: str) -> str:
    """The pips of a numbered card."""
    if suit in "oc":
        scale, spots = SEVEN_CUPS if (rank, suit) == (7, "c") else ROUND_PIPS[rank]
        return "".join(use(suit, x, y, scale) for x, y in spots)
    if rank in LONG_PIPS:
        return "".join(use(f"long-{suit}", x, 77) for x in LONG_PIPS[rank])
    columns = (35, 65) if rank < 6 else (33, 50, 67)
    turn = 180 if suit == "e" else 0
    rows = "".join(use(suit, x, 40.5, 0.95, turn) + use(suit, x, 113.5, 0.95, 180 - turn) for x in columns)
    return rows + (use(suit, 50, 77, 0.95, 90 if rank == 7 else 0) if rank % 2 else "")


# Cards.

GAPS: Final = {"e": (38, 62), "b": (28, 50, 72), "o": (), "c": (50,)}
"""Where the frame is open, above and below: the pintas that tell a suit in a closed hand."""


def frame(suit: str) -> str:
    """The frame of a card with the breaks of its suit."""
    left, right, top, bottom, gap = 5, 95, 5, 149, 4
    stops = [11, *(x + side for x in GAPS[suit] for side in (-gap, gap)), 89]
    lines = "".join(
        f"M{a} {y}H{b}" for y in (top, bottom) for a, b in zip(stops[::2], stops[1::2], strict=True)
    )
    sides = f"M11 {top}Q{left} {top} {left} 11V143Q{left} {bottom} 11 {bottom}M89 {top}Q{right} {top} {right} 11V143Q{right} {bottom} 89 {bottom}"
    return path(lines + sides, "none", stroke_width=1.8)


MARKS: Final = {"e": 0.4, "b": 0.38, "o": 0.52, "c": 0.54}


def corners(rank: int, suit: str) -> str:
    """The number large with the mark of the suit, and again in the opposite corner."""
    mark = use(suit, 16, 47, MARKS[suit])
    large = f'<g transform="translate(9.5 10)scale(1.2)">{number(rank)}</g>'
    small = f'<g transform="rotate(180 50 77)translate(9 9.5)scale(.85)">{number(rank)}</g>'
    return mark + large + small


def card(rank: int, suit: str) -> str:
    """One card of the deck."""
    kind = ace if rank == 1 else court if rank in COURT else pips
    own, light, ink = TONES[suit]
    name = SUIT_NAMES[suit]
    tones = (
        f'color="{tone(name, own)}" fill="{tone(f"{name}-light", light)}" stroke="{tone(f"{name}-ink", ink)}"'
    )
    return symbol(
        f"card-{rank}{suit}", f"<g {tones}>{frame(suit)}{kind(rank, suit)}{corners(rank, suit)}</g>"
    )


def symbol(name: str, inside: str) -> str:
    """A card as a symbol, on its paper."""
    return f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}"><use href="#paper"/>{inside}</symbol>'


def stepped(size: int) -> str:
    """A diamond in steps, as woven into ponchos, as path data."""
    sides = ("h2v2", "v2h-2", "h-2v-2", "v-2h2")
    return f"M0 {-2 * size}" + "".join(side * size for side in sides) + "Z"


def back() -> str:
    """The back of a card: woven diamonds."""
    rows = ((17, 39, 61, 83), (28, 50, 72))
    cloth = "".join(use("diamond", x, 17 + 12 * row) for row in range(11) for x in rows[row % 2])
    ground = draw("rect", x=5, y=5, width=90, height=144, rx=5, fill=BACK)
    return symbol("card-back", ground + cloth)


def diamond() -> str:
    """One diamond of the back, from its rim to its heart."""
    colours = {5: BACK_LIGHT, 4: BACK, 3: BACK_MIDDLE, 1: BACK_LIGHT}
    return "".join(path(stepped(size), colour) for size, colour in colours.items())


def shapes() -> Iterator[str]:
    """Everything that cards use."""
    sheet = {"width": 98.5, "height": 152.5, "rx": 8, "fill": PAPER, "stroke": EDGE, "stroke_width": 1.5}
    yield draw("rect", id="paper", x=0.75, y=0.75, **sheet)
    yield from digits()
    parts = {
        "e": sword(30), "long-e": sword(58), "great-e": sword(66, 8, 17),
        "b": club(30), "long-b": club(58), "great-b": club(66, 10),
        "o": coin(), "c": cup(), "page": page(), "rider": rider(), "king": king(), "diamond": diamond(),
    }  # fmt: skip
    for name, part in parts.items():
        yield f'<g id="{name}">{part}</g>'


def sprite() -> str:
    """The whole deck as one SVG file."""
    cards = [card(rank, suit) for suit in SUIT_NAMES for rank in SPANISH_RANKS]
    inside = "\n".join(["<defs>", *shapes(), "</defs>", *cards, back()])
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{inside}\n</svg>\n'


SPEECH: Final = "M14 2H50Q58 2 58 10V44Q58 52 50 52H36L22 62V52H14Q6 52 6 44V10Q6 2 14 2Z"


def logo() -> str:
    """The sign of the house: a card that talks back."""
    (gold, gold_light, gold_ink), red = TONES["o"], TONES["c"][0]
    sun = (
        path(rays(12, 14, 20), gold, stroke=gold_ink, stroke_width=1)
        + disc(0, 0, 13, gold_light, stroke=gold_ink, stroke_width=2)
        + path(petals(6, 5, 15), red)
    )
    talk = path(SPEECH, "#fffdf5", stroke="#7c1f2d", stroke_width=3.6, stroke_linejoin="round")
    inside = f'{talk}<g transform="translate(32 27)">{sun}</g>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">{inside}</svg>\n'


def main() -> None:
    """Write the files of the deck beside the pages."""
    STATIC.mkdir(exist_ok=True)
    (STATIC / "deck.svg").write_text(sprite(), encoding="utf-8")
    (STATIC / "logo.svg").write_text(logo(), encoding="utf-8")


if __name__ == "__main__":
    main()
