"""The words ammunition titles are made of. Only names that mean one thing; whatever is not here stays unread."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Each as shops spell it; a point before the number and the maker's name behind it are optional.
_CALIBERS = (
    r"9\s?mm\s+(?:Luger|Makarov|Para(?:bellum)?|NATO)",
    r"9x19\s?(?:mm)?(?:\s+(?:Luger|Parabellum|NATO))?",
    r"9x18\s?(?:mm)?(?:\s+Makarov)?",
    r"9\s?mm",
    r"5\.56(?:x45)?\s?(?:mm)?(?:\s+NATO)?",
    r"\.?223\s+(?:Remington|Rem|Wylde)\.?",
    r"7\.62x39\s?(?:mm)?(?:R|\s+Soviet)?",
    r"7\.62x51\s?(?:mm)?(?:\s+NATO)?",
    r"7\.62x54\s?(?:mm)?\s?(?:mmR|R)?",
    r"7\.62x25\s?(?:mm)?(?:\s+Tokarev)?",
    r"7\.62\s+NATO",
    r"5\.45x39\s?(?:mm)?",
    r"5\.7x28\s?(?:mm)?(?:\s+FN)?",
    r"4\.6x30\s?(?:mm)?",
    r"\.?308\s+Win(?:chester)?\b\.?",
    r"\.?300\s+(?:AAC\s+)?(?:Blackout|BLK)",
    r"\.?300\s+Win(?:chester)?\.?\s+Mag(?:num)?",
    r"\.?300\s+(?:PRC|WSM)",
    r"\.?338\s+Lapua(?:\s+Mag(?:num)?)?",
    r"\.?30-06(?:\s+Springfield|\s+Sprg)?",
    r"\.?30-30(?:\s+Win(?:chester)?)?",
    r"\.?30\s+(?:Carbine|Super\s+Carry)",
    r"\.?270\s+Win(?:chester)?\b\.?",
    r"\.?243\s+Win(?:chester)?\b\.?",
    r"6\.5\s?(?:mm)?\s+(?:Creedmoor|Grendel|PRC)",
    r"6\s?mm\s+(?:Creedmoor|ARC)",
    r"6\.8\s?(?:mm)?\s+(?:SPC|Western)",
    r"7\s?mm(?:-08)?\s+Rem(?:ington)?\.?(?:\s+Mag(?:num)?)?",
    r"7\s?mm\s+PRC",
    r"\.?224\s+Valkyrie",
    r"\.?350\s+Legend",
    r"\.?450\s+Bushmaster",
    r"\.?458\s+SOCOM",
    r"\.?45-70(?:\s+Gov(?:ernmen)?t)?",
    r"\.?22-250(?:\s+Rem(?:ington)?)?",
    r"\.?22\s+(?:Long\s+Rifle|LR)",
    r"\.?22\s+(?:WMR|Win(?:chester)?\s+Mag(?:num)?(?:\s+Rimfire)?)",
    r"\.?17\s+(?:HMR|WSM|Mach\s+2)",
    r"\.?380\s+(?:ACP|Auto)",
    r"\.?40\s+(?:S&W|Smith\s+&\s+Wesson)",
    r"\.?45\s+(?:ACP|Auto|Colt|Long\s+Colt|GAP)",
    r"\.?32\s+(?:ACP|Auto|H&R(?:\s+Mag(?:num)?)?)",
    r"\.?25\s+(?:ACP|Auto)",
    r"\.?38\s+(?:Special|Spl|Super)",
    r"\.?357\s+(?:Mag(?:num)?|SIG)",
    r"\.?327\s+Fed(?:eral)?\s+Mag(?:num)?",
    r"\.?41\s+(?:Rem(?:ington)?\s+)?Mag(?:num)?",
    r"\.?44\s+(?:(?:Rem(?:ington)?\s+)?Mag(?:num)?|Special|Spl)",
    r"\.?454\s+Casull",
    r"\.?50\s+(?:BMG|AE|Action\s+Express|Beowulf)",
    r"10\s?mm(?:\s+Auto)?",
)
_GAUGES = r"(?:10|12|16|20|28|32)[\s-]?(?:gauge|ga)\b|\.?410(?:[\s-]?(?:bore|gauge|ga))\b"

# Each begins with a number: asked first, that question saves trying every name at every letter.
GAUGE = re.compile(rf"(?<![\w.])(?:{_GAUGES})", re.IGNORECASE)
CALIBER = re.compile(rf"(?=[.\d])(?<![\w.])(?:{'|'.join(_CALIBERS)}|{_GAUGES})(?![\w])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Names:
    """Names with the wordings that mean them; most titles contain none, which `hint` tells at once."""

    rows: tuple[tuple[str, re.Pattern[str]], ...]
    hint: re.Pattern[str]


def _named(hint: str, *rows: tuple[str, str]) -> Names:
    """`hint` matches in every text that one of the wordings matches in."""
    wordings = tuple((name, re.compile(words, re.IGNORECASE)) for name, words in rows)
    return Names(wordings, re.compile(hint, re.IGNORECASE))


# The longer wording first: a jacketed hollow point is not also a hollow point.
BULLET_TYPES = _named(
    r"point|metal|nose|cutter|frang|HP|SP|MJ|LRN",
    ("FMJBT", r"\bfull\s+metal\s+jacket(?:ed)?\s+boat[\s-]*tail\b|\bFMJ[\s-]*BT\b"),
    ("BTHP", r"\b(?:jacketed\s+)?hollow[\s-]*point\s+boat[\s-]*tail\b|\b(?:BTHP|HPBT)\b"),
    ("BTHP", r"\bboat[\s-]*tail\s+hollow[\s-]*point\b"),
    ("JHP", r"\bjacketed\s+hollow[\s-]*point\b|\bJHP\b"),
    ("JSP", r"\bjacketed\s+soft[\s-]*point\b|\bJSP\b"),
    ("TMJ", r"\btotal\s+metal\s+jacket\b|\bTMJ\b"),
    ("FMJ", r"\bfull\s+metal\s+(?:jacket(?:ed)?|case)\b|\bFMJ\b"),
    ("LRN", r"\blead\s+round[\s-]*nose\b|\bLRN\b"),
    ("HP", r"\bhollow[\s-]*point\b|\bHP\b"),
    ("SP", r"\bsoft[\s-]*point\b|\bSP\b"),
    ("WC", r"\bwadcutter\b"),
    ("Frangible", r"\bfrangible\b"),
)  # fmt: skip

_OF_A_CASE = r"[\s-]+(?:cased|case(?!\s+of\b)|casings?)\b"
CASE_MATERIALS = _named(
    r"cas(?:e|ing)",
    ("nickel-plated brass", r"\bnickel[\s-]+plated(?:\s+brass)?" + _OF_A_CASE),
    ("brass", r"\bbrass" + _OF_A_CASE),
    ("steel", r"\bsteel" + _OF_A_CASE),
    ("aluminum", r"\balumin(?:i)?um" + _OF_A_CASE),
    ("polymer", r"\bpolymer" + _OF_A_CASE),
)
