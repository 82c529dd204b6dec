"""An address as a person wrote it becomes a target under its one canonical spelling."""

from __future__ import annotations

import pytest

from limpet.apps.prices import APP
from limpet.errors import BadAddress
from limpet.source import Source

SOURCE = Source(id="shop", app="prices", site="sgammo", hosts=("sgammo.com",))


def test_two_spellings_of_a_page_are_one_target() -> None:
    one = APP.make_target(SOURCE, " http://SGAMMO.com/product/a/?utm_source=x#top")
    other = APP.make_target(SOURCE, "https://sgammo.com/product/a")

    assert one.address == other.address == "https://sgammo.com/product/a"
    assert (one.lane, one.source_id) == ("sgammo.com", "shop")
    assert one.url == "http://SGAMMO.com/product/a/?utm_source=x#top"


@pytest.mark.parametrize("url", ["", "nonsense", "ftp://sgammo.com/x", "https://"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(BadAddress):
        APP.make_target(SOURCE, url)
