"""The pages of an account: archived hands, lessons, the questionnaire and its results."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import RedirectResponse, Response

from retruco.arena.stats import share_interval
from retruco.web.account.account_routes import (
    MOST_YEARS,
    Answers,
    delete_hands,
    give_opinion,
    opponent_to_judge,
)
from retruco.web.core.numbers import number_in, read_number
from retruco.web.core.refusals import Refused
from retruco.web.core.request_context import Context, MatchId
from retruco.web.core.templates import Fields, page
from retruco.web.lab.questionnaire import (
    LEAST,
    MOST,
    PUBLISHED,
    PUBLISHED_MATCHES,
    PUBLISHED_WINS,
    QUESTIONS,
)
from retruco.web.lab.study import STUDY

router = APIRouter(include_in_schema=False)
SHOWN = 200
"""How many hands the page lists; the export has all."""


@router.get("/me/hands")
def hands(request: Request, context: Context) -> Response:
    """One's own kept hands."""
    mine = context.registry.archive.of(context.visitor.id)
    person = context.registry.people.find(context.visitor.id)
    dates = {one.id: datetime.fromtimestamp(one.at, UTC).strftime("%Y-%m-%d %H:%M") for one in mine}
    return page(request, context, "hands", hands=mine[:SHOWN], count=len(mine), person=person, dates=dates)


@router.post("/me/hands/delete")
def delete(context: Context, fields: Fields) -> Response:
    """Delete one hand, or all."""
    context.check_form(fields.get("form_key", ""))
    wanted = fields.get("hand", "")
    mine = {one.id for one in context.registry.archive.of(context.visitor.id)}
    delete_hands(context, mine if wanted == "all" else mine & {wanted})
    return RedirectResponse("/me/hands", 303)


@router.post("/me/consent")
def consent(context: Context, fields: Fields) -> Response:
    """Change one's mind about hands being kept."""
    context.check_form(fields.get("form_key", ""))
    context.registry.people.answer(context.visitor.id, fields.get("agrees") == "yes")
    return RedirectResponse("/me/hands", 303)


@router.post("/me/name")
def name(context: Context, fields: Fields) -> Response:
    """Be called by another name, or by none."""
    context.check_form(fields.get("form_key", ""))
    context.registry.people.name(context.visitor.id, fields.get("name", ""))
    return RedirectResponse("/me/hands", 303)


@router.post("/me/forget")
def forget(context: Context, fields: Fields) -> Response:
    """Forget everything about oneself."""
    context.check_form(fields.get("form_key", ""))
    context.registry.forget(context.visitor.id)
    return RedirectResponse("/me/hands", 303)


# Teaching


@router.get("/teach")
def teach(request: Request, context: Context) -> Response:
    """What teaching is, and a pupil of one's own."""
    mine = context.registry.store.of_visitor(context.visitor.id)
    going_on = [one for one in mine if one.kind == "lesson" and one.end is None][:3]
    taught = [
        hand for hand in context.registry.archive.of(context.visitor.id) if hand.base.startswith("taught-")
    ]
    return page(request, context, "teach", going_on=going_on, count=len(taught))


@router.post("/teach")
def begin_lesson(context: Context, fields: Fields) -> Response:
    """Seat one's pupil, with oneself beside it."""
    context.check_form(fields.get("form_key", ""))
    registry = context.registry
    registry.agents.find_name("truco", "BOT0")
    with context.place():
        live = registry.open(registry.school.game, registry.school.sitters(context.visitor.id), "lesson")
    registry.wake(live)
    return RedirectResponse(f"/table/{live.id}", 303)


# Opinions


@router.get("/opinion/{match}")
def questionnaire(request: Request, context: Context, match: MatchId) -> Response:
    """Four questions about the agent one has played against."""
    agent = opponent_to_judge(context, context.match(match))
    given = context.registry.opinions.of(match, context.visitor.id)
    return page(request, context, "opinion", match=match, agent=agent, questions=QUESTIONS, given=given)


@router.post("/opinion/{match}")
def answer(context: Context, match: MatchId, fields: Fields) -> Response:
    """Write the answers down."""
    context.check_form(fields.get("form_key", ""))
    opponent_to_judge(context, context.match(match))
    given: dict[str, Any] = {one: read_number(fields.get(one, ""), LEAST, MOST) for one in QUESTIONS}
    years = fields.get("years", "")
    try:
        answers = Answers.model_validate(
            {**given, "years": number_in(fields, "years", 0, MOST_YEARS) if years else None}
        )
    except ValidationError:
        raise Refused(422, "opinion.incomplete") from None
    give_opinion(context, match, answers)
    return RedirectResponse("/study", 303)


@router.get("/results")
def results(request: Request, context: Context) -> Response:
    """What people said of the agents here, beside what was published."""
    ours = {one["agent"]: one for one in context.registry.results.current()}
    rows = [_line(name, ours.get(name)) for name in STUDY.agents]
    years = _years(ours)
    return page(request, context, "results", rows=rows, questions=QUESTIONS, years=years, study=STUDY)


def _line(name: str, ours: dict[str, Any] | None) -> dict[str, Any]:
    """An agent's line: published and ours, question by question, with wins and their intervals."""
    published = PUBLISHED.get(name)
    wins = PUBLISHED_WINS.get(name)
    return {
        "agent": name,
        "published": None if published is None else {one: published[one] for one in QUESTIONS},
        "published_wins": None if wins is None else _share(wins, PUBLISHED_MATCHES),
        "ours": ours,
        "wins": _share(ours["wins"], ours["matches"]) if ours and ours["matches"] else None,
    }


def _share(wins: int, matches: int) -> dict[str, Any]:
    """A share with its 95 % interval, in per cent."""
    share, (low, high) = share_interval([1.0] * wins + [0.0] * (matches - wins))
    return {
        "wins": wins,
        "matches": matches,
        "low": round(100 * low),
        "high": round(100 * high),
        "share": share,
    }


def _years(ours: dict[str, dict[str, Any]]) -> dict[str, int]:
    """How long the people of all agents together have played."""
    found: dict[str, int] = {}
    for summary in ours.values():
        for step, count in summary["years"].items():
            found[step] = found.get(step, 0) + count
    return found
