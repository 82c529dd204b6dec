"""How well promises are kept, and which gates are shut: on the pages, in the API and in the metrics."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from limpet.observe.freshness import lanes_of
from limpet.record.entry import NewRun
from limpet.target import Target
from limpet.target.outcome import RunState, Trigger
from limpet.web.drift_chart import draw_drift


async def walk_twice(house: Any) -> None:
    """A run of two targets called off half way, and one with nothing new: three visits due, one kept."""
    now = house.clock.now()
    for minutes, urls in ((20, ("https://hostile.test/a", "https://hostile.test/b")), (10, ())):
        new = NewRun(
            "prices", "hostile", trigger=Trigger.SCHEDULE, due_at=now - timedelta(minutes=minutes), params={}
        )
        wanted = [Target("hostile", url, url, "hostile.test") for url in urls]
        run = await house.ledger.plan_run(new, wanted)
        await house.ledger.skip_lane(run.id, "hostile.test", reason="source_off", details="")
        await house.ledger.finish_run(run.id, RunState.COMPLETED)


@pytest.fixture(scope="module")
def promised(portal: Any) -> Any:
    portal.do(walk_twice)
    portal.app.state.lookout.forget()
    return portal


def test_a_source_says_how_well_it_keeps_its_promise(promised: Any) -> None:
    page = promised.get("/sources/hostile", Accept="text/html").text
    told = promised.get("/api/v1/sources/hostile").json()["error_budget"]

    assert told["windows"]["7d"] == {"due": 3, "kept": 1, "share": 1 / 3, "burn": pytest.approx(40 / 3)}
    assert told["left"] == pytest.approx(1 - 40 / 3) and told["objective"] == 0.95
    assert "1 of 3 visits" in page and "33.3 %" in page and "overspent" in page


def test_a_source_without_a_schedule_says_how_to_promise(promised: Any) -> None:
    page = promised.get("/sources/salon", Accept="text/html").text

    assert "Nothing was promised yet." in page and "every 30m" in page
    assert promised.get("/api/v1/sources/salon").json()["error_budget"] is None


def test_the_overview_sums_up_its_apps(promised: Any) -> None:
    page = promised.get("/", Accept="text/html").text

    assert "Error budget, 30 days" in page and "overspent" in page and "nothing promised" in page


def test_metrics_tell_visits_burn_and_what_is_left(promised: Any) -> None:
    text = promised.get("/metrics").text

    assert 'limpet_visits_due{source="hostile",window="30d"} 3.0' in text
    assert 'limpet_visits_kept{source="hostile",window="1d"} 1.0' in text
    assert 'limpet_error_budget_burn_ratio{source="hostile",window="7d"} 13.3' in text
    assert 'limpet_error_budget_left_ratio{source="hostile"} -12.3' in text


def test_an_open_breaker_and_a_pause_are_shown_with_their_reasons(portal: Any) -> None:
    (lane,) = lanes_of(portal.house.catalogue.get("salon"))

    async def trouble(house: Any) -> None:
        for _ in range(5):
            await house.monitor.room.breakers.failed(f"site:{lane}")
        await house.budget.pause(lane, 240)

    portal.do(trouble)
    page = portal.get("/sources/salon", Accept="text/html").text
    (told,) = portal.get("/api/v1/sources/salon").json()["lanes"]

    assert told["breaker"] == "open" and told["failures"] == 5 and not told["is_open"]
    assert 0 < told["rest_seconds"] <= 60 and 200 < told["paused_seconds"] <= 240
    assert "5 failures in a row" in page and "one request tries it" in page
    assert "Retry-After" in page


# -- the course of an adapter ----------------------------------------------------------------------------------


def batch(run_id: int, rate: float, *, counts: bool = True, now: Any) -> dict[str, Any]:
    return {
        "run_id": run_id,
        "failure_rate": rate,
        "urls_judged": 40,
        "counts_toward_drift": counts,
        "concluded_at": now,
    }


def test_a_course_needs_two_batches(portal: Any) -> None:
    assert draw_drift([batch(1, 0.1, now=portal.house.clock.now())], None) is None


def test_batches_are_drawn_oldest_first_with_limit_and_usual(portal: Any) -> None:
    now = portal.house.clock.now()
    rates = [1.0, 0.5, 0.0] + [0.1] * 27  # newest first
    chart = draw_drift([batch(100 - n, rate, counts=n != 2, now=now) for n, rate in enumerate(rates)], 0.1)

    assert chart is not None and len(chart.dots) == 30 and chart.dots[-1].run_id == 100
    assert [dot.x for dot in chart.dots] == sorted(dot.x for dot in chart.dots)
    assert chart.left <= chart.dots[0].x and chart.dots[-1].x <= chart.right
    assert chart.dots[-1].y < chart.limit < chart.dots[0].y and chart.usual == chart.dots[0].y
    assert chart.dots[-1].is_bad and chart.dots[-2].is_bad and not chart.dots[0].is_bad
    assert chart.line.count("L") == 28  # the recheck stands beside the line
    assert len(chart.numbers) <= 8 and chart.numbers[-1].run_id == 100


def test_an_adapters_page_draws_its_course(portal: Any) -> None:
    page = portal.get("/adapters/tidepool_shop", Accept="text/html").text

    assert (
        "Failure rate of the last" in page and 'class="limit"' in page and "in the order they ended" in page
    )
