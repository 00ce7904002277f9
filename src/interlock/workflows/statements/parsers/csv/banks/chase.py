"""Chase: accounts, whose rows end in one comma more than the header, and cards in the present and the old layout."""

from __future__ import annotations

from ..mapping import CsvMapping, Leg, When

_PENDING = (When("Status", "pending"),)

MAPPINGS = (
    CsvMapping(
        "chase_csv",
        layout="account",
        header=("Details", "Posting Date", "Description", "Amount", "Type"),
        date="Posting Date",
        description=("Description",),
        legs=(Leg("Amount"),),
        balance="Balance",
        dates=("mdy", "ymd"),
    ),
    CsvMapping(
        "chase_csv",
        layout="card",
        is_card=True,
        header=("Transaction Date", "Post Date", "Description", "Category", "Type", "Amount"),
        date="Transaction Date",
        description=("Description",),
        legs=(Leg("Amount"),),
        account="Card",
        skip=_PENDING,
        dates=("mdy", "ymd"),
    ),
    CsvMapping(
        "chase_csv",
        layout="old card",
        is_card=True,
        header=("Type", "Trans Date", "Post Date", "Description", "Amount"),
        date="Trans Date",
        description=("Description",),
        legs=(Leg("Amount"),),
        dates=("mdy", "ymd"),
    ),
)
