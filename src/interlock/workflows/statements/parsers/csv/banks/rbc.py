"""Royal Bank of Canada: one amount column per currency."""

from __future__ import annotations

from ..mapping import CsvMapping, Leg

MAPPINGS = (
    CsvMapping(
        "rbc_csv",
        layout="account",
        header=("Account Type", "Account Number", "Transaction Date", "Description 1", "CAD$"),
        date="Transaction Date",
        description=("Description 1", "Description 2"),
        legs=(Leg("CAD$", currency="CAD"), Leg("USD$", currency="USD")),
        account="Account Number",
        currency="CAD",
        dates=("mdy", "dmy", "ymd"),
    ),
)
