"""What asking for files by number can end in. The tree they belong to stands in `limpet.errors`."""

from __future__ import annotations

from limpet.errors import LimpetError, RecordError, UsageError


class BadCaseNumber(UsageError):
    code = "dockets.bad_case_number"


class CheckpointUnusable(UsageError):
    """A checkpoint that cannot be gone on from: damaged, of a newer kind, or held by another process."""

    code = "dockets.checkpoint_unusable"


class PurgeRefused(UsageError):
    """A year is not purged while there is any doubt; nothing was removed unless the message says so."""

    code = "dockets.purge_refused"


class ProbeBroken(LimpetError):
    """The search for a year's last number met one that could not be asked for; what was answered stays answered."""

    code = "dockets.probe_broken"
    retryable = True


class AuditUnbalanced(RecordError):
    """The account of a batch does not add up: what was attempted is not what ended."""

    code = "dockets.audit_unbalanced"
