"""Papers of European banks."""

from __future__ import annotations

from decimal import Decimal

from ...institutions.ledgers import comma, de, into, out, swiss, us
from ...truth import Made
from ..books import DUTCH, GERMAN, NORDIC, SPANISH, book, card, whole
from ..sheets import Sheet
from .paper import TURN, paper


def nationwide(seed: int) -> Made:
    """The year as a row, days printed once, signs of currency in the head."""
    held = book("nationwide", seed, first=TURN, count=12)
    sheet = Sheet()
    sheet.lines(
        (40, "Nationwide Building Society", -550, "FlexAccount"),
        (
            40,
            "Sort code 07-01-16   Account no 12345678",
            -550,
            "Statement date: 12 January 2024   Statement no: 49",
        ),
        (40, "Start balance", -300, f"£{us(held.opening)}", 330, "End balance", -550, f"£{us(held.closing)}"),
        (40, "Date", 90, "Description", -370, "£ Out", -460, "£ In", -550, "£ Balance"),
        (40, "2023", 90, "Balance from statement 48 dated 13/12/2023", -550, us(held.opening)),
    )
    day, year = None, 2023
    for place, row in enumerate(held.rows):
        if row.day.year != year:
            year = row.day.year
            sheet.line(40, f"{year}")
        last = place + 1 == len(held.rows) or held.rows[place + 1].day != row.day
        sheet.line(
            40,
            f"{row.day:%d %b}" if row.day != day else "",
            90,
            row.text,
            -370,
            out(row),
            -460,
            into(row),
            -550,
            us(row.balance) if last else "",
        )
        day = row.day
    return paper("nationwide with years between", sheet, held, "GBP")


def first_direct(seed: int) -> Made:
    """An overdrawn account: D behind balances below zero."""
    held = book("first direct", seed, opening=4_000, largest=30_000)
    sheet = Sheet(foot=lambda page: (200, "first direct, 40 Wakefield Road, Leeds LS98 1FD", -550, f"{page}"))

    def balance(value: Decimal) -> str:
        return f"{us(-value)} D" if value < 0 else us(value)

    sheet.lines(
        (40, "first direct", -550, "1st Account"),
        (40, "4 March to 2 April 2024", -550, "Sortcode 40-47-59   Account Number 01234567"),
        (40, "Account Summary"),
        (40, "Opening Balance", -250, balance(held.opening)),
        (40, "Payments In", -250, us(held.paid_in)),
        (40, "Payments Out", -250, us(held.paid_out)),
        (40, "Closing Balance", -250, balance(held.closing)),
        (40, "Date", 110, "Payment type and details", -380, "Paid out", -460, "Paid in", -550, "Balance"),
        (40, "03 Mar 24", 110, "BALANCE BROUGHT FORWARD", -550, balance(held.opening)),
    )
    for day, rows in held.by_day():
        for place, row in enumerate(rows):
            sheet.line(
                40,
                f"{day:%d %b %y}" if place == 0 else "",
                90,
                "VIS" if row.amount < 0 else "CR",
                110,
                row.text,
                -380,
                out(row),
                -460,
                into(row),
                -550,
                balance(row.balance) if row is rows[-1] else "",
            )
    sheet.line(40, "02 Apr 24", 110, "BALANCE CARRIED FORWARD", -550, balance(held.closing))
    return paper("first direct overdrawn", sheet, held, "GBP")


def virgin_card(seed: int) -> Made:
    """A card with CR behind payments and two dates per row."""
    held = card("virgin", seed, first=TURN)
    sheet = Sheet()
    sheet.lines(
        (40, "Virgin Money Credit Card Statement"),
        (40, "Card number 5358 **** **** 1120", -550, "Statement date 14 January 2024"),
        (40, "Balance from last statement", -300, f"£{us(-held.opening)}"),
        (40, "Payments and credits", -300, f"£{us(held.paid_in)}"),
        (40, "Purchases and charges", -300, f"£{us(held.paid_out)}"),
        (40, "New balance", -300, f"£{us(-held.closing)}"),
        (40, "Minimum payment", -300, "£25.00"),
        (40, "Estimated interest next month", -300, "£12.19"),
        (40, "Transaction", 110, "Posting", 170, "Details", -550, "Amount £"),
        (40, "date", 110, "date"),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d %b}",
            110,
            f"{row.day:%d %b}",
            170,
            row.text,
            -550,
            f"{us(abs(row.amount))}{' CR' if row.amount > 0 else ''}",
        )
    return paper("virgin card with CR", sheet, held, "GBP")


def aib(seed: int) -> Made:
    """Ireland: balances once a day, dr where overdrawn."""
    held = book("aib", seed, opening=9_000, largest=30_000)
    sheet = Sheet()

    def balance(value: Decimal) -> str:
        return f"{us(-value)} dr" if value < 0 else us(value)

    sheet.lines(
        (40, "Allied Irish Banks, p.l.c.", -550, "Personal Bank Account"),
        (40, "Statement of Account with AIB", -550, "IBAN: IE29 AIBK 9311 5212 3456 78"),
        (40, "Date of Statement 2nd April 2024", -550, "Account Number 12345-678"),
        (40, "Date", 110, "Details", -370, "Debit €", -460, "Credit €", -550, "Balance €"),
        (40, "3 Mar 2024", 110, "BALANCE FORWARD", -550, balance(held.opening)),
    )
    for day, rows in held.by_day():
        for place, row in enumerate(rows):
            sheet.line(
                40,
                f"{day.day} {day:%b %Y}" if place == 0 else "",
                110,
                row.text,
                -370,
                out(row),
                -460,
                into(row),
                -550,
                balance(row.balance) if row is rows[-1] else "",
            )
    sheet.lines((110, "Thank you for banking with us"), (40, "Overdrawn balances are marked dr"))
    return paper("aib with dr", sheet, held, "EUR")


def kbc(seed: int) -> Made:
    """Belgium: numbered rows, sign behind, value date at the end."""
    held = book("kbc", seed, DUTCH)
    sheet = Sheet()

    def signed(value: Decimal) -> str:
        return f"{de(abs(value))}{'-' if value < 0 else '+'}"

    sheet.lines(
        (40, "KBC Brussels", -550, "REKENINGUITTREKSEL 003"),
        (40, "BE71 7350 0123 4569", -550, "KREDBEBB   EUR"),
        (40, "Periode van 04-03-2024 tot 02-04-2024"),
        (40, "Saldo op 03-03-2024", -550, signed(held.opening)),
        (40, "Nr.", 70, "Datum", 130, "Omschrijving", 400, "Valuta", -550, "Bedrag"),
    )
    for number, row in enumerate(held.rows, 1):
        sheet.line(
            40,
            f"{number:03}",
            70,
            f"{row.day:%d-%m}",
            130,
            row.text,
            400,
            f"{row.day:%d-%m}",
            -550,
            signed(row.amount),
        )
        sheet.line(130, f"REFERTE {4400 + number} MEDEDELING 0{number}/2024")
    sheet.line(40, "Saldo op 02-04-2024", -550, signed(held.closing))
    return paper("kbc with signs behind", sheet, held, "EUR")


def rabobank(seed: int) -> Made:
    held = book("rabo", seed, DUTCH)
    sheet = Sheet()
    sheet.lines(
        (40, "Rabobank", -550, "Rekeningafschrift"),
        (40, "NL44 RABO 0123 4567 89", -550, "Volgnummer 4"),
        (40, "Datum vanaf 04-03-2024", 200, "Datum t/m 02-04-2024", -550, "Valuta EUR"),
        (
            40,
            "Beginsaldo",
            -180,
            f"{de(held.opening)} CR",
            200,
            "Totaal afgeschreven",
            -370,
            de(held.paid_out),
        ),
        (
            40,
            "Eindsaldo",
            -180,
            f"{de(held.closing)} {'CR' if held.closing >= 0 else 'D'}".replace("-", ""),
            200,
            "Totaal bijgeschreven",
            -370,
            de(held.paid_in),
        ),
        (40, "Rente-", 90, "Omschrijving", -450, "Bedrag af", -550, "Bedrag bij"),
        (40, "datum", -450, "(debet)", -550, "(credit)"),
    )
    for row in held.rows:
        sheet.line(40, f"{row.day:%d-%m}", 90, row.text, -450, out(row, de), -550, into(row, de))
        sheet.line(90, "Betaalautomaat 14:02 pasnr. 021")
    return paper("rabobank af and bij", sheet, held, "EUR")


def erste(seed: int) -> Made:
    """Austria: days as 04.03. without a year over New Year, minus behind."""
    held = book("erste", seed, GERMAN, first=TURN)
    sheet = Sheet()
    sheet.lines(
        (40, "Erste Bank der oesterreichischen Sparkassen AG", -550, "Kontoauszug Nr. 1/2024"),
        (40, "IBAN AT61 2011 1000 1234 5678", -550, "Auszug vom 12.01.2024"),
        (40, "Buchung", 90, "Buchungstext", 400, "Wert", -550, "Betrag EUR"),
        (90, "Alter Kontostand vom 13.12.2023", -550, f"{de(held.opening)}"),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d.%m.}",
            90,
            row.text,
            400,
            f"{row.day:%d.%m.}",
            -550,
            f"{de(abs(row.amount))}{'-' if row.amount < 0 else ''}",
        )
        sheet.line(90, "Zahlungsreferenz 110099")
    sheet.line(
        90,
        "Neuer Kontostand vom 12.01.2024",
        -550,
        f"{de(abs(held.closing))}{'-' if held.closing < 0 else ''}",
    )
    return paper("erste over new year", sheet, held, "EUR")


def sabadell(seed: int) -> Made:
    held = book("sabadell", seed, SPANISH)
    sheet = Sheet()
    sheet.lines(
        (40, "Banco Sabadell", -550, "EXTRACTO DE CUENTA"),
        (40, "IBAN ES12 0081 0123 4500 0123 4567", -550, "DIVISA: EUR"),
        (40, "Periodo: 04/03/2024 - 02/04/2024"),
        (40, "F. OPER.", 95, "CONCEPTO", 330, "F. VALOR", -470, "IMPORTE", -550, "SALDO"),
        (95, "SALDO ANTERIOR", -550, de(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d/%m}",
            95,
            row.text,
            330,
            f"{row.day:%d/%m}",
            -470,
            de(row.amount),
            -550,
            de(row.balance),
        )
    sheet.line(95, "SALDO FINAL", -550, de(held.closing))
    return paper("sabadell without years", sheet, held, "EUR")


def otp(seed: int) -> Made:
    """Hungary: forints without decimals, dates 24.03.04."""
    held = book("otp", seed, places=0, scale=400)
    sheet = Sheet()
    sheet.lines(
        (40, "OTP Bank Nyrt.", -550, "Számlakivonat"),
        (40, "Számlaszám: 11773016-01234567-00000000", -550, "Devizanem: HUF"),
        (40, "Időszak: 2024.03.04 - 2024.04.02"),
        (40, "Könyvelés", 100, "Értéknap", 160, "Megnevezés", -440, "Összeg", -550, "Egyenleg"),
        (160, "NYITÓ EGYENLEG", -550, whole(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%y.%m.%d}",
            100,
            f"{row.day:%y.%m.%d}",
            160,
            row.text,
            -440,
            whole(row.amount),
            -550,
            whole(row.balance),
        )
    sheet.line(160, "ZÁRÓ EGYENLEG", -550, whole(held.closing))
    return paper("otp in forints", sheet, held, "HUF")


def transilvania(seed: int) -> Made:
    """Romania: subtotals and the day's balance between rows."""
    held = book("transilvania", seed, count=12)
    sheet = Sheet()
    sheet.lines(
        (40, "BANCA TRANSILVANIA S.A.", -550, "EXTRAS CONT"),
        (40, "Cod IBAN: RO12 BTRL RONC RT01 2345 6701", -550, "din 04/03/2024 pana in 02/04/2024"),
        (40, "Moneda: RON"),
        (40, "Data", 100, "Descriere", -450, "Debit", -550, "Credit"),
        (100, "SOLD ANTERIOR", -550, us(held.opening)),
    )
    for day, rows in held.by_day():
        for place, row in enumerate(rows):
            sheet.line(
                40, f"{day:%d/%m/%Y}" if place == 0 else "", 100, row.text, -450, out(row), -550, into(row)
            )
        paid = sum((-row.amount for row in rows if row.amount < 0), Decimal(0))
        got = sum((row.amount for row in rows if row.amount > 0), Decimal(0))
        sheet.line(40, f"{day:%d/%m/%Y}", 100, "RULAJ ZI", -450, us(paid), -550, us(got))
        sheet.line(100, "SOLD FINAL ZI", -550, us(rows[-1].balance))
    sheet.lines(
        (100, "RULAJ TOTAL CONT", -450, us(held.paid_out), -550, us(held.paid_in)),
        (100, "SOLD FINAL CONT", -550, us(held.closing)),
    )
    return paper("transilvania with the turnover of each day", sheet, held, "RON")


def sparebank(seed: int) -> Made:
    """Norway: dates as 0403, out of and into the account."""
    held = book("sparebank", seed, NORDIC)
    sheet = Sheet()
    sheet.lines(
        (40, "SpareBank 1 SMN", -550, "Kontoutskrift nr. 3 for konto 4212 34 56789"),
        (40, "i perioden 04.03.2024 - 02.04.2024", -550, "Valuta NOK"),
        (40, "Forklaring", 280, "Rentedato", -410, "Ut av konto", -490, "Inn på konto", 510, "Bokført"),
        (40, "Saldo fra kontoutskrift 29.02.2024", -490, de(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            row.text,
            280,
            f"{row.day:%d%m}",
            -410,
            out(row, de),
            -490,
            into(row, de),
            510,
            f"{row.day:%d%m}",
        )
    sheet.line(40, "Saldo i Deres favør", -490, de(held.closing))
    return paper("sparebank with 0403", sheet, held, "NOK")


def op_finland(seed: int) -> Made:
    held = book("op", seed, NORDIC)
    sheet = Sheet()
    sheet.lines(
        (40, "OP Helsinki", -550, "TILIOTE 3/2024"),
        (40, "FI21 1234 5600 0007 85", -550, "Kausi 04.03.2024 - 02.04.2024   EUR"),
        (40, "Kirjauspäivä", 110, "Arvopäivä", 170, "Saaja / Maksaja", -550, "Määrä"),
        (170, "ALKUSALDO", -550, f"{comma(held.opening)}+"),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d.%m.}",
            110,
            f"{row.day:%d.%m.}",
            170,
            row.text,
            -550,
            f"{comma(abs(row.amount))}{'-' if row.amount < 0 else '+'}",
        )
        sheet.line(170, "Arkistointitunnus 240304588799T01234")
    sheet.line(170, "LOPPUSALDO", -550, f"{comma(abs(held.closing))}{'-' if held.closing < 0 else '+'}")
    return paper("op in finnish", sheet, held, "EUR")


def migros(seed: int) -> Made:
    held = book("migros", seed, GERMAN)
    sheet = Sheet()
    sheet.lines(
        (40, "Migros Bank AG", -550, "Kontoauszug 04.03.2024 - 02.04.2024"),
        (40, "Privatkonto CHF   IBAN CH93 0076 2011 6238 5295 7"),
        (40, "Datum", 95, "Text", 300, "Valuta", -400, "Belastung", -475, "Gutschrift", -550, "Saldo CHF"),
        (40, "03.03.24", 95, "Saldovortrag", -550, swiss(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d.%m.%y}",
            95,
            row.text,
            300,
            f"{row.day:%d.%m.%y}",
            -400,
            out(row, swiss),
            -475,
            into(row, swiss),
            -550,
            swiss(row.balance),
        )
    sheet.lines(
        (95, "Umsatztotal", -400, swiss(held.paid_out), -475, swiss(held.paid_in)),
        (40, "02.04.24", 95, "Schlusssaldo", -550, swiss(held.closing)),
    )
    return paper("migros with totals", sheet, held, "CHF")
