"""What the command line says of an opponent: `study opponents`, and `decide` with the hands of a match."""

import json
from pathlib import Path

import pytest

from retruco.agents.registry import find_agent
from retruco.arena.sets import play_set
from retruco.games.truco import Truco
from retruco.streams import Stream
from shell import typed

GAME = Truco.named("trucogame")


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hands of a match in which `shouter` has seat 1, and one that has just begun."""
    agents = [[find_agent("balanced", "truco")], [find_agent("shouter", "truco")]]
    hands = [hand.state for number in range(3) for hand in play_set(GAME, agents, 5, number).matches[0].hands]
    new = GAME.begin(GAME.deal(Stream("new")).hands, (0, 0), 1).play("truco")
    file = tmp_path_factory.mktemp("match") / "match.jsonl"
    file.write_text("".join(json.dumps(state.record()) + "\n" for state in (*hands, new)))
    return file


def finished(match: Path, tmp_path: Path) -> Path:
    """The same file without the hand that is not over."""
    file = tmp_path / "finished.jsonl"
    file.write_text("".join(line + "\n" for line in match.read_text().splitlines()[:-1]))
    return file


def test_decide_says_what_it_thinks_of_the_opponent_and_since_when(match: Path) -> None:
    done = typed("decide", str(match), "--match", "--agent", "reader")
    assert done.returncode == 0
    (line,) = done.stdout.decode().splitlines()
    decision = json.loads(line)
    assert decision["opponent"]["styles"].keys() >= {"shouter"}
    assert decision["opponent"]["call"]["action"] == "truco"
    assert "you play like: shouter" in decision["why"]
    assert f"Since hand {decision['opponent']['since']} I play what wins from" in decision["why"]
    assert "This call is a bluff in" in decision["why"]
    assert f"Of the {decision['opponent']['call']['cases']} most similar calls I know" in decision["why"]


def test_a_finished_hand_is_still_refused_where_no_match_is_asked_for(match: Path) -> None:
    done = typed("decide", str(match), "--agent", "reader")
    assert done.returncode == 2
    assert "the hand is over" in done.stderr.decode()


def test_a_seat_is_read_hand_by_hand_and_its_profile_is_played_with(match: Path, tmp_path: Path) -> None:
    hands, profile = finished(match, tmp_path), tmp_path / "shouter.json"
    done = typed("study", "opponents", str(hands), "--seat", "1", "--out", str(profile), "--json")
    assert done.returncode == 0
    rows = json.loads(done.stdout)["hands"]
    assert [row["hands"] for row in rows] == list(range(len(rows)))
    assert next(iter(rows[-1]["styles"])) == "shouter"
    assert rows[0]["responds_to"] is None
    duel = typed("duel", f"reader:{profile}", "shouter", "--matches", "2", "--workers", "1", "--json")
    assert duel.returncode == 0, duel.stderr.decode()
    assert f"reader:{profile}" in duel.stdout.decode()
    table = typed("study", "opponents", str(hands)).stdout.decode()
    assert "shouter" in table.splitlines()[-1]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--seat", "2"), "--seat must be 0 or 1, not 2"),
        (("--out", "."), "is there already"),
        ((), "the hand is not over"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_line(match: Path, options: tuple[str, ...], why: str) -> None:
    done = typed("study", "opponents", str(match), *options)
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert why in line


def test_bluffs_of_an_agent_are_told_better_than_by_guessing() -> None:
    done = typed("study", "opponents", "--agent", "cautious", "--pairs", "4", "--json")
    assert done.returncode == 0, done.stderr.decode()
    (study,) = json.loads(done.stdout)
    found = study["ways"]["model"]
    assert found["calls"] > 30
    assert 0 < found["area"] <= 1
    assert sum(row[2] for row in found["calibration"]) == found["calls"]
    for options in (("--pairs", "1"), ("--out", "x")):
        assert typed("study", "opponents", *options).returncode == 2


def test_a_person_who_is_not_there_is_refused_in_one_line(tmp_path: Path) -> None:
    done = typed("study", "opponents", "--person", "Ana", "--table", str(tmp_path / "none.sqlite"))
    assert done.returncode == 2
    assert "no web table at" in done.stderr.decode()
    done = typed("study", "opponents", "match.jsonl", "--person", "Ana")
    assert done.returncode == 2
    assert "name a file or --person, not both" in done.stderr.decode()
