"""How one shop numbers, addresses and prices what it sells."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidepool.trade.catalogue import Category, Product


@dataclass(frozen=True, slots=True)
class Shelf:
    """A shop's habits. The goods are the same everywhere; numbers, addresses, prices and stock are not."""

    first_id: int  # of products
    first_item_id: (
        int  # of what is in them: a product alone on its page has one item, one with variants three
    )
    path_of: Callable[[Product], str]
    category_path: Callable[[Category], str]
    number_in_path: re.Pattern[str]  # its group `index` or `id` says which product a path speaks of
    chance: str = ""  # shops with another one ask other prices at other times
    kinds_from: int = 0  # what is tiered here is sold out there
    ends_in_99: bool = False

    def price(self, cents: int) -> int:
        """Return the price as this shop likes to write it."""
        if self.ends_in_99:
            return cents - cents % 100 + 99
        # Prices that end in 0 or 5: one of the JSON-LD blocks of such a shop shows an unpadded "289.5".
        return max(5, cents - cents % 5)

    def index_of(self, path: str) -> int | None:
        """Return the number of the product a path speaks of, or None."""
        found = self.number_in_path.search(path)
        if found is None:
            return None
        numbers = found.groupdict()
        return int(numbers["index"]) if "index" in numbers else int(numbers["id"]) - self.first_id
