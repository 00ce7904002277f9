"""Dates with full stops: read by the order that the file proves or its country settles, and in doubt where nothing does."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.interpretation import Decision, interpret
from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsed import Parsed
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.pdf.parsers import GenericPdf
from tests.statements.pdf.layouts.sheets import Sheet

from ..reading import day, read

USD = "Date,Description,Amount (USD),Balance (USD)\n"


def table(*dates: str, head: str = USD, mark: str = ".", between: str = ",") -> str:
    """Rows of −5.00 that lead from 100.00 down, under a header of four columns."""
    lines = [
        between.join((date, f"Shop {place}", f"-5{mark}00", f"{95 - 5 * place}{mark}00"))
        for place, date in enumerate(dates)
    ]
    return head + "".join(f"{line}\n" for line in lines)


def semicolons(*dates: str, head: str) -> str:
    return table(*dates, head=head, mark=",", between=";")


def days(parsed: Parsed) -> list[str]:
    return [day(row) for row in parsed.rows]


def doubts(parsed: Parsed) -> list[str]:
    return [
        one.message for one in judge(parsed).remarks if one.topic == "dates" and one.severity == "warning"
    ]


APRIL = ["2025-04-03", "2025-04-05"]
MARCH = ["2025-03-04", "2025-05-04"]
OPEN = ("03.04.2025", "05.04.2025")
SURE: dict[str, tuple[str, list[str]]] = {
    "a month first that is proved": (
        table("03.04.2025", "03.14.2025"),
        ["2025-03-04", "2025-03-14"],
    ),
    "a month first that is proved last": (
        table("01.02.2025", "01.03.2025", "01.31.2025"),
        ["2025-01-02", "2025-01-03", "2025-01-31"],
    ),
    "a month first with two digits of a year": (
        table("03.04.25", "03.14.25"),
        ["2025-03-04", "2025-03-14"],
    ),
    "a month first without leading zeros": (
        table("3.4.2025", "3.14.2025"),
        ["2025-03-04", "2025-03-14"],
    ),
    "a month first with a time": (
        table("03.04.2025 10:15", "03.14.2025 11:20"),
        ["2025-03-04", "2025-03-14"],
    ),
    "a month first that is proved in euros": (
        table("03.04.2025", "03.14.2025", head=USD.replace("USD", "EUR")),
        ["2025-03-04", "2025-03-14"],
    ),
    "a day first that is proved": (table("03.04.2025", "14.04.2025"), ["2025-04-03", "2025-04-14"]),
    "both readings are the same days": (table("03.03.2025", "04.04.2025"), ["2025-03-03", "2025-04-04"]),
    "German": (semicolons(*OPEN, head="Buchungstag;Verwendungszweck;Betrag (EUR);Saldo (EUR)\n"), APRIL),
    "Swiss, with a decimal point": (table(*OPEN, head="Datum,Text,Betrag (CHF),Saldo (CHF)\n"), APRIL),
    "Swiss, in English": (table(*OPEN, head=USD.replace("USD", "CHF")), APRIL),
    "British": (table(*OPEN, head=USD.replace("USD", "GBP")), APRIL),
    "Polish": (semicolons(*OPEN, head="Data operacji;Opis;Kwota (PLN);Saldo (PLN)\n"), APRIL),
    "Norwegian": (semicolons(*OPEN, head="Dato;Tekst;Beløp (NOK);Saldo (NOK)\n"), APRIL),
    "a dollar account in German": (table(*OPEN, head="Datum,Text,Betrag (USD),Saldo (USD)\n"), APRIL),
    "dollars with a decimal comma": (
        semicolons(*OPEN, head="Date;Description;Amount (USD);Balance (USD)\n"),
        APRIL,
    ),
    "a German file out of order": (
        semicolons("05.04.2025", "03.05.2025", "04.04.2025", head="Datum;Text;Betrag (EUR);Saldo (EUR)\n"),
        ["2025-04-05", "2025-05-03", "2025-04-04"],
    ),
    "a period that has a day over 12": (table(*OPEN, head=f"Period,01.04.2025 - 30.04.2025\n\n{USD}"), APRIL),
    "a period of a month first": (table(*OPEN, head=f"Period,03.01.2025 - 05.31.2025\n\n{USD}"), MARCH),
    "a period in words": (table(*OPEN, head=f"Period,1 Apr 2025 - 12 Apr 2025\n\n{USD}"), APRIL),
    "rows that stand in order only with the month first": (
        table("01.02.2025", "01.05.2025", "02.01.2025", "02.03.2025"),
        ["2025-01-02", "2025-01-05", "2025-02-01", "2025-02-03"],
    ),
}


@pytest.mark.parametrize("name", SURE)
def test_dotted_dates_that_the_file_settles_are_right_and_not_in_doubt(name: str) -> None:
    text, expected = SURE[name]
    parsed = read(text)
    assert (days(parsed), doubts(parsed)) == (expected, [])
    assert judge(parsed).reconciled == "yes", [one.message for one in judge(parsed).remarks]


IN_DOUBT = {
    "dollars": table(*OPEN),
    "Canadian dollars": table(*OPEN, head=USD.replace("USD", "CAD")),
    "Philippine pesos": table(*OPEN, head=USD.replace("USD", "PHP")),
    "no currency": table(*OPEN, head="Date,Description,Amount,Balance\n"),
    "a period that fits both": table(*OPEN, head=f"Period,01.01.2025 - 12.12.2025\n\n{USD}"),
    "the word data before the table": table(*OPEN, head=f"Data as of,06.06.2025\n\n{USD}"),
    "an American bank's layout": "Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #\n"
    "DEBIT,03.04.2025,Shop A,-5.00,ACH_DEBIT,95.00,\nDEBIT,05.04.2025,Shop B,-5.00,ACH_DEBIT,90.00,\n",
    "a QIF of points": "!Type:Bank\nD03.04.2025\nT-5.00\nPShop A\n^\nD05.04.2025\nT-5.00\nPShop B\n^\n",
}


@pytest.mark.parametrize("name", IN_DOUBT)
def test_dotted_dates_that_nothing_settles_are_in_doubt_until_a_person_decides(name: str) -> None:
    parsed = read(IN_DOUBT[name])
    assert judge(parsed).reconciled == "unknown"
    assert (len(doubts(parsed)), days(parsed)) == (1, APRIL)
    for order, expected in (("mdy", MARCH), ("dmy", APRIL)):
        decided = interpret(parsed, Decision(date_order=order))
        assert (days(decided), doubts(decided)) == (expected, [])


def test_an_american_layout_saved_by_a_european_spreadsheet_is_read_by_what_its_days_prove() -> None:
    text = IN_DOUBT["an American bank's layout"]
    assert days(read(text.replace("05.04", "14.04"))) == ["2025-04-03", "2025-04-14"]
    assert days(read(text.replace("05.04", "04.14"))) == ["2025-03-04", "2025-04-14"]


def paper(*dates: str, about: str = "Statement", currency: str = "USD", words: str = "") -> Parsed:
    made = Sheet()
    made.row((40, "Orchard Bank"), step=16, size=12)
    made.row((40, about), step=16)
    if words:
        made.row((40, words), step=16)
    made.row((40, "Opening balance"), (320, "100.00", "right"))
    made.row((40, "Closing balance"), (320, f"{100 - 5 * len(dates)}.00", "right"), step=20)
    made.row((40, "Date"), (120, "Description"), (450, f"Amount ({currency})", "right"))
    for date in dates:
        made.row((40, date), (120, "Cafe"), (450, "-5.00", "right"))
    return GenericPdf().parse(Document("s.pdf", made.pdf()))


@pytest.mark.parametrize(
    ("parsed", "expected"),
    [
        (paper("03.04.2025", "03.14.2025"), ["2025-03-04", "2025-03-14"]),
        (paper("03.04.2025", "14.04.2025"), ["2025-04-03", "2025-04-14"]),
        (paper(*OPEN, currency="CHF"), APRIL),
        (paper(*OPEN, about="Statement period 01.04.2025 - 30.04.2025"), APRIL),
        (paper(*OPEN, about="Statement period 03.01.2025 - 05.31.2025"), MARCH),
        (paper(*OPEN, about="Statement date 30.04.2025"), APRIL),
        (paper(*OPEN, words="Kontoauszug, Buchung und Wertstellung"), APRIL),
    ],
)
def test_dotted_dates_of_papers_are_read_by_what_settles_them(parsed: Parsed, expected: list[str]) -> None:
    assert (days(parsed), doubts(parsed)) == (expected, [])


def test_dotted_dates_of_a_paper_that_nothing_settles_are_in_doubt() -> None:
    parsed = paper(*OPEN)
    assert (judge(parsed).reconciled, len(doubts(parsed)), days(parsed)) == ("unknown", 1, APRIL)
    decided = interpret(parsed, Decision(date_order="mdy"))
    assert (days(decided), doubts(decided), judge(decided).reconciled) == (MARCH, [], "yes")
