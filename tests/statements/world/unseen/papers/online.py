"""Banks that are an app."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import COMMA, POINT, Figures, before, drawn, ledger, lines, made
from .kit import A4, Paper

EURO = Figures(symbol="€")

REVOLUT = """
+1400 1900 Transfer from LUMEN STUDIO UAB|From: LUMEN STUDIO UAB, LT12 3250 0~~~ ~~~~|Reference: Alga
*-3 60 Maxima|To: Maxima X~~~, Vilnius|Card: 535456******4471
*-4 40 Bolt|To: Bolt, Tallinn|Card: 535456******4471
-20 140 Uniqlo|Revolut Rate $1.00 = €0.92 (ECB rate* $1.00 = €0.92)|To: Uniqlo, New York|Card: 535456******4471
*-10 90 To Rasa Petrauskaite|Reference: Sent from Revolut
+20 120 Top-up by *8812|From: *8812
-3 4 Premium plan fee|
"""


def revolut(chance: random.Random) -> Made:
    book = ledger(chance, drawn(chance, 200, 900), date(2025, 3, 1), date(2025, 3, 31), REVOLUT, 16)
    paper = Paper(A4, font="Vera", left=45)
    paper.size = 7.5
    paper.put(45, "EUR Statement", bold=True, size=17)
    paper.put(550, "Revolut", "r", bold=True, size=15)
    paper.put(550, "Generated on the Apr 2, 2025   Revolut Bank UAB", "r", y=64, size=7)
    paper.y = 95
    paper.say(
        "JONAS KAZLAUSKAS\nGedimino pr. 44-7, 01110 Vilnius, LT\nIBAN LT44 3250 0447 1109 3321   BIC REVOLT21"
    )
    paper.y += 14
    paper.say("Balance summary", bold=True, size=11)
    paper.y += 6
    grid = paper.grid(
        "47 250r 340r 430r 545r",
        ("Product", "Opening balance", "Money out", "Money in", "Closing balance"),
        step=14,
    )
    grid.head()
    numbers = (EURO(book.opening), EURO.bare(book.outs), EURO(book.ins), EURO(book.closing))
    grid.row("Account (Current Account)", *numbers)
    grid.row("Total", *numbers, bold=True)
    paper.prose(
        "The balance on your statement might differ from the balance shown in your app. The statement "
        "balance only reflects completed transactions, "
        "while the app shows the balance available for use, which accounts for pending transactions.",
        size=6.5,
    )
    heads = ("Date", "Description", "Money out", "Money in", "Balance")
    columns = "47 125 380r 450r 545r"
    paper.y += 14
    paper.say("Pending from March 1, 2025 to March 31, 2025", bold=True, size=11)
    paper.y += 6
    grid = paper.grid("47 125 380r 450r", ("Start date", "Description", "Money out", "Money in"), step=11)
    grid.head()
    for shop, money in (("Wizz Air", "€74.98"), ("Barbora", "€41.07")):
        grid.row("Mar 31, 2025", shop, money)
        grid.row("", f"To: {shop}, Card: 535456******4471", size=6.5)
    paper.y += 12
    paper.say("Account transactions from March 1, 2025 to March 31, 2025", bold=True, size=11)
    paper.y += 6
    grid = paper.grid(columns, heads, step=10)
    grid.head()
    for row in book.shown:
        text = [line for line in lines(row) if line]
        out, into = ("", EURO(row.amount)) if row.amount > 0 else (EURO.bare(row.amount), "")
        grid.row(
            f"{row.day:%b} {row.day.day}, {row.day:%Y}",
            text[0],
            out,
            into,
            EURO(row.balance),
            lines=len(text),
        )
        for line in text[1:]:
            grid.row(
                "",
                line,
                "$" + POINT((-row.amount / Decimal("0.92")).quantize(Decimal("0.01")))
                if line.startswith("Revolut Rate")
                else "",
                size=6.5,
            )
        paper.y += 3
    paper.room(90)
    paper.y += 10
    paper.say("Reverted from March 1, 2025 to March 31, 2025", bold=True, size=11)
    paper.y += 6
    grid = paper.grid("47 125 380r 450r", ("Start date", "Description", "Money out", "Money in"), step=11)
    grid.head()
    grid.row("Mar 9, 2025", "Booking.com", "€212.40")
    grid.row("", "To: Booking.com, Amsterdam, Card: 535456******4471", size=6.5)
    paper.foot = lambda page, pages: paper.put(
        550, f"© 2025 Revolut Bank UAB     Page {page} of {pages}", "r", y=822, size=6.5
    )
    return made(
        "account-statement_2025-03-01_2025-03-31_en_1f4471.pdf",
        paper,
        "EUR",
        "Revolut, Lithuania: pending rows before and reverted rows after those that count, dollars below",
        book,
    )


WISE = """
*-8 120 Card transaction of {a} GBP issued by Pret A Manger London
*-15 300 Sent money to Agnieszka Nowak
+900 2400 Received money from Delphi LLC with reference INV-44~~
-200 900 Converted {a} GBP to {e} EUR
-2 5 Wise Charges for: TRANSFER-144711~~~~
+40 200 Received money from Owen Pritchard with reference hotel
"""


def wise(chance: random.Random) -> Made:
    book = ledger(chance, drawn(chance, 800, 2000), date(2024, 12, 1), date(2025, 1, 31), WISE, 14)
    filled = []
    for row in book.rows:
        euros = POINT((-row.amount * Decimal("1.1964")).quantize(Decimal("0.01")))
        filled.append(
            type(row)(
                row.day,
                row.text.replace("{a}", POINT.bare(row.amount)).replace("{e}", euros),
                row.amount,
                row.balance,
            )
        )
    book = type(book)(book.opening, tuple(filled))
    paper = Paper(A4, left=50)
    paper.put(50, "wise", bold=True, size=22, ink="#163300")
    paper.put(545, "GBP statement", "r", bold=True, size=14)
    paper.put(545, "1 December 2024 [GMT] - 31 January 2025 [GMT]", "r", y=66)
    paper.put(545, "Generated on: 3 February 2025", "r", y=78, size=8)
    paper.y = 110
    paper.say("Account Holder\nOwen Pritchard\n44 Cathedral Rd, Cardiff CF11 9LL", size=9)
    paper.y += 14
    paper.put(50, "GBP on 31 January 2025", bold=True, size=11)
    paper.put(545, f"{POINT(book.closing)} GBP", "r", bold=True, size=11)
    paper.y += 22
    grid = paper.grid("52 370r 455r 543r", ("Description", "Incoming", "Outgoing", "Amount"), step=12)
    grid.head()
    for row in reversed(book.shown):
        into, out = (POINT(row.amount), "") if row.amount > 0 else ("", POINT(row.amount))
        grid.row(row.text, into, out, POINT(row.balance), lines=2)
        kind = {"C": "CARD", "S": "TRANSFER", "R": "TRANSFER", "W": "FEE"}.get(row.text[0], "BALANCE")
        grid.row(
            f"{row.day.day} {row.day:%B %Y}    Transaction: {kind}-144{chance.randint(10**6, 10**7)}",
            size=7.5,
        )
        paper.y += 5
    paper.y += 6
    paper.prose(
        "Wise Payments Limited is authorised by the Financial Conduct Authority under the Electronic Money "
        "Regulations 2011, firm reference 900507, for the "
        "issuing of electronic money. Need help? Visit wise.com/help. ref:bc4471f0-1109-3321"
    )
    return made(
        "statement_44711093_GBP_2024-12-01_2025-01-31.pdf",
        paper,
        "GBP",
        "Wise, UK: the day stands on the line below, newest first, the column Amount is the running balance",
        book,
        order=tuple(reversed(book.shown)),
        both_ends=False,
    )


N26 = """
+1900 2500 Kollwitz Verlag GmbH|Gutschriften|IBAN: DE12 1001 0010 0~~~ ~~~~ ~~|Gehalt Juni
*-4 70 REWE MARKT GMBH|Mastercard - Lebensmittel
*-3 30 BVG APP|Mastercard - Transport
-39 60 BEROLINA FITNESS|Lastschriften|IBAN: DE88 1207 0070 0~~~ ~~~~ ~~|Beitrag 06/2025
-880 880 Wohnbau Nord eG|Überweisungen|Miete Juni
-30 90 AIRBNB * HM4471|Mastercard - Reisen|Originalbetrag 61,20 USD, Wechselkurs 1,0843
-100 100 Nach Hauptkonto Space Urlaub|
*+10 80 Lea Sander|Gutschriften|Pizza
"""


def n26(chance: random.Random) -> Made:
    book = ledger(
        chance, drawn(chance, 300, 1500), date(2025, 6, 2), date(2025, 6, 30), N26, 14, weekdays=True
    )
    paper = Paper(A4, left=55)
    paper.put(55, "Kontoauszug", bold=True, size=20)
    paper.put(540, "N26", "r", bold=True, size=18, ink="#36A18B")
    paper.y = 85
    paper.say("01.06.2025 bis 30.06.2025", size=10)
    paper.say(
        "Jannik Sander\nSchönhauser Allee 44, 10435 Berlin\nIBAN: DE44 1001 1001 2447 1109 33   BIC: "
        "NTSBDEB1XXX",
        size=8.5,
    )
    paper.y += 14
    grid = paper.grid("57 370 540r", ("Beschreibung", "Verbuchungsdatum", "Betrag"), step=11.5)
    grid.head()
    for row in book.shown:
        text = [line for line in lines(row) if line]
        grid.row(
            text[0], f"{row.day:%d.%m.%Y}", COMMA.signed(row.amount) + "€", lines=len(text) + 1, step=11.5
        )
        for line in text[1:]:
            grid.row(line, size=7.5, step=10)
        grid.row(f"Wertstellung {before(chance, row, 2):%d.%m.%Y}", size=7.5)
        paper.y += 5
    paper.turn(60)
    paper.say("Zusammenfassung", bold=True, size=14)
    paper.y += 8
    paper.pairs(
        ("Dein alter Kontostand", COMMA.signed(book.opening) + "€"),
        ("Ausgehende Transaktionen", COMMA(book.outs) + "€"),
        ("Eingehende Transaktionen", COMMA.signed(book.ins) + "€"),
        ("*Dein neuer Kontostand", COMMA.signed(book.closing) + "€"),
        x=57,
        to=540,
        step=18,
    )
    paper.y += 20
    paper.say("Zusammenfassung: Space Urlaub", bold=True, size=14)
    paper.y += 8
    paper.pairs(
        ("Alter Kontostand", "+410,00€"),
        ("Eingehende Transaktionen", "+100,00€"),
        ("Neuer Kontostand", "+510,00€"),
        x=57,
        to=540,
        step=18,
    )
    paper.y += 14
    paper.say("Anmerkung", bold=True)
    paper.prose(
        "Bitte prüfe deinen Kontoauszug. Das Guthaben ist nach Maßgabe des Einlagensicherungsgesetzes "
        "entschädigungsfähig. "
        "Ausstehende Transaktionen sind nicht Teil dieses Auszugs."
    )

    def foot(page: int, pages: int) -> None:
        paper.put(540, f"{page} / {pages}", "r", y=820, size=7)
        paper.put(57, "Erstellt am 01.07.2025     N26 Bank SE", y=820, size=7)

    paper.foot = foot
    return made(
        "statement-2025-06.pdf",
        paper,
        "EUR",
        "N26, Germany: the day right of the text, value days on lines below, balances only at the end, a "
        "second little account's summary",
        book,
    )


PAPERS = (revolut, wise, n26)
