"""Blocks of JSON-LD as they stand on a page."""

from __future__ import annotations

import json
from typing import Any

from markupsafe import Markup

SCHEMA = "https://schema.org/"

Facts = dict[str, Any]


def script(facts: Facts | list[Facts]) -> Markup:
    """Return the facts as one JSON-LD block."""
    return Markup(f'<script type="application/ld+json">{in_script(facts)}</script>')


def in_script(facts: object) -> Markup:
    """Return the facts as JSON that cannot end the script it stands in."""
    return Markup(json.dumps(facts, separators=(",", ":")).replace("</", "<\\/"))


def step(number: int, name: str, address: str) -> Facts:
    """Return one step of a breadcrumb trail."""
    return {"@type": "ListItem", "position": number, "name": name, "item": address}
