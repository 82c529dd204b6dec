"""Whatever a server does: the right word, in time, in bounded memory, at nobody else's expense.

Every behaviour of the tidepool is tried on a domain of its own, and judged by what the ledger and the origin say.
"""

from __future__ import annotations

import gc
import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from limpet.errors import FetchError
from tidepool.faults import BEHAVIOURS, TABLE

pytestmark = pytest.mark.xdist_group("hostile")

DOCS = Path(__file__).parents[3] / "docs" / "reliability.md"
IMPATIENT, GRACE = 1.5, 1.0
MOST_GROWTH_MIB = 50
A_BODY_MORE_MIB = 10  # how many of two dozen domains send at the very same moment is chance

TRUTH = ("succeeded", None)
BLOCKED = ("failed", "blocked")
ERROR = ("failed", "error")
GONE = ("failed", "gone")
RATE_LIMITED = ("failed", "rate_limited")
REFUSED = ("failed", "refused")
TIMEOUT = ("failed", "timeout")
TOO_LARGE = ("failed", "too_large")
EMPTY = ("failed", "empty_page")
NOT_PARSABLE = ("failed", "not_parsable")
CHANGED = ("failed", "page_structure_changed")
NO_RULES = ("failed", "robots_blocked")
DISALLOWED = ("dropped", "blocked_by_robots_txt")

# How a target must end, for every behaviour there is. `succeeded` means: with the truth, and nothing else.
EXPECTED: dict[str, tuple[str, str | None]] = {
    # slowness
    "latency": TRUTH,
    "never_answers": TIMEOUT,
    "slow_drip": TIMEOUT,
    "slow_headers": TIMEOUT,
    "stalls_mid_body": TIMEOUT,
    "slow_chunks": TIMEOUT,
    # status
    "unauthorized_401": BLOCKED,
    "payment_required_402": BLOCKED,
    "forbidden_403": BLOCKED,
    "not_found_404": GONE,
    "not_acceptable_406": ERROR,
    "gone_410": GONE,
    "rate_limited_bare": RATE_LIMITED,
    "legal_451": BLOCKED,
    "server_error_500": ERROR,
    "bad_gateway_502": ERROR,
    "unavailable_bare": ERROR,
    "gateway_timeout_504": ERROR,
    "rate_limited_seconds": RATE_LIMITED,
    "rate_limited_date": RATE_LIMITED,
    "unavailable_seconds": RATE_LIMITED,
    "unavailable_date": RATE_LIMITED,
    "rate_limited_nonsense": RATE_LIMITED,
    "server_error_burst": ERROR,
    "no_content_204": EMPTY,
    "partial_206": ERROR,
    "status_999": ERROR,
    "not_modified_unasked": ERROR,
    "etag_always_fresh": TRUTH,
    # connection
    "reset_before_answer": ERROR,
    "reset_mid_headers": ERROR,
    "reset_mid_body": ERROR,
    "closes_without_answer": ERROR,
    "truncated_body": ERROR,
    "truncated_gzip": ERROR,
    "garbage_bytes": ERROR,
    "speaks_tls": ERROR,
    "speaks_ssh": ERROR,
    "body_without_head": ERROR,
    "wrong_http_version": ERROR,
    "bad_chunk_size": ERROR,
    "short_chunk": ERROR,
    "unfinished_chunks": ERROR,
    "conflicting_lengths": ERROR,
    "negative_length": ERROR,
    "length_and_chunked": ERROR,
    # headers
    "giant_header": ERROR,
    "many_headers": ERROR,
    "endless_headers": ERROR,
    "early_hints_flood": ERROR,
    "endless_continue": ERROR,
    "set_cookie_flood": ERROR,
    "nul_in_header": ERROR,
    "header_without_colon": ERROR,
    # size
    "gzip_bomb": TOO_LARGE,
    "deflate_bomb": TOO_LARGE,
    "brotli_bomb": TOO_LARGE,
    "zstd_bomb": ERROR,  # a coding we never offered to read
    "nested_gzip_bomb": TOO_LARGE,
    "huge_body_declared": TOO_LARGE,
    "endless_body": TOO_LARGE,
    "endless_chunks": TOO_LARGE,
    "tiny_chunks": ERROR,
    # content
    "empty_body": EMPTY,
    "blank_body": EMPTY,
    "empty_document": EMPTY,
    "nul_bytes": NOT_PARSABLE,
    "deep_nesting": TRUTH,  # the product is cut out of the bytes; nobody builds that tree
    "deep_json_ld": TRUTH,
    "wrong_charset": TRUTH,
    "unknown_charset": TRUTH,
    "invalid_utf8": NOT_PARSABLE,
    "lying_content_type": TRUTH,
    "no_content_type": TRUTH,
    "pdf_as_html": NOT_PARSABLE,
    "json_as_html": CHANGED,
    "says_gzip_is_plain": ERROR,
    "gzip_of_gzip": TRUTH,
    "gzip_twice_said_once": NOT_PARSABLE,
    "unknown_encoding": ERROR,
    "corrupt_gzip": ERROR,
    # blocked
    "challenge_200": BLOCKED,
    "challenge_403": BLOCKED,
    "challenge_503": BLOCKED,
    "captcha_200": BLOCKED,
    "captcha_403": BLOCKED,
    "access_denied_403": BLOCKED,
    "login_wall_200": BLOCKED,
    "maintenance_200": ERROR,
    # drift
    "json_ld_removed": TRUTH,
    "classes_renamed": CHANGED,
    "redesigned": CHANGED,
    "json_ld_malformed": TRUTH,
    "json_ld_all_malformed": TRUTH,
    "price_zero": ("quarantined", "zero_price_extracted"),
    "prices_disagree": ("quarantined", "ambiguous_price"),
    "currency_changed": TRUTH,  # the truth is now in euros
    "stock_unknown": ("dropped", "unknown_availability"),
    # redirects
    "redirect_chain": ERROR,
    "redirect_loop": ERROR,
    "redirect_ping_pong": ERROR,
    "redirect_cross_host": REFUSED,
    "redirect_to_https": NO_RULES,
    "redirect_relative": TRUTH,
    "redirect_scheme_relative": REFUSED,
    "redirect_to_home": ("failed", "listing_page"),
    "session_dropped": ("failed", "listing_page"),
    "redirect_to_loopback": REFUSED,
    "redirect_to_private": REFUSED,
    "redirect_to_metadata": REFUSED,
    "redirect_to_data": REFUSED,
    "redirect_to_file": REFUSED,
    "redirect_to_javascript": REFUSED,
    "redirect_to_ftp": REFUSED,
    "redirect_malformed": REFUSED,
    "redirect_with_password": REFUSED,
    "redirect_nowhere": ERROR,
    "redirect_giant_location": ERROR,
    "refresh_header": CHANGED,
    "meta_refresh": EMPTY,
    # robots
    "robots_allow_all": TRUTH,
    "robots_deny_all": DISALLOWED,
    "robots_empty": TRUTH,
    "robots_401": NO_RULES,
    "robots_403": NO_RULES,
    "robots_404": TRUTH,
    "robots_410": TRUTH,
    "robots_429": NO_RULES,
    "robots_500": NO_RULES,
    "robots_503": NO_RULES,
    "robots_deny_path": DISALLOWED,
    "robots_deny_agent": DISALLOWED,
    "robots_crawl_delay": TRUTH,
    "robots_timeout": NO_RULES,
    "robots_reset": NO_RULES,
    "robots_huge": DISALLOWED,
    "robots_endless": NO_RULES,
    "robots_redirect": DISALLOWED,
    "robots_redirect_loop": NO_RULES,
    "robots_bom": DISALLOWED,
    "robots_html": TRUTH,  # RFC 9309: what cannot be read as rules is none
    "robots_wrong_charset": DISALLOWED,
}

# Only our own patience ends these.
ENDED_BY_PATIENCE = [name for name, ending in EXPECTED.items() if ending == TIMEOUT] + [
    "robots_timeout",
    "redirect_to_https",
]
ENDED_OTHERWISE = [name for name in EXPECTED if name not in ENDED_BY_PATIENCE]
AVAILABILITY = {
    "InStock": "in_stock",
    "OutOfStock": "out_of_stock",
    "Discontinued": "out_of_stock",
    "BackOrder": "backorder",
    "PreOrder": "backorder",
}


def record_of(truth) -> dict[str, object]:
    """What must be stored of a product the shop describes so."""
    return {
        "price_cents": truth["price_cents"],
        "currency": truth["currency"],
        "availability": AVAILABILITY[truth["availability"]],
        "title": truth["name"].replace(" - ", " – "),
        "sku": truth["sku"],
    }


def family_of(name: str) -> str:
    return TABLE[name].act.__module__.rpartition(".")[2]


def switch_on(hostile, names, *, patience: float, count: int = 1, **options):
    """Give every behaviour a domain of its own."""
    paths = hostile.origin.paths(count)
    domains = [hostile.domain(name, paths, patience=patience, **options) for name in names]
    for domain in domains:
        hostile.origin.set_fault(domain.name, domain)
    return domains


@pytest.fixture(scope="module")
def origin_visits() -> dict[str, int]:
    """How often the origin was asked during the walks below, by host."""
    return {}


@pytest.fixture(scope="module")
def walks(hostile, origin_visits):
    """Two walks over every behaviour: those only our patience ends, and all the others side by side."""
    found = {}
    for label, names, patience in (
        ("patience", ENDED_BY_PATIENCE, IMPATIENT),
        ("otherwise", ENDED_OTHERWISE, 15.0),
    ):
        hostile.origin.forget()
        walk = hostile.walk(label, switch_on(hostile, names, patience=patience))
        if label == "patience" and not all(is_in_time(walk.the(name), patience) for name in names):
            # A machine that was busy elsewhere proves nothing; being late twice does.
            hostile.origin.forget()
            walk = hostile.walk("patience-again", switch_on(hostile, names, patience=patience))
        origin_visits.update(hostile.origin.visits())
        found.update(dict.fromkeys(names, (walk, patience)))
    return found


def is_in_time(ending, patience: float) -> bool:
    return max((*ending.request_ms, 0.0)) <= (patience + GRACE) * 1000


# -- the table ---------------------------------------------------------------------------------------------


def test_every_behaviour_has_an_expected_ending_and_every_ending_a_behaviour() -> None:
    assert EXPECTED.keys() == BEHAVIOURS.keys()


def test_the_page_on_reliability_promises_what_is_tested_here() -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| `(\w+)`(?: `(\w+)`)? \|$", DOCS.read_text(), re.MULTILINE)

    promised = {name: (outcome, reason or None) for name, outcome, reason in rows}

    assert promised == EXPECTED


# -- the right word, in time -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXPECTED)
def test_it_ends_in_the_right_word(walks, name: str) -> None:
    ending = walks[name][0].the(name)

    assert (ending.outcome, ending.reason) == EXPECTED[name], ending.details


@pytest.mark.parametrize("name", [name for name, ending in EXPECTED.items() if ending == TRUTH])
def test_what_succeeds_is_the_truth(walks, hostile, name: str) -> None:
    ending = walks[name][0].the(name)
    currency = "EUR" if name == "currency_changed" else "USD"

    assert ending.record == record_of(hostile.origin.truth(ending.path)) | {"currency": currency}


@pytest.mark.parametrize("name", [name for name, ending in EXPECTED.items() if ending != TRUTH])
def test_what_does_not_succeed_leaves_no_price(walks, name: str) -> None:
    assert walks[name][0].the(name).record is None


@pytest.mark.parametrize("name", EXPECTED)
def test_no_request_outlives_its_deadline(walks, name: str) -> None:
    walk, patience = walks[name]

    assert is_in_time(walk.the(name), patience), walk.the(name)


@pytest.mark.parametrize("name", ENDED_BY_PATIENCE)
def test_a_server_that_only_patience_ends_costs_one_deadline(walks, name: str) -> None:
    (attempt_ms,) = walks[name][0].the(name).attempt_ms

    assert attempt_ms <= (IMPATIENT + GRACE) * 1000


def test_the_ledger_balances_after_all_of_it(walks) -> None:
    assert all(walk.is_sound for walk, _ in walks.values())


def test_the_origin_was_asked_exactly_as_often_as_we_wrote_down(walks, hostile, origin_visits) -> None:
    noted = {}
    for walk, _ in walks.values():
        noted.update(walk.requests())
    # What we say to an https that is none never becomes a request there.
    noted[hostile.domain("redirect_to_https", ()).host] -= 1

    assert noted == origin_visits


# -- never the wrong data ----------------------------------------------------------------------------------


def test_no_damage_to_any_kind_of_page_makes_us_store_what_the_shop_did_not_say(motley) -> None:
    damaging = [
        name for name in EXPECTED if family_of(name) in ("content", "drift") and name != "currency_changed"
    ]
    domains = switch_on(motley, damaging, patience=60.0, count=30)
    for name in (
        "deep_nesting",
        "deep_json_ld",
    ):  # as deep as it takes, and no slower to make than the others
        motley.origin.set_fault(name, motley.domain(name, ()), options={"depth": 2_000})

    walk = motley.walk("damaged", domains)

    truths = {path: record_of(motley.origin.truth(path)) for path in domains[0].paths}
    stored = [
        (ending.path, ending.record) for name in damaging for ending in walk.endings[name] if ending.record
    ]
    assert [(path, record) for path, record in stored if record != truths[path]] == []
    assert len(stored) > 100


# -- where a redirect may not lead -------------------------------------------------------------------------


class Canary:
    """Listens where nobody may come, and counts who does."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.visitors = 0
        self._watch = threading.Thread(target=self._count, daemon=True)
        self._watch.start()

    def _count(self) -> None:
        while True:
            try:
                visitor, _ = self._socket.accept()
            except OSError:
                return
            self.visitors += 1
            visitor.close()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._watch.join(timeout=5)


@pytest.fixture
def canary() -> Iterator[Canary]:
    canary = Canary()
    yield canary
    canary.close()


PLACES = [
    "http://127.0.0.1:{port}/",
    "http://127.1:{port}/",
    "http://0x7f000001:{port}/",
    "http://2130706433:{port}/",
    "http://0177.0.0.1:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://0.0.0.0:{port}/",
    "http://localhost:{port}/",
    "http://localhost.:{port}/",
    "http://elsewhere.localhost:{port}/",
    "//127.0.0.1:{port}/",
    "http://127.0.0.1.nip.io:{port}/",
    "http://①②⑦.⓪.⓪.①:{port}/",
    "http:\\\\127.0.0.1:{port}\\",
    "\thttp://127.0.0.1:{port}/",
]


@pytest.mark.parametrize(
    ("fault", "path", "endings"),
    [
        ("redirect_to_loopback", None, {REFUSED}),
        ("redirect_to_private", "/robots.txt", {REFUSED, NO_RULES}),
        ("refresh_header", None, {CHANGED}),
        ("meta_refresh", None, {EMPTY, CHANGED}),
    ],
)
def test_nobody_is_led_to_our_own_machine(hostile, canary, fault, path, endings) -> None:
    hostile.origin.forget()
    places = [place.format(port=canary.port) for place in PLACES]
    domains = [hostile.domain(f"lead_{number}", hostile.origin.paths(1)) for number in range(len(places))]
    for domain, place in zip(domains, places, strict=True):
        hostile.origin.set_fault(fault, domain, path=path, options={"to": place})

    walk = hostile.walk(f"canary-{fault}", domains)

    found = {(walk.the(domain.name).outcome, walk.the(domain.name).reason) for domain in domains}
    assert found <= endings
    assert canary.visitors == 0


# -- at nobody else's expense ------------------------------------------------------------------------------


def test_memory_stays_bounded_whatever_comes_that_is_too_big(hostile) -> None:
    hostile.origin.forget()
    bulky = [name for name in EXPECTED if family_of(name) in ("size", "headers")]
    bulky += ["deep_nesting", "deep_json_ld", "robots_huge", "robots_endless", "redirect_giant_location"]
    healthy = hostile.domain("healthy", hostile.origin.paths(60))
    # Several times each: what one leaves behind must not wait for the next collection of garbage.
    domains = switch_on(hostile, bulky, patience=10.0, count=6, max_bytes=10 * 1024 * 1024)

    before, in_turn, at_once = hostile.peak_memory([healthy, *domains], warm_up="healthy")

    assert in_turn - before < MOST_GROWTH_MIB
    assert at_once - before < MOST_GROWTH_MIB + A_BODY_MORE_MIB


def test_a_failure_is_forgotten_without_the_garbage_collector(hostile) -> None:
    hostile.origin.forget()
    failing = [
        "endless_body",
        "tiny_chunks",
        "truncated_body",
        "not_found_404",
        "redirect_loop",
        "robots_endless",
    ]
    domains = switch_on(hostile, failing, patience=15.0)
    gc.collect()
    gc.disable()

    hostile.walk("forgotten", domains)
    remembered = [each for each in gc.get_objects() if isinstance(each, FetchError)]

    gc.enable()
    assert remembered == []


def test_a_healthy_domain_is_not_held_up_by_all_the_others(hostile) -> None:
    hostile.origin.forget()
    others = switch_on(hostile, ENDED_OTHERWISE, patience=15.0) + switch_on(
        hostile, ENDED_BY_PATIENCE, patience=4.0
    )
    healthy = hostile.domain("healthy", hostile.origin.paths(60))

    walk = hostile.walk("isolation", [*others, healthy])

    assert {ending.outcome for ending in walk.endings["healthy"]} == {"succeeded"}
    assert healthy.host not in walk.held
    assert last_end(walk, ["healthy"]) < last_end(walk, ENDED_BY_PATIENCE)


def test_a_healthy_domain_finds_a_place_beside_a_crowd_that_never_answers(hostile) -> None:
    hostile.origin.forget()
    crowd = [
        hostile.domain(f"silent_{number}", hostile.origin.paths(1), patience=6.0) for number in range(100)
    ]
    for domain in crowd:
        hostile.origin.set_fault("never_answers", domain)
    healthy = hostile.domain("healthy", hostile.origin.paths(60))

    walk = hostile.walk("crowd", [*crowd, healthy])

    assert {walk.the(domain.name).reason for domain in crowd} == {"timeout"}
    assert {ending.outcome for ending in walk.endings["healthy"]} == {"succeeded"}
    first_page = min(ending.ended_at for ending in walk.endings["healthy"])
    assert first_page < min(walk.the(domain.name).ended_at for domain in crowd)


def last_end(walk, names) -> str:
    return max(ending.ended_at for name in names for ending in walk.endings[name])
