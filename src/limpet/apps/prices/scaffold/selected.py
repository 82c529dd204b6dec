"""The draft by selectors alone: each field from the element that carries it, what is stated as second witness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from selectolax.lexbor import LexborHTMLParser

from limpet.apps.prices.models.configured import ConfiguredPage
from limpet.apps.prices.models.page_plan import At, PagePlan
from limpet.apps.prices.offer import Offer
from limpet.apps.prices.scaffold.material import PROVEN, VERSION, CannotDraft, Draft, Saved, differing
from limpet.apps.prices.scaffold.spotting import Spotting, first_named, steady_name
from limpet.extract import Unreadable
from limpet.extract.pinpoint import layout_of
from limpet.extract.places import Material, open_material
from limpet.extract.structured.products import products_in

Fields = dict[str, tuple[At, ...]]
_BEHIND_A_LABEL = r":\s*(.+)"
_STATED: Mapping[str, At] = {
    "title": At(json_ld="name"),
    "price": At(json_ld="offers.price"),
    "availability": At(json_ld="offers.availability"),
    "sku": At(json_ld="sku"),
    "currency": At(json_ld="offers.priceCurrency"),
}


def draft_of_selectors(saved: Saved, material: Material, truth: Offer) -> Draft:
    """Return the first plan that reads the page as it should; raise CannotDraft naming what none could find."""
    tree = material.tree
    assert tree is not None
    shown = _shown(material, truth)
    problem = ""
    for fields in _plans(shown, is_stated=bool(products_in(material.stated))):
        missing = [name for name in ("title", "price", "availability") if not fields.get(name)]
        if missing:
            problem = problem or f"{missing[0]}: no element with a name that lasts carries it"
            continue
        plan = PagePlan(VERSION, fields, currency=truth.currency)
        reading = ConfiguredPage(plan).read(saved.page, saved.target)
        if isinstance(reading, Unreadable):
            problem = problem or f"{reading.reason.value}: {reading.details}"
        elif found := differing(reading.record, truth, _compared(fields)):
            problem = problem or f"read back, it differs: {'; '.join(found)}"
        else:
            return Draft("configured", ConfiguredPage(plan), reading.record, {"plan": plan})
    raise CannotDraft(f"No selectors were found that read the page back: {problem}.")


def plan_in_config(saved: Saved, draft: Draft) -> PagePlan:
    """Return the plan for a page whose draft another model reads; raise CannotDraft when none does without code."""
    if draft.model == "configured":
        return _plan(draft)
    return _plan(draft_of_selectors(saved, open_material(saved.page), draft.offer))


def _plan(draft: Draft) -> PagePlan:
    plan: PagePlan = draft.places["plan"]
    return plan


def _compared(fields: Fields) -> list[str]:
    return [name for name in PROVEN if name != "retailer_sku" or "sku" in fields]


def _plans(shown: Fields, *, is_stated: bool) -> Iterator[Fields]:
    """Yield the plans to try: two witnesses, then what is shown, then what is stated."""
    if is_stated:
        yield {name: (*shown.get(name, ()), at) for name, at in _STATED.items()}
    yield shown
    if is_stated:
        yield {name: (at,) for name, at in _STATED.items()}


def _shown(material: Material, truth: Offer) -> Fields:
    tree = material.tree
    assert tree is not None
    spotting = Spotting(layout_of(tree), title=truth.title)
    title = first_named(iter([spotting.title] if spotting.title else ()), tree)
    price = first_named(spotting.carriers("price_cents", truth.price_cents), tree)
    stock = first_named(spotting.carriers("availability", truth.availability), tree)
    named = {"title": title, "price": price, "availability": stock}
    found: Fields = {name: (At(css=selector),) for name, selector in named.items() if selector is not None}
    sku = _sku(spotting, tree, truth.retailer_sku)
    return found | ({"sku": (sku,)} if sku is not None else {})


def _sku(spotting: Spotting, tree: LexborHTMLParser, sku: str | None) -> At | None:
    """Return where the number stands, and how it is cut out from behind its label."""
    for spot in spotting.carriers("sku", sku) if sku else ():
        selector = steady_name(spot.node, tree)
        if selector is not None:
            is_bare = (spot.words or "").casefold() == (sku or "").casefold()
            return At(css=selector) if is_bare else At(css=selector, regex=_BEHIND_A_LABEL)
    return None
