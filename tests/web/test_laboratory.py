"""The laboratory: only for who has the key, with real jobs that can be followed and stopped."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from serving import GENEROUS, some_cases
from visitors import Json, Visitor

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.registry import find_agent, roster
from retruco.arena.duel import deals_from
from retruco.arena.match import play_match
from retruco.games.truco import Truco
from retruco.storage.reading import Hand
from retruco.storage.store import open_store
from retruco.web.core.admin_auth import COOKIE
from retruco.web.core.admin_key import TRIES, AdminKey, new_key
from retruco.web.core.app import create_app
from retruco.web.core.refusals import Refused
from retruco.web.core.settings import Settings
from retruco.web.core.store import Store
from retruco.web.lab.job_config import PROGRESS, JobConfig, JobSide
from retruco.web.lab.job_runner import RunningJob, find_side_agent
from waiting import wait_until

QUICK: Json = {"first": {"technique": "novice"}, "second": {"technique": "random"}, "matches": 3}


def small_base(file: Path) -> None:
    """A base of some real hands, small enough to cluster at once."""
    game = Truco.named("trucogame")
    players = (find_agent("balanced", "truco"), find_agent("cautious", "truco"))
    hands = [one.state.record() for number in range(2)
             for one in play_match(game, players, deals_from(game, 3, number), 0, number).hands]  # fmt: skip
    with open_store(file) as store:
        store.create("small", "truco", "trucogame", "made for a test")
        store.append("small", [Hand.of(record, place % 2) for place, record in enumerate(hands)])


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    found = Settings(tmp_path_factory.mktemp("lab") / "table.sqlite", limits=GENEROUS)
    small_base(found.case_file)
    return found


@pytest.fixture(scope="module")
def key(settings: Settings) -> str:
    found = new_key(settings.store)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def client(settings: Settings, key: str) -> Iterator[TestClient]:
    with TestClient(create_app(settings, lambda game: some_cases()), base_url="http://localhost") as found:
        yield found


@pytest.fixture
def owner(client: TestClient, key: str) -> Visitor:
    visitor = Visitor(client)
    assert visitor.post("/api/laboratory/key", {"key": f" {key.upper()} "}).status_code == 200
    return visitor


def until_over(owner: Visitor, job: str) -> Json:
    def over() -> Json | None:
        found: Json = owner.get(f"/api/laboratory/jobs/{job}").json()
        return None if found["state"] == "running" else found

    return wait_until(over, "the job ends", 300)


def start(owner: Visitor, wish: Json) -> str:
    answer = owner.post("/api/laboratory/jobs", wish)
    assert answer.status_code == 201, answer.text
    job: str = answer.json()["id"]
    return job


# The key


def test_the_key_is_shown_once_and_kept_only_as_a_hash(settings: Settings, key: str) -> None:
    assert new_key(settings.store) is None
    stored = b"".join(file.read_bytes() for file in settings.store.parent.glob("table.sqlite*"))
    assert key.encode() not in stored


def test_a_lost_key_is_replaced(tmp_path: Path) -> None:
    first = new_key(tmp_path / "t.sqlite")
    second = new_key(tmp_path / "t.sqlite", again=True)
    assert first != second
    with TestClient(create_app(Settings(tmp_path / "t.sqlite")), base_url="http://localhost") as client:
        visitor = Visitor(client)
        assert visitor.post("/api/laboratory/key", {"key": first}).status_code == 403
        assert visitor.post("/api/laboratory/key", {"key": second}).status_code == 200
        assert visitor.get("/api/laboratory/key").json() == {"owner": True}


def test_strangers_who_guess_keys_cannot_lock_the_owner_out(tmp_path: Path) -> None:
    key = new_key(tmp_path / "t.sqlite")
    with TestClient(create_app(Settings(tmp_path / "t.sqlite")), base_url="http://localhost") as client:
        visitor = Visitor(client)
        codes = [visitor.post("/api/laboratory/key", {"key": "x"}).status_code for _ in range(TRIES + 1)]
        assert codes == [403] * TRIES + [429]
        assert visitor.post("/api/laboratory/key", {"key": key}).status_code == 200
        assert visitor.post("/api/laboratory/key", {"key": "x"}).status_code == 429


def test_wrong_keys_are_counted_by_address(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.sqlite")
    owner = AdminKey(store)
    for number in range(3):
        for _ in range(TRIES):
            with pytest.raises(Refused) as wrong:
                owner.let_in("x", f"192.0.2.{number}")
            assert wrong.value.status == 403
    with pytest.raises(Refused) as many:
        owner.let_in("x", "192.0.2.0")
    assert many.value.status == 429
    store.close()


def test_a_key_has_at_least_128_random_bits(tmp_path: Path) -> None:
    keys = {new_key(tmp_path / "t.sqlite", again=True) or "" for _ in range(20)}
    assert len(keys) == 20
    for key in keys:
        digits = key.replace("-", "")
        assert len(bytes.fromhex(digits)) * 8 >= 128


def test_a_table_without_a_key_lets_nobody_in(tmp_path: Path) -> None:
    with TestClient(create_app(Settings(tmp_path / "t.sqlite")), base_url="http://localhost") as client:
        assert Visitor(client).post("/api/laboratory/key", {"key": ""}).status_code == 403


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/laboratory/jobs"),
        ("POST", "/api/laboratory/jobs"),
        ("GET", "/api/laboratory/bases"),
        ("GET", "/api/laboratory/jobs/000000000000"),
        ("POST", "/api/laboratory/jobs/000000000000/cancel"),
        ("POST", "/api/laboratory/jobs/000000000000/delete"),
        ("GET", "/laboratory/cases/small"),
        ("GET", "/laboratory/reports/000000000000"),
        ("POST", "/laboratory/jobs"),
    ],
)
def test_without_the_key_nothing_can_be_seen_or_started(client: TestClient, method: str, path: str) -> None:
    visitor = Visitor(client)
    for cookie in ("", "x" * 43):
        visitor.cookies[COOKIE] = cookie
        answer = visitor.post(path, QUICK) if method == "POST" else visitor.get(path)
        assert answer.status_code == 401, path
    assert "/laboratory/key" in visitor.get("/laboratory").text


def test_the_owner_still_needs_the_key_of_our_pages(owner: Visitor) -> None:
    owner.form_key = "0" * 64
    assert owner.post("/api/laboratory/jobs", QUICK).status_code == 403


def test_whoever_leaves_is_the_owner_no_longer(owner: Visitor) -> None:
    token = owner.cookies[COOKIE]
    owner.request("POST", "/laboratory/leave", data={"form_key": owner.form_key})
    owner.cookies[COOKIE] = token
    assert owner.get("/api/laboratory/jobs").status_code == 401


# Jobs


@pytest.mark.slow
def test_a_job_plays_two_sets_and_reports(owner: Visitor) -> None:
    job = start(owner, QUICK)
    assert owner.post("/api/laboratory/jobs", QUICK).status_code == 409
    done = until_over(owner, job)
    assert (done["state"], done["progress"]["done"], done["report"]) == ("done", 3, True), done["told"]
    report = owner.get(f"/laboratory/reports/{job}")
    assert "1: novice" in report.text
    assert "sandbox" in report.headers["content-security-policy"]
    assert "script" not in report.headers["content-security-policy"]
    assert job in owner.get("/laboratory").text
    assert owner.post(f"/api/laboratory/jobs/{job}/delete").json() == {"deleted": job}
    assert owner.get(f"/laboratory/reports/{job}").status_code == 404


def test_a_job_can_be_stopped(owner: Visitor) -> None:
    job = start(owner, {**QUICK, "matches": 5000})
    stopped = owner.post(f"/api/laboratory/jobs/{job}/cancel").json()
    assert stopped["state"] == "cancelled"
    assert owner.post(f"/api/laboratory/jobs/{job}/cancel").json()["state"] == "cancelled"


@pytest.mark.slow
def test_a_set_that_learns_grows_a_base_of_its_own(owner: Visitor, settings: Settings) -> None:
    first = {"base": "small", "extra": "PV", "intra": "NP", "learning": "imitation", "auto_k": True}
    second = {"technique": "novice"}
    job = start(owner, {"first": first, "second": second, "matches": 2})
    done = until_over(owner, job)
    assert done["state"] == "done", done["told"]
    assert (done["first"], done["second"]) == ("PVCNPS on small", "novice")
    with open_store(settings.case_file) as store:
        learnt, before = store.facts(f"lab-{job}"), store.facts("small")
    assert learnt.hands > before.hands
    assert learnt.origins["imitated"] == learnt.hands - before.hands


@pytest.mark.parametrize(
    ("wish", "status"),
    [
        ({**QUICK, "matches": 0}, 422),
        ({**QUICK, "matches": 5001}, 422),
        ({**QUICK, "first": {"base": "nowhere"}}, 400),
        ({**QUICK, "first": {"technique": "oracle"}}, 400),
        ({**QUICK, "first": {"technique": "novice", "learning": "imitation"}}, 400),
        ({**QUICK, "second": {"learning": "new"}}, 400),
        ({**QUICK, "first": {"extra": "XX"}}, 422),
        ({**QUICK, "first": {"reading": "threshold=75"}}, 400),
        ({**QUICK, "first": {"technique": "novice", "reading": "plain"}}, 400),
        ({**QUICK, "first": {"reading": "points=equal", "learning": "new"}}, 400),
        ({**QUICK, "first": {"reading": "score=compared", "learning": "new"}}, 400),
    ],
    ids=str,
)
def test_senseless_work_is_refused(owner: Visitor, wish: Json, status: int) -> None:
    assert owner.post("/api/laboratory/jobs", wish).status_code == status


@pytest.mark.parametrize(("reading", "version"), [("", 1), ("score=compared", 3)])
def test_a_set_opens_its_base_as_its_reading_compares(settings: Settings, reading: str, version: int) -> None:
    with open_store(settings.case_file) as store:
        player = find_side_agent(store, JobSide("small", reading=reading))
    assert isinstance(player, CaseBasedAgent)
    assert player.cases.vocabulary.version == version


def test_nobody_works_on_for_a_server_that_is_gone(tmp_path: Path) -> None:
    here = RunningJob(tmp_path, os.getppid())
    here.report_progress(1, 2, "half of it")
    assert json.loads((tmp_path / PROGRESS).read_text())["done"] == 1
    with pytest.raises(SystemExit, match="the server is gone"):
        RunningJob(tmp_path, os.getppid() + 1).report_progress(2, 2, "all of it")


@pytest.mark.slow
def test_a_job_that_breaks_down_says_why(owner: Visitor, settings: Settings) -> None:
    with open_store(settings.case_file) as store:
        store.create("broken", "truco", "cbtg", "a hand that says nothing")
        store.append("broken", [Hand.of({"game": "truco"}, 0, "played")])
    job = start(owner, {**QUICK, "first": {"base": "broken"}})
    done = until_over(owner, job)
    assert done["state"] == "failed"
    assert "cannot be replayed" in done["told"]
    with open_store(settings.case_file) as store, store.writing() as writer:
        writer.delete("broken")


@pytest.mark.parametrize("extra", ["MJ", "PL", "PV", "NP"])
@pytest.mark.parametrize("clusters", [True, False])
def test_every_choice_of_the_screen_names_a_registered_agent(extra: str, clusters: bool) -> None:
    for intra in ("MJ", "PL", "PV", "NP"):
        assert JobSide(extra=extra, intra=intra, clusters=clusters).agent in roster("truco")


def test_the_screen_is_plain_data() -> None:
    work = JobConfig(JobSide("a", auto_k=True, learning="imitation"), JobSide(technique="bluffer"), 7, 3)
    assert JobConfig.of(work.as_json()) == work


# Case bases


@pytest.mark.slow
def test_a_case_base_is_laid_open(owner: Visitor) -> None:
    page = owner.get("/laboratory/cases/small?lang=en").text
    assert 'id="rows"' in page
    assert 'class="elbow"' in page
    assert 'id="profiles"' in page


def test_bases_of_other_games_are_not_for_the_laboratory(owner: Visitor, settings: Settings) -> None:
    with open_store(settings.case_file) as store:
        store.create("poker", "holdem", "casey-4")
    assert "poker" not in owner.get("/api/laboratory/bases").json()["bases"]
    assert owner.get("/laboratory/cases/poker").status_code == 404
    wish = {"first": {"base": "poker"}, "second": {}, "matches": 1}
    assert owner.post("/api/laboratory/jobs", wish).status_code == 400


def test_its_rows_can_be_filtered(owner: Visitor) -> None:
    from retruco.web.core.i18n import texts
    from retruco.web.lab.case_explorer import Filter, ScenarioCases

    registry = owner.http.app.state.registry  # type: ignore[attr-defined]
    base = registry.base("small")
    drawer = ScenarioCases(base, base.cases.vocabulary["truco-1-first"])
    all_rows = drawer.found(Filter())
    assert len(all_rows) == base.cases.count("truco-1-first")
    won = drawer.found(Filter(won=True))
    assert set(won) | set(drawer.found(Filter(won=False))) == set(all_rows)
    assert all(row["points"] > 0 for row in drawer.rows(won, texts("en")))
    by_action = [drawer.found(Filter(action=one)) for one in drawer.scenario.actions]
    assert sum(map(len, by_action)) == len(all_rows)
    clusters = [drawer.found(Filter(cluster=one["cluster"])) for one in drawer.profiles(texts("en"))]
    assert [len(one) for one in clusters] == [one["rows"] for one in drawer.profiles(texts("en"))]
    feature = drawer.scenario.visible[0]
    by_value = [drawer.found(Filter(feature=feature.name, value=str(value))) for value in feature.values]
    assert sum(map(len, by_value)) == len(all_rows)
    page = owner.get(
        "/laboratory/cases/small?scenario=truco-1-first&won=yes&cluster=0&feature=nonsense&value=x"
    )
    assert page.status_code == 200
    assert owner.get("/laboratory/cases/nowhere").status_code == 404
    assert owner.get("/laboratory/cases/small?at=-1").status_code == 422
