"""Round four: shop programs and site builders of many countries, as their stock templates stand in small shops."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

import html
import json

from bench.auto_shapes.frame import json_ld, og, product_ld
from bench.auto_shapes.goods import Goods, digits, number, show
from bench.auto_shapes.newcomers import share_of
from bench.auto_shapes.shape import Round, saved

ROUND_FOUR = page = Round()


@page("uk", sku=True)
def accelerator(goods: Goods) -> str:
    """A large suite's sample shop: no heading, the name in a div with its code, the price in a paragraph."""
    return saved(
        goods,
        f"""<div class="product-details page-title"><div class="name">{goods.name}<span class="sku">ID</span><span class="code">{goods.sku}</span></div></div><div class="row"><div class="product-main-info"><div class="product-details"><p class="price">{goods.shown}</p><div class="description">A thing for {goods.country.host}, with 12 months of warranty worth {show(2900, goods.country)}</div></div><div class="addtocart-component"><div class="qty-selector"><input value="1"></div><div class="stock-wrapper clearfix">23 In Stock</div><form id="addToCartForm" action="/cart/add" method="post"><button id="addToCartButton" type="submit" class="btn btn-primary btn-block js-enable-btn" disabled>Add to cart</button></form></div></div></div>""",
    )


@page("ru", sku=True)
def one_c(goods: Goods) -> str:
    """Russia's shop program: ids of the old price on the current one, economy below, article in a list."""
    return saved(
        goods,
        f"""<div class="bx-catalog-element"><h1 class="bx-title">{goods.name}</h1><div class="product-item-detail-info-container"><div class="product-item-detail-price-old" id="bx_117_old_price">{goods.was_shown}</div><div class="product-item-detail-price-current" id="bx_117_price">{goods.shown}</div><div class="item_economy_price" id="bx_117_price_discount">Экономия {show(goods.was_cents - goods.cents, goods.country)}</div></div><dl class="product-item-detail-properties"><dt>Артикул</dt><dd>{goods.sku}</dd></dl><div>Наличие: <span>много</span></div><a class="btn btn-primary product-item-detail-buy-button" id="bx_117_add_basket_link" href="javascript:void(0);"><span>В корзину</span></a></div>""",
    )


@page("de", sku=True)
def ox(goods: Goods) -> str:
    """A German shop program: price with a star, old price in a del, unit price, stock flag with a date."""
    return saved(
        goods,
        f"""<div id="productinfo"><form class="js-oxProductForm" action="index.php?cl=details" method="post"><div class="detailsInfo clear"><h1 id="productTitle" class="h2">{goods.name}</h1><span class="small text-muted">Art.Nr.: {goods.sku}</span><div class="price_row"><div id="tprice" class="tprice"><del>UVP {goods.was_shown}</del></div><label id="productPrice" class="price"><span class="price-from"></span><span class="price">{goods.shown}</span><span class="price-markup">*</span></label><span id="productPriceUnit" class="price-per-unit">({share_of(goods, 20)}/kg)</span></div><span class="stockFlag"><i></i> sofort lieferbar</span><button id="toBasket" type="submit" class="btn btn-primary submitButton largeButton">In den Warenkorb</button></div></form></div>""",
    )


@page("br", sku=True)
def vtx(goods: Goods) -> str:
    """Brazil's suite: every digit group an element, list price, instalments, cash price by Pix below the price."""
    whole, cents = digits(goods.cents, goods.country).split(",")
    groups = '<span class="vtex-product-price-1-x-currencyGroup">.</span>'.join(
        f'<span class="vtex-product-price-1-x-currencyInteger">{part}</span>' for part in whole.split(".")
    )
    return saved(
        goods,
        f"""<div class="vtex-flex-layout-0-x-flexRow"><h1 class="vtex-store-components-3-x-productNameContainer"><span class="vtex-store-components-3-x-productBrand">{goods.name}</span></h1><span class="vtex-product-identifier-0-x-product-identifier">SKU: <span>{goods.sku}</span></span><span class="vtex-product-price-1-x-listPrice"><span class="vtex-product-price-1-x-listPriceValue strike">{goods.was_shown}</span></span><span class="vtex-product-price-1-x-sellingPrice"><span class="vtex-product-price-1-x-sellingPriceValue"><span class="vtex-product-price-1-x-currencyContainer"><span class="vtex-product-price-1-x-currencyCode">R$</span><span class="vtex-product-price-1-x-currencyLiteral">&nbsp;</span>{groups}<span class="vtex-product-price-1-x-currencyDecimal">,</span><span class="vtex-product-price-1-x-currencyFraction">{cents}</span></span></span></span><span class="vtex-product-price-1-x-installments">até <span>10</span>x de <span>{show(goods.cents // 10, goods.country)}</span> sem juros</span><button class="vtex-button"><div class="vtex-button__label">Comprar</div></button></div>""",
    )


@page("ar", sku=True)
def cloud_shop(goods: Goods) -> str:
    """Argentina's builder: a price with its number in an attribute in cents, transfers at a discount, instalments."""
    return saved(
        goods,
        f'''<div id="single-product" class="js-product-detail"><h1 class="js-product-name">{goods.name}</h1><div class="price-container"><span class="d-inline-block"><div id="compare_price_display" class="js-compare-price-display price-compare">{goods.was_shown}</div></span><span class="d-inline-block"><div class="js-price-display" id="price_display" data-product-price="{goods.cents}">{goods.shown}</div></span></div><div class="js-product-payments-container"><span>3</span> cuotas sin interés de <span>{show(goods.cents // 3, goods.country)}</span></div><div>{share_of(goods, 90)} con Transferencia</div><p>SKU: {goods.sku}</p><form action="/comprar/"><input type="submit" class="js-addtocart" value="Agregar al carrito"></form></div>''',
    )


@page("kr", sku=True)
def cafe(goods: Goods) -> str:
    """Korea's hosting: a table of labels; consumer price, selling price, points, delivery fee."""
    return saved(
        goods,
        f"""<div class="xans-element- xans-product xans-product-detail"><div class="headingArea"><h2>{goods.name}</h2></div><table><tbody><tr><th scope="row"><span>소비자가</span></th><td><span id="span_product_price_custom"><strike>{goods.was_shown}</strike></span></td></tr><tr><th scope="row"><span>판매가</span></th><td><span><strong id="span_product_price_text">{goods.shown}</strong></span></td></tr><tr><th>적립금</th><td>{show(goods.cents // 100, goods.country)} (1%)</td></tr><tr><th>배송비</th><td>{show(300000, goods.country)}</td></tr><tr><th>상품코드</th><td>{goods.sku}</td></tr></tbody></table><div id="totalPrice"><strong>총 상품금액</strong>: <span class="total"><strong>0</strong></span></div><div class="action"><a href="#none" class="btnSubmit">바로구매</a><button type="button" class="btnCart">장바구니</button></div></div>""",
    )


@page("pl", sku=True)
def shoper(goods: Goods) -> str:
    """Poland's hosting: em for the price, net price in brackets, availability and shipping time in a table."""
    return saved(
        goods,
        f"""<div id="box_productfull"><h1 class="name" itemprop="name">{goods.name}</h1><div class="row availability"><span class="first">Dostępność:</span><span class="second">duża ilość</span></div><div class="row delivery"><span>Wysyłka w:</span> <span>24 godziny</span></div><div class="price"><span class="price-name">Cena:</span><del class="price__regular">{goods.was_shown}</del><em class="main-price color">{goods.shown}</em></div><div class="price-netto"><span>Cena netto:</span> <em class="main-price-net">{show(goods.cents * 100 // 123, goods.country)}</em></div><div class="code">Kod produktu: <span>{goods.sku}</span></div><button class="addtobasket btn btn-red" type="submit"><span>Do koszyka</span></button></div>""",
    )


@page("cz", sku=True)
def shoptet(goods: Goods) -> str:
    """Czech hosting: price standard and price final, percent, without tax, stock with a count."""
    return saved(
        goods,
        f"""<div class="p-detail-inner"><h1>{goods.name}</h1><div class="p-code">Kód: <span>{goods.sku}</span></div><div class="p-final-price-wrapper"><span class="price-standard"><span>{goods.was_shown}</span></span><span class="price-save">–20 %</span><strong class="price-final" data-testid="productCardPrice"><span class="price-final-holder">{goods.shown}</span></strong><span class="price-additional">{show(goods.cents * 100 // 121 // 100 * 100, goods.country)} bez DPH</span></div><span class="availability-label">Skladem (&gt;5 ks)</span><button type="submit" class="btn btn-lg btn-conversion add-to-cart-button">Do košíku</button></div>""",
    )


@page("us")
def tilda_like(goods: Goods) -> str:
    """A page builder: sign and value in boxes called price, an old one beside, a button that is a link."""
    return saved(
        goods,
        f'''<div class="t-store__prod-popup__info"><div class="js-store-prod-name t-store__prod-popup__name t-name">{goods.name}</div><div class="t-store__prod-popup__price-wrapper"><div class="js-store-prod-price t-store__prod-popup__price t-store__prod-popup__price-item"><div class="t-store__prod-popup__price-currency">$</div><div class="js-product-price js-store-prod-price-val t-store__prod-popup__price-value" data-product-price-def="{goods.number}">{digits(goods.cents, goods.country)}</div></div><div class="js-store-prod-price-old t-store__prod-popup__price_old"><div>$</div><div class="js-store-prod-price-old-val">{digits(goods.was_cents, goods.country)}</div></div></div><a href="#order" class="t-store__prod-popup__btn t-btn"><table><tr><td>Buy now</td></tr></table></a></div>''',
        title=f"{goods.name}",
    )


@page("us", sku=True)
def squarespace_seven(goods: Goods) -> str:
    """A site builder: excerpt between title and price, variants in JSON on the element, button a div."""
    variants = html.escape(
        json.dumps(
            [
                {
                    "sku": goods.sku,
                    "price": goods.cents,
                    "salePrice": 0,
                    "onSale": False,
                    "priceMoney": {"currency": "USD", "value": goods.number},
                    "qtyInStock": 3,
                }
            ]
        )
    )
    return saved(
        goods,
        f'''<article class="ProductItem"><section class="ProductItem-details"><h1 class="ProductItem-details-title">{goods.name}</h1><div class="ProductItem-product-price"><div class="product-price">{goods.shown}</div></div><div class="ProductItem-details-excerpt"><p>Each one costs us {show(700, goods.country)} in clay.</p></div><div class="product-variants" data-variants="{variants}"></div><div class="sqs-add-to-cart-button-wrapper"><div class="sqs-add-to-cart-button sqs-button-element--primary" role="button" tabindex="0"><div class="sqs-add-to-cart-button-inner">Add To Cart</div></div></div></section></article>''',
        head=f'<meta property="product:price:amount" content="{goods.number}"><meta property="product:price:currency" content="USD">',
    )


@page("us", sku=True)
def net_suite(goods: Goods) -> str:
    """A business suite: the name under an itemprop, price in data attributes and text, stock in a paragraph."""
    return saved(
        goods,
        f'''<article class="product-details-full" itemscope itemtype="https://schema.org/Product"><h1 class="product-details-full-content-header-title" itemprop="name">{goods.name}</h1><div class="product-line-sku"><span class="product-line-sku-label">SKU: </span><span class="product-line-sku-value" itemprop="sku">{goods.sku}</span></div><div data-view="Item.Price"><div class="product-views-price" itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="USD"/><span class="product-views-price-exact"><span class="product-views-price-lead" itemprop="price" data-rate="{goods.number}">{goods.shown}</span></span><small class="product-views-price-old">{goods.was_shown}</small><link itemprop="availability" href="https://schema.org/InStock"/></div></div><button class="cart-add-to-cart-button-button">Add to Cart</button></article>''',
    )


@page("us", sku=True)
def shift_shop(goods: Goods) -> str:
    """A hosted cart: regular, on sale and you save; ids in camel case; part number label."""
    return saved(
        goods,
        f"""<form method="post" action="add_cart.asp" name="add"><h1 itemprop="name">{goods.name}</h1><div class="product-id">Part Number: <span id="product_id">{goods.sku}</span></div><div class="pricingBlock"><div class="yourprice retailprice"><label>Retail Price:</label> <span>{goods.was_shown}</span></div><div class="yourprice price onsale"><label>On Sale:</label> <span class="price" id="price">{goods.shown}</span></div><div class="yousave"><label>You Save:</label> <span>{show(goods.was_cents - goods.cents, goods.country)} (20%)</span></div></div><div id="availability">Availability: <span>In Stock.</span></div><input type="submit" class="btn addToCartBtn" value="Add To Cart"></form>""",
    )


@page("fr", sku=True)
def presta_sixteen(goods: Goods) -> str:
    """An older French shop program: our price display, reduction percent, old price, quantity table."""
    return saved(
        goods,
        f"""<div class="primary_block" itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">{goods.name}</h1><p id="product_reference"><label>Référence </label> <span class="editable" itemprop="sku">{goods.sku}</span></p><p id="availability_statut"><span id="availability_value" class="label label-success">En stock</span></p><div class="content_prices"><div class="price"><p class="our_price_display" itemprop="offers" itemscope itemtype="http://schema.org/Offer"><link itemprop="availability" href="http://schema.org/InStock"/><span id="our_price_display" class="price" itemprop="price">{goods.shown}</span> TTC<meta itemprop="priceCurrency" content="EUR"></p><p id="reduction_percent"><span id="reduction_percent_display">-20%</span></p><p id="old_price"><span id="old_price_display"><span class="price">{goods.was_shown}</span> TTC</span></p></div></div><table id="quantityDiscount"><tr><td>10</td><td>{share_of(goods, 5)}</td><td>Jusqu'à {share_of(goods, 50)}</td></tr></table><button type="submit" name="Submit" class="exclusive"><span>Ajouter au panier</span></button></div>""",
    )


@page("de", sku=True)
def magento_german(goods: Goods) -> str:
    """Magento 1 with a German tax extension: regular, special, tax details, delivery time."""
    return saved(
        goods,
        f"""<div class="product-view"><div class="product-shop"><div class="product-name"><h1>{goods.name}</h1></div><p class="availability in-stock">Verfügbarkeit: <span>Auf Lager</span></p><div class="price-box"><p class="old-price"><span class="price-label">Regulärer Preis:</span> <span class="price" id="old-price-77">{goods.was_shown}</span></p><p class="special-price"><span class="price-label">Sonderpreis</span> <span class="price" id="product-price-77">{goods.shown}</span></p><span class="tax-details">Inkl. 19% MwSt., zzgl. <a href="/versand">Versandkosten</a></span></div><p class="sku">Artikelnummer: {goods.sku}</p><div class="add-to-cart"><button type="button" title="In den Warenkorb" class="button btn-cart"><span><span>In den Warenkorb</span></span></button></div></div></div>""",
    )


@page("us", sku=True)
def journal_theme(goods: Goods) -> str:
    """OpenCart with a rich theme: new and old price, tax line, reward points, model and stock in a list, timer."""
    return saved(
        goods,
        f"""<div id="product" class="product-details"><div class="title page-title">{goods.name}</div><h1 class="heading-title">{goods.name}</h1><ul class="list-unstyled description"><li class="p-brand">Brand: <a href="/h">Harbour</a></li><li class="p-model">Product Code: <span class="p-model">{goods.sku}</span></li><li class="p-stock">Availability: <span class="journal-stock instock">In Stock</span></li></ul><ul class="list-unstyled price"><li class="price-old">{goods.was_shown}</li><li class="price-new">{goods.shown}</li><li class="price-tax">Ex Tax: {share_of(goods, 83)}</li><li class="reward">Price in reward points: 400</li></ul><div class="countdown">02 Day 11 Hour</div><button type="button" id="button-cart" class="button">Add to Cart</button></div>""",
    )


@page("us")
def elementor(goods: Goods) -> str:
    """WooCommerce in a page builder: the price a widget with a neighbour's widget in the same column."""
    amount = f'<span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">$</span>{digits(goods.cents, goods.country)}</bdi></span>'
    upsell = f'<div class="elementor-widget-wc-products"><ul class="products"><li class="product"><a class="woocommerce-LoopProduct-link" href="/u"><img><h2 class="woocommerce-loop-product__title">{goods.others[1][0]}</h2><span class="price"><span class="woocommerce-Price-amount amount"><bdi>{show(goods.others[1][1], goods.country)}</bdi></span></span></a></li></ul></div>'
    return saved(
        goods,
        f"""<div class="elementor elementor-location-single product"><div class="elementor-column"><div class="elementor-widget elementor-widget-woocommerce-product-title"><h1 class="product_title entry-title elementor-heading-title">{goods.name}</h1></div><div class="elementor-widget elementor-widget-woocommerce-product-price"><div class="elementor-widget-container"><p class="price">{amount}</p></div></div><div class="elementor-widget-woocommerce-product-short-description"><p>Rated for 200 kg. Worth {share_of(goods, 130)} elsewhere.</p></div><div class="elementor-widget-woocommerce-product-add-to-cart"><form class="cart"><button type="submit" name="add-to-cart" value="12" class="single_add_to_cart_button button alt">Add to basket</button></form></div>{upsell}</div></div>""",
    )


@page("ca")
def shopify_impulse(goods: Goods) -> str:
    """A paid theme: regular and sale spans, savings, unit price hidden, quantity, dynamic checkout."""
    return saved(
        goods,
        f"""<div class="product-single__meta"><div class="product-block--header"><h1 class="h2 product-single__title">{goods.name}</h1></div><div class="product-block product-block--price"><span data-a11y-price class="visually-hidden">Regular price</span><span data-product-price-wrap><span data-compare-price class="product__price product__price--compare"><span aria-hidden="true">{goods.was_shown}</span><span class="visually-hidden">{goods.was_shown}</span></span></span><span data-compare-price-a11y class="visually-hidden">Sale price</span><span data-product-price class="product__price on-sale"><span aria-hidden="true">${goods.cents // 100:,}<sup>{goods.cents % 100:02d}</sup></span><span class="visually-hidden">{goods.shown}</span></span><span data-save-price class="product__price-savings">Save 20%</span><div data-unit-price-wrapper class="product__unit-price hide"><span data-unit-price></span>/<span data-unit-base></span></div></div><form action="/cart/add"><button type="submit" name="add" class="btn btn--full add-to-cart"><span data-default-text="Add to cart">Add to cart</span></button><div data-shopify="payment-button"></div></form></div>""",
        head=og(goods),
    )


@page("uk", availability="out_of_stock", sku=True)
def shopify_sold_out(goods: Goods) -> str:
    """A theme whose price stays and whose button says so; other sizes in the JSON are sold out too."""
    return saved(
        goods,
        f"""<div class="product__info-container"><div class="product__title"><h1>{goods.name}</h1></div><div class="price price--large price--sold-out"><div class="price__container"><div class="price__regular"><span class="visually-hidden">Regular price</span><span class="price-item price-item--regular">{goods.shown} GBP</span></div></div><span class="badge price__badge-sold-out">Sold out</span></div><form action="/cart/add"><button type="submit" name="add" class="product-form__submit button" disabled><span>Sold out</span></button></form></div>""",
        head=json_ld(
            {
                "@context": "http://schema.org/",
                "@type": "Product",
                "name": goods.name,
                "offers": [
                    {
                        "@type": "Offer",
                        "sku": goods.sku,
                        "availability": "http://schema.org/OutOfStock",
                        "price": goods.cents / 100,
                        "priceCurrency": "GBP",
                        "url": "https://x.example/products/a?variant=1",
                    }
                ],
            }
        ),
    )


@page("au", sku=True)
def neto(goods: Goods) -> str:
    """Australia's hosting: itemprop on the amount, RRP, save, afterpay; sku in a span."""
    return saved(
        goods,
        f'''<div class="wrapper-product-title"><h1 aria-label="Product Name">{goods.name}</h1><span class="text-muted">SKU: <span itemprop="sku">{goods.sku}</span></span></div><div itemprop="offers" itemscope itemtype="http://schema.org/Offer" class="wrapper-pricing"><div class="productprice productpricetext" itemprop="price" content="{goods.number}">{goods.shown}</div><meta itemprop="priceCurrency" content="AUD"><div class="productrrp text-muted">RRP {goods.was_shown}</div><div class="productsave">SAVE 20%</div></div><p>or 4 payments of {show(goods.cents // 4, goods.country)} with afterpay</p><span itemprop="availability" content="http://schema.org/InStock" class="label label-success">In Stock</span><button type="button" title="Add to Cart" class="addtocart btn-primary btn btn-block">Add to Cart</button>''',
    )


@page("nl", sku=True)
def light_speed(goods: Goods) -> str:
    """A Dutch hosting: price with tax words, old price, stock and delivery time in a table."""
    return saved(
        goods,
        f"""<div class="product-page"><h1 class="product-page" itemprop="name">{goods.name}</h1><div class="product-price"><div class="row"><div class="price-wrap col-xs-5"><span class="old-price">{goods.was_shown}</span><span class="price" style="line-height: 45px;">{goods.shown}</span><small class="price-tax">Incl. btw</small></div></div></div><div class="cart"><input value="1"><a href="javascript:;" onclick="$('#product_configure_form').submit();" class="btn glyph cart">Toevoegen aan winkelwagen</a></div><table class="details"><tr><td>Artikelnummer:</td><td>{goods.sku}</td></tr><tr><td>Beschikbaarheid:</td><td><span style="color: green;">Op voorraad</span> (7)</td></tr></table></div>""",
    )


@page("se", sku=True)
def jetshop(goods: Goods) -> str:
    """Sweden: discounted and original amount in classes, article number, stock text."""
    return saved(
        goods,
        f"""<div class="product-page-header-wrapper"><h1 class="product-page-header">{goods.name}</h1></div><div class="product-article-number"><span class="product-article-number-label">Artikelnr:</span><span class="product-article-number-value">{goods.sku}</span></div><div class="product-price-wrapper"><span class="price"><span class="price-amount price-discounted">{goods.shown}</span></span><span class="price-previous"><span class="price-standard">{goods.was_shown}</span></span></div><div class="stock-status in-stock"><span>Finns i lager</span></div><a class="button buy-button" href="#">Köp</a>""",
    )


@page("it", sku=True)
def with_credit(goods: Goods) -> str:
    """Italy: the price in a heading of level three, list price, cash discount, a calculator of rates."""
    return saved(
        goods,
        f"""<div class="scheda"><h1>{goods.name}</h1><p>Cod. art. {goods.sku}</p><h3 class="prezzo">{goods.shown} <small>IVA incl.</small></h3><p>Prezzo di listino: <del>{goods.was_shown}</del></p><p>Pagamento con bonifico: sconto 3%</p><p class="disponibilita">Disponibilità: immediata</p><form action="/carrello/aggiungi"><button>Acquista</button></form><div class="findomestic">Paga in 10 rate da {show(goods.cents // 10, goods.country)}</div></div>""",
    )


@page("jp", sku=True)
def ec_cube(goods: Goods) -> str:
    """Japan's shop program: normal price, selling price with tax, points, code; a form."""
    return saved(
        goods,
        f"""<div class="ec-productRole__profile"><div class="ec-productRole__title"><h2 class="ec-headingTitle">{goods.name}</h2></div><div class="ec-productRole__priceRegular"><span class="ec-productRole__priceRegularPrice">通常価格：<span class="price01-default">￥{digits(goods.was_cents, goods.country)}</span></span><span class="ec-productRole__priceRegularTax">税込</span></div><div class="ec-productRole__price"><div class="ec-price"><span class="ec-price__price price02-default">￥{digits(goods.cents, goods.country)}</span><span class="ec-price__tax">税込</span></div></div><div class="ec-productRole__code">商品コード： <span class="product-code-default">{goods.sku}</span></div><form action="/products/add_cart/1"><button type="submit" class="ec-blockBtn--action add-cart">カートに入れる</button></form></div>""",
    )


@page("ua", sku=True)
def horoshop(goods: Goods) -> str:
    """Ukraine: the price in two blocks for phone and desk, old one, article, stock."""
    block = f'<div class="product-price"><div class="product-price__old-price">{goods.was_shown}</div><div class="product-price__item product-price__item--new">{goods.shown}</div></div>'
    return saved(
        goods,
        f"""<div class="product"><div class="product-header"><h1 class="product-title">{goods.name}</h1><div class="product-header__code">Артикул: {goods.sku}</div><div class="product-header__availability">В наявності</div></div><div class="product__column mobile">{block}</div><div class="product__column">{block}<div class="product-order"><a class="btn __special j-buy-button-add" href="#"><span class="btn-content">Купити</span></a></div></div></div>""",
    )


@page("uk", sku=True)
def trade_catalogue(goods: Goods) -> str:
    """A hashed headless shop with markup that has a price without tax, both shown."""
    without = goods.cents * 10 // 12
    return saved(
        goods,
        f"""<div class="sc-1"><h1 class="sc-2">{goods.name}</h1><div class="sc-3"><div class="sc-4"><span>{goods.shown}</span> <span>inc VAT</span></div><div class="sc-5"><span>{show(without, goods.country)}</span> <span>ex VAT</span></div></div><button class="sc-6">Add to basket</button><ul><li>Code {goods.sku}</li></ul></div>""",
        head=json_ld(product_ld(goods)),
    )


@page("us", is_priced=False)
def request_quote(goods: Goods) -> str:
    """A dealer who wants to be asked; accessories are priced."""
    rows = "".join(
        f'<tr><td><a href="/a/{n}">{name}</a></td><td>{show(cents, goods.country)}</td><td><button>Add</button></td></tr>'
        for n, (name, cents) in enumerate(goods.others[:3])
    )
    return saved(
        goods,
        f"""<div class="prod"><h1>{goods.name}</h1><p class="price">Price on request</p><a class="btn" href="/quote">Request a quote</a><h3>Spare parts</h3><table>{rows}</table></div>""",
    )


@page("us", is_priced=False)
def sizes_cost_differently(goods: Goods) -> str:
    """Sizes at their own prices in markup and in a menu; nothing is chosen."""
    offers = [
        {
            "@type": "Offer",
            "sku": f"{goods.sku}{n}",
            "price": number(goods.cents + n * 700, goods.country),
            "priceCurrency": "USD",
        }
        for n in range(3)
    ]
    options = "".join(
        f"<option>Size {n} - {show(goods.cents + n * 700, goods.country)}</option>" for n in range(3)
    )
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><select><option>Choose a size</option>{options}</select><button disabled>Add to cart</button></main>""",
        head=json_ld(product_ld(goods) | {"offers": offers}),
    )
