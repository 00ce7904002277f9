"""CAMT.052 reports, and CAMT.053 of banks outside of the euro area."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made, Row

from .accounts import Book, book_of, draw, file_of, retold
from .camt_euro import EITHER, pending_of
from .camt_parts import (
    Dialect,
    Entry,
    amount,
    balance,
    detail,
    document,
    ends,
    plain_entries,
    statement,
    summary,
)
from .voices import CZ, DE, HU, NORDIC, PL, TRADE, UK


def deutsche_bank() -> Made:
    """A report within the day: what is noted for later stands among what is booked."""
    book, dialect = draw("deutsche 052", "EUR", DE, date(2024, 3, 4), count=6, span=1), Dialect(message="052")
    entries = plain_entries(dialect, book)
    entries[2:2] = pending_of(book, dialect, "PDNG", "PDNG")
    balances = balance("ITBD", book.closing, "EUR", book.last)
    text = document(dialect, statement(dialect, book, balances, entries, bank="DEUTDEFF"))
    label = "Deutsche Bank, camt.052.001.02: interim balance, pending entries among booked ones"
    return file_of(book, "camt052.xml", text, label)


def ing_diba() -> Made:
    """In the eighth version the status is a code inside of the status."""
    book, dialect = draw("ing 052", "EUR", DE, date(2025, 1, 13), count=7, span=4), Dialect(8, "052")
    entries = [
        *pending_of(book, dialect, "PDNG"),
        *plain_entries(dialect, book),
        *pending_of(book, dialect, "INFO"),
    ]
    balances = balance("OPBD", book.opening, "EUR", book.first) + balance(
        "ITBD", book.closing, "EUR", book.last
    )
    text = document(dialect, statement(dialect, book, balances, entries, bank="INGDDEFF"), compact=True)
    label = "ING Deutschland, camt.052.001.08: first and last entry are not booked"
    return file_of(book, "2025-01-17-C52.xml", text, label)


def seb() -> Made:
    """What is only told for information is of the size of a salary."""
    book, dialect = draw("seb camt", "SEK", NORDIC, date(2024, 11, 1), count=8), Dialect()
    entries = plain_entries(dialect, book)
    told = Row(book.rows[3].day, "Avisering utländsk betalning", Decimal("24500.00"))
    entries.insert(4, Entry(told, "SEK", status="INFO", told=told.text))
    text = document(dialect, statement(dialect, book, ends(book), entries, bank="ESSESESS"))
    label = "SEB, camt.053.001.02: an entry with the status INFO"
    return file_of(book, "SEB_kontoutdrag.xml", text, label, states_both_ends=True)


def danske() -> Made:
    """A batch of which only the count is told, and a booking that is pending in a statement."""
    dialect = Dialect()
    book = draw("danske", "DKK", NORDIC, date(2024, 8, 1), count=8)
    entries = plain_entries(dialect, book)
    batch = f'<Btch><NbOfTxs>17</NbOfTxs><TtlAmt Ccy="DKK">{abs(book.rows[1].amount)}</TtlAmt></Btch>'
    entries[1] = replace(entries[1], details=[batch], told=book.rows[1].text)
    entries += pending_of(book, dialect, "PDNG")
    text = document(dialect, statement(dialect, book, ends(book), entries, bank="DABADKKK"))
    label = "Danske Bank, camt.053.001.02: batch without details, a pending entry at the end"
    return file_of(book, "DABA_053.xml", text, label, states_both_ends=True)


def dnb() -> Made:
    """Paid in dollars and euros; what was booked is in kroner."""
    dialect = Dialect()
    book = draw("dnb camt", "NOK", NORDIC, date(2024, 4, 2), count=8)
    entries = plain_entries(dialect, book)
    for place, currency, rate in ((1, "USD", "10.8123"), (4, "EUR", "11.6650")):
        row = book.rows[place]
        abroad = (row.amount / Decimal(rate)).quantize(Decimal("0.01"))
        exchange = (
            f"<CcyXchg><SrcCcy>{currency}</SrcCcy><TrgtCcy>NOK</TrgtCcy><UnitCcy>{currency}</UnitCcy>"
            f"<XchgRate>{rate}</XchgRate></CcyXchg>"
        )
        amounts = (
            f"<AmtDtls><InstdAmt>{amount(abroad, currency)}</InstdAmt>"
            f"<TxAmt>{amount(abroad, currency)}{exchange}</TxAmt>"
            f"<CntrValAmt>{amount(row.amount, 'NOK')}</CntrValAmt></AmtDtls>"
        )
        one = detail(dialect, row.amount, "NOK", row.text, "INV 4471", amounts=amounts)
        entries[place] = replace(entries[place], details=[one])
    text = document(dialect, statement(dialect, book, ends(book), entries, bank="DNBANOKK"))
    label = "DNB, camt.053.001.02: details in USD and EUR of an account in NOK"
    return file_of(book, "DNB_0402.xml", text, label, states_both_ends=True)


def pko() -> Made:
    book, dialect = draw("pko camt", "PLN", PL, date(2024, 2, 1), count=8), Dialect(has_namespace=False)
    text = document(
        dialect, statement(dialect, book, ends(book), plain_entries(dialect, book), bank="BPKOPLPW")
    )
    label = "PKO Bank Polski, camt.053.001.02: no namespace"
    return file_of(book, "wyciag_PKO.xml", text, label, states_both_ends=True)


def hsbc() -> Made:
    """One account on two pages: the end of the first is an interim one, and the begin of the second."""
    dialect = Dialect()
    whole = draw("hsbc camt", "GBP", UK, date(2024, 6, 3), count=10)
    turn = whole.rows[4]
    first = Book("GBP", whole.opening, whole.rows[:5], whole.first, turn.day)
    second = Book("GBP", turn.balance, whole.rows[5:], turn.day, whole.last)
    pages = [
        (
            first,
            balance("OPBD", first.opening, "GBP", first.first)
            + balance("CLBD", first.closing, "GBP", first.last, "INTM"),
        ),
        (
            second,
            balance("OPBD", second.opening, "GBP", second.first, "INTM")
            + balance("CLBD", second.closing, "GBP", second.last),
        ),
    ]
    statements = [
        statement(dialect, book, balances, plain_entries(dialect, book), bank="HBUKGB4B", number=n)
        for n, (book, balances) in enumerate(pages, 1)
    ]
    label = "HSBC UK, camt.053.001.02: one account on two pages with interim balances"
    return file_of(
        [first, second], "HSBC_EOD.xml", document(dialect, *statements), label, states_both_ends=True
    )


def jpmorgan() -> Made:
    """A lockbox: several details, one of which goes the other way than the entry."""
    dialect = Dialect(5)
    drawn = draw("jpmorgan camt", "USD", TRADE, date(2024, 9, 3), count=7, large=3)
    whole = Decimal("5120.00")
    book = retold(drawn, {4: ("LOCKBOX DEPOSIT 88120", whole)})
    entries = plain_entries(dialect, book)
    parts = (Decimal("3200.40"), Decimal("2019.60"), Decimal("-100.00"))
    assert sum(parts) == whole
    slips = [detail(dialect, part, "USD", f"Remitter {n}", f"CHK {n}") for n, part in enumerate(parts, 1)]
    entries[4] = replace(entries[4], details=slips, told=book.rows[4].text)
    body = statement(dialect, book, ends(book), entries, bank="CHASUS33", between=summary(book.rows))
    label = "J.P. Morgan, camt.053.001.05: a batch with a detail that goes the other way"
    return file_of(
        book, "JPM_053_20240930.xml", document(dialect, body), label, states_both_ends=True, notes=EITHER
    )


def kuwait() -> Made:
    """Three decimals."""
    book, dialect = draw("nbk", "KWD", TRADE, date(2024, 1, 2), count=7), Dialect(8)
    assert any(abs(row.amount) % Decimal("0.01") for row in book.rows)
    text = document(
        dialect, statement(dialect, book, ends(book), plain_entries(dialect, book), bank="NBOKKWKW")
    )
    label = "National Bank of Kuwait, camt.053.001.08: three decimals"
    return file_of(book, "NBK_camt.xml", text, label, states_both_ends=True)


def mizuho() -> Made:
    """No decimals."""
    book, dialect = draw("mizuho", "JPY", TRADE, date(2024, 3, 1), count=7), Dialect(3)
    text = document(
        dialect, statement(dialect, book, ends(book), plain_entries(dialect, book), bank="MHCBJPJT")
    )
    label = "Mizuho Bank, camt.053.001.03: no decimals"
    return file_of(book, "mizuho_camt053.xml", text, label, states_both_ends=True)


def otp() -> Made:
    """A credit was lost."""
    book, dialect = draw("otp", "HUF", HU, date(2024, 5, 2), count=9), Dialect(prefix="camt")
    gap = next(n for n, row in enumerate(book.rows) if row.amount > 0)
    entries = plain_entries(dialect, book, gap)
    text = document(dialect, statement(dialect, book, ends(book), entries, bank="OTPVHUHB"))
    label = "OTP Bank, camt.053.001.02: a credit is missing"
    return file_of(book, "otp_kivonat.xml", text, label, gap=gap, states_both_ends=True)


def csob() -> Made:
    """Of two statements the second one lost an entry."""
    dialect = Dialect(7)
    first = draw("csob camt 1", "CZK", CZ, date(2024, 1, 2), count=5, span=13)
    begun = first.last + timedelta(days=1)
    second = draw("csob camt 2", "CZK", CZ, begun, count=6, span=13, opening=first.closing)
    statements = [
        statement(dialect, first, ends(first), plain_entries(dialect, first), bank="CEKOCZPP"),
        statement(
            dialect, second, ends(second), plain_entries(dialect, second, 3), bank="CEKOCZPP", number=2
        ),
    ]
    label = "ČSOB, camt.053.001.07: the second of two statements lacks an entry"
    return file_of(
        [first, second], "CSOB_2024.xml", document(dialect, *statements), label, gap=3, states_both_ends=True
    )


def standard_chartered() -> Made:
    """The details of a fee name what it was charged for: a principal that was never booked here."""
    dialect = Dialect()
    lines = [
        (date(2024, 2, 5), "INWARD TT NORTHWIND", Decimal("8120.50")),
        (date(2024, 2, 5), "TT COMMISSION", Decimal("-25.00")),
        (date(2024, 2, 6), "CABLE CHARGES", Decimal("-18.40")),
        (date(2024, 2, 19), "PAYROLL RUN 0417", Decimal("-3311.07")),
    ]
    book = book_of("SGD", Decimal("14020.66"), lines, date(2024, 2, 1), date(2024, 2, 29))
    entries = plain_entries(dialect, book)
    principal = f"<AmtDtls><TxAmt>{amount(Decimal('8120.50'), 'SGD')}</TxAmt></AmtDtls>"
    for place in (1, 2):
        row = book.rows[place]
        entries[place] = replace(
            entries[place],
            details=[detail(dialect, row.amount, "SGD", "NORTHWIND", "TT 88120", amounts=principal)],
            told=row.text,
        )
    text = document(dialect, statement(dialect, book, ends(book), entries, bank="SCBLSGSG"))
    label = "Standard Chartered, camt.053.001.02: details of fees tell the principal"
    return file_of(book, "SCB_camt053.xml", text, label, states_both_ends=True)


def made() -> list[Made]:
    return [
        deutsche_bank(),
        ing_diba(),
        seb(),
        danske(),
        dnb(),
        pko(),
        hsbc(),
        jpmorgan(),
        kuwait(),
        mizuho(),
        otp(),
        csob(),
        standard_chartered(),
    ]
