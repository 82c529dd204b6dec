"""The button that buys: it shows where the product's box is, and whether one can have it now."""

from __future__ import annotations

import re
from dataclasses import dataclass

from limpet.apps.prices.models.auto import naming
from limpet.apps.prices.models.auto.cards import is_in_a_card
from limpet.apps.prices.models.auto.outline import Element, Outline

_BUYS = re.compile(
    r"\badd\b.{0,12}\bto\b.{0,12}\b(?:cart|bag|basket|trolley|order)\b|^\s*buy(?: it)? (?:now|for)\b"
    r"|^\s*(?:buy|add|purchase|order now|add to order|aggiungi|añadir|adicionar|ajouter|hinzufügen|toevoegen|dodaj)\s*$"
    r"|in (?:den|die|meinen) (?:warenkorb|einkaufswagen|einkaufstasche|korb)|in den wk|jetzt kaufen"
    r"|zum warenkorb hinzufügen"
    r"|ajouter (?:au|à mon|à votre|dans le|à la?) ?(?:panier|cabas|sac|mon panier)?|^\s*acheter"
    r"|aggiungi al (?:carrello|mio carrello)|aggiungi alla (?:borsa|shopping bag)|acquista(?: ora)?"
    r"|metti nel carrello"
    r"|(?:añadir|agregar|anadir) (?:a la|al|a mi) (?:cesta|carrito|carro|bolsa|compra)"
    r"|comprar(?: ahora| ya)?\s*$"
    r"|(?:adicionar|colocar|adicionar ao) (?:ao|no) (?:carrinho|cesto|saco)"
    r"|in (?:mijn |het )?(?:winkelwagen|winkelmandje|winkelmand)|toevoegen aan (?:winkel|mand)|voeg toe"
    r"|lägg (?:i|till i) (?:varukorg|kundvagn|kassen|varukorgen|kundvagnen)|^\s*köp|^\s*handla"
    r"|læg i (?:kurv|indkøbskurv)|tilføj til kurv|^\s*køb"
    r"|legg i (?:handlekurv|handlevogn|kurv)|^\s*kjøp|lisää (?:ostos)?kori|(?:dodaj )?do koszyka"
    r"|(?:přidat |vložit |pridať )?do koš[ií]k[ua]|kosárba"
    r"|sepete ekle|adaug[aă] [iî]n co[sș]|в корзину|купить|カートに入れる|かごに追加|買い物かご"
    r"|カートに追加|加入购物车|立即购买|장바구니|바로구매|구매하기|στο καλάθι"
    r"|thêm vào giỏ|mua ngay|chọn mua"
    r"|(?:เพิ่มลง|ใส่)(?:ใน)?(?:ตะกร้า|รถเข็น)|(?:tambah(?:kan)? ke|\+) keranjang|beli sekarang"
    r"|добави в колич|купити|(?:у|в|до) кошик|(?:הוסף|הוספה) לסל|أضف إلى|dodaj u ko[sš]aric|v košarico",
    re.I,
)
_NAMED = re.compile(
    r"add[-_]?(?:item[-_]?)?to[-_]?(?:cart|bag|basket|trolley)|add2cart|addtocart|btn-?cart"
    r"|buy-?now-?(?:btn|button)?|single_add|product-form__submit"
    r"|add-?cart|buybutton|buy-button|add-to-basket|addtobasket|btn-?buy|binbtn|isCartBtn",
    re.I,
)
_SOLD_OUT = re.compile(
    r"sold[\s-]*out|out[\s-]*of[\s-]*stock|unavailable|not available|ausverkauft"
    r"|nicht (?:verfügbar|lieferbar|auf lager|vorrätig)|vergriffen|rupture|épuisé"
    r"|indisponible|victime de son succès|esaurito|non disponibile|agotado|no disponible|sin existencias"
    r"|esgotado|uitverkocht"
    r"|niet (?:op voorraad|leverbaar|beschikbaar)"
    r"|slut(?:såld)?(?: i lager)?\s*$|ej i lager|udsolgt|ikke på lager|utsolgt|loppu|brak w magazynie"
    r"|niedostępny|wyprzedan|vyprodáno|nedostupn"
    r"|nincs (?:raktáron|készleten)|stoc epuizat|нет в наличии|немає в наявності|품절|hết hàng|สินค้าหมด|stok habis"
    r"|tükendi|stokta yok|εξαντλ|אזל|売り切れ|在庫切れ|品切れ|已售罄|缺货|notify me"
    r"|e-?mail me when|join (?:the )?wait|benachrichtig|prévenez|avvisami|avísame",
    re.I,
)
_LATER = re.compile(
    r"\bpre-?\s?order\b|back-?\s?order|vorbestell|précommand|pre-?ordina|preordina|reserv(?:a|ar) ahora"
    r"|förbeställ|forudbestil|予約",
    re.I,
)
_CART_ACTION = re.compile(
    r"(?:cart|basket|bag|warenkorb|panier|carrello|carrito|koszyk|kosik)\b.{0,20}\badd|add.{0,6}(?:cart|basket|bag)"
    r"|cart/?(?:\?|$)",
    re.I,
)
_BUTTON_TAGS = frozenset(("button", "input", "a", "div", "span"))
_LONGEST_LABEL = 64
_LABELS = ("value", "aria-label", "title", "data-button-text", "alt")


@dataclass(frozen=True, slots=True)
class BuyButton:
    """The button of the product itself."""

    element: Element
    words: str
    is_enabled: bool
    buys: bool = True  # says so, or is named so; else it only says that one cannot

    @property
    def says_sold_out(self) -> bool:
        """Whether the button itself refuses."""
        return bool(_SOLD_OUT.search(self.words))

    @property
    def says_later(self) -> bool:
        """Whether one can order now and gets it some day."""
        return bool(_LATER.search(self.words))


def buy_button(outline: Outline, title: Element | None) -> BuyButton | None:
    """Return the button nearest to the title in the tree, leaving out those of other products."""
    found = [button for each in outline.elements if (button := _as_button(outline, each)) is not None]
    own = [each for each in found if not each.element.marks & (naming.OTHERS | naming.FRAME | naming.HIDDEN)]
    own = [each for each in own if not is_in_a_card(outline, each.element.index, title)]
    if title is None:
        return own[0] if len(own) == 1 else None
    line = outline.ancestry(title.index)
    return max(own, key=lambda each: _nearness(outline, line, each), default=None)


def _nearness(outline: Outline, line: list[int], button: BuyButton) -> tuple[int, int, int, int]:
    shared = common_ancestor(outline, line, button.element.index)
    follows = button.element.index > line[0]
    distance = abs(button.element.first_text - outline.elements[line[0]].first_text)
    # A size that is sold out has a button too.
    return (outline.elements[shared].depth, int(button.buys), int(follows), -distance)


def common_ancestor(outline: Outline, line: list[int], index: int) -> int:
    """Return the innermost element that holds both the line's first element and this one."""
    return next((each for each in line if each <= index < outline.elements[each].end), line[-1])


def _as_button(outline: Outline, element: Element) -> BuyButton | None:
    if element.tag not in _BUTTON_TAGS or outline.length_of(element.index) > _LONGEST_LABEL:
        return None
    if element.tag in ("div", "span") and not element.names and not element.has_role:
        return None
    attributes = element.node.attributes
    named = bool(element.names) and bool(_NAMED.search(element.names))
    named = named or (element.tag in ("button", "input") and _sends_to_cart(outline, element))
    if not _can_be_pressed(element.tag, attributes, named=named):
        return None
    words = _label(outline, element, attributes)
    speaks = bool(_BUYS.search(words) or _LATER.search(words))
    real = element.tag in ("button", "input")
    if not (speaks or (real and (named or _SOLD_OUT.search(words)))):
        return None
    disabled = "disabled" in attributes or (attributes.get("aria-disabled") or "") == "true"
    return BuyButton(element, words, is_enabled=not disabled, buys=speaks or named)


def _sends_to_cart(outline: Outline, element: Element) -> bool:
    """Whether a button submits a form that puts things into the cart."""
    attributes = element.node.attributes
    if (attributes.get("type") or "submit").lower() not in ("submit", "image"):
        return False
    forms = (
        outline.elements[each]
        for each in outline.ancestry(element.index)
        if outline.elements[each].tag == "form"
    )
    form = next(forms, None)
    return form is not None and bool(_CART_ACTION.search(form.node.attributes.get("action") or ""))


def _can_be_pressed(tag: str, attributes: dict[str, str | None], *, named: bool) -> bool:
    if tag == "input":
        return (attributes.get("type") or "").lower() in ("submit", "button", "image")
    return tag in ("button", "a") or named or attributes.get("role") == "button"


def _label(outline: Outline, element: Element, attributes: dict[str, str | None]) -> str:
    words = outline.words_of(element.index)
    return words or next((value for name in _LABELS if (value := attributes.get(name))), "") or ""
