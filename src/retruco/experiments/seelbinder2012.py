"""Seelbinder (2012): cooperative agents at Euchre, every pairing of the thesis and what 31 games can show.

The thesis describes how cards are played and not how trumps are made, so all agents bid alike here,
once by the common bidding and once blindly: what was published can be held against both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, sqrt
from typing import Any, Final

from retruco.arena.distributions import binomial_pmf
from retruco.arena.duel import summed_up
from retruco.arena.page import Cell, Heading, Part, Picture, Table, Text
from retruco.arena.plots import Series, bars
from retruco.arena.sets import Score
from retruco.arena.stats import SIGNIFICANT, holm, ratio_interval, share_test
from retruco.arena.tournament import Pairing
from retruco.experiments.conclusions import (
    ALIKE,
    CONFIDENCE,
    CONFIRMED,
    CONTRADICTED,
    MANY,
    POWER,
    UNLIKE,
    count_chance,
    count_interval,
)
from retruco.experiments.contest import Contest
from retruco.experiments.euchre_ablations import (
    MEETINGS,
    SAID,
    ablation_contests,
    ablation_parts,
    ablation_results,
    contest_of,
    rate_of,
)
from retruco.experiments.published_experiment import PublishedExperiment
from retruco.experiments.report_sections import TINTS, Row
from retruco.experiments.study import Found, Results, Stage, Study, Work
from retruco.games.euchre import Euchre

GAMES: Final[int] = SAID["plan"]["games"]
EUCHRE: Final = Euchre.named("seelbinder2012")
BEYOND: Final = (
    ("MDP+", "MDP"),
    ("MDP3", "MDP"),
    ("UF", "ratliff"),
    ("UF.5", "ratliff"),
    ("UF.5@tricks", "UF.5"),
)
"""Meetings that were not published: the mended MDP, three bands, a reference with known rules, a better bidding."""
COMMON, BLIND = "common", "blind"
PAIRS, BLIND_PAIRS = 2000, 250
CORNERS: Final = ("RANDOM", "HIGH", "LOW", "HIGH!", "MDP", "UF")
"""Whom figures 5.1 to 5.3 set UF and UF.5 against."""


def contest(study: Study, bidding: str) -> Contest:
    """Every meeting over the same deals, with one bidding for all."""
    some = [*MEETINGS, *BEYOND] if bidding == COMMON else list(MEETINGS)
    if bidding == BLIND:
        some = [(_blindly(a), _blindly(b)) for a, b in some]
    pairs = study.size(PAIRS if bidding == COMMON else BLIND_PAIRS, GAMES)
    return contest_of(bidding, EUCHRE, some, pairs, study.seed)


def _blindly(team: str) -> str:
    """The same team, bidding blindly."""
    return "/".join(f"{member}@blind" for member in team.split("/"))


def works(study: Study, found: Found) -> Sequence[Work]:
    """Both biddings, and one thing changed at a time."""
    return [contest(study, COMMON), contest(study, BLIND), *ablation_contests(study)]


# Results


def meeting_result(a: str, b: str, sets: Sequence[Score]) -> dict[str, Any]:
    """What one meeting showed; units are duplicate pairs of games."""
    duel = summed_up(EUCHRE, (a, b), 0, sets, 0.0)
    once = sets[:GAMES]
    return {
        "a": a,
        "b": b,
        "pairs": len(sets),
        "win_rate": duel.win_rate,
        "win_rate_ci95": duel.win_rate_ci95,
        "p": share_test([one.share for one in sets]),
        "points": [_mean(sets, side) for side in (0, 1)],
        "points_ci95": [_mean_interval(sets, side) for side in (0, 1)],
        "point_share": _share([[gains[0] for gains in one.gains] for one in sets], [[sum(gains) for gains in one.gains] for one in sets]),
        "trick_share": _share(
            [[one.counts[0].get("tricks", 0)] for one in sets],
            [[one.counts[0].get("tricks", 0) + one.counts[1].get("tricks", 0)] for one in sets],
        ),
        "hands_a_game": duel.hands / duel.matches,
        "euchred": sum(one.get("euchred", 0) for one in duel.counts) / max(1, duel.hands),
        "once": {
            "games": [sum(one.winners[0] == side for one in once) for side in (0, 1)],
            "points": [sum(one.gains[0][side] for one in once) / len(once) for side in (0, 1)],
        },
    }  # fmt: skip


def _mean(sets: Sequence[Score], side: int) -> float:
    return sum(gains[side] for one in sets for gains in one.gains) / (2 * len(sets))


def _mean_interval(sets: Sequence[Score], side: int) -> tuple[float, float]:
    tops = [float(sum(gains[side] for gains in one.gains)) for one in sets]
    return ratio_interval(tops, [2.0] * len(sets), (0.0, 2.0 * EUCHRE.goal))[1]


def _share(tops: Sequence[Sequence[int]], bottoms: Sequence[Sequence[int]]) -> dict[str, Any]:
    share, interval = ratio_interval(list(map(sum, tops)), list(map(sum, bottoms)), (0.0, 1.0))
    return {"share": share, "ci95": interval}


def meetings_of(work: Contest, scores: Mapping[Pairing, Sequence[Score]]) -> list[dict[str, Any]]:
    """Every meeting, with its test corrected for all of them together."""
    rows = [
        meeting_result(_plainly(work.names[a]), _plainly(work.names[b]), sets)
        for (a, b), sets in scores.items()
    ]
    for row, chance in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row["p_holm"] = chance
    return rows


def _plainly(team: str) -> str:
    return team.replace("@blind", "")


def power_of_31(rate: float) -> float:
    """How likely 31 games come out beyond chance for a team that wins such a share of them.

    >>> round(power_of_31(0.5), 3), round(power_of_31(0.9), 3)
    (0.029, 0.999)
    """
    beyond = [wins for wins in range(GAMES + 1) if count_chance(wins, GAMES) < SIGNIFICANT]
    return sum(binomial_pmf(wins, GAMES, rate) for wins in beyond)


def games_needed(rate: float) -> int:
    """How many games show in four of five runs that a team wins such a share of them.

    >>> games_needed(0.6), games_needed(0.5)
    (194, 1000000)
    """
    if rate == 0.5:
        return MANY
    spread = CONFIDENCE * 0.5 + POWER * sqrt(rate * (1 - rate))
    return min(MANY, ceil((spread / (rate - 0.5)) ** 2))


def judged(said: Row, common: Row, blind: Row) -> dict[str, Any]:
    """Hold one published result against ours."""
    won, lost = said["games"]
    ahead = won > lost
    return {
        "a": said["a"],
        "b": said["b"],
        "where": said["where"],
        "published": {
            "games": said["games"],
            "points": said["points"],
            "rate": won / GAMES,
            "ci95": count_interval(won, GAMES),
            "p": count_chance(won, GAMES),
        },
        "verdict": verdict_of(ahead, common),
        "blind_verdict": verdict_of(ahead, blind),
        "power_of_31": power_of_31(common["win_rate"]),
        "games_needed": games_needed(common["win_rate"]),
    }


def verdict_of(ahead: bool, ours: Row) -> str:
    """Say whether the team that was ahead in the thesis is ahead in ours, and beyond chance."""
    same = (ours["win_rate"] > 0.5) == ahead
    if ours["p_holm"] < SIGNIFICANT:
        return CONFIRMED if same else CONTRADICTED
    return ALIKE if same else UNLIKE


def totals(rows: Sequence[Row]) -> dict[str, float]:
    """What a game is like: hands, points a hand, how often makers are euchred."""
    hands = sum(row["hands_a_game"] for row in rows) / len(rows)
    points = sum(sum(row["points"]) for row in rows) / len(rows)
    return {
        "hands_a_game": hands,
        "points_a_hand": points / hands,
        "euchred": sum(row["euchred"] for row in rows) / len(rows),
    }


def published_totals() -> dict[str, float]:
    """The same as far as the thesis tells it: points of both sides, and tricks by the hundred."""
    hands = SAID["tricks"]["in_31_games"] / 5 / GAMES
    points = sum(sum(one["points"]) for one in SAID["meetings"]) / len(SAID["meetings"])
    return {"hands_a_game": hands, "points_a_hand": points / hands}


class Seelbinder2012(PublishedExperiment):
    """The experiment."""

    name = "seelbinder2012"
    title = "Cooperative agents at Euchre"
    paper = SAID["paper"]
    game = EUCHRE
    needs_cases = False
    stages = (Stage("every pairing, by two biddings", works, 500, 12),)

    def results(self, study: Study, found: Found) -> dict[str, Any]:
        """Every meeting by both biddings, held against the published ones."""
        common = meetings_of(contest(study, COMMON), found[COMMON])
        blind = meetings_of(contest(study, BLIND), found[BLIND])
        both = zip(SAID["meetings"], common, blind, strict=False)
        usual = list(found[COMMON].values())[: len(MEETINGS)]
        return {
            "common": common,
            "blind": blind,
            "judged": [judged(*three) for three in both],
            "ablations": ablation_results(study, found, usual, meeting_result, verdict_of),
            "totals": {
                "published": published_totals(),
                COMMON: totals(common[: len(MEETINGS)]),
                BLIND: totals(blind),
            },
        }

    def about(self, results: Results) -> str:
        """What was played."""
        return (
            f"seven ways to play cards, alone and in mixed teams. Published: {GAMES} games a pairing. "
            f"Ours: {results['common'][0]['pairs']:,} duplicate pairs of games a pairing, the same deals for both teams."
        )

    def parts(self, results: Results) -> list[Part]:
        """The report."""
        return [
            *_concluded(results),
            *_pairings(results),
            *ablation_parts(results["ablations"]),
            *_shares(results),
            *_small_samples(results),
            *_bidding(results),
            *_beyond(results),
        ]

    def settings(self, results: Results) -> dict[str, str]:
        """How many games were played."""
        return {
            "pairs": f"{results['common'][0]['pairs']:,} duplicate pairs by the common bidding, "
            f"{results['blind'][0]['pairs']:,} blindly, of two games each",
            "31 games": "the first 31 deals of each pairing, played once",
        }


# The report


def _concluded(results: Results) -> list[Part]:
    verdicts = [one["verdict"] for one in results["judged"]]
    blind = [one["blind_verdict"] for one in results["judged"]]
    noise = sum(one["published"]["p"] >= SIGNIFICANT for one in results["judged"])
    against = [one for one in results["judged"] if one["verdict"] == CONTRADICTED]
    contradicted = "; ".join(f"{one['a']} v {one['b']}" for one in against)
    still_open = len(verdicts) - verdicts.count(CONFIRMED) - verdicts.count(CONTRADICTED)
    return [
        Heading("What can be concluded"),
        Text(
            f"Of {len(verdicts)} published pairings ours confirms who is ahead in {verdicts.count(CONFIRMED)} and "
            f"contradicts it in {verdicts.count(CONTRADICTED)}{f' ({contradicted})' if contradicted else ''}; even all our games leave "
            f"{still_open} open. With blind bidding it is {blind.count(CONFIRMED)} confirmed and "
            f"{blind.count(CONTRADICTED)} contradicted. {noise} of the {len(verdicts)} published results lie within what a coin does in {GAMES} tosses."
        ),
    ]  # fmt: skip


def _points(pair: Sequence[float]) -> str:
    return f"{pair[0]:.2f} - {pair[1]:.2f}"


def _games(pair: Sequence[int]) -> str:
    return f"{pair[0]}-{pair[1]}"


def _pairings(results: Results) -> list[Part]:
    head = [
        "", "published: points", "games", "31 games of ours: points", "games", "ours: points", "games won, %", "verdict",
    ]  # fmt: skip
    rows: list[list[Cell | str]] = []
    for judged, ours in zip(results["judged"], results["common"], strict=False):
        said, once = judged["published"], ours["once"]
        rows.append(
            [
                f"{judged['a']} v {judged['b']}",
                _points(said["points"]),
                _games(said["games"]),
                _points(once["points"]),
                _games(once["games"]),
                _points(ours["points"]),
                Cell(rate_of(ours), 2 * ours["win_rate"] - 1),
                Cell(judged["verdict"], TINTS[judged["verdict"]]),
            ]
        )
    return [
        Heading("Every pairing (figures 4.1 to 4.26)"),
        Text(
            "Average points of a game and games won, left team first, with 95 % intervals over duplicate pairs. A verdict says whether the "
            "team that was ahead in the thesis is ahead in ours: confirmed or contradicted where chance alone would show ours in less than "
            "5 % of runs, all pairings together (Holm)."
        ),
        Table(head, rows),
        _picture(results),
    ]


def _picture(results: Results) -> Picture:
    names = [f"{one['a']} v {one['b']}" for one in results["judged"]]
    ours = results["common"][: len(names)]
    drawn = bars(
        names,
        [
            Series("ours", [row["win_rate"] for row in ours], [row["win_rate_ci95"] for row in ours]),
            Series(
                f"published, {GAMES} games",
                [one["published"]["rate"] for one in results["judged"]],
                [one["published"]["ci95"] for one in results["judged"]],
            ),
        ],
        "share of games won by the first team, with 95 % intervals",
        0.5,
        percent=True,
    )
    return Picture(
        "games", drawn, "Share of games won in every pairing: ours beside what was published.", 640
    )


def _shares(results: Results) -> list[Part]:
    """Figures 5.1 to 5.3: tricks, games and points of UF and UF.5 against the others."""
    rows = {(row["a"], row["b"]): row for row in results["common"]}
    said = {(one["a"], one["b"]): one["published"] for one in results["judged"]}
    table = []
    for agent in ("UF", "UF.5"):
        for other in CORNERS:
            row = rows.get((agent, other))
            if row is None:
                continue
            published = said[agent, other]
            points = published["points"][0] / sum(published["points"])
            table.append(
                [
                    f"{agent} v {other}",
                    _interval(row["trick_share"]),
                    f"{100 * published['rate']:.1f}",
                    rate_of(row),
                    f"{100 * points:.1f}",
                    _interval(row["point_share"]),
                ]
            )
    parts: list[Part] = [
        Heading("Tricks, games and points of UF and UF.5 (figures 5.1 to 5.3)"),
        Text(
            "Shares in per cent. The published shares of games and points follow from the tables of chapter 4; those of tricks are drawn "
            "in figure 5.1 without numbers (told: UF.5 always above a half, about five points above UF)."
        ),
        Table(
            ["", "tricks, ours", "games, published", "games, ours", "points, published", "points, ours"],
            table,
        ),
    ]
    for name, key, title in (
        ("tricks", "trick_share", "tricks taken"),
        ("points", "point_share", "points made"),
    ):
        series = [
            Series(
                agent,
                [_value(rows.get((agent, other)), key) for other in CORNERS],
                [_ends(rows.get((agent, other)), key) for other in CORNERS],
            )
            for agent in ("UF", "UF.5")
        ]
        drawn = bars(
            [f"v {other}" for other in CORNERS],
            series,
            f"share of {title}, with 95 % intervals",
            0.5,
            percent=True,
        )
        parts.append(Picture(name, drawn, f"Share of {title} by UF and UF.5 against the others, ours.", 600))
    return parts


def _value(row: Row | None, key: str) -> float | None:
    return row[key]["share"] if row else None


def _ends(row: Row | None, key: str) -> tuple[float, float] | None:
    return (row[key]["ci95"][0], row[key]["ci95"][1]) if row else None


def _interval(share: Row) -> str:
    low, high = share["ci95"]
    return f"{100 * share['share']:.1f} ({100 * low:.1f}-{100 * high:.1f})"


def _small_samples(results: Results) -> list[Part]:
    rows: list[list[Cell | str]] = []
    for judged, ours in zip(results["judged"], results["common"], strict=False):
        said = judged["published"]
        low, high = said["ci95"]
        chance = f"{said['p']:.3f}" if said["p"] >= 0.001 else "< 0.001"
        needed = (
            f"{judged['games_needed']:,}" if judged["games_needed"] < MANY / 10 else "more than anybody plays"
        )
        rows.append(
            [
                f"{judged['a']} v {judged['b']}",
                _games(said["games"]),
                f"{100 * low:.0f}-{100 * high:.0f}",
                Cell(chance, 0.4 if said["p"] < SIGNIFICANT else -0.4),
                f"{100 * ours['win_rate']:.1f}",
                f"{100 * judged['power_of_31']:.0f}",
                needed,
            ]
        )
    least = next(wins for wins in range(GAMES // 2, GAMES) if count_chance(wins, GAMES) < SIGNIFICANT)
    significant = sum(one["published"]["p"] < SIGNIFICANT for one in results["judged"])
    return [
        Heading(f"What {GAMES} games can show, and what they cannot"),
        Text(
            f"A fair coin wins 10 to 21 of {GAMES} tosses in 19 of 20 runs, so only {least} wins or more stand out: {significant} of the "
            f"{len(rows)} published results do. The last columns go by our win rates: how often {GAMES} games of such teams would stand "
            "out, and how many games would do so in four of five runs."
        ),
        Table(
            [
                "",
                "published",
                "95 % of the share, %",
                "chance alone",
                "ours, %",
                f"{GAMES} games show it, % of runs",
                "games needed",
            ],
            rows,
        ),
    ]


def _bidding(results: Results) -> list[Part]:
    three = zip(results["judged"], results["common"], results["blind"], strict=False)
    both: list[list[Cell | str]] = [
        [
            f"{judged['a']} v {judged['b']}",
            _games(judged["published"]["games"]),
            Cell(rate_of(common), 2 * common["win_rate"] - 1),
            Cell(rate_of(blind), 2 * blind["win_rate"] - 1),
            Cell(judged["blind_verdict"], TINTS[judged["blind_verdict"]]),
        ]
        for judged, common, blind in three
    ]
    rows = []
    for name, total in results["totals"].items():
        euchred = f"{100 * total['euchred']:.0f}" if "euchred" in total else "not told"
        rows.append([name, f"{total['hands_a_game']:.1f}", f"{total['points_a_hand']:.2f}", euchred])
    return [
        Heading("What the published totals tell of the bidding"),
        Text(
            "The thesis does not say how trumps are made. Its totals do, in part: about 1,500 tricks in 31 games and the average points of "
            "both teams give the hands of a game and the points of a hand. A hand is worth more than about one and a half points only "
            "where makers are often euchred, that is where trumps are made on poor hands."
        ),
        Table(["", "hands a game", "points a hand, both teams", "makers euchred, %"], rows),
        Text(
            f"So every pairing was also played with blind bidding, {results['blind'][0]['pairs']:,} duplicate pairs each: every seat "
            "draws what it says. What the agents are worth shows less where the cards decide less."
        ),
        Table(["", "published", "ours, common bidding, %", "ours, blind bidding, %", "verdict, blind"], both),
    ]


def _beyond(results: Results) -> list[Part]:
    rows: list[list[Cell | str]] = [
        [
            f"{row['a']} v {row['b']}",
            _points(row["points"]),
            Cell(rate_of(row), 2 * row["win_rate"] - 1),
            _interval(row["trick_share"]),
        ]
        for row in results["common"][len(MEETINGS) :]
    ]
    programs = [
        [
            f"{program['a']} v {program['b']}",
            program["where"],
            _points(program["points"]),
            _games(program["games"]),
        ]
        for program in SAID["programs"]
    ]
    return [
        Heading("Beyond the thesis"),
        Text(
            "MDP+ leaves a card on the table counted until its trick ends, the flaw that the thesis names in MDP. MDP3 has three bands, as "
            "section 6.1 proposes: between a quarter and a half it plays as HIGH!. ratliff plays cards by the "
            "rules of Bid Euchre as far as they carry over to this game; it is not the program that the thesis met. @tricks counts tricks to bid."
        ),
        Table(["", "points", "games won, %", "tricks, %"], rows),
        Text("Published against other programs, which cannot be played here:"),
        Table(["", "where", "points", "games"], programs),
    ]


EXPERIMENT = Seelbinder2012()
