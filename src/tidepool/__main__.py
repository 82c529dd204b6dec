"""Serve the pretend web as a process of its own: python -m tidepool --port 8081 --seed 7."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from tidepool.faults import TABLE
from tidepool.serve import Tidepool
from tidepool.site import Setup
from tidepool.world import ZONE, World

_SITES = World(Setup(products=1)).sites
SITE_LIST = "\n".join(f"  {f'{name}.{ZONE}':<28} {site.title}" for name, site in _SITES.items())

EXAMPLES = f"""\
sites, by host name on one port (also under any other zone, e.g. shop.reef.localhost):
{SITE_LIST}

faults, time and access log: control.{ZONE}

look around:
  curl -H 'Host: shop.{ZONE}' http://127.0.0.1:8081/sitemap.xml
misbehave for the next 3 product pages, move time, read what the origin saw:
  curl -H 'Host: control.{ZONE}' http://127.0.0.1:8081/faults \\
       -d '{{"site": "shop", "name": "rate_limited_seconds", "path": "/product/*", "times": 3}}'
  curl -H 'Host: control.{ZONE}' http://127.0.0.1:8081/tick -d '{{"advance": 1}}'
  curl -H 'Host: control.{ZONE}' http://127.0.0.1:8081/log
publish 30 judgments, correct 5, withdraw 3; let every nonce expire:
  curl -H 'Host: control.{ZONE}' http://127.0.0.1:8081/acts \\
       -d '{{"site": "court", "act": "move", "with": {{"add": 30, "change": 5, "remove": 3}}}}'
  curl -H 'Host: control.{ZONE}' http://127.0.0.1:8081/acts -d '{{"site": "court", "act": "expire_nonces"}}'
every fault by name:
  python -m tidepool --list-faults
"""


def parser() -> argparse.ArgumentParser:
    """Return the command line, with examples."""
    line = argparse.ArgumentParser(
        prog="tidepool",
        description="A pretend web that behaves like real sites, and misbehaves on request.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    line.add_argument(
        "--port", type=_port, default=8081, help="0 takes a free one and prints it (default 8081)"
    )
    line.add_argument("--bind", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    line.add_argument("--seed", type=int, default=7, help="the same seed invents the same world (default 7)")
    line.add_argument(
        "--products", type=_at_least_one, default=200, help="how many products each shop has (default 200)"
    )
    line.add_argument(
        "--cases", type=_at_least_one, default=2_700, help="how many judgments the court has (default 2700)"
    )
    line.add_argument(
        "--plain", action="store_true", help="only simple products that are in stock, for benches"
    )
    line.add_argument(
        "--page-cache", type=_at_least_one, default=256, help="rendered pages kept ready (default 256)"
    )
    line.add_argument(
        "--heavy-kilobytes",
        type=_at_least_one,
        default=200,
        help="size of a page of the heaviest shop, brown (default 200)",
    )
    line.add_argument(
        "--files",
        type=_at_least_one,
        default=5_600,
        help="the last court number of year 25 at the registry (default 5600)",
    )
    line.add_argument(
        "--matches", type=_at_least_one, default=12, help="how many cricket matches there are (default 12)"
    )
    line.add_argument(
        "--code-book-seconds", type=float, default=2.0, help="how late names come to a live page (default 2)"
    )
    line.add_argument(
        "--tick-seconds", type=float, default=0.0, help="time moves by itself (default: on command)"
    )
    line.add_argument(
        "--access-log", type=Path, help="write every visit to this file, one JSON object a line"
    )
    line.add_argument(
        "--list-faults", action="store_true", help="print every fault with its options, and leave"
    )
    return line


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r}")
    return int(text)


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"give a whole number of 1 or more, not {text!r}")
    return int(text)


def list_faults() -> None:
    """Print the table of faults."""
    for name, known in TABLE.items():
        options = ", ".join(f"{key}={value!r}" for key, value in known.options.items())
        print(f"{name:<26} {known.sentence}" + (f"  [{options}]" if options else ""))


async def serve(wishes: argparse.Namespace) -> None:
    """Serve until SIGINT or SIGTERM."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    pool = Tidepool(
        seed=wishes.seed,
        port=wishes.port,
        bind=wishes.bind,
        products=wishes.products,
        cases=wishes.cases,
        plain=wishes.plain,
        page_cache=wishes.page_cache,
        heavy_kilobytes=wishes.heavy_kilobytes,
        files=wishes.files,
        matches=wishes.matches,
        code_book_seconds=wishes.code_book_seconds,
        tick_seconds=wishes.tick_seconds,
        access_log=wishes.access_log,
    )
    async with pool:
        print(f"tidepool listening on http://{wishes.bind}:{pool.port}", flush=True)
        await stop.wait()


def _run(wishes: argparse.Namespace) -> None:
    try:
        import uvloop  # noqa: PLC0415 - not to be had on every platform
    except ImportError:
        asyncio.run(serve(wishes))
    else:
        uvloop.run(serve(wishes))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 2 when the port or the log file cannot be had."""
    wishes = parser().parse_args(arguments)
    if wishes.list_faults:
        list_faults()
        return 0
    try:
        with contextlib.suppress(KeyboardInterrupt):
            _run(wishes)
    except OSError as exc:
        print(
            f"tidepool cannot start: {exc.strerror or exc}; choose another --port or --access-log",
            file=sys.stderr,
        )
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
