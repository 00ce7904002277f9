"""Banks and cards in Austria and Switzerland."""

from __future__ import annotations

from decimal import Decimal

from tests.statements.world.truth import Made

from .books import COMMA, GERMAN, PLAIN, SWISS, draw, export, table


def erste() -> Made:
    book = draw("erste", "at", month=1, count=12)
    header = (
        "Buchungsdatum,Partnername,Partner IBAN,BIC/SWIFT,Partner Kontonummer,Bankleitzahl,Betrag,Währung,"
        "Buchungs-Info,Zahlungsreferenz,Valutadatum"
    )
    lines = [header.split(",")]
    for row in book.newest:
        day = f"{row.day:%d.%m.%Y}"
        lines.append(
            [
                day,
                row.text,
                "AT611904300234573201",
                "GIBAATWWXXX",
                "",
                "",
                GERMAN.signed(row.amount),
                "EUR",
                f"{row.text}, Rechnung",
                book.digits(12),
                day,
            ]
        )
    label = "Erste Bank (George), Austria: UTF-16, decimal commas within commas"
    text = table(lines, quote="all", end="\n")
    return export(
        "AT612011100060412345_2025-01-01_2025-01-31.csv", text, book.newest, "EUR", label, encoding="utf-16"
    )


def raiffeisen() -> Made:
    book = draw("raiffeisen at", "at", month=2, count=12)
    lines = []
    for row in book.rows:
        day = f"{row.day:%d.%m.%Y}"
        stamp = f"{day} {book.clock(row)}:{book.digits(3)}"
        lines.append([day, row.text, day, COMMA.signed(row.amount), "EUR", stamp])
    label = "Raiffeisen ELBA, Austria: no header, a time stamp with milliseconds last"
    text = table(lines, sep=";", quote="needed")
    name = "meinElba_umsaetze_AT483200000012345864.csv"
    return export(name, text, book.rows, "EUR", label, encoding="utf-8-sig")


def bank_austria() -> Made:
    book = draw("bank austria", "at", month=3, count=12)
    header = (
        "Buchungsdatum;Valutadatum;Buchungstext;Interne Notiz;Währung;Betrag;Belegdaten;Belegnummer;"
        "Auftraggebername;Auftraggeberkonto;Empfängername;Empfängerkonto;Zahlungsgrund"
    )
    lines = [header.split(";")]
    for row in book.newest:
        day = f"{row.day:%d.%m.%Y}"
        lines.append(
            [
                day,
                day,
                row.text,
                "",
                "EUR",
                GERMAN.signed(row.amount),
                "",
                book.digits(9),
                "Alex Morgan",
                "AT12 1200 0100 0412 3456",
                row.text,
                "",
                "",
            ]
        )
    label = "Bank Austria: thousands by dots, latin-1"
    text = table(lines, sep=";", end="\n")
    return export("Umsatzliste_AT121200.csv", text, book.newest, "EUR", label, encoding="latin-1")


def ubs() -> Made:
    book = draw("ubs", "ch", month=4, count=13)
    header = (
        "Abschlussdatum;Abschlusszeit;Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;"
        "Transaktions-Nr.;Beschreibung1;Beschreibung2;Beschreibung3;Fussnoten;"
    )
    lines = [
        "Kontonummer:;0234 00412345.40;",
        "IBAN:;CH93 0023 4234 0041 2345 40;",
        f"Von:;{book.first};",
        f"Bis:;{book.last};",
        f"Anfangssaldo:;{book.opening};",
        f"Schlusssaldo:;{book.closing};",
        "Bewertet in:;CHF;",
        f"Anzahl Transaktionen in diesem Zeitraum:;{len(book.rows)};",
        "",
        header,
    ]
    for row in book.newest:
        paid = str(row.amount) if row.amount < 0 else ""
        lines.append(
            f"{row.day};{book.clock(row)};{row.day};{row.day};CHF;{paid};{PLAIN.came(row.amount)};;{row.balance};"
            f'{book.digits(14)};"{row.text};8004 Zürich";"Debitkarte";"Kartennummer: 412-3";;'
        )
    book = book.told(lambda row: f"{row.text};8004 Zürich")
    label = "UBS account, Switzerland: both balances above, negative Belastung, separators within quotes"
    text = "\r\n".join(lines) + "\r\n"
    return export("transactions (5).csv", text, book.newest, "CHF", label, encoding="utf-8-sig", both=True)


def ubs_card() -> Made:
    """The total below is of the bookings shown; Betrag is what the shop charged in its own currency."""
    book = draw("ubs card", "ch", month=5, is_card=True, count=13)
    header = (
        "Kontonummer;Kartennummer;Konto-/Karteninhaber;Einkaufsdatum;Buchungstext;Branche;Betrag;"
        "Originalwährung;Kurs;Währung;Belastung;Gutschrift;Buchung"
    )
    lines = [header.split(";")]
    for place, row in enumerate(book.newest):
        foreign = place % 3 == 1
        original = PLAIN.size(row.amount * 104 / 100 if foreign else row.amount)
        currency = ["EUR", "0.9615"] if foreign else ["CHF", ""]
        days = [f"{book.before(row.day):%d.%m.%Y}", f"{row.day:%d.%m.%Y}"]
        lines.append(
            [
                "6041 2345 0412",
                "4147 09XX XXXX 0412",
                "ALEX MORGAN",
                days[0],
                row.text,
                "Detailhandel",
                original,
                *currency,
                "CHF",
                PLAIN.out(row.amount),
                PLAIN.came(row.amount),
                days[1],
            ]
        )
    paid, came = PLAIN.size(book.paid), PLAIN.size(book.received)
    lines += [
        [],
        [*[""] * 4, "Total Kartenbuchungen", "", "", "", "", "CHF", paid, came, ""],
        [*[""] * 4, "Total pro Währung", "", "", "", "", "CHF", paid, came, ""],
    ]
    label = "UBS card, Switzerland: sep=; first, two dates, the shop's amount before the billed one, totals (trap)"
    text = "sep=;\r\n" + table(lines, sep=";")
    return export("invoice.csv", text, book.newest, "CHF", label, encoding="cp1252")


def postfinance() -> Made:
    book = draw("postfinance", "ch", month=6, count=12)
    lines = [
        'Datum von:;="01.06.2025"',
        'Datum bis:;="30.06.2025"',
        'Buchungsart:;="Alle Buchungen"',
        'Konto:;="CH0909000000604123459"',
        'Währung:;="CHF"',
        "",
        "Datum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;Kategorie",
        "",
    ]
    for row in book.newest:
        kind = "Gutschrift" if row.amount > 0 else "Lastschrift"
        paid = str(row.amount) if row.amount < 0 else ""
        lines.append(f'{row.day:%d.%m.%Y};{kind};"{row.text}";{PLAIN.came(row.amount)};{paid};;Übriges')
    lines += [
        "",
        "Disclaimer:",
        "Der Dokumentinhalt wurde durch Filtereinstellungen der Kundinnen und Kunden generiert.",
    ]
    label = 'PostFinance, Switzerland: ="..." in the preamble, credit before debit, a disclaimer last'
    text = "\n".join(lines) + "\n"
    name = "export_Transaktionen_20250701.csv"
    return export(name, text, book.newest, "CHF", label, encoding="utf-8-sig")


def zkb() -> Made:
    """A collective order is one booking; what it consists of follows in rows without day."""
    book = draw("zkb", "ch", month=7, count=12)
    header = "Datum;Buchungstext;Whg;Betrag Detail;ZKB-Referenz;Referenznummer;Belastung CHF;Gutschrift CHF;Valuta;Saldo CHF"
    lines = [header.split(";")]
    parted = {place for place, row in enumerate(book.newest) if row.amount < 0 and place % 4 == 0}
    book = book.told(
        lambda row: (
            f"Belastungen eBanking (2): {row.text}"
            if row.amount < 0 and book.newest.index(row) in parted
            else row.text
        )
    )
    for place, row in enumerate(book.newest):
        day = f"{row.day:%d.%m.%Y}"
        money = [PLAIN.out(row.amount), PLAIN.came(row.amount), day, PLAIN.signed(row.balance)]
        lines.append([day, row.text, "", "", "Z" + book.digits(11), "", *money])
        if place in parted:
            part = (abs(row.amount) / 3).quantize(Decimal("0.01"))
            for text, amount in (("Serafe AG", part), ("Stadt Zürich Steuern", abs(row.amount) - part)):
                lines.append(["", text, "CHF", PLAIN.size(amount), "", "", "", "", "", ""])
    label = "ZKB, Switzerland: the parts of collective orders in rows without day (trap)"
    text = table(lines, sep=";", quote="all", end="\n")
    name = "Kontoauszug 2025-07.csv"
    return export(name, text, book.newest, "CHF", label, encoding="utf-8-sig", both=True)


def swisscard() -> Made:
    book = draw("swisscard", "ch", month=8, is_card=True, count=12)
    header = (
        "Transaktionsdatum,Beschreibung,Händler,Kartennummer,Währung,Betrag,Fremdwährung,Betrag in Fremdwährung,"
        "Debit/Kredit,Status,Händlerkategorie,Registrierte Kategorie"
    )
    lines = [header.split(",")]
    lines.append(
        [
            "31.08.2025",
            "APPLE STORE",
            "Apple",
            "XXXXXXXXXX0412",
            "CHF",
            "1249.00",
            "",
            "",
            "Belastung",
            "Reserviert",
            "",
            "",
        ]
    )
    for row in book.newest:
        way = "Gutschrift" if row.amount > 0 else "Belastung"
        lines.append(
            [
                f"{row.day:%d.%m.%Y}",
                row.text,
                row.text.title(),
                "XXXXXXXXXX0412",
                "CHF",
                PLAIN.signed(-row.amount),
                "",
                "",
                way,
                "Gebucht",
                "Einkaufen",
                "SHOPPING",
            ]
        )
    label = "Swisscard Amex, Switzerland: purchases positive, credits negative, a reserved row (trap)"
    return export("transactions-2025-09-01.csv", table(lines, end="\n"), book.newest, "CHF", label)


def raiffeisen_ch() -> Made:
    book = draw("raiffeisen ch", "ch", month=9, count=12)
    lines = [["IBAN", "Booked At", "Text", "Credit/Debit Amount", "Balance", "Valuta Date"]]
    for row in book.rows:
        day = f"{row.day} 00:00:00.0"
        money = [SWISS.signed(row.amount), SWISS.signed(row.balance)]
        lines.append(["CH4880808001234560412", day, row.text, *money, day])
    label = "Raiffeisen, Switzerland: thousands by apostrophes, days with empty times"
    text = table(lines, sep=";")
    name = "CH4880808001234560412_2025-09.csv"
    return export(name, text, book.rows, "CHF", label, encoding="cp1252", both=True)


def files() -> list[Made]:
    return [
        erste(),
        raiffeisen(),
        bank_austria(),
        ubs(),
        ubs_card(),
        postfinance(),
        zkb(),
        swisscard(),
        raiffeisen_ch(),
    ]
