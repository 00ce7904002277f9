"""Whole batches that need no judging, each in one statement: what waits is begun, what is done moves on, and no row travels."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from ...ids import random_bytes
from ...workflow.instant import written
from ..contract import Passed, Step
from ..entry import EntryTemplate, maybe
from ..sql import driver_literal as literal
from ..waiting import Queue
from ..work import WorkRows
from .move_context import sets_context_in_server

_TOKEN, _NO_TOKEN = "c.token || '\"'", "'null'"
_TOLD = "CASE WHEN %(telling)s THEN array_agg(key) END"


class Finishing:
    """Plain reports of one stage: their records move on and their work rows go; whatever is not plain is left for those who judge."""

    def __init__(self, work: WorkRows, stage: str, step: Step) -> None:
        self.work, self.stage, self.template = work, stage, step.template
        place = step.place
        self.sql = (
            "WITH reports AS MATERIALIZED (SELECT position, record_id, token FROM interlock_work WHERE reported_at IS NOT NULL "
            "AND outcome = 'done' AND report IS NULL AND stage = %(stage)s AND scope = '' AND position >= %(front)s "
            "ORDER BY position LIMIT %(limit)s FOR UPDATE SKIP LOCKED), "
            f"chosen AS MATERIALIZED (SELECT position, record_id::{place.key_type} AS key, token FROM reports ORDER BY key), "
            f"moved AS (UPDATE {place.table_sql} SET {_changes(step, '%(before)s', _TOKEN)} FROM chosen c WHERE {_held(step)} "
            f"AND {sets_context_in_server(place, '%(cause)s::text', '(SELECT json_object_agg(record_id, token)::text FROM reports)')} "
            f"RETURNING c.key AS key, c.position AS position), "
            "gone AS (DELETE FROM interlock_work w USING moved m WHERE w.position = m.position) "
            f"SELECT (SELECT count(*) FROM reports), count(*), %(cause)s::text, {_TOLD} FROM moved")

    def take(self, tx: Connection, limit: int, at: datetime, *, telling: bool) -> Passed:
        template = replace(self.template, at=at)
        values = {"stage": self.stage, "limit": limit, "telling": telling, "front": self.work.front.position, **_said(template),
                  **_around(template, '"')}
        return _passed(*self.work.run(tx, self.sql, values).fetchone())


class Beginning:
    """What waits for one stage, in its order: each record gets its work row and moves. A first move names another cause than later
    ones, so a batch takes those that are like its first."""

    def __init__(self, work: WorkRows, stage: str, step: Step, queue: Queue, created: str) -> None:
        self.work, self.stage, self.template, self.created = work, stage, step.template, created
        place = step.place
        same = f"w.record_id = d.key::text AND w.kind = {literal(place.kind)} AND w.axis = {literal(place.name)} AND w.scope = ''"
        token = "encode(substring(%(tokens)b::bytea FROM (c.n * 16 - 15)::int FOR 16), 'hex')"
        self.sql = (
            f"WITH due(key, old, version, head, attempt, tries, limit_key) AS MATERIALIZED ({queue.due_text()}), "
            "lead AS MATERIALIZED (SELECT version = 0 AS first, CASE WHEN version = 0 THEN %(before_first)s ELSE %(before)s END AS before, "
            "CASE WHEN version = 0 THEN %(created)s ELSE %(cause)s END AS cause FROM due LIMIT 1), "
            "chosen AS MATERIALIZED (SELECT d.key, d.attempt, row_number() OVER () AS n FROM due d WHERE (d.version = 0) = "
            f"(SELECT first FROM lead) AND (SELECT true FROM interlock_work w WHERE {same}) IS NULL), "  # looked up singly, never joined
            "issued AS (INSERT INTO interlock_work(kind, axis, scope, stage, available_at, record_id, attempt, token) "
            f"SELECT {literal(place.kind)}, {literal(place.name)}, '', %(stage)s, NOW, c.key::text, c.attempt + 1, {token} FROM chosen c "
            "ORDER BY c.n), "
            f"moved AS (UPDATE {place.table_sql} SET {_changes(step, '(SELECT before FROM lead)', _NO_TOKEN)} FROM chosen c "
            f"WHERE {_held(step)} AND {sets_context_in_server(place, '(SELECT cause FROM lead)', 'NULL')} RETURNING c.key AS key) "
            f"SELECT (SELECT count(*) FROM due), count(*), (SELECT cause FROM lead), {_TOLD} FROM moved")

    def take(self, tx: Connection, limit: int, at: datetime, *, telling: bool) -> Passed:
        template = replace(self.template, at=at)
        first = replace(template, cause=self.created)
        values = {"stage": self.stage, "limit": limit, "telling": telling, "created": self.created, "tokens": random_bytes(16 * limit),
                  **_said(template), **_around(template, ""), "before_first": first.pieces()[0], "scope": ""}
        return _passed(*self.work.run(tx, self.sql, values).fetchone())


def _passed(held: int, moved: int, cause: str | None, keys: list[Any] | None) -> Passed:
    return Passed(held, moved, cause, keys or [])


def _said(template: EntryTemplate) -> dict[str, Any]:
    return {"actor": template.actor, "role": template.role, "cause": template.cause, "origin": template.origin,
            "machine": template.machine, "at": template.at, "instant": written(template.at)}


def _around(template: EntryTemplate, opened: str) -> dict[str, str]:
    """The canonical text before the record id, and from there to the token."""
    before, between, behind = template.pieces()
    return {"before": before, "behind": f"{between}{maybe('')}{behind}{opened}"}


def _changes(step: Step, before: str, token: str) -> str:
    """What the UPDATE sets; the server hashes each entry by itself."""
    place = step.place
    id, version, head = "c.key::text", place.qualified(place.version_sql), place.qualified(place.head_sql)
    name = f"to_json({id})::text" if place.python_type is not int else f"'\"' || {id} || '\"'"
    body = f"{before} || {name} || %(behind)s || {token} || ',\"version\":' || ({version} + 1)::text || '}}'"
    changes = [f"{place.status_sql} = {literal(step.template.new)}", f"{place.version_sql} = {version} + 1",
               f"{place.head_sql} = sha256({head} || convert_to({body}, 'UTF8'))"]
    changes += [f"{place.quote(column)} = %(at)s" for column in step.now]
    changes += [f"{place.quote(column)} = {literal(step.constants[column])}" for column in sorted(step.own)]
    return ", ".join(changes + [f"{place.quote(column)} = {place.qualified(place.quote(column))} + 1" for column in step.counted])


def _held(step: Step) -> str:
    place = step.place
    return f"{place.qualified(place.key_sql)} = c.key AND {place.in_states([step.template.old])}"
