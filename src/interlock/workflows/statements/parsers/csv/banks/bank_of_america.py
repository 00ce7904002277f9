"""Bank of America: accounts with a summary block before the header, and cards; money out is negative in both."""

from __future__ import annotations

from ..mapping import CsvMapping, Leg

MAPPINGS = (
    CsvMapping(
        "bofa_csv",
        layout="account",
        header=("Date", "Description", "Amount", "Running Bal."),
        date="Date",
        description=("Description",),
        legs=(Leg("Amount"),),
        balance="Running Bal.",
    ),
    CsvMapping(
        "bofa_csv",
        layout="card",
        header=("Posted Date", "Reference Number", "Payee", "Address", "Amount"),
        date="Posted Date",
        description=("Payee",),
        legs=(Leg("Amount"),),
    ),
)
