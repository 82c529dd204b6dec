"""A shop with heavy pages and several places that speak of price, most of them not about the variant asked for.

    address     /ammunition/<type>/<slug>/ and ?sku= for one variant
    JSON-LD     Organization, Product and BreadcrumbList, a script each; Product has neither sku nor brand,
                its `offers` hold one Offer per variant with sku and a price that is a number
    script      currentProduct = JSON.parse("..."): viewModel with price range, crossed-out price, stock flags and
                the modes that hide a price; beside it attribute values whose sku is not to be trusted
    trackers    datalayerProduct and SiteVibesProduct know the first variant only
    gone        a removed product answers 200 with its category, canonical link and a JSON-LD Thing included

Every page loads a captcha script without showing a captcha.
"""

from __future__ import annotations

from tidepool.brown.brown import Brown

__all__ = ["Brown"]
