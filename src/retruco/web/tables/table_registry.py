"""The table registry: opens matches of every game, finds them again, and lets agents take their turns."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from retruco.games.core import Game, Seat
from retruco.web.account.consent_recorder import ConsentRecorder
from retruco.web.account.hand_archive import TAUGHT, HandArchive
from retruco.web.bots.bot_tokens import Tokens
from retruco.web.core.admin_key import AdminKey
from retruco.web.core.identity import new_name
from retruco.web.core.settings import Settings
from retruco.web.core.store import (
    USUAL_TERMS,
    Ending,
    Kind,
    MatchTerms,
    Sitter,
    Store,
    StoredMatch,
)
from retruco.web.core.workers import Workers
from retruco.web.lab.jobs import Jobs
from retruco.web.lab.questionnaire import Opinions, Results
from retruco.web.lab.study import STUDY, StudyMatches
from retruco.web.people.clocks import Clocks
from retruco.web.people.invitations import Invitations
from retruco.web.people.lobby import Lobby
from retruco.web.people.presence import Presence
from retruco.web.people.profiles import People
from retruco.web.people.spectators import Spectators
from retruco.web.tables.agent_cache import AgentCache
from retruco.web.tables.draws import Draws
from retruco.web.tables.fairness import HONEST, Dealer, Draw, SealedDeal, Share, draw_of, salted_again
from retruco.web.tables.live_table import LiveTable
from retruco.web.tables.match_notifier import MatchNotifier
from retruco.web.tables.reservations import Reservations
from retruco.web.tables.stored_table import MatchOver, Stale, TableCache
from retruco.web.tables.table_view import games_with_views, view_class

if TYPE_CHECKING:
    from retruco.storage.library import Base
    from retruco.web.school.teaching import School

log = logging.getLogger("retruco.web")

A_DAY = 86_400


class TableRegistry:
    """Every match of this server; in memory while somebody plays, in the store always."""

    def __init__(self, settings: Settings, agents: AgentCache, dealer: Dealer = HONEST) -> None:
        self.settings, self.agents, self._dealer = settings, agents, dealer
        self.store = Store(settings.store)
        self.form_secret = self.store.secret()
        self.store.delete_practice(before=time.time() - A_DAY)
        limits = settings.limits
        self.notifier = MatchNotifier(limits.streams, limits.streams_per_visitor, limits.streams_per_address)
        self.bot_notifier = MatchNotifier(
            limits.bot_polls, limits.streams_per_visitor, limits.bot_polls_per_address
        )
        self.spectators = Spectators(limits)
        self.workers = Workers(limits.builders, limits.builds_waiting)
        self.people = People(self.store)
        self.tokens = Tokens(self.store, limits.bot_days, limits.bots_per_address)
        self.reservations = Reservations(limits.open_matches, self._going_on)
        self.archive = HandArchive(self.store, settings.case_file, self._bases_changed)
        self.recorder = ConsentRecorder(self.store, self.people, self.archive)
        self.admin_key = AdminKey(self.store)
        self.jobs = Jobs(self.store, settings.job_folder, settings.case_file)
        self._bases: OrderedDict[str, Base] = OrderedDict()
        self.opinions, self.results = Opinions(self.store), Results(self.store)
        self.study_matches = StudyMatches(self.store)
        self.invitations = Invitations(self.store)
        self.lobby, self.presence, self.draws = Lobby(), Presence(), Draws()
        self._tables: TableCache[LiveTable] = TableCache(limits.live_matches, limits.live_bytes)
        self._clocks = Clocks()
        for match, seconds in self.store.rows(
            "SELECT id, clock FROM match WHERE kind = 'bots' AND ended IS NULL"
        ):
            self._clocks.set(match, time.monotonic() + seconds)  # a restart costs nobody their time
        self._thinking: set[str] = set()
        self._lock = Lock()
        self._thinkers = ThreadPoolExecutor(settings.thinkers, "thinking")
        self.closing = False

    def hang_up(self) -> None:
        """End the streams of everybody who listens; they will call again."""
        self.closing = True
        self.notifier.notify_all()
        self.bot_notifier.notify_all()
        self.spectators.notify_all()

    def close(self) -> None:
        """Let the last decisions finish and close the store."""
        self.hang_up()
        self._thinkers.shutdown(wait=True, cancel_futures=True)
        self.workers.close()
        self.spectators.close()
        self.recorder.close()
        self.jobs.close()
        self.store.close()

    def catch_up(self) -> None:
        """Keep the hands that a crash left over."""
        for stored in self.recorder.find_missed():
            self.recorder.catch_up(self._revive(stored))

    @cached_property
    def school(self) -> School:
        """Where agents are taught; made when somebody first teaches."""
        from retruco.web.school.teaching import School  # slow to import, and most only play

        return School(self.store, self.archive, self.agents.cases_for, self.settings.case_file)

    def bases(self) -> tuple[str, ...]:
        """Name the case bases of Truco, the embedded one too if it has not been made yet.

        What somebody has taught is theirs alone, and not among them.
        """
        from retruco.storage.reading import EMBEDDED
        from retruco.storage.store import open_store

        with open_store(self.settings.case_file) as store, store.reading() as reader:
            names = {base.name for base in reader.bases() if base.game == "truco"}
        taught = TAUGHT.format(visitor="")
        return tuple(sorted({EMBEDDED, *(name for name in names if not name.startswith(taught))}))

    def base(self, name: str) -> Base | None:
        """Open a case base to look into; it is opened again when it has changed."""
        from retruco.learning.case_bases import library_of
        from retruco.storage.store import open_store

        if name not in self.bases():
            return None
        with open_store(self.settings.case_file) as store:
            library = library_of(store)
            facts = library.info(name)
            known = self._bases.pop(name, None)
            if known is None or known.facts.digest != facts.digest:
                known = library.open(name, "truco")
            self._bases[name] = known
            while len(self._bases) > 3:
                self._bases.popitem(last=False)
            return known

    def forget_pupil(self, visitor: str) -> None:
        """Let a pupil be made anew, from what is left of what it was shown."""
        if "school" in self.__dict__:
            self.school.dismiss(visitor)

    def delete_hands(self, visitor: str, names: set[str]) -> int:
        """Delete those of a visitor's kept hands that are named; count them."""
        mine = [one for one in self.archive.of(visitor) if one.id in names]
        gone = self.recorder.in_turn(lambda: self.archive.delete(mine))
        self.forget_pupil(visitor)
        return gone

    def forget(self, visitor: str) -> None:
        """Forget everything about a visitor; who plays with them is told that the match is over."""
        shared = self.recorder.in_turn(lambda: self.archive.forget(visitor))
        self.results.note_change()
        self.people.forget(visitor)
        self.forget_pupil(visitor)
        self._tables.let_go(visitor)
        for live in self._tables.all():
            live.broken = live.broken or (live.is_practice and live.stored.origin in shared)
        for match in shared:
            self.notify(match)

    def _bases_changed(self, names: list[str]) -> None:
        """Let agents be made anew whose cases have changed, so that none remembers what is gone."""
        from retruco.learning.case_bases import close_bases

        if close_bases(names):
            self.agents.dismiss()

    # Opening and finding

    def _going_on(self, visitors: Collection[str]) -> int:
        """Count the matches that visitors have together: going on, offered, or waited for."""
        waiting = self.invitations.count(*visitors) + self.lobby.count(*visitors)
        return self.store.open_matches(*visitors) + waiting

    def open(
        self,
        game: Game,
        sitters: tuple[Sitter, ...],
        kind: Kind = "match",
        clock: float | None = None,
        name: str | None = None,
        shares: tuple[Share, ...] = (),
        terms: MatchTerms = USUAL_TERMS,
    ) -> LiveTable:
        """Open a match for those who sit there; `name` is what the match was called before it began."""
        draw = draw_of(shares)
        first, deal = self._dealer.first(game.seats, draw), self._dealer.deal(game, draw, 0)
        return self._open(game, sitters, first, kind, deal, draw, None, clock, name, terms)

    def open_again(self, before: LiveTable, visitor: str) -> LiveTable:
        """Play the deals of a finished match once more, with the seats swapped."""
        stored = before.stored
        sitters = (stored.sitters[1], stored.sitters[0])
        if not any(one.visitor == visitor for one in sitters):
            raise PermissionError("only who played a match can play its deals again")
        deal = salted_again(stored.deals[0]) if stored.deals else salted_again(before.deals[0])
        return self._open(before.game, sitters, stored.first, "again", deal, draw_of(()), before.id)

    def open_from(self, before: LiveTable, place: int, visitor: str, stand_in: str) -> LiveTable:
        """Let a visitor play on in open practice from a position of a finished match, in the seat that is to act there.

        The cards of the hand are as they were; the next hands are dealt anew. A stand-in plays for a person who sat in
        another seat. A visitor has one such practice at a time.
        """
        position, seat = before.positions[place], before.positions[place].state.to_act
        ends = before.table.hands[: position.hand]
        others = (Sitter(agent=sitter.agent or stand_in) for sitter in before.stored.sitters)
        sitters = (Sitter(visitor=visitor) if at == seat else other for at, other in enumerate(others))
        self._end_practice_from(visitor)
        stored = replace(
            before.stored, id=new_name(), kind="practice", sitters=tuple(sitters), started=time.time(),
            origin=before.id, skipped=0, end=None, clock=None, shares=(), skills=(), watch_seats=frozenset(),
            deals=tuple(salted_again(deal) for deal in before.deals[: position.hand + 1]),
            actions=(*(end.state.actions for end in ends), position.state.actions),
        )  # fmt: skip
        self.store.add(stored)
        return self._tables.keep(self._revive(stored))

    def _end_practice_from(self, visitor: str) -> None:
        """Forget the practice that a visitor has begun from a review."""
        query = (
            "SELECT id FROM match JOIN seat ON match = id "
            "WHERE kind = 'practice' AND origin IS NOT NULL AND visitor = ?"
        )
        for (match,) in self.store.rows(query, visitor):
            self.store.delete(match)
            live = self._tables.find(match)
            if live is not None:
                live.broken = True
            self.notify(match)

    def _open(
        self,
        game: Game,
        sitters: tuple[Sitter, ...],
        first: Seat,
        kind: Kind,
        deal: SealedDeal,
        draw: Draw,
        origin: str | None = None,
        clock: float | None = None,
        name: str | None = None,
        terms: MatchTerms = USUAL_TERMS,
    ) -> LiveTable:
        name, seed = name or new_name(), self._dealer.seed(draw)
        stored = StoredMatch(
            name, game.rules_name, game.goal, first, seed, kind, sitters, time.time(), origin
        )
        stored = replace(
            stored, deals=(deal,), actions=((),), clock=clock, shares=draw.shares, game=game.name,
            skills=terms.skills, watch_seats=terms.watch_seats,
        )  # fmt: skip
        self.store.add(stored)
        live = self._tables.keep(self._revive(stored))
        self._time(live)
        return live

    def find_in_memory(self, match: str) -> LiveTable | None:
        """Find a match that is in memory."""
        return self._tables.find(match)

    def find(self, match: str) -> LiveTable | None:
        """Find a match, in memory or in the store."""
        live = self.find_in_memory(match)
        if live is not None:
            return live
        stored = self.store.load(match)
        if stored is None or not stored.deals or stored.game not in games_with_views():
            return None
        return self._tables.keep(self._revive(stored))

    def is_emptied(self, match: str) -> bool:
        """Whether only the result of a match is left, since a person who played it was forgotten."""
        query = "SELECT 1 FROM match WHERE id = ? AND id NOT IN (SELECT match FROM hand)"
        return bool(self.store.rows(query, match))

    def _revive(self, stored: StoredMatch) -> LiveTable:
        """Set a stored match on a table; one that plays the deals of another takes them from there."""
        deals_of = self.store.load(stored.origin) if stored.origin and stored.kind == "again" else None
        live = LiveTable(stored, self.store, deals_of, self._dealer)
        deadline = self._clocks.deadline(stored.id)
        if deadline is not None and stored.clock is not None:
            live.since = deadline - stored.clock  # its clock has gone on while it was not in memory
        return live

    # Turns

    def look_at_clocks(self) -> None:
        """End the matches whose bot has let its time run out, in memory or not; people are waited for until somebody claims."""
        self._tables.trim()
        for match in self._clocks.run_out():
            live = self.find(match)
            if live is None:
                self._clocks.stop(match)
            elif live.agent_to_act() is not None:
                self.wake(live)
            elif live.seconds_left == 0.0:
                self.forfeit(live, live.to_act, "late")

    def _time(self, live: LiveTable) -> None:
        """Set the clock of a bots' match by how it stands."""
        if live.stored.kind != "bots" or live.stored.clock is None:
            return
        if live.end is not None:
            self._clocks.stop(live.id)
        else:
            self._clocks.set(live.id, live.since + live.stored.clock)

    def forfeit(self, live: LiveTable, seat: Seat | None, ending: Ending) -> None:
        """Give a match to the other seat, unless it is over meanwhile."""
        try:
            if seat is not None:
                live.give_up(seat, None, ending)
        except MatchOver:
            return
        self.publish_progress(live)

    def publish_progress(self, live: LiveTable) -> None:
        """Tell everybody that a match has gone on, and let an agent think if it is its turn."""
        self._time(live)
        self._look(live)
        self.notify(live.id)
        self.wake(live)

    def _look(self, live: LiveTable) -> None:
        """Keep what a finished hand has brought, for who agreed or teaches."""
        if STUDY.agent_in(live.stored) is not None:
            self.results.note_change()
        if live.stored.kind != "lesson":
            return self.recorder.look(live)
        with live.lock:
            first, live.looked_at = live.looked_at, len(live.table.hands)
            for hand in range(first, live.looked_at):
                self.school.hand_over(live, hand)
        return None

    def notify(self, match: str) -> None:
        """Wake everybody who waits for a match, or for its beginning; those who only watch last."""
        self.notifier.notify(match)
        self.bot_notifier.notify(match)
        self.spectators.notify(match)

    def wake(self, live: LiveTable) -> None:
        """Let the agent whose turn it is think, unless it does already."""
        with self._lock:
            if self.closing or live.broken or live.id in self._thinking:
                return
            if live.agent_to_act() is None or live.question:
                return
            if self.preparing(live) is not None:
                return  # it is woken when its cases are ready
            self._thinking.add(live.id)
            self._thinkers.submit(self._think, live)

    def preparing(self, live: LiveTable) -> float | None:
        """How many seconds the agent whose turn it is still waits for its cases; none if it can play."""
        name = live.agent_to_act()
        return None if name is None else self.agents.seconds_until_ready(live.game.name, name)

    def wake_all(self) -> None:
        """Let every agent think that has waited for its cases."""
        for live in self._tables.all():
            self.notify(live.id)
            self.wake(live)

    def _think(self, live: LiveTable) -> None:
        """One decision of an agent; the next one queues behind those of other tables."""
        try:
            self._decide(live)
        except Stale:
            pass  # a move was taken back meanwhile: the question is no longer asked
        except MatchOver:
            pass  # the person gave up meanwhile
        except sqlite3.Error:
            log.exception("a decision could not be stored; it is asked for again when somebody looks")
            return
        except Exception:
            log.exception("an agent failed in a match; the match goes to the other seat")
            self._give_up(live)
        finally:
            with self._lock:
                self._thinking.discard(live.id)
        if not live.broken:  # else the store knows more, and is read when somebody looks
            self.publish_progress(live)

    def _decide(self, live: LiveTable) -> None:
        with live.lock:
            seat, name = live.to_act, live.agent_to_act()
            number, place = live.last_number, len(live.positions) - 1
        if seat is None or name is None:
            return
        if live.stored.sitters[seat].is_pupil:
            decision = None if live.question else self.school.decide(live, place, seat)
        else:
            decision = self.agents.decide(name, live, place, seat)
        if decision is not None:
            live.act(seat, decision.action, number)
            if view_class(live.game.name).explains_hands:
                live.remember(place, decision)

    def _give_up(self, live: LiveTable) -> None:
        seat = live.to_act
        if seat is not None:
            live.give_up(seat, None, "failed")
