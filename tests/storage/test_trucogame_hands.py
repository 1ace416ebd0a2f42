"""The published TrucoGame hands: their known faults found again, their counts reproduced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from trucogame_tables import published

from retruco.storage.importers.formats import COLUMNS_32, COLUMNS_141, COLUMNS_165
from retruco.storage.importers.lines import Raw
from retruco.storage.importers.report import Report
from retruco.storage.importers.source import open_rows, read_file
from retruco.vocab.truco.handview import APPENDIX_B, SCENARIOS, hand_view
from retruco.vocab.truco.original import labelled_numbers, original_clusters
from retruco.vocab.truco.partial import PEOPLE, PartialHand
from retruco.vocab.truco.partial_replay import partial_rows
from retruco.vocab.truco.rows import rows

pytestmark = [pytest.mark.trucogame, pytest.mark.slow]

HUMAN, MIDDLE, LARGE = "dbtrucocbr_maos.csv", "cbg_imitacao7mil_maos.csv", "imitacao27515_merged.csv"


@dataclass(frozen=True)
class Imported:
    hands: list[PartialHand]
    report: Report


def imported(file: str, *rich: str) -> Imported:
    report = Report()
    hands = list(report.watch(read_file(published(file), [published(one) for one in rich])))
    report.finish()
    return Imported(hands, report)


def raw_rows(file: str) -> list[Raw]:
    with published(file).open("rb") as stream:
        return list(open_rows(stream)[1])


@pytest.fixture(scope="module")
def human() -> Imported:
    return imported(HUMAN)


@pytest.fixture(scope="module")
def middle() -> Imported:
    return imported(MIDDLE)


@pytest.fixture(scope="module")
def large() -> Imported:
    return imported(LARGE, HUMAN, MIDDLE)


@pytest.fixture(scope="module")
def raw_human() -> list[dict[str, int]]:
    return [
        {name: value for name, value in raw.values.items() if isinstance(value, int)}
        for raw in raw_rows(HUMAN)
    ]


class TestTables:
    @pytest.mark.parametrize(
        ("file", "columns"), [(HUMAN, COLUMNS_165), (MIDDLE, COLUMNS_141), (LARGE, COLUMNS_32)]
    )
    def test_the_headings_are_those_we_know(self, file: str, columns: tuple[str, ...]) -> None:
        header = published(file).read_text().split("\n", 1)[0]
        assert tuple(header.replace("\t", ",").split(",")) == columns

    def test_every_row_is_a_hand(self, human: Imported, middle: Imported, large: Imported) -> None:
        assert [one.report.hands for one in (human, middle, large)] == [3195, 7717, 27515]
        assert [one.report.refused for one in (human, middle, large)] == [0, 0, 0]


class TestFaultsOfTheHumanHands:
    def test_mirrored_twins(self, human: Imported) -> None:
        assert human.report.kinds["mirrored"] == 3090
        assert human.report.distinct == 1650
        assert len(human.report.matches) == 147

    def test_the_suit_of_the_lowest_card_is_wrong_in_888_sides_all_of_them_early(
        self, human: Imported
    ) -> None:
        assert human.report.kinds["wrong-suit"] == 888
        assert max(hand.number for hand in human.hands if hand.has("wrong-suit")) <= 1454

    def test_accepted_envido_is_label_noise_in_fifteen_per_cent(
        self, raw_human: list[dict[str, int]]
    ) -> None:
        agree = [self.won_by_points(row) for row in raw_human if self.accepted(row)]
        assert len(agree) == 526
        assert sum(agree) / len(agree) == pytest.approx(0.85, abs=0.001)

    @staticmethod
    def accepted(row: dict[str, int]) -> bool:
        called = row["quemPediuEnvido"] or row["quemPediuRealEnvido"] or row["quemPediuFaltaEnvido"]
        return bool(called and not row["quemNegouEnvido"] and row["tentosEnvido"])

    @staticmethod
    def won_by_points(row: dict[str, int]) -> bool:
        mine, other = row["pontosEnvidoRobo"], row["pontosEnvidoHumano"]
        return row["quemGanhouEnvido"] == (row["jogadorMao"] if mine == other else 1 if mine > other else 2)

    def test_flor_flags_are_not_flors(self, raw_human: list[dict[str, int]], human: Imported) -> None:
        assert sum(row.get("quemFlor") == 1 for row in raw_human) == 570
        suits = [
            {raw.values[f"naipeCarta{slot}Robo"] for slot in ("Alta", "Media", "Baixa")}
            for raw in raw_rows(HUMAN)
        ]
        assert sum(len(one) == 1 for one in suits) == 224
        assert human.report.kinds["flor-flag"] > 350

    def test_the_winner_of_round_one_agrees_with_the_codes_in_96_5_per_cent(
        self, raw_human: list[dict[str, int]]
    ) -> None:
        agree = []
        for row in raw_human:
            mine, other = row["primeiraCartaRobo"], row["primeiraCartaHumano"]
            if mine > 0 and other > 0:
                agree.append(
                    row["ganhadorPrimeiraRodada"] == (0 if mine == other else 1 if mine > other else 2)
                )
        assert sum(agree) / len(agree) == pytest.approx(0.965, abs=0.0005)

    def test_the_winner_of_the_hand_is_contradicted_956_times(self, human: Imported) -> None:
        assert human.report.kinds["hand-winner"] == 956

    def test_scores_change_as_paid_in_86_per_cent(self, human: Imported) -> None:
        assert 1 - human.report.kinds["score-change"] / 3195 == pytest.approx(0.86, abs=0.002)

    def test_half_of_the_hands_can_be_told_completely(self, human: Imported) -> None:
        assert human.report.whole == 1562

    def test_partial_rows_are_the_rows_of_the_whole_record(self, human: Imported) -> None:
        whole = [hand for hand in human.hands if hand.record is not None]
        for hand in whole[::10]:
            assert hand.record is not None
            assert partial_rows(hand, 1) == rows(hand.record, 0, 1)

    def test_the_people_play_as_they_were_measured(self, raw_human: list[dict[str, int]]) -> None:
        def share(happened: Callable[[dict[str, int]], bool]) -> float:
            return sum(map(happened, raw_human)) / len(raw_human)

        assert share(lambda row: row["quemTruco"] > 0) == pytest.approx(0.76, abs=0.005)
        assert share(lambda row: row["quemRetruco"] > 0) == pytest.approx(0.21, abs=0.005)
        assert share(lambda row: row["quemValeQuatro"] > 0) == pytest.approx(0.064, abs=0.005)
        assert share(lambda row: row["tentosEnvido"] > 0) == pytest.approx(0.63, abs=0.005)
        assert share(lambda row: row["quemBaralho"] > 0) == pytest.approx(0.33, abs=0.005)
        assert share(lambda row: row["quemNegouTruco"] > 0) == pytest.approx(0.36, abs=0.005)


class TestTheLargeTable:
    def test_its_parts(self, large: Imported) -> None:
        people = [place for place, hand in enumerate(large.hands) if hand.source == PEOPLE]
        assert len(people) == 3185
        assert max(people) < 23189
        first, second = large.hands[:23189], large.hands[23189:]
        assert len({hand.number for hand in large.hands}) == 23358
        assert first[-1].number > second[0].number == 3197
        assert len(first) - len(people) == 20004
        assert len(second) == 4326
        assert all(hand.match == "aprendizagem automatica" for hand in second)  # completed, every one

    def test_the_other_s_three_cards_are_sorted_in_all_hands_of_self_play(
        self, large: Imported, middle: Imported
    ) -> None:
        assert large.report.kinds["sorted-cards"] == 7425
        assert middle.report.kinds["sorted-cards"] == 1202
        for hand in large.hands:
            if hand.has("sorted-cards"):
                codes = [card for card in hand.cards[1] if isinstance(card, int)]
                assert codes == sorted(codes, reverse=True)


COUNTS_3195 = (1328, 1325, 1336, 1258, 1196, 1422, 872, 1040, 757, 869, 792, 794, 831, 766, 2866, 3004)
COUNTS_7717 = (2930, 2805, 3381, 2294, 3395, 2305, 2505, 3034, 2253, 2089, 2644, 1654, 2638, 1672, 5986, 6448)


class TestHandView:
    def test_3195(self, human: Imported) -> None:
        assert hand_view(human.hands) == dict(zip(SCENARIOS, COUNTS_3195, strict=True))

    def test_7717(self, middle: Imported) -> None:
        assert hand_view(middle.hands) == dict(zip(SCENARIOS, COUNTS_7717, strict=True))

    def test_27515_is_within_six_per_cent_of_the_published_counts(self, large: Imported) -> None:
        found = hand_view(large.hands, rules_for_self_play=True)
        for scenario in SCENARIOS:
            assert found[scenario] == pytest.approx(APPENDIX_B[scenario], rel=0.06), scenario

    def test_the_labels_have_the_published_sizes(self, human: Imported) -> None:
        def sizes(scenario: str) -> list[int]:
            labels = [hand.labels[scenario] for hand in human.hands if scenario in hand.labels]
            return [labels.count(label) for label in range(1, max(labels) + 1)]

        assert sizes("card-1-lead") == [281, 171, 579, 297]
        assert sizes("card-2-follow") == [133, 37, 125, 628, 61, 190, 84]
        assert sizes("truco-3-lead") == [330, 73, 61, 163, 36, 125, 43]
        assert sizes("envido-second") == [217, 206, 208, 41, 368]


def test_the_original_clusters_are_found_again_hand_by_hand(human: Imported) -> None:
    found = original_clusters(human.hands)
    assert len(found) == 14
    for scenario, clustering in found.items():
        known = [
            (hand.labels[scenario], numbers)
            for hand in human.hands
            if scenario in hand.labels and (numbers := labelled_numbers(hand, scenario)) is not None
        ]
        again = clustering.assign(np.array([numbers for _, numbers in known], float)) + 1
        assert again.tolist() == [label for label, _ in known], scenario
