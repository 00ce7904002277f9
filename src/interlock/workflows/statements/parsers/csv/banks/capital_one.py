"""Capital One: cards with debit and credit columns; accounts with unsigned amounts and a word that says the direction."""

from __future__ import annotations

from ..mapping import CsvMapping, Leg, When

_TYPE = "Transaction Type"

MAPPINGS = (
    CsvMapping(
        "capital_one_csv",
        layout="card",
        is_card=True,
        header=("Transaction Date", "Posted Date", "Card No.|Card Number", "Description", "Debit", "Credit"),
        date="Transaction Date",
        description=("Description",),
        legs=(Leg("Debit", "out"), Leg("Credit", "in")),
        account="Card No.|Card Number",
        dates=("ymd", "mdy"),
    ),
    CsvMapping(
        "capital_one_csv",
        layout="account",
        header=("Account Number", "Transaction Description", "Transaction Date", _TYPE, "Transaction Amount"),
        date="Transaction Date",
        description=("Transaction Description",),
        account="Account Number",
        balance="Balance",
        dates=("mdy", "ymd"),
        legs=(
            Leg("Transaction Amount", "out", when=(When(_TYPE, "debit"),)),
            Leg("Transaction Amount", "in", when=(When(_TYPE, "credit"),)),
            Leg("Transaction Amount", when=(When(_TYPE, "(?!debit$|credit$).*"),)),
        ),
    ),
)
