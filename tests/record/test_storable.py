from __future__ import annotations

import pytest

from limpet.record.storable import redact_url, storable


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("plain", "plain"),
        ("", ""),
        ("a\x00b", "a␀b"),
        ("naïve – 価格 🎉", "naïve – 価格 🎉"),
        ("naïve\x00", "naïve␀"),
        ("lone \ud800 half", "lone ��� half"),
    ],
)
def test_text_is_made_storable(text: str, kept: str) -> None:
    made = storable(text)

    assert made == kept
    made.encode()


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://box.test/file/1?signature=secret", "https://box.test/file/1"),
        ("https://box.test/file/1#token=secret", "https://box.test/file/1"),
        ("https://box.test/file?a=b#c?d", "https://box.test/file"),
        ("https://me:secret@box.test/file", "https://box.test/file"),
        ("https://box.test:8443/file", "https://box.test:8443/file"),
        ("http://me@[broken/x", "(unreadable address)"),
    ],
)
def test_an_address_keeps_host_and_path_only(url: str, kept: str) -> None:
    assert redact_url(url) == kept
