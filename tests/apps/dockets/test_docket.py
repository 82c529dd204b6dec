"""What a docket states, and what it leaves open."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.apps.dockets.docket import stated_confidential


@pytest.mark.parametrize(
    ("details", "stated"), [({"IS_CONFIDENTIAL": "Y"}, True), ({"IS_CONFIDENTIAL": "N"}, False), ({}, None)]
)
def test_an_entry_nobody_called_confidential_is_not_called_open(
    details: dict[str, Any], stated: bool
) -> None:
    assert stated_confidential(details) is stated
