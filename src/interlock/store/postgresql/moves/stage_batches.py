"""Begins and finishes whole batches of a stage inside the server: one statement each, and no row is fetched unless somebody asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from ....ids import random_bytes
from ....workflow.columns.instant import instant_text
from ...contract import BatchResult, FactColumn, MovedRow, Step
from ...entry import EntryTemplate, maybe
from ...placement import Placement, RecordTable
from ...queue.waiting import Queue
from ...sql import driver_literal as literal
from ...work.attempts import IS_UNIFORM, PLAIN_REPORT
from ...work.rows import WorkRows
from .move_context import sets_context_in_server
from .parameters import interval

_TOKENS = "(SELECT json_object_agg(record_id, token)::text FROM reports)"
_DIGESTS = "(SELECT json_object_agg(record_id, encode(digest, 'hex'))::text FROM reports)"


class Finish:
    """Reports of one stage that need no judging: their records move on, with their facts, and their work rows go. What is not in the
    expected state, or whose facts are not of their columns' types, is left to be judged."""

    def __init__(
        self, work: WorkRows, stage: str, step: Step, shape: str | None, columns: tuple[FactColumn, ...]
    ) -> None:
        self.work, self.stage, self.step, self.shape = work, stage, step, shape
        self.with_facts = shape is not None
        self.sql = self._sql(step.place, columns)

    def run(self, tx: Connection, scope: str, limit: int, at: datetime, *, wanted: bool) -> BatchResult:
        template = replace(self.step.template, at=at)
        values = {
            "stage": self.stage,
            "limit": limit,
            "wanted": wanted,
            "scan_start": self.work.scan_start.position,
            "scope": scope,
            **_context(template),
            **_body(template, scope, '"', digest=self.with_facts),
        }
        if self.with_facts:
            values |= {"shape": self.shape, "salts": random_bytes(16 * limit)}
        return _result(*self.work.run(tx, self.sql, values).fetchone())

    def _sql(self, place: Placement, columns: tuple[FactColumn, ...]) -> str:
        plain = PLAIN_REPORT if not self.with_facts else f"{IS_UNIFORM} AND shape = %(shape)s"
        held = (
            f"SELECT position, record_id, token, facts FROM interlock_work WHERE reported_at IS NOT NULL AND {plain} "
            "AND stage = %(stage)s AND scope = %(scope)s AND position >= %(scan_start)s ORDER BY position LIMIT %(limit)s "
            "FOR UPDATE SKIP LOCKED"
        )
        reports, more, digest, kept = f"reports AS MATERIALIZED ({held})", "", None, ""
        facts: list[str] = []
        if self.with_facts:
            reports = (
                f"held AS MATERIALIZED ({held}), salted AS (SELECT h.*, substring(%(salts)b::bytea FROM "
                "(row_number() OVER () * 16 - 15)::int FOR 16) AS salt FROM held h), reports AS MATERIALIZED (SELECT s.*, "
                "sha256(s.salt || convert_to('[' || to_json(s.facts)::text || ',null]', 'UTF8')) AS digest FROM salted s)"
            )
            more, digest, kept = (
                ", r.digest, r.salt, r.facts",
                "encode(c.digest, 'hex')",
                _KEPT.format(kind=literal(place.kind)),
            )
            facts = [f"{place.quote(one.column)} = c.f{number}" for number, one in enumerate(columns)]
        reports += _locked_records(place)
        chosen = f"SELECT r.position, r.record_id, r.record_id::{place.key_type} AS key, r.token{more}{_values(place, columns)}"
        source = f"reports r{_parsed(place, columns, with_facts=self.with_facts)}"
        returned = (
            "c.key AS key, c.position AS position, " + place.qualified(place.version_sql) + " AS version"
        )
        returned += (
            ", c.record_id AS record_id, c.digest AS digest, c.salt AS salt, c.facts AS facts"
            if self.with_facts
            else ""
        )
        context = sets_context_in_server(
            place, "%(cause)s::text", _TOKENS, _DIGESTS if self.with_facts else None
        )
        return (
            f"WITH {reports}, chosen AS MATERIALIZED ({chosen} FROM {source} ORDER BY key), "
            f"moved AS (UPDATE {place.table_sql} SET {', '.join([*_changes(self.step, _TOKEN, digest), *facts])} FROM chosen c "
            f"WHERE {_stands(self.step)} AND {context} RETURNING {returned}), "
            f"{kept}gone AS (DELETE FROM interlock_work w USING moved m WHERE w.position = m.position) "
            f"SELECT (SELECT count(*) FROM reports), count(*), %(cause)s::text, {_wanted(facts=self.with_facts)} FROM moved"
        )


def _locked_records(place: Placement) -> str:
    """Where columns of the record mirror this axis, the records are locked before their state rows."""
    if not place.workflow.mirrors_of(place.name):
        return ""
    records = RecordTable(place.workflow, place.dialect)
    return (
        f", {_HELD} AS MATERIALIZED (SELECT {records.key_sql} FROM {records.table_sql} WHERE {records.key_sql} = ANY (ARRAY("
        f"SELECT record_id::{place.key_type} FROM reports)) ORDER BY 1 FOR NO KEY UPDATE)"
    )


_HELD = "interlock_held_records"


_TOKEN, _NO_TOKEN = "c.token || '\"'", "'null'"
_KEPT = (
    "kept AS (INSERT INTO interlock_detail(digest, salt, facts, kind, record_id) "
    "SELECT m.digest, m.salt, m.facts, {kind}, m.record_id FROM moved m), "
)


def _wanted(*, facts: bool) -> str:
    """What moved, as arrays, where somebody wants it: keys, versions, and facts if there are any."""
    names = ["key", "version", *(["facts"] if facts else [])]
    return ", ".join(f"CASE WHEN %(wanted)s THEN array_agg({name}) END" for name in names)


def _values(place: Placement, columns: tuple[FactColumn, ...]) -> str:
    """Facts by number, each of its column's type; texts are taken out of their JSON."""
    return "".join(
        f", f.{place.quote(one.name)}{' #>> ' + _NO_PATH if one.is_text else ''} AS f{number}"
        for number, one in enumerate(columns)
    )


_NO_PATH = "'{}'"
_IS_OBJECT = "json_typeof(r.facts::json) = 'object'"
"""Facts that are no column are kept as they were reported: whoever reads them later must be able to."""


def _parsed(place: Placement, columns: tuple[FactColumn, ...], *, with_facts: bool) -> str:
    """The facts of each report as a record; where a text is wanted, nothing but a text will do. Mirrored records are locked before."""
    locked = [f"(SELECT count(*) FROM {_HELD}) >= 0"] if place.workflow.mirrors_of(place.name) else []
    if not columns:
        tests = [*locked, *([_IS_OBJECT] if with_facts else [])]
        return f" WHERE {' AND '.join(tests)}" if tests else ""
    types = ", ".join(
        f"{place.quote(one.name)} {'json' if one.is_text else place.type_of(one.column)}" for one in columns
    )
    texts = locked + [
        f"coalesce(json_typeof(f.{place.quote(one.name)}), 'null') IN ('string', 'null')"
        for one in columns
        if one.is_text
    ]
    return f", json_to_record(r.facts::json) AS f({types})" + (
        f" WHERE {' AND '.join(texts)}" if texts else ""
    )


class Begin:
    """What waits for one stage in one of its waiting states, in the stage's order: each record gets its work row and moves. A first move
    names another cause than later ones, so a batch takes those that are like its first."""

    def __init__(self, work: WorkRows, stage: str, step: Step, queue: Queue, created: str) -> None:
        self.work, self.stage, self.step, self.created = work, stage, step, created
        place = step.place
        scope = "%(scope)s"
        same = f"w.record_id = d.key::text AND w.kind = {literal(place.kind)} AND w.axis = {literal(place.name)} AND w.scope = {scope}"
        token = "encode(substring(%(tokens)b::bytea FROM (c.n * 16 - 15)::int FOR 16), 'hex')"
        held, free = "", ""
        if place.workflow.mirrors_of(
            place.name
        ):  # records are locked too, those that somebody holds are passed over
            records = RecordTable(place.workflow, place.dialect)
            held = (
                f"{_HELD} AS MATERIALIZED (SELECT {records.key_sql} AS key FROM {records.table_sql} "
                f"WHERE {records.key_sql} = ANY((ARRAY(SELECT key FROM mine))::{place.key_type}[]) "
                f"ORDER BY 1{work.sql.lock_moving(records.table_sql)}), "
            )
            free = f" AND d.key = ANY (ARRAY(SELECT key FROM {_HELD}))"
        self.sql = (
            f"WITH due(key, old, version, head, attempt, tries, limit_key) AS MATERIALIZED ({queue.due_text()}), "
            f"mine AS MATERIALIZED (SELECT * FROM due WHERE old IS NOT DISTINCT FROM {literal(step.template.old)}), "
            "lead AS MATERIALIZED (SELECT version = 0 AS first, CASE WHEN version = 0 THEN %(before_first)s ELSE %(before)s END AS before, "
            "CASE WHEN version = 0 THEN %(created)s ELSE %(cause)s END AS cause FROM mine LIMIT 1), "
            f"{held}chosen AS MATERIALIZED (SELECT d.key, d.attempt, d.version, row_number() OVER () AS n FROM mine d "
            # whether there is a work row is looked up singly, never joined
            f"WHERE (d.version = 0) = (SELECT first FROM lead) AND (SELECT true FROM interlock_work w WHERE {same}) IS NULL{free}), "
            "issued AS (INSERT INTO interlock_work(kind, axis, scope, stage, available_at, record_id, attempt, token, version) "
            f"SELECT {literal(place.kind)}, {literal(place.name)}, {scope}, %(stage)s, NOW, c.key::text, c.attempt + 1, {token}, "
            "c.version + 1 FROM chosen c ORDER BY c.n), "
            f"moved AS (UPDATE {place.table_sql} SET {', '.join(_changes(step, _NO_TOKEN, None, '(SELECT before FROM lead)'))} "
            f"FROM chosen c WHERE {_stands(step)} AND {sets_context_in_server(place, '(SELECT cause FROM lead)', 'NULL', None)} "
            f"RETURNING c.key AS key, {place.qualified(place.version_sql)} AS version) "
            f"SELECT (SELECT count(*) FROM due), count(*), (SELECT cause FROM lead), {_wanted(facts=False)} FROM moved"
        )

    def run(self, tx: Connection, scope: str, limit: int, at: datetime, *, wanted: bool) -> BatchResult:
        template = replace(self.step.template, at=at)
        first = replace(template, cause=self.created)
        values = {
            "stage": self.stage,
            "limit": limit,
            "wanted": wanted,
            "created": self.created,
            "tokens": random_bytes(16 * limit),
            **_context(template),
            **_body(template, scope, ""),
            "before_first": first.pieces()[0],
            "scope": scope,
        }
        return _result(*self.work.run(tx, self.sql, values).fetchone())


def _result(
    held: int,
    moved: int,
    cause: str | None,
    keys: list[Any] | None,
    versions: list[int] | None,
    facts: list[str] | None = None,
) -> BatchResult:
    texts: Sequence[str | None] = facts or [None] * len(keys or ())
    return BatchResult(
        held, moved, cause, [MovedRow(*row) for row in zip(keys or (), versions or (), texts, strict=True)]
    )


def _context(template: EntryTemplate) -> dict[str, Any]:
    return {
        "actor": template.actor,
        "role": template.role,
        "cause": template.cause,
        "origin": template.origin,
        "machine": template.machine,
        "at": template.at,
        "instant": instant_text(template.at),
    }


def _body(template: EntryTemplate, scope: str, opened: str, *, digest: bool = False) -> dict[str, str]:
    """The canonical text of entries before the record id, and from there to the token; with digests, in two parts around them."""
    before, between, after = template.pieces()
    values = {"before": before, "after": f"{between}{maybe(scope)}{after}{opened}"}
    if digest:
        start, _, end = before.rpartition('"detail":null')
        values |= {"before": f'{start}"detail":"', "between": f'"{end}'}
    return values


def _changes(step: Step, token: str, digest: str | None, before: str = "%(before)s") -> list[str]:
    """What the UPDATE sets; the server hashes each entry by itself."""
    place = step.place
    id, version, head = "c.key::text", place.qualified(place.version_sql), place.qualified(place.head_sql)
    name = f"to_json({id})::text" if place.python_type is not int else f"'\"' || {id} || '\"'"
    start = before if digest is None else f"{before} || {digest} || %(between)s"
    body = f"{start} || {name} || %(after)s || {token} || ',\"version\":' || ({version} + 1)::text || '}}'"
    changes = [
        f"{place.status_sql} = {literal(step.template.new)}",
        f"{place.version_sql} = {version} + 1",
        f"{place.head_sql} = sha256({head} || convert_to({body}, 'UTF8'))",
    ]
    changes += [f"{place.quote(column)} = %(at)s" for column in step.now]
    changes += [f"{place.quote(column)} = NOW + {interval(length)}" for column, length in step.later]
    changes += [f"{place.quote(column)} = {literal(step.constants[column])}" for column in sorted(step.own)]
    return changes + [
        f"{place.quote(column)} = {place.qualified(place.quote(column))} + 1" for column in step.counted
    ]


def _stands(step: Step) -> str:
    """The record is where the batch expects it."""
    place = step.place
    tests = [f"{place.qualified(place.key_sql)} = c.key", place.in_states([step.template.old])]
    tests += [f"{place.qualified(place.scope_sql)} = %(scope)s"] if place.scope_sql else []
    tests += [f"{place.qualified(place.version_sql)} IS NOT NULL"] if place.axis.adoptable else []
    return " AND ".join(tests)
