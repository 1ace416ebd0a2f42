"""The steps of a Dockerfile in bare folders, inside namespaces that end with the check."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from container_files import Stage, Step, sent_files
from running import PATIENCE, Failed, run, running

ROOT: Final = Path(__file__).resolve().parent.parent
PATH: Final = "/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin"
FROM_HERE: Final = re.compile(r"(PIP|SSL)_\w+|(https?|no)_proxy", re.IGNORECASE)
"""What a builder is told about the machine it builds on: where packages come from."""


def mount(*args: str) -> None:
    """Mount something for the time of the check."""
    run(["mount", *args], cwd=ROOT, env=dict(os.environ))


def bind_read_only(source: Path, target: Path) -> None:
    """Show a folder of this machine, for reading."""
    mount("--bind", str(source), str(target))
    mount("-o", "remount,bind,ro", str(target))


def make_base(folder: Path, python: Path) -> None:
    """A root folder with the programs of this machine and that Python, and nothing else."""
    for name in ("dev", "opt", "proc", "root", "run", "tmp", "usr", "var"):
        (folder / name).mkdir(parents=True)
    (folder / "tmp").chmod(0o1777)
    for name in ("bin", "lib", "lib64", "sbin"):
        (folder / name).symlink_to(f"usr/{name}")
    shutil.copytree("/etc", folder / "etc", symlinks=True)
    mount_base(folder, python)
    run(["chroot", str(folder), "ldconfig"], cwd=ROOT, env={"PATH": PATH})


def mount_base(folder: Path, python: Path) -> None:
    """Mount what `make_base` shows; mounts end with the namespace, the folder stays."""
    code = "import sys; print(sys.base_prefix)"
    prefix = run([str(python), "-c", code], cwd=ROOT, env=dict(os.environ)).strip()
    bind_read_only(Path("/usr"), folder / "usr")
    bind_read_only(Path(prefix), folder / "usr" / "local")
    mount("--rbind", "/dev", str(folder / "dev"))
    mount("-t", "proc", "proc", str(folder / "proc"))


class Root:
    """A stage on its way: its folder, and what ENV, WORKDIR and USER have set."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {"PATH": PATH, "HOME": "/root"}
        self.workdir, self.user = "/", ""

    def inside(self, path: str) -> Path:
        """A path of the container as a path of this machine."""
        return self.folder / os.path.normpath(os.path.join(self.workdir, path)).lstrip("/")

    def command(self, words: list[str]) -> list[str]:
        """A command as the engine would start it: in its root and folder, as its user."""
        enter = ["chroot", str(self.folder)]
        if self.user:
            enter += ["setpriv", f"--reuid={self.user}", f"--regid={self.account()[3]}", "--clear-groups"]
            enter += ["--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]
        return [*enter, "/bin/sh", "-c", 'cd "$0" && exec "$@"', self.workdir, *words]

    def account(self) -> list[str]:
        """The user in the container's own list of users: name, x, number, group, words, home, shell."""
        users = (line.split(":") for line in (self.folder / "etc" / "passwd").read_text().splitlines())
        return next(user for user in users if user[2] == self.user)

    def take(self, step: Step, others: Mapping[str, Root]) -> None:
        """Do what one instruction says; those about running the container change nothing yet."""
        if step.name == "RUN":
            self.run_step(step)
        elif step.name == "COPY":
            self.copy(step, others)
        elif step.name == "ENV":
            for name, value in re.findall(r"(\w+)=(\S+)", step.value):
                self.env[name] = value.replace("$PATH", self.env["PATH"])
        elif step.name == "WORKDIR":
            self.workdir = step.value
            self.inside(".").mkdir(parents=True, exist_ok=True)
        elif step.name == "USER":
            self.user = step.value
            self.env["HOME"] = self.account()[5]

    def run_step(self, step: Step) -> None:
        """RUN, with the cache of pip of this machine where a cache is asked for."""
        words = step.words if step.value.startswith("[") else ["/bin/sh", "-c", step.value]
        here = {name: value for name, value in os.environ.items() if FROM_HERE.fullmatch(name)}
        with self.cache(step.flags.get("mount", "")):
            run(self.command(words), cwd=ROOT, env={**here, **self.env})

    @contextmanager
    def cache(self, flag: str) -> Iterator[None]:
        """Mount the cache that a step asks for."""
        options = dict(one.split("=") for one in flag.split(",") if one)
        if options.get("type") != "cache":
            yield
            return
        source = run([sys.executable, "-m", "pip", "cache", "dir"], cwd=ROOT, env=dict(os.environ)).strip()
        target = self.inside(options["target"])
        for folder in (Path(source), target):
            folder.mkdir(parents=True, exist_ok=True)
        mount("--bind", source, str(target))
        try:
            yield
        finally:
            run(["umount", str(target)], cwd=ROOT, env=dict(os.environ))

    def copy(self, step: Step, others: Mapping[str, Root]) -> None:
        """COPY, from another stage or from what git and .dockerignore let through."""
        *sources, last = step.words
        target = self.inside(last)
        if "from" in step.flags:
            for source in sources:
                shutil.copytree(
                    others[step.flags["from"]].inside(source), target, symlinks=True, dirs_exist_ok=True
                )
            return
        tracked = run(["git", "ls-files"], cwd=ROOT, env=dict(os.environ)).splitlines()
        for file in sent_files(tracked, (ROOT / ".dockerignore").read_text()):
            for source in sources:
                if file == source or file.startswith(f"{source}/"):
                    place = target / (file.removeprefix(f"{source}/") if file != source else file)
                    place.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(ROOT / file, place)


def build(stages: list[Stage], folder: Path, python: Path) -> None:
    """Every step of every stage."""
    roots: dict[str, Root] = {}
    for number, stage in enumerate(stages):
        root = Root(folder / (stage.name or str(number)))
        make_base(root.folder, python)
        for step in stage.steps:
            start = time.monotonic()
            root.take(step, roots)
            if time.monotonic() - start > 1:
                print(f"{step.name} {step.value[:60]}...: {time.monotonic() - start:.0f} s", flush=True)
        roots[stage.name or str(number)] = root
    size = sum(one.lstat().st_size for one in (root.folder / "opt").rglob("*") if not one.is_dir())
    print(f"the last stage adds {size / 1e6:.0f} MB to its image", flush=True)


def serve(stages: list[Stage], folder: Path, python: Path) -> None:
    """The last stage as compose.yaml runs it: read-only, no privileges, volumes, health check."""
    final = stages[-1]
    root = Root(folder / (final.name or str(len(stages) - 1)))
    for step in final.steps:
        if step.name in ("ENV", "WORKDIR", "USER"):
            root.take(step, {})
    mount("--bind", str(root.folder), str(root.folder))
    mount_base(root.folder, python)
    volumes = [path for step in final.steps if step.name == "VOLUME" for path in step.words]
    for path in volumes:
        mount_volume(root, path, folder)
    mount("-t", "tmpfs", "-o", "mode=1777,size=64m", "tmpfs", str(root.folder / "tmp"))
    mount("-o", "remount,bind,ro", str(root.folder))
    set_loopback_up()
    check_writing(root, volumes)
    check_health(root, final, folder)


def mount_volume(root: Root, path: str, folder: Path) -> None:
    """A new named volume: it begins with what the image has there, owners and all."""
    source = folder / f"volume-{path.strip('/').replace('/', '-')}"
    run(["cp", "--archive", str(root.inside(path)), str(source)], cwd=ROOT, env=dict(os.environ))
    mount("--bind", str(source), str(root.inside(path)))


def check_writing(root: Root, volumes: list[str]) -> None:
    """Only the volumes and /tmp can be written."""
    code = "import pathlib, sys; [pathlib.Path(one, 'trial').touch() for one in sys.argv[1:]]"
    for path in ("/opt/retruco", "/etc", "/var", "/"):
        if start(root, ["python", "-c", code, path]).returncode == 0:
            raise Failed(f"{path} can be written")
    run(root.command(["python", "-c", code, "/tmp", *volumes]), cwd=ROOT, env=root.env)
    run(root.command(["python", "-c", "import psycopg"]), cwd=ROOT, env=root.env)


def check_health(root: Root, final: Stage, folder: Path) -> None:
    """The health check fails before the server runs, and holds once it does."""
    entry, command, health = final.last("ENTRYPOINT"), final.last("CMD"), final.last("HEALTHCHECK")
    assert command is not None
    assert health is not None
    check = json.loads(health.value.removeprefix("CMD"))
    if start(root, check).returncode == 0:
        raise Failed("the health check holds without a server")
    words = [*(entry.words if entry else ()), *command.words]
    begin = time.monotonic()
    with running(root.command(words), cwd=ROOT, env=root.env, log=folder / "serve.log"):
        while (done := start(root, check)).returncode != 0:
            if time.monotonic() - begin > PATIENCE:
                raise Failed(f"the health check does not hold: {done.stderr.decode()}")
            time.sleep(0.2)
    print(f"healthy {time.monotonic() - begin:.0f} s after its start, with nothing writable but its volumes")


def start(root: Root, words: list[str]) -> subprocess.CompletedProcess[bytes]:
    """Run a command that may fail."""
    return subprocess.run(
        root.command(words), env=root.env, capture_output=True, timeout=PATIENCE, check=False
    )


def set_loopback_up() -> None:
    """A new namespace has a loopback device that is off."""
    with socket.socket() as any_socket:
        up = struct.pack("16sh14x", b"lo", 1)
        fcntl.ioctl(any_socket, 0x8914, up)  # SIOCSIFFLAGS, IFF_UP
