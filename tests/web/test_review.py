"""The review of a finished match: judged as `retruco analyse` does, and told only when the match is over."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
import serving
from fastapi.testclient import TestClient
from visitors import HAND, Json, Visitor

from retruco.agents.truco.judgement import GRADE_NAMES
from retruco.cli.analyse import Summary, judge_hand, shipped_judge
from retruco.games.truco.notation import read
from retruco.web.art.hand_picture import PictureTexts, draw_hand
from retruco.web.core.app import create_app
from retruco.web.core.settings import Settings
from retruco.web.review.charts import draw_chart, score_marks
from retruco.web.review.match_review import GRADES, accuracy_of
from waiting import wait_until

DEALS = (
    "1e 7c 4b / 3o 2c 5e",
    "4e 5b 6o / 1b 3c 2o",
    "7e 6e 5o / 1o 12c 3b",
    "2e 2b 10o / 7o 11c 4c",
    "12e 6b 3e / 1c 5c 10b",
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server whose deals, and whose agents' luck, are always the same."""
    settings = Settings(tmp_path_factory.mktemp("table") / "table.sqlite", limits=serving.GENEROUS)
    app = create_app(settings, serving.cases_of, serving.StackedDealer(*DEALS))
    with TestClient(app, base_url="http://localhost") as found:
        yield found


@pytest.fixture(scope="module")
def visitor(client: TestClient) -> Visitor:
    return Visitor(client)


def watch(visitor: Visitor, **wish: str) -> str:
    """A match of agents that is over."""
    answer = visitor.request("POST", "/watch", data={"form_key": visitor.form_key, **wish})
    match: str = answer.headers["location"].rpartition("/")[2]
    wait_until(lambda: "/replay/" in visitor.get(f"/watch/{match}").headers["location"], "the match is over")
    return match


@pytest.fixture(scope="module")
def known(visitor: Visitor) -> str:
    """A match of two agents to 24 points that is the same in every run."""
    return watch(visitor, first="forgetful", second="balanced", rules="cbtg")


def review_of(visitor: Visitor, match: str) -> Json:
    answer = visitor.get(f"/api/matches/{match}/review")
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def test_the_worst_moves_are_those_that_analyse_names(visitor: Visitor, known: str) -> None:
    summary = Summary(worst=3)
    for hand in visitor.get(f"/api/matches/{known}/export").json()["hands"]:
        summary.add(judge_hand(lambda game: shipped_judge(game.rules_name), hand, None))
    named = [(-number - 1, turn.seat, turn.action, round(loss, 4)) for loss, number, _, turn in summary.worst]
    worst = review_of(visitor, known)["worst"]
    assert [(move["hand"], move["seat"], move["action"], move["chance_loss"]) for move in worst] == named
    assert len(named) == 3


def test_nobody_has_more_points_than_the_target(visitor: Visitor, client: TestClient) -> None:
    match = watch(visitor, first="shouter", second="shouter", target="3")
    live = serving.registry_of(client).find(match)
    assert live is not None
    assert max(live.table.match.scores) > 3, "the last bet was worth more than was missing"
    assert max(review_of(visitor, match)["scores"][-1]) == 3


def test_every_decision_has_the_grade_of_analyse(visitor: Visitor, known: str) -> None:
    hands = visitor.get(f"/api/matches/{known}/export").json()["hands"]
    judged = [judge_hand(lambda game: shipped_judge(game.rules_name), hand, None).as_json() for hand in hands]
    grades = [turn["grade"] for hand in judged for turn in hand["decisions"] if turn["grade"]]
    assert [move["grade"] for move in review_of(visitor, known)["moves"] if move["grade"]] == grades
    assert GRADES == GRADE_NAMES


def test_the_page_shows_the_curve_the_hands_and_the_worst_moves(visitor: Visitor, known: str) -> None:
    found, page = review_of(visitor, known), visitor.get(f"/review/{known}").text
    assert page.count('<details class="panel reviewed-hand"') == len(found["scores"])
    assert page.count('class="chart"') == 2
    assert page.count('class="turning"') == len(found["turning_points"]) > 0
    listed = page.partition('class="worst"')[2].partition("</ol>")[0]
    assert re.findall(r'data-number="(\d+)"', listed) == [str(move["number"]) for move in found["worst"]]


def test_the_page_says_how_the_seat_looked_to_an_opponent_that_reads(visitor: Visitor, known: str) -> None:
    found, page = review_of(visitor, known), visitor.get(f"/review/{known}").text
    readings = page.partition('class="readings"')[2].partition("</table>")[0]
    hands = [int(number) for number in re.findall(r'<th scope="row">(\d+)</th>', readings)]
    assert hands == list(range(1, len(found["scores"]) + 1))
    for row in readings.split("<tr>")[2:]:
        shares = [int(share) for share in re.findall(r"(\d+) %", row)]
        assert 0 < sum(shares) <= 101
    assert re.search(r"<td>\d+ of \d+</td>", readings)


def test_the_chance_begins_near_a_half_and_ends_with_the_winner(visitor: Visitor, known: str) -> None:
    chances = review_of(visitor, known)["chances"]
    assert chances[0] == pytest.approx(0.5, abs=0.05)
    assert chances[-1] in (0.0, 1.0)


def test_a_worst_move_comes_with_the_position_before_it_and_the_better_move(
    visitor: Visitor, known: str
) -> None:
    worst = review_of(visitor, known)["worst"][0]
    board = visitor.get(f"/api/matches/{known}/review/{worst['number']}").json()
    assert board["before"]["to_act"] == worst["seat"]
    assert board["played"]["moved"]["action"] == worst["action"]
    assert board["better"]["moved"]["action"] == worst["best_for_match"]


def test_a_match_that_goes_on_tells_nothing(visitor: Visitor) -> None:
    match = visitor.open()
    for path in (f"/review/{match}", f"/api/matches/{match}/review", f"/api/matches/{match}/review/1"):
        assert visitor.get(path).status_code == 403, path


def test_open_practice_has_no_review(visitor: Visitor) -> None:
    match = visitor.open(practice=True)
    assert visitor.get(f"/review/{match}").status_code == 403


def test_a_short_match_is_judged_too_and_the_page_says_how(visitor: Visitor) -> None:
    match = visitor.finished(target=6)
    assert review_of(visitor, match)["judged"]
    assert "more or fewer points" in visitor.get(f"/review/{match}?lang=en").text


def test_a_resigned_match_is_reviewed_up_to_where_it_was_left(visitor: Visitor) -> None:
    match = visitor.open(target=24)
    frame = visitor.now(match)
    visitor.act(match, frame["number"], frame["held"][0])
    visitor.post(f"/api/matches/{match}/resign", {"number": visitor.now(match)["number"]})
    assert "not played to its end" in visitor.get(f"/review/{match}?lang=en").text


@pytest.mark.parametrize("language", ["pt", "es", "en"])
def test_every_sentence_of_the_page_is_filled_in(visitor: Visitor, known: str, language: str) -> None:
    page = visitor.get(f"/review/{known}?lang={language}").text.partition("<main")[2].partition("<script")[0]
    assert not re.findall(r"\{\w+\}|\breview\.\w+", page)


def test_a_game_without_a_judge_shows_its_hands_and_its_score(visitor: Visitor) -> None:
    match = watch(visitor, game="euchre", first="random", second="random,random,random", target="5")
    page = visitor.get(f"/review/{match}?lang=en").text
    assert "Nobody has solved Euchre" in page
    assert page.count('class="chart"') == 1
    assert "/hands/1?step=" in page


def test_accuracy_falls_with_what_is_lost() -> None:
    assert accuracy_of([0.0, 0.0]) == 1
    assert accuracy_of([0.1]) == 0.25


def test_a_chart_has_room_for_negative_scores() -> None:
    low, high, marks = score_marks([[0, -5, 3]], 0)
    assert (low, high, len(marks)) == (-5, 3, 3)
    assert all(0 <= dot.y <= 190 for dot in draw_chart([[0, -5, 3]], low, high, marks).curves[0].dots)


# A hand to share


def test_a_picture_of_a_hand_stands_alone_and_has_its_six_cards(visitor: Visitor, known: str) -> None:
    answer = visitor.get(f"/share/{known}/1/picture.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    root = ElementTree.fromstring(answer.text)
    drawn = {found.get("id") for found in root.iter("{http://www.w3.org/2000/svg}symbol")}
    assert drawn == {f"card-{card}" for card in DEALS[0].replace("/", "").split()}
    assert "var(" not in answer.text
    assert not re.findall(r'href="[^#]', answer.text)


def test_the_page_of_a_hand_links_to_its_replay(visitor: Visitor, known: str) -> None:
    page = visitor.get(f"/share/{known}/2").text
    found = re.search(rf"/replay/{known}/(\d+)\?play=1", page)
    assert found is not None
    frames = visitor.get(f"/api/matches/{known}/replay?after={int(found[1]) - 1}").json()["frames"]
    assert (frames[0]["hand"], frames[0]["plays"]) == (1, [])


def test_a_name_in_a_picture_is_no_markup() -> None:
    hand = read({**HAND, "actions": ["envido", "nao-quero"]})
    drawn = draw_hand(hand, 0, PictureTexts("<b>", ["</text><script>", "x"], ["&"] * 30, ""))
    assert "<script>" not in drawn
    ElementTree.fromstring(drawn)


def test_a_hand_of_a_match_that_goes_on_has_no_picture(visitor: Visitor) -> None:
    match = visitor.open()
    assert visitor.get(f"/share/{match}/1").status_code == 403
    assert visitor.get(f"/share/{match}/1/picture.svg").status_code == 403


def test_a_hand_that_was_never_dealt_is_not_found(visitor: Visitor, known: str) -> None:
    assert visitor.get(f"/share/{known}/9999").status_code == 404
