"""The weight of a real page: styles, menus and scripts that say nothing, the same for every visitor."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import count

from markupsafe import Markup

from tidepool.draw import draw
from tidepool.trade.catalogue import CATEGORIES, MAKERS, slug_of

PROPERTIES = (
    "margin",
    "padding",
    "border-width",
    "font-size",
    "line-height",
    "letter-spacing",
    "top",
    "left",
)
PARTS = ("header", "grid", "card", "modal", "tabs", "footer", "badge", "filter", "gallery", "drawer")


@lru_cache(maxsize=16)
def styles(size: int) -> Markup:
    """Return about so many bytes of style sheet."""
    return Markup(f"<style>{_up_to(size, _rules())}</style>")


@lru_cache(maxsize=64)
def menu(size: int, *, base: str) -> Markup:
    """Return about so many bytes of links, list in list."""
    return Markup(f'<nav class="mega-menu"><ul>{_up_to(size, _entries(base))}</ul></nav>')


@lru_cache(maxsize=16)
def machinery(size: int) -> Markup:
    """Return about so many bytes of script that does nothing."""
    return Markup(
        f"<script>(function(w){{var m=w.m||{{}};{_up_to(size, _modules())}w.m=m}})(window)</script>"
    )


def _up_to(size: int, pieces: Iterator[str]) -> str:
    text: list[str] = []
    written = 0
    while written < size:
        piece = next(pieces)
        text.append(piece)
        written += len(piece)
    return "".join(text)


def _rules() -> Iterator[str]:
    for number in count():
        name = PARTS[number % len(PARTS)]
        told = (f"{PROPERTIES[(number + turn) % 8]}:{draw(96, number, turn)}px" for turn in range(3))
        yield f".{name}__el-{number}>.{name}--{draw(900, number)}{{{';'.join(told)}}}\n"


def _entries(base: str) -> Iterator[str]:
    for number in count():
        category, maker = CATEGORIES[number % len(CATEGORIES)], MAKERS[number // 8 % len(MAKERS)]
        slug = f"{category.slug}/{slug_of(maker)}-{number}"
        yield (
            f'<li class="mega-menu__item" data-depth="{number % 3}"><div class="mega-menu__cell">'
            f'<a class="mega-menu__link" href="{base}/menu/{slug}" title="{category.name}">'
            f'<span class="mega-menu__label">{category.name}</span></a></div></li>\n'
        )


def _modules() -> Iterator[str]:
    for number in count():
        part = PARTS[number % len(PARTS)]
        yield f'm[{number}]=function(e,t){{"use strict";t.{part}=function(n){{return e(n+{draw(9999, number)})}}}};\n'
