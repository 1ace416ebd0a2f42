"""From a raw row to a partial hand: what was recorded, what can be derived, what is doubtful."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from retruco.games.core import Seat
from retruco.games.truco import envido_points, preset
from retruco.games.truco.rounds import TIE
from retruco.storage.importers import cells
from retruco.storage.importers.balances import envido_balance, flor_balance, truco_balance
from retruco.storage.importers.cells import UnknownCode
from retruco.storage.importers.faults import Finding
from retruco.storage.importers.formats import Format
from retruco.storage.importers.lines import Raw
from retruco.storage.importers.sides import Side, Suits, read_side, restored, trusted_suits
from retruco.vocab.truco.partial import ENVIDO_AGAIN, PEOPLE, SELF_PLAY, UNKNOWN, CardOrReason, PartialHand
from retruco.vocab.truco.partial_replay import SORTED, UNCALLED, stand_in, whole_record

RULES: Final = "trucogame"

SELF_PLAY_MATCHES: Final = ("aprendizagem automatica", "aprendizado_ativo")
"""What stands in place of a match where programs trained by playing each other."""
LAST_OF_PEOPLE: Final = 3195
"""Where a table names no matches: the last number of a hand played by people in the published bases."""

LABELS: Final[Mapping[str, str]] = {
    "card-1-lead": "clusterPrimeiraCartaAgenteMao",
    "card-1-follow": "clusterPrimeiraCartaAgentePe",
    "card-2-lead": "clusterSegundaCartaAgenteGanhouAprimeira",
    "card-2-follow": "clusterSegundaCartaAgentePerdeuAprimeira",
    "card-3-lead": "clusterTerceiraCartaAgenteGanhouAsegunda",
    "card-3-follow": "clusterTerceiraCartaAgentePerdeuAsegunda",
    "envido-first": "clusterQuemEnvidoAgenteMao",
    "envido-second": "clusterQuemEnvidoAgentePe",
    "truco-1-first": "clusterQuemTrucoPrimeiraMao",
    "truco-1-second": "clusterQuemTrucoPrimeiraPe",
    "truco-2-lead": "clusterQuemTrucoSegundaGanhouAnterior",
    "truco-2-follow": "clusterQuemTrucoSegundaPerdeuAnterior",
    "truco-3-lead": "clusterQuemTrucoTerceiraGanhouAnterior",
    "truco-3-follow": "clusterQuemTrucoTerceiraPerdeuAnterior",
    "card-index": "clusteringindexacao",
    "point-index": "clusteringIndexacaoPontos",
}
"""The columns of the original clusters, by our scenario."""
FLAGS: Final = {"card": "utilCarta", "truco": "utilTruco", "envido": "utilEnvido", "flor": "utilFlor"}
CALLS: Final = {
    "envido": "quemPediuEnvido",
    ENVIDO_AGAIN: "quemEnvidoEnvido",
    "real-envido": "quemPediuRealEnvido",
    "falta-envido": "quemPediuFaltaEnvido",
}
TRUCO: Final = {"truco": "Truco", "retruco": "Retruco", "vale4": "ValeQuatro"}


@dataclass(frozen=True, slots=True)
class Read:
    """What came of a row: the hand, unless the row was refused, and its faults."""

    hand: PartialHand | None
    findings: tuple[Finding, ...]
    line: int


def read_hand(raw: Raw, table: Format, restarted: bool = False) -> Read:
    """Read one row; whatever is wrong with it costs at most the row.

    `restarted` tells that the numbers of a table without matches have begun anew, which in the
    published bases means hands of self-play.
    """
    if raw.fault:
        return Read(None, (Finding(raw.line, None, "bad-row", raw.fault),), raw.line)
    try:
        return _Reader(raw, table, restarted).read()
    except UnknownCode as error:
        number = raw.values.get("idMao")
        kind = "no-hand" if "missing" in str(error) else "unknown-code"
        known = number if isinstance(number, int) else None
        return Read(None, (Finding(raw.line, known, kind, str(error)),), raw.line)


class _Reader:
    """One row being read; faults are collected on the way."""

    def __init__(self, raw: Raw, table: Format, restarted: bool) -> None:
        self.raw, self.table = raw, table
        self.number = cells.needed(raw, "idMao")
        self.findings: list[Finding] = []
        match = raw.values.get("idPartida")
        self.match = None if match is None else str(match)
        taught_itself = (
            restarted or self.number > LAST_OF_PEOPLE if match is None else match in SELF_PLAY_MATCHES
        )
        self.source = SELF_PLAY if taught_itself else PEOPLE

    def doubt(self, kind: str, detail: str = "") -> None:
        self.findings.append(Finding(self.raw.line, self.number, kind, detail))

    def read(self) -> Read:
        mine, other = (read_side(self.raw, seat, self.table) for seat in (0, 1))
        if mine.hand is None:
            raise UnknownCode("the cards of the recorded player are missing")
        suits = self._suits(mine, "own"), self._suits(other, "other's")
        hand = self._cards(mine, other, *suits)
        hand = self._with_points(hand, mine, other)
        hand = self._with_balances(hand)
        self._check(hand)
        doubts = tuple(dict.fromkeys(one.kind for one in self.findings))
        hand = replace(hand, doubts=doubts)
        return Read(replace(hand, record=whole_record(hand)), tuple(self.findings), self.raw.line)

    # Cards

    def _suits(self, side: Side, whose: str) -> Suits:
        suits, faults = trusted_suits(side)
        for kind in faults:
            self.doubt(kind, f"{whose} {side.hand} {side.suits} {side.points}")
        return suits

    def _cards(self, mine: Side, other: Side, suits: Suits, other_suits: Suits) -> PartialHand:
        raw = self.raw
        assert mine.hand is not None
        # The twins confirm what is restored of people's hands; nothing does of those of self-play.
        has_suits = self.table.has("naipePrimeiraCartaRobo") and self.source == PEOPLE
        own, faults = restored(mine, suits, has_suits)
        others, more = restored(other, other_suits, has_suits)
        for kind in faults + more:
            self.doubt(kind)
        cards = self._signed(own, mine), self._signed(others, other)
        if mine.hand and other.hand and _twice(mine.hand, suits, other.hand, other_suits):
            self.doubt("card-twice", f"{mine.hand} {suits} against {other.hand} {other_suits}")
            suits, other_suits = (*suits[:2], None), (*other_suits[:2], None)
        if self.source == SELF_PLAY and all(isinstance(card, int) for card in cards[1]):
            self.doubt(SORTED)
        return PartialHand(
            number=self.number,
            match=self.match,
            source=self.source,
            rules=RULES,
            mao=self._mao(),
            hand=mine.hand,
            suits=suits,
            other_hand=other.hand,
            other_suits=other_suits,
            points=(mine.points, other.points),
            cards=cards,
            winners=tuple(cells.winner(raw, f"ganhador{one.capitalize()}Rodada") for one in cells.ROUNDS),  # type: ignore[arg-type]
            envido=_there({call: cells.who(raw, column) for call, column in CALLS.items()}),
            flor=None,
            truco=self._truco(),
            declined=_there(
                {"envido": cells.who(raw, "quemNegouEnvido"), "truco": cells.who(raw, "quemNegouTruco")}
            ),
            fold=self._fold(),
            balance={},
            scores=self._scores(),
            labels=_above_zero({name: cells.number(raw, column) for name, column in LABELS.items()}),
            coded=self._coded(),
            useful=_there({name: cells.number(raw, column) for name, column in FLAGS.items()}),
        )

    def _mao(self) -> Seat:
        mao = cells.who(self.raw, "jogadorMao")
        if mao is None:
            raise UnknownCode("jogadorMao is not told: one of 1, 2")
        return mao

    def _signed(
        self, cards: tuple[CardOrReason, CardOrReason, CardOrReason], side: Side
    ) -> tuple[CardOrReason, CardOrReason, CardOrReason]:
        """Settle codes that mean two things since they lost their sign: 1 and, of people, 50."""
        if self.table.signed:
            return cards
        first, second, third = (self._settled(card, side) for card in cards)
        return first, second, third

    def _settled(self, card: CardOrReason, side: Side) -> CardOrReason:
        doubtful = (1, 50) if self.source == PEOPLE else (1,)
        if card not in doubtful:
            return card
        if side.hand is not None:
            return card if card in side.hand else "down" if card == 1 else UNKNOWN
        if self.source == SELF_PLAY:
            return card  # programs never played face down
        self.doubt("ambiguous-card", f"{card}")
        return UNKNOWN

    # Calls

    def _truco(self) -> tuple[tuple[str, Seat, int | None], ...]:
        found: list[tuple[str, Seat, int | None]] = []
        for call, column in TRUCO.items():
            seat = cells.who(self.raw, f"quem{column}")
            if seat is None:
                continue
            if len(found) < list(TRUCO).index(call):
                self.doubt("truco-order", f"{call} alone")
                return tuple(found)
            when = cells.number(self.raw, f"quando{column}")
            found.append((call, seat, when if when in (1, 2, 3) else None))
        return tuple(found)

    def _fold(self) -> tuple[Seat, int | None] | None:
        seat = cells.who(self.raw, "quemBaralho")
        when = cells.number(self.raw, "quandoBaralho")
        return None if seat is None else (seat, when if when in (1, 2, 3) else None)

    def _scores(self) -> tuple[tuple[int, int], tuple[int, int]] | None:
        before, after = (
            [cells.number(self.raw, f"tentos{when}{side}") for side in cells.SIDES]
            for when in ("Anteriores", "Posteriores")
        )
        a, b, c, d = *before, *after
        return None if a is None or b is None or c is None or d is None else ((a, b), (c, d))

    def _coded(self) -> tuple[tuple[int | None, ...], tuple[int | None, ...]] | None:
        if not self.table.has("primeiraCartaRoboClustering"):
            return None
        own, other = (
            tuple(cells.number(self.raw, f"{one}Carta{side}Clustering") for one in cells.ROUNDS)
            for side in cells.SIDES
        )
        return own, other

    # What follows

    def _with_points(self, hand: PartialHand, mine: Side, other: Side) -> PartialHand:
        """Settle the envido points and the flor, as far as the suits confirm them."""
        points = []
        for side, suits in ((mine, hand.suits), (other, hand.other_suits)):
            points.append(_envido_points(side, suits))
            if side.hand is not None and side.points is not None and points[-1] is None:
                self.doubt("impossible-points", f"{side.hand} {side.points}")
        flagged = cells.who(self.raw, "quemFlor")
        of_flagged = hand.other_suits if flagged else hand.suits
        real = flagged is not None and None not in of_flagged and len(set(of_flagged)) == 1
        if flagged is not None and not real:
            self.doubt("flor-flag", f"seat {flagged} has {of_flagged}")
        return replace(
            hand, points=(points[0], points[1]), flor=flagged if real else None, truco=self._rounds(hand)
        )

    def _rounds(self, hand: PartialHand) -> tuple[tuple[str, Seat, int | None], ...]:
        """Fill in the round of a declined call: the one in which play stopped."""
        if not hand.truco or "truco" not in hand.declined or hand.truco[-1][2] is not None:
            calls = hand.truco
        else:
            stopped = 1 + sum(hand.played(0, number) and hand.played(1, number) for number in (1, 2))
            calls = (*hand.truco[:-1], (*hand.truco[-1][:2], stopped))
        if any(number is None for _, _, number in calls):
            self.doubt("truco-round")
        return calls

    def _with_balances(self, hand: PartialHand) -> PartialHand:
        raw = self.raw
        won = cells.who(raw, "quemGanhouEnvido"), cells.number(raw, "tentosEnvido")
        if not hand.envido and (won[1] or 0) > 0:
            self.doubt(UNCALLED, f"{won[1]} to seat {won[0]}")
        envido, envido_doubts = envido_balance(hand, *won)
        truco, truco_doubts = truco_balance(
            hand,
            cells.who(raw, "quemGanhouTruco"),
            cells.number(raw, "tentosTruco"),
            envido,
            trusted=all(one.kind != SORTED for one in self.findings),
        )
        for kind in envido_doubts + truco_doubts:
            self.doubt(kind)
        return replace(hand, balance={"envido": envido, "flor": flor_balance(hand), "truco": truco})

    def _check(self, hand: PartialHand) -> None:
        """Compare what was recorded twice."""
        for number in (1, 2, 3):
            mine, other = (hand.cards[seat][number - 1] for seat in (0, 1))
            winner = hand.winners[number - 1]
            if isinstance(mine, int) and isinstance(other, int) and winner is not None:
                real = TIE if mine == other else 0 if mine > other else 1
                if real != winner:
                    self.doubt("round-winner", f"round {number}: {mine} against {other}")
        won, truco = cells.who(self.raw, "ganhadorMao"), cells.who(self.raw, "quemGanhouTruco")
        if won is not None and won != truco:
            self.doubt("hand-winner")
        if hand.scores is None:
            return
        before, after = hand.scores
        if max(before) >= preset(RULES).target:
            self.doubt("score-high", f"{before}")
        paid = [0, 0]
        for stage in ("Envido", "Truco"):
            seat = cells.who(self.raw, f"quemGanhou{stage}")
            if seat is not None:
                paid[seat] += cells.number(self.raw, f"tentos{stage}") or 0
        if [after[seat] - before[seat] for seat in (0, 1)] != paid:
            self.doubt("score-change", f"{before} to {after}, paid {paid}")


def _envido_points(side: Side, suits: Suits) -> int | None:
    """The points to go by: those recorded, of a real flor those of its best two cards."""
    if side.hand is None or side.points is None:
        return side.points if side.points is None or 0 <= side.points <= 33 else None
    if None not in suits and len(set(suits)) == 1:
        cards = stand_in(side.hand, suits, None, True, None)
        return None if cards is None else envido_points(cards)
    return side.points if stand_in(side.hand, suits, side.points, False, None) else None


def _twice(hand: tuple[int, ...], suits: Suits, other: tuple[int, ...], other_suits: Suits) -> bool:
    mine = set(zip(hand, suits, strict=True))
    return any(card in mine and card[1] is not None for card in zip(other, other_suits, strict=True))


def _there(found: Mapping[str, int | None]) -> dict[str, int]:
    return {name: value for name, value in found.items() if value is not None}


def _above_zero(found: Mapping[str, int | None]) -> dict[str, int]:
    return {name: value for name, value in found.items() if value}
