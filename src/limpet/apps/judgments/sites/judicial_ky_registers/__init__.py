"""The public registers of the Cayman Islands: the page itself is the index, `get_bfile`, and Box's API."""

from limpet.apps.judgments.court.court import Court
from limpet.apps.judgments.court.page import PAGE
from limpet.apps.judgments.court.route import DocumentRoute
from limpet.extract import Site

COURT = Court(
    origin="https://judicial.ky", listing_path="/public-registers/", action="get_bfile", button="data-vw"
)
SITE = Site(
    id="judicial_ky_registers",
    version="1.0.0",
    app="judgments",
    domain="judicial.ky",
    page_model=PAGE,
    route=DocumentRoute(COURT),
)

__all__ = ["COURT", "SITE"]
