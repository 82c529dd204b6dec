"""What the verbs `backup` and `restore` do."""

from __future__ import annotations

import asyncio
from pathlib import Path

from limpet.assembly import app_checks, open_ledger
from limpet.cli.opening import read_settings
from limpet.errors import UsageError
from limpet.record.backing_up import BackedUp, back_up, check_backup, restore
from limpet.record.verify import Verification
from limpet.settings import Settings


def back_up_now(file: Path) -> str:
    """Write a backup of this data directory and return what it holds."""
    settings = _with_a_file()
    return f"Wrote {file}: {_said(back_up(settings.data_dir, file.absolute()))}, every one read back."


def check_now(file: Path) -> str:
    """Prove a backup and return what it holds."""
    return f"{file} is whole: {_said(check_backup(file))}."


def restore_now(file: Path) -> tuple[str, bool]:
    """Restore a backup and return what was found there, and whether all of it holds."""
    settings = _with_a_file()
    found = restore(file, settings.data_dir.absolute())
    verdict = asyncio.run(_verified(settings))
    proof = (
        "The ledger balances." if verdict.is_sound else "The ledger does not balance: see `limpet verify`."
    )
    return f"Restored {_said(found)} into {settings.data_dir}. {proof}", verdict.is_sound


async def _verified(settings: Settings) -> Verification:
    async with open_ledger(settings) as ledger:
        return await ledger.verify(app_checks=app_checks())


def _with_a_file() -> Settings:
    settings = read_settings()
    if settings.database_url and not settings.database_url.startswith("sqlite"):
        raise UsageError(
            "This ledger lives in Postgres, which has its own way.",
            fix="Use pg_dump --format=custom, and copy the data directory after it; docs/operations.md.",
        )
    return settings


def _said(found: BackedUp) -> str:
    return f"{found.files:,} files, {found.octets / 1e6:,.1f} MB"
