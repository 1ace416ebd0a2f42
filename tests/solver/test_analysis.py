"""What actions are worth by a solution, what the other side may hold, and recorded decisions judged."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from retruco.agents.core import ask_agent
from retruco.agents.registry import find_agent
from retruco.agents.solver import open_judge
from retruco.cards import SPANISH_DECK, card
from retruco.explain import LANGUAGES, Explainer, sentences
from retruco.games.truco import Truco, TrucoState
from retruco.games.truco.compiled.stepper import ALL_HELD, CARDS, HAND, action_number
from retruco.games.truco.compiled.tables import tables_for
from retruco.games.truco.deck import STRENGTH, Hand, envido_points, flor_points
from retruco.solver.files import read_solution, write_solution
from retruco.solver.policy import Policy, make_policy, starts
from retruco.solver.truco.abstraction import SOLVER_ROW, abstraction_for, advance, begin_hand, solver_actions
from retruco.solver.truco.analysis import Judge
from retruco.solver.truco.beliefs import find_beliefs
from retruco.solver.truco.best_response import HandTypes, respond_from
from retruco.solver.truco.match_play import find_mixture, make_player
from retruco.solver.truco.mccfr import TrucoSolver
from retruco.solver.truco.observed import known_situation
from retruco.solver.truco.sampling import POINTS, events_of, sample_values
from retruco.solver.truco.values import (
    believable_gain,
    body_digest,
    make_values,
    match_chances,
    read_values,
    values_file,
    write_values,
)
from retruco.streams import Stream
from shell import typed

Rows = NDArray[np.int32]

pytestmark = pytest.mark.slow
GAME = Truco.named("trucogame")
LEVEL = "s"


@cache
def no_policy() -> Policy:
    """A policy that knows nothing, and so plays all that it considers alike."""
    return make_policy(np.zeros(0, np.int64), np.zeros(0, np.int8), np.zeros(0))


@pytest.fixture(scope="module")
def solution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A weak solution with its values beside it."""
    file = tmp_path_factory.mktemp("analysis") / "weak.solution"
    solver = TrucoSolver(GAME, "xs", seed=1)
    solver.run(3000)
    write_solution(file, solver.solution())
    deals = np.array([row_of_deal(number) for number in range(60)], dtype=np.int32)
    write_values(values_file(file), file, make_values(solver.solution(), 6000, 20_000, begin=deals))
    return file


HANDS = [("1e 7e 3o", "4c 5o 6b"), ("4c 5o 6b", "1e 7e 3o")]
"""Deals that the tests below play; the others are drawn."""


def row_of_deal(number: int) -> Rows:
    row = np.zeros(SOLVER_ROW, dtype=np.int32)
    drawn = GAME.deal(Stream("analysis", number)).hands
    hands = tuple(map(hand_of, HANDS[number])) if number < len(HANDS) else drawn
    row[CARDS : CARDS + 2 * HAND] = [SPANISH_DECK.index(held) for hand in hands for held in hand]
    begin_hand(tables_for(GAME), row)
    return row


@pytest.fixture(scope="module")
def judge(solution: Path) -> Judge:
    return open_judge(str(solution))


def hand_of(cards: str) -> Hand:
    a, b, c = sorted(map(card, cards.split()), key=lambda held: STRENGTH[held], reverse=True)
    return a, b, c


# Values


MINE = hand_of("7o 12e 5b")
OTHERS = [hand_of("1e 11c 4o"), hand_of("3e 2b 6c"), hand_of("1b 10c 7c"), hand_of("7e 1o 4c")]
LATE = ("envido", "nao-quero", "truco", "quero", "12e")
"""Mine has led; the other has to answer, and could hold any of the four."""


def row_after(other: Hand, actions: Sequence[str]) -> Rows:
    row = np.zeros(SOLVER_ROW, dtype=np.int32)
    row[CARDS : CARDS + 2 * HAND] = [SPANISH_DECK.index(held) for hand in (MINE, other) for held in hand]
    begin_hand(tables_for(GAME), row)
    for action in actions:
        hand = MINE if action in MINE else other
        advance(tables_for(GAME), row, action_number(hand, action))
    return row


def test_values_agree_with_an_exact_enumeration_of_a_late_state() -> None:
    """The mão leads round one with its stake accepted; what each card is worth follows from all that can happen."""
    actions = LATE[:4]
    rows = np.array([row_after(other, actions) for other in OTHERS], dtype=np.int32)
    sample = sample_values(GAME, LEVEL, no_policy(), 6000, seed=3, value_level="m", starts=rows, enough=10**9)
    tables = tables_for(GAME)
    numbers = np.zeros(32, dtype=np.int32)
    count = solver_actions(tables, rows[0], numbers)
    place = int(np.argmax(sample.visits))
    visits, first = sample.visits[place], starts(sample.counts)[place]
    assert (visits, sample.counts[place]) == (6000, count)
    exact = [worth_of_action(rows[0], int(number)) for number in numbers[:count]]
    for at in range(count):
        mean = (sample.total[place, POINTS] + sample.gain[first + at, POINTS]) / visits
        spread = np.sqrt(sample.square[first + at, POINTS]) / visits
        assert mean == pytest.approx(exact[at] - 1, abs=max(5 * spread, 0.15))  # one point was won before


def worth_of_action(row: Rows, number: int) -> float:
    """What an action of the mão is worth when both then play all alike, by the search of the best response."""
    following = row.copy()
    advance(tables_for(GAME), following, number)
    kinds = HandTypes(
        np.array([[SPANISH_DECK.index(held) for held in hand] for hand in OTHERS], dtype=np.int32),
        np.array([envido_points(hand) for hand in OTHERS], dtype=np.int32),
        np.array([flor_points(hand) for hand in OTHERS], dtype=np.int32),
    )
    held, weights = np.full(4, ALL_HELD, dtype=np.int8), np.full(4, 0.25)
    return respond_from(GAME, LEVEL, no_policy(), following, 0, kinds, held, weights)[1]


def test_a_gain_within_its_noise_counts_for_nothing() -> None:
    rows = np.array([row_after(other, LATE[:4]) for other in OTHERS], dtype=np.int32)
    sample = sample_values(GAME, LEVEL, no_policy(), 50, seed=3, value_level="m", starts=rows)
    visits = np.repeat(sample.visits, sample.counts)
    several = visits > 1
    places = np.flatnonzero(several)
    mean = sample.gain[places] / visits[places, None]
    found = believable_gain(sample, places, visits[places])
    error = np.sqrt((sample.square[places] / visits[places, None] - mean**2) / (visits[places, None] - 1))
    assert (np.abs(found) <= np.abs(mean) + 1e-12).all()
    assert (found[np.abs(mean) < error * 0.99] == 0).all()
    assert (found != 0).any()


def test_values_are_read_back_and_refused_for_another_solution(solution: Path, tmp_path: Path) -> None:
    read = read_values(values_file(solution), solution)
    assert read.level == "xs"
    assert len(read.values.sets.key) > 100
    other = tmp_path / "other.solution"
    solver = TrucoSolver(GAME, "xs", seed=2)
    solver.run(10)
    write_solution(other, solver.solution())
    with pytest.raises(
        ValueError, match=r"weak\.values has the values of another solution than .*other\.solution"
    ):
        read_values(values_file(solution), other)
    cut = tmp_path / "cut.values"
    cut.write_bytes(values_file(solution).read_bytes()[:-10])
    with pytest.raises(ValueError, match="is damaged"):
        read_values(cut, solution)
    with pytest.raises(ValueError, match="is not a file of values"):
        read_values(solution, solution)
    assert len(body_digest(solution)) == 16


def test_the_same_seed_gives_the_same_values(solution: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.values" for number in range(2)]
    for file in files:
        write_values(file, solution, make_values(read_solution(solution), deals=20, hands=200))
    assert files[0].read_bytes() == files[1].read_bytes()


def test_chances_by_score_follow_from_how_hands_are_paid() -> None:
    """The mão always wins a point: from one point short it wins, from two short it depends on who is mão then."""
    paid = np.full(10, 0b000010, dtype=np.int64)
    assert events_of(0b000010) == [(0, 1)]
    chances = match_chances(GAME, paid)
    assert chances[23, 23] == 1
    assert chances[22, 23] == 0  # the next mão needs one point
    assert chances[22, 22] == 1
    loses = match_chances(GAME, np.full(10, 0b000011, dtype=np.int64))
    assert loses[23, 23] == 0


def test_nobody_is_surer_to_win_with_fewer_points(judge: Judge) -> None:
    match = judge.values.match
    assert ((match >= 0) & (match <= 1)).all()
    assert (np.diff(match, axis=0) > -0.02).all()
    assert (np.diff(match, axis=1) < 0.02).all()


# What the other side may hold


def test_beliefs_agree_with_asking_the_solution_about_every_hand(solution: Path) -> None:
    """The readable engine and the agent's own mixtures give the same probabilities; what it does not know tells nothing."""
    policy = read_solution(solution).policy
    tables, abstraction = tables_for(GAME), abstraction_for(GAME, "xs")
    mine, shown = hand_of("3e 12c 4o"), card("2b")
    state = GAME.begin((hand_of("2b 11e 5o"), mine), (0, 0), 0)
    for action in ("truco", "quero", "2b"):
        state = state.play(action)
    beliefs = find_beliefs(tables, abstraction, policy, state.observe(1))
    player = make_player(tables, abstraction, policy)
    flor = total = 0.0
    rest = [held for held in SPANISH_DECK if held not in mine and held != shown]
    for more in combinations(rest, 2):
        dealt = hand_of(" ".join((shown, *more)))
        reach = 1.0
        other: TrucoState = GAME.begin((dealt, mine), (0, 0), 0)
        for action in ("truco", "quero", "2b"):
            assert other.to_act is not None
            if other.to_act == 0:
                found = find_mixture(player, known_situation(tables, other.observe(0)))
                same = [STRENGTH.get(one, one) for one in found.actions]
                wanted = STRENGTH.get(action, action)
                chances = found.probabilities if found.is_known else [1 / len(same)] * len(same)
                reach *= chances[same.index(wanted)] if wanted in same else 0.0
            if action not in other.legal:
                reach = 0.0
                break
            other = other.play(action)
        total += reach
        flor += reach * (flor_points(dealt) > 0)
    assert beliefs.flor == pytest.approx(flor / total)
    assert beliefs.probability.sum() == pytest.approx(1)
    assert sum(beliefs.envido.values()) == pytest.approx(1)


def test_shown_points_and_cards_are_certain() -> None:
    tables, abstraction = tables_for(GAME), abstraction_for(GAME, LEVEL)
    state = GAME.begin((hand_of("3e 12c 4o"), hand_of("1e 7e 4c")), (0, 0), 0)
    for action in ("envido", "quero", "3e", "1e"):
        state = state.play(action)
    beliefs = find_beliefs(tables, abstraction, no_policy(), state.observe(0))
    assert beliefs.envido == {28: pytest.approx(1)}
    assert all("1e" in map(str, hand) for hand, _ in beliefs.likely())
    assert 0 < beliefs.beats("4o") <= 1


def test_an_action_that_the_solution_never_takes_tells_nothing() -> None:
    """The deck is gone to only at once, a face-down card only played by who leads: it is passed over."""
    tables, abstraction = tables_for(GAME), abstraction_for(GAME, LEVEL)
    state = GAME.begin((hand_of("3e 12c 4o"), hand_of("1e 7e 4c")), (0, 0), 0)
    for action in ("3e", "4c", "12c", "down:7e"):
        state = state.play(action)
    beliefs = find_beliefs(tables, abstraction, no_policy(), state.observe(0))
    assert beliefs.probability.sum() == pytest.approx(1)
    assert len(beliefs.likely(100)) > 1


# Judging


def some_turns(hands: int) -> Iterator[tuple[TrucoState, str]]:
    for number in range(hands):
        chance = Stream("turns", number)
        scores = chance.below(GAME.target), chance.below(GAME.target)
        state = GAME.begin(GAME.deal(chance).hands, scores, number % 2)
        while state.to_act is not None:
            action = chance.choice(state.legal)
            if len(state.legal) > 1:
                yield state, action
            state = state.play(action)


def test_a_loss_is_never_negative_whatever_is_done(judge: Judge) -> None:
    known = []
    for state, action in some_turns(400):
        assert state.to_act is not None
        found = judge.judge(state.observe(state.to_act), action)
        if found is not None:
            known.append(found)
            assert found.loss >= 0
            assert 0 <= found.chance_loss <= 1
            assert -1e-6 <= found.chance <= 1 + 1e-6
    kinds = {found.action[:4] for found in known}
    assert {"bara", "down", "truc", "nao-"} <= kinds, (
        "actions that the solver does not consider are judged too"
    )


def test_going_to_the_deck_costs_what_the_rules_say(judge: Judge) -> None:
    state = GAME.begin((hand_of("1e 7e 3o"), hand_of("4c 5o 6b")), (10, 10), 0)
    for action in ("truco", "quero", "3o", "6b"):
        state = state.play(action)
    found = judge.judge(state.observe(0), "baralho")
    assert found is not None
    assert found.points == -2
    assert found.best != "baralho"


def test_the_analysis_of_a_blunder_names_it(solution: Path) -> None:
    hand = GAME.begin((hand_of("4c 5o 6b"), hand_of("1e 7e 3o")), (0, 0), 0)
    for action in ("truco", "quero", "6b", "3o", "baralho"):
        hand = hand.play(action)
    record = {**hand.record(), "agents": ["ana", "rui"], "id": "thrown away"}
    text = json.dumps(record).encode()
    done = typed("analyse", "-", "--solution", str(solution), stdin=text)
    assert done.returncode == 0, done.stderr.decode()
    line = json.loads(done.stdout)
    last = line["decisions"][-1]
    assert (line["line"], line["id"]) == (1, "thrown away")
    assert (last["player"], last["action"], last["grade"]) == ("rui", "baralho", "blunder")
    assert last["points"] == -2
    assert last["loss"] > 2
    assert last["best"] != "baralho"
    table = typed("analyse", "-", "--solution", str(solution), "--table", stdin=text).stdout.decode()
    assert "1 hands" in table
    assert "BLUNDER, hand thrown away: rui (seat 1) did baralho (-2.00" in " ".join(table.split())


def test_a_hand_as_one_seat_saw_it_is_judged_for_that_seat(solution: Path) -> None:
    hand = GAME.begin((hand_of("4c 5o 6b"), hand_of("1e 7e 3o")), (0, 0), 0)
    for action in ("truco", "quero", "6b", "3o", "baralho"):
        hand = hand.play(action)
    for seat in (0, 1):
        record = {**hand.record(), "result": {"seat": seat, "origin": "played"}}
        done = typed("analyse", "-", "--solution", str(solution), stdin=json.dumps(record).encode())
        assert {turn["seat"] for turn in json.loads(done.stdout)["decisions"]} == {seat}


def refused(solution: Path, record: object, *options: str) -> str:
    text = record if isinstance(record, bytes) else json.dumps(record).encode()
    done = typed("analyse", "-", "--solution", str(solution), *options, stdin=text)
    assert done.returncode == 2
    return done.stderr.decode()


def test_bad_hands_are_refused_by_line(solution: Path) -> None:
    hand = GAME.begin((hand_of("4c 5o 6b"), hand_of("1e 7e 3o")), (0, 0), 0).play("truco").play("nao-quero")
    good = json.dumps(hand.record()).encode()
    assert "line 2: not JSON" in refused(solution, good + b"\n" + good[:40])
    illegal = {**hand.record(), "actions": ["truco", "flor"]}
    assert "line 1: " in refused(solution, illegal)
    assert "'flor'" in refused(solution, illegal)
    assert "as action 2" in refused(solution, illegal)
    too_long = {**hand.record(), "actions": ["truco", "nao-quero", "4c"]}
    assert "as action 3" in refused(solution, too_long)
    other_rules = {**hand.record(), "rules": "cbtg"}
    assert (
        "line 1: a hand of Truco.named('cbtg', target=24), but the solution is for Truco.named('trucogame', target=24)"
        in refused(solution, other_rules)
    )
    kuhn = {"game": "kuhn", "cards": ["K", "J"], "first": 0, "actions": ["bet"]}
    assert "game must be 'truco', not 'kuhn'" in refused(solution, kuhn)
    assert "result.seat must be 0 or 1, not 7" in refused(solution, {**hand.record(), "result": {"seat": 7}})
    assert "unknown key 'colour'" in refused(solution, {**hand.record(), "colour": 1})


def test_a_solution_without_values_cannot_judge(solution: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.solution"
    bare.write_bytes(solution.read_bytes())
    assert f"there are no values of {bare} at {tmp_path / 'bare.values'}" in refused(bare, {})
    assert f"no solution file at {tmp_path / 'none'}" in refused(tmp_path / "none", {})
    assert "not both" in typed("analyse", "x.jsonl", "--base", "b", "--solution", "s").stderr.decode()
    assert "--solution FILE" in typed("analyse", "--values", "v").stderr.decode()


# The agent's evidence


def test_a_decision_tells_what_actions_are_worth_and_what_the_other_side_may_hold(solution: Path) -> None:
    agent = find_agent(f"solver:{solution}", "truco")
    state = GAME.begin((hand_of("1e 7e 3o"), hand_of("4c 5o 6b")), (3, 5), 0)
    decision = ask_agent(agent, state.observe(0), Stream(1))
    plain = json.loads(json.dumps(decision.as_json()))["values"]
    assert set(plain) == {"mixture", "action_points", "action_chances", "other_hand"}
    assert set(plain["action_points"]) == set(plain["action_chances"]) == set(plain["mixture"])
    assert plain["other_hand"]["beats"]["1e"] == 0
    for language in LANGUAGES:
        said = Explainer(sentences(language)).explain(decision)
        assert "why." not in said
        assert "{" not in said
        assert said.count(". ") >= 5
    assert "Chance to win the match: " in Explainer(sentences("en")).explain(decision)


def test_without_values_the_agent_still_tells_its_mixture_and_beliefs(solution: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.solution"
    bare.write_bytes(solution.read_bytes())
    state = GAME.begin((hand_of("1e 7e 3o"), hand_of("4c 5o 6b")), (3, 5), 0)
    decision = ask_agent(find_agent(f"solver:{bare}", "truco"), state.observe(0), Stream(1))
    assert set(decision.values) == {"mixture", "other_hand"}


def test_values_of_another_solution_are_refused_with_the_agent(solution: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.solution"
    solver = TrucoSolver(GAME, "xs", seed=2)
    solver.run(10)
    write_solution(other, solver.solution())
    values_file(other).write_bytes(values_file(solution).read_bytes())
    with pytest.raises(ValueError, match="has the values of another solution"):
        find_agent(f"solver:{other}", "truco")


def test_decide_tells_it_in_words(solution: Path) -> None:
    state = GAME.begin((hand_of("1e 7e 3o"), hand_of("4c 5o 6b")), (3, 5), 0)
    done = typed("decide", "-", "--agent", f"solver:{solution}", stdin=json.dumps(state.record()).encode())
    answer = json.loads(done.stdout)
    assert answer["solution"]["action_points"].keys() == answer["solution"]["mixture"].keys()
    assert "Worth in points from here on" in answer["why"]
    assert "Its most likely hands are" in answer["why"]


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_base_and_its_exported_table_are_judged_alike(
    solution: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setenv("RETRUCO_HOME", str(tmp_path / "home"))
    hand = GAME.begin((hand_of("4c 5o 6b"), hand_of("1e 7e 3o")), (0, 0), 0)
    for action in ("truco", "quero", "6b", "3o", "baralho"):
        hand = hand.play(action)
    records, table = tmp_path / "hands.jsonl", tmp_path / f"table.{kind}"
    view = {**hand.record(), "result": {"seat": 1, "origin": "played"}}
    records.write_text(json.dumps(view) + "\n")
    for command in (
        ("import", str(records), "--into", "judged"),
        ("export", "judged", "--format", kind, "--out", str(table)),
    ):
        done = typed("cases", *command)
        assert done.returncode == 0, done.stderr.decode()
    judged = [
        typed("analyse", *source, "--solution", str(solution))
        for source in (("--base", "judged"), (str(table),))
    ]
    lines = [json.loads(done.stdout) for done in judged]
    assert lines[0]["decisions"] == lines[1]["decisions"]
    assert {turn["seat"] for turn in lines[0]["decisions"]} == {1}
