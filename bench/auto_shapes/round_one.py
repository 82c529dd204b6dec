"""Round one: chains of many countries as their rendered pages look, without the markup that would make it easy."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

import json

from bench.auto_shapes.frame import json_ld, product_ld
from bench.auto_shapes.goods import Goods, digits, show
from bench.auto_shapes.newcomers import share_of
from bench.auto_shapes.shape import Round, saved

ROUND_ONE = page = Round()


@page("us", address="/p/quiet-thing/-/{sku}")
def bullseye(goods: Goods) -> str:
    """Test hooks for names; the price, reg, the sale word and a percentage in one line; pickup and delivery below."""
    return saved(
        goods,
        f"""<main id="main"><div data-test="@web/site-top-of-funnel/ProductDetail"><h1 data-test="product-title" class="sc-a1 h-margin-b-none">{goods.name}</h1><div><a data-test="shopAllBrandLink" href="/b/h">Shop all Harbour</a></div>
<div class="styles_ndsCol"><div data-module-type="ProductDetailPrice"><div class="sc-b2"><span data-test="product-price">{goods.shown}</span><span class="sc-c3 h-text-red"> reg <span data-test="product-regular-price">{goods.was_shown}</span></span><span> Sale</span></div><div class="sc-d4">When purchased online</div></div>
<div data-test="@web/Fulfillment"><button data-test="fulfillment-cell-shipping"><span>Shipping</span> Get it by Fri</button><button data-test="fulfillment-cell-delivery">Delivery As soon as 2pm today with Circle 360 or {show(999, goods.country)} per order</button></div>
<div><span>Pay as low as {share_of(goods, 9)}/mo. with Affirm</span></div><button type="button" data-test="orderPickupButton" aria-label="Add to cart for {goods.name}">Add to cart</button></div></div></main>""",
    )


@page("de", sku=True)
def mail_order_hamburg(goods: Goods) -> str:
    """A house of mail order: sign before the number, instalments, shipping and a service beside it, number in a span."""
    return saved(
        goods,
        f"""<div class="pdp"><div class="pdp_short-info"><h1 class="pdp_short-info__main-name" data-qa="variationName">{goods.name}</h1><div class="pdp_article-number"><span>Artikel-Nr.</span> <span>{goods.sku}</span></div></div>
<div class="pdp_price js_pdp_price"><div class="pdp_price__inner"><div class="pdp_price__price-parts"><span class="pdp_price__old">UVP <s>{goods.was_shown}</s></span><span class="pdp_price__retail-price">{goods.shown}</span></div><div class="pdp_price__additional">inkl. MwSt., zzgl. <a href="/versand">Versandkosten {show(595, goods.country)}</a></div></div>
<div class="pdp_price__financing">oder in 24 Raten ab {share_of(goods, 5)} mtl. <span>(eff. Jahreszins 14,90%)</span></div></div>
<div class="pdp_delivery"><span>lieferbar - in 2-3 Werktagen bei dir</span></div><div class="pdp_services"><label><input type="checkbox"> Altgerätemitnahme {show(2999, goods.country)}</label></div>
<button class="p_btn150--1st js_addToBasket" type="button">In den Warenkorb</button></div>""",
    )


@page("de")
def red_electronics(goods: Goods) -> str:
    """Whole and dash in two spans, once for ears; the list price struck; a points line."""
    whole = goods.cents // 100
    return saved(
        goods,
        f"""<main><div data-test="mms-pdp-details"><h1 class="sc-1">{goods.name}</h1><div data-test="mms-product-price" class="sc-2"><div class="sc-3"><span class="sc-4">UVP</span> <span class="sc-5" data-test="mms-strike-price-type-uvp"><s>{goods.was_shown}</s></span></div>
<div class="sc-6"><span class="sc-7 sr">{goods.shown}</span><span aria-hidden="true" class="sc-8"><span data-test="branded-price-whole-value">{whole:,}".</span><span data-test="branded-price-decimal-value">{goods.cents % 100:02d}</span></span></div><div class="sc-9">inkl. MwSt.<span> Versandkostenfrei</span></div></div>
<div class="sc-10">Sammle {whole // 10} Punkte im Wert von {share_of(goods, 1)}</div><div class="sc-11">Online verfügbar <span>Lieferung 14.10. - 16.10.</span></div><button id="pdp-add-to-cart-button" data-test="a2c-Button" class="sc-12">In den Warenkorb</button></div></main>""".replace(
            f'{whole:,}".', f"{whole}."
        ),
    )


@page("uk", sku=True)
def catalogue_shop(goods: Goods) -> str:
    """A catalogue shop: price as a heading in a list, number behind a slash, care plans under it."""
    return saved(
        goods,
        f'''<main id="content"><section class="pdp-core"><div data-test="product-details"><h1 class="Namestyles__Main"><span data-test="product-title">{goods.name}</span></h1><div><span>{goods.sku[1:4]}/{goods.sku[1:]}</span></div><div itemprop="sku" content="{goods.sku}"></div>
<ul class="Pricestyles__List"><li class="Pricestyles__Li"><h2 class="Pricestyles__Now">{goods.shown}</h2></li><li class="Pricestyles__Was">Was {goods.was_shown}</li></ul><div class="Credit">Or monthly payments from {share_of(goods, 6)} with the store card. <a href="/credit">See plans</a></div>
<fieldset><legend>Add a care plan</legend><label><input type="radio"> 2 years care {show(1499, goods.country)}</label><label><input type="radio"> 3 years care {show(1999, goods.country)}</label></fieldset>
<button data-test="add-to-trolley-button-button">Add to Trolley</button><button>Add to wishlist</button></div></section></main>''',
    )


@page("uk", availability="out_of_stock")
def partnership(goods: Goods) -> str:
    """A department store: brand and name in one heading, price by test id, sold out but priced."""
    return saved(
        goods,
        f"""<main><div class="ProductHeader"><h1 class="ProductHeader_title" data-testid="product:title"><span class="b">Harbour</span> <span>{goods.name}</span></h1><div class="stars">4.6 (31)</div><p class="Price_c" data-testid="product:price"><span data-testid="product:basic:price">{goods.shown}</span></p></div>
<div class="stock"><p data-testid="availability:title">Currently out of stock online</p></div><button data-testid="basket:add" disabled>Out of stock</button><p>Email me when back in stock</p></main>""",
        title=f"Harbour {goods.name} at Harbour &amp; Sons",
    )


@page("uk", sku=True, address="/harbour/thing/prd/{sku}?clr=red")
def young_fashion(goods: Goods) -> str:
    """Young fashion: state in a script as a string, the price for ears and eyes, percent off, colours and sizes."""
    state = json.dumps(
        {
            "id": 1,
            "name": goods.name,
            "price": {
                "current": {"value": goods.cents / 100, "text": goods.shown},
                "previous": {"value": goods.was_cents / 100},
            },
        }
    )
    return saved(
        goods,
        f"""<main><div id="pdp-react-critical-app"><h1 class="jcdpl">{goods.name}</h1><span data-testid="product-price" class="ky6t2"><span data-testid="current-price" class="MwTOW">Now {goods.shown}</span><span data-testid="previous-price" class="jFDRJ">Was {goods.was_shown}</span></span>
<div data-testid="shippingRestrictionsLink"><a href="/help">Free delivery and returns (Ts&Cs apply), order limit {show(50000, goods.country)}</a></div><select id="variantSelector"><option>Please select</option><option>UK 8</option><option>UK 10 - Out of stock</option></select><button data-testid="add-button" class="eoH">Add to bag</button><p>Product Code: {goods.sku}</p></div></main>
<script>window.asos={{pdp:{{}}}};window.asos.pdp.config={{product:{state}}};</script>""",
    )


@page("fr")
def sports_blue(goods: Goods) -> str:
    """Sports goods: a price element with a label for the ears, a saving in a badge, sellers below."""
    return saved(
        goods,
        f"""<main><article class="product-detail"><h1 class="vtmn-typo">{goods.name}</h1><div class="price-block"><span class="vtmn-price vtmn-price_variant--alert" aria-label="price">{goods.shown}</span> <span class="vtmn-price vtmn-price_variant--crossed"><s>{goods.was_shown}</s></span><span class="tag">-{(goods.was_cents - goods.cents) * 100 // goods.was_cents}%</span><div>dont {show(12, goods.country)} d'éco-part.</div></div>
<div class="sell">Vendu et expédié par Harbour</div><div class="d"><span>Livraison à domicile</span> <span>à partir de {show(399, goods.country)}</span></div><button class="vtmn-btn">Ajouter au panier</button></article></main>""",
    )


@page("us", sku=True)
def component_egg(goods: Goods) -> str:
    """Computer parts: sign, strong whole, raised cents with the point; a mail-in rebate and a combo."""
    return saved(
        goods,
        f"""<div class="product-main"><div class="product-wrap"><h1 class="product-title">{goods.name}</h1><div class="product-inventory"><strong>In stock.</strong> Limit 5 per customer.</div></div><div class="product-buy-box"><div class="product-pane"><div class="product-price"><ul class="price"><li class="price-was"><span class="price-was-data">{goods.was_shown}</span></li><li class="price-current">$<strong>{goods.cents // 100:,}</strong><sup>.{goods.cents % 100:02d}</sup></li><li class="price-save"><span class="price-save-label">Save: </span><span class="price-save-percent">9%</span></li><li class="price-ship">$4.99 Shipping</li></ul></div>
<div class="product-rebate">{show(goods.cents - 500, goods.country)} after $5.00 rebate card</div><div class="product-buy"><button class="btn btn-primary btn-wide">Add to cart</button></div></div></div></div><div class="combo"><h2>Combo deals</h2><div>{goods.name} + case <b>{show(goods.cents + 5000, goods.country)}</b> <button>Add to cart</button></div></div><div><table><tr><td>Model</td><td>HX-9</td></tr><tr><td>Item#: {goods.sku}</td></tr></table></div>""",
    )


@page("us")
def orange_aprons(goods: Goods) -> str:
    """Hardware: five spans for one amount, an offer for a new card right under it, a unit of a case."""
    return saved(
        goods,
        f"""<div class="page"><div class="product-details"><span class="sui-brand"><h2>Harbour</h2></span><h1 class="sui-h4-bold">{goods.name}</h1><div class="store">Store SKU #1004{goods.sku[1:]}</div></div><div class="buybox"><div data-component="price:Price:v11"><div class="price"><div class="price-format__large"><div class="price-format__main-price"><span class="price-format__large-symbols">$</span><span>{goods.cents // 100:,}</span><span class="price-format__large-symbols">.</span><span>{goods.cents % 100:02d}</span></div></div></div><div class="was"><span>Was</span> <span class="u__strike">{goods.was_shown}</span></div></div>
<div class="card-promo"><p>Pay <b>{show(max(goods.cents - 2500, 100), goods.country)}</b> after <b>$25 OFF</b> your total qualifying purchase upon opening a new card.</p></div><div class="fulfil"><a href="/store">Pickup at Harbour Road: 14 in stock</a><span>Delivery FREE</span></div><button class="sui-button"><span>Add to Cart</span></button></div></div>""",
    )


@page("in")
def big_billion(goods: Goods) -> str:
    """India: hashed names, comments between sign and digits, offers of banks, an exchange, a monthly plan."""
    off = (goods.was_cents - goods.cents) * 100 // goods.was_cents
    return saved(
        goods,
        f"""<div class="_1YokD2"><div class="aMaAEs"><h1 class="yhB1nd"><span class="B_NuCI">{goods.name}&nbsp;&nbsp;(Black)</span></h1><div class="_3_L3jD"><span class="_1lRcqv">4.3</span><span>12,345 Ratings&nbsp;&amp;&nbsp;1,234 Reviews</span></div><div class="_1V_ZGU"><span>Extra ₹<!-- -->500<!-- --> off</span></div><div class="dyC4hf"><div class="CEmiEU"><div class="_25b18c"><div class="_30jeq3 _16Jk6d">{goods.shown}</div><div class="_3I9_wc _2p6lqe">₹<!-- -->{digits(goods.was_cents, goods.country)}</div><div class="_3Ay6Sb _31Dcoz"><span>{off}% off</span></div></div></div></div>
<div class="XUp0WS"><div class="_3j4Zjq"><li><span>Bank Offer</span><span>10% off on Harbour Bank Credit Card, up to ₹1,250 on orders of ₹5,000 and above</span></li></div></div><div class="_3RrPh2"><div>Buy without Exchange</div><div>{goods.shown}</div><div>Buy with Exchange</div><div>up to ₹900 off</div></div><div>EMI from ₹{max(goods.cents // 3000, 12)}/month</div></div><ul><li><button class="_2KpZ6l _2U9uOA">ADD TO CART</button></li><li><form><button class="_2KpZ6l" type="button">BUY NOW</button></form></li></ul></div>""",
        title=f"{goods.name} ( 64 GB Storage ) Online at Best Price On Harbour.com",
    )


@page("br")
def free_market(goods: Goods) -> str:
    """Latin America: sign, whole and cents in pieces; crossed out before; ten times without interest after."""
    whole, cents = digits(goods.cents, goods.country).split(",")
    was, was_cents = digits(goods.was_cents, goods.country).split(",")
    tenth, tenth_cents = digits(goods.cents // 10, goods.country).split(",")
    return saved(
        goods,
        f'''<main class="ui-pdp"><div class="ui-pdp-container__row"><div class="ui-pdp-header"><span class="ui-pdp-subtitle">Novo  |  +500 vendidos</span><h1 class="ui-pdp-title">{goods.name}</h1></div><div class="ui-pdp-price mt-16"><div class="ui-pdp-price__main-container"><s role="img" aria-label="Antes: {was} reais" class="andes-money-amount ui-pdp-price__part ui-pdp-price__original-value andes-money-amount--previous"><span class="andes-money-amount__currency-symbol">R$</span><span class="andes-money-amount__fraction">{was}</span><span class="andes-money-amount__cents">{was_cents}</span></s>
<div class="ui-pdp-price__second-line"><span><meta itemprop="price" content="{goods.number}"><span role="img" aria-label="{whole} reais com {cents} centavos" class="andes-money-amount ui-pdp-price__part"><span aria-hidden="true"><span class="andes-money-amount__currency-symbol">R$</span><span class="andes-money-amount__fraction">{whole}</span><span class="andes-visually-hidden">,</span><span class="andes-money-amount__cents">{cents}</span></span></span></span><span class="andes-money-amount__discount">10% OFF</span></div><div class="ui-pdp-price__subtitles"><p>em <span>10x <span class="andes-money-amount"><span class="andes-money-amount__currency-symbol">R$</span><span class="andes-money-amount__fraction">{tenth}</span><span class="andes-money-amount__cents">{tenth_cents}</span></span> sem juros</span></p></div></div></div>
<div><p class="ui-pdp-stock">Estoque disponível</p></div><button class="andes-button--loud"><span>Comprar agora</span></button><button class="andes-button--quiet"><span>Adicionar ao carrinho</span></button></div></main>''',
    )


@page("ru", sku=True)
def berries(goods: Goods) -> str:
    """Russia: ins and del, a wallet price struck nowhere, article number as a button."""
    return saved(
        goods,
        f"""<div class="product-page"><div class="product-page__header"><span>Harbour</span><h1 class="product-page__title">{goods.name}</h1></div><div class="product-params"><p>Артикул: <span id="productNmId">{goods.sku}</span></p></div><div class="product-page__price-block"><div class="price-block"><div class="price-block__content"><p class="price-block__price-wrap"><span class="price-block__price"><ins class="price-block__final-price">{goods.shown}</ins></span><del class="price-block__old-price"><span>{goods.was_shown}</span></del></p></div></div></div><div class="product-page__order-buttons"><button class="btn-main"><span>Добавить в корзину</span></button></div><div class="delivery">Завтра, склад продавца</div></div>""",
    )


@page("nl", sku=True)
def everything_nl(goods: Goods) -> str:
    """The Netherlands: whole and raised cents without any sign, advised price struck, another seller below."""
    whole, cents = digits(goods.cents, goods.country).split(",")
    return saved(
        goods,
        f"""<div class="pdp"><h1 class="page-heading"><span data-test="title">{goods.name}</span></h1><div class="buy-block"><section class="buy-block__prices"><div class="price-block__highlight"><span class="promo-price" data-test="price">{whole}
 <sup class="promo-price__fraction" data-test="price-fraction">{cents}</sup></span></div><div class="buy-block__list-price"><span class="list-price">Adviesprijs <del class="buy-block__list-price--strike" data-test="list-price">{digits(goods.was_cents, goods.country)}</del></span></div></section><div class="buy-block__availability">Op voorraad</div><div class="bezorg">Voor 23:59 uur besteld, morgen in huis</div><a class="btn btn--cta" href="#" data-button-type="buy">In winkelwagen</a></div><div class="sellers"><a href="/verkopers">Ook tweedehands beschikbaar vanaf € {digits(goods.cents // 2, goods.country)}</a></div><div class="specs"><dl><dt>EAN</dt><dd>8712345678906</dd><dt>Artikelnummer</dt><dd>{goods.sku}</dd></dl></div></div>""",
    )


@page("fr", sku=True)
def agitators(goods: Goods) -> str:
    """France: whole, sign and raised cents; used ones from less; members get money back on a card."""
    whole, cents = digits(goods.cents, goods.country).split(",")
    return saved(
        goods,
        f"""<div class="f-productPage"><h1 class="f-productHeader__heading">{goods.name}</h1><div class="f-buyBox"><div class="f-faPriceBox"><span class="f-faPriceBox__label">Neuf</span><span class="f-faPriceBox__price userPrice checked js-ProductBuy-price">{whole}€<sup>{cents}</sup></span><span class="f-faPriceBox__oldPrice"><del>{goods.was_shown}</del></span></div><div class="f-faPriceBox"><a href="/offres"><span>Occasion dès</span> <span class="userPrice">{goods.cents // 200}€<sup>50</sup></span></a></div><div class="f-buyBox-availability"><p class="f-buyBox-availabilityStatus">En stock en ligne</p></div><div class="cagnotte">Adhérents : {show(500, goods.country)} offerts tous les 100 €</div><button class="ff-button ff-button--big">Ajouter au panier</button></div><p>Réf : {goods.sku}</p></div>""",
    )


@page("uk")
def club_supermarket(goods: Goods) -> str:
    """A supermarket: what all pay, what it is per measure, and what members pay in a yellow box."""
    return saved(
        goods,
        f"""<main><div class="product-details-page"><h1 data-auto="pdp-product-title">{goods.name}</h1><div class="product-details-tile__controls"><div class="price-details--wrapper"><p class="styled__PriceText">{goods.shown}</p><p class="ddsweb-price__subtext">{share_of(goods, 40)}/100g</p></div><div class="promo"><div class="promo-box"><span class="offer-text">{share_of(goods, 80)} Clubcard Price</span><span>Offer valid for delivery from 12/10 until 01/11</span></div></div><form><input type="number" value="1"><button class="add-control"><span>Add</span></button></form></div></div></main>""",
    )


@page("us", sku=True)
def beauty_black(goods: Goods) -> str:
    """Cosmetics: brand above name inside the heading, bold price, four payments, an auto-ship price in a radio."""
    return saved(
        goods,
        f"""<main><div class="css-1"><h1 class="css-2"><a data-at="brand_name" href="/brand/h">Harbour</a><span data-at="product_name">{goods.name}</span></h1><div class="css-3"><span>Item {goods.sku}</span><span>4.2K reviews</span><span>98.2K loves</span></div><p data-comp="Price"><span class="css-4"><b class="css-5">{goods.shown}</b></span><span> or 4 payments of {show(goods.cents // 4, goods.country)} with Klarna or Afterpay</span></p>
<div data-at="sku_size">Size: 1.7 oz/ 50 mL</div><div role="radiogroup"><div role="radio" aria-checked="true"><span>Get It Shipped</span> Sign in for FREE shipping</div><div role="radio"><span>Auto-Replenish</span><span> Save 5%</span> {share_of(goods, 95)}</div></div><button data-at="add_to_basket_btn">Add to Basket</button></div></main>""",
    )


@page("us")
def warehouse_club(goods: Goods) -> str:
    """A warehouse: sign, value and code apart, online price minus a manufacturer's saving makes your price."""
    off = goods.was_cents - goods.cents
    return saved(
        goods,
        f"""<div id="product-page"><h1 itemprop="name" automation-id="productName">{goods.name}</h1><div class="product-info"><p>Item <span itemprop="sku" data-sku>{goods.sku[1:]}</span></p></div><div id="pull-right-price"><div class="online-price"><span class="label">Online Price</span> <span class="op-value">{goods.was_shown}</span></div><div class="less"><span>Less</span> <span class="less-value">-{show(off, goods.country)}</span></div><div class="your-price"><span class="label">Your Price</span> <span automation-id="productPriceOutput" class="value canada-currency-size">{digits(goods.cents, goods.country)}</span><span class="currency">$</span></div></div><div class="shipping">Shipping &amp; Handling Included*</div><input type="submit" id="add-to-cart-btn" value="Add to Cart" class="btn btn-primary"></div>""",
    )


@page("jp", sku=True)
def rakuten_like(goods: Goods) -> str:
    """Japan: yen behind, tax words, shipping, points; the number of the item under the name; no heading at all."""
    return saved(
        goods,
        f'''<table><tr><td><span class="catch_copy">送料無料 レビュー4.5</span><br><span class="item_name"><b>{goods.name}</b></span></td></tr><tr><td><span class="item_number_title">商品番号</span> <span class="item_number">{goods.sku}</span></td></tr><tr><td><span class="price2" itemprop="price" content="{goods.cents // 100}">{digits(goods.cents, goods.country)} 円</span> <span class="tax_postage">（税込） 送料別</span></td></tr><tr><td>{goods.cents // 10000}ポイント(1倍) 上限{digits(50000, goods.country)}円</td></tr><tr><td><button type="button" class="cart-button">かごに追加</button></td></tr></table>''',
    )


@page("se", sku=True)
def nordic_electronics(goods: Goods) -> str:
    """Scandinavia: whole crowns with a dash and no sign, a monthly cost, a stock line with counts."""
    return saved(
        goods,
        f'''<main><div class="product-page"><h1>{goods.name}</h1><p class="sku">Art.nr: {goods.sku}</p><div class="price-box"><span class="product-price" data-price="{goods.cents // 100}"><span class="inc-vat">{digits(goods.cents, goods.country)}.-</span></span><span class="before">Ord. pris {digits(goods.was_cents, goods.country)}.-</span></div><div class="monthly">Från {max(goods.cents // 3000, 10)} kr/mån</div><div class="stock"><span>I lager online (50+)</span></div><button class="button--buy">Lägg i kundvagn</button></div></main>''',
    )


@page("pl", sku=True)
def allegory(goods: Goods) -> str:
    """Poland: hashed names, whole with comma and cents apart, delivery from, lowest of thirty days."""
    whole, cents = digits(goods.cents, goods.country).split(",")
    return saved(
        goods,
        f"""<div class="opbox"><h1 class="_1s2v1">{goods.name}</h1><div class="mpof_ki"><div aria-label="cena {goods.cents // 100},{cents} zł" class="mli8_k4"><span>{whole},</span><span class="mgmw">{cents}</span> <span>zł</span></div><div>Najniższa cena z 30 dni: {share_of(goods, 97)}</div></div><div>dostawa od {show(899, goods.country)}</div><div>{goods.cents // 100 // 4} zł x 10 rat</div><div>24 sztuki dostępne</div><button id="add-to-cart-button">dodaj do koszyka</button><div>Kod produktu: {goods.sku}</div></div>""",
    )


@page("au")
def bunning(goods: Goods) -> str:
    """Australia: a whole price without cents and an add button of an icon; a price match line."""
    return saved(
        goods,
        f"""<main><div class="MuiGrid"><p>Harbour</p><h1 class="MuiTypography" data-locator="product-title">{goods.name}</h1><div class="PriceWrap"><p data-locator="product-price" class="MuiTypography-h2">{goods.shown}</p></div><p>I/N: 0{goods.sku[1:]}</p><p>If you find a competitor's lower price on the same stocked item we'll beat it by 10%.</p><div><input aria-label="quantity" value="1"><button data-locator="btnAddToCart" aria-label="Add to Cart"><span>Add to Cart</span></button></div><p data-locator="in-stock">Delivery available</p></div></main>""",
    )


@page("ca", sku=True)
def red_triangle(goods: Goods) -> str:
    """Canada: a hero price, save and was in one sentence, a store card's money, quantity picker."""
    return saved(
        goods,
        f'''<main><div class="nl-product"><h1 class="nl-product__title">{goods.name}</h1><div class="nl-product__code">Product #{goods.sku[1:3]}-{goods.sku[3:]}-0</div><meta itemprop="sku" content="{goods.sku}"><div class="nl-price"><span data-testid="priceTotal" class="nl-price--total nl-price--total--red">{goods.shown}</span><span class="nl-price--was"><span class="nl-sr">Price reduced from</span> <s>{goods.was_shown}</s></span><span class="nl-price--savings">Save {show(goods.was_cents - goods.cents, goods.country)} (10%)</span></div><div class="nl-rewards">Collect ${goods.cents / 10000:.2f} CT Money</div><div class="nl-qty"><button>-</button><input value="1"><button>+</button></div><button class="nl-primary-button">Add to cart</button></div></main>''',
    )


@page("us", availability="in_stock")
def markup_of_neighbours_only(goods: Goods) -> str:
    """A shop whose JSON-LD lists the carousel, and says of itself only who it is."""
    listed = {
        "@context": "https://schema.org",
        "@type": "ItemList",
        "itemListElement": [
            {
                "@type": "ListItem",
                "position": n,
                "item": {
                    "@type": "Product",
                    "name": name,
                    "offers": {"@type": "Offer", "price": f"{cents / 100:.2f}", "priceCurrency": "USD"},
                },
            }
            for n, (name, cents) in enumerate(goods.others, 1)
        ],
    }
    org = {"@context": "https://schema.org", "@type": "Organization", "name": "Harbour & Sons"}
    return saved(
        goods,
        f"""<main><div class="prod"><div class="prod-gallery"><img alt=""></div><div class="prod-info"><h1 class="prod-name">{goods.name}</h1><div class="prod-amount">{goods.shown}</div><p>Or 3 interest-free payments of {show(goods.cents // 3, goods.country)}</p><form action="/cart/add"><select><option>Small</option><option>Large</option></select><button type="submit">Add to bag</button></form></div></div></main>""",
        head=json_ld(listed) + json_ld(org),
    )


@page("de", availability="in_stock", sku=True)
def gambio_like(goods: Goods) -> str:
    """A German shop program: price, base price, tax and shipping in one definition list, delivery in a line."""
    return saved(
        goods,
        f'''<div class="product-info" itemscope itemtype="http://schema.org/Product"><h1 class="product-info-title-desktop" itemprop="name">{goods.name}</h1><dl class="dl-horizontal"><dt>Lieferzeit:</dt><dd><span class="shipping-time">ca. 3-4 Tage</span></dd><dt>Art.Nr.:</dt><dd itemprop="sku">{goods.sku}</dd></dl><div class="price-container" itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><meta itemprop="price" content="{goods.number}"><link itemprop="availability" href="http://schema.org/InStock"><div class="current-price-container">Statt <span class="productOldPrice">{goods.was_shown}</span><br>Nur {goods.shown}<div class="base-price">{share_of(goods, 30)} pro kg</div></div><p class="tax-shipping-hint">inkl. 19% MwSt. zzgl. <a href="/versand">Versand</a></p></div><button name="btn-add-to-cart" type="submit">In den Warenkorb</button></div>''',
    )


@page("es" if False else "it", sku=True)
def italian_chain(goods: Goods) -> str:
    """Italy: euro before a number in pieces, list price in small print, a monthly rate."""
    whole, cents = digits(goods.cents, goods.country).split(",")
    return saved(
        goods,
        f"""<section class="pdp-right"><h1>{goods.name}</h1><small>Codice: {goods.sku}</small><div class="pdp-price"><div class="price-listino"><span>Prezzo di listino</span> <span class="value">{goods.was_shown}</span></div><div class="price-offerta"><span class="cur">€</span><span class="int">{whole}</span><span class="dec">,{cents}</span></div><p>IVA inclusa</p></div><div class="rate">Da {share_of(goods, 5)} al mese per 20 mesi</div><div class="disp"><i></i>Disponibile</div><button class="btn-cart">Aggiungi al carrello</button></section>""",
    )


@page("us", availability="in_stock", is_priced=True)
def stale_markup(goods: Goods) -> str:
    """Markup with yesterday's price; the page shows a lower one, names the saving, and crosses yesterday's out."""
    return saved(
        goods,
        f"""<main><div class="product"><h1>{goods.name}</h1><div class="prices"><span class="a1">{goods.shown}</span> <span class="a2" style="text-decoration: line-through">{goods.was_shown}</span></div><button>Add to cart</button></div></main>""",
        head=json_ld(product_ld(goods, goods.was_number)),
    )
