"""A canary on recorded pages: how today's adapter reads what it read, and what it failed on, before it is trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import Connection, select

from limpet.engine.comparing import Change, Reread
from limpet.engine.reread_report import RereadReport, example_json, examples_of
from limpet.engine.rereading import Rereader, sources_meant
from limpet.errors import AdapterStillFails
from limpet.extract.site import Site
from limpet.observe.drift import MOST_FAILURES
from limpet.record.log_tables import audit_log
from limpet.record.logbook import AuditEntry, adapter_status, audit
from limpet.record.recorded_pages import PageWish, RecordedPage, newest_job, newest_pages
from limpet.record.switching import enable_adapter
from limpet.source import SwitchReason
from limpet.target.outcome import counts_toward_drift

PAGES = 50
RAN = "canary_adapter"  # in the audit log
_LOOKED_AT = 20  # times as many as are read: enough to find bad pages behind good ones, and other targets
_LISTED = 20


@dataclass(slots=True)
class CanaryFlight:
    """What became of the pages: those it failed on, and whether any that was readable is no more."""

    adapter_id: str
    version: str
    report: RereadReport
    was_good: int = 0
    was_bad: int = 0  # such as count toward drift
    still_bad: int = 0
    worse: list[Reread] = field(default_factory=list)
    failing: list[Reread] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Whether nothing that was readable got worse."""
        return not self.worse

    @property
    def still_fails(self) -> bool:
        """Whether it fails on most of the pages it failed on: whatever switched it off is still so."""
        return self.was_bad > 0 and self.still_bad / self.was_bad > MOST_FAILURES

    @property
    def sentence(self) -> str:
        """Say it in one sentence."""
        if not self.report.pages:
            return "no page it has read is kept, so nothing is proven"
        said = f"{self.was_good - len(self.worse)} of {self.was_good} pages that were readable still are"
        if self.was_bad:
            mended = self.was_bad - self.still_bad
            said += f", {mended} of {self.was_bad} it failed on are readable now"
        changed = self.report.count(Change.CHANGED)
        return f"{said}, {changed} read otherwise" if changed else said

    def to_json(self) -> dict[str, Any]:
        """Return it for machines, and for the audit log."""
        return {
            "adapter_id": self.adapter_id,
            "version": self.version,
            "is_good": self.is_good,
            "still_fails": self.still_fails,
            "sentence": self.sentence,
            "pages": self.report.pages,
            "was_good": self.was_good,
            "was_bad": self.was_bad,
            "still_bad": self.still_bad,
            "changes": {word.value: self.report.count(word) for word in Change},
            "fields": dict(self.report.fields.most_common()),
            "worse": _listed(self.worse),
            "failing": _listed(self.failing),
        }


async def fly(rereader: Rereader, site: Site, *, by: str, pages: int = PAGES) -> CanaryFlight:
    """Read the newest recorded pages of the site again, good and bad, over many targets; the outcome is kept."""
    chosen = sources_meant(rereader.app, rereader.sources.values(), rereader.sites)
    its_own = tuple(each for each in chosen if rereader.sources[each].site == site.id)
    look = partial(_read, rereader=rereader, wish=PageWish(site.app, its_own), pages=pages)
    flight = _judged(site, await rereader.ledger.read(look))
    now = rereader.ledger.clock.now()
    await rereader.ledger.write(partial(_keep, flight=flight, by=by, now=now))
    return flight


async def enable(
    rereader: Rereader, adapter_id: str, *, by: str, reason: str, force: bool = False
) -> CanaryFlight | None:
    """Switch the adapter on; one that drift switched off is tried on its recorded pages first, if there are any.

    Raise AdapterStillFails when it fails on most of what it failed on, unless a person insists. What the canary
    said, and that somebody insisted, is kept in the audit log.
    """
    flight = None
    status = await rereader.ledger.read(partial(adapter_status, adapter_id=adapter_id))
    has_drifted = not status.enabled and status.disabled_reason == SwitchReason.DRIFT_DETECTED.value
    if has_drifted and rereader.app.rereading is not None:
        flight = await fly(rereader, rereader.sites.get(adapter_id), by=by)
    if flight is not None and flight.still_fails and not force:
        raise AdapterStillFails(
            f"{adapter_id} {flight.version} still fails on what it failed on: {flight.sentence}.",
            fix="Mend it first, or insist with --force (a tick in the portal) and say why in the reason.",
        )
    said = {} if flight is None else {"canary": flight.sentence, "forced": force and flight.still_fails}
    now = rereader.ledger.clock.now()
    await rereader.ledger.write(
        partial(enable_adapter, adapter_id=adapter_id, by=by, reason=reason, now=now, details=said)
    )
    return flight


def last_flight(connection: Connection, adapter_id: str) -> AuditEntry | None:
    """Return the newest canary of this adapter, as it was kept."""
    columns = [audit_log.c[name] for name in AuditEntry.__slots__]
    question = select(*columns).where(
        audit_log.c.subject == f"adapter {adapter_id}", audit_log.c.action == RAN
    )
    row = connection.execute(question.order_by(audit_log.c.at.desc(), audit_log.c.id.desc()).limit(1)).first()
    return None if row is None else AuditEntry(**row._mapping)


def _keep(connection: Connection, flight: CanaryFlight, *, by: str, now: datetime) -> None:
    subject = f"adapter {flight.adapter_id}"
    audit(connection, by, RAN, subject=subject, now=now, reason=flight.sentence, details=flight.to_json())


def _read(connection: Connection, rereader: Rereader, wish: PageWish, pages: int) -> list[Reread]:
    before = newest_job(connection) + 1
    found = newest_pages(connection, wish, before=before, limit=pages * _LOOKED_AT)
    return rereader.reread(connection, _spread([each for each in found if each.is_kept], pages))


def _spread(found: Sequence[RecordedPage], count: int) -> list[RecordedPage]:
    """Return as many good pages as bad ones where there are enough of both, each target once before any twice."""
    good = _each_target_first([each for each in found if not _is_bad(each)])
    bad = _each_target_first([each for each in found if _is_bad(each)])
    half = max(count // 2, count - len(good))
    chosen_bad = bad[:half]
    return chosen_bad + good[: count - len(chosen_bad)]


def _each_target_first(found: Sequence[RecordedPage]) -> list[RecordedPage]:
    seen: set[int] = set()
    first: list[RecordedPage] = []
    later: list[RecordedPage] = []
    for each in found:
        (later if each.target.id in seen else first).append(each)
        seen.add(each.target.id)
    return first + later


def _is_bad(page: RecordedPage) -> bool:
    return counts_toward_drift(page.outcome, page.reason)


def _judged(site: Site, read: Sequence[Reread]) -> CanaryFlight:
    flight = CanaryFlight(site.id, site.version, RereadReport(site.app))
    flight.report.add(read)
    for each in read:
        before, after = each.before.reading, each.after
        if before.is_answer:
            flight.was_good += 1
            flight.worse += [each] if each.change is Change.NO_LONGER_READABLE else []
        elif _is_bad(each.page):
            is_bad = counts_toward_drift(after.outcome, after.reason)
            flight.was_bad += 1
            flight.still_bad += is_bad
            flight.failing += [each] if is_bad else []
    return flight


def _listed(found: Sequence[Reread]) -> list[Mapping[str, Any]]:
    return [example_json(examples_of(each)[0]) for each in found[:_LISTED]]
