"""The web table as a program: checks what it is told, then serves until it is stopped."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser
from pathlib import Path
from threading import Timer

from retruco.agents.core import CasesFor
from retruco.cli.commands.live_tables import ServeOptions
from retruco.cli.interrupts import if_interrupted
from retruco.learning.case_bases import cases_named
from retruco.storage.files import close_database
from retruco.storage.store import FILE as CASES_FILE
from retruco.storage.store import close_home, home
from retruco.web.core.settings import LOOPBACK, Settings


def run_server(options: ServeOptions) -> None:
    """Serve the web table; on its own it listens to this machine only."""
    host, port = options.host, options.port
    store = Path(options.store) if options.store else home() / "table.sqlite"
    check_proxy(options)
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

    known = LOOPBACK | {name.lower() for name in options.names or ()}
    settings = Settings(store, known, options.behind_proxy, cases=cases)
    check_pages(store)
    key = new_key(store, options.new_owner_key)
    if key is not None:
        sys.stderr.write(f"retruco: the owner's key of the laboratory, shown this once: {key}\n")
    app = create_app(settings, cases_by_game(options.cases), preparation=Preparation(PREPARE))
    _announce(options)
    with if_interrupted(lambda: f"every match is kept in {store}: the next start goes on with them"):
        TableServer(app, host, port, options.behind_proxy).run()


def _announce(options: ServeOptions) -> None:
    """Print the address of the table, and open a browser there where there is a desktop."""
    host = f"[{options.host}]" if ":" in options.host else options.host
    address = f"http://{host}:{options.port}/"
    sys.stderr.write(f"retruco: the table is set at {address}\n")
    has_desktop = os.environ.get("DISPLAY", sys.platform) not in ("", "linux")
    if options.browser and sys.stdout.isatty() and has_desktop:
        Timer(1.0, webbrowser.open, (address,)).start()


def check_proxy(options: ServeOptions) -> None:
    """Refuse an address that others can reach without a proxy, and a proxy without a host name."""
    if options.host not in LOOPBACK and not options.behind_proxy:
        raise ValueError(
            f"{options.host} can be reached from elsewhere: put a proxy that speaks HTTPS before it and say --behind-proxy"
        )
    if options.behind_proxy and not options.names:
        raise ValueError("behind a proxy, say with --name under which host name the world finds the table")


def cases_by_game(name: str | None) -> CasesFor:
    """The case base of a name for Truco, since a base is of one game; the usual ones for the others."""
    truco_cases, usual_cases = cases_named(name), cases_named()
    return lambda game, version=None: (truco_cases if game == "truco" else usual_cases)(game, version)


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
