"""Check Dockerfile and compose.yaml, and run the steps of the Dockerfile in a bare folder.

    python tools/check_container.py          the rules for both files
    python tools/check_container.py --run    also every step, the server and its health check

No container engine is needed. Each stage gets a folder of its own as its root, with this machine's
programs and a Python of the version that the stage asks for, both read-only; RUN, COPY, ENV, WORKDIR
and USER do there what the Dockerfile says. Then the server runs without network and privileges, with
nothing writable but the volumes, and the health check must find it. This takes root on Linux.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import yaml

from check_wheel import find_pythons
from container_files import compose_faults, docker_faults, read_dockerfile
from container_steps import build, serve
from running import Failed, run

ROOT: Final = Path(__file__).resolve().parent.parent


def check_files() -> None:
    """Refuse files that break a rule."""
    tracked = run(["git", "ls-files"], cwd=ROOT, env=dict(os.environ)).splitlines()
    stages = read_dockerfile((ROOT / "Dockerfile").read_text())
    faults = docker_faults(stages, tracked, (ROOT / ".dockerignore").read_text())
    faults += compose_faults(yaml.safe_load((ROOT / "compose.yaml").read_text()), stages[-1])
    if faults:
        raise Failed("\n".join(faults))
    print("Dockerfile, .dockerignore, compose.yaml: as they should be", flush=True)


def check_lint() -> None:
    """What hadolint says, where it is installed."""
    program = Path(sys.executable).with_name("hadolint")
    if program.exists():
        run([str(program), str(ROOT / "Dockerfile")], cwd=ROOT, env=dict(os.environ))
        print("hadolint: nothing to say", flush=True)
    else:
        print("hadolint: not on this machine", flush=True)


def run_steps(python: Path) -> None:
    """Build in a namespace of mounts that ends with the check; serve in one without network."""
    with tempfile.TemporaryDirectory() as temporary:
        for phase, isolation in (("build", ["--mount"]), ("serve", ["--mount", "--net"])):
            command = ["unshare", *isolation, "--pid", "--fork", "--kill-child", sys.executable, __file__]
            done = subprocess.run(
                [*command, "--phase", phase, "--python", str(python), "--folder", temporary]
            )
            if done.returncode != 0:
                raise Failed(f"the container does not {phase}")


def why_not_run(python: Path | None) -> str:
    """The reason why the steps cannot be run on this machine, if there is one."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root on Linux can give a step its own root folder"
    if python is None:
        return "there is no Python of the version that the Dockerfile asks for"
    if subprocess.run(
        ["unshare", "--mount", "--pid", "--net", "--fork", "true"], capture_output=True
    ).returncode:
        return "this machine gives no namespaces"
    return ""


def main() -> None:
    """Run the checks that are asked for."""
    parser = argparse.ArgumentParser(description="Check the container without a container engine.")
    parser.add_argument("--run", action="store_true", help="run the steps of the Dockerfile and the server")
    for hidden in ("--phase", "--folder", "--python"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    stages = read_dockerfile((ROOT / "Dockerfile").read_text())
    if asked.phase:  # in the namespaces that `run_steps` has made
        {"build": build, "serve": serve}[asked.phase](stages, Path(asked.folder), Path(asked.python))
        return
    check_files()
    check_lint()
    if asked.run:
        wanted = stages[-1].image.partition(":")[2].partition("-")[0]
        python = dict(find_pythons()).get(wanted)
        reason = why_not_run(python)
        if reason or python is None:
            print(f"the steps were not run: {reason}")
        else:
            run_steps(python)


if __name__ == "__main__":
    try:
        main()
    except Failed as error:
        sys.exit(f"check_container: {error}")
