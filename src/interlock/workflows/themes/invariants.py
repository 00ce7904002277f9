"""E1-INV-001 to 007: what must hold between items, pipeline states, mentions and the ledger, as a versioned spec with a query for each."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any, Final

from sqlalchemy import (
    Integer,
    Select,
    Text,
    and_,
    cast,
    column,
    exists,
    func,
    literal,
    not_,
    or_,
    select,
    table,
    tuple_,
    union_all,
)

from interlock import Invariant

from .compat import FAILED, PARSE_FAILURE
from .tables import ID, PIPELINES, STATUSES, content_items, content_sources, is_fed, pipeline_state

SPEC: Final = "adr_e1_pipeline_scoped_processing_state_v1.invariants.json"
MOST_ATTEMPTS: Final = 5
FINAL_CODES: Final = ("provider_quota_exhausted", "provider_rejected")
TRANSITIONS: Final = (
    ("pending", "in_progress"),
    ("in_progress", "processed"),
    ("in_progress", "failed_retryable"),
    ("in_progress", "failed_terminal"),
    ("failed_retryable", "in_progress"),
    ("failed_retryable", "failed_terminal"),
)
RESETS: Final = (("processed", "pending"), ("failed_terminal", "pending"))
EXEMPT_ORIGINS: Final = ("backfill", "legacy")
REPAIRS: Final = {
    "E1-INV-005": "interlock mirror repair themes",
}
"""Commands that mend what breaks an invariant without a decision of a person; what breaks the others needs one."""
_ledger = table(
    "interlock_ledger",
    *(
        column(name)
        for name in ("kind", "record_id", "axis", "scope", "from_state", "to_state", "origin", "role")
    ),
    column("version", Integer),
)
_adoption = table("interlock_adoption", column("id"), column("phase"))
_counters = [
    table(name, *(column(one) for one in ("kind", "axis", "scope", "state")), column(number, Integer))
    for name, number in (("interlock_counter", "count"), ("interlock_count_delta", "delta"))
]


@cache
def read_spec() -> dict[str, Any]:
    """Return the versioned spec: invariants with id, severity and statement, and accepted deviations."""
    spec: dict[str, Any] = json.loads(files(__package__).joinpath(SPEC).read_text(encoding="utf-8"))
    return spec


def invariants() -> list[Invariant]:
    """Return the executable invariants. Asked once the workflow has its tables: the engine has added `status` to them by then."""
    return [
        Invariant(
            one["id"], one["statement"], QUERIES[one["id"]](), one["severity"], REPAIRS.get(one["id"], "")
        )
        for one in read_spec()["invariants"]
    ]


def count_exempt() -> Select[Any]:
    """Count the entries that E1-INV-002 does not judge: where history begins for items of an older system, and what that wrote since."""
    entry = _ledger.c
    return (
        select(func.count())
        .select_from(_ledger)
        .where(entry.kind == "themes", entry.axis == "status", entry.origin.in_(EXEMPT_ORIGINS))
    )


def _rows() -> Any:
    return pipeline_state.c


def _doubled_or_lost() -> Select[Any]:
    rows, other = _rows(), pipeline_state.alias()
    doubled = exists().where(
        other.c.content_item_id == rows.content_item_id,
        other.c.pipeline == rows.pipeline,
        other.c.id != rows.id,
    )
    there = exists().where(content_items.c.id == rows.content_item_id)
    return (
        select(rows.content_item_id)
        .where(or_(doubled, not_(there), rows.pipeline.not_in(PIPELINES)))
        .distinct()
    )


def _illegal_transitions() -> Select[Any]:
    """Items with a status or a transition that the contract does not know, or whose history begins elsewhere than in `pending`; a reset
    needs the role that made it."""
    entry, rows = _ledger.c, _rows()
    made = tuple_(entry.from_state, entry.to_state)
    is_shortcut = and_(
        entry.version > 0,
        entry.from_state != entry.to_state,
        made.not_in(TRANSITIONS),
        or_(made.not_in(RESETS), entry.role.is_(None)),
    )
    illegal = select(cast(entry.record_id, ID).label("item")).where(
        entry.kind == "themes",
        entry.axis == "status",
        entry.origin.not_in(EXEMPT_ORIGINS),
        or_(is_shortcut, and_(entry.version == 0, entry.to_state != "pending")),
    )
    unknown = select(rows.content_item_id.label("item")).where(rows.status.not_in(STATUSES))
    both = union_all(illegal, unknown).subquery()
    return select(both.c.item).distinct()


def _failures_as_success() -> Select[Any]:
    rows = _rows()
    return (
        select(rows.content_item_id)
        .where(
            or_(
                and_(
                    rows.status == "processed", or_(rows.error_code.is_not(None), rows.processed_at.is_(None))
                ),
                and_(rows.status != "processed", rows.processed_at.is_not(None)),
                and_(rows.status == "failed_retryable", rows.error_code.in_(FINAL_CODES)),
            )
        )
        .distinct()
    )


def _attempts_without_metadata() -> Select[Any]:
    rows = _rows()
    return (
        select(rows.content_item_id)
        .where(
            or_(
                rows.attempt_count > MOST_ATTEMPTS,
                rows.attempt_count < 0,
                and_(rows.status.in_(("processed", "failed_terminal")), rows.attempt_count < 1),
                and_(rows.status != "pending", rows.last_attempt_at.is_(None)),
                and_(rows.status.in_(FAILED), rows.error_code.is_(None)),
            )
        )
        .distinct()
    )


def _disagreeing_compat_fields() -> Select[Any]:
    """Items whose flags differ from what the states mean. An item without a row is left as it is, and so is one of which nothing but
    a backfill is in the ledger: its flags are those of the older system. In the last phase of the adoption nobody reads the flags."""
    item, rows, later = content_items.c, _rows(), pipeline_state.alias()
    mine = rows.content_item_id == item.id
    any_row = exists().where(mine)
    unfinished = exists().where(mine, rows.status != "processed")
    failed = exists().where(mine, rows.status.in_(FAILED))
    is_newest = not_(
        exists().where(
            later.c.content_item_id == rows.content_item_id,
            later.c.status.in_(FAILED),
            or_(
                later.c.since > rows.since,
                and_(later.c.since == rows.since, later.c.pipeline > rows.pipeline),
            ),
        )
    )
    newest_is_parse = exists().where(
        mine, rows.status.in_(FAILED), rows.error_code == PARSE_FAILURE, is_newest
    )
    done = and_(any_row, not_(unfinished))
    expects_true = or_(done, and_(failed, not_(newest_is_parse)))
    ours = exists().where(
        _ledger.c.kind == "themes",
        _ledger.c.record_id == cast(item.id, Text),
        _ledger.c.origin.not_in(EXEMPT_ORIGINS),
    )
    is_done = exists().where(_adoption.c.id == "themes.status", _adoption.c.phase == "done")
    return select(item.id).where(
        any_row,
        ours,
        not_(is_done),
        or_(
            and_(expects_true, not_(item.is_processed)),
            and_(not_(expects_true), or_(item.is_processed, item.processed_at.is_not(None))),
            and_(failed, item.extraction_error.is_(None)),
            and_(not_(failed), item.extraction_error.is_not(None)),
        ),
    )


def _miscounted() -> Select[Any]:
    """Pipelines with a status whose kept count is not the number of rows, as `pipeline:status`."""
    rows = _rows()
    kept = [
        select(one.c.scope.label("pipeline"), one.c.state.label("status"), list(one.c)[-1].label("n")).where(
            one.c.kind == "themes", one.c.axis == "status"
        )
        for one in _counters
    ]
    real = select(
        rows.pipeline.label("pipeline"), rows.status.label("status"), literal(-1, Integer).label("n")
    ).where(rows.version.is_not(None))
    every = union_all(*kept, real).subquery()
    return (
        select(cast(every.c.pipeline, Text) + ":" + cast(every.c.status, Text))
        .group_by(every.c.pipeline, every.c.status)
        .having(func.sum(every.c.n) != 0)
    )


def _apart_from_the_ledger() -> Select[Any]:
    """Items with a row that is not where its newest entry put it, or in progress for a pipeline that its source does not feed."""
    rows, entry = _rows(), _ledger.c
    mine = and_(
        entry.kind == "themes",
        entry.axis == "status",
        entry.record_id == cast(rows.content_item_id, Text),
        entry.scope == rows.pipeline,
        entry.version == rows.version,
        entry.to_state == rows.status,
    )
    fed = (
        exists()
        .where(
            content_items.c.id == rows.content_item_id,
            content_sources.c.id == content_items.c.source_id,
            is_fed(rows.pipeline),
        )
        .correlate(pipeline_state)
    )
    return (
        select(rows.content_item_id)
        .where(
            rows.version.is_not(None),
            or_(not_(exists().where(mine)), and_(rows.status == "in_progress", not_(fed))),
        )
        .distinct()
    )


QUERIES: Final[dict[str, Callable[[], Select[Any]]]] = {
    "E1-INV-001": _doubled_or_lost,
    "E1-INV-002": _illegal_transitions,
    "E1-INV-003": _failures_as_success,
    "E1-INV-004": _attempts_without_metadata,
    "E1-INV-005": _disagreeing_compat_fields,
    "E1-INV-006": _miscounted,
    "E1-INV-007": _apart_from_the_ledger,
}
