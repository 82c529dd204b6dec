"""The resolver that looks before the client leaps: the IPs it checked are the IPs that are dialled."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence

from aiohttp.abc import AbstractResolver, ResolveResult

from limpet.errors import AddressForbidden
from limpet.fetch.policy.special_addresses import why_forbidden

Lookup = Callable[[str, socket.AddressFamily], Awaitable[Sequence[str]]]
_NUMERIC = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV


class GuardedResolver(AbstractResolver):
    """Resolves a name once and refuses the whole answer when any IP in it is forbidden.

    A name that answers publicly now and privately a moment later gains nothing: each dial uses the answer
    that was judged for it. Give the connector a short `ttl_dns_cache`; what it caches has passed here.

    Hosts named to `permit_private` may lead to our own machines. The permission is the host's, not one
    request's, so name only the allow-listed hosts of sources that ask for it.
    """

    def __init__(self, *, lookup: Lookup | None = None, private_hosts: Iterable[str] = ()) -> None:
        self._lookup = lookup or look_up
        self._exact: set[str] = set()
        self._suffixes: tuple[str, ...] = ()
        self.permit_private(private_hosts)

    def permit_private(self, hosts: Iterable[str]) -> None:
        """Let these hosts lead to loopback and private networks; `*.name` stands for every name below."""
        names = [host.lower().rstrip(".") for host in hosts]
        self._exact.update(name for name in names if not name.startswith("*."))
        self._suffixes += tuple(name[1:] for name in names if name.startswith("*."))

    def permits_private(self, host: str) -> bool:
        """Whether this host was named to `permit_private`."""
        name = host.lower().rstrip(".")
        return name in self._exact or (bool(self._suffixes) and name.endswith(self._suffixes))

    async def checked_ips(self, host: str, family: socket.AddressFamily = socket.AF_UNSPEC) -> Sequence[str]:
        """Return the IPs of this host, every one of them allowed, or raise AddressForbidden or OSError."""
        name = host.lower().rstrip(".").strip("[]")
        is_permitted = self.permits_private(name)
        ips = _loopback(family) if _is_localhost(name) else await self._lookup(name, family)
        if not ips:
            raise socket.gaierror(socket.EAI_NONAME, f"{name} has no address")
        for ip in ips:
            why = why_forbidden(ip, allow_private=is_permitted)
            if why is not None:
                raise AddressForbidden(
                    f"{name!r} leads to {ip}, which is not a public address: it is {why}.",
                    fix="Only public sites may be visited; check the name, or who answers for it.",
                )
        return ips

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host,
                host=ip,
                port=port,
                family=socket.AF_INET6 if ":" in ip else socket.AF_INET,
                proto=socket.IPPROTO_TCP,
                flags=_NUMERIC,
            )
            for ip in await self.checked_ips(host, family)
        ]

    async def close(self) -> None:
        """Nothing is held open between lookups."""


async def look_up(name: str, family: socket.AddressFamily) -> Sequence[str]:
    """Ask the system for every IP of this name."""
    infos = await asyncio.get_running_loop().getaddrinfo(name, None, family=family, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(_spelled(info[4]) for info in infos))


def _spelled(sockaddr: tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]) -> str:
    """Write the IP with its zone when it has one, so that an interface-bound address is seen as such."""
    ip = str(sockaddr[0])
    return f"{ip}%{sockaddr[3]}" if len(sockaddr) == 4 and sockaddr[3] and "%" not in ip else ip


def _is_localhost(name: str) -> bool:
    """RFC 6761: these names mean loopback everywhere, and are never asked of DNS."""
    return name == "localhost" or name.endswith(".localhost")


def _loopback(family: socket.AddressFamily) -> Sequence[str]:
    if family == socket.AF_INET:
        return ("127.0.0.1",)
    return ("::1",) if family == socket.AF_INET6 else ("127.0.0.1", "::1")
