"""Which matches there are: every source's list, joined where two of them show the same match."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

import structlog

from limpet.apps.matches.lifecycle import MatchMonitoringRecord, MatchState
from limpet.apps.matches.monitor.control_room import ControlRoom
from limpet.apps.matches.monitor.domain import Domain
from limpet.apps.matches.monitor.recall import new_watch
from limpet.apps.matches.monitor.watch import Board, Watch
from limpet.apps.matches.pen import RowToPut, board_row, put, watch_row
from limpet.apps.matches.record import DiscoveredMatch
from limpet.errors import RecordError
from limpet.fetch import Trail

_log = structlog.get_logger("limpet.matches")
_SAME_MATCH_WITHIN = timedelta(hours=24)
_SEEN_IN_PLAY_SECONDS = 60.0


@dataclass(slots=True)
class Discovery:
    """Asks each domain for its list. A list that cannot be had says nothing about any match."""

    room: ControlRoom
    last_at: dict[str, float] = field(default_factory=dict)  # by domain, monotonic

    async def look(self) -> None:
        """Ask every domain whose list is due; the first time one by one, so that the best one's ids become ours."""
        now = self.room.clock.monotonic()
        due = [each for each in self.room.active.values() if self._is_due(each, now)]
        for domain in [each for each in due if each.id not in self.last_at]:
            await self._ask(domain)
        known = [each for each in due if each.id in self.last_at]
        self.last_at |= {domain.id: now for domain in due}
        await asyncio.gather(*map(self._ask, known))

    def _is_due(self, domain: Domain, now: float) -> bool:
        last = self.last_at.get(domain.id)
        return last is None or now - last >= self.room.terms.discovery_seconds

    async def _ask(self, domain: Domain) -> None:
        trail = Trail()
        try:
            listed = await domain.adapter.discover(self.room.way(domain.source, domain.site, trail))
            await self.learn(domain, listed)
        except RecordError:
            raise
        except Exception as error:  # whatever is wrong with a list, matches we know are watched on
            _log.warning("discovery_failed", domain=domain.id, error=str(error) or repr(error))
            self.room.tally.errors[domain.id, "discovery"] += 1
        finally:
            self.room.notes += trail.requests

    async def learn(self, domain: Domain, listed: Sequence[DiscoveredMatch]) -> None:
        """Take a list in: new matches are watched, known ones confirmed, missing ones noticed."""
        self.room.listed_at[domain.id] = self.room.clock.now()
        rows: list[RowToPut] = []
        for match in listed:
            rows += self._listed(domain, match)
        keys = {match.match_id for match in listed}
        for watch in list(self.room.watches.values()):
            if watch.domain.id == domain.id and watch.id not in keys:
                rows += self._absent(watch)
        if rows:
            await self.room.ledger.write(lambda connection: put(connection, rows))
        self.room.wake.set()

    def _listed(self, domain: Domain, match: DiscoveredMatch) -> list[RowToPut]:
        watch = self.room.watches.get(match.match_id)
        if watch is None:
            return self._begin(domain, match)
        before, urgency = watch.record, watch.priority()
        watch.match = replace(match, start_time=match.start_time or watch.match.start_time)
        watch.record = watch.record.listed(is_over=match.status.is_over, now=self.room.clock.now())
        if watch.record.state is before.state:
            if watch.priority() < urgency:
                self._ask_now(watch)
            return []
        _log.info("match_revived", match=watch.id)
        if watch.latest is not None and watch.latest.status.is_over:
            watch.latest = replace(watch.latest, status=match.status)
        self._ask_now(watch)
        return self._rows(watch)

    def _begin(self, domain: Domain, match: DiscoveredMatch) -> list[RowToPut]:
        now = self.room.clock.now()
        board = self._board_for(domain, match) or Board(match.match_id, match.fixture, now)
        record = MatchMonitoringRecord(match.match_id, domain.id, now)
        watch = new_watch(self.room, domain, match, record)
        self.room.add(board, watch)
        _log.info("match_discovered", match=watch.id, board=board.match_id, title=match.title)
        self.room.schedule(watch, at=self._first_moment(watch))
        return self._rows(watch)

    def _first_moment(self, watch: Watch) -> float:
        now = self.room.clock.monotonic()
        later = self.room.next_moment(watch, after=now)
        return later if later - now > self.room.terms.rhythm.imminent_seconds else now

    def _board_for(self, domain: Domain, match: DiscoveredMatch) -> Board | None:
        """Return the board of the same match at another source."""
        for board in self.room.boards.values():
            is_open = board.state is not MatchState.ARCHIVED and domain.id not in board.watches
            if is_open and board.fixture == match.fixture and _may_be_same_day(board, match):
                return board
        return None

    def _absent(self, watch: Watch) -> list[RowToPut]:
        before = watch.record
        age = watch.age_seconds(self.room.clock.monotonic())
        is_seen_in_play = watch.is_playing and age < _SEEN_IN_PLAY_SECONDS
        watch.record = watch.record.absent(self.room.clock.now(), is_playing=is_seen_in_play)
        if watch.record.state is before.state:
            return []
        _log.info("match_finished", match=watch.id, why="absent from the list")
        watch.rhythm.priority = watch.priority()
        self._ask_now(watch)  # once more, for the last state of it
        return self._rows(watch)

    def _ask_now(self, watch: Watch) -> None:
        watch.rhythm.priority = watch.priority()
        watch.awaited_at = self.room.clock.monotonic()
        self.room.schedule(watch, at=watch.awaited_at)

    def _rows(self, watch: Watch) -> list[RowToPut]:
        board, now = self.room.board_of[watch.id], self.room.clock.now()
        return [board_row(board, now=now), watch_row(board, watch, now=now)]


def _may_be_same_day(board: Board, match: DiscoveredMatch) -> bool:
    """The same sides may meet again under the same label; a day apart it is another match."""
    known = board.start_time
    return known is None or match.start_time is None or abs(known - match.start_time) <= _SAME_MATCH_WITHIN
