"""Seatings, sets, journals, results, records and reports."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from players import Broken, First

from retruco.agents.chance import RandomAgent
from retruco.agents.core import Agent
from retruco.arena.blocks import Block, Played
from retruco.arena.journal import HANDS, JOURNAL, Journal
from retruco.arena.page import Cell, Page, Table, as_html, as_markdown
from retruco.arena.plots import heat, whiskers
from retruco.arena.report import tournament_page
from retruco.arena.running import commit, play_plan, thinking
from retruco.arena.seatings import members_of, seatings
from retruco.arena.sets import Score, play_set
from retruco.arena.tables import table_results
from retruco.arena.tournament import TournamentPlan, results
from retruco.games.core import Game, Seat, Team
from retruco.games.kuhn import Kuhn
from retruco.games.records import replay
from retruco.games.truco import Truco


class Partners(Kuhn):
    """Four seats, two teams, nothing to play: enough to seat people."""

    @property
    def seats(self) -> Seat:
        return 4

    @property
    def teams(self) -> tuple[Team, ...]:
        return (0, 1, 0, 1)


def test_two_swap_three_rotate_and_teams_swap_as_teams() -> None:
    assert seatings(Kuhn(players=2)) == (((0, 0), (1, 0)), ((1, 0), (0, 0)))
    everywhere = list(zip(*seatings(Kuhn(players=3)), strict=True))
    assert all({entrant for entrant, _ in seat} == {0, 1, 2} for seat in everywhere)
    assert seatings(Partners()) == (
        ((0, 0), (1, 0), (0, 1), (1, 1)),
        ((1, 0), (0, 0), (1, 1), (0, 1)),
    )


def test_a_mixed_team_is_named_by_its_members() -> None:
    assert members_of("UF/HIGH!", Partners()) == ("UF", "HIGH!")
    assert members_of("UF", Partners()) == ("UF", "UF")
    assert members_of("a/path.py:Own", Partners()) == ("a/path.py:Own",) * 2
    with pytest.raises(ValueError, match="2 members"):
        members_of("A/B/C", Partners())


def test_three_copies_tie_exactly_and_chips_are_neither_made_nor_lost() -> None:
    game = Kuhn(players=3)
    for number in range(20):
        score = play_set(game, [[RandomAgent()]] * 3, 1, number, most_hands=1).score()
        totals = [sum(match[entrant] for match in score.gains) for entrant in range(3)]
        assert totals == [0, 0, 0]
    mixed = play_set(game, [[First()], [RandomAgent()], [First()]], 1, 5, most_hands=1).score()
    assert all(sum(match) == 0 for match in mixed.gains)
    assert mixed.hands == (1, 1, 1)


def test_a_table_of_three_is_compared_two_by_two() -> None:
    game = Kuhn(players=3)
    entrants: list[list[Agent]] = [[First()], [RandomAgent()], [RandomAgent()]]
    played = [play_set(game, entrants, 1, number, most_hands=1).score() for number in range(200)]
    found = table_results(game, ["first", "random", "random"], 1, played)
    assert [one["name"] for one in found["entrants"]] == ["first", "random", "random (2)"]
    assert sum(one["points_per_hand"] for one in found["entrants"]) == pytest.approx(0)
    assert len(found["differences"]) == 3
    assert found["hands"] == 600


def test_a_score_survives_the_journal_and_the_other_side_tells_the_same() -> None:
    score = play_set(Kuhn(), [[Broken()], [RandomAgent()]], 1, 0).score()
    assert Score.from_json(json.loads(json.dumps(score.as_json()))).as_json() == json.loads(
        json.dumps(score.as_json())
    ) | {
        "winners": score.winners,
        "gains": score.gains,
        "hands": score.hands,
        "seconds": score.seconds,
        "forfeits": score.forfeits,
    }
    other = score.swapped()
    assert (other.points, other.share) == (-score.points, 1 - score.share)
    assert other.swapped() == score


def plan(game: Game = Kuhn(), pairs: int = 12, **more: Any) -> TournamentPlan:  # noqa: B008  frozen
    return TournamentPlan(game, ("random", "first", "broken"), pairs, 1, **more)


PLAYERS: Mapping[str, Agent] = {"random": RandomAgent(), "first": First(), "broken": Broken()}


def test_results_are_the_same_bytes_whoever_played_and_hold_no_times() -> None:
    found = [json.dumps(results(plan(), play_plan(plan(), PLAYERS, workers))) for workers in (1, 2)]
    assert found[0] == found[1]
    assert "seconds" not in found[0]
    told = json.loads(found[0])
    assert [row["agent"] for row in told["standing"]][-1] == "broken"
    assert told["standing"][-1]["failed"] == 48
    assert told["matches"] == 72
    assert {row["agent"] for row in told["forfeits"]} == {"broken"}


def test_a_journal_keeps_blocks_and_cuts_off_a_torn_line(tmp_path: Path) -> None:
    blocks = plan().blocks()
    with Journal(tmp_path, plan().settings(), resume=False) as journal:
        for block in blocks[:2]:
            journal.add(block, Played([{"number": block.number}], seconds=1.0))
        journal.add(blocks[0], Played([{"number": 99}]))
    whole = (tmp_path / JOURNAL).read_bytes()
    (tmp_path / JOURNAL).write_bytes(whole + whole.splitlines()[-1][:20])
    with Journal(tmp_path, plan().settings(), resume=True) as journal:
        assert journal.played == {0: [{"number": 0}], 1: [{"number": 1}]}
        assert journal.processor_seconds == 2
    assert (tmp_path / JOURNAL).read_bytes() == whole


@pytest.fixture
def journal_file(tmp_path: Path) -> Path:
    """The journal of a run with two finished blocks."""
    with Journal(tmp_path, plan().settings(), resume=False) as journal:
        for block in plan().blocks()[:2]:
            journal.add(block, Played([{"number": block.number}], seconds=1.0))
    return tmp_path / JOURNAL


@pytest.mark.parametrize(
    ("line", "text", "told"),
    [
        (
            0,
            "garbage",
            "line 1 is damaged: it must hold the settings of the run, so its 2 blocks cannot be used",
        ),
        (0, "{}", "line 1 is damaged: it must hold the settings"),
        (1, "garbage", "line 2 is damaged: it must hold a finished block; 1 of 2 blocks are whole"),
        (
            1,
            '{"seconds": 1, "elapsed": 1, "scores": []}',
            "delete line 2 to have what is missing played again",
        ),
        (2, '{"seconds": 1, "elapsed": 1, "scores": []}', "line 3 is damaged"),
        (2, '{"block": 7, "seconds": 1, "elapsed": 1, "scores": []}', "line 3 is damaged"),
    ],
)
def test_a_damaged_line_of_a_journal_is_named_and_nothing_is_changed(
    journal_file: Path, line: int, text: str, told: str
) -> None:
    lines = journal_file.read_text().splitlines()
    lines[line] = text
    journal_file.write_text("\n".join(lines) + "\n")
    before = journal_file.read_bytes()
    with pytest.raises(ValueError, match=re.escape(told)) as error:
        Journal(journal_file.parent, plan().settings(), resume=True)
    assert str(journal_file) in str(error.value)
    assert "nothing was changed" in str(error.value)
    assert journal_file.read_bytes() == before


def test_a_journal_whose_damaged_line_was_deleted_goes_on_without_it(journal_file: Path) -> None:
    settings, _, second = journal_file.read_text().splitlines(keepends=True)
    journal_file.write_text(settings + second)
    with Journal(journal_file.parent, plan().settings(), resume=True) as journal:
        assert journal.played == {1: [{"number": 1}]}


@pytest.mark.slow
def test_a_journal_refuses_other_settings_a_second_process_and_a_used_folder(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no run to resume"):
        Journal(tmp_path, plan().settings(), resume=True)
    with (
        Journal(tmp_path, plan().settings(), resume=False),
        pytest.raises(ValueError, match="another process"),
    ):
        Journal(tmp_path, plan().settings(), resume=True)
    with pytest.raises(ValueError, match="already holds a run"):
        Journal(tmp_path, plan().settings(), resume=False)
    with pytest.raises(ValueError, match="started with seed 1, not 2"):
        Journal(tmp_path, {**plan().settings(), "seed": 2}, resume=True)
    with pytest.raises(ValueError, match="cases"):
        Journal(tmp_path, plan(cases={"digest": "other"}).settings(), resume=True)


def test_records_are_kept_in_the_order_of_the_plan_and_replay_to_the_same_result(tmp_path: Path) -> None:
    game = Truco.named("trucogame", 4)
    wanted = TournamentPlan(game, ("random", "first"), 7, 1, records=True, decisions=True)
    with Journal(tmp_path, wanted.settings(), resume=False) as journal:
        scores = play_plan(wanted, PLAYERS, 2, journal)
        journal.join_hands()
    lines = [json.loads(line) for line in (tmp_path / HANDS).read_text().splitlines()]
    assert len(lines) == sum(sum(score.hands) for score in scores[0, 1])
    assert len({line["id"] for line in lines}) == len(lines)
    for line in lines:
        state = replay(line)
        assert json.loads(json.dumps(state.summary())) == line["result"]
        assert [one["action"] for one in line["decisions"]] == line["actions"]
    assert not (tmp_path / "hands").exists()


@pytest.mark.parametrize(
    ("names", "pairs", "told"),
    [(("a",), 1, "at least 2"), (("a", "a"), 1, "'a' is entered twice"), (("a", "b"), 0, "at least 1")],
)
def test_a_plan_that_makes_no_sense_is_refused(names: tuple[str, ...], pairs: int, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        TournamentPlan(Kuhn(), names, pairs, 1)


def test_blocks_cover_every_pair_of_every_pairing_once() -> None:
    seen = [
        (block.entrants, number)
        for block in plan(pairs=13).blocks()
        for number in range(block.start, block.stop)
    ]
    assert len(seen) == len(set(seen)) == 3 * 13
    block = plan().blocks()[3]
    assert Block.from_json(json.loads(json.dumps(block.as_json()))) == block


@pytest.mark.slow
def test_a_report_names_everybody_and_needs_nothing_from_elsewhere() -> None:
    scores = play_plan(plan(), PLAYERS, 1)
    manifest = {
        "workers": 1,
        "seconds": 61.2,
        "processor_seconds": 1.0,
        "microseconds_per_decision": thinking(plan(), scores),
        "finished": "today",
        "retruco": "0",
        "commit": None,
        "python": "3",
    }
    page = tournament_page(json.loads(json.dumps(results(plan(), scores))), manifest)
    text, html = as_markdown(page), as_html(page)
    for name in PLAYERS:
        assert name in text
        assert name in html
    assert "1 min 1 s" in text
    assert "out of ideas" in html
    assert "prefers-color-scheme" in html
    for elsewhere in ('src="', "url(http", "@import", "<script", "<link"):
        assert elsewhere not in html
    assert all(picture.svg.startswith("<svg") for picture in page.pictures)
    again = tournament_page(json.loads(json.dumps(results(plan(), scores))), manifest)
    assert as_html(again) == html


def test_what_a_stranger_is_called_cannot_break_a_page() -> None:
    page = Page("<b>", "x & y", [Table(["a"], [[Cell("<script>|", 1.0)], ["<i>"]])])
    assert "<script>" not in as_html(page)
    assert "\\|" in as_markdown(page)


def test_long_names_leave_room_for_a_drawing() -> None:
    names = ["NPS@similarity=euclid+points=equal+guard=not-lost+revision=none", "ismcts@simulations=5000"]
    # matplotlib warns, and a warning fails here, where the names leave nothing for the axes.
    drawn = heat(names, names, [[None, 0.5], [-0.5, None]], [["", "61"], ["39", ""]])
    assert all(name in drawn for name in names)
    assert names[0] in whiskers(names, [0.6, 0.4], [(0.5, 0.7), (0.3, 0.5)], "won", 0.5, percent=True)


def test_the_commit_is_found_in_a_clone_in_packed_references_and_in_a_work_tree(tmp_path: Path) -> None:
    git, source = tmp_path / "clone" / ".git", tmp_path / "clone" / "src" / "file.py"
    git.mkdir(parents=True)
    assert commit(source) is None
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "packed-refs").write_text(f"# pack-refs with: peeled\n{'a' * 40} refs/heads/main\n")
    assert commit(source) == "a" * 40
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "refs" / "heads" / "main").write_text("b" * 40 + "\n")
    assert commit(source) == "b" * 40
    (own := git / "worktrees" / "other").mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    (own / "HEAD").write_text("ref: refs/heads/main\n")
    (tree := tmp_path / "other").mkdir()
    (tree / ".git").write_text(f"gitdir: {own}\n")
    assert commit(tree / "src" / "file.py") == "b" * 40
