"""Statements of the Netherlands."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import COMMA, drawn, ledger, lines, made
from .kit import A4, Paper

ICS = """
+{owed} {owed} GEINCASSEERD VORIG SALDO
*-5 70 ALBERT HEIJN 1~~~ UTRECHT NLD
*-9 60 BOL.COM B.V. UTRECHT NLD
-30 150 AMTRAK.COM WASHINGTON USA|USD|1,05210
-20 80 NATIONAL THEATRE LONDON GBR|GBP|0,82490
+15 60 ZALANDO SE BERLIN DEU
"""
DUTCH = ("jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec")


def ics(chance: random.Random) -> Made:
    before_it = drawn(chance, 200, 700)
    deals = ICS.replace("{owed}", str(before_it))
    book = ledger(chance, -before_it, date(2024, 12, 19), date(2025, 1, 17), deals, 12)
    owed, new = -book.opening, -book.closing
    paper = Paper(A4, left=50)
    paper.put(50, "International Card Services BV", bold=True, size=12)
    paper.block(50, 70, "Postbus 23225\n1100 DS Diemen\nwww.icscards.nl   Telefoon 020 - 6 600 600", size=8)
    paper.y = 120
    paper.say("Dhr. J.W. van der Velde\nOudegracht 88\n3511 AV Utrecht")
    paper.y += 20
    paper.put(50, "Datum", bold=True, size=8)
    paper.put(150, "ICS-klantnummer", bold=True, size=8)
    paper.put(290, "Volgnummer", bold=True, size=8)
    paper.put(400, "Bladnummer", bold=True, size=8)
    paper.y += 11
    paper.put(50, "20 januari 2025", size=8)
    paper.put(150, "44719023771", size=8)
    paper.put(290, "1", size=8)
    paper.put(400, "1 van 1", size=8)
    paper.y += 22
    grid = paper.grid(
        "145r 250r 370r 545r",
        (
            "Vorig openstaand saldo",
            "Totaal ontvangen betalingen",
            "Totaal nieuwe uitgaven",
            "Nieuw openstaand saldo",
        ),
        size=7.5,
    )
    grid.head()
    grid.row(
        f"€ {COMMA(owed)}  Af",
        f"€ {COMMA(book.ins)}  Bij",
        f"€ {COMMA.bare(book.outs)}  Af",
        f"€ {COMMA(new)}  Af",
        size=8.5,
    )
    paper.y += 12
    grid = paper.grid(
        "52 100 150 400r 480r 520",
        (
            "Datum\ntransactie",
            "Datum\nboeking",
            "Omschrijving",
            "Bedrag in\nvreemde valuta",
            "Bedrag\nin euro's",
            "",
        ),
        size=8.5,
        step=12.5,
    )
    grid.head()
    paid = book.only("GEINC")
    for row in (*paid, *book.but("GEINC")):
        text, *abroad = lines(row)
        if row == book.but("GEINC")[0]:
            paper.y += 4
            paper.say("Uw Card met als laatste vier cijfers 7781", bold=True, size=8.5)
            paper.say("J.W. VAN DER VELDE", x=52, size=8.5)
            paper.y += 2
        posted = min(row.day + timedelta(days=1), date(2025, 1, 17))
        foreign = ""
        if abroad:
            foreign = (
                COMMA((-row.amount * Decimal(abroad[1].replace(",", "."))).quantize(Decimal("0.01")))
                + " "
                + abroad[0]
            )
        grid.row(
            _dutch(row.day),
            _dutch(posted),
            text,
            foreign,
            COMMA.bare(row.amount),
            "Bij" if row.amount > 0 else "Af",
            lines=2,
        )
        if abroad:
            grid.row("", "", f"Wisselkoers {abroad[0]}   {abroad[1]}", size=7.5)
    paper.y += 16
    paper.prose(
        f"Het nieuwe saldo van € {COMMA(new)} zal omstreeks 24 januari 2025 worden afgeschreven van uw "
        "rekening NL12ABNA0447190233. "
        "Dit product valt onder het depositogarantiestelsel. Bestedingslimiet € 2.500,00, minimaal te "
        "betalen bedrag € 62,50.",
        size=8,
    )
    return made(
        "Rekeningoverzicht-44719023771-2025-01.pdf",
        paper,
        "EUR",
        "ICS, Netherlands card: foreign amount column, Af and Bij, Dutch months over New Year",
        book,
        order=[*paid, *book.but("GEINC")],
    )


def _dutch(day: date) -> str:
    return f"{day:%d} {DUTCH[day.month - 1]}"


ABN = """
+1700 2200 SEPA Overboeking|IBAN: NL44RABO0~~~~~~~~~|BIC: RABONL2U|Naam: Gemeente Amersfoort|Omschrijving: SALARIS MRT
*-4 60 BEA, Apple Pay|Jumbo Amersfoort,PAS471|NR:5S~~~~, {d}/12.33|AMERSFOORT
*-8 45 SEPA iDEAL|IBAN: NL51DEUT0~~~~~~~~~|Naam: bol.com|Omschrijving: ~~~~~~~~~~
-840 840 SEPA Periodieke overb.|IBAN: NL02INGB0~~~~~~~~~|Naam: De Alliantie|Omschrijving: Huur
-20 70 SEPA Incasso algemeen doorlopend|Incassant: NL08ZZZ50~~~~~~~|Naam: Vitens NV|Machtiging: 00~~~~~
*+12 70 SEPA Overboeking|IBAN: NL90TRIO0~~~~~~~~~|Naam: M BAKKER|Omschrijving: Etentje
-3.60 3.60 ABN AMRO Bank N.V.|BASISPAKKET               3,60
"""


def abn_amro(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 300, 1500),
        date(2025, 3, 3),
        date(2025, 3, 31),
        ABN,
        13,
        weekdays=True,
        inner="%d.%m.%y",
    ).less(9)
    paper = Paper(A4, left=50, flow="words")

    def top() -> None:
        paper.y = 50
        paper.put(50, "ABN AMRO", bold=True, size=15, ink="#009286")
        paper.put(545, "Rekeningafschrift", "r", size=11)
        paper.y = 80
        grid = paper.grid(
            "50 230 330 420 500",
            ("Rekeningnummer", "Soort rekening", "Datum afschrift", "Volgnr. afschrift", "Blad"),
            size=7,
        )
        grid.head()
        grid.row(
            "NL18 ABNA 0571 4402 19", "PRIVEREKENING", "31-03-2025", "003", f"{paper.page + 1}/2", size=8
        )
        paper.y += 12

    top()
    paper.pairs(
        ("Vorig saldo", f"{COMMA(book.opening)}   +/CREDIT"),
        ("Nieuw saldo", f"{COMMA(book.closing)}   +/CREDIT"),
        ("Totaal afgeschreven", COMMA.bare(book.outs)),
        ("Totaal bijgeschreven", COMMA(book.ins)),
        x=50,
        to=300,
    )
    paper.y += 10
    grid = paper.grid(
        "52 120 440r 540r",
        ("Boekdatum\n(Rentedatum)", "Omschrijving", "Bedrag af\n(debet)", "Bedrag bij\n(credit)"),
        size=8.5,
        step=10.5,
        before=top,
        top=50,
    )
    grid.head()
    for row in book.shown:
        text = lines(row)
        out, into = COMMA.sides(row.amount)
        grid.row(f"{row.day:%d-%m}", text[0], out, into, lines=len(text))
        grid.row(f"({row.day:%d-%m})", text[1])
        for line in text[2:]:
            grid.row("", line)
        paper.y += 2
    return made(
        "mutov571440219_010325-310325.pdf",
        paper,
        "EUR",
        "ABN AMRO, Netherlands: interest day in brackets below, many lines a row; one row is missing",
        book,
    )


PAPERS = (ics, abn_amro)
