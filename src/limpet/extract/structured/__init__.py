"""What a page states about itself in machine form: JSON-LD, microdata, OpenGraph, embedded state."""

from limpet.extract.structured.jsonld import JsonLd, json_ld_in_bytes, json_ld_in_tree
from limpet.extract.structured.meta import meta_in_tree
from limpet.extract.structured.microdata import microdata_in_tree
from limpet.extract.structured.products import StatedOffer, offers_of, products_in, variants_of
from limpet.extract.structured.state import script_json, state_after

__all__ = [
    "JsonLd",
    "StatedOffer",
    "json_ld_in_bytes",
    "json_ld_in_tree",
    "meta_in_tree",
    "microdata_in_tree",
    "offers_of",
    "products_in",
    "script_json",
    "state_after",
    "variants_of",
]
