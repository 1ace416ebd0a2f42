"""Numbers that make no sense are refused in the page's language, whatever they look like; nothing breaks."""

from collections.abc import Iterator
from urllib.parse import quote, urlencode

import httpx2
import pytest
from fastapi.testclient import TestClient
from serving import GENEROUS, cases_of
from test_questionnaire import study_match
from visitors import Guest

from retruco.web.core.admin_key import new_key
from retruco.web.core.app import create_app
from retruco.web.core.settings import Settings
from retruco.web.lab.questionnaire import QUESTIONS

SENSELESS = (
    "9" * 5000, "-1", "1e999", "nan", "inf", "0x10", "1_000", "\u0661\u0662", "\u00b2", "\ud800", " ", "1.5",
)  # fmt: skip
"""Too long, negative, no whole numbers, digits of other scripts, half a character, a blank."""

FORMS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("/play", "target", {"level": "easy"}),
    ("/invite", "target", {}),
    ("/invite", "clock", {}),
    ("/watch", "target", {"first": "random", "second": "random"}),
    ("/laboratory/jobs", "match_count", {"seed": "1"}),
    ("/laboratory/jobs", "seed", {"match_count": "1"}),
    ("{table}", "number", {"action": "fold"}),
    ("{table}/leave", "number", {}),
    ("/join/{invitation}", "seat", {}),
    ("/euchre", "clock", {"seat1": "person"}),
    ("/opinion/{match}", "fun", dict.fromkeys(QUESTIONS[:3], "4")),
    ("/opinion/{match}", "years", dict.fromkeys(QUESTIONS, "4")),
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    file = tmp_path_factory.mktemp("numbers") / "table.sqlite"
    key = new_key(file)
    settings = Settings(file, limits=GENEROUS)
    with TestClient(create_app(settings, cases_of), base_url="http://localhost") as found:
        found.headers["X-Owner-Key"] = key or ""
        yield found


@pytest.fixture(scope="module")
def owner(client: TestClient) -> Guest:
    """The owner of the table, so that the laboratory opens too."""
    found = Guest(client)
    assert found.post("/api/laboratory/key", {"key": client.headers["X-Owner-Key"]}).status_code == 200
    return found


@pytest.fixture(scope="module")
def places(owner: Guest) -> dict[str, str]:
    """A table of hold'em, a match of the study that is over, and an invitation of somebody else."""
    host = Guest(owner.http)
    invitation = host.post("/api/invitations", {"game": "euchre"}).json()["invitation"]
    return {
        "table": owner.sit_down("holdem", seat1="rulebot"),
        "match": study_match(owner)[0],
        "invitation": invitation,
    }


def send(owner: Guest, path: str, fields: dict[str, str]) -> httpx2.Response:
    form = urlencode({"form_key": owner.form_key, **fields}, errors="surrogatepass")
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    return owner.request("POST", f"{path}?lang=pt", content=form, headers=headers)


@pytest.mark.parametrize("value", SENSELESS, ids=lambda text: ascii(text)[:12])
@pytest.mark.parametrize(("path", "field", "rest"), FORMS, ids=lambda one: str(one)[:20])
def test_a_senseless_number_in_a_form_is_refused_in_the_page_s_language(
    owner: Guest, places: dict[str, str], path: str, field: str, rest: dict[str, str], value: str
) -> None:
    answer = send(owner, path.format(**places), {**rest, field: value})
    assert answer.status_code in (400, 422), answer.text
    assert 'lang="pt"' in answer.text


@pytest.mark.parametrize("value", SENSELESS, ids=lambda text: ascii(text)[:12])
def test_a_senseless_number_in_an_address_breaks_nothing(
    owner: Guest, places: dict[str, str], value: str
) -> None:
    text = quote(value, errors="surrogatepass")
    for path in (
        f"/api/matches/{places['match']}?after={text}",
        f"/api/matches/{places['match']}/replay?seat={text}",
        f"/api/matches/{places['match']}/why/{text}",
        f"/replay/{places['match']}/{text}",
        f"/replay/{places['table'].rpartition('/')[2]}/{text}",
        f"/join/{places['invitation']}?seat={text}",
        f"{places['table']}/hands/{text}",
        f"{places['table']}/hands/1?step={text}",
        f"/laboratory/cases/baseline?at={text}&cluster={text}",
    ):
        assert owner.get(path).status_code < 500, path


@pytest.mark.parametrize("number", ["9" * 5000, "-1", "1e999", "NaN", "Infinity", '"5"', "1.5", "true"])
def test_a_senseless_number_in_json_is_refused(owner: Guest, places: dict[str, str], number: str) -> None:
    headers = {"Content-Type": "application/json", "X-Form-Key": owner.form_key}
    for path, body in (
        ("/api/matches", '{"target": %s}'),
        ("/api/invitations", '{"target": %s}'),
        ("/api/invitations", '{"clock": %s}'),
        (f"/api/invitations/{places['invitation']}/accept", '{"seat": %s}'),
        (f"/api/matches/{places['table'].rpartition('/')[2]}/act", '{"action": "fold", "number": %s}'),
        (f"/api/matches/{places['match']}/resign", '{"number": %s}'),
        (f"/api/matches/{places['match']}/opinion", '{"fun": %s}'),
        ("/api/laboratory/jobs", '{"first": {}, "second": {}, "seed": %s}'),
    ):
        answer = owner.request("POST", path, content=body % number, headers=headers)
        assert answer.status_code in (400, 422), (path, answer.text)
        assert answer.json()["message"]


def test_half_a_character_in_a_text_is_refused_or_left_out(owner: Guest) -> None:
    headers = {"Content-Type": "application/json", "X-Form-Key": owner.form_key}
    for path, body in (
        ("/api/me/name", '{"name": "\\ud800"}'),
        ("/api/matches", '{"opponent": "\\ud800"}'),
        ("/api/matches", '{"rules": "\\ud800"}'),
        ("/api/laboratory/key", '{"key": "\\ud800"}'),
        ("/api/bots", '{"name": "\\ud800"}'),
    ):
        assert owner.request("POST", path, content=body, headers=headers).status_code < 500, path
    for path, field in (("/me/name", "name"), ("/play", "opponent"), ("/laboratory/key", "key")):
        assert send(owner, path, {field: "\ud800"}).status_code < 500, path


def test_a_stream_goes_on_after_the_number_it_was_told(owner: Guest, places: dict[str, str]) -> None:
    for header, first in (("9" * 19, 0), ("x", 0), ("0", 1), ("3", 4)):
        text = owner.get(f"/api/matches/{places['match']}/events", headers={"Last-Event-ID": header}).text
        assert f"\nid: {first}\n" in text
        assert f"\nid: {first - 1}\n" not in text
