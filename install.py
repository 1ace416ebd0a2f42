"""Make .venv with what serving needs, or with everything that development needs.

    python3 install.py          # what `retruco serve` needs
    python3 install.py dev      # also tests, benchmarks, every extra

`make serve` and `make test` run this on first use. It needs Python 3.11 or later and nothing else; run it
again after any failure. This file must be readable by older Pythons, so that they can say what is wrong.
"""

import os
import shutil
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(FOLDER, ".venv")
LOG = os.path.join(VENV, "install.log")
PYTHON = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin", "python")
SETS = {
    "serve": [
        ["--no-compile", "--require-hashes", "-r", "requirements/serve.txt", "-r", "requirements/build.txt"],
        ["--no-compile", "--no-deps", "--no-build-isolation", "-e", "."],
    ],
    "dev": [["-c", "constraints.txt", "-e", ".[dev]"]],
}
CAUSES = (
    ("ensurepip is not available", "Python's venv is missing (Debian: apt install python3-venv)"),
    ("No space left on device", "the disk is full"),
    ("Read-only file system", "the folder cannot be written"),
    ("Permission denied", "the folder cannot be written"),
    ("NewConnectionError", "the package index cannot be reached"),
    ("Temporary failure in name resolution", "the package index cannot be reached"),
    ("ConnectTimeoutError", "the package index cannot be reached"),
    ("ReadTimeoutError", "the package index stopped answering"),
    ("ConnectionResetError", "the package index hung up"),
    ("ProtocolError", "the package index hung up"),
    ("IncompleteRead", "the package index hung up"),
    ("error: command 'gcc' failed", "a package needs a C compiler (Debian: build-essential)"),
    ("error: Microsoft Visual C++", "a package needs a C compiler"),
    ("unable to execute 'cc'", "a package needs a C compiler (Debian: build-essential)"),
    ("No matching distribution found", "a package is not offered for this Python and system"),
    ("DO NOT MATCH THE HASHES", "a package is not the one that was pinned"),
)
ALMOST_FULL = 20 * 1024 * 1024  # bytes


class Failure(Exception):
    """Why an installation failed, in a few words."""


def main(arguments):
    """Install the set that is asked for; one line and exit code 1 if that fails."""
    name = arguments[0] if arguments else "serve"
    if sys.version_info < (3, 11):
        return fail(
            "Retruco needs Python 3.11 or later, this is %s (%s)" % (sys.version.split()[0], sys.executable)
        )
    if name not in SETS or len(arguments) > 1:
        return fail("unknown set %r: one of %s" % (" ".join(arguments), ", ".join(SETS)))
    try:
        make_venv()
        install(name)
    except OSError as error:
        return fail("cannot install: %s: %s" % (error.strerror, error.filename or VENV))
    except Failure as failure:
        return fail("cannot install: %s; run the same command again once that is mended" % failure)
    return 0


def fail(message):
    """Say in one line what is wrong."""
    sys.stderr.write("retruco: %s\n" % message)
    return 1


def make_venv():
    """Make the environment, anew if an earlier attempt left half of one."""
    if os.path.isdir(VENV) and not works():
        shutil.rmtree(VENV)
    if not os.path.isdir(VENV):
        made = subprocess.run([sys.executable, "-m", "venv", VENV], capture_output=True, text=True)
        if made.returncode != 0:
            shutil.rmtree(VENV, ignore_errors=True)
            raise Failure(meaning(made.stdout + made.stderr, "no environment can be made at %s" % VENV))


def works():
    """Whether the environment has a Python with pip, of a version that will do."""
    check = "import pip, sys; sys.exit(sys.version_info < (3, 11))"
    try:
        return (
            subprocess.call([PYTHON, "-c", check], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
        )
    except OSError:
        return False


def install(name):
    """Install packages; pip's words go into a log."""
    pip = [PYTHON, "-m", "pip", "--disable-pip-version-check", "install"]
    for number, packages in enumerate(SETS[name]):
        with open(LOG, "a" if number else "w") as log:
            done = subprocess.call(pip + packages, cwd=FOLDER, stdout=log, stderr=subprocess.STDOUT)
        if done != 0:
            with open(LOG, errors="replace") as log:
                raise Failure("%s (%s)" % (meaning(log.read(), "pip failed"), os.path.relpath(LOG)))


def meaning(text, otherwise):
    """Say what went wrong, as far as a program's own words tell."""
    known = [cause for words, cause in CAUSES if words in text]
    if shutil.disk_usage(FOLDER).free < ALMOST_FULL:
        known.append("the disk is full")  # not every program says so
    errors = [line for line in text.splitlines() if line.upper().startswith("ERROR")]
    return known[0] if known else errors[-1] if errors else otherwise


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
