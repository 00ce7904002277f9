"""Discover cards: charges are printed positive and payments negative, so the sign is turned."""

from __future__ import annotations

from ..mapping import CsvMapping, Leg

MAPPINGS = (
    CsvMapping(
        "discover_csv",
        layout="card",
        header=("Trans. Date|Trans Date", "Post Date", "Description", "Amount", "Category"),
        date="Trans. Date|Trans Date",
        is_card=True,
        description=("Description",),
        legs=(Leg("Amount", "inverted"),),
        dates=("mdy", "ymd"),
    ),
)
