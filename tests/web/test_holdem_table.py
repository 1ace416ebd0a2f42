"""Hold'em at the web table: what its pages show and say."""

from dataclasses import replace

import pytest
import serving
from fastapi.testclient import TestClient
from serving import casey_cases, registry_of, table_at
from visitors import Guest, moves

from retruco.agents.case_based import CaseBasedAgent
from retruco.agents.core import Agent
from retruco.agents.holdem.policies import POLICIES
from retruco.agents.registry import find_agent, roster
from retruco.arena.match import ask
from retruco.arena.sets import deals_from
from retruco.arena.table import Table
from retruco.games.holdem import STAGES, VARIANTS, Holdem, HoldemDeal, HoldemState
from retruco.games.holdem.ranking import KINDS
from retruco.vocab.holdem import VOCABULARY
from retruco.vocab.holdem.strategies import STRATEGIES
from retruco.web.core.i18n import LANGUAGES
from retruco.web.core.store import Sitter
from retruco.web.tables.table_view import Step
from retruco.web.views.holdem import HoldemView

client = serving.stacked_client
TEXTS = HoldemView.texts("en")
ME = 0
DEAL = HoldemDeal((("As", "Kd"), ("2c", "7d"), ("Ah", "Kh")), ("Qh", "Jh", "Ts", "3c", "4c"))


@pytest.fixture
def view(client: TestClient) -> HoldemView:
    """What the person sees of a table of three, with `always-call` and `casey`."""
    return view_of(client, "always-call", "casey")


def view_of(client: TestClient, *agents: str, language: str = "en") -> HoldemView:
    sitters = (Sitter(visitor="somebody"), *(Sitter(agent=name) for name in agents))
    live = registry_of(client).open(Holdem.named(f"limit-{len(sitters)}"), sitters)
    return HoldemView(
        live, ME, HoldemView.texts(language), lambda: ("You", *agents), lambda place: live.decision_at(place)
    )


def played(*actions: str) -> HoldemState:
    """A hand of three that the person deals, after some actions."""
    state = Holdem.named("limit-3").begin(DEAL, ME)
    for action in actions:
        state = state.play(action)
    return state


def test_blinds_bets_and_button_stand_before_the_seats(view: HoldemView) -> None:
    felt = view.felt(played("raise", "fold", "call"))
    me, small, big = felt["seats"]
    assert me["dealer"]
    assert (me["blind"], small["blind"], big["blind"]) == ("", "small", "big")
    assert (felt["pot"], felt["stage"], len(felt["board"]), felt["empty"]) == (9, "Flop", 3, 2)
    assert [seat["bet"] for seat in felt["seats"]] == [0, 0, 0], "the bets went to the pot"
    assert [seat["folded"] for seat in felt["seats"]] == [False, True, False]
    assert (me["backs"], small["backs"], big["backs"]) == (False, False, True)
    bets = view.felt(played("raise", "fold", "call", "bet", "raise"))
    assert [seat["bet"] for seat in bets["seats"]] == [4, 0, 2]


def test_buttons_say_what_they_cost(view: HoldemView) -> None:
    def words(state: HoldemState) -> list[str]:
        return [view.word(action, state.betting) for action in state.legal]

    assert words(played()) == ["Fold", "Call 2", "Raise to 4"]
    assert words(played("raise")) == ["Fold", "Call 3", "Raise to 6"]
    assert words(played("call", "call", "check")) == ["Check", "Bet 2"]
    turn = played("call", "call", "check", "check", "check", "check")
    assert words(turn) == ["Check", "Bet 4"]
    assert words(turn.play("bet")) == ["Fold", "Call 4", "Raise to 8"]


CHECKED = ("check",) * 9


def test_a_showdown_shows_who_is_still_in_and_nobody_else(view: HoldemView) -> None:
    end = played("call", "fold", "check", *("check",) * 6)
    me, folded, other = view.felt(end)["seats"]
    assert [one["card"] for one in other["cards"]] == ["Ah", "Kh"]
    assert not folded["cards"]
    assert (me["kind"], folded["kind"], other["kind"]) == ("straight", "", "straight")
    assert view.result(end) == "You, casey share the pot of 5 with straight. You: +0.0 big blinds."
    everybody = played("call", "call", "check", *CHECKED)
    assert [seat["gain"] for seat in view.felt(everybody)["seats"]] == ["+1", "-2", "+1"]


def test_who_is_left_alone_shows_nothing(view: HoldemView) -> None:
    end = played("fold", "fold")
    assert view.result(end) == "casey takes the pot of 3: everybody else folded. You: +0.0 big blinds."
    assert [bool(seat["cards"]) for seat in view.felt(end)["seats"]] == [True, False, False]
    assert view.result(played("raise", "fold", "fold")).startswith("You take the pot of ")
    opened = view.felt(end, is_open=True)
    assert all(seat["cards"] for seat in opened["seats"]), "once the match is over"


def test_the_result_is_counted_over_the_hands_of_a_match(client: TestClient) -> None:
    guest = Guest(client)
    where = guest.sit_down("holdem", seat1="always-raise", seat2="always-raise", rules="acpc")
    for _ in range(3):
        page = guest.play_hand(where)
    hands = table_at(client, where).table.hands
    mine = sum(hand.gains[ME] for hand in hands) / 10
    assert f"Result: {mine:+.1f} big blinds (hands: {len(hands)})" in page


@pytest.mark.parametrize("seats", range(2, 11))
def test_any_number_of_seats_from_two_to_ten(client: TestClient, seats: int) -> None:
    guest = Guest(client)
    wish = {f"seat{10 - place}": "always-call" for place in range(1, seats)}
    page = guest.page(guest.sit_down("holdem", **wish))
    assert f"of-{seats}" in page
    assert page.count('<div class="seat ') == seats
    assert moves(page)


def test_every_agent_of_the_house_can_sit_down() -> None:
    assert set(HoldemView.agents()) == set(roster("holdem"))


# Why


def reasons(name: str, hands: int = 12) -> list[Step]:
    """What an agent decides in some hands among others; a Casey goes by few cases here, having few."""
    game = Holdem.named("casey-4", hands)
    if name in POLICIES:
        mine: Agent = CaseBasedAgent(replace(POLICIES[name], enough=3), casey_cases())
    else:
        mine = find_agent(name, "holdem", lambda *_: casey_cases())
    agents = [find_agent("rulebot", "holdem")] * 3 + [mine]
    table, found = Table(game, deals_from(game, 3, 0), 1), []
    while (seat := table.to_act) is not None:
        decision = ask(agents[seat], table, seat, 5)
        if seat == 3:
            found.append(Step(seat, decision.action, table.state, table.observe(seat), decision))
        table.act(seat, decision.action)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", HoldemView.agents())
def test_every_reason_is_told_in_words(client: TestClient, name: str, language: str) -> None:
    view = view_of(client, "rulebot", "rulebot", name, language=language)
    for done in reasons(name, 12 if language == "en" else 4):
        sentence, sheets = view.reason(done)
        for text in (sentence, view.plain_reason(done)):
            assert "holdem." not in text
            assert "why." not in text
            assert "{" not in text
        for sheet in sheets:
            assert "holdem." not in f"{sheet.title}{sheet.head}{sheet.rows}"
            assert all(len(row) == len(sheet.head) for row in sheet.rows)


def test_casey_shows_its_generalised_case_its_cases_and_its_plan(view: HoldemView) -> None:
    known = [done for done in reasons("casey") if done.decision and done.decision.reason == "pays-best"]
    sentence, (situation, generalised, similar) = view.reason(known[0])
    assert "brought the most on average" in sentence
    assert "The plan for this stage" in sentence
    assert ("chance to be the best hand", "51 %") in situation.rows
    assert generalised.head == ["strategy", "times", "won", "lost", "mean result"]
    assert generalised.marked is not None
    assert [row[0] for row in generalised.rows][-2:] == ["all that play", "all"]
    times = [int(row[1]) for row in generalised.rows]
    assert sum(times[:-2]) == times[-1] >= 3
    assert 0 < len(similar.rows) <= 5


def test_casey_says_first_in_plain_words_what_similar_hands_brought(view: HoldemView) -> None:
    steps = [done for done in reasons("casey") if done.decision and done.decision.asked]
    known = next(done for done in steps if done.decision and done.decision.reason == "pays-best")
    assert known.decision is not None
    matches = known.decision.asked[-1].matches
    plain = view.plain_reason(known)
    assert f"of {len(matches)} similar hands the player " in plain
    assert plain.endswith("On average no other way of playing brought more.")
    picture = view.case_pictures(known)[0]
    assert (picture.kind, picture.whole) == ("bar", 100)
    assert picture.caption == f"best hand {picture.filled} times in 100"
    assert picture.went == ("won" if matches[0].won else "even" if matches[0].credit == 0 else "lost")


def test_rules_speak_of_chances_not_of_measures(view: HoldemView) -> None:
    plain = {view.plain_reason(done) for done in reasons("rulebot")}
    assert all("times in 100" in text or "the pot is worth the price" in text for text in plain)


def test_pot_odds_say_what_they_changed(view: HoldemView) -> None:
    revised = [done for done in reasons("casey-odds", 40) if done.decision and done.decision.revised_by]
    assert "so fold, but a chance of" in view.reason(revised[0])[0]
    assert "so always call" in view.reason(revised[0])[0]


def test_everything_has_its_word() -> None:
    for place, names in {
        "holdem.kind": [kind.replace(" ", "-") for kind in KINDS],
        "holdem.strategy": STRATEGIES,
        "why.past": STRATEGIES,
        "holdem.preset": VARIANTS,
        "holdem.stage": STAGES,
        "holdem.agent": HoldemView.agents(),
        "holdem.feature": {one.name for scenario in VOCABULARY.scenarios for one in scenario.visible},
    }.items():
        for name in names:
            assert TEXTS.has(f"{place}.{name}"), f"{place}.{name}"
