"""The shapes of requests and answers about uploads, as the OpenAPI document shows them."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from interlock.http import Reason, Shape

AT = "2026-01-31T09:00:00.000000Z"


class Uploaded(Shape):
    """The upload that was made."""

    upload_id: str = Field(pattern=r"^UL_[a-zA-Z0-9]+$")
    status: str
    upload_log_ref: str
    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "upload_id": "UL_k3v9",
                "status": "queued_for_parse",
                "upload_log_ref": "/logs/uploads/UL_k3v9.log",
            }
        }
    )


class StatusMetadata(Shape):
    """Since when it is in its status, and who works on it, if anybody does."""

    started_at: datetime | None
    worker_id: str | None
    retry_count: int


class Upload(Shape):
    """An upload, with what people know its file by. `parse_log_ref` is there from parsing on and in error; `observations_count` from
    parsed on and in error; `normalizer_log_ref` from normalizing on and in error; `canonicals_count` only when normalized. What the
    parser learned about the file, from `reconciled` to `warnings_count`, is there from parsed on and in error; null is what the file
    does not state."""

    upload_id: str
    status: str
    version: int
    error_code: str | None
    error_message: str | None
    retry_count: int
    last_retry_at: datetime | None
    max_retries: int
    upload_log_ref: str
    status_metadata: StatusMetadata
    file_name: str
    source_type: str
    file_size_bytes: int
    file_hash: str
    created_at: datetime
    parse_log_ref: str = ""
    observations_count: int = 0
    normalizer_log_ref: str = ""
    canonicals_count: int = 0
    reconciled: Literal["yes", "no", "unknown"] | None = None
    opening_balance: str | None = None
    closing_balance: str | None = None
    statement_from: date | None = None
    statement_to: date | None = None
    currency: str | None = None
    account: str | None = None
    account_type: str | None = None
    institution: str | None = None
    rows_skipped: int | None = None
    warnings_count: int | None = None


class UploadReading(Shape):
    """One way to read an upload's rows; without an opening balance `closing_balance` is the sum alone. `currency` is there where nothing in
    the file names the present one and this one is likely too."""

    signs: Literal["as_read", "turned"]
    currency: str | None
    date_order: str | None
    decimal: str | None
    total: str
    closing_balance: str
    reconciles: Literal["yes", "no", "unknown"]
    is_current: bool


class ReadRow(Shape):
    """A row as a reading has it."""

    row_id: int
    description: str
    date: str
    amount: str | None
    currency: str


class TriedReading(Shape):
    """What comes out by a reading: rows, how many could not be read, their sum, whether balances agree, and the first of them."""

    rows: int
    unread: int
    total: str | None
    reconciles: Literal["yes", "no", "unknown"]
    first_rows: list[ReadRow]


class ColumnReading(TriedReading):
    """What comes out by other columns, as it was tried when the file was parsed."""

    columns: dict[str, str]


class Readings(Shape):
    """The ways in which all rows of an upload can be read, the present one first, and what other columns would give."""

    upload_id: str
    rows: int
    reconciled: Literal["yes", "no", "unknown"] | None
    opening_balance: str | None
    closing_balance: str | None
    readings: list[UploadReading]
    columns: list[ColumnReading]
    column_names: list[str] = Field(
        description="By which columns of a table are decided on; empty where it is none."
    )


class Interpretation(BaseModel):
    """How files of this bank and layout are read; what is left out stays as the parser reads it."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"example": {"signs": "turned", "apply": True, "reason": "charges are positive"}},
    )
    signs: Literal["", "as_read", "turned"] = Field(
        "",
        description="`as_read` confirms the signs as they are shown and ends the doubt about them; `turned` turns all of them round.",
    )
    currency: str = Field("", max_length=3)
    account: str = Field("", max_length=200)
    account_type: str = Field("", max_length=16, examples=["credit_card"])
    date_order: str = Field("", max_length=3)
    decimal: str = Field("", max_length=1)
    columns: dict[str, str] = Field(default_factory=dict, max_length=7)
    apply: bool = False
    earlier: bool = False
    reason: Reason | None = None


class ChangedRow(Shape):
    """A row as it is and as it would be."""

    row_id: int
    description: str
    before: dict[str, str | None]
    after: dict[str, str | None]


class EarlierUpload(Shape):
    """Another upload of the same bank and layout, earlier or later, that would be read otherwise, or that failed."""

    upload_id: str
    file_name: str
    status: str
    reconciled: str | None


class ReplacedDecision(Shape):
    """What an earlier decision about this bank and layout says of the parts that this one decides otherwise."""

    decision: dict[str, Any]
    decided_by: str
    reason: str
    decided_at: datetime


class Interpreted(Shape):
    """What a decision changes, or has changed."""

    upload_id: str
    applied: bool
    decision: dict[str, Any]
    institution: str | None
    total_before: str | None
    total_after: str | None
    closing_balance_after: str | None
    reading: TriedReading | None = Field(
        description="What comes out. Columns are tried when the file is parsed; null: these were not, and show once they are applied."
    )
    account_before: str | None
    account_after: str | None
    account_type_before: str | None
    account_type_after: str | None
    changes: list[ChangedRow] = Field(description="The first 500 rows that change.")
    changes_total: int | None = Field(description="How many rows change; null where columns are decided on.")
    version: int = Field(description="The upload's version as this was asked; send it as If-Match to apply.")
    replaces: ReplacedDecision | None
    earlier_uploads: list[EarlierUpload] = Field(
        description="The other uploads that the decision would change, whenever they came."
    )
    parsed_again: list[str] = Field(default_factory=list)


class KeptDecision(Shape):
    """How files of one bank, type of account and layout are read; `made_on` are the uploads on which a person decided it."""

    key: str
    institution: str | None
    decision: dict[str, Any]
    made_on: list[str]
    decided_by: str
    reason: str
    decided_at: datetime


class KeptDecisions(Shape):
    """Every decision that holds, the latest first."""

    decisions: list[KeptDecision]


class ReadUpload(Shape):
    """An upload that was read by a decision."""

    upload_id: str
    file_name: str
    status: str
    reconciled: str | None


class WithdrawnDecision(KeptDecision):
    """A decision that holds no longer, and the uploads that were read by it: they stay as they are until they are parsed again."""

    withdrawn_by: str
    withdrawn_because: str
    uploads: list[ReadUpload]


class ErasedUpload(Shape):
    """An upload that is gone; its history stays, without personal detail."""

    upload_id: str
    outcome: str
    version: int | None


class UploadWarning(Shape):
    """Something about the file, or about one of its rows, that a person should know."""

    message: str
    severity: Literal["info", "warning"]
    row_id: int | None = None


class Warnings(Shape):
    """Whether the rows of an upload are proved by its file's own balances, and what is in doubt."""

    upload_id: str
    reconciled: Literal["yes", "no", "unknown"] | None
    warnings_count: int | None
    warnings: list[UploadWarning]
    errors: list[dict[str, Any]]


class UploadPage(Shape):
    """Uploads, the newest first; `next` leads to the page behind, and is null on the last."""

    uploads: list[Upload]
    next: str | None


class Observation(Shape):
    """A row as it is printed."""

    upload_id: str
    row_id: int
    date: str
    description: str
    amount: str
    currency: str
    account: str
    source_type: str
    parser_id: str
    parser_version: str
    extracted_at: datetime
    warnings: list[str]
    posted_date: str
    reference: str
    source_category: str
    kind: Literal["cash", "trade", "position"]
    trade: dict[str, str] | None


class ObservationPage(Shape):
    """Rows of an upload in the order of the file."""

    upload_id: str
    observations: list[Observation]
    next: str | None


class Transaction(Shape):
    """A canonical transaction; money out is negative, and amounts are decimal texts."""

    canonical_id: str
    insertion_sequence: int
    upload_id: str
    observation_id: str
    date: date
    amount: str
    currency: str
    description: str
    merchant: str
    category: str
    account: str
    account_type: str
    flags: list[str]
    confidence_score: float
    applied_rules: list[Any]
    normalized_at: datetime
    normalizer_version: str
    rule_set_version: str
    file_name: str
    is_outdated: bool = Field(
        description="It is what an earlier reading made of an upload that is being read again, or could not be; exports leave it out."
    )


class TransactionPage(Shape):
    """Transactions in the order they were made."""

    transactions: list[Transaction]
    next: str | None


class StatusChange(Shape):
    """One change of status."""

    timestamp: datetime
    old_status: str | None
    new_status: str | None
    trigger: str | None
    actor: str
    reason: str | None
    version: int


class Timeline(Shape):
    """Every change of an upload's status, oldest first."""

    upload_id: str
    timeline: list[StatusChange]


class Event(BaseModel):
    """Something that happened; what else it says depends on what it is."""

    event_type: Literal[
        "upload.created", "parse.completed", "parse.failed", "normalize.completed", "normalize.failed"
    ]
    id: str
    upload_id: str
    timestamp: datetime
    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "example": {
                "event_type": "parse.completed",
                "id": "UL_k3v9:2",
                "upload_id": "UL_k3v9",
                "observations_count": 42,
                "parse_log_ref": "/logs/parse/UL_k3v9.log.json",
                "timestamp": AT,
            }
        },
    )


class Events(Shape):
    """What happened to an upload, oldest first."""

    upload_id: str
    events: list[Event]


class ErrorCount(Shape):
    """Uploads that carry the same error."""

    error_code: str
    error_message: str | None
    count: int
    example: str


class Monitoring(Shape):
    """How many uploads are where."""

    counts: dict[str, int]
    empty_successes: int
    errors: list[ErrorCount]


class RetryCommand(BaseModel):
    """Why it is tried again, if anybody says so; kept for ever."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"example": {"reason": "the file store answers again"}}
    )
    reason: Reason | None = None


class EraseCommand(BaseModel):
    """Why it is erased; kept for ever."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"example": {"reason": "asked by the customer"}}
    )
    reason: Reason
