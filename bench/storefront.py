"""A product page of a WooCommerce-like shop: about 40 KB, distinct by number, cheap to fill in."""

# Markup is easier to compare with a real page when its lines stay whole.
# ruff: noqa: E501

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass

CLASS = "tidepool-content-single-product"
VARIANTS = (
    8  # different bodies behind the same layout, so that no two neighbours are the same page but for a number
)

_MAKERS = ("Kestrel", "Barnacle", "Driftwood", "Halyard", "Sandpiper", "Breakwater", "Cormorant", "Mooring")
_KINDS = ("Brass Shackle", "Rope Coil", "Deck Lamp", "Tide Clock", "Oak Cleat", "Canvas Bag", "Signal Flag")
# fmt: off
_WORDS = (
    "anchor", "harbour", "brass", "weather", "rope", "salt", "durable", "marine", "bright", "finish",
    "hand", "fitted", "tide", "boat", "deck", "storage", "season", "polished", "cotton", "steel", "bronze",
    "lacquer", "pattern", "length", "width", "sailor", "coast", "morning", "package", "carton", "warranty",
    "quality", "tested", "trusted", "every", "order", "ships", "within", "days", "from", "our", "own",
    "warehouse", "beside", "the", "old", "pier", "and", "arrives", "well", "packed",
)
# fmt: on


@dataclass(frozen=True, slots=True)
class Offer:
    """What a right reading of page `number` says; the bench holds every client to it."""

    number: int
    title: str
    price_cents: int
    currency: str
    availability: str
    sku: str


def offer(number: int) -> Offer:
    """Return the truth about one page."""
    maker, kind = _MAKERS[number % len(_MAKERS)], _KINDS[number % len(_KINDS)]
    return Offer(
        number=number,
        title=f"{maker} {kind} Model {number}, Box of {10 + number % 90}",
        price_cents=500 + number * 7919 % 90_000,
        currency="USD",
        availability="out_of_stock" if number % 5 == 0 else "in_stock",
        sku=f"TP-{number:06d}",
    )


class Storefront:
    """Fills a page from a handful of pieces; everything slow happened when it was built."""

    def __init__(self, base_url: str) -> None:
        self._templates = {
            (availability, variant): _split(_page(base_url, availability, random.Random(variant)))
            for availability in ("in_stock", "out_of_stock")
            for variant in range(VARIANTS)
        }

    def page(self, number: int) -> bytes:
        """Return the whole HTML of one product."""
        truth = offer(number)
        fields = {
            b"number": b"%d" % number,
            b"post": b"%d" % (20_000 + number),
            b"title": truth.title.encode(),
            b"price": b"%d.%02d" % divmod(truth.price_cents, 100),
            b"tier": b"%d.%02d" % divmod(truth.price_cents * 95 // 100, 100),
            b"sku": truth.sku.encode(),
        }
        text, holes = self._templates[truth.availability, number % VARIANTS]
        pieces = text.copy()
        for position, name in holes:
            pieces[position] = fields[name]
        return b"".join(pieces)


def _split(html: str) -> tuple[list[bytes], list[tuple[int, bytes]]]:
    """Cut a template at its {{holes}}: odd pieces are the holes."""
    pieces = [piece.encode() for piece in re.split(r"\{\{(\w+)\}\}", html)]
    return pieces, [(position, pieces[position]) for position in range(1, len(pieces), 2)]


def _page(base_url: str, availability: str, dice: random.Random) -> str:
    in_stock = availability == "in_stock"
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en-US">',
            _head(base_url, dice, in_stock=in_stock),
            '<body class="product-template-default single single-product postid-{{post}} woocommerce '
            'woocommerce-page woocommerce-no-js">',
            _header(base_url),
            _product(base_url, dice, in_stock=in_stock),
            _related(base_url, dice),
            _footer(base_url, dice),
            _scripts(base_url),
            "</body>",
            "</html>",
        ]
    )


def _sentence(dice: random.Random, words: int = 14) -> str:
    return " ".join(dice.choices(_WORDS, k=words)).capitalize() + "."


def _paragraph(dice: random.Random, sentences: int = 5) -> str:
    return " ".join(_sentence(dice) for _ in range(sentences))


# -- head ----------------------------------------------------------------------------------------------------


def _head(base_url: str, dice: random.Random, *, in_stock: bool) -> str:
    ready = "In stock and ready to ship. " if in_stock else ""
    return f"""<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{{{title}}}} | Tidepool Chandlery</title>
<link rel="canonical" href="{base_url}/product/{{{{number}}}}">
<link rel="alternate" type="application/json" href="{base_url}/wp-json/wp/v2/product/{{{{post}}}}">
<meta name="description" content="{_sentence(dice)}">
<meta property="og:type" content="product">
<meta property="og:title" content="{{{{title}}}}">
<meta property="og:url" content="{base_url}/product/{{{{number}}}}">
<meta property="og:description" content="{ready}{_sentence(dice)}">
{_styles(dice)}
{_theme_json_ld(base_url, in_stock=in_stock)}
{_shop_json_ld(base_url, dice, in_stock=in_stock)}
</head>"""


def _styles(dice: random.Random) -> str:
    sheets = "\n".join(
        f'<link rel="stylesheet" id="{name}-css" href="/wp-content/plugins/{name}/assets/{name}.min.css?ver=9.{n}">'
        for n, name in enumerate(
            ("blocks", "layout", "smallscreen", "general", "swatches", "bis", "theme", "brands")
        )
    )
    presets = "".join(
        f"--wp--preset--color--shade-{n}:#{dice.randrange(1 << 24):06x};" for n in range(60)
    ) + "".join(f"--wp--preset--spacing--{n}:clamp({n}rem,{n * 2}vw,{n * 3}rem);" for n in range(20))
    rules = "".join(
        f".wp-block-{name}{{margin:0 0 {n}px;padding:{n}px;border-color:var(--wp--preset--color--shade-{n})}}"
        for n, name in enumerate(
            ("group", "cover", "image", "table", "quote", "button", "columns", "search") * 3
        )
    )
    return f'{sheets}\n<style id="global-styles-inline-css">body{{{presets}}}{rules}</style>'


def _availability_url(*, in_stock: bool) -> str:
    return f"https://schema.org/{'InStock' if in_stock else 'OutOfStock'}"


def _theme_json_ld(base_url: str, *, in_stock: bool) -> str:
    product = {
        "@context": "https://schema.org",
        "@type": "Product",
        "sku": "{{sku}}",
        "name": "{{title}}",
        "url": f"{base_url}/product/{{{{number}}}}",
        "brand": {"@type": "Brand", "name": "Tidepool Chandlery"},
        "offers": {
            "@type": "Offer",
            "price": "{{price}}",
            "priceCurrency": "USD",
            "availability": _availability_url(in_stock=in_stock),
            "url": f"{base_url}/product/{{{{number}}}}",
        },
    }
    return f'<script type="application/ld+json">{json.dumps(product)}</script>'


def _shop_json_ld(base_url: str, dice: random.Random, *, in_stock: bool) -> str:
    crumbs = [("Home", "/"), ("Deck", "/catalog/deck/"), ("Fittings", "/catalog/deck/fittings/")]
    graph = [
        {
            "@type": "BreadcrumbList",
            "itemListElement": [
                {"@type": "ListItem", "position": n, "item": {"name": name, "@id": base_url + path}}
                for n, (name, path) in enumerate(crumbs, start=1)
            ],
        },
        {
            "@type": "Product",
            "@id": f"{base_url}/product/{{{{number}}}}#product",
            "name": "{{title}}",
            "url": f"{base_url}/product/{{{{number}}}}",
            "description": _paragraph(dice),
            "image": f"{base_url}/wp-content/uploads/{{{{number}}}}.jpg",
            "sku": "{{sku}}",
            "offers": [
                {
                    "@type": "Offer",
                    "priceSpecification": [
                        {
                            "@type": "UnitPriceSpecification",
                            "price": "{{price}}",
                            "priceCurrency": "USD",
                            "valueAddedTaxIncluded": False,
                            "validThrough": "2030-12-31",
                        }
                    ],
                    "priceValidUntil": "2030-12-31",
                    "availability": _availability_url(in_stock=in_stock),
                    "url": f"{base_url}/product/{{{{number}}}}",
                    "seller": {"@type": "Organization", "name": "Tidepool Chandlery", "url": base_url},
                }
            ],
        },
    ]
    block = json.dumps({"@context": "https://schema.org/", "@graph": graph})
    return f'<script type="application/ld+json">{block}</script>'


# -- body ----------------------------------------------------------------------------------------------------


def _header(base_url: str) -> str:
    departments = ("Deck", "Galley", "Sails", "Rigging", "Engine", "Safety", "Clothing", "Books")
    shelves = ("Fittings", "Lamps", "Ropes", "Tools", "Paint", "Spares")
    menus = "\n".join(
        f'<li id="menu-item-{100 + n}" class="menu-item menu-item-has-children menu-item-{100 + n}">'
        f'<a href="{base_url}/catalog/{department.lower()}/">{department}</a><ul class="sub-menu">'
        + "".join(
            f'<li class="menu-item"><a href="{base_url}/catalog/{department.lower()}/{shelf.lower()}/">'
            f"<span>{department} {shelf}</span></a></li>"
            for shelf in shelves
        )
        + "</ul></li>"
        for n, department in enumerate(departments)
    )
    return f"""<header class="site-header" role="banner"><div class="site-header__inner">
<a class="site-logo" href="{base_url}/"><span>Tidepool Chandlery</span></a>
<form role="search" class="woocommerce-product-search" action="{base_url}/"><input type="search" name="s">
<button type="submit">Search</button></form>
<nav class="main-navigation" aria-label="Primary"><ul class="menu">{menus}</ul></nav>
<a class="cart-contents" href="{base_url}/cart/"><span class="woocommerce-Price-amount amount"><bdi>
<span class="woocommerce-Price-currencySymbol">&#36;</span>0.00</bdi></span> <span class="count">0 items</span></a>
</div></header>"""


def _amount(text: str) -> str:
    return (
        '<span class="woocommerce-Price-amount amount"><bdi>'
        f'<span class="woocommerce-Price-currencySymbol">&#36;</span>{text}</bdi></span>'
    )


def _product(base_url: str, dice: random.Random, *, in_stock: bool) -> str:
    state = "instock purchasable" if in_stock else "outofstock"
    right = f"{CLASS}__details__right"
    stock = (
        '<p class="stock in-stock">17+ in stock</p>'
        if in_stock
        else '<p class="stock out-of-stock">Out of stock</p>'
    )
    tiers = "".join(
        f"<tr><td>{quantity} or More</td><td>{_amount('{{tier}}')}</td></tr>" for quantity in (2, 4, 10)
    )
    facts = "".join(
        f'<tr class="woocommerce-product-attributes-item"><th scope="row">{word.capitalize()}</th>'
        f"<td><p>{_sentence(dice, 4)}</p></td></tr>"
        for word in dice.sample(_WORDS, 10)
    )
    prose = "\n".join(f"<p>{_paragraph(dice)}</p>" for _ in range(5))
    gallery = "".join(
        f'<div class="woocommerce-product-gallery__image"><a href="{base_url}/wp-content/uploads/{{{{number}}}}-{n}.jpg">'
        f'<img width="600" height="600" loading="lazy" src="{base_url}/wp-content/uploads/{{{{number}}}}-{n}-600.jpg" '
        'alt="{{title}}"></a></div>'
        for n in range(4)
    )
    return f"""<main id="main" class="site-main">
<nav class="woocommerce-breadcrumb"><a href="{base_url}/">Home</a> / <a href="{base_url}/catalog/deck/">Deck</a></nav>
<div class="woocommerce-notices-wrapper"></div>
<div id="product-{{{{post}}}}" class="{CLASS} product type-product post-{{{{post}}}} status-publish {state} \
product_cat-fittings has-post-thumbnail taxable shipping-taxable product-type-simple">
<h1 class="{CLASS}__title">{{{{title}}}}</h1>
<div class="{CLASS}__details"><div class="{CLASS}__details__left">{gallery}</div>
<div class="{right}">
<p class="{right}__sku"><strong>SKU: {{{{sku}}}}</strong></p>
<div class="{right}__price">{_amount("{{price}}")}</div>
{stock}
{_cart_form(base_url) if in_stock else _notify_form()}
<table class="{right}__qty-discounts-table"><thead><tr><th colspan="2">Quantity Pricing</th></tr></thead>
<tbody>{tiers}</tbody></table>
</div></div>
<div class="{CLASS}__product-description"><h2>Description</h2>{prose}</div>
<div class="woocommerce-tabs wc-tabs-wrapper">
<div class="woocommerce-Tabs-panel" id="tab-additional_information"><table class="woocommerce-product-attributes \
shop_attributes">{facts}</table></div>
<div class="woocommerce-Tabs-panel" id="tab-reviews">{_reviews(dice)}</div></div>
</div>"""


def _cart_form(base_url: str) -> str:
    return f"""<form class="cart" action="{base_url}/product/{{{{number}}}}" method="post">
<div class="quantity"><input type="number" class="input-text qty text" name="quantity" value="1" min="1" max="17"></div>
<button type="submit" name="add-to-cart" value="{{{{post}}}}" class="single_add_to_cart_button button alt">Add to cart</button>
</form>"""


def _notify_form() -> str:
    return """<form id="wc_bis_product_form" class="wc_bis_form" method="post"><p>Tell me when it is back</p>
<input type="email" name="wc_bis_email" placeholder="Email"><button type="submit" name="wc_bis_register">Notify me</button>
</form>"""


def _reviews(dice: random.Random) -> str:
    cards = "".join(
        f'<li class="review" id="li-comment-{n}"><div class="comment_container"><div class="star-rating" role="img" '
        f'aria-label="Rated {dice.randrange(3, 6)} out of 5"><span style="width:90%"></span></div>'
        f'<p class="meta"><strong class="woocommerce-review__author">{dice.choice(_MAKERS)} B.</strong> '
        f'<time datetime="2025-0{n + 1}-11T09:00:00+00:00">{n + 1} months ago</time></p>'
        f'<div class="description"><p>{_paragraph(dice, 2)}</p></div></div></li>'
        for n in range(8)
    )
    return f'<ol class="commentlist">{cards}</ol>'


def _related(base_url: str, dice: random.Random) -> str:
    cards = "".join(
        f'<li class="product type-product post-{n} instock product_cat-fittings product-type-simple">'
        f'<a href="{base_url}/product/{n}" class="woocommerce-LoopProduct-link">'
        f'<img width="300" height="300" loading="lazy" src="{base_url}/wp-content/uploads/{n}-300.jpg" alt="">'
        f'<h2 class="woocommerce-loop-product__title">{dice.choice(_MAKERS)} {dice.choice(_KINDS)}</h2>'
        f'<span class="price">{_amount(f"{dice.randrange(5, 900)}.{n % 100:02d}")}</span>'
        f'<span class="each">({_amount(f"{n % 9}.35")} Each)</span></a>'
        f'<a href="?add-to-cart={n}" data-quantity="1" class="button add_to_cart_button" rel="nofollow">Add to cart</a></li>'
        for n in dice.sample(range(1, 1000), 8)
    )
    return f'<section class="related products"><h2>Related products</h2><ul class="products columns-4">{cards}</ul></section>'


def _footer(base_url: str, dice: random.Random) -> str:
    columns = "".join(
        f'<div class="footer-column"><h4>{title}</h4><ul>'
        + "".join(
            f'<li><a href="{base_url}/{title.lower()}/{word}/">{word.capitalize()}</a></li>'
            for word in _WORDS[n : n + 7]
        )
        + "</ul></div>"
        for n, title in enumerate(("Help", "Company", "Shipping", "Account"))
    )
    return f"""</main><footer class="site-footer" role="contentinfo">{columns}
<p>Ships to all states but two. Twelve dollars under two hundred, free above. {_paragraph(dice, 3)}</p>
<p class="copyright">Tidepool Chandlery, a shop that does not exist.</p></footer>"""


def _scripts(base_url: str) -> str:
    settings = {
        "ajax_url": "/wp-admin/admin-ajax.php",
        "wc_ajax_url": "/?wc-ajax=%%endpoint%%",
        "i18n_view_cart": "View cart",
        "cart_url": f"{base_url}/cart/",
        "is_cart": "",
        "cart_redirect_after_add": "no",
    }
    inline = "\n".join(
        f'<script id="{name}-js-extra">var {name}_params = {json.dumps(settings | {"plugin": name})};</script>\n'
        f'<script src="/wp-content/plugins/{name}/assets/js/{name}.min.js?ver=9.1" id="{name}-js" defer></script>'
        for name in (
            "woocommerce",
            "add_to_cart",
            "cart_fragments",
            "single_product",
            "swatches",
            "analytics",
        )
    )
    return inline + '\n<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js" defer></script>'
