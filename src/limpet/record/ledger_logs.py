"""The ledger's counter for what happened: events, errors, audit, adapter status."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from limpet.record import alerts, logbook
from limpet.record.alerts import Alert
from limpet.record.ledger_core import LedgerCore
from limpet.record.logbook import AdapterStatus, AuditEntry, Event


class LedgerLogs(LedgerCore):
    """Notes what happened, and tells it again."""

    async def log_event(
        self,
        event_type: str,
        *,
        run_id: int | None = None,
        target_id: int | None = None,
        source_id: str | None = None,
        payload: Mapping[str, Any] | None = None,
    ) -> int:
        """Note an event and return its id."""
        return await self.write(
            partial(
                logbook.log_event,
                event_type=event_type,
                now=self.clock.now(),
                run_id=run_id,
                target_id=target_id,
                source_id=source_id,
                payload=payload,
            )
        )

    async def events(
        self, *, after: int = 0, limit: int = 500, run_id: int | None = None, event_type: str | None = None
    ) -> list[Event]:
        """Return events in order, starting above an id."""
        return await self.read(
            partial(logbook.list_events, after=after, limit=limit, run_id=run_id, event_type=event_type)
        )

    async def log_error(self, scraper_id: str, error_type: str, **details: Any) -> int:
        """Note an error (see `logbook.log_error` for the details it takes) and return its id."""
        now = self.clock.now()
        return await self.write(
            lambda connection: logbook.log_error(connection, scraper_id, error_type, now=now, **details)
        )

    async def resolve_errors(self, scraper_id: str, method: str) -> int:
        """Mark the scraper's open errors as resolved; return how many there were."""
        now = self.clock.now()
        return await self.write(
            lambda connection: logbook.resolve_errors(connection, scraper_id, method, now=now)
        )

    async def audit(
        self,
        actor: str,
        action: str,
        *,
        subject: str,
        reason: str = "",
        details: Mapping[str, Any] | None = None,
    ) -> int:
        """Note who did what to what, and why."""
        now = self.clock.now()
        return await self.write(
            lambda connection: logbook.audit(
                connection, actor, action, subject=subject, now=now, reason=reason, details=details
            )
        )

    async def audit_entries(self, *, subject: str | None = None, limit: int = 200) -> list[AuditEntry]:
        """Return the newest audit entries first."""
        return await self.read(partial(logbook.list_audit, subject=subject, limit=limit))

    async def adapter_status(self, adapter_id: str) -> AdapterStatus:
        """Return how the adapter stands."""
        return await self.read(partial(logbook.adapter_status, adapter_id=adapter_id))

    async def put_adapter_status(self, status: AdapterStatus) -> None:
        """Write how the adapter stands now."""
        await self.write(partial(logbook.put_adapter_status, status=status, now=self.clock.now()))

    async def alerts(self, *, is_alive: bool | None = True, limit: int = 200) -> list[Alert]:
        """Return alerts: the living ones most urgent first, history newest first, or (None) all."""
        return await self.read(partial(alerts.list_alerts, is_alive=is_alive, limit=limit))
