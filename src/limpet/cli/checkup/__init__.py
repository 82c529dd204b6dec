"""The doctor's examinations. Each looks at one thing, changes nothing and never raises."""

from limpet.cli.checkup.examination import examine
from limpet.cli.checkup.finding import Finding

__all__ = ["Finding", "examine"]
