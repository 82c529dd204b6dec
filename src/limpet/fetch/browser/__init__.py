"""A browser for pages that exist only once their scripts ran; every request of it passes the one way out."""

from limpet.fetch.browser.answer import Answer, Forward
from limpet.fetch.browser.errand import Desk, Errand
from limpet.fetch.browser.fetcher import BrowserFetcher, Rendered
from limpet.fetch.browser.find import find_chromium
from limpet.fetch.browser.lease import Lease
from limpet.fetch.browser.orphans import sweep_orphans
from limpet.fetch.browser.pool import BrowserPool, PoolReading
from limpet.fetch.browser.recycling import PoolLimits, Reason
from limpet.fetch.browser.succession import OnEvent
from limpet.fetch.browser.visit import Captured, Visit

__all__ = [
    "Answer",
    "BrowserFetcher",
    "BrowserPool",
    "Captured",
    "Desk",
    "Errand",
    "Forward",
    "Lease",
    "OnEvent",
    "PoolLimits",
    "PoolReading",
    "Reason",
    "Rendered",
    "Visit",
    "find_chromium",
    "sweep_orphans",
]
