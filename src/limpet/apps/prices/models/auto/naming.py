"""What class names, ids and test hooks say about an element, in the words shop templates really use."""

from __future__ import annotations

import re
from functools import lru_cache

# Marks are plain integers: a page holds tens of thousands of elements, and each inherits its parent's.
PRICE = 1 << 0  # is about a price
CURRENT = 1 << 1  # ... the one to pay now
OLD = 1 << 2  # ... crossed out or a list price
REGULAR = 1 << 3  # ... a regular price: current unless a lower one stands beside it
UNIT = 1 << 4  # ... per kilogram, per piece
FINANCE = 1 << 5  # instalments
SHIPPING = 1 << 6
SAVING = 1 << 7  # how much one saves, coupons, points
OTHERS = 1 << 8  # other products: related, recently seen, compared
CARD = 1 << 9  # a tile, perhaps of another product
FRAME = 1 << 10  # header, footer, navigation, the small cart, banners
OPTION = 1 << 11  # one of several variants to choose from
TIER = 1 << 12  # quantity prices
HIDDEN = 1 << 13
LINKED = 1 << 14  # inside a link that leads elsewhere
CENTS = 1 << 15  # the small raised digits
STOCK = 1 << 16
REVIEW = 1 << 17  # reviews, questions, long descriptions
TOTAL = 1 << 18  # a sum of several things
SURELY_FRAME = 1 << 27  # a header, a footer, a navigation by its element, not only called so
SURELY_OLD = 1 << 26  # called old by a word that means nothing else
NAMED_BEFORE_TAX = 1 << 28  # called so by a name: counts only beside its like with tax
NAMED_WITH_TAX = 1 << 29
STRUCK = 1 << 19  # crossed out by its element or its style, not only called so

INHERITED = (
    OLD | UNIT | FINANCE | SHIPPING | SAVING | OTHERS | CARD | FRAME | OPTION | TIER | HIDDEN | LINKED
    | REVIEW | TOTAL | STRUCK | SURELY_OLD | SURELY_FRAME | NAMED_BEFORE_TAX | NAMED_WITH_TAX
)  # fmt: skip

ELSEWHERE = OTHERS | FRAME | CARD  # what is not the product's own

_VOCABULARY: tuple[tuple[int, str], ...] = (
    (
        PRICE,
        r"prices?|pricing|preise?|prix|prezzo|prezzi|precio|precios|preco|prijs|pris|priset|hinta|cena|ceny|cen"
        r"|prc|priceblock|pricebox|buyboxprice|productprice|price\d|saleprice|ourprice|finalprice|money"
        r"|moneyvalue"
        r"|sfprice|kaina|fiyat",
    ),
    (
        CURRENT,
        r"current|now|sale|sales|special|final|our|offer|deal|selling|actual|aktuell|actuel|promo|promotional"
        r"|reduced|today|buying|customer|hero|main|primary|new|discounted|sell|saleprice|ourprice|finalprice"
        r"|oferta|action|aktion|angebot|to-pay",
    ),
    (
        OLD,
        r"old|was|basis|strike|striked|strikeout|strikethrough|strikethru|struck|stroke|crossed|crossedout"
        r"|cross-out|compare-at"
        r"|line-through|linethrough|linethru|compare-price|price-compare|compare|compared|before|previous"
        r"|prev-price|original|orig|msrp|rrp|uvp|srp|rsp|list-price|listprice|retail|suggested"
        r"|recommended-price|reference|statt|streichpreis|streich|instead|barre|anterior|antes|tachado|ancien"
        r"|vecchio|full-price|przekreslona|ordinarie|vorher|non-sale-price|usual|oldprice|wasprice"
        r"|price-was|priceold|old-price|uvp-price|rrp-price|price-before|crossprice|lineprice|regular-strike"
        r"|typical|barred|scratch|scratched|advice|adviesprijs|stara|regularprice-old|orgprc|prc-org|org-price|price-org|origin-price|orig-price"
        r"|typical-price|listino",
    ),
    (
        SURELY_OLD,
        r"old|was|strike|striked|strikeout|strikethrough|strikethru|struck|crossed|crossedout|line-through|linethrough"
        r"|before|previous|streichpreis|streich|statt|instead|barre|tachado|antes|anterior|ancien|vecchio|vorher|stara"
        r"|oldprice|wasprice|compare-at|compare-price|price-compare|przekreslona",
    ),
    (REGULAR, r"regular|standard|normal|reg|regularprice|base"),
    (
        UNIT,
        r"unit|unit-price|price-per|per-unit|ppu|grundpreis|baseprice|base-price|price-unit|unitprice|per-item"
        r"|per-kg|per-100|pricepum|unit-pricing|priceper",
    ),
    (
        FINANCE,
        r"finance|financing|installments?|instalments?|klarna|afterpay|affirm|zip|zippay|sezzle|monthly"
        r"|per-month|leasing|credit|paypal|clearpay|quadpay|laybuy|splitit|humm|openpay|raten|ratenzahlung"
        r"|mensualite|mensual|pay-later|paylater|shop-pay|shopify-payment-terms|lease|payment|payments|bnpl"
        r"|warranty|protection|insurance|assurance|garantie|service-plan|serviceplan|trade-in|tradein|subscribe"
        r"|subscription|sns|autoship|membership|autodelivery|rental|rent|used|refurbished|olp|mbc|preowned",
    ),
    (
        SHIPPING,
        r"shipping|delivery|freight|versand|lieferung|livraison|postage|spedizione|envio|shipment|ship"
        r"|lieferkosten|verzending|leverans|shippingcost|deliverycost|fulfillment|import-fees?|duties|dostawa",
    ),
    (
        SAVING,
        r"savings?|save|yousave|you-save|percent|percentage|coupons?|vouchers?|rebates?|rewards?|points"
        r"|cashback"
        r"|rabatt|ersparnis|economie|loyalty|clubcard|gift-?cards?|giftcard|credit-card|earn|discount-amount"
        r"|discount-value|discount-percent|discount-label|discount-badge|badge|korting|sconto|ahorro|promo-code"
        r"|saved|bonus|donation|deposit|pfand|vat-amount|ecotax|ecopart|eco-participation",
    ),
    (
        OTHERS,
        r"related|recommend|recommended|recommendations?|recommender|recs|reco|recos|upsells?|up-sells?"
        r"|crosssells?"
        r"|cross-sells?|similar|similarities|also|recently|recent|last-viewed|suggestions?|frequently|fbt"
        r"|boughttogether|bought-together|sponsored|sims|p13n|comparison|compare-products|bestsellers?"
        r"|trending|alternatives?|alternative-products|more-from|more-products|others?|look|complete-the-look"
        r"|shop-the-look|outfit|accessories|accessory|zubehoer|zubehor|aehnliche|complementary|addons?|add-ons?"
        r"|bundles?|combo|companion|you-may|may-like|viewed|history|seealso|see-also|people|customers-also"
        r"|interest|inspiration|popular|featured|kit-items|wishlist|cart-items|youmightlike|youmaylike"
        r"|featured-products",
    ),
    (
        CARD,
        r"card|cards|tile|tiles|carousel|slider|slick|swiper|owl|flickity|grid-item|product-list|product-grid"
        r"|product-listing|products|product-item|productlist|search-results|collection|teaser|glide|slide",
    ),
    (
        FRAME,
        r"footer|mini-?cart|minicart|cart-drawer|cart-summary|cart-total|cart-popup|cart-modal|cart-sidebar"
        r"|cart-preview|header-cart|cartdrawer|ajaxcart|ajax-cart|drawer-cart|side-cart|sidecart|basket-summary"
        r"|mini-basket|minibasket|shopping-bag|free-shipping-bar|announcement|announcement-bar|topbar"
        r"|top-bar|cookie"
        r"|cookies|newsletter|popup|site-header|page-header|header-top|global-header|navbar|breadcrumbs?"
        r"|mega-?menu"
        r"|usp|usps|banner|banners|ticker|cookie-consent|gdpr|consent|filters?|facets?|popover|popover-preload|tooltip|modal|lightbox|quickview|quick-view|quick-shop|flyout|range-slider|offcanvas",
    ),
    (
        OPTION,
        r"swatch|swatches|swatch-element|option|options|variants?|variations?|twister|configurable-options"
        r"|variant-list|size-list|formats|editions?|choices?|radio|dropdown|toggle|tmm|pack-sizes?",
    ),
    (
        TIER,
        r"tier|tiers|tier-price|tier-prices|tierprices|qty-discounts?|quantity-discounts?|qty-price|qty-prices"
        r"|quantity-price|quantity-prices|bulk|volume|staffel|staffelpreise?|wholesale|ladder|qty-breaks?"
        r"|quantity-breaks?|block-prices|price-breaks?|bulk-pricing|graduated|prices-tier",
    ),
    (CENTS, r"cents?|fraction|decimals?|mantissa|superscript|sup|kop|minor|penny|pence|centimes|grosze"),
    (
        STOCK,
        r"stock|availability|available|instock|outofstock|inventory|verfuegbarkeit|verfugbarkeit|disponibilite"
        r"|disponibilita|disponibilidad|lager|voorraad|lagerstatus|dostepnosc|soldout|sold-out|in-stock"
        r"|out-of-stock|stockstatus|lieferstatus|unavailable|backorder|preorder",
    ),
    (
        REVIEW,
        r"reviews?|ratings?|comments?|questions?|faq|qa|description|article-body|blog|testimonials?|bewertung",
    ),
    (TOTAL, r"total|subtotal|sub-total|summary-total|total-price|grand-total|sum"),
)  # fmt: skip

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
# `wasprice`, `priceold`: words grown together.
_COMPOUND = re.compile(
    r"(?<=[a-z])(?=(?:price|preis)s?(?:$|[^a-z]))|(?<=price)(?=[a-rt-z])|(?<=preis)(?=[a-df-z])"
)
_SEPARATORS = re.compile(r"[^a-z0-9]+")
_COMPILED = tuple((mark, re.compile(rf"(?<![a-z0-9])(?:{words})(?![a-z0-9])")) for mark, words in _VOCABULARY)
# `hidden-xs` hides from some screens only, `price--show-badge` tells of a neighbour, not of itself.
_RESPONSIVE = re.compile(
    r"(?:hidden|hide|visible|show)-(?:xs|sm|md|lg|xl|phone|tablet|desktop|mobile|for|on)"
)
_STATE = re.compile(r"(?<![a-z0-9])(?:show|with|has|no|not|without|enable|enabled|can)-[a-z0-9]+")
_SAID_BY_MODIFIERS = (
    PRICE | CURRENT | OLD | SURELY_OLD | REGULAR | UNIT | STOCK | OPTION | NAMED_BEFORE_TAX | NAMED_WITH_TAX
)
_TAX = r"(?:tax|vat|gst|mwst|moms|btw|tva|iva)(?![a-z0-9])"
_BEFORE_TAX = re.compile(rf"(?<![a-z0-9])(?:ex|exc|excl|excluding|without|net)-?{_TAX}")
_WITH_TAX = re.compile(rf"(?<![a-z0-9])(?:inc|incl|including|with)-?{_TAX}")
_HIDING = frozenset((
    "hidden", "hide", "d-none", "is-hidden", "hidden-price", "display-none", "u-hidden", "ng-hide", "js-hidden",
    "no-display", "uk-hidden", "a-hidden", "aok-hidden", "skeleton", "is-hide",
))  # fmt: skip


@lru_cache(maxsize=20_000)
def marks_of(names: str) -> int:
    """Return the marks the names of one element carry together."""
    marks = 0
    for name in names.split():
        marks |= _marks_of_name(name)
    return marks


@lru_cache(maxsize=20_000)
def _marks_of_name(name: str) -> int:
    plain = _plain(name)
    if plain in _HIDING:
        return HIDDEN
    if not plain or len(plain) > 120 or _RESPONSIVE.match(plain):
        return 0
    block, _, modifier = name.partition("--")
    if modifier:
        return _looked_up(_plain(block)) | (_looked_up(plain) & _SAID_BY_MODIFIERS)
    return _looked_up(plain)


def _plain(name: str) -> str:
    plain = _SEPARATORS.sub("-", _CAMEL.sub("-", name).lower()).strip("-")
    return _COMPOUND.sub("-", plain)


def tax_marks(label: str) -> int:
    """Return whether a label or a name tells a price with tax from one without."""
    plain = _plain(label)
    before = NAMED_BEFORE_TAX if _BEFORE_TAX.search(plain) else 0
    return before | (NAMED_WITH_TAX if _WITH_TAX.search(plain) else 0)


def _looked_up(plain: str) -> int:
    marks = tax_marks(plain) if "-" in plain or "tax" in plain else 0
    plain = _STATE.sub("", plain)
    for mark, words in _COMPILED:
        if words.search(plain):
            marks |= mark
    return marks
