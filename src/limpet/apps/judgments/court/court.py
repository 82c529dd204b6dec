"""Where a court keeps what: one description per kind of document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from limpet.apps.judgments.options import options_of
from limpet.source import Source


@dataclass(frozen=True, slots=True)
class Court:
    """A page with buttons, an AJAX action behind them, and an index of what there is."""

    origin: str
    listing_path: str
    action: Literal["dl_bfile", "get_bfile"]
    button: str  # the attribute that holds a button's token
    index_path: str = ""  # of the CSV; empty when the listing itself is the index
    ajax_path: str = "/wp-admin/admin-ajax.php"

    def base(self, source: Source) -> str:
        """Where the court stands for this source."""
        return source.base_url or self.origin

    def listing_url(self, source: Source) -> str:
        """The page people see."""
        return self.base(source) + self.listing_path

    def ajax_url(self, source: Source) -> str:
        """Where its buttons ask."""
        return self.base(source) + self.ajax_path

    def index_url(self, source: Source) -> str:
        """The index, as a file or as the listing itself."""
        return options_of(source).index_url or self.base(source) + (self.index_path or self.listing_path)

    @property
    def has_csv(self) -> bool:
        """Whether the index is a file of its own."""
        return bool(self.index_path)
