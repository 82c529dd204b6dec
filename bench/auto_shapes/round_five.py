"""Round five: markup beside a page that says more, or something else; and what people read where both speak."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

import json

from bench.auto_shapes.frame import json_ld, product_ld
from bench.auto_shapes.goods import Goods, digits, number, show
from bench.auto_shapes.newcomers import share_of
from bench.auto_shapes.shape import Round, saved

ROUND_FIVE = page = Round()


@page("us", sku=True)
def subscribe_beside(goods: Goods) -> str:
    """Markup with the price for once; the page offers a lower one for those who subscribe, both as radios."""
    return saved(
        goods,
        f"""<main class="pdp"><h1>{goods.name}</h1><div class="price-wrap"><span class="price">{goods.shown}</span></div><div class="purchase-options"><label class="opt"><input type="radio" checked> One-time purchase <span class="price">{goods.shown}</span></label><label class="opt"><input type="radio"> Subscribe &amp; save 15% <span class="price">{share_of(goods, 85)}</span></label></div><button type="submit" class="btn">Add to cart</button></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("uk", sku=True)
def sizes_all_alike(goods: Goods) -> str:
    """An offer for each size at one price, some sold out."""
    offers = [
        {
            "@type": "Offer",
            "sku": goods.sku,
            "name": size,
            "price": goods.number,
            "priceCurrency": "GBP",
            "availability": f"https://schema.org/{state}",
        }
        for size, state in (("8", "OutOfStock"), ("10", "InStock"), ("12", "LimitedAvailability"))
    ]
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div data-auto-id="gl-price-item">{goods.shown}</div><div class="sizes"><button class="size unavailable">8</button><button class="size">10</button><button class="size">12</button></div><button data-auto-id="add-to-bag">Add to bag</button></main>""",
        head=json_ld(product_ld(goods) | {"offers": offers}),
    )


@page("uk", sku=True)
def tax_in_specification(goods: Goods) -> str:
    """Markup says its price is without tax; the page shows both, the one with tax in small letters."""
    without = goods.cents * 10 // 12
    offer = {
        "@type": "Offer",
        "availability": "https://schema.org/InStock",
        "priceSpecification": {
            "@type": "PriceSpecification",
            "price": number(without, goods.country),
            "priceCurrency": "GBP",
            "valueAddedTaxIncluded": False,
        },
    }
    return saved(
        goods,
        f"""<div class="p"><h1>{goods.name}</h1><div class="price-ex"><strong>{show(without, goods.country)}</strong> ex. VAT</div><div class="price-inc"><span>{goods.shown}</span> inc. VAT</div><button>Add to basket</button></div>""",
        head=json_ld(product_ld(goods) | {"offers": offer}),
    )


@page("us", sku=True)
def named_otherwise(goods: Goods) -> str:
    """Markup of the thing and of four seen before; its name there is the maker's, not the heading's; the address tells."""

    def one(name: str, cents: int, slug: str, sku: str) -> dict[str, object]:
        return {
            "@context": "https://schema.org",
            "@type": "Product",
            "name": name,
            "sku": sku,
            "url": f"https://{goods.country.host}/products/{slug}",
            "offers": {
                "@type": "Offer",
                "price": number(cents, goods.country),
                "priceCurrency": "USD",
                "availability": "https://schema.org/InStock",
            },
        }

    others = [
        json_ld(one(name, cents, f"other-{n}", f"Z{n}")) for n, (name, cents) in enumerate(goods.others[:4])
    ]
    slug = goods.url.rpartition("/")[2]
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="pdp-price">{goods.shown}</div><button>Add to cart</button></main>""",
        head="".join(others) + json_ld(one("HB-2231 maritime fixture, matte", goods.cents, slug, goods.sku)),
    )


@page("us", sku=True)
def neighbours_in_the_column(goods: Goods) -> str:
    """The price comes by script; things to add stand priced in the product's own column."""
    extras = "".join(
        f'<div class="addon-row"><input type="checkbox" id="a{n}"><label for="a{n}">{name}</label><span class="addon-price price">{show(cents, goods.country)}</span></div>'
        for n, (name, cents) in enumerate(goods.others[:2])
    )
    return saved(
        goods,
        f"""<main><div class="col"><h1>{goods.name}</h1><div class="js-price" aria-live="polite"></div><div class="frequently"><p>Goes well with</p>{extras}</div><button>Add to cart</button></div></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("de", sku=True)
def empty_price_in_markup(goods: Goods) -> str:
    """Markup whose price is an empty text; the page shows it."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><p class="preis">{goods.shown} <span>inkl. MwSt.</span></p><button>In den Warenkorb</button></main>""",
        head=json_ld(
            product_ld(goods)
            | {
                "offers": {
                    "@type": "Offer",
                    "price": "",
                    "priceCurrency": "EUR",
                    "availability": "http://schema.org/InStock",
                }
            }
        ),
    )


@page("us", sku=True)
def many_sellers(goods: Goods) -> str:
    """A marketplace: an aggregate from the cheapest to the dearest seller; the box shows one in between."""
    offers = {
        "@type": "AggregateOffer",
        "lowPrice": number(goods.cents * 7 // 10, goods.country),
        "highPrice": number(goods.cents * 2, goods.country),
        "priceCurrency": "USD",
        "offerCount": 9,
        "availability": "https://schema.org/InStock",
    }
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="buybox"><div class="buybox-price"><span class="price-now">{goods.shown}</span></div><div>Sold by <a href="/s/1">Harbour Goods</a></div><button>Add to cart</button></div><div class="other-sellers"><a href="/offers">8 more offers from {share_of(goods, 70)}</a></div></main>""",
        head=json_ld(product_ld(goods) | {"offers": offers}),
    )


@page("us", sku=True)
def entities_in_markup(goods: Goods) -> str:
    """Names with entities in markup, a number as a number, a sku as a number."""
    ld = product_ld(goods) | {
        "name": goods.name.replace(" ", "&#32;"),
        "offers": {
            "@type": "Offer",
            "price": goods.cents / 100,
            "priceCurrency": "usd",
            "availability": "InStock",
        },
    }
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="current">{goods.shown}</div><button>Add to cart</button></main>""",
        head=json_ld(ld),
    )


@page("uk", availability="out_of_stock", sku=True)
def stale_stock_in_markup(goods: Goods) -> str:
    """Markup still says in stock; the page and its button say sold out."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="price">{goods.shown}</div><p class="stock-status">Sold out</p><button disabled>Sold out</button></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("us", sku=True)
def stock_in_state_only(goods: Goods) -> str:
    """Whether there are any is known to the state alone; the button is a picture."""
    state = {
        "product": {
            "name": goods.name,
            "sku": goods.sku,
            "price": goods.cents / 100,
            "currency": "USD",
            "availability": "IN_STOCK",
            "inStock": True,
        }
    }
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="amount price">{goods.shown}</div><div class="buy"><img src="/b.png"></div></main><script>window.__INITIAL_STATE__={json.dumps(state)}</script>""",
    )


@page("ch", sku=True)
def swiss_dash(goods: Goods) -> str:
    """Swiss francs with an apostrophe and the sign before; markup with a point."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><strong class="price-value">CHF {digits(goods.cents, goods.country)}</strong><small>statt CHF {digits(goods.was_cents, goods.country)}</small><button>In den Warenkorb</button><span>Artikel-Nr. {goods.sku}</span></main>""",
    )


@page("in", sku=True)
def lakhs(goods: Goods) -> str:
    """Indian grouping, MRP struck, tax words, EMI, a coupon code with an amount."""
    return saved(
        goods,
        f"""<main><h1 class="pdp-title">{goods.name}</h1><div class="pdp-price-info"><span class="pdp-price"><strong>{goods.shown}</strong></span><span class="pdp-mrp">MRP <s>{goods.was_shown}</s></span><span class="pdp-discount">(20% OFF)</span><p class="pdp-vat">inclusive of all taxes</p></div><div class="pdp-offers"><div>Best Price: <span>{share_of(goods, 92)}</span></div><div>Coupon code: SAVE8</div></div><div>EMI option available</div><div class="pdp-add-to-bag">ADD TO BAG</div><span class="supplier-styleId">Product Code: {goods.sku}</span></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("us", sku=True)
def dearer_bundle(goods: Goods) -> str:
    """Pack sizes as tiles with their own prices; the chosen one is repeated nowhere but in markup."""
    tiles = "".join(
        f'<label class="pack {chosen}"><input type="radio" name="p" {"checked" if chosen else ""}><b>{n} pack</b><span class="pack-price">{show(goods.cents * n, goods.country)}</span></label>'
        for n, chosen in ((1, "is-active"), (3, ""), (6, ""))
    )
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="packs">{tiles}</div><button>Add to cart</button></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("fr", sku=True)
def microdata_text_price(goods: Goods) -> str:
    """Microdata whose price is a text with tax words and a sign; a crossed one without."""
    return saved(
        goods,
        f"""<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">{goods.name}</h1><span itemprop="sku">{goods.sku}</span><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span class="prix-barre"><del>{goods.was_shown}</del></span><span class="prix" itemprop="price">{goods.shown} TTC</span><meta itemprop="priceCurrency" content="EUR"><meta itemprop="availability" content="in_stock"></div><button>Ajouter au panier</button></div>""",
    )


@page("us")
def price_in_title_tag(goods: Goods) -> str:
    """A small shop where the price is in the description line and once in bold; a phone number and a year nearby."""
    return saved(
        goods,
        f'''<center><h2><i>{goods.name}</i></h2><p>Handmade in 2019. Questions? Call 555-0199.</p><p><b>PRICE: {goods.shown}</b></p><form action="https://www.paypal.com/cgi-bin/webscr" method="post"><input type="hidden" name="item_name" value="{goods.name}"><input type="hidden" name="amount" value="{goods.number}"><input type="image" alt="Add to Cart"></form></center>''',
        title=f"{goods.name}",
    )


@page("us", sku=True)
def two_columns_of_amounts(goods: Goods) -> str:
    """Rent or buy: tabs with their own amounts; the tab to buy is chosen; markup says what it costs to buy."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="tabs"><button class="tab active">Buy <span>{goods.shown}</span></button><button class="tab">Rent <span>{share_of(goods, 8)}/mo</span></button></div><div class="tab-pane active"><div class="final-price">{goods.shown}</div><button class="cta">Add to cart</button></div></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("ca", sku=True)
def other_currency_in_markup(goods: Goods) -> str:
    """Markup in US dollars, the page in the visitor's own."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="product-price"><span class="money">CA${digits(goods.cents, goods.country)}</span></div><button>Add to cart</button></main>""",
        head=json_ld(
            product_ld(goods, number(goods.cents * 73 // 100, goods.country))
            | {
                "offers": {
                    "@type": "Offer",
                    "price": number(goods.cents * 73 // 100, goods.country),
                    "priceCurrency": "USD",
                    "availability": "https://schema.org/InStock",
                }
            }
        ),
    )


@page("us", sku=True)
def loyalty_tiers(goods: Goods) -> str:
    """A pharmacy: price, price with card, points, per count; markup gives the price for all."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="price-block"><div class="regular"><span class="price">{goods.shown}</span> <span class="per">{share_of(goods, 2)} / ct</span></div><div class="card-price"><b>{share_of(goods, 90)}</b> with CarePass</div></div><div>Earn {share_of(goods, 2)} ExtraBucks</div><p>In stock at Main St</p><button>Add for shipping</button></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("de", sku=True)
def base_price_first(goods: Goods) -> str:
    """A drugstore: price per litre before the price, price in pieces, stock in a coloured line."""
    whole, cents = digits(goods.cents, goods.country).split(",")
    return saved(
        goods,
        f"""<main><h1 data-dmid="detail-page-headline">{goods.name}</h1><div data-dmid="price-infos">0,05 l ({share_of(goods, 900)} je 1 l)</div><div data-dmid="price-localized"><span>{whole}</span><span>,</span><span>{cents}</span><span> €</span></div><div>inkl. MwSt. zzgl. <a href="/v">Versand</a></div><p>Lieferbar (3 - 4 Werktage)</p><button>In den Warenkorb</button><span>Artikelnummer: {goods.sku}</span></main>""",
    )


@page("us", sku=True)
def long_way_down(goods: Goods) -> str:
    """A landing page: hundreds of lines of praise between title and price, no box, a button at the very end."""
    praise = "".join(
        f"<section><h3>Reason {n}</h3><p>It does thing {n} better than a {show(10000 + n * 1000, goods.country)} machine.</p></section>"
        for n in range(40)
    )
    return saved(
        goods,
        f"""<div class="hero"><h1>{goods.name}</h1></div>{praise}<div class="checkout"><div class="total-row"><span class="sale-price">{goods.shown}</span><span class="compare-at">{goods.was_shown}</span></div><a class="btn" href="/checkout?sku={goods.sku}">Add to cart</a><p>SKU {goods.sku}</p></div>""",
    )


@page("se", sku=True)
def campaign(goods: Goods) -> str:
    """Sweden: club price in yellow, ordinary price for others, lowest of thirty days; markup for all."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="price-area"><div class="price-ordinary">{goods.shown}</div><div class="price-member">Medlemspris {share_of(goods, 85)}</div><div class="price-lowest">Lägsta pris senaste 30 dagarna: {share_of(goods, 98)}</div></div><p>Finns i lager</p><button>Köp</button><p>Artikelnummer: {goods.sku}</p></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("au", sku=True)
def was_in_markup_high(goods: Goods) -> str:
    """An aggregate of sale and regular price, as one plugin writes it; the page strikes the high one."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><p class="price"><del>{goods.was_shown}</del> <ins>{goods.shown}</ins></p><button>Add to cart</button></main>""",
        head=json_ld(
            product_ld(goods)
            | {
                "offers": {
                    "@type": "AggregateOffer",
                    "lowPrice": goods.number,
                    "highPrice": goods.was_number,
                    "priceCurrency": "AUD",
                    "availability": "https://schema.org/InStock",
                }
            }
        ),
    )


@page("us", is_priced=False)
def only_financing(goods: Goods) -> str:
    """A car dealer's page: only what it costs by the month, and what comes on top."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="payment"><span class="price">{share_of(goods, 3)}</span><span>/mo</span></div><p>Doc fee {show(19900, goods.country)}</p><button>Check availability</button></main>""",
    )


@page("us", is_priced=False)
def from_price_with_range(goods: Goods) -> str:
    """A range in markup and "from" on the page."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="price">From {goods.shown}</div><select><option>Choose size</option></select><button>Add to cart</button></main>""",
        head=json_ld(
            product_ld(goods)
            | {
                "offers": {
                    "@type": "AggregateOffer",
                    "lowPrice": goods.number,
                    "highPrice": number(goods.cents * 3, goods.country),
                    "priceCurrency": "USD",
                    "offerCount": 7,
                }
            }
        ),
    )
