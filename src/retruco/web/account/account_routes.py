"""The routes of an account: name, consent, archived hands, lessons, opinions; to read, export and delete."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt
from starlette.responses import Response

from retruco.web.account.hand_archive import ArchivedHand
from retruco.web.core.refusals import Refused
from retruco.web.core.request_context import Context, MatchId, RequestContext, SignedContext
from retruco.web.lab.questionnaire import LEAST, MOST, Opinion
from retruco.web.lab.study import STUDY
from retruco.web.people.profiles import LONGEST_NAME
from retruco.web.review.why import answer_in, query_of
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.match_routes import REFUSALS

Json = dict[str, Any]
router = APIRouter(prefix="/api", tags=["one's own"])
HandId = Annotated[str, Field(pattern=r"^[0-9a-f]{24}$")]
MOST_YEARS = 100
Mark = Annotated[StrictInt, Field(ge=LEAST, le=MOST)]


class Agreement(BaseModel):
    """Whether one's hands may be kept as cases."""

    model_config = ConfigDict(extra="forbid")
    agrees: StrictBool


class Name(BaseModel):
    """What to be called at the table; empty for no name."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(max_length=LONGEST_NAME)


class Hands(BaseModel):
    """Some of one's own hands by their names."""

    model_config = ConfigDict(extra="forbid")
    hands: list[HandId] = Field(max_length=300)


class Answers(BaseModel):
    """What one thinks of an agent, from 1 to 5, and for how many years one has played."""

    model_config = ConfigDict(extra="forbid")
    competence: Mark
    coherence: Mark
    predictability: Mark
    fun: Mark
    years: Annotated[StrictInt, Field(ge=0, le=MOST_YEARS)] | None = None


def hand_json(hand: ArchivedHand) -> Json:
    """A kept hand as plain data, without whose it is."""
    return {
        "id": hand.id, "base": hand.base, "number": hand.number, "match": hand.match, "hand": hand.hand, "seat": hand.seat,
        "stage": hand.stage, "at": hand.at, "whole": bool(hand.whole),
    }  # fmt: skip


@router.get("/me/person")
def person(context: Context) -> Json:
    """Say what this table knows of oneself."""
    found = context.registry.people.find(context.visitor.id)
    return {"name": found.name, "asked": found.asked is not None, "agrees": found.agreed is not None}


@router.post("/me/consent", responses=REFUSALS)
def consent(context: SignedContext, said: Agreement) -> Json:
    """Let one's hands be kept from now on, or no longer."""
    context.registry.people.answer(context.visitor.id, said.agrees)
    return person(context)


@router.post("/me/name", responses=REFUSALS)
def name(context: SignedContext, said: Name) -> Json:
    """Be called by a name, or by none."""
    context.registry.people.name(context.visitor.id, said.name)
    return person(context)


@router.get("/me/hands")
def hands(context: Context) -> Json:
    """List one's own hands that were kept."""
    return {"hands": [hand_json(one) for one in context.registry.archive.of(context.visitor.id)]}


@router.get("/me/hands/export", response_class=Response)
def export(context: Context) -> Response:
    """Take one's own hands along: one JSON record a line, as `retruco replay` reads them.

    A record shows the cards of both seats; so hands of a match that still goes on are left out.
    """
    going_on = {one.id for one in context.registry.store.of_visitor(context.visitor.id) if one.end is None}
    mine = [one for one in context.registry.archive.of(context.visitor.id) if one.match not in going_on]
    records = context.registry.archive.records(mine)
    lines = [json.dumps(_plain(records[one.id]), ensure_ascii=False) for one in mine if one.id in records]
    headers = {"Content-Disposition": 'attachment; filename="my-hands.jsonl"'}
    return Response("".join(line + "\n" for line in lines), media_type="application/jsonl", headers=headers)


def _plain(record: Json) -> Json:
    """A record whose seat and stage stand where the notation has room for them."""
    rest = {key: value for key, value in record.items() if key not in ("seat", "result")}
    result = record.get("result") or {}
    return {**rest, "result": {"seat": record["seat"], **result}}


@router.post("/me/hands/delete", responses=REFUSALS)
def delete(context: SignedContext, some: Hands) -> Json:
    """Take some of one's own hands out of their case bases, for ever; those of others stay."""
    return {"deleted": delete_hands(context, set(some.hands))}


def delete_hands(context: RequestContext, names: set[str]) -> int:
    """Delete those of the visitor's own hands that are named."""
    return context.registry.delete_hands(context.visitor.id, names)


@router.post("/me/forget", responses=REFUSALS)
def forget(context: SignedContext) -> Json:
    """Forget everything about oneself; of a match with another person only who won stays, for the other's count."""
    context.registry.forget(context.visitor.id)
    return {"forgotten": True}


# Teaching


@router.get("/matches/{match}/taught", responses=REFUSALS)
def list_lessons(context: Context, match: MatchId) -> Json:
    """Show the cases that one's own lesson has brought so far."""
    live = context.match(match)
    context.seat(live)
    if live.stored.kind != "lesson":
        raise Refused(404, "error.not_found")
    return {"match": match, "cases": lessons(context, live)}


def lessons(context: RequestContext, live: LiveTable) -> list[Json]:
    """The cases of a lesson, in the reader's words."""
    found = []
    for archived, rows in context.registry.school.lessons(live, context.visitor.id):
        questions = {
            row.problem: {
                "title": context.texts(f"why.scenario.{row.problem.scenario}"),
                "query": query_of(row.problem, context.texts),
                "answer": answer_in(context.texts, row.action),
                "points": row.credit,
            }
            for row in rows  # a question that was asked again counts with its last answer
        }
        found.append({**hand_json(archived), "questions": list(questions.values())})
    return found


# Opinions


def opponent_to_judge(context: RequestContext, live: LiveTable) -> str:
    """The agent of the study that one played against to the end; refused after anything else."""
    context.seat(live)
    found = STUDY.agent_in(live.stored)
    if found is None or not context.registry.study_matches.has(live.id):
        agents = ", ".join(STUDY.agents)
        raise Refused(404, "opinion.not_yet", agents=agents, rules=STUDY.rules, target=STUDY.target)
    return found[0]


def give_opinion(context: RequestContext, match: str, answers: Answers) -> str:
    """Write down what one thinks of the agent one has played against; give its name."""
    agent = opponent_to_judge(context, context.match(match))
    context.registry.opinions.give(match, context.visitor.id, Opinion(**answers.model_dump()))
    context.registry.results.note_change()
    return agent


@router.post("/matches/{match}/opinion", responses=REFUSALS)
def opinion(context: SignedContext, match: MatchId, answers: Answers) -> Json:
    """Say what one thinks of the agent one has played against."""
    return {"agent": give_opinion(context, match, answers)}


@router.get("/opinions")
def all_opinions(context: Context) -> Json:
    """What people won and lost in matches of the study, and what they said of its agents."""
    return {"agents": context.registry.results.current()}
