"""Credit cards in Germany."""

from __future__ import annotations

from tests.statements.world.truth import Made

from .books import COMMA, GERMAN, draw, export, table


def dkb_card() -> Made:
    book = draw("dkb card", "de", month=3, is_card=True, count=12)
    lines: list[list[str]] = [
        ["Kreditkarte:", "4998********0412 Kreditkarte", ""],
        [],
        ["Von:", "01.03.2025", ""],
        ["Bis:", "31.03.2025", ""],
        ["Saldo:", f"{book.closing} EUR", ""],
        ["Datum:", "31.03.2025", ""],
        [],
        [
            "Umsatz abgerechnet und nicht im Saldo enthalten",
            "Wertstellung",
            "Belegdatum",
            "Beschreibung",
            "Betrag (EUR)",
            "Ursprünglicher Betrag",
            "",
        ],
    ]
    for place, row in enumerate(book.newest):
        foreign = f"{COMMA.signed(row.amount * 11 / 10)} USD" if place % 4 == 1 else ""
        days = [f"{row.day:%d.%m.%Y}", f"{book.before(row.day):%d.%m.%Y}"]
        lines.append(["Nein", *days, row.text, COMMA.signed(row.amount), foreign, ""])
    label = "DKB Visa, Germany: two dates, the original amount in dollars beside some (trap)"
    text = table(lines, sep=";", quote="all", end="\n")
    return export("4998________0412.csv", text, book.newest, "EUR", label, encoding="latin-1")


def barclays_card() -> Made:
    """Made in Excel of the bank's sheet: the card's rows below a preamble, euro signs after the amounts."""
    book = draw("barclays de", "de", month=9, is_card=True, count=12)
    header = "Referenznummer;Buchungsdatum;Buchungsdatum;Betrag;Beschreibung;Typ;Status;Kartennummer;Originalbetrag"
    lines: list[list[str]] = [
        ["Barclays Visa"],
        ["Stand", "01.10.2025"],
        [],
        header.replace("Buchungsdatum", "Kaufdatum", 1).split(";"),
    ]
    for row in book.newest:
        days = [f"{book.before(row.day):%d.%m.%Y}", f"{row.day:%d.%m.%Y}"]
        kind = "Gutschrift" if row.amount > 0 else "Kauf"
        money = f"{GERMAN.signed(row.amount)} €"
        lines.append([f'="{book.digits(20)}"', *days, money, row.text, kind, "Berechnet", "'0412", money])
    label = 'Barclays Visa, Germany: two dates, a reference in ="...", the amount again as original amount'
    text = table(lines, sep=";")
    return export("Umsätze.csv", text, book.newest, "EUR", label, encoding="cp1252")


def files() -> list[Made]:
    return [
        dkb_card(),
        barclays_card(),
    ]
