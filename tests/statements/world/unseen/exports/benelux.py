"""Banks in Belgium, the Netherlands and Luxembourg."""

from __future__ import annotations

from tests.statements.world.truth import Made

from .books import COMMA, GERMAN, PLAIN, Style, draw, export, table

SIGNED = Style(decimal=",", plus="+")


def kbc() -> Made:
    book = draw("kbc", "nl", month=1, count=12)
    header = (
        "Rekeningnummer;Rubrieknaam;Naam;Munt;Afschriftnummer;Datum;Omschrijving;Valuta;Bedrag;Saldo;credit;debet;"
        "rekeningnummer tegenpartij;BIC tegenpartij;Naam tegenpartij;Adres tegenpartij;gestructureerde mededeling;"
        "Vrije mededeling"
    )
    lines = [header.split(";")]
    for row in book.newest:
        day = f"{row.day:%d/%m/%Y}"
        paid = COMMA.signed(row.amount) if row.amount < 0 else ""
        lines.append(
            [
                "BE68 5390 0754 7034",
                "",
                "MORGAN ALEX",
                "EUR",
                f"  2025{row.day.month:03}",
                day,
                row.text,
                day,
                COMMA.signed(row.amount),
                COMMA.signed(row.balance),
                COMMA.came(row.amount),
                paid,
                "",
                "",
                row.text,
                "",
                "***412/3456/78901***",
                "",
            ]
        )
    label = "KBC, Belgium: the amount twice, once signed and once in credit and debet"
    text = table(lines, sep=";")
    return export(
        "export_BE68539007547034_20250201_0912.csv",
        text,
        book.newest,
        "EUR",
        label,
        encoding="utf-8-sig",
        both=True,
    )


def belfius() -> Made:
    book = draw("belfius", "nl", month=2, count=12)
    header = (
        "Rekening;Boekingsdatum;Rekeninguittrekselnummer;Transactienummer;Rekening tegenpartij;"
        "Naam tegenpartij bevat;Straat en nummer;Postcode en plaats;Transactie;Valutadatum;Bedrag;Devies;BIC;"
        "Landcode;Mededelingen"
    )
    lines: list[list[str]] = [
        ["Boekingsdatum vanaf", "01/02/2025"],
        ["Boekingsdatum tot en met", "28/02/2025"],
        ["Bedrag vanaf", ""],
        ["Bedrag tot en met", ""],
        ["Rekeninguittrekselnummer vanaf", ""],
        ["Mededeling", ""],
        ["Naam tegenpartij bevat", ""],
        ["Rekening tegenpartij", ""],
        ["Laatste saldo", f"{GERMAN.signed(book.closing)} EUR"],
        ["Datum/uur van het laatste saldo", "28/02/2025 21:04:11"],
        [],
        [],
        header.split(";"),
    ]
    for place, row in enumerate(book.newest):
        day = f"{row.day:%d/%m/%Y}"
        lines.append(
            [
                "BE68 5390 0754 7034",
                day,
                "2",
                str(len(book.rows) - place),
                "BE71 0961 2345 6769",
                row.text,
                "",
                "",
                f"{row.text} REF. : {book.digits(10)}",
                day,
                COMMA.signed(row.amount),
                "EUR",
                "GKCCBEBB",
                "BE",
                "",
            ]
        )
    label = "Belfius, Belgium: a preamble of filters, among them amounts and days"
    text = table(lines, sep=";")
    name = "BE68 5390 0754 7034 2025-03-01 09-12-04 1.csv"
    return export(name, text, book.newest, "EUR", label, encoding="cp1252")


def fortis() -> Made:
    book = draw("fortis", "nl", month=3, count=12)
    header = (
        "Volgnummer;Uitvoeringsdatum;Valutadatum;Bedrag;Valuta rekening;Rekeningnummer;Type verrichting;"
        "Tegenpartij;Naam van de tegenpartij;Mededeling;Details;Status;Reden van weigering"
    )
    lines = [header.split(";")]
    for place, row in enumerate(book.newest):
        day, number = f"{row.day:%d/%m/%Y}", f"2025-{412 - place:05}"
        if place == 4:
            lines.append(
                [
                    "2025-00999",
                    day,
                    day,
                    "-1250,00",
                    "EUR",
                    "BE68001234567890",
                    "Overschrijving in euro",
                    "",
                    "De Smet",
                    "Huur",
                    "",
                    "Geweigerd",
                    "Onvoldoende saldo",
                ]
            )
        kind = "Overschrijving in euro" if row.amount > 0 else "Kaartbetaling"
        lines.append(
            [
                number,
                day,
                day,
                COMMA.signed(row.amount),
                "EUR",
                "BE68001234567890",
                kind,
                "",
                row.text,
                "",
                f"{kind.upper()} {row.text}",
                "Geaccepteerd",
                "",
            ]
        )
    label = "BNP Paribas Fortis, Belgium: a refused row among the accepted ones (trap)"
    text = table(lines, sep=";", end="\n")
    return export("CSV_2025-04-01-09.12.csv", text, book.newest, "EUR", label, encoding="utf-8-sig")


def ing_nl() -> Made:
    book = draw("ing nl", "nl", month=4, count=13)
    header = (
        "Datum;Naam / Omschrijving;Rekening;Tegenrekening;Code;Af Bij;Bedrag (EUR);Mutatiesoort;Mededelingen;"
        "Saldo na mutatie;Tag"
    )
    lines = [header.split(";")]
    for row in book.newest:
        way, code, kind = (
            ("Bij", "OV", "Overschrijving") if row.amount > 0 else ("Af", "BA", "Betaalautomaat")
        )
        memo = f"Pasvolgnr: 001 {row.day:%d-%m-%Y} {book.clock(row, seconds=False)} Transactie: {book.letters(6)}"
        lines.append(
            [
                f"{row.day:%Y%m%d}",
                row.text,
                "NL08INGB0000060412",
                "",
                code,
                way,
                COMMA.size(row.amount),
                kind,
                memo,
                COMMA.signed(row.balance),
                "",
            ]
        )
    label = "ING, Netherlands: Af and Bij, days in eight digits"
    text = table(lines, sep=";", quote="all", end="\n")
    return export("NL08INGB0000060412_01-04-2025_30-04-2025.csv", text, book.newest, "EUR", label, both=True)


def rabobank() -> Made:
    book = draw("rabobank", "nl", month=5, count=13)
    header = (
        "IBAN/BBAN,Munt,BIC,Volgnr,Datum,Rentedatum,Bedrag,Saldo na trn,Tegenrekening IBAN/BBAN,Naam tegenpartij,"
        "Naam uiteindelijke partij,Naam initiërende partij,BIC tegenpartij,Code,Batch ID,Transactiereferentie,"
        "Machtigingskenmerk,Incassant ID,Betalingskenmerk,Omschrijving-1,Omschrijving-2,Omschrijving-3,"
        "Reden retour,Oorspr bedrag,Oorspr munt,Koers"
    )
    lines = [header.split(",")]
    for place, row in enumerate(book.rows, 412):
        money = [SIGNED.signed(row.amount), SIGNED.signed(row.balance)]
        lines.append(
            [
                "NL08RABO0100060412",
                "EUR",
                "RABONL2U",
                f"{place:018}",
                f"{row.day}",
                f"{row.day}",
                *money,
                "",
                row.text,
                "",
                "",
                "",
                "bg",
                "",
                "",
                "",
                "",
                "",
                row.text,
                " ",
                "",
                "",
                "",
                "",
                "",
            ]
        )
    label = "Rabobank, Netherlands: a plus before what comes in, before balances too, latin-1"
    text = table(lines, quote="all")
    return export(
        "CSV_A_NL08RABO0100060412_EUR_20250501_20250531.csv",
        text,
        book.rows,
        "EUR",
        label,
        encoding="latin-1",
        both=True,
    )


def abn_amro(*, lacking: bool = False) -> Made:
    book = draw(f"abn {lacking}", "nl", month=6, count=12)
    book = book.told(lambda row: f"BEA, Betaalpas   {row.text},PAS041")
    told = book.without(6).rows if lacking else book.rows
    lines = []
    for row in told:
        day = f"{row.day:%Y%m%d}"
        before = COMMA.signed(row.balance - row.amount)
        lines.append(
            [
                "600412345",
                "EUR",
                day,
                before,
                COMMA.signed(row.balance),
                day,
                COMMA.signed(row.amount),
                row.text,
            ]
        )
    what = (
        "a row in the middle is gone that the balances count"
        if lacking
        else "balance before and after, no header"
    )
    label = f"ABN AMRO, Netherlands: tabs, {what}"
    name = "TXT250701091204.TAB" if lacking else "TXT250702091204.TAB"
    text = table(lines, sep="\t")
    return export(name, text, told, "EUR", label, both=True, incomplete=lacking)


def asn() -> Made:
    book = draw("asn", "nl", month=7, count=12)
    lines = []
    for place, row in enumerate(book.rows, 1):
        day = f"{row.day:%d-%m-%Y}"
        before = PLAIN.signed(row.balance - row.amount)  # the balance before the row, the only one there is
        lines.append(
            f"{day},NL08ASNB0900060412,NL08TRIO0390412345,{row.text.lower()},,,,EUR,{before},EUR,{row.amount},{day},"
            f"{day},8810,BEA,{book.digits(8)},,'{row.text}',{place}"
        )
    label = "ASN Bank, Netherlands: no header, the balance before each row (trap)"
    text = "\n".join(lines) + "\n"
    return export("0900060412_31072025_091204.csv", text, book.rows, "EUR", label, both=True)


def spuerkeess() -> Made:
    book = draw("spuerkeess", "fr", month=8, count=12)
    lines: list[list[str]] = [
        ["Compte", "LU28 0019 4006 4475 0412", "EUR"],
        ["Période", "01/08/2025 - 31/08/2025", ""],
        ["Solde initial", GERMAN.signed(book.opening), "EUR"],
        ["Solde final", GERMAN.signed(book.closing), "EUR"],
        [],
        ["Date opération", "Date valeur", "Description", "Contrepartie", "Montant", "Devise"],
    ]
    for row in book.rows:
        day = f"{row.day:%d/%m/%Y}"
        lines.append([day, day, row.text, "", GERMAN.signed(row.amount), "EUR"])
    label = "Spuerkeess, Luxembourg: period and both balances above"
    text = table(lines, sep=";")
    return export(
        "LU280019400644750412_202508.csv", text, book.rows, "EUR", label, encoding="utf-8-sig", both=True
    )


def ics_card() -> Made:
    """International Card Services: the cards of Dutch banks; Af and Bij, euros and what was paid abroad."""
    book = draw("ics", "nl", month=9, is_card=True, count=12)
    book = book.told(lambda row: "GEINCASSEERD VORIG SALDO" if row.amount > 0 else row.text)
    lines = [
        [
            "Datum",
            "Datum boeking",
            "Omschrijving",
            "Land",
            "Bedrag in valuta",
            "Valuta",
            "Bedrag in euro's",
            "Af/Bij",
        ]
    ]
    for place, row in enumerate(book.newest):
        foreign = row.amount < 0 and place % 3 == 0
        original = [COMMA.size(row.amount * 117 / 100), "USD"] if foreign else ["", ""]
        days = [f"{book.before(row.day):%d-%m-%Y}", f"{row.day:%d-%m-%Y}"]
        way = "Bij" if row.amount > 0 else "Af"
        lines.append([*days, row.text, "US" if foreign else "NL", *original, COMMA.size(row.amount), way])
    label = "ICS Visa, Netherlands: two dates, Af and Bij, dollars before euros in some rows (trap)"
    text = table(lines, sep=";", quote="all", end="\n")
    return export("ICS_transacties_sept_2025.csv", text, book.newest, "EUR", label)


def files() -> list[Made]:
    return [
        kbc(),
        belfius(),
        fortis(),
        ing_nl(),
        rabobank(),
        abn_amro(),
        abn_amro(lacking=True),
        asn(),
        spuerkeess(),
        ics_card(),
    ]
