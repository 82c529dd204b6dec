"""What an ammunition title states in so many words; nothing is inferred from what it leaves out."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from limpet.apps.prices.models.cartridge_words import BULLET_TYPES, CALIBER, CASE_MATERIALS, GAUGE, Names

_ROUNDS = re.compile(
    r"(?=\d)(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d{1,6})[\s-]+(?:round|rd|rnd)s?\b", re.IGNORECASE
)
# "Box of 20" counts cartridges only where the title says that cartridges are sold; bullets come in boxes too.
_PACK = re.compile(
    r"\b(?:box|case|bag|pack|can|carton|tray|bucket)\s+of\s+(\d{1,3}(?:,\d{3})+|\d{1,6})\b(?!\s*box)",
    re.IGNORECASE,
)
_SOLD_AS_AMMO = re.compile(r"\b(?:ammo|ammunition|cartridges?|shotshells?|shotgun shells?)\b", re.IGNORECASE)
_ASIDE = re.compile(r"\([^()]*\)")
_GRAINS = re.compile(r"(?=\d)(?<![\d.,/])(\d{1,4})[\s-]*(?:grains?|gr)\b", re.IGNORECASE)
_SHOP_WORDS = re.compile(r"\s+ammo(?:unition)?(?:\s+for\s+sale)?\s*\Z", re.IGNORECASE)

_INCHES = re.compile(
    r"(?<![\d./#-])(?:(\d)(?:[\s-]+(\d/\d))?|(\d\.\d{1,2}))\s?(?:[\"\u201d\u2033]|''|-?inch(?:es)?\b|in\b\.?)",
    re.IGNORECASE,
)
_DECIMAL_INCHES = {
    "2.75": "2-3/4",
    "3.5": "3-1/2",
    "3.50": "3-1/2",
    "2.5": "2-1/2",
    "1.75": "1-3/4",
    "3.0": "3",
}
_BUCK = re.compile(r"(?<![\w/.])(0{1,4}|#\s?\d|no\.?\s?\d)\s*-?(?:buck(?:shot)?)\b", re.IGNORECASE)
_SHOT = re.compile(
    r"(?:#|\bno\.?\s?)(\d(?:\.5|-1/2)?)(?!\s*buck|\d|[/-]\d)(?=\s|$|[,;)])|\b(BBB?)\b(?=\s+shot)",
    re.IGNORECASE,
)
_SLUG = re.compile(
    r"(?:(?<![\d./-])(\d(?:-\d/\d)?|\d/\d)\s?-?oz\.?\s+(?:[\w-]+\s+){0,3})?\b(?:slugs?)\b", re.IGNORECASE
)


class AmmoFacts(Struct, frozen=True):
    """What is known about a cartridge; None where nobody says."""

    caliber: str | None = None
    grain_weight: int | None = None
    round_count: int | None = None
    case_material: str | None = None
    bullet_type: str | None = None
    load_type: str | None = None
    shell_length: str | None = None

    def or_else(self, other: AmmoFacts) -> AmmoFacts:
        """Return these facts, with the other's where these are silent."""
        if self is NOTHING_STATED:
            return other
        return AmmoFacts(
            **{name: getattr(self, name) or getattr(other, name) for name in AmmoFacts.__struct_fields__}
        )


NOTHING_STATED = AmmoFacts()


@lru_cache(maxsize=4096)  # a run reads the same titles as the run before
def facts_in(title: str) -> AmmoFacts:
    """Return everything the title states; two statements that contradict each other are none."""
    is_shell = GAUGE.search(title) is not None
    return AmmoFacts(
        caliber=caliber_in(title),
        grain_weight=grain_weight_in(title),
        round_count=round_count_in(title),
        case_material=case_material_in(title),
        bullet_type=None if is_shell else bullet_type_in(title),
        load_type=load_type_in(title) if is_shell else None,
        shell_length=shell_length_in(title) if is_shell else None,
    )


def round_count_in(title: str) -> int | None:
    """Return how many rounds are sold together, when the title names exactly one number of them."""
    # "Case of 200 (10 Boxes of 20)": what stands in brackets explains the number, and is not another one.
    outside = _ASIDE.sub(" ", title) if "(" in title else title
    found = _ROUNDS.findall(outside)
    if "of" in title.casefold() and _SOLD_AS_AMMO.search(title):
        found += _PACK.findall(outside)
    return _only_number(found or (_ROUNDS.findall(title) if outside is not title else []))


def grain_weight_in(title: str) -> int | None:
    """Return the weight of the bullet in grains, when the title names exactly one."""
    return _only_number(_GRAINS.findall(title))


def caliber_in(title: str) -> str | None:
    """Return the cartridge or the gauge as displayed, when the title names exactly one."""
    found = {_folded(match[0]): match[0] for match in CALIBER.finditer(title)}
    return next(iter(found.values())) if len(found) == 1 else None


def case_material_in(title: str) -> str | None:
    """Return what the cartridge case is made of; a pack is called a case too, and is not meant."""
    return _only_name(title, CASE_MATERIALS)


def bullet_type_in(title: str) -> str | None:
    """Return the usual abbreviation of the bullet (FMJ, JHP), when the title names exactly one."""
    return _only_name(title, BULLET_TYPES)


def load_type_in(title: str) -> str | None:
    """Return shot size or slug of a shotgun shell: `#8`, `00 Buck`, `1 oz Slug`."""
    loads = {f"{_shot_name(match[1])} Buck" for match in _BUCK.finditer(title)}
    loads |= {f"#{match[1]}" if match[1] else match[2].upper() for match in _SHOT.finditer(title)}
    loads |= {f"{match[1]} oz Slug" if match[1] else "Slug" for match in _SLUG.finditer(title)}
    return loads.pop() if len(loads) == 1 else None


def shell_length_in(title: str) -> str | None:
    """Return the length of the shell in inches, as in `2-3/4"`."""
    lengths = {_length(match) for match in _INCHES.finditer(title)}
    return lengths.pop() if len(lengths) == 1 else None


def maker_in(link_text: str) -> str | None:
    """Return the maker a category link is about: `Hornady Ammo For Sale` is Hornady."""
    return _SHOP_WORDS.sub("", link_text).strip() or None


def _only_number(found: list[str]) -> int | None:
    numbers = {int(text.replace(",", "")) for text in found}
    number = numbers.pop() if len(numbers) == 1 else 0
    return number or None


def _only_name(title: str, names: Names) -> str | None:
    """Return the one name whose words occur; longer wordings come first and use theirs up."""
    if names.hint.search(title) is None:
        return None
    found = set()
    for name, words in names.rows:
        rest = words.sub(" \0 ", title)
        if rest != title:
            found.add(name)
            title = rest
    return found.pop() if len(found) == 1 else None


def _folded(caliber: str) -> str:
    return re.sub(r"[\s.-]", "", caliber.casefold())


def _shot_name(size: str) -> str:
    return size if size[0] == "0" else f"#{size[-1]}"


def _length(match: re.Match[str]) -> str:
    whole, fraction, decimal = match.groups()
    if decimal:
        return f'{_DECIMAL_INCHES.get(decimal, decimal)}"'
    return f'{whole}-{fraction}"' if fraction else f'{whole}"'
