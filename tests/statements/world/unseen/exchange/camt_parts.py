"""The parts of an ISO 20022 account statement, as the versions of its schema want them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from xml.sax.saxutils import escape

from tests.statements.world.truth import Row

from .accounts import Book, digits


@dataclass(frozen=True)
class Dialect:
    """A version of the schema, and how an institution writes it."""

    version: int = 2
    message: str = "053"
    prefix: str = ""
    has_namespace: bool = True
    domain: str = "PMNT"

    @property
    def space(self) -> str:
        return f"urn:iso:std:iso:20022:tech:xsd:camt.{self.message}.001.{self.version:02d}"

    def status(self, code: str) -> str:
        return f"<Sts><Cd>{code}</Cd></Sts>" if self.version >= 7 else f"<Sts>{code}</Sts>"

    def party(self, role: str, name: str) -> str:
        inner = f"<Nm>{escape(name)}</Nm>"
        return f"<{role}><Pty>{inner}</Pty></{role}>" if self.version >= 7 else f"<{role}>{inner}</{role}>"


@dataclass(frozen=True)
class Entry:
    """A booked line, with what is told of it beside its amount."""

    row: Row
    currency: str
    value: date | None = None
    status: str = "BOOK"
    is_reversal: bool = False
    before_details: str = ""
    details: Sequence[str] = ()
    told: str = ""
    booked: str = ""
    """Its booking date as written, where that is more than a day."""


def amount(value: Decimal, currency: str, name: str = "Amt") -> str:
    return f'<{name} Ccy="{currency}">{abs(value)}</{name}>'


def way(value: Decimal) -> str:
    return f"<CdtDbtInd>{'CRDT' if value >= 0 else 'DBIT'}</CdtDbtInd>"


def detail(
    dialect: Dialect,
    value: Decimal,
    currency: str,
    name: str,
    told: str,
    *,
    refs: str = "",
    amounts: str = "",
    remittance: str = "",
) -> str:
    """One transaction of an entry; later versions tell its amount and direction in places of their own."""
    roles = ("Dbtr", "Cdtr") if value >= 0 else ("Cdtr", "Dbtr")
    iban = f"DE{digits(name, 20)}"
    own = f"{amount(value, currency)}{way(value)}" if dialect.version >= 3 else ""
    dtls = amounts or f"<AmtDtls><TxAmt>{amount(value, currency)}</TxAmt></AmtDtls>"
    info = remittance or f"<Ustrd>{escape(told)}</Ustrd>"
    return (
        f"<TxDtls><Refs>{refs}<EndToEndId>{digits(name + told, 12)}</EndToEndId></Refs>{own}{dtls}"
        f"<RltdPties>{dialect.party(roles[0], name)}"
        f"<{roles[0]}Acct><Id><IBAN>{iban}</IBAN></Id></{roles[0]}Acct></RltdPties>"
        f"<RmtInf>{info}</RmtInf></TxDtls>"
    )


def entry(dialect: Dialect, one: Entry, number: int) -> str:
    row, code = one.row, "RCDT" if one.row.amount > 0 else "ICDT"
    booked = one.booked or f"<Dt>{row.day}</Dt>"
    details = f"<NtryDtls>{''.join(one.details)}</NtryDtls>" if one.details else ""
    told = f"<AddtlNtryInf>{escape(one.told)}</AddtlNtryInf>" if one.told else ""
    return (
        f"<Ntry><NtryRef>{number}</NtryRef>{amount(row.amount, one.currency)}{way(row.amount)}"
        f"{'<RvslInd>true</RvslInd>' if one.is_reversal else ''}{dialect.status(one.status)}"
        f"<BookgDt>{booked}</BookgDt><ValDt><Dt>{one.value or row.day}</Dt></ValDt>"
        f"<AcctSvcrRef>{digits(f'{row.day}{number}', 16)}</AcctSvcrRef>"
        f"<BkTxCd><Domn><Cd>{dialect.domain}</Cd><Fmly><Cd>{code}</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>"
        f"{one.before_details}{details}{told}</Ntry>"
    )


def plain_entries(dialect: Dialect, book: Book, gap: int | None = None) -> list[Entry]:
    """The rows of the book, each with one detail that names the counterparty."""
    return [
        Entry(
            row,
            book.currency,
            details=[detail(dialect, row.amount, book.currency, row.text, f"Ref {digits(row.text, 8)}")],
        )
        for row in book.printed(gap)
    ]


def balance(code: str, value: Decimal, currency: str, day: date, sub: str = "") -> str:
    kind = f"<Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry>{f'<SubTp><Cd>{sub}</Cd></SubTp>' if sub else ''}</Tp>"
    return f"<Bal>{kind}{amount(value, currency)}{way(value)}<Dt><Dt>{day}</Dt></Dt></Bal>"


def ends(book: Book, first: str = "OPBD", last: str = "CLBD") -> str:
    """The balances that the period begins and ends with."""
    return balance(first, book.opening, book.currency, book.first) + balance(
        last, book.closing, book.currency, book.last
    )


def summary(rows: Sequence[Row]) -> str:
    """What came in and what went out, counted."""
    sides = []
    for name, some in (
        ("TtlCdtNtries", [row.amount for row in rows if row.amount > 0]),
        ("TtlDbtNtries", [row.amount for row in rows if row.amount < 0]),
    ):
        sides.append(
            f"<{name}><NbOfNtries>{len(some)}</NbOfNtries><Sum>{abs(sum(some, Decimal(0)))}</Sum></{name}>"
        )
    return f"<TxsSummry>{''.join(sides)}</TxsSummry>"


def statement(
    dialect: Dialect,
    book: Book,
    balances: str,
    entries: Sequence[Entry],
    *,
    bank: str,
    number: int = 1,
    iban: str = "",
    between: str = "",
) -> str:
    """One Stmt of a statement, or one Rpt of a report."""
    name = "Rpt" if dialect.message == "052" else "Stmt"
    bic = "BICFI" if dialect.version >= 3 else "BIC"
    where = iban or f"{bank[4:6]}{digits(bank, 20)}"
    return (
        f"<{name}><Id>{digits(f'{bank}{number}', 14)}</Id><ElctrncSeqNb>{number}</ElctrncSeqNb>"
        f"<CreDtTm>{book.last}T21:04:11</CreDtTm>"
        f"<FrToDt><FrDtTm>{book.first}T00:00:00</FrDtTm><ToDtTm>{book.last}T23:59:59</ToDtTm></FrToDt>"
        f"<Acct><Id><IBAN>{where}</IBAN></Id><Ccy>{book.currency}</Ccy>"
        f"<Ownr><Nm>Werkstatt Lindenhof</Nm></Ownr>"
        f"<Svcr><FinInstnId><{bic}>{bank}</{bic}></FinInstnId></Svcr></Acct>"
        f"{balances}{between}{''.join(entry(dialect, one, n) for n, one in enumerate(entries, 1))}</{name}>"
    )


def document(
    dialect: Dialect, *statements: str, eol: str = "\n", encoding: str = "UTF-8", compact: bool = False
) -> str:
    """The message; lines are broken between tags, unless it is compact."""
    made = re.findall(r"<CreDtTm>.*?</CreDtTm>", statements[0])[0]
    root = "BkToCstmrAcctRpt" if dialect.message == "052" else "BkToCstmrStmt"
    lead = f"<GrpHdr><MsgId>{digits(statements[0], 16)}</MsgId>{made}</GrpHdr>"
    body = f"<Document><{root}>{lead}{''.join(statements)}</{root}></Document>"
    if dialect.prefix:
        body = re.sub(r"<(/?)(?=\w)", rf"<\1{dialect.prefix}:", body)
    if not compact:
        body = re.sub(r">(?=<)", f">{eol}", body)
    if dialect.has_namespace:
        mark, name = (
            (f":{dialect.prefix}", f"{dialect.prefix}:Document") if dialect.prefix else ("", "Document")
        )
        body = body.replace(f"<{name}>", f'<{name} xmlns{mark}="{dialect.space}">', 1)
    return f'<?xml version="1.0" encoding="{encoding}"?>{eol}{body}{eol}'
