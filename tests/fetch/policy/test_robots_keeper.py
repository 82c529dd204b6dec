from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest

from limpet.clock import FrozenClock
from limpet.errors import AddressForbidden, FetchTimeout
from limpet.fetch.policy.robots_keeper import RobotsAnswer, RobotsKeeper, StoredRobots
from limpet.source import Source

SHOP = Source(id="shop", app="prices", site="woo", hosts=("shop.example",))
PAGE = "https://shop.example/product/7"
RULES = RobotsAnswer(200, b"User-agent: *\nDisallow: /cart\nCrawl-delay: 5\n")
DAY = 24 * 3_600


@dataclass
class Origin:
    """The other end: answers in turn, the last answer for ever."""

    answers: list[RobotsAnswer | Exception]
    asked: list[str] = field(default_factory=list)

    async def fetch(self, source: Source, url: str) -> RobotsAnswer:
        self.asked.append(url)
        await asyncio.sleep(0)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


class DictMemory:
    """Remembers as long as the test lasts."""

    def __init__(self) -> None:
        self.kept: dict[str, StoredRobots] = {}

    async def load(self, origin: str) -> StoredRobots | None:
        return self.kept.get(origin)

    async def save(self, stored: StoredRobots) -> None:
        self.kept[stored.origin] = stored


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


def keeper(clock: FrozenClock, memory: DictMemory | None = None) -> RobotsKeeper:
    return RobotsKeeper(agent="Limpet/0.1 (+https://limpet.example)", clock=clock, memory=memory)


async def test_rules_are_asked_for_once_a_day(clock: FrozenClock) -> None:
    origin, keeps = Origin([RULES]), keeper(clock)

    first = await keeps.verdict(SHOP, PAGE, origin.fetch)
    refused = await keeps.verdict(SHOP, "https://shop.example/cart", origin.fetch)
    clock.advance(DAY - 1)
    await keeps.verdict(SHOP, PAGE, origin.fetch)

    assert (first.allowed, first.state, first.crawl_delay) == (True, "allowed", 5.0)
    assert first.sha256 and len(first.sha256) == 64
    assert (refused.allowed, refused.state) == (False, "disallowed")
    assert "limpet" in refused.detail
    assert origin.asked == ["https://shop.example/robots.txt"]

    clock.advance(2)
    await keeps.verdict(SHOP, PAGE, origin.fetch)
    assert len(origin.asked) == 2


async def test_a_new_prohibition_stops_us_at_the_next_refresh(clock: FrozenClock) -> None:
    origin, keeps = Origin([RULES, RobotsAnswer(200, b"User-agent: *\nDisallow: /\n")]), keeper(clock)

    before = await keeps.verdict(SHOP, PAGE, origin.fetch)
    clock.advance(DAY + 1)
    after = await keeps.verdict(SHOP, PAGE, origin.fetch)

    assert before.allowed
    assert not after.allowed


@pytest.mark.parametrize("status", [404, 410, 400, 451])
async def test_no_file_means_no_rules(clock: FrozenClock, status: int) -> None:
    origin, keeps = Origin([RobotsAnswer(status, b"User-agent: *\nDisallow: /\n")]), keeper(clock)

    verdict = await keeps.verdict(SHOP, PAGE, origin.fetch)

    assert (verdict.allowed, verdict.state, verdict.sha256) == (True, "allowed", None)
    assert len(origin.asked) == 1


@pytest.mark.parametrize(
    ("answer", "tries"),
    [
        (RobotsAnswer(401), 1),
        (RobotsAnswer(403), 1),
        (RobotsAnswer(429), 1),
        (RobotsAnswer(302), 1),
        (RobotsAnswer(200, error="fetch.blocked"), 1),
        (RobotsAnswer(404, error="fetch.blocked"), 1),
        (RobotsAnswer(200, b"User-agent: *", error="fetch.too_large"), 1),
        (RobotsAnswer(None, error="fetch.redirects"), 1),
        (RobotsAnswer(500), 3),
        (RobotsAnswer(503), 3),
        (RobotsAnswer(None, error="fetch.timeout"), 3),
        (RobotsAnswer(None, error="fetch.connection"), 3),
        (RobotsAnswer(None, error="gate.breaker"), 1),
        (FetchTimeout("too slow"), 3),
        (AddressForbidden("private"), 1),
    ],
)
async def test_silence_is_not_permission(
    clock: FrozenClock, answer: RobotsAnswer | Exception, tries: int
) -> None:
    origin, keeps, start = Origin([answer]), keeper(clock), clock.monotonic()

    verdict = await keeps.verdict(SHOP, PAGE, origin.fetch)

    assert (verdict.allowed, verdict.state) == (False, "unavailable")
    assert verdict.retry_after
    assert len(origin.asked) == tries
    assert clock.monotonic() - start == (3.0 if tries == 3 else 0.0)


async def test_an_unavailable_file_is_asked_for_again_after_a_short_while(clock: FrozenClock) -> None:
    origin, keeps = Origin([RobotsAnswer(403), RULES]), keeper(clock)

    await keeps.verdict(SHOP, PAGE, origin.fetch)
    clock.advance(299)
    still = await keeps.verdict(SHOP, PAGE, origin.fetch)
    clock.advance(1)
    now = await keeps.verdict(SHOP, PAGE, origin.fetch)

    assert (still.state, still.retry_after) == ("unavailable", 1.0)
    assert now.state == "allowed"
    assert len(origin.asked) == 2


async def test_a_fault_that_passes_is_forgiven(clock: FrozenClock) -> None:
    origin, keeps = (
        Origin([RobotsAnswer(503), RobotsAnswer(None, error="fetch.timeout"), RULES]),
        keeper(clock),
    )

    verdict = await keeps.verdict(SHOP, PAGE, origin.fetch)

    assert verdict.state == "allowed"
    assert len(origin.asked) == 3


async def test_the_last_good_rules_hold_while_the_file_is_away(clock: FrozenClock) -> None:
    origin, keeps = Origin([RULES, RobotsAnswer(503)]), keeper(clock)
    await keeps.verdict(SHOP, PAGE, origin.fetch)

    clock.advance(DAY + 1)
    page = await keeps.verdict(SHOP, PAGE, origin.fetch)
    cart = await keeps.verdict(SHOP, "https://shop.example/cart", origin.fetch)

    assert (page.state, page.crawl_delay) == ("allowed", 5.0)
    assert "503" in page.detail
    assert cart.state == "disallowed"

    clock.advance(30 * DAY)
    assert (await keeps.verdict(SHOP, PAGE, origin.fetch)).state == "unavailable"


async def test_many_who_ask_at_once_share_one_request(clock: FrozenClock) -> None:
    origin, keeps = Origin([RULES]), keeper(clock)

    verdicts = await asyncio.gather(*(keeps.verdict(SHOP, PAGE, origin.fetch) for _ in range(50)))

    assert all(v.allowed for v in verdicts)
    assert len(origin.asked) == 1


async def test_one_who_gives_up_waiting_does_not_spoil_it_for_the_others(clock: FrozenClock) -> None:
    origin, keeps = Origin([RULES]), keeper(clock)
    impatient = asyncio.create_task(keeps.verdict(SHOP, PAGE, origin.fetch))
    patient = asyncio.create_task(keeps.verdict(SHOP, PAGE, origin.fetch))
    await asyncio.sleep(0)

    impatient.cancel()

    assert (await patient).allowed
    assert impatient.cancelled()


async def test_each_origin_has_its_own_file(clock: FrozenClock) -> None:
    origin, keeps = Origin([RULES]), keeper(clock)

    for url in (
        PAGE,
        "http://shop.example/",
        "https://shop.example:8443/",
        "https://www.shop.example/",
        "HTTPS://SHOP.example",
    ):
        await keeps.verdict(SHOP, url, origin.fetch)

    assert origin.asked == [
        "https://shop.example/robots.txt",
        "http://shop.example/robots.txt",
        "https://shop.example:8443/robots.txt",
        "https://www.shop.example/robots.txt",
    ]


async def test_a_host_without_path_is_not_taken_for_its_shorter_namesake(clock: FrozenClock) -> None:
    origin, keeps = Origin([RULES]), keeper(clock)
    await keeps.verdict(SHOP, "https://shop.exampl/", origin.fetch)

    await keeps.verdict(SHOP, "https://shop.example", origin.fetch)

    assert origin.asked[-1] == "https://shop.example/robots.txt"


@pytest.mark.parametrize(("asked", "kept"), [("0", 1.0), ("0.2", 1.0), ("7", 7.0), ("86400", 60.0)])
async def test_crawl_delay_is_kept_within_reason(clock: FrozenClock, asked: str, kept: float) -> None:
    origin = Origin([RobotsAnswer(200, f"User-agent: *\nCrawl-delay: {asked}\n".encode())])

    assert (await keeper(clock).verdict(SHOP, PAGE, origin.fetch)).crawl_delay == kept


async def test_a_source_is_judged_under_its_own_name(clock: FrozenClock) -> None:
    origin = Origin([RobotsAnswer(200, b"User-agent: special\nDisallow: /\n\nUser-agent: *\nAllow: /\n")])
    keeps = keeper(clock)

    special = await keeps.verdict(replace(SHOP, user_agent="Special/2.0"), PAGE, origin.fetch)
    usual = await keeps.verdict(SHOP, PAGE, origin.fetch)

    assert (special.state, usual.state) == ("disallowed", "allowed")


async def test_robots_is_not_asked_about_itself_nor_by_sources_that_have_leave(clock: FrozenClock) -> None:
    origin, keeps = Origin([RobotsAnswer(503)]), keeper(clock)

    itself = await keeps.verdict(SHOP, "https://shop.example/robots.txt", origin.fetch)
    leave = await keeps.verdict(replace(SHOP, obey_robots=False), PAGE, origin.fetch)
    await keeps.verdict(SHOP, PAGE, origin.fetch)
    itself_later = await keeps.verdict(SHOP, "https://shop.example/robots.txt", origin.fetch)

    assert itself.state == leave.state == itself_later.state == "not_asked"
    assert len(origin.asked) == 3


async def test_memory_spares_the_site_after_a_restart(clock: FrozenClock) -> None:
    origin, memory = Origin([RULES]), DictMemory()
    await keeper(clock, memory).verdict(SHOP, PAGE, origin.fetch)

    clock.advance(DAY / 2)
    again = await keeper(clock, memory).verdict(SHOP, PAGE, origin.fetch)

    assert again.crawl_delay == 5.0
    assert len(origin.asked) == 1


async def test_memory_ages_from_when_it_was_fetched(clock: FrozenClock) -> None:
    origin, memory = Origin([RULES]), DictMemory()
    await keeper(clock, memory).verdict(SHOP, PAGE, origin.fetch)

    clock.advance(DAY / 2)
    restarted = keeper(clock, memory)
    await restarted.verdict(SHOP, PAGE, origin.fetch)
    clock.advance(DAY / 2 + 1)
    await restarted.verdict(SHOP, PAGE, origin.fetch)

    assert len(origin.asked) == 2


async def test_old_memory_holds_while_the_file_is_away(clock: FrozenClock) -> None:
    memory = DictMemory()
    await keeper(clock, memory).verdict(SHOP, PAGE, Origin([RULES]).fetch)

    clock.advance(3 * DAY)
    away = Origin([RobotsAnswer(503)])
    verdict = await keeper(clock, memory).verdict(SHOP, "https://shop.example/cart", away.fetch)

    assert len(away.asked) == 3
    assert (verdict.state, "503" in verdict.detail) == ("disallowed", True)


async def test_what_another_process_learned_is_taken_over(clock: FrozenClock) -> None:
    memory = DictMemory()
    ours, theirs = keeper(clock, memory), keeper(clock, memory)
    origin = Origin([RULES])
    await ours.verdict(SHOP, PAGE, origin.fetch)
    clock.advance(DAY + 1)
    await theirs.verdict(SHOP, PAGE, origin.fetch)

    await ours.verdict(SHOP, PAGE, origin.fetch)

    assert len(origin.asked) == 2


async def test_a_refusal_is_not_remembered_as_good(clock: FrozenClock) -> None:
    memory = DictMemory()

    await keeper(clock, memory).verdict(SHOP, PAGE, Origin([RobotsAnswer(403)]).fetch)

    assert memory.kept == {}


async def test_a_file_that_vanished_is_remembered_as_no_rules(clock: FrozenClock) -> None:
    memory = DictMemory()
    await keeper(clock, memory).verdict(SHOP, PAGE, Origin([RobotsAnswer(404, b"gone")]).fetch)

    clock.advance(2 * DAY)
    verdict = await keeper(clock, memory).verdict(SHOP, PAGE, Origin([RobotsAnswer(500)]).fetch)

    assert memory.kept["https://shop.example"].body == b""
    assert (verdict.allowed, verdict.sha256) == (True, None)


async def test_a_clock_that_was_set_back_does_not_make_rules_eternal(clock: FrozenClock) -> None:
    memory, origin = DictMemory(), Origin([RULES])
    await keeper(clock, memory).verdict(SHOP, PAGE, origin.fetch)
    kept = memory.kept["https://shop.example"]
    memory.kept["https://shop.example"] = replace(kept, fetched_at=kept.fetched_at + timedelta(days=400))

    restarted = keeper(clock, memory)
    await restarted.verdict(SHOP, PAGE, origin.fetch)

    assert len(origin.asked) == 2


async def test_a_large_file_is_read_like_a_small_one(clock: FrozenClock) -> None:
    body = b"User-agent: *\n" + b"# padding\n" * 20_000 + b"Disallow: /product\n"

    verdict = await keeper(clock).verdict(SHOP, PAGE, Origin([RobotsAnswer(200, body)]).fetch)

    assert verdict.state == "disallowed"


async def test_a_silent_robots_file_costs_its_lane_one_deadline_and_no_more(clock: FrozenClock) -> None:
    patient = replace(SHOP, patience_seconds=30.0)
    asked: list[str] = []

    async def silence(source: Source, url: str) -> RobotsAnswer:
        asked.append(url)
        await clock.sleep(source.patience_seconds)
        raise FetchTimeout("no answer")

    verdict = await keeper(clock).verdict(patient, PAGE, silence)

    assert (verdict.allowed, verdict.state) == (False, "unavailable")
    assert len(asked) == 1
