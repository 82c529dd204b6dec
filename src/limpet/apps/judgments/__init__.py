"""The court-judgment archive: every published judgment, each PDF exactly once, with the history of its metadata."""

from limpet.apps.judgments import tables

__all__ = ["tables"]
