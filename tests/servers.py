"""PostgreSQL and MariaDB on this machine alone: started in a folder of their own, killed, stopped.

As a program it runs another one with both servers at hand, as far as they are installed, and stops
them when that one ends:

    python3 tests/servers.py .venv/bin/pytest tests/storage

It needs nothing but Python and the servers' own programs, as Debian's packages bring them. A
server refuses to be run by root; root runs it as the user that its package has made.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from waiting import wait_until

PATIENCE = 60
"""Seconds that a server has to come up or to go down."""
HIDE = "RETRUCO_TEST_HIDE"
"""The environment variable that names programs which are treated as missing."""


class NotInstalled(Exception):
    """The server's programs, or the user that root runs them as, are not on this machine, or hidden."""


def find_program(*names: str) -> str:
    """The path of the first of these programs that is installed."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise NotInstalled(f"there is no {names[0]} on this machine")
    return found


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Server:
    """A database server in a folder of its own, reached over loopback with a password."""

    name = ""
    account = ""
    """Whom root runs it as."""
    user, password = "retruco", "quiero-retruco"

    def __init__(self, folder: Path, port: int | None = None) -> None:
        self.look()
        self.folder, self.port = folder, port or free_port()
        self.process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            shutil.chown(folder, self.account)
        self.make()

    @classmethod
    def look(cls) -> dict[str, str]:
        """Find its programs, and the user that root runs them as."""
        if cls.name in os.environ.get(HIDE, "").split():
            raise NotInstalled(f"{cls.name} is hidden by {HIDE}")
        if os.geteuid() == 0:
            try:
                pwd.getpwnam(cls.account)
            except KeyError:
                raise NotInstalled(f"there is no user {cls.account} on this machine") from None
        return cls.programs()

    @classmethod
    def programs(cls) -> dict[str, str]:
        """The paths of its programs."""
        raise NotImplementedError

    @property
    def url(self) -> str:
        """The address of its first database, for the one user it knows."""
        return f"{self.name}://{self.user}:{self.password}@127.0.0.1:{self.port}/retruco"

    def make(self) -> None:
        """Lay out its data."""
        raise NotImplementedError

    def command(self) -> list[str]:
        """How it is started."""
        raise NotImplementedError

    def welcome(self) -> bool:
        """Whether it answers, with the user and the database made."""
        raise NotImplementedError

    def run(self, command: Sequence[str], **more: object) -> subprocess.CompletedProcess[str]:
        """Run one of its programs to its end."""
        return subprocess.run(  # type: ignore[call-overload,no-any-return]
            self._as_account(command), check=True, capture_output=True, text=True, cwd=self.folder, **more
        )

    def _as_account(self, command: Sequence[str]) -> list[str]:
        return ["runuser", "-u", self.account, "--", *command] if os.geteuid() == 0 else list(command)

    def start(self) -> None:
        """Start it and wait until it answers."""
        # The process itself changes its user, so that a signal reaches the server and no wrapper.
        who, groups = (self.account, list[str]()) if os.geteuid() == 0 else (None, None)
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                stdout=log,
                stderr=log,
                cwd=self.folder,
                user=who,
                group=who,
                extra_groups=groups,
            )
        process = self.process
        wait_until(lambda: process.poll() is not None or self.welcome(), f"{self.name} starts", PATIENCE)
        if process.poll() is not None:
            raise RuntimeError(f"{self.name} does not start: {(self.folder / 'log').read_text()[-2000:]}")

    def kill(self) -> None:
        """End it as a loss of power would end it: without a word."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask it to end, without waiting for those who are still connected."""
        self._end(signal.SIGINT if self.name == "postgresql" else signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self.process is not None:
            if self.process.poll() is None:
                self.process.send_signal(how)
            self.process.wait(PATIENCE)
            self.process = None


class PostgreSQL(Server):
    """PostgreSQL; every commit is on the disk when it is acknowledged, as the server has it by itself."""

    name, account = "postgresql", "postgres"

    @classmethod
    def programs(cls) -> dict[str, str]:
        places = [Path(), *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
        initdb = Path(find_program(*(str(place / "initdb") for place in places))).resolve()
        return {name: find_program(str(initdb.parent / name)) for name in ("initdb", "postgres", "psql")}

    def make(self) -> None:
        secret = self.folder / "secret"
        secret.write_text(self.password)
        secret.chmod(0o644)
        how = ["-A", "scram-sha-256", "-E", "UTF8", "--locale=C.UTF-8", "--wal-segsize=1", "--no-sync"]
        self.run([self.programs()["initdb"], "-D", "data", "-U", self.user, f"--pwfile={secret}", *how])

    def command(self) -> list[str]:
        listen = ["-h", "127.0.0.1", "-p", str(self.port), "-k", "", "-c", "min_wal_size=2MB"]
        return [self.programs()["postgres"], "-D", str(self.folder / "data"), *listen]

    def welcome(self) -> bool:
        where = ["-h", "127.0.0.1", "-p", str(self.port), "-U", self.user]
        environment = {**os.environ, "PGPASSWORD": self.password}
        psql = [self.programs()["psql"], *where, "-d", "postgres", "-Atqc"]
        asked = subprocess.run(
            [*psql, "SELECT 1 FROM pg_database WHERE datname = 'retruco'"],
            env=environment,
            capture_output=True,
            text=True,
        )
        if asked.returncode == 0 and not asked.stdout:
            subprocess.run([*psql, "CREATE DATABASE retruco"], env=environment, check=True)
        return asked.returncode == 0


class MariaDB(Server):
    """MariaDB; every commit is on the disk when it is acknowledged, as the server has it by itself."""

    name, account = "mariadb", "mysql"

    @classmethod
    def programs(cls) -> dict[str, str]:
        return {
            "install": find_program("mariadb-install-db"),
            "server": find_program("mariadbd", "/usr/sbin/mariadbd"),
            "client": find_program("mariadb", "mysql"),
        }

    def make(self) -> None:
        owner = self.account if os.geteuid() == 0 else getpass.getuser()
        how = ["--auth-root-authentication-method=normal", "--skip-test-db", f"--user={owner}"]
        self.run([self.programs()["install"], "--no-defaults", f"--datadir={self.folder / 'data'}", *how])
        (self.folder / "welcome.sql").write_text(
            "CREATE DATABASE IF NOT EXISTS retruco;\n"
            f"CREATE USER IF NOT EXISTS '{self.user}'@'127.0.0.1' IDENTIFIED BY '{self.password}';\n"
            f"GRANT ALL ON *.* TO '{self.user}'@'127.0.0.1' WITH GRANT OPTION;\n"
            "DROP USER IF EXISTS 'root'@'localhost';\n"
        )

    def command(self) -> list[str]:
        here = {
            "datadir": self.folder / "data",
            "socket": self.folder / "socket",
            "pid-file": self.folder / "pid",
            "init-file": self.folder / "welcome.sql",
            "bind-address": "127.0.0.1",
            "port": self.port,
            "innodb-log-file-size": "16M",
        }
        named = [f"--{name}={value}" for name, value in here.items()]
        return [self.programs()["server"], "--no-defaults", *named, "--skip-name-resolve"]

    def welcome(self) -> bool:
        where = ["-h", "127.0.0.1", "-P", str(self.port), "-u", self.user, "retruco", "-e", "SELECT 1"]
        environment = {**os.environ, "MYSQL_PWD": self.password}
        asked = subprocess.run(
            [self.programs()["client"], "--no-defaults", *where], env=environment, capture_output=True
        )
        return asked.returncode == 0


KINDS: dict[str, type[Server]] = {"postgresql": PostgreSQL, "mariadb": MariaDB}
VARIABLES = {"postgresql": "RETRUCO_TEST_POSTGRES", "mariadb": "RETRUCO_TEST_MARIADB"}
"""Where the tests look for the address of a server that they may make databases on."""


@contextlib.contextmanager
def running(kind: str, folder: Path | None = None) -> Iterator[Server]:
    """Have a server, in a new folder unless one is given; it is stopped and its data are gone afterwards."""
    with contextlib.ExitStack() as stack:
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="retruco-")))
            folder.chmod(0o755)
        server = KINDS[kind](folder / kind)
        stack.callback(server.stop)
        server.start()
        yield server


def startable() -> Iterator[str]:
    """The servers that are installed and not running for the tests already."""
    for kind, server in KINDS.items():
        with contextlib.suppress(NotInstalled):
            server.look()
            if not os.environ.get(VARIABLES[kind]):
                yield kind


def main(command: Sequence[str]) -> int:
    """Run a command with the servers at hand; give back its exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with contextlib.ExitStack() as stack:
        found = {VARIABLES[kind]: stack.enter_context(running(kind)).url for kind in startable()}
        return subprocess.run(command, env={**os.environ, **found}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
