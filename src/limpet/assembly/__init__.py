"""Builds the house in one place: every room gets what it needs handed in, and nobody looks for it alone."""

from limpet.assembly.apps import all_apps, all_sites, app_checks
from limpet.assembly.house import House, assemble
from limpet.assembly.opening import open_ledger

__all__ = [
    "House",
    "all_apps",
    "all_sites",
    "app_checks",
    "assemble",
    "open_ledger",
]
