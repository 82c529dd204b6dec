"""The bench: every client walks the same pages on the same core, in turn, and is held to the same rows."""

from __future__ import annotations

import argparse
import json
import shutil
import sqlite3
import statistics
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from bench import environment, report
from bench.measure import Cores, Cost, PageServer, pick_cores, run_client
from bench.storefront import offer

WARM_UP_PAGES = 64


@dataclass(frozen=True, slots=True)
class Client:
    """One contestant: how it is started, and where the rows it recorded can be read."""

    name: str
    python: Path
    command: tuple[str, ...]
    database: str = "offers.sqlite"
    rows: str = "SELECT url, title, price_cents, currency, availability, sku FROM offers"


LIMPET = Client(
    "limpet",
    environment.LIMPET_PYTHON,
    ("bench.limpet_run",),
    database="limpet.db",
    rows="SELECT url, title, price_cents, currency, availability, retailer_sku"
    " FROM prices JOIN source_products USING (source_id, identity_key)",
)
PEERS = (
    Client("bare", environment.PEER_PYTHON, ("bench.bare",)),
    Client("scrapy", environment.PEER_PYTHON, ("bench.scrapy_tuned",)),
    Client("scrapy-jobdir", environment.PEER_PYTHON, ("bench.scrapy_tuned", "--jobdir")),
    Client("crawlee", environment.PEER_PYTHON, ("bench.crawlee_parsel",)),
    Client("crawlee-sql", environment.PEER_PYTHON, ("bench.crawlee_parsel", "--sql")),
    Client("scrapy-lean", environment.PEER_PYTHON, ("bench.scrapy_tuned", "--lean")),
    Client("scrapy-lean-aio", environment.PEER_PYTHON, ("bench.scrapy_tuned", "--lean", "--aiohttp")),
    Client("crawlee-lean", environment.PEER_PYTHON, ("bench.crawlee_parsel", "--lean")),
)


def contestants() -> dict[str, Client]:
    """Every client by name."""
    return {client.name: client for client in (LIMPET, *PEERS)}


def verify(client: Client, directory: Path, pages: int) -> None:
    """Exit unless the client recorded every page, once, and read each rightly."""
    wanted = {number: offer(number) for number in range(1, pages + 1)}
    connection = sqlite3.connect(directory / client.database)
    for url, *fields in connection.execute(client.rows):
        truth = wanted.pop(int(url.rpartition("/")[2]), None)
        if truth is None or fields != list(asdict(truth).values())[1:]:
            raise SystemExit(f"{client.name} recorded {url} as {fields}; the page says {truth}")
    connection.close()
    if wanted:
        raise SystemExit(f"{client.name} dropped {len(wanted)} of {pages} pages")


def run_once(client: Client, server: PageServer, *, pages: int, cores: Cores, scratch: Path) -> Cost:
    """Let one client walk the pages in a fresh directory, check its rows, and return what it cost."""
    directory = scratch / client.name
    directory.mkdir()
    module, *options = client.command
    command = [client.python, "-m", module, server.base_url, str(pages), directory, *options]
    cost = run_client(command, core=cores.client, server=server, log=scratch / "said")
    verify(client, directory, pages)
    shutil.rmtree(directory)
    return cost


def middle(costs: list[Cost]) -> Cost:
    """The median of every figure."""
    columns = zip(*(asdict(cost).values() for cost in costs), strict=True)
    return Cost(*(statistics.median(column) for column in columns))


def write_json(path: Path, costs: dict[str, list[Cost]], *, pages: int) -> None:
    """Write every single figure so far."""
    every = {name: [asdict(cost) for cost in rounds] for name, rounds in costs.items()}
    path.write_text(json.dumps({"pages": pages, "costs": every}, indent=1))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--quick", action="store_true", help="2,000 pages")
    parser.add_argument(
        "--repeat", type=int, default=1, metavar="N", help="rounds; every figure is the median"
    )
    parser.add_argument("--only", action="append", metavar="NAME", choices=list(contestants()))
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every single figure here")
    parser.add_argument(
        "--directory", type=Path, help="where clients record; not a RAM disk, or fsync is free"
    )
    return parser.parse_args()


def main() -> None:
    """Prepare, run the rounds, print the table."""
    options = arguments()
    pages = 2_000 if options.quick else options.pages
    environment.prepare()
    clients = [client for name, client in contestants().items() if not options.only or name in options.only]
    cores = pick_cores()
    costs: dict[str, list[Cost]] = {client.name: [] for client in clients}
    with (
        tempfile.TemporaryDirectory(prefix="limpet-bench-", dir=options.directory) as scratch,
        PageServer(cores.server) as server,
    ):
        for client in clients:  # compiles bytecode and warms the disk cache; not counted
            run_once(client, server, pages=WARM_UP_PAGES, cores=cores, scratch=Path(scratch))
        # Round by round rather than client by client: whatever else the machine does then falls on all alike.
        for _ in range(options.repeat):
            for client in clients:
                print(f"{client.name} ...", file=sys.stderr, flush=True)
                cost = run_once(client, server, pages=pages, cores=cores, scratch=Path(scratch))
                costs[client.name].append(cost)
                if options.json:  # after every run, so that an interrupted bench is not lost
                    write_json(options.json, costs, pages=pages)
    medians = {name: middle(rounds) for name, rounds in costs.items()}
    print(report.render(medians, pages=pages, repeat=options.repeat, cores=cores))


if __name__ == "__main__":
    main()
