"""Which model reads the page, asked in the order of how much each of them proves."""

from __future__ import annotations

from dataclasses import replace

from limpet.apps.prices.models.auto import AutoPage
from limpet.apps.prices.models.json_ld import JsonLdPage
from limpet.apps.prices.models.variants import parameters_of
from limpet.apps.prices.offer import Offer
from limpet.apps.prices.scaffold.answers import draft_of_answer
from limpet.apps.prices.scaffold.material import VERSION, CannotDraft, Draft, Saved, differing, objection_to
from limpet.apps.prices.scaffold.selected import draft_of_selectors
from limpet.apps.prices.scaffold.woocommerce import draft_of_woocommerce
from limpet.extract import Extraction, Missing, Unreadable
from limpet.extract.failure import CannotRead
from limpet.extract.parse.stock import Availability
from limpet.extract.places import Material, open_material

_CONTRADICTING = (Missing.AMBIGUOUS_PRICE, Missing.AMBIGUOUS_VARIANTS)
_BOTH_ORDERED = {Availability.IN_STOCK, Availability.BACKORDER}
_Reading = Extraction[Offer] | Unreadable


def draft_of(saved: Saved) -> Draft:
    """Return a site that reads the saved page, or raise CannotDraft with the sentence that says why there is none."""
    try:
        material = open_material(saved.page)
    except CannotRead as problem:
        raise CannotDraft(
            f"The page cannot be read at all: {problem.details or problem.reason}."
        ) from problem
    draft = draft_of_answer(saved, material.answer) if material.tree is None else _of_markup(saved, material)
    problem_left = objection_to(draft.offer)
    if problem_left is not None:
        raise CannotDraft(f"{problem_left}.")
    return draft


def _of_markup(saved: Saved, material: Material) -> Draft:
    shown = AutoPage(VERSION).read(saved.page, saved.target)
    stated = _stated(saved)
    against = _disagreement(shown, stated)
    if isinstance(stated, Draft):
        if against and not stated.places["variant_parameter"]:
            raise CannotDraft(f"What the page shows and what its JSON-LD states disagree: {against}.")
        # A page shows one of its variants, which need not be the one the address names.
        stated = replace(
            stated,
            remarks=[f"The page shows another offer than was asked for: {against}."] if against else [],
        )
        truth = stated.offer
    elif isinstance(shown, Extraction):
        truth = shown.record
    else:
        raise CannotDraft(f"The general rules cannot read it: {shown.reason.value}: {shown.details}.")
    problem = objection_to(truth)
    if problem is not None:
        raise CannotDraft(f"{problem}.")
    # Themes write dashes and quotes that JSON-LD has plain: what is looked for is what is shown.
    seen = shown.record if isinstance(shown, Extraction) and objection_to(shown.record) is None else truth
    by_theme = draft_of_woocommerce(saved, material, seen)
    if by_theme is not None:
        return by_theme
    return stated if isinstance(stated, Draft) else draft_of_selectors(saved, material, seen)


def _stated(saved: Saved) -> Draft | Unreadable:
    """Return the reading by JSON-LD; of a family of variants the one a parameter of the address names."""
    answer: Draft | Unreadable | None = None
    for parameter in (*parameters_of(saved.target.address), None):
        model = JsonLdPage(version=VERSION, variant_parameter=parameter)
        reading = model.read(saved.page, saved.target)
        if isinstance(reading, Extraction):
            return Draft("json_ld", model, reading.record, {"variant_parameter": parameter})
        answer = reading
    assert answer is not None
    return answer


def _disagreement(shown: _Reading, stated: Draft | Unreadable) -> str:
    """Return where what people see and what machines are told are two different offers; nothing when they agree."""
    if not isinstance(stated, Draft):
        return ""
    if isinstance(shown, Unreadable):
        return shown.details if shown.reason in _CONTRADICTING else ""
    names = ["price_cents", *(["currency"] if shown.record.currency else [])]
    said = {shown.record.availability, stated.offer.availability}
    # One can be ordered in both cases; templates often hold the words for either.
    if Availability.UNKNOWN not in said and said != _BOTH_ORDERED:
        names.append("availability")
    return "; ".join(differing(shown.record, stated.offer, names))
