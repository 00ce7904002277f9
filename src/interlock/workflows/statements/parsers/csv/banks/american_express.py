"""American Express: charges are printed positive and payments negative, so the sign is turned; with or without card member and details."""

from __future__ import annotations

from ..mapping import CsvMapping, Leg

_DATES = ("mdy", "dmy", "ymd")
_LEGS = (Leg("Amount", "inverted"),)

MAPPINGS = (
    CsvMapping(
        "amex_csv",
        layout="United Kingdom",
        header=("Date", "Description", "Amount", "Town/City", "Postcode"),
        date="Date",
        is_card=True,
        description=("Description",),
        legs=_LEGS,
        account="Account #",
        currency="GBP",
        dates=("dmy", "ymd"),
    ),
    CsvMapping(
        "amex_csv",
        layout="with card member",
        header=("Date", "Description", "Card Member|Cardmember", "Amount"),
        date="Date",
        is_card=True,
        description=("Description",),
        legs=_LEGS,
        account="Account #",
        dates=_DATES,
    ),
    CsvMapping(
        "amex_csv",
        layout="with details",
        header=("Date", "Description", "Amount", "Extended Details|Appears On Your Statement As"),
        date="Date",
        is_card=True,
        description=("Description",),
        legs=_LEGS,
        account="Account #",
        dates=_DATES,
    ),
    CsvMapping(
        "amex_csv",
        layout="short",
        header=("Date", "Description", "Amount"),
        date="Date",
        is_card=True,
        description=("Description",),
        legs=_LEGS,
        dates=_DATES,
        certainty=0.0,
    ),
)
"""The short layout is any bank's three columns: `auto` leaves it to the generic reader, which looks at what payments and charges say."""
