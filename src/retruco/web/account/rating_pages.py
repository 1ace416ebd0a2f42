"""The page of one's own rating: a number for every game with measured levels, its history, and where the levels stand."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from retruco.web.account.rating import (
    CENTRE,
    RatedMatch,
    Skill,
    expected_share,
    level_skills,
    rate_matches,
)
from retruco.web.core.request_context import Context, RequestContext
from retruco.web.core.templates import page
from retruco.web.review.charts import Chart, draw_chart
from retruco.web.review.review_words import percent
from retruco.web.tables.table_view import view_class

router = APIRouter(include_in_schema=False)


@router.get("/rating")
def rating(request: Request, context: Context) -> Response:
    """One's own rating."""
    matches = context.registry.store.of_visitor(context.visitor.id)
    games = [
        _describe_game(context, game, rate_matches(matches, context.visitor.id, game))
        for game in level_skills()
    ]
    return page(request, context, "rating", games=games, percent=percent, day=_day)


def _describe_game(context: RequestContext, game: str, rated: list[RatedMatch]) -> dict[str, Any]:
    view = view_class(game)
    skill = rated[-1].skill if rated else Skill()
    levels = sorted(level_skills()[game].items(), key=lambda item: -item[1])
    return {
        "title": view.title(view.texts(context.texts.language)),
        "skill": skill,
        "rated": rated,
        "chart": rating_chart(rated) if rated else None,
        "levels": [
            (view.name_agent(agent, context.texts), Skill(mu).rating, expected_share(skill, mu))
            for agent, mu in levels
        ],
        "history": [
            (match, view.name_agent(match.opponent, context.texts)) for match in reversed(rated[-100:])
        ],
    }


def rating_chart(rated: list[RatedMatch]) -> Chart:
    """The rating before the first match and after every one."""
    row = [CENTRE, *(match.skill.rating for match in rated)]
    low, high = min(row) - 50, max(row) + 50
    return draw_chart(
        [row], low, high, [(value, str(value)) for value in (low, round((low + high) / 2), high)]
    )


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()
