"""Addresses: one spelling per page, and the domain whose budget a visit is charged to."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from urllib.parse import quote_from_bytes, unquote_to_bytes

from ada_url import URL, normalize_url
from msgspec import Struct
from publicsuffixlist import PublicSuffixList

from limpet.errors import BadAddress

LONGEST_ADDRESS = 8_192
_LONGEST_PLAIN = 32  # hosts, file numbers and names are shorter, signatures longer

_TRACKING_NAMES = frozenset({"fbclid", "gclid", "ref", "source", "campaign"})
_NO_NAME = re.compile(r"[\s/?#@\\\[\]<>^|%]")

# RFC 3986 unreserved characters mean the same encoded or not; everything else keeps the form it came in.
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PATH_PIECE = re.compile(r"%([0-9A-Fa-f]{2})|([^A-Za-z0-9\-._~!$&'()*+,;=:@/])")
# Inside a form-encoded value these have no meaning of their own, so they are written plainly.
_PLAIN_IN_QUERY = "!$()*,:@/?"


# The parts of an address the WHATWG parser has written out: its spelling leaves no room for a second reading.
_NORMAL = re.compile(r"(https?)://(?:([^@/?#]*)@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d+))?([^?#]*)(?:\?([^#]*))?")


# An origin, then a path and a query the parser would leave as they are: no dots that climb, nothing to encode.
_PLAIN = re.compile(
    r"(https?://[^/?#\\\s]+)((?:/[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*)+)(?:\?([\w.~!$&()*+,;=:@/-]+))?",
    re.ASCII,
)


class WebAddress(Struct, frozen=True):
    """An http(s) address as the WHATWG URL standard reads it; `host` keeps the brackets of IPv6."""

    scheme: str
    host: str
    port: int | None  # None when it is the scheme's own
    path: str
    query: str  # without its question mark
    href: str  # the whole, without fragment; dial this spelling and no other
    is_ip: bool

    @property
    def origin(self) -> str:
        """Scheme, host and port: what robots.txt and cookies belong to."""
        return f"{self.scheme}://{self.host}" + (f":{self.port}" if self.port is not None else "")


@lru_cache(maxsize=1_024)  # each gate asks about the same address within a moment
def parse_address(url: str) -> WebAddress:
    """Return the parts of an http(s) address, or raise BadAddress saying what is wrong with it."""
    plain = _PLAIN.fullmatch(url) if len(url) <= LONGEST_ADDRESS else None
    base = _origin_of(plain[1]) if plain is not None else None
    if plain is None or base is None:
        return _read_by_the_standard(url)
    path, query = plain[2], plain[3] or ""
    href = f"{base.href[:-1]}{path}" + (f"?{query}" if query else "")
    return WebAddress(base.scheme, base.host, base.port, path, query, href, base.is_ip)


@lru_cache(
    maxsize=1_024
)  # thousands of addresses have a few origins, and reading one takes five times as long
def _origin_of(origin: str) -> WebAddress | None:
    try:
        return _read_by_the_standard(f"{origin}/")
    except BadAddress:
        return None  # whoever complains shall show the whole address


def _read_by_the_standard(url: str) -> WebAddress:
    if len(url) > LONGEST_ADDRESS:
        raise BadAddress(
            f"The address {shown(url)} is {len(url):,} characters long; {LONGEST_ADDRESS:,} is the most."
        )
    try:
        href = normalize_url(url)
    except ValueError as exc:  # also lone surrogates, which cannot be encoded
        raise BadAddress(
            f"The address {shown(url)} cannot be read.", fix="Write it in full, as in https://host/path."
        ) from exc
    parts = _NORMAL.match(href)
    if parts is None:
        raise BadAddress(
            f"The address {shown(url)} is not http or https.", fix="Only web pages can be visited: https://…"
        )
    scheme, user, host, port_text, path, query = parts.groups("")
    if user:
        raise BadAddress(
            f"The address {shown(url)} carries a user name or password.",
            fix="Remove the part before the @; credentials belong in the source's headers.",
        )
    is_ip = host.startswith("[") or host.rpartition(".")[2].isdigit()
    host = host if is_ip else _checked_name(host, url)
    port = int(port_text) if port_text else None
    origin = f"{scheme}://{host}" + (f":{port_text}" if port_text else "")
    return WebAddress(scheme, host, port, path, query, origin + path + (f"?{query}" if query else ""), is_ip)


def join(base: str, location: str) -> str:
    """Return where a link or a Location header leads from the page it stands on, or raise BadAddress."""
    if location.startswith(("https://", "http://")):
        return parse_address(location).href  # whole by itself: the page it stands on has no say
    try:
        return parse_address(str(URL(location, base=base).href)).href
    except ValueError as exc:
        raise BadAddress(f"The link {shown(location)} leads nowhere.") from exc


def _checked_name(host: str, url: str) -> str:
    """Return the host without the dot of a fully qualified name, or raise when it is no name at all."""
    name = host.removesuffix(".")
    labels = name.split(".")
    if len(name) > 253 or any(not label or len(label) > 63 for label in labels):
        raise BadAddress(
            f"The address {shown(url)} has no usable host name.", fix="Check the part between // and /."
        )
    return name


def shown(url: str) -> str:
    """Return the address fit for logs and messages: no credentials, no query, no control characters."""
    bare = re.split(r"[?#]", url, maxsplit=1)[0]
    head, slashes, rest = bare.partition("//")
    authority, slash, path = rest.partition("/")
    text = head + slashes + authority.rpartition("@")[2] + slash + path
    if "@" in head:  # no slashes at all, as in user:secret@host
        text = head.rpartition("@")[2] + slashes + rest
    return ascii(text if len(text) <= 120 else text[:117] + "...")


def without_secret(url: str) -> str:
    """Return a signed address fit for the ledger: no query, and no long piece of its path, which may be signed too."""
    head, slashes, rest = re.split(r"[?#]", url, maxsplit=1)[0].partition("//")
    return head + slashes + "/".join(part if len(part) <= _LONGEST_PLAIN else "…" for part in rest.split("/"))


def canonicalize(url: str, *, http_only: bool = False) -> str:
    """Return the one spelling of this page's address, or raise BadAddress.

    http becomes https unless `http_only`, or unless the address names its port: behind a port stands one
    service that speaks one of the two, and https://host:8080 would be another address, not a better spelling.
    A parameter without a value is dropped whether or not it has its equals sign.
    """
    address = parse_address(url.strip())
    scheme = "https" if address.port is None and not http_only else address.scheme
    authority = address.host + (f":{address.port}" if address.port is not None else "")
    path = _PATH_PIECE.sub(_normal_piece, address.path).rstrip("/") or "/"
    query = _canonical_query(address.query)
    return f"{scheme}://{authority}{path}" + (f"?{query}" if query else "")


def _normal_piece(match: re.Match[str]) -> str:
    """Write one character of a path: plain when unreserved, else percent-encoded in upper case."""
    digits, stray = match.groups()
    if stray is not None:
        return quote_from_bytes(stray.encode(), safe="")
    octet = int(digits, 16)
    return chr(octet) if octet in _UNRESERVED else f"%{octet:02X}"


def _canonical_query(query: str) -> str:
    """Sort parameters by name, keeping the order of equal names; drop trackers and empty ones."""
    kept: list[tuple[str, str]] = []
    for piece in query.split("&"):
        name, _, value = piece.partition("=")
        if name and value and not _is_tracking(name := _normal_text(name)):
            kept.append((name, _normal_text(value)))
    kept.sort(key=lambda pair: pair[0])
    return "&".join(f"{name}={value}" for name, value in kept)


def _is_tracking(name: str) -> bool:
    lowered = name.lower()
    return lowered.startswith("utm_") or lowered in _TRACKING_NAMES


def _normal_text(text: str) -> str:
    """Decode form encoding and encode it again in one way; bytes that are not UTF-8 survive as they are."""
    octets = unquote_to_bytes(text.replace("+", " "))
    return quote_from_bytes(octets, safe=_PLAIN_IN_QUERY).replace("%20", "+")


# -- domains -------------------------------------------------------------------------------------------------


@cache
def _suffixes() -> PublicSuffixList:
    """The list of thousands of names, read when the first host is asked about and not before."""
    return PublicSuffixList()


@lru_cache(maxsize=16_384)
def registrable_domain(host: str) -> str | None:
    """Return the name its owner registered (example.co.uk); None for IPs, single labels and public suffixes.

    Names that different people hold below a shared suffix (someone.github.io) are different domains.
    Unicode and punycode are answered in the spelling they were asked in.
    """
    name = re.sub(r"[。．｡]", ".", host).strip().lower().removesuffix(".")
    if _NO_NAME.search(name) or any(not label for label in name.split(".")) or _is_numeric(name):
        return None
    domain: str | None = _suffixes().privatesuffix(name)
    return domain


def _is_numeric(name: str) -> bool:
    """True for IP literals: a name can hold no colon, and its last label is never a number (WHATWG)."""
    last = name.rpartition(".")[2]
    return ":" in name or last.isdigit() or re.fullmatch(r"0x[0-9a-f]*", last) is not None


@lru_cache(maxsize=16_384)
def lane_of_host(host: str) -> str:
    """Return the lane a host's requests are charged to: its registrable domain, else the host itself.

    Names under .localhost are each a lane: nobody registers them, and two pretend sites are two domains.
    """
    name = host.lower().rstrip(".")
    if name.endswith(".localhost"):
        return name
    return registrable_domain(name) or name


def lane_of(url: str) -> str:
    """Return the lane of an address; ports share it, because they share the machine behind the name."""
    return lane_of_host(parse_address(url).host)


@lru_cache(maxsize=16_384)
def lane_of_origin(origin: str) -> str:
    """Return the lane of `https://host:port`; every request asks, and origins are few."""
    return lane_of(origin)
