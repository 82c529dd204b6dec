"""Faults switched by site, path, host, count and chance."""

from __future__ import annotations

import pytest

from tidepool.faults import Switchboard, UnknownFault
from tidepool.site import Request


def asking(path: str, host: str = "shop.tidepool.localhost:80", query: str = "") -> Request:
    return Request("GET", path, query, {"host": host})


def test_a_rule_touches_only_the_paths_of_its_glob() -> None:
    board = Switchboard(7)
    board.set("shop", "gone_410", path="/product/*")

    assert board.pick("shop", asking("/product/a/b/")) is not None
    assert board.pick("shop", asking("/catalog/")) is None
    assert board.pick("court", asking("/product/a/b/")) is None


def test_a_glob_with_a_question_mark_sees_the_query() -> None:
    board = Switchboard(7)
    board.set("shop", "gone_410", path="/a[?]x=1")

    assert board.pick("shop", asking("/a", query="x=1")) is not None
    assert board.pick("shop", asking("/a", query="x=2")) is None


def test_without_a_path_page_faults_spare_robots_and_robots_faults_spare_pages() -> None:
    board = Switchboard(7)
    board.set("shop", "robots_deny_all")
    board.set("shop", "gone_410")

    assert board.pick("shop", asking("/robots.txt")).behaviour.name == "robots_deny_all"
    assert board.pick("shop", asking("/anything")).behaviour.name == "gone_410"


def test_one_host_may_misbehave_while_its_twin_does_not() -> None:
    board = Switchboard(7)
    board.set("shop", "gone_410", host="*.reef.localhost")

    assert board.pick("shop", asking("/", host="shop.reef.localhost:81")) is not None
    assert board.pick("shop", asking("/", host="shop.tidepool.localhost:81")) is None


def test_a_counted_rule_ends_and_older_rules_speak_again() -> None:
    board = Switchboard(7)
    board.set("shop", "latency")
    board.set("shop", "gone_410", times=2)

    picked = [board.pick("shop", asking("/")).behaviour.name for _ in range(4)]

    assert picked == ["gone_410", "gone_410", "latency", "latency"]


def test_chance_repeats_itself_with_the_seed() -> None:
    def fired(seed: int) -> list[bool]:
        board = Switchboard(seed)
        board.set("shop", "gone_410", probability=0.3)
        return [board.pick("shop", asking("/")) is not None for _ in range(300)]

    assert fired(7) == fired(7)
    assert fired(7) != fired(8)
    assert 50 < sum(fired(7)) < 130


def test_clear_takes_one_site_or_all() -> None:
    board = Switchboard(7)
    board.set("shop", "latency")
    board.set("court", "latency")

    board.clear("shop")
    assert [rule.site for rule in board.rules] == ["court"]
    board.clear()
    assert board.rules == []


def test_an_unknown_name_or_option_is_refused_with_a_guess() -> None:
    with pytest.raises(UnknownFault, match="did you mean 'slow_drip'"):
        Switchboard(7).set("shop", "slow_dripp")
    with pytest.raises(UnknownFault, match="it knows seconds"):
        Switchboard(7).set("shop", "slow_drip", options={"pace": 1})
