"""How retention is written down in the audit log."""

BEGUN = "retention_begun"
APPLIED = "retention_applied"
SUBJECT = "retention"
