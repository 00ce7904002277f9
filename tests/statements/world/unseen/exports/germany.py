"""Banks in Germany."""

from __future__ import annotations

from tests.statements.world.truth import Made

from .books import COMMA, GERMAN, draw, export, table


def sparkasse() -> Made:
    book = draw("sparkasse", "de", month=1)
    header = (
        "Auftragskonto;Buchungstag;Valutadatum;Buchungstext;Verwendungszweck;Glaeubiger ID;Mandatsreferenz;"
        "Kundenreferenz (End-to-End);Sammlerreferenz;Lastschrift Ursprungsbetrag;Auslagenersatz Ruecklastschrift;"
        "Beguenstigter/Zahlungspflichtiger;Kontonummer/IBAN;BIC (SWIFT-Code);Betrag;Waehrung;Info"
    )
    lines = [header.split(";")]
    pending = ["DE44500105175407324931", "31.01.25", "", "KARTENZAHLUNG", "2025-01-31 Debitk.01"] + [""] * 6
    lines.append([*pending, "TANKSTELLE JET", "", "", "-61,14", "EUR", "Umsatz vorgemerkt"])
    for row in book.newest:
        kind = "LOHN  GEHALT" if row.amount > 0 else "FOLGELASTSCHRIFT"
        day = f"{row.day:%d.%m.%y}"
        lines.append(
            [
                "DE44500105175407324931",
                day,
                day,
                kind,
                f"EREF+{book.digits(12)} SVWZ+Danke",
                "DE98ZZZ09999999999",
                book.letters(12),
                "NOTPROVIDED",
                "",
                "",
                "",
                row.text,
                "DE02120300000000202051",
                "BYLADEM1001",
                COMMA.signed(row.amount),
                "EUR",
                "Umsatz gebucht",
            ]
        )
    label = "Sparkasse, Germany: CAMT CSV, empty amount columns before the amount, a row only noted (trap)"
    text = table(lines, sep=";", quote="all")
    return export("20250201-5407324931-umsatz.CSV", text, book.newest, "EUR", label, encoding="cp1252")


def dkb() -> Made:
    book = draw("dkb", "de", month=2, count=12)
    header = (
        "Buchungsdatum;Wertstellung;Status;Zahlungspflichtige*r;Zahlungsempfänger*in;Verwendungszweck;Umsatztyp;"
        "IBAN;Betrag (€);Gläubiger-ID;Mandatsreferenz;Kundenreferenz"
    )
    lines: list[list[str]] = [
        ["Girokonto", "DE89120300001012345678"],
        ["Zeitraum:", "01.02.2025 - 28.02.2025"],
        ["Kontostand vom 28.02.2025:", f"{GERMAN.signed(book.closing)} €"],
        [""],
        header.split(";"),
    ]
    day = f"{book.last:%d.%m.%y}"
    lines.append(
        [
            day,
            "",
            "Vorgemerkt",
            "Morgan, Alex",
            "ROSSMANN 4412",
            "VISA Debitkartenumsatz",
            "Ausgang",
            "",
            "-12,85",
            "",
            "",
            "",
        ]
    )
    for row in book.newest:
        people = [row.text, "Morgan, Alex"] if row.amount > 0 else ["Morgan, Alex", row.text]
        day = f"{row.day:%d.%m.%y}"
        lines.append(
            [
                day,
                day,
                "Gebucht",
                *people,
                "Rechnung " + book.digits(6),
                "Eingang" if row.amount > 0 else "Ausgang",
                "DE02120300000000202051",
                GERMAN.signed(row.amount),
                "",
                "",
                "",
            ]
        )
    label = "DKB account, Germany: payer and payee columns, a row only noted (trap)"
    text = table(lines, sep=";", quote="all", end="\n")
    name = "28-02-2025_Umsatzliste_Girokonto_DE89120300001012345678.csv"
    return export(name, text, book.newest, "EUR", label, encoding="utf-8-sig")


def ing() -> Made:
    book = draw("ing de", "de", month=4)
    header = "Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung"
    lines: list[list[str]] = [
        ["Umsatzanzeige", "Datei erstellt am: 01.05.2025 09:12"],
        [],
        ["IBAN", "DE12 5001 0517 5407 3249 31"],
        ["Kontoname", "Girokonto"],
        ["Bank", "ING"],
        ["Kunde", "Alex Morgan"],
        ["Zeitraum", "01.04.2025 - 30.04.2025"],
        ["Saldo", GERMAN.signed(book.closing), "EUR"],
        [],
        ["Sortierung", "Datum absteigend"],
        [],
        [
            "In der CSV-Datei finden Sie alle bereits gebuchten Umsätze. "
            "Die vorgemerkten Umsätze werden nicht aufgenommen."
        ],
        [],
        header.split(";"),
    ]
    for row in book.newest:
        kind = "Gehalt/Rente" if row.amount > 0 else "Lastschrift"
        day = f"{row.day:%d.%m.%Y}"
        money = [GERMAN.signed(row.balance), "EUR", GERMAN.signed(row.amount), "EUR"]
        lines.append([day, day, row.text, kind, "NR " + book.digits(10), *money])
    label = "ING, Germany: the balance before the amount, two columns of one name"
    text = table(lines, sep=";", end="\n")
    name = "Umsatzanzeige_DE12500105175407324931_20250501.csv"
    return export(name, text, book.newest, "EUR", label, encoding="cp1252", both=True)


def comdirect() -> Made:
    book = draw("comdirect", "de", month=5, count=12)
    lines = [
        ";",
        '"Umsätze Girokonto";"Zeitraum: 01.05.2025 - 31.05.2025";',
        f'"Neuer Kontostand";"{GERMAN.signed(book.closing)} EUR";',
        "",
        '"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";',
        '"offen";"--";"Kartenverfügung";"Buchungstext: SHELL 4412 Ref. 7X1";"-48,12";',
    ]
    book = book.told(lambda row: f"Auftraggeber: {row.text} Buchungstext: {row.text}")
    for row in book.newest:
        kind = "Übertrag / Überweisung" if row.amount > 0 else "Lastschrift / Belastung"
        day = f"{row.day:%d.%m.%Y}"
        lines.append(f'"{day}";"{day}";"{kind}";"{row.text}";"{GERMAN.signed(row.amount)}";')
    lines += ["", f'"Alter Kontostand";"{GERMAN.signed(book.opening)} EUR";', ""]
    label = "comdirect, Germany: an open row without day, the old balance last (trap)"
    text = "\r\n".join(lines) + "\r\n"
    return export(
        "umsaetze_1234567_20250601-0912.csv", text, book.newest, "EUR", label, encoding="cp1252", both=True
    )


def deutsche_bank() -> Made:
    book = draw("deutsche bank", "de", month=6, count=12)
    header = (
        "Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN;BIC;Kundenreferenz;"
        "Mandatsreferenz;Gläubiger ID;Fremde Gebühren;Betrag;Abweichender Empfänger;Anzahl der Aufträge;"
        "Anzahl der Schecks;Soll;Haben;Währung"
    )
    lines: list[list[str]] = [
        ["Umsätze Girokonto", "", "", "Kundennummer: 412 1234567 00"],
        ["01.06.2025 - 30.06.2025"],
        ["Letzter Kontostand", "", "", "", GERMAN.signed(book.opening), "EUR"],
        ["Vorgemerkte und noch nicht gebuchte Umsätze sind nicht Bestandteil dieser Übersicht."],
        header.split(";"),
    ]
    for row in book.rows:
        kind = "SEPA-Gehaltszahlung" if row.amount > 0 else "SEPA-Lastschrifteinzug"
        day = f"{row.day:%d.%m.%Y}"
        money = ["-" + GERMAN.size(row.amount) if row.amount < 0 else "", GERMAN.came(row.amount), "EUR"]
        lines.append(
            [
                day,
                day,
                kind,
                row.text,
                "RNR " + book.digits(8),
                "DE02120300000000202051",
                "BYLADEM1001",
                "",
                book.letters(10),
                "",
                "",
                "",
                "",
                "",
                "",
                *money,
            ]
        )
    lines.append(["Kontostand", "30.06.2025", "", "", GERMAN.signed(book.closing), "EUR"])
    label = (
        "Deutsche Bank, Germany: an empty Betrag beside Soll and Haben, a balance row with a day last (trap)"
    )
    text = table(lines, sep=";", end="\n")
    name = "Kontoumsaetze_412_123456700_20250701_091204.csv"
    return export(name, text, book.rows, "EUR", label, encoding="latin-1", both=True)


def commerzbank() -> Made:
    book = draw("commerzbank", "de", month=7, count=12)
    header = "Buchungstag;Wertstellung;Umsatzart;Buchungstext;Betrag;Währung;IBAN Kontoinhaber;Kategorie"
    lines = [header.split(";")]
    for row in book.newest:
        kind = "Gutschrift" if row.amount > 0 else "Lastschrift"
        day = f"{row.day:%d.%m.%Y}"
        lines.append(
            [day, day, kind, row.text, COMMA.signed(row.amount), "EUR", "DE90200411330412345600", "Sonstiges"]
        )
    label = "Commerzbank, Germany: decimal commas, a byte order mark"
    text = table(lines, sep=";", end="\n")
    return export(
        "DE90200411330412345600_EUR_01-08-2025_0912.csv",
        text,
        book.newest,
        "EUR",
        label,
        encoding="utf-8-sig",
    )


def volksbank(*, lacking: bool = False) -> Made:
    """The older export of the cooperative banks: S or H in the last column, which has no name."""
    book = draw(f"volksbank {lacking}", "de", month=8, count=12)
    rows = (book.without(5) if lacking else book).rows
    lines: list[list[str]] = [
        ["Volksbank Musterstadt eG"],
        [],
        ["Umsatzanzeige"],
        [],
        ["BLZ:", "12345678", "", "Datum:", "01.09.2025"],
        ["Konto:", "60412345", "", "Uhrzeit:", "09:12:04"],
        ["Abfrage von:", "Alex Morgan", "", "Kontoinhaber:", "Alex Morgan"],
        [],
        ["Zeitraum:", "", "von:", "01.08.2025", "bis:", "31.08.2025"],
        ["Betrag in EUR:", "", "von:", "", "bis:", ""],
        [],
        [
            "Buchungstag",
            "Valuta",
            "Auftraggeber/Zahlungsempfänger",
            "Empfänger/Zahlungspflichtiger",
            "Konto-Nr.",
            "IBAN",
            "BLZ",
            "BIC",
            "Vorgang/Verwendungszweck",
            "Kundenreferenz",
            "Währung",
            "Umsatz",
            " ",
        ],
    ]
    for row in rows:
        day = f"{row.day:%d.%m.%Y}"
        purpose = f"Basislastschrift\n{row.text}\nEREF: {book.digits(10)}"
        way = "H" if row.amount > 0 else "S"
        lines.append(
            [
                day,
                day,
                "Alex Morgan",
                row.text,
                "",
                "DE02120300000000202051",
                "",
                "GENODEF1ABC",
                purpose,
                "",
                "EUR",
                GERMAN.size(row.amount),
                way,
            ]
        )
    lines.append([])
    for day, what, balance in (
        ("01.08.2025", "Anfangssaldo", book.opening),
        ("31.08.2025", "Endsaldo", book.closing),
    ):
        way = "H" if balance >= 0 else "S"
        lines.append([day, *[""] * 8, what, "EUR", GERMAN.size(balance), way])
    what = (
        "a row in the middle is gone that the end's balance counts"
        if lacking
        else "S and H in a column without name"
    )
    label = f"Volksbank, Germany: {what}, balances with days last"
    text = table(lines, sep=";", quote="all", end="\n")
    name = "Umsaetze_DE12345678_2025.09.01.csv" if not lacking else "Umsaetze_DE12345678_2025.09.02.csv"
    return export(name, text, rows, "EUR", label, encoding="cp1252", both=True, incomplete=lacking)


def files() -> list[Made]:
    return [
        sparkasse(),
        dkb(),
        ing(),
        comdirect(),
        deutsche_bank(),
        commerzbank(),
        volksbank(),
        volksbank(lacking=True),
    ]
