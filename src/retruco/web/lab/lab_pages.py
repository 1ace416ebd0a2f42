"""The pages of the laboratory: the key, the configuration screen with its jobs, case bases laid open, reports."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request
from pydantic import ValidationError
from starlette.responses import HTMLResponse, RedirectResponse, Response

from retruco.web.core.admin_auth import COOKIE, AdminContext, address_of, is_admin, set_admin_cookie
from retruco.web.core.numbers import number_in, read_number
from retruco.web.core.refusals import Refused, not_found
from retruco.web.core.request_context import Context, RequestContext
from retruco.web.core.templates import Fields, page
from retruco.web.lab.job_config import CBR, CRITERIA, LEARNING, MOST_MATCHES, MOST_SEED
from retruco.web.lab.lab_routes import JobId, JobRequest, find_job, job_json, start_job
from retruco.web.views.truco import SCRIPTED

router = APIRouter(include_in_schema=False)
BaseName = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$")]

REPORT_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"
)
"""A report brings its own style and nothing that runs; it is shown in a box of its own."""


@router.get("/laboratory")
def laboratory(request: Request, context: Context) -> Response:
    """The configuration screen for the owner; a place for the key for everybody else."""
    if not is_admin(context, request):
        return page(request, context, "key", told="")
    jobs = [job_json(context, one) for one in context.registry.jobs.all()]
    dates = {one["id"]: _date(one["started"]) for one in jobs}
    setup = {
        "form_key": context.form_key, "match": "", "jobs": jobs, "texts": context.texts.under("laboratory.", "error."),
    }  # fmt: skip
    return page(
        request, context, "laboratory",
        jobs=jobs, dates=dates, bases=context.registry.bases(), criteria=CRITERIA, learning=tuple(LEARNING), most=MOST_MATCHES,
        techniques=(CBR, *SCRIPTED), setup=setup,
    )  # fmt: skip


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


@router.post("/laboratory/key")
def show_key(request: Request, context: Context, fields: Fields) -> Response:
    """Show the key."""
    context.check_form(fields.get("form_key", ""))
    try:
        token = context.registry.admin_key.let_in(fields.get("key", "")[:100], address_of(request))
    except Refused as refused:
        return page(request, context, "key", refused.status, told=context.texts(refused.key))
    response = RedirectResponse("/laboratory", 303)
    set_admin_cookie(response, token, context.registry.settings.behind_proxy)
    return response


@router.post("/laboratory/leave")
def leave(request: Request, context: Context, fields: Fields) -> Response:
    """Be the owner no longer, in this browser."""
    context.check_form(fields.get("form_key", ""))
    context.registry.admin_key.show_out(request.cookies.get(COOKIE, ""))
    return RedirectResponse("/laboratory", 303)


@router.post("/laboratory/jobs")
def start(context: AdminContext, fields: Fields) -> Response:
    """Start what the configuration screen says."""
    context.check_form(fields.get("form_key", ""))
    try:
        options = JobRequest.model_validate(
            {
                "first": _side(fields, "first"),
                "second": _side(fields, "second"),
                "matches": number_in(fields, "match_count", 1, MOST_MATCHES),
                "seed": number_in(fields, "seed", 0, MOST_SEED, 1),
            }
        )
    except ValidationError as error:
        first = error.errors()[0]
        why = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        raise Refused(422, "laboratory.senseless", why=why) from None
    start_job(context, options)
    return RedirectResponse("/laboratory", 303)


def _side(fields: dict[str, str], name: str) -> dict[str, Any]:
    """One column of the screen."""
    texts = ("base", "extra", "intra", "learning", "technique", "reading")
    found: dict[str, Any] = {one: fields[f"{name}_{one}"] for one in texts if f"{name}_{one}" in fields}
    choices = ("clusters", "auto_k")
    return {**found, **{one: fields.get(f"{name}_{one}") == "yes" for one in choices}}


@router.get("/laboratory/reports/{job}")
def report(context: AdminContext, job: JobId) -> Response:
    """The report of a job."""
    found = context.registry.jobs.report(find_job(context, job))
    if found is None:
        raise not_found()
    headers = {"Content-Security-Policy": REPORT_POLICY}
    return HTMLResponse(found.read_text(encoding="utf-8"), headers=headers)


@router.get("/laboratory/cases/{base}")
def cases(
    request: Request,
    context: AdminContext,
    base: BaseName,
    scenario: Annotated[str, Query(max_length=40)] = "",
    action: Annotated[str, Query(max_length=40)] = "",
    cluster: Annotated[str, Query(max_length=3)] = "",
    won: Annotated[str, Query(max_length=3)] = "",
    feature: Annotated[str, Query(max_length=40)] = "",
    value: Annotated[str, Query(max_length=40)] = "",
    at: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """A case base laid open: a scenario's rows by what they are like, its clusters, its elbow."""
    from retruco.web.lab.case_explorer import A_PAGE, Filter, ScenarioCases

    opened = context.registry.base(base)
    if opened is None:
        raise Refused(404, "laboratory.unknown_base", name=base)
    known = {one.name: one for one in opened.cases.vocabulary.scenarios}
    scenario_cases = ScenarioCases(opened, known.get(scenario) or next(iter(known.values())))
    wanted = Filter(
        action,
        read_number(cluster, 0, 999),
        {"yes": True, "no": False}.get(won),
        feature,
        value,
    )
    found = scenario_cases.found(wanted)
    return page(
        request, context, "cases",
        base=opened, counts={name: opened.cases.count(name) for name in known}, scenario_cases=scenario_cases, wanted=wanted, count=len(found),
        rows=scenario_cases.rows(found[at : at + A_PAGE], context.texts), at=at, step=A_PAGE, profiles=scenario_cases.profiles(context.texts),
        elbow=scenario_cases.elbow(), bases=context.registry.bases(), features=_features(context, scenario_cases),
    )  # fmt: skip


def _features(context: RequestContext, scenario_cases: Any) -> list[tuple[str, str, list[str]]]:
    """What can be asked of the rows of a scenario: attributes with their values."""
    return [
        (feature.name, context.texts(f"why.feature.{feature.name}"), [str(value) for value in feature.values])
        for feature in scenario_cases.scenario.visible
    ]
