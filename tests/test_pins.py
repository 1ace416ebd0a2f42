"""The pins are exactly what pyproject.toml leads to, with hashes and nothing else."""

from importlib.metadata import version

import pytest

from pins import BUILD, POSTGRESQL, SERVE, Pins, differences, entries, read_constraints, read_pins

HASH = "--hash=sha256:" + "0" * 64

PROJECT = {
    "build-system": {"requires": []},
    "project": {
        "dependencies": ["uvicorn", "colorama; sys_platform == 'win32'"],
        "optional-dependencies": {"postgresql": []},
    },
}
"""Uvicorn asks for click and h11."""


def pins_of(*lines: str) -> Pins:
    return read_pins("".join(f"{line} \\\n    {HASH}\n" for line in lines), SERVE)


def serve_pins() -> list[str]:
    names = ("click", "h11", "uvicorn")
    return [*(f"{name}=={version(name)}" for name in names), "colorama==0.4.6 ; sys_platform == 'win32'"]


def faults(*lines: str, constraints: str = "") -> list[str]:
    files = {SERVE: pins_of(*lines), POSTGRESQL: pins_of(), BUILD: pins_of()}
    return list(differences(PROJECT, files, read_constraints(constraints)))


def test_pins_of_every_dependency_are_accepted() -> None:
    assert faults(*serve_pins()) == []


def test_a_dependency_of_a_dependency_is_missed() -> None:
    (fault,) = faults(*(one for one in serve_pins() if not one.startswith("h11")))
    assert fault.startswith("serve.txt: h11 is needed and not pinned on darwin arm64")


def test_what_windows_alone_needs_is_missed() -> None:
    assert faults(*serve_pins()[:3]) == ["serve.txt: colorama is needed and not pinned on win32 AMD64"]


def test_what_nobody_needs_is_refused() -> None:
    (fault,) = faults(*serve_pins(), "rich==1.0 ; sys_platform == 'win32'")[:1]
    assert fault == "serve.txt: rich is pinned and not needed on win32 AMD64"


def test_a_version_that_the_checks_do_not_run_with_is_refused() -> None:
    assert faults(*serve_pins(), constraints="h11==0.1  # old\n") == [
        f"serve.txt: h11 is {version('h11')}, in constraints.txt 0.1"
    ]


def test_a_version_that_is_not_installed_is_refused() -> None:
    other = [one.replace(version("h11"), "0.1") if one.startswith("h11") else one for one in serve_pins()]
    assert faults(*other) == [f"serve.txt: h11 is 0.1, but {version('h11')} is installed"]


@pytest.mark.parametrize(
    "text",
    [
        "h11==0.16.0\n",
        f"h11>=0.16.0 \\\n    {HASH}\n",
        "--index-url https://example.org/simple\n",
        f"h11 @ https://example.org/h11.whl \\\n    {HASH}\n",
        "h11==0.16.0 \\\n    --hash=md5:00\n",
    ],
)
def test_a_line_without_hash_or_with_an_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"serve\.txt: entry 1 is not name==version with its hashes"):
        read_pins(text, SERVE)


def test_entries_are_parted_with_their_hashes() -> None:
    text = f"a==1 \\\n    {HASH} \\\n    {HASH}\nb==2 \\\n    {HASH}\n"
    assert [one.splitlines()[0] for one in entries(text)] == ["a==1 \\", "b==2 \\"]
    assert "".join(entries(text)) == text
