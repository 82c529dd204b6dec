"""Round two: what pages say to machines, in the forms and with the slips of real templates; little is shown to people."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

import html
import json
from typing import Any

from bench.auto_shapes.frame import json_ld, product_ld
from bench.auto_shapes.goods import Goods, digits, number, show
from bench.auto_shapes.newcomers import share_of
from bench.auto_shapes.shape import Round, saved

ROUND_TWO = page = Round()


def shell(goods: Goods, more: str = "", *, price: str = "", button: str = "Add to cart") -> str:
    return f'<main><div class="product-layout"><div class="gallery"><img alt=""></div><div class="product-info"><h1>{goods.name}</h1>{price}<form action="/cart/add" method="post"><button type="submit">{button}</button></form>{more}</div></div></main>'


@page("us", sku=True)
def graph_by_reference(goods: Goods) -> str:
    """A graph whose product points at its offer by id."""
    graph = {
        "@context": "https://schema.org",
        "@graph": [
            {"@type": "WebPage", "@id": "#page", "name": goods.name},
            {
                "@type": "Product",
                "@id": "#product",
                "name": goods.name,
                "sku": goods.sku,
                "offers": {"@id": "#offer"},
            },
            {
                "@type": "Offer",
                "@id": "#offer",
                "price": goods.number,
                "priceCurrency": "USD",
                "availability": "http://schema.org/InStock",
            },
        ],
    }
    return saved(goods, shell(goods, price='<div class="price-slot"></div>'), head=json_ld(graph))


@page("us", sku=True)
def quote_in_description(goods: Goods) -> str:
    """Markup broken by an inch sign nobody escaped."""
    block = f'{{"@context":"https://schema.org","@type":"Product","name":"{goods.name}","description":"A 12" thing, sturdy","sku":"{goods.sku}","offers":{{"@type":"Offer","price":"{goods.number}","priceCurrency":"USD","availability":"https://schema.org/InStock"}}}}'
    return saved(
        goods,
        shell(goods, price='<div class="price-slot"></div>'),
        head=f'<script type="application/ld+json">{block}</script>',
    )


@page("uk", sku=True)
def shopify_cents(goods: Goods) -> str:
    """A theme that writes its price late; the product stands in the page as JSON, in pence."""
    product = {
        "id": 6551,
        "title": goods.name,
        "handle": "thing",
        "vendor": "Harbour",
        "price": goods.cents,
        "price_min": goods.cents,
        "price_max": goods.cents,
        "available": True,
        "compare_at_price": goods.was_cents,
        "variants": [
            {
                "id": 391,
                "title": "Default Title",
                "sku": goods.sku,
                "price": goods.cents,
                "available": True,
                "compare_at_price": goods.was_cents,
            }
        ],
    }
    return saved(
        goods,
        shell(goods, price="<product-price data-loading></product-price>")
        + f'<script type="application/json" data-product-json>{json.dumps(product)}</script><script>var Shopify = Shopify || {{}};Shopify.shop = "harbour.myshopify.com";Shopify.currency = {{"active":"GBP","rate":"1.0"}};</script>',
    )


@page("us", sku=True)
def shopify_meta(goods: Goods) -> str:
    """Only the analytics of the platform know the price, in cents."""
    meta = {
        "product": {
            "id": 77,
            "gid": "gid://shopify/Product/77",
            "vendor": "Harbour",
            "type": "Things",
            "variants": [
                {"id": 1, "price": goods.cents, "name": goods.name, "public_title": None, "sku": goods.sku}
            ],
        },
        "page": {"pageType": "product"},
    }
    return saved(
        goods,
        shell(goods),
        head=f'<script>window.ShopifyAnalytics = window.ShopifyAnalytics || {{}};ShopifyAnalytics.meta.currency = "USD";var meta = {json.dumps(meta)};for (var attr in meta) {{ window.ShopifyAnalytics.meta[attr] = meta[attr]; }}</script>',
    )


@page("us")
def data_layer_literal(goods: Goods) -> str:
    """A push of a script's own notation: single quotes, bare keys, a comma too many."""
    push = f"dataLayer.push({{'event': 'productDetail', ecommerce: {{currencyCode: 'USD', detail: {{actionField: {{list: 'x'}}, products: [{{name: '{goods.name}', id: '{goods.sku}', price: '{goods.number}', brand: 'Harbour', category: 'Things',}}]}}}}}});"
    return saved(
        goods,
        shell(goods, price='<div id="price"><span class="spinner"></span></div>'),
        head=f"<script>window.dataLayer = window.dataLayer || [];{push}</script>",
    )


@page("uk", sku=True)
def tag_manager_lists(goods: Goods) -> str:
    """A tag manager's flat object, every value a list of one."""
    data = {
        "page_type": "product",
        "product_name": [goods.name],
        "product_id": ["991"],
        "product_sku": [goods.sku],
        "product_price": [goods.number],
        "currency": "GBP",
    }
    return saved(goods, shell(goods), head=f"<script>var utag_data = {json.dumps(data)};</script>")


@page("uk")
def bird_card(goods: Goods) -> str:
    """Only the card for a short message service carries the price."""
    return saved(
        goods,
        shell(goods),
        head=f'<meta name="twitter:card" content="product"><meta name="twitter:label1" content="Price"><meta name="twitter:data1" content="{goods.shown}"><meta name="twitter:label2" content="Availability"><meta name="twitter:data2" content="In stock">',
    )


@page("fr", sku=True)
def presta_attribute(goods: Goods) -> str:
    """A tab with the whole product in an attribute, and a price in an attribute alone."""
    product = html.escape(
        json.dumps(
            {
                "id_product": 12,
                "name": goods.name,
                "price": goods.shown,
                "price_amount": goods.cents / 100,
                "reference": goods.sku,
                "quantity": 4,
                "availability": "available",
            }
        )
    )
    return saved(
        goods,
        shell(
            goods,
            f'<div id="product-details" data-product="{product}"><p class="ref">Référence <span>{goods.sku}</span></p></div>',
            price=f'<div class="current-price"><span content="{goods.number}"></span></div>',
            button="Ajouter au panier",
        ),
    )


@page("us", sku=True)
def big_commerce_data(goods: Goods) -> str:
    """The platform's attributes in a variable."""
    data = {
        "product_attributes": {
            "sku": goods.sku,
            "instock": True,
            "price": {
                "without_tax": {"formatted": goods.shown, "value": goods.cents / 100, "currency": "USD"},
                "rrp_without_tax": {"formatted": goods.was_shown, "value": goods.was_cents / 100},
            },
        }
    }
    return saved(
        goods,
        shell(
            goods,
            price='<div class="productView-price"><span data-product-price-without-tax class="price price--withoutTax"></span></div>',
        ),
        head=f"<script>var BCData = {json.dumps(data)};</script>",
    )


@page("de", sku=True)
def magento_swatches(goods: Goods) -> str:
    """Amounts in attributes of the price box; what is shown comes later."""
    return saved(
        goods,
        shell(
            goods,
            f'<div class="product attribute sku"><strong class="type">SKU</strong><div class="value" itemprop="sku">{goods.sku}</div></div>',
            price=f'<div class="price-box price-final_price" data-role="priceBox" data-product-id="9"><span class="special-price"><span id="product-price-9" data-price-amount="{goods.number}" data-price-type="finalPrice" class="price-wrapper"></span></span><span class="old-price"><span id="old-price-9" data-price-amount="{goods.was_number}" data-price-type="oldPrice" class="price-wrapper"></span></span></div>',
            button="In den Warenkorb",
        ),
    )


@page("us", sku=True)
def next_data(goods: Goods) -> str:
    """A rendered application whose state is deep, with neighbours in the same state."""
    product = {
        "id": goods.sku,
        "sku": goods.sku,
        "name": goods.name,
        "priceInfo": {
            "currentPrice": {"price": goods.cents / 100, "priceString": goods.shown, "currencyUnit": "USD"},
            "wasPrice": {"price": goods.was_cents / 100},
        },
        "availabilityStatus": "IN_STOCK",
    }
    state = {
        "props": {
            "pageProps": {
                "initialData": {
                    "data": {"product": product},
                    "recs": [
                        {"name": name, "priceInfo": {"currentPrice": {"price": cents / 100}}}
                        for name, cents in goods.others
                    ],
                }
            }
        }
    }
    return saved(
        goods,
        shell(goods, price="<div><span></span></div>")
        + f'<script id="__NEXT_DATA__" type="application/json">{json.dumps(state)}</script>',
    )


@page("us")
def apollo_cache(goods: Goods) -> str:
    """A cache of a query language: objects by key, price as an object of its own."""
    state: dict[str, Any] = {
        "Product:1": {"__typename": "Product", "id": "1", "name": goods.name, "price": {"__ref": "Price:1"}},
        "Price:1": {"__typename": "Price", "amount": goods.cents / 100, "currency": "USD"},
    }
    return saved(
        goods,
        shell(goods, price=f'<span class="Price__Root"><span>{goods.shown}</span></span>')
        + f"<script>window.__APOLLO_STATE__={json.dumps(state)};</script>",
    )


@page("uk", availability="in_stock")
def variant_by_address(goods: Goods) -> str:
    """A group of variants with prices of their own; the address names one, the page shows it."""
    variants = [
        {
            "@type": "Product",
            "name": f"{goods.name} - {size}",
            "sku": f"{goods.sku}-{size}",
            "offers": {
                "@type": "Offer",
                "url": f"https://x.example/p?variant=40{n}",
                "price": number(goods.cents + n * 500, goods.country),
                "priceCurrency": "GBP",
                "availability": "https://schema.org/InStock",
            },
        }
        for n, size in enumerate(("S", "M", "L"))
    ]
    group = {
        "@context": "https://schema.org",
        "@type": "ProductGroup",
        "name": goods.name,
        "productGroupID": "4",
        "hasVariant": variants,
    }
    return saved(
        goods,
        shell(
            goods,
            price=f'<div class="price"><span class="price-item price-item--regular">{goods.shown}</span></div>',
        ),
        head=json_ld(group),
    )


@page("de", sku=True)
def comma_in_markup(goods: Goods) -> str:
    """Markup with the country's own comma, meta tags with a point, nothing shown but a struck price."""
    ld = product_ld(goods, digits(goods.cents, goods.country))
    return saved(
        goods,
        shell(
            goods,
            price=f'<p class="uvp">UVP: <s>{goods.was_shown}</s></p><p class="slot"></p>',
            button="In den Warenkorb",
        ),
        head=json_ld(ld),
    )


@page("us", sku=True)
def reviews_app_product(goods: Goods) -> str:
    """Two blocks name the product: one of a reviews plugin without an offer, one of the theme."""
    plugin = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": goods.name,
        "aggregateRating": {"@type": "AggregateRating", "ratingValue": "4.7", "reviewCount": 31},
    }
    return saved(
        goods,
        shell(
            goods,
            price=f'<div class="ProductMeta__PriceList"><span class="ProductMeta__Price Price Price--highlight" data-money-convertible>{goods.shown}</span><span class="ProductMeta__Price Price Price--compareAt">{goods.was_shown}</span></div>',
        ),
        head=json_ld(plugin) + json_ld(product_ld(goods)),
    )


@page("us", sku=True)
def similar_inside(goods: Goods) -> str:
    """The product's own object lists its likes, with their offers."""
    similar = [
        {
            "@type": "Product",
            "name": name,
            "offers": {"@type": "Offer", "price": number(cents, goods.country), "priceCurrency": "USD"},
        }
        for name, cents in goods.others
    ]
    return saved(
        goods,
        shell(goods, price=f'<span class="amt">{goods.shown}</span>'),
        head=json_ld(product_ld(goods, isSimilarTo=similar)),
    )


@page("uk", availability="out_of_stock", sku=True)
def sold_out_in_markup(goods: Goods) -> str:
    """Sold out for machines and people; the price stays."""
    return saved(
        goods,
        shell(
            goods,
            '<p class="notice">This item is currently out of stock. Leave your address and we will write.</p>',
            price=f'<p class="price">{goods.shown}</p>',
            button="Notify me",
        ),
        head=json_ld(product_ld(goods, availability="OutOfStock")),
    )


@page("us", availability="backorder", sku=True)
def pre_order(goods: Goods) -> str:
    """To be ordered now and sent next month."""
    return saved(
        goods,
        shell(
            goods,
            "<p>Ships around November 30</p>",
            price=f'<p class="price">{goods.shown}</p>',
            button="Pre-order",
        ),
        head=json_ld(product_ld(goods, availability="PreOrder")),
    )


@page("de", sku=True)
def nested_microdata(goods: Goods) -> str:
    """Microdata in nested items: brand, rating, offer, and neighbours below the product as items of their own."""
    related = "".join(
        f'<div itemprop="isRelatedTo" itemscope itemtype="http://schema.org/Product"><span itemprop="name">{name}</span><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price" content="{number(cents, goods.country)}">{show(cents, goods.country)}</span></div></div>'
        for name, cents in goods.others
    )
    return saved(
        goods,
        f'<div itemscope itemtype="https://schema.org/Product"><meta itemprop="sku" content="{goods.sku}"><h1 itemprop="name">{goods.name}</h1><div itemprop="brand" itemscope itemtype="https://schema.org/Brand"><span itemprop="name">Harbour</span></div><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><div class="article--price"><span class="p--default" itemprop="price" content="{goods.number}">{goods.shown}*</span></div><link itemprop="availability" href="https://schema.org/InStock"><p class="p--tax">*Preise inkl. MwSt.</p></div><button class="buybox--button">In den Warenkorb</button>{related}</div>',
    )


@page("fr")
def rdfa_typed(goods: Goods) -> str:
    """RDFa with a vocabulary, attributes on visible elements, the number in content."""
    return saved(
        goods,
        f'<div vocab="https://schema.org/" typeof="Product"><h1 property="name">{goods.name}</h1><div property="offers" typeof="Offer"><span class="m" property="price" content="{goods.number}">{goods.shown}</span><meta property="priceCurrency" content="EUR"><link property="availability" href="https://schema.org/InStock"></div><button>Ajouter au panier</button></div>',
    )


@page("us", sku=True)
def list_and_sale_tags(goods: Goods) -> str:
    """Product tags of a social network: the regular amount and the sale amount, both before a page of pictures."""
    head = f'<meta property="og:type" content="og:product"><meta property="og:title" content="{goods.name}"><meta property="product:price:amount" content="{goods.was_number}"><meta property="product:price:currency" content="USD"><meta property="product:sale_price:amount" content="{goods.number}"><meta property="product:sale_price:currency" content="USD"><meta property="product:availability" content="in stock"><meta property="product:retailer_item_id" content="{goods.sku}">'
    return saved(goods, shell(goods), head=head)


@page("us", sku=True)
def offers_of_conditions(goods: Goods) -> str:
    """New, refurbished and used offers in one list; the page shows the new one with its pieces."""
    offers = [
        {
            "@type": "Offer",
            "price": number(goods.cents * part // 100, goods.country),
            "priceCurrency": "USD",
            "itemCondition": f"https://schema.org/{kind}Condition",
            "availability": "https://schema.org/InStock",
        }
        for kind, part in (("New", 100), ("Refurbished", 80), ("Used", 60))
    ]
    return saved(
        goods,
        shell(
            goods,
            f'<div class="used-box"><a href="/used">Refurbished from {share_of(goods, 80)}</a></div>',
            price=f'<div class="buy-price"><span class="sym">$</span><span class="num">{goods.cents // 100:,}</span><sup>{goods.cents % 100:02d}</sup></div>',
        ),
        head=json_ld(product_ld(goods) | {"offers": offers}),
    )


@page("us", sku=True)
def specification_list(goods: Goods) -> str:
    """Offer without a price of its own, and two specifications, the list price first."""
    offer = {
        "@type": "Offer",
        "availability": "https://schema.org/InStock",
        "priceSpecification": [
            {
                "@type": "UnitPriceSpecification",
                "priceType": "https://schema.org/ListPrice",
                "price": goods.was_number,
                "priceCurrency": "USD",
            },
            {"@type": "UnitPriceSpecification", "price": goods.number, "priceCurrency": "USD"},
        ],
    }
    return saved(goods, shell(goods), head=json_ld(product_ld(goods) | {"offers": offer}))


@page("us", sku=True)
def woo_variations_alike(goods: Goods) -> str:
    """Variations in a form's attribute, all at one price; a range nobody shows."""
    variations = html.escape(
        json.dumps(
            [
                {
                    "variation_id": n,
                    "sku": f"{goods.sku}-{n}",
                    "display_price": goods.cents / 100,
                    "display_regular_price": goods.was_cents / 100,
                    "is_in_stock": True,
                }
                for n in (1, 2, 3)
            ]
        )
    )
    return saved(
        goods,
        f'<div class="product type-product"><div class="summary entry-summary"><h1 class="product_title entry-title">{goods.name}</h1><p class="price"></p><form class="variations_form cart" data-product_variations="{variations}"><select><option>Choose an option</option></select><button type="submit" class="single_add_to_cart_button button alt">Add to cart</button></form><div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">{goods.sku}</span></span></div></div></div>',
    )


@page("uk", sku=True)
def hidden_inputs(goods: Goods) -> str:
    """A form whose fields hold name, number and price; the page writes the price by script."""
    return saved(
        goods,
        shell(
            goods,
            f'<form name="buy"><input type="hidden" name="product_name" value="{goods.name}"><input type="hidden" name="sku" value="{goods.sku}"><input type="hidden" name="price" value="{goods.number}"><input type="hidden" name="currency" value="GBP"></form>',
        ),
    )


@page("us", sku=True)
def state_in_parse(goods: Goods) -> str:
    """State as a string handed to JSON.parse."""
    state = json.dumps(
        {
            "product": {
                "productName": goods.name,
                "itemNumber": goods.sku,
                "salePrice": goods.cents / 100,
                "listPrice": goods.was_cents / 100,
                "currency": "USD",
            }
        }
    )
    return saved(
        goods,
        shell(goods) + f"<script>window.__PRELOADED_STATE__ = JSON.parse({json.dumps(state)});</script>",
    )


@page("us", is_priced=False)
def markup_against_page(goods: Goods) -> str:
    """Markup and page differ, and nothing tells why."""
    return saved(
        goods,
        shell(goods, price=f'<p class="price">{goods.shown}</p>'),
        head=json_ld(product_ld(goods, number(goods.cents + 1700, goods.country))),
    )
