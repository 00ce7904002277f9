"""Wise: the statement of one balance, and the history of all of them, where a line has a source, a target and fees."""

from __future__ import annotations

from ..mapping import CsvMapping, Leg, When

_OUT, _IN, _BETWEEN = (When("Direction", "out"),), (When("Direction", "in"),), (When("Direction", "neutral"),)
_SOURCE, _TARGET = "Source amount (after fees)", "Target amount (after fees)"

MAPPINGS = (
    CsvMapping(
        "wise_csv",
        layout="statement",
        header=("TransferWise ID|Wise ID|ID", "Date", "Amount", "Currency", "Running Balance"),
        date="Date",
        description=("Description", "Payment Reference"),
        legs=(Leg("Amount"),),
        currency_column="Currency",
        balance="Running Balance",
        balance_by=("Currency",),
        dates=("dmy", "ymd"),
        decimal="",
    ),
    CsvMapping(
        "wise_csv",
        layout="history",
        header=("ID", "Status", "Direction", _SOURCE, _TARGET),
        date="Finished on|Created on",
        description=("Target name", "Reference"),
        dates=("ymd", "dmy"),
        decimal="",
        skip=(When("Status", "(?!completed$).+"),),
        legs=(
            Leg(_SOURCE, "out", "Source currency", _OUT),
            Leg("Source fee amount", "out", "Source fee currency", _OUT, note="(fee)", only_if_not_zero=True),
            Leg(_TARGET, "in", "Target currency", _IN, description=("Source name", "Reference")),
            Leg(_SOURCE, "out", "Source currency", _BETWEEN),
            Leg(_TARGET, "in", "Target currency", _BETWEEN),
            Leg(
                "Source fee amount",
                "out",
                "Source fee currency",
                _BETWEEN,
                note="(fee)",
                only_if_not_zero=True,
            ),
        ),
    ),
)
