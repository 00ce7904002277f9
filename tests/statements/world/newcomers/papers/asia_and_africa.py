"""Papers of banks in Asia, Africa and the Pacific."""

from __future__ import annotations

from datetime import date

from reportlab.lib.pagesizes import LETTER, landscape

from ...institutions.ledgers import into, out, us
from ...truth import Made
from ..books import MALAY, behind, book, card, in_brackets
from ..sheets import Sheet
from .paper import TURN, paper


def emirates(seed: int) -> Made:
    """The United Arab Emirates: newest first."""
    held = book("emirates", seed)
    sheet = Sheet(head=[(40, "Emirates NBD", -550, "STATEMENT OF ACCOUNT")])
    sheet.lines(
        (40, "IBAN AE07 0331 0123 4567 8901 234", -550, "Currency AED"),
        (40, "Period: 04 Mar 2024 to 02 Apr 2024"),
        (40, "Date", 110, "Description", -370, "Debits", -460, "Credits", -550, "Balance"),
    )
    for row in reversed(held.rows):
        sheet.line(
            40,
            f"{row.day:%d%b%y}".upper(),
            110,
            row.text,
            -370,
            out(row),
            -460,
            into(row),
            -550,
            f"{us(row.balance)}Cr" if row.balance >= 0 else f"{us(-row.balance)}Dr",
        )
    sheet.lines(
        (110, "BROUGHT FORWARD", -550, f"{us(held.opening)}Cr"),
    )
    return paper("emirates newest first", sheet, held, "AED")


def maybank(seed: int) -> Made:
    """Malaysia: signs behind amounts, balances without."""
    held = book("maybank", seed, MALAY)
    sheet = Sheet()
    sheet.lines(
        (40, "Maybank Berhad", -550, "TARIKH PENYATA / STATEMENT DATE : 02/04/24"),
        (40, "SAVINGS ACCOUNT", -550, "NOMBOR AKAUN / ACCOUNT NUMBER : 114012-345678"),
        (40, "URUSNIAGA AKAUN / ACCOUNT TRANSACTIONS"),
        (40, "TARIKH MASUK", 130, "BUTIR URUSNIAGA", -450, "JUMLAH URUSNIAGA", -550, "BAKI PENYATA"),
        (
            40,
            "ENTRY DATE",
            130,
            "TRANSACTION DESCRIPTION",
            -450,
            "TRANSACTION AMOUNT",
            -550,
            "STATEMENT BALANCE",
        ),
        (130, "BEGINNING BALANCE", -550, us(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d/%m/%y}",
            130,
            row.text,
            -450,
            behind(row.amount, "-", "+"),
            -550,
            us(row.balance),
        )
        sheet.line(130, "  MAYBANK2U * 0098")
    sheet.lines(
        (130, "ENDING BALANCE :", -550, us(held.closing)),
        (130, "TOTAL DEBIT :", -550, us(held.paid_out)),
        (130, "TOTAL CREDIT :", -550, us(held.paid_in)),
    )
    return paper("maybank with signs behind", sheet, held, "MYR")


def bca(seed: int) -> Made:
    """Indonesia: DB behind what goes out, nothing behind what comes in, a balance only at times, no year."""
    held = book("bca", seed, MALAY, scale=1000, first=date(2024, 3, 1), days=28)
    sheet = Sheet()
    sheet.lines(
        (40, "BANK CENTRAL ASIA", -550, "REKENING TAHAPAN"),
        (40, "KCU SUDIRMAN", -550, "NO. REKENING : 0351234567"),
        (-550, "PERIODE : MARET 2024"),
        (-550, "MATA UANG : IDR"),
        (40, "TANGGAL", 100, "KETERANGAN", 320, "CBG", -440, "MUTASI", -550, "SALDO"),
        (40, "01/03", 100, "SALDO AWAL", -550, us(held.opening)),
    )
    for day, rows in held.by_day():
        for row in rows:
            sheet.line(
                40,
                f"{day:%d/%m}",
                100,
                row.text,
                320,
                "0998",
                -440,
                us(abs(row.amount)),
                445,
                "DB" if row.amount < 0 else "",
                -550,
                us(row.balance) if row is rows[-1] else "",
            )
    sheet.lines(
        (40, "SALDO AWAL :", -250, us(held.opening)),
        (40, "MUTASI CR :", -250, us(held.paid_in), 300, f"{len(held.credits())}"),
        (40, "MUTASI DB :", -250, us(held.paid_out), 300, f"{len(held.debits())}"),
        (40, "SALDO AKHIR :", -250, us(held.closing)),
    )
    return paper("bca with DB only", sheet, held, "IDR")


def kasikorn(seed: int) -> Made:
    held = book("kasikorn", seed)
    sheet = Sheet(page=landscape(LETTER))
    sheet.lines(
        (40, "KASIKORNBANK PCL", -740, "STATEMENT OF SAVINGS ACCOUNT"),
        (40, "Account No. 012-3-45678-9", -740, "Period 04/03/2024 - 02/04/2024     Currency THB"),
        (
            40,
            "Date",
            90,
            "Time",
            140,
            "Description",
            -420,
            "Withdrawal / Deposit",
            -540,
            "Outstanding Balance",
            570,
            "Channel",
        ),
        (40, "04-03-24", 140, "Beginning Balance", -540, us(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d-%m-%y}",
            90,
            "10:42",
            140,
            "Transfer Withdrawal" if row.amount < 0 else "Transfer Deposit",
            -420,
            us(abs(row.amount)),
            -540,
            us(row.balance),
            570,
            "K PLUS",
            640,
            row.text,
        )
    sheet.lines(
        (40, f"Total Withdrawal {len(held.debits())} Items", -420, us(held.paid_out)),
        (40, f"Total Deposit {len(held.credits())} Items", -420, us(held.paid_in)),
    )
    return paper("kasikorn, one column of amounts", sheet, held, "THB")


def standard_bank(seed: int) -> Made:
    """South Africa: month and day as two numbers, minus behind."""
    held = book("standard bank", seed, first=TURN)
    sheet = Sheet()
    sheet.lines(
        (40, "Standard Bank of South Africa", -550, "BANK STATEMENT / TAX INVOICE"),
        (40, "Account Number 10 01 234 567 8", -550, "Statement from 14 December 2023 to 12 January 2024"),
        (40, "BALANCE BROUGHT FORWARD", -550, us(held.opening)),
        (40, "Details", 220, "Service Fee", -350, "Debits", -440, "Credits", 460, "Date", -550, "Balance"),
    )
    for row in held.rows:
        sheet.line(
            40,
            row.text,
            -350,
            f"{out(row)}-" if row.amount < 0 else "",
            -440,
            into(row),
            460,
            f"{row.day:%m %d}",
            -550,
            behind(row.balance),
        )
    sheet.lines(
        (40, "Month-end Balance", -250, f"R{us(held.closing)}"),
        (40, "VAT Summary   Total VAT", -250, "R4.12"),
    )
    return paper("standard bank with 12 14", sheet, held, "ZAR")


def absa(seed: int) -> Made:
    held = book("absa", seed)
    sheet = Sheet()
    sheet.lines(
        (40, "Absa Bank Limited", -550, "Cheque account statement"),
        (40, "Account number 40-1234-5678", -550, "4 Mar 2024 to 2 Apr 2024"),
        (40, "Account Summary:"),
        (40, "Balance Brought Forward", -300, us(held.opening)),
        (40, "Sundry Credits", -300, us(held.paid_in)),
        (40, "Sundry Debits", -300, us(-held.paid_out)),
        (40, "Balance", -300, us(held.closing)),
        (40, "Your transactions"),
        (
            40,
            "Date",
            100,
            "Transaction Description",
            -340,
            "Charge",
            -410,
            "Debit Amount",
            -480,
            "Credit Amount",
            -550,
            "Balance",
        ),
        (40, "4/03/2024", 100, "Bal Brought Forward", -550, us(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day.day}/{row.day:%m/%Y}",
            100,
            row.text,
            350,
            "T",
            -410,
            out(row),
            -480,
            into(row),
            -550,
            us(row.balance),
        )
    sheet.line(40, "CREDIT INTEREST RATE 0,00%   OVERDRAFT LIMIT 20,000.00")
    return paper("absa with a column of charges", sheet, held, "ZAR")


def macquarie(seed: int) -> Made:
    """Australia: years only in the period, month before day, over pages with carried balances."""
    held = book("macquarie", seed, count=24, first=TURN, days=40)
    sheet = Sheet(
        head=[(40, "Macquarie Bank Limited ABN 46 008 583 542", -550, "from 14 Dec 2023 to 23 Jan 2024")]
    )
    sheet.lines(
        (40, "Transaction Account", -550, "account no. 182-182 123456789"),
        (40, "transaction", 110, "description", -390, "debits", -470, "credits", -550, "balance"),
        (40, "Dec 14", 110, "OPENING BALANCE", -550, f"{us(held.opening)} CR"),
    )
    for place, row in enumerate(held.rows):
        sheet.line(
            40,
            f"{row.day:%b %d}",
            110,
            row.text,
            -390,
            out(row),
            -470,
            into(row),
            -550,
            f"{us(abs(row.balance))} {'CR' if row.balance >= 0 else 'DR'}",
        )
        if place == 12:
            sheet.line(
                110, "CARRIED FORWARD", -550, f"{us(abs(row.balance))} {'CR' if row.balance >= 0 else 'DR'}"
            )
            sheet.page()
            sheet.line(
                110, "BROUGHT FORWARD", -550, f"{us(abs(row.balance))} {'CR' if row.balance >= 0 else 'DR'}"
            )
    sheet.line(
        40,
        "Jan 23",
        110,
        "CLOSING BALANCE",
        -550,
        f"{us(abs(held.closing))} {'CR' if held.closing >= 0 else 'DR'}",
    )
    return paper("macquarie carried over pages", sheet, held, "AUD")


def kiwibank(seed: int) -> Made:
    held = book("kiwibank", seed)
    sheet = Sheet()
    sheet.lines(
        (40, "Kiwibank Limited", -550, "Account number 38-9012-0345678-00"),
        (40, "Statement period 4 March 2024 - 2 April 2024", -550, "Currency: NZD"),
        (40, "Date", 90, "Transaction", -370, "Withdrawals", -460, "Deposits", -550, "Balance"),
        (40, "4 Mar", 90, "Opening balance", -550, f"${us(held.opening)}"),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day.day} {row.day:%b}",
            90,
            row.text,
            -370,
            f"-${out(row)}" if row.amount < 0 else "",
            -460,
            f"${into(row)}" if row.amount > 0 else "",
            -550,
            f"{'-' if row.balance < 0 else ''}${us(abs(row.balance))}",
        )
    sheet.lines(
        (90, "Totals", -370, f"-${us(held.paid_out)}", -460, f"${us(held.paid_in)}"),
        (
            40,
            "2 Apr",
            90,
            "Closing balance",
            -550,
            f"{'-' if held.closing < 0 else ''}${us(abs(held.closing))}",
        ),
    )
    return paper("kiwibank with signs in columns", sheet, held, "NZD")


def equity_kenya(seed: int) -> Made:
    held = book("equity", seed)
    sheet = Sheet()
    sheet.lines(
        (40, "EQUITY BANK (KENYA) LIMITED", -550, "ACCOUNT STATEMENT"),
        (40, "Account: 0120123456789", -550, "CURRENCY KES"),
        (40, "Statement Period: 04-03-2024 to 02-04-2024"),
        (
            40,
            "Transaction",
            105,
            "Value",
            165,
            "Particulars",
            -400,
            "Money Out",
            -475,
            "Money In",
            -550,
            "Balance",
        ),
        (40, "Date", 105, "Date"),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d-%m-%Y}",
            105,
            f"{row.day:%d-%m-%Y}",
            165,
            row.text,
            -400,
            out(row),
            -475,
            into(row),
            -550,
            us(row.balance),
        )
    sheet.line(165, "Total", -400, us(held.paid_out), -475, us(held.paid_in))
    return paper("equity without stated ends", sheet, held, "KES", proves=False)


def gtbank(seed: int) -> Made:
    """Nigeria: numbers in brackets for what goes out."""
    held = book("gtbank", seed)
    sheet = Sheet()
    sheet.lines(
        (40, "GUARANTY TRUST BANK PLC", -550, "CUSTOMER STATEMENT"),
        (40, "Account No 0123456789", -550, "Currency Naira (NGN)"),
        (40, "Period 04-Mar-2024 To 02-Apr-2024"),
        (40, "Opening Balance", -300, us(held.opening), 330, "Closing Balance", -550, us(held.closing)),
        (40, "Trans. Date", 110, "Reference", 180, "Remarks", -460, "Amount", -550, "Balance"),
    )
    for number, row in enumerate(held.rows):
        sheet.line(
            40,
            f"{row.day:%d-%b-%Y}",
            110,
            f"FT24{number:05}",
            180,
            row.text,
            -460,
            in_brackets(row.amount),
            -550,
            in_brackets(row.balance),
        )
    return paper("gtbank with brackets", sheet, held, "NGN")


def bpi_card(seed: int) -> Made:
    """The Philippines: a card whose rows abroad carry a second amount on the next line."""
    held = card("bpi", seed)
    sheet = Sheet()
    sheet.lines(
        (40, "BPI  Bank of the Philippine Islands", -550, "STATEMENT OF ACCOUNT"),
        (40, "Customer Number 020100-4-50-1234567", -550, "BPI GOLD MASTERCARD"),
        (40, "Statement Date APRIL 3, 2024", -550, "Statement Balance PHP"),
        (40, "Previous Balance", -550, us(-held.opening)),
        (40, "Transaction", 110, "Posting", 170, "Description", -550, "Amount"),
        (40, "Date", 110, "Date"),
    )
    for place, row in enumerate(held.rows):
        day = f"{row.day:%B} {row.day.day}"
        sheet.line(40, day, 110, day, 170, row.text, -550, us(-row.amount))
        if place % 3 == 1 and row.amount < 0:
            sheet.line(170, f"U.S. Dollar          {us(-row.amount / 56)}")
    sheet.lines((40, "Ending Balance", -550, us(-held.closing)), (40, "Minimum Amount Due", -550, "850.00"))
    return paper("bpi card with amounts abroad below", sheet, held, "PHP")
