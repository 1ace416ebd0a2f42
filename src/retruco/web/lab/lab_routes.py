"""The laboratory's interface, for the owner: start real jobs, look at them, stop them; look into case bases."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt
from starlette.responses import JSONResponse, Response

from retruco.web.core.admin_auth import AskOwner, SignedOwner, address_of, is_owner, remember_owner
from retruco.web.core.refusals import Refused, not_found
from retruco.web.core.request_context import Ask, Asking, Signed
from retruco.web.lab.job_config import MOST_MATCHES, MOST_SEED, Side, Work
from retruco.web.lab.jobs import Job
from retruco.web.tables.match_routes import REFUSALS, Refusal

Json = dict[str, Any]
router = APIRouter(prefix="/api/laboratory", tags=["laboratory"])
ANSWERS: dict[int | str, dict[str, Any]] = {
    401: {"model": Refusal, "description": "Only for the owner."},
    **REFUSALS,
}
JobId = Annotated[str, Path(pattern=r"^[0-9a-f]{12}$", description="The name of a job.")]
BotId = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$", description="A bot, by the hash of its token.")]
Criterion = Literal["MJ", "PL", "PV", "NP"]


class Key(BaseModel):
    """The owner's key."""

    model_config = ConfigDict(extra="forbid")
    key: str = Field(max_length=100)


class SideWish(BaseModel):
    """One set of the configuration."""

    model_config = ConfigDict(extra="forbid")
    base: str = Field("baseline", max_length=60)
    extra: Criterion = "PV"
    intra: Criterion = "NP"
    clusters: StrictBool = True
    learning: Literal["none", "imitation", "new"] = "none"
    auto_k: StrictBool = False
    technique: str = Field("cbr", max_length=40)


class JobWish(BaseModel):
    """Two sets, and how many matches."""

    model_config = ConfigDict(extra="forbid")
    first: SideWish
    second: SideWish
    matches: StrictInt = Field(10, ge=1, le=MOST_MATCHES)
    seed: StrictInt = Field(1, ge=0, le=MOST_SEED)


def start_job(ask: Asking, wish: JobWish) -> Job:
    """Start a job, if the wish makes sense and nothing else runs."""
    names = ask.room.bases()
    for side in (wish.first, wish.second):
        if side.base not in names:
            raise Refused(400, "laboratory.unknown_base", name=side.base)
    try:
        work = Work(
            Side(**wish.first.model_dump()), Side(**wish.second.model_dump()), wish.matches, wish.seed
        )
    except ValueError as error:
        raise Refused(400, "laboratory.senseless", why=str(error)) from None
    return ask.room.jobs.start(work)


def find_job(ask: Asking, name: str) -> Job:
    """Find a job."""
    job = ask.room.jobs.find(name)
    if job is None:
        raise not_found()
    return job


def shown(ask: Asking, job: Job) -> Json:
    """A job as plain data."""
    jobs = ask.room.jobs
    return {**job.as_json(jobs.progress(job)), "report": jobs.report(job) is not None}


@router.post("/key", responses=ANSWERS)
def show_key(request: Request, ask: Signed, shown_key: Key) -> Response:
    """Show the owner's key; this browser is the owner's for twelve hours."""
    token = ask.room.owner.let_in(shown_key.key, address_of(request))
    response = JSONResponse({"owner": True})
    remember_owner(response, token, ask.room.settings.behind_proxy)
    return response


@router.get("/key")
def whoever(ask: Ask, request: Request) -> Json:
    """Say whether this browser is the owner's."""
    return {"owner": is_owner(ask, request)}


@router.get("/bases", responses=ANSWERS)
def bases(ask: AskOwner) -> Json:
    """Name the case bases there are."""
    return {"bases": list(ask.room.bases())}


@router.get("/bots", responses=ANSWERS)
def bots(ask: AskOwner) -> Json:
    """List the bots with a valid token, the newest first."""
    people = ask.room.people
    valid = [
        {"bot": one.bot, "name": people.find(one.bot).name, "made": one.made, "expires": one.expires}
        for one in ask.room.tokens.all()
    ]
    return {"bots": valid}


@router.post("/bots/{bot}/revoke", responses=ANSWERS)
def revoke(ask: SignedOwner, bot: BotId) -> Json:
    """Revoke the token of a bot."""
    if not ask.room.tokens.revoke(bot):
        raise not_found()
    return {"revoked": bot}


@router.get("/jobs", responses=ANSWERS)
def jobs(ask: AskOwner) -> Json:
    """List all jobs, the newest first."""
    return {"jobs": [shown(ask, job) for job in ask.room.jobs.all()]}


@router.post("/jobs", status_code=201, responses=ANSWERS)
def start(ask: SignedOwner, wish: JobWish) -> Json:
    """Start a job of registered agents; one runs at a time."""
    return shown(ask, start_job(ask, wish))


@router.get("/jobs/{job}", responses=ANSWERS)
def look(ask: AskOwner, job: JobId) -> Json:
    """Look how far a job is."""
    return shown(ask, find_job(ask, job))


@router.post("/jobs/{job}/cancel", responses=ANSWERS)
def cancel(ask: SignedOwner, job: JobId) -> Json:
    """Stop a job; what it has written stays."""
    find_job(ask, job)
    stopped = ask.room.jobs.cancel(job)
    assert stopped is not None
    return shown(ask, stopped)


@router.post("/jobs/{job}/delete", responses=ANSWERS)
def delete(ask: SignedOwner, job: JobId) -> Json:
    """Forget a job that no longer runs, and its report; what it has learnt stays."""
    find_job(ask, job)
    ask.room.jobs.delete(job)
    return {"deleted": job}
