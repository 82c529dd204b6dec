"""The round of the doctor: every examination in order, each guarded against its own surprises."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

from limpet.cli.checkup import machine, services
from limpet.cli.checkup.finding import Finding, fail, ok, warn
from limpet.cli.counting import counted
from limpet.configuration import Config, load_config
from limpet.errors import ConfigError, LimpetError
from limpet.logs import redact
from limpet.settings import Settings, load_settings

NEEDED_PYTHON = (3, 11)


def examine(asked: Mapping[str, object]) -> list[Finding]:
    """Return the findings of every examination; without settings the rest would only guess."""
    findings = [python_version()]
    try:
        settings = load_settings(**asked)
    except LimpetError as wrong:
        return [*findings, fail("settings", str(wrong), fix=wrong.fix)]
    findings.append(ok("settings", "every LIMPET_ variable and every key of [settings] is known and valid"))
    for name, look in ROUND:
        findings += _guarded(name, look, settings)
    return findings


def _guarded(name: str, look: Callable[[Settings], list[Finding]], settings: Settings) -> list[Finding]:
    try:
        return look(settings)
    except LimpetError as wrong:
        return [fail(name, redact(str(wrong)), fix=wrong.fix)]
    except Exception as wrong:
        story = redact(f"{type(wrong).__name__}: {(str(wrong).splitlines() or [''])[0]}")
        return [
            fail(
                name, f"the check itself failed: {story}", fix="Run it with --debug and report what it says."
            )
        ]


def python_version() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < NEEDED_PYTHON:
        return fail(
            "python", f"{version} is too old.", fix="Install Python 3.11 or newer, then `make setup`."
        )
    return ok("python", version)


def config(settings: Settings) -> list[Finding]:
    if settings.config is None:
        return [
            warn(
                "config",
                "there is no config file, so there are no sources.",
                fix="Write one with `limpet init`.",
            )
        ]
    found = load_config(settings.config)
    _refuse_unknown_names(found)
    targets = sum(len(each.targets) for each in found.sources)
    told = f"{counted(len(found.sources), 'source')}, {counted(targets, 'target')}"
    summary = ok("config", f"{settings.config}: {told}")
    fix = f"Decide, then edit {settings.config}."
    return [summary, *(warn("config", each, fix=fix) for source in found.sources for each in source.warnings)]


def _refuse_unknown_names(config: Config) -> None:
    from limpet.assembly import all_apps, all_sites  # noqa: PLC0415 - brings every room with it

    sites, apps = all_sites(config), all_apps()
    for each in config.sources:
        if each.source.app not in apps:
            known = f"Known apps: {', '.join(sorted(apps))}."
            raise ConfigError(
                f"Source {each.source.id!r} names no known app: {each.source.app!r}.", fix=known
            )
        sites.get(each.source.site)


ROUND: tuple[tuple[str, Callable[[Settings], list[Finding]]], ...] = (
    ("config", config),
    ("data_dir", machine.data_dir),
    ("disk", machine.disk),
    ("database", services.database),
    ("redis", services.redis),
    ("browser", machine.browser),
    ("clock", machine.clock),
)
