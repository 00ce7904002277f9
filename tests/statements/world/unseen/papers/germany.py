"""Statements of Germany."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import COMMA, drawn, ledger, lines, made
from .kit import A4, Paper

DEUTSCHE = """
+2400 2900 SEPA Überweisung von|Lindenhof Software GmbH|Verwendungszweck/Kundenreferenz|LOHN/GEHALT 04/25 PERS.NR. ~~~~~
*-8 70 SEPA Lastschrifteinzug von|REWE SAGT DANKE. 4~~~~~~~|Gläubiger-ID DE24ZZZ00000~~~~~~|Mand-ID ~~~~~~~~~~
*-12 64 Kartenzahlung|DB Vertrieb GmbH/Frankfurt|{d} 14:07 KFN 2 VJ 2712
-980 980 SEPA Dauerauftrag an|Hausverwaltung Brückner|Miete Whg. 12 inkl. NK
-18.36 18.36 SEPA Lastschrifteinzug von|Rundfunk ARD, ZDF, DRadio|055 ~~~~~~~~~ Beitrag 04-06.2025 EUR 55,08
*+25 140 SEPA Überweisung von|Anja Petersen|Urlaubskasse
>-8 14 Verwendungszweck/Kundenreferenz|Abschluss Entgelte Q1
"""


def deutsche_bank(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 900, 2800),
        date(2025, 4, 1),
        date(2025, 4, 30),
        DEUTSCHE,
        20,
        weekdays=True,
        inner="%d.%m.%Y",
    )
    paper = Paper(A4, left=55)

    def top() -> None:
        paper.y = 60
        paper.put(55, "Deutsche Bank", bold=True, size=15, ink="#0018A8")
        paper.put(540, f"Kontoauszug vom 01.04.2025 bis 30.04.2025    Seite {paper.page + 1}", "r", size=8)
        paper.y = 95

    top()
    paper.block(55, 95, "Deutsche Bank AG\nFiliale Hamburg-Eppendorf\nTelefon 069 910-10000", size=7.5)
    paper.y = 140
    paper.say("Herrn\nMalte Petersen\nGoernestraße 4\n20249 Hamburg")
    paper.y += 16
    grid = paper.grid(
        "55 170 300 415 540r", ("Auszug", "Seite von", "IBAN", "", "Alter Saldo per 31.03.2025"), size=8
    )
    grid.head()
    grid.row("4", "1 von 2", "DE47 2007 0024 0388 1140 00", "EUR", COMMA.signed(book.opening))
    paper.y += 10
    grid = paper.grid(
        "55 105 155 450r 540r",
        ("Buchung", "Valuta", "Vorgang", "Soll", "Haben"),
        size=8.5,
        step=10.5,
        top=95,
        before=top,
    )
    grid.head()
    for row in book.shown:
        out, into = COMMA.sides(row.amount)
        text = lines(row)
        value = row.day + timedelta(days=1 if row.amount < 0 and chance.random() < 0.2 else 0)
        grid.row(
            f"{row.day:%d.%m.}",
            f"{value:%d.%m.}",
            text[0],
            "- " + out if out else "",
            "+ " + into if into else "",
            lines=len(text),
        )
        grid.row(f"{row.day:%Y}", f"{value:%Y}", text[1])
        for line in text[2:]:
            grid.row("", "", line)
        paper.y += 3
    paper.rule()
    paper.y += 14
    paper.room(90, top=95)
    grid = paper.grid(
        "55 170 300 415 540r",
        ("Filialnummer", "Kontonummer", "Eingeräumte Kontoüberziehung", "", "Neuer Saldo per 30.04.2025"),
        size=8,
    )
    grid.head()
    grid.row("200", "0388114 00", "EUR 2.500,00", "EUR", COMMA.signed(book.closing))
    paper.y += 14
    paper.say("Wichtige Hinweise", bold=True)
    paper.prose(
        "Bitte erheben Sie Einwendungen gegen einzelne Buchungen unverzüglich. Schecks, Wechsel und sonstige "
        "Lastschriften schreiben "
        "wir unter dem Vorbehalt des Eingangs gut. Der angegebene Kontostand berücksichtigt nicht die "
        "Wertstellung der Buchungen."
    )
    return made(
        "Kontoauszug_2007_0388114_00_2025-04-30.pdf",
        paper,
        "EUR",
        "Deutsche Bank, Germany: the year on the line below day and month, several lines a row",
        book,
    )


SPARKASSE = """
+1900 2300 LOHN GEHALT|Stadtwerke Göttingen AG|GEHALT 12/24
*-6 80 KARTENZAHLUNG|EDEKA BRAUN//GOETTINGEN/DE|{d}T17:42 Debitk.1 2027-12
*-20 100 BARGELDAUSZAHLUNG|GA NR00004~~~ BLZ26050001|{d}/10:21UHR Innenstadt
-39 60 FOLGELASTSCHRIFT|Telekom Deutschland GmbH|Festnetz Vertragskonto 58~~~~~~~~
-640 640 DAUERAUFTRAG|Familie Ohlendorf Miete|
*+20 200 GUTSCHR. UEBERWEISUNG|Birte Ohlendorf|danke
-5 8 ENTGELTABSCHLUSS|Anlage|
"""


def sparkasse(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, -300, 900),
        date(2024, 12, 16),
        date(2025, 1, 15),
        SPARKASSE,
        11,
        weekdays=True,
        inner="%Y-%m-%d",
    )
    paper = Paper(A4, font="Courier", left=60)
    paper.size = 8.5
    paper.put(60, "Sparkasse Göttingen", bold=True, size=14, font="Helvetica-Bold", ink="#EE0000")
    paper.block(540, 50, "Kontoauszug 1/2025\nSeite 1 von 1", "r")
    paper.y = 100
    paper.say("Frau\nWiebke Schomburg\nReinhäuser Landstr. 77\n37083 Göttingen")
    paper.y += 20
    paper.say("Kontoauszug 1/2025      Girokonto 140447281, DE83 2605 0001 0140 4472 81", bold=True)
    paper.y += 8
    grid = paper.grid(
        "62 130 440r 540r", ("Datum", "Erläuterung", "Betrag Soll EUR", "Betrag Haben EUR"), step=11
    )
    grid.head()
    grid.row(
        "", "Kontostand am 15.12.2024, Auszug Nr. 12", "", COMMA.signed(book.opening), bold=True, step=16
    )
    for row in book.shown:
        text = [line for line in lines(row) if line]
        out, into = COMMA.sides(row.amount)
        grid.row(f"{row.day:%d.%m.%Y}", text[0], "-" + out if out else "", into, lines=len(text))
        for line in text[1:]:
            grid.row("", line)
        paper.y += 3
    paper.y += 4
    grid.row("", "Kontostand am 15.01.2025 um 20:04 Uhr", "", COMMA.signed(book.closing), bold=True, step=16)
    paper.say("Ihr Dispositionskredit beträgt 1.500,00 EUR, Zinssatz 11,27%.", size=7.5)
    return made(
        "Konto_0140447281-Auszug_2025_0001.PDF",
        paper,
        "EUR",
        "Sparkasse, Germany: ISO days inside the text, over New Year, an account that may be below zero",
        book,
    )


DKB = """
+300 900 Einzahlung
*-5 60 ALDI SUED BONN
*-9 48 DEUTSCHE BAHN BERLIN
-30 120 SBB MOBILE BERN|CHF|0,9412
-40 160 ZARA 8821 KRAKOW|PLN|4,2577
+20 60 OTTO PAYMENTS HAMBURG
-12 30 AIRALO SINGAPORE|USD|1,0824
"""


def dkb_visa(chance: random.Random) -> Made:
    book = ledger(chance, -drawn(chance, 300, 800), date(2025, 2, 22), date(2025, 3, 21), DKB, 14)
    paper = Paper(A4, left=50, flow="columns")
    paper.put(50, "DKB", bold=True, size=22, ink="#148DEA")
    paper.block(
        545,
        50,
        "Ihre Abrechnung vom 21.02.2025 bis 21.03.2025\nAbrechnungsdatum 21.03.2025\nDKB-VISA-Card 4998 **** "
        "**** 6120",
        "r",
        size=8.5,
    )
    paper.y = 110
    paper.say("Herrn Konstantin Abele\nKaiserstraße 19, 53113 Bonn")
    paper.y += 20
    grid = paper.grid(
        "52 98 144 300 405r 455r 540r",
        (
            "Datum\nBeleg",
            "Datum\nBuchung",
            "Angabe des Unternehmens /\nVerwendungszweck",
            "Währung",
            "Betrag in\nFremdwährung",
            "Kurs",
            "Betrag in\nEUR",
        ),
        size=8,
        step=12.5,
    )
    grid.head()
    grid.row("", "", "Saldo letzte Abrechnung", "", "", "", COMMA.bare(book.opening) + " -", bold=True)
    for row in book.shown:
        text, *abroad = lines(row)
        posted = min(row.day + timedelta(days=chance.randint(0, 2)), date(2025, 3, 21))
        coin, foreign, rate = "", "", ""
        if abroad:
            coin, rate = abroad
            foreign = COMMA((-row.amount * Decimal(rate.replace(",", "."))).quantize(Decimal("0.01")))
        grid.row(
            f"{row.day:%d.%m.%y}",
            f"{posted:%d.%m.%y}",
            text,
            coin,
            foreign,
            rate,
            COMMA.trailing(row.amount, " -", " +"),
        )
    paper.rule()
    paper.y += 12
    grid.row("", "", "Neuer Saldo", "", "", "", COMMA.bare(book.closing) + " -", bold=True)
    paper.y += 12
    paper.say(
        f"Der Saldo in Höhe von {COMMA.bare(book.closing)} EUR wird am 28.03.2025 von Ihrem Konto DE32 1203 "
        "0000 1044 8817 20 eingezogen.",
        size=8.5,
    )
    paper.say(
        "Verfügungsrahmen: 2.500,00 EUR     Sollzinssatz 9,43%     Guthabenzinssatz bis 100.000,00 EUR 0,00%",
        size=8,
    )
    return made(
        "Kreditkartenabrechnung_4998xxxxxxxx6120_per_2025_03_21.pdf",
        paper,
        "EUR",
        "DKB Visa, Germany card: the foreign amount stands "
        "beside the euros billed, trailing signs, direct debit on a later day",
        book,
    )


PAPERS = (deutsche_bank, sparkasse, dkb_visa)
