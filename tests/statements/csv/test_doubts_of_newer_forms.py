"""What tables of web pages, of blanks and of several headers, and days of other eras may hide is read or said."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsed import Parsed
from tests.statements.reading import day, money, read

NAMES = "Date,Description,Debit (EUR),Credit (EUR)\n"
BOOKED = "2024-01-05,Rent,700.00,\n2024-01-17,Wage,,2000.00\n2024-01-20,Shop,30.00,\n"
PENDING = "2024-01-28,Pub,7.00,\n2024-01-29,Zoo,8.00,\n"
OF_BOOKED = ["-700.00", "2000.00", "-30.00"]


def amounts(parsed: Parsed) -> list[str]:
    return [f"{money(row)}" for row in parsed.rows]


def doubts(parsed: Parsed) -> list[str]:
    return [one.message for one in judge(parsed).remarks if one.severity == "warning"]


def table(*lines: str, attributes: str = "", caption: str = "") -> str:
    """The lines as a table of a web page; the last one with these attributes."""
    rows = ["".join(f"<td>{cell}</td>" for cell in line.rstrip("\n").split(",")) for line in lines]
    marks = [""] * (len(rows) - 1) + [attributes]
    body = "".join(f"<tr{mark}>{row}</tr>" for mark, row in zip(marks, rows, strict=True))
    return f"<table>{f'<caption>{caption}</caption>' if caption else ''}{body}</table>"


def page(*parts: str) -> Parsed:
    return read(f"<html><body>{''.join(parts)}</body></html>", name="export.xls")


def test_a_row_whose_text_runs_into_its_amount_is_an_error_and_not_left_out() -> None:
    lines = (
        "Date         Description              Debit EUR  Credit EUR",
        "05/01/2024   Rent for January            700.00",
        "17/01/2024   Wage                                   2000.00",
        "20/01/2024   Shop                         30.00",
        "21/01/2024   Card payment to Sainsburys Supermkt 45.00",
    )
    parsed = read("\n".join(lines) + "\n", name="statement.txt")
    assert (amounts(parsed), judge(parsed).reconciled) == (OF_BOOKED, "no")
    assert [one.message for one in parsed.errors] == ["line 6: the row has a date and no amount"]


@pytest.mark.parametrize("is_nested", [False, True])
def test_a_caption_or_a_heading_in_a_cell_says_what_its_own_table_is_of(is_nested: bool) -> None:
    def titled(title: str, rows: str) -> str:
        lines = [NAMES, *rows.splitlines()]
        if is_nested:
            return f"<table><tr><td><h3>{title}</h3>{table(*lines)}</td></tr></table>"
        return table(*lines, caption=title)

    parsed = page(titled("Pending transactions", PENDING), titled("Posted transactions", BOOKED))
    assert amounts(parsed) == OF_BOOKED
    parsed = page(titled("Account number: 11112222", PENDING), titled("Account number: 33334444", BOOKED))
    assert [row.account for row in parsed.rows] == ["11112222"] * 2 + ["33334444"] * 3


def test_rows_that_a_browser_does_not_show_are_a_doubt() -> None:
    lines = [NAMES, *BOOKED.splitlines(), "2024-01-05,Rent,700.00,"]
    parsed = page(table(*lines, attributes=' style="display: none"'))
    assert len(parsed.rows) == 4
    assert doubts(parsed) == [
        "a row with a day that a browser does not show is read; others may say the same"
    ]
    assert doubts(page(table(*lines[:-1]))) == []


@pytest.mark.parametrize(
    ("names", "days"),
    [("年,月,日", ("6,1,5", "6,1,17", "6,1,20")), ("日付", ("06.01.05", "06.01.17", "06.01.20"))],
)
def test_years_of_two_digits_in_japan_may_be_those_of_a_reign(names: str, days: tuple[str, ...]) -> None:
    rows = zip(days, ("家賃,70000,,30000", "給与,,200000,230000", "店,3000,,227000"), strict=True)
    head = f"{names},お取り扱い内容,お引出し(円),お預入れ(円),残高(円)\n"
    parsed = read(head + "".join(f"{when},{rest}\n" for when, rest in rows))
    assert judge(parsed).reconciled == "unknown"
    assert "may be those of a reign" in doubts(parsed)[0]


def test_a_line_that_may_name_the_columns_of_a_further_table_is_a_doubt() -> None:
    below = "\nFebruary\nDate,Details 2024,Credit (EUR),Debit (EUR)\n2024-02-28,Shop,,55.00\n"
    assert "line 7 may name the columns of another table" in doubts(read(NAMES + BOOKED + below))[0]


def test_tables_that_are_called_by_accounts_without_numbers_are_of_two_accounts() -> None:
    parsed = read(
        f"Everyday account\n{NAMES}{BOOKED}\nSavings account\nDate,Details,Debit (EUR),Credit (EUR)\n2024-02-27,Interest,,5.00\n"
    )
    assert [row.account for row in parsed.rows] == ["Everyday account"] * 3 + ["Savings account"]
    assert [day(row) for row in parsed.rows][-1] == "2024-02-27"


@pytest.mark.parametrize(
    ("title", "is_doubt"),
    [
        ("Future savings transactions", True),
        ("Blocked account bookings", True),
        ("Pending transactions", False),
    ],
)
def test_a_table_is_left_out_in_silence_only_where_its_title_cannot_be_an_accounts(
    title: str, is_doubt: bool
) -> None:
    parsed = read(
        f"{NAMES}{BOOKED}\n{title}\nDate,Details,Debit (EUR),Credit (EUR)\n2024-02-27,Shop,55.00,\n2024-02-28,Bar,5.00,\n"
    )
    assert (amounts(parsed), len(doubts(parsed))) == (OF_BOOKED, is_doubt)
