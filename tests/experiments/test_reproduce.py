"""Published experiments run anew: the same bytes however they are played, and refusals that say why."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from retruco.agents.core import Agent
from retruco.agents.registry import find_agent, roster
from retruco.agents.truco.bots import READINGS as BOTS
from retruco.agents.truco.policies import NAMED
from retruco.agents.truco.readings import change_reading
from retruco.arena.page import Page, as_markdown
from retruco.arena.sets import play_set
from retruco.cbr.similarity import Euclid
from retruco.cli import main
from retruco.cli.commands.learning import LearnOptions
from retruco.cli.learn import begin_run, open_learner
from retruco.cli.report import write_index
from retruco.cli.reproduce import open_taught_base
from retruco.experiments import moral2020_works, paulus2019, paulus2020_works
from retruco.experiments.conclusions import shares_of
from retruco.experiments.contest import Contest, seated
from retruco.experiments.people import people_against
from retruco.experiments.published import LEADS, claims_of, expected
from retruco.experiments.registry import experiments, find_experiments
from retruco.experiments.running import reproduce, settings_of
from retruco.experiments.study import TRUCO, Found, Results, Stage, Study, Work
from retruco.experiments.table_iii import fitting_parts, steps
from retruco.experiments.training import Training, TrainingStart
from retruco.games.core import Game
from retruco.games.truco import Truco
from retruco.learning.learners import TEN_BEST, plan_for
from retruco.learning.truco.embedded import baseline_hands
from retruco.learning.tutor import ScriptedTutor
from retruco.storage.library import Base, Library
from retruco.storage.store import open_store
from retruco.web.core.store import Sitter, Store, StoredMatch
from retruco.web.lab.study import StudyMatches
from retruco.web.tables.fairness import HONEST
from retruco.web.tables.live_table import LiveTable


@pytest.fixture(scope="module", name="home")
def fixture_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a small base, its rows and clusters made, and bases that do not fit."""
    home = tmp_path_factory.mktemp("home")
    with open_store(home / "cases.db") as store:
        store.create("few", "truco", "trucogame")
        store.append("few", islice(baseline_hands(), 60))
        store.create("other-game", "kuhn", "two-seats")
        store.create("other-rules", "truco", "cbtg")
        store.create("empty", "truco", "trucogame")
        library = Library(store)
        library.open("few")
        # Somebody teaches a bot for a match; whoever it is, the store calls them a person.
        begin_run(
            library, LearnOptions(into="pupil", strategy="BOT5", source="few", first=40, tutor="person")
        )
        begin_run(library, LearnOptions(into="scripted", strategy="BOT5", source="few", first=40))
        tutor = ScriptedTutor(find_agent("cautious", "truco"))
        open_learner(library, "pupil", tutor).run(matches=1)
    return home


@pytest.fixture(scope="module", name="few")
def fixture_few(home: Path) -> Base:
    with open_store(home / "cases.db") as store:
        return Library(store).open("few")


def retruco(monkeypatch: pytest.MonkeyPatch, home: Path, *args: str) -> object:
    monkeypatch.setenv("RETRUCO_HOME", str(home))
    monkeypatch.setattr(sys, "argv", ["retruco", *args])
    with pytest.raises(SystemExit) as left:
        main()
    return left.value.code or 0


# A small experiment, of the same parts as the published ones


def bot(study: Study) -> Training:
    start = TrainingStart(study.base.cases, study.base.hands, {})
    return Training("BOT2", plan_for("BOT2", first=40), TRUCO, start, study.folder, 8, marks=2)


def imitator(study: Study) -> Training:
    start = TrainingStart(study.base.cases, study.base.hands, study.base.elbows)
    plan = plan_for("imitation", policies=("NPS", "PVCNPS"))
    return Training("imitation", plan, TRUCO, start, study.folder, until=70, marks=2)


def trainings(study: Study, found: Found) -> Sequence[Work]:
    names = ("MJS", "NPS")
    cases = study.base.cases
    meeting = Contest("meeting", TRUCO, names, 3, 1, lambda: seated(names, cases))
    return bot(study), imitator(study), meeting


def later(study: Study, found: Found) -> Sequence[Work]:
    names = ("NPS", "PVCNPS")

    def seats() -> Mapping[str, Agent]:
        return seated(names, imitator(study).learnt())

    return [Contest("test", TRUCO, names, 3, 1, seats)]


@dataclass(frozen=True)
class Small:
    name: str = "small"
    title: str = "A small experiment"
    paper: str = "nowhere"
    game: Game = TRUCO
    needs_cases: bool = True
    stages: Sequence[Stage] = (Stage("trainings", trainings, 1, 1), Stage("tests", later, 1, 1))

    def results(self, study: Study, found: Found) -> dict[str, Any]:
        kept = bot(study).learnt()
        rows = {one.name: [str(row) for row in kept.rows(one.name)] for one in kept.vocabulary.scenarios}
        won = {name: shares_of(found[name])[0, 1] for name in ("meeting", "test")}
        return {"won": won, "bot": found["BOT2"], "imitation": found["imitation"], "rows": rows}

    def page(self, results: Results, manifest: Results) -> Page:
        return Page(self.title, "Small.", [])


def played(few: Base, folder: Path, workers: int) -> bytes:
    reproduce(Small(), Study(1, False, folder, few), workers)
    return (folder / "results.json").read_bytes()


class TestSameBytes:
    @pytest.mark.slow
    def test_one_worker_two_workers_and_a_run_that_was_stopped_twice(self, few: Base, tmp_path: Path) -> None:
        alone = played(few, tmp_path / "alone", 1)
        assert played(few, tmp_path / "two", 2) == alone

        cut = tmp_path / "cut"
        study = Study(1, False, cut, few)

        def stop_when_a_base_is_kept(done: float, text: str) -> None:
            if bot(study).file().exists():
                raise KeyboardInterrupt

        def stop_in_the_tests(done: float, text: str) -> None:
            if text.endswith("tests"):
                raise KeyboardInterrupt

        for stop in (stop_when_a_base_is_kept, stop_in_the_tests):
            with pytest.raises(KeyboardInterrupt):
                reproduce(Small(), study, 2, stop)
            assert not (cut / "results.json").exists()
        assert played(few, cut, 2) == alone

    @pytest.mark.slow
    def test_a_training_that_goes_on_from_its_file_gives_the_same_base(
        self, few: Base, tmp_path: Path
    ) -> None:
        from retruco.arena.blocks import NO_POST, Block, Task

        def grown(folder: Path, *ends: int) -> tuple[Any, list[str]]:
            found: Any = None
            for end in ends:
                start = TrainingStart(few.cases, few.hands, {})
                plan = plan_for("BOT2", first=40)
                work = Training("BOT2", plan, TRUCO, start, folder, end, marks=1)
                (played,) = work.play(Task((Block(0, (), 0, 1),)), NO_POST, lambda share: None)
                found = played.scores[0]
            kept = work.learnt()
            rows = [str(row) for one in kept.vocabulary.scenarios for row in kept.rows(one.name)]
            return found["standing"], rows

        assert grown(tmp_path / "whole", 9) == grown(tmp_path / "parts", 2, 6, 9)

    @pytest.mark.slow
    def test_a_published_experiment_on_the_command_line(
        self, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        folder = tmp_path / "run"
        args = ("reproduce", "paulus2019", "--quick", "--cases", "few", "--workers", "2")
        assert retruco(monkeypatch, home, *args, "--out", str(folder)) == 0
        kept = {file.name for file in folder.iterdir()}
        assert {"results.json", "manifest.json", "report.html", "report.md", "plots"} <= kept
        found = json.loads((folder / "results.json").read_bytes())
        assert found["cases"]["synthetic"]
        assert "seconds" not in found
        page = (folder / "report.md").read_text()
        assert "SYNTHETIC" in page
        for claim in found["claims"]:
            assert claim["said"] in page
        for picture in (folder / "plots").iterdir():
            assert f"plots/{picture.name}" in page
        assert "<img" not in (folder / "report.html").read_text(), "the page needs nothing else"

        # Another experiment, or the same with another seed, does not go on in this folder.
        capfd.readouterr()
        again = ("reproduce", "moral2020", "--quick", "--cases", "few", "--out", str(folder))
        assert retruco(monkeypatch, home, *again) == 2
        assert "was started with experiment 'paulus2019', not 'moral2020'" in capfd.readouterr().err
        assert retruco(monkeypatch, home, *args, "--seed", "2", "--out", str(folder)) == 2
        assert "was started with seed 1, not 2" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("newton1687",), "unknown experiment 'newton1687': one of"),
        (("paulus2019", "--cases", "nowhere"), "unknown case base 'nowhere': one of baseline"),
        (("paulus2019", "--cases", "other-game"), "is of kuhn, not of truco"),
        (("paulus2019", "--cases", "other-rules"), "has hands by cbtg"),
        (("paulus2019", "--cases", "empty"), "has no hands"),
        (("paulus2019", "--cases", "few", "--workers", "0"), "--workers must be at least 1, not 0"),
        (
            ("paulus2019", "--cases", "few", "--taught", "pupil"),
            "--taught is for moral2020, not for paulus2019",
        ),
        (("moral2020", "--cases", "few", "--taught", "few"), "nobody learns into case base 'few'"),
        (("moral2020", "--cases", "few", "--taught", "scripted"), "'scripted' was not taught by a person"),
        (("paulus2019", "--cases", "few", "--out", "/dev/null/run"), "/dev/null/run"),
        (("moral2020", "--cases", "few", "--trainings", "0"), "--trainings must be at least 1, not 0"),
        (("moral2020", "--cases", "few", "--quick", "--full"), "--quick trains once and judges nothing"),
        (("sandven2006", "--runs", "0"), "--runs must be at least 1, not 0"),
        (
            ("sandven2006", "--readings", "casey,cassie"),
            "unknown reading 'cassie': one of casey, casey-newest",
        ),
        (("people", "--simulated", "-1"), "--simulated must be at least 0, not -1"),
        (("people", "--store", "nowhere.sqlite"), "--store nowhere.sqlite: there is no such file"),
        (
            ("paulus2019", "--cases", "few", "--simulated", "3"),
            "--simulated is for people, not for paulus2019",
        ),
        (("seelbinder2012", "--hands", "100"), "--hands is for sandven2006, not for seelbinder2012"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_makes_no_sense_is_refused(
    args: tuple[str, ...],
    told: str,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert retruco(monkeypatch, home, "reproduce", *args) == 2
    assert told in capfd.readouterr().err


def test_a_pupil_of_ones_own_takes_the_place_of_the_scripted_one(
    home: Path, few: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETRUCO_HOME", str(home))
    pupil = open_taught_base("pupil")
    study = Study(1, True, tmp_path, few, pupil)
    assert [work.name for work in moral2020_works.trainings(study, {})][:4] == [
        "BOT1",
        "BOT2",
        "BOT3",
        "BOT4",
    ]
    assert "BOT5" not in [work.name for work in moral2020_works.trainings(study, {})]
    assert pupil.standing["match"] == 1
    (one,) = find_experiments("moral2020")
    assert settings_of(one, study)["taught"]["name"] == "pupil"


# Readings


def test_the_bots_are_trained_in_every_reading_as_often_as_asked_for(few: Base, tmp_path: Path) -> None:
    study = Study(5, True, tmp_path, few, trainings=2)
    works = [work for work in moral2020_works.trainings(study, {}) if isinstance(work, Training)]
    assert len({work.name for work in works}) == len(works) == 2 * 3 * 5
    assert {work.plan.seed for work in works} == {5, 6}
    by_name = {work.name: work for work in works}
    text = by_name[f"BOT2{moral2020_works.TEXT} 2"]
    assert (text.plan.strategy, text.plan.against) == ("substitution-one", f"BOT0{moral2020_works.TEXT}")
    assert text.start.cases.measure == Euclid()
    assert by_name["BOT2"].plan.strategy == "substitution"
    assert by_name["BOT2"].start.cases is few.cases


def test_bots_that_compare_the_score_are_trained_with_the_scores_of_the_base(
    home: Path, few: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETRUCO_HOME", str(home))
    reading = moral2020_works.BotReading("@score=compared")
    work = moral2020_works.training(Study(5, True, tmp_path, few), "BOT1", reading)
    cases = work.start.cases
    assert cases.vocabulary.version == 3
    assert len(cases) == len(few.cases)


def test_the_dissertation_learns_as_often_as_asked_for_and_plays_stages_2_and_3_after_each(
    few: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = Study(5, True, tmp_path, few, trainings=3)
    learnings = [work for work in paulus2020_works.first_works(study, {}) if isinstance(work, Training)]
    assert [(work.name, work.plan.seed) for work in learnings] == [
        ("imitation", 5), ("imitation 2", 6), ("imitation 3", 7), ("imitation, as the text says", 5),
        ("imitation, as the text says 2", 6), ("imitation, as the text says 3", 7),
    ]  # fmt: skip
    assert learnings[0].plan.policies == TEN_BEST
    assert learnings[3].plan.policies == paulus2020_works.read_as(TEN_BEST, paulus2020_works.LATER)
    monkeypatch.setattr(paulus2020_works, "learnt", lambda training: few.cases)
    names = [work.name for work in paulus2020_works.further_trainings(study)]
    assert len(set(names)) == len(names) == 2 * 3 * 2
    assert {"stage 2 2", "stage 3 published 3"} <= set(names)
    own = [work.name for work in paulus2020_works.on_own_base(study)]
    assert len(set(own) - set(names)) == 2 * 3


def test_a_report_over_two_trainings_tells_means_and_intervals_between_them(
    few: Base, tmp_path: Path
) -> None:
    (one,) = find_experiments("moral2020")
    study = Study(5, True, tmp_path, few, trainings=2)
    chance = [find_agent("random", "truco")]
    score = play_set(TRUCO, [chance, chance], 1, 0).score()
    found: dict[str, Any] = {}
    for work in moral2020_works.trainings(study, {}):
        cases = dict.fromkeys(("envido", "flor", "truco"), 600)
        hands = 90 if work.name.endswith(" 2") else 110
        found[work.name] = {"standing": {"match": 10, "hands": hands, "cases": cases}, "growth": []}
    for work in moral2020_works.tests(study, found):
        assert isinstance(work, Contest)
        found[work.name] = {block.entrants: [score] * work.pairs for block in work.blocks()}
    results = {**settings_of(one, study), **one.results(study, found)}
    assert results["trainings"] == 2
    assert results["table IV"]["ours"]["BOT1"]["hands"] == [110, 90]
    assert set(results["all against all"]) == {"ours", "raw", "text"}
    made = {"seconds": 1, "processor_seconds": 1, "workers": 1, "finished": "", "retruco": "", "commit": None}
    report = as_markdown(one.page(results, {**made, "python": "", "settings": settings_of(one, study)}))
    assert "means of 2 trainings" in report
    assert "| 100 (90-110) |" in report
    assert "retruco reproduce moral2020 --quick --cases few --trainings 2 --seed 5" in report


def test_a_lead_over_trainings_counts_all_matches_of_a_training() -> None:
    said = [{"said": "", "where": "", "kind": "head", "a": "a", "b": "b"}]
    (claim,) = claims_of(said, ("a", "b"), {"": {(0, 1): [0.6, 0.7]}}, sets=30, pairs_in_unit=30)
    assert claim.leads[""].matches == 60
    assert claim.sets == 1


def test_a_run_with_several_trainings_goes_on_only_as_such(few: Base, tmp_path: Path) -> None:
    (one,) = find_experiments("moral2020")
    assert settings_of(one, Study(1, False, tmp_path, few, trainings=10))["trainings"] == 10
    assert "trainings" not in settings_of(one, Study(1, False, tmp_path, few))  # as earlier runs have it


@pytest.mark.parametrize(
    "readings",
    [tuple(paulus2020_works.ABLATIONS.values()), (paulus2019.TEXT, *paulus2019.CHANGES.values())],
    ids=["paulus2020", "paulus2019"],
)
def test_an_ablation_changes_one_part_of_the_reading(readings: Sequence[str]) -> None:
    first, *others = (change_reading(NAMED["NPS"], text) for text in readings)
    for other in others:
        assert len(set(first.parts()) - set(other.parts())) == 1


def test_an_ablation_of_the_bots_changes_one_thing() -> None:
    first, *others = moral2020_works.ABLATIONS.values()
    assert first == moral2020_works.READINGS["text"]
    for other in others:
        before, after = (change_reading(BOTS["BOT1"], one.ending[1:]).parts() for one in (first, other))
        parts = [first.substitution != other.substitution, first.tutors != other.tutors]
        assert len(set(before) - set(after)) + sum(parts) == 1


def test_an_ablation_trains_only_the_bots_that_it_changes() -> None:
    text, goes, tutors = (
        moral2020_works.ABLATIONS[name]
        for name in ("as the text says", "every worse case goes", "several tutors")
    )
    learners = moral2020_works.LEARNERS
    assert [bot for bot in learners if goes.name(bot) != text.name(bot)] == ["BOT2", "BOT4"]
    assert [bot for bot in learners if tutors.name(bot) != text.name(bot)] == ["BOT5"]


def test_a_quick_look_has_no_ablations_of_what_is_learnt(few: Base, tmp_path: Path) -> None:
    quick, full = (Study(1, quick, tmp_path, few) for quick in (True, False))
    assert not moral2020_works.changes(quick)
    assert not paulus2020_works.learning_changes(quick)
    assert len(moral2020_works.changes(full)) == len(moral2020_works.ABLATIONS) - 1
    names = [work.name for work in paulus2020_works.learning_changes(full)]
    assert len(set(names)) == len(names) == len(paulus2020_works.LEARNING_CHANGES)


@pytest.mark.parametrize("name", paulus2020_works.READINGS)
def test_every_reading_of_the_dissertation_names_its_sentences(name: str) -> None:
    reading = paulus2020_works.READINGS[name]
    assert reading["for"]
    assert reading["against"]
    for text in (reading["first"], reading["later"]):
        assert not text or change_reading(NAMED["NPS"], text)


def test_stage_1_is_played_over_three_seeds_in_the_readings_of_the_text(few: Base, tmp_path: Path) -> None:
    contests = paulus2020_works.first_readings(Study(7, False, tmp_path, few))
    names = [contest.name for contest in contests]
    assert len(set(names)) == len(names)
    by_text = [paulus2020_works.READINGS[name]["first"] for name in paulus2020_works.SUPPORTED]
    seeds = [contest.seed for contest in contests if contest.names[0].partition("@")[2] in by_text]
    assert seeds == [7, 8, 9, 7, 8, 9]


# What was published


@pytest.mark.parametrize("name", experiments())
def test_every_experiment_can_be_found_and_names_its_stages(name: str, few: Base, tmp_path: Path) -> None:
    (one,) = find_experiments(name)
    assert {"people": "paulus"}.get(name, name[:-4]) in one.paper.lower()
    assert all(stage.seconds > stage.quick_seconds > 0 for stage in one.stages)
    assert settings_of(one, Study(1, True, tmp_path, few))["experiment"] == name


def claims(name: str) -> list[Any]:
    said = expected(name)["claims"]
    return [one for some in said.values() for one in some] if isinstance(said, dict) else said


@pytest.mark.parametrize("name", ["paulus2019", "moral2020", "paulus2020"])
def test_every_claim_names_where_it_stands_and_agents_there_are(name: str) -> None:
    assert claims(name)
    for one in claims(name):
        assert one["kind"] in LEADS
        assert "figure" in one["where"] or "section" in one["where"]
        for agent in (one["a"], one.get("b", one["a"])):
            assert agent.removesuffix(" at the start") in roster("truco")


def test_the_published_numbers_add_up() -> None:
    said = expected("paulus2020")
    for name, one in said["appendix B"]["scenarios"].items():
        assert sum(one["sizes"]) == one["hands"], name
    second = said["stage 2"]
    assert sorted(second["better"] + second["worse"]) == sorted(said["order"])
    assert (second["wins"], second["matches"]) == (287, 500)
    assert said["table 16"]["rows"]["PVCNPS"] == [7.01, -5.08]
    assert sum(row[0] for row in said["table 17"]["rows"].values()) == 19
    fourth = expected("moral2020")["table IV"]["rows"]
    assert fourth["BOT5"] == {"hands": 6562, "envido": 681, "flor": 520, "truco": 5125}
    assert sum(row["hands"] for row in fourth.values()) == 513 + 6859 + 6338 + 6263 + 5876 + 6562
    assert expected("paulus2019")["plan"]["matches"] == 1500


def test_table_iii_compares_more_than_it_shows_and_not_by_euclid() -> None:
    assert fitting_parts() == [831, 832, 833]
    cases = expected("moral2020")["table III"]["cases"]
    same = [steps(values[-1], 832) for values in cases.values() if values[:-1] == [24, 6, 1]]
    assert same == [10, 12]


# People


def test_an_index_leads_to_a_study_with_people_which_judges_nothing(tmp_path: Path) -> None:
    run = Path(__file__).parents[2] / "docs" / "reproduction" / "people"
    shutil.copytree(run, tmp_path / "people")
    write_index(str(tmp_path))
    index = (tmp_path / "index.md").read_text()
    assert "It judges no published statement." in index
    assert "(people/report.md)" in index


def test_people_of_the_web_table_are_counted_once_their_match_is_played_out(tmp_path: Path) -> None:
    file = tmp_path / "table.sqlite"
    assert people_against(["NPS"], file) == []
    assert not file.exists()
    store = Store(file)
    for name, target, ends in (
        ("a", 24, True),
        ("b", 24, False),
        ("c", 2, True),
        ("not of the study", 24, True),
    ):
        sitters = (Sitter(visitor="somebody"), Sitter(agent="NPS"))
        deal = HONEST.deal(Truco.named("trucogame", target))
        stored = StoredMatch(name, "trucogame", target, 0, 1, "match", sitters, deals=(deal,))
        store.add(stored)
        live = LiveTable(stored, store)
        while ends and live.to_act is not None:
            seat = live.to_act
            live.act(seat, "baralho" if seat == 0 else live.table.state.legal[0], live.last_number)
    for name in ("a", "b", "c"):
        StudyMatches(store).add(name)
    store.close()
    (told,) = people_against(["NPS", "PVS"], file)
    assert (told["agent"], told["matches"], told["wins"]) == ("NPS", 1, 1)
    assert told["mean_in_wins"] > 0
    assert told["mean_in_losses"] is None
