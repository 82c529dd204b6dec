"""Price text becomes integer cents with a currency, or a named problem. Never a float, never a guess."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

from msgspec import Struct

from limpet.extract.parse.amount import Amount, AmountProblem, read_amount
from limpet.extract.parse.currency import currencies_in, minor_digits


class PriceDoubt(StrEnum):
    """Why a text gives no price we may believe."""

    NOT_FOUND = "not_found"  # no number that could be a price: "Call for price"
    AMBIGUOUS_NUMBER = "ambiguous_number"  # "1.234": thousands or decimals?
    SEVERAL_PRICES = "several_prices"  # a range, a tier, "was $20 now $15"
    NOT_THE_PRICE = "not_the_price"  # "from $10", "save $5", "20 % off"
    PER_UNIT = "per_unit"  # "$1.35 Per Round": a price, but not of what is sold
    NEGATIVE = "negative"
    TOO_PRECISE = "too_precise"  # a fraction of the smallest unit
    TOO_LARGE = "too_large"
    SEVERAL_CURRENCIES = "several_currencies"


class Price(Struct, frozen=True):
    """An exact amount in the currency's smallest unit: cents for dollars, whole yen for yen."""

    cents: int
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class PriceProblem:
    """No price, and why; `text` is what was read, shortened."""

    reason: PriceDoubt
    text: str

    @property
    def is_ambiguous(self) -> bool:
        """True when there are prices, only not one; False when there is none."""
        return self.reason is not PriceDoubt.NOT_FOUND


LARGEST_CENTS = 10**12
_LONGEST_TEXT = 300
_PLAIN = re.compile(r"\s*([$£€]?)\s?(\d{1,3}(?:,\d{3})+|\d{1,9})\.(\d\d)\s*", re.ASCII)
_PLAIN_CURRENCY = {"$": "USD", "£": "GBP", "€": "EUR", "": None}

_NUMBER = re.compile(r"\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?(?![\d.,'’])|\d+(?:[.,'’]\d+)*")
_PER_UNIT = re.compile(
    r"\bper\b|\bpro\b|\ba piece\b|/\s*(?:rd|round|rnd|oz|lb|g|kg|ml|l|ct|unit|piece|pc|100)\b", re.I
)
_NOT_THE_PRICE = re.compile(
    r"\b(?:from|starting|starts|low as|up to|save|saving|savings|off|was|were|msrp|rrp|list|reg|regular"
    r"|discount|coupon|rebate|shipping|deposit|under|over|above|below|less|more|approx|about|circa|ab|bis"
    r"|statt|month|monthly|mo|week|year|x)\b|%|~|\d\s*\+|\+\s*\d|@",
    re.I,
)
_HARMLESS = re.compile(
    r"\b(?:price|our|sale|special|now|only|just|each|ea|today|current|unit|total|cost|incl|including|inc|excl"
    r"|plus|vat|tax|taxes|gst|mwst|inkl|preis|prix|ttc|ht|in|and|your|online|web|retail|selling)\b\.?",
    re.I,
)
_USUAL_JSON = re.compile(r"(\d{1,9})(?:\.(\d{1,2}))?", re.ASCII)
_JSON_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,10})?", re.ASCII)
_LETTER_AT_DIGIT = re.compile(r"[^\W\d_]\d|\d[^\W\d_]")
_NEGATIVE = re.compile(r"(?:^|[\s(])-\s?\d|^\s*-|\d-\s*$")
_NO_CENTS = re.compile(r"(?<=\d)[.,]\s?-{1,2}(?=\s|$)")
_FREE = re.compile(r"\s*free[.!]?\s*", re.I)
# "$.99" leaves its zero out. After a letter the point ends a word, as in "Rs.99".
_WITHOUT_ZERO = re.compile(r"(?<![\w.,])[.,](\d+)(?![.,]?\d)")
_CENT_SIGN = re.compile(r"(\d{1,3})\s?¢")
_ISO = re.compile(r"[A-Z]{3}", re.ASCII)


def parse_price(text: str, *, currency_hint: str | None = None) -> Price | PriceProblem:
    """Return the one price a text states, or the reason there is not exactly one.

    `currency_hint` (an ISO code, as the page states elsewhere) settles what a bare number or a shared sign
    such as "$" cannot say; a currency the text itself names wins. "$0.00" and "Free" are a price of 0.
    """
    plain = _PLAIN.fullmatch(text)
    if plain is not None and currency_hint in (None, "USD", "GBP", "EUR"):
        return _plain_price(plain, currency_hint)
    hint = currency_hint.strip().upper() if currency_hint else ""
    return _Reading(text, hint if _ISO.fullmatch(hint) else None).result()


def price_from_json(value: Any, *, currency: str | None = None) -> Price | PriceProblem:
    """Return the price a JSON value states: a number, or text with a decimal point as schema.org asks for."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal, str)):
        return PriceProblem(PriceDoubt.NOT_FOUND, _shown(value))
    if isinstance(value, str):
        usual = _USUAL_JSON.fullmatch(value)
        if usual is not None and minor_digits(currency) == 2:
            return Price(int(usual[1]) * 100 + int((usual[2] or "").ljust(2, "0")), currency)
        bare = value.strip()
        if not _JSON_NUMBER.fullmatch(bare):
            return parse_price(value, currency_hint=currency)
        return _exact(Decimal(bare), currency, value)
    try:
        # The shortest text of a float is what the page wrote; its binary value is not.
        return _exact(Decimal(repr(value) if isinstance(value, float) else value), currency, value)
    except InvalidOperation:
        return PriceProblem(PriceDoubt.NOT_FOUND, _shown(value))


def _plain_price(plain: re.Match[str], hint: str | None) -> Price | PriceProblem:
    sign, whole, cents = plain.groups()
    currency = (hint if sign in ("", "$") and hint == "USD" else None) or _PLAIN_CURRENCY[sign] or hint
    return Price(int(whole.replace(",", "") + cents), currency)


def _exact(amount: Decimal, currency: str | None, shown: Any) -> Price | PriceProblem:
    if not amount.is_finite():
        return PriceProblem(PriceDoubt.NOT_FOUND, _shown(shown))
    if amount < 0:
        return PriceProblem(PriceDoubt.NEGATIVE, _shown(shown))
    if amount > LARGEST_CENTS:
        return PriceProblem(PriceDoubt.TOO_LARGE, _shown(shown))
    cents = amount.scaleb(minor_digits(currency))
    if cents != cents.to_integral_value():
        return PriceProblem(PriceDoubt.TOO_PRECISE, _shown(shown))
    if cents > LARGEST_CENTS:
        return PriceProblem(PriceDoubt.TOO_LARGE, _shown(shown))
    return Price(int(cents), currency)


def _shown(value: Any) -> str:
    return str(value)[:80] if not isinstance(value, int) or abs(value) < 10**80 else "a huge number"


class _Reading:
    """One text, read step by step; each step may end in a problem."""

    def __init__(self, text: str, hint: str | None) -> None:
        self._original = text
        self._text = _WITHOUT_ZERO.sub(r"0.\1", _in_plain_signs(text))
        self._hint = hint

    def result(self) -> Price | PriceProblem:
        text = self._text
        if len(text) > _LONGEST_TEXT:
            return self._problem(PriceDoubt.NOT_FOUND)
        if _FREE.fullmatch(text):
            return Price(0, self._hint)
        if "¢" in text:
            return self._in_cents(text)
        if any(unicodedata.category(sign) == "No" for sign in text if not sign.isascii()):
            # Raised cents ("19⁹⁹") and fractions look like digits to a careless eye.
            return self._problem(PriceDoubt.AMBIGUOUS_NUMBER)
        currencies, rest = currencies_in(text, self._hint)
        rest = _NO_CENTS.sub(" ", rest)
        numbers = _NUMBER.findall(rest)
        doubt = self._doubt_about(rest, numbers, currencies)
        if doubt is not None:
            return self._problem(doubt)
        return self._priced(numbers[0], next(iter(currencies), self._hint))

    def _in_cents(self, text: str) -> Price | PriceProblem:
        """ "99¢" says cents where all other texts say whole units."""
        cents = _CENT_SIGN.fullmatch(text)
        if cents is None:
            return self._problem(PriceDoubt.AMBIGUOUS_NUMBER)
        currencies, _ = currencies_in("$", self._hint)
        return Price(int(cents[1]), currencies.pop())

    def _doubt_about(self, rest: str, numbers: list[str], currencies: set[str | None]) -> PriceDoubt | None:
        words = _NUMBER.sub(" ", rest)
        checks = (
            (not numbers, PriceDoubt.NOT_FOUND),
            (bool(_PER_UNIT.search(rest)), PriceDoubt.PER_UNIT),
            (len(numbers) > 1, PriceDoubt.SEVERAL_PRICES),
            (bool(_NEGATIVE.search(rest)), PriceDoubt.NEGATIVE),
            (bool(_NOT_THE_PRICE.search(rest)), PriceDoubt.NOT_THE_PRICE),
            (len(currencies) > 1, PriceDoubt.SEVERAL_CURRENCIES),
            (bool(_LETTER_AT_DIGIT.search(rest)), PriceDoubt.NOT_FOUND),
            (not currencies and _has_words(words), PriceDoubt.NOT_FOUND),
        )
        return next((doubt for applies, doubt in checks if applies), None)

    def _priced(self, number: str, currency: str | None) -> Price | PriceProblem:
        amount = read_amount(number, currency)
        if amount is AmountProblem.AMBIGUOUS:
            return self._problem(PriceDoubt.AMBIGUOUS_NUMBER)
        if amount is AmountProblem.TOO_PRECISE:
            return self._problem(PriceDoubt.TOO_PRECISE)
        assert isinstance(amount, Amount)
        if amount.minor_units > LARGEST_CENTS:
            return self._problem(PriceDoubt.TOO_LARGE)
        return Price(amount.minor_units, currency)

    def _problem(self, reason: PriceDoubt) -> PriceProblem:
        return PriceProblem(reason, self._original[:80])


def _has_words(text: str) -> bool:
    """Whether letters are left once the words that may stand beside a price are gone."""
    return any(sign.isalpha() for sign in _HARMLESS.sub(" ", text))


_SIGNS = {
    0x2212: "-", 0x2010: "-", 0x2011: "-", 0x2012: "-", 0x2013: "-", 0x2014: "-", 0xFE63: "-",
    0x066B: ".", 0x066C: ",", 0x200E: None, 0x200F: None, 0x061C: None, 0xFEFF: None,
    0x200B: None, 0x2060: None,
}  # fmt: skip


def _in_plain_signs(text: str) -> str:
    """Return the text with every digit as ASCII, every blank as a space and every dash as a minus."""
    text = text.translate(_SIGNS)
    if text.isascii():
        return " ".join(text.split())
    signs = (
        str(unicodedata.decimal(sign))
        if sign.isdecimal()
        else chr(ord(sign) - 0xFEE0)
        if 0xFF01 <= ord(sign) <= 0xFF5E
        else {"￥": "¥", "￡": "£", "＄": "$", "﹩": "$"}.get(sign, sign)
        for sign in text
    )
    return " ".join("".join(signs).split())
