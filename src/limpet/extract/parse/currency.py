"""Which currency a text names, and how that currency is written."""

from __future__ import annotations

import re

# Longest spelling first: "CA$" is not "$".
_SPELLINGS = {
    "US$": "USD", "CA$": "CAD", "C$": "CAD", "AU$": "AUD", "A$": "AUD", "NZ$": "NZD", "HK$": "HKD",
    "R$": "BRL", "S$": "SGD", "MX$": "MXN", "Mex$": "MXN", "NT$": "TWD", "CI$": "KYD", "J$": "JMD",
    "Bds$": "BBD", "AR$": "ARS", "COL$": "COP", "CLP$": "CLP", "$": "USD", "£": "GBP", "€": "EUR",
    "¥": "JPY", "CN¥": "CNY", "JP¥": "JPY", "元": "CNY", "円": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW",
    "₺": "TRY", "₴": "UAH", "₪": "ILS", "฿": "THB", "₫": "VND", "₱": "PHP", "₦": "NGN", "₡": "CRC",
    "₸": "KZT", "₲": "PYG", "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "лв": "BGN", "руб": "RUB", "lei": "RON",
    "Fr.": "CHF", "SFr.": "CHF", "Rp": "IDR", "RM": "MYR", "RMB": "CNY",
}  # fmt: skip
_CODES = frozenset((
    "AED", "ARS", "AUD", "BBD", "BGN", "BHD", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CRC", "CZK", "DKK",
    "EGP", "EUR", "GBP", "HKD", "HUF", "IDR", "ILS", "INR", "ISK", "JMD", "JOD", "JPY", "KES", "KRW", "KWD",
    "KYD", "KZT", "MAD", "MXN", "MYR", "NGN", "NOK", "NZD", "OMR", "PEN", "PHP", "PLN", "PYG", "RON", "RUB",
    "SAR", "SEK", "SGD", "THB", "TND", "TRY", "TWD", "UAH", "USD", "VND", "ZAR",
))  # fmt: skip
# People write these in small letters too; "try", "pen" and "cop" are words.
_CODES_IN_ANY_CASE = (
    "USD",
    "EUR",
    "GBP",
    "CHF",
    "CAD",
    "AUD",
    "JPY",
    "SEK",
    "NOK",
    "DKK",
    "PLN",
    "CZK",
    "INR",
)
# One sign, many countries: what the text or the page says besides decides, and without that the most common reading.
_SHARED = {
    "$": frozenset(
        (
            "USD",
            "CAD",
            "AUD",
            "NZD",
            "MXN",
            "SGD",
            "HKD",
            "KYD",
            "CLP",
            "COP",
            "ARS",
            "TWD",
            "BBD",
            "JMD",
        )
    ),
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

_LETTER = r"[^\W\d_]"


def _spelled(sign: str) -> str:
    """Return the pattern of a spelling; one made of letters is no part of a longer word: RM is not in RMB."""
    pattern = re.escape(sign)
    if sign[0].isalpha() and sign[0] not in "元円":
        pattern = f"(?<!{_LETTER}){pattern}"
    return f"{pattern}(?!{_LETTER})" if sign[-1].isalpha() and sign[-1] not in "元円" else pattern


_KNOWN = re.compile(
    # "AU $12" is written apart by some; a single letter may only stand so at the very beginning, as in "C $12".
    r"(?<![A-Za-z])(?:US|CA|AU|NZ|HK|MX|NT) \$|\AC \$|"
    + "|".join(_spelled(sign) for sign in sorted(_SPELLINGS, key=len, reverse=True) if sign != "$")
    # A dollar of a country we do not know is not that of another.
    + r"|(?<![A-Za-z])[A-Z]{1,3}\$|\$"
    + r"|(?<![A-Za-z])(?:"
    + "|".join(sorted(_CODES))
    + "|(?i:"
    + "|".join(_CODES_IN_ANY_CASE)
    + r"))(?![A-Za-z])"
)


def currencies_in(text: str, hint: str | None) -> tuple[set[str | None], str]:
    """Return the currencies the text names (None for one we cannot place) and the text without them."""
    signs = {sign.replace(" ", "") for sign in _KNOWN.findall(text)}
    # "$12 CAD": the code says which of its dollars the sign means.
    found = {_certain(sign) for sign in signs if sign not in _SHARED}
    found |= {_meant(sign, found, hint) for sign in signs if sign in _SHARED}
    rest = _KNOWN.sub(" ", text)
    if not found:
        from price_parser.parser import extract_currency_symbol  # noqa: PLC0415 - slow to import, and rarely asked

        rare = extract_currency_symbol(text, None)
        if rare and (without := re.sub(_spelled(rare), " ", text)) != text:
            return {hint}, without
    return found, rest


def minor_digits(currency: str | None) -> int:
    """Return how many decimals the currency's smallest unit is away: 2 for most, 0 for yen, 3 for dinars."""
    if currency in _NO_DECIMALS:
        return 0
    return 3 if currency in _THREE_DECIMALS else 2


def amount_in(minor_units: int, currency: str | None) -> str:
    """Return `1,299.00`, and `1,980` for yen: the amount people read, without its sign and currency."""
    digits = minor_digits(currency)
    whole, rest = divmod(abs(minor_units), 10**digits)
    return f"{whole:,}.{rest:0{digits}}" if digits else f"{whole:,}"


def groups_thousands_with(separator: str, currency: str | None) -> bool:
    """Whether this currency's home writes thousands with that separator."""
    return currency in (_COMMA_GROUPS if separator == "," else _DOT_GROUPS)


def _certain(sign: str) -> str | None:
    if sign.endswith("$") and sign[:-1] in _CODES:  # CAD$
        return sign[:-1]
    return _SPELLINGS.get(sign) or (sign.upper() if sign.upper() in _CODES else None)


def _meant(sign: str, certain: set[str | None], hint: str | None) -> str:
    """Return what a shared sign means: what the text says besides, else the page, else the most common."""
    for code in (*certain, hint):
        if code is not None and code in _SHARED[sign]:
            return code
    return _SPELLINGS[sign]
