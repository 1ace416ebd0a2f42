"""Hands of other programs: every format, every kind of bad input, nothing half imported."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from trucogame_tables import Line, dump_of, lines, text_of, write_all

from retruco.storage.importers import dump
from retruco.storage.importers.formats import COLUMNS_32, COLUMNS_141, COLUMNS_165
from retruco.storage.importers.importing import import_hands
from retruco.storage.importers.report import Report
from retruco.storage.importers.source import read_file
from retruco.storage.library import Library
from retruco.storage.store import Store, open_store
from retruco.vocab.truco import with_score
from retruco.vocab.truco.partial import PartialHand
from retruco.vocab.truco.partial_replay import partial_rows
from retruco.vocab.truco.rows import rows


@pytest.fixture(scope="module")
def some() -> list[Line]:
    return lines(matches=4)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "cases.db")


def hands_of(file: Path, *rich: Path) -> tuple[list[PartialHand], Report]:
    report = Report()
    found = list(report.watch(read_file(file, rich)))
    report.finish()
    return found, report


def read_text(text: str, folder: Path) -> tuple[list[PartialHand], Report]:
    file = folder / "table"
    file.write_text(text)
    return hands_of(file)


class TestFormats:
    @pytest.mark.parametrize("kind", ["165", "141", "75", "32", "dump"])
    def test_every_format_is_recognised_and_read_without_refusals(
        self, kind: str, some: list[Line], tmp_path: Path
    ) -> None:
        found, report = hands_of(write_all(tmp_path, some)[kind])
        assert len(found) == len(some)
        assert report.refused == 0
        assert [hand.number for hand in found] == [line["idMao"] for line in some]
        assert [hand.hand[0] for hand in found] == [line["cartaAltaRobo"] for line in some]

    def test_165_and_141_columns_and_the_dump_tell_the_same_hands(
        self, some: list[Line], tmp_path: Path
    ) -> None:
        files = write_all(tmp_path, some)
        assert hands_of(files["165"])[0] == hands_of(files["141"])[0] == hands_of(files["dump"])[0]

    def test_a_poor_table_is_completed_from_a_rich_one(self, some: list[Line], tmp_path: Path) -> None:
        files = write_all(tmp_path, some)
        assert hands_of(files["32"], files["141"])[0] == hands_of(files["141"])[0]

    def test_the_columns_may_stand_in_any_order(self, some: list[Line], tmp_path: Path) -> None:
        turned = read_text(text_of(some, COLUMNS_141[::-1], ","), tmp_path)[0]
        assert turned == hands_of(write_all(tmp_path, some)["141"])[0]


class TestTelling:
    def test_most_hands_are_told_completely_and_replay_to_what_was_recorded(
        self, some: list[Line], tmp_path: Path
    ) -> None:
        found, report = hands_of(write_all(tmp_path, some)["165"])
        assert report.whole > len(found) / 2
        for hand in found:
            if hand.record is not None:
                assert {row.credit for row in rows(hand.record, 0, 1)} <= set(hand.balance.values())

    def test_partial_rows_are_the_rows_of_the_whole_record(self, some: list[Line], tmp_path: Path) -> None:
        """The stand-ins ask what the real cards ask."""
        for hand in hands_of(write_all(tmp_path, some)["165"])[0]:
            if hand.record is not None:
                assert partial_rows(hand, 7) == rows(hand.record, 0, 7)

    def test_a_partial_hand_has_the_score_of_its_record(self, some: list[Line], tmp_path: Path) -> None:
        scored = set[int]()
        for hand in hands_of(write_all(tmp_path, some)["165"])[0]:
            if hand.record is not None:
                found = with_score.rows(replace(hand, record=None).as_json(), 0, 7)
                assert found == with_score.rows(hand.record, 0, 7)
                scored.update(row.problem.values[-2] for row in found)
        assert len(scored) > 5

    def test_a_partial_hand_without_scores_counts_as_played_from_nothing(
        self, some: list[Line], tmp_path: Path
    ) -> None:
        hand = hands_of(write_all(tmp_path, some)["165"])[0][-1]
        unknown = replace(hand, record=None, scores=None)
        first = with_score.rows(unknown.as_json(), 0, 7)[0]
        assert first.problem.values[-2:] == (0, 0)

    def test_a_partial_record_survives_json(self, some: list[Line], tmp_path: Path) -> None:
        for hand in hands_of(write_all(tmp_path, some)["165"])[0]:
            again = PartialHand.of(json.loads(json.dumps(hand.as_json())))
            assert again == hand
            assert rows(hand.as_json(), 0, 3) == rows(again.as_json(), 0, 3)

    def test_a_partial_hand_is_one_seats_view(self, some: list[Line], tmp_path: Path) -> None:
        hand = hands_of(write_all(tmp_path, some)["75"])[0][0]
        with pytest.raises(ValueError, match="seat 1 has no rows"):
            rows(hand.as_json(), 1, 1)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"mao": 2}, "mao must be 0 or 1"),
            ({"hand": [9, 9, 9]}, "three strength codes"),
            ({"truco": [["flor", 0, 1]]}, "unknown calls"),
            ({"luck": 1}, "does not know .'luck'."),
            ({"partial": "yes"}, "not .yes."),
        ],
    )
    def test_a_damaged_partial_record_says_what_is_wrong(
        self, change: dict[str, object], message: str, some: list[Line], tmp_path: Path
    ) -> None:
        hand = hands_of(write_all(tmp_path, some)["75"])[0][0]
        with pytest.raises(ValueError, match=message):
            PartialHand.of({**json.loads(json.dumps(hand.as_json())), **change})


class TestBadInput:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "the file is empty"),
            ("name,age\n1,2\n", "these are no Truco hands"),
            (text_of([], COLUMNS_165, ";"), "separated by semicolon: it must be tab"),
            (text_of([], COLUMNS_141[:-3], ","), "lacks clusterQuemTrucoSegundaPerdeuAnterior"),
            (text_of([], (*COLUMNS_32, "luck"), ","), "has unknown luck"),
            (text_of([], (*COLUMNS_32, "idMao"), ","), "'idMao' stands twice"),
            (
                "-- PostgreSQL database dump\nCREATE TABLE hands (a int);\nCOPY hands FROM stdin;\n",
                "it has hands",
            ),
            ("-- MySQL dump\nCREATE TABLE `maos` (`a` int);\n", "lacks .'idMao'"),
            ("x" * 1_500_000, "the first line is longer"),
        ],
    )
    def test_a_file_that_is_no_table_of_hands_is_refused_whole(
        self, text: str, message: str, tmp_path: Path, store: Store
    ) -> None:
        file = tmp_path / "file"
        file.write_text(text)
        with pytest.raises(ValueError, match=message):
            import_hands(store, file, "mine")
        assert "mine" not in Library(store).names()

    def test_a_file_that_is_not_utf8_names_the_byte(
        self, some: list[Line], tmp_path: Path, store: Store
    ) -> None:
        file = tmp_path / "latin"
        file.write_bytes(text_of(some[:2], COLUMNS_141, ",").encode() + b"1,\xe9\n")
        with pytest.raises(ValueError, match="line 4 is not UTF-8: byte 0xe9 at place 3"):
            import_hands(store, file, "mine")
        assert "mine" not in Library(store).names()

    def test_a_dump_that_ends_in_the_middle_imports_nothing(
        self, some: list[Line], tmp_path: Path, store: Store
    ) -> None:
        text = dump_of(some)
        file = tmp_path / "dump"
        for cut in (text.rindex("INSERT") + 90, text.rindex("ESPADAS") + 3):
            file.write_text(text[:cut])
            with pytest.raises(ValueError, match="ends in the middle"):
                import_hands(store, file, "mine")
            assert "mine" not in Library(store).names()

    def test_a_table_that_ends_in_the_middle_loses_its_last_row_and_says_so(
        self, some: list[Line], tmp_path: Path
    ) -> None:
        text = text_of(some, COLUMNS_165, "\t")
        found, report = read_text(text[:-40], tmp_path)
        assert len(found) == len(some) - 1
        assert report.first is not None
        assert report.kinds["bad-row"] == 1

    @pytest.mark.parametrize(
        ("change", "kind"),
        [
            ({"cartaAltaRobo": 17}, "unknown-code"),
            ({"cartaAltaRobo": None}, "no-hand"),
            ({"jogadorMao": 3}, "unknown-code"),
            ({"primeiraCartaRobo": -99}, "unknown-code"),
            ({"naipeCartaAltaRobo": "PAUS"}, "unknown-code"),
            ({"quemTruco": "me"}, "unknown-code"),
            ({"ganhadorPrimeiraRodada": 7}, "unknown-code"),
            ({"idMao": None}, "no-hand"),
        ],
    )
    def test_an_unknown_code_costs_the_row_and_is_counted(
        self, change: Line, kind: str, some: list[Line], tmp_path: Path
    ) -> None:
        found, report = read_text(text_of([{**some[0], **change}, some[1]], COLUMNS_141, ","), tmp_path)
        assert len(found) == 1
        assert report.kinds[kind] == 1

    def test_a_file_without_any_readable_hand_makes_no_base(
        self, some: list[Line], tmp_path: Path, store: Store
    ) -> None:
        file = tmp_path / "bad"
        file.write_text(text_of([{**some[0], "jogadorMao": 9}], COLUMNS_141, ","))
        with pytest.raises(
            ValueError, match=r"no hand that can be read: 1 rows refused, the first .line 2. for"
        ):
            import_hands(store, file, "mine")
        assert "mine" not in Library(store).names()

    def test_an_endless_line_is_counted_and_never_held(self, some: list[Line], tmp_path: Path) -> None:
        text = text_of(some[:1], COLUMNS_141, ",")
        found, report = read_text(text + "7" * 3_000_000 + "\n" + text.splitlines()[1] + "\n", tmp_path)
        assert len(found) == 2
        assert report.kinds["bad-row"] == 1

    def test_a_long_dump_is_read_in_pieces(self, some: list[Line], monkeypatch: pytest.MonkeyPatch) -> None:
        whole = [raw.values for raw in dump.read_dump(io.BytesIO(dump_of(some).encode()))[1]]
        monkeypatch.setattr(dump, "PIECE", 97)
        pieces = [raw.values for raw in dump.read_dump(io.BytesIO(dump_of(some).encode()))[1]]
        assert pieces == whole
        assert len(whole) == len(some)


class TestFaults:
    def kinds(self, some: Sequence[Line], folder: Path, **changes: object) -> set[str]:
        line = {**some[0], **changes}
        return set(read_text(text_of([line], COLUMNS_165, "\t"), folder)[1].kinds)  # type: ignore[list-item]

    def test_what_the_original_tables_are_known_for_is_found(self, some: list[Line], tmp_path: Path) -> None:
        assert "wrong-suit" in self.kinds(some, tmp_path, pontosEnvidoRobo=33)
        assert "unknown-card" in self.kinds(
            some, tmp_path, terceiraCartaHumano=-50, naipeTerceiraCartaHumano=None
        )
        assert "hand-winner" in self.kinds(some, tmp_path, ganhadorMao=1, quemGanhouTruco=2)
        assert "flor-flag" in self.kinds(
            some, tmp_path, quemFlor=1, naipeCartaAltaRobo="OURO", naipeCartaMediaRobo="COPAS"
        )
        assert "score-change" in self.kinds(some, tmp_path, tentosPosterioresRobo=23, tentosAnterioresRobo=0)
        assert "score-high" in self.kinds(some, tmp_path, tentosAnterioresRobo=29)
        assert "envido-uncalled" in self.kinds(
            some,
            tmp_path,
            quemPediuEnvido=0,
            quemPediuRealEnvido=0,
            quemPediuFaltaEnvido=0,
            tentosEnvido=2,
            quemGanhouEnvido=1,
        )

    def test_twins_are_counted(self, some: list[Line], tmp_path: Path) -> None:
        _, report = hands_of(write_all(tmp_path, some)["165"])
        assert report.kinds["mirrored"] == len(some)
        assert report.distinct == len(some) // 2
        assert len(report.matches) == 4

    def test_sorted_cards_of_self_play_leave_order_and_winner_unknown(
        self, some: list[Line], tmp_path: Path
    ) -> None:
        line: Line = {
            **some[0],
            "idPartida": "aprendizagem automatica",
            "quemNegouTruco": 0,
            "quemBaralho": 0,
        }
        line |= {
            "primeiraCartaHumano": 24,
            "segundaCartaHumano": 8,
            "terceiraCartaHumano": 2,
            "tentosAnterioresRobo": None,
        }
        (hand,), report = read_text(text_of([line], COLUMNS_165, "\t"), tmp_path)
        assert report.kinds["sorted-cards"] == report.kinds["truco-winner"] == 1
        assert hand.balance["truco"] is None
        assert all(row.problem.scenario.startswith(("envido", "flor")) for row in partial_rows(hand, 1))

    def test_a_truco_of_unknown_round_goes_to_no_scenario(self, some: list[Line], tmp_path: Path) -> None:
        found, report = hands_of(write_all(tmp_path, some)["32"])
        unknown = [hand for hand in found if hand.has("truco-round")]
        assert len(unknown) == report.kinds["truco-round"] > 0
        for hand in unknown:
            assert not any(row.problem.scenario.startswith("truco") for row in partial_rows(hand, 1))


class TestStore:
    @pytest.mark.slow
    def test_an_imported_base_is_opened_like_any_other(
        self, some: list[Line], tmp_path: Path, store: Store
    ) -> None:
        sink = io.StringIO()
        facts, report = import_hands(store, write_all(tmp_path, some)["165"], "mine", sink=sink)
        base = Library(store).open("mine", "truco")
        assert facts.hands == base.hands == len(some)
        assert base.cases.episodes() == len(some)
        assert "trucogame" in base.description
        *findings, last = map(json.loads, sink.getvalue().splitlines())
        assert last == report.as_json()
        assert len(findings) == sum(report.kinds.values())

    def test_a_name_that_is_taken_is_refused(self, some: list[Line], tmp_path: Path, store: Store) -> None:
        file = write_all(tmp_path, some)["141"]
        import_hands(store, file, "mine")
        with pytest.raises(ValueError, match="there is already a case base 'mine'"):
            import_hands(store, file, "mine")
        assert store.facts("mine").hands == len(some)
