"""Holds the rows of a file against the balances that it states itself; a mismatch is said, never hidden."""

from __future__ import annotations

from decimal import Decimal

from ..parsed import Balance, Parsed, Remark


def add_balance(
    parsed: Parsed,
    account: str,
    beginning: Decimal | None,
    ending: Decimal | None,
    total: Decimal,
    rows: int,
) -> None:
    """Keep what an account begins and ends at, and warn where its rows do not lead from one to the other."""
    if beginning is None or ending is None:
        parsed.warnings.append(
            Remark(
                f"account {account or '?'}: the file does not state both balances, so the sum is not checked",
                severity="info",
            )
        )
        return
    balance = Balance(account, beginning, ending, total, rows)
    parsed.balances.append(balance)
    if not balance.agrees:
        parsed.warnings.append(
            Remark(
                f"account {account or '?'}: beginning balance {beginning} and the rows' sum {total} make {beginning + total}, "
                f"but the ending balance is {ending}"
            )
        )
