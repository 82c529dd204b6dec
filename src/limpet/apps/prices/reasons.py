"""Why an offer is not stored as fact. The words are counted, shown and documented as they stand here."""

from __future__ import annotations

from enum import StrEnum


class DropReason(StrEnum):
    """The offer is not written; only its reason is."""

    MISSING_REQUIRED_FIELD = "missing_required_field"
    INVALID_PRICE = "invalid_price"
    INVALID_URL = "invalid_url"
    DUPLICATE_WITHIN_RUN = "duplicate_within_run"
    BLOCKED_BY_ROBOTS_TXT = "blocked_by_robots_txt"
    OOS_NO_PRICE = "oos_no_price"
    UNKNOWN_AVAILABILITY = "unknown_availability"


class QuarantineReason(StrEnum):
    """The offer is set aside with its page until a person decides."""

    VALIDATION_FAILED = "validation_failed"
    DRIFT_DETECTED = "drift_detected"
    SELECTOR_FAILURE = "selector_failure"
    NORMALIZATION_FAILED = "normalization_failed"
    ZERO_PRICE_EXTRACTED = "zero_price_extracted"
    AMBIGUOUS_PRICE = "ambiguous_price"
    AMBIGUOUS_VARIANTS = "ambiguous_variants"
