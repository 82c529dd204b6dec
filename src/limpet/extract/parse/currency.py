"""Which currency a text names, and how that currency is written."""

from __future__ import annotations

import re

# Longest spelling first: "CA$" is not "$".
_SPELLINGS = {
    "US$": "USD", "CA$": "CAD", "C$": "CAD", "AU$": "AUD", "A$": "AUD", "NZ$": "NZD", "HK$": "HKD",
    "R$": "BRL", "S$": "SGD", "MX$": "MXN", "NT$": "TWD", "CI$": "KYD", "$": "USD", "£": "GBP", "€": "EUR",
    "¥": "JPY", "CN¥": "CNY", "JP¥": "JPY", "元": "CNY", "円": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW",
    "₺": "TRY", "₴": "UAH", "₪": "ILS", "฿": "THB", "₫": "VND", "₱": "PHP", "₦": "NGN", "₡": "CRC",
    "₸": "KZT", "₲": "PYG", "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "лв": "BGN", "руб": "RUB", "lei": "RON",
    "Fr.": "CHF", "SFr.": "CHF", "Rp": "IDR", "RM": "MYR",
}  # fmt: skip
_CODES = frozenset((
    "AED", "ARS", "AUD", "BBD", "BGN", "BHD", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CRC", "CZK", "DKK",
    "EGP", "EUR", "GBP", "HKD", "HUF", "IDR", "ILS", "INR", "ISK", "JMD", "JOD", "JPY", "KES", "KRW", "KWD",
    "KYD", "KZT", "MAD", "MXN", "MYR", "NGN", "NOK", "NZD", "OMR", "PEN", "PHP", "PLN", "PYG", "RON", "RUB",
    "SAR", "SEK", "SGD", "THB", "TND", "TRY", "TWD", "UAH", "USD", "VND", "ZAR",
))  # fmt: skip
# One sign, many countries: the hint of the page decides, and without one the most common reading.
_SHARED = {
    "$": frozenset(("USD", "CAD", "AUD", "NZD", "MXN", "SGD", "HKD", "KYD", "CLP", "COP", "ARS", "TWD")),
    "¥": frozenset(("JPY", "CNY")),
    "£": frozenset(("GBP", "EGP")),
}
_NO_DECIMALS = frozenset(("JPY", "KRW", "VND", "CLP", "ISK", "PYG"))
_THREE_DECIMALS = frozenset(("KWD", "BHD", "OMR", "JOD", "TND"))
_COMMA_GROUPS = frozenset((
    "AED", "AUD", "BBD", "CAD", "CNY", "GBP", "HKD", "ILS", "INR", "JMD", "JPY", "KES", "KRW", "KYD", "MXN",
    "MYR", "NGN", "NZD", "PHP", "SAR", "SGD", "THB", "TWD", "USD",
))  # fmt: skip
_DOT_GROUPS = frozenset(("ARS", "BRL", "CLP", "COP", "DKK", "EUR", "IDR", "ISK", "PYG", "RON", "TRY", "VND"))

_KNOWN = re.compile(
    "|".join(re.escape(sign) for sign in sorted(_SPELLINGS, key=len, reverse=True))
    + r"|(?<![A-Za-z])(?:"
    + "|".join(sorted(_CODES))
    + r")(?![A-Za-z])"
)


def currencies_in(text: str, hint: str | None) -> tuple[set[str | None], str]:
    """Return the currencies the text names (None for one we cannot place) and the text without them."""
    found: set[str | None] = {_meant(sign, hint) for sign in _KNOWN.findall(text)}
    rest = _KNOWN.sub(" ", text)
    if not found:
        from price_parser.parser import extract_currency_symbol  # noqa: PLC0415 - slow to import, and rarely asked

        rare = extract_currency_symbol(text, None)
        if rare and rare in text:
            return {hint}, text.replace(rare, " ")
    return found, rest


def minor_digits(currency: str | None) -> int:
    """Return how many decimals the currency's smallest unit is away: 2 for most, 0 for yen, 3 for dinars."""
    if currency in _NO_DECIMALS:
        return 0
    return 3 if currency in _THREE_DECIMALS else 2


def groups_thousands_with(separator: str, currency: str | None) -> bool:
    """Whether this currency's home writes thousands with that separator."""
    return currency in (_COMMA_GROUPS if separator == "," else _DOT_GROUPS)


def _meant(sign: str, hint: str | None) -> str:
    if hint is not None and hint in _SHARED.get(sign, ()):
        return hint
    return _SPELLINGS.get(sign, sign)
