"""A match over the interface: opened, answered by number, ended, looked back at."""

import json
from hashlib import sha256
from itertools import pairwise

import pytest
import serving
from fastapi.testclient import TestClient
from serving import registry_of
from visitors import Json, Visitor, first_legal, legal

from retruco.games.records import replay
from retruco.games.truco import TrucoState

client = serving.client


@pytest.fixture
def visitor(client: TestClient) -> Visitor:
    return Visitor(client)


class TestPlay:
    @pytest.mark.parametrize(
        ("level", "name"), [("juca", "Juca"), ("amaro", "Seu Amaro"), ("easy", "novice")]
    )
    def test_one_click_opens_a_match_against_a_person_or_at_a_level_of_before(
        self, visitor: Visitor, level: str, name: str
    ) -> None:
        answer = visitor.request("POST", "/play", data={"form_key": visitor.form_key, "level": level})
        assert answer.status_code == 303
        page = visitor.get(answer.headers["location"])
        assert page.status_code == 200
        assert name in page.text

    @pytest.mark.parametrize("rules", ["cbtg", "trucogame", "argentino", "argentino-sem-flor"])
    def test_a_match_goes_to_its_end_by_every_variant(self, visitor: Visitor, rules: str) -> None:
        match = visitor.open(rules=rules, target=7)
        last = visitor.play_out(match)
        assert max(last["scores"]) >= 7
        assert last["end"]["winner"] == last["scores"].index(max(last["scores"]))

    def test_every_legal_action_is_accepted_somewhere_and_carries_its_worth(self, visitor: Visitor) -> None:
        match = visitor.open(target=30, opponent="balanced")
        for _ in range(12):
            frame = visitor.now(match)
            if frame["end"]:
                break
            for one in frame["can"]["calls"]:
                assert (one["why_not"] is None) == (one["call"] in legal(frame))
                assert one["why_not"] is not None or one["accepted"] is not None
            assert visitor.act(match, frame["number"], legal(frame)[-1]).status_code == 200

    def test_a_remembering_opponent_plays_too(self, visitor: Visitor) -> None:
        visitor.finished(opponent="NPCPVS", target=6)

    def test_numbers_follow_each_other_and_hands_begin_with_their_seal(self, visitor: Visitor) -> None:
        frames = visitor.look(visitor.finished(target=8))
        assert [frame["number"] for frame in frames] == list(range(len(frames)))
        for before, frame in pairwise(frames):
            assert (frame["hand"] != before["hand"]) == (before["outcome"] is not None)
            assert (frame["seal"] != before["seal"]) == (frame["hand"] != before["hand"])

    def test_resigning_gives_the_match_to_the_other(self, visitor: Visitor) -> None:
        match = visitor.open()
        answer = visitor.post(f"/api/matches/{match}/resign", {"number": visitor.now(match)["number"]})
        assert answer.json()["frames"][-1]["end"] == {"winner": 1, "ending": "resigned"}
        assert visitor.post(f"/api/matches/{match}/resign", {"number": 0}).status_code == 409

    def test_after_a_hand_only_what_was_shown_is_told(self, visitor: Visitor) -> None:
        match = visitor.open(target=30)
        while not visitor.now(match)["hand"]:
            frame = visitor.now(match)
            visitor.act(match, frame["number"], first_legal(frame))
        hands = visitor.get(f"/api/matches/{match}/hands").json()["hands"]
        assert [hand["hand"] for hand in hands] == list(range(visitor.now(match)["hand"]))
        for hand in hands:
            assert hand["outcome"]
            assert "other_held" not in hand


class TestNumbers:
    """Double clicks, second tabs and late answers cannot act twice."""

    def test_an_answer_given_twice_counts_once(self, visitor: Visitor) -> None:
        match = visitor.open(target=30)
        frame = visitor.now(match)
        action = first_legal(frame)
        assert visitor.act(match, frame["number"], action).status_code == 200
        again = visitor.act(match, frame["number"], action)
        assert again.status_code == 409
        assert again.json()["error"] == "stale"

    @pytest.mark.parametrize("number", [0, 10_000])
    def test_a_wrong_number_changes_nothing(self, visitor: Visitor, number: int) -> None:
        match = visitor.open(target=30)
        frame = visitor.now(match)
        visitor.act(match, frame["number"], first_legal(frame))
        before = visitor.now(match)
        assert visitor.act(match, number, "truco").status_code == 409
        assert visitor.now(match) == before

    def test_what_is_not_legal_is_refused_with_a_plain_message(self, visitor: Visitor) -> None:
        match = visitor.open(target=30)
        frame = visitor.now(match)
        for action in ("vale4", "99z", "down:", "1e 7c", ""):
            answer = visitor.act(match, frame["number"], action)
            assert answer.status_code == 400
            assert answer.json()["message"]
        assert visitor.now(match) == frame


class TestStrangers:
    def test_nobody_else_sees_or_touches_a_match_going_on(self, client: TestClient, visitor: Visitor) -> None:
        match, stranger = visitor.open(target=30), Visitor(client)
        number = visitor.now(match)["number"]
        for path in ("", "/hands", "/events", "/hint", "/replay", "/export", "/why/1", "/others/1"):
            assert stranger.get(f"/api/matches/{match}{path}").status_code == 403
        assert stranger.get(f"/table/{match}").status_code == 403
        assert stranger.get(f"/replay/{match}/0").status_code == 404
        assert stranger.act(match, number, "truco").status_code == 403
        for path in ("resign", "take-back"):
            assert stranger.post(f"/api/matches/{match}/{path}", {"number": number}).status_code == 403
        assert stranger.post(f"/api/matches/{match}/again").status_code == 403
        assert visitor.now(match)["number"] == number

    def test_a_finished_match_can_be_shown_to_a_friend(self, client: TestClient, visitor: Visitor) -> None:
        match, friend = visitor.finished(), Visitor(client)
        assert friend.get(f"/replay/{match}/3").status_code == 200
        assert friend.get(f"/table/{match}").headers["location"] == f"/replay/{match}/0"
        assert friend.get(f"/api/matches/{match}/replay").status_code == 200
        assert friend.post(f"/api/matches/{match}/again").status_code == 403


class TestLookingBack:
    def test_nothing_is_told_before_the_end(self, visitor: Visitor) -> None:
        match = visitor.open(target=30)
        for path in ("replay", "export", "why/1", "others/1", "hint"):
            assert visitor.get(f"/api/matches/{match}/{path}").status_code == 403

    def test_every_agent_move_has_its_why_and_it_is_what_was_played(self, visitor: Visitor) -> None:
        match = visitor.finished(opponent="PVCMJS", target=5)
        frames = visitor.get(f"/api/matches/{match}/replay").json()["frames"]
        moves = [frame for frame in frames if frame["moved"] and frame["moved"]["seat"] == 1]
        assert moves
        for frame in moves:
            why = visitor.get(f"/api/matches/{match}/why/{frame['number']}").json()
            assert why["action"] == why["played"]
            assert why["sentence"].endswith(".")
            for asked in why["asked"]:
                assert sum(one["count"] for one in asked["actions"]) == asked["count"]
                for case in asked["cases"]:
                    assert len(case["parts"]) == len(asked["query"])
                    assert 0 <= case["similarity"] <= 1

    def test_a_persons_move_has_none(self, visitor: Visitor) -> None:
        match = visitor.finished()
        frames = visitor.get(f"/api/matches/{match}/replay").json()["frames"]
        own = next(frame for frame in frames if frame["moved"] and frame["moved"]["seat"] == 0)
        assert visitor.get(f"/api/matches/{match}/why/{own['number']}").status_code == 404
        assert visitor.get(f"/api/matches/{match}/why/0").status_code == 404
        assert visitor.get(f"/api/matches/{match}/why/99999").status_code == 404

    def test_the_twenty_say_what_they_would_have_played(self, visitor: Visitor) -> None:
        match = visitor.finished()
        answers = visitor.get(f"/api/matches/{match}/others/1").json()["answers"]
        assert len({one["agent"] for one in answers}) == 20
        assert all(one["sentence"] for one in answers)

    def test_any_seat_can_be_looked_from_and_cards_lie_beside(self, visitor: Visitor) -> None:
        match = visitor.finished()
        for seat in (0, 1):
            frames = visitor.get(f"/api/matches/{match}/replay?seat={seat}").json()["frames"]
            assert {frame["seat"] for frame in frames} == {seat}
            assert len(frames[0]["other_held"]) == 3

    def test_the_export_plays_back_and_its_seals_are_those_shown_before(self, visitor: Visitor) -> None:
        match = visitor.open(target=9)
        visitor.play_out(match)
        shown = {frame["hand"]: frame["seal"] for frame in visitor.look(match)}
        whole = json.loads(visitor.get(f"/api/matches/{match}/export").content)
        states = [replay(hand) for hand in whole["hands"]]
        assert isinstance(states[-1], TrucoState)
        assert states[-1].match_winner == whole["winner"]
        for number, (seal, hand) in enumerate(zip(whole["seals"], whole["hands"], strict=True)):
            assert seal["deal"] == " / ".join(" ".join(cards) for cards in hand["hands"])
            assert sha256(f"{seal['salt']} {seal['deal']}".encode()).hexdigest() == shown[number]


class TestAgain:
    def test_the_same_deals_come_again_with_the_seats_swapped(
        self, client: TestClient, visitor: Visitor
    ) -> None:
        match = visitor.finished(target=12)
        again = visitor.post(f"/api/matches/{match}/again").json()["match"]
        visitor.play_out(again)
        first, second = (registry_of(client).find(name) for name in (match, again))
        assert first is not None
        assert second is not None
        assert second.stored.first == first.stored.first
        assert second.stored.seat_of(first.stored.sitters[0].visitor or "") == 1
        same = min(len(first.deals), len(second.deals))
        assert [one.text for one in first.deals[:same]] == [one.text for one in second.deals[:same]]
        assert {one.seal for one in first.deals}.isdisjoint(one.seal for one in second.deals)

    def test_a_match_going_on_cannot_be_repeated(self, visitor: Visitor) -> None:
        assert visitor.post(f"/api/matches/{visitor.open()}/again").status_code == 409


class TestStatistics:
    def test_only_matches_that_count_are_counted(self, client: TestClient) -> None:
        visitor = Visitor(client)
        match = visitor.finished()
        visitor.post(f"/api/matches/{match}/again")
        visitor.open()
        practice = visitor.open(practice=True)
        won = visitor.look(match)[-1]["end"]["winner"] == 0
        mine = visitor.get("/api/me").json()
        assert (mine["played"], mine["won"]) == (1, int(won))
        assert mine["share"]["low"] <= mine["share"]["mean"] == int(won) <= mine["share"]["high"]
        assert mine["opponents"] == [{"game": "truco", "name": "random", "played": 1, "won": int(won)}]
        assert practice not in {one["match"] for one in mine["matches"]}
        assert len(mine["matches"]) == 3
        assert Visitor(client).get("/api/me").json()["matches"] == []


class TestPractice:
    def test_cards_lie_open_hints_come_from_anybody_and_the_why_at_once(self, visitor: Visitor) -> None:
        match = visitor.open(practice=True, opponent="MJS", target=30)
        frame = visitor.now(match)
        assert len(frame["other_held"]) == 3 - len([one for one in frame["plays"] if one["seat"] == 1])
        for agent in ("balanced", "NPCS", "easy"):
            hint = visitor.get(f"/api/matches/{match}/hint?agent={agent}").json()
            assert hint["action"] in legal(frame)
            assert hint["sentence"]
        theirs: list[Json] = []
        later = frame
        while not theirs:  # who sings a flor may be to act again before the other has moved
            visitor.act(match, later["number"], first_legal(later))
            later = visitor.now(match)
            theirs = [one for one in visitor.look(match) if one["moved"] and one["moved"]["seat"] == 1]
        assert visitor.get(f"/api/matches/{match}/why/{theirs[-1]['number']}").json()["sentence"]
        assert later["number"] > frame["number"]

    def test_a_move_taken_back_leads_to_the_same_position_under_a_new_number(self, visitor: Visitor) -> None:
        match = visitor.open(practice=True, target=30)
        frame = visitor.now(match)
        visitor.act(match, frame["number"], first_legal(frame))
        later = visitor.now(match)
        answer = visitor.post(f"/api/matches/{match}/take-back", {"number": later["number"]})
        back = visitor.now(match)
        assert answer.status_code == 200
        assert back["number"] > later["number"]
        assert {**back, "number": 0} == {**frame, "number": 0}
        assert visitor.act(match, later["number"], "truco").status_code == 409
        assert visitor.act(match, back["number"], first_legal(back)).status_code == 200

    def test_there_is_no_taking_back_before_the_first_move_or_in_earnest(self, visitor: Visitor) -> None:
        practice, match = visitor.open(practice=True), visitor.open()
        number = visitor.now(practice)["number"]
        refused = visitor.post(f"/api/matches/{practice}/take-back", {"number": number})
        assert (refused.status_code, refused.json()["error"]) == (409, "nothing_to_take_back")
        number = visitor.now(match)["number"]
        assert visitor.post(f"/api/matches/{match}/take-back", {"number": number}).status_code == 403

    def test_nothing_of_it_is_recorded(self, client: TestClient, visitor: Visitor) -> None:
        match = visitor.open(practice=True, target=3)
        visitor.play_out(match)
        assert registry_of(client).store.load(match) is None
        assert visitor.get(f"/replay/{match}/0").status_code == 404


class TestSenseless:
    @pytest.mark.parametrize(
        "wish",
        [
            {"opponent": "nobody"},
            {"rules": "mineiro"},
            {"target": 0},
            {"target": True},
            {"target": "24"},
            {"target": 10**9},
            {"practice": "yes"},
            {"surprise": 1},
            {"opponent": "x" * 1000},
            {"opponent": ["random"]},
        ],
        ids=str,
    )
    def test_wishes_that_make_no_sense_are_refused(self, visitor: Visitor, wish: dict[str, object]) -> None:
        answer = visitor.post("/api/matches", wish)
        assert answer.status_code in (400, 422)
        assert answer.json()["message"]

    @pytest.mark.parametrize(
        "body",
        [b"", b"{", b"[]", b"null", b'{"number": 1}', b'{"number": 1.5, "action": "truco"}', b"\xff\xfe", b'"' * 999],
    )  # fmt: skip
    def test_bodies_that_cannot_be_read_are_refused(self, visitor: Visitor, body: bytes) -> None:
        match = visitor.open()
        headers = {"X-Form-Key": visitor.form_key, "Content-Type": "application/json"}
        answer = visitor.request("POST", f"/api/matches/{match}/act", content=body, headers=headers)
        assert answer.status_code == 422
        assert answer.json()["message"]

    @pytest.mark.parametrize("target", ["0", "-1", "1001", "9" * 50, "x", "1e3", "٣"])
    def test_targets_that_make_no_sense_are_refused(self, visitor: Visitor, target: str) -> None:
        answer = visitor.request("POST", "/play", data={"form_key": visitor.form_key, "target": target})
        assert answer.status_code == 400
