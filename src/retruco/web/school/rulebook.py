"""The rules of a variant for people, chapter by chapter, from the same data that the engine reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from retruco.games.truco import envido as envidos
from retruco.games.truco.deck import CLASSES
from retruco.games.truco.rules import TRUCO_VALUE, Rules
from retruco.games.truco.tables import LONGEST_CHAIN_SHOWN, envido_chains
from retruco.web.core.i18n import Texts

Cells = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading with what belongs to it: cards from high to low, a table, sentences."""

    title: str
    lead: Cells = ()
    ladder: tuple[Cells, ...] = ()
    head: Cells = ()
    rows: tuple[Cells, ...] = ()
    notes: Cells = ()


def chapters(rules: Rules, texts: Texts) -> Iterator[Chapter]:
    """Lay a variant out in the order of the rulebook."""
    name = f"preset.{rules.name}"
    lead = (texts(f"{name}.about"), texts("rules.target", target=rules.target), texts("rules.from_data"))
    yield Chapter(texts(f"{name}.name"), lead)
    yield Chapter(texts("rules.strength.title"), ladder=CLASSES)
    yield _rounds(texts)
    yield _envido(rules, texts)
    yield _flor(rules, texts)
    yield _truco(texts)
    yield _fold(rules, texts)
    yield Chapter(texts("rules.left_out.title"), (texts("rules.left_out.text"),))


def _rounds(texts: Texts) -> Chapter:
    ties = ("first_tied", "second_tied", "third_tied", "two_tied", "all_tied")
    rows = tuple((texts(f"rules.rounds.{tie}"), texts(f"rules.rounds.{tie}_who")) for tie in ties)
    head = (texts("rules.rounds.ties"), texts("rules.rounds.who"))
    notes = (texts("rules.rounds.lead"), texts("rules.rounds.down"))
    return Chapter(texts("rules.rounds.title"), head=head, rows=rows, notes=notes)


def _envido(rules: Rules, texts: Texts) -> Chapter:
    rows: list[Cells] = []
    for chain in sorted(envido_chains(rules.real_repeats), key=len):
        if len(chain) <= LONGEST_CHAIN_SHOWN:
            falta = chain[-1] == "falta-envido"
            value = texts("rules.envido.falta") if falta else str(envidos.accepted(chain))
            words = " · ".join(texts(f"call.{call}.label") for call in chain)
            rows.append((words, value, str(envidos.declined(chain))))
    over_truco = "cancels_truco" if rules.envido_cancels_truco else "before_truco"
    repeats = ("repeats",) if rules.real_repeats else ()
    notes = ("points", "when", f"falta_{rules.falta}", *repeats, over_truco, "sing")
    return Chapter(
        texts("rules.envido.title"),
        head=tuple(texts(f"rules.envido.{one}") for one in ("chain", "accepted", "declined")),
        rows=tuple(rows),
        notes=tuple(texts(f"rules.envido.{note}") for note in notes),
    )


def _flor(rules: Rules, texts: Texts) -> Chapter:
    title = texts("rules.flor.title")
    if not rules.flor:
        return Chapter(title, (texts("rules.flor.not_played"),))
    resto = {"6 + leader": "resto_leader", "target": "resto_target", "falta": "resto_falta"}[rules.resto]
    worth = texts(f"rules.flor.{resto}")
    rows = [
        ("alone", str(rules.flor_alone), ""),
        ("both", str(rules.flor_flor), ""),
        ("contraflor", str(rules.contraflor), str(rules.contraflor_declined)),
        ("resto", worth, str(rules.resto_over_flor_declined)),
        ("resto_over", worth, str(rules.resto_over_contraflor_declined)),
    ]
    if rules.achico is not None:
        rows.insert(2, ("achico", str(rules.achico), ""))
    duty = "compulsory" if rules.flor_compulsory else "optional"
    return Chapter(
        title,
        head=(texts("rules.envido.chain"), texts("rules.envido.accepted"), texts("rules.envido.declined")),
        rows=tuple((texts(f"rules.flor.{what}"), *values) for what, *values in rows),
        notes=tuple(texts(f"rules.flor.{note}") for note in ("points", duty, "closes")),
    )


def _truco(texts: Texts) -> Chapter:
    rows = tuple(
        (texts(f"call.{call}.label"), str(value), str(value - 1)) for call, value in TRUCO_VALUE.items()
    )
    return Chapter(
        texts("rules.truco.title"),
        head=tuple(texts(f"rules.truco.{one}") for one in ("call", "accepted", "declined")),
        rows=rows,
        notes=tuple(texts(f"rules.truco.{note}") for note in ("plain", "who", "closes")),
    )


def _fold(rules: Rules, texts: Texts) -> Chapter:
    at_once = "truco_1"
    if rules.fold_unspoken_envido:
        at_once = "envido_flor_truco" if rules.fold_unspoken_flor else "envido_truco"
    rows = (
        ("at_once", at_once),
        ("later", "truco_1"),
        ("accepted", "stake_envido" if rules.fold_envido_after_truco else "stake"),
        ("facing_envido", "declined_truco" if rules.fold_as_answer else "not_allowed"),
        ("facing_truco", "as_declined" if rules.fold_as_answer else "not_allowed"),
    )
    folds = tuple(
        (texts(f"rules.fold.{a}"), texts(f"rules.fold.{b}", flor=rules.flor_alone)) for a, b in rows
    )
    return Chapter(
        texts("rules.fold.title"), head=(texts("rules.fold.when"), texts("rules.fold.gets")), rows=folds
    )
