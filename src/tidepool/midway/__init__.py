"""A shop whose pages are filled in by script: what a reader without one gets is JSON-LD and traps.

    address     /product/<family>?pid=<item>; the canonical link drops pid, og:url keeps it
    JSON-LD     one script, an array: Product (or ProductGroup with hasVariant), BreadcrumbList, ImageGallery
    sku, upc    `sku` is the pid; `mpn` holds the twelve-digit UPC
    price       `offers.price`, kept when sold out; `unit_price` elsewhere is always "0.00"
    stock       `offers.availability`; `universal_variable.product.status` says it in words
    script      window.icvData.productDataUrl names the JSON the page's own script would fetch

A family of several pack sizes shows all of them in a ProductGroup, or only the one it thinks is meant: without
pid nobody can know which was asked for.
"""

from __future__ import annotations

from tidepool.midway.midway import Midway

__all__ = ["Midway"]
