"""Sites that changed overnight: the page is there, what we looked for is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from tidepool.faults.behaviour import Act, Exchange, behaviour, register
from tidepool.site import Response

JSON_LD = re.compile(rb'<script type="application/ld\+json">.*?</script>', re.DOTALL)
AMOUNT = re.compile(rb"(<bdi>.*?</span>)([\d,.]+)(</bdi>)")
# A price is a string at one shop and a number at the next; the quotes of a script in a script are escaped.
PRICE_FIELD = re.compile(rb'"(price|lowPrice|highPrice|onlinecustomerprice)":(?:("[^"]*")|[\d.]+)')
SHOWN_PRICE = re.compile(rb"(formattedProductCurrentPrice\\u0022:\\u0022)[^\\]*")
KEY = re.compile(rb'(?P<quote>"|\\u0022)(?P<name>\w+)(?P=quote)(?=\s*:)')
NEW_KEYS = {
    b"offers": b"offerList",
    b"price": b"amount",
    b"lowPrice": b"lowAmount",
    b"priceSpecification": b"amounts",
    b"availability": b"stockState",
    b"viewModel": b"productModel",
    b"formattedProductCurrentPrice": b"currentPriceText",
    b"isInStock": b"inStockNow",
    b"isOutOfStock": b"outOfStockNow",
    b"status": b"state",
    b"onlinecustomerprice": b"customer_price",
    b"onlinecustomerprice_detail": b"customer_price_detail",
    b"onlinecustomerprice_formatted": b"customer_price_text",
    b"isinstock": b"in_stock",
    b"quantityavailable": b"quantity_available",
    b"internalid": b"id",
}
NEW_CLASSES = {
    b"tidepool-content-single-product": b"pdp-x7f3",
    b"woocommerce-Price-amount": b"px-9a1",
    b'class="stock ': b'class="avl-2 ',
    b'name="add-to-cart"': b'data-buy="1"',
    b"product-page-main-heading": b"h-41",
    b"pdp-info__": b"x7-",
}
STOCK_KEYS = (
    rb"is(?:LeastOne)?(?:InStock|OutOfStock|BackOrder|PreOrder|Discontinued)"
    rb"|isinstock|isbackorderable|ispurchasable"
)


def _without_json_ld(body: bytes) -> bytes:
    return JSON_LD.sub(b"", body)


def _renamed_classes(body: bytes) -> bytes:
    for old, new in NEW_CLASSES.items():
        body = body.replace(old, new)
    return body


def _renamed_keys(body: bytes) -> bytes:
    def renamed(key: re.Match[bytes]) -> bytes:
        return key["quote"] + NEW_KEYS.get(key["name"], key["name"]) + key["quote"]

    return KEY.sub(renamed, body)


def _redesigned(body: bytes) -> bytes:
    return _renamed_keys(_renamed_classes(_without_json_ld(body)))


def _broken_json_ld(body: bytes) -> bytes:
    bad = (
        b'<script type="application/ld+json">{"@type":"Product","name":"Broken", "offers":{"price":}</script>'
    )
    return body.replace(b"<head>", b"<head>" + bad, 1)


def _all_json_ld_broken(body: bytes) -> bytes:
    return body.replace(b'"@type":"Product"', b'"@type":"Product",,')


def _priced(amount: bytes) -> Callable[[re.Match[bytes]], bytes]:
    def priced(field: re.Match[bytes]) -> bytes:
        return b'"' + field[1] + b'":' + (b'"' + amount + b'"' if field[2] else amount)

    return priced


def _zero_prices(body: bytes) -> bytes:
    body = SHOWN_PRICE.sub(rb"\g<1>$0.00", PRICE_FIELD.sub(_priced(b"0.00"), body))
    return AMOUNT.sub(rb"\g<1>0.00\g<3>", body)


def _disagreeing(body: bytes) -> bytes:
    return PRICE_FIELD.sub(_priced(b"1.23"), body, count=1)


def _other_currency(body: bytes) -> bytes:
    body = re.sub(rb'"(priceCurrency|currency)":"USD"', rb'"\1":"EUR"', body)
    return body.replace(b"&#36;", b"&euro;")


def _unknown_stock(body: bytes) -> bytes:
    body = re.sub(rb"https?://schema\.org/(InStock|OutOfStock|BackOrder|PreOrder|Discontinued)", b"", body)
    body = re.sub(rb" (instock|outofstock|onbackorder) ", b" ", body)
    body = re.sub(rb'("|\\u0022)(' + STOCK_KEYS + rb")\1:(true|false)", rb"\1\2\1:null", body)
    body = re.sub(rb'"(quantity(?:available|onhand))":[\d.]+', rb'"\1":null', body)
    body = re.sub(rb'("status": )"[^"]*"', rb'\1"Ask our staff"', body)
    body = re.sub(rb"('hasSellableProducts': )(true|false)", rb"\1null", body)
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


REDESIGNS: Mapping[str, Act] = {
    "everything": _changed_by(_redesigned),
    "json_ld": _changed_by(_without_json_ld),
    "classes": _changed_by(_renamed_classes),
    "keys": _changed_by(_renamed_keys),
}


@behaviour(what="everything")
async def redesigned(exchange: Exchange) -> Response | None:
    """Drops the JSON-LD, renames the classes and the keys of all other data; `what` may name one of them."""
    return await REDESIGNS.get(exchange.text("what"), REDESIGNS["everything"])(exchange)
