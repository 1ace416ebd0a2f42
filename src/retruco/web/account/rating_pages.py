"""One's own rating, as a page and as data: a number for every game with measured levels, its history, and where the levels stand."""

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
    rated_by_game,
)
from retruco.web.core.request_context import Context, RequestContext
from retruco.web.core.templates import page
from retruco.web.review.charts import Chart, draw_chart
from retruco.web.review.review_words import percent
from retruco.web.tables.table_view import view_class

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/me", tags=["one's own"])


@router.get("/rating")
def rating(request: Request, context: Context) -> Response:
    """One's own rating."""
    matches = context.registry.store.of_visitor(context.visitor.id)
    by_game = rated_by_game(matches, context.visitor.id)
    games = [_describe_game(context, game, rated) for game, rated in by_game.items()]
    return page(request, context, "rating", games=games, percent=percent, day=_day)


@api.get("/rating")
def own_rating(context: Context) -> dict[str, Any]:
    """Show one's own rating in every game, with the matches that counted, the oldest first."""
    matches = context.registry.store.of_visitor(context.visitor.id)
    by_game = rated_by_game(matches, context.visitor.id)
    return {"games": {game: _rating_json(rated) for game, rated in by_game.items()}}


def _rating_json(rated: list[RatedMatch]) -> dict[str, Any]:
    skill = rated[-1].skill if rated else Skill()
    return {
        "rating": skill.rating,
        "low": skill.rating - skill.reach,
        "high": skill.rating + skill.reach,
        "matches": [match.as_json() for match in rated],
    }


def _describe_game(context: RequestContext, game: str, rated: list[RatedMatch]) -> dict[str, Any]:
    view = view_class(game)
    skill = rated[-1].skill if rated else Skill()
    levels = sorted(level_skills().get(game, {}).items(), key=lambda item: -item[1])
    return {
        "title": view.title(view.texts(context.texts.language)),
        "skill": skill,
        "rated": rated,
        "chart": rating_chart(rated) if rated else None,
        "levels": [
            (view.name_agent(agent, context.texts), Skill(mu).rating, expected_share(skill, mu))
            for agent, mu in levels
        ],
        "history": [(match, _name_opponent(context, game, match)) for match in reversed(rated[-100:])],
    }


def _name_opponent(context: RequestContext, game: str, match: RatedMatch) -> str:
    """What the opponent of a rated match is called: an agent, or a person by its own word."""
    if match.opponent:
        return view_class(game).name_agent(match.opponent, context.texts)
    stored = context.registry.store.load(match.match)
    others = (
        []
        if stored is None
        else [sitter for sitter in stored.sitters if sitter.visitor != context.visitor.id]
    )
    return context.name_of(others[0], game) if others else context.texts("table.person")


def rating_chart(rated: list[RatedMatch]) -> Chart:
    """The rating before the first match and after every one."""
    row = [CENTRE, *(match.skill.rating for match in rated)]
    low, high = min(row) - 50, max(row) + 50
    return draw_chart(
        [row], low, high, [(value, str(value)) for value in (low, round((low + high) / 2), high)]
    )


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()
