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
        parsed.warnings.append(mismatch(balance))


def assume(parsed: Parsed, message: str, topic: str = "") -> None:
    """Note once that something was taken for certain which the file does not state."""
    if all(remark.message != message for remark in parsed.assumptions):
        parsed.assumptions.append(Remark(message, topic=topic))


def mismatch(balance: Balance) -> Remark:
    """The warning that an account's rows do not lead from its beginning to its end."""
    return Remark(
        f"account {balance.account or '(unnamed)'}: beginning balance {balance.beginning} and the rows' sum {balance.total} "
        f"make {balance.beginning + balance.total}, but the ending balance is {balance.ending}",
        topic="balance",
    )
