"""From bytes to a tree, whatever the charset, or a reason why not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.extract import Missing
from limpet.extract.charset import to_utf8
from limpet.extract.document import open_document
from limpet.extract.failure import CannotRead
from limpet.fetch.page import Page

GREETING = "Grüße – 5 €"


def page(body: bytes, content_type: str = "text/html") -> Page:
    return Page(
        url="https://shop.test/",
        final_url="https://shop.test/",
        status=200,
        headers={"content-type": content_type},
        body=body,
        fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (GREETING.encode(), "text/html; charset=utf-8"),
        (GREETING.encode(), "text/html"),
        (GREETING.encode(), "text/html; charset=iso-8859-1"),  # a forgotten header; the bytes know better
        (GREETING.encode("cp1252"), "text/html; charset=windows-1252"),
        (GREETING.encode("cp1252"), "text/html; charset=ISO-8859-1"),
        (GREETING.encode("cp1252"), "text/html; charset=utf-8"),  # mislabelled
        (GREETING.encode(), "text/html; charset=utf-16"),
        (GREETING.encode("cp1252"), "text/html; charset=no-such-thing"),
        (GREETING.encode("cp1252"), "text/html; charset=rot13"),
        (b'<meta charset="windows-1252">' + GREETING.encode("cp1252"), "text/html"),
        (
            b'<meta http-equiv=Content-Type content="text/html; charset=windows-1252">'
            + GREETING.encode("cp1252"),
            "",
        ),
        (GREETING.encode("utf-8-sig"), "text/html; charset=windows-1252"),
        (GREETING.encode("utf-16"), "text/html"),
    ],
)
def test_text_is_decoded_whatever_the_label_says(body: bytes, content_type: str) -> None:
    tree = open_document(page(body, content_type))

    assert tree.body is not None
    assert tree.body.text().strip() == GREETING


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (GREETING.encode() + b" \xff\xfe !", f"{GREETING} \ufffd\ufffd !"),
        (b"\xef\xbb\xbfsound \xff", "sound \ufffd"),
        (b"200 \xff\xfeRound\xc3 Case", "200 \ufffd\ufffdRound\ufffd Case"),
    ],
)
def test_broken_utf8_keeps_its_sound_part_and_shows_the_damage(body: bytes, text: str) -> None:
    tree = open_document(page(body, "text/html; charset=utf-8"))

    assert tree.body is not None
    assert tree.body.text().strip() == text


@given(st.binary(max_size=200), st.text(max_size=30))
def test_no_bytes_and_no_label_crash_the_decoder(body: bytes, content_type: str) -> None:
    to_utf8(body, f"text/html; charset={content_type}").decode("utf-8")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", Missing.EMPTY_PAGE),
        (b" \n\t ", Missing.EMPTY_PAGE),
        (b"%PDF-1.7 ...", Missing.NOT_PARSABLE),
        (b"\x89PNG\r\n", Missing.NOT_PARSABLE),
        (b"<p>5 &#8\x00211; 7</p>", Missing.NOT_PARSABLE),
        (b"<div>" * 100_000 + b"<p class=price>$5</p>", Missing.NOT_PARSABLE),
    ],
)
def test_what_is_no_document_says_why(body: bytes, reason: Missing) -> None:
    with pytest.raises(CannotRead) as failure:
        open_document(page(body))

    assert failure.value.reason is reason
    assert failure.value.details


def test_a_failure_becomes_the_outcome_of_its_page() -> None:
    origin = page(b"")

    outcome = CannotRead(Missing.EMPTY_PAGE, "nothing").about(origin)

    assert (outcome.page, outcome.reason, outcome.details) == (origin, Missing.EMPTY_PAGE, "nothing")
