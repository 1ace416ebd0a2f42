"""The reference pages of the documentation site, generated from the program itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import typer

import retruco
from retruco.cli import app

API: Final = {
    "games": ("Games", ("streams", "games.core", "games.registry", "games.records", "games.truco", "games.check")),
    "agents": ("Agents", ("agents.core", "agents.registry", "agents.case_based", "agents.solver", "parts")),
    "cases": (
        "Case-based reasoning",
        ("cbr.vocabulary", "cbr.case", "cbr.casebase", "cbr.modes", "cbr.similarity", "cbr.reuse", "cbr.tallies", "cbr.summary", "cbr.revise", "cbr.retain", "cbr.clusters", "cbr.weights"),
    ),
    "storage": ("Storage", ("storage.store", "storage.library", "storage.reading")),
    "matches": ("Matches and statistics", ("arena.match", "arena.duel", "arena.tournament", "arena.table", "arena.stats", "arena.ratings", "arena.sequential")),
    "learning": ("Learning and experiments", ("learning.loop", "learning.registry", "experiments.study", "experiments.contest", "experiments.conclusions")),
    "interfaces": ("Interfaces to other libraries", ("interfaces.pettingzoo", "interfaces.gymnasium", "interfaces.vector", "interfaces.openspiel", "interfaces.sklearn", "interfaces.cbrkit", "interfaces.frames")),
    "solver": ("Solver", ("solver",)),
}  # fmt: skip
"""The modules that people build on, by page; their docstrings make the page."""


def api_pages() -> dict[str, str]:
    """A page of the Python API for each group of modules."""
    return {f"reference/api/{name}.md": api_page(title, modules) for name, (title, modules) in API.items()}


def api_page(title: str, modules: tuple[str, ...]) -> str:
    """The docstrings of some modules."""
    return (
        f"---\nsearch: {{boost: 0.3}}\n---\n\n# {title}\n\n"
        + "\n\n".join(f"::: retruco.{module}" for module in modules)
        + "\n"
    )


def options_page() -> str:
    """Every command with its arguments and options, as `--help` shows them."""
    head = f"# Options of every command\n\nGenerated from the commands of version {retruco.__version__}.\n"
    return head + "".join(describe_command(name, command) for name, command in commands())


def commands() -> Iterator[tuple[str, Any]]:
    """Every command by its full name, in the order of `retruco --help`."""
    waiting: list[tuple[str, Any]] = [("retruco", typer.main.get_command(app))]
    while waiting:
        name, command = waiting.pop(0)
        children = getattr(command, "commands", None)
        if children is None or getattr(command, "invoke_without_command", False):
            yield name, command
        waiting = [(f"{name} {word}", child) for word, child in (children or {}).items()] + waiting


def describe_command(name: str, command: Any) -> str:
    """The heading, purpose and options of one command."""
    usage = " ".join([name, *command.collect_usage_pieces(command.context_class(command))])
    rows = "".join(describe_parameter(one) for one in command.params if not getattr(one, "hidden", False))
    table = f"\n| argument or option | default | what it does |\n|---|---|---|\n{rows}" if rows else ""
    return f"\n## {name}\n\n{command.help or ''}\n\n```\n{usage}\n```\n{table}"


def describe_parameter(parameter: Any) -> str:
    """A row of the table of options."""
    is_option = parameter.param_type_name == "option"
    names = [*parameter.opts, *parameter.secondary_opts] if is_option else [parameter.name.upper()]
    shown = ", ".join(f"`{name}`" for name in names)
    default = parameter.default
    is_plain = isinstance(default, (int, float, str)) and not isinstance(default, bool)
    text = (parameter.help or "").replace("|", "\\|").replace("\n", " ")
    return f"| {shown} | {f'`{default}`' if is_plain else ''} | {text} |\n"


def json_page() -> str:
    """Every route of the JSON interface, as `/openapi.json` describes it."""
    from retruco.web.core.app import create_app
    from retruco.web.core.settings import Settings

    paths: Mapping[str, Mapping[str, Any]] = create_app(Settings(Path("table.sqlite"))).openapi()["paths"]
    rows = [describe_route(path, methods) for path, methods in paths.items() if path.startswith("/api/")]
    return f"{JSON_HEAD}{''.join(sorted(rows))}"


JSON_HEAD: Final = """# JSON interface

A running table describes its interface at `/openapi.json`, with every field, and shows it at `/api`.
[Write a bot](../bots.md) explains how a program plays. Generated from the routes:

| route | what it does |
|---|---|
"""


def describe_route(path: str, methods: Mapping[str, Any]) -> str:
    """The rows of the table of routes for one address."""
    rows = (f"| `{method.upper()} {path}` | {about(route)} |\n" for method, route in methods.items())
    return "".join(rows)


def about(route: Mapping[str, Any]) -> str:
    """The purpose of a route, in one line."""
    text: str = route.get("description") or route.get("summary") or ""
    return text.replace("\n", " ").replace("|", "\\|")
