"""Converts values of the app to those of the client contract (ids, rows and facts as JSON has them), and refuses what no client takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from ..errors import BadDeclaration, BadInput
from ..observe.records.listing import AxisState, Filter, filter_of
from ..operations.describe import describe_operation
from ..operations.preview import Preview
from ..store.records import api_keys as keys
from ..store.records.operations import Operation as StoredOperation
from ..workflow import Answer, Move
from ..workflow.durations import span
from .contract import MOST_ROWS_UNDER_A_KEY
from .plain import plain
from .values import (
    ApiKey,
    Id,
    Operation,
    OperationItem,
    OperationPreview,
    RecordFilter,
    Row,
)


class Undo(Exception):
    """Raised to leave a transaction so that it is rolled back."""


def plain_id(id: Any) -> Any:
    """An id as JSON has it: a number, or text."""
    return id if id is None or isinstance(id, int) else str(plain(id))


def plain_move(move: Move) -> Move:
    return replace(move, id=plain_id(move.id), facts=plain(move.facts))


def plain_answer(answer: Answer) -> Answer:
    """The answer as a service gives it: ids and facts as JSON has them."""
    driven = [plain_move(move) for move in answer.driven]
    return replace(answer, id=plain_id(answer.id), driven=driven)


def finite(value: Any) -> Any:
    """The value without numbers that JSON cannot write; those are null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: finite(one) for name, one in value.items()}
    return [finite(one) for one in value] if isinstance(value, list) else value


def places(where: Sequence[Mapping[str, Any]]) -> list[AxisState]:
    return [AxisState(**place) for place in where]


def filter_in(wanted: RecordFilter) -> Filter:
    return filter_of(
        wanted.pairs(),
        axis=wanted.axis,
        scope=wanted.scope,
        error=wanted.error,
        older=wanted.older,
        younger=wanted.younger,
        text=wanted.text,
    )


def refuse_empty(id: Id) -> None:
    if id is None or id == "":
        raise BadInput("a record is named by its id, which is never empty")


def refuse_many(rows: Sequence[Row], key: str | None) -> None:
    if key is not None and len(rows) > MOST_ROWS_UNDER_A_KEY:
        raise BadInput(f"a key holds for at most {MOST_ROWS_UNDER_A_KEY} rows, not {len(rows)}")


def preview_of(preview: Preview) -> OperationPreview:
    return OperationPreview(**plain(preview.as_dict()))


def operation_of(operation: StoredOperation) -> Operation:
    row = describe_operation(operation)
    return Operation(**{**row, "wanted": plain(row["wanted"])})


def item_of(row: Mapping[str, Any]) -> OperationItem:
    """An item from its words in the API."""
    renamed = {{"from": "old", "to": "new"}.get(name, name): value for name, value in row.items()}
    return OperationItem(**renamed)


def progress_of(progress: Callable[[Operation], None] | None) -> Callable[[StoredOperation], None]:
    return lambda operation: None if progress is None else progress(operation_of(operation))


def key_of(key: keys.Key, now: datetime, secret: str | None = None) -> ApiKey:
    return ApiKey(**asdict(key), state=key.state(now), key=secret)


def length_of(text: str) -> Any:
    try:
        return span(text)
    except BadDeclaration as error:
        raise BadInput(error.message, hint=error.hint) from error
