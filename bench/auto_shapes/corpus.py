"""The corpus: every shape in several countries, with the truth about it."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bench.auto_shapes.abroad import ABROAD, ABROAD_COUNTRIES
from bench.auto_shapes.chains import CHAINS, REFUSED_CHAINS
from bench.auto_shapes.crowd import crowded
from bench.auto_shapes.further import FURTHER, ONLY_EURO, ONLY_YEN
from bench.auto_shapes.giants import GIANTS
from bench.auto_shapes.goods import Goods, goods
from bench.auto_shapes.latecomers import LATECOMERS, REFUSED_LATECOMERS
from bench.auto_shapes.newcomers import LOCAL_NEWCOMERS, NEWCOMERS, REFUSED_NEWCOMERS
from bench.auto_shapes.oddities import READABLE, REFUSED
from bench.auto_shapes.platforms import PLATFORMS
from bench.auto_shapes.rounds import ROUNDS
from bench.auto_shapes.strangers import READABLE_STRANGERS, REFUSED_STRANGERS

COUNTRIES_BY_TURN = (
    "us",
    "de",
    "uk",
    "fr",
    "jp",
    "ca",
    "se",
    "pl",
    "au",
    "ch",
    "nl",
    "it",
    "dk",
    "in",
    "br",
    "cz",
)


_WHOLE = ("comma_dash",)  # shapes that show no cents


@dataclass(frozen=True, slots=True)
class Case:
    """One page and what a careful person reads from it; no price means that it must be refused."""

    name: str
    url: str
    html: str
    minor: int | None
    currency: str | None
    goods: Goods
    availability: str | None = None  # none: not asked for
    sku: str | None = None


def of_rounds() -> Iterator[Case]:
    """Yield the pages written round by round, each before the reader was tried on it."""
    for number, shapes in enumerate(ROUNDS, 1):
        for turn, shape in enumerate(shapes):
            thing = _well_reduced(goods(number * 1000 + turn, shape.country))
            yield Case(
                f"round{number}-{shape.name}-{thing.country.currency}",
                shape.url(thing),
                shape.build(thing),
                thing.minor if shape.is_priced else None,
                thing.country.currency if shape.is_priced else None,
                thing,
                shape.availability if shape.is_priced else None,
                thing.sku if shape.has_sku else None,
            )


def cases(rounds: int = 4) -> Iterator[Case]:
    """Yield every case; more rounds give more countries and goods."""
    yield from of_rounds()
    turn = 0
    for number in range(rounds):
        for shape in (*PLATFORMS, *GIANTS):
            for sale in (False, True):
                for markup in (False, True):
                    thing = _thing(turn, number)
                    turn += 1
                    name = f"{shape.__name__}-{'sale' if sale else 'plain'}-{'markup' if markup else 'bare'}-{thing.country.currency}"
                    yield _readable(name, thing, shape(thing, sale=sale, markup=markup))
        for odd in (*READABLE, *READABLE_STRANGERS):
            thing = _thing(turn, number)
            turn += 1
            if odd.__name__ == "raised_cents" and thing.country.digits == 0:
                thing = goods(turn, "us")
            yield _readable(f"{odd.__name__}-{thing.country.currency}", thing, odd(thing))
        for further in FURTHER:
            thing = _thing(turn, number)
            turn += 1
            yield _readable(f"{further.__name__}-{thing.country.currency}", thing, further(thing))
        for newcomer in (*NEWCOMERS, *LATECOMERS):
            thing = _thing(turn, number)
            turn += 1
            yield _readable(f"new-{newcomer.__name__}-{thing.country.currency}", thing, newcomer(thing))
        for country, shapes in (("fr", ONLY_EURO), ("jp", ONLY_YEN)):
            for local in shapes:
                thing = goods(turn, country)
                turn += 1
                yield _readable(f"{local.__name__}-{thing.country.currency}", thing, local(thing))
        for country, shapes in LOCAL_NEWCOMERS:
            for local in shapes:
                thing = _whole(goods(turn, country)) if local.__name__ in _WHOLE else goods(turn, country)
                turn += 1
                yield _readable(f"new-{local.__name__}-{thing.country.currency}", thing, local(thing))
        for chain in CHAINS:
            thing = _thing(turn, number)
            turn += 1
            yield _readable(f"chain-{chain.__name__}-{thing.country.currency}", thing, chain(thing))
        for place in ABROAD_COUNTRIES:
            for far in ABROAD:
                thing = goods(turn, place)
                turn += 1
                yield _readable(f"abroad-{far.__name__}-{thing.country.currency}", thing, far(thing))
        for refused in (
            *REFUSED,
            *REFUSED_STRANGERS,
            *REFUSED_NEWCOMERS,
            *REFUSED_LATECOMERS,
            *REFUSED_CHAINS,
        ):
            thing = _thing(turn, number)
            turn += 1
            yield Case(
                f"{refused.__name__}-{thing.country.currency}", thing.url, refused(thing), None, None, thing
            )


def _thing(turn: int, number: int) -> Goods:
    return goods(turn, COUNTRIES_BY_TURN[(turn + number * 5) % len(COUNTRIES_BY_TURN)])


def _well_reduced(thing: Goods) -> Goods:
    """Return the same thing with a former price a fifth above, so that a percentage says something."""
    return replace(
        thing,
        was_cents=(thing.cents * 5 // 4 // 100 + 1) * 100 - 1
        if thing.country.digits
        else thing.cents * 5 // 4 // 1000 * 1000,
    )


def _whole(thing: Goods) -> Goods:
    """Return the same thing at a price without cents."""
    return replace(thing, cents=thing.cents // 100 * 100)


def _readable(name: str, thing: Goods, html: str) -> Case:
    return Case(name, thing.url, html, thing.minor, thing.country.currency, thing)


def in_a_crowd(case: Case) -> Case:
    """Return the same case amid everything a saved page holds."""
    return replace(case, html=crowded(case.html, case.goods))
