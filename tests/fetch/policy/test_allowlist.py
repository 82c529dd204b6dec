from __future__ import annotations

from pathlib import Path

import pytest

from limpet.errors import AddressForbidden, BadAddress
from limpet.fetch.policy.allowlist import check_address, check_host_allowed, check_source_address
from limpet.source import Source

_LINES = (Path(__file__).parent / "forbidden_addresses.txt").read_text("ascii").splitlines()
FORBIDDEN = [line.encode().decode("unicode_escape") for line in _LINES if line and not line.startswith("#")]
SHOP = Source(id="shop", app="prices", site="woo", hosts=("shop.example.com", "*.cdn.example.com"))


def test_the_table_is_as_long_as_promised() -> None:
    assert len(set(FORBIDDEN)) >= 150


@pytest.mark.parametrize("url", FORBIDDEN, ids=ascii)
def test_no_spelling_of_a_forbidden_address_passes(url: str) -> None:
    with pytest.raises((AddressForbidden, BadAddress)) as refusal:
        check_address(url)

    assert str(refusal.value).endswith(".")
    assert "secret" not in str(refusal.value)
    assert refusal.value.code in ("gate.address", "address.malformed")


@pytest.mark.parametrize(
    ("url", "dialled"),
    [
        ("https://example.com", "https://example.com/"),
        ("HTTPS://Example.COM./a#b", "https://example.com/a"),
        ("https://example.com:8443/a?b=c", "https://example.com:8443/a?b=c"),
        ("http://1.1.1.1/", "http://1.1.1.1/"),
        ("http://0x08080808/", "http://8.8.8.8/"),
        ("https://[2606:4700::1111]/", "https://[2606:4700::1111]/"),
        ("https://[64:ff9b::808:808]/", "https://[64:ff9b::808:808]/"),
        ("https://172.32.0.1/", "https://172.32.0.1/"),
        ("https://100.128.0.1/", "https://100.128.0.1/"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://localhost.example.com/", "https://localhost.example.com/"),
        ("https://notlvh.me/", "https://notlvh.me/"),
        ("https://example.com\\@127.0.0.1/", "https://example.com/@127.0.0.1/"),
        ("https://example.com/\t@127.0.0.1/", "https://example.com/@127.0.0.1/"),
        ("https://example.com?@127.0.0.1/", "https://example.com/?@127.0.0.1/"),
        ("https://example.com/a/../b/%2e%2E/c d", "https://example.com/c%20d"),
        ("https://example.com/'\"<>é", "https://example.com/'%22%3C%3E%C3%A9"),
    ],
)
def test_a_public_address_is_answered_in_the_spelling_to_dial(url: str, dialled: str) -> None:
    first, again = check_address(url), check_address(url)

    assert first == again == dialled


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000/",
        "http://[::1]:8000/",
        "http://10.1.2.3/",
        "http://192.168.1.9/",
        "http://[fd12::1]/",
        "http://shop.tidepool.localhost:8000/a",
        "http://localhost/",
        "http://nas/",
        "http://db.internal/",
    ],
)
def test_our_own_machines_open_only_to_those_who_may(url: str) -> None:
    assert check_address(url, allow_private=True) == url

    with pytest.raises(AddressForbidden):
        check_address(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/",
        "http://[fd00:ec2::254]/",
        "http://[fe80::1]/",
        "http://0.0.0.0/",
        "http://[::ffff:127.0.0.1]/",
        "http://224.0.0.1/",
        "http://100.100.100.200/",
        "http://168.63.129.16/",
        "http://127.0.0.1:22/",
        "http://127.0.0.1.nip.io/",
        "http://user@127.0.0.1/",
        "file:///etc/passwd",
    ],
)
def test_metadata_and_disguises_stay_shut_even_for_them(url: str) -> None:
    with pytest.raises((AddressForbidden, BadAddress)):
        check_address(url, allow_private=True)


def test_a_source_visits_only_its_own_hosts() -> None:
    assert check_source_address(SHOP, "https://shop.example.com/a") == "https://shop.example.com/a"
    check_host_allowed(SHOP, "img.cdn.example.com")

    for stranger in ("example.com", "evil-shop.example.com", "cdn.example.com", "shop.example.com.evil.net"):
        with pytest.raises(AddressForbidden, match="shop"):
            check_source_address(SHOP, f"https://{stranger}/")


def test_having_passed_once_opens_nothing_else() -> None:
    check_address("http://127.0.0.1:8000/", allow_private=True)
    check_address("https://example.com/")

    for url in ("http://127.0.0.1:8000/", "https://example.com:22/", "https://example.com@127.0.0.1/"):
        with pytest.raises((AddressForbidden, BadAddress)):
            check_address(url)
