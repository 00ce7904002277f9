"""Entries of an OFX statement that are no transactions: those that a correction takes back, and balances that stand among the others."""

from __future__ import annotations

from decimal import Decimal

from ...parsed import Balance, Parsed, Remark
from ..amounts import amount_of
from ..csv.checks import BALANCE_LINE, BEGINNING
from .statement import Statement, Transaction


def transactions_of(parsed: Parsed, statement: Statement, decimal: str) -> list[Transaction]:
    """The transactions of a statement, without what is none of them; what is left out is counted and said in `parsed`."""
    left = _corrected(parsed, statement)
    return _without_balances(parsed, statement, left, decimal)


def _corrected(parsed: Parsed, statement: Statement) -> list[Transaction]:
    """CORRECTFITID names an entry that the one with CORRECTACTION replaces or deletes; a deleting entry is no transaction itself. Where not
    exactly one other entry has that id, none is left out, and a person should look."""
    entries = statement.transactions
    gone: set[int] = set()
    for place, one in enumerate(entries):
        corrects = one.values.get("CORRECTFITID", "")
        if not corrects:
            continue
        deletes = one.values.get("CORRECTACTION", "").upper() == "DELETE"
        others = [
            at for at, other in enumerate(entries) if at != place and other.values.get("FITID") == corrects
        ]
        gone |= {*others} if len(others) == 1 else set()
        gone |= {place} if deletes else set()
        where = {0: ", which another file has; it is not taken back there", 1: "; it is left out"}
        parsed.warnings.append(
            Remark(
                f"account {statement.account}: {one.values.get('FITID', '?')[:40]} {'deletes' if deletes else 'replaces'} "
                f"{corrects[:40]}{where.get(len(others), ', which several entries are called; all of them are kept')}",
                severity="info" if len(others) == 1 else "warning",
            )
        )
    parsed.rows_skipped += len(gone)
    return [one for place, one in enumerate(entries) if place not in gone]


def _without_balances(
    parsed: Parsed, statement: Statement, entries: list[Transaction], decimal: str
) -> list[Transaction]:
    """Leave out what is a balance by its words. Where the first of them and the rows make the last, or the ledger balance, that proves
    the rows; where they do not, a person should look."""
    balances = [one for one in entries if _is_balance(one)]
    if not balances:
        return entries
    rows = [one for one in entries if not _is_balance(one)]
    parsed.rows_skipped += len(balances)
    proof = _proof(statement, balances, rows, decimal)
    if proof is not None:
        parsed.balances.append(proof)
    number = f"{len(balances)} {'entry is a balance' if len(balances) == 1 else 'entries are balances'}"
    parsed.warnings.append(
        Remark(
            f"account {statement.account}: {number} by its words and no transaction; left out",
            severity="warning" if proof is None else "info",
        )
    )
    return rows


def _is_balance(entry: Transaction) -> bool:
    names = ("NAME", "PAYEE.NAME", "PAYEE", "MEMO")
    words = [value.strip() for name in names if (value := entry.values.get(name, ""))]
    return bool(words) and all(BALANCE_LINE.fullmatch(one[:120]) for one in words)


def _proof(
    statement: Statement, balances: list[Transaction], rows: list[Transaction], decimal: str
) -> Balance | None:
    """What the account begins and ends at, if the rows lead from one to the other."""
    amounts = [amount_of(one.values.get("TRNAMT", ""), decimal) for one in rows]
    begins = [_value(one, decimal) for one in balances if _begins(one)]
    ends = [_value(one, decimal) for one in balances if not _begins(one)]
    ends.append(amount_of(statement.ledger_balance, decimal) if statement.ledger_balance else None)
    if len(begins) != 1 or begins[0] is None or None in amounts:
        return None
    total = sum((value for value in amounts if value is not None), Decimal(0))
    if begins[0] + total not in ends:
        return None
    return Balance(statement.account, begins[0], begins[0] + total, total, len(rows))


def _begins(entry: Transaction) -> bool:
    return any(BEGINNING.match(value.strip()) for value in entry.values.values())


def _value(entry: Transaction, decimal: str) -> Decimal | None:
    return amount_of(entry.values.get("TRNAMT", ""), decimal)
