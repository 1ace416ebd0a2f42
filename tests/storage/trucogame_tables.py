"""Tables of hands in the import formats, made at test time from hands that agents played."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from retruco.agents.registry import find_agent
from retruco.arena.duel import deals_from
from retruco.arena.match import play_match
from retruco.cards import SUIT_NAMES, Card
from retruco.games.truco import Acted, Truco, TrucoState, envido_points
from retruco.games.truco.rounds import TIE
from retruco.games.truco.rules import ENVIDO_CALLS, TRUCO_CALLS
from retruco.storage.importers.formats import COLUMNS_32, COLUMNS_75, COLUMNS_141, COLUMNS_165
from retruco.vocab.truco.scenarios import CARD_CODES

Cell = int | str | None
Line = dict[str, Cell]

SUITS = {"e": "ESPADAS", "o": "OURO", "b": "BASTOS", "c": "COPAS"}
SUIT_NUMBERS = {"ESPADAS": 1, "OURO": 2, "BASTOS": 3, "COPAS": 4}
SIDES = ("Robo", "Humano")
SLOTS = ("Alta", "Media", "Baixa")
ROUNDS = ("primeira", "segunda", "terceira")
GAME = Truco.named("trucogame")

assert set(SUITS) == set(SUIT_NAMES)


def played_hands(matches: int) -> Iterator[tuple[str, TrucoState]]:
    """Let scripted players play matches; give each hand with the name of its match."""
    players = [find_agent("balanced", "truco"), find_agent("aggressive", "truco")]
    for number in range(matches):
        match = play_match(GAME, players, deals_from(GAME, 3, number), number % 2, number)
        for hand in match.hands:
            assert isinstance(hand.state, TrucoState)
            yield f"match-{number}", hand.state


def line_of(end: TrucoState, seat: int, number: int, match: str) -> Line:
    """Write a finished hand down as one seat saw it, in the original columns."""
    line: Line = dict.fromkeys(COLUMNS_165)
    line |= {"idMao": number, "id": number, "idPartida": match, "jogadorMao": 1 if end.mao == seat else 2}
    for place, side in ((seat, "Robo"), (1 - seat, "Humano")):
        line |= _cards(end, place, side)
    for round_number, name in enumerate(ROUNDS):
        winners = end.rounds.winners
        won = winners[round_number] if round_number < len(winners) else None
        code = -130 if won is None else 0 if won == TIE else _who(won, seat)
        line[f"ganhador{name.capitalize()}Rodada"] = code
    line |= _calls(end, seat)
    return line | _points(end, seat) | _flags(number)


def _who(place: int | None, seat: int) -> int:
    return 0 if place is None else 1 if place == seat else 2


def _cards(end: TrucoState, place: int, side: str) -> Line:
    line: Line = {}
    hand = sorted(end.hands[place], key=CARD_CODES.__getitem__, reverse=True)
    for slot, card in zip(SLOTS, hand, strict=True):
        line[f"carta{slot}{side}"], line[f"naipeCarta{slot}{side}"] = CARD_CODES[card], SUITS[card.suit]
    plays = end.rounds.by(place)
    for number, name in enumerate(ROUNDS):
        key, suit = f"{name}Carta{side}", f"naipe{name.capitalize()}Carta{side}"
        line[key], line[suit] = (-15, None)
        if number < len(plays):
            face = plays[number].card
            assert isinstance(face, Card)
            line[key], line[suit] = (-1 if plays[number].down else CARD_CODES[face]), SUITS[face.suit]
        line[f"{name}Carta{side}Clustering"] = -15
    line[f"pontosEnvido{side}"] = envido_points(end.hands[place])
    return line


def _calls(end: TrucoState, seat: int) -> Line:
    names = {
        "envido": "quemPediuEnvido",
        "real-envido": "quemPediuRealEnvido",
        "falta-envido": "quemPediuFaltaEnvido",
    }
    trucos = {"truco": "Truco", "retruco": "Retruco", "vale4": "ValeQuatro"}
    line: Line = dict.fromkeys(
        [*names.values(), "quemNegouEnvido", "quemNegouTruco", "quemBaralho", "quandoBaralho", "quemFlor"], 0
    )
    line |= {f"{what}{one}": 0 for one in trucos.values() for what in ("quem", "quando")}
    facing, cards = "", 0
    for event in (one for one in end.log if isinstance(one, Acted)):
        who, number = _who(event.seat, seat), cards // 2 + 1
        if event.action in ENVIDO_CALLS:
            again = event.action == "envido" and line["quemPediuEnvido"] != 0
            line["quemEnvidoEnvido" if again else names[event.action]] = who
        elif event.action in TRUCO_CALLS:
            line[f"quem{trucos[event.action]}"], line[f"quando{trucos[event.action]}"] = who, number
        elif event.action == "nao-quero":
            line["quemNegouEnvido" if facing in ENVIDO_CALLS else "quemNegouTruco"] = who
        elif event.action == "baralho":
            line["quemBaralho"], line["quandoBaralho"] = who, number
        elif event.action == "flor":
            line["quemFlor"] = who
        elif event.action != "quero":
            cards += 1
        facing = event.action
    return line


def _points(end: TrucoState, seat: int) -> Line:
    record = end.record()
    before = record["scores"]
    assert isinstance(before, list)
    line: Line = {}
    for stage, pair in zip(("Envido", "Flor", "Truco"), end.points, strict=True):
        winner = None if pair == (0, 0) else int(pair[1] > 0)
        line[f"quemGanhou{stage}"], line[f"tentos{stage}"] = _who(winner, seat), sum(pair)
    for place, side in ((seat, "Robo"), (1 - seat, "Humano")):
        line[f"tentosAnteriores{side}"], line[f"tentosPosteriores{side}"] = before[place], end.scores[place]
    return line | {"ganhadorMao": line["quemGanhouTruco"] or 1}


def _flags(number: int) -> Line:
    return {
        "utilCarta": 1,
        "utilTruco": number % 2,
        "utilEnvido": 1,
        "utilFlor": 0,
        "clusteringindexacao": 1 + number % 3,
    }


def lines(matches: int = 4, both: bool = True) -> list[Line]:
    """Give the hands of some matches, each as both players saw it, one after the other."""
    found: list[Line] = []
    for match, end in played_hands(matches):
        for seat in (0, 1) if both else (0,):
            found.append(line_of(end, seat, len(found) + 1, match))
    return found


# The formats


def text_of(some: Sequence[Mapping[str, Cell]], columns: Sequence[str], separator: str) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, lineterminator="\n")
    writer.writerow(columns)
    for line in some:
        writer.writerow("NULL" if (cell := line.get(name)) is None else cell for name in columns)
    return stream.getvalue()


def unsigned(line: Line) -> Line:
    """A line as the poorest table has it: no signs, suits as numbers, nothing as 0."""
    found: Line = {}
    for name in COLUMNS_32:
        cell = line[name]
        found[name] = SUIT_NUMBERS[cell] if isinstance(cell, str) else abs(cell or 0)
    return found


def dump_of(some: Sequence[Line], insert_at_once: int = 3) -> str:
    """A MySQL dump with other tables around that of the hands."""
    made = ",\n".join(f"  `{name}` int(11) DEFAULT NULL COMMENT 'a (b), c;'" for name in COLUMNS_141)
    parts = [
        "-- MySQL dump 10.13  Distrib 5.7.20, for Linux (x86_64)\n/*!40101 SET NAMES latin1 */;\nuse dbtrucocbr;\n",
        "DROP TABLE IF EXISTS `players`;\nCREATE TABLE `players` (\n  `id` int(11) NOT NULL,\n  PRIMARY KEY (`id`)\n) ENGINE=InnoDB;\n",
        "INSERT INTO `players` VALUES (1,'Jos\\'e; INSERT INTO `maos` VALUES (1)'),(2,'a''b');\n",
        f"CREATE TABLE `maos` (\n{made},\n  PRIMARY KEY (`id`),\n  KEY `k` (`idMao`)\n) ENGINE=InnoDB;\nLOCK TABLES `maos` WRITE;\n",
    ]
    for start in range(0, len(some), insert_at_once):
        rows = ",".join(
            "(" + ",".join(_sql(line[name]) for name in COLUMNS_141) + ")"
            for line in some[start : start + insert_at_once]
        )
        parts.append(f"INSERT INTO `maos` VALUES {rows};\n")
    return "".join([*parts, "UNLOCK TABLES;\n-- Dump completed\n"])


def _sql(cell: Cell) -> str:
    return "NULL" if cell is None else f"'{cell}'" if isinstance(cell, str) else str(cell)


def write_all(folder: Path, some: Sequence[Line]) -> dict[str, Path]:
    """Write the same hands in every format."""
    texts = {
        "165": text_of(some, COLUMNS_165, "\t"),
        "141": text_of(some, COLUMNS_141, ","),
        "75": text_of(some, COLUMNS_75, ","),
        "32": text_of([unsigned(line) for line in some], COLUMNS_32, ","),
        "dump": dump_of(some),
    }
    files = {}
    for name, text in texts.items():
        files[name] = folder / f"hands-{name}"
        files[name].write_text(text)
    return files


# The published hands, where they are


def published(file: str) -> Path:
    """A file of the published hands, for a test with the mark `trucogame`."""
    return Path(os.environ["RETRUCO_TRUCOGAME"]) / file
