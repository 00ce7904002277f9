"""Wells Fargo: five columns without a header, with a star in the third; and the newer table with one."""

from __future__ import annotations

from ..mapping import CsvMapping, Leg, When

MAPPINGS = (
    CsvMapping(
        "wells_fargo_csv",
        layout="without header",
        columns=("Date", "Amount", "Star", "Check Number", "Description"),
        date="Date",
        description=("Description",),
        legs=(Leg("Amount"),),
        fits=(When("Star", r"\*?"), When("Check Number", r"\d*")),
        certainty=0.9,
    ),
    CsvMapping(
        "wells_fargo_csv",
        layout="with header",
        header=("Date", "Description", "Amount", "Check #|Check Number", "Status"),
        date="Date",
        description=("Description",),
        legs=(Leg("Amount"),),
        skip=(When("Status", "pending"),),
    ),
)
