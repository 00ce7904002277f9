"""Banks and cards in Sweden, Norway, Denmark and Finland."""

from __future__ import annotations

from tests.statements.world.truth import Made

from .books import COMMA, FIXED_SPACE, GERMAN, PLAIN, SPACED, Style, draw, export, table


def swedbank() -> Made:
    book = draw("swedbank se", "sv", month=1, scale=10, count=13)
    header = (
        "Radnummer,Clearingnummer,Kontonummer,Produkt,Valuta,Bokföringsdag,Transaktionsdag,Valutadag,Referens,"
        "Beskrivning,Belopp,Bokfört saldo"
    )
    lines = [
        "* Transaktioner Period 2025-01-01 – 2025-01-31 Skapad 2025-02-01 09:12 CET".replace("–", "-"),
        header,
    ]
    for place, row in enumerate(book.newest, 1):
        days = f"{row.day},{book.before(row.day)},{row.day}"
        text = f'"{row.text}","{row.text}"'
        lines.append(
            f'{place},81059,"412345678-9","Privatkonto","SEK",{days},{text},{row.amount},{row.balance}'
        )
    label = "Swedbank, Sweden: a line with a star above, three dates, latin-1"
    text = "\r\n".join(lines) + "\r\n"
    return export(
        "Transaktioner_2025-02-01_09-12-04.csv",
        text,
        book.newest,
        "SEK",
        label,
        encoding="latin-1",
        both=True,
    )


def seb() -> Made:
    book = draw("seb", "sv", month=2, scale=10, count=12)
    lines = [["Bokföringsdatum", "Valutadatum", "Verifikationsnummer", "Text/mottagare", "Belopp", "Saldo"]]
    for row in book.newest:
        money = [f"{row.amount}0", f"{row.balance}0"]
        lines.append([f"{row.day}", f"{row.day}", book.digits(10), row.text, *money])
    label = "SEB, Sweden: three decimals, semicolons"
    text = table(lines, sep=";", end="\n")
    return export("kontoutdrag.csv", text, book.newest, "SEK", label, encoding="utf-8-sig", both=True)


def nordea_se() -> Made:
    book = draw("nordea se", "sv", month=3, scale=10, count=12)
    lines = [["Bokföringsdag", "Belopp", "Avsändare", "Mottagare", "Namn", "Rubrik", "Saldo", "Valuta", ""]]
    lines.append(
        ["Reserverad", "-349,00", "3300 41 23456", "", "", "Kortköp AKADEMIBOKHANDELN", "", "SEK", ""]
    )
    for row in book.newest:
        money = COMMA.signed(row.amount)
        lines.append(
            [
                f"{row.day:%Y/%m/%d}",
                money,
                "3300 41 23456",
                "",
                "",
                row.text,
                COMMA.signed(row.balance),
                "SEK",
                "",
            ]
        )
    label = "Nordea, Sweden: a reserved row with a word where the day stands (trap)"
    text = table(lines, sep=";", end="\n")
    name = "PERSONKONTO 3300 41 23456 - 2025-04-01 09.12.04.csv"
    return export(name, text, book.newest, "SEK", label, encoding="utf-8-sig", both=True)


def sas_card() -> Made:
    """A Swedish card exported by its issuer: foreign purchases in their own currency as well."""
    book = draw("amex sas", "sv", month=4, scale=10, is_card=True, count=12)
    lines = [["Datum", "Bokfört", "Specifikation", "Ort", "Valuta", "Utl. belopp", "Belopp"]]
    for place, row in enumerate(book.newest):
        foreign = row.amount < 0 and place % 3 == 2
        original = ["EUR", SPACED.size(row.amount / 11)] if foreign else ["SEK", "0"]
        days = [f"{book.before(row.day)}", f"{row.day}"]
        lines.append([*days, row.text, "STOCKHOLM", *original, SPACED.signed(-row.amount)])
    lines.append(["", "", "Totalt belopp", "", "", "", SPACED.signed(-(book.paid + book.received))])
    label = "SEB Kort SAS Mastercard, Sweden: two dates, purchases positive, a foreign amount before, a total (trap)"
    text = table(lines, sep=";")
    return export("Fakturaspecifikation april.csv", text, book.newest, "SEK", label, encoding="cp1252")


def dnb() -> Made:
    book = draw("dnb", "no", month=5, scale=10, count=12)
    lines = [["Dato", "Forklaring", "Rentedato", "Ut fra konto", "Inn på konto"]]
    for row in book.newest:
        day = f"{row.day:%d.%m.%Y}"
        lines.append([day, row.text, day, GERMAN.out(row.amount), GERMAN.came(row.amount)])
    label = "DNB, Norway: out of and into the account, latin-1"
    text = table(lines, sep=";", quote="all", end="\n")
    return export("Transaksjonsliste (12345612345).csv", text, book.newest, "NOK", label, encoding="latin-1")


def sparebank1() -> Made:
    book = draw("sparebank1", "no", month=6, scale=10, count=12)
    lines = [["Dato", "Beskrivelse", "Rentedato", "Inn", "Ut", "Til konto", "Fra konto", ""]]
    for row in book.newest:
        day = f"{row.day:%d.%m.%Y}"
        paid = COMMA.signed(row.amount) if row.amount < 0 else ""
        accounts = ["12345612345", ""] if row.amount > 0 else ["", "12345612345"]
        lines.append([day, row.text, day, COMMA.came(row.amount), paid, *accounts, ""])
    label = "SpareBank 1, Norway: in before out, out negative, account numbers beside"
    text = table(lines, sep=";", end="\n")
    return export(
        "OversiktKonti-01.06.2025-30.06.2025.csv", text, book.newest, "NOK", label, encoding="utf-8-sig"
    )


def danske() -> Made:
    book = draw("danske", "da", month=7, scale=7, count=12)
    lines = [["Dato", "Tekst", "Beløb", "Saldo", "Status", "Afstemt"]]
    for place, row in enumerate(book.rows):
        money = [GERMAN.signed(row.amount), GERMAN.signed(row.balance)]
        lines.append([f"{row.day:%d.%m.%Y}", row.text, *money, "Udført", "Nej"])
        if place == 6:
            lines.append([f"{row.day:%d.%m.%Y}", "Betaling til SEAS-NVE", "-1.204,50", "", "Slettet", "Nej"])
    lines.append(["01.08.2025", "Betalingsservice TDC", "-399,00", "", "Venter", "Nej"])
    label = "Danske Bank, Denmark: rows deleted and waiting, without balance (trap), latin-1"
    text = table(lines, sep=";", quote="all")
    return export(
        "Lønkonto-3012345678-20250801.csv", text, book.rows, "DKK", label, encoding="latin-1", both=True
    )


def nordea_dk() -> Made:
    book = draw("nordea dk", "da", month=8, scale=7, count=12)
    lines = [["Bogført", "Tekst", "Rentedato", "Beløb", "Saldo"]]
    for row in book.newest:
        money = [COMMA.signed(row.amount), COMMA.signed(row.balance)]
        lines.append([f"{row.day:%d-%m-%Y}", row.text, f"{row.day:%d-%m-%Y}", *money])
    rows = book.newest[:4] + book.newest[5:]
    label = "Nordea, Denmark: a row in the middle is gone that the balance counts"
    text = table(lines[:5] + lines[6:], sep=";", end="\n")
    return export("poster.csv", text, rows, "DKK", label, encoding="cp1252", both=True, incomplete=True)


def nordea_fi() -> Made:
    book = draw("nordea fi", "fi", month=9, count=12)
    header = (
        "Kirjauspäivä\tArvopäivä\tMaksupäivä\tMäärä\tSaaja/Maksaja\tTilinumero\tBIC\tTapahtuma\tViite\t"
        "Maksajan viite\tViesti\tKortinnumero\tKuitti\t"
    )
    lines = ["Tilinumero\tFI2112345600000785", "", header, ""]
    style = Style(decimal=",", plus="+")
    for row in book.rows:
        day = f"{row.day:%d.%m.%Y}"
        kind = "Pano" if row.amount > 0 else "Korttiosto"
        lines.append(
            f"{day}\t{day}\t{book.before(row.day):%d.%m.%Y}\t{style.signed(row.amount)}\t{row.text}\t\t\t{kind}\t\t\t\t\t\t"
        )
    label = "Nordea, Finland: tabs, three dates, empty lines around the header"
    text = "\r\n".join(lines) + "\r\n"
    return export("Tapahtumat_FI2112345600000785_20250901_20250930.txt", text, book.rows, "EUR", label)


def op() -> Made:
    book = draw("op", "fi", month=10, count=12)
    header = (
        "Kirjauspäivä;Arvopäivä;Määrä EUROA;Laji;Selitys;Saaja/Maksaja;Saajan tilinumero;Saajan pankin BIC;Viite;"
        "Viesti;Arkistointitunnus"
    )
    lines = [header.split(";")]
    for row in book.rows:
        kind, word = ("106", "TILISIIRTO") if row.amount > 0 else ("162", "PKORTTIMAKSU")
        lines.append(
            [
                f"{row.day}",
                f"{row.day}",
                COMMA.signed(row.amount),
                kind,
                word,
                row.text,
                "",
                "",
                "ref=",
                f"Viesti: {row.text}",
                f"20251001/{book.letters(6)}/{book.digits(6)}",
            ]
        )
    label = "OP, Finland: the currency in the header, a code of the kind beside the amount, latin-1"
    text = table(lines, sep=";", quote="all", end="\n")
    return export("tapahtumat20251001-20251031.csv", text, book.rows, "EUR", label, encoding="latin-1")


def lunar() -> Made:
    """A Danish app's account in English, thousands by no-break spaces."""
    book = draw("lunar", "da", month=11, scale=7, count=12)
    lines = [["Date", "Time", "Text", "Category", "Amount", "Currency", "Balance"]]
    for row in book.newest:
        money = [FIXED_SPACE.signed(row.amount), "DKK", FIXED_SPACE.signed(row.balance)]
        lines.append([f"{row.day}", book.clock(row, seconds=False), row.text, "Groceries", *money])
    label = "Lunar, Denmark: no-break spaces in thousands, commas within quotes"
    return export("lunar-2025-11.csv", table(lines, end="\n"), book.newest, "DKK", label, both=True)


def bank_norwegian() -> Made:
    book = draw("bank norwegian", "no", month=12, scale=10, is_card=True, count=12)
    book = book.told(lambda row: "Innbetaling" if row.amount > 0 else row.text)
    header = (
        "TransactionDate,Text,Type,Currency Amount,Currency Rate,Currency,Amount,Merchant Area,Merchant Category,"
        "BookDate,ValueDate"
    )
    lines = [header.split(",")]
    for place, row in enumerate(book.newest):
        foreign = row.amount < 0 and place % 4 == 3
        rate = ["10.0000", "USD"] if foreign else ["1.0000", "NOK"]
        original = PLAIN.signed((row.amount / 10).quantize(row.amount)) if foreign else str(row.amount)
        kind = "Innbetaling" if row.amount > 0 else "Varekjøp"
        lines.append(
            [
                f"{book.before(row.day)}",
                row.text,
                kind,
                original,
                *rate,
                str(row.amount),
                "OSLO",
                "Grocery Stores",
                f"{row.day}",
                f"{row.day}",
            ]
        )
    label = "Bank Norwegian card, Norway: currency amount before the billed one (trap), three dates"
    text = table(lines, end="\n")
    return export("Transaksjoner 2025-12.csv", text, book.newest, "NOK", label, encoding="utf-8-sig")


def files() -> list[Made]:
    return [
        swedbank(),
        seb(),
        nordea_se(),
        sas_card(),
        dnb(),
        sparebank1(),
        danske(),
        nordea_dk(),
        nordea_fi(),
        op(),
        lunar(),
        bank_norwegian(),
    ]
