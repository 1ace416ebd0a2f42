"""The tables in which TrucoGame hands are found, recognised by the names of their columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

COLUMNS_141: Final = tuple(
    """
    idMao idPartida jogadorMao cartaAltaRobo cartaMediaRobo cartaBaixaRobo cartaAltaHumano
    cartaMediaHumano cartaBaixaHumano primeiraCartaRobo primeiraCartaHumano segundaCartaRobo
    segundaCartaHumano terceiraCartaRobo terceiraCartaHumano ganhadorPrimeiraRodada
    ganhadorSegundaRodada ganhadorTerceiraRodada roboCartaVirada humanoCartaVirada quemPediuEnvido
    quemPediuFaltaEnvido quemPediuRealEnvido pontosEnvidoRobo pontosEnvidoHumano quemNegouEnvido
    quemGanhouEnvido tentosEnvido quemFlor quemContraFlor quemContraFlorResto quemNegouFlor
    pontosFlorRobo pontosFlorHumano quemGanhouFlor tentosFlor quemEscondeuPontosEnvido
    quemEscondeuPontosFlor quemTruco quandoTruco quemRetruco quandoRetruco quemValeQuatro
    quandoValeQuatro quemNegouTruco quemGanhouTruco tentosTruco tentosAnterioresRobo
    tentosAnterioresHumano tentosPosterioresRobo tentosPosterioresHumano roboMentiuEnvido
    humanoMentiuEnvido roboMentiuFlor humanoMentiuFlor roboMentiuTruco humanoMentiuTruco quemBaralho
    quandoBaralho quemContraFlorFalta quemEnvidoEnvido quemFlorFlor quandoCartaVirada hasDeception
    roboMentiuRound1 humanoMentiuRound1 roboMentiuRound2 humanoMentiuRound2 roboMentiuRound3
    humanoMentiuRound3 naipeCartaAltaRobo naipeCartaMediaRobo naipeCartaBaixaRobo
    naipeCartaAltaHumano naipeCartaMediaHumano naipeCartaBaixaHumano naipePrimeiraCartaRobo
    naipePrimeiraCartaHumano naipeSegundaCartaRobo naipeSegundaCartaHumano naipeTerceiraCartaRobo
    naipeTerceiraCartaHumano quantidadeChamadasHumano quantidadeChamadasRobo qualidadeMaoRobo
    qualidadeMaoHumano primeiraCartaHumanoClustering segundaCartaHumanoClustering
    terceiraCartaHumanoClustering primeiraCartaRoboClustering segundaCartaRoboClustering
    terceiraCartaRoboClustering quantidadeChamadasEnvidoRobo quantidadeChamadasEnvidoHumano
    cartaAltaRoboClustering cartaMediaRoboClustering cartaBaixaRoboClustering
    clusterPrimeiraCartaAgentePe clusterSegundaCartaAgenteGanhouAprimeira
    clusterSegundaCartaAgentePerdeuAprimeira clusterTerceiraCartaAgenteGanhouAsegunda
    clusterGanhadorUltimaRodada clusterTerceiraCartaAgentePerdeuAsegunda
    clusterPrimeiraCartaAgenteMao ganhadorMao clusterQuemEnvidoAgenteMao clusterQuemFlor id
    saldoTruco saldoEnvido saldoFlor clusterQuemEnvidoAgentePe clusteringindexacao clusterBaralho
    clusteringIndexacaoPontos casoUtilTruco casoUtilEnvido casoUtilContraFlor quemPediuEnvidoCluster
    quemPediuRealEnvidoCluster quemPediuFaltaEnvidoCluster quemNegouEnvidoCluster quemTrucoCluster
    quemRetrucoCluster quemValeQuatroCluster quemNegouTrucoCluster utilTruco utilEnvido utilFlor
    utilCarta quemPediuFlorCluster quemPediuContraFlorCluster quemPediuContraFlorEoRestoCluster
    diferencaPontuacao idOrigem clusterQuemTrucoPrimeiraMao clusterQuemTrucoPrimeiraPe
    clusterQuemTrucoSegundaGanhouAnterior clusterQuemTrucoSegundaPerdeuAnterior
    clusterQuemTrucoTerceiraGanhouAnterior clusterQuemTrucoTerceiraPerdeuAnterior
    """.split()  # noqa: SIM905  a heading reads better whole
)
"""A whole table of hands, with the original flags and cluster labels."""

BLUFF_COUNTERS: Final = (
    *(f"bluff{number}{how}" for number in range(1, 7) for how in ("Success", "Failure")),
    *(f"bluff{number}{how}" for how in ("Opponent", "ShowDown") for number in range(1, 7)),
)
COLUMNS_165: Final = (*COLUMNS_141, *BLUFF_COUNTERS)
"""The same with the counters of bluffs."""

COLUMNS_75: Final = tuple(
    """
    idMao jogadorMao cartaAltaRobo cartaMediaRobo cartaBaixaRobo cartaAltaHumano cartaMediaHumano
    cartaBaixaHumano primeiraCartaRobo primeiraCartaHumano segundaCartaRobo segundaCartaHumano
    terceiraCartaRobo terceiraCartaHumano ganhadorPrimeiraRodada ganhadorSegundaRodada
    ganhadorTerceiraRodada quemPediuEnvido quemPediuFaltaEnvido quemPediuRealEnvido pontosEnvidoRobo
    pontosEnvidoHumano quemNegouEnvido quemGanhouEnvido tentosEnvido quemFlor quemContraFlor
    quemContraFlorResto quemNegouFlor pontosFlorRobo pontosFlorHumano quemGanhouFlor tentosFlor
    quemEscondeuPontosEnvido quemEscondeuPontosFlor quemTruco quandoTruco quemRetruco quandoRetruco
    quemValeQuatro quandoValeQuatro quemNegouTruco quemGanhouTruco tentosTruco tentosAnterioresRobo
    tentosAnterioresHumano tentosPosterioresRobo tentosPosterioresHumano quemBaralho quandoBaralho
    quemContraFlorFalta quemEnvidoEnvido quemFlorFlor quandoCartaVirada naipeCartaAltaRobo
    naipeCartaMediaRobo naipeCartaBaixaRobo naipeCartaAltaHumano naipeCartaMediaHumano
    naipeCartaBaixaHumano naipePrimeiraCartaRobo naipePrimeiraCartaHumano naipeSegundaCartaRobo
    naipeSegundaCartaHumano naipeTerceiraCartaRobo naipeTerceiraCartaHumano quantidadeChamadasHumano
    quantidadeChamadasRobo qualidadeMaoRobo qualidadeMaoHumano quantidadeChamadasEnvidoRobo
    quantidadeChamadasEnvidoHumano saldoTruco saldoEnvido saldoFlor
    """.split()  # noqa: SIM905  a heading reads better whole
)
"""Without matches, flags and labels."""

COLUMNS_32: Final = tuple(
    """
    idMao jogadorMao cartaAltaRobo cartaMediaRobo cartaBaixaRobo primeiraCartaRobo
    primeiraCartaHumano segundaCartaRobo segundaCartaHumano terceiraCartaRobo terceiraCartaHumano
    ganhadorPrimeiraRodada ganhadorSegundaRodada ganhadorTerceiraRodada quemPediuEnvido
    quemPediuFaltaEnvido quemPediuRealEnvido pontosEnvidoRobo quemGanhouEnvido quemFlor
    quemContraFlor quemContraFlorResto quemGanhouFlor quemTruco quemRetruco quemValeQuatro
    quemGanhouTruco naipeCartaAltaRobo naipeCartaMediaRobo naipeCartaBaixaRobo quemNegouEnvido
    quemNegouTruco
    """.split()  # noqa: SIM905  a heading reads better whole
)
"""Without scores, rounds of calls and folds; negative codes have lost their sign."""


@dataclass(frozen=True, slots=True)
class Format:
    """A table by its columns."""

    name: str
    columns: tuple[str, ...]
    separator: str
    signed: bool = True
    """Whether codes below zero have kept their sign."""

    def has(self, column: str) -> bool:
        """Whether the table has a column."""
        return column in self.columns


FORMATS: Final = (
    Format("165 columns", COLUMNS_165, "\t"),
    Format("141 columns", COLUMNS_141, ","),
    Format("75 columns", COLUMNS_75, ","),
    Format("32 columns", COLUMNS_32, ",", signed=False),
)
DUMP: Final = Format("MySQL dump", COLUMNS_141, ",")

SEPARATORS: Final = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "bar"}


def recognise(header: str) -> tuple[Format, str, tuple[str, ...]]:
    """Find the format of a heading line, the separator it uses, and the columns in its order.

    >>> recognise("name,age")
    Traceback (most recent call last):
    ...
    ValueError: these are no Truco hands: the first line names 2 columns, 'name' first; known are tables of 165, 141, 75, 32 columns, idMao first, and a MySQL dump of one
    """
    separator = max(SEPARATORS, key=header.count)
    columns = tuple(name.strip().strip('"') for name in header.rstrip("\r\n").split(separator))
    if "idMao" not in columns:
        known = ", ".join(str(len(one.columns)) for one in FORMATS)
        raise ValueError(
            f"these are no Truco hands: the first line names {len(columns)} columns, {columns[0][:40]!r} first; "
            f"known are tables of {known} columns, idMao first, and a MySQL dump of one"
        )
    found = min(FORMATS, key=lambda known: len(set(known.columns) ^ set(columns)))
    _check_columns(found, columns)
    if separator != found.separator:
        used, wanted = SEPARATORS[separator], SEPARATORS[found.separator]
        raise ValueError(f"the table of {found.name} is separated by {used}: it must be {wanted}")
    return found, separator, columns


def _check_columns(found: Format, columns: Sequence[str]) -> None:
    missing = [name for name in found.columns if name not in columns]
    unknown = [name for name in columns if name not in found.columns]
    if missing or unknown:
        raise ValueError(
            f"the table comes nearest to that of {found.name}, but lacks {_few(missing)} "
            f"and has unknown {_few(unknown)}"
        )
    if len(set(columns)) < len(columns):
        twice = next(name for name in columns if list(columns).count(name) > 1)
        raise ValueError(f"column {twice!r} stands twice")


def _few(names: Sequence[str]) -> str:
    first = ", ".join(names[:5]) or "nothing"
    return f"{first} and {len(names) - 5} more" if len(names) > 5 else first
