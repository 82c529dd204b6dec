"""The control API over HTTP."""

from __future__ import annotations

import pytest

from tidepool.faults import BEHAVIOURS, TABLE


@pytest.fixture
def control(pool, visitor):
    async def call(method: str, path: str, body: object = None) -> tuple[int, object]:
        async with visitor.request(method, pool.url("control", path), json=body) as response:
            return response.status, await response.json()

    return call


async def test_it_lists_sites_and_behaviours(control) -> None:
    _, sites = await control("GET", "/sites")
    _, behaviours = await control("GET", "/behaviours")

    assert "shop" in sites
    assert behaviours.keys() == TABLE.keys()
    assert behaviours["latency"] == {"does": BEHAVIOURS["latency"], "options": {"seconds": 1.0}}


async def test_it_explains_itself(pool, visitor) -> None:
    async with visitor.get(pool.url("control", "/")) as response:
        assert "POST /faults" in await response.text()


async def test_a_fault_is_switched_on_seen_and_switched_off(control, pool, visitor) -> None:
    wish = {
        "site": "shop",
        "name": "rate_limited_seconds",
        "path": "/a*",
        "times": 2,
        "options": {"retry_after": 9},
    }

    status, rule = await control("POST", "/faults", wish)
    async with visitor.get(pool.url("shop", "/abc")) as busy:
        assert (busy.status, busy.headers["Retry-After"]) == (429, "9")
    _, on = await control("GET", "/faults")
    _, after = await control("DELETE", "/faults?site=shop")

    assert status == 200
    assert rule["fired"] == 0
    assert on[0]["fired"] == 1
    assert after == []


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ({"site": "shop", "name": "gzip_bom"}, "did you mean 'gzip_bomb'?"),
        ({"site": "nowhere", "name": "gzip_bomb"}, "there is no site 'nowhere'"),
        ({"site": "shop"}, "say which fault"),
        ({"site": "shop", "name": "latency", "options": {"second": 1}}, "has no option 'second'"),
        ({"site": "shop", "name": "latency", "options": {"seconds": "long"}}, "cannot be 'long'"),
        ({"site": "shop", "name": "latency", "times": "often"}, "times cannot be 'often'"),
        ({"site": "shop", "name": "latency", "colour": "red"}, "a fault has no colour"),
        ([], "must be a JSON object"),
    ],
)
async def test_a_wish_that_cannot_be_is_answered_in_one_sentence(control, wish, sentence) -> None:
    status, answer = await control("POST", "/faults", wish)

    assert status == 400
    assert sentence in answer["error"]


async def test_a_body_that_is_no_json_is_refused(pool, visitor) -> None:
    async with visitor.post(pool.url("control", "/faults"), data=b"{") as response:
        assert response.status == 400


async def test_time_moves_forward_only(control) -> None:
    assert await control("POST", "/tick", {"advance": 3}) == (200, {"tick": 3})
    assert (await control("POST", "/tick", {"advance": -1}))[0] == 400
    assert await control("GET", "/tick") == (200, {"tick": 3})


async def test_the_log_is_read_and_cleared_and_holds_no_control_calls(control, pool, visitor) -> None:
    async with visitor.get(pool.url("shop", "/robots.txt")) as response:
        await response.read()

    _, seen = await control("GET", "/log?site=shop")
    await control("DELETE", "/log")
    _, after = await control("GET", "/log")

    assert [visit["path"] for visit in seen] == ["/robots.txt"]
    assert after == []


async def test_truth_says_what_a_perfect_reader_would_find(control, pool, product_path) -> None:
    _, truth = await control("GET", f"/truth?site=shop&path={product_path}")

    assert truth == pool.world.truth("shop", product_path)
    assert truth["availability"] == "InStock"
    assert await control("GET", "/truth?site=shop&path=/nowhere/") == (200, None)


async def test_reset_forgets_faults_time_and_log(control, pool) -> None:
    pool.set_fault("shop", "latency")
    pool.advance(5)

    assert await control("POST", "/reset") == (200, {"tick": 0})

    assert pool.faults.rules == []
    assert pool.log == []


async def test_an_unknown_call_is_404(control) -> None:
    assert (await control("GET", "/nonsense"))[0] == 404
