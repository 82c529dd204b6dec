"""Tables of alerts."""

from __future__ import annotations

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create them."""


def downgrade() -> None:
    """Drop them."""
