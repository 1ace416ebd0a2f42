"""What an agent would do in a hand, and why: as JSON for programs, as a table for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from retruco.agents.case_based import readings_of
from retruco.agents.core import Agent, ask_agent
from retruco.agents.registry import check_rules, find_agent
from retruco.cbr.case import Decision, QuestionRecord
from retruco.cbr.vocabulary import Scenario
from retruco.cli.commands.recorded_hands import DecideOptions
from retruco.cli.formatting import plain_table
from retruco.cli.json_lines import for_each_hand
from retruco.cli.progress import show_progress
from retruco.explain import Explainer, sentences
from retruco.games.core import BadRecord, State
from retruco.games.registry import game_class
from retruco.learning.case_bases import cases_named
from retruco.streams import Stream
from retruco.vocab.registry import find_scenario

SHORT = {
    "medium": "med",
    "is_mao": "mão",
    "own_first": "me 1",
    "other_first": "it 1",
    "winner_1": "won 1",
    "own_second": "me 2",
    "other_second": "it 2",
    "winner_2": "won 2",
    "own_third": "me 3",
    "other_third": "it 3",
    "envido_points": "pts",
    "flor_points": "pts",
    "envido_again": "again",
    "own_score": "score",
    "other_score": "other's",
}
"""Short headings for attributes; the query is printed in full."""

MOST_SHOWN = 10
"""How many similar cases the table for people lists."""


def decide_lines(options: DecideOptions, console: Console | None = None) -> int:
    """Answer each unfinished hand with the decision of the seat to act, as JSON or on a console."""
    game = options.game
    agent, cases = options.agent or usual_agent(game), options.cases or game_class(game).usual_base
    player = find_agent(agent, game, cases_named(options.cases, show_progress, options.clusters))
    finished = list[State]()

    def answer(state: State) -> dict[str, Any] | None:
        if (played := state.record()["game"]) != game:
            raise BadRecord(f"a hand of {played}, where hands of {game} were asked for with --game")
        rules = state.record().get("rules")
        check_rules(agent, game, str(rules))
        if options.match and state.to_act is None:
            finished.append(state)
            return None
        decision = _ask(player, state, options.seed, finished)
        if console is None:
            reading = readings_of({agent: player}).get(agent)
            return {**as_json(decision, game), "cases": cases, "rules": rules, "reading": reading}
        _print_decision(console, agent, state, decision, game)
        return None

    return for_each_hand(options.file, options.keep_going, answer)


def usual_agent(game: str) -> str:
    """Who decides when nobody is named.

    >>> usual_agent("truco"), usual_agent("holdem")
    ('MJS', 'casey')
    """
    return game_class(game).usual_agent


def people_console() -> Console:
    """A console as wide as the terminal, within reason."""
    return Console(width=min(100, max(80, Console().width)), highlight=False)


def _ask(player: Agent, state: State, seed: int, finished: Sequence[State]) -> Decision:
    """Ask for a decision; the seat to act has seen the finished hands of the match before."""
    if (seat := state.to_act) is None:
        raise BadRecord("the hand is over: nobody is to act")
    chance = Stream("decide", seed, *state.actions)
    return ask_agent(player, state.observe(seat, tuple(hand.observe(seat) for hand in finished)), chance)


def why(decision: Decision) -> str:
    """The reason in a sentence; answers have the names that the tables and the JSON have."""
    return Explainer(sentences("en")).explain(decision)


def as_json(decision: Decision, game: str) -> dict[str, Any]:
    """A decision with its evidence as plain data."""
    last = decision.asked[-1] if decision.asked else None
    return {
        "action": decision.action,
        "asked": [{"scenario": asked.scenario, "answer": asked.answer} for asked in decision.asked],
        "scenario": last.scenario if last else None,
        "query": find_scenario(game, last.problem).decode(last.problem) if last else None,
        "similar": [match.as_json() for match in last.matches] if last else [],
        "cluster": last.choice.cluster if last else None,
        "clusters": dict(last.choice.cluster_scores) if last else {},
        "scores": dict(last.choice.scores) if last else {},
        "rule": last.choice.rule if last else decision.reason,
        "revised_by": decision.revised_by[-1].rule if decision.revised_by else None,
        "revisions": [revision.as_json() for revision in decision.revised_by],
        "why": why(decision),
        **({"solution": dict(decision.values)} if "mixture" in decision.values else {}),
        **({"opponent": decision.values["opponent"]} if "opponent" in decision.values else {}),
        **({"strategy": decision.values["strategy"]} if "strategy" in decision.values else {}),
        **({"generalised": decision.values["generalised"]} if "generalised" in decision.values else {}),
    }


def _print_decision(console: Console, agent: str, state: State, decision: Decision, game: str) -> None:
    """Print a decision as Moral (2020), table III, does: the query, the cases, the votes."""
    title = Text(f"{agent}, seat {state.to_act}: ").append(decision.action, style="bold green")
    console.rule(title, align="left", style="dim")
    if decision.asked:
        asked = "  ".join(f"{record.scenario}: {record.answer}" for record in decision.asked)
        console.print(f"asked   {asked}", style="dim")
        _print_evidence(console, decision.asked[-1], find_scenario(game, decision.asked[-1].problem))
    if "generalised" in decision.values:
        console.print(_generalised_case(decision))
    console.print(Text(why(decision), style="italic"))
    console.print()


def _generalised_case(decision: Decision) -> Table:
    """The generalised case, as table 3 of Sandven and Tessem (2006) prints it."""
    table = plain_table("strategy", "result", "mean", "frequency", "wins", "losses")
    lines: Any = decision.values["generalised"]
    for line in lines:
        mean = "-" if line["mean"] is None else f"{line['mean']:+.2f}"
        chosen = "bold green" if line["strategy"] == decision.values["strategy"] else None
        counts = (str(line[name]) for name in ("frequency", "wins", "losses"))
        table.add_row(line["strategy"], f"{line['result']:+d}", mean, *counts, style=chosen)
    return table


def _print_evidence(console: Console, asked: QuestionRecord, scenario: Scenario) -> None:
    if not asked.matches:
        return
    query = scenario.show(asked.problem)
    console.print(
        "query   " + ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in query.items())
    )
    console.print(_similar_cases(scenario, asked))
    if len(asked.matches) > MOST_SHOWN:
        console.print(f"and {len(asked.matches) - MOST_SHOWN} more", style="dim")
    _print_scores(console, asked)


def _similar_cases(scenario: Scenario, asked: QuestionRecord) -> Table:
    """The nearest cases, with the attributes in which any of them differs from the query."""
    nearest = asked.matches[:MOST_SHOWN]
    differ = [
        place
        for place, code in enumerate(asked.problem.values)
        if any(match.values[place] != code for match in nearest)
    ]
    heads = [SHORT.get(scenario.visible[place].name, scenario.visible[place].name) for place in differ]
    table = plain_table("case", *heads, "alike", "points", "did")
    for match in nearest:
        values = [scenario.visible[place].show(match.values[place]) for place in differ]
        case = f"{match.episode}.{match.question}"
        table.add_row(case, *values, f"{match.similarity:.1%}", f"{match.credit:+d}", match.action)
    return table


def _print_scores(console: Console, asked: QuestionRecord) -> None:
    choice = asked.choice
    if choice.cluster_scores:
        groups = "  ".join(
            f"{int(cluster) + 1}: {score:.4g}" for cluster, score in choice.cluster_scores.items()
        )
        console.print(f"groups  {groups}")
    scores = "  ".join(f"{answer}: {score:.4g}" for answer, score in choice.scores.items())
    console.print(f"{choice.rule:7} {scores}")
