"""The rules of a variant as tables for people, made from the same data that the engine reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from retruco.games.truco import envido as envidos
from retruco.games.truco.deck import CLASSES
from retruco.games.truco.rules import ENVIDO_CALLS, TRUCO_VALUE, Call, Rules

LEFT_OUT = (
    "Left out on purpose: wrong songs and their penalties, peço flor, the self-shrunk song, court cards "
    "breaking envido ties, showing cards at the end as a duty, testa, passing all remaining cards with one, "
    "raising after flor-flor."
)


@dataclass(frozen=True, slots=True)
class Section:
    """One table with its heading and the sentences that belong to it."""

    title: str
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()


def sections(rules: Rules) -> Iterator[Section]:
    """Lay out a variant section by section, in the order of the rulebook."""
    yield Section(
        f"{rules.name}: {rules.summary}", notes=(f"A match goes to {rules.target} unless agreed otherwise.",)
    )
    yield _strength(rules)
    yield _rounds(rules)
    yield _envido(rules)
    yield _flor(rules)
    yield _truco(rules)
    yield _fold(rules)
    yield Section("What is not played", notes=(LEFT_OUT,))


def _strength(rules: Rules) -> Section:
    played = [[card for card in cards if card in rules.deck] for cards in CLASSES]
    rows = tuple((str(place), " = ".join(cards)) for place, cards in enumerate(filter(None, played), 1))
    return Section("Strength, high to low", ("", "cards"), rows)


TIES = {
    2: (
        ("first round tied", "the second decides"),
        ("first won, second tied", "who won the first"),
        ("one each", "the mão"),
        ("both tied", "the mão"),
    ),
    3: (
        ("first round tied", "the second decides"),
        ("first won, second tied", "who won the first"),
        ("one each, third tied", "who won the first"),
        ("first two tied", "the third decides"),
        ("all three tied", "the mão"),
    ),
}
"""By the number of rounds, who wins the hand where rounds are tied."""


def _rounds(rules: Rules) -> Section:
    notes = (
        "The winner of a round leads the next; after a tie the mão leads.",
        "From the second round on a card may be played face down: it loses to anything, two of them tie.",
    )
    return Section("Rounds", ("ties", "who wins"), TIES[rules.hand_size], notes)


def envido_chains(
    real_repeats: bool, longest_value: int = 10, played: tuple[Call, ...] = ENVIDO_CALLS
) -> Iterator[tuple[Call, ...]]:
    """List every chain of envido calls, repeated reals only up to a value."""

    def longer(chain: tuple[Call, ...]) -> Iterator[tuple[Call, ...]]:
        for call in envidos.raises(chain, longest_value - 1, real_repeats, played):
            yield (*chain, call)
            yield from longer((*chain, call))

    return longer(())


LONGEST_CHAIN_SHOWN = 4

FALTA_WORTH = {
    "leader": "what the leader lacks to the target",
    "loser": "the target minus the score of who loses the envido",
    "halves": "with both in the first half: half the target minus the winner's score; else what the leader lacks",
}


def _envido(rules: Rules) -> Section:
    rows = []
    for chain in sorted(envido_chains(rules.real_repeats, played=rules.envido_calls), key=len):
        if len(chain) > LONGEST_CHAIN_SHOWN:
            continue
        value = "falta" if chain[-1] == "falta-envido" else str(envidos.accepted(chain))
        rows.append((" - ".join(chain), value, str(envidos.declined(chain))))
    over_truco = (
        "cancels it; truco may be called again"
        if rules.envido_cancels_truco
        else "is settled first, then the truco is answered"
    )
    repeats = (
        ("real-envido may be repeated while the chain is worth less than the target.",)
        if rules.real_repeats
        else ()
    )
    falta = (f"Falta: {FALTA_WORTH[rules.falta]}.",) if "falta-envido" in rules.envido_calls else ()
    notes = (
        *falta,
        *repeats,
        "Before one's first card; afterwards only as an answer to an envido. Ties go to the mão.",
        f"An envido put before an unanswered truco {over_truco}.",
    )
    return Section("Envido", ("chain", "accepted", "declined"), tuple(rows), notes)


def _flor(rules: Rules) -> Section:
    if not rules.flor:
        best = ": three cards of one suit play envido with the best two" if rules.hand_size > 2 else ""
        return Section("Flor", notes=(f"Not played{best}.",))
    resto = {"6 + leader": "6 + what the leader lacks", "target": "the target", "falta": "falta"}[rules.resto]
    rows = [
        ("flor, the other has none", str(rules.flor_alone), ""),
        ("flor, flor: to the better", str(rules.flor_flor), ""),
        ("flor, contraflor", str(rules.contraflor), str(rules.contraflor_declined)),
        ("flor, contraflor-resto", resto, str(rules.resto_over_flor_declined)),
        ("flor, contraflor, contraflor-resto", resto, str(rules.resto_over_contraflor_declined)),
    ]
    if rules.achico is not None:
        rows.insert(2, ("flor, achico: to the first singer", str(rules.achico), ""))
    duty = (
        "A flor must be sung before one's first card."
        if rules.flor_compulsory
        else "A flor need not be sung; unsung, its best two cards may play envido."
    )
    notes = (duty, "A flor closes the envido; a pending one is not paid. Ties go to the mão.")
    return Section("Flor", ("", "accepted", "declined"), tuple(rows), notes)


def _truco(rules: Rules) -> Section:
    values = [(call, TRUCO_VALUE[call]) for call in rules.truco_calls]
    rows = tuple((call, str(value), str(value - 1)) for call, value in values)
    raises = " and ".join(rules.truco_calls[1:])
    raised = f"; {raises}: as an answer, or in the turn of who said quero last" if raises else ""
    notes = (
        "A hand is worth 1 without any call.",
        f"truco: either seat in its turn{raised}.",
        "An accepted or raised truco closes envido and flor.",
    )
    return Section("Truco", ("call", "accepted", "declined"), rows, notes)


def _fold(rules: Rules) -> Section:
    at_once = "truco 1"
    if rules.fold_unspoken_envido:
        at_once = "envido 1 + truco 1"
    if rules.fold_unspoken_flor:
        at_once += f"; if the other has a flor: flor {rules.flor_alone} + truco 1 instead"
    accepted = "its worth"
    if rules.fold_envido_after_truco:
        accepted += ", and envido 1 if nobody called envido or flor and the folder has played no card"
    rows = (
        ("no card of one's own, nothing called", at_once),
        ("later, no truco accepted, no bet pending", "truco 1"),
        ("truco accepted, no bet pending", accepted),
        (
            "facing envido or contraflor",
            "its declined value + truco 1" if rules.fold_as_answer else "not allowed",
        ),
        (f"facing {', '.join(rules.truco_calls)}", "as nao-quero" if rules.fold_as_answer else "not allowed"),
    )
    return Section("Going to the deck (baralho)", ("when", "the other gets"), rows)
