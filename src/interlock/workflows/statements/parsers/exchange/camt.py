"""The parser of ISO 20022 account statements in XML: camt.053 (statement), camt.052 (report) and camt.054 (notification)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal
from xml.etree import ElementTree as ET

from ...parsed import (
    Balance,
    ObservedRow,
    Parsed,
    ParseFault,
    Remark,
    RowError,
    add_balance,
    assume,
    doubt_gaps,
)
from ..contract import Document
from ..dates import read_date
from ..stated_figures import Figures, disagreements
from ..text import joined

MIME = "application/xml"
LONGEST_COUNT = 10
_LOOKS = re.compile(r"camt\.05[234]|<(?:\w+:)?BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)\b")
_STATEMENTS = {"Stmt", "Rpt", "Ntfctn"}
BOOKED = ("", "BOOK", "BOOKED")
_OPENING, _CLOSING, _INTERIM = ("OPBD", "PRCD"), ("CLBD",), "ITBD"


def looks_like_camt(head: str) -> bool:
    return "<" in head[:200] and _LOOKS.search(head[:8192]) is not None


@dataclass(frozen=True)
class CamtParser:
    """Any bank's camt.052, .053 and .054, of every version."""

    parser_id: str = "camt"
    version: str = "1.0.0"
    source_type: str = "camt"

    def confidence(self, document: Document) -> float:
        return 0.99 if looks_like_camt(document.text_head) else 0.0

    def parse(self, document: Document) -> Parsed:
        if re.search(rb"<!(?:DOCTYPE|ENTITY)", document.content[:100_000], re.IGNORECASE):
            raise ParseFault(
                "LAYOUT_MISMATCH", "the file declares a document type or entities, which no CAMT file has"
            )
        try:
            root = ET.fromstring(document.content)
        except ET.ParseError as error:
            raise ParseFault("LAYOUT_MISMATCH", f"the file is not well-formed XML: {error}") from error
        statements = [element for element in root.iter() if _name(element) in _STATEMENTS]
        if not statements:
            raise ParseFault("CAMT_NO_STATEMENT", "the file has no statement, report or notification in it")
        parsed = Parsed(self.parser_id, self.version, self.source_type, MIME, names_directions=True)
        ends: dict[tuple[str, str], list[Balance]] = defaultdict(list)
        seen: dict[tuple[str, str], set[tuple[str, ...]]] = defaultdict(set)
        for statement in statements:
            _read_statement(parsed, statement, ends, seen)
        for balances in ends.values():
            doubt_gaps(parsed, balances)
        return parsed


def _name(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _all(element: ET.Element | None, path: str) -> Iterator[ET.Element]:
    """The elements at a path of names, whatever their namespace."""
    if element is None:
        return
    first, _, rest = path.partition("/")
    for child in element:
        if _name(child) == first:
            if rest:
                yield from _all(child, rest)
            else:
                yield child


def _first(element: ET.Element | None, *paths: str) -> ET.Element | None:
    return next((one for path in paths for one in _all(element, path)), None)


def _text(element: ET.Element | None, *paths: str) -> str:
    found = _first(element, *paths) if paths else element
    return " ".join((found.text or "").split()) if found is not None else ""


def _amount(element: ET.Element | None) -> Decimal | None:
    try:
        return Decimal(_text(element)) if element is not None else None
    except InvalidOperation:
        return None


def _read_statement(
    parsed: Parsed,
    statement: ET.Element,
    ends: dict[tuple[str, str], list[Balance]],
    seen: dict[tuple[str, str], set[tuple[str, ...]]],
) -> None:
    """Read the booked entries of one account; `ends` gets what it begins and ends at, by account and currency, and `seen` its entries."""
    account = _text(statement, "Acct/Id/IBAN", "Acct/Id/Othr/Id")
    currency = _text(statement, "Acct/Ccy")
    values: list[Decimal] = []
    before, skipped = len(parsed.rows), 0
    unknown: list[str] = []
    own: list[tuple[str, ...]] = []
    for entry in _all(statement, "Ntry"):
        status = _text(entry, "Sts/Cd", "Sts/Prtry", "Sts").upper()
        if status in ("PDNG", "INFO", "FUTR"):
            parsed.rows_skipped += 1
            skipped += 1
            parsed.warnings.append(
                Remark(
                    f"an entry of account {account} that is not booked ({status}) is skipped", severity="info"
                )
            )
            continue
        if status not in BOOKED:
            unknown.append(status)
        own.append(_key(entry))
        values.append(_read_entry(parsed, entry, account, currency))
    _doubt_entries(parsed, account, unknown, own, seen[account, currency])
    units = {row.currency for row in parsed.rows[before:]}
    opening, closing = _ends(parsed, statement, account, currency, units, sum(values, Decimal(0)))
    is_stated = closing is not None or bool(_balances(statement, _CLOSING))
    if not is_stated and _name(statement) == "Stmt":  # reports and notifications need not state any
        parsed.warnings.append(
            Remark(
                f"account {account or '?'}: the statement has no closing balance (CLBD); entries may be missing"
            )
        )
    balance = add_balance(
        parsed, account, opening, closing, sum(values, Decimal(0)), len(parsed.rows) - before
    )
    if not skipped:
        _check_summary(parsed, statement, account, values)
    if balance is not None:
        ends[account, currency].append(balance)
    _describe_statement(parsed, statement, currency)
    if not values:
        parsed.warnings.append(
            Remark(f"the statement of account {account} has no booked entries", severity="info")
        )


def _key(entry: ET.Element) -> tuple[str, ...]:
    """What tells an entry from others: day, amount, direction, and the bank's reference or what it is about."""
    about = _text(entry, "AcctSvcrRef", "NtryRef") or " ".join(map(describe, _all(entry, "NtryDtls/TxDtls")))
    return (_day(entry) or "", _text(entry, "Amt"), _text(entry, "CdtDbtInd"), about)


def _doubt_entries(
    parsed: Parsed,
    account: str,
    unknown: Sequence[str],
    own: Sequence[tuple[str, ...]],
    seen: set[tuple[str, ...]],
) -> None:
    """Warn of entries whose status is none that is known, and of those that an earlier statement of the account has too, as reports do
    that each hold the whole day; `seen` gets those of this one."""
    if unknown:
        names = ", ".join(sorted(set(unknown)))
        parsed.warnings.append(
            Remark(f"account {account or '?'}: entries with the status {names} are taken as booked")
        )
    again = sum(one in seen for one in own if one[-1])
    if again:
        entries = "1 entry stands" if again == 1 else f"{again} entries stand"
        parsed.warnings.append(
            Remark(
                f"account {account or '?'}: {entries} in an earlier statement of this file too; kept twice"
            )
        )
    seen.update(own)


def _check_summary(parsed: Parsed, statement: ET.Element, account: str, values: list[Decimal]) -> None:
    """Hold what a statement says of all its entries together against them: how many there are, and their sums. A page of several says it
    of all pages."""
    summary = _first(statement, "TxsSummry")
    if summary is None or _text(statement, "StmtPgntn/LastPgInd", "RptPgntn/LastPgInd") == "false":
        return
    if _text(statement, "StmtPgntn/PgNb", "RptPgntn/PgNb").lstrip("0") not in ("", "1"):
        return
    every, gains, losses = (_first(summary, name) for name in ("TtlNtries", "TtlCdtNtries", "TtlDbtNtries"))
    figures = Figures(_count(every), _count(gains), _count(losses), _sum(gains), _sum(losses))
    for remark in disagreements(figures, values):
        parsed.warnings.append(Remark(f"account {account or '?'}: {remark.message}"))
    net = _amount(_first(every, "TtlNetNtryAmt", "TtlNetNtry/Amt"))
    own = sum(values, Decimal(0))
    if net is not None and abs(net) != abs(own):
        parsed.warnings.append(
            Remark(
                f"account {account or '?'}: the file says that its entries come to {net}, and they make {own}"
            )
        )


def _count(element: ET.Element | None) -> list[int]:
    text = _text(element, "NbOfNtries") if element is not None else ""
    return [int(text)] if text.isdecimal() and len(text) < LONGEST_COUNT else []


def _sum(element: ET.Element | None) -> list[tuple[Decimal, ...]]:
    value = _amount(_first(element, "Sum"))
    return [] if value is None else [(value,)]


def _describe_statement(parsed: Parsed, statement: ET.Element, currency: str) -> None:
    """Period, currency and bank as the statement's head has them; of several statements the widest period."""
    days = [
        read_date(_text(statement, f"FrToDt/{name}")[:10], "ymd")
        for name in ("FrDtTm", "FrDt", "ToDtTm", "ToDt")
    ]
    firsts = [day for day in (parsed.period[0], days[0], days[1]) if day]
    lasts = [day for day in (parsed.period[1], days[2], days[3]) if day]
    parsed.period = (min(firsts, default=None), max(lasts, default=None))
    parsed.currency = parsed.currency or currency
    parsed.institution = parsed.institution or _text(
        statement,
        "Acct/Svcr/FinInstnId/Nm",
        "Acct/Svcr/FinInstnId/BICFI",
        "Acct/Svcr/FinInstnId/BIC",
    )


def _ends(
    parsed: Parsed, statement: ET.Element, account: str, currency: str, units: set[str], total: Decimal
) -> tuple[Decimal | None, Decimal | None]:
    """What a statement begins and ends at. An interim balance ends a page and begins the next one; it is taken for either where the
    entries lead to it. Balances in another currency than the entries prove nothing, and are said."""
    opening, closing = (_balances(statement, codes) for codes in (_OPENING, _CLOSING))
    foreign = units | {unit for _, unit in (*opening, *closing)}
    if len(foreign - {""}) > 1 or (currency and foreign - {"", currency}):
        names = ", ".join(sorted({*foreign, currency} - {""}))
        parsed.warnings.append(
            Remark(
                f"account {account or '?'} has entries and balances in {names}; its balances prove nothing",
                topic="currency",
            )
        )
        return None, None
    for name, found in (("opening", opening), ("closing", closing)):
        if len({value for value, _ in found}) > 1:
            parsed.warnings.append(
                Remark(
                    f"account {account or '?'} states several {name} balances: {', '.join(str(value) for value, _ in found)}",
                    topic="balance",
                )
            )
            return None, None
    first, last = (found[0][0] if found else None for found in (opening, closing))
    interim = [value for value, _ in _balances(statement, (_INTERIM,))]
    if last is None:
        start = interim[0] if first is None and interim else first
        ends = [value for value in interim if start is not None and start + total == value]
        return (start, ends[-1]) if ends else (first, None)
    if first is None:
        first = next((value for value in interim if value + total == last), None)
    return first, last


def _balances(statement: ET.Element, codes: tuple[str, ...]) -> list[tuple[Decimal, str]]:
    """The balances of the first of these kinds that is there, with their currencies."""
    for code in codes:
        found = [
            (value * _sign(balance), amount.get("Ccy", ""))
            for balance in _all(statement, "Bal")
            if _text(balance, "Tp/CdOrPrtry/Cd") == code
            and (amount := _first(balance, "Amt")) is not None
            and (value := _amount(amount)) is not None
        ]
        if found:
            return found
    return []


def _sign(element: ET.Element) -> Literal[1, -1]:
    return -1 if _text(element, "CdtDbtInd").upper().startswith("DBIT") else 1


def _read_entry(parsed: Parsed, entry: ET.Element, account: str, currency: str) -> Decimal:
    """Add the rows of an entry, and answer what it changes the balance by; a batch whose parts add up gives a row for each part."""
    amount = _first(entry, "Amt")
    value, day = _amount(amount), _day(entry)
    row_id = len(parsed.rows) + len(parsed.errors)
    if value is None or amount is None or day is None:
        problem = (
            ("AMOUNT_UNPARSABLE", "has no amount") if value is None else ("DATE_UNPARSABLE", "has no day")
        )
        name = _text(entry, "NtryRef", "AcctSvcrRef")[:40]
        parsed.errors.append(
            RowError(problem[0], f"entry {name!r} of account {account} {problem[1]}", row_id)
        )
        return Decimal(0)
    if not _text(entry, "CdtDbtInd"):
        parsed.errors.append(
            RowError(
                "AMOUNT_UNPARSABLE",
                f"entry of {day} of account {account} says neither credit nor debit of its amount {value}",
                row_id,
            )
        )
        return Decimal(0)
    sign, unit = _sign(entry), amount.get("Ccy") or currency or "EUR"
    if not amount.get("Ccy") and not currency:
        assume(parsed, "the file names no currency; EUR is assumed", "currency")
    details = list(_all(entry, "NtryDtls/TxDtls"))
    parts = [(one, _part_of(one, unit)) for one in details]
    if (
        len(parts) > 1
        and all(part is not None for _, part in parts)
        and sum(part or 0 for _, part in parts) == value * sign
    ):
        for detail, part in parts:
            assert part is not None
            _add(
                parsed,
                day,
                joined((describe(detail), _text(entry, "AddtlNtryInf"))),
                abs(part),
                unit,
                account,
                -1 if part < 0 else 1,
            )
        return value * sign
    about = joined((*(describe(one) for one in details[:3]), _text(entry, "AddtlNtryInf")))
    _add(parsed, day, about or _text(entry, "BkTxCd/Prtry/Cd", "AcctSvcrRef"), value, unit, account, sign)
    return value * sign


def _part_of(detail: ET.Element, unit: str) -> Decimal | None:
    amount = _first(detail, "Amt", "AmtDtls/TxAmt/Amt")
    value = _amount(amount)
    if (
        value is None
        or amount is None
        or amount.get("Ccy", unit) != unit
        or _first(detail, "CdtDbtInd") is None
    ):
        return None
    return value * _sign(detail)


def _add(
    parsed: Parsed, day: str, about: str, value: Decimal, unit: str, account: str, sign: Literal[1, -1]
) -> None:
    row_id = len(parsed.rows) + len(parsed.errors)
    parsed.rows.append(
        ObservedRow(
            row_id,
            day,
            about or "entry",
            format(value, "f"),
            unit,
            account,
            sign,
            decimal_separator=".",
            date_format="ymd",
        )
    )


def _day(entry: ET.Element) -> str | None:
    """The day of booking, else of value, as printed."""
    text = _text(entry, "BookgDt/Dt", "BookgDt/DtTm", "ValDt/Dt", "ValDt/DtTm")[:10]
    return text if read_date(text, "ymd") is not None else None


def describe(detail: ET.Element) -> str:
    """Who and what for: the other side's name, then the remittance."""
    is_out = _sign(detail) < 0 or _first(detail, "RltdPties/Cdtr") is not None
    names = ("RltdPties/Cdtr/Nm", "RltdPties/Cdtr/Pty/Nm", "RltdPties/UltmtCdtr/Nm")
    others = ("RltdPties/Dbtr/Nm", "RltdPties/Dbtr/Pty/Nm", "RltdPties/UltmtDbtr/Nm")
    name = _text(detail, *(names + others if is_out else others + names))
    purpose = " ".join(_text(one) for one in _all(detail, "RmtInf/Ustrd"))
    structured = _text(detail, "RmtInf/Strd/CdtrRefInf/Ref")
    return joined((name, purpose or structured, _text(detail, "AddtlTxInf")))
