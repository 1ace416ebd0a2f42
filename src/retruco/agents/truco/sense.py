"""How a player reads the table: the odds on points and cards, the price of a bet, what is settled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from retruco.agents.truco.chances import ME, OTHER, card_chances, standing_chance
from retruco.agents.truco.odds import EnvidoTalk, even_race, flor_odds, points_odds, price
from retruco.cards import Card
from retruco.cbr.case import Decision
from retruco.games.core import Seat
from retruco.games.truco import envido as envidos
from retruco.games.truco import flor as flores
from retruco.games.truco.deck import STRENGTH, envido_points, flor_points
from retruco.games.truco.observation import TrucoObservation
from retruco.games.truco.rounds import DOWN_PREFIX, TIE, decided
from retruco.games.truco.rules import TRUCO_VALUE, Rules

Worth: TypeAlias = Callable[[Rules, int, tuple[int, int], tuple[str, ...], Seat], int]
"""What a chain of calls is worth to the seat that wins it."""

SURE: Final = 1 - 1e-9


class Situation:
    """One look at the table from a seat; it knows what the observation shows and can count."""

    __slots__ = (
        "_card_odds",
        "_hand_odds",
        "_lost",
        "_points_odds",
        "cards",
        "faced",
        "legal",
        "number",
        "obs",
        "strengths",
    )

    def __init__(self, obs: TrucoObservation) -> None:
        self.obs = obs
        self.legal = obs.legal
        self.cards: list[Card] = sorted(obs.held, key=STRENGTH.__getitem__)
        """What is still held, weakest first."""
        self.strengths = tuple([STRENGTH[card] for card in self.cards])
        rounds = obs.rounds
        self.number = len(rounds.winners) + 1
        """The round being played."""
        lying = rounds.plays[-1] if len(rounds.plays) % 2 else None
        self.faced: int | None = None if lying is None or lying.seat == obs.seat else lying.power
        """How strong the other's card of this round is, if one's own has to answer it."""
        self._points_odds = -1.0
        self._card_odds: tuple[float, ...] = ()
        self._hand_odds = -1.0
        self._lost: bool | None = None

    # The board.

    @property
    def lacks(self) -> tuple[int, int]:
        """What this seat and the other lack to the target."""
        target, scores, seat = self.obs.game.target, self.obs.scores, self.obs.seat
        return target - scores[seat], target - scores[1 - seat]

    @property
    def nothing_to_lose(self) -> bool:
        """Whether losing the hand as it stands loses the match."""
        return self.lacks[1] <= self.obs.bet.stake

    @property
    def declining_loses_match(self) -> bool:
        """Whether the other reaches the target if this seat declines what waits, or goes to the deck."""
        obs = self.obs
        if obs.flor.pending:
            cost = self._flor_declined
        elif obs.envido.pending:
            cost = envidos.declined(obs.envido.calls)
        else:
            cost = obs.bet.stake
        return self.lacks[1] <= cost

    @property
    def _flor_declined(self) -> int:
        """What a flor that waits costs if this seat gives way to it."""
        rules, calls = self.obs.game.rules, self.obs.flor.calls
        return (rules.achico or 0) if calls[-1] == "flor" else flores.declined(rules, calls)

    @property
    def enough(self) -> bool:
        """Whether winning the hand as it stands wins the match."""
        return self.lacks[0] <= self.obs.bet.stake

    @property
    def ahead(self) -> bool:
        """Whether this seat leads the match."""
        return self.lacks[0] < self.lacks[1]

    # Points.

    @property
    def points(self) -> int:
        """One's own envido points."""
        return envido_points(self.obs.hand)

    @property
    def talk(self) -> EnvidoTalk:
        """What the other's talk says of its points."""
        obs = self.obs
        if obs.envido.calls:
            return "raised" if len(obs.envido.calls) > 1 else "called"
        had_a_turn = obs.rounds.plays or obs.bet.caller == obs.other
        return "passed" if had_a_turn else "nothing"

    @property
    def points_odds(self) -> float:
        """The chance to have the better points, by what the other has said and shown."""
        if self._points_odds < 0:
            self._points_odds = self._count_points_odds()
        return self._points_odds

    def _count_points_odds(self) -> float:
        obs = self.obs
        shown = next((play.card for play in obs.rounds.plays if play.seat != obs.seat), None)
        return points_odds(self.points, obs.is_mao, self.talk, shown, obs.game.rules.flor)

    @property
    def points_price(self) -> float:
        """The odds that an envido call needs to be accepted."""
        calls = self.obs.envido.calls
        return self._price(calls, envidos.worth, envidos.declined(calls))

    @property
    def flor_odds(self) -> float:
        """The chance to have the better of two flores."""
        return flor_odds(flor_points(self.obs.hand), self.obs.is_mao)

    @property
    def answered_flor_odds(self) -> float:
        """The same against a flor that was raised: whoever raises one has a good one."""
        return self.flor_odds * self.flor_odds

    @property
    def flor_price(self) -> float:
        """The odds that a contraflor or contraflor-resto needs to be accepted."""
        calls = self.obs.flor.calls
        return self._price(calls, flores.worth, flores.declined(self.obs.game.rules, calls))

    def _price(self, calls: tuple[str, ...], worth: Worth, declined: int) -> float:
        obs, game = self.obs, self.obs.game
        won = worth(game.rules, game.target, obs.scores, calls, obs.seat)
        lost = worth(game.rules, game.target, obs.scores, calls, obs.other)
        return price(even_race(), *self.lacks, (won, lost), declined)

    def on_points(self, action: str, reason: str) -> Decision:
        """Say something because of one's points."""
        return Decision(action, reason, {"points": self.points, "odds": round(self.points_odds, 3)})

    def takes_points(self, yes: bool) -> Decision:
        """Accept or decline an envido."""
        return self.on_points(*(("quero", "envido.accepted") if yes else ("nao-quero", "envido.declined")))

    # Cards.

    @property
    def winners(self) -> tuple[int, ...]:
        """Who won the rounds so far, from this side of the table."""
        obs = self.obs
        won_by = obs.rounds.winners
        return tuple([TIE if won == TIE else won ^ obs.seat for won in won_by]) if won_by else ()

    @property
    def won_first(self) -> bool:
        """Whether this seat won the first round."""
        return self.obs.rounds.winners[:1] == (self.obs.seat,)

    @property
    def seen(self) -> tuple[int, ...]:
        """The strengths of all cards that the other cannot hold any more, in rising order."""
        obs = self.obs
        if not obs.rounds.plays:
            return self.strengths
        shown = [play.power for play in obs.rounds.plays if play.seat != obs.seat and not play.down]
        return tuple(sorted([*shown, *[STRENGTH[card] for card in obs.hand]]))

    @property
    def card_odds(self) -> tuple[float, ...]:
        """The chance to win the hand with each held card, in one's own turn to play."""
        if not self._card_odds:
            mao = self.obs.mao ^ self.obs.seat
            self._card_odds = card_chances(self.strengths, self.seen, self.winners, mao, self.faced)
        return self._card_odds

    @property
    def hand_odds(self) -> float:
        """The chance to win the hand as it stands."""
        if self._hand_odds < 0:
            self._hand_odds = self._count_hand_odds()
        return self._hand_odds

    def _count_hand_odds(self) -> float:
        if self.faced is not None:
            return max(self.card_odds)
        plays = self.obs.rounds.plays
        lies = plays[-1].power if len(plays) % 2 else None
        mao = self.obs.mao ^ self.obs.seat
        return standing_chance(self.strengths, self.seen, self.winners, mao, lies)

    @property
    def lost(self) -> bool:
        """Whether no card can save the hand: the last word in it is this seat's, and too weak."""
        if self._lost is None:
            self._lost = self.faced is not None and self.number > 1 and self._is_lost(self.faced)
        return self._lost

    def _is_lost(self, faced: int) -> bool:
        best, winners, mao = self.strengths[-1], self.winners, self.obs.mao ^ self.obs.seat
        result = TIE if best == faced else ME if best > faced else OTHER
        return decided((*winners, result), mao) == OTHER

    @property
    def truco_price(self) -> float:
        """The odds that the truco call waiting for an answer needs to be accepted."""
        bet = self.obs.bet
        assert bet.call is not None
        worth = TRUCO_VALUE[bet.call]
        return price(even_race(), *self.lacks, (worth, worth), bet.stake)

    @property
    def raise_call(self) -> str | None:
        """The truco call that this seat may make now."""
        step = self.obs.bet.raise_for(self.obs.seat)
        return step if step in self.legal else None

    def on_hand(self, action: str, reason: str) -> Decision:
        """Say something because of one's cards."""
        return Decision(action, reason, {"odds": round(self.hand_odds, 3), "round": self.number})

    # Which card.

    def put(self, card: Card, reason: str) -> Decision:
        """Play a card openly."""
        return Decision(card, reason, {"round": self.number})

    def put_down(self, card: Card, reason: str) -> Decision:
        """Play a card face down where that is allowed, else openly."""
        hidden = DOWN_PREFIX + card
        return Decision(hidden if hidden in self.legal else card, reason, {"round": self.number})

    @property
    def best_card(self) -> Card:
        """The card with the best chance to win the hand; among equals the weakest."""
        chances = self.card_odds
        return self.cards[chances.index(max(chances))]

    @property
    def cheapest_winner(self) -> Card | None:
        """The weakest card that wins the round against the card on the table."""
        faced = -1 if self.faced is None else self.faced
        return next((card for card in self.cards if STRENGTH[card] > faced), None)
