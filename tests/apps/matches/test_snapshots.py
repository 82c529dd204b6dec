"""Checksums and deltas: what changed is told, and who heard all of it knows the whole."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from limpet.apps.matches.snapshot import CachedSnapshot, apply_delta, checksum_of, delta

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
payloads = st.dictionaries(
    st.sampled_from(["score", "toss", "venue", "bowler", "last_event"]),
    st.one_of(
        st.integers(0, 9),
        st.sampled_from(["", "IND", "b"]),
        st.dictionaries(st.sampled_from("ab"), st.integers(0, 9), max_size=2),
    ),
)


def snapshot(number: int, payload: dict[str, object]) -> CachedSnapshot:
    return CachedSnapshot("crex:RE0", "crex", payload, NOON, number, {}, checksum_of(payload))


def test_the_order_of_keys_and_the_teller_are_no_news() -> None:
    one = {"score": {"a": 1, "b": 2}, "venue": "MCG", "domain_id": "crex"}
    other = {"venue": "MCG", "domain_id": "second", "score": {"b": 2, "a": 1}}

    assert checksum_of(one) == checksum_of(other)
    assert checksum_of(one) != checksum_of({**one, "venue": "Perth"})


def test_the_first_delta_is_everything_and_a_later_one_what_changed() -> None:
    first, second = snapshot(1, {"score": 1, "toss": "x"}), snapshot(2, {"score": 2})

    assert delta(None, first) == {"_diff_type": "initial", "_sequence_delta": 1, "score": 1, "toss": "x"}
    assert delta(first, second) == {"_diff_type": "update", "_sequence_delta": 1, "score": 2, "toss": None}


@given(st.lists(payloads, min_size=1, max_size=8))
def test_who_heard_every_delta_holds_the_newest_snapshot(history: list[dict[str, object]]) -> None:
    held: dict[str, object] = {}
    before = None
    for number, payload in enumerate(history, start=1):
        current = snapshot(number, payload)
        held = apply_delta(held, delta(before, current))
        before = current

    assert held == history[-1]
