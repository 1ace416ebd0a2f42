"""Learning on the command line: checked first, then played match by match, each safe when it ends."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from retruco.agents.registry import find_agent
from retruco.arena.pool import LOCAL, cores, pool_for
from retruco.cbr.casebase import CaseBase
from retruco.cli.cases import now, opened_library
from retruco.cli.interrupts import if_interrupted
from retruco.games.registry import USUAL_GAME, find_game, game_class
from retruco.games.truco.state import STAGES
from retruco.learning.checkpoints import WHOLE, Standing
from retruco.learning.curve import Curve
from retruco.learning.learners import Plan
from retruco.learning.loop import After, LearningLoop, silent
from retruco.learning.reclustering import Groups
from retruco.learning.registry import find_learning, find_plan, find_training
from retruco.learning.starting import clusters_of, first_cases, frozen_cases, scripted_tutor
from retruco.learning.tutor import PERSON, Tutor
from retruco.storage import runs
from retruco.storage.library import Base, Library, vocabulary_of
from retruco.vocab.truco.rows import entry_stage, for_stage

MATCHES: Final = 300
"""How many matches are played if nothing is said (Moral 2020)."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a user asked for; what was not said is `None`."""

    into: str
    strategy: str | None = None
    matches: int | None = None
    until: int | None = None
    seed: int | None = None
    source: str | None = None
    against: str | None = None
    policies: tuple[str, ...] | None = None
    first: int | None = None
    tutor: str | None = None
    rare: tuple[str, ...] | None = None
    every: int | None = None
    resume: bool = False
    game: str | None = None
    rules: str | None = None

    def changes(self) -> dict[str, Any]:
        """What is to be done otherwise than by the strategy's own plan."""
        names = {field.name for field in fields(Plan)} & set(self.__dataclass_fields__)
        given = {name: getattr(self, name) for name in names - {"strategy"}}
        return {name: value for name, value in given.items() if value is not None}

    def check(self) -> None:
        """Refuse numbers that cannot be."""
        for name, least in (("matches", 1), ("until", 1), ("first", 1), ("every", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise ValueError(f"--{name} must be at least {least}, not {value}")


# Beginning and going on


def planned(wanted: Wanted) -> Plan:
    """Turn wishes into a plan; everybody named is known."""
    wanted.check()
    game = wanted.game or USUAL_GAME
    game_class(game)  # refuses a game that there is not
    words = vocabulary_of(game).VOCABULARY
    plan = find_plan(game, wanted.strategy, **wanted.changes())
    training = find_training(game)
    if wanted.source and wanted.first is None and not training.plays_by_start and plan.first == 0:
        plan = replace(plan, first=None)
    named = {*plan.policies, *(plan.against or "").split(","), plan.tutor} - {None, "", PERSON}
    for name in sorted(filter(None, named)):
        find_agent(name, game, lambda _: CaseBase(words))
    training.check(plan)
    return plan


def begin(library: Library, wanted: Wanted) -> None:
    """Make the base of a new run."""
    plan = planned(wanted)
    source = wanted.source or (game_class(plan.game).usual_base if plan.first != 0 else None)
    if source is None:
        begin_with_nothing(library, wanted.into, plan, wanted.rules)
        return
    base = library.open(source, plan.game)
    rules = rules_of(base, wanted.rules)
    check_table(plan, rules)
    start = runs.Start(
        source if plan.first != 0 else None,
        wanted.into,
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


def rules_of(base: Base, wanted: str | None = None) -> str:
    """Name the rules to learn by: those of the base's hands, or one of several that the user names."""
    has = base.facts.rules.split(", ")
    if wanted is not None and wanted not in has:
        raise ValueError(f"case base {base.name!r} has hands by {base.facts.rules}, not by {wanted!r}")
    rules = wanted or base.facts.rules
    if rules not in game_class(base.facts.game).presets():
        raise ValueError(
            f"case base {base.name!r} has hands by {rules}: "
            "learning needs hands by one set of rules, which --rules can name"
        )
    return rules


def check_same(wanted: Wanted, settings: dict[str, Any]) -> None:
    """Refuse to go on with a run by other settings than its own."""
    plan = Plan.of(settings["plan"]).as_json()
    asked = {**wanted.changes(), "learner": wanted.strategy, "source": wanted.source, "rules": wanted.rules}
    for name, value in asked.items():
        has = settings[name] if name in ("source", "rules") else plan[name]
        if value is not None and value != (tuple(has) if isinstance(has, list) else has):
            option = {"learner": "strategy", "source": "from"}.get(name, name)
            raise ValueError(
                f"the run into {wanted.into!r} has --{option} {has}, not {value}: leave it out to resume"
            )


def reopened(
    library: Library, name: str, tutor: Tutor | None = None, with_start: bool = False
) -> LearningLoop:
    """Seat the learner of a stored run where it left off."""
    run = runs.progress(library.store, name)
    plan = Plan.of(run.settings["plan"])
    base = library.open(name, plan.game)
    needs_start = plan.against or with_start or plan.first == 0
    return LearningLoop(
        plan,
        find_game(plan.game, run.settings["rules"]),
        base.cases,
        runs.RunSink(library.store, name),
        base.facts.next_number,
        _frozen(library, run.settings, plan) if needs_start and run.settings["source"] else None,
        Standing.of(run.standing) if run.standing else _standing(library, name),
        _groups(base, run),
        tutor or scripted_tutor(plan),
    )


def _frozen(library: Library, settings: Mapping[str, Any], plan: Plan) -> CaseBase:
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


def run_learn(
    wanted: Wanted, curve: str | None = None, points: int = 10, pairs: int = 200, on: str = LOCAL
) -> None:
    """Learn, and say what came of it; Ctrl-C leaves what the matches so far have brought."""
    wanted.check()
    if curve is not None and wanted.game not in (None, USUAL_GAME):
        raise ValueError(f"--curve measures learners of {USUAL_GAME}, not of {wanted.game}")
    if on != LOCAL and curve is None:
        raise ValueError(
            f"--on {on} plays the duels of a learning curve, and needs --curve DIR: "
            "a learner's matches build on each other, and are played one after the other"
        )
    spread = None if on == LOCAL else pool_for(on, cores())
    with opened_library() as library:
        if wanted.resume:
            check_same(wanted, dict(runs.progress(library.store, wanted.into).settings))
        else:
            begin(library, wanted)
        with if_interrupted(lambda: f"the run into {wanted.into} has begun: go on with --resume"):
            learner = reopened(library, wanted.into, with_start=curve is not None)
            matches = wanted.matches if wanted.matches or wanted.until else MATCHES
            drawn = Curve(learner, Path(curve), pairs, spread=spread) if curve else None
            marks = drawn.marks(matches, wanted.until, points) if drawn else silent
            _learn(learner, wanted, matches, marks)
            if drawn:
                drawn.draw()
            library.open(wanted.into)  # so that the rows lie ready for whoever opens it next


def _learn(learner: LearningLoop, wanted: Wanted, matches: int | None, marks: After) -> None:
    with (
        if_interrupted(lambda: _kept(learner)),
        shown_progress(learner, matches, wanted.until) as tell,
        stopped_between_matches() as stop,
    ):

        def after(standing: Standing) -> None:
            tell(standing)
            stop()
            marks(standing)

        learner.run(matches, wanted.until, after)
    print(told(learner, wanted.into))


def _kept(learner: LearningLoop) -> str:
    return f"everything up to match {learner.standing.match:,} is kept: go on with --resume"


@contextmanager
def stopped_between_matches() -> Iterator[Callable[[], None]]:
    """Let Ctrl-C wait for the end of a match, for compiled code does not take it well; a second one does not wait.

    Gives what is to be called between matches: it raises the interrupt that was asked for.
    """
    asked = False

    def note(number: int, frame: object) -> None:
        nonlocal asked
        asked = True
        signal.signal(signal.SIGINT, before)

    def stop() -> None:
        if asked:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def told(learner: LearningLoop, name: str) -> str:
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
        lines.append(f"K {ks(learner)}")
    return "\n".join(lines)


def ks(learner: LearningLoop) -> str:
    """List how many clusters each scenario has, in their order."""
    found = learner.groups.ks
    return " ".join(str(found.get(one.name, "-")) for one in _clustered(learner))


def _clustered(learner: LearningLoop) -> Sequence[Any]:
    return [one for one in learner.cases.vocabulary.scenarios if one.hindsight]


@contextmanager
def shown_progress(
    learner: LearningLoop, matches: int | None, until: int | None
) -> Iterator[Callable[[Standing], None]]:
    """Show a line that moves: cases kept, K per scenario, time left."""
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=matches or until)

        def tell(standing: Standing) -> None:
            cases = sum(standing.cases.values())
            clusters = f"  K {ks(learner)}" if learner.watching else ""
            text = f"match {standing.match:,}  {cases:,} cases  kept {standing.kept:,}{clusters}"
            progress.update(task, completed=standing.match if matches else cases, description=text)

        if not matches:
            progress.reset(task, total=until, completed=sum(learner.standing.cases.values()))
        yield tell
