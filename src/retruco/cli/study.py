"""The agreement study on the command line: run, printed, and written as Markdown with its plot."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from retruco.arena.plots import NO_MATPLOTLIB, can_draw
from retruco.cli.errors import print_error
from retruco.cli.formatting import plain_table
from retruco.cli.progress import show_progress
from retruco.learning.agreement import (
    ALL,
    Agreement,
    AgreementShare,
    HumanAnswer,
    can_boost,
    people_answers,
    study_agreement,
)
from retruco.learning.case_bases import library_of
from retruco.storage.library import Base
from retruco.storage.store import open_store
from retruco.vocab.truco.partial import PEOPLE, PartialHand, is_partial

QUICK_MATCHES = 20
QUICK_FOLDS = 3
FOLDS = 10


def run_agreement(cases: str, quick: bool, out: str | None, as_json: bool) -> None:
    """Run the study on a base; print the result and write it to a folder."""
    base, found = agreement_of(cases, quick)
    if out is not None:
        folder = Path(out)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "agreement.json").write_text(json.dumps(found.as_json(), indent=1) + "\n")
        (folder / "agreement.md").write_text("\n".join(markdown(base, found)) + "\n")
        if can_draw():
            draw_calibration(found, folder / "calibration.svg")
        else:
            print_error(NO_MATPLOTLIB)
    if as_json:
        plain = {"cases": base.name, "rules": base.facts.rules, "digest": base.digest, **found.as_json()}
        print(json.dumps(plain))
    else:
        _print(base, found)


def agreement_of(cases: str, quick: bool) -> tuple[Base, Agreement]:
    """Open a base and run the study on the hands that people played."""
    with open_store() as store:
        base = library_of(store, show_progress).open(cases, "truco")
    answers = read_answers(cases)
    if not can_boost():
        print_error("gradient boosting is left out, it needs scikit-learn: pip install 'retruco[sklearn]'")
    matches, folds = (QUICK_MATCHES, QUICK_FOLDS) if quick else (None, FOLDS)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("matches", total=None)
        found = study_agreement(
            base.cases,
            answers,
            folds=folds,
            most_matches=matches,
            after_match=lambda done, of: progress.update(task, completed=done, total=of),
        )
    return base, found


def read_answers(cases: str) -> list[HumanAnswer]:
    """Read what people answered in the hands of a base that was imported."""
    with open_store() as store:
        library_of(store, show_progress).open(cases, "truco")  # it is imported when it is first asked for
        records = [(number, hand.record) for number, hand in store.hands(cases)]
    hands = [(number, PartialHand.of(record)) for number, record in records if is_partial(record)]
    answers = people_answers((number, hand) for number, hand in hands if hand.source == PEOPLE)
    if not answers:
        raise ValueError(f"case base {cases!r} has no imported hands of people: see `retruco cases import`")
    return answers


def _about(base: Base, found: Agreement) -> str:
    return (
        f"cases {base.name}: {base.hands:,} {base.description}; {found.questions:,} questions of "
        f"{found.hands:,} hands in {found.matches} matches, each match answered without its own hands"
    )


def _print(base: Base, found: Agreement) -> None:
    console = Console(width=100, highlight=False)
    console.print(_about(base, found))
    table = plain_table("who answers", "agrees", "95 % interval", "before revision")
    for who, shares in found.shares.items():
        share = shares[ALL]
        before = f"{found.proposed[who].agree:.1%}" if who in found.proposed else ""
        table.add_row(who, f"{share.agree:.1%}", _interval(share), before)
    console.print(table)
    console.print(f"calibration of PLS: predicted and observed shares differ by {found.error:.3f} on average")


def _interval(share: AgreementShare) -> str:
    return f"{share.interval[0]:.1%} to {share.interval[1]:.1%}"


def markdown(base: Base, found: Agreement) -> Iterator[str]:
    """The study as Markdown: over all, by scenario, and how PLS is calibrated."""
    yield f"{_about(base, found)[0].upper()}{_about(base, found)[1:]}."
    yield ""
    yield from _rows(("who answers", "agrees", "95 % interval", "before revision"))
    for who, shares in found.shares.items():
        before = f"{found.proposed[who].agree:.1%}" if who in found.proposed else ""
        yield _row((who, f"{shares[ALL].agree:.1%}", _interval(shares[ALL]), before))
    for some in (found.scenarios[:6], found.scenarios[6:]):
        yield ""
        yield from _by_scenario(found, some)
    yield ""
    yield from _rows(("predicted by PLS", "predictions", "mean predicted", "observed"))
    for bucket in found.calibration:
        cells = (f"{bucket.predictions:,}", f"{bucket.predicted:.3f}", f"{bucket.observed:.3f}")
        yield _row((f"{bucket.low:.1f} to {bucket.high:.1f}", *cells))
    yield ""
    yield f"Predicted and observed shares differ by {found.error:.3f} on average."


def _by_scenario(found: Agreement, scenarios: Sequence[str]) -> Iterator[str]:
    yield from _rows(("who answers", *scenarios))
    some = next(iter(found.shares.values()))
    yield _row(("questions", *(f"{some[scenario].questions:,}" for scenario in scenarios)))
    for who, shares in found.shares.items():
        yield _row((who, *(_cell(shares.get(scenario)) for scenario in scenarios)))


def _cell(share: AgreementShare | None) -> str:
    if share is None:
        return ""
    half = (share.interval[1] - share.interval[0]) / 2
    return f"{share.agree:.1%} ± {100 * half:.1f}"


def _rows(head: Sequence[str]) -> Iterator[str]:
    yield _row(head)
    yield "|---|" + "---:|" * (len(head) - 1)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def draw_calibration(found: Agreement, file: Path) -> None:
    """Draw predicted against observed shares; on the diagonal a prediction is right on average."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "retruco"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(4.2, 4.2))
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    sizes = [20 + bucket.predictions / 40 for bucket in found.calibration]
    predicted, observed = zip(
        *((bucket.predicted, bucket.observed) for bucket in found.calibration), strict=True
    )
    axes.scatter(predicted, observed, s=sizes, color="#2a6f4e")
    axes.set(xlabel="share predicted by PLS", ylabel="share observed", xlim=(0, 1), ylim=(0, 1))
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)
