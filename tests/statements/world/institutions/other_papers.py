# ruff: noqa: E501 lines stay as wide as the page they draw
"""Statements on paper of Asia, Oceania and Africa, and papers that set traps whoever prints them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..truth import Made, Row
from .drawing import draw
from .ledgers import (
    AUSTRALIAN,
    EARLY_DAYS,
    INDIAN,
    SINGAPORE,
    US_CARD,
    US_CHECKING,
    Ledger,
    file_of,
    indian,
    into,
    lines,
    out,
    us,
)


def sbi() -> str:
    held = INDIAN
    return f"""
STATE BANK OF INDIA     Account Name : Mr. RAVI KUMAR     Account Number : 00000031234567890     IFS Code : SBIN0001234
Account Statement from 1 Apr 2024 to 30 Apr 2024     Balance as on 1 Apr 2024 : 1,18,204.50
Txn Date      Value Date    Description                              Ref No./Cheque No.        Debit           Credit         Balance
{lines(held.rows, lambda row: f"{f'{row.day.day} {row.day:%b %Y}':<14}{f'{row.day.day} {row.day:%b %Y}':<14}{row.text:<40} TRANSFER 123    {out(row, indian):>12}{into(row, indian):>16}{indian(row.balance):>16}")}
Please do not share your ATM, Debit/Credit card number, PIN and OTP with anyone.
"""


def hdfc() -> str:
    held = INDIAN
    return f"""
HDFC BANK LIMITED     Page No .: 1     Statement of account     Account No : 50100123456789     Currency : INR
From : 01/04/2024     To : 30/04/2024
Date        Narration                                   Chq./Ref.No.        Value Dt      Withdrawal Amt.   Deposit Amt.   Closing Balance
{lines(held.rows, lambda row: f"{row.day:%d/%m/%y}    {row.text:<44}0000409212345678    {row.day:%d/%m/%y}{out(row, indian):>16}{into(row, indian):>16}{indian(row.balance):>16}")}
STATEMENT SUMMARY :-
Opening Balance     Dr Count     Cr Count          Debits          Credits     Closing Bal
1,18,204.50         5            2             {indian(held.paid_out)}      {indian(held.paid_in)}      {indian(held.closing)}
"""


def icici_cr_dr() -> str:
    held = INDIAN
    return f"""
ICICI Bank     Statement of Transactions in Savings Account Number: 001234567890 in INR for the period April 01, 2024 - April 30, 2024
DATE          PARTICULARS                                          AMOUNT (INR)   TYPE        BALANCE (INR)
01-04-2024    B/F                                                                                1,18,204.50
{lines(held.rows, lambda row: f"{row.day:%d-%m-%Y}    {row.text:<46}{indian(abs(row.amount)):>16}     {'CR' if row.amount > 0 else 'DR'}{indian(row.balance):>19}")}
Total:     {indian(held.paid_out)}     {indian(held.paid_in)}     {indian(held.closing)}
"""


def anz() -> str:
    held, year, text = AUSTRALIAN, 0, ""
    for row in held.rows:
        if row.day.year != year:
            year = row.day.year
            text += f"{year}\n"
        text += f"{f'{row.day:%d %b}'.upper():<10}{row.text:<50}{out(row) or 'blank':>14}{into(row) or 'blank':>16}{us(row.balance):>14}\n{'':<10}EFFECTIVE DATE {row.day:%d %b}\n"
    return f"""
ANZ ACCESS ADVANTAGE STATEMENT          STATEMENT NUMBER 12     27 DECEMBER 2023 TO 26 JANUARY 2024
Account Details     Branch Number (BSB) 012-345     Account Number 1234-56789
Opening Balance:   $3,022.10     Total Deposits:   $ {us(held.paid_in)}     Total Withdrawals:   $ {us(held.paid_out)}     Closing Balance:   $ {us(held.closing)}
Please retain this statement for taxation purposes
Transaction Details
Date      Transaction Details                               Withdrawals ($)   Deposits ($)   Balance ($)
2023
27 DEC    OPENING BALANCE                                                                       3,022.10
{text[5:]}
          TOTALS AT END OF PERIOD                                  ${us(held.paid_out)}       ${us(held.paid_in)}     ${us(held.closing)}
"""


def westpac() -> str:
    held = AUSTRALIAN
    return f"""
Westpac Choice     Statement Period 27 December 2023 - 26 January 2024     BSB 732-000     Account number 123 456
Opening Balance                      + $3,022.10
Total Credits                        + ${us(held.paid_in)}
Total Debits                         - ${us(held.paid_out)}
Closing Balance                      + ${us(held.closing)}
TRANSACTIONS
DATE        TRANSACTION DESCRIPTION                                       DEBIT          CREDIT         BALANCE
27/12/23    STATEMENT OPENING BALANCE                                                                  3,022.10
{lines(held.rows, lambda row: f"{row.day:%d/%m/%y}    {row.text:<56}{out(row):>11}{into(row):>16}{us(row.balance):>16}")}
26/01/24    CLOSING BALANCE                                                                            {us(held.closing)}
"""


def commonwealth() -> str:
    held = AUSTRALIAN
    return f"""
Commonwealth Bank     Statement 14     Account Number 06 2000 12345678     Statement Period 27 Dec 2023 - 26 Jan 2024
Closing Balance  ${us(held.closing)} CR
Date      Transaction                                             Debit         Credit          Balance
27 Dec    2023 OPENING BALANCE                                                             $3,022.10 CR
{lines(held.rows, lambda row: f"{row.day:%d %b}    {row.text:<50}{out(row):>12}{(chr(36) + us(row.amount)) if row.amount > 0 else '':>15}{chr(36) + us(row.balance) + ' CR':>17}")}
26 Jan    2024 CLOSING BALANCE                                                             ${us(held.closing)} CR
Opening balance  -  Total debits  +  Total credits  =  Closing balance
$3,022.10 CR     ${us(held.paid_out)}     ${us(held.paid_in)}     ${us(held.closing)} CR
"""


def dbs() -> str:
    held = SINGAPORE

    def write(row: Row) -> str:
        first, rest = row.text.split(" ", 1)
        return f"{row.day:%d/%m/%Y}   {first:<46}{out(row):>14}{into(row):>15}{us(row.balance):>15}\n             {rest}"

    return f"""
DBS Bank Ltd     Statement of Account     as at 31 Jul 2024     DBS Multiplier Account     Account No. 120-123456-7
CURRENCY: SINGAPORE DOLLAR
Date         Description                                      Withdrawal (-)    Deposit (+)       Balance
             Balance Brought Forward                                                        SGD 8,120.33
{lines(held.rows[:3], write)}
             Balance Carried Forward                                                          {us(held.rows[2].balance)}
\f
DBS Bank Ltd     Statement of Account     as at 31 Jul 2024     Page 2 of 2
Date         Description                                      Withdrawal (-)    Deposit (+)       Balance
             Balance Brought Forward                                                          {us(held.rows[2].balance)}
{lines(held.rows[3:], write)}
             Total Balance Carried Forward in SGD:                 {us(held.paid_out)}       {us(held.paid_in)}       {us(held.closing)}
"""


def fnb() -> str:
    held = SINGAPORE
    return f"""
First National Bank     FNB Premier Cheque Account : 62012345678     Statement Period : 30 June 2024 to 31 July 2024     Currency ZAR
Opening Balance          8,120.33 Cr
Closing Balance          {us(held.closing)} Cr
Transactions in RAND (ZAR)
Date      Description                                            Amount          Balance      Accrued Bank Charges
{lines(held.rows, lambda row: f"{row.day:%d %b}    {row.text:<46}{us(abs(row.amount)) + ('Cr' if row.amount > 0 else ''):>16}{us(row.balance) + 'Cr':>17}{'':>10}")}
Turnover for Statement Period     No. Credit Transactions 2   {us(held.paid_in)}Cr     No. Debit Transactions 4   {us(held.paid_out)}Dr
"""


def in_parentheses() -> str:
    held = US_CHECKING
    return f"""
FIRST COMMUNITY CREDIT UNION     Member Statement     Statement Period 12/09/2023 - 01/08/2024     Member 4821
Share Draft Checking
Trans Date   Description                                                                      Amount          Balance
12/09/2023   Previous Balance                                                                               $2,841.17
{lines(held.rows, lambda row: f"{row.day:%m/%d/%Y}   {row.text:<72}{us(row.amount) if row.amount > 0 else f'({us(-row.amount)})':>16}{us(row.balance):>16}")}
01/08/2024   Ending Balance                                                                                 ${us(held.closing)}
"""


def no_balances() -> str:
    """One column of unsigned amounts, no balance, no section: nothing can prove a sign."""
    return f"""
Harbor Savings     Account activity
Date          Description                                                                     Amount
{lines(US_CHECKING.rows, lambda row: f"{row.day:%m/%d/%Y}    {row.text:<70}{us(abs(row.amount)):>16}")}
"""


def early_days(stated: bool) -> str:
    period = "Statement period 1 February 2024 to 30 November 2024" if stated else ""
    return f"""
Harbour Mutual     Account 12345678     {period}
Date          Description                    Amount        Balance
              Opening balance                               900.00
{lines(EARLY_DAYS.rows, lambda row: f"{row.day:%d/%m/%Y}    {row.text:<24}{us(row.amount):>13}{us(row.balance):>15}")}
              Closing balance                             {us(EARLY_DAYS.closing)}
"""


def rows_over_a_page() -> str:
    """A description that goes on after the page break, with heads and a running title between."""
    held, text = US_CHECKING, ""
    for place, row in enumerate(held.rows):
        text += f"{row.day:%m/%d}      {row.text[:24]:<60}{us(row.amount):>14}{us(row.balance):>15}\n"
        if place == 5:
            text += "\f\nLakeside Bank     Page 2 of 2     Account Number: 4821\nDATE       DESCRIPTION                                                           AMOUNT        BALANCE\n"
        if row.text[24:].strip():
            text += f"           {row.text[24:].strip()}\n"
    return f"""
Lakeside Bank     Account Number: 4821     Statement Period 12/09/2023 to 01/08/2024
DATE       DESCRIPTION                                                           AMOUNT        BALANCE
12/09      BEGINNING BALANCE                                                                  2,841.17
{text}
01/08      ENDING BALANCE                                                                     {us(held.closing)}
"""


def two_accounts() -> tuple[str, Ledger]:
    first, second = US_CHECKING, SINGAPORE
    text = ""
    for name, held in (("Checking 111122223333", first), ("Savings 444455556666", second)):
        text += f"""
{name}     Beginning balance  ${us(held.opening)}     Ending balance  ${us(held.closing)}
Date         Description                                                                Amount         Balance
{lines(held.rows, lambda row: f"{row.day:%m/%d/%Y}   {row.text:<70}{us(row.amount):>12}{us(row.balance):>15}")}
"""
    return f"Twin Rivers Bank     Combined statement\n{text}", Ledger(first.opening, first.rows + second.rows)


def card_in_one_column() -> str:
    """A card whose payments carry CR and whose purchases carry nothing."""
    held = US_CARD
    return f"""
Barclaycard Platinum Visa     Account ending 5512     Statement date 08 January 2024
Your previous balance          £1,204.55
Payments and credits           £{us(held.paid_in)}
New transactions               £{us(held.paid_out)}
Your new balance               £{us(-held.closing)}
Your credit limit £6,000.00     Minimum payment £25.00     Payment due 02 February 2024
Date          Description                                                                      Amount
{lines(held.rows, lambda row: f"{row.day:%d %b %y}     {row.text:<66}{us(abs(row.amount)) + (' CR' if row.amount > 0 else ''):>16}")}
"""


def stale_balance() -> Made:
    """The printed closing balance leaves out the last row: it can never be proved right."""
    held = Ledger(AUSTRALIAN.opening, AUSTRALIAN.rows[:-1])
    text = westpac().replace(us(AUSTRALIAN.closing), us(held.closing + 17))
    return replace(
        file_of("stale_balance", "statement.pdf", draw(text), AUSTRALIAN, "AUD", False), is_incomplete=True
    )


def other_papers() -> Iterator[Made]:
    for layout in (sbi, hdfc, icici_cr_dr):
        yield file_of(layout.__name__, "statement.pdf", draw(layout(), wide=True), INDIAN, "INR", True)
    for layout in (anz, westpac, commonwealth):
        yield file_of(layout.__name__, "statement.pdf", draw(layout()), AUSTRALIAN, "AUD", True)
    yield file_of("dbs", "statement.pdf", draw(dbs()), SINGAPORE, "SGD", True)
    yield file_of("fnb", "statement.pdf", draw(fnb()), SINGAPORE, "ZAR", True)
    for layout in (in_parentheses, rows_over_a_page):
        yield file_of(layout.__name__, "statement.pdf", draw(layout()), US_CHECKING, "USD", True)
    yield file_of("no_balances", "statement.pdf", draw(no_balances()), US_CHECKING, "USD", False)
    yield file_of(
        "early_days_with_a_period", "statement.pdf", draw(early_days(True)), EARLY_DAYS, "GBP", False
    )
    yield file_of("early_days", "statement.pdf", draw(early_days(False)), EARLY_DAYS, "GBP", False)
    text, both = two_accounts()
    yield file_of("two_accounts", "statement.pdf", draw(text), both, "USD", True)
    yield file_of("card_in_one_column", "statement.pdf", draw(card_in_one_column()), US_CARD, "GBP", True)
    yield stale_balance()
