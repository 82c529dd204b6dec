"""Which of the things a page sells is meant: chosen by the address, never by being first or cheapest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from limpet.errors import BadAddress
from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.structured.products import StatedOffer, offers_of, products_in, text, variants_of
from limpet.target.address import canonicalize, join

# What a member of a product group has in common with its family when it does not say otherwise.
_INHERITED = ("name", "brand", "image", "url")


@dataclass(frozen=True, slots=True)
class Variant:
    """One thing a page sells, with every offer its structured data makes for it."""

    product: dict[str, Any]
    offers: tuple[StatedOffer, ...]
    sku: str | None
    names: frozenset[str]  # everything an address may call it by, in lower case
    product_id: str | None = None
    is_alone: bool = True


def variants_in(
    items: Iterable[dict[str, Any]], *, parameter: str | None, address: str
) -> tuple[Variant, ...]:
    """Return what the page at this address sells, each thing once; cards of other products are left out."""
    found: dict[str, Variant] = {}
    for product in products_in(items):
        for member in _members(product):
            for key, variant in _told_apart(member, parameter, address):
                known = found.get(key)
                found[key] = variant if known is None else _joined(known, variant)
    variants = _of_this_page(tuple(found.values()), address)
    return tuple(replace(variant, is_alone=len(variants) == 1) for variant in variants)


def asked_for(address: str, parameter: str | None) -> str | None:
    """Return the variant the address names, or None; break off when it names two."""
    if parameter is None:
        return None
    named = parameters_of(address).get(parameter.casefold(), ())
    if len(set(named)) > 1:
        raise CannotRead(
            Missing.AMBIGUOUS_VARIANTS, f"the address asks for {parameter}={' and '.join(named)}"
        )
    return named[0] if named else None


def parameters_of(address: str) -> dict[str, tuple[str, ...]]:
    """Return the parameters of an address by lower-case name, without the empty ones."""
    found: dict[str, tuple[str, ...]] = {}
    for name, value in parse_qsl(urlsplit(address).query):
        if value.strip():
            found[name.casefold()] = (*found.get(name.casefold(), ()), value.strip())
    return found


def choose(variants: Sequence[Variant], asked: str | None, *, parameter: str | None) -> Variant:
    """Return the variant that was asked for, or the only one there is; otherwise break off."""
    fitting = [each for each in variants if asked is None or asked.casefold() in each.names]
    if len(fitting) == 1:
        return fitting[0]
    if asked is None:
        raise several([each.sku or "unnamed" for each in variants], parameter)
    raise CannotRead(
        Missing.AMBIGUOUS_VARIANTS,
        f"the address asks for {parameter}={asked}, the page offers {_listed(each.sku for each in variants)}",
    )


def several(names: Iterable[str], parameter: str | None) -> CannotRead:
    """Say what the address would have to name."""
    advice = f"the address needs ?{parameter}= to name one" if parameter else "the address cannot name one"
    return CannotRead(Missing.AMBIGUOUS_VARIANTS, f"the page sells {_listed(names)}; {advice}")


def _members(product: dict[str, Any]) -> Iterator[dict[str, Any]]:
    members = variants_of(product)
    shared = {name: product[name] for name in _INHERITED if name in product}
    for member in members:
        yield {**shared, **member}
    if not members and (product.get("offers") is not None or product.get("@type") != "ProductGroup"):
        yield product


def _told_apart(
    product: dict[str, Any], parameter: str | None, address: str
) -> Iterator[tuple[str, Variant]]:
    """Yield the product's offers grouped by what they are offers of."""
    name, product_id = text(product.get("name")), text(product.get("productID"))
    own = text(product.get("sku")) or product_id
    groups: dict[str, list[StatedOffer]] = {}
    for offer in offers_of(product):
        key = offer.sku or _named_in(offer.url, parameter, address) or own or name or ""
        groups.setdefault(key, []).append(offer)
    groups = groups or {own or name or "": []}
    for key, group in groups.items():
        offered = group[0].sku if group else None
        linked = _named_in(group[0].url, parameter, address) if group else None
        # What the offer itself is called stays the same when a second one comes beside it; what the product
        # is called would then be the name of a family.
        is_only = len(groups) == 1
        sku = offered or (own if is_only else key)
        article = linked or (product_id if is_only and not offered else None)
        names = frozenset(each.casefold() for each in (key, sku, article) if each)
        yield key.casefold(), Variant(product, tuple(group), sku, names, article)


def _joined(one: Variant, other: Variant) -> Variant:
    """Return both statements about the same thing as one; its offers must agree later."""
    product = {**other.product, **one.product}
    return replace(one, product=product, offers=one.offers + other.offers, names=one.names | other.names)


def _of_this_page(variants: tuple[Variant, ...], address: str) -> tuple[Variant, ...]:
    """Leave out what says that its page is another one, where anything says that its page is this one."""
    if len(variants) < 2:
        return variants
    page = without_query(address)
    pages = [_pages_of(each, address) for each in variants]
    if not any(page in each for each in pages):
        return variants
    return tuple(one for one, own in zip(variants, pages, strict=True) if page in own or not own)


def _pages_of(variant: Variant, address: str) -> set[str | None]:
    links = [text(variant.product.get("url")), text(variant.product.get("@id"))]
    links += [offer.url for offer in variant.offers]
    return {without_query(link, base=address) for link in links if link}


def without_query(link: str, *, base: str = "") -> str | None:
    """Return the page a link leads to, whatever is asked of it; None when it leads nowhere."""
    try:
        whole = join(base, link) if base else link
        return canonicalize(whole, http_only=whole.startswith("http:")).partition("?")[0]
    except BadAddress:
        return None


def _named_in(link: str | None, parameter: str | None, address: str) -> str | None:
    if not link or parameter is None:
        return None
    try:
        return next(iter(parameters_of(join(address, link)).get(parameter.casefold(), ())), None)
    except BadAddress:
        return None


def _listed(names: Iterable[str | None]) -> str:
    every = sorted(name or "unnamed" for name in names)
    return ", ".join(every[:8]) + (f" and {len(every) - 8} more" if len(every) > 8 else "")
