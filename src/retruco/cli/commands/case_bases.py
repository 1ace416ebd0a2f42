"""Case bases: `cases list`, `cases info`, `cases import` and the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from retruco.cli.options import AsJson

cases_app = typer.Typer(help="Case bases: what agents remember.", no_args_is_help=True)

BaseName = Annotated[str, typer.Argument(help="A case base; see `retruco cases list`.")]
NewName = Annotated[str, typer.Argument(help="A name that is free: letters, digits and . _ -")]


@cases_app.command("list")
def cases_list() -> None:
    """List the case bases there are."""
    from retruco.cli.cases import list_bases

    list_bases()


@cases_app.command("info")
def cases_info(name: BaseName, as_json: AsJson = False) -> None:
    """Describe a case base: its hands, its rows, its clusters."""
    from retruco.cli.cases import print_info

    print_info(name, as_json)


@cases_app.command("export")
def cases_export(
    name: BaseName,
    file_format: Annotated[
        str, typer.Option("--format", help="How to write it: jsonl, csv or parquet.")
    ] = "jsonl",
    out: Annotated[str | None, typer.Option(help="A file; standard output if not given.")] = None,
) -> None:
    """Write the hands of a case base: as records `retruco replay` reads (jsonl), or as a table."""
    from retruco.cli.cases import export_base

    export_base(name, file_format, out)


@cases_app.command("copy")
def cases_copy(name: BaseName, new: NewName) -> None:
    """Copy a case base; the copy can be changed."""
    from retruco.cli.cases import copy_base

    copy_base(name, new)


@cases_app.command("rename")
def cases_rename(name: BaseName, new: NewName) -> None:
    """Give a case base another name."""
    from retruco.cli.cases import rename_base

    rename_base(name, new)


@cases_app.command("delete")
def cases_delete(
    name: BaseName, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False
) -> None:
    """Delete a case base with all its hands."""
    from retruco.cli.cases import delete_base

    delete_base(name, yes)


@cases_app.command("merge")
def cases_merge(
    names: Annotated[list[str], typer.Argument(help="Two or more case bases of one game.")],
    into: Annotated[str, typer.Option(help="The name of the new case base.")],
) -> None:
    """Make a new case base of the hands of several."""
    from retruco.cli.cases import merge_bases

    merge_bases(names, into)


@cases_app.command("weights")
def cases_weights(
    name: BaseName,
    goal: Annotated[str, typer.Option("--by", help="Learn from answers or from results.")] = "answers",
    vocabulary: Annotated[
        int | None, typer.Option(help="The version of the vocabulary; the first if not given.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Learn how much each feature should count, and measure what that brings beside equal weights."""
    from retruco.cli.case_weights import show_weights

    show_weights(name, goal, vocabulary, as_json)


@cases_app.command("clusters")
def cases_clusters(
    name: BaseName,
    out: Annotated[str | None, typer.Option(help="A folder for the plot; ./clusters-NAME.")] = None,
) -> None:
    """Show what the clusters of a case base are like, and plot how their number was chosen."""
    from retruco.cli.cases import show_clusters

    show_clusters(name, out)


@cases_app.command("import")
def cases_import(
    file: Annotated[
        str,
        typer.Argument(
            help="Hands of `cases export`, `duel --records` or `tournament --records`, a table "
            "(165, 141, 75 or 32 columns), or a MySQL dump."
        ),
    ],
    into: Annotated[str, typer.Option(help="The name of the new case base.")],
    report: Annotated[
        str | None, typer.Option(help="Write every finding as JSON lines, or the counts as Markdown (.md).")
    ] = None,
    complete_from: Annotated[
        list[str] | None,
        typer.Option(help="A richer table in which rows may be found whole; may be repeated."),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            help="Whose view of recorded hands: 0, 1, both (every seat), winner, or an agent by its name."
        ),
    ] = None,
) -> None:
    """Import hands, exported or recorded here or by another program, all or none."""
    from retruco.cli.case_imports import import_file

    import_file(file, into, report, complete_from or [], seat)


@dataclass(frozen=True, slots=True)
class MaintainOptions:
    """The options of `cases maintain`."""

    name: str
    way: str
    keep: str
    out: str | None = None
    dry_run: bool = False
    seed: int = 1
    matches: int = 50
    as_json: bool = False


@cases_app.command("maintain")
def cases_maintain(
    name: BaseName,
    way: Annotated[
        str,
        typer.Option(
            "--by",
            help="What to keep: the hands of most use, most competence or least harm, or hands by chance.",
        ),
    ],
    keep: Annotated[str, typer.Option(help="How much to keep: a share (0.2 or 20%) or a number of hands.")],
    out: Annotated[str | None, typer.Option(help="The name of the new, smaller case base.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be kept.")] = False,
    seed: Annotated[int, typer.Option(help="Names all chance.")] = 1,
    matches: Annotated[
        int, typer.Option(help="By use: matches to count in, where the store has counted none.")
    ] = 50,
    as_json: AsJson = False,
) -> None:
    """Make a smaller case base of the hands that matter; the base itself stays as it is."""
    from retruco.cli.maintain import run_maintain

    run_maintain(MaintainOptions(name, way, keep, out, dry_run, seed, matches, as_json))


@cases_app.command("import-deals")
def cases_import_deals(
    file: Annotated[str, typer.Argument(help="A JSON list of deals, six cards each.")],
    into: Annotated[str | None, typer.Option(help="Their name; that of the file if not given.")] = None,
) -> None:
    """Keep fixed deals under a name, for `retruco duel --deals NAME`."""
    from retruco.cli.case_imports import import_deal_file

    import_deal_file(file, into)
