"""Renders pages from templates, and reads their forms."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qsl, urlencode

from fastapi import Depends, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from retruco.games.registry import USUAL_GAME
from retruco.web.core.drawing import render
from retruco.web.core.i18n import LANGUAGES
from retruco.web.core.refusals import Refused
from retruco.web.core.request_context import RequestContext
from retruco.web.tables.table_view import games_with_views, view_class


def page(
    request: Request,
    context: RequestContext,
    name: str,
    status: int = 200,
    folder: Path | None = None,
    **values: Any,
) -> Response:
    """Render a page in the reader's language, with the templates of a view's folder if one is given."""
    values |= {
        "t": context.texts,
        "lang": context.texts.language,
        "languages": [(one, _in_language(request, one)) for one in LANGUAGES],
        "form_key": context.form_key,
        "path": request.url.path,
        "nav_games": nav_games(context.texts.language),
        "data": _data,
    }
    html = render(folder, f"{name}.html", **values)
    return context.dress(HTMLResponse(html, status))


@cache
def nav_games(language: str) -> list[tuple[str, str]]:
    """The games beside the usual one, with their titles."""
    views = [view_class(game) for game in games_with_views() if game != USUAL_GAME]
    return [(view.game, view.title(view.texts(language))) for view in views]


def _in_language(request: Request, language: str) -> str:
    rest = [(key, value) for key, value in request.query_params.items() if key != "lang"]
    return "?" + urlencode([*rest, ("lang", language)])


def _data(value: object) -> str:
    r"""Write data for a script into a page: nothing in it can end the element it stands in.

    >>> print(_data("</script>"))
    "\u003c/script\u003e"
    """
    text = json.dumps(value, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e")
    return Markup(text.replace("&", "\\u0026"))  # noqa: S704  escaped in the line above


def sorry(request: Request, context: RequestContext, status: int, message: str) -> Response:
    """Say kindly that a page cannot be shown."""
    return page(request, context, "sorry", status, number=status, message=message)


async def form(request: Request) -> dict[str, str]:
    """Read a small form."""
    text = (await request.body()).decode("ascii", "replace")
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=20))
    except ValueError:
        raise Refused(422, "error.malformed") from None


Fields = Annotated[dict[str, str], Depends(form)]
