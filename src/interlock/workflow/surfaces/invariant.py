"""An invariant that a workflow declares over its own tables: a statement, and a select of whatever breaks it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Select

from ...errors import BadDeclaration


@dataclass(frozen=True, eq=False)
class Invariant:
    """`offending` selects the ids of the records that break the statement; `check` reports each of them under the invariant's id.

    `repair` is the command that mends what breaks it, for invariants that are mended without a decision of a person; `check` names it.
    """

    id: str
    statement: str
    offending: Select[Any]
    severity: Literal["error", "warning"] = "error"
    repair: str = ""

    def __post_init__(self) -> None:
        if not self.id or not self.statement:
            raise BadDeclaration(
                "an invariant needs an id and a statement",
                hint='Write Invariant("paid-before-sent", "What is sent was paid for", select(orders.c.id).where(…)).',
            )
        if self.severity not in ("error", "warning"):
            raise BadDeclaration(
                f"invariant {self.id}: severity is 'error' or 'warning', not {self.severity!r}",
                hint="Leave it out for 'error'.",
            )
