"""The error tree. What we expect is returned as a value; what we do not is raised, with a code for the ledger.

LimpetError
├── UsageError              a person asked for something that cannot be: one sentence, exit code 2
│   ├── ConfigError  SettingsError  UnknownSite  UnknownSource  UnknownRun  BadAddress  BadIdentity
│   ├── FileUnreadable  LedgerUnreadable  SchemaTooNew  DataDirUnusable  PortInUse  NothingToDo  NotThere
│   ├── AdapterStillFails  QueueFull  TooManyLogins  NoAdmin
├── FetchError              one request did not give a page; carries its FetchOutcome word
│   ├── GateRefused         we did not ask: SourceRefused (SwitchedOff)  AddressForbidden  RobotsDisallowed
│   │                       RobotsUnavailable  BreakerOpen  BudgetUnavailable
│   ├── FetchTimeout  ConnectionFailed  BadResponse  BodyTooLarge  TooManyRedirects
│   ├── HttpStatusError     PageGone  PageBlocked  RateLimited  ServerFault
│   ├── BrowserError        BrowserLaunchFailed  BrowserCrashed  BrowserElementNotFound
│   ├── DocumentError       a document that is not handed out, or not whole: MalformedPdf
└── RecordError             LeaseLost  DiskInsufficient  LedgerBusy  SnapshotDamaged  RunBusy (SourceBusy)

What only one app or door can say stands with it: `apps/*/errors.py`, `web/access/errors.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar


class LimpetError(Exception):
    """The root. `code` is stable and documented in docs/errors.md; `retryable` says whether trying again may help."""

    code: ClassVar[str] = "unknown"
    retryable: ClassVar[bool] = False

    def __init__(self, message: str = "", *, fix: str = "") -> None:
        super().__init__(message or self.code)
        self.fix = fix


def leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield what really went wrong: a task group hands on groups of groups, and none of them says anything itself."""
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from leaves(each)
    else:
        yield error


# -- what people ask for -------------------------------------------------------------------------------------


class UsageError(LimpetError):
    """Asked for something that cannot be. Shown as one sentence and its fix; the command exits with 2."""

    code = "usage"


class ConfigError(UsageError):
    code = "config.invalid"


class SettingsError(UsageError):
    code = "settings.invalid"


class UnknownSite(UsageError):
    code = "site.unknown"


class UnknownSource(UsageError):
    code = "source.unknown"


class UnknownRun(UsageError):
    code = "run.unknown"


class NotThere(UsageError):
    """Somebody asked the portal for a thing the ledger does not hold."""

    code = "portal.not_there"


class BadAddress(UsageError):
    code = "address.malformed"


class BadIdentity(UsageError):
    """A product came without anything to recognise it by, or with a name too long to keep."""

    code = "identity.invalid"


class FileUnreadable(UsageError):
    code = "file.unreadable"


class LedgerUnreadable(UsageError):
    code = "ledger.unreadable"


class SchemaTooNew(UsageError):
    code = "ledger.schema_too_new"


class DataDirUnusable(UsageError):
    code = "data_dir.unusable"


class PortInUse(UsageError):
    code = "port.in_use"


class NothingToDo(UsageError):
    code = "run.nothing_to_do"


class AdapterStillFails(UsageError):
    """Tried on the recorded pages it failed on, it fails on most of them still; it stays switched off."""

    code = "adapter.still_fails"


class QueueFull(UsageError):
    """Too much waits already; nothing was planned. Ask again after `retry_after` seconds."""

    code = "run.queue_full"
    retryable = True

    def __init__(self, message: str = "", *, fix: str = "", retry_after: float = 60.0) -> None:
        super().__init__(message, fix=fix)
        self.retry_after = retry_after


# -- who may come in -----------------------------------------------------------------------------------------


class TooManyLogins(UsageError):
    code = "access.too_many_logins"
    retryable = True

    def __init__(self, message: str = "", *, fix: str = "", retry_after: float = 60.0) -> None:
        super().__init__(message, fix=fix)
        self.retry_after = retry_after


class NoAdmin(UsageError):
    """The portal would be open to others, and nobody is there to say who may come in."""

    code = "access.no_admin"


# -- what a request can end in -------------------------------------------------------------------------------


class FetchError(LimpetError):
    """One request gave no page. `outcome` is the word of `limpet.fetch.FetchOutcome` it counts as."""

    code = "fetch.error"
    outcome: ClassVar[str] = "error"

    def __init__(
        self, message: str = "", *, fix: str = "", status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message, fix=fix)
        self.status = status
        self.retry_after = retry_after
        self.page: object | None = None  # the answer itself, when there was one: the evidence
        self.screenshot: bytes | None = None  # how the page looked in the browser, as PNG


class GateRefused(FetchError):
    """We did not ask: one of our own gates said no. Never a failure of the site."""

    code = "gate.refused"
    outcome = "refused"


class SourceRefused(GateRefused):
    code = "gate.source"


class SwitchedOff(SourceRefused):
    """A rule or a person switched the source or its adapter off; `word` is the reason of what is skipped by it."""

    code = "gate.switched_off"

    def __init__(self, message: str = "", *, fix: str = "", word: str = "source_disabled") -> None:
        super().__init__(message, fix=fix)
        self.word = word


class AddressForbidden(GateRefused):
    code = "gate.address"


class RobotsDisallowed(GateRefused):
    code = "gate.robots"
    outcome = "robots_blocked"
    rules_sha256: str | None = None  # of the robots.txt that forbids it


class RobotsUnavailable(GateRefused):
    code = "gate.robots_unavailable"
    outcome = "robots_blocked"
    retryable = True


class BreakerOpen(GateRefused):
    code = "gate.breaker"
    retryable = True


class BudgetUnavailable(GateRefused):
    code = "gate.budget_unavailable"
    retryable = True


class FetchTimeout(FetchError):
    code = "fetch.timeout"
    outcome = "timeout"
    retryable = True


class ConnectionFailed(FetchError):
    code = "fetch.connection"
    retryable = True


class BadResponse(FetchError):
    """The origin answered something that is not HTTP, or broke off in the middle."""

    code = "fetch.bad_response"
    retryable = True


class BodyTooLarge(FetchError):
    code = "fetch.too_large"
    outcome = "too_large"


class TooManyRedirects(FetchError):
    code = "fetch.redirects"


class HttpStatusError(FetchError):
    code = "fetch.http_status"


class PageGone(HttpStatusError):
    code = "fetch.gone"
    outcome = "gone"


class PageBlocked(HttpStatusError):
    code = "fetch.blocked"
    outcome = "blocked"


class RateLimited(HttpStatusError):
    code = "fetch.rate_limited"
    outcome = "rate_limited"
    retryable = True


class ServerFault(HttpStatusError):
    code = "fetch.server_fault"
    retryable = True


class BrowserError(FetchError):
    code = "browser.error"


class BrowserLaunchFailed(BrowserError):
    code = "browser_launch_failed"


class BrowserCrashed(BrowserError):
    code = "browser_crashed"
    retryable = True


class BrowserElementNotFound(BrowserError):
    code = "browser_element_not_found"


class DocumentError(FetchError):
    """A court did not hand out a document, or handed out something else."""

    code = "document.error"


class MalformedPdf(DocumentError):
    """What came is no PDF, or not all of one."""

    code = "malformed_pdf"
    retryable = True


# -- what remembering can end in -----------------------------------------------------------------------------


class RecordError(LimpetError):
    code = "record.error"


class LeaseLost(RecordError):
    """Another worker holds this job now; what we were about to write was refused in SQL."""

    code = "record.lease_lost"


class DiskInsufficient(RecordError):
    code = "disk_insufficient"


class LedgerBusy(RecordError):
    code = "record.busy"
    retryable = True


class SnapshotDamaged(RecordError):
    code = "record.snapshot_damaged"


class RunBusy(RecordError):
    """Another live process is already walking this run."""

    code = "run.busy"


class SourceBusy(RunBusy):
    """Another run of this source is not finished; `run_id` says which."""

    code = "run.source_busy"

    def __init__(self, message: str = "", *, fix: str = "", run_id: int = 0) -> None:
        super().__init__(message, fix=fix)
        self.run_id = run_id
