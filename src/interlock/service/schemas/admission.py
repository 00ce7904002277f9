"""The shapes of requests and answers about records that come in."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from .records import Entry
from .shape import Id, Problem, Reason, Shape

Row = dict[str, Any]
MOST = 1_000


class AdmitCommand(BaseModel):
    """One row, or several; values are as JSON has them, instants and dates as ISO 8601 text, exact numbers as text or numbers."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"example": {"row": {"id": "c7", "author": "bob"}, "reason": "sent by the editor"}},
    )
    row: Row | None = None
    rows: list[Row] | None = Field(None, min_length=1, max_length=MOST)
    reason: Reason | None = None


class Admitted(Shape):
    """What came of one row; a record that was there already is named, and left as it is."""

    kind: str
    id: Id
    outcome: Literal["admitted", "exists"]
    new_status: str | None
    version: int | None
    driven: list[Entry]
    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "kind": "content",
                "id": "c7",
                "outcome": "admitted",
                "new_status": "DRAFT",
                "version": 0,
                "driven": [],
            }
        }
    )


class AdmittedRow(Shape):
    """What came of one row among several; what was refused carries the problem."""

    id: Id | None
    outcome: Literal["admitted", "exists", "refused", "conflict"]
    new_status: str | None
    version: int | None
    driven: list[Entry]
    problem: Problem | None


class AdmittedRows(Shape):
    """An answer for every row, in the order they were given."""

    kind: str
    outcomes: dict[str, int]
    answers: list[AdmittedRow]
