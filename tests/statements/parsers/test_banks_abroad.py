"""Whose money a bank's name means: that of its country, unless another country follows the name or speaks from the page."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.parsers.currency_words import named_currency
from interlock.workflows.statements.parsers.institutions import country_currency, institution_in
from tests.statements.reading import read

NAMES = [
    ("Banco Santander Mexico", "MXN"),
    ("Banco Santander (México), S.A.", "MXN"),
    ("BBVA Colombia", "COP"),
    ("Citibank N.A. Singapore", "SGD"),
    ("HSBC Bank Canada", "CAD"),
    ("BNP Paribas Bank Polska S.A.", "PLN"),
    ("Deutsche Bank Polska", "PLN"),
    ("JPMorgan Chase Bank, N.A.", "USD"),
    ("Chase UK", "GBP"),
    ("Danske Bank UK", "GBP"),
    ("GARANTİ BBVA HESAP HAREKETLERİ", "TRY"),
    ("Türkiye İş Bankası", "TRY"),
    ("Société Générale", "EUR"),
    ("Bank of America, N.A., New Mexico branch", "USD"),
]


@pytest.mark.parametrize(("line", "currency"), NAMES)
def test_a_country_behind_the_name_of_a_bank_says_whose_money_it_is(line: str, currency: str) -> None:
    bank = institution_in([line])
    assert bank is not None
    assert bank.currency == currency


@pytest.mark.parametrize(
    ("text", "currency"),
    [("Para Birimi;TL", "TRY"), ("Waluta: zł", "PLN"), ("Měna: Kč", "CZK"), ("Currency: Rent", "")],
)
def test_a_currency_may_be_named_by_its_symbol(text: str, currency: str) -> None:
    assert named_currency(text) == currency


def test_words_of_banking_of_two_countries_name_none() -> None:
    assert country_currency("IFSC HDFC0000123") == "INR"
    assert country_currency("IFSC HDFC0000123, routing number 026009593") == ""


def test_an_iban_of_another_country_outweighs_the_name_of_the_bank() -> None:
    parsed = read(
        "Deutsche Bank\nIBAN;PL44 1090 2590 0000 0001 2345 6789\nDatum;Text;Betrag;Saldo\n"
        "13.01.2025;Laden;-10,00;90,00\n14.01.2025;Tram;-5,00;85,00\n"
    )
    assert {row.currency for row in parsed.rows} == {"PLN"}
