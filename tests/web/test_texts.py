"""The texts say the same in three languages, and name everything a player can meet."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import retruco.web
from retruco.cards import SPANISH_DECK, SUIT_NAMES
from retruco.games.truco import CALLS, PRESETS, Truco, TrucoDeal, envido_points, flor_points
from retruco.games.truco.deck import Hand
from retruco.games.truco.state import STAGES
from retruco.vocab.truco.scenarios import VOCABULARY
from retruco.web.tables.table_view import games_with_views, view_class

FOLDER = Path(retruco.web.__file__).parent / "texts"
LANGUAGES = ("pt", "es", "en")
TEXTS: dict[str, dict[str, Any]] = {
    language: json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8")) for language in LANGUAGES
}

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


def leaves(node: object, path: str = "") -> Iterator[tuple[str, object]]:
    """All texts and values by their dotted keys."""
    if isinstance(node, dict | list):
        items = node.items() if isinstance(node, dict) else enumerate(node)
        for key, value in items:
            yield from leaves(value, f"{path}.{key}" if path else str(key))
    else:
        yield path, node


GAMES = [game for game in games_with_views() if game != "truco"]
TEXTS_OF_GAMES = {
    f"{game} {language}": json.loads(
        (view_class(game).folder() / "texts" / game / f"{language}.json").read_text(encoding="utf-8")
    )
    for game in GAMES
    for language in LANGUAGES
}
"""The texts that the views of the games bring; those of Truco are the site's own."""


@pytest.mark.parametrize("place", TEXTS_OF_GAMES)
def test_every_game_says_the_same_in_every_language(place: str) -> None:
    game, language = place.split()
    english, here = dict(leaves(TEXTS_OF_GAMES[f"{game} en"])), dict(leaves(TEXTS_OF_GAMES[place]))
    assert list(here) == list(english)
    for key, text in english.items():
        assert placeholders(here[key]) == placeholders(text), key
        assert str(here[key]).strip(), key
        same = language != "en" and here[key] == text and len(str(text)) > 40
        assert not same, f"{key} is not translated"


FLAT = {language: dict(leaves(TEXTS[language])) for language in LANGUAGES}


def placeholders(text: object) -> list[str]:
    return sorted(re.findall(r"\{(\w*)\}", str(text)))


def blocks(language: str) -> list[dict[str, Any]]:
    return [block for section in TEXTS[language]["lesson"]["sections"] for block in section["blocks"]]


@in_every_language
def test_the_same_keys_in_the_same_order(language: str) -> None:
    assert list(FLAT[language]) == list(FLAT["en"])


@in_every_language
def test_the_same_placeholders(language: str) -> None:
    for key, text in FLAT["en"].items():
        assert placeholders(FLAT[language][key]) == placeholders(text), key


@in_every_language
def test_nothing_is_empty_or_untidy(language: str) -> None:
    for key, text in FLAT[language].items():
        if isinstance(text, str):
            assert text.strip() == text, key
            assert text, key
            assert "  " not in text, key
            assert text.count("{") == text.count("}") == len(placeholders(text)), key


@in_every_language
def test_a_key_has_no_dot_of_its_own(language: str) -> None:
    def keys(node: object) -> Iterator[str]:
        children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        yield from node if isinstance(node, dict) else ()
        for child in children:
            yield from keys(child)

    assert not [key for key in keys(TEXTS[language]) if "." in key]


@in_every_language
@pytest.mark.parametrize("game", GAMES)
def test_every_agent_that_sits_down_is_described(language: str, game: str) -> None:
    view = view_class(game)
    texts = view.texts(language)
    assert [name for name in view.agents() if not texts.has(f"{game}.agent.{name}")] == []
    assert [name for name in view.rules if not texts.has(f"{game}.preset.{name}")] == []
    for key in ("title", "about", "intro", "lesson.1"):
        assert texts.has(f"{game}.{key}"), key


@in_every_language
@pytest.mark.parametrize("game", ["truco", "euchre", "holdem"])
def test_every_person_plays_and_has_a_name_and_a_sentence(language: str, game: str) -> None:
    view = view_class(game)
    texts = view.texts(language)
    assert set(view.people.values()) <= set(view.agents())
    for person, agent in view.people.items():
        assert view.name_agent(agent, texts)[0].isupper()
        assert view.about_person(person, "about", texts).endswith(".")
    assert set(view.usual) <= {*view.people.values(), "cautious"}, "who usually sits there is somebody"


@pytest.mark.parametrize("language", ["pt", "es"])
def test_long_sentences_are_translated(language: str) -> None:
    same = [key for key, text in FLAT["en"].items() if FLAT[language][key] == text and len(str(text)) > 40]
    assert not same


@in_every_language
@pytest.mark.parametrize(
    ("place", "names"),
    [
        ("call", CALLS),
        ("preset", PRESETS),
        ("stage", STAGES),
        ("why.scenario", [scenario.name for scenario in VOCABULARY.scenarios]),
        ("why.feature", {feature.name for one in VOCABULARY.scenarios for feature in one.visible}),
        ("why.value", {v for s in VOCABULARY.scenarios for f in s.visible for v in f.values if isinstance(v, str)}),
        ("why.answer_word", {a for s in VOCABULARY.scenarios for a in s.actions if a not in CALLS}),
        ("card.suit", SUIT_NAMES),
        ("card.rank", {str(card.rank) for card in SPANISH_DECK}),
    ],
)  # fmt: skip
def test_everything_has_its_text(language: str, place: str, names: list[str]) -> None:
    node: Any = TEXTS[language]
    for key in place.split("."):
        node = node[key]
    assert set(names) <= set(node), place


@in_every_language
def test_the_lesson_shows_real_cards_and_counts_them_right(language: str) -> None:
    for block in blocks(language):
        cards = block.get("cards", [])
        assert set(cards) <= {*SPANISH_DECK, "back"}
        if "envido" in block:
            assert envido_points(hand_of(cards)) == block["envido"]
        if "flor" in block:
            assert flor_points(hand_of(cards)) == block["flor"]


@in_every_language
def test_the_lesson_says_what_can_be_said(language: str) -> None:
    talks = [block["talk"] for block in blocks(language) if "talk" in block]
    assert len(talks) >= 3
    assert {who for talk in talks for who, _ in talk} == {"you", "other"}
    assert {what for talk in talks for _, what in talk} <= {*CALLS, *SPANISH_DECK}


@in_every_language
def test_the_whole_hand_of_the_lesson_is_played_by_the_rules(language: str) -> None:
    block = next(block for block in blocks(language) if "hands" in block)
    game = Truco.named("cbtg")
    first, second = (hand_of(hand) for hand in block["hands"])
    state = game.start(TrucoDeal((first, second)), game.opening(first=block["mao"]))
    for who, what in block["talk"]:
        assert state.to_act == ("you", "other").index(who)
        state = state.play(what)
    assert state.outcome is not None
    assert list(state.scores) == block["scores"]


def hand_of(cards: list[str]) -> Hand:
    from retruco.cards import card

    first, second, third = map(card, cards)
    return first, second, third


@in_every_language
def test_the_glossary_has_its_thirty_terms_and_more(language: str) -> None:
    terms = TEXTS[language]["glossary"]["terms"]
    assert len(terms) > 30
    assert set(CALLS) <= set(terms)
    assert 6 <= len(TEXTS[language]["lesson"]["sections"]) <= 9


def test_cards_are_spoken_as_players_name_them() -> None:
    spoken = {
        language: text["card"]["name"].format(rank=text["card"]["rank"]["1"], suit=text["card"]["suit"]["e"])
        for language, text in TEXTS.items()
    }
    assert spoken == {"pt": "ás de espadas", "es": "as de espadas", "en": "ace of swords"}
