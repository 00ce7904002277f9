# ruff: noqa: E501 lines stay as wide as the page they draw
"""Files in which something besides the rows looks like them: notes of exchanges, old dates, further columns of money, pending rows."""

from __future__ import annotations

from collections.abc import Iterator

from ..truth import Made
from .drawing import draw
from .ledgers import (
    EARLY_DAYS,
    GERMAN,
    NORDIC,
    SINGAPORE,
    SWISS,
    UK,
    US_CARD,
    US_CHECKING,
    Ledger,
    comma,
    de,
    file_of,
    into,
    ledger,
    lines,
    out,
    plain,
    swiss,
    us,
)

YEN = ledger(
    "812000",
    """
2024-09-02 -1280 CONVENIENCE STORE 0123
2024-09-05 -84000 RENT SEPTEMBER
2024-09-10 -12345 TOKYO GAS
2024-09-25 310000 SALARY KABUSHIKI
2024-09-27 -9800 JR EAST SUICA
""",
)


def exchange_notes(bank: str) -> str:
    note = "\n            EUR 22.10 @ 1.1786 Visa Rate\n            Non-Sterling Transaction Fee included"
    return f"""
{bank}     Your Statement     27 December 2023 to 26 January 2024     Account Number 12345678
Date        Payment type and details                         Paid out       Paid in       Balance
27 Dec 23   BALANCE BROUGHT FORWARD                                                        512.40
{lines(UK.rows, lambda row: f"{row.day:%d %b %y}   {row.text:<44}{out(row):>13}{into(row):>14}{us(row.balance):>14}{note if 'PRET' in row.text or 'TFL' in row.text else ''}")}
26 Jan 24   BALANCE CARRIED FORWARD                                                        {us(UK.closing)}
"""


def card_with_trailing_minus() -> str:
    held = US_CARD
    return f"""
Harbour Rewards Mastercard     Statement 08 January 2024     Card number 5412 **** **** 7788
Previous balance     £1,204.55     Payments and credits     £{us(held.paid_in)}     Spending     £{us(held.paid_out)}     New balance     £{us(-held.closing)}
Minimum payment due £25.00     Credit limit £5,000.00
Transaction   Posting
date          date          Description                                                              Amount (GBP)
{lines(held.rows, lambda row: f"{row.day:%d %b}        {row.day:%d %b}        {row.text:<66}{us(abs(row.amount)) + ('-' if row.amount > 0 else ''):>16}")}
"""


def old_date_and_no_period() -> str:
    held = US_CHECKING
    return f"""
Prairie Bank N.A.     Account Number 4821     Form PB-12 Rev. 06/15/2019     USD
DATE       DESCRIPTION                                                           AMOUNT        BALANCE
12/09      BEGINNING BALANCE                                                                 $2,841.17
{lines(held.rows, lambda row: f"{row.day:%m/%d}      {row.text:<60}{us(row.amount):>14}{us(row.balance):>15}")}
01/08      ENDING BALANCE                                                                    ${us(held.closing)}
"""


def newest_first_over_new_year() -> str:
    held = UK
    return f"""
Tandem Bank     Statement 27 Dec 2023 - 26 Jan 2024     Sort code 04-00-75  Account 12345678     Currency GBP
Date      Description                                            Amount        Balance
{lines(held.rows[::-1], lambda row: f"{row.day:%d %b}    {row.text:<46}{us(row.amount):>14}{us(row.balance):>15}")}
"""


def further_columns_of_money() -> str:
    held = UK
    return f"""
Zempler Bank     Account statement 27/12/2023 to 26/01/2024     Account number 12345678     Currency: GBP
Date          Description                               Fee        Money out       Money in       Balance
27/12/2023    Opening balance                                                                      512.40
{lines(held.rows, lambda row: f"{row.day:%d/%m/%Y}    {row.text:<36}{'0.00':>9}{out(row):>15}{into(row):>15}{us(row.balance):>14}")}
26/01/2024    Closing balance                                                                      {us(held.closing)}
"""


def pending_after_the_rows() -> str:
    held = SINGAPORE
    return f"""
OCBC Bank     360 Account 501-123456-001     STATEMENT OF ACCOUNT 1 JUL 2024 TO 31 JUL 2024     Currency SGD
Transaction Date   Value Date   Description                          Withdrawal        Deposit        Balance
                                BALANCE B/F                                                           8,120.33
{lines(held.rows, lambda row: f"{row.day:%d %b}             {row.day:%d %b}       {row.text:<34}{out(row):>13}{into(row):>15}{us(row.balance):>16}")}
                                BALANCE C/F                                                          {us(held.closing)}
Pending transactions
30 Jul             30 Jul       SHOPEE SINGAPORE                          45.00
31 Jul             31 Jul       GRAB RIDES                                12.00
"""


def foreign_amount_column() -> str:
    held = SWISS
    return f"""
Viseca Card Services SA     Rechnung vom 29.02.2024     Kartennummer XXXX XXXX XXXX 1122     Betrag in CHF
Kartenlimite CHF 10'000.00     Saldo letzte Rechnung  0.00
Datum       Verbucht    Buchungstext                              Betrag FW         Betrag CHF
{lines(held.debits(), lambda row: f"{row.day:%d.%m.%y}    {row.day:%d.%m.%y}    {row.text:<36}EUR {swiss(-row.amount * 2):>12}{swiss(-row.amount):>19}")}
            Total neue Buchungen                                              {swiss(held.paid_out):>20}
"""


def papers() -> Iterator[Made]:
    yield file_of(
        "exchange notes of a known bank", "statement.pdf", draw(exchange_notes("HSBC UK")), UK, "GBP", True
    )
    yield file_of(
        "exchange notes of an unknown bank",
        "statement.pdf",
        draw(exchange_notes("Harbour Mutual")),
        UK,
        "GBP",
        False,
    )
    yield file_of(
        "card with trailing minus", "statement.pdf", draw(card_with_trailing_minus()), US_CARD, "GBP", True
    )
    yield file_of(
        "an old date and no period",
        "statement.pdf",
        draw(old_date_and_no_period()),
        US_CHECKING,
        "USD",
        False,
    )
    yield file_of(
        "newest first over new year", "statement.pdf", draw(newest_first_over_new_year()), UK, "GBP", True
    )
    yield file_of("a column of fees", "statement.pdf", draw(further_columns_of_money()), UK, "GBP", True)
    yield file_of(
        "pending after the rows", "statement.pdf", draw(pending_after_the_rows()), SINGAPORE, "SGD", True
    )
    yield file_of(
        "foreign amounts beside own",
        "rechnung.pdf",
        draw(foreign_amount_column()),
        Ledger(SWISS.opening, tuple(SWISS.debits())),
        "CHF",
        False,
    )


def rows_of(label: str, held: Ledger, currency: str, head: str, text: str, proves: bool = False) -> Made:
    return file_of(label, "export.csv", f"{head}\n{text}", held, currency, proves)


def tables() -> Iterator[Made]:
    yield rows_of(
        "yen with commas",
        YEN,
        "JPY",
        "Date,Description,Amount,Balance,Currency",
        lines(YEN.rows, lambda r: f'{r.day},{r.text},"{r.amount:,}","{r.balance:,}",JPY'),
        True,
    )
    yield rows_of(
        "yen with points",
        YEN,
        "JPY",
        "Datum;Text;Betrag;Saldo;Währung",
        lines(
            YEN.rows,
            lambda r: (
                f"{r.day:%d.%m.%Y};{r.text};{f'{r.amount:,}'.replace(',', '.')};{f'{r.balance:,}'.replace(',', '.')};JPY"
            ),
        ),
        True,
    )
    yield rows_of(
        "whole euros with points",
        YEN,
        "EUR",
        "Datum;Text;Betrag;Saldo;Währung",
        lines(
            YEN.rows,
            lambda r: (
                f"{r.day:%d.%m.%Y};{r.text};{f'{r.amount:,}'.replace(',', '.')};{f'{r.balance:,}'.replace(',', '.')};EUR"
            ),
        ),
        True,
    )
    yield rows_of(
        "curve",
        UK,
        "GBP",
        "Date (YYYY-MM-DD as UTC),Merchant,Txn Amount (Funding Card),Txn Currency (Funding Card),Txn Amount (Foreign Spend),Txn Currency (Foreign Spend),Card Name,Card Last 4 Digits,Type,Category,Notes",
        lines(
            UK.rows,
            lambda r: (
                f"{r.day},{r.text},{plain(-r.amount)},GBP,{plain(-r.amount * 2)},EUR,Visa,1234,Personal,Shopping,"
            ),
        ),
    )
    yield rows_of(
        "n26 new",
        GERMAN,
        "EUR",
        '"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"',
        lines(
            GERMAN.rows,
            lambda r: (
                f'{r.day},{r.day},"{r.text}",DE12,"Presentment","","Main Account",{plain(r.amount)},{plain(r.amount * 2)},USD,2'
            ),
        ),
    )
    yield rows_of(
        "bunq",
        GERMAN,
        "EUR",
        '"Date";"Interest Date";"Amount";"Account";"Counterparty";"Name";"Description"',
        lines(
            GERMAN.rows,
            lambda r: (
                f'"{r.day}";"{r.day}";"{de(r.amount)}";"NL12BUNQ2025123456";"DE12";"{r.text}";"{r.text}"'
            ),
        ),
    )
    yield rows_of(
        "cr and dr behind numbers",
        UK,
        "GBP",
        "Date,Narrative,Amount,Balance,Currency",
        lines(
            UK.rows,
            lambda r: (
                f'{r.day:%d/%m/%Y},{r.text},"{us(abs(r.amount))} {"CR" if r.amount > 0 else "DR"}","{us(abs(r.balance))} {"CR" if r.balance > 0 else "DR"}",GBP'
            ),
        ),
        True,
    )
    yield rows_of(
        "balance before alone",
        UK,
        "GBP",
        "Date,Description,Amount,Balance,Currency",
        lines(
            UK.rows,
            lambda r: f"{r.day:%d/%m/%Y},{r.text},{plain(r.amount)},{plain(r.balance - r.amount)},GBP",
        ),
    )
    yield rows_of(
        "time zones late in the day",
        US_CHECKING,
        "USD",
        "Timestamp,Description,Amount,Currency",
        lines(US_CHECKING.rows, lambda r: f"{r.day}T23:30:00-05:00,{r.text},{plain(r.amount)},USD"),
    )
    yield rows_of(
        "amex uk",
        Ledger(US_CARD.opening, US_CARD.rows),
        "GBP",
        "Date,Description,Card Member,Account #,Amount (£)",
        lines(US_CARD.rows, lambda r: f"{r.day:%d/%m/%Y},{r.text},J SMITH,-41007,{plain(-r.amount)}"),
    )
    yield rows_of(
        "two ambiguous dates",
        EARLY_DAYS,
        "USD",
        "Posted,Effective Date,Description,Amount,Balance,Currency",
        lines(
            EARLY_DAYS.rows,
            lambda r: f"{r.day:%d/%m/%Y},{r.day:%d/%m/%Y},{r.text},{plain(r.amount)},{plain(r.balance)},USD",
        ),
    )
    yield rows_of(
        "debits that raise the balance",
        UK,
        "GBP",
        "Date,Memo,Debit,Credit,Balance,Currency",
        lines(
            UK.rows,
            lambda r: f"{r.day:%d/%m/%Y},{r.text},{into(r, plain)},{out(r, plain)},{plain(r.balance)},GBP",
        ),
    )
    yield rows_of(
        "negative debits",
        NORDIC,
        "SEK",
        "Datum;Text;Uttag;Insättning;Saldo;Valuta",
        lines(
            NORDIC.rows,
            lambda r: (
                f"{r.day};{r.text};{comma(r.amount) if r.amount < 0 else ''};{into(r, comma)};{comma(r.balance)};SEK"
            ),
        ),
        True,
    )
    yield rows_of(
        "coinbase",
        UK,
        "GBP",
        "Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes",
        lines(
            UK.rows,
            lambda r: (
                f"{r.day} 10:00:00 UTC,{'Buy' if r.amount < 0 else 'Sell'},BTC,0.001,GBP,£30000.00,£{plain(abs(r.amount) - 1)},£{plain(abs(r.amount))},£1.00,{r.text}"
            ),
        ),
    )


def traps() -> Iterator[Made]:
    yield from papers()
    yield from tables()
