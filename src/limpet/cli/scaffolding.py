"""Writes a site from a saved page: first aside, then read back as it will be used, then put in its place."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import typer

from limpet.apps.prices.scaffold import CannotDraft, Draft, Saved, draft_of
from limpet.apps.prices.scaffold.fixtures import fixture_files
from limpet.apps.prices.scaffold.material import PROVEN
from limpet.apps.prices.scaffold.proving import PACKAGE, must_read, prove_folder
from limpet.apps.prices.scaffold.selected import plan_in_config
from limpet.apps.prices.scaffold.writing import config_text, module_texts, notes, plan_of_answer
from limpet.assembly import all_apps, all_sites
from limpet.cli.opening import read_settings
from limpet.configuration import load_config
from limpet.errors import FileUnreadable, UsageError
from limpet.fetch.page import Page
from limpet.source import Source
from limpet.target.address import parse_address

_IN_CODE = re.compile(r"[a-z][a-z0-9_]{1,40}")
_IN_CONFIG = re.compile(r"[a-z][a-z0-9_-]{1,40}")


def write_site(site_id: str, file: Path, url: str, *, app_name: str, out: Path | None, no_code: bool) -> None:
    """Write the site, or refuse with the sentence that says what the page lacks."""
    _check_name(site_id, app_name, no_code=no_code)
    saved = _saved(site_id, file, url)
    try:
        draft = draft_of(saved)
        if no_code:
            _write_config(site_id, saved, draft, out)
        else:
            _write_folder(site_id, saved, draft, (out or Path()) / site_id)
    except CannotDraft as refusal:
        raise UsageError(
            f"Nothing was written. {refusal}",
            fix="Save another page of the shop, one in stock and without choices; or write the site by hand.",
        ) from refusal


def _check_name(site_id: str, app_name: str, *, no_code: bool) -> None:
    if app_name != "prices":
        raise UsageError(
            f"No site can be written from one page of {app_name!r}.", fix="Only prices: --app prices."
        )
    if not (_IN_CONFIG if no_code else _IN_CODE).fullmatch(site_id):
        raise UsageError(
            f"{site_id!r} cannot be the id of a site.",
            fix="Small letters, digits and _, such as corner_shop.",
        )
    settings = read_settings()
    if site_id in all_sites(load_config(settings.config) if settings.config else None).list():
        raise UsageError(f"There is a site {site_id!r} already.", fix="Give the new one another id.")


def _saved(site_id: str, file: Path, url: str) -> Saved:
    try:
        body = file.read_bytes()
    except OSError as exc:
        raise FileUnreadable(f"Cannot read {file}: {exc.strerror}.", fix="Name a saved page.") from exc
    address = parse_address(url)
    is_plain = address.scheme == "http"
    source = Source(id=site_id, app="prices", site=site_id, hosts=(address.host,), http_only=is_plain)
    target = all_apps()["prices"].make_target(source, url)
    kind = "application/json" if body.lstrip()[:1] in (b"{", b"[") else "text/html"
    page = Page(url, url, 200, {"content-type": kind}, body, datetime.now(UTC))
    return Saved(page, target, address.host.removeprefix("www."))


# -- as a folder -------------------------------------------------------------------------------------------


def _write_folder(site_id: str, saved: Saved, draft: Draft, place: Path) -> None:
    if place.exists():
        raise UsageError(f"{place} is there already.", fix="Name another folder with --out, or another id.")
    files = {name: text.encode() for name, text in module_texts(site_id, saved.domain, draft).items()}
    files |= {"NOTES.md": notes(site_id, saved.domain, saved.page.url, draft).encode()}
    files |= fixture_files(saved, draft)
    _put_in_place(site_id, saved, draft, files=files, place=place)
    _tell(draft)
    typer.echo(
        f"Wrote {place}, read by the model {draft.model}. It read the page back, and both of its fixtures."
    )
    typer.echo(
        f"Next: read the shop's terms into NOTES.md, list {site_id} in {PACKAGE.replace('.', '/')}/__init__.py, "
        "add fixtures of other cases, then: make test ARGS=tests/apps/test_fixtures.py"
    )


def _put_in_place(
    site_id: str, saved: Saved, draft: Draft, *, files: Mapping[str, bytes], place: Path
) -> None:
    """Write aside, prove, and only then let the folder have its name."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{site_id}-") as aside:
            folder = Path(aside) / site_id
            for name, body in files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(body)
            prove_folder(site_id, folder, saved=saved, draft=draft)
            shutil.rmtree(folder / "__pycache__", ignore_errors=True)
            folder.rename(place)
    except OSError as exc:
        raise UsageError(
            f"{place} cannot be written: {exc.strerror}.", fix="Name another folder: --out."
        ) from exc


# -- as configuration --------------------------------------------------------------------------------------


def _write_config(site_id: str, saved: Saved, draft: Draft, out: Path | None) -> None:
    place = out / f"{site_id}.toml" if out is not None and out.is_dir() else out
    if place is not None and place.exists():
        raise UsageError(f"{place} is there already.", fix="Name another file with --out.")
    plan = plan_of_answer(draft) if draft.model == "json_api" else plan_in_config(saved, draft)
    address = parse_address(saved.page.url)
    text = config_text(
        site_id,
        saved.domain,
        saved.page.url,
        plan=plan,
        host=address.host,
        http_only=address.scheme == "http",
    )
    with tempfile.TemporaryDirectory() as aside:
        config = Path(aside) / "limpet.toml"
        config.write_text(text, encoding="utf-8")
        must_read(all_sites(load_config(config)).get(site_id), saved, draft)
    _tell(draft, err=True)
    if place is None:
        typer.echo(text, nl=False)
        return
    try:
        place.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise UsageError(
            f"{place} cannot be written: {exc.strerror}.", fix="Name another file: --out."
        ) from exc
    typer.echo(f"Wrote {place}. Next: read the shop's terms, add it to limpet.toml, then: limpet doctor")


def _tell(draft: Draft, *, err: bool = False) -> None:
    """Print what was read; beside a config on standard output it goes to the other one."""
    for name in PROVEN:
        value = getattr(draft.offer, name)
        typer.echo(f"  {name:<13} {getattr(value, 'value', value)}", err=err)
    for remark in draft.remarks:
        typer.echo(f"  look: {remark}", err=err)
