"""What a new user waits for: a clean clone, `make serve` to the first page, and what it takes on the disk.

    python3 benchmarks/install.py             # serving only
    python3 benchmarks/install.py --dev       # also everything that the tests need

Every run starts from a clean clone, a fresh environment and an empty data folder; pip's download cache is
used if there is one. Prints one line of JSON a measurement.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
PATIENCE = 1200


def megabytes(folder: Path) -> int:
    """What a folder takes on the disk."""
    return round(sum(file.lstat().st_size for file in folder.rglob("*")) / 1e6)


def answers(address: str) -> bool:
    """Whether a page is there."""
    try:
        with urllib.request.urlopen(address, timeout=10) as page:
            return bool(page.status == 200)
    except OSError:
        return False


def wait_for(there: Callable[[], bool], process: subprocess.Popen[bytes]) -> float:
    """Give the seconds until something is there."""
    start = time.monotonic()
    while not there():
        if process.poll() is not None or time.monotonic() - start > PATIENCE:
            raise SystemExit("the server does not come up")
        time.sleep(0.1)
    return time.monotonic() - start


def measure_serving(clone: Path, home: Path) -> dict[str, object]:
    """Serve from a clean clone; give the seconds to the first page and to the first ready memory."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "RETRUCO_HOME": str(home), "NUMBA_CACHE_DIR": str(home / "compiled")}
    start = time.monotonic()
    subprocess.run(["make", ".venv/.serve-ready"], cwd=clone, check=True, stdout=sys.stderr)
    installed = time.monotonic() - start
    server = subprocess.Popen(
        [str(clone / ".venv/bin/retruco"), "serve", "--port", str(port), "--no-browser"],
        env=environment,
        cwd=clone,
    )
    try:
        page = installed + wait_for(lambda: answers(f"http://127.0.0.1:{port}/"), server)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)
    return {
        "what": "make serve",
        "installed_s": round(installed, 1),
        "first_page_s": round(page, 1),
        "venv_mb": megabytes(clone / ".venv"),
    }


def measure_dev(clone: Path) -> dict[str, object]:
    """Install everything that the checks need."""
    start = time.monotonic()
    subprocess.run(["make", "setup"], cwd=clone, check=True, stdout=sys.stderr)
    return {
        "what": "make setup",
        "installed_s": round(time.monotonic() - start, 1),
        "venv_mb": megabytes(clone / ".venv"),
    }


def main() -> None:
    """Measure what is asked for."""
    with tempfile.TemporaryDirectory(prefix="retruco-install-") as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        print(json.dumps(measure_serving(clone, Path(folder) / "home")), flush=True)
        if "--dev" in sys.argv:
            print(json.dumps(measure_dev(clone)), flush=True)


if __name__ == "__main__":
    main()
