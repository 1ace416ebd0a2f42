"""The laboratory's interface, for the owner: start real jobs, look at them, stop them; look into case bases."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt
from starlette.responses import JSONResponse, Response

from retruco.web.core.admin_auth import (
    AdminContext,
    SignedAdminContext,
    address_of,
    is_admin,
    set_admin_cookie,
)
from retruco.web.core.refusals import Refused, not_found
from retruco.web.core.request_context import Context, RequestContext, SignedContext
from retruco.web.lab.job_config import MOST_MATCHES, MOST_SEED, JobConfig, JobSide
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


class JobSideRequest(BaseModel):
    """One set of the configuration."""

    model_config = ConfigDict(extra="forbid")
    base: str = Field("baseline", max_length=60)
    extra: Criterion = "PV"
    intra: Criterion = "NP"
    clusters: StrictBool = True
    learning: Literal["none", "imitation", "new"] = "none"
    auto_k: StrictBool = False
    technique: str = Field("cbr", max_length=40)
    reading: str = Field("", max_length=200)


class JobRequest(BaseModel):
    """Two sets, and how many matches."""

    model_config = ConfigDict(extra="forbid")
    first: JobSideRequest
    second: JobSideRequest
    matches: StrictInt = Field(10, ge=1, le=MOST_MATCHES)
    seed: StrictInt = Field(1, ge=0, le=MOST_SEED)


def start_job(context: RequestContext, options: JobRequest) -> Job:
    """Start a job, if its configuration makes sense and nothing else runs."""
    names = context.registry.bases()
    for side in (options.first, options.second):
        if side.base not in names:
            raise Refused(400, "laboratory.unknown_base", name=side.base)
    try:
        config = JobConfig(
            JobSide(**options.first.model_dump()),
            JobSide(**options.second.model_dump()),
            options.matches,
            options.seed,
        )
    except ValueError as error:
        raise Refused(400, "laboratory.senseless", why=str(error)) from None
    return context.registry.jobs.start(config)


def find_job(context: RequestContext, name: str) -> Job:
    """Find a job."""
    job = context.registry.jobs.find(name)
    if job is None:
        raise not_found()
    return job


def job_json(context: RequestContext, job: Job) -> Json:
    """A job as plain data."""
    jobs = context.registry.jobs
    return {**job.as_json(jobs.progress(job)), "report": jobs.report(job) is not None}


@router.post("/key", responses=ANSWERS)
def show_key(request: Request, context: SignedContext, shown_key: Key) -> Response:
    """Show the owner's key; this browser is the owner's for twelve hours."""
    token = context.registry.admin_key.let_in(shown_key.key, address_of(request))
    response = JSONResponse({"owner": True})
    set_admin_cookie(response, token, context.registry.settings.behind_proxy)
    return response


@router.get("/key")
def whoever(context: Context, request: Request) -> Json:
    """Say whether this browser is the owner's."""
    return {"owner": is_admin(context, request)}


@router.get("/bases", responses=ANSWERS)
def bases(context: AdminContext) -> Json:
    """Name the case bases there are."""
    return {"bases": list(context.registry.bases())}


@router.get("/bots", responses=ANSWERS)
def bots(context: AdminContext) -> Json:
    """List the bots with a valid token, the newest first."""
    people = context.registry.people
    valid = [
        {"bot": token.bot, "name": people.find(token.bot).name, "made": token.made, "expires": token.expires}
        for token in context.registry.tokens.all()
    ]
    return {"bots": valid}


@router.post("/bots/{bot}/revoke", responses=ANSWERS)
def revoke(context: SignedAdminContext, bot: BotId) -> Json:
    """Revoke the token of a bot."""
    if not context.registry.tokens.revoke(bot):
        raise not_found()
    return {"revoked": bot}


@router.get("/jobs", responses=ANSWERS)
def jobs(context: AdminContext) -> Json:
    """List all jobs, the newest first."""
    return {"jobs": [job_json(context, job) for job in context.registry.jobs.all()]}


@router.post("/jobs", status_code=201, responses=ANSWERS)
def start(context: SignedAdminContext, options: JobRequest) -> Json:
    """Start a job of registered agents; one runs at a time."""
    return job_json(context, start_job(context, options))


@router.get("/jobs/{job}", responses=ANSWERS)
def look(context: AdminContext, job: JobId) -> Json:
    """Look how far a job is."""
    return job_json(context, find_job(context, job))


@router.post("/jobs/{job}/cancel", responses=ANSWERS)
def cancel(context: SignedAdminContext, job: JobId) -> Json:
    """Stop a job; what it has written stays."""
    find_job(context, job)
    stopped = context.registry.jobs.cancel(job)
    assert stopped is not None
    return job_json(context, stopped)


@router.post("/jobs/{job}/delete", responses=ANSWERS)
def delete(context: SignedAdminContext, job: JobId) -> Json:
    """Forget a job that no longer runs, and its report; what it has learnt stays."""
    find_job(context, job)
    context.registry.jobs.delete(job)
    return {"deleted": job}
