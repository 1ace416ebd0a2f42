"""The command line: thin commands, each importing what it needs only when it runs."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from retruco.cli.interrupts import ended_by_ctrl_c


class Commands(TyperGroup):
    """All commands of the program."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        with ended_by_ctrl_c():
            return super().invoke(ctx)


app = typer.Typer(
    name="retruco",
    cls=Commands,
    help="Card-playing agents that learn from recorded games, decide by remembering, and show why.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
rules_app = typer.Typer(help="The variants of a game.", invoke_without_command=True)
app.add_typer(rules_app, name="rules")
cases_app = typer.Typer(help="Case bases: what agents remember.", no_args_is_help=True)
app.add_typer(cases_app, name="cases")
study_app = typer.Typer(help="Studies of what was recorded.", no_args_is_help=True)
app.add_typer(study_app, name="study")

GameName = Annotated[str, typer.Option("--game", help="Which game.")]
RulesName = Annotated[str | None, typer.Option("--rules", help="A preset; see `retruco rules`.")]
Target = Annotated[
    int | None, typer.Option("--target", help="Points to play to; the preset's own if not given.")
]
CasesName = Annotated[
    str | None, typer.Option("--cases", help="The case base to remember; see `retruco cases list`.")
]
SeedNumber = Annotated[int, typer.Option("--seed", help="Names the deals and all chance.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Workers = Annotated[int | None, typer.Option("--workers", help="Processes; one a core if not given.")]
On = Annotated[
    str, typer.Option("--on", help="Where it is played: local, ray, or ray://HOST:PORT; see docs/scale.md.")
]
MoveTime = Annotated[
    float | None,
    typer.Option(
        "--move-time",
        help="Seconds a decision may take; 60 with an agent from a file, else no limit. 0 is no limit.",
    ),
]
Records = Annotated[str | None, typer.Option(help="Keep every hand in this file, as lines of JSON.")]
KeepDecisions = Annotated[
    bool, typer.Option("--decisions", help="With records: keep each decision with its evidence.")
]
ClustersName = Annotated[
    str | None,
    typer.Option("--clusters", help="Whose groups of cases: own, or original, brought by imported hands."),
]
DealsName = Annotated[
    str | None, typer.Option("--deals", help="Fixed deals by name; see `retruco cases import-deals`.")
]
KeepGoing = Annotated[bool, typer.Option("--keep-going", help="Go on after a bad line; still exit with 2.")]


def main() -> None:
    """Run the command line; what a user got wrong is one line on stderr and exit code 2."""
    try:
        app()
    except (ValueError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            sys.stderr.close()
            raise SystemExit(0) from None
        complain(str(error))
        raise SystemExit(2) from None


def complain(message: str) -> None:
    """Say on stderr, in one line, what is wrong."""
    print("retruco:", " ".join(message.split()), file=sys.stderr)


@app.command()
def play(
    agent: Annotated[str, typer.Argument(help="Whom to play against.")] = "balanced",
    rules: RulesName = "cbtg",
    target: Target = None,
    seed: Annotated[int | None, typer.Option(help="Repeat the deals of this number.")] = None,
    cases: CasesName = None,
) -> None:
    """Sit down at a table in the terminal and play Truco against an agent."""
    from retruco.cli.play import play_in_terminal

    raise typer.Exit(play_in_terminal(agent, rules, target, seed, cases))


@app.command()
def duel(
    a: Annotated[str, typer.Argument(help="An agent's name, or path/to/file.py:ClassName.")],
    b: Annotated[str, typer.Argument(help="The other agent.")],
    game: GameName = "truco",
    rules: RulesName = None,
    target: Target = None,
    matches: Annotated[
        int | None, typer.Option(help="Duplicate pairs of matches: 100, or 20000 at most until sure.")
    ] = None,
    seed: SeedNumber = 1,
    cases: CasesName = None,
    until_sure: Annotated[
        bool, typer.Option("--until-sure", help="Stop when it is clear who is better.")
    ] = False,
    effect: Annotated[float, typer.Option(help="Until sure: points per hand worth knowing of.")] = 0.1,
    alpha: Annotated[float, typer.Option(help="Until sure: how often to claim what is not there.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Until sure: how often to miss what is there.")] = 0.05,
    workers: Workers = None,
    on: On = "local",
    move_time: MoveTime = None,
    records: Records = None,
    decisions: KeepDecisions = False,
    clusters: ClustersName = None,
    deals: DealsName = None,
    json: AsJson = False,
) -> None:
    """Let two agents play duplicate pairs of matches: the same deals twice, seats swapped."""
    from retruco.arena.sequential import Hypotheses
    from retruco.cli.duel import Wanted, run_duel

    hypotheses = Hypotheses(effect, alpha, beta) if until_sure else None
    more = (hypotheses, workers, move_time, records, decisions, clusters, deals, on)
    raise typer.Exit(run_duel(Wanted((a, b), game, rules, target, matches, seed, cases, *more), json))


@app.command()
def tournament(
    names: Annotated[list[str], typer.Argument(metavar="A B C ...", help="The agents.")],
    game: GameName = "truco",
    rules: RulesName = None,
    target: Target = None,
    matches: Annotated[int, typer.Option(help="Duplicate pairs of matches between every two.")] = 25,
    seed: SeedNumber = 1,
    cases: CasesName = None,
    workers: Workers = None,
    on: On = "local",
    move_time: MoveTime = None,
    out: Annotated[
        str | None, typer.Option(help="A folder for results, reports and what was played.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder.")] = False,
    records: Annotated[bool, typer.Option("--records", help="Keep every hand in the folder.")] = False,
    decisions: KeepDecisions = False,
    clusters: ClustersName = None,
    deals: DealsName = None,
    json: AsJson = False,
) -> None:
    """Let agents play all against all in duplicate, and report who is better and how sure that is."""
    from retruco.cli.tournament import Wanted, run_tournament

    asked = Wanted(
        tuple(names),
        game,
        rules,
        target,
        matches,
        seed,
        cases,
        move_time,
        records,
        decisions,
        clusters,
        deals,
    )
    raise typer.Exit(run_tournament(asked, workers, out, resume, json, on))


@app.command()
def table(
    names: Annotated[list[str], typer.Argument(metavar="A B C ...", help="One a seat, or one a team.")],
    game: GameName = "kuhn",
    rules: RulesName = None,
    hands: Annotated[int, typer.Option(help="Deals, each played once for every seating.")] = 1000,
    seed: SeedNumber = 1,
    cases: CasesName = None,
    workers: Workers = None,
    move_time: MoveTime = None,
    records: Records = None,
    json: AsJson = False,
) -> None:
    """Seat several agents at one table; every deal is played with everybody in every seat."""
    from retruco.cli.table import Wanted, run_table

    wanted = Wanted(tuple(names), game, rules, hands, seed, cases, move_time, records)
    raise typer.Exit(run_table(wanted, workers, json))


@app.command()
def reproduce(
    name: Annotated[
        str, typer.Argument(help="paulus2019, moral2020, paulus2020, sandven2006, seelbinder2012, or all.")
    ],
    quick: Annotated[
        bool, typer.Option("--quick", help="A fraction of the matches, to see it work.")
    ] = False,
    cases: Annotated[
        str | None,
        typer.Option("--cases", help="The case base; human if it can be had, else the embedded one."),
    ] = None,
    out: Annotated[
        str | None, typer.Option(help="A folder for results and reports; ./reproduction/... if not given.")
    ] = None,
    seed: SeedNumber = 1,
    workers: Workers = None,
    taught: Annotated[
        str | None, typer.Option(help="For moral2020: BOT5 as you have taught it, see `retruco teach`.")
    ] = None,
    on: On = "local",
) -> None:
    """Run a published experiment anew and report ours beside the published; goes on after a stop."""
    from retruco.cli.reproduce import Wanted, run_reproduce

    raise typer.Exit(run_reproduce(Wanted(name, quick, cases, out, seed, workers, taught, on)))


@app.command()
def report(
    folder: Annotated[str, typer.Argument(help="A folder with runs in it.")],
) -> None:
    """Write an index page of all runs in a folder, and each run's report anew."""
    from retruco.cli.report import write_index

    write_index(folder)


@app.command()
def agents(
    game: GameName = "truco",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the agents that can play a game."""
    from retruco.cli.lists import print_agents

    print_agents(game, json)


@rules_app.callback()
def rules_list(context: typer.Context, game: GameName = "truco") -> None:
    """List the variants; `retruco rules show NAME` prints one in full."""
    from retruco.cli.lists import print_presets

    if context.invoked_subcommand is None:
        print_presets(game)


@rules_app.command("show")
def rules_show(name: Annotated[str, typer.Argument(help="A preset, such as cbtg.")]) -> None:
    """Print the tables of one variant of Truco, from the data the engine plays by."""
    from retruco.cli.lists import print_rules

    print_rules(name)


@app.command()
def replay(
    file: Annotated[
        str, typer.Argument(help="A file of JSON hands, one a line; - for standard input.")
    ] = "-",
    keep_going: KeepGoing = False,
    phh: Annotated[
        bool, typer.Option("--phh", help="Write hands of hold'em in the Poker Hand History format.")
    ] = False,
) -> None:
    """Play recorded hands again: one JSON line each, saying where the hand stands."""
    from retruco.cli.hands import phh_lines, replay_lines

    raise typer.Exit(phh_lines(file, keep_going) if phh else replay_lines(file, keep_going))


@app.command()
def acpc(
    connect: Annotated[str | None, typer.Option(help="Play at the dealer of HOST:PORT.")] = None,
    listen: Annotated[str | None, typer.Option(help="Deal to players at these ports, one a seat.")] = None,
    agent: Annotated[str, typer.Option("--agent", help="Who plays.")] = "casey",
    rules: Annotated[str, typer.Option("--rules", help="Such as acpc-2; see `retruco rules`.")] = "acpc-2",
    cases: CasesName = None,
    hands: Annotated[int, typer.Option(help="How many hands to deal.")] = 1000,
    names: Annotated[str | None, typer.Option(help="The players' names for the log: a,b.")] = None,
    seed: SeedNumber = 1,
    log: Annotated[str | None, typer.Option(help="Write every hand to this file as it ends.")] = None,
    seconds: Annotated[float, typer.Option(help="How long to wait for the other side.")] = 600.0,
) -> None:
    """Play limit hold'em by the protocol of the computer poker competition, or deal it."""
    from retruco.cli.acpc import Wanted, run_acpc

    wanted = Wanted(connect, listen, agent, rules, cases, hands, names, seed, log, seconds)
    raise typer.Exit(run_acpc(wanted))


@app.command()
def decide(
    file: Annotated[str, typer.Argument(help="A file of unfinished JSON hands; - for standard input.")] = "-",
    agent: Annotated[
        str | None,
        typer.Option("--agent", help="Who decides; if not named, the usual agent of the game."),
    ] = None,
    game: GameName = "truco",
    cases: CasesName = None,
    clusters: ClustersName = None,
    seed: Annotated[int, typer.Option(help="Names the chance of policies that draw.")] = 1,
    table: Annotated[bool, typer.Option("--table", help="Print for people instead of JSON.")] = False,
    keep_going: KeepGoing = False,
) -> None:
    """Say what an agent would do in each hand, and why: the similar cases, the votes, the sentence."""
    from retruco.cli.decide import decide_lines, people_console, usual_agent
    from retruco.cli.progress import show_progress
    from retruco.games.registry import game_class
    from retruco.learning.case_bases import cases_named

    cases_for = cases_named(cases, show_progress, clusters)
    console = people_console() if table else None
    who, base = agent or usual_agent(game), cases or game_class(game).usual_base
    raise typer.Exit(decide_lines(file, who, cases_for, seed, keep_going, console, base, game))


BaseName = Annotated[str, typer.Argument(help="A case base; see `retruco cases list`.")]
NewName = Annotated[str, typer.Argument(help="A name that is free: letters, digits and . _ -")]


@cases_app.command("list")
def cases_list() -> None:
    """List the case bases there are."""
    from retruco.cli.cases import list_bases

    list_bases()


@cases_app.command("info")
def cases_info(
    name: BaseName, json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False
) -> None:
    """Describe a case base: its hands, its rows, its clusters."""
    from retruco.cli.cases import print_info

    print_info(name, json)


@cases_app.command("export")
def cases_export(
    name: BaseName,
    as_: Annotated[str, typer.Option("--format", help="How to write it: jsonl, csv or parquet.")] = "jsonl",
    out: Annotated[str | None, typer.Option(help="A file; standard output if not given.")] = None,
) -> None:
    """Write the hands of a case base: as records `retruco replay` reads (jsonl), or as a table."""
    from retruco.cli.cases import export_base

    export_base(name, as_, out)


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
            help="Hands that were exported, a table (165, 141, 75 or 32 columns), or a MySQL dump."
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
) -> None:
    """Import hands, exported here or recorded by another program, all or none."""
    from retruco.cli.imports import import_file

    import_file(file, into, report, complete_from or [])


@cases_app.command("import-deals")
def cases_import_deals(
    file: Annotated[str, typer.Argument(help="A JSON list of deals, six cards each.")],
    into: Annotated[str | None, typer.Option(help="Their name; that of the file if not given.")] = None,
) -> None:
    """Keep fixed deals under a name, for `retruco duel --deals NAME`."""
    from retruco.cli.imports import import_deal_file

    import_deal_file(file, into)


@study_app.command("agreement")
def study_agreement(
    cases: Annotated[str, typer.Option("--cases", help="A case base of hands that people played.")] = "human",
    quick: Annotated[bool, typer.Option("--quick", help="Ask about twenty matches only.")] = False,
    out: Annotated[str | None, typer.Option(help="A folder for the tables and the plot.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure how often each policy plays what the person played, leaving one match out."""
    from retruco.cli.study import run_agreement

    run_agreement(cases, quick, out, json)


@app.command()
def serve(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where to listen.")] = 8321,
    host: Annotated[
        str, typer.Option(help="The address to listen at; this machine only if not given.")
    ] = "127.0.0.1",
    store: Annotated[
        str | None,
        typer.Option(
            "--store", help="The file that keeps the matches; in the user's data folder if not given."
        ),
    ] = None,
    cases: CasesName = None,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="A proxy before this server speaks HTTPS with the world.")
    ] = False,
    name: Annotated[
        list[str] | None, typer.Option("--name", help="A host name under which the proxy is found.")
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open a browser at the table.")] = True,
    new_owner_key: Annotated[
        bool, typer.Option("--new-owner-key", help="Draw a new key for the laboratory and show it once.")
    ] = False,
) -> None:
    """Set the web table: play, see why, replay, in a browser on this machine."""
    from pathlib import Path

    from retruco.cli.serve import serve as serve_table
    from retruco.learning.case_bases import cases_named
    from retruco.storage.store import home

    file = Path(store) if store else home() / "table.sqlite"
    chosen, usual = cases_named(cases), cases_named()  # a base is of one game: here, of Truco
    serve_table(
        host,
        port,
        file,
        lambda game: (chosen if game == "truco" else usual)(game),
        behind_proxy,
        name or [],
        browser,
        new_owner_key,
    )


@app.command()
def prepare(
    json: Annotated[bool, typer.Option("--json", help="Print progress as lines of JSON.")] = False,
) -> None:
    """Compile the kernels and make the embedded case bases now, so that nobody waits for them later."""
    from retruco.cli.prepare import run_prepare

    run_prepare(json)


@app.command()
def bot(
    server: Annotated[str, typer.Option(help="The address of a web table, such as http://127.0.0.1:8321.")],
    agent: Annotated[str, typer.Option(help="Who plays: a name, or path/to/file.py:ClassName.")] = "balanced",
    matches: Annotated[int, typer.Option(help="How many matches, one after the other.")] = 1,
    opponent: Annotated[
        str, typer.Option(help="A level or an agent of the server, or `bot` to wait for another bot.")
    ] = "medium",
    rules: RulesName = "cbtg",
    target: Target = None,
    name: Annotated[str | None, typer.Option(help="What to be called there; the agent's name.")] = None,
    seed: Annotated[int | None, typer.Option(help="Names the agent's own chance.")] = None,
    cases: CasesName = None,
    json: AsJson = False,
) -> None:
    """Let an agent play at a web table far away, through the interface for bots."""
    from retruco.cli.bot import Wanted, run_bot
    from retruco.cli.progress import show_progress
    from retruco.learning.case_bases import cases_named

    wanted = Wanted(server, agent, matches, opponent, rules or "cbtg", target, name, seed)
    run_bot(wanted, cases_named(cases, show_progress), json)


@app.command()
def verify(
    file: Annotated[str, typer.Argument(help="A match of the web table, saved with *Download as JSON*.")],
    commitment: Annotated[
        str, typer.Option(help="What the server had committed itself to, as you noted it.")
    ] = "",
    contribution: Annotated[str, typer.Option(help="What you gave to the deals.")] = "",
    json: AsJson = False,
) -> None:
    """Check that the deals of a finished match were drawn as the server had promised."""
    from retruco.cli.verify import verify_file

    raise typer.Exit(verify_file(file, commitment, contribution, json))


Seed = Annotated[int | None, typer.Option(help="Names the deals and all chance; 1.")]


@app.command()
def learn(
    into: Annotated[str, typer.Option(help="The new case base; with --resume, the one to go on with.")],
    strategy: Annotated[
        str | None,
        typer.Option(
            help="How it learns. In Truco BOT0 to BOT5, never, new, substitution, taught, or imitation; "
            "in other games an agent that remembers, such as casey or NPS."
        ),
    ] = None,
    game: Annotated[str | None, typer.Option(help="Which game; truco.")] = None,
    rules: Annotated[
        str | None, typer.Option(help="The rules to learn by; those of the hands it begins with.")
    ] = None,
    matches: Annotated[int | None, typer.Option(help="Matches in all; 300.")] = None,
    until: Annotated[int | None, typer.Option(help="Stop when the base has so many cases.")] = None,
    seed: Seed = None,
    source: Annotated[
        str | None, typer.Option("--from", help="The case base to begin with; baseline.")
    ] = None,
    against: Annotated[str | None, typer.Option(help="A fixed opponent, on the base to begin with.")] = None,
    policies: Annotated[
        str | None, typer.Option(help="Who plays, such as NPS,PVCNPS; one is drawn a match.")
    ] = None,
    first: Annotated[int | None, typer.Option(help="Begin with so many hands; the bots with 513.")] = None,
    tutor: Annotated[str | None, typer.Option(help="An agent who shows moves, for `taught`.")] = None,
    rare: Annotated[
        str | None, typer.Option(help="Deal for flor, flor-flor, envido-envido or high-high.")
    ] = None,
    every: Annotated[int | None, typer.Option(help="Deal for it every so many hands; 4.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on after the last match.")] = False,
    curve: Annotated[str | None, typer.Option(help="A folder for a learning curve.")] = None,
    points: Annotated[int, typer.Option(help="Points of the curve.")] = 10,
    pairs: Annotated[int, typer.Option(help="Duplicate pairs a point and opponent.")] = 200,
    on: On = "local",
) -> None:
    """Learn into a new case base: play match after match and keep what is worth keeping."""
    from retruco.cli.learn import Wanted, run_learn

    some = tuple(policies.split(",")) if policies else None
    situations = tuple(rare.split(",")) if rare else None
    wanted = Wanted(
        into,
        strategy,
        matches,
        until,
        seed,
        source,
        against,
        some,
        first,
        tutor,
        situations,
        every,
        resume,
        game,
        rules,
    )
    run_learn(wanted, curve, points, pairs, on)


@app.command()
def teach(
    into: Annotated[str, typer.Option(help="The new case base; with --resume, the one to go on with.")],
    against: Annotated[str | None, typer.Option(help="Whom the bot plays against; BOT0.")] = None,
    source: Annotated[
        str | None, typer.Option("--from", help="The case base to begin with; baseline.")
    ] = None,
    first: Annotated[int | None, typer.Option(help="Begin with so many hands; 513.")] = None,
    matches: Annotated[int, typer.Option(help="Matches to sit through.")] = 1,
    seed: Seed = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a base taught before.")] = False,
) -> None:
    """Teach BOT5 in the terminal: it plays, and asks you what it does not know."""
    from retruco.cli.teach import teach_in_terminal

    raise typer.Exit(teach_in_terminal(into, against, source, first, matches, seed, resume))
