"""Venmo: title lines, an empty first column, balances in the first and last row; what a bank or card paid is not in the balance."""

from __future__ import annotations

from ..mapping import CsvMapping, Leg, When

MAPPINGS = (
    CsvMapping(
        "venmo_csv",
        layout="statement",
        header=("ID", "Datetime", "Type", "Status", "Amount (total)"),
        date="Datetime",
        description=("Note|Type", "From", "To"),
        legs=(Leg("Amount (total)"),),
        dates=("ymd", "mdy"),
        beginning="Beginning Balance",
        ending="Ending Balance",
        unique="ID",
        skip=(When("Status", "(?:pending|failed|cancell?ed|expired|declined|reversed|held).*"),),
        not_in_balance=(
            (When("Amount (total)", r"\s*-.*"), When("Funding Source", "(?!venmo balance).+")),
            (When("Amount (total)", r"\s*[+$\d].*"), When("Destination", "(?!venmo balance).+")),
        ),
    ),
)
