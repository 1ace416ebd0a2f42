"""A command takes its options as one object; its result is the exit code."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from retruco.cli.commands.contests import DuelOptions
from retruco.cli.options import AsJson, add_command


@dataclass(frozen=True, kw_only=True)
class CountOptions:
    """An argument, an option with a name of its own and one named by its field."""

    words: Annotated[list[str], typer.Argument()]
    exit_code: Annotated[int | None, typer.Option()] = None
    as_json: AsJson = False


def count(options: CountOptions) -> int | None:
    """Count words."""
    typer.echo(repr(options))
    return options.exit_code


def run(*args: str) -> tuple[int, str]:
    app = typer.Typer()
    add_command(app, count)
    result = CliRunner().invoke(app, args)
    return result.exit_code, result.output.strip()


def test_every_field_is_an_argument_or_an_option() -> None:
    given = CountOptions(words=["a", "b"], exit_code=3, as_json=True)
    assert run("a", "b", "--json", "--exit-code", "3") == (3, repr(given))


def test_fields_that_are_not_given_keep_their_defaults_and_no_code_is_success() -> None:
    assert run("a") == (0, repr(CountOptions(words=["a"])))


def test_a_missing_argument_is_refused() -> None:
    code, output = run("--json")
    assert code == 2
    assert "Missing argument" in output


def test_options_are_built_by_keyword_and_do_not_change() -> None:
    with pytest.raises(TypeError, match="positional"):
        DuelOptions("random", "novice")  # type: ignore[call-arg]  # wrong on purpose
    options = DuelOptions(a="random", b="novice")
    with pytest.raises(FrozenInstanceError):
        options.seed = 2  # type: ignore[misc]  # wrong on purpose
