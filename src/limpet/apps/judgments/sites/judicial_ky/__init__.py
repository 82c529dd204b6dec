"""The unreported judgments of the Cayman Islands: a CSV index, `dl_bfile`, and Box."""

from limpet.apps.judgments.court.court import Court
from limpet.apps.judgments.court.page import PAGE
from limpet.apps.judgments.court.route import DocumentRoute
from limpet.extract import Site

COURT = Court(
    origin="https://judicial.ky",
    listing_path="/judgments/unreported-judgments/",
    index_path="/wp-content/uploads/box_files/judgments.csv",
    action="dl_bfile",
    button="data-dl",
)
SITE = Site(
    id="judicial_ky",
    version="1.0.0",
    app="judgments",
    domain="judicial.ky",
    page_model=PAGE,
    route=DocumentRoute(COURT),
)

__all__ = ["COURT", "SITE"]
