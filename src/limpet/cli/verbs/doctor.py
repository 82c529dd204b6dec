"""`limpet doctor`: is everything here, and if not, what to do."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from limpet.cli.checkup import Finding, examine
from limpet.cli.opening import asked, verb_app

app = verb_app()
COLOURS = {"ok": typer.colors.GREEN, "warn": typer.colors.YELLOW, "fail": typer.colors.RED}


@app.command()
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> int:
    """Check Python, settings, config, data directory, database, Redis, browser and clock.

    Nothing is changed. Ends with 0 when nothing failed, with 1 otherwise; a warning is not a failure.

    \b
    Examples:
      limpet doctor
      limpet doctor --data-dir /srv/limpet
      limpet doctor --json
    """
    findings = examine(asked().as_settings())
    is_well = all(finding.status != "fail" for finding in findings)
    typer.echo(
        _for_machines(findings, is_well=is_well) if as_json else _for_people(findings, is_well=is_well)
    )
    return 0 if is_well else 1


def _for_machines(findings: list[Finding], *, is_well: bool) -> str:
    return json.dumps({"ok": is_well, "checks": [asdict(finding) for finding in findings]}, indent=2)


def _for_people(findings: list[Finding], *, is_well: bool) -> str:
    lines = [line for finding in findings for line in _lines(finding)]
    return "\n".join([*lines, "", "All is well." if is_well else "Something has to be fixed: see above."])


def _lines(finding: Finding) -> list[str]:
    status = typer.style(f"{finding.status:<4}", fg=COLOURS[finding.status])
    lines = [f"{status}  {finding.name:<9}  {finding.detail}"]
    return lines + ([f"{'':17}fix: {finding.fix}"] if finding.fix else [])
