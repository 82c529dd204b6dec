"""Every behaviour really shows on the wire."""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from email.utils import parsedate_to_datetime

import brotli
import pytest
import zstandard

from tidepool.faults import BEHAVIOURS, TABLE

SILENT = {"never_answers", "robots_timeout", "stalls_mid_body"}
RESET = {"reset_before_answer", "reset_mid_headers", "reset_mid_body", "robots_reset"}
ENDLESS = {
    "endless_headers",
    "endless_continue",
    "endless_body",
    "endless_chunks",
    "tiny_chunks",
    "robots_endless",
}
HUGE = {"huge_body_declared", "gzip_bomb", "deflate_bomb"}
DRIPPING = {"slow_drip", "slow_headers", "slow_chunks"}
NOT_HTTP = {"garbage_bytes", "speaks_tls", "speaks_ssh", "body_without_head", "closes_without_answer"}
QUICK = {"seconds": 0.001}


def place(name: str, product_path: str) -> str:
    return "/robots.txt" if name.startswith("robots_") else product_path


def quickened(name: str) -> dict[str, float]:
    return QUICK if name in DRIPPING | {"latency"} else {}


def ending_of(name: str) -> str:
    if name in SILENT:
        return "silent"
    if name in RESET:
        return "reset"
    return "cut" if name in ENDLESS | HUGE | DRIPPING else "closed"


def test_there_are_many_and_each_has_a_sentence() -> None:
    assert len(BEHAVIOURS) >= 100
    assert all(sentence.endswith(".") and "\n" not in sentence for sentence in BEHAVIOURS.values())
    assert len(set(BEHAVIOURS.values())) == len(BEHAVIOURS)


def test_each_option_is_named_in_the_sentence() -> None:
    for known in TABLE.values():
        assert all(f"`{option}`" in known.sentence for option in known.options), known.name


@pytest.mark.parametrize("name", BEHAVIOURS)
async def test_it_differs_from_a_healthy_answer_ends_as_it_should_and_leaves_the_server_well(
    pool, listen, product_path, name
) -> None:
    path = place(name, product_path)
    healthy = await listen(path)
    pool.set_fault("shop", name, times=1, **quickened(name))

    heard = await listen(
        path,
        most=600 if name in DRIPPING else 3_000_000,
        patience_seconds=0.3 if name in SILENT else 20,
    )
    after = await listen(path)

    assert (heard.ending, pool.log[1].fault) == (ending_of(name), name)
    if name not in ("latency", "slow_drip", "slow_headers", "etag_always_fresh"):
        assert strip_date(heard.data) != strip_date(healthy.data)
    assert (after.status, after.body) == (200, healthy.body)


def strip_date(data: bytes) -> bytes:
    return re.sub(rb"Date: [^\r]*", b"", data)


@pytest.mark.parametrize("name", sorted(NOT_HTTP))
async def test_what_is_no_http_has_no_status_line(pool, listen, product_path, name) -> None:
    pool.set_fault("shop", name)

    heard = await listen(product_path)

    assert not heard.data.startswith(b"HTTP/")
    assert pool.log[0].status is None


@pytest.mark.parametrize(
    ("name", "status"),
    [
        *((name, int(name[-3:])) for name in BEHAVIOURS if re.search(r"_\d{3}$", name)),
        ("rate_limited_bare", 429),
        ("unavailable_bare", 503),
        ("not_modified_unasked", 304),
        ("redirect_nowhere", 302),
    ],
)
async def test_a_status_is_what_the_name_says(pool, listen, product_path, name, status) -> None:
    pool.set_fault("shop", name)

    heard = await listen(place(name, product_path))

    assert heard.status == pool.log[0].status == status


@pytest.mark.parametrize(("name", "status"), [("rate_limited_seconds", 429), ("unavailable_seconds", 503)])
async def test_retry_after_in_seconds(pool, visitor, name, status) -> None:
    pool.set_fault("shop", name, retry_after=17)

    async with visitor.get(pool.url("shop", "/")) as response:
        assert (response.status, response.headers["Retry-After"]) == (status, "17")


@pytest.mark.parametrize(("name", "status"), [("rate_limited_date", 429), ("unavailable_date", 503)])
async def test_retry_after_as_a_date_never_earlier_than_asked(pool, visitor, name, status) -> None:
    pool.set_fault("shop", name, retry_after=600)

    async with visitor.get(pool.url("shop", "/")) as response:
        until = parsedate_to_datetime(response.headers["Retry-After"])
        asked = parsedate_to_datetime(response.headers["Date"])

    assert response.status == status
    assert (until - asked).total_seconds() >= 600


async def test_latency_answers_properly_but_later(pool, visitor, product_path) -> None:
    pool.set_fault("shop", "latency", seconds=0.05)

    async with visitor.get(pool.url("shop", product_path)) as response:
        await response.read()

    [visit] = pool.log
    assert response.status == 200
    assert visit.finished_monotonic - visit.arrived_monotonic >= 0.05


async def test_a_truncated_body_is_shorter_than_declared(pool, listen, product_path) -> None:
    pool.set_fault("shop", "truncated_body")

    heard = await listen(product_path)

    declared = int(re.search(rb"Content-Length: (\d+)", heard.head)[1])
    assert declared == 2 * len(heard.body)


@pytest.mark.parametrize(
    ("name", "unpack"),
    [
        ("gzip_bomb", lambda data: zlib.decompressobj(31).decompress(data[:-8])),
        ("deflate_bomb", lambda data: zlib.decompressobj(15).decompress(data[:-4])),
        ("brotli_bomb", brotli.decompress),
        ("zstd_bomb", lambda data: zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data)).read()),
        (
            "nested_gzip_bomb",
            lambda data: zlib.decompressobj(31).decompress(gzip.decompress(data)[:-8]),
        ),
    ],
)
async def test_a_bomb_unpacks_to_a_thousand_times_its_size(pool, listen, product_path, name, unpack) -> None:
    pool.set_fault("shop", name, mebibytes=40)

    heard = await listen(product_path)

    assert unpack(heard.body) == bytes(40 * 1024 * 1024)
    assert len(heard.body) * 900 < 40 * 1024 * 1024


@pytest.mark.parametrize(
    ("name", "mark"),
    [
        ("conflicting_lengths", rb"(?s)Content-Length: 40\r.*Content-Length: 47\r"),
        ("negative_length", rb"Content-Length: -1\r"),
        ("length_and_chunked", rb"(?s)Content-Length: 4\r.*Transfer-Encoding: chunked\r"),
        ("wrong_http_version", rb"^HTTP/7\.3 200"),
        ("giant_header", rb"X-Giant: g{200000}"),
        ("many_headers", rb"X-Crowd-9999: here"),
        ("early_hints_flood", rb"^(HTTP/1.1 103 Early Hints\r\n[^\r]*\r\n\r\n){500}"),
        ("set_cookie_flood", rb"crumb499="),
        ("nul_in_header", rb"X-Nul: a\0b\r"),
        ("header_without_colon", rb"\r\nthis line has no colon\r\n"),
        ("refresh_header", rb"Refresh: 0; url=http://10\.0\.0\.1/"),
        ("bad_chunk_size", rb"\r\n\r\nzebra\r\n"),
        ("says_gzip_is_plain", rb"(?s)Content-Encoding: gzip\r.*\r\n\r\n<!DOCTYPE"),
        ("wrong_charset", rb"charset=utf-16\r"),
        ("lying_content_type", rb"Content-Type: image/png\r"),
        ("partial_206", rb"Content-Range: bytes 0-\d+/\d+\r"),
    ],
)
async def test_the_mark_of_the_fault_is_on_the_wire(pool, listen, product_path, name, mark) -> None:
    pool.set_fault("shop", name)

    heard = await listen(product_path, most=2_000_000)

    assert re.search(mark, heard.data)


@pytest.mark.parametrize(
    ("name", "location"),
    [
        ("redirect_cross_host", "http://elsewhere.tidepool.localhost:{port}{path}"),
        ("redirect_to_https", "https://shop.tidepool.localhost:{port}{path}"),
        ("redirect_relative", "?tidepool_hop=1"),
        ("redirect_scheme_relative", "//elsewhere.tidepool.localhost:{port}{path}"),
        ("redirect_loop", "http://shop.tidepool.localhost:{port}{path}"),
        ("redirect_to_private", "http://10.0.0.1/"),
        ("redirect_to_metadata", "http://169.254.169.254/latest/"),
        ("redirect_to_file", "file:///etc/hostname"),
        ("redirect_to_data", "data:text/html,<h1>hello</h1>"),
        ("redirect_to_javascript", "javascript:alert(1)"),
    ],
)
async def test_a_redirect_points_where_its_name_says(pool, listen, product_path, name, location) -> None:
    pool.set_fault("shop", name)

    heard = await listen(product_path)

    expected = location.format(port=pool.port, path=product_path)
    assert f"Location: {expected}\r".encode() in heard.data


async def test_a_redirect_may_be_sent_to_a_place_of_our_choice(pool, listen) -> None:
    pool.set_fault("shop", "redirect_to_loopback", to="http://127.0.0.1:9/canary")

    assert b"Location: http://127.0.0.1:9/canary\r" in (await listen("/")).data


async def test_a_chain_ends_at_the_page_after_its_hops(pool, visitor, product_path) -> None:
    pool.set_fault("shop", "redirect_chain", hops=4)

    async with visitor.get(pool.url("shop", product_path)) as response:
        await response.read()

    assert response.status == 200
    assert len(response.history) == 4


async def test_json_ld_removed_leaves_the_visible_page(pool, listen, product_path) -> None:
    pool.set_fault("shop", "json_ld_removed")

    heard = await listen(product_path)

    assert b"ld+json" not in heard.body
    assert b"tidepool-content-single-product__details__right__price" in heard.body
    assert b"ETag" not in heard.head


async def test_renamed_classes_leave_the_json_ld(pool, listen, product_path) -> None:
    pool.set_fault("shop", "classes_renamed")

    heard = await listen(product_path)

    assert heard.body.count(b"ld+json") == 3
    assert b"tidepool-content-single-product" not in heard.body
    assert b'class="stock' not in heard.body


async def test_drifted_prices_are_zero_everywhere(pool, listen, product_path) -> None:
    pool.set_fault("shop", "price_zero")

    text = (await listen(product_path)).body.decode()

    assert set(re.findall(r"</span>([\d.,]+)</bdi>", text)) == {"0.00"}
    assert set(re.findall(r'"price":"([^"]*)"', text)) == {"0.00"}


async def test_malformed_json_ld_stands_before_good_blocks(pool, listen, product_path) -> None:
    pool.set_fault("shop", "json_ld_malformed")

    body = (await listen(product_path)).body.decode()
    first, *good = re.findall(r'<script type="application/ld\+json">(.*?)</script>', body)

    with pytest.raises(ValueError, match="Expecting value"):
        json.loads(first)
    assert [json.loads(block) for block in good]


@pytest.mark.parametrize("name", ["challenge_200", "challenge_403", "challenge_503"])
async def test_a_challenge_page_is_small_and_names_itself(pool, listen, product_path, name) -> None:
    pool.set_fault("shop", name)

    heard = await listen(product_path)

    assert b"<title>Just a moment...</title>" in heard.body
    assert b"woocommerce" not in heard.body


async def test_deep_nesting_buries_the_page_but_keeps_it(pool, listen, product_path) -> None:
    pool.set_fault("shop", "deep_nesting")

    heard = await listen(product_path, most=5_000_000)

    assert heard.body.count(b"<div>") >= 100_000
    assert b"woocommerce-Price-amount" in heard.body


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("robots_deny_all", b"Disallow: /\n"),
        ("robots_deny_path", b"Disallow: /product/\n"),
        ("robots_crawl_delay", b"Crawl-delay: 3\n"),
        ("robots_bom", b"\xef\xbb\xbfUser-agent"),
        ("robots_html", b"<!DOCTYPE html>"),
        ("robots_huge", b"Disallow: /product/\n"),
    ],
)
async def test_robots_variants_speak_for_themselves_and_spare_the_pages(
    pool, listen, product_path, name, text
) -> None:
    pool.set_fault("shop", name)

    robots, page = await listen("/robots.txt", most=5_000_000), await listen(product_path)

    assert text in robots.body
    assert page.status == 200


async def test_a_moved_robots_file_is_found_after_one_hop(pool, visitor) -> None:
    pool.set_fault("shop", "robots_redirect")

    async with visitor.get(pool.url("shop", "/robots.txt")) as response:
        assert "Disallow: /product/" in await response.text()

    assert len(response.history) == 1


async def test_a_fault_wins_over_a_conditional_request(pool, visitor, product_path) -> None:
    async with visitor.get(pool.url("shop", product_path)) as healthy:
        tag = healthy.headers["ETag"]
    pool.set_fault("shop", "redesigned")

    async with visitor.get(pool.url("shop", product_path), headers={"If-None-Match": tag}) as drifted:
        assert drifted.status == 200
