"""Bases and kernels are made while the table is open: nobody waits for a page, and a table says how long it takes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import serving
from fastapi.testclient import TestClient
from serving import GENEROUS, StackedDealer, cases_of
from visitors import Visitor

from retruco.web.core.app import create_app
from retruco.web.core.settings import Settings
from retruco.web.tables.fairness import Draw
from retruco.web.tables.preparation import Preparation

PREPARES_UNTIL = """
import json, sys, time
from pathlib import Path
print(json.dumps({"ready": [], "message": "cases", "fraction": 0.2, "seconds_left": {"truco": 12.3}}), flush=True)
while not Path(sys.argv[1]).exists():
    time.sleep(0.01)
print(json.dumps({"ready": ["truco"], "message": "", "fraction": 1.0, "seconds_left": {}}), flush=True)
"""
"""A process that prepares until a file is there."""

NO_FLOR = "1e 7c 4b / 3o 2c 5e"


@pytest.fixture
def finish(tmp_path: Path) -> Path:
    """The file that ends the preparation."""
    return tmp_path / "finish"


@pytest.fixture
def client(tmp_path: Path, finish: Path) -> Iterator[TestClient]:
    settings = Settings(tmp_path / "table.sqlite", limits=GENEROUS)
    preparation = Preparation([sys.executable, "-c", PREPARES_UNTIL, str(finish)])
    app = create_app(settings, cases_of, LastIsFirst(NO_FLOR), preparation)
    with TestClient(app, base_url="http://localhost") as found:
        yield found


class LastIsFirst(StackedDealer):
    """Lets the agent lead, so that the table waits for it at once."""

    def first(self, seats: int = 2, draw: Draw | None = None) -> int:
        return 1


def test_pages_answer_and_scripted_players_play_while_cases_are_made(client: TestClient) -> None:
    visitor = Visitor(client)
    assert visitor.get("/").status_code == 200
    visitor.finished(opponent="balanced", target=2)


def test_a_table_opened_meanwhile_says_how_long_it_takes_and_then_plays(
    client: TestClient, finish: Path
) -> None:
    visitor = Visitor(client)
    match = visitor.open(opponent="memory", target=2)
    registry = serving.registry_of(client)
    live = registry.find_in_memory(match)
    assert live is not None
    assert registry.preparing(live) == pytest.approx(12.3) or registry.preparing(live) == 30.0
    assert visitor.look(match)[-1]["to_act"] == 1
    finish.touch()
    visitor.play_out(match)


def test_the_event_stream_tells_the_seconds_left(client: TestClient, finish: Path) -> None:
    visitor = Visitor(client)
    match = visitor.open(opponent="memory", target=2)
    cookie = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    told: list[int] = []
    with client.stream("GET", f"/api/matches/{match}/events", headers={"Cookie": cookie}) as stream:
        lines = stream.iter_lines()
        for line in lines:
            if line == "event: preparing":
                told.append(json.loads(next(lines).removeprefix("data: "))["seconds"])
                finish.touch()
            elif told and line.startswith("data: {") and json.loads(line[6:]).get("to_act") == 0:
                break
    assert set(told) <= {12, 30}


def test_without_anything_to_prepare_everybody_can_play_at_once() -> None:
    assert Preparation().seconds_left("truco") is None


def test_a_preparation_that_cannot_run_makes_nobody_wait(caplog: pytest.LogCaptureFixture) -> None:
    preparation = Preparation(["/no/such/program"])
    preparation.start(lambda: None)
    preparation.wait()
    assert preparation.seconds_left("truco") is None
    assert "cannot prepare" in caplog.text
