"""The monitor at work against two pretend scoreboards: no ball missed, whatever the sources do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from limpet.apps.matches.care_log import give_order, recoveries
from limpet.apps.matches.lifecycle import MatchState
from limpet.apps.matches.monitor.watching import MatchMonitor
from limpet.apps.matches.recovery import RecoveryAction
from limpet.apps.matches.snapshot import apply_delta, delta
from limpet.apps.matches.views import conflicts_of, get_match, kept_cards, monitors_of, snapshots_after
from limpet.errors import RunBusy
from limpet.target.outcome import RunState

Build = Callable[..., Any]


async def test_twelve_matches_of_every_kind_lose_no_ball(build_arena: Build) -> None:
    async with build_arena(tick_seconds=0.05) as arena:
        async with arena.watching() as house:
            await arena.until(lambda: arena.pool.tick > 200)
            ended, boards = arena.pool.tick, arena.boards(house)
            for board in boards:
                await arena.until_known(house, board.match_id, by=ended)

        assert len(boards) == 12
        async with arena.open() as house:
            for board in boards:
                truth = arena.truth(board.match_id, until=ended)
                known = await arena.known(house, board.match_id)
                assert truth.keys() <= known.keys(), (board.match_id, sorted(truth.keys() - known.keys()))
                corrected = {k for k, ball in truth.items() if "first_shown_as" in ball}
                settled = truth.keys() - corrected
                assert {k: known[k]["runs"] for k in settled} == {k: truth[k]["runs"] for k in settled}
            await arena.prove(house)


async def test_a_domain_with_a_burst_allowance_is_asked_no_more_within_a_second(build_arena: Build) -> None:
    async with build_arena(matches=6, tick_seconds=0.05) as arena:
        arena.write_config("pavilion")
        listed = arena.sources_file.read_text()
        arena.sources_file.write_text(listed.replace("rate_limits: {", "rate_limits: {burst_allowance: 2, "))

        def asked() -> list[float]:
            visits = arena.pool.log
            return [each.arrived_monotonic for each in visits if each.path.startswith("/matches/")]

        began = time.monotonic()
        async with arena.watching():
            await arena.until(lambda: len(asked()) >= 5)

        assert asked()[4] - began >= 2.0  # two at once, two a second later, and one after another second


async def test_snapshots_are_numbered_without_a_gap_and_deltas_add_up(build_arena: Build) -> None:
    async with build_arena(matches=2, tick_seconds=0.03) as arena, arena.watching() as house:
        await arena.until(
            lambda: all(board.sequence >= 8 for board in arena.boards(house)) and arena.boards(house)
        )
        board = arena.boards(house)[0]
        taken = await house.ledger.read(lambda c: snapshots_after(c, board.match_id, after=0))

    held: dict[str, Any] = {}
    for before, current in zip([None, *taken], taken, strict=False):
        held = apply_delta(held, delta(before, current))
    assert [each.sequence_number for each in taken] == list(range(1, len(taken) + 1))
    assert held == taken[-1].normalized_payload
    assert len({each.checksum for each in taken}) > 1


async def test_an_unchanged_match_is_not_written_again(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.0) as arena:
        arena.pool.advance(40)
        async with arena.watching() as house:
            await arena.until_active(house, 2)  # the first answer of either source is news
            (board,) = arena.boards(house)
            watches = board.watches.values()
            await arena.until(lambda: all(each.context.total_updates > 1 for each in watches))
            before = board.sequence
            await arena.until(lambda: all(each.context.total_updates > 6 for each in watches))

            assert board.sequence == before > 0
            assert all(each.fetched_at > (each.changed_at or 0) for each in watches)  # asked nevertheless


async def test_one_source_down_leaves_the_match_fresh_by_the_other(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.05) as arena, arena.watching() as house:
        room = house.monitor.room
        await arena.until_active(house, 2)
        arena.pool.set_fault("crexapi", "server_error_500")
        await arena.until(lambda: room.tally.errors["crex", "network"] >= 3)
        (board,) = arena.boards(house)
        seen = board.sequence
        await arena.until(lambda: board.sequence > seen + 3)
        states = {watch.record.state for watch in board.watches.values()}
        now = house.clock.monotonic()

        assert board.age_seconds(now) < board.watches["crex"].age_seconds(now)
        assert states == {MatchState.ACTIVE}  # the source's trouble pauses no match
        await arena.until_known(house, board.match_id, by=arena.pool.tick)


async def test_sources_that_disagree_are_noted_and_the_better_one_is_believed(build_arena: Build) -> None:
    async with build_arena(matches=12, tick_seconds=0.03) as arena, arena.watching() as house:
        await arena.until(lambda: "crex:RL6" in house.monitor.room.boards)
        board = house.monitor.room.boards["crex:RL6"]  # the second site counts too many
        await arena.until(lambda: board.conflicts)
        await arena.until(lambda: board.latest)
        noted = await house.ledger.read(lambda c: conflicts_of(c, board.match_id))

        assert {row["chosen_source"] for row in noted} == {"crex"}
        assert all(row["difference"] > 0.05 for row in noted)
        assert board.latest.provenance["score"]["source"] == "crex"


async def test_a_match_that_fails_five_times_is_paused_and_resumed_by_hand(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.05) as arena:
        arena.write_config("crex")
        async with arena.watching() as house:
            room = house.monitor.room
            await arena.until(lambda: room.tally.scrapes["crex", "success"] > 2)
            (board,) = arena.boards(house)
            last_good = board.latest
            arena.pool.set_fault("crexapi", "empty_body")
            await arena.until(lambda: board.state is MatchState.PAUSED and not room.queue.running)
            paused = await house.ledger.read(lambda c: monitors_of(c, board.match_id))
            arena.pool.clear_faults()
            await house.ledger.write(
                lambda c: give_order(
                    c, "resume", board.match_id, by="me", reason="mended", now=house.clock.now()
                )
            )
            await arena.until(lambda: board.state is MatchState.ACTIVE)

            assert paused[0]["paused"] and paused[0]["consecutive_failure_count"] == 5
            assert last_good is not None and board.sequence >= last_good.sequence_number  # never lost


async def test_a_match_leaves_the_list_over_night_and_comes_back(build_arena: Build) -> None:
    # Time stands still until it is told to move: no night is over before somebody has looked twice.
    async with build_arena(tick_seconds=0.0) as arena:
        go_on_until(arena, "in_play")
        async with arena.watching(polling_interval_seconds=0.2) as house:
            await arena.until(lambda: "crex:RI3" in house.monitor.room.boards)
            board = house.monitor.room.boards["crex:RI3"]
            await arena.until(lambda: board.state is MatchState.ACTIVE and board.sequence)
            go_on_until(arena, "stumps")
            arena.pool.advance(20)  # the list shows it for a little while longer
            await arena.until(lambda: board.state is MatchState.COMPLETED)
            before = board.sequence
            go_on_until(arena, "in_play")
            await arena.until(lambda: board.state is MatchState.ACTIVE)
            for step in (1, 2, 3):
                arena.pool.advance(5)
                await arena.until(lambda wanted=before + step: board.sequence >= wanted)

            assert board.latest is not None and board.latest.normalized_payload["status"] == "live"


def go_on_until(arena: Any, phase: str) -> None:
    """Move time on until the match of two days is at this point."""
    while next(each for each in arena.pool.world.matches() if each["key"] == "RI3")["phase"] != phase:
        arena.pool.advance(5)


async def test_a_monitor_that_starts_again_goes_on_with_the_next_number(build_arena: Build) -> None:
    async with build_arena(matches=2, tick_seconds=0.05) as arena:
        async with arena.watching() as house:
            await arena.until(lambda: arena.boards(house) and arena.boards(house)[0].sequence > 3)
        before = {board.match_id: (board.sequence, len(board.balls)) for board in arena.boards(house)}

        async with arena.watching() as house:
            await arena.until(lambda: len(house.monitor.room.boards) == 2)
            again = {board.match_id: board for board in arena.boards(house)}
            assert all(again[m].sequence >= number for m, (number, _) in before.items())
            await arena.until(lambda: all(again[m].sequence > number for m, (number, _) in before.items()))
            for board in again.values():
                await arena.until_known(house, board.match_id, by=arena.pool.tick)
            await arena.prove(house)
        async with arena.open() as house:
            assert {run.state for run in await house.ledger.runs(app="matches")} == {RunState.COMPLETED}


async def test_only_one_monitor_watches_at_a_time(build_arena: Build) -> None:
    async with build_arena(matches=1) as arena, arena.watching() as first:
        await arena.until(lambda: first.monitor.is_watching)
        async with arena.open() as second:
            with pytest.raises(RunBusy, match="is being walked"):
                await second.monitor.watch(asyncio.Event())


async def test_who_stands_by_takes_over_when_the_one_who_watches_leaves(
    build_arena: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("limpet.apps.matches.monitor.watching._STAND_BY_SECONDS", 0.1)
    refused: list[RunBusy] = []
    watch = MatchMonitor.watch

    async def noting_refusals(monitor: MatchMonitor, stop: asyncio.Event, **terms: Any) -> None:
        try:
            await watch(monitor, stop, **terms)
        except RunBusy as busy:
            refused.append(busy)
            raise

    monkeypatch.setattr(MatchMonitor, "watch", noting_refusals)
    async with build_arena(matches=1, tick_seconds=0.05) as arena:
        async with arena.open() as second:
            stop = asyncio.Event()
            async with arena.watching() as first:
                await arena.until(lambda: first.monitor.room.succeeded_at)
                standing_by = asyncio.create_task(second.monitor.serve(stop))
                await arena.until(lambda: len(refused) >= 2)
                early = second.monitor.is_watching
            await arena.until(lambda: second.monitor.room.succeeded_at)
            stop.set()
            await standing_by
        async with arena.open() as house:
            held = await house.ledger.runs(app="matches")
            await arena.prove(house)

    assert early is False
    assert [run.state for run in held].count(RunState.COMPLETED) == 2
    assert len(held) <= 3, "standing by leaves no trace in the ledger"


async def test_a_domain_is_switched_off_and_on_without_a_restart(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.05) as arena, arena.watching() as house:
        room = house.monitor.room
        await arena.until(lambda: room.tally.scrapes["pavilion", "success"] > 1)
        arena.write_config(disabled=("pavilion",))
        await arena.until(lambda: "pavilion" not in room.active and not room.queue.running)
        asked = len([visit for visit in arena.pool.log if visit.host.startswith("pavilion")])
        seen, told = room.tally.scrapes["crex", "success"], room.tally.scrapes["pavilion", "success"]
        await arena.until(lambda: room.tally.scrapes["crex", "success"] > seen + 4)
        still = len([visit for visit in arena.pool.log if visit.host.startswith("pavilion")])
        arena.write_config()
        await arena.until(lambda: room.tally.scrapes["pavilion", "success"] > told)

        assert still <= asked + 1


async def test_a_visit_that_hangs_is_called_back_and_counted(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.05) as arena:
        arena.write_config("crex")
        async with arena.watching() as house:
            room = house.monitor.room
            await arena.until(lambda: room.tally.scrapes["crex", "success"] > 1)
            arena.pool.set_fault("crexapi", "never_answers", path=arena.match_data, times=1)
            await arena.until_asked("never_answers")
            await house.monitor.recoverer.recover("a test", RecoveryAction.SOFT_RESTART)
            await arena.until(lambda: room.tally.errors["crex", "network"] >= 1)
            seen = room.tally.scrapes["crex", "success"]
            await arena.until(lambda: room.tally.scrapes["crex", "success"] > seen)
            written = await house.ledger.read(recoveries)

            assert written[0]["action_type"] == "soft_restart"
            assert written[0]["metadata"]["called_back"] == 1


async def test_cards_are_kept_with_what_changed(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.03) as arena:
        async with arena.watching() as house:
            cards = await arena.until_written(house, lambda c: kept_cards(c, "crex:RF0"), len)
        async with arena.open() as house:
            line = await house.ledger.read(lambda c: get_match(c, "RF0"))

    assert cards[0].card["batters"]
    assert line is not None and line.match_id == "crex:RF0"


async def test_an_order_by_a_bare_key_means_the_match_and_by_a_sources_id_that_source(
    build_arena: Build,
) -> None:
    async with build_arena(matches=1, tick_seconds=0.1) as arena, arena.watching() as house:
        await arena.until_active(house, 2)
        (board,) = arena.boards(house)

        async def order(action: str, match_id: str) -> None:
            await house.ledger.write(
                lambda c: give_order(c, action, match_id, by="me", reason="", now=house.clock.now())
            )

        await order("pause", "pavilion:90000")
        await arena.until(lambda: board.watches["pavilion"].record.paused)
        one = board.watches["crex"].record.state
        await order("pause", "RF0")
        await arena.until(lambda: board.state is MatchState.PAUSED)
        await order("resume", "RF0")
        await arena.until(lambda: not any(watch.record.paused for watch in board.watches.values()))

    assert one is MatchState.ACTIVE
