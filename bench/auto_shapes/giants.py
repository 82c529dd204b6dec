"""Shapes as large retailers build them themselves: few markups, many amounts, prices in pieces."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

import json

from bench.auto_shapes.frame import json_ld, page, product_ld, related, reviews
from bench.auto_shapes.goods import Goods, digits, show


def bookseller(goods: Goods, *, sale: bool, markup: bool) -> str:
    """The river-sized department store: no markup, several boxes, swatches, used offers, sponsored rows."""
    listed = (
        f'<tr><td class="a-color-secondary a-size-base a-text-right a-nowrap">List Price:</td><td class="a-span12 a-color-secondary a-size-base"><span class="priceBlockStrikePriceString a-text-strike"> {goods.was_shown}</span></td></tr>'
        if sale
        else ""
    )
    saved = (
        f'<tr id="regularprice_savings"><td>You Save:</td><td class="a-span12 a-color-price a-size-base priceBlockSavingsString">{show(goods.was_cents - goods.cents, goods.country)} (9%)</td></tr>'
        if sale
        else ""
    )
    swatches = "".join(
        f'<li class="swatchElement unselected"><span class="a-list-item"><span class="a-button a-button-toggle"><a href="/dp/{i}" class="a-button-text"><span>{fmt}</span><br><span class="a-color-base"><span class="a-size-base a-color-secondary"> {show(goods.others[i][1], goods.country)} </span></span></a></span></span></li>'
        for i, fmt in enumerate(("Kindle", "Audio"))
    )
    cards = "".join(
        f'<li class="a-carousel-card"><div class="p13n-asin"><a class="a-link-normal" href="/dp/B0{i}"><div class="p13n-sc-truncate">{name}</div></a><a class="a-link-normal a-text-normal" href="/dp/B0{i}"><span class="a-size-base a-color-price"><span class="p13n-sc-price">{show(cents, goods.country)}</span></span></a></div></li>'
        for i, (name, cents) in enumerate(goods.others)
    )
    main = (
        f'<div id="dp" class="a-container"><div id="ppd"><div id="centerCol" class="centerColAlign"><div id="title_feature_div"><div id="titleSection"><h1 id="title" class="a-size-large a-spacing-none"><span id="productTitle" class="a-size-large"> {goods.name} </span></h1></div></div>'
        f'<div id="averageCustomerReviews"><span class="a-icon-alt">4.6 out of 5 stars</span><span id="acrCustomerReviewText">1,204 ratings</span></div><div id="tmmSwatches"><ul>{swatches}</ul></div>'
        f'<div id="price" class="a-section a-spacing-small"><table class="a-lineitem">{listed}<tr id="priceblock_ourprice_row"><td id="priceblock_ourprice_lbl" class="a-color-secondary">Price:</td><td class="a-span12"><span id="priceblock_ourprice" class="a-size-medium a-color-price priceBlockBuyingPriceString">{goods.shown}</span> <span class="a-size-small a-color-price">({show(max(goods.cents // 12, 10), goods.country)} / Ounce)</span></td></tr>{saved}</table></div>'
        f'<div id="olp_feature_div"><span class="olp-padding-right"><a href="/offers">New (12) from <span class="a-color-price">{show(goods.cents - 300, goods.country)}</span></a></span></div></div>'
        f'<div id="rightCol"><div id="buybox"><div id="price_inside_buybox" class="a-size-medium a-color-price">{goods.shown}</div><div id="availability"><span class="a-size-medium a-color-success">In Stock.</span></div><form id="addToCart"><input type="hidden" id="ASIN" name="ASIN" value="B000000001">'
        '<span class="a-button"><input id="add-to-cart-button" name="submit.add-to-cart" title="Add to Shopping Cart" type="button" value="Add to Cart"></span><input id="buy-now-button" type="button" value="Buy Now"></form></div></div></div>'
        f'<div id="sims-fbt"><h2>Frequently bought together</h2><span id="fbt_price">Total price: <span class="a-color-price p13n-sc-price">{show(goods.cents + goods.others[0][1], goods.country)}</span></span></div><div class="a-carousel-container"><h2>Products related to this item</h2><ol class="a-carousel">{cards}</ol></div></div>'
    )
    return page(goods, main, body_class="a-aui_72554-c a-m-us")


def bookseller_new(goods: Goods, *, sale: bool, markup: bool) -> str:
    """The same store later: the amount once for ears, once in pieces for eyes."""
    whole, _, cents = digits(goods.cents, goods.country).partition(goods.country.point)
    basis = (
        f'<span class="a-size-small a-color-secondary basisPrice">List Price: <span class="a-price a-text-price" data-a-strike="true"><span class="a-offscreen">{goods.was_shown}</span><span aria-hidden="true">{goods.was_shown}</span></span></span>'
        if sale
        else ""
    )
    fraction = f'<span class="a-price-fraction">{cents}</span>' if cents else ""
    point = f'<span class="a-price-decimal">{goods.country.point}</span>' if cents else ""
    pieces = f'<span class="a-price-symbol">{goods.country.before}</span><span class="a-price-whole">{whole}{point}</span>{fraction}<span class="a-price-symbol">{goods.country.after}</span>'
    cards = "".join(
        f'<li class="a-carousel-card"><a class="a-link-normal" href="/dp/B0{i}"><span>{name}</span></a><span class="a-price"><span class="a-offscreen">{show(c, goods.country)}</span></span></li>'
        for i, (name, c) in enumerate(goods.others)
    )
    main = (
        f'<div id="dp"><div id="ppd"><div id="centerCol"><h1 id="title"><span id="productTitle">{goods.name}</span></h1><div id="corePriceDisplay_desktop_feature_div" class="celwidget"><div class="a-section"><span class="a-price aok-align-center reinventPricePriceToPayMargin priceToPay"><span class="a-offscreen">{goods.shown}</span><span aria-hidden="true">{pieces}</span></span></div><div class="a-section">{basis}</div></div></div>'
        f'<div id="rightCol"><div id="corePrice_feature_div"><span class="a-price"><span class="a-offscreen">{goods.shown}</span></span></div><div id="deliveryBlockMessage">{show(599, goods.country)} delivery Friday. <span class="a-price">{show(599, goods.country)}</span></div><div id="availability"><span>Only 3 left in stock.</span></div><input id="add-to-cart-button" type="submit" value="Add to Cart"></div></div>'
        f'<div id="similarities_feature_div"><ol class="a-carousel">{cards}</ol></div></div>'
    )
    return page(goods, main)


def auction(goods: Goods, *, sale: bool, markup: bool) -> str:
    """The auction house: microdata on the price, an approximate conversion, shipping beside it."""
    was = (
        f'<div id="w1-6-_lbl">Was:</div><div><span id="orgPrc" style="text-decoration:line-through">{goods.was_shown}</span></div><div id="youSaveSTP">Save {show(goods.was_cents - goods.cents, goods.country)} (8% off)</div>'
        if sale
        else ""
    )
    main = (
        f'<div id="CenterPanel" itemscope itemtype="https://schema.org/Product"><h1 class="it-ttl" itemprop="name" id="itemTitle"><span class="g-hdn">Details about  </span>{goods.name}</h1><div id="mainContent"><form name="viactiondetails"><div class="u-flL condText" id="vi-itm-cond">New</div>{was}'
        f'<div class="u-flL w29 vi-price" itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span class="notranslate" id="prcIsum" itemprop="price" content="{goods.number}">{goods.shown}</span><meta itemprop="priceCurrency" content="{goods.country.currency}"><link itemprop="availability" href="https://schema.org/InStock"></div>'
        f'<div id="prcIsumConv">Approximately <span id="convbinPrice">£{goods.cents // 130}.10</span></div><a id="binBtn_btn" class="btn btn-prim" href="/buy">Buy It Now</a><a id="isCartBtn_btn" class="btn" href="/add">Add to cart</a>'
        f'<div id="shippingSummary"><span id="fshippingCost">{show(1250, goods.country)}</span> Standard Shipping</div></form></div></div><div id="merch">{related(goods, style="plain", heading="Similar sponsored items")}</div>'
    )
    return page(goods, main)


def big_box(goods: Goods, *, sale: bool, markup: bool) -> str:
    """The supermarket: state in a script, the price in pieces with a hidden whole."""
    whole, _, cents = digits(goods.cents, goods.country).partition(goods.country.point)
    state = {
        "props": {
            "pageProps": {
                "product": {
                    "name": goods.name,
                    "priceInfo": {
                        "currentPrice": {"price": float(goods.number), "currencyUnit": goods.country.currency}
                    },
                }
            }
        }
    }
    was = (
        f'<span class="price display-inline-block price--strikethrough"><span class="visuallyhidden">Was {goods.was_shown}</span></span>'
        if sale
        else ""
    )
    tail = (
        f'<span class="price-mark">{goods.country.point}</span><span class="price-mantissa">{cents}</span>'
        if cents
        else ""
    )
    main = (
        f'<div class="product-atf"><div class="hf-BotRow"><h1 class="prod-ProductTitle" content="{goods.name}">{goods.name}</h1><div class="prod-PriceSection"><div class="prod-PriceHero"><span class="price display-inline-block arrange-fit price"><span class="visuallyhidden">{goods.shown}</span><span aria-hidden="true" class="price-group" role="text" aria-label="{goods.shown}"><span class="price-currency">{goods.country.before}</span><span class="price-characteristic">{whole}</span>{tail}<span>{goods.country.after}</span></span></span>{was}</div></div>'
        f'<div class="prod-fulfillment"><p>Free pickup, or shipping {show(599, goods.country)}</p></div><button class="button prod-ProductCTA--primary"><span>Add to cart</span></button></div></div>{reviews(goods)}{related(goods, style="plain", heading="Customers also considered")}'
        f'<script id="__NEXT_DATA__" type="application/json">{json.dumps(state)}</script>'
    )
    return page(goods, main)


def hardware(goods: Goods, *, sale: bool, markup: bool) -> str:
    """The hardware store: sign, whole and cents in three spans without a point."""
    whole, _, cents = digits(goods.cents, goods.country).partition(goods.country.point)
    was = (
        f'<div class="u__text--small"><span class="price__was-price"><span class="u__strike"><span>{goods.was_shown}</span></span></span><span class="price__saving">Save <span>{show(goods.was_cents - goods.cents, goods.country)}</span> (10%)</span></div>'
        if sale
        else ""
    )
    last = f"<span>{cents}</span>" if cents else ""
    main = (
        f'<div class="product-details"><span class="product-details__brand--link">Harbour</span><h1 class="product-details__title">{goods.name}</h1></div><div class="price-detailed__wrapper"><div class="price"><div class="price-format__large price-format__main-price"><span class="price-format__large-symbols">{goods.country.before}</span><span class="price-format__large-currency">{whole}</span>{last}<span>{goods.country.after}</span></div></div>{was}'
        f'<div class="hd-apply"><span>Pay <b>{show(max(goods.cents - 2500, 100), goods.country)}</b> after {show(2500, goods.country)} OFF your total qualifying purchase upon opening a new card.</span></div></div>'
        '<div class="buybox__actions"><button class="bttn bttn--primary"><span class="bttn__content">Add to Cart</span></button></div>'
        f"{related(goods, style='obfuscated', heading='Frequently Bought Together')}"
    )
    return page(goods, main, head=json_ld(product_ld(goods)) if markup else "")


def electronics(goods: Goods, *, sale: bool, markup: bool) -> str:
    """The electronics chain: a monthly price first, the whole price for ears as a sentence."""
    was = (
        f'<div class="pricing-price__regular-price sr-only">The previous price was {goods.was_shown}</div><div class="pricing-price__savings">Save {show(goods.was_cents - goods.cents, goods.country)}</div><div class="pricing-price__regular-price">Was {goods.was_shown}</div>'
        if sale
        else ""
    )
    main = (
        f'<div class="shop-product-title"><div class="sku-title"><h1 class="heading-5 v-fw-regular">{goods.name}</h1></div><div class="model product-data"><span class="product-data-label">Model:</span><span class="product-data-value">QX-100</span></div><div class="sku product-data"><span class="product-data-label">SKU:</span><span class="product-data-value">{goods.sku[1:]}</span></div></div>'
        f'<div class="pricing-lib-price"><div class="priceView-hero-price priceView-customer-price"><span aria-hidden="true">{goods.shown}</span><span class="sr-only">Your price for this item is {goods.shown}</span></div>{was}<div class="priceView-financing-option-block"><div class="priceView-price"><span>{show(goods.cents // 12, goods.country)}/mo.</span> suggested payments with 12-Month Financing</div></div></div>'
        f'<div class="protection-plan"><label><input type="checkbox"> 2-Year Protection <span class="plan-price">{show(2999, goods.country)}</span></label></div>'
        '<div class="fulfillment-add-to-cart-button"><button class="c-button c-button-primary add-to-cart-button">Add to Cart</button></div>'
        f"{related(goods, style='obfuscated', heading='People also viewed')}"
    )
    return page(goods, main, head=json_ld(product_ld(goods)) if markup else "")


def furniture(goods: Goods, *, sale: bool, markup: bool) -> str:
    """The furniture house: integer and decimals apart, the separator inside the decimals."""
    whole, _, cents = digits(goods.cents, goods.country).partition(goods.country.point)
    decimals = (
        f'<span class="range-revamp-price__decimals"><span class="range-revamp-price__separator">{goods.country.point}</span>{cents}</span>'
        if cents
        else ""
    )
    old = (
        f'<div class="range-revamp-pip-price-package__previous-price"><span class="range-revamp-price range-revamp-price--small">{goods.was_shown}</span></div>'
        if sale
        else ""
    )
    main = (
        f'<div class="product-pip" data-product-price="{goods.number}" data-product-name="{goods.name}"><div class="range-revamp-product__buy-module-container"><div class="range-revamp-pip-price-package"><h1><div class="range-revamp-header-section__title--big">{goods.name}</div><span class="range-revamp-header-section__description">in light wood, 40 cm</span></h1>{old}'
        f'<div class="range-revamp-pip-price-package__price-wrapper"><div class="range-revamp-pip-price-package__main-price"><span class="range-revamp-price"><span class="range-revamp-price__unit">{goods.country.before}</span><span class="range-revamp-price__integer">{whole}</span>{decimals}<span class="range-revamp-price__unit">{goods.country.after}</span></span></div></div></div>'
        '<div class="range-revamp-buy-module__buttons--left"><button class="range-revamp-btn"><span class="range-revamp-btn__label">Add to shopping bag</span></button></div></div></div>'
        f"{related(goods, style='obfuscated', heading='Goes well with')}"
    )
    return page(goods, main, head=json_ld(product_ld(goods)) if markup else "")


def fashion(goods: Goods, *, sale: bool, markup: bool) -> str:
    """The fashion portal: hashed class names, an offer for every size."""
    offers = [
        {
            "@type": "Offer",
            "sku": f"{goods.sku}-{size}",
            "price": goods.number,
            "priceCurrency": goods.country.currency,
            "availability": f"http://schema.org/{stock}",
        }
        for size, stock in (("S", "OutOfStock"), ("M", "InStock"), ("L", "InStock"))
    ]
    block = {
        "@context": "http://schema.org",
        "@type": "Product",
        "name": goods.name,
        "sku": goods.sku,
        "offers": offers,
    }
    price = (
        f'<span class="uqkIZw _3FT2">{goods.shown}</span><span class="uqkIZw _7Ye"><s>{goods.was_shown}</s></span>'
        if sale
        else f'<span class="uqkIZw _3FT2">{goods.shown}</span>'
    )
    main = (
        f'<div class="z-pdp" id="z-pdp-root"><x-wrapper><div class="hPWzFB"><h1 class="OEhtt9 ka2E9k"><span class="SZKKsK">Harbour</span><br><span class="EKabf7">{goods.name}</span></h1><div class="_0xLoFW vSgP6A"><div class="EUnKxN">{price}<span class="tax">inkl. MwSt.</span></div></div></div>'
        f'<div class="DvypSJ"><button class="DJxzzA" aria-haspopup="true">Size wählen</button><button class="LyRfpJ pdp-cart"><span>In den Warenkorb</span></button></div></x-wrapper></div>{related(goods, style="obfuscated", heading="Ähnliche Artikel")}'
    )
    return page(goods, main, head=json_ld(block) if markup else "", lang="de")


def clothes(goods: Goods, *, sale: bool, markup: bool) -> str:
    """The clothes chain: product items everywhere, the main one in a primary row."""
    row = (
        f'<div class="primary-row product-item-price"><div class="ProductPrice-module--productItemPrice__2i2Hc"><span class="Price-module--black-large price-value">{goods.shown}</span>'
        + (f'<del class="price-value-original">{goods.was_shown}</del>' if sale else "")
        + "</div></div>"
    )
    main = (
        f'<main><div class="layout pdp-wrapper product-detail"><div class="inner"><div class="sub-content product-detail-info product-detail-meta"><div class="name-price" id="js-product-name"><section class="ProductName-module"><h1 class="primary product-item-headline">{goods.name}</h1></section>{row}</div>'
        '<div class="product-input-wrapper"><button class="item button fluid button-big button-buy"><span>Add to bag</span></button></div></div></div>'
        f'<div class="product-detail-styled-with"><h2>Style with</h2><ul class="products-listing">'
        + "".join(
            f'<li class="product-item"><article class="hm-product-item"><h3><a href="/p/{i}">{name}</a></h3><strong class="item-price"><span class="price regular">{show(cents, goods.country)}</span></strong></article></li>'
            for i, (name, cents) in enumerate(goods.others)
        )
        + "</ul></div></div></main>"
    )
    return page(goods, main, head=json_ld(product_ld(goods)) if markup else "")


def mall(goods: Goods, *, sale: bool, markup: bool) -> str:
    """The mall of many sellers: tables, no h1, the number in a span beside its sign."""
    amount = digits(goods.cents, goods.country)
    content = f' itemprop="price" content="{goods.number}"' if markup else ""
    main = (
        f'<table id="pagebody"><tr><td><span class="item_name"><b>{goods.name}</b></span><span class="catch_copy">送料無料 ポイント10倍</span><table class="item_info"><tr><td><span class="price2"{content}>{amount}{goods.country.after or goods.country.before}</span> <span class="tax_postage">税込 送料無料</span></td></tr></table>'
        '<form action="https://basket.example.com/"><span class="cart_btn"><button type="submit">かごに追加</button></span></form>'
        f"<p>商品番号 {goods.sku}</p></td></tr></table>{related(goods, style='plain', heading='おすすめ商品')}"
    )
    return page(goods, main, lang="ja", head=f'<meta property="og:title" content="{goods.name}">')


def department(goods: Goods, *, sale: bool, markup: bool) -> str:
    """The department store: was, then and now in one line of text."""
    price = (
        f'<p class="price price--large"><span class="u-visually-hidden">Was </span><del>{goods.was_shown}</del> <span class="u-visually-hidden">Now </span>{goods.shown}</p>'
        if sale
        else f'<p class="price price--large">{goods.shown}</p>'
    )
    main = (
        f'<div class="product-page"><section class="product-header"><h1 class="product-header__title">{goods.name}</h1></section><section class="product-buy"><div class="prices-container">{price}</div><p class="credit-calculator">Or pay {show(goods.cents // 10, goods.country)} a month</p><p class="delivery-message">Standard delivery {show(350, goods.country)}, free over {show(5000, goods.country)}</p>'
        f'<form><button type="submit" class="button button--primary js-add-to-basket">Add to your basket</button></form><p class="product-code">Product code: {goods.sku}</p></section></div>{related(goods, style="shopify", heading="Recently viewed")}'
    )
    return page(goods, main, head=json_ld(product_ld(goods)) if markup else "")


def demandware(goods: Goods, *, sale: bool, markup: bool) -> str:
    old = (
        f'<del><span class="strike-through list"><span class="value" content="{goods.was_number}"><span class="sr-only">Price reduced from</span>{goods.was_shown}<span class="sr-only">to</span></span></span></del>'
        if sale
        else ""
    )
    main = (
        f'<div class="container product-detail product-wrapper" data-pid="{goods.sku}"><div class="row"><div class="col-12"><h1 class="product-name">{goods.name}</h1></div></div><div class="prices"><div class="price"><span>{old}<span class="sales"><span class="value" content="{goods.number}">{goods.shown}</span></span></span></div></div>'
        f'<div class="promotions"><div class="callout">Spend {show(10000, goods.country)}, get {show(2000, goods.country)} off</div></div><ul class="list-unstyled availability-msg"><li><div>In Stock</div></li></ul><div class="cart-and-ipay"><button class="add-to-cart btn btn-primary" data-pid="{goods.sku}"><i></i>Add to Cart</button></div></div>{related(goods, style="obfuscated", heading="Complete the look")}'
    )
    return page(goods, main, head=json_ld(product_ld(goods)) if markup else "")


def hybris(goods: Goods, *, sale: bool, markup: bool) -> str:
    old = f'<span class="price__original-value price__was">{goods.was_shown}</span>' if sale else ""
    main = (
        f'<div class="pdp"><div class="page-title"><h1 class="product-detail__name">{goods.name}</h1><span class="product__number">#{goods.sku[1:]}</span></div><div class="buy-box"><div class="price__reg"><div class="price__total"><span class="price__total-value price__total--on-sale">{goods.shown}</span></div>{old}</div><div class="eco-fees">Eco fees of {show(45, goods.country)} not included</div>'
        f'<div class="money-back">Collect <span class="ct-money-value">{show(max(goods.cents // 100, 1), goods.country)}</span> in reward money</div><div class="instore">In stock at 4 stores</div><button class="add-to-cart__button btn--primary" type="button">Add to Cart</button></div></div>{related(goods, style="plain", heading="Similar products")}'
    )
    return page(goods, main, head=json_ld(product_ld(goods)) if markup else "")


GIANTS = (
    bookseller, bookseller_new, auction, big_box, hardware, electronics, furniture, fashion, clothes, mall,
    department, demandware, hybris,
)  # fmt: skip
