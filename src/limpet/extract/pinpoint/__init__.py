"""Where on a page a value stands, and what to call that place so that the name lasts."""

from limpet.extract.pinpoint.layout import Layout, Spot, layout_of
from limpet.extract.pinpoint.naming import is_steady
from limpet.extract.pinpoint.selecting import Name, names_for
from limpet.extract.pinpoint.wanted import Wanted, wanted

__all__ = ["Layout", "Name", "Spot", "Wanted", "is_steady", "layout_of", "names_for", "wanted"]
