"""What keeping a court's judgments can end in. The tree they belong to stands in `limpet.errors`."""

from __future__ import annotations

from limpet.errors import DocumentError, LimpetError, UsageError


class CaseNotInIndex(UsageError):
    code = "csv_case_not_found"


class AjaxRefused(DocumentError):
    """Refused even with a fresh nonce."""

    code = "ajax_403"
    outcome = "blocked"


class AjaxFault(DocumentError):
    code = "ajax_500"
    retryable = True


class AjaxUnreadable(DocumentError):
    code = "ajax_parse_error"
    retryable = True


class InvalidBoxUrl(DocumentError):
    code = "invalid_box_url"


class AddressExpired(DocumentError):
    """Signed addresses ran out faster than they could be followed."""

    code = "box_url_expired"
    retryable = True


class IndexUnusable(LimpetError):
    """The index cannot be had or read, and there is no earlier one to go by."""

    code = "index.unusable"
    retryable = True
