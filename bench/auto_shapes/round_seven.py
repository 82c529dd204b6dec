"""Round seven: markup that is right beside amounts that would mislead, and markup that is late."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

from bench.auto_shapes.frame import json_ld, og, product_ld
from bench.auto_shapes.goods import Goods, digits, number, show
from bench.auto_shapes.newcomers import share_of
from bench.auto_shapes.shape import Round, saved

ROUND_SEVEN = page = Round()


@page("us", sku=True)
def coupon_price_below(goods: Goods) -> str:
    """What it would cost with a code stands below in a box of its own, as large as the price."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="pdp-price"><span class="amount">{goods.shown}</span></div><p>4.6 of 5, 31 opinions</p><ul><li>Free returns</li><li>Two years of warranty</li></ul><div class="promo-card"><p>Your deal</p><span class="amount">{share_of(goods, 90)}</span><p>with code HARBOUR10</p></div><button>Add to cart</button></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("uk", sku=True)
def refill_is_cheaper(goods: Goods) -> str:
    """A refill and a set are offered as tiles with prices; markup is of the thing itself."""
    tiles = "".join(
        f'<a class="fmt" href="/f/{n}"><span>{name}</span><span class="price">{show(cents, goods.country)}</span></a>'
        for n, (name, cents) in enumerate((("Refill", goods.cents * 7 // 10), ("Gift set", goods.cents * 2)))
    )
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><span class="price">{goods.shown}</span><div class="formats">{tiles}</div><button>Add to bag</button></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("de", sku=True)
def per_hundred_grams(goods: Goods) -> str:
    """The price of a measure has the same name as the price, and its words in another element."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="prices"><div class="price">{goods.shown}</div><div class="price price--small"><span>{share_of(goods, 40)}</span><span>/</span><span>100 g</span></div></div><p>Sofort lieferbar</p><button>In den Warenkorb</button></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("us", sku=True)
def app_price(goods: Goods) -> str:
    """Cheaper in the application: a banner within the box."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="sale-price">{goods.shown}</div><div class="app-banner">Get it for <b>{share_of(goods, 92)}</b> in our app</div><button>Add to cart</button></main>""",
        head=json_ld(product_ld(goods)) + og(goods),
    )


@page("fr", sku=True)
def three_times(goods: Goods) -> str:
    """In three parts: the first, then the others, each with its date; all named price."""
    third = show(goods.cents // 3, goods.country)
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><p class="prix-actuel">{goods.shown}</p><div class="paiement-3x"><div><span>Aujourd'hui</span><span class="prix">{third}</span></div><div><span>Le 12/11</span><span class="prix">{third}</span></div><div><span>Le 12/12</span><span class="prix">{third}</span></div></div><p class="stock">Disponible</p><button>Ajouter au panier</button></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("us", sku=True)
def open_box_beside(goods: Goods) -> str:
    """An opened one for less, in a box built like the price's own."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="buy-option"><span>New</span><div class="price-lg">{goods.shown}</div></div><div class="buy-option"><span>Open-box, excellent</span><div class="price-lg">{share_of(goods, 80)}</div></div><button>Add to cart</button></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("in", sku=True)
def exchange_offer(goods: Goods) -> str:
    """With and without giving the old one back, both in radios; markup is without."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="pr"><span class="now">{goods.shown}</span><span class="mrp">M.R.P.: <s>{goods.was_shown}</s></span></div><div role="radiogroup"><div role="radio" aria-checked="true">Without Exchange <b>{goods.shown}</b></div><div role="radio">With Exchange <b>{share_of(goods, 75)}</b></div></div><p>In stock</p><button>Add to Cart</button></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("us", sku=True)
def late_markup_sale(goods: Goods) -> str:
    """Markup with the regular price; the page says was and now in words."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><p class="p1">Was: {goods.was_shown}</p><p class="p2">Now: {goods.shown}</p><button>Add to cart</button></main>""",
        head=json_ld(product_ld(goods, goods.was_number)),
    )


@page("se", sku=True)
def sale_without_strike(goods: Goods) -> str:
    """Markup with today's price; the page shows both without a line or a word, only in colours."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div><span class="css-1a">{goods.shown}</span><span class="css-2b">{goods.was_shown}</span></div><p>I lager</p><button>Lägg i varukorgen</button></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("us", sku=True)
def deluxe_above(goods: Goods) -> str:
    """An upgrade for more stands between title and price."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="upgrade"><a href="/p/deluxe"><span>Upgrade to Deluxe</span> <span class="price">{show(goods.cents * 2, goods.country)}</span></a></div><div class="price">{goods.shown}</div><button>Add to cart</button></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("nl", sku=True)
def tax_toggle(goods: Goods) -> str:
    """Both tax views in the page, styles show one; markup is with tax."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="price-incl">{goods.shown} <small>incl. btw</small></div><div class="price-excl">{show(goods.cents * 100 // 121, goods.country)} <small>excl. btw</small></div><p>Op voorraad</p><button>In winkelwagen</button></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("us", sku=True)
def bare_digits_shown(goods: Goods) -> str:
    """The page writes digits without sign or name; markup has them too."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="z9"><i>$</i><span>{digits(goods.cents, goods.country)}</span></div><button>Add to cart</button></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("us", availability="out_of_stock", sku=True)
def discontinued(goods: Goods) -> str:
    """No longer made: markup says so, the page shows the last price and a successor's."""
    name, cents = goods.others[0]
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><p class="price">{goods.shown}</p><p>This item has been discontinued.</p><div class="successor"><a href="/n"><img alt=""></a><a href="/n">{name}</a><span class="price">{show(cents, goods.country)}</span></div></main>""",
        head=json_ld(product_ld(goods, availability="Discontinued")),
    )


@page("us", is_priced=False)
def range_of_sizes(goods: Goods) -> str:
    """An aggregate with a range, the range shown, nothing chosen."""
    high = goods.cents * 2
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><p class="price">{goods.shown} – {show(high, goods.country)}</p><select><option>Choose an option</option></select><button disabled>Add to cart</button></main>""",
        head=json_ld(
            product_ld(goods)
            | {
                "offers": {
                    "@type": "AggregateOffer",
                    "lowPrice": goods.number,
                    "highPrice": number(high, goods.country),
                    "priceCurrency": "USD",
                }
            }
        ),
    )
