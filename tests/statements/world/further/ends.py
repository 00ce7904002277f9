# ruff: noqa: E501 lines stay as wide as the file they are modelled on
"""Files that prove less than it seems: no stated ends, amounts in cents, years that come first, values beside bookings."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

from ..institutions.drawing import draw
from ..institutions.ledgers import (
    GERMAN,
    NORDIC,
    SINGAPORE,
    UK,
    US_CHECKING,
    de,
    file_of,
    fr,
    into,
    lines,
    out,
    plain,
    us,
)
from ..institutions.tables import table
from ..truth import Made, Row


def papers() -> Iterator[Made]:
    yield paper(
        "years first in two digits",
        NORDIC.rows,
        "SEK",
        f"""
Lansbanken               Kontoutdrag               Konto 9020-123.456.7               Valuta SEK
Bokf.dag     Beskrivning                                 Belopp               Saldo
{lines(NORDIC.rows, lambda r: f"{r.day:%y-%m-%d}     {r.text:<36}{fr(r.amount):>14}{fr(r.balance):>22}")}
""",
    )
    yield paper(
        "an amount under another name and no stated end",
        UK.rows,
        "GBP",
        f"""
Thames Building Society          Your statement          27 December 2023 to 26 January 2024   GBP
Date         Description                          Adjustment          Money out        Money in         Balance
{lines(UK.rows, lambda r: f"{r.day:%d %b %y}    {r.text:<36}{us(r.amount) if r is UK.rows[-1] else '':>10}{'' if r is UK.rows[-1] else out(r):>18}{into(r):>16}{us(r.balance):>18}")}
""",
    )
    yield paper(
        "one column without signs and no stated end",
        SINGAPORE.rows[::-1],
        "SGD",
        f"""
Straits Bank          Account activity          Account 501-123456-001 (SGD)          01 Jul 2024 to 31 Jul 2024
Date         Description                                       Amount           Balance
{lines(SINGAPORE.rows, lambda r: f"{r.day:%d %b %Y}  {r.text:<40}{us(abs(r.amount)):>14}{us(r.balance):>18}")}
""",
    )
    yield paper(
        "value days before booking days",
        GERMAN.rows,
        "EUR",
        f"""
Stadtbank eG               Kontoauszug 1/2024               IBAN DE12 5001 0517 0648 4898 90   27.12.2023 - 31.01.2024
Wert         Buchung      Verwendungszweck                                        Soll EUR          Haben EUR          Saldo EUR
                          Alter Kontostand                                                                       {de(GERMAN.opening)}
{lines(GERMAN.rows, lambda r: f"{r.day + timedelta(days=2):%d.%m.%Y}   {r.day:%d.%m.%Y}   {r.text:<46}{out(r, de):>14}{into(r, de):>18}{de(r.balance):>20}")}
                          Neuer Kontostand                                                                       {de(GERMAN.closing)}
""",
    )
    yield paper(
        "the last page without a head",
        US_CHECKING.rows,
        "USD",
        f"""
Lakeside National Bank     Page 1 of 2     Account 00-123-4821     December 9, 2023 through January 8, 2024     USD
Date        Description                                             Withdrawals       Deposits        Balance
{lines(US_CHECKING.rows[:8], lambda r: f"{r.day:%b %d}      {r.text[:40]:<44}{out(r):>14}{into(r):>16}{us(r.balance):>16}")}
\f
Lakeside National Bank     Page 2 of 2     Account 00-123-4821
{lines(US_CHECKING.rows[8:], lambda r: f"{r.day:%b %d}      {r.text[:40]:<44}{out(r):>14}{into(r):>16}{us(r.balance):>16}")}
""",
    )
    yield paper(
        "a column in another currency beside",
        UK.rows,
        "GBP",
        f"""
Thames Building Society          Your statement          27 December 2023 to 26 January 2024
Date         Description                          Amount EUR          Amount GBP         Balance GBP
27 Dec 23    Balance brought forward                                                     {us(UK.opening)}
{lines(UK.rows, lambda r: f"{r.day:%d %b %y}    {r.text:<36}{us(r.amount * 2):>12}{us(r.amount):>18}{us(r.balance):>18}")}
26 Jan 24    Balance carried forward                                                     {us(UK.closing)}
""",
    )


def paper(label: str, rows: tuple[Row, ...], currency: str, text: str) -> Made:
    return Made(
        f"{label.replace(' ', '_')}.pdf", draw(text, wide=True), rows, currency, f"paper {label}", False
    )


def cents(value: Decimal) -> str:
    return f"{value * 100:.0f}"


def tables() -> Iterator[Made]:
    yield table(
        "amounts in pence by name",
        UK,
        "GBP",
        "date,description,amount_pence,currency,balance_pence",
        lambda r: f'{r.day},"{r.text}",{cents(r.amount)},GBP,{cents(r.balance)}',
    )
    yield table(
        "amounts in cents without a word",
        UK,
        "EUR",
        "date,description,amount,currency,balance",
        lambda r: f'{r.day},"{r.text}",{cents(r.amount)},EUR,{cents(r.balance)}',
    )
    yield table(
        "posting before transaction days",
        US_CHECKING,
        "USD",
        "Posting Date,Transaction Date,Description,Amount (USD),Balance (USD)",
        lambda r: (
            f'{r.day + timedelta(days=2):%m/%d/%Y},{r.day:%m/%d/%Y},"{r.text}",{plain(r.amount)},{plain(r.balance)}'
        ),
    )
    yield table(
        "two running balances",
        UK,
        "GBP",
        "Date,Description,Amount (GBP),Available balance (GBP),Ledger balance (GBP)",
        lambda r: (
            f'{r.day:%d/%m/%Y},"{r.text}",{plain(r.amount)},{plain(r.balance + 500)},{plain(r.balance)}'
        ),
    )
    yield table(
        "fees beside amounts",
        UK,
        "GBP",
        "Date,Description,Amount (GBP),Fee (GBP),Balance (GBP)",
        lambda r: f'{r.day:%d/%m/%Y},"{r.text}",{plain(r.amount + 1)},1.00,{plain(r.balance)}',
    )
    yield table(
        "a currency column of the shop",
        UK,
        "GBP",
        "Date,Description,Amount,Currency,Billed (GBP),Balance (GBP)",
        lambda r: (
            f'{r.day:%d/%m/%Y},"{r.text}",{plain(r.amount * 2)},EUR,{plain(r.amount)},{plain(r.balance)}'
        ),
    )
    yield file_of(
        "a table cut in two by a page's title",
        "cut.csv",
        "Date,Details,Amount (GBP),Balance (GBP)\n"
        + lines(UK.rows[:5], lambda r: f'{r.day:%d/%m/%Y},"{r.text}",{plain(r.amount)},{plain(r.balance)}')
        + "Page 2,,,\nDate,Details,Balance (GBP),Amount (GBP)\n"
        + lines(UK.rows[5:], lambda r: f'{r.day:%d/%m/%Y},"{r.text}",{plain(r.balance)},{plain(r.amount)}'),
        UK,
        "GBP",
        False,
    )


def ends() -> Iterator[Made]:
    yield from papers()
    yield from tables()
