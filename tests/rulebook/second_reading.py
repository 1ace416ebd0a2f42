"""The rule of heads-up Truco, read a second time to hold the engine against.

Written from the rule alone: it shares no code with the engine, only the notation of records and summaries.
It goes for plainness, not speed: one table that changes as the hand is played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, Literal, TypeAlias, TypedDict

Seat: TypeAlias = int
Stage: TypeAlias = Literal["envido", "flor", "truco"]
PointsOf: TypeAlias = Callable[[list[str]], int]

FLOR_CALLS: Final = ("flor", "contraflor", "contraflor-resto", "achico")
ENVIDO_CALLS: Final = ("envido", "real-envido", "falta-envido")
TRUCO_CALLS: Final = ("truco", "retruco", "vale4")
ANSWERS: Final = ("quero", "nao-quero")
CALLS: Final = (*FLOR_CALLS, *ENVIDO_CALLS, *TRUCO_CALLS, *ANSWERS, "baralho")

WORTH: Final = {"truco": 2, "retruco": 3, "vale4": 4}
NEXT_TRUCO_CALL: Final = {1: "truco", 2: "retruco", 3: "vale4"}
"""The call that raises a hand worth so much."""

FLOR_IS_COMPULSORY: Final = ("cbtg", "argentino")
ARGENTINE: Final = ("argentino", "argentino-sem-flor")
TWO_FLORS: Final = {"cbtg": 6, "trucogame": 6, "argentino": 4}
ACHICO: Final = {"cbtg": 4, "argentino": 3}
DECLINED_LAST_RAISE: Final = {"cbtg": 6, "trucogame": 4, "argentino": 6}
"""What a declined contraflor-resto pays when it answered a contraflor."""

STRONG_TO_WEAK: Final = (
    *("1e", "1b", "7e", "7o", "3e 3b 3o 3c", "2e 2b 2o 2c", "1c 1o", "12e 12b 12o 12c"),
    *("11e 11b 11o 11c", "10e 10b 10o 10c", "7b 7c", "6e 6b 6o 6c", "5e 5b 5o 5c", "4e 4b 4o 4c"),
)
STRENGTH: Final = {
    card: strength
    for strength, equals in enumerate(reversed(STRONG_TO_WEAK), start=1)
    for card in equals.split()
}
FACE_DOWN: Final = 0
"""The strength of a face-down card: it loses to anything, and two of them tie."""


class Record(TypedDict):
    """A hand as the JSON object that stores it."""

    game: Literal["truco"]
    rules: str
    target: int
    scores: list[int]
    mao: Seat
    hands: list[list[str]]
    actions: list[str]


def suit(card: str) -> str:
    """The letter of the suit."""
    return card[-1]


def value(card: str) -> int:
    """What a card counts in envido and flor: its number, nothing for 10, 11 and 12."""
    number = int(card[:-1])
    return number if number < 10 else 0


def is_flor(cards: list[str]) -> bool:
    """Three cards of one suit."""
    return len(set(map(suit, cards))) == 1


def flor_points(cards: list[str]) -> int:
    """Twenty and the three values."""
    return 20 + sum(map(value, cards))


def envido_points(cards: list[str]) -> int:
    """Twenty and the values of the best two cards of one suit, else the highest single value."""
    pairs = [(one, other) for one, other in combinations(cards, 2) if suit(one) == suit(other)]
    return max([20 + value(one) + value(other) for one, other in pairs] or map(value, cards))


@dataclass
class Bet:
    """A chain of calls that waits for an answer to its last one."""

    stage: Stage
    caller: Seat
    """Who made the last call; the other seat must answer."""
    calls: list[str] = field(default_factory=list)

    @property
    def last(self) -> str:
        return self.calls[-1]


class Table:
    """A hand of Truco as it stands after the actions of a record.

    >>> hands = [["1e", "7c", "4b"], ["3o", "2c", "5e"]]
    >>> common = {"game": "truco", "rules": "cbtg", "target": 24, "scores": [0, 0], "mao": 0, "hands": hands}
    >>> Table({**common, "actions": ["envido", "envido", "nao-quero"]}).points["envido"]
    [0, 2]
    """

    def __init__(self, record: Record) -> None:
        self.rules, self.target, self.mao = record["rules"], record["target"], record["mao"]
        self.scores = list(record["scores"])
        self.dealt = record["hands"]
        self.held = [list(cards) for cards in self.dealt]
        self.points: dict[Stage, list[int]] = {"envido": [0, 0], "flor": [0, 0], "truco": [0, 0]}
        self.over = False
        self.to_play = self.mao  # the seat that is about to play a card
        self.on_table: dict[Seat, int] = {}  # the strength of the cards of this round
        self.rounds: list[Seat | None] = []  # who won each round, nobody if it is tied
        self.bets: list[Bet] = []  # what waits for an answer, the innermost last
        self.called: set[Stage] = set()
        self.envido_open = self.flor_open = True  # a chain may still be begun
        self.worth = 1  # the hand, as accepted so far
        self.accepted_by: Seat | None = None  # who said quero to a truco call last
        for action in record["actions"]:
            self.play(action)

    def after(self, action: str) -> Table:
        """Another table, at which one more action has been played."""
        other = copy(self)
        other.scores, other.rounds, other.bets = list(self.scores), list(self.rounds), list(self.bets)
        other.held = [list(cards) for cards in self.held]
        other.points = {stage: list(both) for stage, both in self.points.items()}
        other.on_table, other.called = dict(self.on_table), set(self.called)
        other.play(action)
        return other

    def summary(self) -> dict[str, object]:
        """What is told about the hand, in the words of `replay`."""
        truco = self.points["truco"]
        reached = [seat for seat in (0, 1) if self.scores[seat] >= self.target]
        return {
            "turn": self.turn,
            "legal": self.legal(),
            "over": self.over,
            "winner": truco.index(max(truco)) if any(truco) else None,
            "match_winner": reached[0] if reached else None,
            "points": {stage: list(both) for stage, both in self.points.items()},
            "scores": list(self.scores),
        }

    # Who acts, and what they may do

    @property
    def turn(self) -> Seat | None:
        """Who acts next: whoever must answer, else whoever is about to play a card."""
        if self.over:
            return None
        return 1 - self.bets[-1].caller if self.bets else self.to_play

    def legal(self) -> list[str]:
        """What the seat to act may do, in the order of the notation."""
        seat = self.turn
        if seat is None:
            return []
        if self.faces("flor"):
            return self.answers_to_a_flor()
        if self.may_sing(seat) and self.rules in FLOR_IS_COMPULSORY:
            return ["flor"]
        flor = ["flor"] if self.may_sing(seat) else []
        if self.faces("envido"):
            return [*flor, *self.envido_raises(), *self.answers()]
        if self.faces("truco"):
            return [*flor, *self.envido_comes_first(seat), *self.truco_raise(), *self.answers()]
        envido = ENVIDO_CALLS if self.may_open_envido(seat) else ()
        return [*self.cards_to_play(seat), *flor, *envido, *self.truco_call(seat), "baralho"]

    def faces(self, stage: Stage) -> bool:
        """The innermost call that waits for an answer is of this stage."""
        return bool(self.bets) and self.bets[-1].stage == stage

    def has_flor(self, seat: Seat) -> bool:
        """The seat was dealt a flor, where flor is played."""
        return is_flor(self.dealt[seat]) and self.rules != "argentino-sem-flor"

    def has_played(self, seat: Seat) -> bool:
        """The seat has played a card."""
        return len(self.held[seat]) < 3

    def may_sing(self, seat: Seat) -> bool:
        """The seat may open with flor."""
        return self.flor_open and self.has_flor(seat) and not self.has_played(seat)

    def may_open_envido(self, seat: Seat) -> bool:
        """The seat may begin the one envido chain of the hand."""
        return self.envido_open and not self.has_played(seat)

    def answers(self) -> list[str]:
        """The answers to any bet, with the fold where the fold table allows it."""
        return [*ANSWERS] if self.rules in ARGENTINE else [*ANSWERS, "baralho"]

    def answers_to_a_flor(self) -> list[str]:
        """The answers to the flor call that waits."""
        last = self.bets[-1].last
        if last == "flor":
            achico = ["achico"] if self.rules in ACHICO else []
            return ["flor", "contraflor", "contraflor-resto", *achico]
        return [*(["contraflor-resto"] if last == "contraflor" else []), *self.answers()]

    def envido_raises(self) -> list[str]:
        """Envido at most twice and before a real, real once, falta once and last."""
        calls = self.bets[-1].calls
        if "falta-envido" in calls:
            return []
        no_real = "real-envido" not in calls
        real_again = self.rules == "cbtg" and chain_value(calls) < self.target
        return [
            *(["envido"] if no_real and calls.count("envido") < 2 else []),
            *(["real-envido"] if no_real or real_again else []),
            "falta-envido",
        ]

    def envido_comes_first(self, seat: Seat) -> tuple[str, ...]:
        """The envido calls that may answer `truco` itself."""
        return ENVIDO_CALLS if self.bets[-1].last == "truco" and self.may_open_envido(seat) else ()

    def truco_raise(self) -> list[str]:
        """The truco call that answers the one below."""
        return {"truco": ["retruco"], "retruco": ["vale4"], "vale4": []}[self.bets[-1].last]

    def truco_call(self, seat: Seat) -> list[str]:
        """The truco call of a free turn: `truco` for either seat, more for who said quero last."""
        if self.worth == 4 or (self.worth > 1 and self.accepted_by != seat):
            return []
        return [NEXT_TRUCO_CALL[self.worth]]

    def cards_to_play(self, seat: Seat) -> list[str]:
        """The cards as held; from the second round on face down too."""
        cards = self.held[seat]
        return [*cards, *(f"down:{card}" for card in cards if self.rounds)]

    # What an action does

    def play(self, action: str) -> None:
        """Play one legal action."""
        seat = self.turn
        assert seat is not None, f"{action} after the end"
        assert action in self.legal(), f"{action} is not among {self.legal()}"
        if action in FLOR_CALLS:
            self.call_flor(seat, action)
        elif action in ENVIDO_CALLS:
            self.call_envido(seat, action)
        elif action in TRUCO_CALLS:
            self.call_truco(seat, action)
        elif action == "quero":
            self.accept(seat)
        elif action == "nao-quero":
            self.decline(seat)
        elif action == "baralho":
            self.fold(seat)
        else:
            self.play_card(seat, action)

    def call_flor(self, seat: Seat, call: str) -> None:
        """Open with flor, or answer the flor of the other seat."""
        self.called.add("flor")
        if not self.faces("flor"):
            self.sing(seat)
        elif call == "flor":
            self.bets.pop()
            self.pay("flor", self.better(flor_points), TWO_FLORS[self.rules])
        elif call == "achico":
            singer = self.bets.pop().caller
            self.pay("flor", singer, ACHICO[self.rules])
        else:
            self.raise_to(seat, call)

    def sing(self, seat: Seat) -> None:
        """Open with flor: it cancels a pending envido, in trucogame a pending truco too."""
        self.flor_open = self.envido_open = False
        truco_waits = self.rules != "trucogame"
        self.bets = [bet for bet in self.bets if bet.stage == "truco" and truco_waits]
        if self.has_flor(1 - seat):
            self.bets.append(Bet("flor", seat, ["flor"]))
        else:
            self.pay("flor", seat, 3)

    def call_envido(self, seat: Seat, call: str) -> None:
        """Begin the envido chain or raise it; in trucogame its first call cancels a pending truco."""
        self.called.add("envido")
        self.envido_open = False
        if self.faces("envido"):
            self.raise_to(seat, call)
            return
        if self.rules == "trucogame":
            self.bets.clear()
        self.bets.append(Bet("envido", seat, [call]))

    def call_truco(self, seat: Seat, call: str) -> None:
        """Begin a truco chain or raise it; a raise accepts the call below."""
        self.called.add("truco")
        if self.faces("truco"):
            self.accept_truco(seat)
        self.bets.append(Bet("truco", seat, [call]))

    def raise_to(self, seat: Seat, call: str) -> None:
        """Add a call to the chain that waits and turn it back."""
        bet = self.bets.pop()
        self.bets.append(Bet(bet.stage, seat, [*bet.calls, call]))

    def accept(self, seat: Seat) -> None:
        """Say quero: points are compared at once, a truco raises what the hand is worth."""
        if self.faces("truco"):
            self.accept_truco(seat)
            return
        bet = self.bets.pop()
        winner = self.better(flor_points if bet.stage == "flor" else envido_points)
        self.flor_open = False
        self.pay(bet.stage, winner, self.accepted_value(bet, winner))

    def accept_truco(self, seat: Seat) -> None:
        """Play on for more; it closes envido and flor for both."""
        self.worth = WORTH[self.bets.pop().last]
        self.accepted_by = seat
        self.envido_open = self.flor_open = False

    def decline(self, seat: Seat) -> None:
        """Say não quero: the other seat is paid what the chain is worth declined."""
        bet = self.bets.pop()
        self.flor_open = False
        self.pay(bet.stage, 1 - seat, self.declined_value(bet))

    def fold(self, seat: Seat) -> None:
        """Go to the deck: the flor or envido part is paid first, then the truco part."""
        other = 1 - seat
        if not self.bets:
            self.pay_for_what_was_not_called(seat)
            self.pay("truco", other, self.worth)
            return
        bet = self.bets.pop()
        self.pay(bet.stage, other, self.declined_value(bet))
        if bet.stage != "truco":
            self.pay("truco", other, 1)

    def pay_for_what_was_not_called(self, folder: Seat) -> None:
        """The envido or flor part of a fold in a free turn."""
        other = 1 - folder
        if self.rules == "trucogame" or self.has_played(folder):
            return
        if self.rules == "cbtg":
            if self.called:
                return
            if self.has_flor(other):
                self.pay("flor", other, 3)
            else:
                self.pay("envido", other, 1)
        elif not self.called or (self.worth > 1 and self.called == {"truco"}):
            self.pay("envido", other, 1)

    def play_card(self, seat: Seat, action: str) -> None:
        """Put a card on the table; the second one decides the round."""
        card = action.removeprefix("down:")
        self.held[seat].remove(card)
        self.on_table[seat] = STRENGTH[card] if action == card else FACE_DOWN
        if len(self.on_table) == 2:
            self.end_round()
        else:
            self.to_play = 1 - seat

    def end_round(self) -> None:
        """See who takes the round, and perhaps the hand; who won leads, after a tie the mão."""
        mine, theirs = self.on_table[0], self.on_table[1]
        self.on_table.clear()
        winner = None if mine == theirs else 0 if mine > theirs else 1
        self.rounds.append(winner)
        self.to_play = self.mao if winner is None else winner
        taker = self.taker()
        if taker is not None:
            self.pay("truco", taker, self.worth)

    # What it is worth

    def pay(self, stage: Stage, seat: Seat, points: int) -> None:
        """Award points at once; truco points end the hand, the target ends it and the match."""
        if self.over:
            return
        self.points[stage][seat] += points
        self.scores[seat] += points
        self.over = stage == "truco" or self.scores[seat] >= self.target

    def taker(self) -> Seat | None:
        """Who has taken the hand, if the rounds so far decide it."""
        won = [seat for seat in self.rounds if seat is not None]
        tied = len(won) < len(self.rounds)
        for seat in (0, 1):
            if won.count(seat) == 2:
                return seat
        if won and tied:
            return won[0]
        return self.mao if len(self.rounds) == 3 else None

    def better(self, points: PointsOf) -> Seat:
        """Who has more points in the hand dealt; ties go to the mão."""
        pe = 1 - self.mao
        return pe if points(self.dealt[pe]) > points(self.dealt[self.mao]) else self.mao

    def accepted_value(self, bet: Bet, winner: Seat) -> int:
        """What an accepted envido, contraflor or contraflor-resto pays."""
        if bet.last == "contraflor":
            return 6
        if bet.last == "contraflor-resto":
            return self.resto(winner)
        return self.falta(winner) if bet.last == "falta-envido" else chain_value(bet.calls)

    def declined_value(self, bet: Bet) -> int:
        """What a declined chain pays to who called last."""
        if bet.stage == "truco":
            return WORTH[bet.last] - 1
        if bet.stage == "envido":
            return max(1, chain_value(bet.calls[:-1]))
        return DECLINED_LAST_RAISE[self.rules] if len(bet.calls) == 3 else 4

    def leader_lacks(self) -> int:
        """What the leader lacks to the target."""
        return self.target - max(self.scores)

    def falta(self, winner: Seat) -> int:
        """What a falta envido pays, by the scores of this moment."""
        halves = self.target % 2 == 0 and self.target >= 24
        half = self.target // 2
        if self.rules == "trucogame":
            return self.target - self.scores[1 - winner]
        if self.rules in ARGENTINE and halves and max(self.scores) < half:
            return half - self.scores[winner]
        return self.leader_lacks()

    def resto(self, winner: Seat) -> int:
        """What a contraflor-resto pays."""
        if self.rules == "cbtg":
            return 6 + self.leader_lacks()
        return self.target if self.rules == "trucogame" else self.falta(winner)


def chain_value(calls: list[str]) -> int:
    """Two for each envido and three for each real."""
    return sum({"envido": 2, "real-envido": 3}[call] for call in calls)


def count(table: Table, depth: int = 1000) -> Counter[str]:
    """Count the decisions and the ends of every way to play on, up to a depth."""
    if table.over:
        return Counter(ends=1)
    counts = Counter(decisions=1)
    if depth > 0:
        for action in table.legal():
            counts += count(table.after(action), depth - 1)
    return counts
