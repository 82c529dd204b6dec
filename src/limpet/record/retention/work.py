"""One application of the policy: shown before, done in small steps while others work, audited afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row

from limpet.errors import RecordError
from limpet.record.leadership import Lead, give_up_the_lead, take_the_lead
from limpet.record.ledger_core import LedgerCore
from limpet.record.logbook import audit
from limpet.record.retention.holding import AppHold, Circumspection
from limpet.record.retention.pages import Looked, look_at_pages, remove_pages
from limpet.record.retention.policy import Kind, RetentionPolicy
from limpet.record.retention.repacking import Repacker
from limpet.record.retention.rows import REMOVED_AT_ONCE, RowSweep, remove_rows
from limpet.record.retention.words import APPLIED, BEGUN, SUBJECT

_ROLE = "retention"
_LEAD_SECONDS = 60.0
ROWS = (Kind.REQUESTS, Kind.ATTEMPTS, Kind.EVENTS)


@dataclass(slots=True)
class Account:
    """What would go, or went; the same words for both."""

    pages: int = 0
    page_bytes: int = 0  # as they are stored
    requests: int = 0
    attempts: int = 0
    events: int = 0
    packs_rewritten: int = 0
    bytes_given_back: int = 0
    pages_kept: Counter[str] = field(default_factory=Counter)  # old ones, by the reason

    def to_json(self) -> dict[str, Any]:
        """Return it for audits and machines."""
        return asdict(self) | {"pages_kept": dict(self.pages_kept)}


@dataclass(slots=True)
class RetentionWork:
    """Walks over everything the policy speaks of. `survey` and `apply` look with the same eyes."""

    ledger: LedgerCore
    policy: RetentionPolicy
    app_holds: Sequence[AppHold] = ()
    # Events that nobody has made an alert of yet must not go; who knows which those are is further right.
    events_wait: Callable[[Connection], bool] = lambda _: False
    is_stopping: Callable[[], bool] = lambda: False
    _lead: Lead | None = None

    async def survey(self) -> Account:
        """Return what would go now; changes nothing."""
        account = Account()
        await self._walk(account, is_real=False)
        return account

    async def apply(self, *, by: str) -> Account | None:
        """Remove what may go and give its space back; None when another process is at it."""
        if not await self._take_the_lead():
            return None
        account, is_whole = Account(), False
        try:
            await self._write(partial(self._begin, by=by))
            await self._walk(account, is_real=True)
            await self._repack(account)
            is_whole = not self.is_stopping()
        finally:
            # Also of half an application: whatever went is accounted for.
            await self.ledger.write(partial(self._end, by=by, account=account, is_whole=is_whole))
        return account

    async def _walk(self, account: Account, *, is_real: bool) -> None:
        heeded = Circumspection(self.policy, self.ledger.clock.now(), self.app_holds)
        after = ""
        while looked := await self.ledger.read(partial(look_at_pages, after=after, heeded=heeded)):
            after = looked.last
            account.pages_kept.update(looked.staying.values())
            await self._pages(looked, heeded, account, is_real=is_real)
            if self.is_stopping():
                return
        for kind in ROWS:
            if kind is not Kind.EVENTS or not await self.ledger.read(self.events_wait):
                await self._rows(RowSweep(kind, self.policy, heeded.now), account, is_real=is_real)

    async def _pages(
        self, looked: Looked, heeded: Circumspection, account: Account, *, is_real: bool
    ) -> None:
        count, octets = len(looked.going), sum(page.stored_bytes for page in looked.going)
        if is_real and looked.going:
            names = [page.sha256 for page in looked.going]
            count, octets = await self._write(partial(remove_pages, hashes=names, heeded=heeded))
        account.pages += count
        account.page_bytes += octets

    async def _rows(self, sweep: RowSweep, account: Account, *, is_real: bool) -> None:
        name, policy, now = sweep.kind.value, self.policy, sweep.now
        while (rows := await self.ledger.read(sweep.look)) is not None and not self.is_stopping():
            removed = len(rows)
            if is_real:
                parts = [rows[at : at + REMOVED_AT_ONCE] for at in range(0, len(rows), REMOVED_AT_ONCE)]
                removed = sum([await self._remove(sweep.kind, part, policy, now) for part in parts])
            setattr(account, name, getattr(account, name) + removed)

    async def _remove(self, kind: Kind, rows: Sequence[Row[Any]], policy: RetentionPolicy, now: Any) -> int:
        return int(await self._write(partial(remove_rows, kind=kind, rows=rows, policy=policy, now=now)))

    async def _repack(self, account: Account) -> None:
        repacker = Repacker(self.ledger)
        try:
            for pack in await repacker.packs():
                if self.is_stopping():
                    break
                await self._write(lambda _: None)
                await repacker.rewrite(pack)
        finally:
            await repacker.close()
        account.packs_rewritten = repacker.rewritten
        account.bytes_given_back = max(0, repacker.given_back)

    async def _take_the_lead(self) -> bool:
        await self.ledger.enlist(self.ledger.worker)  # a purge of dockets shall see that somebody works
        self._lead = await self.ledger.write(self._renew)
        return self._lead is not None

    def _renew(self, connection: Connection) -> Lead | None:
        return take_the_lead(connection, _ROLE, holder=self.ledger.worker, seconds=_LEAD_SECONDS)

    async def _write(self, operation: Callable[[Connection], Any]) -> Any:
        """Do one step, as long as we are the one who does it."""

        def step(connection: Connection) -> Any:
            lead = self._renew(connection)
            if lead is None or self._lead is None or lead.fence != self._lead.fence:
                raise RecordError("Another process has taken over applying the retention rules.")
            return operation(connection)

        return await self.ledger.write(step)

    def _begin(self, connection: Connection, *, by: str) -> None:
        rules = {"rules": rules_in_words(self.policy)}
        audit(connection, by, BEGUN, subject=SUBJECT, now=self.ledger.clock.now(), details=rules)

    def _end(self, connection: Connection, *, by: str, account: Account, is_whole: bool) -> None:
        details = {**account.to_json(), "was_interrupted": not is_whole}
        audit(connection, by, APPLIED, subject=SUBJECT, now=self.ledger.clock.now(), details=details)
        if self._lead is not None:
            give_up_the_lead(connection, self._lead)


def rules_in_words(policy: RetentionPolicy) -> dict[str, dict[str, float | None]]:
    """Return the days of every kind, for the house and for each source that differs."""
    house: dict[str, float | None] = {kind.value: policy.days(kind) or None for kind in Kind}
    rules = {"house": house | {"keep_last_pages": policy.last_pages("")}}
    for source_id in sorted(policy.sources):
        own: dict[str, float | None] = {kind.value: policy.days(kind, source_id) or None for kind in Kind}
        own["keep_last_pages"] = policy.last_pages(source_id)
        if own != rules["house"]:
            rules[f"source {source_id}"] = own
    return rules
