"""The schemas of requests and answers about sites, as the OpenAPI document shows them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from interlock.http import Reason, Shape

Decision = Literal["New", "Selected", "Maybe", "Discarded"]
Site = Annotated[str, Field(max_length=2_048, examples=["example.com"])]


class AddCommand(Shape):
    """Sites to add: one, or a list."""

    model_config = ConfigDict(extra="forbid")
    domain: Site | None = None
    domains: list[Site] | None = Field(None, min_length=1, max_length=10_000)
    curation_status: Decision | None = None
    reason: Reason | None = None


class AddedDomain(Shape):
    """What came of one site: `admitted`, `exists` with its id, or `refused` with why."""

    id: int | None
    outcome: str
    domain: str
    problem: str | None = None


class AddedDomains(Shape):
    domains: list[AddedDomain]


class AddedRecord(Shape):
    """What came of one line of a file: `admitted`, `exists` with its id, or `refused` with why."""

    id: int | None
    outcome: str
    record: str
    problem: str | None = None


class AddedRecords(Shape):
    records: list[AddedRecord]


class CurationCommand(Shape):
    """A decision about many: `ids`, or a `filter` on both statuses and on columns; an empty filter needs `all`."""

    model_config = ConfigDict(extra="forbid")
    curation_status: Decision
    reason: Reason
    ids: list[int] | None = Field(None, min_length=1, max_length=100_000)
    filter: dict[str, Any] | None = None
    all: bool = False


class Curated(Shape):
    """How many were decided anew, how many of them were queued, and what was refused; above 1,000 the operation that does it."""

    updated_count: int
    queued_count: int
    refused: list[dict[str, Any]]
    missing: list[int]
    operation: str | None = None


class AgainCommand(Shape):
    """Why work is to be done again."""

    model_config = ConfigDict(extra="forbid")
    reason: Reason


class RecordAnswer(Shape):
    """A record with both statuses."""

    model_config = ConfigDict(extra="allow")
    id: int
    curation_status: str
    processing_status: str | None


class RecordPage(Shape):
    records: list[dict[str, Any]]
    next: str | None
