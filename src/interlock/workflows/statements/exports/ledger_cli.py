"""A journal for ledger-cli, which hledger reads too: one entry for each row, both sides written out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from .accounts import money_account_of, purpose_account
from .contract import Row, one_line, plain

# A semicolon begins a comment, a bar divides payee and note; brackets around a comment's day would be a date.
_PAYEE = str.maketrans({";": ",", "|": "/"})
_NOTE = str.maketrans({";": ",", "[": "(", "]": ")", ":": "-"})


def ledger_cli(rows: Iterable[Row]) -> Iterator[str]:
    """Entries in the order of the rows; those that a person should look at are pending."""
    for row in rows:
        yield entry(row)


def entry(row: Row) -> str:
    amount = Decimal(row["amount"])
    day = str(plain(row["date"])).replace("-", "/")
    mark = "!" if "manual_review_required" in row["flags"] else "*"
    payee = one_line(row["merchant"]).translate(_PAYEE) or "Unknown"
    money, purpose = (
        money_account_of(row),
        purpose_account(row["category"], amount),
    )
    lines = [f"{day} {mark} ({row['observation_id']}) {payee}", f"    ; canonical_id: {row['canonical_id']}"]
    if description := one_line(row["description"]).translate(_NOTE):
        lines.append(f"    ; description: {description}")
    if row["flags"]:
        lines.append(f"    ; :{':'.join(row['flags'])}:")
    lines += [f"    {money}  {amount:f} {row['currency']}", f"    {purpose}  {-amount:f} {row['currency']}"]
    return "\n".join(lines) + "\n\n"
