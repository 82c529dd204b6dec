"""The voice: a process of its own that hands one message to Apprise, and can reach no forbidden address.

Apprise brings its own way to the network, redirects and all. Here every name it looks up and every address it dials
passes the same judgement as a page would; whatever it does, it ends with the process.
"""

from __future__ import annotations

import json
import logging
import socket
import sys
from typing import Any

from limpet.fetch.policy.special_addresses import why_forbidden


class Refusal(OSError):
    """An address we do not dial."""


def main() -> int:
    """Read one message from stdin, send it, and say on stdout how that went."""
    asked = json.load(sys.stdin)
    stand_guard(allow_private=bool(asked["allow_private"]))
    error = speak(asked["url"], title=asked["title"], body=asked["body"], kind=asked["kind"])
    json.dump({"error": error}, sys.stdout)
    return 0


def stand_guard(*, allow_private: bool) -> None:
    """Let this process reach nothing but public addresses, or our own networks when that is allowed."""
    look_up, connect = socket.getaddrinfo, socket.socket.connect

    def check(ip: str) -> None:
        why = why_forbidden(ip, allow_private=allow_private)
        if why is not None:
            _refused.append(f"{ip} is {why}: set LIMPET_ALERT_PRIVATE_ADDRESSES=true if it is yours")
            raise Refusal(_refused[-1])

    def guarded_look_up(*args: Any, **kwargs: Any) -> Any:
        found = look_up(*args, **kwargs)
        for answer in found:
            check(str(answer[4][0]))
        return found

    def guarded_connect(self: socket.socket, address: Any) -> None:
        # A name would be looked up behind our back; whoever asked getaddrinfo first comes with a number.
        if isinstance(address, tuple):
            check(str(address[0]))
        connect(self, address)

    socket.getaddrinfo = guarded_look_up
    socket.socket.connect = guarded_connect  # type: ignore[method-assign,assignment]


_refused: list[str] = []


class _Ear(logging.Handler):
    """Keeps what the library says about itself: the only word there is when a message is not taken."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


def speak(url: str, *, title: str, body: str, kind: str) -> str | None:
    """Send it; return None when it arrived, otherwise what is known about why not."""
    import apprise  # noqa: PLC0415 - a heavy library, and the guard must stand before it

    ear = _Ear()
    logging.getLogger("apprise").addHandler(ear)
    speaker = apprise.Apprise()
    if not speaker.add(url):
        return "this is no address Apprise understands"
    if speaker.notify(body=body, title=title, notify_type=kind):
        return None
    return (_refused or ear.said or ["it was not taken, and nobody said why"])[-1]


if __name__ == "__main__":
    sys.exit(main())
