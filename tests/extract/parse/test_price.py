"""Price text becomes whole cents, or says why it does not."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from limpet.extract.parse.price import Price, PriceDoubt, PriceProblem, parse_price, price_from_json


@pytest.mark.parametrize(
    ("text", "cents", "currency"),
    [
        ("$19.99", 1999, "USD"),
        ("19,99 €", 1999, "EUR"),
        ("1,299.00", 129900, None),
        ("1.299,00 €", 129900, "EUR"),
        ("USD 1 299.50", 129950, "USD"),
        ("£5", 500, "GBP"),
        ("CA$12", 1200, "CAD"),
        ("US$ 12", 1200, "USD"),
        ("A$12.5", 1250, "AUD"),
        ("19.5", 1950, None),
        ("$0.00", 0, "USD"),
        ("$1,299", 129900, "USD"),
        ("1.234.567,89 €", 123456789, "EUR"),
        ("₹12,34,567.00", 123456700, "INR"),
        ("CHF 1'299.-", 129900, "CHF"),
        ("19,- €", 1900, "EUR"),
        ("¥1,500", 1500, "JPY"),
        ("JPY 1500", 1500, "JPY"),
        ("KWD 1.234", 1234, "KWD"),
        ("１９．９９ €", 1999, "EUR"),
        ("١٩٫٩٩", 1999, None),
        ("1\u00a0299,50\u00a0€", 129950, "EUR"),
        ("1\u202f299,50 EUR", 129950, "EUR"),
        ("$19.99 USD", 1999, "USD"),
        ("Price: 19.99", 1999, None),
        ("Sale price $19.99 each", 1999, "USD"),
        ("$289.5000", 28950, "USD"),
        ("199 Kč", 19900, "CZK"),
        ("kr 199", 19900, None),
        ("Free", 0, None),
        # the zero before the cents may be left out, but "Rs." is a word
        ("$.99", 99, "USD"),
        (".5 €", 50, "EUR"),
        (",50 €", 50, "EUR"),
        ("Rs.99", 9900, None),
        ("Rp.99", 9900, "IDR"),
        ("99¢", 99, "USD"),
        # which dollar it is
        ("$12.00 CAD", 1200, "CAD"),
        ("CAD$12", 1200, "CAD"),
        ("AUD $12.50", 1250, "AUD"),
        ("AU $12.99", 1299, "AUD"),
        ("C $12", 1200, "CAD"),
        ("Vitamin C $12", 1200, "USD"),
        ("A $5 gift", 500, "USD"),
        ("J$1,200", 120000, "JMD"),
        ("TT$12", 1200, None),
        ("¥128 CNY", 12800, "CNY"),
        # a currency is no part of a longer word
        ("RMB 128", 12800, "CNY"),
        ("RM12.90", 1290, "MYR"),
        ("12.50 eur", 1250, "EUR"),
        ("usd 12", 1200, "USD"),
        ("2,000円", 2000, "JPY"),
        ("kr 1 299,-", 129900, None),
        ("1299:-", 129900, None),
    ],
)
def test_a_price_is_read_to_the_cent(text: str, cents: int, currency: str | None) -> None:
    assert parse_price(text) == Price(cents, currency)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1.234", PriceDoubt.AMBIGUOUS_NUMBER),
        ("1,234", PriceDoubt.AMBIGUOUS_NUMBER),
        ("$1.234", PriceDoubt.AMBIGUOUS_NUMBER),
        ("1,23.45", PriceDoubt.AMBIGUOUS_NUMBER),
        ("$19⁹⁹", PriceDoubt.AMBIGUOUS_NUMBER),
        ("$5½", PriceDoubt.AMBIGUOUS_NUMBER),
        ("$10.99 - $102.99", PriceDoubt.SEVERAL_PRICES),
        ("$10.99 – $102.99", PriceDoubt.SEVERAL_PRICES),
        ("was $20 now $15", PriceDoubt.SEVERAL_PRICES),
        ("10+ @ $24.95", PriceDoubt.SEVERAL_PRICES),
        ("$19 99", PriceDoubt.SEVERAL_PRICES),
        ("from $10", PriceDoubt.NOT_THE_PRICE),
        ("Save $5", PriceDoubt.NOT_THE_PRICE),
        ("20% off", PriceDoubt.NOT_THE_PRICE),
        ("$19+", PriceDoubt.NOT_THE_PRICE),
        ("($1.35 Per Round)", PriceDoubt.PER_UNIT),
        ("$4.99/lb", PriceDoubt.PER_UNIT),
        ("-$5", PriceDoubt.NEGATIVE),
        ("$-5.00", PriceDoubt.NEGATIVE),
        ("−5,00 €", PriceDoubt.NEGATIVE),
        ("0.123", PriceDoubt.TOO_PRECISE),
        ("$1234.567", PriceDoubt.TOO_PRECISE),
        ("¥15.50", PriceDoubt.TOO_PRECISE),
        ("$99999999999999999999", PriceDoubt.TOO_LARGE),
        ("$" + "9" * 250, PriceDoubt.TOO_LARGE),
        ("$5 €5", PriceDoubt.SEVERAL_PRICES),
        ("KWD 12,345", PriceDoubt.AMBIGUOUS_NUMBER),
        ("$1.99 or 99¢", PriceDoubt.AMBIGUOUS_NUMBER),
        ("$.995", PriceDoubt.TOO_PRECISE),
        ("-.99", PriceDoubt.NEGATIVE),
        ("$12 CAD or USD", PriceDoubt.SEVERAL_CURRENCIES),
        ("12€50", PriceDoubt.SEVERAL_PRICES),
        ("2万円", PriceDoubt.NOT_FOUND),
        ("US$1.5M", PriceDoubt.NOT_FOUND),
        ("12 leisure", PriceDoubt.NOT_FOUND),
        ("try 5", PriceDoubt.NOT_FOUND),
        ("Call for price", PriceDoubt.NOT_FOUND),
        ("Free shipping", PriceDoubt.NOT_FOUND),
        ("17 in stock", PriceDoubt.NOT_FOUND),
        ("SKU90226", PriceDoubt.NOT_FOUND),
        ("$", PriceDoubt.NOT_FOUND),
        ("", PriceDoubt.NOT_FOUND),
    ],
)
def test_what_is_not_one_price_says_why(text: str, reason: PriceDoubt) -> None:
    result = parse_price(text)

    assert isinstance(result, PriceProblem)
    assert result.reason is reason


@pytest.mark.parametrize(
    ("text", "hint", "expected"),
    [
        ("1.234", "EUR", Price(123400, "EUR")),
        ("1,234", "USD", Price(123400, "USD")),
        ("$12", "CAD", Price(1200, "CAD")),
        ("$12.00", "AUD", Price(1200, "AUD")),
        ("€12", "USD", Price(1200, "EUR")),
        ("19.99", "USD", Price(1999, "USD")),
        ("¥12.30", "CNY", Price(1230, "CNY")),
        ("1500", "JPY", Price(1500, "JPY")),
        ("$5", "JMD", Price(500, "JMD")),
        ("$5 CAD", "USD", Price(500, "CAD")),
        ("5", "usd", Price(500, "USD")),
        ("5", "no code", Price(500, None)),
        ("12,345", "INR", Price(1234500, "INR")),
        ("12,345", "JPY", Price(12345, "JPY")),
        ("1,500.00", "JPY", Price(1500, "JPY")),
    ],
)
def test_a_hint_settles_what_the_text_cannot_say(text: str, hint: str, expected: Price) -> None:
    assert parse_price(text, currency_hint=hint) == expected


def test_a_hint_does_not_make_three_decimals_of_dollars_believable() -> None:
    assert isinstance(parse_price("1.234", currency_hint="USD"), PriceProblem)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (289.5, Price(28950, "USD")),
        ("289.5", Price(28950, "USD")),
        ("200", Price(20000, "USD")),
        (10.1, Price(1010, "USD")),
        (0.29, Price(29, "USD")),
        (0, Price(0, "USD")),
        (Decimal("12.30"), Price(1230, "USD")),
        ("1,299.00", Price(129900, "USD")),
    ],
)
def test_a_json_price_is_read_exactly(value: object, expected: Price) -> None:
    assert price_from_json(value, currency="USD") == expected


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (True, PriceDoubt.NOT_FOUND),
        (None, PriceDoubt.NOT_FOUND),
        ([], PriceDoubt.NOT_FOUND),
        (float("nan"), PriceDoubt.NOT_FOUND),
        (float("inf"), PriceDoubt.NOT_FOUND),
        (-1, PriceDoubt.NEGATIVE),
        ("-1.00", PriceDoubt.NEGATIVE),
        (1.005, PriceDoubt.TOO_PRECISE),
        (10**400, PriceDoubt.TOO_LARGE),
        (1e300, PriceDoubt.TOO_LARGE),
        ("", PriceDoubt.NOT_FOUND),
    ],
)
def test_a_json_value_that_is_no_price_says_why(value: object, reason: PriceDoubt) -> None:
    result = price_from_json(value, currency="USD")

    assert isinstance(result, PriceProblem)
    assert result.reason is reason


@given(st.text(max_size=60))
@example("²")
@example("٣٫")
@example("1" * 5000)
def test_no_text_crashes_the_parser_or_gives_anything_but_whole_cents(text: str) -> None:
    result = parse_price(text)

    assert isinstance(result, PriceProblem) or (type(result.cents) is int and result.cents >= 0)


@given(
    st.text(alphabet="0123456789.,' $€-+%/aperfom\u00a0", max_size=24),
    st.sampled_from([None, "USD", "EUR", "JPY"]),
)
def test_texts_made_of_price_signs_never_crash(text: str, hint: str | None) -> None:
    result = parse_price(text, currency_hint=hint)

    assert isinstance(result, PriceProblem) or type(result.cents) is int


@given(st.integers(min_value=0, max_value=99_999_999))
def test_every_amount_survives_the_american_and_the_european_spelling(cents: int) -> None:
    american = f"${cents // 100:,}.{cents % 100:02d}"
    european = f"{cents // 100:,}".replace(",", ".") + f",{cents % 100:02d} €"

    assert parse_price(american) == Price(cents, "USD")
    assert parse_price(european) == Price(cents, "EUR")


@given(st.one_of(st.floats(), st.integers(), st.decimals(), st.text(max_size=20), st.booleans(), st.none()))
def test_no_json_value_crashes(value: object) -> None:
    result = price_from_json(value, currency="USD")

    assert isinstance(result, PriceProblem) or (type(result.cents) is int and result.cents >= 0)
