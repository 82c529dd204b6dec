"""Writes a repair bundle: whole or not at all, and never over something that is there."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import typer

from limpet.assembly import all_sites, open_ledger
from limpet.cli.opening import read_kept
from limpet.configuration import load_config
from limpet.engine.repairing import examined, open_case
from limpet.errors import UsageError
from limpet.observe.repair import Findings
from limpet.observe.repair.bundle import as_zip


async def repair_and_show(site_id: str, source_id: str | None, *, out: Path | None, as_json: bool) -> int:
    """Write the bundle and say what it found; return 1 when there is no bad page to speak of."""
    settings = read_kept()
    sites = all_sites(load_config(settings.config) if settings.config else None)
    place = out or Path(f"repair-{site_id}")
    if place.exists() and not as_json:
        raise UsageError(f"{place} is there already.", fix="Name another place with --out.")
    async with open_ledger(settings) as ledger:
        case = await open_case(ledger, sites, site_id, source_id=source_id)
    findings = await examined(case)
    if as_json:
        typer.echo(json.dumps(asdict(findings), default=str, indent=2, ensure_ascii=False))
    elif findings.bad is not None:
        _write(case.files(findings), place)
        _tell(findings, place)
    else:
        typer.echo("\n".join(findings.remarks))
    return 0 if findings.bad is not None else 1


def _tell(findings: Findings, place: Path) -> None:
    for remark in (*findings.remarks, *findings.doubts):
        typer.echo(remark)
    typer.echo(f"Failed: {findings.failing_field or 'the page'} - {findings.complaint}")
    for lost in findings.lost:
        first = lost.candidates[0] if lost.candidates else None
        now = f"perhaps {first.way} {first.where}" if first is not None else "no candidate"
        typer.echo(f"  {lost.name}: {lost.where} -> {now}")
    if findings.proof is not None:
        word = "as the failing test asks" if findings.proof.is_as_expected else "not yet as it should"
        typer.echo(f"With these the bad page reads {word}: {findings.proof.reads}")
    typer.echo(f"Wrote {place}. Begin with its README.md.")


def _write(files: Mapping[str, bytes], place: Path) -> None:
    """Write beside the place first, so that nobody finds half a bundle."""
    unfinished = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        if place.suffix == ".zip":
            unfinished.write_bytes(as_zip(dict(files), folder=place.stem))
        else:
            for name, body in files.items():
                (unfinished / name).parent.mkdir(parents=True, exist_ok=True)
                (unfinished / name).write_bytes(body)
        unfinished.rename(place)
    except OSError as exc:
        raise UsageError(
            f"{place} cannot be written: {exc.strerror}.", fix="Name another place: --out."
        ) from exc
    finally:
        if unfinished.is_dir():
            shutil.rmtree(unfinished, ignore_errors=True)
        else:
            unfinished.unlink(missing_ok=True)
