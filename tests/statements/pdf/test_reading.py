"""The small readers below the parsers: letters, amounts, dates, periods."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.pdf.dates import Period, printed_date
from interlock.workflows.statements.parsers.pdf.lines import plain_character
from interlock.workflows.statements.parsers.pdf.money import money_of
from interlock.workflows.statements.parsers.pdf.parsers import GenericPdf
from tests.statements.pdf.layouts.sheets import Sheet, Style


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-50.00", "-50"),
        ("50.00-", "-50"),
        ("(50.00)", "-50"),
        ("−50.00", "-50"),
        ("$1,234,567.89", "1234567.89"),
        ("-$12.00", "-12"),
        ("$-12.00", "-12"),
        ("1.234,56", "1234.56"),
        ("1 234,56", "1234.56"),
        ("1'234.50", "1234.5"),
        (".05", "0.05"),
        ("£3.00", "3"),
        ("7,80€", "7.8"),
        ("12,34,567.00", "1234567"),
        ("5.00*", "5"),
    ],
)
def test_an_amount_is_read_as_printed(text: str, value: str) -> None:
    money = money_of(text)
    assert money is not None
    assert money.value == Decimal(value)


@pytest.mark.parametrize(
    "text", ["12.345", "1,2x4.56", "(5.00", "5.00)", "1.2", "12", "", "1.25%", "15.01.2024", "..", "-", "$"]
)
def test_what_is_no_amount_is_none(text: str) -> None:
    assert money_of(text) is None


@pytest.mark.parametrize(
    ("text", "completed"),
    [
        ("12/28", "12/28/2023"),
        ("Dec 28", "Dec 28, 2023"),
        ("28 Dec", "28 Dec 2023"),
        ("28.12.", "28.12.2023"),
        ("28-Dec", "28-Dec-2023"),
        ("12/28/23", "12/28/23"),
        ("DEC28", "DEC 28, 2023"),
    ],
)
def test_a_date_gets_its_year_in_the_notation_that_was_printed(text: str, completed: str) -> None:
    printed = printed_date(text)
    assert printed is not None
    assert printed.completed(2023) == completed


@pytest.mark.parametrize(
    ("text", "year"),
    [("12/28", 2023), ("01/02", 2024), ("01/15", 2024), ("01/20", 2024), ("02/28", 2023), ("02/29", 2020)],
)
def test_the_year_is_the_latest_in_which_the_day_is_not_after_the_period(text: str, year: int) -> None:
    printed = printed_date(text)
    assert printed is not None
    assert Period(date(2023, 12, 16), date(2024, 1, 15)).year_of(printed) == year


def test_ligatures_hard_blanks_and_soft_hyphens_read_as_plain_letters() -> None:
    assert [plain_character(code) for code in (0xFB01, 0xFB03, 0xA0, 0x2212, 0xAD, 0x200B, 0xD800)] == [
        "fi",
        "ffi",
        " ",
        "-",
        "-",
        "",
        "",
    ]


def long_statement(rows: int) -> tuple[bytes, Decimal]:
    sheet, total = Sheet(), Decimal(0)
    sheet.row((40, "Statement 01/01/2024 - 01/31/2024, account number 1234567890"))
    sheet.row((40, "Beginning balance"), (300, "0.00", "right"))
    for number in range(rows):
        if number % 25 == 0:
            sheet.turn(60)
            sheet.row((40, "Date"), (100, "Description"), (570, "Amount", "right"))
        amount = Decimal(number * 37 % 99999 + 1) / 100
        total -= amount
        sheet.row(
            (40, f"01/{number * 31 // rows + 1:02}/24"),
            (100, f"CHECKCARD CORNER GROCER {number:05} SEATTLE WA"),
            (570, f"-{amount:,.2f}", "right"),
        )
        sheet.row((100, "the same words on every page"))
    sheet.row((40, "Ending balance"), (300, f"{total:,.2f}", "right"))
    return sheet.pdf(Style()), total


@pytest.mark.parametrize("count", [1_000, pytest.param(5_000, marks=pytest.mark.soak)])
def test_thousands_of_rows_come_out_to_the_cent(count: int) -> None:
    content, total = long_statement(count)
    parsed = GenericPdf().parse(Document("s.pdf", content))
    assert len(parsed.rows) == count
    assert all(row.description.endswith("SEATTLE WA the same words on every page") for row in parsed.rows)
    assert [(balance.ending, balance.agrees) for balance in parsed.balances] == [(total, True)]
    assert parsed.warnings == []
