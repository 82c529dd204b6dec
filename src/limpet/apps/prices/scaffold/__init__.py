"""A site written from one saved page: which model fits, where things stand, and the proof that it reads the page."""

from limpet.apps.prices.scaffold.drafting import draft_of
from limpet.apps.prices.scaffold.material import CannotDraft, Draft, Saved

__all__ = ["CannotDraft", "Draft", "Saved", "draft_of"]
