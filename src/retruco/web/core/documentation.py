"""The documentation site, which `make docs` builds and the wheel brings along, at `/docs`."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from retruco.web.core.refusals import Refused


class DocumentationSite(StaticFiles):
    """The built site; where there is none, its pages say how to build it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        super().__init__(directory=folder, html=True, check_dir=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse every page while the site is not built."""
        if not (self._folder / "index.html").is_file():
            raise Refused(404, "error.no_documentation")
        await super().__call__(scope, receive, send)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer with a file of the site; browsers ask again whether it has changed."""
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response
