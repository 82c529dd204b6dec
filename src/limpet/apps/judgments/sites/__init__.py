"""Every court we can read, listed by hand, and where each keeps its things."""

from collections.abc import Mapping

from limpet.apps.judgments.court.court import Court
from limpet.apps.judgments.sites import judicial_ky, judicial_ky_registers

SITES = (judicial_ky.SITE, judicial_ky_registers.SITE)
COURTS: Mapping[str, Court] = {
    judicial_ky.SITE.id: judicial_ky.COURT,
    judicial_ky_registers.SITE.id: judicial_ky_registers.COURT,
}

__all__ = ["COURTS", "SITES"]
