"""What a page is when it is not the product page it should be."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from limpet.apps.prices.models.variants import without_query
from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.structured.jsonld import json_ld_in_tree
from limpet.fetch.challenge import looks_blocked
from limpet.fetch.page import Page

_LIST_TYPES = ("CollectionPage", "SearchResultsPage", "OfferCatalog")
_PERHAPS_A_LIST = ("ItemList", "Thing")  # product pages carry them too, about what else there is


def not_a_product(page: Page, tree: LexborHTMLParser, *, is_listing: bool, expected: str) -> CannotRead:
    """Say what the page is instead; `expected` names what was looked for in vain."""
    sign = looks_blocked(page.status, page.headers, page.body)
    if sign is not None:
        return CannotRead(Missing.BLOCKED_PAGE, sign)
    if is_listing:
        return CannotRead(Missing.LISTING_PAGE, "the address shows a list of products now")
    if tree.body is None or not tree.body.text().strip():
        return CannotRead(Missing.EMPTY_PAGE, "the page shows no text")
    return CannotRead(Missing.PAGE_STRUCTURE_CHANGED, expected)


def shows_a_list(tree: LexborHTMLParser, page: Page, *, address: str) -> bool:
    """Whether a page without a product of its own is the list its product was once in.

    Shops answer a retired product's address with its category and say so in the canonical link.
    """
    asked = without_query(address)
    canonical = _canonical(tree, page)
    for shown in (canonical, without_query(page.final_url)):
        if shown and asked and shown != asked and f"{asked}/".startswith(f"{shown.rstrip('/')}/"):
            return True
    stated = json_ld_in_tree(tree)
    return bool(stated.of_type(*_LIST_TYPES)) or (
        canonical != asked and bool(stated.of_type(*_PERHAPS_A_LIST))
    )


def _canonical(tree: LexborHTMLParser, page: Page) -> str | None:
    node = tree.css_first('link[rel="canonical"][href]')
    href = (node.attributes.get("href") or "") if node is not None else ""
    return without_query(href, base=page.final_url) if href else None
