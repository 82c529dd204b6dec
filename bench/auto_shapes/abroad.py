"""Money of further countries, each in the notation of its shops."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

from collections.abc import Callable

from bench.auto_shapes.frame import page, related
from bench.auto_shapes.goods import Goods
from bench.auto_shapes.newcomers import share_of

_BUY = {
    "kr": "장바구니 담기", "vn": "Thêm vào giỏ hàng", "ru": "Добавить в корзину", "tr": "Sepete Ekle", "hu": "Kosárba",
    "ro": "Adaugă în coș", "ar": "Agregar al carrito", "mx": "Agregar al carrito", "th": "เพิ่มลงตะกร้า", "id": "Tambah ke Keranjang",
    "za": "Add to Cart", "pe": "Agregar al carro", "bg": "Добави в количката", "ua": "Купити", "il": "הוסף לסל",
    "ae": "Add to cart", "cl": "Agregar al carro", "gr": "Προσθήκη στο καλάθι", "cn": "加入购物车", "sg": "Add to Cart",
}  # fmt: skip
ABROAD_COUNTRIES = tuple(_BUY)


def _button(goods: Goods) -> str:
    tail = goods.country.host.rpartition(".")[2]
    return f'<button class="b1">{_BUY.get(tail, "Add to cart")}</button>'


def named_abroad(goods: Goods) -> str:
    """A plain shop with a crossed-out price, as everywhere."""
    return page(
        goods,
        f'<div class="product"><h1>{goods.name}</h1><div class="price"><del>{goods.was_shown}</del> <ins>{goods.shown}</ins></div>{_button(goods)}</div>',
        after=related(goods, style="plain"),
    )


def hashed_abroad(goods: Goods) -> str:
    """No telling name; instalments below the price."""
    return page(
        goods,
        f'<div class="c1"><h1 class="c2">{goods.name}</h1><div class="c3"><span class="c4">{goods.shown}</span></div><div class="c5"><span>12 x {share_of(goods, 9)}</span></div>{_button(goods)}</div>',
        after=related(goods, style="obfuscated"),
    )


ABROAD: tuple[Callable[[Goods], str], ...] = (named_abroad, hashed_abroad)
