"""Round three: brands, specialists and marketplaces whose pages tell machines little or nothing."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

from bench.auto_shapes.frame import json_ld, product_ld
from bench.auto_shapes.goods import Goods, digits, number, show
from bench.auto_shapes.newcomers import share_of
from bench.auto_shapes.shape import Round, saved

ROUND_THREE = page = Round()


@page("it", sku=True)
def spanish_fashion(goods: Goods) -> str:
    """Fast fashion: amount and code in one element, a code of the colour, sizes with their own stock words."""
    sizes = "".join(
        f'<li class="size-selector-list__item"><button><span>{size}</span>{note}</button></li>'
        for size, note in (("S", ""), ("M", " Poche unità"), ("L", " Prodotto esaurito Avvisami"))
    )
    return saved(
        goods,
        f"""<main><div class="product-detail-info"><div class="product-detail-info__header"><h1 class="product-detail-info__header-name">{goods.name}</h1><div class="product-detail-info__price"><span class="price__amount price__amount--on-sale"><div class="money-amount price-formatted"><span class="money-amount__main">{digits(goods.cents, goods.country)} EUR</span></div></span><span class="price__amount price__amount--old price-old"><div class="money-amount"><span class="money-amount__main">{digits(goods.was_cents, goods.country)} EUR</span></div></span></div></div><p class="product-color-extended-name">BIANCO | {goods.sku}</p><p>Riferimento {goods.sku}</p><ul>{sizes}</ul><button class="product-cart-buttons__add-to-cart">Aggiungi</button></div></main>""",
    )


@page("us")
def swoosh(goods: Goods) -> str:
    """Sports brand: test hooks, price for members in a sentence, styles listed as links with pictures."""
    return saved(
        goods,
        f"""<div id="pdp"><div data-testid="product-title-wrap"><h1 id="pdp_product_title" data-testid="product_title">{goods.name}</h1><h2 data-testid="product_subtitle">Men's Shoes</h2></div><div id="price-container" data-testid="price-container"><span data-testid="currentPrice-container" class="nds-text">{goods.shown}</span> <span data-testid="initialPrice-container" class="nds-text">{goods.was_shown}</span><span data-testid="OfferPercentage">20% off</span></div><fieldset><legend>Select Size</legend><div><input type="radio" id="s1"><label for="s1">M 8</label></div></fieldset><div><button type="button" class="nds-btn" aria-label="Add to Bag">Add to Bag</button></div><p>Shown: Black/White</p></div>""",
    )


@page("us", availability="in_stock")
def department_red_star(goods: Goods) -> str:
    """A department store: today's price with a bracket, reg. price, an extra with a code and the price it makes."""
    return saved(
        goods,
        f"""<div class="product-wrapper"><div class="product-title"><h1><label itemprop="brand"><a href="/b">Harbour</a></label> <span class="body">{goods.name}</span></h1></div><div class="price-wrapper"><div class="lowest-sale-price"><span class="bold c-red">Sale {goods.shown}</span> <span class="discount">(20% off)</span></div><div class="c-strike">Reg. {goods.was_shown}</div></div><div class="bonus-offer"><p>Extra 15% off: {share_of(goods, 85)} after code SAVE</p><p>Star Rewards: earn {show(300, goods.country)} in Star Money</p></div><div>or 4 payments of {show(goods.cents // 4, goods.country)} with Klarna</div><button class="bag-add" type="button">Add To Bag</button></div>""",
    )


@page("us")
def telephone_shop(goods: Goods) -> str:
    """Shopping television: easy pays, list value, price of the shop; the title in a heading of level two."""
    return saved(
        goods,
        f"""<div class="pdpShortDescription"><h1 class="h3">{goods.name}</h1></div><div class="pricesAndEasyPay"><div class="retailValue"><span>Retail Value:</span> <span>{goods.was_shown}</span></div><div class="qPrice"><span class="label">Our Price:</span> <span class="pdPrice">{goods.shown}</span></div><div class="easyPay">or 5 Easy Pays of {show(goods.cents // 5, goods.country)}</div><div class="sh">S&amp;H: {show(350, goods.country)}</div></div><button id="btnAddToCart">Add to Cart</button>""",
    )


@page("us", sku=True)
def industrial(goods: Goods) -> str:
    """Industry: a web price per each, a pack, the item number in front, a table of documents."""
    return saved(
        goods,
        f"""<main><div class="vp"><div>HARBOUR</div><h1 class="lypQpT">{goods.name}</h1><dl><dt>Item</dt><dd>{goods.sku}</dd><dt>Mfr. Model</dt><dd>HB-77</dd><dt>UNSPSC #</dt><dd>27111515</dd></dl></div><aside class="xx"><div class="rbjEp">Web Price</div><div><span class="HANkB">{goods.shown}</span> <span>/ each</span></div><div>This item requires special shipping, additional charges may apply.</div><div><label>Qty</label><input value="1"></div><div><button>Add to Cart</button></div><div>Shipping Weight 0.4 lbs</div></aside></main>""",
    )


@page("uk", sku=True)
def components(goods: Goods) -> str:
    """Electronic parts: price with and without tax side by side, then a table of quantities."""
    without = show(goods.cents * 10 // 12, goods.country)
    rows = "".join(
        f"<tr><td>{low} - {low * 5 - 1}</td><td>{share_of(goods, part)}</td></tr>"
        for low, part in ((5, 95), (25, 90), (125, 80))
    )
    return saved(
        goods,
        f"""<div class="pdp"><h1>{goods.name}</h1><div class="keys">RS Stock No.: <span>{goods.sku}</span> Mfr. Part No.: <span>HB-77</span></div><div class="stock"><b>128 In stock</b> for next working day delivery</div><div class="pricebox"><p>Price Each</p><p class="ex">{without}</p><p>(exc. VAT)</p><p class="inc">{goods.shown}</p><p>(inc. VAT)</p></div><button>Add to Basket</button><table class="breaks"><tr><th>Units</th><th>Per unit</th></tr>{rows}</table></div>""",
    )


@page("uk")
def trade_counter(goods: Goods) -> str:
    """Tools: the price with tax large, the price without in small print beside a toggle."""
    return saved(
        goods,
        f"""<main><h1 id="product_description"><span itemprop="name">{goods.name}</span> <span class="code">(984PX)</span></h1><div class="pr__prices"><div class="pr__price" id="product_price"><span>{goods.shown}</span><span class="pr__vat"> Inc Vat</span></div><div class="pr__ex">{show(goods.cents * 10 // 12, goods.country)} Ex Vat</div></div><button class="btn btn--blue">Click &amp; Collect</button><button class="btn btn--blue add">Deliver</button><p>In stock for delivery</p></main>""",
    )


@page("de", sku=True)
def music_house(goods: Goods) -> str:
    """Instruments: a whole price, stock with a green light, a hotline, the list of what others bought."""
    return saved(
        goods,
        f"""<div class="product-text"><h1 class="product-title">{goods.name}</h1></div><div class="price-and-availability"><div class="price-wrapper"><div class="price"><span class="price__primary">{goods.shown}</span></div><div class="price__subline">Alle Preise inkl. MwSt. Versandkostenfrei</div></div><div class="availability"><span class="fx-availability fx-availability--in-stock">Sofort lieferbar</span></div></div><form action="/basket"><button class="fx-button">In den Warenkorb</button></form><div class="keyfeature"><span>Artikelnummer</span><span>{goods.sku}</span></div><div>30 Tage Money-Back, 3 Jahre Garantie</div>""",
    )


@page("cz", sku=True)
def green_alien(goods: Goods) -> str:
    """Czech electronics: whole crowns with comma and dash, price without tax below, instalments, code."""
    return saved(
        goods,
        f"""<div id="detailText"><h1 itemprop="name">{goods.name}</h1></div><div class="price-detail__row"><div class="price-box"><span class="price-box__price-text"><span class="price-box__price">{digits(goods.cents, goods.country)},-</span></span><span class="price-box__without-vat">bez DPH {digits(goods.cents * 100 // 121, goods.country)},-</span><span class="price-box__compare-price">{digits(goods.was_cents, goods.country)},-</span></div><div>od {digits(max(goods.cents // 20, 10000), goods.country)} Kč měsíčně</div></div><div><span class="stcStock">Skladem &gt; 5 ks</span></div><a class="btnx normal green buy" href="javascript:">Do košíku</a><div>Kód: {goods.sku}</div>""",
    )


@page("ro", sku=True)
def romanian_giant(goods: Goods) -> str:
    """Romania: whole, raised decimals, currency in an element; the old price in small; points and rates."""
    whole, cents = digits(goods.cents, goods.country).split(",")
    was, was_cents = digits(goods.was_cents, goods.country).split(",")
    return saved(
        goods,
        f"""<div class="page-header"><h1 class="page-title">{goods.name}</h1><span class="product-code-display">Cod produs: {goods.sku}</span></div><div class="main-product-form"><div class="pricing-block"><p class="product-old-price">PRP: <s>{was}<sup><small class="mf-decimal">&#44;</small>{was_cents}</sup> <span>Lei</span></s></p><p class="product-new-price has-deal">{whole}<sup><small class="mf-decimal">&#44;</small>{cents}</sup> <span>Lei</span></p></div><p class="rate">sau {share_of(goods, 9)}/luna in 12 rate</p><div class="stock-and-genius"><span class="label label-in_stock">în stoc</span></div><button type="submit" class="btn btn-primary yeahIWantThisProduct"><span>Adaugă în Coș</span></button></div>""",
    )


@page("tr")
def trend_road(goods: Goods) -> str:
    """Turkey: original, discounted and basket price; coupons with amounts between."""
    return saved(
        goods,
        f"""<div class="product-detail-container"><h1 class="pr-new-br"><a href="/harbour">Harbour</a> <span>{goods.name}</span></h1><div class="product-price-container"><div class="pr-bx-nm with-org-prc"><span class="prc-org">{goods.was_shown}</span><span class="prc-dsc">{goods.shown}</span></div></div><div class="coupons"><div>{show(5000, goods.country)} Kupon <small>Alt limit {show(40000, goods.country)}</small></div></div><div>Sepette %5 indirim</div><button class="add-to-basket"><div class="add-to-basket-button-text">Sepete Ekle</div></button></div>""",
    )


@page("kr")
def rocket(goods: Goods) -> str:
    """Korea: percent, struck price, sale price and member price in bold; points for reviews."""
    return saved(
        goods,
        f"""<div class="prod-buy"><h2 class="prod-buy-header__title">{goods.name}</h2><div class="prod-price"><div class="prod-origin-price"><span class="discount-rate">20%</span> <span class="origin-price">{goods.was_shown}</span></div><div class="prod-sale-price"><span class="total-price"><strong>{digits(goods.cents, goods.country)}<span class="price-unit">원</span></strong></span><span class="unit-price">(1개당 {share_of(goods, 50)})</span></div></div><div class="prod-shipping-fee">배송비 {show(300000, goods.country)}</div><button class="prod-cart-btn">장바구니 담기</button><button class="prod-buy-btn">바로구매</button></div>""",
    )


@page("id")
def archipelago(goods: Goods) -> str:
    """Indonesia: price without space after the sign, struck price and percent below, vouchers in rows."""
    return saved(
        goods,
        f"""<div id="pdp_comp-product_content"><h1 data-testid="lblPDPDetailProductName">{goods.name}</h1><div class="items"><p>Terjual <span>250+</span></p><span>4.9 (87 rating)</span></div><div class="price" data-testid="lblPDPDetailProductPrice">{goods.shown}</div><div class="original-price"><span data-testid="lblPDPDetailDiscountPercentage">20%</span><span data-testid="lblPDPDetailOriginalPrice">{goods.was_shown}</span></div></div><div><h3>Voucher toko</h3><div>Diskon {show(1000000, goods.country)} Min. belanja {show(10000000, goods.country)}</div></div><div id="pdp_comp-shipment_v4"><p>Ongkir mulai {show(900000, goods.country)}</p></div><div><p>Stok Total: <b>Sisa 12</b></p><p>Subtotal</p><p>{goods.shown}</p></div><button type="button"><span>+ Keranjang</span></button>""",
    )


@page("za", sku=True)
def cape(goods: Goods) -> str:
    """South Africa: R with a space, a list price struck by a class, credit terms below."""
    return saved(
        goods,
        f"""<div class="pdp-module"><h1>{goods.name}</h1><div class="buybox-module_price"><span class="currency plus currency-module_currency" data-ref="buybox-price-main">{goods.shown}</span><span class="strike-through" data-ref="list-price">{goods.was_shown}</span></div><div>Credit price from {share_of(goods, 9)} x 12 months</div><div data-ref="stock-availability-status">In stock</div><a class="button add-to-cart-button" href="#"><span>Add to Cart</span></a><div class="specs"><span>Product code</span> <span>{goods.sku}</span></div></div>""",
    )


@page("us", sku=True)
def pet_supplies(goods: Goods) -> str:
    """Pets: autoship price first, the price for once, per pound, list price; quantity and a gift card offer."""
    return saved(
        goods,
        f"""<div class="kib-product"><h1 data-testid="product-title-heading" class="styles_productName">{goods.name}</h1><div class="kib-price" data-testid="pricing"><div data-testid="advertised-price">{goods.shown}<span class="kib-sr">Chewy Price</span></div><div class="kib-unit">({share_of(goods, 3)}/lb)</div><div data-testid="strike-through-price">{goods.was_shown}<span class="kib-sr">List Price</span></div></div><div class="autoship"><div><b>{share_of(goods, 65)}</b> first-time Autoship (35% off)</div><div>{share_of(goods, 95)} for future orders (5% off)</div></div><p data-testid="stock">In Stock</p><p>Free $30 eGift Card with $100+ first order</p><button>Add to Cart</button><table><tr><th>Item Number</th><td>{goods.sku}</td></tr></table></div>""",
    )


@page("us", availability="in_stock")
def games_and_pro(goods: Goods) -> str:
    """Games: price, price for the paying club, pre-owned tab, trade-in credit."""
    return saved(
        goods,
        f"""<div class="product-detail"><h1 class="product-name-section">{goods.name}</h1><div class="condition"><button class="selected">New <span>{goods.shown}</span></button><button>Pre-Owned <span>{share_of(goods, 75)}</span></button></div><div class="primary-details-row"><span class="actual-price">{goods.shown}</span><span class="pro-price">{share_of(goods, 95)} for Pros</span></div><div>Trade in and get up to {show(2500, goods.country)} credit</div><button class="add-to-cart">Add to Cart</button></div>""",
    )


@page("uk", availability="out_of_stock")
def current_price_is(goods: Goods) -> str:
    """WooCommerce of today: sentences for the ears say which was and which is; sold out."""

    def bdi(cents: int) -> str:
        return f'<span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">&pound;</span>{digits(cents, goods.country)}</bdi></span>'

    return saved(
        goods,
        f"""<div class="product outofstock"><div class="summary entry-summary"><h1 class="product_title entry-title">{goods.name}</h1><p class="price"><del aria-hidden="true">{bdi(goods.was_cents)}</del> <span class="screen-reader-text">Original price was: {goods.was_shown}.</span><ins aria-hidden="true">{bdi(goods.cents)}</ins><span class="screen-reader-text">Current price is: {goods.shown}.</span></p><p class="stock out-of-stock">Out of stock</p></div></div><section class="related products"><h2>Related products</h2><ul class="products"><li class="product"><a href="/x"><h2>Other</h2><span class="price">{bdi(900)}</span></a><a class="button add_to_cart_button" href="?add-to-cart=3">Add to cart</a></li></ul></section>""",
    )


@page("us")
def logo_is_heading(goods: Goods) -> str:
    """The first heading is the shop, the product's name is the second level; a template with no names at all."""
    return saved(
        goods,
        f"""<h1><a href="/"><img alt="Harbour">Harbour &amp; Sons</a></h1><table width="100%"><tr><td><img></td><td><h2>{goods.name}</h2><font color="red"><b>{goods.shown}</b></font><br><small>List: <strike>{goods.was_shown}</strike></small><br><input type="submit" value="Add to Cart"></td></tr></table>""",
        title=f"{goods.name} - Harbour &amp; Sons",
    )


@page("ca")
def price_above_title(goods: Goods) -> str:
    """A column with price and button stands before the name in the source."""
    return saved(
        goods,
        f"""<div class="pd"><div class="side"><div class="p-now">{goods.shown}</div><div class="p-note">plus tax and shipping from {show(995, goods.country)}</div><button>Add to cart</button></div><div class="mid"><h1>{goods.name}</h1><p>Made for harbours. Weighs 3.5 kg, 12 x 40 cm.</p></div></div>""",
    )


@page("us", sku=True)
def laptop_maker(goods: Goods) -> str:
    """A maker of computers: estimated value, saving, price; financing and a reward; order code."""
    return saved(
        goods,
        f"""<div class="cf-hero"><h1>{goods.name}</h1><div class="ps-order-code">Order Code <span>{goods.sku}</span></div><div class="ps-price"><div class="ps-orig"><span>Estimated Value</span> <span>{goods.was_shown}</span></div><div class="ps-sav">You Save {show(goods.was_cents - goods.cents, goods.country)} (20%)</div><div class="ps-dell-price"><span class="ps-label">Price</span> <span class="ps-amt">{goods.shown}</span></div></div><div class="ps-fin">Financing as low as {share_of(goods, 3)}/mo.^</div><div>Up to {share_of(goods, 3)} back in rewards</div><button>Add to Cart</button></div>""",
    )


@page("us")
def fruit(goods: Goods) -> str:
    """Price once or by the month in one sentence."""
    return saved(
        goods,
        f"""<div class="rf-pdp"><h1 class="rf-pdp-title" data-autom="productTitle">{goods.name}</h1><div class="rc-prices"><div class="rc-prices-fullprice" data-autom="full-price"><span class="rc-prices-currentprice">{goods.shown}</span></div><span>or {share_of(goods, 8)}/mo. for 12 mo.<sup>*</sup></span></div><div>Get {show(4000, goods.country)}-{show(63000, goods.country)} off with a trade-in</div><button name="add-to-cart" value="add-to-cart">Add to Bag</button><div>Delivery: In stock. Free next-day delivery</div></div>""",
    )


@page("fr", sku=True)
def beauty_fr(goods: Goods) -> str:
    """Perfume: a price per size in a list, the chosen one selected, per hundred millilitres, the old one."""
    sizes = "".join(
        f'<div class="variation {chosen}"><span class="vol">{vol} ml</span><span class="var-price">{show(cents, goods.country)}</span></div>'
        for vol, cents, chosen in (
            (30, goods.cents * 6 // 10, ""),
            (50, goods.cents, "selected"),
            (100, goods.cents * 15 // 10, ""),
        )
    )
    return saved(
        goods,
        f"""<div class="pdp-main"><h1 class="product-name-pdp"><span class="brand">Harbour</span> <span class="title">{goods.name}</span></h1><div class="variations-list">{sizes}</div><div class="pdp-price"><div class="price-sales price-sales-standard"><span>{goods.shown}</span></div><span class="unit">{share_of(goods, 200)} / 100ml</span></div><p>Réf. {goods.sku}</p><button class="add-to-cart">Ajouter au panier</button></div>""",
        head=json_ld(
            product_ld(goods)
            | {
                "offers": {
                    "@type": "AggregateOffer",
                    "lowPrice": number(goods.cents * 6 // 10, goods.country),
                    "highPrice": number(goods.cents * 15 // 10, goods.country),
                    "priceCurrency": "EUR",
                    "offerCount": 3,
                }
            }
        ),
    )


@page("es" if False else "mx", sku=True)
def liver(goods: Goods) -> str:
    """Mexico: whole and cents without point in sup, monthly without interest, list price, code."""
    return saved(
        goods,
        f"""<main><h1 class="a-product__information--title">{goods.name}</h1><p class="no-margin a-product__information--productCode">Código de Producto: <span>{goods.sku}</span></p><div class="m-product__price-collection"><p class="a-product__paragraphRegularPrice m-0 d-inline">${digits(goods.was_cents, goods.country)[:-3]}<sup>{goods.was_cents % 100:02d}</sup></p><p class="a-product__paragraphDiscountPrice m-0 d-inline">${digits(goods.cents, goods.country)[:-3]}<sup>{goods.cents % 100:02d}</sup></p></div><p>Hasta 12 meses sin intereses de {share_of(goods, 8)}</p><button id="opc_pdp_addCartButton">Agregar a mi bolsa</button></main>""",
    )


@page("dk", sku=True)
def danish(goods: Goods) -> str:
    """Denmark: kr. and whole in spans, the price before, freight, delivery in days."""
    return saved(
        goods,
        f"""<div class="product-detail"><h1>{goods.name}</h1><div class="varenr">Varenr. {goods.sku}</div><div class="prices"><div class="before">Før {goods.was_shown}</div><div class="now"><span class="value">{goods.shown}</span></div><div class="fragt">+ fragt {show(3900, goods.country)}</div></div><div class="lager"><span class="dot"></span>På lager - levering 1-2 hverdage</div><button>Læg i kurv</button></div>""",
    )


@page("us", is_priced=False)
def starting_prices(goods: Goods) -> str:
    """Furniture made to order: a range and nothing chosen."""
    return saved(
        goods,
        f"""<main><h1>{goods.name}</h1><div class="product-price"><span class="price-range"><span>{goods.shown}</span> – <span>{show(goods.cents * 2, goods.country)}</span></span></div><select><option>Choose fabric</option></select><button>Add to cart</button></main>""",
    )


@page("us", is_priced=False)
def a_search(goods: Goods) -> str:
    """A page of results with filters by price and no product of its own."""
    cards = "".join(
        f'<div class="grid-tile"><a href="/p/{n}"><img alt=""><span class="n">{name}</span></a><div class="pr">{show(cents, goods.country)}</div></div>'
        for n, (name, cents) in enumerate(goods.others * 3)
    )
    return saved(
        goods,
        f"""<main><h1>Kettles</h1><div class="facets"><label>Under {show(2500, goods.country)}</label><label>{show(2500, goods.country)} to {show(5000, goods.country)}</label></div><div class="grid">{cards}</div></main>""",
        title="Kettles | Harbour &amp; Sons",
    )
