"""Currencies without cents: beside their own sign a whole number is an amount, anywhere else it is a number."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.pdf.money import money_of
from interlock.workflows.statements.parsers.pdf.parsers import GenericPdf
from tests.statements.pdf.layouts.boa import DATE, MONEY, TEXT
from tests.statements.pdf.layouts.sheets import Sheet
from tests.statements.reading import agrees, rows


def test_a_statement_in_yen_is_read_to_the_last_yen() -> None:
    sheet = Sheet()
    sheet.row((DATE, "Sakura Bank"), (MONEY, "Statement period 2024/01/01 to 2024/01/31", "right"), step=30)
    sheet.row((DATE, "Beginning balance"), (MONEY, "¥100,000", "right"), step=16)
    sheet.row(
        (DATE, "Date"),
        (TEXT, "Description"),
        (430, "Withdrawal", "right"),
        (500, "Deposit", "right"),
        (MONEY, "Balance", "right"),
    )
    sheet.row(
        (DATE, "2024/01/05"), (TEXT, "GROCER 1,234"), (430, "¥1,234", "right"), (MONEY, "¥98,766", "right")
    )
    sheet.row(
        (DATE, "2024/01/09"), (TEXT, "SALARY"), (500, "¥250,000", "right"), (MONEY, "¥348,766", "right")
    )
    sheet.row((DATE, "2024/01/20"), (TEXT, "TRAIN"), (430, "¥500", "right"), (MONEY, "¥348,266", "right"))
    sheet.row((DATE, "Ending balance"), (MONEY, "¥348,266", "right"), step=16)
    parsed = GenericPdf().parse(Document("s.pdf", sheet.pdf()))
    assert rows(parsed) == [
        ("2024-01-05", "GROCER 1,234", "-1234"),
        ("2024-01-09", "SALARY", "250000"),
        ("2024-01-20", "TRAIN", "-500"),
    ]
    assert {row.currency for row in parsed.rows} == {"JPY"}
    assert agrees(parsed) == [True]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("¥1,234", "1234"),
        ("-¥500", "-500"),
        ("¥-500", "-500"),
        ("(¥12)", "-12"),
        ("JPY1,000,000", "1000000"),
        ("1,200JPY", "1200"),
        ("₩35,000", "35000"),
    ],
)
def test_a_whole_number_beside_its_sign_is_an_amount(text: str, value: str) -> None:
    found = money_of(text)
    assert found is not None
    assert f"{found.value:f}".removesuffix(".00") == value


@pytest.mark.parametrize("text", ["1,234", "$1,234", "€500", "500", "¥", "JPY", "(¥12", "USD100"])
def test_a_whole_number_without_it_is_none(text: str) -> None:
    assert money_of(text) is None
