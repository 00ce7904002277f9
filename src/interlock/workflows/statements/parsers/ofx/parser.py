"""The parser of OFX and QFX files: rows as printed, one account after another."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal

from ...parsed import ObservedRow, Parsed, ParseFault, Remark, RowError, assume
from ..amounts import amount_of, decimal_mark
from ..contract import Document
from ..dates import read_date
from ..media import looks_like_ofx
from ..text import decode, joined
from .header import charset
from .investments import read_trade
from .left_out import transactions_of
from .statement import Answer, Contents, Statement, Transaction, collect, every_transaction

MIME = "application/x-ofx"
LONGEST_TO_POST = timedelta(days=31)
CUT_OFF = "the file ends before its statement does; it may be cut off"
_OUT = {"DEBIT", "CHECK", "ATM", "POS", "FEE", "SRVCHG", "PAYMENT", "DIRECTDEBIT", "REPEATPMT"}


@dataclass(slots=True)
class _Reading:
    parsed: Parsed
    decimal: str
    symbols: dict[str, str]
    next_id: int = 0
    seen: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class OfxParser:
    """Any bank's OFX 1 (SGML) and OFX 2 (XML), and QFX, which is OFX with one element more."""

    parser_id: str = "ofx"
    version: str = "1.0.0"
    source_type: str = "ofx"

    def confidence(self, document: Document) -> float:
        return 0.99 if looks_like_ofx(document.text_head) else 0.0

    def parse(self, document: Document) -> Parsed:
        text = decode(document.content, charset(document.content))
        if not looks_like_ofx(text):
            raise ParseFault("LAYOUT_MISMATCH", "no <OFX> was found in the file")
        contents = collect(text)
        parsed = Parsed(self.parser_id, self.version, self.source_type, MIME)
        _answers(contents, parsed)
        if not contents.is_ofx:
            raise ParseFault("LAYOUT_MISMATCH", "the file has an OFX header and no <OFX> after it")
        reading = _Reading(
            parsed,
            decimal_mark(
                (transaction.values.get("TRNAMT", "") for transaction in every_transaction(contents)),
                has_groups=False,
            ),
            contents.symbols,
        )
        if not contents.statements:
            raise ParseFault(
                "OFX_NO_STATEMENT",
                "the file is OFX and has no statement of an account in it (STMTRS, CCSTMTRS)",
            )
        _tell_apart(contents.statements)
        for statement in contents.statements:
            _read_statement(reading, statement)
        _describe(parsed, contents)
        if contents.is_cut_off:
            parsed.warnings.append(Remark(CUT_OFF))
        if not parsed.rows and not parsed.errors:
            parsed.is_stated_empty = not contents.is_cut_off and all(
                statement.has_list for statement in contents.statements
            )
            parsed.warnings.append(
                Remark(
                    "the file has no transactions", severity="info" if parsed.is_stated_empty else "warning"
                )
            )
        return parsed


def _tell_apart(statements: list[Statement]) -> None:
    """Put the bank's code before account numbers that accounts of two banks in the file have alike."""
    banks: dict[str, set[str]] = {}
    for one in statements:
        banks.setdefault(one.account, set()).add(one.bank)
    for one in statements:
        if len(banks[one.account] - {""}) > 1:
            one.account = f"{one.bank} {one.account}".strip()


def _describe(parsed: Parsed, contents: Contents) -> None:
    """What the file states about itself: bank, kind of account, period, closing balance."""
    statements = contents.statements
    kinds = {_account_type(statement) for statement in statements}
    firsts = [day for statement in statements if (day := read_date(statement.first, "ymd"))]
    lasts = [day for statement in statements if (day := read_date(statement.last, "ymd"))]
    parsed.institution = contents.institution
    banks = sorted({statement.bank for statement in statements if statement.bank})
    parsed.bank_code = " ".join(banks) or contents.institution_id
    parsed.layout = f"ofx {contents.institution}"
    parsed.account_type = kinds.pop() if len(kinds) == 1 else ""
    parsed.period = (min(firsts, default=None), max(lasts, default=None))
    parsed.currency = statements[0].currency
    closings = [statement.ledger_balance for statement in statements if statement.ledger_balance]
    value = amount_of(closings[0], decimal_mark(closings, has_groups=False)) if len(closings) == 1 else None
    parsed.stated_closing = None if value is None else f"{value:f}"


def _account_type(statement: Statement) -> str:
    if statement.kind != "STMTRS":
        return {"CCSTMTRS": "credit_card", "INVSTMTRS": "investment"}[statement.kind]
    return {"SAVINGS": "savings", "MONEYMRKT": "savings", "CD": "savings", "CREDITLINE": "loan"}.get(
        statement.account_type, "checking"
    )


def _answers(contents: Contents, parsed: Parsed) -> None:
    """A refusal by the server instead of a statement is a fault; beside statements, an error; a mere warning is passed on."""
    for answer in contents.answers:
        if answer.code.lstrip("0") == "":
            continue
        message = f"the bank's server answered {_describe_answer(answer)}"
        if answer.severity in ("INFO", "WARN"):
            parsed.warnings.append(Remark(message))
        elif any(statement.transactions for statement in contents.statements):
            parsed.errors.append(RowError("OFX_ERROR", message))
        else:
            raise ParseFault("OFX_ERROR", message)


def _describe_answer(answer: Answer) -> str:
    return f"code {answer.code}" + (f": {answer.message[:200]}" if answer.message else "")


def _read_statement(reading: _Reading, statement: Statement) -> None:
    parsed = reading.parsed
    statement.transactions = transactions_of(parsed, statement, reading.decimal)
    unsigned = _is_unsigned(statement, reading.decimal)
    agreeing, contradicting = _signs_by_type(statement, reading.decimal)
    turned = not unsigned and contradicting > 1 and not agreeing
    for transaction in statement.transactions:
        _read_transaction(reading, statement, transaction, unsigned, turned)
    if contradicting and not unsigned:
        account = statement.account
        parsed.warnings.append(
            Remark(
                f"account {account} prints every debit as plus and every credit as minus; taken as their types say"
                if turned
                else f"account {account} has {_counted(contradicting)} whose type contradicts the sign; taken as signed",
                topic="signs",
            )
        )
    if unsigned:
        parsed.warnings.append(
            Remark(
                f"account {statement.account} prints debits without a minus; their type says that money went out"
            )
        )
    if statement.pending:
        parsed.rows_skipped += statement.pending
        parsed.warnings.append(
            Remark(
                f"{_counted(statement.pending, 'pending ')} of account {statement.account} skipped",
                severity="info",
            )
        )
    for trade in statement.trades:
        read_trade(parsed, statement, trade, reading.symbols, reading.decimal, reading.next_id)
        reading.next_id += 1
    if statement.ledger_balance:
        is_empty = statement.has_list and not (statement.transactions or statement.trades)
        parsed.warnings.append(
            Remark(
                f"account {statement.account} ends at {statement.ledger_balance}; "
                + (
                    "its list of transactions is empty"
                    if is_empty
                    else "OFX states no beginning, so the sum is not checked"
                ),
                severity="info",
            )
        )


def _counted(number: int, kind: str = "") -> str:
    return f"{number} {kind}transaction{'' if number == 1 else 's'}"


def _is_unsigned(statement: Statement, decimal: str) -> bool:
    """OFX wants a sign; a few banks leave it to the type. Only if no amount of the account is negative and debits exist beside credits."""
    values = [
        (one.values.get("TRNTYPE", "").upper(), amount_of(one.values.get("TRNAMT", ""), decimal))
        for one in statement.transactions
    ]
    return (
        bool(values)
        and all(value is not None and value >= 0 for _, value in values)
        and any(kind in _OUT and value for kind, value in values)
        and any(kind in ("CREDIT", "DEP", "DIRECTDEP", "INT") for kind, _ in values)
    )


def _signs_by_type(statement: Statement, decimal: str) -> tuple[int, int]:
    """How many transactions of the types DEBIT and CREDIT have the sign of their type, and how many the other."""
    agreeing = contradicting = 0
    for one in statement.transactions:
        kind, value = one.values.get("TRNTYPE", "").upper(), amount_of(one.values.get("TRNAMT", ""), decimal)
        if value and kind in ("DEBIT", "CREDIT"):
            agreeing, contradicting = (
                (agreeing + 1, contradicting)
                if (value > 0) == (kind == "CREDIT")
                else (agreeing, contradicting + 1)
            )
    return agreeing, contradicting


def _read_transaction(
    reading: _Reading, statement: Statement, transaction: Transaction, unsigned: bool, turned: bool
) -> None:
    values, parsed = transaction.values, reading.parsed
    if _repeated(reading, statement, values):
        return
    problem = _problem(values, reading.decimal)
    if problem is not None:
        parsed.errors.append(
            RowError(
                problem[0],
                f"transaction {values.get('FITID', '?')[:40]} of account {statement.account}: {problem[1]}",
                reading.next_id,
            )
        )
        reading.next_id += 1
        return
    if not (values.get("CURRENCY.CURSYM") or values.get("CURRENCY") or statement.currency):
        assume(parsed, "the file names no currency; USD is assumed", "currency")
    out = unsigned and values.get("TRNTYPE", "").upper() in _OUT
    sign: Literal[1, -1] = -1 if out or turned else 1
    parsed.rows.append(
        ObservedRow(
            reading.next_id,
            _date(values),
            describe(values),
            values["TRNAMT"],
            _currency(values, statement),
            statement.account,
            sign,
            decimal_separator=reading.decimal,
            date_format="ymd",
            posted_date=_posted(values),
            reference=values.get("FITID", "") or values.get("CHECKNUM", ""),
        )
    )
    reading.next_id += 1


def _date(values: dict[str, str]) -> str:
    """The day of the transaction: DTUSER where it lies a month at most before that of posting, or where that is missing."""
    made, posted = values.get("DTUSER", ""), values.get("DTPOSTED", "")
    if not made or not posted:
        return made or posted
    first, last = read_date(made, "ymd"), read_date(posted, "ymd")
    is_before = first is not None and last is not None and timedelta(0) <= last - first <= LONGEST_TO_POST
    return made if is_before else posted


def _posted(values: dict[str, str]) -> str:
    """The day of posting, where it is another than that of the transaction."""
    posted = values.get("DTPOSTED", "")
    return posted if posted and read_date(posted, "ymd") != read_date(_date(values), "ymd") else ""


def _problem(values: dict[str, str], decimal: str) -> tuple[str, str] | None:
    if not values.get("TRNAMT"):
        return "AMOUNT_MISSING", "TRNAMT is missing"
    if amount_of(values["TRNAMT"], decimal) is None:
        return "AMOUNT_UNPARSABLE", f"TRNAMT {values['TRNAMT'][:40]!r} is not an amount"
    if read_date(_date(values), "ymd") is None:
        return "DATE_UNPARSABLE", f"DTPOSTED {_date(values)[:40]!r} is not a date"
    return None


def _currency(values: dict[str, str], statement: Statement) -> str:
    """CURRENCY says that the amount is in another currency than the account's; ORIGCURRENCY only where it came from."""
    return (values.get("CURRENCY.CURSYM") or values.get("CURRENCY") or statement.currency or "USD").upper()


def describe(values: dict[str, str]) -> str:
    """NAME or PAYEE, then MEMO, without repetition; a check without words is its number."""
    text = joined(
        (values.get("NAME") or values.get("PAYEE.NAME") or values.get("PAYEE", ""), values.get("MEMO", ""))
    )
    if text:
        return text
    kind = values.get("TRNTYPE", "").capitalize()
    return f"{kind} {values['CHECKNUM']}".strip() if values.get("CHECKNUM") else kind


def _repeated(reading: _Reading, statement: Statement, values: dict[str, str]) -> bool:
    """The same FITID twice in an account: an identical transaction is a repetition, another one is kept and said."""
    identifier = values.get("FITID", "")
    if not identifier:
        return False
    first = reading.seen.setdefault((statement.account, identifier), values)
    if first is values:
        return False
    if first == values:
        reading.parsed.rows_skipped += 1
        reading.parsed.warnings.append(
            Remark(
                f"FITID {identifier[:40]} of account {statement.account} is repeated identically; the repetition is skipped"
            )
        )
        return True
    reading.parsed.warnings.append(
        Remark(
            f"FITID {identifier[:40]} of account {statement.account} names two different transactions; both are kept",
            reading.next_id,
        )
    )
    return False
