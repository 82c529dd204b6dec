"""Corrections laid over observed prices, and whom consumers may be shown. All of it revocable, all of it audited."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Literal

from sqlalchemy import Connection, insert, select, update

from limpet.apps.prices.correction_scope import check_scope
from limpet.apps.prices.market_tables import ignored_runs, price_corrections, source_trust_config
from limpet.errors import NotThere, UsageError
from limpet.record.logbook import audit
from limpet.record.tables import runs, sources
from limpet.record.upserting import upsert

Scope = Literal["source", "source_product", "product", "run"]
Action = Literal["IGNORE", "MULTIPLIER"]
MILLION = 1_000_000
MOST_FACTOR = 10_000


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction to be laid over prices observed from `starts_at` up to, not including, `ends_at`."""

    action: Action
    scope: Scope
    scope_id: str
    starts_at: datetime
    ends_at: datetime | None
    reason: str
    factor_millionths: int | None = None


def factor_from(text: str) -> int:
    """Return a factor in millionths; refuse what is no positive number with at most six decimals."""
    try:
        factor = Decimal(text) * MILLION
    except InvalidOperation:
        raise UsageError(f"{text!r} is no number.", fix="Write a factor such as 0.01 or 100.") from None
    if (
        not factor.is_finite()
        or factor != factor.to_integral_value()
        or not 0 < factor <= MOST_FACTOR * MILLION
    ):
        fix = f"Use a positive number up to {MOST_FACTOR:,} with at most six decimals."
        raise UsageError(f"{text[:80]!r} cannot be a factor.", fix=fix)
    return int(factor)


def correct(connection: Connection, correction: Correction, *, by: str, now: datetime) -> int:
    """Lay the correction over the prices and return its id; the prices themselves are not touched."""
    if not correction.reason.strip():
        raise UsageError("A correction needs a reason.", fix="Say why in a few words with --reason.")
    if correction.ends_at is not None and correction.ends_at <= correction.starts_at:
        raise UsageError("The correction would end before it starts.", fix="Give a later end, or none.")
    check_scope(connection, correction.scope, correction.scope_id)
    made = connection.execute(
        insert(price_corrections)
        .values(
            action=correction.action,
            factor_millionths=correction.factor_millionths,
            scope=correction.scope,
            scope_id=correction.scope_id,
            starts_at=correction.starts_at,
            ends_at=correction.ends_at,
            reason=correction.reason,
            created_by=by,
            created_at=now,
        )
        .returning(price_corrections.c.id)
    )
    number = int(made.scalar_one())
    subject = f"{correction.scope} {correction.scope_id}"
    audit(
        connection,
        by,
        f"correct_{correction.action.lower()}",
        subject=subject,
        now=now,
        reason=correction.reason,
    )
    return number


def revoke(connection: Connection, correction_id: int, *, by: str, reason: str, now: datetime) -> None:
    """Take a correction off again; that it was there stays known."""
    done = connection.execute(
        update(price_corrections)
        .where(price_corrections.c.id == correction_id, price_corrections.c.revoked_at.is_(None))
        .values(revoked_at=now, revoked_by=by)
    )
    if done.rowcount == 0:
        raise NotThere(
            f"There is no correction {correction_id} in force.", fix="`limpet prices corrections` lists them."
        )
    audit(connection, by, "revoke_correction", subject=f"correction {correction_id}", now=now, reason=reason)


def ignore_run(connection: Connection, run_id: int, *, by: str, reason: str, now: datetime) -> None:
    """Hide every price of a run that went wrong."""
    if connection.execute(select(runs.c.id).where(runs.c.id == run_id)).first() is None:
        raise NotThere(f"There is no run {run_id}.", fix="`limpet list` shows the runs.")
    connection.execute(
        insert(ignored_runs).values(run_id=run_id, reason=reason, ignored_by=by, ignored_at=now)
    )
    audit(connection, by, "ignore_run", subject=f"run {run_id}", now=now, reason=reason)


def heed_run(connection: Connection, run_id: int, *, by: str, reason: str, now: datetime) -> None:
    """Show the prices of an ignored run again."""
    done = connection.execute(
        update(ignored_runs)
        .where(ignored_runs.c.run_id == run_id, ignored_runs.c.revoked_at.is_(None))
        .values(revoked_at=now, revoked_by=by)
    )
    if done.rowcount == 0:
        raise NotThere(f"Run {run_id} is not ignored.", fix="`limpet list` shows the runs.")
    audit(connection, by, "heed_run", subject=f"run {run_id}", now=now, reason=reason)


def trust(
    connection: Connection,
    source_id: str,
    *,
    visible: bool,
    upc_trusted: bool,
    by: str,
    reason: str,
    now: datetime,
) -> None:
    """Say whether consumers may see a source's prices and whether its UPCs may link products."""
    if connection.execute(select(sources.c.id).where(sources.c.id == source_id)).first() is None:
        raise NotThere(
            f"There is no source {source_id!r} in the ledger.", fix="`limpet list sources` names them."
        )
    values = {
        "source_id": source_id,
        "visibility_status": "ELIGIBLE" if visible else "INELIGIBLE",
        "upc_trusted": upc_trusted,
        "updated_at": now,
    }
    changed = {name: value for name, value in values.items() if name != "source_id"}
    upsert(connection, source_trust_config, values, key=["source_id"], changes=changed)
    audit(
        connection, by, "trust_source", subject=f"source {source_id}", now=now, reason=reason, details=changed
    )
