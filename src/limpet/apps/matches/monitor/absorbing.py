"""What a visit brought becomes part of what is known: reconciled, numbered, written down, then shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from limpet.apps.matches.ball_log import BallLog, Gap, KeptBall
from limpet.apps.matches.card_log import CardLog
from limpet.apps.matches.monitor.control_room import ControlRoom
from limpet.apps.matches.monitor.merging import merge, payload_of
from limpet.apps.matches.monitor.watch import Board, Watch
from limpet.apps.matches.pen import News, board_row, write_news
from limpet.apps.matches.record import BallEvent, InningsCard, MatchSnapshot
from limpet.apps.matches.snapshot import CachedSnapshot, checksum_of
from limpet.apps.matches.views import kept_balls, kept_cards, latest_snapshot
from limpet.validate.reconciliation import Conflict, Reconciled


@dataclass(frozen=True, slots=True)
class Absorbed:
    """What was new about it."""

    changed: bool
    balls: tuple[KeptBall, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def is_eventful(self) -> bool:
        """Whether a card will have changed much: a wicket fell, or the bat made a boundary."""
        return any(kept.event.is_wicket or kept.event.is_boundary for kept in self.balls)


@dataclass(frozen=True, slots=True)
class Absorber:
    """Takes snapshots in. Nothing is shown before it is in the ledger, so a number shown is never taken back."""

    room: ControlRoom

    async def absorb(
        self, board: Board, watch: Watch, snapshot: MatchSnapshot, *, latency_ms: int
    ) -> Absorbed:
        """Make the snapshot part of the match; raises what the ledger raises, and then knows nothing new."""
        async with board.lock:
            if board.must_reload:
                await self._reload(board)
            watch.latest = snapshot
            merged = merge(board, now=self.room.clock.monotonic())
            news = self._news(board, watch, merged, latency_ms=latency_ms)
            await self._write(board, news)
            self._count(board, news)
            if news.snapshot is not None:
                await self._show(board, news.snapshot)
            elif news.balls:
                board.ring()
            await self._keep_rosters(board, snapshot)
            gaps = tuple(board.balls.gaps(snapshot.innings))
            return Absorbed(news.snapshot is not None, tuple(news.balls), gaps)

    async def backfill(self, board: Board, watch: Watch, balls: list[BallEvent]) -> list[KeptBall]:
        """Fill gaps with what a source remembers of an innings."""
        async with board.lock:
            if board.must_reload:
                await self._reload(board)
            found = board.balls.take(balls, domain_id=watch.domain.id, rank=watch.rank)
            news = News(watch.domain.id, self.room.clock.now(), balls=found)
            await self._write(board, news)
            self._count(board, news)
            if found:
                board.ring()
            return found

    def _news(self, board: Board, watch: Watch, merged: Reconciled, *, latency_ms: int) -> News:
        snapshot = watch.latest
        assert snapshot is not None
        return News(
            domain_id=watch.domain.id,
            at=self.room.clock.now(),
            snapshot=self._next_snapshot(board, watch, merged, latency_ms=latency_ms),
            balls=board.balls.take(snapshot.balls, domain_id=watch.domain.id, rank=watch.rank),
            cards=board.cards.take(snapshot.card, domain_id=watch.domain.id, rank=watch.rank),
            conflicts=[each for each in merged.conflicts if _as_key(each) not in board.conflicts],
        )

    def _next_snapshot(
        self, board: Board, watch: Watch, merged: Reconciled, *, latency_ms: int
    ) -> CachedSnapshot | None:
        payload = payload_of(board, merged)
        checksum = checksum_of(payload)
        if board.latest is not None and board.latest.checksum == checksum:
            return None
        return CachedSnapshot(
            match_id=board.match_id,
            domain_id=str(payload["domain_id"]),
            normalized_payload=payload,
            created_at=self.room.clock.now(),
            sequence_number=board.sequence + 1,
            provenance={name: each.to_dict() for name, each in merged.provenance.items()},
            checksum=checksum,
            scraper_id=watch.context.scraper_id,
            update_latency_ms=latency_ms,
        )

    async def _write(self, board: Board, news: News) -> None:
        if not news:
            return
        row = board_row(board, now=news.at, snapshot=news.snapshot)
        try:
            await self.room.ledger.write(partial(write_news, match_id=board.match_id, news=news, board=row))
        except BaseException:
            # Also when we were cancelled: whether it is on the disk or not, only the ledger knows.
            board.must_reload = True
            raise
        board.conflicts.update(map(_as_key, news.conflicts))

    async def _show(self, board: Board, snapshot: CachedSnapshot) -> None:
        board.latest = snapshot
        board.history.appendleft(snapshot)
        board.ring()
        await self.room.shelf.put_snapshot(board.match_id, snapshot.to_dict())

    async def _reload(self, board: Board) -> None:
        """Forget what may not be on the disk, and take up what is."""
        read = self.room.ledger.read
        latest = await read(partial(latest_snapshot, match_id=board.match_id))
        balls = await read(partial(kept_balls, match_id=board.match_id))
        cards = await read(partial(kept_cards, match_id=board.match_id))
        board.latest, board.balls, board.cards = latest, BallLog(), CardLog()
        board.balls.restore(balls)
        board.cards.restore(cards)
        board.must_reload = False

    def _count(self, board: Board, news: News) -> None:
        tally, now = self.room.tally, self.room.clock.monotonic()
        if news.snapshot is not None:
            tally.updates[news.domain_id] += 1
            tally.updated.add(now)
        for ball in news.balls:
            tally.balls[ball.found.value] += 1
        tally.conflicts += len(news.conflicts)

    async def _keep_rosters(self, board: Board, snapshot: MatchSnapshot) -> None:
        teams = dict(zip(("team_a", "team_b"), snapshot.teams or (), strict=False))
        for card in snapshot.card:
            if (team := teams.get(card.side)) is not None:
                await self.room.shelf.put_roster(team.code or team.short_name, _roster(card, team.name))


def _roster(card: InningsCard, name: str) -> dict[str, object]:
    return {"team": name, "players": {line.code: line.name for line in card.batters if line.name}}


def _as_key(conflict: Conflict) -> tuple[object, ...]:
    return (
        conflict.field,
        conflict.chosen_source,
        conflict.chosen_value,
        conflict.other_source,
        conflict.other_value,
    )
