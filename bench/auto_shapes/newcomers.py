"""Shops of a third kind, written in one go before the reader was tried on any of them: what stands beside a price."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

import json
from collections.abc import Callable

from bench.auto_shapes.frame import json_ld, og, page, product_ld, related, reviews
from bench.auto_shapes.goods import Goods, digits, number, show

ADD = '<button type="submit" class="btn btn-primary">Add to cart</button>'


def share_of(goods: Goods, part: int) -> str:
    return show(max(goods.cents * part // 100, 100), goods.country)


def in_box(
    goods: Goods, block: str, *, head: str = "", button: str = ADD, after: str = "", lang: str = "en"
) -> str:
    main = (
        f'<main><div class="row"><div class="col media"><img alt="{goods.name}"></div><div class="col info"><h1>{goods.name}</h1>'
        f"{block}{button}</div></div></main>"
    )
    return page(goods, main, head=head, after=after or related(goods, style="plain"), lang=lang)


# -- platforms ----------------------------------------------------------------------------------------------


def dawn(goods: Goods) -> str:
    """Shopify's Dawn: a regular and a sale block both stand in the page, styles show one."""
    block = (
        f'<div class="price price--large price--on-sale price--show-badge"><div class="price__container"><div class="price__regular"><span class="visually-hidden">Regular price</span><span class="price-item price-item--regular">{goods.shown}</span></div>'
        f'<div class="price__sale"><span class="visually-hidden">Regular price</span><span><s class="price-item price-item--regular">{goods.was_shown}</s></span><span class="visually-hidden">Sale price</span><span class="price-item price-item--sale price-item--last">{goods.shown}</span></div>'
        f'<small class="unit-price caption hidden"><span class="visually-hidden">Unit price</span><span class="price-item price-item--last"><span></span><span aria-hidden="true">/</span><span></span></span></small></div><span class="badge price__badge-sale">Sale</span></div>'
        f'<div class="product__tax caption rte">Taxes included. <a href="/policies/shipping-policy">Shipping</a> calculated at checkout.</div>'
    )
    state = json.dumps(
        {
            "product": {
                "id": 1,
                "title": goods.name,
                "variants": [{"id": 11, "price": goods.cents, "compare_at_price": goods.was_cents}],
            }
        }
    )
    return in_box(
        goods,
        block,
        head=og(goods),
        after=f'<script type="application/json" data-product-json>{state}</script>{related(goods, style="shopify")}',
    )


def og_with_commas(goods: Goods) -> str:
    """A theme whose meta tag writes the amount as people do, with a comma between thousands."""
    amount = digits(goods.cents, goods.country)
    head = f'<meta property="og:type" content="product"><meta property="og:title" content="{goods.name}"><meta property="og:price:amount" content="{amount}"><meta property="og:price:currency" content="{goods.country.currency}">'
    return in_box(
        goods,
        f'<div class="product-single__meta"><ul class="product-single__meta-list"><li><span id="ProductPrice" class="product-single__price">{goods.shown}</span></li></ul></div>',
        head=head,
        after=related(goods, style="shopify"),
    )


def magento_as_low_as(goods: Goods) -> str:
    """Magento with a tier that starts the price block, and the price of one below."""
    block = (
        f'<div class="product-info-price"><div class="price-box price-final_price" data-role="priceBox"><span class="special-price"><span class="price-container price-final_price tax weee"><span class="price-label">Special Price</span><span id="product-price-9" data-price-amount="{goods.number}" data-price-type="finalPrice" class="price-wrapper"><span class="price">{goods.shown}</span></span></span></span>'
        f'<span class="old-price"><span class="price-container"><span class="price-label">Regular Price</span><span id="old-price-9" data-price-amount="{goods.was_number}" data-price-type="oldPrice" class="price-wrapper"><span class="price">{goods.was_shown}</span></span></span></span></div></div>'
        f'<ul class="prices-tier items"><li class="item">Buy 3 for <span class="price-container price-tier_price tax weee"><span data-price-amount="1" class="price-wrapper"><span class="price">{share_of(goods, 90)}</span></span></span> each and <strong class="benefit">save <span class="percent tier-0">10</span>%</strong></li></ul>'
    )
    return in_box(
        goods,
        block,
        after=related(goods, style="magento"),
        button='<button type="submit" title="Add to Cart" class="action primary tocart" id="product-addtocart-button"><span>Add to Cart</span></button>',
    )


def stencil(goods: Goods) -> str:
    """BigCommerce: with and without tax, and blocks for prices that are not there."""
    without = share_of(goods, 83)
    block = (
        '<div class="productView-price"><div class="price-section price-section--withTax rrp-price--withTax" style="display: none;">MSRP: <span data-product-rrp-with-tax class="price price--rrp"></span></div>'
        f'<div class="price-section price-section--withTax non-sale-price--withTax">Was: <span data-product-non-sale-price-with-tax class="price price--non-sale">{goods.was_shown}</span></div>'
        f'<div class="price-section price-section--withTax"><span class="price-label"></span><span class="price-now-label" style="display: none;">Now:</span><span data-product-price-with-tax class="price price--withTax">{goods.shown}</span> <abbr title="Including Tax">(Inc. Tax)</abbr></div>'
        f'<div class="price-section price-section--withoutTax"><span data-product-price-without-tax class="price price--withoutTax">{without}</span> <abbr title="Excluding Tax">(Ex. Tax)</abbr></div></div>'
    )
    return in_box(
        goods,
        block,
        button='<input id="form-action-addToCart" class="button button--primary" type="submit" value="Add to Cart">',
    )


def demandware(goods: Goods) -> str:
    """Salesforce Commerce: the words for the ears stand between the amounts."""
    block = (
        f'<div class="prices"><div class="price"><span><del><span class="strike-through list"><span class="value" content="{goods.was_number}"><span class="sr-only">Price reduced from</span> {goods.was_shown} <span class="sr-only">to</span></span></span></del>'
        f'<span class="sales"><span class="value" content="{goods.number}">{goods.shown}</span></span></span></div></div><div class="promotions"><div class="callout">Extra 20% off orders over {show(15000, goods.country)}</div></div>'
    )
    return in_box(
        goods, block, button='<button class="add-to-cart btn btn-primary" data-pid="9">Add to Cart</button>'
    )


def presta17(goods: Goods) -> str:
    """PrestaShop 1.7 with a discount, a unit price and the words about tax."""
    block = (
        f'<div class="product-prices"><div class="product-discount"><span class="regular-price">{goods.was_shown}</span></div><div class="product-price h5 has-discount"><div class="current-price"><span class="current-price-value" content="{goods.number}">{goods.shown}</span><span class="discount discount-amount">Save {show(goods.was_cents - goods.cents, goods.country)}</span></div><p class="product-unit-price sub">({share_of(goods, 40)} per kg)</p></div>'
        '<div class="tax-shipping-delivery-label">Tax included <span class="delivery-information">Delivery: 2 to 3 days</span></div></div>'
    )
    return in_box(
        goods,
        block,
        head=og(goods, "product"),
        button='<button class="btn btn-primary add-to-cart" data-button-action="add-to-cart" type="submit"><i>&#xE547;</i> Add to cart</button>',
    )


def zen_cart(goods: Goods) -> str:
    """An old cart program: a heading of prices below a heading of the name."""
    main = (
        f'<div class="centerColumn" id="productGeneral"><form name="cart_quantity" action="/add"><h1 id="productName" class="productGeneral">{goods.name}</h1>'
        f'<h2 id="productPrices" class="productGeneral"><span class="normalprice">{goods.was_shown} </span>&nbsp;<span class="productSpecialPrice">{goods.shown}</span><span class="productPriceDiscount"><br>Save:&nbsp;12% off</span></h2>'
        f'<div id="productDescription">A thing for the house. Others pay {share_of(goods, 130)} for it.</div><ul id="productDetailsList"><li>Model: {goods.sku}</li><li>37 Units in Stock</li></ul><div id="cartAdd">Add to Cart: <input type="text" name="cart_quantity" value="1"><input type="image" src="b.gif" alt="Add to Cart"></div></form></div>'
    )
    return page(goods, main, after=related(goods, style="plain"))


def os_commerce(goods: Goods) -> str:
    """Older still: the price is a heading to the right of the name."""
    main = (
        f'<form name="cart_quantity" action="/add"><table border="0" width="100%"><tr><td><table width="100%"><tr><td class="pageHeading" valign="top"><h1>{goods.name}</h1><span class="smallText">[{goods.sku}]</span></td><td class="pageHeading" align="right" valign="top"><s>{goods.was_shown}</s> <span class="productSpecialPrice">{goods.shown}</span></td></tr></table></td></tr>'
        '<tr><td class="main"><p>A thing for the house.</p></td></tr><tr><td><input type="image" src="b.gif" alt="Add to Cart" title=" Add to Cart "></td></tr></table></form>'
    )
    return page(goods, main, after=related(goods, style="plain"))


def volusion(goods: Goods) -> str:
    """A hosted cart: labels in one table, the sign outside of the element with the digits."""
    saved = show(goods.was_cents - goods.cents, goods.country)
    block = (
        f'<table><tr><td><div class="product_productprice"><font class="text colors_text"><b>List Price:</b></font> {goods.was_shown}</div><div class="product_saleprice"><font class="pricecolor colors_productprice"><b>Sale Price: {goods.country.before}<span itemprop="price" content="{goods.number}">{digits(goods.cents, goods.country)}</span>{goods.country.after}</b></font></div>'
        f'<div class="product_yousave"><b>You Save {saved}!</b></div></td></tr></table>'
    )
    return in_box(
        goods, block, button='<input type="image" name="btnaddtocart" alt="Add to cart" src="a.gif">'
    )


def nop(goods: Goods) -> str:
    """nopCommerce: named blocks and hidden fields."""
    block = (
        f'<div class="prices"><div class="old-product-price"><span>Old price:</span> <span>{goods.was_shown}</span></div><div class="product-price"><span>Price:</span> <span id="price-value-21" class="price-value-21">{goods.shown}</span></div></div>'
        '<div class="add-to-cart"><div class="add-to-cart-panel"><label class="qty-label">Qty:</label><input class="qty-input" type="text" value="1"><button type="button" id="add-to-cart-button-21" class="button-1 add-to-cart-button">Add to cart</button></div></div>'
    )
    return in_box(goods, block, button="")


def wix(goods: Goods) -> str:
    """Hashed names, hooks for tests, and a price for the ears."""
    block = f'<div class="sJ1Hsl" data-hook="product-prices-wrapper"><div class="_2sJ87" data-hook="product-price"><span data-hook="sr-formatted-price-before-discount" class="_1vMIS">Regular Price</span><span class="_2Q-rm" data-hook="formatted-secondary-price">{goods.was_shown}</span><span data-hook="sr-formatted-primary-price" class="_1vMIS">Sale Price</span><span class="_2sQE1" data-hook="formatted-primary-price" data-wix-price="{goods.shown}">{goods.shown}</span></div></div>'
    return in_box(
        goods,
        block,
        button='<button data-hook="add-to-cart" class="buttonnext123" aria-disabled="false"><span>Add to Cart</span></button>',
    )


def ecwid(goods: Goods) -> str:
    """A cart put into another site, with what is saved beside the price."""
    block = (
        f'<div class="product-details__product-price ec-price-item"><span class="details-product-price__value ec-price-item notranslate">{goods.shown}</span></div><div class="product-details__product-price-compare"><div class="details-product-price-compare__container">Compare at: <s class="details-product-price-compare__value">{goods.was_shown}</s></div><div class="details-product-price-compare__container">You save: <span class="details-product-price-compare__value">{show(goods.was_cents - goods.cents, goods.country)} (8%)</span></div></div>'
        '<div class="product-details__product-in-stock">In stock</div>'
    )
    return in_box(
        goods,
        block,
        button='<button type="button" class="form-control__button"><span>Add to Bag</span></button>',
    )


# -- giants -------------------------------------------------------------------------------------------------


def everything_store(goods: Goods) -> str:
    """The largest of all: offscreen amounts, pieces, used copies, subscriptions, sponsored rows before the footer."""
    whole, _, cents = digits(goods.cents, goods.country).partition(goods.country.point)
    twister = "".join(
        f'<li class="swatch"><button><p>{size}</p><p class="twisterSwatchPrice">{share_of(goods, part)}</p></button></li>'
        for size, part in (("Small", 80), ("Large", 120), ("XL", 150))
    )
    carousel = "".join(
        f'<li class="a-carousel-card"><a href="/dp/{n}"><div>{name}</div><span class="a-price"><span class="a-offscreen">{show(amount, goods.country)}</span><span aria-hidden="true">{show(amount, goods.country)}</span></span></a></li>'
        for n, (name, amount) in enumerate(goods.others)
    )
    main = (
        f'<div id="dp-container"><div id="centerCol"><h1 id="title"><span id="productTitle">{goods.name}</span></h1><div id="averageCustomerReviews"><span>4.6 out of 5</span></div><div id="corePriceDisplay_desktop_feature_div"><div class="a-section"><span class="savingsPercentage">-15%</span><span class="a-price priceToPay"><span class="a-offscreen">{goods.shown}</span><span aria-hidden="true"><span class="a-price-symbol">{goods.country.before}</span><span class="a-price-whole">{whole}<span class="a-price-decimal">{goods.country.point if cents else ""}</span></span><span class="a-price-fraction">{cents}</span>{goods.country.after}</span></span></div>'
        f'<div class="a-section"><span class="a-size-small basisPrice">List Price: <span class="a-price a-text-price" data-a-strike="true"><span class="a-offscreen">{goods.was_shown}</span><span aria-hidden="true">{goods.was_shown}</span></span></span></div></div><div id="twister"><ul>{twister}</ul></div><div id="feature-bullets"><ul><li>Made of {show(100, goods.country)}-coin steel</li></ul></div></div>'
        f'<div id="rightCol"><div id="buybox"><div id="snsAccordionRowMiddle">Subscribe &amp; Save: <span class="a-price"><span class="a-offscreen">{share_of(goods, 95)}</span></span></div><div id="deliveryBlock">FREE delivery on orders over {show(3500, goods.country)}</div><input id="add-to-cart-button" type="submit" value="Add to Cart"><div id="usedAccordionRow">Save with Used - Good <span class="a-price"><span class="a-offscreen">{share_of(goods, 70)}</span></span></div><div>New (12) from <span class="a-price"><span class="a-offscreen">{share_of(goods, 92)}</span></span> &amp; FREE Shipping</div></div></div></div>'
    )
    return page(
        goods,
        main,
        after=f'<div class="a-carousel-container"><h2>Products related to this item</h2><ol>{carousel}</ol></div>',
    )


def auction_house(goods: Goods) -> str:
    """Each, approximately, with postage and an offer to make an offer."""
    block = (
        f'<div class="x-price-section"><div class="x-price-primary" data-testid="x-price-primary"><span class="ux-textspans">{goods.shown}/ea</span></div><div class="x-price-approx"><span class="ux-textspans">Approximately</span> <span class="ux-textspans">MXN $9,123.45</span></div>'
        f'<div class="x-additional-info"><span class="ux-textspans">Was </span><span class="ux-textspans ux-textspans--STRIKETHROUGH">{goods.was_shown}</span> (11% off)</div><span>or Best Offer</span></div><div class="ux-labels-values"><span>Shipping:</span><span>{show(595, goods.country)} Standard Shipping</span></div>'
    )
    return in_box(
        goods,
        block,
        button='<a href="/buy" class="ux-call-to-action fake-btn"><span>Buy It Now</span></a><a href="/add" class="fake-btn">Add to cart</a>',
        after=related(goods, style="obfuscated"),
    )


def supermarket(goods: Goods) -> str:
    """A superstore: now, was, per ounce, and shipping in one breath."""
    block = f'<div data-testid="price-wrap"><span itemprop="price" aria-hidden="false">Now {goods.shown}</span><span class="mr2 f6 gray strike" aria-hidden="true">{goods.was_shown}</span><span class="sr">Was {goods.was_shown}</span><div class="f7 gray">{share_of(goods, 6)}/oz</div><div>You save <span>{show(goods.was_cents - goods.cents, goods.country)}</span></div></div><div>+ {show(200, goods.country)} shipping</div><div>Price when purchased online</div>'
    return in_box(goods, block)


def big_box(goods: Goods) -> str:
    """An electronics chain: the price for ears and eyes, monthly, protection, open box, trade-in."""
    block = (
        f'<div class="pricing-price"><div class="priceView-hero-price priceView-customer-price"><span aria-hidden="true">{goods.shown}</span><span class="sr-only">Your price for this item is {goods.shown}</span></div><div class="financing">or <b>{share_of(goods, 8)}/mo.</b>* suggested payments with 12-month financing</div></div>'
        f'<div class="protection"><label><input type="checkbox"> 2-Year Protection {show(6999, goods.country)}</label></div><div class="open-box">Open-Box: from <strong>{share_of(goods, 79)}</strong></div><div class="trade">Trade in and save up to {show(25000, goods.country)}</div>'
    )
    return in_box(
        goods,
        block,
        button='<button class="c-button add-to-cart-button" data-button-state="ADD_TO_CART">Add to Cart</button>',
    )


def flat_packs(goods: Goods) -> str:
    """Furniture in boxes: the integer, its decimals, and the price of the day before."""
    whole, _, cents = digits(goods.cents, goods.country).partition(goods.country.point)
    tail = (
        f'<span class="pip-price__decimal"><span class="pip-price__separator">{goods.country.point}</span>{cents}</span>'
        if cents
        else ""
    )
    block = (
        f'<div class="pip-price-package"><div class="pip-price-package__main-price"><span class="pip-price"><span aria-hidden="true"><span class="pip-price__currency">{goods.country.before}</span><span class="pip-price__integer">{whole}</span>{tail}<span>{goods.country.after}</span></span><span class="pip-price__sr-text">Price {goods.shown}</span></span></div>'
        f'<div class="pip-price-package__previous">Previous price: <s>{goods.was_shown}</s></div></div><p>Assembly from {show(3900, goods.country)}</p>'
    )
    return in_box(
        goods, block, button='<button class="pip-btn pip-btn--emphasised"><span>Add to bag</span></button>'
    )


def split_digits(goods: Goods) -> str:
    """A marketplace that gives every piece of the amount an element of its own."""
    pieces = "".join(f'<span class="p_{n}">{sign}</span>' for n, sign in enumerate(goods.shown))
    return in_box(
        goods,
        f'<div class="price--current--x1"><div class="price--currentPriceText">{pieces}</div></div><div class="price--original"><span class="price--originalText">{goods.was_shown}</span><span class="price--discount">12% off</span></div>',
        button="<button>Buy now</button><button>Add to cart</button>",
        after=related(goods, style="obfuscated"),
    )


# -- habits of countries ------------------------------------------------------------------------------------


def lowest_of_thirty_days(goods: Goods) -> str:
    """What European law asks for beside a reduction: the lowest price of the last thirty days."""
    lowest = share_of(goods, 97)
    words = (
        "Niedrigster Preis der letzten 30 Tage:",
        "Prix le plus bas des 30 derniers jours :",
        "Najniższa cena z 30 dni przed obniżką:",
        "Lowest price in the last 30 days:",
        "Lägsta pris senaste 30 dagarna:",
        "Prezzo più basso degli ultimi 30 giorni:",
    )
    said = words[goods.cents % len(words)]
    block = f'<div class="pdp-price"><p class="pdp-price__now">{goods.shown}</p><p class="pdp-price__was"><s>{goods.was_shown}</s></p><p class="pdp-price__omnibus">{said} {lowest}</p></div>'
    return in_box(goods, block)


def lowest_of_thirty_days_first(goods: Goods) -> str:
    """The same, without names, and the lowest first."""
    lowest = share_of(goods, 97)
    return in_box(
        goods,
        f"<div><div>30-Tage-Bestpreis: {lowest}</div><div>UVP: {goods.was_shown}</div><div><b>{goods.shown}</b></div><div>inkl. MwSt., zzgl. Versand</div></div>",
        lang="de",
        button="<button>In den Warenkorb</button>",
    )


def german_fine_print(goods: Goods) -> str:
    """Everything German law and habit put around a price."""
    block = f'<div class="price-area"><div class="uvp">UVP <span>{goods.was_shown}</span> ¹</div><div class="price-main">{goods.shown}<sup>*</sup></div><div class="save">Sie sparen {show(goods.was_cents - goods.cents, goods.country)} (12 %)</div><div class="base">Grundpreis: {share_of(goods, 25)} / 100 ml</div><div class="tax">inkl. 19 % MwSt., zzgl. <a href="/v">Versandkosten</a> {show(490, goods.country)}</div><div class="rate">oder ab {share_of(goods, 9)} mtl. <a href="/f">Finanzierung</a></div></div>'
    return in_box(goods, block, lang="de", button='<button type="submit">In den Warenkorb</button>')


def french_contributions(goods: Goods) -> str:
    """A French chain: the eco part, three times, and the price of reference."""
    block = f'<div class="bloc-prix"><p class="prix-reference">Prix de référence : {goods.was_shown}</p><p class="prix"><strong>{goods.shown}</strong></p><p class="eco">Dont {show(12, goods.country)} d\'éco-participation</p><p class="paiement">ou payez en 3x {share_of(goods, 34)}</p><p class="livraison">Livraison à domicile : {show(599, goods.country)}</p></div>'
    return in_box(goods, block, lang="fr", button="<button>Ajouter au panier</button>")


def colon_dash(goods: Goods) -> str:
    """Whole crowns with a colon and a dash."""
    whole = digits(goods.cents, goods.country).partition(goods.country.point)[0]
    was = digits(goods.was_cents, goods.country).partition(goods.country.point)[0]
    return in_box(
        goods,
        f'<div class="product-price-container"><span class="product-price">{whole}:-</span> <span class="compare">Ord. pris {was}:-</span></div><p>Fri frakt över 499:-</p>',
        lang="sv",
        button="<button>Lägg i varukorgen</button>",
    )


def tax_twice(goods: Goods) -> str:
    """A trade shop: the price without tax as large as the one with it."""
    return in_box(
        goods,
        f'<div class="vat-prices"><p class="exvat"><span class="amount">{share_of(goods, 83)}</span> <small>ex VAT</small></p><p class="incvat"><span class="amount">{goods.shown}</span> <small>inc VAT</small></p></div>',
        head=json_ld(product_ld(goods)),
    )


def yen_with_tax(goods: Goods) -> str:
    """Brackets about tax, points, and the price before tax."""
    before = show(goods.cents * 10 // 11, goods.country)
    return in_box(
        goods,
        f'<div class="item-price"><p class="price">{goods.shown}<span>（税込）</span></p><p class="notax">税抜 {before}</p><p class="point">{goods.cents // 10000}ポイント獲得</p><p>送料 {show(55000, goods.country)}</p></div>',
        lang="ja",
        button='<button type="button">カートに入れる</button>',
    )


def comma_dash(goods: Goods) -> str:
    """Whole amounts with a comma and a dash."""
    whole = digits(goods.cents, goods.country).partition(goods.country.point)[0]
    return in_box(
        goods,
        f'<div class="prijs"><span class="prijs-nu">{goods.country.before}{whole},-</span></div><p>Voor 23:59 besteld, morgen in huis</p>',
        lang="nl",
        button="<button>In winkelwagen</button>",
    )


# -- what trades put beside a price -------------------------------------------------------------------------


def book_formats(goods: Goods) -> str:
    """A book shop: every binding has its price, one is chosen."""
    kinds = "".join(
        f'<li class="format{" selected" if name == "Paperback" else ""}"><a href="/b/{name}"><span class="format-name">{name}</span> <span class="format-price">{amount}</span></a></li>'
        for name, amount in (
            ("Hardcover", share_of(goods, 150)),
            ("Paperback", goods.shown),
            ("eBook", share_of(goods, 60)),
            ("Audiobook", share_of(goods, 80)),
        )
    )
    return in_box(
        goods,
        f'<p class="by">by A. Writer</p><ul class="formats">{kinds}</ul><div class="current-format"><span class="format-label">Paperback</span><span class="current-price">{goods.shown}</span></div>',
        head=json_ld(product_ld(goods) | {"@type": ["Product", "Book"]}),
    )


def core_charge(goods: Goods) -> str:
    """Car parts: a deposit on the old part, and the sum."""
    core = 2500
    return in_box(
        goods,
        f'<div class="part-price"><div class="row"><span>Price</span><span class="amt">{goods.shown}</span></div><div class="row"><span>Core charge</span><span class="amt">{show(core, goods.country)}</span></div><div class="row"><span>Total</span><span class="amt">{show(goods.cents + core, goods.country)}</span></div></div>',
    )


def by_the_case(goods: Goods) -> str:
    """Wine: a bottle, a case, six mixed."""
    return in_box(
        goods,
        f'<div class="wine-price"><div class="bottle"><span class="label">Bottle</span> <span class="price">{goods.shown}</span></div><div class="case"><span class="label">Case of 12</span> <span class="price">{show(goods.cents * 12, goods.country)}</span></div><div class="mix">Mix 6 for {share_of(goods, 90)} each</div></div>',
        head=json_ld(product_ld(goods)),
    )


def once_or_often(goods: Goods) -> str:
    """Two ways to buy: once, or again and again for less."""
    block = f'<fieldset class="purchase-options"><label class="opt"><input type="radio" name="p" checked> One-time purchase <span class="opt-price">{goods.shown}</span></label><label class="opt"><input type="radio" name="p"> Subscribe &amp; save 10% <span class="opt-price">{share_of(goods, 90)}</span></label></fieldset>'
    return in_box(
        goods,
        f'<div class="price-line"><span class="money">{goods.shown}</span></div>{block}',
        head=og(goods),
    )


def bought_together(goods: Goods) -> str:
    """Frequently bought together, right under the price, with a sum."""
    total = show(goods.cents + 5998, goods.country)
    return in_box(
        goods,
        f'<div class="main-price">{goods.shown}</div>',
        after=f'<div class="fbt"><h3>Frequently bought together</h3><div>This item {goods.shown} + Cable {show(1999, goods.country)} + Case {show(3999, goods.country)}</div><div class="fbt-total">Total price: <b>{total}</b></div><button>Add all 3 to cart</button></div>{related(goods)}',
    )


def sticky_copies(goods: Goods) -> str:
    """The price three times over: for phones, for desks, and in a bar that follows."""
    return in_box(
        goods,
        f'<div class="mobile-only"><span class="prc">{goods.shown}</span></div><div class="desktop-only"><span class="prc">{goods.shown}</span></div><p class="ship-hint">Spend {show(5000, goods.country)} more for free shipping</p>',
        after=f'<div class="sticky-bar"><span>{goods.name}</span><span class="prc">{goods.shown}</span><button>Add to cart</button></div>{related(goods, style="obfuscated")}{reviews(goods)}',
    )


def bid_or_buy(goods: Goods) -> str:
    """An auction with a price at which it ends at once."""
    return in_box(
        goods,
        f'<div class="bidbox"><div>Current bid: <span class="bid">{share_of(goods, 35)}</span> [7 bids]</div><button>Place bid</button></div><div class="binbox"><div>Buy It Now price: <span class="bin">{goods.shown}</span></div></div>',
        button="<button>Buy It Now</button>",
        head=json_ld(product_ld(goods)),
    )


def four_payments(goods: Goods) -> str:
    """Pay later, by two providers, before and after the price."""
    return in_box(
        goods,
        f'<div class="klarna">Pay in 4 interest-free payments of {share_of(goods, 25)}</div><div class="the-price"><span>{goods.shown}</span></div><div class="afterpay">or 4 fortnightly payments of <strong>{share_of(goods, 25)}</strong> with Afterpay. More info</div>',
    )


def price_in_heading(goods: Goods) -> str:
    """A small maker: the amount is the second heading."""
    return page(
        goods,
        f'<div id="wrap"><h1>{goods.name}</h1><h3>{goods.shown}</h3><p>Hand made. Gift wrapping {show(400, goods.country)}.</p><form action="/cart"><input type="submit" value="Add to Cart"></form></div>',
        after=related(goods, style="plain"),
    )


def currency_switch(goods: Goods) -> str:
    """The same amount in four currencies, three of them hidden."""
    other = "".join(
        f'<span class="cur cur-{code}" style="display:none">{sign}{goods.cents * factor // 10000}.00</span>'
        for code, sign, factor in (("chf", "CHF ", 90), ("gbp", "GBP ", 79), ("nok", "NOK ", 1070))
    )
    return in_box(
        goods,
        f'<select class="currency-picker"><option>{goods.country.currency}</option><option>CHF</option><option>GBP</option></select><div class="amounts"><span class="cur cur-main">{goods.shown}</span>{other}</div>',
    )


# -- markup as it really is ---------------------------------------------------------------------------------


def zero_in_markup(goods: Goods) -> str:
    """Markup whose price is a placeholder, and a page that shows the real one."""
    return in_box(
        goods,
        f'<div class="price-box"><span class="price">{goods.shown}</span></div>',
        head=json_ld(product_ld(goods, "0.00")),
    )


def neighbours_in_markup(goods: Goods) -> str:
    """Products of a carousel stated like the page's own."""
    others = "".join(
        json_ld(
            {
                "@context": "https://schema.org",
                "@type": "Product",
                "name": name,
                "offers": {
                    "@type": "Offer",
                    "price": number(amount, goods.country),
                    "priceCurrency": goods.country.currency,
                },
            }
        )
        for name, amount in goods.others
    )
    return in_box(
        goods,
        f'<div class="buy"><span class="p-now">{goods.shown}</span></div>',
        head=others + json_ld(product_ld(goods)),
    )


def markup_in_comment(goods: Goods) -> str:
    """JSON-LD wrapped in what old editors wrap scripts in."""
    inner = json.dumps(product_ld(goods))
    return in_box(
        goods,
        '<div class="spacer"></div>',
        head=f'<script type="application/ld+json">\n//<![CDATA[\n{inner}\n//]]>\n</script>',
    )


def sign_in_markup(goods: Goods) -> str:
    """A price in markup as people write it, sign and all."""
    return in_box(
        goods,
        f'<div class="prc-wrap"><em>{goods.shown}</em></div>',
        head=json_ld(product_ld(goods, goods.shown)),
    )


def markup_before_tax(goods: Goods) -> str:
    """Markup without tax, a page with it."""
    return in_box(
        goods,
        f'<div class="price"><span class="price-incl">{goods.shown}</span> <span class="vat">incl. VAT</span></div>',
        head=json_ld(product_ld(goods, f"{goods.cents / 120:.4f}")),
    )


def stale_sale_markup(goods: Goods) -> str:
    """Markup that still states the regular price; the page crosses it out and names the saving."""
    return in_box(
        goods,
        f'<div class="price-wrapper"><del>{goods.was_shown}</del> <ins>{goods.shown}</ins> <span class="flag">You save {show(goods.was_cents - goods.cents, goods.country)}</span></div>',
        head=json_ld(product_ld(goods, goods.was_number)),
    )


def attribute_only(goods: Goods) -> str:
    """A price that scripts will write, present as an attribute and in the page's state."""
    state = json.dumps(
        {
            "pageType": "product",
            "product": {
                "name": goods.name,
                "sku": goods.sku,
                "price": float(goods.number),
                "currency": goods.country.currency,
            },
        }
    )
    return in_box(
        goods,
        f'<div class="price" data-price="{goods.number}"></div>',
        head=f"<script>window.dataLayer=[{state}];</script>",
    )


# -- what must be refused -----------------------------------------------------------------------------------


def member_only(goods: Goods) -> str:
    """A price for those who are logged in."""
    return in_box(
        goods,
        '<div class="price-gate"><a href="/login">Log in to see prices</a></div>',
        button="<a href='/login'>Log in to buy</a>",
    )


def gift_card(goods: Goods) -> str:
    """A card of any value: many amounts, none is the price."""
    values = "".join(
        f'<label><input type="radio" name="v"> {show(value, goods.country)}</label>'
        for value in (2500, 5000, 7500, 10000)
    )
    return in_box(goods, f'<div class="values">Choose a value: {values}</div>')


def split_range(goods: Goods) -> str:
    """A range in pieces."""
    return in_box(
        goods,
        f'<div class="product-price"><span class="low">{share_of(goods, 60)}</span> <span class="sep">-</span> <span class="high">{goods.shown}</span></div><select><option>Choose a size</option></select>',
    )


def starting_at(goods: Goods) -> str:
    """The least of several, said before it."""
    return in_box(
        goods,
        f'<div class="cfg-price"><span class="lbl">Starting at</span> <span class="val">{goods.shown}</span></div><a class="btn" href="/configure">Configure</a>',
        button="",
    )


def ask_us(goods: Goods) -> str:
    """No price, but the deposit, the shipping and other products have one."""
    return in_box(
        goods,
        f'<div class="price">Price on request</div><p>Deposit {show(5000, goods.country)}, shipping from {show(1990, goods.country)}</p>',
        button="<button>Request a quote</button>",
    )


NEWCOMERS: tuple[Callable[[Goods], str], ...] = (
    *(
        dawn,
        og_with_commas,
        magento_as_low_as,
        stencil,
        demandware,
        presta17,
        zen_cart,
        os_commerce,
        volusion,
        nop,
        wix,
        ecwid,
    ),
    *(everything_store, auction_house, supermarket, big_box, flat_packs, split_digits, lowest_of_thirty_days),
    *(
        book_formats,
        core_charge,
        by_the_case,
        once_or_often,
        bought_together,
        sticky_copies,
        bid_or_buy,
        four_payments,
    ),
    *(
        price_in_heading,
        currency_switch,
        zero_in_markup,
        neighbours_in_markup,
        markup_in_comment,
        sign_in_markup,
    ),
    *(markup_before_tax, stale_sale_markup, attribute_only, tax_twice),
)
LOCAL_NEWCOMERS: tuple[tuple[str, tuple[Callable[[Goods], str], ...]], ...] = (
    ("de", (german_fine_print, lowest_of_thirty_days_first)),
    ("fr", (french_contributions,)),
    ("se", (colon_dash,)),
    ("nl", (comma_dash,)),
    ("jp", (yen_with_tax,)),
)
REFUSED_NEWCOMERS: tuple[Callable[[Goods], str], ...] = (
    member_only,
    gift_card,
    split_range,
    starting_at,
    ask_us,
)
