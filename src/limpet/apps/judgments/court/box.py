"""Box's addresses: signed, short-lived, and only ever at hosts we know to be Box's."""

from __future__ import annotations

from urllib.parse import quote

from limpet.apps.judgments.court.ajax import Handed
from limpet.apps.judgments.errors import InvalidBoxUrl
from limpet.apps.judgments.options import Options
from limpet.errors import BadAddress
from limpet.source import Source
from limpet.target.address import WebAddress, parse_address

_BOX = "api.box.com"
_BOX_BELOW = (".boxcloud.com",)


def signed_url(handed: Handed, source: Source, options: Options) -> str:
    """Return the address to fetch, or raise InvalidBoxUrl; the message never holds what was signed."""
    url = _with_token(handed, options) if handed.access_token else handed.address
    try:
        address = parse_address(url)
    except BadAddress as wrong:
        raise InvalidBoxUrl("The desk handed out something that is no address.") from wrong
    if address.scheme != "https" and not source.http_only:
        raise InvalidBoxUrl(f"The desk handed out an address at {address.host} without encryption.")
    if not is_box(address, options):
        raise InvalidBoxUrl(
            f"The desk handed out an address at {address.host}, which is not Box.",
            fix="If Box has a new host, add it to the source's hosts and to options.box_hosts.",
        )
    return address.href


def is_box(address: WebAddress, options: Options) -> bool:
    """Whether the host is Box's, or one the configuration names as such."""
    host = address.host.lower()
    return host == _BOX or host.endswith(_BOX_BELOW) or host in options.box_hosts


def _with_token(handed: Handed, options: Options) -> str:
    if not handed.address.isdecimal():
        raise InvalidBoxUrl("The desk handed out a file number that is none.")
    token = quote(handed.access_token or "", safe="")
    return f"{options.box_api.rstrip('/')}/2.0/files/{handed.address}/content?access_token={token}"
