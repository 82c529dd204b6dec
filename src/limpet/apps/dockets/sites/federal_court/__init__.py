"""Federal Court of Canada (fct-cf.ca): one exact number at a time, by the JSON behind the page or by the page."""

from limpet.apps.dockets.sites.federal_court.readers import PAGE, VERSION, reach_docket
from limpet.extract import Site

SITE = Site(
    id="federal_court",
    version=VERSION,
    app="dockets",
    domain="fct-cf.ca",
    page_model=PAGE,
    route=reach_docket,
)

__all__ = ["SITE"]
