"""Every page, in three languages: there, whole, and without a key that has no sentence."""

import re

import pytest
import serving
from fastapi.testclient import TestClient
from test_questionnaire import study_match
from visitors import Visitor

from retruco.games.truco import PRESETS
from retruco.web.core.i18n import LANGUAGES, texts
from retruco.web.tables.match_pages import SCRIPT_TEXTS

client = serving.client


PAGES = (
    "/",
    "/lesson",
    "/glossary",
    "/me",
    "/me/hands",
    "/teach",
    "/study",
    "/results",
    "/laboratory",
    "/api",
    "/nowhere",
    *(f"/rules/{name}" for name in PRESETS),
)
A_KEY = re.compile(r"\b(?:nav|table|end|why|why_not|rules|lesson|level|preset|error|event|new|settings|replay|practice|fairness"
                   r"|people|teach|consent|hands|opinion|study|results|laboratory|statistics|board|worth|spoken|glossary|agent|call|card|api|footer|site)\.[a-z_]+[a-z_.-]*")  # fmt: skip

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


def visible(html: str) -> str:
    """The text of a page, without its scripts' data and addresses."""
    html = re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)
    return re.sub(r'(?:href|src)="[^"]*"', "", html)


@in_every_language
@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_whole_in_every_language(client: TestClient, language: str, path: str) -> None:
    answer = client.get(path, params={"lang": language})
    assert answer.status_code == (404 if path == "/nowhere" else 200)
    assert f'<html lang="{language}">' in answer.text
    text = visible(answer.text)
    assert not A_KEY.search(text), A_KEY.search(text)
    assert "{" not in text.replace("{match}", "").replace("{number}", "").replace("{job}", "").replace(
        "{bot}", ""
    )


@in_every_language
def test_table_and_replay_are_whole_in_every_language(client: TestClient, language: str) -> None:
    visitor = Visitor(client)
    for match, path in (
        (visitor.open(practice=True), "/table/{}"),
        (visitor.finished(), "/table/{}"),
        (visitor.finished(), "/replay/{}/2"),
        (study_match(visitor)[0], "/opinion/{}"),
        (visitor.post("/api/invitations", {}).json()["invitation"], "/join/{}"),
    ):
        answer = visitor.get(path.format(match), params={"lang": language})
        assert answer.status_code == 200
        assert not A_KEY.search(visible(answer.text)), A_KEY.search(visible(answer.text))


def test_every_sentence_a_script_asks_for_is_there() -> None:
    from retruco.web.core.paths import STATIC

    known = texts("en").under(*SCRIPT_TEXTS)
    for file in STATIC.glob("js/*.js"):
        for key in re.findall(r'\bt\("([\w.-]+)"', file.read_text()):
            assert key in known, f"{file.name} asks for {key}"


def test_the_language_of_the_browser_is_used_until_another_is_chosen(client: TestClient) -> None:
    visitor = Visitor(client)
    visitor.cookies.pop("retruco_lang")
    assert '<html lang="es">' in visitor.get("/", headers={"Accept-Language": "es-UY,es;q=0.8"}).text
    assert '<html lang="pt">' in visitor.get("/?lang=pt").text
    assert '<html lang="pt">' in visitor.get("/lesson", headers={"Accept-Language": "es"}).text


def test_an_unknown_page_is_a_friendly_one(client: TestClient) -> None:
    for path in ("/nowhere", "/table/short", "/table/AAAAAAAAAAAAAAAA", "/rules/mineiro", "/replay/AAAAAAAAAAAAAAAA/1",
                 "/static/none.js", "/%00", "/table/%2e%2e/%2e%2e", "/replay/AAAAAAAAAAAAAAAA/99999999999"):  # fmt: skip
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert "Retruco" in answer.text
        assert 'href="/"' in answer.text


def test_the_rules_page_says_what_the_data_say(client: TestClient) -> None:
    pages = {name: client.get(f"/rules/{name}?lang=en").text for name in PRESETS}
    assert "6 + what the leader lacks" in pages["cbtg"]
    assert "6 + what the leader lacks" not in pages["argentino"]
    assert "Flor is not played" in pages["argentino-sem-flor"]
    assert "need not be sung" in pages["trucogame"]


def test_the_front_page_offers_matches_going_on(client: TestClient) -> None:
    visitor = Visitor(client)
    match = visitor.open()
    assert f"/table/{match}" in visitor.get("/").text
    assert f"/table/{match}" in visitor.get("/me").text
