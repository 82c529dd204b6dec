"""How well `auto` reads shops it has never seen: precision, recall and F1, on our corpus or on a folder of pages.

    python -m bench.auto_reading                      the made-up shops of bench/auto_shapes
    python -m bench.auto_reading FOLDER               pages and truth of your own
    python -m bench.auto_reading --without names      the same shops with hashed names (or without markup, buttons)
    python -m bench.auto_reading --crowded            the same shops amid menus, galleries, opinions and rows of others
    python -m bench.auto_reading --disturbed 4        the pages written in rounds, each disturbed in four ways
    python -m bench.auto_reading --wrong --missed     also names every page that was read wrongly, or not at all

A folder holds `*.html` or `*.html.gz`, also below `html/`, and one JSON file (`ground-truth.json`, `truth.json` or
the only one there is): an object by page name with `url` and any of `price`, `currency`, `availability`, `sku` and
`title`. A value may be a list: each of its members counts as right.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from bench.auto_shapes.corpus import cases, in_a_crowd
from bench.auto_shapes.disturbed import disturbed
from bench.auto_shapes.harder import LESS, without

from limpet.apps.prices.offer import Offer
from limpet.apps.prices.sites.auto import SITE
from limpet.extract import Extraction, Unreadable
from limpet.extract.parse.currency import minor_digits
from limpet.fetch.page import Page
from limpet.target import Target
from limpet.target.address import canonicalize, lane_of

_FIELDS = ("price", "currency", "availability", "sku", "title")
_MORE_TITLE = 30


@dataclass(frozen=True, slots=True)
class Example:
    """One page and its truth: for each field the values that count as right, none when there is none."""

    name: str
    url: str
    body: bytes
    truth: dict[str, tuple[str, ...]]


@dataclass(slots=True)
class Tally:
    """Right, wrong and missed values of one field."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    notes: list[str] = field(default_factory=list)

    def figures(self) -> dict[str, Any]:
        """Return precision, recall and F1, as the public product benchmark counts them."""
        said, due = self.right + self.wrong, self.right + self.missed
        precision = self.right / said if said else 0.0
        recall = self.right / due if due else 0.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        return {
            "precision": round(precision, 4),
            "recall": round(recall, 4),
            "f1": round(f1, 4),
            "support": due,
        }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--without", action="append", choices=LESS, default=[])
    parser.add_argument("--crowded", action="store_true")
    parser.add_argument(
        "--disturbed", type=int, default=0, metavar="N", help="N disturbances on every page of the rounds"
    )
    parser.add_argument("--only", default="", help="shapes whose name starts so")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--missed", action="store_true")
    chosen = parser.parse_args()
    examples = (
        from_folder(chosen.folder)
        if chosen.folder
        else from_corpus(
            chosen.rounds,
            tuple(chosen.without),
            is_crowded=chosen.crowded,
            beginning=chosen.only or ("round" if chosen.disturbed else ""),
            ways=chosen.disturbed,
        )
    )
    report, tallies = measure(examples)
    if chosen.json:
        sys.stdout.write(json.dumps(report) + "\n")
        return 0
    for name, figures in report["fields"].items():
        print(f"{name:<13}", *(f"{key} {value:<7}" for key, value in figures.items()))
    print(
        f"{report['pages']} pages, {report['mean_ms']} ms on average, slowest {report['slowest_ms']} ms; "
        f"{report['outcomes']}"
    )
    for name, tally in tallies.items():
        for note in tally.notes:
            if (chosen.wrong and note.startswith("WRONG")) or (chosen.missed and note.startswith("missed")):
                print(f"  {name}:", note)
    return 0


def measure(examples: Iterator[Example]) -> tuple[dict[str, Any], dict[str, Tally]]:
    """Return the report and the tallies behind it."""
    tallies = {name: Tally() for name in _FIELDS}
    outcomes: dict[str, int] = {}
    times: list[float] = []
    for example in examples:
        started = time.perf_counter()
        reading = read(example)
        times.append(time.perf_counter() - started)
        outcome = "read" if isinstance(reading, Extraction) else reading.reason.value
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
        for name in _FIELDS:
            if name in example.truth:
                _count(tallies[name], name, example, reading)
    report = {
        "pages": len(times),
        "mean_ms": round(1000 * sum(times) / max(len(times), 1), 1),
        "slowest_ms": round(1000 * max(times, default=0), 1),
        "outcomes": outcomes,
        "fields": {
            name: tally.figures()
            for name, tally in tallies.items()
            if tally.right + tally.missed + tally.wrong
        },
    }
    return report, tallies


def read(example: Example) -> Extraction[Offer] | Unreadable:
    """Return what `auto` makes of the page."""
    page = Page(
        url=example.url, final_url=example.url, status=200, headers={"content-type": "text/html"},
        body=example.body, fetched_at=datetime.now(UTC),
    )  # fmt: skip
    address = canonicalize(example.url)
    return SITE.page_model.read(
        page, Target(source_id="auto", address=address, url=example.url, lane=lane_of(address))
    )


def from_corpus(
    rounds: int, less: tuple[str, ...] = (), *, is_crowded: bool = False, beginning: str = "", ways: int = 0
) -> Iterator[Example]:
    """Yield the made-up shops, perhaps without what makes them easy, or amid what makes them hard."""
    for plain in cases(rounds):
        if not plain.name.startswith(beginning):
            continue
        case = in_a_crowd(plain) if is_crowded else plain
        html = disturbed(case.html, case.goods, ways=ways, seed=case.name) if ways else case.html
        truth: dict[str, tuple[str, ...]] = {"price": (), "currency": ()}
        if case.minor is not None and case.currency is not None:
            truth = {"price": (_decimal(case.minor, case.currency),), "currency": (case.currency,)}
            truth["title"] = (case.goods.name,)
        if case.availability is not None:
            truth["availability"] = (case.availability,)
        if case.sku is not None:
            truth["sku"] = (case.sku,)
        if "markup" in less and case.name.startswith("markup_disagrees"):
            continue  # nothing disagrees any more
        yield Example(case.name, case.url, without(html, less).encode(), truth)


def from_folder(folder: Path) -> Iterator[Example]:
    """Yield the pages of a folder that the truth speaks of."""
    named = [
        path for name in ("ground-truth.json", "truth.json") for path in (folder / name,) if path.exists()
    ]
    truth_file = named[0] if named else next(iter(sorted(folder.glob("*.json"))))
    truth = json.loads(truth_file.read_text(encoding="utf-8"))
    for name, facts in truth.items():
        body = _body(folder, name)
        if body is None:
            print(f"no page for {name}", file=sys.stderr)
            continue
        listed = {key: _values(facts.get(key)) for key in _FIELDS if key in facts or key == "price"}
        yield Example(name, facts.get("url") or f"https://unknown.example/{name[:16]}", body, listed)


def _body(folder: Path, name: str) -> bytes | None:
    stem = name.removesuffix(".gz").removesuffix(".html")
    for place in (folder, folder / "html", folder / "pages"):
        for path in (place / f"{stem}.html", place / f"{stem}.html.gz", place / name):
            if path.is_file():
                body = path.read_bytes()
                return gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body
    return None


def _values(value: Any) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [value]
    return tuple(str(each) for each in listed if each not in (None, ""))


def _count(tally: Tally, name: str, example: Example, reading: Extraction[Offer] | Unreadable) -> None:
    said, right = _said(name, reading), example.truth[name]
    if said is not None and any(_same(name, said, each) for each in right):
        tally.right += 1
        return
    tally.wrong += said is not None
    tally.missed += bool(right)
    if said is not None:
        tally.notes.append(f"WRONG {example.name}: {said}, but is {list(right)}")
    elif right and name == "price" and isinstance(reading, Unreadable):
        tally.notes.append(
            f"missed {example.name}: {reading.reason.value} {reading.details} (is {list(right)})"
        )
    elif right and isinstance(reading, Extraction):
        tally.notes.append(f"missed {example.name} (is {list(right)})")


def _said(name: str, reading: Extraction[Offer] | Unreadable) -> str | None:
    if isinstance(reading, Unreadable):
        return None
    offer = reading.record
    return {
        "price": _decimal(offer.price_cents, offer.currency),
        "currency": offer.currency or None,
        "availability": None if offer.availability == "unknown" else offer.availability.value,
        "sku": offer.retailer_sku,
        "title": offer.title,
    }[name]


def _decimal(minor: int, currency: str) -> str:
    return str(Decimal(minor).scaleb(-minor_digits(currency)))


def _same(name: str, said: str, right: str) -> bool:
    if name == "price":
        try:
            return Decimal(said) == Decimal(right)
        except InvalidOperation:
            return False
    if name == "title":  # a heading may say more: the maker, a colour, a size
        return right.casefold() in said.casefold() and len(said) <= len(right) + _MORE_TITLE
    return (
        said.replace("_", "").casefold() == right.replace("_", "").replace("-", "").casefold()
        or said == right
    )


if __name__ == "__main__":
    sys.exit(main())
