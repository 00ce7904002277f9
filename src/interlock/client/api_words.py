"""Between the contract and the HTTP API: addresses and bodies of requests, and values from the JSON of answers."""

from __future__ import annotations

import inspect
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar
from urllib.parse import quote

from ..authority.transactions.answers import rebuilt
from ..errors import StoreUnavailable
from ..observe.records.listing import AxisState
from ..workflow import Answer, Move
from ..workflow.columns.instant import parse_instant
from .convert import refuse_empty
from .plain import plain
from .values import (
    ApiKey,
    BulkCommand,
    Id,
    Operation,
    RecordFilter,
)

# How long an answer may take, and one that reads the whole ledger; and how many rows one request carries.
ANSWER_SECONDS, LONG_SECONDS = 40.0, 660.0
PAGE = 500
Json = dict[str, Any]
Value = TypeVar("Value")


def segment(text: str) -> str:
    """A text as one segment of an address."""
    return quote(text, safe="")


def record_path(kind: str, id: Id) -> str:
    refuse_empty(id)
    return f"/{segment(kind)}/records/{segment(str(id))}"


def stage_path(kind: str, stage: str) -> str:
    return f"/{segment(kind)}/stages/{segment(stage)}"


def schedule_path(kind: str, schedule: str) -> str:
    return f"/{segment(kind)}/schedules/{segment(schedule)}"


def operation_path(id: str) -> str:
    return f"/operations/{segment(id)}"


def cursor_of(id: Id) -> str:
    """The cursor behind an id, as the pages of a service write it."""
    return urlsafe_b64encode(json.dumps(plain(id), ensure_ascii=False).encode()).decode().rstrip("=")


def id_behind(cursor: str) -> Id:
    """The id that a cursor of a service is behind."""
    found: Id = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    return found


def flag(yes: bool) -> str:
    return "true" if yes else "false"


def timed(row: Mapping[str, Any], *names: str) -> Json:
    """The row with these fields as instants."""
    return {**row, **{name: None if row[name] is None else parse_instant(row[name]) for name in names}}


def value_of(kind: type[Value], row: Mapping[str, Any], *instants: str) -> Value:
    """A value of this kind from an object of the API; fields that only a newer service has are left out."""
    known = {name: row[name] for name in inspect.signature(kind).parameters if name in row}
    try:
        return kind(**timed(known, *instants))
    except (KeyError, TypeError) as error:
        raise StoreUnavailable(
            f"the service answered a {kind.__name__} that lacks something: {error}",
            hint="Is it of a version like this one?",
        ) from error


def places(where: Iterable[Mapping[str, Any]]) -> list[AxisState]:
    return [value_of(AxisState, one, "since") for one in where]


def typed_pairs(wanted: RecordFilter) -> list[str]:
    return [f"{axis}={state}" for axis, state in wanted.pairs()]


def command_body(command: BulkCommand) -> Json:
    body = {one.name: getattr(command, one.name) for one in fields(command)}
    if command.filter is not None:
        body["filter"] = {**asdict(command.filter), "where": typed_pairs(command.filter)}
    body["facts"] = plain(command.facts)
    if command.ids is not None:
        body["ids"] = plain(list(command.ids))
    return body


def operation_of(row: Mapping[str, Any]) -> Operation:
    return value_of(Operation, row, "created_at", "started_at", "finished_at")


def key_of(row: Mapping[str, Any]) -> ApiKey:
    return value_of(ApiKey, row, "created_at", "expires_at", "revoked_at", "last_used_at")


def answer_of(row: Mapping[str, Any]) -> Answer:
    driven = [move_of(one) for one in row["driven"]]
    return Answer(row["id"], row["outcome"], row["old_status"], row["new_status"], row["version"], driven)


def admission_of(row: Mapping[str, Any]) -> Answer:
    problem = row["problem"]
    error = problem and rebuilt(problem["code"], problem["detail"], problem["hint"], problem["facts"])
    driven = [move_of(one) for one in row["driven"]]
    return Answer(row["id"], row["outcome"], None, row["new_status"], row["version"], driven, error)


def move_of(row: Mapping[str, Any]) -> Move:
    return Move(
        row["kind"],
        row["id"],
        row["axis"],
        row["scope"],
        row["version"],
        row["old_status"],
        row["new_status"],
        row["actor"],
        row["role"],
        row["reason"],
        row["trigger"],
        row["facts"],
        parse_instant(row["timestamp"]),
        row["origin"],
    )


def same_id(kept: Any, asked: Any) -> bool:
    """Whether an id of the ledger is the one that was asked for; UUIDs are typed with and without their hyphens."""
    one, other = str(kept), str(asked)
    return one == other or one.replace("-", "").lower() == other.replace("-", "").lower()
