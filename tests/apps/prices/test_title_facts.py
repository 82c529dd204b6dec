"""A title is believed in what it says, and nothing is made of what it leaves out."""

from __future__ import annotations

import pytest

from limpet.apps.prices.models.title_facts import AmmoFacts, bullet_type_in, facts_in


@pytest.mark.parametrize(
    ("title", "facts"),
    [
        (
            "Harbor Range 9mm Luger Ammo 124 Grain Federal Jacketed Hollow Point Box of 20",
            AmmoFacts("9mm Luger", 124, 20, None, "JHP"),
        ),
        (
            "Harbor 9mm Luger Ammo 115 Grain Full Metal Jacket Steel Case Case of 500 (10 Boxes of 50)",
            AmmoFacts("9mm Luger", 115, 500, "steel", "FMJ"),
        ),
        (
            "250 Round Case – 9mm Luger +P 135 Grain Hollow Point Ammo – 90",
            AmmoFacts("9mm Luger", 135, 250, None, "HP"),
        ),
        (
            'HARBOR - TOP AMMO 12 GAUGE 2-3/4" 1-1/8 OZ #8 SHOT',
            AmmoFacts("12 GAUGE", load_type="#8", shell_length='2-3/4"'),
        ),
        (
            "Harbor Ammunition 5.56 NATO 55 gr FMJ BT - Box of 20",
            AmmoFacts("5.56 NATO", 55, 20, None, "FMJBT"),
        ),
        ('Harbor 12ga 3" 00 Buck 5 rd', AmmoFacts("12ga", None, 5, None, None, "00 Buck", '3"')),
        (
            "Harbor 20 Gauge 2.75 inch 7/8 oz Rifled Slug",
            AmmoFacts("20 Gauge", None, None, None, None, "7/8 oz Slug", '2-3/4"'),
        ),
        (
            'Harbor .410 Bore 3-1/2" #4 Buckshot',
            AmmoFacts(".410 Bore", load_type="#4 Buck", shell_length='3-1/2"'),
        ),
        ("1,000 rds Harbor 22 LR 40gr LRN", AmmoFacts("22 LR", 40, 1000, None, "LRN")),
        (
            "Harbor 308 Win 168gr BTHP nickel-plated brass case 20 rounds",
            AmmoFacts("308 Win", 168, 20, "nickel-plated brass", "BTHP"),
        ),
    ],
)
def test_a_title_says_what_it_says(title: str, facts: AmmoFacts) -> None:
    assert facts_in(title) == facts


@pytest.mark.parametrize(
    ("title", "field"),
    [
        ("Harbor 223 Rem or 5.56 NATO Ammo", "caliber"),  # two
        ("Harbor 55 gr and 62 gr sampler", "grain_weight"),
        ("Harbor 17.5 gr 17 HMR", "grain_weight"),  # not five grains
        ("Harbor Bullets 22 Caliber 55 Grain Box of 100", "round_count"),  # bullets are no cartridges
        ("Harbor magazine 9mm Pack of 3", "round_count"),
        ("Harbor Ammo 20 rounds, 10 rounds free", "round_count"),
        ("Harbor Ammo Brass Case of 500", "case_material"),  # perhaps a case of brass, perhaps a brass case
        ("Harbor FMJ and JHP mixed", "bullet_type"),
        ('Harbor barrel 16" 5.56 NATO', "shell_length"),
        ("Harbor #8 screws 9mm", "load_type"),
        ("Harbor 12 Gauge #8 and #9 Shot", "load_type"),
        ("Model 1290 mm scope 100", "caliber"),
        ("", "caliber"),
    ],
)
def test_what_could_mean_two_things_means_nothing(title: str, field: str) -> None:
    assert getattr(facts_in(title), field) is None


def test_what_is_stated_beside_the_title_wins() -> None:
    stated = AmmoFacts(caliber="9mm", round_count=25)

    assert stated.or_else(AmmoFacts("9mm Luger", 115, 50)) == AmmoFacts("9mm", 115, 25)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("full metal jacketed boat tail", "FMJBT"),
        ("FMJ-BT", "FMJBT"),
        ("hollow point boat tail", "BTHP"),
        ("HPBT", "BTHP"),
        ("boat-tail hollow-point", "BTHP"),
        ("jacketed hollow point", "JHP"),
        ("JHP", "JHP"),
        ("jacketed soft-point", "JSP"),
        ("JSP", "JSP"),
        ("total metal jacket", "TMJ"),
        ("tmj", "TMJ"),
        ("full metal case", "FMJ"),
        ("lead round-nose", "LRN"),
        ("LRN", "LRN"),
        ("hollowpoint", "HP"),
        ("soft point", "SP"),
        ("wadcutter", "WC"),
        ("frangible", "Frangible"),
    ],
)
def test_every_wording_of_a_bullet_is_known(words: str, name: str) -> None:
    assert bullet_type_in(f"Maker 9mm 115 gr {words} 50 rounds") == name
