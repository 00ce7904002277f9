"""Citi cards: debits and credits in columns of their own; some exports print credits with a minus, which changes nothing."""

from __future__ import annotations

from ..mapping import CsvMapping, Leg, When

MAPPINGS = (
    CsvMapping(
        "citi_csv",
        layout="card",
        is_card=True,
        header=("Status", "Date", "Description", "Debit", "Credit"),
        date="Date",
        description=("Description",),
        legs=(Leg("Debit", "out"), Leg("Credit", "in")),
        skip=(When("Status", "pending"),),
        dates=("mdy", "ymd"),
    ),
)
