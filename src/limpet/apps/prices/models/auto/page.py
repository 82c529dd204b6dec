"""The reading itself: lay the page out, hear the witnesses, decide, and say what it was."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from limpet.apps.prices.models.auto import naming
from limpet.apps.prices.models.auto.amounts import currency_of_host, currency_of_locale
from limpet.apps.prices.models.auto.attributes import attribute_prices
from limpet.apps.prices.models.auto.button import buy_button
from limpet.apps.prices.models.auto.decision import decide
from limpet.apps.prices.models.auto.linked_data import json_ld_of, json_ld_products
from limpet.apps.prices.models.auto.outline import Outline, outline_of
from limpet.apps.prices.models.auto.points import rated
from limpet.apps.prices.models.auto.scripts import currency_in
from limpet.apps.prices.models.auto.shown import shown_of
from limpet.apps.prices.models.auto.sightings import Sighting, sightings_in
from limpet.apps.prices.models.auto.sku import sku_of
from limpet.apps.prices.models.auto.state import State, state_of
from limpet.apps.prices.models.auto.statements import (
    Statement,
    chosen_by_address,
    in_currency,
    loose_statements,
    main_products,
    meta_statements,
    microdata_products,
    rdfa_statements,
    statements_of,
    unjoined_texts,
)
from limpet.apps.prices.models.auto.stock import availability_of
from limpet.apps.prices.models.auto.surroundings import Surroundings, percentages_in, surroundings
from limpet.apps.prices.models.auto.title import title_element, without_site
from limpet.apps.prices.models.plain_words import upc_among
from limpet.apps.prices.offer import Offer
from limpet.extract import Extraction, Missing, Unreadable
from limpet.extract.document import markup_of, tree_of
from limpet.extract.failure import CannotRead
from limpet.extract.parse.price import Price
from limpet.extract.parse.stock import Availability
from limpet.extract.structured.meta import meta_in_tree
from limpet.extract.structured.products import text
from limpet.fetch.challenge import looks_blocked
from limpet.fetch.page import Page
from limpet.target import Target
from limpet.target.identity import identity_key

_A_LIST = 6
_FOR_EARS = re.compile(r"^details about\s+", re.I)  # an auction house tells the blind what its heading is


@dataclass(frozen=True, slots=True)
class AutoPage:
    """Reads the one offer of a product page it knows nothing about."""

    version: str

    def read(self, page: Page, target: Target) -> Extraction[Offer] | Unreadable:
        """Return the offer the page makes, or why there is none we may believe."""
        try:
            reading = _Reading(tree_of(markup_of(page)), page, target)
            offer = reading.offer(self.version)
        except CannotRead as failure:
            return failure.about(page)
        return Extraction(page, offer)


class _Reading:
    """One page while it is being read; each step stands on the ones before."""

    def __init__(self, tree: LexborHTMLParser, page: Page, target: Target) -> None:
        self._tree, self._page, self._target = tree, page, target
        self._host = (urlsplit(page.final_url).hostname or "").lower()
        self._meta = meta_in_tree(tree)
        canonical = tree.css_first('link[rel="canonical"]')
        stated = (canonical.attributes.get("href") if canonical is not None else None) or ""
        self._canonical = urlsplit(stated or self._meta.get("og:url", ""))
        self._outline: Outline = outline_of(
            tree, path=urlsplit(page.final_url).path, canonical=self._canonical.path
        )
        self._read_title()
        self._statements = self._hear()
        self._hint = self._currency()
        self._statements = in_currency(self._statements, self._hint)
        self._sightings: list[Sighting] = rated(
            self._outline, sightings_in(self._outline, self._hint), self._around
        )

    def offer(self, version: str) -> Offer:
        """Return the offer; raise CannotRead with the reason when there is none to believe."""
        if not self._outline.texts and not self._statements:
            raise CannotRead(Missing.EMPTY_PAGE, "the page shows no text")
        price = self._price()
        if not self._title:
            raise CannotRead(Missing.TITLE_NOT_FOUND, "title: no heading, no markup and no page title")
        sku = self._sku(price.cents)
        about = [each for each in self._statements if each.kind in ("json_ld", "microdata")]
        return Offer(
            source_id=self._target.source_id,
            url=self._target.address,
            title=self._title[:500],
            price_cents=price.cents,
            currency=price.currency or self._hint or self._usual_currency(),
            availability=availability_of(
                self._outline, self._around, self._statements, price.cents, state=self._state
            ),
            observed_at=self._page.fetched_at,
            identity_key=identity_key(sku=sku, url=self._target.address),
            adapter_version=version,
            retailer_sku=sku,
            upc=upc_among(each.gtin for each in about),
            brand=next((each.brand for each in about if each.brand), None),
            image_url=next((each.image_url for each in self._statements if each.image_url), None),
        )

    def _read_title(self) -> None:
        json_ld = json_ld_products(json_ld_of(self._tree))
        microdata = microdata_products(self._tree)
        head = self._tree.css_first("title")
        page_title = " ".join(head.text().split()) if head is not None else ""
        names = [self._meta.get("og:title", ""), page_title]
        for products in (json_ld, microdata):
            # Of several products in one page's markup the first may be anybody.
            alike = main_products(products, " ".join(names), self._outline.path)
            names += [text(each.get("name")) or "" for each in alike[:1]]
        element = title_element(self._outline, names)
        shown = self._outline.words_of(element.index, without=naming.HIDDEN) if element is not None else ""
        known = next((name for name in (*names[2:3], names[0]) if name), "")
        self._title = _FOR_EARS.sub("", shown) or known or without_site(page_title, self._host)
        lifted = self._outline.ancestry(element.index) if element is not None else []
        self._outline.exempt(lifted)
        button = buy_button(self._outline, element)
        if button is not None:
            self._outline.exempt(lifted + self._outline.ancestry(button.element.index))
        self._around: Surroundings = surroundings(self._outline, element, button)
        self._json_ld, self._microdata = json_ld, microdata
        self._names = [self._title, *names[2:]]

    def _hear(self) -> list[Statement]:
        microdata = statements_of(
            "microdata",
            main_products(self._microdata, self._title, self._outline.path),
            not_prices=unjoined_texts(self._tree),
        )
        if not any(each.price is not None for each in microdata):
            microdata += loose_statements(self._tree)
        return chosen_by_address(
            [
                *statements_of("json_ld", main_products(self._json_ld, self._title, self._outline.path)),
                *microdata,
                *rdfa_statements(self._tree),
                *meta_statements(self._meta),
            ],
            self._page.final_url,
        )

    def _currency(self) -> str | None:
        stated = (each.price.currency for each in self._statements if each.price is not None)
        named = next((currency for currency in stated if currency), None)
        tag = self._meta.get("product:price:currency") or self._meta.get("og:price:currency")
        tagged = tag.upper() if tag and len(tag) == 3 else None
        home = currency_of_host(self._host) or currency_of_host((self._canonical.hostname or "").lower())
        return named or tagged or home or currency_in(self._tree) or self._currency_of_locale()

    def _currency_of_locale(self) -> str | None:
        root = self._tree.root
        language = (root.attributes.get("lang") if root is not None else None) or ""
        return currency_of_locale(language) or currency_of_locale(self._meta.get("og:locale", ""))

    def _price(self) -> Price:
        shown = shown_of(self._sightings, percentages_in(self._outline, self._around))
        try:
            return decide(self._statements, shown, state=self._state)
        except CannotRead as failure:
            raise self._instead(failure) from None

    @cached_property
    def _known(self) -> State:
        data = state_of(
            self._tree, self._names, url=self._page.final_url, currency=self._hint, markup=self._page.body
        )
        attributes = attribute_prices(self._outline, self._around, self._hint)
        # What an attribute of the price box says is as good as what an object with the product's name says.
        return replace(
            data, exact=data.exact or attributes, perhaps=data.perhaps | {each.cents for each in attributes}
        )

    def _state(self) -> State:
        return self._known

    def _usual_currency(self) -> str:
        """Return the only currency the page shows anywhere; a number without a sign is meant in it."""
        shown = {each.currency for each in self._sightings if each.has_sign and each.currency}
        return shown.pop() if len(shown) == 1 else ""

    def _instead(self, failure: CannotRead) -> CannotRead:
        """Say what the page is, when it is no product page at all or one that hides its price."""
        sign = looks_blocked(self._page.status, self._page.headers, self._page.body)
        if sign is not None:
            return CannotRead(Missing.BLOCKED_PAGE, sign)
        stated = any(each.price is not None for each in self._statements)
        cards = sum(
            1 for each in self._sightings if each.marks & (naming.OTHERS | naming.CARD | naming.LINKED)
        )
        if not (stated or self._around.box or self._shows_words_for_a_price()) and cards >= _A_LIST:
            return CannotRead(Missing.LISTING_PAGE, f"{cards} prices, and none belongs to the page's heading")
        if failure.reason is not Missing.PRICE_NOT_FOUND:
            return failure
        stock = availability_of(self._outline, self._around, self._statements, None)
        if stock is Availability.OUT_OF_STOCK:
            return CannotRead(Missing.OOS_NO_PRICE, "sold out, and the price is not shown")
        return failure

    def _shows_words_for_a_price(self) -> bool:
        """Whether the product's price is words, such as "Call for price"."""
        elsewhere = naming.OTHERS | naming.CARD | naming.FRAME | naming.LINKED
        own = (
            each for each in self._outline.elements if each.own & naming.PRICE and not each.marks & elsewhere
        )
        words = (
            self._outline.words_of(each.index) for each in own if self._outline.length_of(each.index) < 60
        )
        return any(text and not any(sign.isdigit() for sign in text) for text in words)

    def _sku(self, cents: int) -> str | None:
        title = self._around.title
        return sku_of(
            self._outline,
            self._statements,
            cents=cents,
            url=self._page.final_url,
            title_text=title.first_text if title is not None else 0,
            state=self._state,
        )
