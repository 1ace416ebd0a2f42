"""`retruco learn`: check the options, then learn match by match; each match is stored when it ends."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from retruco.agents.registry import find_agent
from retruco.arena.pool import LOCAL, Spread, cores, pool_for
from retruco.cbr.casebase import CaseBase
from retruco.cbr.retain import FORGETTING
from retruco.cli.cases import now, open_library
from retruco.cli.commands.learning import LearnOptions
from retruco.cli.interrupts import if_interrupted
from retruco.games.registry import USUAL_GAME, find_game, game_class
from retruco.games.truco.state import STAGES
from retruco.learning.checkpoints import WHOLE, Standing
from retruco.learning.curve import ITSELF, Curve
from retruco.learning.learners import EXPERT, Plan
from retruco.learning.loop import After, LearningLoop, silent
from retruco.learning.reclustering import Groups
from retruco.learning.registry import find_learning, find_plan, find_training
from retruco.learning.starting import clusters_of, first_cases, frozen_cases, scripted_tutor
from retruco.learning.training import find_learner
from retruco.learning.tutor import PERSON, Tutor
from retruco.storage import runs
from retruco.storage.library import Base, Library, vocabulary_of
from retruco.vocab.truco.rows import entry_stage, for_stage

MATCHES: Final = 300
"""How many matches are played if nothing is said (Moral 2020)."""


def plan_changes(options: LearnOptions) -> dict[str, Any]:
    """What the options change in the strategy's own plan."""
    lists = {"policies": options.policies, "rare": options.rare}
    names = {field.name for field in fields(Plan)} & {field.name for field in fields(LearnOptions)}
    given = {name: getattr(options, name) for name in names - {"strategy", *lists}}
    if options.strategy == EXPERT.learner and options.tutor:
        lists["policies"], given["tutor"] = options.tutor, None  # the tutors of an expert's hands play them
    given |= {name: tuple(text.split(",")) if text else None for name, text in lists.items()}
    return {name: value for name, value in given.items() if value is not None}


def check_numbers(options: LearnOptions) -> None:
    """Refuse numbers that cannot be."""
    for name in ("matches", "until", "first", "every", "limit", "points", "pairs"):
        value = getattr(options, name)
        if value is not None and value < 1:
            raise ValueError(f"--{name} must be at least 1, not {value}")
    if options.bluffs is not None and not 0 <= options.bluffs <= 1:
        raise ValueError(f"--bluffs must be from 0 to 1, not {options.bluffs}")
    if options.forget is not None and options.forget not in FORGETTING:
        raise ValueError(f"--forget must be one of {', '.join(FORGETTING)}, not {options.forget!r}")
    if options.forget is not None and options.limit is None and not options.resume:
        raise ValueError("--forget needs --limit, the number of cases above which to forget")


def check_curve(options: LearnOptions) -> None:
    """Refuse other machines where there is no curve to play for, and a folder that cannot be, before hours of learning."""
    if options.on != LOCAL and options.curve is None:
        raise ValueError(
            f"--on {options.on} plays the duels of a learning curve, and needs --curve DIR: "
            "a learner's matches build on each other, and are played one after the other"
        )
    if options.curve is not None:
        try:
            Path(options.curve).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(
                f"--curve {options.curve} cannot be a folder for the curve: {error.strerror}"
            ) from error


# Begin and resume a run


def make_plan(options: LearnOptions) -> Plan:
    """Turn options into a plan; refuse agents that are unknown."""
    check_numbers(options)
    game = options.game or USUAL_GAME
    game_class(game)  # refuses a game that there is not
    plan = find_plan(game, options.strategy, **plan_changes(options))
    words = vocabulary_of(game, plan.vocabulary).VOCABULARY
    training = find_training(game)
    if options.source and options.first is None and not training.plays_by_start and plan.first == 0:
        plan = replace(plan, first=None)
    tutors = [] if plan.tutor in (None, PERSON) else plan.tutor.split(",")
    cases = CaseBase(words)
    for name in plan.policies:
        find_learner(name, game, cases)
    for name in sorted({*(plan.against or "").split(","), *tutors} - {""}):
        find_agent(name, game, lambda *_: cases)
    training.check(plan)
    return plan


def begin_run(library: Library, options: LearnOptions) -> None:
    """Make the base of a new run."""
    plan = make_plan(options)
    source = options.source or (game_class(plan.game).usual_base if plan.first != 0 else None)
    if source is None:
        begin_with_nothing(library, options.into, plan, options.rules)
        return
    base = library.open(source, plan.game)
    rules = rules_of(base, options.rules)
    check_table(plan, rules)
    start = runs.Start(
        source if plan.first != 0 else None,
        options.into,
        {"plan": plan.as_json(), "source": source, "digest": base.facts.digest, "rules": rules},
        f"from {source}, {plan.sentence}",
        now(),
        plan.first,
        STAGES if plan.staged else (),
        clusters_of(first_cases(base.cases, plan.first)) if plan.first else {},
        plan.game,
        rules,
    )
    runs.begin(library, start, for_stage)


def begin_with_nothing(library: Library, into: str, plan: Plan, rules: str | None) -> None:
    """Make the base of a run that begins without hands."""
    rules = rules or find_learning(plan.game).rules or game_class(plan.game).presets()[0]
    check_table(plan, rules)
    settings = {"plan": plan.as_json(), "source": None, "digest": None, "rules": rules}
    start = runs.Start(None, into, settings, plan.sentence, now(), game=plan.game, rules=rules)
    runs.begin(library, start, for_stage)


def check_table(plan: Plan, rules: str) -> None:
    """Refuse a plan that does not fit the rules by which it would be played."""
    find_training(plan.game).check_table(plan, find_game(plan.game, rules))


def rules_of(base: Base, wanted: str | None) -> str:
    """Name the rules to learn by: those of the base's hands, or one of several that the user names."""
    if wanted is not None and wanted not in base.facts.rules.split(", "):
        raise ValueError(f"case base {base.name!r} has hands by {base.facts.rules}, not by {wanted!r}")
    rules = wanted or base.facts.rules
    if rules not in game_class(base.facts.game).presets():
        raise ValueError(
            f"case base {base.name!r} has hands by {rules}: "
            "learning needs hands by one set of rules, which --rules can name"
        )
    return rules


def check_same(options: LearnOptions, settings: dict[str, Any]) -> None:
    """Refuse to go on with a run by other settings than its own."""
    stored = {**Plan.of(settings["plan"]).as_json(), "source": settings["source"], "rules": settings["rules"]}
    asked = {"learner": options.strategy, "source": options.source, "rules": options.rules}
    for name, value in {**plan_changes(options), **asked}.items():
        has = stored[name]
        if value is not None and value != (tuple(has) if isinstance(has, list) else has):
            option = {"learner": "strategy", "source": "from"}.get(name, name)
            raise ValueError(
                f"the run into {options.into!r} has --{option} {has}, not {value}: leave it out to resume"
            )


def open_learner(
    library: Library, name: str, tutor: Tutor | None = None, with_start: bool = False
) -> LearningLoop:
    """Seat the learner of a stored run where it left off."""
    run = runs.progress(library.store, name)
    plan = Plan.of(run.settings["plan"])
    base = library.open(name, plan.game, plan.vocabulary)
    needs_start = plan.against or with_start or plan.first == 0
    return LearningLoop(
        plan,
        find_game(plan.game, run.settings["rules"]),
        base.cases,
        runs.RunSink(library.store, name),
        base.facts.next_number,
        _starting_cases(library, run.settings, plan) if needs_start and run.settings["source"] else None,
        Standing.of(run.standing) if run.standing else _standing(library, name),
        _groups(base, run),
        tutor or scripted_tutor(plan),
        library.uses(name) if plan.limit is not None else None,
    )


def _starting_cases(library: Library, settings: Mapping[str, Any], plan: Plan) -> CaseBase:
    source = library.open(settings["source"], plan.game)
    if source.facts.digest != settings["digest"]:
        raise ValueError(
            f"case base {source.name!r} has changed since the run began, and the run needs it as it was"
        )
    return frozen_cases(source.cases, plan.first or None)


def _standing(library: Library, name: str) -> Standing:
    stages = runs.stages_of(library.store, name, entry_stage)
    return Standing(cases={stage or WHOLE: count for stage, count in stages.items()})


def _groups(base: Base, run: runs.Progress) -> Groups:
    if run.watches:
        return Groups.resume(base.cases, run.elbows, run.watches)
    return Groups.begin(base.cases, base.elbows)


# The command


def run_learn(options: LearnOptions) -> None:
    """Learn, and print the result; after Ctrl-C the finished matches are stored."""
    check_numbers(options)
    check_curve(options)
    curve, spread = options.curve, None if options.on == LOCAL else pool_for(options.on, cores())
    with open_library() as library:
        if options.resume:
            check_same(options, dict(runs.progress(library.store, options.into).settings))
        else:
            begin_run(library, options)
        with if_interrupted(lambda: f"the run into {options.into} has begun: go on with --resume"):
            learner = open_learner(library, options.into, with_start=curve is not None)
            matches = options.matches if options.matches or options.until else MATCHES
            measured = _curve(learner, options, spread) if curve else None
            marks = measured.marks(matches, options.until, options.points) if measured else silent
            _learn(learner, options, matches, marks)
            if measured:
                measured.draw()
            library.open(
                options.into, version=learner.plan.vocabulary
            )  # so that the rows lie ready for whoever opens it next


def _curve(learner: LearningLoop, options: LearnOptions, spread: Spread | None) -> Curve:
    assert options.curve is not None
    opponents = (ITSELF, *find_learning(learner.game.name).opponents)
    return Curve(learner, Path(options.curve), options.pairs, opponents, spread=spread)


def _learn(learner: LearningLoop, options: LearnOptions, matches: int | None, marks: After) -> None:
    with (
        if_interrupted(lambda: _what_is_stored(learner)),
        learning_progress(learner, matches, options.until) as show,
        interrupt_between_matches() as stop,
    ):

        def after(standing: Standing) -> None:
            show(standing)
            stop()
            marks(standing)

        learner.run(matches, options.until, after)
    print(describe_learner(learner, options.into))


def _what_is_stored(learner: LearningLoop) -> str:
    return f"everything up to match {learner.standing.match:,} is kept: go on with --resume"


@contextmanager
def interrupt_between_matches() -> Iterator[Callable[[], None]]:
    """Let Ctrl-C wait for the end of a match, for compiled code does not take it well; a second one does not wait.

    Gives what is to be called between matches: it raises the interrupt that was asked for.
    """
    is_interrupted = False

    def note(number: int, frame: object) -> None:
        nonlocal is_interrupted
        is_interrupted = True
        signal.signal(signal.SIGINT, before)

    def stop() -> None:
        if is_interrupted:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def describe_learner(learner: LearningLoop, name: str) -> str:
    """Say how a learner stands.

    One line for the base, one for its clusters.
    """
    standing = learner.standing
    cases = ", ".join(f"{count:,} {stage}" for stage, count in standing.cases.items())
    cases = cases.removesuffix(f" {WHOLE}")  # not a stage: the base is one
    lines = [
        f"{name}: {cases} cases after {standing.match:,} matches, {standing.hands:,} hands; "
        f"kept {standing.kept:,}, replaced {standing.replaced:,}; won {standing.won:,} matches"
    ]
    if learner.watching:
        lines.append(f"K {cluster_counts(learner)}")
    return "\n".join(lines)


def cluster_counts(learner: LearningLoop) -> str:
    """List how many clusters each scenario has, in their order."""
    found = learner.groups.ks
    return " ".join(str(found.get(scenario.name, "-")) for scenario in _clustered_scenarios(learner))


def _clustered_scenarios(learner: LearningLoop) -> Sequence[Any]:
    return [scenario for scenario in learner.cases.vocabulary.scenarios if scenario.hindsight]


@contextmanager
def learning_progress(
    learner: LearningLoop, matches: int | None, until: int | None
) -> Iterator[Callable[[Standing], None]]:
    """Show a line that moves: cases kept, K per scenario, time left."""
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=matches or until)

        def show(standing: Standing) -> None:
            cases = sum(standing.cases.values())
            clusters = f"  K {cluster_counts(learner)}" if learner.watching else ""
            text = f"match {standing.match:,}  {cases:,} cases  kept {standing.kept:,}{clusters}"
            progress.update(task, completed=standing.match if matches else cases, description=text)

        if not matches:
            progress.reset(task, total=until, completed=sum(learner.standing.cases.values()))
        yield show
