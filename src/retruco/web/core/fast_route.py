"""Routes for what is asked many times a second: the signature still says what is wanted, but it is read once.

FastAPI goes through an endpoint's wishes anew for every request. Where two hundred bots ask all the
time, that was half of what the server did; here the wishes become models when the route is made.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from inspect import iscoroutinefunction
from typing import Any

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError, create_model
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

Values = dict[str, Any]


class FastRoute(APIRoute):
    """A route whose endpoint wants path and query values, at most one body, and who asks."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Make what answers a request."""
        endpoint, is_async = self.endpoint, iscoroutinefunction(self.endpoint)
        read = _reader(self.dependant)

        async def handle(request: Request) -> Response:
            values = await read(request)
            answer: Response = (
                await endpoint(**values) if is_async else await run_in_threadpool(endpoint, **values)
            )
            return answer

        return handle


def _reader(parameters: Dependant) -> Callable[[Request], Coroutine[Any, Any, Values]]:
    """Read from a request what an endpoint wants."""
    path, query = _model("Path", parameters.path_params), _model("Query", parameters.query_params)
    bodies: dict[str, Any] = {one.name: one.field_info.annotation for one in parameters.body_params}
    dependencies = {one.name: one.call for one in parameters.dependencies}

    async def read(request: Request) -> Values:
        values = {name: await who(request) for name, who in dependencies.items() if name and who}
        values |= _read("path", path.model_validate, request.path_params)
        values |= _read("query", query.model_validate, dict(request.query_params))
        for name, model in bodies.items():
            values[name] = _validate("body", model.model_validate_json, await request.body())
        return values

    return read


def _model(name: str, fields: Sequence[Any]) -> type[BaseModel]:
    parameters: dict[str, Any] = {one.name: (one.field_info.annotation, one.field_info) for one in fields}
    return create_model(name, **parameters)


def _read(place: str, validate: Callable[[Mapping[str, str]], BaseModel], given: Mapping[str, str]) -> Values:
    return dict(_validate(place, validate, given))


def _validate(place: str, validate: Callable[[Any], BaseModel], given: object) -> BaseModel:
    """Read what was given; say where it makes no sense, as FastAPI does."""
    try:
        return validate(given)
    except ValidationError as error:
        problems = [{**one, "loc": (place, *one["loc"])} for one in error.errors(include_url=False)]
        raise RequestValidationError(problems) from None
