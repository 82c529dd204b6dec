"""BYTES, politely: there is one way to the network, and every request passes it."""

from limpet.fetch.outcome import FetchOutcome
from limpet.fetch.page import Page
from limpet.fetch.trail import GateDecision, RequestNote, Trail

__all__ = ["FetchOutcome", "GateDecision", "Page", "RequestNote", "Trail"]
