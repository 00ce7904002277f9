"""Apple Card: purchases are printed positive and payments negative, so the sign is turned."""

from __future__ import annotations

from ..mapping import CsvMapping, Leg

MAPPINGS = (
    CsvMapping(
        "apple_card_csv",
        layout="card",
        header=("Transaction Date", "Clearing Date", "Description", "Merchant", "Amount (USD)"),
        date="Transaction Date",
        is_card=True,
        description=("Description|Merchant",),
        legs=(Leg("Amount (USD)", "inverted"),),
        dates=("mdy", "ymd"),
    ),
)
