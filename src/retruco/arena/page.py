"""A report as data: headings, sentences, tables and pictures, written as Markdown or as one HTML page.

The page needs nothing from elsewhere, reads well on a telephone and follows the reader's choice of
light or dark. Pictures are SVG whose colours are named (`var(--ink)`), so they follow it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeAlias

LIGHT = "--ink:#1d2733;--paper:#ffffff;--faint:#8a94a0;--line:#d9dee4;--good:#1769aa;--bad:#c2571a"
DARK = "--ink:#e4e9ee;--paper:#14191f;--faint:#8792a0;--line:#303a45;--good:#5fb0ea;--bad:#f0935a"

STYLE = (
    f":root{{color-scheme:light dark;{LIGHT}}}"
    f"@media(prefers-color-scheme:dark){{:root{{{DARK}}}}}"
    """
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1rem 1rem 4rem;background:var(--paper);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
h1{font-size:1.7rem;line-height:1.2;margin:1rem 0 .3rem}h2{font-size:1.2rem;margin:2.4rem 0 .4rem}
p{max-width:46rem;margin:.5rem 0}.lead{color:var(--faint)}a{color:var(--good)}
.scroll{overflow-x:auto;margin:.8rem 0;border:1px solid var(--line);border-radius:.5rem}
table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums;white-space:nowrap;min-width:100%}
th,td{padding:.35rem .6rem;text-align:right;border-bottom:1px solid var(--line)}
tr:last-child td,tr:last-child th{border-bottom:0}
thead th{font-weight:600;color:var(--faint);vertical-align:bottom}th.left{text-align:left}
th:first-child{text-align:left;position:sticky;left:0;background:var(--paper);z-index:1}
td.wide,th.wide{text-align:left;white-space:normal;min-width:13rem}th.wide{position:static}
td[style]{background:color-mix(in srgb,var(--c) calc(var(--t)*1%),transparent)}
figure{margin:.8rem 0;overflow-x:auto}
figure svg{width:100%;min-width:min(20rem,var(--w));max-width:var(--w);height:auto;display:block}
figure.big svg{min-width:calc(var(--w)*.75)}
figcaption{font-size:.85rem;color:var(--faint);max-width:46rem}
summary{cursor:pointer;color:var(--good);margin:.6rem 0}pre{overflow-x:auto;font-size:.8rem;padding:.6rem;
border:1px solid var(--line);border-radius:.5rem}
"""
)


@dataclass(frozen=True, slots=True)
class Heading:
    """A title within the page."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines of a program, as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A line that leads to another page."""

    text: str
    target: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in a table; a tint from -1 (bad) to 1 (good) colours it."""

    text: str
    tint: float = 0.0
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a head; a folded one is opened by the reader."""

    head: Sequence[str]
    rows: Sequence[Sequence[Cell | str]]
    folded: str = ""
    """What to click on to see it; empty when it is open."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing as SVG text, saved beside a Markdown report under its name."""

    name: str
    svg: str
    caption: str
    """The picture in a sentence."""
    width: int = 600
    """How many pixels wide it is shown at most; one of more than 640 is scrolled on a narrow screen."""


Part: TypeAlias = Heading | Text | Verbatim | Link | Table | Picture


@dataclass(frozen=True, slots=True)
class Page:
    """A report: its title, what it is in a sentence, and its parts."""

    title: str
    lead: str
    parts: Sequence[Part]

    @property
    def pictures(self) -> list[Picture]:
        """The drawings, in their order."""
        return [part for part in self.parts if isinstance(part, Picture)]


def as_markdown(page: Page, pictures: str = "plots") -> str:
    r"""Write a page as Markdown; its pictures are linked as files of a folder beside it.

    >>> print(as_markdown(Page("Cards", "Four suits.", [Table(["suit"], [["a|b"]], folded="All of them")])))
    # Cards
    <BLANKLINE>
    Four suits.
    <BLANKLINE>
    **All of them**
    <BLANKLINE>
    | suit |
    |---|
    | a\|b |
    <BLANKLINE>
    """
    parts = [f"# {page.title}", page.lead, *(_markdown(part, pictures) for part in page.parts)]
    return "\n\n".join(parts) + "\n"


def _markdown(part: Part, pictures: str) -> str:
    match part:
        case Heading(text):
            return f"## {text}"
        case Text(text):
            return text
        case Verbatim(text):
            return f"```\n{text}\n```"
        case Link(text, target):
            return f"- [{text}]({target})"
        case Picture(name, _, caption):
            return f"![{caption}]({pictures}/{name}.svg)"
        case Table(head, rows, folded):
            lines = [_row(head), "|---" * len(head) + "|", *map(_row, rows)]
            return (f"**{folded}**\n\n" if folded else "") + "\n".join(lines)


def _row(cells: Sequence[Cell | str]) -> str:
    texts = (cell.text if isinstance(cell, Cell) else cell for cell in cells)
    return "| " + " | ".join(text.replace("|", "\\|").replace("\n", " ") for text in texts) + " |"


def as_html(page: Page) -> str:
    """Write a page as one HTML file that needs nothing else."""
    body = "\n".join(_html(part) for part in page.parts)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(page.title)}</title><style>{STYLE}</style></head><body>\n"
        f'<h1>{escape(page.title)}</h1>\n<p class="lead">{escape(page.lead)}</p>\n{body}\n</body></html>\n'
    )


def _html(part: Part) -> str:
    match part:
        case Heading(text):
            return f"<h2>{escape(text)}</h2>"
        case Text(text):
            return f"<p>{escape(text)}</p>"
        case Verbatim(text):
            return f"<pre>{escape(text)}</pre>"
        case Link(text, target):
            return f'<p><a href="{escape(target)}">{escape(text)}</a></p>'
        case Picture(_, svg, caption, width):
            size = ' class="big"' if width > 640 else ""
            return f'<figure{size} style="--w:{width}px">{svg}<figcaption>{escape(caption)}</figcaption></figure>'
        case Table(_, _, folded):
            table = _html_table(part)
            return f"<details><summary>{escape(folded)}</summary>{table}</details>" if folded else table


def _html_table(table: Table) -> str:
    wide = {
        place for row in table.rows for place, cell in enumerate(row) if isinstance(cell, Cell) and cell.wide
    }
    head = "".join(
        f"<th{' class=left' if place in wide else ''}>{escape(title)}</th>"
        for place, title in enumerate(table.head)
    )
    rows = "\n".join(f"<tr>{''.join(map(_cell, range(len(row)), row))}</tr>" for row in table.rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table></div>'


def _cell(place: int, cell: Cell | str) -> str:
    cell = Cell(cell) if isinstance(cell, str) else cell
    text = escape(cell.text)
    if place == 0:
        return f'<th class="wide">{text}</th>' if cell.wide else f"<th>{text}</th>"
    if cell.wide:
        return f'<td class="wide">{text}</td>'
    if not cell.tint:
        return f"<td>{text}</td>"
    colour = "good" if cell.tint > 0 else "bad"
    return f'<td style="--c:var(--{colour});--t:{min(70, round(70 * abs(cell.tint)))}">{text}</td>'


def standalone(svg: str) -> str:
    """Make an SVG fit to be a file of its own: it brings its colours for light and dark."""
    style = f"<style>svg{{background:var(--paper);{LIGHT}}}@media(prefers-color-scheme:dark){{svg{{{DARK}}}}}</style>"
    end = svg.index(">", svg.index("<svg")) + 1
    return '<?xml version="1.0" encoding="utf-8"?>\n' + svg[:end] + style + svg[end:]
