"""Still more shops, as retailers of several countries build their price blocks; written in one go before trying them."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

from collections.abc import Callable

from bench.auto_shapes.frame import page, related
from bench.auto_shapes.goods import Goods, digits, show

BUTTON = '<button type="button">Add to cart</button>'


def _parts(goods: Goods) -> tuple[str, str]:
    whole, _, cents = digits(goods.cents, goods.country).partition(goods.country.point)
    return whole, cents


def _around(goods: Goods, block: str, *, button: str = BUTTON, tail: str = "plain") -> str:
    return page(
        goods,
        f'<div class="pdp-layout"><div class="col-l"></div><div class="col-r"><h1>{goods.name}</h1><div class="rating">4.4 (87)</div>{block}{button}</div></div>{related(goods, style=tail)}',
    )


def computer_parts(goods: Goods) -> str:
    whole, cents = _parts(goods)
    tail = f"<sup>{goods.country.point}{cents}</sup>" if cents else ""
    return _around(
        goods,
        f'<ul class="price"><li class="price-was"><span class="price-was-data">{goods.was_shown}</span></li><li class="price-current"><span class="price-current-label"></span>{goods.country.before}<strong>{whole}</strong>{tail}{goods.country.after}&nbsp;<span class="price-current-num"></span></li><li class="price-save">Save: <span class="price-save-percent">11%</span></li><li class="price-ship">Free Shipping</li></ul>',
    )


def craft_market(goods: Goods) -> str:
    return _around(
        goods,
        f'<div data-buy-box-region="price"><p class="wt-text-title-03 wt-mr-xs-2"><span class="wt-screen-reader-only">Price:</span> {goods.shown}</p><p class="wt-text-strikethrough"><span class="wt-screen-reader-only">Original Price:</span>{goods.was_shown}</p></div>',
        tail="obfuscated",
    )


def sign_between(goods: Goods) -> str:
    whole, cents = _parts(goods)
    text = f'{whole}<span class="fpCents">€{cents}</span>' if cents else f"{whole} €"
    return _around(
        goods,
        f'<div class="fpPriceBloc"><span class="fpPrice price priceColor jsMainPrice">{text}</span><span class="fpStriked">{goods.was_shown}</span></div>',
        button='<input type="submit" value="Ajouter au panier">',
    )


def sign_then_sup(goods: Goods) -> str:
    whole, cents = _parts(goods)
    text = f"{whole}€<sup>{cents}</sup>" if cents else f"{whole} €"
    return _around(
        goods,
        f'<div class="f-faPriceBox"><span class="f-faPriceBox__price userPrice checked">{text}</span></div>',
        button="<button>Ajouter au panier</button>",
    )


def bare_sup(goods: Goods) -> str:
    whole, cents = _parts(goods)
    tail = f'<sup class="promo-price__fraction" data-test="price-fraction">{cents}</sup>' if cents else ""
    return _around(
        goods,
        f'<section class="buy-block__price-module"><div class="price-block__highlight"><span class="promo-price" data-test="price">{whole}{tail}</span></div><del data-test="list-price" class="buy-block__list-price">{digits(goods.was_cents, goods.country)}</del></section>',
        button="<a class='btn' href='/add'>In winkelwagen</a>",
    )


def pet_food(goods: Goods) -> str:
    return _around(
        goods,
        f'<ul class="product-pricing"><li class="list-price"><p class="title">List Price:</p><p class="price">{goods.was_shown}</p></li><li class="our-price"><p class="title">Price:</p><p class="price"><span class="ga-eec__price">{goods.shown}</span> & FREE Shipping</p></li><li class="autoship-pricing"><p class="title">Autoship Price:</p><p class="price">{show(goods.cents * 95 // 100, goods.country)}</p></li></ul>',
    )


def home_improvement(goods: Goods) -> str:
    whole, cents = _parts(goods)
    tail = f"<sup>{goods.country.point}{cents}</sup>" if cents else ""
    return _around(
        goods,
        f'<div class="main-price split split-left"><span class="aPrice large"><sup class="dollars">{goods.country.before}</sup>{whole}{tail}<span>{goods.country.after}</span></span></div><div class="was-price">Was {goods.was_shown}</div><div class="savings">Save {show(goods.was_cents - goods.cents, goods.country)}</div>',
    )


def integer_called_fraction(goods: Goods) -> str:
    whole, cents = _parts(goods)
    tail = f'<span class="price-tag-cents">{cents}</span>' if cents else ""
    return _around(
        goods,
        f'<div class="ui-pdp-price"><span class="price-tag ui-pdp-price__part"><span class="price-tag-text-sr-only"></span><span class="price-tag-amount" aria-hidden="true"><span class="price-tag-symbol">{goods.country.before or goods.country.after}</span><span class="price-tag-fraction">{whole}</span>{tail}</span></span></div>',
        button="<button>Comprar ahora</button>",
    )


def shoes(goods: Goods) -> str:
    return _around(
        goods,
        f'<div class="product-price__wrapper"><div class="product-price css-11s12ax is--current-price" data-test="product-price-reduced">{goods.shown}</div><div class="product-price is--striked-out" data-test="product-price">{goods.was_shown}</div></div>',
    )


def tools_and_tax(goods: Goods) -> str:
    return _around(
        goods,
        f'<div class="pr__pricepoint"><div class="pr__price" id="product_price">{goods.shown} <span class="lg-unit">Inc Vat</span></div><div class="pr__price-ex">{show(goods.cents * 5 // 6, goods.country)} <span>Ex Vat</span></div></div>',
    )


def tax_in_brackets(goods: Goods) -> str:
    return _around(
        goods,
        f'<div class="item-price">{show(int(goods.cents / 1.1), goods.country)}(税抜) / <span class="taxin">{goods.shown}(税込)</span></div>',
        button="<button>カートに入れる</button>",
    )


def department_sale(goods: Goods) -> str:
    return _around(
        goods,
        f'<div class="price-wrapper"><div class="c-red lowest-sale-price"><span class="bold c-red">Now {goods.shown}</span> <span>(15% off)</span></div><div class="c-strike">{goods.was_shown}</div></div><div class="star-money">Earn Bonus Money worth {show(1000, goods.country)}</div>',
    )


def camera_dealer(goods: Goods) -> str:
    return _around(
        goods,
        f'<div data-selenium="pricingContainer"><div class="price_1DPoToKr" data-selenium="pricingPrice">{goods.shown}</div><div class="monthly_2x"><span>or {show(goods.cents // 12, goods.country)}/mo</span></div></div>',
        tail="obfuscated",
    )


def label_for_ears(goods: Goods) -> str:
    whole, cents = _parts(goods)
    text = f'{whole}{goods.country.point}<span class="_q4">{cents}</span>' if cents else whole
    return _around(
        goods,
        f'<div class="_1h7wt" aria-label="cena {goods.shown}">{goods.country.before}{text}{goods.country.after}</div><div class="_9a">dostawa od {show(899, goods.country)}</div>',
        button="<button>dodaj do koszyka</button>",
        tail="obfuscated",
    )


def hashed_with_percent(goods: Goods) -> str:
    percent = round((goods.was_cents - goods.cents) * 100 / goods.was_cents)
    return (
        _around(
            goods,
            f'<div class="_25b18c"><div class="_30jeq3">{goods.shown}</div><div class="_3I9_wc">{goods.was_shown}</div><div class="_3Ay6Sb"><span>{max(percent, 3)}% off</span></div></div>',
            tail="obfuscated",
        )
        if percent >= 3
        else _around(
            goods, f'<div class="_25b18c"><div class="_30jeq3">{goods.shown}</div></div>', tail="obfuscated"
        )
    )


def book_formats(goods: Goods) -> str:
    formats = "".join(
        f'<a class="format-tab" href="/b/{i}"><span>{kind}</span><span class="format-price">{show(goods.others[i][1], goods.country)}</span></a>'
        for i, kind in enumerate(("Paperback", "eBook", "Audio CD"))
    )
    return _around(
        goods,
        f'<div id="prodPromo"><span id="pdp-cur-price" class="price current-price"><sup>{goods.country.before}</sup>{digits(goods.cents, goods.country)}{goods.country.after}</span> <s class="old-price">{goods.was_shown}</s></div><div id="formats">{formats}</div>',
    )


def game_store(goods: Goods) -> str:
    return _around(
        goods,
        f'<div class="game_purchase_action"><div class="discount_block"><div class="discount_pct">-10%</div><div class="discount_prices"><div class="discount_original_price">{goods.was_shown}</div><div class="discount_final_price">{goods.shown}</div></div></div></div>',
    )


def mail_order(goods: Goods) -> str:
    return _around(
        goods,
        f'<div class="prd_price"><div class="prd_price__main"><span id="normalPriceAmount">{goods.shown}</span></div><div class="prd_price__info">inkl. MwSt. zzgl. <a href="/v">Versandkosten</a></div><div class="prd_rate">oder ab {show(goods.cents // 20, goods.country)} mtl. in 24 Raten</div></div><div>inkl. {show(500, goods.country)} Gutschein</div>',
        button="<button>In den Warenkorb</button>",
    )


def office_supplies(goods: Goods) -> str:
    return _around(
        goods,
        f'<div class="od-product-price"><span class="od-graphql-price-big"><span class="od-graphql-price-big-price">{goods.shown}</span><span class="od-graphql-price-big-label"> / each</span></span></div><table class="bulk-pricing"><tr><td>5+</td><td>{show(goods.cents - 50, goods.country)}</td></tr><tr><td>10+</td><td>{show(goods.cents - 90, goods.country)}</td></tr></table>',
    )


def lowest_of_thirty_days(goods: Goods) -> str:
    return _around(
        goods,
        f'<div class="basic-price"><span class="main-price is-big">{goods.shown}</span></div><div class="omnibus">Najniższa cena z 30 dni przed obniżką: {show(goods.cents - 400, goods.country)}</div><div class="catalog">Cena regularna: {goods.was_shown}</div>',
        button="<button>Do koszyka</button>",
    )


def title_below_price(goods: Goods) -> str:
    return page(
        goods,
        f'<div class="wrap"><div class="hero-price">{goods.shown}</div><h1>{goods.name}</h1><p>Fine thing.</p>{BUTTON}</div>{related(goods, style="shopify")}',
    )


FURTHER: tuple[Callable[[Goods], str], ...] = (
    computer_parts, craft_market, bare_sup, pet_food, home_improvement, integer_called_fraction, shoes, tools_and_tax,
    department_sale, camera_dealer, label_for_ears, hashed_with_percent, book_formats, game_store, mail_order,
    office_supplies, lowest_of_thirty_days, title_below_price,
)  # fmt: skip
ONLY_EURO: tuple[Callable[[Goods], str], ...] = (sign_between, sign_then_sup)
ONLY_YEN: tuple[Callable[[Goods], str], ...] = (tax_in_brackets,)
