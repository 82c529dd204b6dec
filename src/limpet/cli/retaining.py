"""What the verb `retention` does."""

from __future__ import annotations

import asyncio
import getpass
import sys
from dataclasses import asdict, dataclass
from typing import Any

import typer

from limpet.assembly import open_ledger
from limpet.assembly.retaining import retention_policy, retention_work
from limpet.cli.listing import print_rows
from limpet.cli.opening import open_house, read_kept
from limpet.configuration import Config, load_config
from limpet.errors import NothingToDo, RunBusy, UsageError
from limpet.record.logbook import AuditEntry
from limpet.record.retention.holdings import Holding, holdings, last_application
from limpet.record.retention.policy import RetentionPolicy
from limpet.record.retention.work import Account, rules_in_words
from limpet.settings import Settings

_FIX = "Set LIMPET_RETENTION_PAGES_DAYS or another of its kind; docs/operations.md says what each means."


@dataclass(frozen=True, slots=True)
class Survey:
    """The rules, what there is, and what would go."""

    rules: dict[str, dict[str, float | None]]
    holdings: list[Holding]
    would_go: Account
    last: AuditEntry | None

    def to_json(self) -> dict[str, Any]:
        """Return it for `--json`."""
        return {
            "rules": self.rules,
            "holdings": [asdict(each) for each in self.holdings],
            "would_go": self.would_go.to_json(),
            "last_application": asdict(self.last) if self.last else None,
        }


def surveyed() -> Survey:
    """Look at everything, and touch nothing."""
    return asyncio.run(_survey(read_kept()))


def applied() -> Account:
    """Apply the rules in the name of whoever is logged in here."""
    return asyncio.run(_apply(open_house(must_exist=True)))


def ask_first() -> None:
    """Show what would go, and go on only when somebody says yes."""
    settings = read_kept()
    _refuse_without_rule(retention_policy(settings, _config(settings)))
    print_survey(surveyed())
    if not sys.stdin.isatty():
        raise UsageError("Nobody is there to say yes; nothing was removed.", fix="Add --yes.")
    if not typer.confirm("Remove it?", default=False):
        raise NothingToDo("Nothing was removed.")


def print_survey(survey: Survey) -> None:
    """Print it for people."""
    for name, rule in survey.rules.items():
        typer.echo(f"{name}: {_in_words(rule)}")
    typer.echo("")
    print_rows([_row(each, survey.would_go) for each in survey.holdings])
    kept = survey.would_go.pages_kept
    if kept:
        told = ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in kept.most_common())
        typer.echo(f"\nold pages that stay: {told}")
    if survey.last is not None:
        typer.echo(f"\nlast applied {survey.last.at:%Y-%m-%d %H:%M} UTC by {survey.last.actor}")


def print_account(account: Account) -> None:
    """Print what went, for people."""
    typer.echo(
        f"Removed {account.pages:,} pages ({account.page_bytes:,} bytes), {account.requests:,} requests, "
        f"{account.attempts:,} attempts and {account.events:,} events. "
        f"{account.packs_rewritten:,} packs were rewritten; {account.bytes_given_back:,} bytes are free again."
    )


async def _survey(settings: Settings) -> Survey:
    async with open_ledger(settings) as ledger:
        work = retention_work(settings, _config(settings), ledger)
        return Survey(
            rules_in_words(work.policy),
            await ledger.read(holdings),
            await work.survey(),
            await ledger.read(last_application),
        )


async def _apply(settings: Settings) -> Account:
    async with open_ledger(settings) as ledger:
        work = retention_work(settings, _config(settings), ledger)
        _refuse_without_rule(work.policy)
        account = await work.apply(by=getpass.getuser())
    if account is None:
        raise RunBusy("Another process applies the retention rules right now.", fix="Wait for it.")
    return account


def _refuse_without_rule(policy: RetentionPolicy) -> None:
    if policy.is_off:
        raise UsageError("No rule is set: everything is kept for ever.", fix=_FIX)


def _config(settings: Settings) -> Config:
    return load_config(settings.config) if settings.config else Config()


def _in_words(rule: dict[str, float | None]) -> str:
    last = rule["keep_last_pages"]
    told = [
        f"{kind} {f'{days:g} days' if days else 'for ever'}"
        for kind, days in rule.items()
        if kind != "keep_last_pages"
    ]
    return f"{', '.join(told)}; the last {last:g} good {'page' if last == 1 else 'pages'} of a target always"


def _row(holding: Holding, going: Account) -> dict[str, Any]:
    octets = holding.stored_bytes
    return {
        "kind": holding.kind.value,
        "kept": f"{holding.rows:,}",
        "bytes": "" if octets is None else f"{octets:,}",
        "would_go": f"{getattr(going, holding.kind.value):,}",
        "bytes_of_it": f"{going.page_bytes:,}" if octets is not None else "",
        "gone": f"{holding.removed:,} pages" if holding.removed else "",
        "whole_since": holding.complete_since,
    }
