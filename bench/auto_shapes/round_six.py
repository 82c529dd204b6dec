"""Round six: kinds of shops none of the rounds before had: games, wine, books, parts, second hand, and more countries."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

import json

from bench.auto_shapes.frame import json_ld, og, product_ld
from bench.auto_shapes.goods import Goods, digits, show
from bench.auto_shapes.newcomers import share_of
from bench.auto_shapes.shape import Round, saved

ROUND_SIX = page = Round()


@page("de")
def game_client(goods: Goods) -> str:
    """A store for games: the game, a dearer edition and a bundle, each with its own box and button."""

    def box(name: str, now: int, was: int) -> str:
        return f'<div class="game_area_purchase_game"><h2>{name} kaufen</h2><div class="game_purchase_action"><div class="discount_block"><div class="discount_pct">-20%</div><div class="discount_prices"><div class="discount_original_price">{show(was, goods.country)}</div><div class="discount_final_price">{show(now, goods.country)}</div></div></div><div class="btn_addtocart"><a class="btn_green" href="javascript:addToCart(1);"><span>In den Warenkorb</span></a></div></div></div>'

    return saved(
        goods,
        f"""<div class="page_content"><div class="apphub_AppName" id="appHubAppName">{goods.name}</div>{box(goods.name, goods.cents, goods.was_cents)}{box(goods.name + " Deluxe Edition", goods.cents * 2, goods.was_cents * 2)}</div>""",
        head=f'<meta itemprop="price" content="{goods.number}"><meta itemprop="priceCurrency" content="EUR">',
        title=f"{goods.name} bei Harbour",
    )


@page("us", sku=True)
def wine_merchant(goods: Goods) -> str:
    """Wine: bottle and case, a score of ninety-four, a vintage, a mixed-six price, all in one box."""
    return saved(
        goods,
        f"""<section class="pip"><h1 class="pipName">{goods.name}</h1><div class="pipWineRating">94 <span>Points, Critic</span></div><div class="pipPrice"><div class="productPrice_price-sale"><span class="productPrice_price-saleWhole">{goods.cents // 100}</span><span class="productPrice_price-saleFractional">{goods.cents % 100:02d}</span></div><div class="productPrice_price-reg">Reg. <s>{goods.was_shown}</s></div></div><div class="mix6">Mix 6 for <b>{share_of(goods, 90)}</b> each</div><p>2019 / 750ML</p><button class="addToCart">Add to Cart</button><p>SKU: {goods.sku}</p></section>""",
        head='<meta property="og:price:currency" content="USD">',
    )


@page("fr", sku=True)
def books_fr(goods: Goods) -> str:
    """Books: new, used from, digital; the fixed price by law; an ISBN as the number."""
    return saved(
        goods,
        f"""<article class="produit"><h1 itemprop="name">{goods.name}</h1><h2>de <a href="/a/1">A. Auteur</a></h2><ul class="formats"><li class="actif">Neuf <span class="prix">{goods.shown}</span></li><li><a href="/occasion">Occasion à partir de <span class="prix">{share_of(goods, 40)}</span></a></li><li><a href="/ebook">Numérique <span class="prix">{share_of(goods, 70)}</span></a></li></ul><div class="achat"><p class="prix-achat">{goods.shown}</p><p class="dispo">En stock - Expédié sous 24h</p><button>Ajouter au panier</button></div><p>Référence : {goods.sku}</p></article>""",
    )


@page("us", sku=True)
def car_parts(goods: Goods) -> str:
    """Parts: a table of makers, the chosen row, core deposit, a fit note with a year range."""
    return saved(
        goods,
        f"""<div class="pdp"><h1>{goods.name}</h1><p>Fits 2004 - 2011 models. 2 year limited warranty.</p><table class="pp"><tr><td>Price</td><td>{goods.shown} each</td></tr><tr><td>Refundable core deposit</td><td>{show(1800, goods.country)}</td></tr></table><p>Part # {goods.sku}</p><p>Line: HRB</p><input type="button" value="Add to cart" class="azn-btn"><p>Free next day delivery on orders over {show(3500, goods.country)}</p></div>""",
    )


@page("uk", availability="in_stock")
def second_hand(goods: Goods) -> str:
    """One used thing by a person: price, price with the fee for protection, postage, no cart."""
    return saved(
        goods,
        f"""<main><div class="item"><h1>{goods.name}</h1><div data-testid="item-price"><p>{goods.shown}</p></div><div><button>{show(goods.cents * 105 // 100 + 70, goods.country)} Includes Buyer Protection</button></div><p>Size M · Very good</p><p>Postage from {show(259, goods.country)}</p><button>Buy now</button><button>Make an offer</button><h2>Member's items (31)</h2><div class="feed"><div><a href="/i/2"><img alt=""></a><p>{show(900, goods.country)}</p></div><div><a href="/i/3"><img alt=""></a><p>{show(1200, goods.country)}</p></div></div></div></main>""",
    )


@page("us")
def online_course(goods: Goods) -> str:
    """A course: price and original for ears, a timer, a plan by the month in a second box."""
    return saved(
        goods,
        f"""<main><h1 data-purpose="lead-title">{goods.name}</h1><div data-purpose="price-text-container"><div data-purpose="course-price-text"><span class="sr-only">Current price</span><span><span>{goods.shown}</span></span></div><div data-purpose="course-old-price-text"><span class="sr-only">Original Price</span><span><s><span>{goods.was_shown}</span></s></span></div><div data-purpose="discount-percentage"><span class="sr-only">Discount</span><span>20% off</span></div></div><div>2 days left at this price!</div><button data-purpose="add-to-cart">Add to cart</button><div class="plan"><p>Subscribe to the top courses</p><p>Starting at {share_of(goods, 20)} per month</p><button>Try it free</button></div></main>""",
    )


@page("cl", sku=True)
def andes(goods: Goods) -> str:
    """Chile: the card's price first in red, then internet, then normal; only the second is for all."""
    return saved(
        goods,
        f'''<main><h1 class="product-name">{goods.name}</h1><div class="prices"><ol><li data-internet-price="{goods.cents // 100}"><span class="copy10">{goods.shown}</span> <span class="label">(Precio Internet)</span></li><li data-normal-price="{goods.was_cents // 100}"><span class="copy3 crossed">{goods.was_shown}</span> <span class="label">(Precio Normal)</span></li></ol></div><p>Código: {goods.sku}</p><button id="buttonForCustomers">Agregar al carro</button></main>''',
    )


@page("gr", sku=True)
def greece(goods: Goods) -> str:
    """Greece: the sign glued to the number, an old price, availability in days."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="sku-code">Κωδικός: {goods.sku}</div><div class="price"><div class="final-price">{goods.shown}</div><div class="initial-price">{goods.was_shown}</div></div><p class="diathesimotita">Άμεσα διαθέσιμο</p><button>Προσθήκη στο καλάθι</button></main>""",
    )


@page("hu", sku=True)
def hungary(goods: Goods) -> str:
    """Hungary: net in brackets, list price, saved amount, delivery cost; cikkszám."""
    return saved(
        goods,
        f"""<main><h1 class="product-page-name">{goods.name}</h1><p>Cikkszám: {goods.sku}</p><div class="product-page-price"><span class="line_through">{goods.was_shown}</span><span class="product-price-special">{goods.shown}</span><span class="net">(nettó {share_of(goods, 79)})</span></div><p>Megtakarítás: {show(goods.was_cents - goods.cents, goods.country)}</p><p>Szállítási díj: {show(149000, goods.country)}</p><p class="raktar">Raktáron</p><button>Kosárba</button></main>""",
    )


@page("vn")
def vietnam(goods: Goods) -> str:
    """Vietnam: price with a raised sign, percent, struck, vouchers in a row."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="product-price"><div class="product-price__current-price">{digits(goods.cents, goods.country)}<sup>₫</sup></div><div class="product-price__discount-rate">-20%</div><div class="product-price__original">{digits(goods.was_cents, goods.country)}<sup>₫</sup></div></div><div class="coupon">Giảm {digits(2000000, goods.country)}đ</div><button data-view-id="pdp_add_to_cart_button">Chọn mua</button></main>""",
    )


@page("ae")
def gulf(goods: Goods) -> str:
    """The Gulf: code before the number without a space, was and saving in a line, tax included."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="priceRow"><div>Was: <span>AED {digits(goods.was_cents, goods.country)}</span></div><div>Now: <span>AED</span> <b>{digits(goods.cents, goods.country)}</b> <span>Inclusive of VAT</span></div><div>Saving: <span>AED {digits(goods.was_cents - goods.cents, goods.country)}</span></div></div><button>Add To Cart</button></main>""",
    )


@page("il", sku=True)
def right_to_left(goods: Goods) -> str:
    """Israel: right to left, the sign after, member price in words, catalogue number."""
    return saved(
        goods,
        f"""<main dir="rtl"><h1>{goods.name}</h1><div class="price"><span class="current">{goods.shown}</span><span class="old">{goods.was_shown}</span></div><p>מק"ט: {goods.sku}</p><p>משלוח {show(2990, goods.country)}</p><button>הוסף לסל</button></main>""",
    )


@page("us", sku=True)
def configurator(goods: Goods) -> str:
    """Made to order: options that add, the sum as the price, state with base and total."""
    options = "".join(
        f'<li><label><input type="radio"> {name} <span class="opt-add">+{show(cents, goods.country)}</span></label></li>'
        for name, cents in (("Oak top", 4500), ("Steel legs", 3000))
    )
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><ul class="config">{options}</ul><div class="config-total"><span>Total</span> <span class="config-price">{goods.shown}</span></div><button>Add to cart</button><p>Item: {goods.sku}</p></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("us", sku=True)
def jeweller(goods: Goods) -> str:
    """Jewellery: setting price, stone from, the total; hashed names, markup with a price of the setting."""
    return saved(
        goods,
        f"""<main><h1 class="a1">{goods.name}</h1><p class="a2">Setting price</p><p class="a3">{goods.shown}</p><p class="a4">Diamonds from {show(90000, goods.country)}</p><a class="a5" href="/cart/add?sku={goods.sku}">Add to bag</a></main>""",
        head=json_ld(product_ld(goods)),
    )


@page("jp", sku=True)
def japan_river(goods: Goods) -> str:
    """Japan's side of the river store: full-width sign, points, list price, stock words, in pieces for eyes."""
    return saved(
        goods,
        f"""<div id="dp"><h1 id="title"><span id="productTitle">{goods.name}</span></h1><div id="corePriceDisplay_desktop_feature_div"><span class="a-price aok-align-center priceToPay"><span class="a-offscreen"></span><span aria-hidden="true"><span class="a-price-symbol">￥</span><span class="a-price-whole">{digits(goods.cents, goods.country)}</span></span></span><span class="taxInclusiveMessage">税込</span></div><div>参考価格: <span class="a-price a-text-price" data-a-strike="true"><span class="a-offscreen">￥{digits(goods.was_cents, goods.country)}</span></span></div><div>ポイント: {goods.cents // 10000}pt (1%)</div><div id="availability"><span>在庫あり。</span></div><input id="add-to-cart-button" type="submit" value="カートに入れる"><table><tr><th>ASIN</th><td>{goods.sku}</td></tr></table></div>""",
    )


@page("us")
def handmade_plus(goods: Goods) -> str:
    """Handmade: the price, how many bought, "or four payments", seller's other things with their prices in links."""
    state = json.dumps(
        {
            "listing": {
                "title": goods.name,
                "price": {"amount": goods.cents, "divisor": 100, "currency_code": "USD"},
            }
        }
    )
    return saved(
        goods,
        f"""<main><div data-buy-box-region="price"><p class="wt-text-title-larger"><span class="wt-screen-reader-only">Price:</span> {goods.shown}</p><p class="wt-text-strikethrough"><span class="wt-screen-reader-only">Original Price:</span> {goods.was_shown} <span>(20% off)</span></p></div><h1 data-buy-box-listing-title="true">{goods.name}</h1><p>Pay in 4 installments of {show(goods.cents // 4, goods.country)}. Klarna.</p><button type="submit"><div>Add to cart</div></button><p>In 20+ carts</p></main><script>window.Etsy={state};</script>""",
    )


@page("nl", sku=True)
def phone_plan(goods: Goods) -> str:
    """A telephone: loose price, price with a plan, monthly, one-off; the loose one is chosen."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="keuze"><div class="keuze-optie actief"><span>Los toestel</span> <strong>{goods.shown}</strong></div><div class="keuze-optie"><span>Met abonnement</span> <strong>vanaf {share_of(goods, 3)} p/m</strong></div></div><div class="prijs-totaal"><span class="prijs">{goods.shown}</span></div><p>Op voorraad</p><button>In winkelwagen</button><p>Artikelnummer {goods.sku}</p></main>""",
    )


@page("us", sku=True)
def card_theme(goods: Goods) -> str:
    """A theme in which everything is a card and the product is an item of a list of one."""
    return saved(
        goods,
        f"""<main><div class="products-grid single"><div class="product-card card featured"><div class="card-body"><h1 class="card-title product-card__title">{goods.name}</h1><div class="card-text product-card__price">{goods.shown}</div><a href="/cart?add={goods.sku}" class="btn btn-primary product-card__cta">Add to cart</a></div></div></div></main>""",
        head=og(goods) + f'<meta property="product:retailer_item_id" content="{goods.sku}">',
    )


@page("ca", availability="out_of_stock", sku=True)
def coming_back(goods: Goods) -> str:
    """Not to be had online, said in a sentence; a form to be told; the price stays."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><p class="product-price">{goods.shown}</p><p class="msg">This product is currently unavailable online.</p><form><input type="email"><button>Notify me</button></form><p>Item # {goods.sku}</p></main>""",
    )


@page("us", is_priced=False)
def bids(goods: Goods) -> str:
    """An auction that runs: what was bid last is no price."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div>Current bid: <b>{goods.shown}</b> <span>7 bids</span></div><div>Estimate {show(goods.cents * 2, goods.country)} - {show(goods.cents * 3, goods.country)}</div><button>Place bid</button></main>""",
    )


@page("us", is_priced=False)
def see_price_in_cart(goods: Goods) -> str:
    """Too low to show: the list price is struck, the rest is in the cart."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="price"><s>{goods.was_shown}</s> <span>See price in cart</span></div><button>Add to cart</button></main>""",
    )


@page("us", is_priced=False)
def article_about(goods: Goods) -> str:
    """A review of the thing in a magazine, with prices at three shops."""
    shops = "".join(
        f'<li><a href="https://s{n}.example/x">{show(goods.cents + n * 300, goods.country)} at Shop {n}</a></li>'
        for n in range(3)
    )
    return saved(
        goods,
        f"""<article><h1>{goods.name} review: quiet at last</h1><p>By A. Writer. We paid {goods.shown} for ours and used it for a month.</p><ul>{shops}</ul></article>""",
        title=f"{goods.name} review: quiet at last",
    )
