"""The web table as a program: checks what it is told, then serves until it is stopped."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser
from pathlib import Path
from threading import Timer

from retruco.agents.core import CasesFor
from retruco.cli.interrupts import if_interrupted
from retruco.storage.files import close_database
from retruco.storage.store import FILE as CASES_FILE
from retruco.storage.store import close_home
from retruco.web.core.settings import LOOPBACK, Settings


def serve(
    host: str,
    port: int,
    store: Path,
    cases_for: CasesFor,
    behind_proxy: bool,
    names: list[str],
    browser: bool,
    new_owner_key: bool = False,
) -> None:
    """Serve the web table; on its own it listens to this machine only."""
    if host not in LOOPBACK and not behind_proxy:
        raise ValueError(
            f"{host} can be reached from elsewhere: put a proxy that speaks HTTPS before it and say --behind-proxy"
        )
    if behind_proxy and not names:
        raise ValueError("behind a proxy, say with --name under which host name the world finds the table")
    cases = close_home() / CASES_FILE
    if store.resolve() == cases.resolve():
        raise ValueError(f"{store} is where case bases are kept: --store takes another file")
    check_free(host, port)
    os.umask(0o077)  # what a web table writes is for its owner alone
    close_database(cases)
    from retruco.web.core.admin_key import new_key
    from retruco.web.core.app import create_app
    from retruco.web.core.server import TableServer
    from retruco.web.core.store import check_pages
    from retruco.web.tables.preparation import PREPARE, Preparation

    known = LOOPBACK | {name.lower() for name in names}
    settings = Settings(store, known, behind_proxy, cases=cases)
    check_pages(store)
    key = new_key(store, new_owner_key)
    if key is not None:
        sys.stderr.write(f"retruco: the owner's key of the laboratory, shown this once: {key}\n")
    app = create_app(settings, cases_for, preparation=Preparation(PREPARE))
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    sys.stderr.write(f"retruco: the table is set at {address}\n")
    if browser and sys.stdout.isatty() and os.environ.get("DISPLAY", sys.platform) not in ("", "linux"):
        Timer(1.0, webbrowser.open, (address,)).start()
    with if_interrupted(lambda: f"every match is kept in {store}: the next start goes on with them"):
        TableServer(app, host, port, behind_proxy).run()


def check_free(host: str, port: int) -> None:
    """Say plainly if somebody else listens there already."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as error:
            raise ValueError(
                f"cannot listen at {host}, port {port}: {error.strerror}; --port takes another"
            ) from None
