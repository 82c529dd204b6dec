"""The large shop systems: Shopify, Magento, WooCommerce, BigCommerce, PrestaShop, OpenCart, Shopware and others."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

import json

from bench.auto_shapes.frame import json_ld, og, page, product_ld, related, reviews
from bench.auto_shapes.goods import Goods, digits, show


def shopify_dawn(goods: Goods, *, sale: bool, markup: bool) -> str:
    on = " price--on-sale" if sale else ""
    struck = goods.was_shown if sale else ""
    price = (
        f'<div class="price price--large{on} price--show-badge"><div class="price__container"><div class="price__regular">'
        f'<span class="visually-hidden visually-hidden--inline">Regular price</span><span class="price-item price-item--regular">{goods.shown}</span></div>'
        f'<div class="price__sale"><span class="visually-hidden">Regular price</span><span><s class="price-item price-item--regular">{struck}</s></span>'
        f'<span class="visually-hidden">Sale price</span><span class="price-item price-item--sale price-item--last">{goods.shown}</span></div>'
        '<small class="unit-price caption hidden"><span class="visually-hidden">Unit price</span><span class="price-item price-item--last"><span></span>/<span></span></span></small></div>'
        '<span class="badge price__badge-sale">Sale</span></div>'
    )
    main = (
        f'<main id="MainContent"><section class="product-section"><div class="product grid"><div class="product__info-wrapper"><div class="product__title"><h1>{goods.name}</h1></div>'
        f'<div id="price-template" role="status">{price}</div><div class="product__tax caption rte">Tax included.</div>'
        '<form method="post" action="/cart/add" id="product-form"><input type="hidden" name="id" value="40012">'
        '<button type="submit" name="add" class="product-form__submit button"><span>Add to cart</span></button></form>'
        f"</div></div></section></main>"
    )
    head = og(goods) + (json_ld(product_ld(goods)) if markup else "")
    head = head if markup else head.replace("og:price", "og:px")
    return page(
        goods, main, head=head, body_class="gradient template-product", after=related(goods, style="shopify")
    )


def shopify_debut(goods: Goods, *, sale: bool, markup: bool) -> str:
    was = goods.was_shown if sale else goods.shown
    state = " price--on-sale" if sale else ""
    cents = goods.cents
    data = {
        "id": 1,
        "title": goods.name,
        "price": cents,
        "compare_at_price": goods.was_cents,
        "variants": [{"id": 2, "price": cents}],
    }
    main = (
        f'<main><div class="product-template__container" itemscope><div class="product-single"><h1 class="product-single__title">{goods.name}</h1>'
        f'<div class="product__price"><dl class="price{state}" data-price><div class="price__regular"><dt><span class="visually-hidden visually-hidden--inline">Regular price</span></dt>'
        f'<dd><s class="price-item price-item--regular" data-regular-price>{was}</s></dd></div><div class="price__sale"><dt><span class="visually-hidden">Sale price</span></dt>'
        f'<dd><span class="price-item price-item--sale" data-sale-price>{goods.shown}</span></dd></div></dl></div>'
        '<form action="/cart/add"><select name="id"><option>Small</option><option>Large</option></select>'
        '<button class="btn product-form__cart-submit" name="add"><span data-add-to-cart-text>Add to cart</span></button></form>'
        f'<p class="klarna">or 4 interest-free payments of {show(cents // 4, goods.country)} with Afterpay</p></div></div></main>'
        f'<script type="application/json" id="ProductJson">{json.dumps(data)}</script>'
    )
    return page(
        goods,
        main,
        head=og(goods) if markup else "",
        after=related(goods, style="shopify", heading="More from this collection"),
    )


def magento_two(goods: Goods, *, sale: bool, markup: bool) -> str:
    amount = (
        f'<meta itemprop="price" content="{goods.number}"><meta itemprop="priceCurrency" content="{goods.country.currency}">'
        if markup
        else ""
    )
    scope = ' itemprop="offers" itemscope itemtype="http://schema.org/Offer"' if markup else ""
    if sale:
        price = (
            f'<span class="special-price"><span class="price-container price-final_price tax"{scope}><span class="price-label">Special Price</span>'
            f'<span id="product-price-7" data-price-amount="{goods.number}" data-price-type="finalPrice" class="price-wrapper"><span class="price">{goods.shown}</span></span>{amount}</span></span>'
            f'<span class="old-price"><span class="price-container price-final_price tax"><span class="price-label">Regular Price</span><span id="old-price-7" data-price-amount="{goods.was_number}" data-price-type="oldPrice" class="price-wrapper">'
            f'<span class="price">{goods.was_shown}</span></span></span></span>'
        )
    else:
        price = f'<span class="price-container price-final_price tax"{scope}><span id="product-price-7" data-price-amount="{goods.number}" data-price-type="finalPrice" class="price-wrapper"><span class="price">{goods.shown}</span></span>{amount}</span>'
    root = ' itemscope itemtype="http://schema.org/Product"' if markup else ""
    main = (
        f'<main id="maincontent" class="page-main"><div class="columns"><div class="column main"{root}><div class="product-info-main"><div class="page-title-wrapper product"><h1 class="page-title"><span class="base" itemprop="name">{goods.name}</span></h1></div>'
        f'<div class="product-info-price"><div class="price-box price-final_price" data-role="priceBox" data-product-id="7">{price}</div>'
        f'<div class="product-info-stock-sku"><div class="stock available" title="Availability"><span>In stock</span></div><div class="product attribute sku"><strong class="type">SKU</strong><div class="value" itemprop="sku">{goods.sku}</div></div></div></div>'
        f'<ul class="prices-tier items"><li class="item">Buy 5 for <span class="price-container"><span class="price-wrapper"><span class="price">{show(goods.cents - 200, goods.country)}</span></span></span> each</li></ul>'
        '<form id="product_addtocart_form"><button type="submit" title="Add to Cart" class="action primary tocart" id="product-addtocart-button"><span>Add to Cart</span></button></form></div>'
        f"{related(goods, style='magento', heading='We found other products you might like!')}</div></div></main>"
    )
    return page(goods, main, body_class="catalog-product-view page-layout-1column")


def magento_one(goods: Goods, *, sale: bool, markup: bool) -> str:
    if sale:
        price = (
            f'<p class="old-price"><span class="price-label">Regular Price:</span> <span class="price" id="old-price-9">{goods.was_shown}</span></p>'
            f'<p class="special-price"><span class="price-label">Special Price</span> <span class="price" id="product-price-9">{goods.shown}</span></p>'
        )
    else:
        price = f'<span class="regular-price" id="product-price-9"><span class="price">{goods.shown}</span></span>'
    main = (
        f'<div class="main-container"><div class="product-view"><div class="product-essential"><form id="product_addtocart_form"><div class="product-shop"><div class="product-name"><span class="h1">{goods.name}</span></div>'
        f'<div class="price-info"><div class="price-box">{price}</div></div><p class="availability in-stock">Availability: <span class="value">In stock</span></p>'
        '<div class="add-to-cart-buttons"><button type="button" title="Add to Cart" class="button btn-cart"><span><span>Add to Cart</span></span></button></div></div></form></div>'
        f'<div class="box-collateral box-up-sell"><h2>Similar things</h2><div class="price-box"><span class="price">{show(goods.others[0][1], goods.country)}</span></div></div></div></div>'
    )
    return page(
        goods,
        main,
        head=og(goods, "product") if markup else f'<meta property="og:title" content="{goods.name}">',
    )


def woocommerce(goods: Goods, *, sale: bool, markup: bool) -> str:
    def bdi(text: str) -> str:
        return f'<span class="woocommerce-Price-amount amount"><bdi>{text}</bdi></span>'

    price = (
        f'<p class="price"><del aria-hidden="true">{bdi(goods.was_shown)}</del> <ins>{bdi(goods.shown)}</ins></p>'
        if sale
        else f'<p class="price">{bdi(goods.shown)}</p>'
    )
    specification = {
        "@type": "PriceSpecification",
        "price": goods.number,
        "priceCurrency": goods.country.currency,
    }
    offers = [
        {"@type": "Offer", "priceSpecification": specification, "availability": "http://schema.org/InStock"}
    ]
    block = {
        "@context": "https://schema.org/",
        "@graph": [{"@type": "Product", "name": goods.name, "sku": goods.sku, "offers": offers}],
    }
    main = (
        f'<div id="primary"><main><div id="product-55" class="product type-product instock shipping-taxable purchasable product-type-simple"><div class="summary entry-summary"><h1 class="product_title entry-title">{goods.name}</h1>{price}'
        '<p class="stock in-stock">12 in stock</p><form class="cart"><div class="quantity"><input type="number" value="1"></div><button type="submit" name="add-to-cart" value="55" class="single_add_to_cart_button button alt">Add to cart</button></form>'
        f'<div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">{goods.sku}</span></span></div></div>{reviews(goods)}{related(goods)}</div></main></div>'
    )
    return page(goods, main, head=json_ld(block) if markup else "", body_class="single-product woocommerce")


def bigcommerce(goods: Goods, *, sale: bool, markup: bool) -> str:
    struck = (
        f'<div class="price-section price-section--withoutTax rrp-price--withoutTax"><span>MSRP:</span> <span data-product-rrp-price-without-tax class="price price--rrp">{goods.was_shown}</span></div>'
        f'<div class="price-section price-section--withoutTax non-sale-price--withoutTax"><span>Was:</span> <span data-product-non-sale-price-without-tax class="price price--non-sale">{goods.was_shown}</span></div>'
        if sale
        else '<div class="price-section price-section--withoutTax rrp-price--withoutTax" style="display: none;">MSRP: <span class="price price--rrp"></span></div>'
    )
    saved = (
        f'<div class="price-section price-section--saving price"><span class="price">(You save</span> <span data-product-price-saved class="price price--saving">{show(goods.was_cents - goods.cents, goods.country)}</span><span class="price">)</span></div>'
        if sale
        else ""
    )
    main = (
        f'<div class="body"><div class="container"><div class="productView"><section class="productView-details product-data"><div class="productView-product"><h1 class="productView-title">{goods.name}</h1>'
        f'<div class="productView-price">{struck}<div class="price-section price-section--withoutTax"><span class="price-label"></span><span class="price-now-label" style="display: none;">Now:</span> <span data-product-price-without-tax class="price price--withoutTax">{goods.shown}</span></div>{saved}</div>'
        f'<dl class="productView-info"><dt class="productView-info-name sku-label">SKU:</dt><dd class="productView-info-value" data-product-sku>{goods.sku}</dd><dt>Shipping:</dt><dd>{show(695, goods.country)} (Fixed shipping cost)</dd></dl></div></section>'
        '<section class="productView-details product-options"><form><div class="form-action"><input id="form-action-addToCart" class="button button--primary" type="submit" value="Add to Cart"></div></form></section></div>'
        f"{related(goods, style='shopify', heading='Customers also viewed')}</div></div>"
    )
    return page(goods, main, head=json_ld(product_ld(goods)) + og(goods, "product") if markup else "")


def prestashop(goods: Goods, *, sale: bool, markup: bool) -> str:
    price = (
        f'<div class="current-price"><span itemprop="price" content="{goods.number}">{goods.shown}</span></div>'
        if markup
        else f'<div class="current-price"><span class="current-price-value">{goods.shown}</span></div>'
    )
    old = (
        f'<div class="product-discount"><span class="regular-price">{goods.was_shown}</span></div>'
        if sale
        else ""
    )
    saved = (
        f'<span class="discount discount-amount">Save {show(goods.was_cents - goods.cents, goods.country)}</span>'
        if sale
        else ""
    )
    scope = 'itemscope itemtype="https://schema.org/Product"' if markup else ""
    offer = 'itemprop="offers" itemscope itemtype="https://schema.org/Offer"' if markup else ""
    meta = (
        f'<link itemprop="availability" href="https://schema.org/InStock"><meta itemprop="priceCurrency" content="{goods.country.currency}">'
        if markup
        else ""
    )
    main = (
        f'<section id="main" {scope}><div class="row product-container"><div class="col-md-6"><h1 class="h1" itemprop="name">{goods.name}</h1><div class="product-prices">{old}<div class="product-price h5 has-discount" {offer}>{meta}{price}{saved}</div>'
        '<div class="tax-shipping-delivery-label">Tax included</div></div><div class="product-actions"><form action="/cart"><div class="product-add-to-cart"><button class="btn btn-primary add-to-cart" data-button-action="add-to-cart" type="submit">Add to cart</button>'
        f'<span id="product-availability">In stock</span></div></form></div></div></div><div class="product-reference"><label class="label">Reference</label> <span itemprop="sku">{goods.sku}</span></div></section>'
        f"{related(goods, style='plain', heading='16 other products in the same category:')}"
    )
    return page(goods, main, body_class="lang-en product-available-for-order")


def opencart(goods: Goods, *, sale: bool, markup: bool) -> str:
    price = (
        f'<li><span style="text-decoration: line-through;">{goods.was_shown}</span></li><li><h2>{goods.shown}</h2></li>'
        if sale
        else f"<li><h2>{goods.shown}</h2></li>"
    )
    net = show(int(goods.cents / 1.2), goods.country)
    main = (
        f'<div id="product-product" class="container"><div class="row"><div id="content"><div class="row"><div class="col-sm-8"></div><div class="col-sm-4"><h1>{goods.name}</h1><ul class="list-unstyled"><li>Brand: <a href="/b">Harbour</a></li><li>Product Code: {goods.sku}</li><li>Reward Points: 400</li><li>Availability: In Stock</li></ul>'
        f'<ul class="list-unstyled">{price}<li>Ex Tax: {net}</li><li>Price in reward points: 1600</li><li><hr></li><li>10 or more {show(goods.cents - 150, goods.country)}</li></ul>'
        '<div id="product"><button type="button" id="button-cart" class="btn btn-primary btn-lg btn-block">Add to Cart</button></div></div></div>'
        f"{related(goods, style='plain', heading='Related Products')}</div></div></div>"
    )
    return page(goods, main, head=json_ld(product_ld(goods)) if markup else "")


def shopware(goods: Goods, *, sale: bool, markup: bool) -> str:
    crossed = (
        f'<span class="content--discount"><span class="price--line-through">{goods.was_shown} *</span><span class="price--discount-percentage">(12% gespart)</span></span>'
        if sale
        else ""
    )
    meta = f'<meta itemprop="price" content="{goods.number}">' if markup else ""
    scope = 'itemscope itemtype="http://schema.org/Product"' if markup else ""
    main = (
        f'<section class="content-main"><div class="content product--details" {scope}><header class="product--header"><h1 class="product--title" itemprop="name">{goods.name}</h1></header>'
        f'<div class="product--buybox block"><div itemprop="offers" itemscope itemtype="http://schema.org/Offer" class="buybox--inner"><meta itemprop="priceCurrency" content="{goods.country.currency}">'
        f'<div class="product--price price--default price--discount"><span class="price--content content--default">{meta} {goods.shown} *</span>{crossed}</div>'
        f'<div class="product--price-unit">Inhalt: 0.5 Kilogramm ({show(goods.cents * 2, goods.country)} * / 1 Kilogramm)</div><p class="product--tax">inkl. MwSt. <a href="/versand">zzgl. Versandkosten</a></p>'
        '<div class="product--delivery"><link itemprop="availability" href="http://schema.org/InStock"><p class="delivery--information"><span class="delivery--text delivery--text-available">Sofort versandfertig</span></p></div>'
        f'<form class="buybox--form"><button class="buybox--button block btn is--primary">In den Warenkorb</button></form></div><ul class="product--base-info"><li><strong>Artikel-Nr.:</strong> <span itemprop="sku">{goods.sku}</span></li></ul></div></div></section>'
        f"{related(goods, style='plain', heading='Kunden kauften auch')}"
    )
    return page(goods, main, lang="de")


def wix(goods: Goods, *, sale: bool, markup: bool) -> str:
    old = f'<span data-hook="formatted-primary-price" class="_2sf3D">{goods.was_shown}</span>' if sale else ""
    new = (
        f'<span data-hook="formatted-secondary-price" class="sJ6m2">{goods.shown}</span>'
        if sale
        else f'<span data-hook="formatted-primary-price" class="_2sf3D">{goods.shown}</span>'
    )
    old = f"<s>{old}</s>" if sale else ""
    main = (
        f'<div id="SITE_CONTAINER"><main><article data-hook="product-page"><section><h1 data-hook="product-title">{goods.name}</h1><div data-hook="sku">SKU: {goods.sku}</div>'
        f'<div data-hook="product-price">{old}{new}</div><button data-hook="add-to-cart" class="buttonnext"><span>Add to Cart</span></button></section></article></main></div>'
    )
    return page(
        goods,
        main,
        head=og(goods, "product") if markup else f'<meta property="og:title" content="{goods.name}">',
    )


def squarespace(goods: Goods, *, sale: bool, markup: bool) -> str:
    price = f'<div class="product-price"><span class="product-price__sale sqs-money-native">{digits(goods.cents, goods.country)}</span></div>'
    was = (
        f'<span class="original-price sqs-money-native">{digits(goods.was_cents, goods.country)}</span>'
        if sale
        else ""
    )
    main = (
        f'<section class="ProductItem"><div class="ProductItem-details"><h1 class="ProductItem-details-title" data-content-field="title">{goods.name}</h1>{was}{price}'
        '<div class="sqs-add-to-cart-button-wrapper"><div class="sqs-add-to-cart-button sqs-suppress-edit-mode" role="button" tabindex="0"><div class="sqs-add-to-cart-button-inner">Add To Cart</div></div></div></div></section>'
    )
    return page(goods, main, head=og(goods, "product"))


def ecwid_like(goods: Goods, *, sale: bool, markup: bool) -> str:
    old = (
        f'<div class="details-product-price-compare"><span class="details-product-price-compare__value">{goods.was_shown}</span></div>'
        if sale
        else ""
    )
    main = (
        f'<div class="ecwid-productBrowser"><div class="product-details__sidebar"><h1 class="product-details__product-title">{goods.name}</h1><div class="product-details__product-sku">SKU {goods.sku}</div>'
        f'<div class="product-details__product-price ec-price-item" itemprop="price" content="{goods.number}"><span class="details-product-price__value">{goods.shown}</span></div>{old}'
        '<div class="details-product-purchase__add-to-bag"><button class="form-control__button"><span>Add to Bag</span></button></div></div></div>'
    )
    return page(goods, main)


PLATFORMS = (
    shopify_dawn, shopify_debut, magento_two, magento_one, woocommerce, bigcommerce, prestashop, opencart, shopware,
    wix, squarespace, ecwid_like,
)  # fmt: skip
