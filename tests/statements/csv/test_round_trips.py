"""Whatever rows a bank prints in its layout come back from its mapping: same days, same words, same cents."""

from __future__ import annotations

import csv
import io
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from interlock.workflows.statements.parsers.csv.banks import MAPPINGS
from interlock.workflows.statements.parsers.csv.checks import is_balance_or_total
from interlock.workflows.statements.parsers.csv.mapping import CsvMapping, Leg
from interlock.workflows.statements.parsers.registry import bundled_parsers

from ..reading import agrees, read, rows

Entry = tuple[date, str, int]
PRINTED = {"ymd": "%Y-%m-%d", "mdy": "%m/%d/%Y", "dmy": "%d-%m-%Y"}
words = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=40
).map(lambda text: " ".join(text.split()))
entries = st.lists(
    st.tuples(
        st.dates(date(2000, 1, 1), date(2029, 12, 31)),
        words.map(lambda text: f"X {text}".strip()),
        st.integers(-99_999_999, 99_999_999).filter(bool),
    ),
    min_size=1,
    max_size=12,
)
usual = [mapping for mapping in MAPPINGS if mapping.layout != "short"]


def first(reference: str) -> str:
    return reference.partition("|")[0]


def leg_for(mapping: CsvMapping, cents: int) -> tuple[Leg, Decimal]:
    """The leg that prints this amount, and the number it prints."""
    amount = Decimal(cents) / 100
    for leg in mapping.legs:
        if leg.note or any(not rule.pattern.isalpha() for rule in leg.when):
            continue
        if leg.flow == "printed":
            return leg, amount
        if leg.flow == "inverted":
            return leg, -amount
        if (leg.flow == "in") == (cents > 0):
            return leg, abs(amount)
    raise AssertionError("no leg")


def printed(mapping: CsvMapping, given_rows: list[Entry]) -> str:
    names = dict.fromkeys(
        first(name)
        for name in (
            *(mapping.columns or mapping.header),
            mapping.date,
            *mapping.description,
            mapping.balance,
            mapping.currency_column,
            *(leg.amount for leg in mapping.legs),
            *(name for leg in mapping.legs for name in leg.description),
        )
        if name
    )
    out = io.StringIO()
    writer = csv.DictWriter(out, list(names), restval="", extrasaction="ignore", quoting=csv.QUOTE_MINIMAL)
    if mapping.header:
        writer.writeheader()
    balance = Decimal(1000)
    for number, (day, description, cents) in enumerate(given_rows):
        leg, amount = leg_for(mapping, cents)
        balance += Decimal(cents) / 100
        writer.writerow(
            {
                first(mapping.date): day.strftime(PRINTED[mapping.dates[0]]),
                first(mapping.description[0]): description,
                first(leg.description[0]) if leg.description else "": description,
                first(leg.amount): f"{amount:,.2f}",
                first(mapping.balance): f"{balance:,.2f}",
                first(mapping.currency_column): "EUR",
                first(mapping.unique): str(number),
                "Star": "*",
                "Status": "Completed",
                "State": "COMPLETED",
                **{rule.column: rule.pattern for rule in leg.when},
            }
        )
    return out.getvalue()


every_usual = pytest.mark.parametrize(
    "mapping", usual, ids=lambda mapping: f"{mapping.source_type} {mapping.layout}"
)


@every_usual
@settings(max_examples=10, deadline=None)
@given(given_rows=entries)
def test_rows_come_back_from_the_banks_layout(mapping: CsvMapping, given_rows: list[Entry]) -> None:
    they_come_back(mapping, given_rows)


@pytest.mark.soak
@every_usual
@settings(max_examples=250, deadline=None)
@given(given_rows=entries)
def test_many_rows_come_back_from_the_banks_layout(mapping: CsvMapping, given_rows: list[Entry]) -> None:
    they_come_back(mapping, given_rows)


def they_come_back(mapping: CsvMapping, given_rows: list[Entry]) -> None:
    assume(not any(is_balance_or_total(description) for _, description, _ in given_rows))
    given_rows.sort(key=lambda row: row[0])
    parsed = read(printed(mapping, given_rows), mapping.source_type)
    assert rows(parsed) == [
        (day.isoformat(), description, f"{Decimal(cents) / 100:.2f}")
        for day, description, cents in given_rows
    ]
    assert (parsed.errors, parsed.rows_skipped) == ([], 0)
    assert all(agrees(parsed))


@settings(max_examples=60, deadline=None)
@given(
    given_rows=entries, delimiter=st.sampled_from(",;\t|"), comma=st.booleans(), newest_first=st.booleans()
)
def test_rows_come_back_from_a_table_nobody_described(
    given_rows: list[Entry], delimiter: str, comma: bool, newest_first: bool
) -> None:
    given_rows.sort(key=lambda row: row[0], reverse=newest_first)
    assume(not any(is_balance_or_total(description) for _, description, _ in given_rows))
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerow(["Buchungstag", "Verwendungszweck", "Betrag (EUR)"])
    for day, description, cents in given_rows:
        text = f"{Decimal(cents) / 100:,.2f}"
        writer.writerow(
            [
                day.strftime("%d.%m.%Y"),
                description,
                text.translate(str.maketrans(",.", ".,")) if comma else text,
            ]
        )
    parsed = read(out.getvalue())
    assert rows(parsed) == [
        (day.isoformat(), description, f"{Decimal(cents) / 100:.2f}")
        for day, description, cents in given_rows
    ]


def test_every_bank_in_the_specification_has_a_parser() -> None:
    wanted = {
        "bofa",
        "chase",
        "wells_fargo",
        "amex",
        "discover",
        "citi",
        "capital_one",
        "rbc",
        "apple_card",
        "wise",
        "revolut",
        "n26",
        "paypal",
        "venmo",
    }
    assert {f"{bank}_csv" for bank in wanted} <= set(bundled_parsers().source_types())
