"""The terminal table: a picture of what one seat sees."""

from __future__ import annotations

from typing import Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from retruco.cards import SUIT_NAMES, Card
from retruco.explain import sentences, why_not
from retruco.games.core import Action, Seat
from retruco.games.truco import Acted, Announced, Awarded, TrucoObservation, envido_points, flor_points
from retruco.games.truco.rounds import DOWN_PREFIX, TIE, Play
from retruco.games.truco.rules import CALL_KEYS, CALLS
from retruco.games.truco.state import Event
from retruco.games.truco.worth import call_worth

WIDTH = 78
EVENT_LINES = 7
SUIT_COLOUR = {"e": "blue", "b": "green", "o": "yellow", "c": "red"}
TYPED_KEYS: Final[dict[Action, str]] = {
    **CALL_KEYS,
    "flor": "fl",
    "contraflor": "cf",
    "contraflor-resto": "cr",
}
"""What is typed for every call (x leaves the table); words and notation are understood too."""


def draw(seen: TrucoObservation, other_name: str) -> Group:
    """Draw the whole table for the seat that looks at it."""
    return Group(
        _headline(seen),
        score_board(seen, other_name),
        Rule(style="dim"),
        _table_cards(seen, other_name),
        Rule(style="dim"),
        *_recent_events(seen, other_name),
        _own_cards(seen),
    )


def _recent_events(seen: TrucoObservation, other_name: str) -> list[RenderableType]:
    """The last things that happened in this hand, always as many lines, so that nothing jumps."""
    lines: list[RenderableType] = [
        describe_event(event, seen.seat, other_name) for event in seen.log[-EVENT_LINES:]
    ]
    return lines + [Text()] * (EVENT_LINES - len(lines))


def _headline(seen: TrucoObservation) -> RenderableType:
    lead = "you are mão" if seen.is_mao else "the other is mão"
    line = Table.grid(expand=True)
    line.add_column()
    line.add_column(justify="right")
    rules = seen.game.rules.name
    line.add_row(
        Text(f"Truco · {rules} · to {seen.game.target}", style="bold"),
        f"hand {len(seen.history) + 1} · {lead} · worth {seen.bet.stake} · {_own_points(seen)}",
    )
    return line


def _own_points(seen: TrucoObservation) -> str:
    """What one's own cards count before the first is played."""
    flor = flor_points(seen.hand) if seen.game.rules.flor else 0
    return f"your flor {flor}" if flor else f"your envido {envido_points(seen.hand)}"


def score_board(seen: TrucoObservation, other_name: str) -> Table:
    """The board: matchsticks in fives, malos below half the target and buenos above."""
    board = Table.grid(padding=(0, 2, 0, 0))
    for seat, name in ((seen.seat, "you"), (seen.other, other_name)):
        target = seen.game.target
        score = min(seen.scores[seat], target)
        board.add_row(Text(name, style="bold"), str(score), tally(score, target), format_score(score, target))
    return board


def tally(score: int, target: int) -> Text:
    """Count with matchsticks, a gap after every five, a bar where the buenos begin.

    >>> tally(7, 24).plain
    '||||| ||'
    >>> tally(14, 24).plain
    '||||| ||||| || : ||'
    """
    half = (target + 1) // 2
    malos, buenos = min(score, half), max(0, min(score, target) - half)
    text = Text(_fives(malos), style="red")
    return text.append(" : ").append(_fives(buenos), style="green") if buenos else text


def _fives(count: int) -> str:
    return " ".join(["|" * 5] * (count // 5) + (["|" * (count % 5)] if count % 5 else []))


def format_score(score: int, target: int) -> str:
    """Say a score as players do.

    >>> format_score(7, 24), format_score(14, 24), format_score(1, 24)
    ('7 malos', '2 buenos', '1 malo')
    """
    half = (target + 1) // 2
    points, kind = (score, "malo") if score <= half else (score - half, "bueno")
    return f"{points} {kind}{'' if points == 1 else 's'}"


def _table_cards(seen: TrucoObservation, other_name: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("", width=14)
    for number in range(1, seen.game.rules.hand_size + 1):
        table.add_column(f"round {number}", width=14)
    for seat, name in ((seen.other, other_name), (seen.seat, "you")):
        plays = seen.rounds.by(seat)
        cells = [
            _play(seen, place, plays[place]) if place < len(plays) else Text("·", style="dim")
            for place in range(seen.game.rules.hand_size)
        ]
        table.add_row(Text(name, style="bold"), *cells)
    return table


def _play(seen: TrucoObservation, place: int, play: Play) -> Text:
    text = Text("face down", style="dim") if play.down else _name(play.card)
    if place < len(seen.rounds.winners):
        winner = seen.rounds.winners[place]
        text.append(" =" if winner == TIE else " *" if winner == play.seat else "")
    return text


def _name(card: Card | None) -> Text:
    assert card is not None
    return Text(f"{card.rank} {SUIT_NAMES[card.suit]}", style=SUIT_COLOUR[card.suit])


def _own_cards(seen: TrucoObservation) -> Columns:
    panels = [_card_panel(card, place) for place, card in enumerate(seen.held, 1)]
    return Columns(panels or [Text("\n" * 3)], padding=(0, 1))


def _card_panel(card: Card, place: int) -> Panel:
    face = Text(
        f"{card.rank}\n{SUIT_NAMES[card.suit]}", style=f"bold {SUIT_COLOUR[card.suit]}", justify="center"
    )
    return Panel(face, width=11, subtitle=str(place), border_style=SUIT_COLOUR[card.suit])


def describe_event(event: Event, seat: Seat, other_name: str) -> Text:
    """Tell one thing that happened, as the seat at this table would."""
    who = "you" if event.seat == seat else other_name
    if isinstance(event, Announced):
        return Text(f"{who}: {event.points} in {event.stage}", style="magenta")
    if isinstance(event, Awarded):
        verb = "get" if who == "you" else "gets"
        return Text(f"{who} {verb} {event.points} for {event.stage}", style="bold cyan")
    return _describe_action(event, who)


def _describe_action(event: Acted, who: str) -> Text:
    if event.action in CALLS:
        return Text(f"{who}: ").append(f"{event.action}!", style="bold")
    if event.action.startswith("down"):
        return Text(f"{who} played face down", style="dim")
    return Text(f"{who} played ").append(_name(Card(event.action)))


def menu(seen: TrucoObservation) -> Text:
    """List what this seat may do now, each with its key and, for a call, what it is worth."""
    text = Text()
    cards = [action for action in seen.legal if action in seen.held]
    if cards:
        text.append(f"[1-{len(cards)}]" if len(cards) > 1 else "[1]", style="bold").append(" play  ")
    if any(action.startswith(DOWN_PREFIX) for action in seen.legal):
        text.append("[d1..]", style="bold").append(" face down  ")
    for call in (action for action in seen.legal if action in TYPED_KEYS):
        worth = call_worth(seen, call)
        text.append(f"[{TYPED_KEYS[call]}]", style="bold").append(f" {call}{f' {worth}' if worth else ''}  ")
    return text.append("[?]", style="bold").append(" help  ").append("[x]", style="bold").append(" leave")


def parse_action(text: str, seen: TrucoObservation) -> Action | None:
    """Find the action a player means by a key, a word or the notation; `None` for none that is legal."""
    word = _word(text)
    if word in seen.legal:
        return word
    by_key = {TYPED_KEYS[call]: call for call in seen.legal if call in TYPED_KEYS}
    if word in by_key:
        return by_key[word]
    down, place = word.startswith("d"), word.removeprefix("d")
    if place.isdecimal() and 1 <= int(place) <= len(seen.held):
        action = DOWN_PREFIX * down + seen.held[int(place) - 1]
        return action if action in seen.legal else None
    starts = [call for call in seen.legal if call in TYPED_KEYS and len(word) > 2 and call.startswith(word)]
    return starts[0] if len(starts) == 1 else None


def say_why_not(text: str, seen: TrucoObservation) -> str | None:
    """Say why the call that a player means is not possible now; `None` if no call is meant."""
    word = _word(text)
    call = next((call for call, key in TYPED_KEYS.items() if word in (call, key)), None)
    rule = why_not(seen, call) if call else None
    return f"{call}: {sentences('en')(f'why_not.{rule}')}" if rule else None


def _word(text: str) -> str:
    return text.strip().lower().replace("ã", "a").replace(" ", "-")
