"""Puzzles: every one has a clear best move; the first answer counts, streaks go by days."""

from datetime import date, timedelta

import pytest
import serving
from fastapi.testclient import TestClient
from visitors import Guest

from make_puzzles import LEAST_CHANCE, LEAST_MISSED, LEAST_POINTS, clear_worth
from retruco.web.puzzles.puzzle_book import (
    Puzzle,
    PuzzleAnswer,
    PuzzleAnswers,
    daily_puzzle,
    next_puzzle,
    puzzles,
    solved_in_a_row,
    today,
)

client = serving.client
PUZZLES = list(puzzles().values())


@pytest.fixture
def guest(client: TestClient) -> Guest:
    return Guest(client)


def wrong_answer(puzzle: Puzzle) -> str:
    return next(action for action in puzzle.points if action != puzzle.best)


def answers_of(client: TestClient) -> PuzzleAnswers:
    return PuzzleAnswers(serving.registry_of(client).store)


def test_every_puzzle_says_what_each_legal_move_is_worth() -> None:
    assert len(PUZZLES) >= 100
    for puzzle in PUZZLES:
        assert set(puzzle.points) == set(puzzle.chances) == set(puzzle.seen.legal), puzzle.id
        assert next(iter(puzzle.points)) == puzzle.best


def test_every_puzzle_has_one_move_that_is_clearly_best() -> None:
    for puzzle in PUZZLES:
        for action in puzzle.points:
            if action != puzzle.best:
                lost = puzzle.chances[puzzle.best] - puzzle.chances[action]
                assert lost >= LEAST_CHANCE - 0.001, puzzle.id
                assert puzzle.points[puzzle.best] - puzzle.points[action] >= LEAST_POINTS - 0.01, puzzle.id
        assert LEAST_MISSED <= puzzle.missed <= 1


def test_the_solution_still_finds_the_moves_of_the_file() -> None:
    for puzzle in PUZZLES[::10]:
        worth = clear_worth(puzzle.seen)
        assert worth is not None, puzzle.id
        assert next(iter(worth)) == puzzle.best


def test_the_puzzle_of_the_day_changes_every_day_and_comes_round() -> None:
    day = date(2026, 11, 16)
    days = [daily_puzzle(day + timedelta(number)).id for number in range(len(PUZZLES))]
    assert len(set(days)) == len(PUZZLES)
    assert daily_puzzle(day + timedelta(len(PUZZLES))).id == days[0]


@pytest.mark.parametrize(
    ("puzzle", "situation"),
    [
        ("e0fca892", "The other says “Truco”: what do you answer?"),
        ("c380bc2e", "Rounds won: you 1, the other 1. The hand is worth 2 now."),
    ],
)
def test_the_situation_is_said_in_words(guest: Guest, puzzle: str, situation: str) -> None:
    assert f"<strong>{situation}</strong>" in guest.get(f"/puzzles/{puzzle}?lang=en").text


def test_the_page_shows_no_card_of_the_other_before_the_answer(guest: Guest) -> None:
    puzzle = PUZZLES[0]
    page = guest.get(f"/puzzles/{puzzle.id}").text
    assert "other_held" not in page
    assert str(puzzle.points[puzzle.best]) not in page.partition("<form")[2].partition("</form>")[0]


def test_the_first_answer_counts(guest: Guest) -> None:
    puzzle = PUZZLES[1]
    path = f"/puzzles/{puzzle.id}"
    assert guest.send(path, action=wrong_answer(puzzle)).status_code == 303
    assert guest.send(path, action=puzzle.best).status_code == 303
    page = guest.get(f"{path}?lang=en").text
    assert "Not the best move." in page
    assert "Solved: 0 of 1" in page
    assert "other_held" in page


def test_a_solved_puzzle_of_the_day_begins_a_streak(guest: Guest) -> None:
    puzzle = daily_puzzle(today())
    guest.send(f"/puzzles/{puzzle.id}", action=puzzle.best)
    page = guest.get("/puzzles?lang=en").text
    assert "Right!" in page
    assert "Days in a row: 1" in page


def test_people_who_miss_a_puzzle_make_it_harder(client: TestClient, guest: Guest) -> None:
    puzzle, book = PUZZLES[2], answers_of(client)
    before, _ = book.missed(puzzle)
    guest.send(f"/puzzles/{puzzle.id}", action=wrong_answer(puzzle))
    after, people = book.missed(puzzle)
    assert after > before
    assert people == 1


@pytest.mark.parametrize(("path", "status"), [("/puzzles/00000000", 404), ("/puzzles/nonsense", 404)])
def test_a_puzzle_that_is_not_there_is_not_found(guest: Guest, path: str, status: int) -> None:
    assert guest.get(path).status_code == status


def test_an_answer_against_the_rules_is_refused(guest: Guest) -> None:
    answer = guest.send(f"/puzzles/{PUZZLES[3].id}", action="vale9")
    assert answer.status_code == 400
    assert "vale9" in answer.text


def test_an_answer_from_elsewhere_is_refused(guest: Guest) -> None:
    answer = guest.request("POST", f"/puzzles/{PUZZLES[3].id}", data={"action": PUZZLES[3].best})
    assert answer.status_code == 403


def test_forgetting_reaches_the_answers(client: TestClient, guest: Guest) -> None:
    guest.send(f"/puzzles/{PUZZLES[4].id}", action=PUZZLES[4].best)
    registry = serving.registry_of(client)
    visitor = registry.store.rows("SELECT visitor FROM puzzle_answer WHERE puzzle = ?", PUZZLES[4].id)[0][0]
    registry.forget(visitor)
    assert answers_of(client).of(visitor) == []


def test_the_next_puzzle_is_the_easiest_without_an_answer() -> None:
    easiest = min(PUZZLES, key=lambda puzzle: puzzle.missed)
    assert next_puzzle([]) is easiest
    given = [PuzzleAnswer(puzzle.id, "", True, None) for puzzle in PUZZLES]
    assert next_puzzle(given) is None
    assert next_puzzle([answer for answer in given if answer.puzzle != PUZZLES[5].id]) is PUZZLES[5]


def test_a_wrong_answer_ends_the_row() -> None:
    given = [PuzzleAnswer("a", "", solved, None) for solved in (True, False, True, True)]
    assert solved_in_a_row(given) == 2
    assert solved_in_a_row([]) == 0
