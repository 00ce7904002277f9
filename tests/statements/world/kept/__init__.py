"""Two more sets of statements of known truth, made by others who had not seen the readers. Their files are kept as they were made, with
their truth beside them: a line for each file in `exports.jsonl`, `exchange.jsonl` and `papers.jsonl`. What the second set showed was
mended; the third nobody who mended anything had seen. Banks are real ones by form only; accounts, people and money are invented."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Literal

from ..truth import Made, Row

ROOMS = ("exports", "exchange", "papers")
HERE = Path(__file__).parent


def kept_files(which: Literal["second", "third"], *rooms: str) -> Iterator[Made]:
    """Every file of these rooms of a set; of all where none is named."""
    for room in rooms or ROOMS:
        for line in (HERE / which / f"{room}.jsonl").read_text("utf-8").splitlines():
            truth = json.loads(line)
            yield Made(
                truth["name"],
                (HERE / which / room / truth["file"]).read_bytes(),
                tuple(Row(date.fromisoformat(day), "", Decimal(amount)) for day, amount in truth["rows"]),
                truth["currency"],
                truth["label"],
                truth.get("states_both_ends", False),
                truth.get("is_incomplete", False),
                tuple(truth.get("notes", ())),
                tuple(truth.get("currencies", ())),
            )
