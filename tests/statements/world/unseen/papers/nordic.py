"""Statements of the Nordic countries."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import COMMA, SPACED, Figures, before, drawn, ledger, lines, made
from .kit import A4, Paper

TIGHT = Figures(" ", ".")

NORDEA = """
+2100 2600 PALKKA|TAMPEREEN SÄHKÖ OY
*-3 70 KORTTIOSTO|K-MARKET TAMMELA TAMPERE|{d} 4471******~~~~
*-2 20 KORTTIOSTO|R-KIOSKI TAMPERE|{d} 4471******~~~~
-700 700 TILISIIRTO|ASUNTO OY KOSKENRANTA|Viite ~~~~~ ~~~~~
-25 90 E-LASKU|ELISA OYJ|Viite ~~~~~~~~
*+10 120 MOBILEPAY|VIRTANEN AINO
-20 80 AUTOM.NOSTO|OTTO. TAMPERE KESKUSTORI
>-3 6 PALVELUMAKSU|
"""


def nordea(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 600, 2400),
        date(2025, 2, 3),
        date(2025, 2, 28),
        NORDEA,
        15,
        weekdays=True,
        inner="%d%m",
    )
    paper = Paper(A4, font="Courier", left=55)
    paper.size = 8.5
    paper.put(55, "Nordea", bold=True, size=16, font="Helvetica-Bold", ink="#0000A0")
    paper.put(330, "TILIOTE", bold=True, size=11)
    paper.block(545, 50, "Nro 2   Sivu 1\nKausi 01.02.2025 - 28.02.2025", "r")
    paper.y = 90
    paper.say("VIRTANEN EERO ILMARI\nTAMMELANKATU 8 B 14\n33500 TAMPERE")
    paper.block(330, 90, "Käyttötili (EUR)\nIBAN FI21 1439 3000 0447 11\nBIC NDEAFIHH")
    paper.y = 150
    grid = paper.grid("55 130 170 545r", ("Arvopäivä", "Saaja / Maksaja", "", "Määrä"), step=10.5)
    grid.head()
    grid.row("", "ALKUSALDO 31.01.2025", "", COMMA.trailing(book.opening, "-", "+"), bold=True)
    for row in book.shown:
        if book.first_of_day(row):
            paper.y += 3
            grid.room(4)
            paper.say(f"KIRJAUSPÄIVÄ {row.day:%d.%m.%y}", bold=True)
        text = [line for line in lines(row) if line]
        grid.row(
            f"{before(chance, row, 1):%d%m}",
            text[0],
            "",
            COMMA.trailing(row.amount, "-", "+"),
            lines=len(text),
        )
        for line in text[1:]:
            grid.row("", "", line)
    paper.y += 6
    grid.row("", "LOPPUSALDO 28.02.2025", "", COMMA.trailing(book.closing, "-", "+"), bold=True)
    ins = sum(row.amount > 0 for row in book.rows)
    grid.row("", f"Panot {ins} kpl", "", COMMA.trailing(book.ins, "-", "+"))
    grid.row("", f"Otot {len(book.rows) - ins} kpl", "", COMMA.trailing(book.outs))
    return made(
        "Tiliote_FI2114393000044711_2025-02.pdf",
        paper,
        "EUR",
        "Nordea, Finland: the booking day as a heading, value days as 0302 at each row, trailing signs",
        book,
    )


SEB = """
+29000 36000 LÖN
*-40 900 ICA KVANTUM /{d}
*-25 220 PRESSBYRÅN /{d}
*-50 600 SWISH TILL +4670~~~~~~~
-9400 9400 HYRA BRF TALLEN
-299 899 AUTOGIRO TELIA SVERIGE
*+100 900 SWISH FRÅN +4673~~~~~~~
-2000 6000 ÖVERFÖRING 5331 44 711 02
"""


def seb(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 6000, 30000),
        date(2025, 1, 2),
        date(2025, 1, 31),
        SEB,
        20,
        weekdays=True,
        inner="%y-%m-%d",
    )
    paper = Paper(A4, left=55)
    paper.put(55, "S|E|B", bold=True, size=18, ink="#41B02A")
    paper.put(540, "Kontoutdrag Privatkonto", "r", size=12, bold=True)
    paper.block(
        540, 68, "Kontonummer 5331 02 447 11\nPeriod 2025-01-01 - 2025-01-31\nSida 1 (1)", "r", size=8.5
    )
    paper.y = 120
    paper.say("Ebba Sjölander, Bondegatan 44, 116 33 Stockholm")
    paper.y += 16
    grid = paper.grid(
        "57 135 210 420r 535r",
        ("Bokföringsdag", "Valutadag", "Text / mottagare", "Insättning / uttag", "Saldo"),
        size=8.5,
        step=13,
        rule="#41B02A",
    )
    grid.head()
    grid.row("2025-01-01", "", "Ingående saldo", "", SPACED(book.opening), bold=True)
    for row in book.shown:
        grid.row(f"{row.day}", f"{row.day}", row.text, SPACED(row.amount), SPACED(row.balance))
    grid.row("2025-01-31", "", "Utgående saldo", "", SPACED(book.closing), bold=True)
    paper.y += 10
    paper.say(f"Summa insättningar {SPACED(book.ins)} SEK     Summa uttag {SPACED(book.outs)} SEK", size=8.5)
    paper.say(
        "Beviljad kredit 0,00 SEK.  Dispositionsrätt för Sjölander, E.  Inlåningsränta fr.o.m. 2025-01-01 "
        "0,00 %.",
        size=7.5,
    )
    return made(
        "Kontoutdrag_5331_0244711_2025-01.pdf",
        paper,
        "SEK",
        "SEB, Sweden: dated opening and closing balance rows, a card's day in the text",
        book,
    )


DNB = """
+31000 38000 Lønn|Fra: Bergen Skipsverft AS
*-45 800 Varekjøp Rema 1000 Danmarks|plass Dato {d} kl. 16.42
*-30 300 Visa 447110 {d} Nok Narvesen|Bergen
-11500 11500 Fast oppdrag Husleie|
-390 1300 Avtalegiro Bkk Strøm|
*-80 500 Vipps Sindre Aase|
*+50 700 Vipps Frå Ingrid Moe|
>-25 60 Omkostninger Bruk av kort|
"""


def dnb(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 4000, 20000),
        date(2024, 12, 2),
        date(2024, 12, 31),
        DNB,
        17,
        weekdays=True,
        inner="%d.%m",
    )
    paper = Paper(A4, left=50)
    paper.put(50, "DNB", bold=True, size=20, ink="#007272")
    paper.put(545, "Kontoutskrift nr. 12/2024", "r", size=11, bold=True)
    paper.block(
        545,
        70,
        "Kontonummer 1503.44.71109\nIBAN NO83 1503 4471 109\nPeriode 01.12.2024 - 31.12.2024",
        "r",
        size=8.5,
    )
    paper.y = 120
    paper.say("Ingrid Moe\nSteinkjellergaten 4\n5003 Bergen")
    paper.y += 20
    grid = paper.grid(
        "52 300 395r 475r 545r",
        ("Forklaring", "Rentedato", "Ut av konto", "Inn på konto", "Bokført"),
        size=8.5,
        step=11,
    )
    grid.head()
    grid.row("Saldo fra kontoutskrift 30.11.2024", "", "", TIGHT(book.opening), "", bold=True)
    for row in book.shown:
        text = [line for line in lines(row) if line]
        out, into = TIGHT.sides(row.amount)
        grid.row(text[0], f"{before(chance, row, 1):%d%m}", out, into, f"{row.day:%d%m}", lines=len(text))
        for line in text[1:]:
            grid.row(line)
    grid.row("Saldo i Deres favør 31.12.2024", "", "", TIGHT(book.closing), "", bold=True)
    paper.y += 14
    paper.title("Årsoppgave 2024 - opplysninger til skattemeldingen", "#007272")
    paper.pairs(
        ("Innskudd 31.12.2024", TIGHT(book.closing)),
        ("Renter av innskudd 2024", "41.00"),
        ("Betalte omkostninger 2024", "312.00"),
        x=54,
        to=300,
    )
    return made(
        "Kontoutskrift 2024-12 15034471109.pdf",
        paper,
        "NOK",
        "DNB, Norway: booking days as 0512 at the right edge, balances in the column of deposits, a "
        "yearly table",
        book,
    )


DANSKE = """
+21000 27000 Lønoverførsel
*-40 700 Dankort-køb Netto 4~~~
*-25 250 Visa køb 7-Eleven B~~~
*-60 500 MobilePay til Freja
-7200 7200 Husleje Boligforeningen AAB
-149 599 BS betaling Norlys Energi
*+50 600 MobilePay fra Mikkel
-1000 3000 Overført til opsparing
>-12 40 Gebyr
"""


def danske(chance: random.Random) -> Made:
    book = ledger(
        chance, drawn(chance, -4000, 9000), date(2025, 9, 1), date(2025, 9, 30), DANSKE, 20, weekdays=True
    )
    paper = Paper(A4, font="Times-Roman", left=60, flow="columns")
    paper.put(60, "Danske Bank", bold=True, size=18, ink="#003755")
    paper.block(
        535,
        48,
        "Kontoudskrift nr. 9\nDato 30.09.2025   Side 1 af 1\nDanske Konto 4180 4471 109\nIBAN DK66 3000 0004 "
        "4711 09",
        "r",
        size=9,
    )
    paper.y = 120
    paper.say("Mads Holm Østergaard\nJagtvej 118\n2200 København N")
    paper.y += 22
    grid = paper.grid(
        "62 115 330 430r 533r", ("Dato", "Tekst", "Rentedato", "Beløb", "Saldo"), size=9, step=12.5
    )
    grid.head()
    grid.row("", "Saldo fra kontoudskrift nr. 8", "", "", COMMA.trailing(book.opening), bold=True)
    for row in book.shown:
        grid.row(
            f"{row.day:%d.%m}",
            row.text,
            f"{row.day:%d.%m}",
            COMMA.trailing(row.amount),
            COMMA.trailing(row.balance),
        )
    grid.row("", "Saldo 30.09.2025", "", "", COMMA.trailing(book.closing), bold=True)
    paper.y += 12
    rate = Decimal("13.75")
    paper.prose(
        f"Kontoen har en kassekredit på 15.000,00 kr. Debitorrente {COMMA(rate)} % p.a., kreditorrente 0,00 "
        "% p.a. Renter tilskrives 31.12.2025. "
        "Årlige omkostninger i procent (ÅOP) 14,5.",
        size=8,
    )
    return made(
        "Kontoudskrift_4180_4471109_20250930.pdf",
        paper,
        "DKK",
        "Danske Bank, Denmark: trailing minus on amounts and balances, interest days",
        book,
    )


PAPERS = (nordea, seb, dnb, danske)
