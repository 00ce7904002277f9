"""MT940 of banks outside of the euro area."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made, Row

from .accounts import comma, dated, digits, draw, file_of, retold, swift_safe
from .mt_parts import (
    Habit,
    balance,
    closed,
    czech,
    envelope,
    free,
    head,
    line,
    lines,
    opened,
    windows,
    wrapped,
)
from .voices import CH, CZ, NORDIC, PACIFIC, PL, TRADE


def ubs() -> Made:
    """SWIFT's envelope; the text of a fee follows its own line of details."""
    book = draw("ubs mt", "CHF", CH, date(2024, 8, 5), count=8)
    body = head("ubs", "0240-00123456.01A", "00152/001") + opened(book)
    for n, row in enumerate(book.rows):
        code = "FCHG" if n == 4 else "NTRF"
        body += line(
            row, Habit(code=code), bank_reference=digits(row.text, 16), more=swift_safe(row.text).upper()[:34]
        )
        body += wrapped(f":86:{swift_safe(row.text)}?E-BANKING CHF {abs(row.amount)}, KOSTEN 0.00")
    text = envelope("UBSWCHZH", body + closed(book) + balance("64", book.closing, "CHF", book.last))
    label = "UBS, MT940: SWIFT envelope, details below 61, amounts with points in the text"
    return file_of(book, "UBS_MT940_0805.txt", text, label, states_both_ends=True)


def credit_suisse() -> Made:
    """RD: the reversal of a debit brings money in; RC: that of a credit takes it out."""
    drawn = draw("cs", "CHF", CH, date(2024, 5, 6), count=8)
    book = retold(
        drawn, {2: ("STORNO SPESEN", Decimal("35.00")), 5: ("RUECKRUF ZAHLUNG", Decimal("-240.15"))}
    )
    body = head("cs", "CH1204835012345671000", "98/1") + opened(book)
    for n, row in enumerate(book.rows):
        body += line(row, Habit(is_short=True), is_reversal=n in {2, 5}) + free(row)
    label = "Credit Suisse, MT940: RD and RC without an entry in the text"
    return file_of(
        book, "cs940.sta", windows(envelope("CRESCHZZ80A", body + closed(book))), label, states_both_ends=True
    )


def mbank() -> Made:
    """The funds code N behind the mark, and texts parted by semicolons."""
    book = draw("mbank", "PLN", PL, date(2024, 3, 4), count=8)

    def told(row: Row, n: int) -> str:
        name = swift_safe(row.text)
        return wrapped(
            f":86:944;CompanyNet Przelew krajowy; na rach.: {digits(name, 26)}; dla: {name}; "
            f"tyt.: FAKTURA {n}/2024; TNR: {digits(name + 'tnr', 15)}.{n:06d}"
        )

    habit = Habit(funds="N", code="S944", reference="PRZELEW KRAJOWY")
    text = (
        head("mbank", "PL96114010100000123456001001", "47/1") + opened(book) + lines(book.rows, habit, told)
    )
    label = "mBank, MT940: CN and DN with a funds code, texts with semicolons"
    return file_of(
        book, "mbank_12345.mt940", windows(text + closed(book) + "-\n"), label, states_both_ends=True
    )


def ing_slaski() -> Made:
    """Subfields marked with a tilde, each on a line of its own."""
    book = draw("ingbsk", "PLN", PL, date(2024, 9, 2), count=7)

    def told(row: Row, n: int) -> str:
        name = swift_safe(row.text)
        parts = [
            "940",
            "~00OVKO",
            f"~20Faktura {n}/09",
            f"~29{digits(name, 26)}",
            "~30105",
            f"~32{name}",
            "~34940",
        ]
        return ":86:" + "\n".join(parts) + "\n~60" + f"{row.day:%Y%m%d}\n"

    habit = Habit(funds="N", code="S940")
    body = (
        head("ingbsk", "/PL03105000997603123456789123", "00105")
        + opened(book)
        + lines(book.rows, habit, told)
    )
    text = windows(envelope("INGBPLPW", body + closed(book) + balance("64", book.closing, "PLN", book.last)))
    label = "ING Bank Śląski, MT940: tildes, each subfield on its line"
    return file_of(book, "ingbsk.sta", text, label, states_both_ends=True)


def csob() -> Made:
    """The funds code K of CZK; the entry's year turns between value and entry."""
    drawn = draw("csob mt", "CZK", CZ, date(2024, 12, 30), count=6, span=8)
    book = dated(
        drawn, {0: date(2024, 12, 30), 1: date(2025, 1, 2), 2: date(2025, 1, 2), 5: date(2025, 1, 7)}
    )
    values = {1: date(2024, 12, 31)}
    body = head("csob", "0300/117722330", "1/1") + opened(book)
    body += lines(book.rows, Habit(funds="K", code="NMSC"), czech, values) + closed(book)
    label = "ČSOB, MT940: DK and CK with a funds code, an entry in the year behind its value"
    return file_of(book, "CSOB_VYPIS.STA", windows(body + "-\n"), label, states_both_ends=True)


def nordea() -> Made:
    """Lines without any text, and a bank's reference in the place of the customer's."""
    drawn = draw("nordea mt", "SEK", NORDIC, date(2024, 4, 2), count=7)
    cut = {n: (swift_safe(row.text).upper()[:16].strip(), row.amount) for n, row in enumerate(drawn.rows)}
    book = retold(drawn, cut)
    body = head("nordea", "99604212345678", "65") + opened(book)
    for n, row in enumerate(book.rows):
        body += line(row, Habit(code="NMSC", reference=row.text), bank_reference=digits(f"nda {n}", 8))
    label = "Nordea Sweden, MT940: no field 86 at all"
    return file_of(book, "nordea.mt940", body + closed(book), label, states_both_ends=True)


def danske() -> Made:
    """Two accounts in two currencies, one after the other in their envelopes."""
    books = [
        draw(f"danske mt {currency}", currency, NORDIC, date(2024, 2, 1), count=count)
        for currency, count in (("DKK", 6), ("NOK", 4))
    ]
    parts = [
        envelope(
            "DABADKKK",
            head(f"danske {book.currency}", f"3000{digits(book.currency, 10)}", "22/1")
            + opened(book)
            + lines(book.rows, Habit(has_entry=False))
            + closed(book),
        )
        for book in books
    ]
    label = "Danske Bank, MT940: accounts in DKK and NOK in one file"
    return file_of(books, "DABA940.TXT", windows("\n".join(parts) + "\n"), label, states_both_ends=True)


def hsbc() -> Made:
    """What the payer sent and what was taken out of it stand in the text: USD and charges, no bookings."""
    book = draw("hsbc mt", "HKD", TRADE, date(2024, 10, 2), count=7, large=7)

    def told(row: Row, n: int) -> str:
        if row.amount < 0:
            return free(row, n)
        sent = (row.amount / Decimal("7.78")).quantize(Decimal("0.01"))
        return wrapped(
            f":86:/OCMT/USD{comma(sent)}/EXCH/7,78/CHGS/HKD65,00/ORDP/{swift_safe(row.text)}/REMI/INV {digits(row.text, 8)}"
        )

    body = (
        head("hsbc", "HK600123456001", "190/1")
        + opened(book)
        + lines(book.rows, Habit(), told)
        + closed(book)
    )
    rest = balance("64", book.closing, "HKD", book.last)
    rest += "".join(balance("65", book.closing, "HKD", book.last + timedelta(days=n)) for n in (1, 2))
    label = "HSBC Hong Kong, MT940: foreign amounts and charges in the text, three balances to come"
    return file_of(
        book, "HSBCNET_940.fin", windows(envelope("HSBCHKHH", body + rest)), label, states_both_ends=True
    )


def mufg() -> Made:
    """No decimals: every amount ends with its comma."""
    book = draw("mufg", "JPY", TRADE, date(2024, 7, 1), count=6)
    body = (
        head("mufg", "0012345678", "12/1") + opened(book) + lines(book.rows, Habit(funds="Y")) + closed(book)
    )
    label = "MUFG Bank, MT940: yen without decimals, funds code Y"
    return file_of(book, "mufg.txt", envelope("BOTKJPJT", body), label, states_both_ends=True)


def bahrain() -> Made:
    """Three decimals, of which the last is zero now and then and left out."""
    book = draw("bbk", "BHD", TRADE, date(2024, 2, 4), count=7)
    body = head("bbk", "BH29BBKU00100000123456", "8/1") + opened(book, short=1)
    body += lines(book.rows, Habit(is_short=True, code="NCOL")) + closed(book, short=1)
    label = "Bank of Bahrain and Kuwait, MT940: three decimals"
    return file_of(book, "BBK.940", envelope("BBKUBHBM", body), label, states_both_ends=True)


def westpac() -> Made:
    """Opened by an interim balance; the last page of three, where only this one was saved."""
    book = draw("westpac", "AUD", PACIFIC, date(2024, 6, 3), count=7)
    body = (
        head("westpac", "032000123456", "155/3")
        + opened(book, "60M")
        + lines(book.rows, Habit())
        + closed(book)
    )
    notes = ("the balances are those of this page: to say that pages before it are missing is right too",)
    label = "Westpac, MT940: the third page alone, from 60M to 62F"
    return file_of(book, "wbc_mt940_p3.txt", windows(body + "-\n"), label, states_both_ends=True, notes=notes)


def dbs() -> Made:
    """The second of two pages lost a line; the interim balance between them still agrees with the first."""
    book = draw("dbs mt", "SGD", TRADE, date(2024, 8, 1), count=10, large=4)
    turn = book.rows[4]
    between = replace(book, rows=book.rows[:5], last=turn.day)
    after = replace(book, opening=turn.balance, rows=book.rows[5:], first=turn.day)
    first = (
        head("dbs 1", "0039001234", "88/1")
        + opened(between)
        + lines(between.rows, Habit())
        + closed(between, "62M")
    )
    second = (
        head("dbs 2", "0039001234", "88/2")
        + opened(after, "60M")
        + lines(after.printed(2), Habit())
        + closed(after)
    )
    label = "DBS, MT940: a line of the second page is missing"
    return file_of(
        [between, after],
        "DBS_MT940.txt",
        windows(f"{first}-\n{second}-\n"),
        label,
        gap=2,
        states_both_ends=True,
    )


def komercni() -> Made:
    """The first line was lost."""
    book = draw("kb", "CZK", CZ, date(2024, 5, 2), count=9)
    body = head("kb", "0100/1234567890", "101/1") + opened(book)
    body += lines(book.printed(0), Habit(has_entry=False, code="NTRF"), czech) + closed(book)
    label = "Komerční banka, MT940: the first line is missing"
    return file_of(book, "KB_vypis.sta", windows(body + "-\n"), label, gap=0, states_both_ends=True)


def made() -> list[Made]:
    return [
        ubs(),
        credit_suisse(),
        mbank(),
        ing_slaski(),
        csob(),
        nordea(),
        danske(),
        hsbc(),
        mufg(),
        bahrain(),
        westpac(),
        dbs(),
        komercni(),
    ]
