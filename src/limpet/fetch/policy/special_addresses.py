"""Which IPs a stranger's address may lead to: the IANA special-purpose registries, as one question."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

# https://www.iana.org/assignments/iana-ipv4-special-registry, but for the blocks that are globally reachable.
_FORBIDDEN_V4 = [
    (IPv4Network(block), why)
    for block, why in (
        ("0.0.0.0/8", "this host"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared by a carrier (CGNAT)"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "a cloud's own control address"),  # public by number, answered inside Azure
        ("169.254.0.0/16", "link-local, where clouds keep their metadata"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved for protocols"),
        ("192.0.2.0/24", "for documentation"),
        ("192.88.99.0/24", "a retired 6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "for benchmarks"),
        ("198.51.100.0/24", "for documentation"),
        ("203.0.113.0/24", "for documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved or broadcast"),
    )
]
# https://www.iana.org/assignments/iana-ipv6-special-registry; what is not in 2000::/3 is refused anyway.
_FORBIDDEN_V6 = [
    (IPv6Network(block), why)
    for block, why in (
        ("::/128", "this host"),
        ("::1/128", "loopback"),
        ("::ffff:0:0/96", "an IPv4 address in disguise"),
        ("::/96", "an IPv4 address in disguise"),
        ("64:ff9b:1::/48", "a local translation to IPv4"),
        ("100::/64", "discarded"),
        ("2001::/23", "reserved for protocols, Teredo among them"),
        ("2001:db8::/32", "for documentation"),
        ("2002::/16", "6to4, an IPv4 address in disguise"),
        ("3fff::/20", "for documentation"),
        ("fc00::/7", "private (unique local)"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
]
_GLOBAL_V6 = IPv6Network("2000::/3")
_TRANSLATED_TO_V4 = IPv6Network("64:ff9b::/96")

# What a source on our own machines may be allowed to reach. Metadata and link-local never are.
_OWN_V4 = [IPv4Network(b) for b in ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")]
_OWN_V6 = [IPv6Network(b) for b in ("::1/128", "fc00::/7")]
_NEVER_OWN = frozenset({IPv6Address("fd00:ec2::254"), IPv6Address("fd20:ce::254")})


@lru_cache(maxsize=4_096)
def why_forbidden(ip: str, *, allow_private: bool = False) -> str | None:
    """Return what kind of special address this is, or None when it may be visited."""
    try:
        address = ip_address(ip)
    except ValueError:
        return "not an IP address"
    if isinstance(address, IPv4Address):
        return _why_v4(address, allow_private)
    return _why_v6(address, allow_private)


def _why_v4(address: IPv4Address, allow_private: bool) -> str | None:
    if allow_private and any(address in network for network in _OWN_V4):
        return None
    return next((why for network, why in _FORBIDDEN_V4 if address in network), None)


def _why_v6(address: IPv6Address, allow_private: bool) -> str | None:
    if address.scope_id is not None:
        return "bound to one network interface"
    if allow_private and address not in _NEVER_OWN and any(address in network for network in _OWN_V6):
        return None
    if address in _TRANSLATED_TO_V4:  # networks without IPv4 reach all of it through this prefix
        return _why_v4(IPv4Address(int(address) & 0xFFFFFFFF), False)
    known = next((why for network, why in _FORBIDDEN_V6 if address in network), None)
    return known or (None if address in _GLOBAL_V6 else "outside the global internet")
