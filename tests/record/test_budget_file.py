"""The budget in files: reboots, damage, deletion, many domains."""

from __future__ import annotations

import gc
from pathlib import Path
from random import Random

import psutil
import pytest

from limpet.clock import FrozenClock
from limpet.errors import BudgetUnavailable
from limpet.fetch.policy.rate import MAX_PAUSE_SECONDS
from limpet.record.budget_file import OPEN_FILES, FileBudget
from limpet.record.domain_file import NEXT_FREE, PAUSED_UNTIL, DomainFile
from limpet.source.source import Pace

SLOW = Pace(requests_per_second=0.5, min_delay_seconds=2.0, jitter=0.2)
UNLIMITED = Pace(requests_per_second=None, min_delay_seconds=0, max_concurrent=2)


async def visit(budget: FileBudget, pace: Pace = SLOW, domain: str = "example.com") -> float:
    async with await budget.enter(domain, pace) as permit:
        return permit.waited_seconds


async def test_the_first_request_ever_does_not_wait(tmp_path: Path) -> None:
    assert await visit(FileBudget(tmp_path, clock=FrozenClock())) == 0


async def test_jitter_varies_the_gap_but_never_undercuts_it(tmp_path: Path) -> None:
    budget = FileBudget(tmp_path, clock=FrozenClock(), random=Random(7))
    await visit(budget)

    waits = [await visit(budget) for _ in range(50)]

    assert 2.0 <= min(waits) < 2.1
    assert 2.3 < max(waits) <= 2.4 + 1e-9


async def test_a_second_process_sees_the_pace_of_the_first(tmp_path: Path) -> None:
    clock = FrozenClock()
    await visit(FileBudget(tmp_path, clock=clock))

    assert await visit(FileBudget(tmp_path, clock=clock)) >= 2.0


async def test_after_a_reboot_the_domain_rests_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = FrozenClock()
    first = FileBudget(tmp_path, clock=clock)
    await visit(first)
    await first.pause("paused.com", 100)
    first.close()

    monkeypatch.setattr("limpet.record.domain_file.boot_id", lambda: b"another boot ...")
    after = FileBudget(tmp_path, clock=FrozenClock())

    assert await visit(after) == pytest.approx(2.0)
    assert await after.paused_for("paused.com") == pytest.approx(98)


async def test_a_wall_clock_set_back_cannot_stretch_a_pause(tmp_path: Path) -> None:
    clock = FrozenClock()
    budget = FileBudget(tmp_path, clock=clock)
    await budget.pause("example.com", 60)
    clock.advance(-10 * 86_400)

    assert await visit(budget) <= MAX_PAUSE_SECONDS + 1


@pytest.mark.parametrize("nonsense", [1e300, float("inf"), float("nan")])
async def test_a_damaged_file_costs_one_rest_and_wedges_nothing(tmp_path: Path, nonsense: float) -> None:
    budget = FileBudget(tmp_path, clock=FrozenClock())
    await visit(budget)
    file = DomainFile(tmp_path / "domains", "example.com")
    file.page.doubles[NEXT_FREE] = nonsense
    file.close()

    assert 2.0 <= await visit(budget) <= 2.4


async def test_an_unlimited_pace_is_quick_again_after_a_pause(tmp_path: Path) -> None:
    budget = FileBudget(tmp_path, clock=FrozenClock())
    await budget.pause("example.com", 60)
    waited = await visit(budget, UNLIMITED)

    file = DomainFile(tmp_path / "domains", "example.com")

    assert waited >= 60
    assert file.page.doubles[PAUSED_UNTIL] == 0
    file.close()


@pytest.mark.parametrize("pace", [SLOW, UNLIMITED])
async def test_a_permit_nobody_remembers_is_given_back(tmp_path: Path, pace: Pace) -> None:
    budget = FileBudget(tmp_path, clock=FrozenClock())
    for _ in range(pace.max_concurrent):
        await budget.enter("example.com", pace)
    gc.collect()

    await visit(budget, pace)


@pytest.mark.parametrize("pace", [SLOW, UNLIMITED])
async def test_without_a_place_for_its_files_it_refuses(tmp_path: Path, pace: Pace) -> None:
    blocked = tmp_path / "a file, not a folder"
    blocked.write_text("")
    budget = FileBudget(blocked)

    with pytest.raises(BudgetUnavailable) as refusal:
        await budget.enter("example.com", pace)

    assert refusal.value.retryable and "writable" in refusal.value.fix


async def test_it_goes_on_with_others_when_its_file_was_deleted(tmp_path: Path) -> None:
    clock = FrozenClock()
    ours, theirs = FileBudget(tmp_path, clock=clock), FileBudget(tmp_path, clock=clock)
    await visit(ours)
    for path in (tmp_path / "domains").iterdir():
        path.unlink()

    await visit(theirs)

    assert await visit(ours) >= 2.0


async def test_a_thousand_domains_do_not_exhaust_the_files_we_may_open(tmp_path: Path) -> None:
    budget = FileBudget(tmp_path, clock=FrozenClock())
    held = await budget.enter("held.com", SLOW)
    for number in range(3 * OPEN_FILES):
        await visit(budget, domain=f"site{number}.com")

    opened = psutil.Process().num_fds()

    assert opened < 3 * OPEN_FILES + 100
    await held.leave()
    assert await visit(budget, domain="held.com") >= 2.0


@pytest.mark.parametrize(
    "domain", ["../../etc/passwd", "..", ".", "a/b", "bücher.example", "x" * 4000, "nul\0byte", "[::1]", ""]
)
async def test_no_name_of_a_domain_leaves_the_folder(tmp_path: Path, domain: str) -> None:
    budget = FileBudget(tmp_path / "data", clock=FrozenClock())
    await visit(budget, domain=domain)

    folders = {path.parent for path in tmp_path.rglob("*") if path.is_file()}

    assert folders == {tmp_path / "data" / "domains"}


async def test_names_that_differ_have_files_that_differ(tmp_path: Path) -> None:
    budget = FileBudget(tmp_path, clock=FrozenClock())
    names = ["x" * 4000, "x" * 4001, ".", "..", "a/b", "a%2Fb", ".a", "a"]

    waits = [await visit(budget, domain=name) for name in names]

    assert waits == [0] * len(names)
