"""What a scripted player counts when it looks at the table, in compiled code: the same numbers as `sense.Situation`.

The pages of the styles are not written again: `traced` records what a page compares, and compiled code
compares the same features here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, get_args

import numpy as np

from retruco.agents.trees import COMPARE, Step
from retruco.agents.truco.compiled_chances import (
    LOST,
    NOTHING,
    TIED,
    WON,
    ChanceTables,
    after,
    chance_tables,
    place_of,
    result_of,
    share_led,
    share_won,
    wins,
)
from retruco.agents.truco.odds import EnvidoTalk, flor_odds, points_odds
from retruco.agents.truco.sense import Situation
from retruco.cards import SPANISH_DECK
from retruco.compiler import compiled_step, inlined
from retruco.games.truco import Truco, TrucoObservation
from retruco.games.truco.compiled.situation import first_shown, situation
from retruco.games.truco.compiled.stepper import (
    BY_OTHER,
    CARDS,
    FACE_DOWN,
    HAND,
    HELD,
    MAO,
    PLAYS,
    SCORES,
    TABLE,
    Row,
)
from retruco.games.truco.compiled.tables import Tables
from retruco.games.truco.deck import CLASSES

(
    POINTS, POINTS_ODDS, POINTS_PRICE, FLOR_PRICE, TRUCO_PRICE, FLOR_ODDS, ANSWERED_FLOR_ODDS, HAND_ODDS,
    LOST_HAND, BEST_CARD, CHEAPEST_WINNER, OWN_LACKS, OTHER_LACKS, WEAKEST,
) = range(14)  # fmt: skip
"""The features of a look; from `WEAKEST` on come the strengths of the cards held, in rising order."""

FEATURES: Final = WEAKEST + HAND

AT_LEAST, ABOVE, AT_MOST, BELOW, INDEX = range(5)
"""How a feature is compared; `INDEX` takes its value as the number of a branch."""
NO_FEATURE: Final = -1

TALKS: Final[tuple[EnvidoTalk, ...]] = get_args(EnvidoTalk)
PRICES: Final[dict[int, Callable[[Situation], float]]] = {
    POINTS_PRICE: lambda situation: situation.points_price,
    FLOR_PRICE: lambda situation: situation.flor_price,
    TRUCO_PRICE: lambda situation: situation.truco_price,
}
"""The features that depend on the scores by more than what is lacked."""
MOST_ENVIDO: Final = 33
MOST_FLOR: Final = 38
MOST_PRICED_TARGET: Final = 60
"""The greatest target for which prices are written down for every score."""


class LookTables(NamedTuple):
    """What looking needs; compiled code takes it as it is."""

    chances: ChanceTables
    points_odds: Any
    """By points, whether one is the mão, talk of the other and the first card that it has shown."""
    flor_odds: Any
    """By flor points and whether one is the mão."""
    talk: Any
    """By situation: the talk of the other."""
    price_place: Any
    """By feature and situation: where its prices are."""
    prices: Any
    """By place, own score and the other's: the odds that a bet needs."""


class LookData:
    """The tables of one game; prices are added when a situation is first met."""

    def __init__(self, game: Truco, situations: int) -> None:
        self.game = game
        self.tables = LookTables(
            chance_tables(),
            points_odds_table(game.rules.flor),
            flor_odds_table(),
            np.zeros(situations, dtype=np.int8),
            np.full((TRUCO_PRICE + 1, situations), NO_FEATURE, dtype=np.int32),
            np.zeros((0, game.target, game.target)),
        )

    def learn(self, place: int, seen: TrucoObservation, steps: Sequence[Step]) -> None:
        """Write down what the steps of a decision need to be compared in this situation."""
        self.tables.talk[place] = TALKS.index(Situation(seen).talk)
        for step in steps:
            if step.kind == COMPARE:
                for wanted in {int(step.numbers[0]), int(step.numbers[2])} & PRICES.keys():
                    self._add_prices(wanted, place, seen)

    def _add_prices(self, wanted: int, place: int, seen: TrucoObservation) -> None:
        """Write down a price of a situation for every score."""
        if self.tables.price_place[wanted, place] != NO_FEATURE:
            return
        board, price = range(self.game.target), PRICES[wanted]
        table = [[price(Situation(at_score(seen, own, other))) for other in board] for own in board]
        self.tables.price_place[wanted, place] = len(self.tables.prices)
        self.tables = self.tables._replace(prices=np.concatenate([self.tables.prices, [table]]))


def at_score(seen: TrucoObservation, own: int, other: int) -> TrucoObservation:
    """The same observation at another score."""
    return seen._replace(scores=(own, other) if seen.seat == 0 else (other, own))


def points_odds_table(flor: bool) -> Any:
    """The odds on envido points for every case that there is."""
    table = np.zeros((MOST_ENVIDO + 1, 2, len(TALKS), len(SPANISH_DECK) + 1))
    for points in range(MOST_ENVIDO + 1):
        for is_mao in (False, True):
            for number, talk in enumerate(TALKS):
                for shown, card in enumerate((None, *SPANISH_DECK)):
                    table[points, int(is_mao), number, shown] = points_odds(points, is_mao, talk, card, flor)
    return table


def flor_odds_table() -> Any:
    """The odds on flor points."""
    return np.array([[flor_odds(points, bool(mao)) for mao in (0, 1)] for points in range(MOST_FLOR + 1)])


@inlined
def compare(
    tables: Tables, looks: LookTables, row: Row, seat: int, order: Row, values: Any, terms: Any
) -> Any:
    """Find out how a comparison comes out; its terms are feature, relation, other feature and constant.

    `values` holds the features of this look that were counted before, and is not a number elsewhere.
    """
    for place in (0, 2):
        wanted = int(terms[place])
        if wanted != NO_FEATURE and np.isnan(values[wanted]):
            # What costs less than a call is counted here.
            if wanted == OWN_LACKS:
                values[wanted] = tables.target - row[SCORES + seat]
            elif wanted == OTHER_LACKS:
                values[wanted] = tables.target - row[SCORES + 1 - seat]
            elif wanted == LOST_HAND and (row[PLAYS] % 2 == 0 or row[PLAYS] < 2):
                values[wanted] = 0.0  # no card of the other's waits for an answer in a round that can decide
            else:
                values[wanted] = feature(tables, looks, row, seat, order, wanted)
    value, relation, other = values[int(terms[0])], int(terms[1]), terms[3]
    if relation == INDEX:
        return np.int64(value)
    if terms[2] != NO_FEATURE:
        other += values[int(terms[2])]
    if relation == AT_LEAST:
        return np.int64(value >= other)
    if relation == ABOVE:
        return np.int64(value > other)
    return np.int64(value <= other if relation == AT_MOST else value < other)


@compiled_step
def feature(tables: Tables, looks: LookTables, row: Row, seat: int, order: Row, wanted: int) -> Any:
    """The value of a feature."""
    if wanted >= WEAKEST:
        return np.float64(strength_held(tables, row, seat, order, wanted - WEAKEST))
    if wanted == OWN_LACKS:
        return np.float64(tables.target - row[SCORES + seat])
    if wanted == OTHER_LACKS:
        return np.float64(tables.target - row[SCORES + 1 - seat])
    if wanted in (HAND_ODDS, BEST_CARD):
        return on_cards(tables, looks.chances, row, seat, order, wanted)
    if wanted == LOST_HAND:
        return np.float64(is_lost(tables, looks.chances, row, seat, order))
    if wanted == CHEAPEST_WINNER:
        return np.float64(cheapest_winner(tables, looks.chances, row, seat, order))
    if wanted in (POINTS_PRICE, FLOR_PRICE, TRUCO_PRICE):
        place = looks.price_place[wanted, situation(tables, row)]
        return looks.prices[place, row[SCORES + seat], row[SCORES + 1 - seat]]
    return on_points(tables, looks, row, seat, wanted)


@compiled_step
def on_points(tables: Tables, looks: LookTables, row: Row, seat: int, wanted: int) -> Any:
    """A feature of one's points."""
    first, is_mao = CARDS + HAND * seat, np.int64(row[MAO] == seat)
    points = tables.envido[row[first], row[first + 1], row[first + 2]]
    if wanted == POINTS:
        return np.float64(points)
    if wanted == POINTS_ODDS:
        talk = looks.talk[situation(tables, row)]
        return looks.points_odds[points, is_mao, talk, first_shown(row, seat)]
    odds = looks.flor_odds[tables.flor[row[first], row[first + 1], row[first + 2]], is_mao]
    return odds if wanted == FLOR_ODDS else odds * odds


# Cards


@compiled_step
def strength_held(tables: Tables, row: Row, seat: int, order: Row, number: int) -> Any:
    """The strength of a card held, by its number in rising order."""
    for rank in range(HAND):
        if row[HELD + seat] >> order[rank] & 1:
            if number == 0:
                return tables.strength[row[CARDS + HAND * seat + order[rank]]]
            number -= 1
    return np.int8(0)


@compiled_step
def read_held(tables: Tables, row: Row, seat: int, order: Row, cards: Any) -> Any:
    """Write down the strengths of the cards held, in rising order; return how many there are."""
    count = 0
    for rank in range(HAND):
        if row[HELD + seat] >> order[rank] & 1:
            cards[count] = tables.strength[row[CARDS + HAND * seat + order[rank]]]
            count += 1
    return count


@inlined
def power(tables: Tables, play: int) -> Any:
    """The strength of a card on the table."""
    return np.int64(0) if play & FACE_DOWN else np.int64(tables.strength[play % FACE_DOWN])


@compiled_step
def last_card(tables: Tables, row: Row, seat: int, own: bool) -> Any:
    """The strength of the card of this round that waits for an answer, if it is one's own or the other's."""
    if row[PLAYS] % 2 == 0:
        return np.int64(NOTHING)
    play = row[TABLE + row[PLAYS] - 1]
    is_own = (play >= BY_OTHER) == (seat == 1)
    return power(tables, play) if is_own == own else np.int64(NOTHING)


@compiled_step
def read_rounds(tables: Tables, row: Row, seat: int) -> Any:
    """The finished rounds from one's own side, as `rounds_code` numbers them."""
    code = np.int64(0)
    for place in range(0, row[PLAYS] - 1, 2):
        first, second = row[TABLE + place], row[TABLE + place + 1]
        result = tables.result[power(tables, first), power(tables, second)]
        if result == 1:
            won = TIED
        else:
            winner = second if result == 2 else first
            won = WON if (winner >= BY_OTHER) == (seat == 1) else LOST
        code = 3 * code + 1 + won
    return code


@compiled_step
def read_out(tables: Tables, chances: ChanceTables, row: Row, seat: int, out: Any) -> None:
    """Count the cards of each strength that the other may hold: all but one's own and those it has shown."""
    for strength in range(len(CLASSES) + 1):
        out[strength] = chances.in_deck[strength]
    for place in range(HAND):
        out[tables.strength[row[CARDS + HAND * seat + place]]] -= 1
    for place in range(row[PLAYS]):
        play = row[TABLE + place]
        if (play >= BY_OTHER) != (seat == 1) and not play & FACE_DOWN:
            out[tables.strength[play % FACE_DOWN]] -= 1


@inlined
def rest_place(chances: ChanceTables, cards: Any, count: int, played: int) -> Any:
    """The holding that is left when one of some cards is played."""
    for place in range(count - 1):
        chances.rest[place] = cards[place + (place >= played)]
    return place_of(chances, chances.rest, count - 1)


@compiled_step
def card_odds(tables: Tables, chances: ChanceTables, row: Row, seat: int, order: Row) -> Any:
    """Write down the chance to win with each card held, in one's own turn to play; return how many there are."""
    cards, out, odds = chances.cards, chances.out, chances.odds
    count = read_held(tables, row, seat, order, cards)
    rounds, mao = read_rounds(tables, row, seat), row[MAO] ^ seat
    faced = last_card(tables, row, seat, False)
    read_out(tables, chances, row, seat, out)
    mine = place_of(chances, cards, count)
    for number in range(count):
        rest = rest_place(chances, cards, count, number)
        if faced != NOTHING:
            then = after(rounds, result_of(cards[number], faced))
            odds[number] = share_won(out, count - 1, wins(chances, then, mao, count - 1, rest))
        elif row[PLAYS] == 0:
            if chances.lead_first[mine, mao, number] < 0:
                share = share_led(chances, out, rounds, mao, cards[number], count - 1, rest)
                chances.lead_first[mine, mao, number] = share
            odds[number] = chances.lead_first[mine, mao, number]
        else:
            odds[number] = share_led(chances, out, rounds, mao, cards[number], count - 1, rest)
    return count


@inlined
def on_cards(tables: Tables, chances: ChanceTables, row: Row, seat: int, order: Row, wanted: int) -> Any:
    """The chance to win the hand as it stands, or which of the cards held has the best one, the weakest of equals."""
    if wanted == HAND_ODDS and last_card(tables, row, seat, False) == NOTHING:
        return hand_odds(tables, chances, row, seat, order)
    count = card_odds(tables, chances, row, seat, order)
    best = 0
    for number in range(1, count):
        if chances.odds[number] > chances.odds[best]:
            best = number
    return np.float64(best) if wanted == BEST_CARD else chances.odds[best]


@compiled_step
def hand_odds(tables: Tables, chances: ChanceTables, row: Row, seat: int, order: Row) -> Any:
    """The chance to win the hand as it stands when no card of the other's waits for an answer."""
    cards, out = chances.cards, chances.out
    count = read_held(tables, row, seat, order, cards)
    rounds, mao = read_rounds(tables, row, seat), row[MAO] ^ seat
    mine, lies = place_of(chances, cards, count), last_card(tables, row, seat, True)
    read_out(tables, chances, row, seat, out)
    if row[PLAYS] == 0:
        if chances.hand_first[mine, mao] < 0:
            chances.hand_first[mine, mao] = share_won(out, count, wins(chances, rounds, mao, count, mine))
        return chances.hand_first[mine, mao]
    if row[PLAYS] == 1:
        if chances.lying_first[mine, lies, mao] < 0:
            share = share_led(chances, out, rounds, mao, lies, count, mine)
            chances.lying_first[mine, lies, mao] = share
        return chances.lying_first[mine, lies, mao]
    if lies == NOTHING:
        return share_won(out, count, wins(chances, rounds, mao, count, mine))
    return share_led(chances, out, rounds, mao, lies, count, mine)


@compiled_step
def is_lost(tables: Tables, chances: ChanceTables, row: Row, seat: int, order: Row) -> Any:
    """Whether no card can save the hand."""
    faced = last_card(tables, row, seat, False)
    if faced == NOTHING or row[PLAYS] < 2:
        return False
    cards = chances.cards
    count = read_held(tables, row, seat, order, cards)
    rounds = after(read_rounds(tables, row, seat), result_of(cards[count - 1], faced))
    return chances.settled[rounds, row[MAO] ^ seat] == 0


@compiled_step
def cheapest_winner(tables: Tables, chances: ChanceTables, row: Row, seat: int, order: Row) -> Any:
    """Which of the cards held is the weakest that beats the card on the table; as many as are held if none does."""
    cards = chances.cards
    count = read_held(tables, row, seat, order, cards)
    faced = last_card(tables, row, seat, False)
    for number in range(count):
        if cards[number] > faced:
            return number
    return count
