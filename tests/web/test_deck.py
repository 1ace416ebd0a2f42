"""The deck is our own drawing: complete, small, and as the script draws it."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from retruco.cards import SPANISH_DECK, SUIT_NAMES
from retruco.games.holdem.deck import CARDS
from retruco.web.art import faces, french_deck, spanish_deck
from retruco.web.core.paths import STATIC
from retruco.web.tables.table_view import view_class

SVG = "{http://www.w3.org/2000/svg}"
FILES = {"deck.svg": spanish_deck.sprite(), "logo.svg": spanish_deck.logo(), "faces.svg": faces.sprite()}


@pytest.mark.parametrize("name", FILES)
def test_the_files_are_what_the_script_draws(name: str) -> None:
    assert (STATIC / name).read_text(encoding="utf-8") == FILES[name]


def test_every_person_has_a_face() -> None:
    people = [person for game in ("truco", "euchre", "holdem") for person in view_class(game).people]
    assert list(faces.FACES) == people


def test_the_french_cards_are_all_there_as_the_script_draws_them() -> None:
    text = french_deck.sprite()
    assert french_deck.FILE.read_text(encoding="utf-8") == text
    symbols = ElementTree.fromstring(text).findall(f"{SVG}symbol")
    assert [one.get("id") for one in symbols] == [f"card-{card}" for card in (*CARDS, "back")]
    assert len(set(re.findall(r'<symbol id="[^"]+"(.*?)</symbol>', text))) == 53


@pytest.mark.parametrize("rank", "23456789T")
def test_a_french_card_has_as_many_pips_as_it_counts(rank: str) -> None:
    count = 10 if rank == "T" else int(rank)
    card = next(one for one in french_deck.sprite().splitlines() if f'"card-{rank}h"' in one)
    assert card.count("<use") == count + 2, "and one in each corner"


@pytest.mark.parametrize("rank", "23456789T")
def test_the_pips_of_a_french_card_do_not_touch(rank: str) -> None:
    card = next(line for line in french_deck.sprite().splitlines() if f'"card-{rank}s"' in line)
    found = re.findall(r'translate\(([\d.]+) ([\d.]+)\)[^"]*scale\(([\d.]+)\)', card)
    pips = {tuple(map(float, pip)) for pip in found}
    assert len(pips) >= 2
    for (x, y, size), (other_x, other_y, other_size) in combinations(pips, 2):
        width, height = 13 * (size + other_size), 14 * (size + other_size)  # of the spade, the largest
        assert abs(x - other_x) >= width or abs(y - other_y) >= height


def test_every_card_and_the_back_has_its_symbol_of_one_size() -> None:
    symbols = ElementTree.fromstring(spanish_deck.sprite()).findall(f"{SVG}symbol")
    assert {one.get("id") for one in symbols} == {f"card-{card}" for card in (*SPANISH_DECK, "back")}
    assert len(symbols) == 41
    assert {one.get("viewBox") for one in symbols} == {"0 0 100 154"}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_everything_used_is_drawn_in_the_same_file_once(text: str) -> None:
    drawn = re.findall(r' id="([^"]+)"', text)
    assert len(drawn) == len(set(drawn))
    assert {name.removeprefix("#") for name in re.findall(r'href="([^"]+)"', text)} <= set(drawn)


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_nothing_comes_from_elsewhere(text: str) -> None:
    assert len(text.encode()) < 100_000
    assert re.findall(r"https?:[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    for stranger in ("<style", "style=", "<script", "<image", "<text", "font", "url(", "data:"):
        assert stranger not in text


def test_no_two_cards_look_alike() -> None:
    symbols = re.findall(r'<symbol id="[^"]+"(.*?)</symbol>', spanish_deck.sprite())
    assert len(set(symbols)) == 41


@pytest.mark.parametrize(("suit", "gaps"), [("e", 2), ("c", 1), ("b", 3), ("o", 0)])
def test_the_frame_is_broken_as_tradition_has_it(suit: str, gaps: int) -> None:
    lines = re.findall(r"M[\d.]+ 5H[\d.]+", spanish_deck.frame(suit))
    assert len(lines) == gaps + 1


@pytest.mark.parametrize("suit", SUIT_NAMES)
@pytest.mark.parametrize("rank", range(2, 8))
def test_a_numbered_card_has_as_many_pips_as_it_counts(rank: int, suit: str) -> None:
    assert spanish_deck.pips(rank, suit).count("<use") == rank


def test_every_colour_of_a_suit_can_be_changed_by_a_page() -> None:
    for name in SUIT_NAMES.values():
        for kind in (name, f"{name}-light", f"{name}-ink"):
            assert f"var(--{kind},#" in spanish_deck.sprite()
