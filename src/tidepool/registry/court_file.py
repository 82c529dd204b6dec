"""One court file as it stands at a tick: its header, its entries, its parties. Invented from its number alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from tidepool.draw import draw, pick
from tidepool.registry import words
from tidepool.registry.entries import Entry, entries_of
from tidepool.registry.numbers import CourtNumber
from tidepool.registry.words import Both


class Oddity(StrEnum):
    """What is unusual about a file; most are plain."""

    PLAIN = "plain"
    NO_FILING_DATE = "no_filing_date"
    NO_ENTRIES = "no_entries"  # the list of entries is empty
    HEADER_ONLY = "header_only"  # the list of entries is one row without text
    TOLD_TWICE = "told_twice"  # the same rows come twice


# Of a hundred files so many are odd in each way.
SHARES = (
    (Oddity.NO_FILING_DATE, 4),
    (Oddity.NO_ENTRIES, 2),
    (Oddity.HEADER_ONLY, 2),
    (Oddity.TOLD_TWICE, 3),
)


@dataclass(frozen=True, slots=True)
class Party:
    """Somebody before the court, and who speaks for them."""

    name: str
    firm: str | None
    contact: str | None


@dataclass(frozen=True, slots=True)
class CourtFile:
    """What the court knows about one number."""

    number: CourtNumber
    oddity: Oddity
    style_of_cause: str
    nature: Both
    kind: Both
    action: Both
    office: Both
    language: Both
    filed_on: date | None
    entries: tuple[Entry, ...]
    parties: tuple[Party, ...]
    related: tuple[CourtNumber, ...]
    sequence: int


def oddity_of(number: CourtNumber, *, seed: int) -> Oddity:
    """Say in which way this file is unusual."""
    lot = draw(100, seed, number, "odd")
    for oddity, share in SHARES:
        if lot < share:
            return oddity
        lot -= share
    return Oddity.PLAIN


def court_file(number: CourtNumber, *, seed: int, tick: int, ended: int) -> CourtFile:
    """Return the file of a number that exists; `ended` is the last number its year had at tick 0."""
    about = (seed, number)
    oddity = oddity_of(number, seed=seed)
    is_immigration = number.prefix == "IMM"
    opened = _opened_on(number, ended)
    applicant = f"{pick(words.FAMILY_NAMES, *about, 'f')}, {pick(words.GIVEN_NAMES, *about, 'g')}"
    office = pick(words.OFFICES, *about, "office")
    empty = oddity in (Oddity.NO_ENTRIES, Oddity.HEADER_ONLY)
    return CourtFile(
        number=number,
        oddity=oddity,
        style_of_cause=_style(applicant, number, seed=seed),
        nature=pick(words.NATURES if is_immigration else words.OTHER_NATURES, *about, "nature"),
        kind=words.IMMIGRATION if is_immigration else words.ORDINARY,
        action=words.ACTIONS[0 if is_immigration else 1],
        office=office,
        language=words.LANGUAGES[draw(5, *about, "language") == 0],
        filed_on=None if oddity is Oddity.NO_FILING_DATE else opened,
        entries=() if empty else entries_of(number, opened, office, seed=seed, tick=tick),
        parties=_parties(applicant, number, seed=seed),
        related=_related(number, seed=seed),
        sequence=int(f"20{number.year}{300_000 + number.number}"),
    )


def _opened_on(number: CourtNumber, ended: int) -> date:
    """Numbers are given out evenly over the year."""
    days = min(364, number.number * 365 // max(1, ended))
    return date(2000 + int(number.year), 1, 1) + timedelta(days=days)


def _style(applicant: str, number: CourtNumber, *, seed: int) -> str:
    against = pick(words.MINISTERS, seed, number, "minister")
    if draw(40, seed, number, "long") == 0:
        against += " " + " AND ".join(f"\u201c{ship}\u201d" for ship in words.SHIPS * 6)
    return f"{applicant.upper()} v. {against}"


def _parties(applicant: str, number: CourtNumber, *, seed: int) -> tuple[Party, ...]:
    firm = pick((None, *words.FIRMS), seed, number, "firm")
    contact = f"{pick(words.GIVEN_NAMES, seed, number, 'c')} {pick(words.FAMILY_NAMES, seed, number, 'd')}"
    against = pick(words.MINISTERS, seed, number, "minister")
    return (
        Party(applicant.upper(), firm, contact if firm else None),
        Party(against, "Department of Pretend Justice", None),
    )


def _related(number: CourtNumber, *, seed: int) -> tuple[CourtNumber, ...]:
    if number.number < 3 or draw(8, seed, number, "related"):
        return ()
    return (CourtNumber(number.prefix, number.year, number.number - 1 - draw(2, seed, number, "near")),)
