"""The interface against its own OpenAPI document: whatever is asked, never an error of ours."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
import serving
from hypothesis import HealthCheck, Phase, given, settings
from serving import RealServer
from test_bots import RemoteBot
from visitors import Visitor

server = serving.server

pytestmark = pytest.mark.filterwarnings(  # the checker draws its own headers by chance
    "ignore:Do not use the `random` module:hypothesis.errors.HypothesisDeprecationWarning"
)

a_little = settings(
    max_examples=3, deadline=None, derandomize=True, database=None, phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)  # fmt: skip


@pytest.fixture(scope="module")
def document(server: RealServer) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the checker and its own dependencies warn about is theirs
        import schemathesis
    return schemathesis.openapi.from_url(f"{server.address}/openapi.json")


@pytest.fixture(scope="module")
def somebody(server: RealServer) -> dict[str, Any]:
    """A visitor with a finished match, an open practice and tables of other games, as headers and names."""
    with httpx2.Client(base_url=server.address, timeout=30) as client:
        visitor = Visitor(client)
        cookie = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
        headers = {"Cookie": cookie, "X-Form-Key": visitor.form_key}
        matches = (
            visitor.finished(),
            visitor.open(practice=True, target=48, opponent="random"),
            *(visitor.open(game=game, target=10) for game in ("euchre", "holdem", "kuhn")),
        )
        return {"headers": headers, "matches": matches}


def ask_everything(document: Any, ask: Callable[[Any], Any], leave_out: str = "-", only: str = "/") -> int:
    """Ask each operation a little of everything; count the operations."""
    operations = [found.ok() for found in document.get_all_operations()]
    wanted = [one for one in operations if one.path.startswith(only) and not one.path.endswith(leave_out)]
    for operation in wanted:

        @a_little
        @given(case=operation.as_strategy())
        def asked(case: Any) -> None:
            answer = ask(case)
            assert answer.status_code < 500, f"{case.method} {case.path}: {answer.text}"

        asked()
    return len(wanted)


def test_strangers_get_no_error_of_ours(document: Any) -> None:
    assert ask_everything(document, lambda case: case.call(timeout=20)) > 12


@pytest.mark.slow
def test_who_has_a_seat_gets_no_error_of_ours(document: Any, somebody: dict[str, Any]) -> None:
    for match in somebody["matches"]:

        def ask(case: Any, match: str = match) -> Any:
            if "match" in (case.path_parameters or {}):
                case.path_parameters["match"] = match
            return case.call(headers=somebody["headers"], timeout=20)

        is_first = match == somebody["matches"][0]
        only = "/" if is_first else "/api/matches/"
        assert ask_everything(document, ask, leave_out="/events", only=only) > (12 if is_first else 8)


def test_who_has_a_token_gets_no_error_of_ours(server: RealServer, document: Any) -> None:
    with httpx2.Client(base_url=server.address, timeout=30) as client:
        bot, revoked = RemoteBot(client), RemoteBot(client)
        match = bot.open(target=48)

    def ask(case: Any) -> Any:
        if "match" in (case.path_parameters or {}):
            case.path_parameters["match"] = match
        if "wait" in (case.query or {}):
            case.query["wait"] = 0
        token = revoked.token if case.method == "DELETE" else bot.token
        return case.call(headers={"Authorization": f"Bearer {token}"}, timeout=20)

    assert ask_everything(document, ask, leave_out="/events", only="/api/bots") == 8
