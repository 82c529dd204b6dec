"""A saved page through extraction and judgement, without network or ledger."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from limpet.assembly import all_apps, all_sites
from limpet.cli.terminal import Terminal, words
from limpet.configuration import load_config
from limpet.engine.ending import Ending
from limpet.engine.offline import read_and_judge
from limpet.errors import FileUnreadable
from limpet.extract import Site, fields_of
from limpet.fetch import Page
from limpet.source import Source
from limpet.target import Outcome
from limpet.target.address import parse_address
from limpet.validate import Circumstances

_MEDIA_TYPES = {".json": "application/json", ".xml": "application/xml"}


def parse_and_show(file: Path, site_id: str, url: str, *, as_json: bool, config: Path | None = None) -> int:
    """Print what the site makes of the page; return 0 only when the record would be accepted."""
    site = all_sites(load_config(config) if config else None).get(site_id)
    (outcome, reason, details), record = _judged(
        site, url, _bytes_of(file), _MEDIA_TYPES.get(file.suffix, "text/html")
    )
    fields = _fields(record)
    if as_json:
        answer = {"site": site.id, "version": site.version, "outcome": outcome.value, "reason": reason}
        sys.stdout.write(
            orjson.dumps(answer | {"details": details} | fields, option=orjson.OPT_INDENT_2).decode() + "\n"
        )
    else:
        _print(outcome, reason, details, fields)
    return 0 if outcome is Outcome.SUCCEEDED else 1


def _judged(site: Site, url: str, body: bytes, media_type: str) -> tuple[Ending, Any]:
    now, address = datetime.now(UTC), parse_address(url)
    app = all_apps()[site.app]
    http_only = address.scheme == "http"
    source = Source(id=site.id, app=site.app, site=site.id, hosts=(address.host,), http_only=http_only)
    target = app.make_target(source, url)
    page = Page(
        url=url, final_url=url, status=200, headers={"content-type": media_type}, body=body, fetched_at=now
    )
    circumstances = Circumstances(source, target, now, first_in_run=lambda identity: True)
    return read_and_judge(site, page, app, circumstances)


def _bytes_of(file: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as exc:
        raise FileUnreadable(
            f"Cannot read {file}: {exc.strerror}.", fix="Name a saved page, or - for standard input."
        ) from exc


def _fields(record: Any) -> dict[str, Any]:
    fields = {name: value for name, value in fields_of(record).items() if value not in (None, (), [])}
    # The word people use for it; the record tells it from ids of other kinds.
    return fields | ({"sku": fields["retailer_sku"]} if "retailer_sku" in fields else {})


def _print(outcome: Outcome, reason: str | None, details: str, fields: dict[str, Any]) -> None:
    console = Terminal()
    colour = "green" if outcome is Outcome.SUCCEEDED else "red"
    console.print(words((outcome.value, colour), f" {reason}" if reason else ""))
    if details:
        console.print(details, soft_wrap=True)
    width = max((len(name) for name in fields), default=0)
    for name, value in fields.items():
        console.print(f"  {name:<{width}}  {value}", soft_wrap=True)
