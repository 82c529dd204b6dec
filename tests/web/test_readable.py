"""Readable by everybody: contrast by computation, tables that say what they hold, keys that are told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from limpet.web import rendering

WEB = Path(rendering.__file__).parent
STYLE = (WEB / "static" / "limpet.css").read_text(encoding="utf-8")
TEXT = 4.5  # WCAG 2.2, 1.4.3 (AA)
SIGN = 3.0  # 1.4.11: what is no text, and must be seen
# A pale piece of a bar means "not asked" or "to come"; its number always stands beside it.
PALE = {"skipped", "pending"}


def schemes() -> dict[str, dict[str, str]]:
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#\w{6});", block))
        for block in re.findall(r":root \{(.*?)\}", STYLE, re.S)
    )
    return {"light": light, "dark": light | dark}


def brightness(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((brightness(one), brightness(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_as_the_standard_says() -> None:
    assert contrast("#000000", "#ffffff") == 21
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read_on_every_ground(scheme: str) -> None:
    colours = schemes()[scheme]
    inks = ("ink", "soft", "tide", "succeeded", "failed", "degraded", "recovering", "healthy", "failing")

    faint = {
        (ink, ground): round(contrast(colours[ink], colours[ground]), 2)
        for ink in inks
        for ground in ("paper", "sheet")
        if contrast(colours[ink], colours[ground]) < TEXT
    }
    buttons = {name: contrast(colours["sheet"], colours[name]) for name in ("tide", "failed")}

    assert faint == {}
    assert all(value >= TEXT for value in buttons.values())
    assert all(contrast(colours[ink], colours["code"]) >= TEXT for ink in ("ink", "soft", "failed"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_sign_can_be_seen(scheme: str) -> None:
    colours = schemes()[scheme]
    words = set(re.findall(r"^\.o-(\w+) \{", STYLE, re.MULTILINE)) - {"none"} - PALE

    assert len(words) == 6
    assert {word for word in words if contrast(colours[word], colours["sheet"]) < SIGN} == set()


def test_every_table_says_what_it_holds() -> None:
    pages = {page.name: page.read_text(encoding="utf-8") for page in (WEB / "templates").glob("*.html")}

    silent = [
        name
        for name, text in pages.items()
        for table in re.findall(r"<table[^>]*>(.{0,9})", text)
        if table != "<caption "
    ]

    assert silent == []


def test_every_key_leads_to_a_page_of_the_bar() -> None:
    assert set(rendering._KEYS.values()) <= {address for address, _ in rendering._NAVIGATION}
