"""An index of runs: one page that leads to the report of each."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from retruco.arena.journal import write_whole
from retruco.arena.page import Heading, Link, Page, Part, Text, as_html, as_markdown
from retruco.arena.report import crew, duration, write_page, write_reports
from retruco.arena.running import MANIFEST, RESULTS
from retruco.damage import DamagedFile, reading_back
from retruco.experiments.registry import find_experiments
from retruco.experiments.report_sections import counted, summary


def write_index(folder: str) -> None:
    """Write `index.html` and `index.md` over all finished runs in a folder, each report made anew."""
    top = Path(folder)
    if not top.is_dir():
        raise ValueError(f"no folder {folder}")
    runs = sorted(file.parent for file in top.rglob(RESULTS) if (file.parent / MANIFEST).exists())
    if not runs:
        raise ValueError(f"no finished run in {folder}: a run has {RESULTS} and {MANIFEST}")
    parts: list[Part] = []
    for run in runs:
        with reading_back(run / RESULTS, "restore it from a copy, or move the run away"):
            parts += _run_parts(run, top)
    page = Page("Runs", f"{len(runs)} in this folder, each with its report.", parts)
    write_whole(top / "index.html", as_html(page))
    write_whole(top / "index.md", as_markdown(page).replace("/report.html)", "/report.md)"))
    print(f"{len(runs)} runs in {top / 'index.html'}")


def _run_parts(run: Path, top: Path) -> list[Part]:
    results, manifest = _read(run / RESULTS), _read(run / MANIFEST)
    name = str(run.relative_to(top))
    heading, link = Heading(run.name if name == "." else name), Link("the report", f"{name}/report.html")
    if "experiment" in results:
        return [heading, Text(_rewrite_experiment(run, results, manifest)), link]
    if "standing" not in results:
        return [heading, link]  # not a tournament's: its own program wrote its report
    write_reports(run, results, manifest)
    best = results["standing"][0]
    low, high = best["win_rate_ci95"]
    sentence = (
        f"{results['game']} ({results['rules']}), {len(results['agents'])} agents, {results['matches']:,} matches, "
        f"seed {results['seed']}, {manifest['finished'][:10]}. First: {best['agent']}, "
        f"{best['win_rate']:.1%} of matches (95 % interval {low:.1%} to {high:.1%})."
    )
    return [heading, Text(sentence), link]


def _rewrite_experiment(run: Path, results: dict[str, Any], manifest: dict[str, Any]) -> str:
    """Write the report of a published experiment anew, and say what came of it."""
    (experiment,) = find_experiments(results["experiment"])
    if manifest["retruco"] != version("retruco"):
        return f"{experiment.paper}. Its report stays as Retruco {manifest['retruco']} wrote it: run it anew for one of this version."
    write_page(run, experiment.page(results, manifest))
    cases = results["cases"]
    base = f"case base {cases['name']}{' (synthetic)' * cases['synthetic']}, " if cases else ""
    return (
        f"{experiment.paper}. Made with {base}seed {results['seed']}, commit {(manifest['commit'] or 'unknown')[:12]}, {manifest['finished'][:10]}, "
        f"{duration(manifest['seconds'])} on {crew(manifest)}, {duration(manifest['processor_seconds'])} of "
        f"processor time{'; a quick look' if results['quick'] else ''}. {_conclusion(results)}"
    )


def _conclusion(results: dict[str, Any]) -> str:
    """How many published statements a run confirms; leads have their own way to be told."""
    if "claims" in results:
        return summary(results["claims"])
    if "judged" in results:
        return counted([claim["verdict"] for claim in results["judged"]])
    return "It judges no published statement."


def _read(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise DamagedFile(f"{path} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise DamagedFile(f"{path} is not a run's: it holds no object")
    return value
