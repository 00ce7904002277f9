"""Records of every shape an axis can have, each with a legal next state and an illegal one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Column, MetaData, String, Table, Text

from interlock import App, Axis, Machine, Workflow, operator, retry
from tests.kinds import EXTRACTION, PROCESSING, UPLOAD, domains, themes, uploads

REVIEW = Machine(
    "review",
    initial="draft",
    moves={
        "draft": ["sent"],
        "sent": ["accepted", "broken"],
        "accepted": [operator("draft")],
        "broken": [retry("draft")],
    },
)
PRINTING = Machine("printing", initial="idle", moves={"idle": ["set"], "set": ["printed"]})


def papers() -> Workflow:
    """Two independent axes in one row, without rules between them."""
    table = Table("papers", MetaData(), Column("id", String(40), primary_key=True), Column("note", Text))
    axes = [Axis("review", REVIEW, prefix="review_"), Axis("printing", PRINTING, prefix="printing_")]
    return Workflow("papers", records=table, axes=axes)


@dataclass(frozen=True)
class Subject:
    """One axis of one record, and what may and may not be done with it."""

    make: Callable[[], Workflow]
    kind: str
    axis: str
    table: str
    id: Any
    first: str | None
    legal: str
    illegal: str
    definition: Machine
    others: tuple[Any, ...]
    prefix: str = ""
    key_column: str = "id"
    id_column: str = "id"
    scope: str = ""
    scope_column: str = ""
    note: str = "note"
    noted: str = "7"
    row: Mapping[str, Any] = field(default_factory=dict)

    @property
    def version_column(self) -> str:
        return f"{self.prefix}version"

    @property
    def head_column(self) -> str:
        return f"{self.prefix}head"

    @property
    def where(self) -> str:
        return f"{self.key_column} = ?" + (f" AND {self.scope_column} = ?" if self.scope else "")

    @property
    def key(self) -> tuple[Any, ...]:
        return (self.id, self.scope) if self.scope else (self.id,)

    @property
    def machine(self) -> str:
        return self.definition.fingerprint[:16]

    def admit(self, app: App) -> None:
        """The subject and others like it."""
        for id in (self.id, *self.others):
            app.admit(self.kind, {self.id_column: id, **self.row})


SUBJECTS = {
    "one axis": Subject(
        uploads,
        "statements",
        "status",
        "uploads",
        "u1",
        "queued_for_parse",
        "parsing",
        "normalized",
        UPLOAD,
        ("u2", "u3"),
        note="observations_count",
    ),
    "two axes": Subject(
        papers,
        "papers",
        "review",
        "papers",
        "p1",
        "draft",
        "sent",
        "accepted",
        REVIEW,
        ("p2", "p3"),
        prefix="review_",
    ),
    "null state": Subject(
        domains,
        "domains",
        "processing_status",
        "domains",
        1,
        None,
        "Queued",
        "Complete",
        PROCESSING,
        (2, 3),
        prefix="processing_",
        note="title",
    ),
    "scoped": Subject(
        themes,
        "themes",
        "status",
        "article_pipeline_state",
        1,
        "pending",
        "in_progress",
        "processed",
        EXTRACTION,
        (2, 3),
        key_column="article_id",
        scope="technical",
        scope_column="pipeline",
        note="last_attempt_at",
        noted="2026-01-01T00:00:00.000000Z",
    ),
}
