"""Whoever knocks: names, origins, forms, sizes, speed, headers, cookies, logs."""

import logging
from pathlib import Path

import pytest
import serving
from fastapi.testclient import TestClient
from serving import GENEROUS, registry_of
from visitors import Visitor

from retruco.web.core.app import create_app
from retruco.web.core.identity import COOKIE
from retruco.web.core.settings import LOOPBACK, Limits, Settings

client = serving.client


PAGES = ("/", "/rules/cbtg", "/lesson", "/glossary", "/me", "/me/hands", "/teach", "/study", "/results", "/laboratory", "/watch/xxxxxxxxxxxxxxxx", "/api", "/no/such/page", "/openapi.json", "/api/opponents",
         "/static/js/table.js", "/static/deck.svg", "/api/no/such", "/table/xxxxxxxxxxxxxxxx", "/replay/short/1")  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_carries_the_strict_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize("path", [page for page in PAGES if not page.startswith("/static")])
def test_pages_ask_nothing_of_other_machines_and_hold_no_inline_code(client: TestClient, path: str) -> None:
    text = client.get(path).text
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "https://" not in text
    assert " style=" not in text
    assert "onclick=" not in text
    assert "<script>" not in text


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "127.0.0.1.nip.io", "[::1"])
def test_a_server_answers_only_to_its_own_names(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 400


@pytest.mark.parametrize("host", ["localhost:8321", "127.0.0.1", "[::1]:8321"])
def test_this_machine_is_known_by_its_loopback_names(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://localhost:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=str,
)
def test_requests_from_other_sites_change_nothing(client: TestClient, headers: dict[str, str]) -> None:
    visitor = Visitor(client)
    assert visitor.post("/api/matches", {}, headers=headers).status_code == 403
    form = {"form_key": visitor.form_key, "level": "easy"}
    assert visitor.request("POST", "/play", data=form, headers=headers).status_code == 403
    assert visitor.get("/api/me").json()["matches"] == []


def test_our_own_forms_pass_though_a_page_without_referrers_has_no_origin(client: TestClient) -> None:
    visitor = Visitor(client)
    headers = {"Origin": "null", "Sec-Fetch-Site": "same-origin"}
    form = {"form_key": visitor.form_key, "level": "easy"}
    assert visitor.request("POST", "/play", data=form, headers=headers).status_code == 303


@pytest.mark.parametrize("key", ["", "0" * 64, "é", "x" * 99])
def test_a_form_without_its_key_is_refused(client: TestClient, key: str) -> None:
    visitor = Visitor(client)
    assert visitor.request("POST", "/play", data={"form_key": key}).status_code == 403
    visitor.form_key = "0" * 64
    assert visitor.post("/api/matches", {}).status_code == 403


def test_a_key_serves_only_the_browser_it_was_made_for(client: TestClient) -> None:
    one, other = Visitor(client), Visitor(client)
    one.form_key = other.form_key
    assert one.post("/api/matches", {}).status_code == 403


def test_the_token_is_a_cookie_that_scripts_and_other_sites_cannot_use(client: TestClient) -> None:
    cookies = client.get("/", headers={"Cookie": ""}).headers.get_list("set-cookie")
    seat = next(one for one in cookies if one.startswith(COOKIE))
    assert "HttpOnly" in seat
    assert "SameSite=lax" in seat
    assert len(seat.partition("=")[2].partition(";")[0]) == 43


def test_forged_tokens_are_strangers(client: TestClient) -> None:
    for token in ("", "x", "x" * 43, "x" * 5000, "../../etc", "%00", '"'):
        answer = client.get("/api/me", headers={"Cookie": f"{COOKIE}={token}"})
        assert answer.status_code == 200
        assert answer.json()["matches"] == []


def test_the_token_stands_in_no_page_no_address_and_no_log(
    client: TestClient, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    visitor = Visitor(client)
    token = visitor.cookies[COOKIE]
    match = visitor.finished()
    answers = [visitor.get(path) for path in ("/", "/me", f"/table/{match}", f"/replay/{match}/0", "/api/me",
                                              f"/api/matches/{match}", f"/api/matches/{match}/export")]  # fmt: skip
    for answer in answers:
        assert token not in answer.text
        assert token not in str(answer.headers)
    assert token not in caplog.text
    stored = b"".join(file.read_bytes() for file in registry_of(client).settings.store.parent.iterdir())
    assert token.encode() not in stored


def test_what_a_visitor_writes_is_escaped_wherever_it_shows(client: TestClient) -> None:
    evil = "<script>alert(1)</script>"
    visitor = Visitor(client)
    page = visitor.request("POST", "/play", data={"form_key": visitor.form_key, "opponent": evil})
    assert page.status_code == 400
    assert evil not in page.text
    assert evil not in visitor.get(f"/rules/{evil}").text
    assert evil not in visitor.get(f"/?lang=pt&x={evil}").text


def small(tmp_path: Path, limits: Limits = GENEROUS) -> TestClient:
    settings = Settings(tmp_path / "t.sqlite", limits=limits)
    return TestClient(create_app(settings), base_url="http://localhost")


def test_a_body_that_is_too_long_is_refused(tmp_path: Path) -> None:
    with small(tmp_path, Limits(body_bytes=1000)) as client:
        visitor = Visitor(client)
        assert visitor.post("/api/matches", {"opponent": "x" * 2000}).status_code == 413
        key = {"X-Form-Key": visitor.form_key, "Content-Type": "application/json"}
        pieces = (b" " * 500 for _ in range(10))
        answer = visitor.request("POST", "/api/matches", content=pieces, headers=key)
        assert answer.status_code == 413


def test_who_asks_too_often_must_wait(tmp_path: Path) -> None:
    with small(tmp_path, Limits(burst=5, per_second=0.001, refusal_seconds=0)) as client:
        assert [client.get("/api/opponents").status_code for _ in range(7)] == [200] * 5 + [429] * 2


def test_nobody_opens_matches_without_end(tmp_path: Path) -> None:
    with small(tmp_path, Limits(matches_per_minute=3, refusal_seconds=0)) as client:
        visitor = Visitor(client)
        wish = {"opponent": "random"}
        assert [visitor.post("/api/matches", wish).status_code for _ in range(4)] == [201] * 3 + [429]
    with small(tmp_path, Limits(open_matches=2, refusal_seconds=0)) as client:
        visitor = Visitor(client)
        assert [visitor.post("/api/matches", wish).status_code for _ in range(3)] == [201] * 2 + [429]


def test_behind_a_proxy_cookies_are_secure_and_its_name_is_known(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "t.sqlite", LOOPBACK | {"truco.example"}, behind_proxy=True)
    with TestClient(create_app(settings), base_url="https://truco.example") as client:
        answer = client.get("/")
        assert answer.status_code == 200
        assert all("Secure" in one for one in answer.headers.get_list("set-cookie"))
        assert "max-age" in answer.headers["strict-transport-security"]


def test_a_remembering_opponent_without_cases_is_refused_plainly(tmp_path: Path) -> None:
    with small(tmp_path) as client:
        answer = Visitor(client).post("/api/matches", {"opponent": "MJS"})
        assert answer.status_code == 400
        assert answer.json()["error"] == "no_cases"
