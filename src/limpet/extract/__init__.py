"""A PAGE becomes a record, or says why it cannot be read."""

from limpet.extract.extraction import Extraction, Missing, Unreadable, fields_of
from limpet.extract.site import PageModel, Route, Site

__all__ = ["Extraction", "Missing", "PageModel", "Route", "Site", "Unreadable", "fields_of"]
