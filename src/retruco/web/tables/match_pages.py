"""The pages of the site and of Truco: home, rules, lesson, glossary, statistics; and the table and replay of every game."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request
from pydantic import ValidationError
from starlette.responses import RedirectResponse, Response

from retruco.agents.truco.levels import BESIDE, LADDER, LEVELS
from retruco.games.registry import USUAL_GAME
from retruco.games.truco import Truco
from retruco.games.truco.deck import CLASSES
from retruco.games.truco.rules import CALLS, MENU_TARGETS, PRESETS
from retruco.web.account.consent_recorder import RECORDED
from retruco.web.account.rating import Skill
from retruco.web.account.statistics import statistics
from retruco.web.core.drawing import static
from retruco.web.core.numbers import read_number
from retruco.web.core.refusals import Refused, forbidden
from retruco.web.core.request_context import Context, MatchId, RequestContext
from retruco.web.core.store import Sitter, StoredMatch
from retruco.web.core.templates import Fields, page
from retruco.web.people.invitation_routes import waiting_hosts
from retruco.web.people.invitations import CLOCKS
from retruco.web.people.phrases import PHRASES
from retruco.web.people.spectator_routes import matches_to_watch
from retruco.web.school.rulebook import chapters
from retruco.web.tables.draws import Contribution, public_shares
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.match_routes import MOST_TARGET, MatchRequest, open_match
from retruco.web.tables.table_view import TableView, games_with_views, view_class
from retruco.web.views.truco import SCRIPTED, TrucoView

SCRIPT_TEXTS: Final = (
    "call.", "card.", "stage.", "table.", "why_not.", "end.", "event.", "error.", "why.", "replay.", "practice.", "fairness.",
    "board.", "worth.", "guide.", "tables.", "spoken.", "statistics.", "people.", "teach.", "opinion.title",
    "review.open", "rating.",
)  # fmt: skip
"""The families of sentences that scripts use."""

ADVISER: Final = "elena"
"""The level that is asked for advice: strong, and her reasons are easy to follow."""
GOING_ON: Final = 3
"""So many matches that go on are on the front page; all are under "my matches"."""
MATCHES_ON_A_PAGE: Final = 20
PATIENCE: Final = 1.5
"""Seconds for which a page waits for agents that are to act."""

router = APIRouter(include_in_schema=False)


@router.get("/")
def home(request: Request, context: Context) -> Response:
    """The front door: one click to a match."""
    mine = own_matches(context)
    going_on = _with_standing(context, [match for match in mine["matches"] if not match["over"]][:GOING_ON])
    others = [game for game in games_with_views() if game != USUAL_GAME]
    return page(
        request, context, "home",
        ladder=LADDER, beside=BESIDE, levels=LEVELS, opponents=_opponents(context), by_rule=SCRIPTED, presets=PRESETS, targets=MENU_TARGETS, going_on=going_on,
        mine_over=mine["played"] > 2, waiting=_waiting(context), to_watch=_to_watch(context),
        games=[_describe_game(context, game) for game in others], clocks=CLOCKS, person=context.registry.people.find(context.visitor.id),
    )  # fmt: skip


@router.get("/lobby")
def lobby(request: Request, context: Context) -> Response:
    """Who waits and who may be watched: the part of the front page that its script keeps current."""
    return page(request, context, "lobby", waiting=_waiting(context), to_watch=_to_watch(context))


def _waiting(context: RequestContext) -> list[dict[str, Any]]:
    """Who waits in the lobby, with what rules, in the reader's language."""
    return [
        {
            "id": invitation.id,
            "name": context.name_of(Sitter(visitor=invitation.host), invitation.game_name),
            "title": _describe_game(context, invitation.game_name)[1],
            "rules": _name_rules(context, invitation.game_name, invitation.rules),
            "target": invitation.target,
            "clock": invitation.clock,
            "is_rated": invitation.is_rated,
            "may_watch": invitation.may_watch,
        }
        for invitation in waiting_hosts(context)
    ]


def _to_watch(context: RequestContext) -> list[dict[str, Any]]:
    """The matches of people that can be watched now, in the reader's language."""
    views = [context.spectator_view(live) for live in matches_to_watch(context)]
    return [
        {
            "id": view.live.id,
            "names": [view.name(seat) for seat in range(view.live.game.seats)],
            "title": view.title(view.t),
            "rules": view.name_rules(view.live.stored.rules, view.t),
            "standing": view.standing(),
            "watchers": context.registry.spectators.count(view.live.id),
        }
        for view in views
    ]


def own_matches(context: RequestContext) -> dict[str, Any]:
    """A visitor's own matches, counted and listed, with the names of games, rules and people."""
    stored = context.registry.store.of_visitor(context.visitor.id)
    mine = statistics(stored, context.visitor.id)
    known, people = games_with_views(), {match.id: match for match in stored if match.kind == "people"}
    for line in mine["matches"]:
        match = people.get(line["match"])
        line["others"] = (
            _name_people(context, match) if match else _name_others(context, line["game"], line["others"])
        )
        line["rules_name"] = (
            _name_rules(context, line["game"], line["rules"]) if line["game"] in known else ""
        )
        line["title"] = _describe_game(context, line["game"])[1] if line["game"] in known else line["game"]
    for line in mine["opponents"]:
        line["title"] = _describe_game(context, line["game"])[1] if line["game"] in known else line["game"]
        line["name"] = _name_others(context, line["game"], line["name"].split(","))
    return mine


def _with_standing(context: RequestContext, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add when each match began, how it stands and how many hands were played."""
    for line in lines:
        line["date"] = datetime.fromtimestamp(line["started"], UTC).strftime("%Y-%m-%d")
        live = context.registry.find(line["match"])
        if live is None:  # emptied, since somebody who sat there was forgotten
            line["standing"], line["hands"] = "", None
            continue
        line["hands"] = len(live.table.hands)
        line["standing"] = context.view(live, context.reader_seat(live)).standing()
    return lines


def _name_people(context: RequestContext, match: StoredMatch) -> str:
    """Name who else sat at a table of people, in one line."""
    others = [sitter for sitter in match.sitters if sitter.visitor != context.visitor.id]
    if match.game not in games_with_views():
        return _name_others(context, match.game, (sitter.agent or "" for sitter in others))
    return ", ".join(context.name_of(sitter, match.game) for sitter in others)


def _name_others(context: RequestContext, game: str, names: Iterable[str]) -> str:
    """Name who else sat at a table, in one line; a person's name is empty."""
    person, known = context.texts("table.person"), game in games_with_views()
    agents = (name.strip() for name in names)
    return ", ".join(
        (view_class(game).name_agent(name, context.texts) if known else name) if name else person
        for name in agents
    )


def _describe_game(context: RequestContext, game: str) -> tuple[str, str, str]:
    """The name, the title and the one sentence of a game on the home page."""
    view = view_class(game)
    texts = view.texts(context.texts.language)
    return game, view.title(texts), texts(f"{game}.about") if texts.has(f"{game}.about") else ""


def _name_rules(context: RequestContext, game: str, rules: str) -> str:
    view = view_class(game)
    return view.name_rules(rules, view.texts(context.texts.language))


def _opponents(context: RequestContext) -> list[tuple[str, str]]:
    return [(name, TrucoView.describe_agent(name, context.texts)) for name in TrucoView.agents()]


def target_in(fields: Mapping[str, str]) -> int | None:
    """The points to play to, as a form says it; refused if that is no number."""
    text = fields.get("target", "")
    if not text:
        return None
    target = read_number(text, 1, MOST_TARGET)
    if target is None:
        raise Refused(400, "error.bad_target")
    return target


def clock_in(fields: Mapping[str, str]) -> int | None:
    """Seconds for a move, as a form says it; none for no clock, refused if it is none of the choices."""
    text = fields.get("clock", "60")
    if text not in ("", "0", "none", *map(str, CLOCKS)):
        raise Refused(422, "error.bad_clock", choices=", ".join(map(str, CLOCKS)))
    return int(text) if text in map(str, CLOCKS) else None


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
            opponent=fields.get("opponent") or fields.get("level", ""),
            rules=fields.get("rules") or None,
            target=target_in(fields),
            practice=bool(fields.get("practice")),
            guided=bool(fields.get("guided")),
            **contribution_fields(fields),
        )
    except ValidationError:
        raise Refused(422, "error.malformed") from None
    return RedirectResponse(f"/table/{open_match(context, options).id}", 303)


@router.get("/table/{match}")
async def table(request: Request, context: Context, match: MatchId) -> Response:
    """The table itself, for who sits at it; a finished match is looked at from everywhere."""
    if context.registry.invitations.find(match) is not None:
        return RedirectResponse(f"/join/{match}", 303)
    live = await asyncio.to_thread(context.match, match)
    seat = live.stored.seat_of(context.visitor.id)
    if seat is None:
        if live.end is not None and not live.is_practice:
            return RedirectResponse(f"/replay/{match}/0", 303)
        raise forbidden()
    view = context.view(live, seat)
    context.registry.wake(live)
    if view.page != "live_table":
        return await asyncio.to_thread(_table_page, request, context, view)
    await _let_agents_act(context, live)
    return await context.build(
        partial(_table_page, request, context, view)
    )  # agents may have to say why again


async def _let_agents_act(context: RequestContext, live: LiveTable) -> None:
    """Wait for agents a moment, so that a page without a script shows one's own turn."""
    deadline = time.monotonic() + PATIENCE
    while live.agent_to_act() is not None and time.monotonic() < deadline:
        if context.registry.preparing(live) is not None:
            return
        await asyncio.sleep(0.02)


def _table_page(request: Request, context: RequestContext, view: TableView) -> Response:
    live = view.live
    with live.lock:  # so that everything on the page shows the same position
        setup = _setup(context, view)
        drawings = _drawings(context, view) if view.page == "live_table" else {}
    not_asked = (
        live.stored.kind in RECORDED and context.registry.people.find(context.visitor.id).asked is None
    )
    opponent = ", ".join(name for place, name in enumerate(view.names) if place != view.seat)
    common: dict[str, Any] = {
        "live": live,
        "setup": setup,
        "ask_consent": not_asked,
        "opponent": opponent,
        "can_be_watched": view.can_be_watched,
    }
    return page(request, context, view.page, folder=view.folder(), **common, **drawings)


def _drawings(context: RequestContext, view: TableView) -> dict[str, Any]:
    """What the page of a table that the server draws shows before its script begins."""
    live, hands = view.live, len(view.live.table.hands)
    return {
        "board": view.draw(len(live.positions) - 1, form_key=context.form_key),
        "summary": view.draw_summary(hands - 1) if hands else "",
        "seal": live.deals[-1].seal,
        "e": view.t,
        "v": view.facts(),
        "title": view.title(view.t),
        "seconds": context.registry.preparing(live),
        "waits": live.to_act not in (None, view.seat),
    }


def _setup(context: RequestContext, view: TableView) -> dict[str, Any]:
    """What the script of a table page begins with."""
    live, seat = view.live, view.seat
    sitter, names = live.stored.sitters[seat], list(view.names)
    agents = [other.agent for place, other in enumerate(live.stored.sitters) if place != seat]
    more = _guide_setup(context, view) if live.stored.kind == "guided" else {}
    phrases = PHRASES if live.stored.kind == "people" else ()
    more |= context.registry.spectators.describe(live) if live.stored.kind == "people" else {}
    return more | {
        "match": live.id, "seat": seat, "me": None if sitter.is_pupil else seat, "names": names, "number": live.last_number, "target": live.game.goal,
        "rules": live.stored.rules, "opponent": ", ".join(agent or "" for agent in agents), "game": live.game.name, "leaving": view.leaving, "teams": list(live.game.teams),
        "phrases": phrases, "clock": live.stored.clock, "kind": live.stored.kind, "calls": CALLS, "form_key": context.form_key, "deck": static("deck.svg"),
        "flor": isinstance(live.game, Truco) and live.game.rules.flor, "study": context.registry.study_matches.has(live.id),
        "ratings": [Skill(*skill).rating for skill in live.stored.skills],
        "agents": view.agents() if live.is_practice else [], "draw": public_shares(live.stored),
        "texts": view.t.under(*SCRIPT_TEXTS, *(("glossary.terms.",) if live.stored.kind == "guided" else ())),
    }  # fmt: skip


def _guide_setup(context: RequestContext, view: TableView) -> dict[str, Any]:
    """What the help of a guided match needs: the cards by strength, and who may be asked."""
    strengths = [[str(card) for card in cards] for cards in CLASSES]
    return {
        "strengths": strengths,
        "adviser": {"level": ADVISER, "name": context.texts(f"level.{ADVISER}.name")},
    }


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
    view = context.view(live, seat)
    if view.page == "live_table":  # its hands have pages of their own
        place = min(max(0, number - live.stored.skipped), len(live.positions) - 1)
        hand = live.positions[place].hand
        step = place - live.places_of(hand)[0]
        finished = hand < len(live.table.hands)
        return RedirectResponse(
            f"/table/{match}/hands/{hand + 1}?step={step}" if finished else f"/table/{match}/hands", 303
        )
    setup = {
        "match": match, "seat": seat, "number": number, "names": list(view.names), "target": live.game.goal,
        "agents": [sitter.agent for sitter in live.stored.sitters], "form_key": context.form_key, "rules": live.stored.rules,
        "me": mine, "flor": isinstance(live.game, Truco) and live.game.rules.flor, "deck": static("deck.svg"),
        "texts": context.texts.under(*SCRIPT_TEXTS),
    }  # fmt: skip
    return page(request, context, "replay", live=live, names=view.names, setup=setup)


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
def me(request: Request, context: Context, at: Annotated[int, Query(ge=0, le=1_000_000)] = 0) -> Response:
    """One's own matches, counted, and listed page by page."""
    mine = own_matches(context)
    lines = _with_standing(context, mine["matches"][at : at + MATCHES_ON_A_PAGE])
    return page(request, context, "me", mine=mine, lines=lines, at=at, step=MATCHES_ON_A_PAGE)


@router.get("/api")
def interface(request: Request, context: Context) -> Response:
    """The programming interface as a plain page, made from its OpenAPI document."""
    document = request.app.openapi()
    return page(request, context, "api", document=document)
