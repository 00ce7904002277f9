"""Trades of an investment account in OFX: each is a row of its own kind, and one that moves cash is also money in or out."""

from __future__ import annotations

from decimal import Decimal

from ...parsed import ObservedRow, Parsed, RowError
from ..amounts import amount_of
from ..dates import read_date
from ..text import joined
from .statement import Statement, Trade

WITHOUT_CASH = {"REINVEST", "TRANSFER", "SPLIT", "JRNLSEC", "JRNLFUND", "CLOSUREOPT"}
"""What moves shares, or cash from one pocket of the account to another."""
ACTIONS = {
    "BUY": "Buy",
    "SELL": "Sell",
    "INCOME": "Income",
    "REINVEST": "Reinvest",
    "INVEXPENSE": "Expense",
    "MARGININTEREST": "Margin interest",
    "RETOFCAP": "Return of capital",
    "TRANSFER": "Transfer",
    "SPLIT": "Split",
    "JRNL": "Journal",
    "CLOSUREOPT": "Option closed",
}


def read_trade(
    parsed: Parsed, statement: Statement, trade: Trade, symbols: dict[str, str], decimal: str, row_id: int
) -> None:
    """Add the trade as a row, or the error that keeps it from being one."""
    values = trade.values
    day = values.get("DTTRADE") or values.get("DTSETTLE", "")
    if read_date(day, "ymd") is None:
        parsed.errors.append(
            RowError(
                "DATE_UNPARSABLE",
                f"{trade.kind} of account {statement.account}: {day[:40]!r} is not a date",
                row_id,
            )
        )
        return
    total = values.get("TOTAL", "")
    value = amount_of(total, decimal) if total else None
    if value is None and trade.kind not in WITHOUT_CASH:
        parsed.errors.append(
            RowError(
                "AMOUNT_UNPARSABLE" if total else "AMOUNT_MISSING",
                f"{trade.kind} of account {statement.account} on {day[:8]}: {total[:40]!r} is not an amount",
                row_id,
            )
        )
        return
    action = next(name for prefix, name in ACTIONS.items() if trade.kind.startswith(prefix))
    identifier = values.get("UNIQUEID", "")
    details = {
        "action": values.get("INCOMETYPE", "") or action,
        "symbol": symbols.get(identifier, identifier),
        "quantity": values.get("UNITS", ""),
        "price": values.get("UNITPRICE", ""),
    }
    moves_cash = trade.kind not in WITHOUT_CASH and value not in (None, Decimal(0))
    parsed.rows.append(
        ObservedRow(
            row_id,
            day,
            joined((action, details["quantity"], details["symbol"], values.get("MEMO", ""))),
            total if moves_cash else "0",
            values.get("CURSYM", "") or statement.currency or "USD",
            statement.account,
            decimal_separator=decimal,
            date_format="ymd",
            reference=values.get("FITID", ""),
            kind="trade" if moves_cash else "position",
            trade=tuple((name, text) for name, text in details.items() if text),
        )
    )
