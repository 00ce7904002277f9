"""Printed amounts become exact decimals, in every notation that banks use; what can be read in two ways is refused."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.workflows.statements.normalize.amounts import AmountUnparsable, infer_decimal_mark, read_amount
from interlock.workflows.statements.normalize.currencies import MINOR_UNITS, format_amount, is_finer


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-50.00", "-50.00"),
        ("50.00-", "-50.00"),
        ("(50.00)", "-50.00"),
        ("(-50.00)", "-50.00"),
        ("1,234.56", "1234.56"),
        ("+12.30", "12.30"),
        ("$50.00", "50.00"),
        ("-$50.00", "-50.00"),
        ("$-50.00", "-50.00"),
        ("($50.00)", "-50.00"),
        ("$(50.00)", "-50.00"),
        ("$ 50.00", "50.00"),
        ("£1,234.00", "1234.00"),
        ("€ 5.00", "5.00"),
        ("US$5.00", "5.00"),
        ("USD 5.00", "5.00"),
        ("5.00 USD", "5.00"),
        ("$5.00 USD", "5.00"),
        ("50.00 CR", "50.00"),
        ("50.00CR", "50.00"),
        ("50.00 DR", "-50.00"),
        ("-50.00 DR", "-50.00"),
        ("$50.00CR", "50.00"),
        ("CR 50.00", "50.00"),
        ("\u221250.00", "-50.00"),
        ("\u201350.00", "-50.00"),
        ("1\u2009234.56", "1234.56"),
        ("1\u00a0234.56", "1234.56"),
        ("1'234.50", "1234.50"),
        ("1\u2019234.50", "1234.50"),
        ("12,34,567.89", "1234567.89"),
        ("₹1,23,456.00", "123456.00"),
        (".50", "0.50"),
        ("-.5", "-0.5"),
        ("5.", "5"),
        ("1,234", "1234"),
        ("  7.00 ", "7.00"),
        ("\u200e7.00", "7.00"),
        ("０．５０", "0.50"),
        ("0", "0"),
        ("1,234.56 -", "-1234.56"),
    ],
)
def test_an_amount_with_a_decimal_point_is_read(text: str, value: str) -> None:
    assert str(read_amount(text).value) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.234,56", "1234.56"),
        ("-1.234,56 €", "-1234.56"),
        ("1 234,56", "1234.56"),
        ("1\u202f234,56", "1234.56"),
        ("50,00-", "-50.00"),
        ("1.234.567", "1234567"),
        ("0,5", "0.5"),
        ("(1.234,00)", "-1234.00"),
        ("12,00 kr", "12.00"),
        ("12,00 zł", "12.00"),
    ],
)
def test_an_amount_with_a_decimal_comma_is_read_where_the_source_has_one(text: str, value: str) -> None:
    assert str(read_amount(text, ",").value) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "-",
        "()",
        "abc",
        "1E5",
        "NaN",
        "Infinity",
        "--5",
        "-5-",
        "(5",
        "5)",
        "(5-",
        "1,23",
        "12,345,67.00",
        "1.2.3",
        "1 23.00",
        "5 USD 000",
        "-50.00 CR",
        "USD",
        "12345678901234567890",
        "1,234.56,00",
        "0x10",
        "1_000",
        "5%",
        "5 5",
        "5.00 5.00",
        "1,2345",
        ",",
        ".",
        "9" * 100,
    ],
)
def test_what_is_no_amount_or_two_is_refused(text: str) -> None:
    with pytest.raises(AmountUnparsable):
        read_amount(text)


def test_a_point_where_a_comma_divides_is_a_group_and_never_a_decimal_mark() -> None:
    with pytest.raises(AmountUnparsable):
        read_amount("50.00", ",")
    assert read_amount("1.000", ",").value == 1000


def test_credit_and_debit_say_which_way_the_money_went_whatever_the_bank_does_with_signs() -> None:
    printed = ("50.00 CR", "50.00 DR", "50.00", "-50.00")
    assert [str(read_amount(text).towards_us(-1)) for text in printed] == [
        "50.00",
        "-50.00",
        "-50.00",
        "50.00",
    ]


def test_no_amount_is_minus_zero() -> None:
    assert [str(read_amount(text).towards_us(sign)) for text in ("0.00", "-0.00") for sign in (1, -1)] == [
        "0.00"
    ] * 4


def test_a_symbol_names_its_currency_where_only_one_has_it() -> None:
    assert [read_amount(text).currency for text in ("€5", "5 GBP", "£5", "$5", "kr 5", "-₹5")] == [
        "EUR",
        "GBP",
        "GBP",
        "",
        "",
        "INR",
    ]


CENTS = st.integers(min_value=-(10**15), max_value=10**15)


def groups(digits: str, separator: str) -> str:
    head = len(digits) % 3 or 3
    return separator.join(
        [digits[:head], *(digits[place : place + 3] for place in range(head, len(digits), 3))]
    )


@given(
    CENTS,
    st.sampled_from(["", ",", " ", "\u00a0", "\u202f", "'"]),
    st.sampled_from(["{}{}", "{}${}", "${}{}", "{}{} USD", "{}€{}"]),
)
def test_every_amount_comes_back_from_every_notation_with_a_point(
    cents: int, separator: str, style: str
) -> None:
    whole, part = divmod(abs(cents), 100)
    text = style.format("-" if cents < 0 else "", f"{groups(str(whole), separator)}.{part:02}")
    assert read_amount(text).value == Decimal(cents).scaleb(-2)


@given(
    CENTS,
    st.sampled_from(["", ".", " ", "\u202f", "'"]),
    st.sampled_from(["-{}", "{}-", "({})", "\u2212{}", "{} DR"]),
)
def test_every_negative_amount_comes_back_from_every_notation_with_a_comma(
    cents: int, separator: str, style: str
) -> None:
    whole, part = divmod(abs(cents), 100)
    assert read_amount(style.format(f"{groups(str(whole), separator)},{part:02}"), ",").value == -abs(
        Decimal(cents).scaleb(-2)
    )


@given(st.text(max_size=80), st.sampled_from([".", ","]))
def test_any_text_is_an_exact_number_or_refused(text: str, decimal: str) -> None:
    try:
        value = read_amount(text, decimal).value
    except AmountUnparsable:
        return
    assert value.is_finite()
    assert any(letter.isdigit() for letter in text)


@pytest.mark.parametrize(
    ("texts", "mark"),
    [
        (["1.234,56"], ","),
        (["1,234.56"], "."),
        (["50,00", "1.234"], ","),
        (["50.00", "1,234"], "."),
        (["1.234.567"], ","),
        (["1.234"], ","),
        (["1,234"], "."),
        (["5"], "."),
        ([], "."),
        (["1,5", "1.5"], None),
        (["-12,5 €", "3"], ","),
    ],
)
def test_a_file_shows_its_decimal_mark(texts: list[str], mark: str | None) -> None:
    assert infer_decimal_mark(texts) == mark


@given(
    st.lists(CENTS, min_size=1).filter(lambda all_of: any(cents % 100 for cents in all_of)),
    st.sampled_from([".", ","]),
)
def test_a_file_of_cents_is_read_whole_by_the_mark_it_shows(all_of: list[int], mark: str) -> None:
    texts = [f"{cents // 100}{mark}{cents % 100:02}" for cents in map(abs, all_of)]
    assert infer_decimal_mark(texts) == mark


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        ("50", "USD", "50.00"),
        ("50.5", "EUR", "50.50"),
        ("1500.00", "JPY", "1500"),
        ("1500", "JPY", "1500"),
        ("1.5", "KWD", "1.500"),
        ("-0.10", "USD", "-0.10"),
        ("12.345", "USD", "12.345"),
        ("12.340", "USD", "12.34"),
        ("1500.5", "JPY", "1500.5"),
        ("0", "USD", "0.00"),
    ],
)
def test_an_amount_is_written_with_its_currencys_decimals_and_never_rounded(
    amount: str, currency: str, text: str
) -> None:
    assert format_amount(Decimal(amount), currency) == text
    assert Decimal(text) == Decimal(amount)


def test_more_decimals_than_the_currency_has_are_noticed() -> None:
    assert [
        is_finer("12.345", "USD"),
        is_finer("12.34", "USD"),
        is_finer("1", "JPY"),
        is_finer("1.5", "JPY"),
    ] == [True, False, False, True]


def test_the_table_of_currencies_has_codes_of_three_letters_and_the_odd_ones_right() -> None:
    assert all(len(code) == 3 and code.isupper() for code in MINOR_UNITS)
    assert {code: MINOR_UNITS[code] for code in ("USD", "JPY", "KWD", "CLF", "EUR")} == {
        "USD": 2,
        "JPY": 0,
        "KWD": 3,
        "CLF": 4,
        "EUR": 2,
    }
