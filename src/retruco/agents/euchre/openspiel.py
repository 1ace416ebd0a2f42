"""OpenSpiel's euchre beside ours: the same deal, the same actions, in its numbers.

OpenSpiel (Lanctot and others, 2019) is an extra: `pip install retruco[openspiel]`. It plays by the
rules `openspiel` and `openspiel-pass`: the dealer keeps the card ordered up, and the maker says only
after the discard whether to go alone.

>>> number_of("Kh", "9c"), number_of("order", "9c"), number_of("alone", "9c")
(18, 25, 29)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from retruco.agents.core import CasesFor, Entry
from retruco.agents.euchre.imagining import imagined
from retruco.cbr.case import Decision
from retruco.games.core import Action, Match, Seat
from retruco.games.euchre.deck import RANKS, SUITS, Card
from retruco.games.euchre.game import Euchre, EuchreDeal
from retruco.games.euchre.observation import EuchreObservation
from retruco.games.euchre.tricks import SEATS
from retruco.games.euchre.words import ALONE, DISCARD, ORDER, PASSING, TOGETHER
from retruco.streams import Stream

ORDER_OF_SUITS: Final = "".join(SUITS)
CARDS: Final = {
    rank + suit: len(SUITS) * height + place
    for height, rank in enumerate(RANKS)
    for place, suit in enumerate(ORDER_OF_SUITS)
}
"""OpenSpiel's number of every card."""
WORDS: Final = {
    PASSING: 24,
    **{name: 25 + ORDER_OF_SUITS.index(suit) for suit, name in SUITS.items()},
    ALONE: 29,
    TOGETHER: 30,
}
"""OpenSpiel's number of everything that is said; the suits by name."""
MOST_SIMULATIONS: Final = 10_000_000
BY_NUMBER: Final = {number: text for text, number in (CARDS | WORDS).items()}


def number_of(action: Action, upcard: Card) -> int:
    """Say an action in OpenSpiel's numbers."""
    if action == ORDER:
        return WORDS[SUITS[upcard[1]]]
    return WORDS[action] if action in WORDS else CARDS[action.removeprefix(DISCARD)]


def load_game(stick_the_dealer: bool) -> Any:
    """Load OpenSpiel's euchre."""
    try:
        import pyspiel
    except ImportError as error:
        raise ValueError(
            "this needs OpenSpiel, which is not installed: pip install 'retruco[openspiel]'"
        ) from error
    return pyspiel.load_game("euchre", {"stick_the_dealer": stick_the_dealer})


def dealt(game: Any, deal: EuchreDeal, dealer: Seat) -> Any:
    """Deal these cards at OpenSpiel's table, one by one from the dealer on."""
    state = game.new_initial_state()
    state.apply_action(dealer)
    for number in range(SEATS * 5):
        seat = (dealer + number) % SEATS
        state.apply_action(CARDS[deal.hands[seat][number // SEATS]])
    state.apply_action(CARDS[deal.upcard])
    return state


def in_lock_step(game: Euchre, theirs: Any, deal: EuchreDeal, match: Match, chance: Stream) -> list[str]:
    """Play one random hand at both tables and name every difference: turns, choices, cards, points."""
    ours, other = game.start(deal, match), dealt(theirs, deal, match.first)
    held = [tuple(sorted(map(CARDS.__getitem__, hand))) for hand in deal.hands]
    found = _compared("hands", held, _holders(other))
    while ours.outcome is None:
        found += _compared("turn", ours.to_act, other.current_player())
        numbers = sorted(number_of(action, deal.upcard) for action in ours.legal)
        found += _compared("legal", numbers, other.legal_actions())
        if found:
            return [f"{one} after {' '.join(ours.actions)}" for one in found]
        action = chance.choice(ours.legal)
        ours = ours.play(action)
        other.apply_action(number_of(action, deal.upcard))
    found += _compared("over", True, other.is_terminal())
    ahead = ours.outcome.points[0] - ours.outcome.points[1]
    found += _compared("points", [ahead, -ahead, ahead, -ahead], other.returns())
    winners = [trick.winner for trick in ours.tricks]
    found += _compared("tricks", winners, [trick.winner() for trick in other.tricks()][: len(winners)])
    return [f"{one} after {' '.join(ours.actions)}" for one in found]


def _compared(what: str, ours: object, theirs: object) -> list[str]:
    return [] if ours == theirs else [f"{what}: ours {ours}, OpenSpiel's {theirs}"]


def _holders(state: Any) -> list[tuple[int, ...]]:
    holders = state.card_holder()
    return [tuple(card for card in range(len(CARDS)) if holders[card] == seat) for seat in range(SEATS)]


@dataclass(frozen=True, slots=True)
class Ismcts:
    """OpenSpiel's ISMCTS bot at our table, with random rollouts; it plays by OpenSpiel's rules only."""

    simulations: int = 500
    exploration: float = 4.0
    """A hand is worth up to four points."""

    def decide(self, seen: EuchreObservation, chance: Stream) -> Decision:
        """Put the bot before a hand that agrees with what was seen; it draws others by itself."""
        rules = seen.game.rules
        if rules.alone != "after the discard" or rules.may_discard_upcard:
            raise ValueError(f"ismcts plays by the rules openspiel or openspiel-pass, not {rules.name}")
        if len(seen.legal) == 1:
            return Decision(seen.legal[0], "euchre.only-card")
        ours = imagined(seen, chance)
        state = dealt(load_game(rules.stick_the_dealer), ours.deal, ours.dealer)
        for action in ours.actions:
            state.apply_action(number_of(action, seen.upcard))
        number = self._bot(chance).step(state)
        return Decision(_action_of(number, seen), "euchre.ismcts", {"simulations": self.simulations})

    def _bot(self, chance: Stream) -> Any:
        import pyspiel

        seed = chance.below(2**31)
        return pyspiel.ISMCTSBot(
            seed,
            pyspiel.RandomRolloutEvaluator(1, seed),
            self.exploration,
            self.simulations,
            -1,  # worlds without limit
            pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            False,
            False,
        )


def _action_of(number: int, seen: EuchreObservation) -> Action:
    """Read OpenSpiel's number as one of the actions that are legal here."""
    return next(action for action in seen.legal if number_of(action, seen.upcard) == number)


def make_reading(reading: str, cases_for: CasesFor) -> Ismcts:
    """Make a bot with another number of simulations.

    >>> from retruco.agents.core import no_cases
    >>> make_reading("simulations=5000", no_cases).simulations
    5000
    >>> make_reading("simulations=many", no_cases)
    Traceback (most recent call last):
    ...
    ValueError: cannot read 'simulations=many' after ismcts@: write ismcts@simulations=1000
    """
    what, _, count = reading.partition("=")
    if what != "simulations" or not count.isdecimal() or not 1 <= int(count) <= MOST_SIMULATIONS:
        raise ValueError(f"cannot read {reading!r} after ismcts@: write ismcts@simulations=1000")
    return Ismcts(int(count))


ROSTER = (
    Entry(
        "ismcts",
        "euchre",
        "OpenSpiel's ISMCTS bot with 500 simulations (others: ismcts@simulations=1000); needs retruco[openspiel] and the rules openspiel.",
        lambda cases_for: Ismcts(),
        rules=("openspiel", "openspiel-pass"),
        make_reading=make_reading,
    ),
)
