"""MT940 of banks in the euro area. The day is that of the entry where a line has it, and else that of the value."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made, Row

from .accounts import Book, dated, digits, draw, file_of, retold, swift_safe
from .mt_parts import (
    Habit,
    balance,
    closed,
    envelope,
    head,
    line,
    lines,
    opened,
    structured,
    swift,
    windows,
    wrapped,
)
from .voices import DE, FR, NL


def abn_amro() -> Made:
    """Three statements of one account, each behind its own header; amounts lose their zeros: 12,5 and 12,"""
    books, parts, start = [], [], Decimal("3236.28")
    habit = Habit(code="N192", is_short=True)

    def told(row: Row, _: int) -> str:
        name = swift_safe(row.text)
        return wrapped(
            f":86:/TRTP/SEPA OVERBOEKING/IBAN/NL{digits(name, 2)}RABO0{digits(name, 9)}/BIC/RABONL2U/NAME/{name}"
            f"/REMI/FACTUUR {digits(name, 6)}/EREF/NOTPROVIDED"
        )

    for n in range(3):
        drawn = draw(
            f"abn {n}", "EUR", NL, date(2024, 5, 13) + timedelta(days=n), count=3, span=0, opening=start
        )
        book = retold(
            drawn, {0: (drawn.rows[0].text, Decimal("-12.50")), 1: (drawn.rows[1].text, Decimal("40.00"))}
        )
        start = book.closing
        books.append(book)
        parts.append(
            "ABNANL2A\n940\nABNANL2A\n:20:ABN AMRO BANK NV\n:25:517852257\n"
            f":28:{19321 + n}/1\n{opened(book, short=1)}{lines(book.rows, habit, told)}{closed(book, short=1)}-\n"
        )
    label = "ABN AMRO, MT940: a statement a day, amounts such as 12,5 and 40,"
    return file_of(books, "MT940240515104512.STA", windows("".join(parts)), label, states_both_ends=True)


def ing() -> Made:
    """Codes of the transaction stand on a line of their own between 61 and 86; a sum of the file ends it."""
    book = draw("ing nl", "EUR", NL, date(2024, 2, 19), count=8, span=4)
    body = f":20:P240219000000001\n:25:NL69INGB0123456789EUR\n:28C:000\n{opened(book)}"
    for n, row in enumerate(book.rows):
        name = swift_safe(row.text)
        code = "NTRF" if row.amount > 0 else "NDDT"
        body += line(
            row, Habit(code=code, reference=f"EREF{n}"), bank_reference=digits(name, 14), more="/TRCD/01016/"
        )
        body += wrapped(
            f":86:/EREF/EV{digits(name, 14)}REP{n}//CNTP/NL32INGB000{digits(name, 7)}/INGBNL2A/{name}///REMI/USTD//"
            f"Factuur {digits(name, 5)} van {row.day:%d-%m-%Y}/"
        )
    rest = balance("64", book.closing, "EUR", book.last) + balance(
        "65", book.closing, "EUR", book.last + timedelta(1)
    )
    went = [-row.amount for row in book.rows if row.amount < 0]
    came = [row.amount for row in book.rows if row.amount > 0]
    sums = (
        f":86:/SUM/{len(went)}/{len(came)}/{swift(sum(went, Decimal(0)))}/{swift(sum(came, Decimal(0)))}/\n"
    )
    text = windows(envelope("INGBNL2A", body + closed(book) + rest + sums) + "\n")
    label = "ING Nederland, MT940: line of codes below 61, a field 86 behind the balances"
    return file_of(book, "NL69INGB_19022024_23022024.940", text, label, states_both_ends=True)


def rabobank() -> Made:
    """No entry date; amounts padded with zeros; the counterparty's account on a line below 61."""
    book = draw("rabo mt", "EUR", NL, date(2024, 1, 3), count=7)
    habit = Habit(code="N541", has_entry=False, width=15, reference="EREF")
    body = ":940:\n:20:940S240131\n:25:NL44RABO0123456789 EUR\n:28C:24001\n" + opened(book, width=15)
    for row in book.rows:
        name = swift_safe(row.text)
        body += line(row, habit, more=f"NL77ABNA0{digits(name, 9)}")
        side = "ORDP" if row.amount > 0 else "BENM"
        body += wrapped(f":86:/{side}//NAME/{name}/REMI/Factuur {digits(name, 7)} 12,50 EUR/ISDT/{row.day}")
    label = "Rabobank, MT940: no entry date, zeros before the amounts, field :940:"
    return file_of(
        book, "RABO_MT940.swi", windows(body + closed(book, width=15)), label, states_both_ends=True
    )


def deutsche_bank() -> Made:
    """Subfields, broken wherever the line is full: a mark may be cut from its number."""
    book = draw("deutsche mt", "EUR", DE, date(2024, 4, 2), count=8)
    body = (
        head("db mt", "50070010/0175526303")
        + opened(book)
        + lines(book.rows, Habit(), structured)
        + closed(book)
    )
    label = "Deutsche Bank, MT940: subfields wrapped within a word"
    return file_of(book, "umsatz.sta", windows(body + "-\n"), label, states_both_ends=True)


def commerzbank() -> Made:
    """CR is a credit with the funds code R of EUR; RC is a credit reversed."""
    drawn = draw("commerz mt", "EUR", DE, date(2024, 9, 2), count=9)
    book = retold(
        drawn, {3: ("Ruecklastschrift Klein", Decimal("-88.20")), 6: ("Storno Gebuehr", Decimal("9.90"))}
    )
    habit = Habit(funds="R", code="NMSC")
    body = head("coba", "20040000/0642323400", "00188/001") + opened(book)
    for n, row in enumerate(book.rows):
        body += line(row, habit, is_reversal=n in {3, 6}) + structured(row, n)
    label = "Commerzbank, MT940: DR and CR with a funds code beside RCR and RDR reversed"
    return file_of(book, "coba.mt940", windows(body + closed(book) + "-\n"), label, states_both_ends=True)


def sparkasse() -> Made:
    """As it comes out of HBCI: @@ in the place of line breaks; a statement for each day that had bookings."""
    drawn = draw("spk mt", "EUR", DE, date(2024, 6, 3), count=9, span=11)
    books, parts, start = [], [], drawn.opening
    for n, day in enumerate(sorted({row.day for row in drawn.rows})):
        rows = tuple(row for row in drawn.rows if row.day == day)
        book = Book("EUR", start, rows, day, day)
        start = book.closing
        books.append(book)
        parts.append(
            f":20:STARTUMSE\n:25:37050198/{digits('spk', 10)}\n:28C:{n:05d}/001\n"
            f"{opened(book)}{lines(rows, Habit(funds='R', code='N062'), structured)}{closed(book)}-\n"
        )
    text = "\n" + "".join(parts)
    label = "Sparkasse Hannover, MT940: @@ in the place of line breaks, a statement a day"
    return file_of(books, "hbci-umsaetze.txt", text.replace("\n", "@@"), label, states_both_ends=True)


def hypovereinsbank() -> Made:
    """Value dates before and behind the bookings over New Year: the year is told of the value only."""
    drawn = draw("hvb", "EUR", DE, date(2023, 12, 27), count=7, span=8)
    days = [date(2023, 12, 28), date(2023, 12, 29), date(2024, 1, 2), date(2024, 1, 2)]
    days += [date(2024, 1, 2), date(2024, 1, 3), date(2024, 1, 4)]
    values = [date(2023, 12, 28), date(2024, 1, 2), date(2023, 12, 29), date(2023, 12, 31)]
    values += [date(2024, 1, 2), date(2024, 1, 3), date(2023, 12, 31)]
    book = dated(drawn, dict(enumerate(days)))
    body = head("hvb", "70020270/0010203040", "00001/00001") + opened(book)
    body += lines(book.rows, Habit(), structured, dict(enumerate(values))) + closed(book)
    label = "HypoVereinsbank, MT940: entry date and value date on different sides of New Year"
    return file_of(book, "HVB_2024-01.sta", windows(body + "-\n"), label, states_both_ends=True)


def bnp_fortis() -> Made:
    """Pages: the interim balance of the first is the begin of the second; what is free to use comes last."""
    book = draw("fortis", "EUR", FR, date(2024, 10, 1), count=10, opening=Decimal("-310.55"))
    turn = book.rows[5]
    between = replace(book, rows=book.rows[:6], last=turn.day)
    after = replace(book, opening=turn.balance, rows=book.rows[6:], first=turn.day)
    habit = Habit(code="NMSC", reference="0000000000000000")
    first = head("fortis 1", "BE33001234567890", "00214/00001") + opened(between) + lines(between.rows, habit)
    second = (
        head("fortis 2", "BE33001234567890", "00214/00002") + opened(after, "60M") + lines(after.rows, habit)
    )
    free_to_use = balance("64", book.closing + 2500, "EUR", book.last)
    text = envelope("GEBABEBB", first + closed(between, "62M")) + envelope(
        "GEBABEBB", second + closed(after) + free_to_use, trailer="{5:{MAC:00000000}{CHK:9F1B2C3D4E5F}}"
    )
    label = "BNP Paribas Fortis, MT940: two pages with 62M and 60M, available balance with credit line"
    return file_of(book, "COD940.txt", windows(text), label, states_both_ends=True)


def bnp_paribas() -> Made:
    """A continued line of the text begins with a dash, as the end of a message does."""
    book = draw("bnp mt", "EUR", FR, date(2024, 3, 4), count=6)

    def told(row: Row, n: int) -> str:
        name = swift_safe(row.text).upper()
        dash = f"-{digits(name, 9)} FACTURE DU {row.day:%d/%m}\n" if n % 2 else f"REF {digits(name, 9)}\n"
        return f":86:{name}\n{dash}MANDAT CORE-77/{n}\n"

    body = (
        head("bnp", "30004/00819/00010203040", "64/1")
        + opened(book)
        + lines(book.rows, Habit(), told)
        + closed(book)
    )
    label = "BNP Paribas, MT940: a line of text that begins with a dash"
    return file_of(book, "bnp_releve.mt940", envelope("BNPAFRPP", body), label, states_both_ends=True)


def berliner_volksbank() -> Made:
    """A debit in the middle was lost."""
    book = draw("bvb", "EUR", DE, date(2024, 11, 4), count=10)
    gap = next(n for n, row in enumerate(book.rows) if row.amount < 0 and n > 3)
    body = head("bvb", "10090000/7001002003", "11/1") + opened(book)
    body += lines(book.printed(gap), Habit(funds="R"), structured) + closed(book)
    label = "Berliner Volksbank, MT940: a debit is missing"
    return file_of(book, "bvb-november.sta", windows(body + "-\n"), label, gap=gap, states_both_ends=True)


def intraday() -> Made:
    """MT942: the floor of what is told is no transaction, and it ends in sums."""
    book = draw("helaba", "EUR", DE, date(2024, 7, 8), count=6, span=0)
    went, came = (
        [abs(row.amount) for row in book.rows if (row.amount < 0) is is_out] for is_out in (True, False)
    )
    body = (
        head("helaba", "50050000/0001112223", "00132/001")
        + ":34F:EURD100,\n:34F:EURC250,\n:13D:2407081130+0200\n"
        + lines(book.rows, Habit(funds="R"), structured)
        + f":90D:{len(went)}EUR{swift(sum(went, Decimal(0)))}\n:90C:{len(came)}EUR{swift(sum(came, Decimal(0)))}\n"
    )
    label = "Helaba, MT942: floors and sums, no balances"
    return file_of(book, "VMK_20240708.txt", windows(body + "-\n"), label)


def made() -> list[Made]:
    return [
        abn_amro(),
        ing(),
        rabobank(),
        deutsche_bank(),
        commerzbank(),
        sparkasse(),
        hypovereinsbank(),
        bnp_fortis(),
        bnp_paribas(),
        berliner_volksbank(),
        intraday(),
    ]
