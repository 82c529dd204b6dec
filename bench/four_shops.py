"""`limpet run prices` over four pretend shops, held against what each shop knows to be true and saw in its log.

Prints how many readable pages became valid offers with the right price and stock, the reason of every other one,
whether the ledger balances, and whether any shop was asked faster than its budget allows.

    .venv/bin/python -m bench.four_shops                    1,000 targets, 20 requests a second and shop
    .venv/bin/python -m bench.four_shops --products 40 --json
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from tidepool import Tidepool

# Each in a registrable domain of its own, as real shops are.
SHOPS = {
    "shop": ("tidepool_shop", "tidepool.localhost"),
    "midway": ("midwayusa", "reef.localhost"),
    "brown": ("brownells", "kelp.localhost"),
    "primary": ("primary_arms", "dune.localhost"),
}
# What no reader can make an offer of: it has to end with this reason.
UNREADABLE = {
    "sold_out_unpriced": {"oos_no_price"},
    "zero_price": {"zero_price_extracted"},
    "call_for_price": {"price_not_found", "zero_price_extracted"},
    "variants": {"ambiguous_variants"},
    "delisted": {"listing_page", "gone"},
    "withdrawn": {"gone"},
}
AVAILABILITY = {"InStock": "in_stock", "OutOfStock": "out_of_stock", "Discontinued": "out_of_stock"}
# Arrivals are stamped by the shop once it has read them; on a busy machine that moves them a little.
STAMP_SECONDS = 0.02


@dataclass
class Figures:
    """What came out."""

    targets: int = 0
    readable: int = 0
    valid: int = 0
    wrong: list[str] = field(default_factory=list)
    unreadable: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    without_reason: int = 0
    balances: bool = False
    requests: int = 0
    most_at_once: int = 0
    smallest_gap_seconds: float = 0.0
    budget_seconds: float = 0.0
    too_early: int = 0
    seconds: float = 0.0

    @property
    def valid_share(self) -> float:
        return self.valid / self.readable if self.readable else 0.0


def paths_of(pool: Tidepool, shop: str, count: int) -> list[str]:
    site: Any = pool.site(shop)
    products = list(site.catalogue)[:count]
    return [site.api_path(each) if shop == "primary" else each.path for each in products]


def config_text(pool: Tidepool, count: int, rate: float) -> str:
    sources = []
    for shop, (site, zone) in SHOPS.items():
        listed = "".join(f'  "{pool.url(shop, path, zone=zone)}",\n' for path in paths_of(pool, shop, count))
        sources.append(
            f'[[sources]]\nid = "{shop}"\napp = "prices"\nsite = "{site}"\nhosts = ["{shop}.{zone}"]\n'
            f"http_only = true\nallow_private_addresses = true\ntargets = [\n{listed}]\n"
            '[sources.terms]\nreviewed_at = 2026-01-01\napproved_by = "the bench"\n'
            f"[sources.pace]\nrequests_per_second = {rate}\nmin_delay_seconds = {1 / rate}\njitter = 0.2\n"
        )
    return "\n".join(sources)


async def limpet(folder: Path, *words: str) -> int:
    command = (sys.executable, "-m", "limpet", *words)
    options = (
        "--data-dir",
        str(folder / "data"),
        "--config",
        str(folder / "limpet.toml"),
        "--log-level",
        "error",
    )
    child = await asyncio.create_subprocess_exec(*command, *options, stdout=asyncio.subprocess.DEVNULL)
    return await child.wait()


def endings(folder: Path) -> list[tuple[Any, ...]]:
    """Return source, address, state, reason, price and stock of every job."""
    with sqlite3.connect(folder / "data" / "limpet.db") as ledger:
        return ledger.execute(
            "SELECT jobs.source_id, targets.url, jobs.state, jobs.reason, prices.price_cents, prices.availability "
            "FROM jobs JOIN targets ON targets.id = jobs.target_id LEFT JOIN prices ON prices.job_id = jobs.id"
        ).fetchall()


def compare(pool: Tidepool, rows: list[tuple[Any, ...]], figures: Figures) -> None:
    reasons: Counter[str] = Counter()
    for shop, url, state, reason, cents, availability in rows:
        path = "/" + url.split("/", 3)[3]
        truth: Any = pool.site(shop).truth(path, tick=0)
        figures.targets += 1
        if state != "succeeded":
            reasons[f"{state}: {reason}"] += 1
            figures.without_reason += reason is None
        if truth["kind"] in UNREADABLE:
            figures.unreadable += 1
            if state == "succeeded" or reason not in UNREADABLE[truth["kind"]]:
                figures.wrong.append(f"{shop} {truth['kind']}: {state} {reason} {path}")
            continue
        figures.readable += 1
        meant = (truth["price_cents"], AVAILABILITY.get(truth["availability"], "backorder"))
        if state == "succeeded" and (cents, availability) == meant:
            figures.valid += 1
        else:
            figures.wrong.append(
                f"{shop} {truth['kind']}: {state} {reason} {cents} {availability}, meant {meant}"
            )
    figures.reasons = dict(reasons.most_common())


def judge_manners(pool: Tidepool, rate: float, figures: Figures) -> None:
    figures.budget_seconds = 1 / rate
    gaps = []
    for shop, (_, zone) in SHOPS.items():
        visits = [visit for visit in pool.log if visit.host == f"{shop}.{zone}"]
        figures.requests += len(visits)
        figures.most_at_once = max(figures.most_at_once, *(visit.concurrent for visit in visits))
        gaps += [later.arrived_monotonic - earlier.arrived_monotonic for earlier, later in pairwise(visits)]
    figures.smallest_gap_seconds = round(min(gaps), 4)
    figures.too_early = sum(gap < figures.budget_seconds - STAMP_SECONDS for gap in gaps)


async def measure(products: int, rate: float) -> Figures:
    """Run it once in a folder of its own."""
    figures = Figures()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with Tidepool(products=products, heavy_kilobytes=60) as pool:
            (folder / "limpet.toml").write_text(config_text(pool, products, rate))
            start = time.monotonic()
            await limpet(folder, "run", "prices")
            figures.seconds = round(time.monotonic() - start, 1)
            figures.balances = await limpet(folder, "verify") == 0
            compare(pool, endings(folder), figures)
            judge_manners(pool, rate, figures)
    return figures


def show(figures: Figures) -> None:
    print(f"{figures.targets:,} targets in {len(SHOPS)} shops, {figures.seconds} s")
    share = f"{figures.valid_share:.2%}"
    print(
        f"readable pages: {figures.readable:,}, valid with the right price and stock: {figures.valid:,} ({share})"
    )
    print(f"unreadable pages: {figures.unreadable:,}; endings without a reason: {figures.without_reason}")
    for reason, count in figures.reasons.items():
        print(f"  {reason}: {count}")
    for sentence in figures.wrong[:20]:
        print(f"  WRONG {sentence}")
    print(f"limpet verify: {'it balances' if figures.balances else 'IT DOES NOT BALANCE'}")
    print(
        f"manners: {figures.requests:,} requests, at most {figures.most_at_once} at once, smallest gap "
        f"{figures.smallest_gap_seconds} s of {figures.budget_seconds} s; too early: {figures.too_early}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--products", type=int, default=250, help="per shop")
    parser.add_argument("--rate", type=float, default=20.0, help="requests per second and shop")
    parser.add_argument("--json", action="store_true", help="for machines")
    asked = parser.parse_args()
    figures = asyncio.run(measure(asked.products, asked.rate))
    if asked.json:
        print(json.dumps(asdict(figures) | {"valid_share": figures.valid_share}))
    else:
        show(figures)
    is_good = (
        figures.valid_share >= 0.99 and figures.balances and not (figures.too_early or figures.without_reason)
    )
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
