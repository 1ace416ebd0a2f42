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
    "serve": [["--no-compile", "-c", "constraints.txt", "-e", "."]],
    "dev": [["-c", "constraints.txt", "-e", ".[dev]"]],
}
CAUSES = (
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
    except subprocess.CalledProcessError:
        return fail("cannot install: %s; run the same command again once that is mended" % cause())
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
        try:
            run([sys.executable, "-m", "venv", VENV], os.devnull)
        except subprocess.CalledProcessError:
            shutil.rmtree(VENV, ignore_errors=True)
            run([sys.executable, "-m", "venv", VENV])  # again, so that its own words are seen
    with open(LOG, "w"):
        pass


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
    """Install packages, telling pip's words to a log."""
    pip = [PYTHON, "-m", "pip", "--disable-pip-version-check", "install"]
    for packages in SETS[name]:
        run(pip + packages, LOG)


def run(command, log=None):
    """Run a program in the project's folder."""
    if log is None:
        subprocess.check_call(command, cwd=FOLDER)
        return
    with open(log, "a") as out:
        subprocess.check_call(command, cwd=FOLDER, stdout=out, stderr=subprocess.STDOUT)


def cause():
    """Name why an installation failed, as far as the log tells."""
    try:
        with open(LOG, errors="replace") as log:
            text = log.read()
    except OSError:
        return "no environment could be made (Debian: apt install python3-venv)"
    known = [meaning for words, meaning in CAUSES if words in text]
    errors = [line for line in text.splitlines() if line.upper().startswith("ERROR")]
    return "%s (%s)" % (known[0] if known else errors[-1] if errors else "pip failed", os.path.relpath(LOG))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
