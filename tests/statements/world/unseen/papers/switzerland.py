"""Statements of Switzerland."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import SWISS, Figures, before, drawn, ledger, lines, made
from .kit import A4, Paper

GAPPED = Figures(" ", ".")
UBS_DEALS = """
+5200 6100 Rotach Ingenieure AG;8004 Zürich|Gutschrift|Transaktions-Nr. 99~~~~~TI~~~~~~~
*-6 90 Coop-~~~~ Zürich|Zahlung UBS Debitkarte|Karten-Nr. 00~~~~~~-0 ~~/27, Datum {d}
*-15 110 SBB Mobile|Zahlung UBS TWINT|Ref-Nr. QRR ~~~~~~~~~~
-1840 1840 Wincasa AG;8400 Winterthur|Dauerauftrag|Miete Objekt 114.02
-280 520 Helsana Versicherungen AG|e-banking-Auftrag|QR-Rechnung
*+30 180 Keller, Nadja|Gutschrift UBS TWINT|
-100 300 Bezug Bancomat|UBS Zürich Paradeplatz|
>-3 8 Saldo Dienstleistungspreisabschluss|Abrechnung|
"""


def ubs(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 4000, 9000),
        date(2025, 6, 2),
        date(2025, 6, 30),
        UBS_DEALS,
        19,
        weekdays=True,
        inner="%d.%m.%Y",
    )
    paper = Paper(A4, left=50)
    paper.put(50, "UBS", bold=True, size=22, ink="#E60000")
    paper.put(545, "Kontoauszug UBS Privatkonto", "r", bold=True, size=12)
    paper.block(
        545,
        72,
        "1. Juni 2025 - 30. Juni 2025\nErstellt am 1. Juli 2025\nIBAN CH54 0023 0230 4417 0901 K\n"
        "Kontowährung CHF",
        "r",
        size=8,
    )
    paper.block(50, 100, "UBS Switzerland AG\nPostfach\n8098 Zürich", size=8)
    paper.y = 160
    paper.say("Frau Nadja Keller, Weststrasse 118, 8003 Zürich")
    paper.y += 16
    heads = ("Datum", "Informationen", "Belastungen", "Gutschriften", "Valuta", "Saldo")
    grid = paper.grid("52 105 345r 415r 430 545r", heads, size=8, step=10.5, top=90)
    grid.head()
    grid.row("30.06.2025", "Schlusssaldo", "", "", "", SWISS(book.closing), bold=True)
    grid.row("", "Umsatztotal", SWISS.bare(book.outs), SWISS(book.ins), "", "", bold=True)
    for row in reversed(book.shown):
        text = [line for line in lines(row) if line]
        out, into = SWISS.sides(row.amount)
        grid.row(
            f"{row.day:%d.%m.%Y}",
            text[0],
            out,
            into,
            f"{before(chance, row, 1):%d.%m.%Y}",
            SWISS(row.balance),
            lines=len(text),
        )
        for line in text[1:]:
            grid.row("", line, size=7)
        paper.y += 3
    grid.row("01.06.2025", "Anfangssaldo", "", "", "", SWISS(book.opening), bold=True)
    paper.y += 10
    paper.prose(
        "Bitte prüfen Sie den Auszug. Ohne Ihren Gegenbericht innert 30 Tagen gilt er als genehmigt. "
        "Formular ohne Unterschrift."
    )
    paper.foot = lambda page, pages: paper.put(545, f"Seite {page}/{pages}", "r", y=820, size=7)
    return made(
        "UBS_Kontoauszug_2025-06.pdf",
        paper,
        "CHF",
        "UBS, Switzerland: newest first, dated closing balance on top, a row of totals, apostrophes",
        book,
        order=tuple(reversed(book.shown)),
    )


POST = """
+3900 4600 GUTSCHRIFT AUFTRAGGEBER: KANTON BERN|MITTEILUNGEN: LOHN
*-8 95 KAUF/DIENSTLEISTUNG VOM {d}|KARTEN NR. XXXX4471 MIGROS MM BERN
*-5 40 TWINT GELD SENDEN VOM {d}|AN MOBILE-NR. +4179XXXX~~~
-1490 1490 DAUERAUFTRAG: 90-11~~~-4|BELLEVUE IMMOBILIEN AG
-300 300 ÜBERTRAG AUF E-SPARKONTO|92-440117-3
-44 90 LASTSCHRIFT SWISSCOM (SCHWEIZ) AG|KUNDENNR 10~~~~~~
*+25 120 TWINT GELD EMPFANGEN VOM {d}|VON MOBILE-NR. +4176XXXX~~~
>-5 5 PREIS FÜR KONTOFÜHRUNG|
"""


def postfinance(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 1500, 4000),
        date(2025, 1, 1),
        date(2025, 1, 31),
        POST,
        15,
        weekdays=True,
        inner="%d.%m.%Y",
    )
    paper = Paper(A4, left=55)
    paper.band(30, 24, "#FFCC00", 55, 540)
    paper.put(62, "PostFinance", bold=True, size=13, y=47)
    paper.y = 90
    paper.block(
        540,
        90,
        "Kontoauszug 01.01.2025 - 31.01.2025\nDatum 31.01.2025     Seite 1/1\nPrivatkonto CHF\nIBAN CH81 "
        "0900 0000 3044 1172 6",
        "r",
        size=8.5,
    )
    paper.say("Herr Reto Aeschlimann\nLänggassstrasse 50\n3012 Bern")
    paper.y += 30
    grid = paper.grid(
        "57 105 352r 420r 435 540r",
        ("Datum", "Text", "Gutschrift", "Lastschrift", "Valuta", "Saldo"),
        size=8,
        step=10.5,
    )
    grid.head()
    grid.row("01.01.25", "Kontostand", "", "", "", GAPPED(book.opening), bold=True)
    for row in book.shown:
        text = [line for line in lines(row) if line]
        out, into = GAPPED.sides(row.amount)
        grid.row(
            f"{row.day:%d.%m.%y}" if book.first_of_day(row) else "",
            text[0],
            into,
            out,
            f"{row.day:%d.%m.%y}",
            GAPPED(row.balance) if book.last_of_day(row) else "",
            lines=len(text),
        )
        for line in text[1:]:
            grid.row("", line)
    paper.rule()
    paper.y += 12
    grid.row("", "Total", GAPPED(book.ins), GAPPED.bare(book.outs), bold=True)
    grid.row("31.01.25", "Kontostand", "", "", "", GAPPED(book.closing), bold=True)
    return made(
        "rep304411726-20250131.pdf",
        paper,
        "CHF",
        "PostFinance, Switzerland: credits before debits, spaces and a point in numbers",
        book,
    )


SWISSCARD = """
+800 1900 IHRE ZAHLUNG – BESTEN DANK
*-6 80 MIGROS M ZUERICH|Lebensmittel
*-9 60 SPRUENGLI CONFISERIE ZUERICH|Restaurant
-60 240 LUFTHANSA GROUP FRANKFURT|Reisen|EUR|0.9587
-30 90 WAITROSE LONDON|Lebensmittel|GBP|1.1422
-20 70 DIGITEC GALAXUS ZUERICH|Elektronik
"""


def swisscard(chance: random.Random) -> Made:
    book = ledger(chance, -drawn(chance, 900, 1700), date(2025, 8, 14), date(2025, 9, 12), SWISSCARD, 15)
    owed, new = -book.opening, -book.closing
    paper = Paper(A4, left=55)
    paper.put(55, "SWISSCARD", bold=True, size=16, ink="#6E1E3C")
    paper.block(
        540, 50, "Monatsrechnung\nRechnungsdatum 12.09.2025\nKontonummer 4471 2208 115", "r", size=8.5
    )
    paper.y = 100
    paper.say("Frau Dr. Leonie Baumgartner\nSeestrasse 201\n8810 Horgen")
    paper.y += 20
    paper.pairs(
        ("Saldovortrag letzte Rechnung", "CHF " + SWISS(owed)),
        ("Total Gutschriften", "CHF -" + SWISS(book.ins)),
        ("Total Belastungen", "CHF " + SWISS.bare(book.outs)),
        ("*Neuer Saldo zu unseren Gunsten", "CHF " + SWISS(new)),
        ("Mindestbetrag (zahlbar bis 07.10.2025)", "CHF 50.00"),
        x=55,
        to=360,
    )
    paper.y += 12
    grid = paper.grid(
        "57 115 172 340 400r 540r",
        ("Transaktion", "Verbucht", "Beschreibung", "Kategorie", "", "Betrag in CHF"),
        size=8,
    )
    grid.head()
    paid = book.only("IHRE")
    for row in paid:
        grid.row(f"{row.day:%d.%m.%Y}", f"{row.day:%d.%m.%Y}", row.text, "", "", "-" + SWISS(row.amount))
    paper.y += 6
    paper.say("Cashback World Mastercard  XXXX XXXX XXXX 3345    Leonie Baumgartner", bold=True)
    paper.y += 4
    for row in book.but("IHRE"):
        text, kind, *abroad = lines(row)
        posted = min(row.day + timedelta(days=chance.randint(0, 3)), date(2025, 9, 12))
        grid.row(
            f"{row.day:%d.%m.%Y}",
            f"{posted:%d.%m.%Y}",
            text,
            kind,
            "",
            SWISS.bare(row.amount),
            lines=3 if abroad else 1,
        )
        if abroad:
            net = (-row.amount / Decimal("1.025")).quantize(Decimal("0.01"))
            foreign = (net / Decimal(abroad[1])).quantize(Decimal("0.01"))
            grid.row(
                "",
                "",
                f"{abroad[0]} {foreign} zum Kurs {abroad[1]} vom {row.day:%d.%m.%Y} = CHF {net}",
                size=7,
                step=9.5,
            )
            grid.row("", "", f"Bearbeitungsgebühr 2.5%  CHF {-row.amount - net}", size=7)
    grid.row("", "", "Total Karte XXXX 3345", "", "", SWISS.bare(book.outs), bold=True)
    paper.y = max(paper.y, 640)
    paper.rule()
    paper.block(
        57,
        660,
        "Empfangsschein\nKonto / Zahlbar an\nCH96 3000 0001 8031 1044 2\nSwisscard AECS GmbH\n8810 Horgen",
        size=7,
    )
    paper.block(240, 660, f"Zahlteil\nWährung   Betrag\nCHF   {GAPPED(new)}", size=8)
    paper.block(
        400, 660, "Zusätzliche Informationen\nRechnung vom 12.09.2025\nZahlbar bis 07.10.2025", size=7
    )
    return made(
        "Swisscard_Rechnung_20250912.pdf",
        paper,
        "CHF",
        "Swisscard, Switzerland card: rate line with date and francs before the fee, QR payment slip",
        book,
        order=[*paid, *book.but("IHRE")],
    )


PAPERS = (ubs, postfinance, swisscard)
