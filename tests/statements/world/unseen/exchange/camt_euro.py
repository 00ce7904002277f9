"""CAMT.053 of banks in the euro area and of Switzerland."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made, Row

from .accounts import Book, book_of, dated, digits, draw, file_of, retold
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
from .voices import CH, DE, NL, NORDIC

EITHER = ("either: entry or details",)
CENT = Decimal("0.01")


def parts_of(value: Decimal, count: int, key: str) -> list[Decimal]:
    """Amounts that make up this one together."""
    chance = random.Random(f"parts {key}")
    weights = [chance.randint(10, 60) for _ in range(count)]
    parts = [(value * weight / sum(weights)).quantize(CENT) for weight in weights[:-1]]
    return [*parts, value - sum(parts, Decimal(0))]


def sparkasse() -> Made:
    """German: the balance before is PRCD, not OPBD; the code of the booking is proprietary."""
    book, dialect = draw("sparkasse", "EUR", DE, date(2024, 2, 1), count=9), Dialect()
    code = "<BkTxCd><Prtry><Cd>NDDT+105+00931</Cd><Issr>DK</Issr></Prtry></BkTxCd>"
    entries = [
        replace(one, before_details="", told="FOLGELASTSCHRIFT") for one in plain_entries(dialect, book)
    ]
    text = document(dialect, statement(dialect, book, ends(book, "PRCD"), entries, bank="COLSDE33"))
    text = text.replace("</Domn>\n</BkTxCd>", f"</Domn>\n{code[len('<BkTxCd>') :]}")
    label = "Sparkasse KölnBonn, camt.053.001.02: PRCD in the place of OPBD"
    return file_of(book, "2024-02-28_camt053.xml", text, label, states_both_ends=True)


def commerzbank() -> Made:
    """Six balances; the available ones are neither the begin nor the end."""
    book, dialect = draw("commerz camt", "EUR", DE, date(2024, 4, 1), count=8), Dialect(8)
    balances = (
        balance("OPAV", book.opening + 5000, "EUR", book.first)
        + ends(book)
        + balance("CLAV", book.closing + 5000, "EUR", book.last)
        + balance("FWAV", book.closing + 4888, "EUR", book.last + timedelta(days=1))
    )
    entries = plain_entries(dialect, book)
    text = document(
        dialect, statement(dialect, book, balances, entries, bank="COBADEFF", between=summary(book.rows))
    )
    label = "Commerzbank, camt.053.001.08: status as a code, available balances with an overdraft"
    return file_of(book, "C53_20240430.xml", text, label, states_both_ends=True)


def ubs() -> Made:
    """A credit of many slips is one booking with several details."""
    dialect = Dialect(4)
    drawn = draw("ubs camt", "CHF", CH, date(2024, 5, 2), count=7)
    book = retold(drawn, {2: ("Sammelgutschrift QR-Rechnung", Decimal("1840.35"))})
    entries = plain_entries(dialect, book)
    row = book.rows[2]
    slips = [
        detail(
            dialect,
            part,
            "CHF",
            f"Rechnungsempfänger {n}",
            "",
            remittance=f"<Strd><CdtrRefInf><Tp><CdOrPrtry><Prtry>QRR</Prtry></CdOrPrtry></Tp>"
            f"<Ref>{digits(f'qr {n}', 27)}</Ref></CdtrRefInf></Strd>",
        )
        for n, part in enumerate(parts_of(row.amount, 4, "ubs"), 1)
    ]
    btch = f'<Btch><NbOfTxs>4</NbOfTxs><TtlAmt Ccy="CHF">{row.amount}</TtlAmt></Btch>'
    entries[2] = replace(entries[2], details=[btch, *slips], told=row.text)
    text = document(dialect, statement(dialect, book, ends(book), entries, bank="UBSWCHZH80A"))
    label = "UBS, camt.053.001.04: a batch with four details"
    return file_of(book, "camt.053_P_CH12.xml", text, label, states_both_ends=True, notes=EITHER)


def postfinance() -> Made:
    """The fee is taken out of what is credited: the detail tells the gross amount, the entry what was booked."""
    book, dialect = draw("postfinance", "CHF", CH, date(2024, 9, 2), count=7), Dialect(8)
    entries = plain_entries(dialect, book)
    for place, row in enumerate(book.rows):
        if row.amount < 0:
            continue
        fee, gross = Decimal("1.20"), row.amount + Decimal("1.20")
        charge = (
            f'<Chrgs><TtlChrgsAndTaxAmt Ccy="CHF">{fee}</TtlChrgsAndTaxAmt><Rcrd>{amount(fee, "CHF")}'
            f"<CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>true</ChrgInclInd></Rcrd></Chrgs>"
        )
        entries[place] = replace(
            entries[place],
            before_details=charge,
            details=[
                detail(
                    dialect,
                    row.amount,
                    "CHF",
                    row.text,
                    "Einzahlung am Schalter",
                    amounts=f"<AmtDtls><InstdAmt>{amount(gross, 'CHF')}</InstdAmt>"
                    f"<TxAmt>{amount(gross, 'CHF')}</TxAmt></AmtDtls>",
                )
            ],
        )
    text = document(dialect, statement(dialect, book, ends(book), entries, bank="POFICHBEXXX"), compact=True)
    label = "PostFinance, camt.053.001.08: fees inside of the entry, gross amounts in the details"
    return file_of(book, "camt053_20240930_Z4.xml", text, label, states_both_ends=True)


def raiffeisen() -> Made:
    """A reversal's CdtDbtInd is the direction of the reversal itself; RvslInd turns nothing around."""
    dialect = Dialect(4)
    drawn = draw("raiffeisen", "CHF", CH, date(2024, 3, 4), count=8)
    back = ("Rückbuchung Lastschrift Sunrise", Decimal("64.90"))
    undone = ("Storno Gutschrift Twint", Decimal("-120.00"))
    book = retold(drawn, {3: back, 6: undone})
    entries = plain_entries(dialect, book)
    for place in (3, 6):
        entries[place] = replace(entries[place], is_reversal=True)
    text = document(dialect, statement(dialect, book, ends(book), entries, bank="RAIFCH22XXX"))
    label = "Raiffeisen Schweiz, camt.053.001.04: RvslInd on a credit and on a debit"
    return file_of(book, "camt053_raiffeisen.xml", text, label, states_both_ends=True)


def abn_amro() -> Made:
    book, dialect = draw("abn camt", "EUR", NL, date(2023, 9, 1), count=8), Dialect(prefix="ns2")
    text = document(
        dialect, statement(dialect, book, ends(book, "PRCD"), plain_entries(dialect, book), bank="ABNANL2A")
    )
    label = "ABN AMRO, camt.053.001.02: every tag with a prefix"
    return file_of(book, "CAMT053_442201100.xml", text.replace("\n", "\r\n"), label, states_both_ends=True)


def rabobank() -> Made:
    """Overdrawn at both ends, entries without details, text only in the entry."""
    dialect = Dialect()
    book = draw("rabo camt", "EUR", NL, date(2024, 6, 3), count=7, opening=Decimal("-4210.07"))
    entries = [Entry(row, "EUR", told=row.text) for row in book.rows]
    text = document(dialect, statement(dialect, book, ends(book), entries, bank="RABONL2U"))
    assert book.closing < 0
    label = "Rabobank, camt.053.001.02: overdrawn at both ends, no details"
    return file_of(book, "CAMT.053_RABO.xml", text, label, states_both_ends=True)


def nordea() -> Made:
    """Accounts in two currencies in one message."""
    dialect = Dialect()
    books = [
        draw(f"nordea fi {currency}", currency, NORDIC, date(2024, 10, 1), count=count)
        for currency, count in (("EUR", 6), ("SEK", 4))
    ]
    statements = [
        statement(dialect, book, ends(book), plain_entries(dialect, book), bank="NDEAFIHH", number=n)
        for n, book in enumerate(books, 40)
    ]
    label = "Nordea Finland, camt.053.001.02: two statements, EUR and SEK"
    return file_of(
        books, "NDEAFIHH_XE_20241031.xml", document(dialect, *statements), label, states_both_ends=True
    )


def swedbank() -> Made:
    """Booked shortly after midnight in Tallinn, when it was still the day before at Greenwich."""
    book, dialect = draw("swedbank", "EUR", NORDIC, date(2024, 7, 1), count=7), Dialect()
    entries = [
        replace(one, booked=f"<DtTm>{one.row.day}T00:{n + 12}:05.000+03:00</DtTm>")
        for n, one in enumerate(plain_entries(dialect, book))
    ]
    text = document(dialect, statement(dialect, book, ends(book), entries, bank="HABAEE2X"))
    label = "Swedbank Estonia, camt.053.001.02: BookgDt with time and zone, just past midnight"
    return file_of(book, "statement_EE.xml", text, label, states_both_ends=True)


def belfius() -> Made:
    """Booked on the second of January what was of value in December, and the other way around."""
    dialect = Dialect()
    drawn = draw("belfius", "EUR", NL, date(2023, 12, 27), count=6, span=12)
    book = dated(drawn, {0: date(2023, 12, 28), 5: date(2024, 1, 9)})
    shifts = (0, 3, -2, 1, 0, -8)
    entries = [
        replace(one, value=one.row.day + timedelta(days=shift))
        for one, shift in zip(plain_entries(dialect, book), shifts, strict=True)
    ]
    text = document(
        dialect, statement(dialect, book, ends(book), entries, bank="GKCCBEBB"), encoding="ISO-8859-1"
    )
    label = "Belfius, camt.053.001.02: value dates days off, over New Year, ISO-8859-1"
    return file_of(book, "belfius.xml", text, label, encoding="iso-8859-1", states_both_ends=True)


def volksbank() -> Made:
    """One debit was lost; its summary and its balances still count it."""
    book, dialect = draw("volksbank camt", "EUR", DE, date(2024, 8, 1), count=10), Dialect(8)
    gap = next(n for n, row in enumerate(book.rows) if row.amount < 0 and n > 2)
    entries = plain_entries(dialect, book, gap)
    text = document(
        dialect, statement(dialect, book, ends(book), entries, bank="GENODEF1", between=summary(book.rows))
    )
    label = "Volksbank Lindau, camt.053.001.08: one entry is missing that the summary counts"
    return file_of(book, "camt053_voba.xml", text, label, gap=gap, states_both_ends=True)


def luxembourg() -> Made:
    """A payroll is booked as one debit, and its details name who was paid; the file has the ending .txt."""
    dialect = Dialect(6)
    drawn = draw("bcee", "EUR", NL, date(2024, 11, 4), count=5)
    book = retold(drawn, {1: ("Salaires novembre", Decimal("-6410.88"))})
    entries = plain_entries(dialect, book)
    paid = [
        detail(dialect, part, "EUR", f"Employee {n}", "SALA")
        for n, part in enumerate(parts_of(book.rows[1].amount, 3, "bcee"), 1)
    ]
    entries[1] = replace(entries[1], details=paid, told=book.rows[1].text)
    text = document(dialect, statement(dialect, book, ends(book), entries, bank="BCEELULL"))
    label = "Spuerkeess, camt.053.001.06: payroll batch as one debit"
    return file_of(book, "BCEE-camt.txt", text, label, states_both_ends=True, notes=EITHER)


def pending_of(book: Book, dialect: Dialect, *codes: str) -> list[Entry]:
    """Entries that are not booked, one for each status named; days before the last booking, as banks mix them."""
    return [
        Entry(
            Row(book.rows[-1].day, f"Vormerkung {n}", Decimal(f"-{17 * n}.45")),
            book.currency,
            status=code,
            told=f"Vormerkung {n}",
        )
        for n, code in enumerate(codes, 1)
    ]


def empty_month() -> Made:
    """Nothing was booked; the balances are the same."""
    dialect = Dialect(3)
    book = book_of("EUR", Decimal("902.11"), [], date(2024, 5, 1), date(2024, 5, 31))
    balances = ends(book) + balance("CLAV", book.closing, "EUR", book.last)
    text = document(dialect, statement(dialect, book, balances, [], bank="AIBKIE2D"))
    label = "Allied Irish Banks, camt.053.001.03: a month without an entry"
    return file_of(book, "aib_may.xml", text, label, states_both_ends=True)


def made() -> list[Made]:
    return [
        sparkasse(),
        commerzbank(),
        ubs(),
        postfinance(),
        raiffeisen(),
        abn_amro(),
        rabobank(),
        nordea(),
        swedbank(),
        belfius(),
        volksbank(),
        luxembourg(),
        empty_month(),
    ]
