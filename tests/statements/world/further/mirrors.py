"""Files that read as well the other way round: what is owed against what is there, days of the file against days of its rows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from ..institutions.drawing import draw
from ..institutions.ledgers import GERMAN, SWISS, UK, US_CARD, comma, ledger, lines, plain, us
from ..institutions.tables import table
from ..truth import Made, Row
from .exchange import camt, entry, mark, mt940

SPENDING = ledger("-100.00", "2024-01-15 -20.00 GROCER\n2024-01-16 -31.00 PUMP\n2024-01-20 -9.99 STREAMING")
ONE = ledger("100.00", "2024-02-03 -20.00 BAKERY")


def owed() -> Iterator[Made]:
    card = US_CARD
    head = f"Account summary\nPrevious balance,{plain(-card.opening)}\nNew balance,{plain(-card.closing)}\n\nDate,Description,Amount (USD)"
    yield table(
        "a card with what is owed at both ends",
        card,
        "USD",
        head,
        lambda r: f'{r.day:%m/%d/%Y},"{r.text}",{plain(-r.amount)}',
        proves=True,
    )
    head = f"Opening balance,{plain(-SPENDING.opening)}\nClosing balance,{plain(-SPENDING.closing)}\n\nDate,Description,Amount (USD)"
    yield table(
        "only spending with what is owed at both ends",
        SPENDING,
        "USD",
        head,
        lambda r: f'{r.day:%m/%d/%Y},"{r.text}",{plain(-r.amount)}',
        proves=True,
    )
    yield table(
        "only spending with what is owed after each",
        SPENDING,
        "USD",
        "Date,Description,Amount (USD),Balance (USD)",
        lambda r: f'{r.day:%m/%d/%Y},"{r.text}",{plain(-r.amount)},{plain(-r.balance)}',
    )
    text = f"""
Lakeside Card     Account ending 4821     12/10/2023 - 01/09/2024     USD
Previous balance   {us(-card.opening)}          New balance   {us(-card.closing)}     Minimum payment due 25.00     Credit limit 5,000.00
Post Date     Trans Date     Description                                              Amount USD
{lines(card.rows, lambda r: f"{r.day + timedelta(days=2):%m/%d/%Y}    {r.day:%m/%d/%Y}     {r.text:<50}{us(-r.amount):>14}")}
"""
    yield Made(
        "posted.pdf",
        draw(text, wide=True),
        card.rows,
        "USD",
        "paper days of posting before those of transactions",
        True,
    )


def days() -> Iterator[Made]:
    for label, head, day in (
        ("the statement's day on each row", "Statement date", lambda r: "26/01/2024"),
        ("the deadline before the day", "Due date", lambda r: f"{r.day + timedelta(days=30):%d/%m/%Y}"),
        ("the export's day on each row", "Data date", lambda r: "31/01/2024"),
    ):
        yield table(
            label,
            UK,
            "GBP",
            f"{head},Transaction date,Description,Amount (GBP),Balance (GBP)",
            lambda r, day=day: f'{day(r)},{r.day:%d/%m/%Y},"{r.text}",{plain(r.amount)},{plain(r.balance)}',
        )
    yield table(
        "one row with its year first",
        ONE,
        "EUR",
        "Datum;Text;Betrag (EUR);Saldo (EUR)\n01.02.2024;Alter Saldo;;100,00",
        lambda r: f"{r.day:%y-%m-%d};{r.text};{comma(r.amount)};{comma(r.balance)}",
    )


def two_currencies() -> Iterator[Made]:
    def write(row: Row) -> str:
        return f":61:{row.day:%y%m%d}{mark(row)}{comma(abs(row.amount))}NMSCNONREF\n:86:{row.text}"

    text = mt940(GERMAN, lines(GERMAN.rows, write), "EUR", "231227", "240126") + mt940(
        UK, lines(UK.rows, write), "GBP", "231227", "240126"
    )
    currencies = ("EUR",) * len(GERMAN.rows) + ("GBP",) * len(UK.rows)
    yield Made(
        "two.sta",
        text.encode(),
        (*GERMAN.rows, *UK.rows),
        "EUR",
        "mt940 two currencies",
        True,
        currencies=currencies,
    )
    first = camt(
        "".join(entry(r, "CHF") for r in SWISS.rows), SWISS, "CHF", first="2024-02-01", last="2024-02-29"
    )
    other = first.replace("CHF", "EUR")
    other = other[other.index("<Stmt>") : other.index("</Stmt>") + len("</Stmt>")]
    text = first.replace("</BkToCstmrStmt>", f"{other}</BkToCstmrStmt>")
    currencies = ("CHF",) * len(SWISS.rows) + ("EUR",) * len(SWISS.rows)
    yield Made(
        "two.xml",
        text.encode(),
        (*SWISS.rows, *SWISS.rows),
        "CHF",
        "camt two currencies",
        True,
        currencies=currencies,
    )


def mirrors() -> Iterator[Made]:
    yield from owed()
    yield from days()
    yield from two_currencies()
