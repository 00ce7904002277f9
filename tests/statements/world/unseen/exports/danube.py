"""Banks in Hungary and Romania."""

from __future__ import annotations

from tests.statements.world.truth import Made

from .books import ENGLISH, WHOLE, Style, draw, export, table


def otp() -> Made:
    book = draw("otp", "hu", month=7, scale=400, places=0, count=12)
    lines = []
    for row in book.rows:
        way = "J" if row.amount > 0 else "T"  # jóváírás, terhelés
        day = f"{row.day:%Y%m%d}"
        lines.append(
            f'"117730164412345600000000";"{way}";{WHOLE.signed(row.amount)};"HUF";{day};{day};{WHOLE.signed(row.balance)};'
            f'"";"{row.text}";"{row.text}";"";"";"";""'
        )
    label = "OTP Bank, Hungary: no header, forints without decimals, days in eight digits, latin-2"
    text = "\r\n".join(lines) + "\r\n"
    return export(
        "11773016-44123456_20250701.csv", text, book.rows, "HUF", label, encoding="iso8859-2", both=True
    )


def ing_ro() -> Made:
    """Each row goes on in lines of details that have neither day nor amount."""
    months = [
        "ianuarie",
        "februarie",
        "martie",
        "aprilie",
        "mai",
        "iunie",
        "iulie",
        "august",
        "septembrie",
        "octombrie",
        "noiembrie",
        "decembrie",
    ]
    book = draw("ing ro", "ro", month=8, scale=5, count=11)
    english = Style(decimal=",", group=".")
    lines: list[list[str]] = [
        ["Titular cont: Dl Morgan Alex", *[""] * 8],
        ["CNP: 1900412123456", *[""] * 8],
        ["Str. Lunga 4, Bucuresti", *[""] * 8],
        ["", "", "Numar cont:", "RO49INGB0000999901234567", "", "", "Moneda:", "RON", ""],
        ["Data", "", "", "Detalii tranzactie", "", "Debit", "", "Credit", ""],
    ]
    for row in book.newest:
        day = f"{row.day:%d} {months[row.day.month - 1]} {row.day.year}"
        lines.append([day, "", "", row.text, "", english.out(row.amount), "", english.came(row.amount), ""])
        lines.append(["", "", "", "Nr. card: xxxx xxxx xxxx 0412", *[""] * 5])
        lines.append(
            ["", "", "", f"Data: {book.before(row.day):%d-%m-%Y} Autorizare: {book.digits(6)}", *[""] * 5]
        )
    lines += [["", "", "", "ING Bank N.V. Amsterdam Sucursala Bucuresti", *[""] * 5]]
    label = "ING Bank, Romania: Romanian months, each row continued in two lines of details"
    name = "ING Bank - Extras de cont august_2025_RO49INGB0000999901234567_RON.csv"
    return export(name, table(lines, end="\n"), book.newest, "RON", label)


def banca_transilvania() -> Made:
    book = draw("bt", "ro", month=9, scale=5, count=12)
    lines: list[list[str]] = [
        ["Bine ati venit la BT24!", ""],
        ["Client:", "MORGAN ALEX"],
        ["Cont:", "RO12BTRLRONCRT0412345601"],
        ["Perioada:", "01-09-2025 - 30-09-2025"],
        ["Sold initial:", f"{ENGLISH.signed(book.opening)} RON"],
        ["Sold final:", f"{ENGLISH.signed(book.closing)} RON"],
        ["Rulaj debitor:", ENGLISH.size(book.paid)],
        ["Rulaj creditor:", ENGLISH.size(book.received)],
        [],
        [
            "Data tranzactie",
            "Data valuta",
            "Descriere",
            "Referinta tranzactiei",
            "Debit",
            "Credit",
            "Sold contabil",
        ],
    ]
    for row in book.newest:
        paid = ENGLISH.signed(row.amount) if row.amount < 0 else ""
        money = [paid, ENGLISH.came(row.amount), ENGLISH.signed(row.balance)]
        text = f"Plata la POS; {row.text}; RRN:{book.digits(12)}"
        lines.append([f"{row.day}", f"{row.day}", text, book.digits(15), *money])
    label = "Banca Transilvania, Romania: turnover and both balances above, negative debits"
    text = table(lines, end="\n")
    name = "RO12BTRLRONCRT0412345601-2025-09-01-2025-09-30.csv"
    return export(name, text, book.newest, "RON", label, both=True)


def files() -> list[Made]:
    return [
        otp(),
        ing_ro(),
        banca_transilvania(),
    ]
