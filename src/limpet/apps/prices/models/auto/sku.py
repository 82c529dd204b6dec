"""The shop's own number of the product: from markup, from a label beside it, or from the address."""

from __future__ import annotations

import re
from collections.abc import Callable

from limpet.apps.prices.models.auto import naming
from limpet.apps.prices.models.auto.outline import Outline
from limpet.apps.prices.models.auto.state import State
from limpet.apps.prices.models.auto.statements import Statement

_KIND = r"(?:#|code|no\.?|nr\.?|number|num\.?|id)"
_LABELLED = re.compile(
    r"(?:\bsku|\basin|\bitem|\bindeks|\briferimento"
    rf"|\b(?:item|product|prod\.?|order|stock|style|model|part|catalog(?:ue)?|article|web"
    rf"|store sku|mfr\.?|mpn|dpci)\s?{_KIND}"
    r"|\bart(?:ikel)?\.?-?\s?(?:nr|nummer|no)\.?|\bbestell-?(?:nr|nummer)\.?|\bprodukt(?:nr|nummer)\.?"
    r"|\bréf(?:érence)?\.?|\bref(?:erencia|erence)?\.?|\bcod(?:ice|e)?\.?|\bcódigo|\bvarenr\.?|\bvarenummer"
    r"|\bkod(?: produktu)?|\bkód|\bартикул|\bкод|\bкаталожен номер|\bürün kodu|\bstok kodu|\bcikkszám"
    r"|\bobjednací číslo|\btuotenumero|\btuotenro|\bκωδικός|\bmã"
    r"|商品番号|商品コード|品番|型番|상품번호|상품코드|货号|מק.?ט)"
    r"(?:\s+[^\W\d_]{2,12}){0,2}\s*[:：#.]{0,2}\s*(?P<value>(?=[\w./-]*\d)[A-Za-z0-9][A-Za-z0-9._/-]{2,39})",
    re.I,
)
_IN_ADDRESS = (
    re.compile(r"/(?:dp|gp/product)/([A-Z0-9]{10})(?:[/?]|$)"),
    re.compile(
        r"[?&](?:sku|pid|product_?id|item_?id|itemid|prodid|skuid|variant|articleid)=([\w-]{3,40})(?:&|$)",
        re.I,
    ),
    re.compile(r"/(?:itm|ip|p|prd|prod|pd|item|sku)/(?:[^/?]+/)*(?:A-|R-)?([0-9]{5,20})(?:[/?.]|$)", re.I),
    re.compile(
        r"[-_/.](?:p|pid|prd|art|sku|i|a|s)?-?([0-9]{5,20})(?:\.html?|\.aspx|\.php|\.p|/|/p)?(?:\?|$)",
        re.I,
    ),
)
_ATTRIBUTES = (
    "data-sku",
    "data-product-sku",
    "data-productsku",
    "data-product_sku",
    "data-item-sku",
    "data-asin",
)
_FIELDS = frozenset(
    ("sku", "productsku", "product_sku", "itemnumber", "productcode", "product_code", "articlenumber")
)
_NUMBER_NAME = re.compile(
    r"(?:^|[\s_-])(?:sku|product-?(?:code|number|sku)|item-?(?:no|number|code)|article-?(?:no|number)|artikelnummer|code"
    r"|reference|mpn|partnumber|styleno)(?:[-_]*value)?(?:$|\s)",
    re.I,
)
_VALUE = re.compile(r"(?=[\w./-]*\d)[A-Za-z0-9][A-Za-z0-9._/-]{2,39}")
_LONGEST_NUMBER = 50
_LOOK_AFTER_TITLE = 400


def sku_of(
    outline: Outline,
    statements: list[Statement],
    *,
    cents: int | None,
    url: str,
    title_text: int,
    state: Callable[[], State],
) -> str | None:
    """Return the number, by markup, else by attribute, by label, by the page's data, else from the address."""
    return (
        _stated(statements, cents, url)
        or _in_markup(outline)
        or _called(outline)
        or _labelled(outline, title_text)
        or _known(state())
        or _in_address(url)
    )


def _stated(statements: list[Statement], cents: int | None, url: str) -> str | None:
    known = [each for each in statements if each.sku and 1 < len(each.sku) <= 64]
    for kind in ("json_ld", "microdata", "rdfa", "meta"):
        of_kind = [each for each in known if each.kind == kind]
        same = [each for each in of_kind if each.price is not None and each.price.cents == cents] or of_kind
        numbers = sorted({each.sku for each in same if each.sku})
        named = [number for number in numbers if number.lower() in url.lower()]
        if len(numbers) == 1 or len(named) == 1:
            return (named if len(named) == 1 else numbers)[0]
    return None


def _known(state: State) -> str | None:
    numbers = [each for each in state.skus if 2 < len(each) <= 64]
    return numbers[0] if numbers else None


def _in_markup(outline: Outline) -> str | None:
    found: list[str] = []
    for element in outline.elements:
        if element.marks & (naming.OTHERS | naming.FRAME | naming.CARD):
            continue
        attributes = element.node.attributes
        if "itemprop" in attributes and attributes.get("itemprop") in ("sku", "productID"):
            found.append(attributes.get("content") or outline.words_of(element.index))
        else:
            found.extend(value for name in _ATTRIBUTES if (value := attributes.get(name)))
            if element.tag == "input" and (attributes.get("name") or "").lower() in _FIELDS:
                found.append(attributes.get("value") or "")
        if found:
            break
    value = _without_label(found[0].strip()) if found else ""
    return value if 1 < len(value) <= 64 else None


def _called(outline: Outline) -> str | None:
    """Return the text of the element that is called the product's number."""
    for element in outline.elements:
        if not element.names or element.marks & (naming.OTHERS | naming.FRAME | naming.CARD | naming.LINKED):
            continue
        if _NUMBER_NAME.search(element.names) and outline.length_of(element.index) <= _LONGEST_NUMBER:
            words = outline.words_of(element.index)
            value = _without_label(words)
            if _VALUE.fullmatch(value):
                return value
    return None


def _labelled(outline: Outline, title_text: int) -> str | None:
    start = max(0, title_text - 30)
    for position in range(start, min(len(outline.texts), title_text + _LOOK_AFTER_TITLE)):
        text = outline.texts[position]
        if len(text.words) > 80 or outline.elements[text.owner].marks & (naming.OTHERS | naming.FRAME):
            continue
        following = outline.texts[position + 1].words if position + 1 < len(outline.texts) else ""
        line = f"{text.words} {following}" if len(text.words) < 30 and len(following) < 50 else text.words
        found = _LABELLED.search(line)
        if found is not None and found.start() <= len(text.words):
            return found["value"].rstrip(".-/")
    return None


def _without_label(value: str) -> str:
    found = _LABELLED.match(value)
    return found["value"] if found is not None else value


def _in_address(url: str) -> str | None:
    return next((found[1] for pattern in _IN_ADDRESS if (found := pattern.search(url))), None)
