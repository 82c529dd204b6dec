"""The address gate: what may be visited at all, and what a source may visit.

Names are judged here by their spelling, and by every IP they resolve to in `GuardedResolver`. IP literals are
judged here only, because the HTTP client never resolves them.
"""

from __future__ import annotations

import re

from limpet.errors import AddressForbidden
from limpet.fetch.policy.special_addresses import why_forbidden
from limpet.source import Source
from limpet.target.address import WebAddress, parse_address, shown

# fmt: off
# https://fetch.spec.whatwg.org/#port-blocking: services that may take an HTTP request for one of their own.
_BAD_PORTS = frozenset({
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
    103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512,
    513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719,
    1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679,
    6697, 10080,
})
# Names that only ever mean this machine or this network.
_PRIVATE_SUFFIXES = (
    ".localhost", ".local", ".localdomain", ".internal", ".intranet", ".private", ".corp", ".home",
    ".lan", ".home.arpa", ".svc",
)
# Public names that answer with whatever IP the asker writes into them, or with a cloud's metadata.
_TREACHEROUS_SUFFIXES = (
    ".nip.io", ".sslip.io", ".xip.io", ".xip.name", ".localtest.me", ".lvh.me", ".vcap.me",
    ".lacolhost.com", ".localho.st", ".fuf.me", ".traefik.me", ".local.gd", ".backname.io", ".1u.ms",
    ".rbndr.us", ".spoofed.burpcollaborator.net", ".metadata.goog", ".metadata.tencentyun.com",
    ".ipv6-literal.net",
)
# fmt: on

# An address in its final spelling: what the WHATWG parser would hand back unchanged.
_FINAL_SPELLING = re.compile(r"https?://[^/]+/[A-Za-z0-9\-._~!$&()*+,;=:@/?%]*")
_MOST_REMEMBERED = 4_096
_passed: dict[tuple[str, bool], str] = {}  # (origin, allow_private) -> host


def check_address(url: str, *, allow_private: bool = False) -> str:
    """Return the address as it must be dialled, or raise BadAddress or AddressForbidden.

    Dial the returned spelling and no other: two parsers may find two different hosts in the same text.
    `allow_private` opens loopback and private networks; link-local, metadata and reserved stay shut.
    """
    return _checked(url, allow_private)[0]


def check_host_allowed(source: Source, host: str) -> None:
    """Raise AddressForbidden unless the host is on the source's list."""
    if not source.covers(host):
        raise AddressForbidden(
            f"{host!a} is not one of the hosts source {source.id!r} may visit.",
            fix=f"If it belongs to the site, add it to the hosts of {source.id!r}.",
        )


def check_source_address(source: Source, url: str) -> str:
    """Return the address as it must be dialled for this source, or raise: both gates above in one step."""
    href, host = _checked(url, source.allow_private_addresses)
    check_host_allowed(source, host)
    return href


def _checked(url: str, allow_private: bool) -> tuple[str, str]:
    origin = url[: url.find("/", 8)]
    host = _passed.get((origin, allow_private))
    if host is not None and _is_final_spelling(url):
        return url, host
    address = parse_address(url)
    _check_port(address)
    if address.is_ip:
        _check_ip(address, allow_private)
    else:
        _check_name(address, allow_private)
    if len(_passed) >= _MOST_REMEMBERED:
        _passed.clear()
    _passed[address.origin, allow_private] = address.host
    return address.href, address.host


def _is_final_spelling(url: str) -> bool:
    """True when parsing would change nothing: no fragment, nothing to encode, no dot segments."""
    if _FINAL_SPELLING.fullmatch(url) is None or "/." in url:
        return False
    return "%" not in url or "%2e" not in url.lower()


def _check_port(address: WebAddress) -> None:
    if address.port in _BAD_PORTS:
        raise AddressForbidden(
            f"Port {address.port} of {shown(address.href)} belongs to another service than the web.",
            fix="Use the port the site is served on, usually none at all.",
        )


def _check_ip(address: WebAddress, allow_private: bool) -> None:
    why = why_forbidden(address.host.strip("[]"), allow_private=allow_private)
    if why is not None:
        raise AddressForbidden(
            f"The address {shown(address.href)} is not a public one: {address.host} is {why}.",
            fix="Only public sites may be visited; allow_private_addresses opens your own machines.",
        )


def _check_name(address: WebAddress, allow_private: bool) -> None:
    dotted = "." + address.host
    if dotted.endswith(_TREACHEROUS_SUFFIXES):
        raise AddressForbidden(
            f"The name {address.host!r} answers with addresses inside our own network.",
            fix="Use the site's own name.",
        )
    if not allow_private and ("." not in address.host or dotted.endswith(_PRIVATE_SUFFIXES)):
        raise AddressForbidden(
            f"The name {address.host!r} only exists inside a private network.",
            fix="Use the site's public name; allow_private_addresses opens your own machines.",
        )
