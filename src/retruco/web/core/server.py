"""The application at an address: uvicorn, told to hang up on listeners before it waits for them."""

from __future__ import annotations

import gc
import socket
import sys
from math import ceil
from threading import Thread
from typing import Final

import uvicorn
from fastapi import FastAPI

from retruco.web.core.allocator import limit_arenas
from retruco.web.core.connections import BACKLOG, Connection, Connections
from retruco.web.core.settings import Settings
from retruco.web.tables.table_registry import TableRegistry

SWITCH: Final = 0.0005
"""Seconds after which a thread that thinks lets others run: nobody waits long for a line to be answered."""
SELDOM: Final = (2_000, 10, 200)
"""How many new things there must be before those of each age are looked through for rubbish: matches are long
lived, and looking through all of them makes everybody wait a tenth of a second."""


class TableServer(uvicorn.Server):
    """Serves the web table."""

    def __init__(self, app: FastAPI, host: str, port: int, behind_proxy: bool = False) -> None:
        self._app = app
        settings: Settings = app.state.settings
        config = uvicorn.Config(
            app,
            host,
            port,
            log_level="warning",
            lifespan="on",
            ws="none",
            server_header=False,
            proxy_headers=behind_proxy,
            http=Connection,
            backlog=BACKLOG,
            timeout_keep_alive=ceil(settings.limits.idle_seconds) + 1,  # `Connections` comes first
            timeout_graceful_shutdown=3,
        )
        super().__init__(config)
        self.server_state = self._connections = Connections(settings.limits, behind_proxy)

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until told to stop."""
        limit_arenas()
        before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH)
        try:
            super().run(sockets)
        finally:
            sys.setswitchinterval(before)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the doors; what is made once is then no longer looked through for rubbish."""
        await super().startup(sockets)
        Thread(target=self._settle, name="settling", daemon=True).start()

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second, end the connections that are overdue."""
        self._connections.close_overdue()
        return await super().on_tick(counter)

    def _settle(self) -> None:
        self._app.state.warming.join()
        gc.collect()
        gc.freeze()
        gc.set_threshold(*SELDOM)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, which would never end by themselves, then everything else."""
        registry: TableRegistry = self._app.state.registry
        registry.hang_up()
        await super().shutdown(sockets)
