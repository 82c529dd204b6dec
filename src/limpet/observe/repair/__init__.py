"""What is known about a breakage, put together for whoever mends it."""

from limpet.observe.repair.bundle import bundle_files
from limpet.observe.repair.examining import examine
from limpet.observe.repair.exhibit import Exhibit
from limpet.observe.repair.findings import Findings

__all__ = ["Exhibit", "Findings", "bundle_files", "examine"]
