"""Sites that changed overnight: the page is there, what we looked for is not."""

from __future__ import annotations

import re
from collections.abc import Callable

from tidepool.faults.behaviour import Act, Exchange, register
from tidepool.site import Response

JSON_LD = re.compile(rb'<script type="application/ld\+json">.*?</script>', re.DOTALL)
AMOUNT = re.compile(rb"(<bdi>.*?</span>)([\d,.]+)(</bdi>)")
PRICE_FIELD = re.compile(rb'"(price|lowPrice|highPrice)":"[^"]*"')


def _without_json_ld(body: bytes) -> bytes:
    return JSON_LD.sub(b"", body)


def _renamed_classes(body: bytes) -> bytes:
    body = body.replace(b"tidepool-content-single-product", b"pdp-x7f3").replace(
        b"woocommerce-Price-amount", b"px-9a1"
    )
    return body.replace(b'class="stock ', b'class="avl-2 ').replace(b'name="add-to-cart"', b'data-buy="1"')


def _redesigned(body: bytes) -> bytes:
    return _renamed_classes(_without_json_ld(body))


def _broken_json_ld(body: bytes) -> bytes:
    bad = (
        b'<script type="application/ld+json">{"@type":"Product","name":"Broken", "offers":{"price":}</script>'
    )
    return body.replace(b"<head>", b"<head>" + bad, 1)


def _all_json_ld_broken(body: bytes) -> bytes:
    return body.replace(b'"@type":"Product"', b'"@type":"Product",,')


def _zero_prices(body: bytes) -> bytes:
    return AMOUNT.sub(rb"\g<1>0.00\g<3>", PRICE_FIELD.sub(rb'"\1":"0.00"', body))


def _disagreeing(body: bytes) -> bytes:
    return PRICE_FIELD.sub(rb'"\1":"1.23"', body, count=1)


def _other_currency(body: bytes) -> bytes:
    return body.replace(b'"priceCurrency":"USD"', b'"priceCurrency":"EUR"').replace(b"&#36;", b"&euro;")


def _unknown_stock(body: bytes) -> bytes:
    body = re.sub(rb"https?://schema\.org/(InStock|OutOfStock|BackOrder|PreOrder|Discontinued)", b"", body)
    body = re.sub(rb" (instock|outofstock|onbackorder) ", b" ", body)
    return re.sub(rb'(<p class="stock )[^"]*(">)[^<]*', rb"\g<1>\g<2>Ask our staff", body)


def _changed_by(change: Callable[[bytes], bytes]) -> Act:
    async def act(exchange: Exchange) -> Response:
        page = await exchange.healthy()
        # The tag belongs to the page as it was; a changed page under the old tag would never be seen.
        return Response(page.status, change(page.body), page.without("ETag", "Last-Modified").headers)

    return act


for _name, _sentence, _change in (
    ("json_ld_removed", "Drops every JSON-LD block; the visible page stays as it was.", _without_json_ld),
    ("classes_renamed", "Renames the classes the page is read by; the JSON-LD stays.", _renamed_classes),
    ("redesigned", "Drops the JSON-LD and renames the classes at once.", _redesigned),
    ("json_ld_malformed", "Puts a malformed JSON-LD block before the good ones.", _broken_json_ld),
    ("json_ld_all_malformed", "Breaks every Product block of JSON-LD.", _all_json_ld_broken),
    ("price_zero", "Shows every price as zero.", _zero_prices),
    (
        "prices_disagree",
        "Gives one price in the first JSON-LD block and another everywhere else.",
        _disagreeing,
    ),
    ("currency_changed", "Shows its prices in another currency.", _other_currency),
    ("stock_unknown", "Says nothing one could take for in stock or sold out.", _unknown_stock),
):
    register(_name, _sentence, _changed_by(_change))
