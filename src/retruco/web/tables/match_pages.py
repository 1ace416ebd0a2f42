"""The pages of the site and of Truco: home, table, replay, rules, lesson, glossary, statistics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from fastapi import APIRouter, Path, Request
from pydantic import ValidationError
from starlette.responses import RedirectResponse, Response

from retruco.agents.registry import roster
from retruco.games.truco.rules import CALLS, MENU_TARGETS, PRESETS
from retruco.web.account.consent_recorder import RECORDED
from retruco.web.account.statistics import statistics
from retruco.web.core.numbers import read_number
from retruco.web.core.refusals import Refused, forbidden
from retruco.web.core.request_context import Context, MatchId, RequestContext
from retruco.web.core.store import Sitter
from retruco.web.core.templates import Fields, page, static
from retruco.web.lab.questionnaire import STUDY
from retruco.web.people.invitations import CLOCKS
from retruco.web.school.rulebook import chapters
from retruco.web.tables.agent_styles import style_of
from retruco.web.tables.draws import Contribution, public_shares
from retruco.web.tables.match_routes import MOST_TARGET, MatchRequest, open_match
from retruco.web.tables.players import LEVELS, SCRIPTED

SCRIPT_TEXTS: Final = (
    "call.", "card.", "stage.", "table.", "why_not.", "end.", "event.", "error.", "why.", "replay.", "practice.", "fairness.",
    "board.", "worth.", "spoken.", "statistics.", "people.", "teach.", "opinion.title",
)  # fmt: skip
"""The families of sentences that scripts use."""

router = APIRouter(include_in_schema=False)


@router.get("/")
def home(request: Request, context: Context) -> Response:
    """The front door: one click to a match."""
    mine = statistics(context.registry.store.of_visitor(context.visitor.id), context.visitor.id)
    going_on = [one for one in mine["matches"] if not one["over"]][:3]
    sittings = [one for one in context.registry.tables.of(context.visitor.id) if one.end is None][:3]
    return page(
        request, context, "home",
        levels=LEVELS, opponents=_opponents(context), by_rule=SCRIPTED, presets=PRESETS, targets=MENU_TARGETS, going_on=going_on,
        sittings=sittings, clocks=CLOCKS, person=context.registry.people.find(context.visitor.id),
    )  # fmt: skip


def _opponents(context: RequestContext) -> list[tuple[str, str]]:
    known = roster("truco")
    return [
        (name, style_of(name, known[name].style, context.texts)) for name in context.registry.players.names
    ]


def name_of(context: RequestContext, sitter: Sitter) -> str:
    """What a sitter is called on a page: an agent's name, a person's own, or just a person."""
    if sitter.agent is not None:
        return sitter.agent
    known = context.registry.people.find(sitter.visitor or "").name
    return known or context.texts("table.person")


def target_in(fields: Mapping[str, str]) -> int | None:
    """The points to play to, as a form says it; refused if that is no number."""
    text = fields.get("target", "")
    if not text:
        return None
    target = read_number(text, 1, MOST_TARGET)
    if target is None:
        raise Refused(400, "error.bad_target")
    return target


def contribution_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """What a form brings for the deals; a page without a script brings nothing."""
    return {name: fields[name] for name in ("commitment", "contribution") if fields.get(name)}


def contribution_in(fields: Mapping[str, str]) -> Contribution:
    """Read what a form brings for the deals."""
    try:
        return Contribution.model_validate(contribution_fields(fields))
    except ValidationError:
        raise Refused(422, "error.malformed") from None


@router.post("/play")
def play(context: Context, fields: Fields) -> Response:
    """Open a match and go to its table."""
    context.check_form(fields.get("form_key", ""))
    try:
        options = MatchRequest(
            opponent=fields.get("level") or fields.get("opponent", "medium"),
            rules=fields.get("rules", "cbtg"),
            target=target_in(fields),
            practice=bool(fields.get("practice")),
            **contribution_fields(fields),
        )
    except ValidationError:
        raise Refused(422, "error.malformed") from None
    return RedirectResponse(f"/table/{open_match(context, options).id}", 303)


@router.get("/table/{match}")
def table(request: Request, context: Context, match: MatchId) -> Response:
    """The table itself, for who sits at it; a finished match is looked at from everywhere."""
    if context.registry.invitations.find(match) is not None:
        return RedirectResponse(f"/join/{match}", 303)
    live = context.match(match)
    seat = live.stored.seat_of(context.visitor.id)
    if seat is None:
        if live.end is not None and not live.is_practice:
            return RedirectResponse(f"/replay/{match}/0", 303)
        raise forbidden()
    opponent = name_of(context, live.stored.sitters[1 - seat])
    sitter = live.stored.sitters[seat]
    own = sitter.agent if sitter.agent is not None else context.texts("table.you")
    names = [opponent, own] if seat else [own, opponent]
    setup = {
        "match": match, "seat": seat, "me": None if sitter.is_pupil else seat, "names": names, "number": live.last_number, "target": live.game.target, "rules": live.game.rules.name, "opponent": opponent,
        "clock": live.stored.clock, "kind": live.stored.kind, "calls": CALLS, "form_key": context.form_key, "deck": static("deck.svg"),
        "flor": live.game.rules.flor, "study": STUDY.opponent_in(live.stored) is not None, "agents": [name for name, _ in _opponents(context)] if live.is_practice else [],
        "texts": context.texts.under(*SCRIPT_TEXTS),
    }  # fmt: skip
    not_asked = (
        live.stored.kind in RECORDED and context.registry.people.find(context.visitor.id).asked is None
    )
    setup["draw"] = public_shares(live.stored)
    return page(request, context, "table", live=live, opponent=opponent, setup=setup, ask_consent=not_asked)


@router.get("/replay/{match}")
def replay_start(match: MatchId) -> Response:
    """The replay from its beginning."""
    return RedirectResponse(f"/replay/{match}/0", 303)


@router.get("/replay/{match}/{number}")
def replay(
    request: Request, context: Context, match: MatchId, number: Annotated[int, Path(ge=0, le=10_000_000)]
) -> Response:
    """A finished match, position by position."""
    live = context.match(match)
    if live.end is None or live.is_practice:
        raise Refused(404, "replay.not_yet")
    seat, mine = context.reader_seat(live), live.stored.seat_of(context.visitor.id)
    names = [context.texts("table.you") if place == mine and one.agent is None else name_of(context, one)
             for place, one in enumerate(live.stored.sitters)]  # fmt: skip
    setup = {
        "match": match, "seat": seat, "number": number, "names": names, "target": live.game.target,
        "agents": [one.agent for one in live.stored.sitters], "form_key": context.form_key, "rules": live.game.rules.name,
        "me": mine, "flor": live.game.rules.flor, "deck": static("deck.svg"),
        "texts": context.texts.under(*SCRIPT_TEXTS),
    }  # fmt: skip
    return page(request, context, "replay", live=live, names=names, setup=setup)


@router.get("/rules")
def rules_start() -> Response:
    """The rules most people play by here."""
    return RedirectResponse("/rules/cbtg", 303)


@router.get("/rules/{name}")
def rules(request: Request, context: Context, name: Annotated[str, Path(max_length=40)]) -> Response:
    """The rules of a variant, from the data the engine plays by."""
    if name not in PRESETS:
        raise Refused(404, "error.unknown_rules", name=name)
    return page(
        request,
        context,
        "rules",
        variant=name,
        presets=PRESETS,
        chapters=chapters(PRESETS[name], context.texts),
    )


@router.get("/lesson")
def lesson(request: Request, context: Context) -> Response:
    """Truco in five minutes."""
    return page(request, context, "lesson", sections=context.texts.tree["lesson"]["sections"])


@router.get("/glossary")
def glossary(request: Request, context: Context) -> Response:
    """The words of the game."""
    return page(request, context, "glossary", terms=context.texts.tree["glossary"]["terms"].values())


@router.get("/me")
def me(request: Request, context: Context) -> Response:
    """One's own matches, counted."""
    mine = statistics(context.registry.store.of_visitor(context.visitor.id), context.visitor.id)
    return page(
        request, context, "me", mine=mine, sittings=context.registry.tables.of(context.visitor.id)[:100]
    )


@router.get("/api")
def interface(request: Request, context: Context) -> Response:
    """The programming interface as a plain page, made from its OpenAPI document."""
    document = request.app.openapi()
    return page(request, context, "api", document=document)
