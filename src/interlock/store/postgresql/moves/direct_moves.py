"""Moves without reading first: from the only state that leads there, hashed by the server, each statement its own transaction."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Any

from ....errors import StoreError
from ....machine import State
from ....workflow.columns.effects import ends
from ....workflow.columns.instant import instant_text
from ...connect import Bare, Database, driver_connection
from ...contract import DirectMove, Step
from ...entry import maybe
from ...faults import is_driver_error, translate
from ...placement import Placement
from ...sql import doubled, one_of
from ...sql import driver_literal as literal
from .move_context import context_parameters, move_context, sets_context, unstamped
from .parameters import DETAIL, array, detail_parameters
from .prepared import execute, numbered

INSTANT = len("2026-01-01T00:00:00.000000Z")


def move_directly(tx: Any, move: DirectMove) -> dict[Any, int]:
    """The new versions of what moved, by key."""
    step, template = move.step, move.step.template
    before, behind = template.halves(move.scope)
    parameters: dict[str, Any] = {
        "keys": array(move.keys) if len(move.keys) > 1 else move.keys[0],
        "at": move.at,
        "scope": move.scope,
        "before": before,
        "after": behind,
        **context_parameters(0, move_context(template)),
    }
    if move.version is not None:
        parameters["version"] = move.version
    parameters |= detail_parameters(template.detail, move.owner)
    facts = {column: value for column, value in step.constants.items() if column not in step.own}
    for column, value in facts.items():
        parameters[f"c_{column}"] = step.place.bind_value(column, value)
    sql = _sql(
        step.place,
        step.now,
        tuple((column, step.constants[column]) for column in step.own),
        tuple(facts),
        step.counted,
        (template.old, template.new),
        len(move.keys) > 1,
        move.version is not None,
        template.detail is not None,
        ends(step.place.workflow, step.place.name, template.old, template.new),
        move.hint,
    )
    return {
        key: version
        for key, version, *_ in driver_connection(tx).execute(sql, parameters, prepare=True).fetchall()
    }


@lru_cache(maxsize=1024)
def _sql(
    place: Placement,
    now: tuple[str, ...],
    own: tuple[tuple[str, Any], ...],
    given: tuple[str, ...],
    counted: tuple[str, ...],
    edge: tuple[State, State],
    several: bool,
    versioned: bool,
    detailed: bool,
    ending: bool,
    hint: str | None,
) -> str:
    """`ending`: the move ends an attempt. Its work row is locked first; if it has reported it is finished, and nothing moves here.
    `hint`: SQL that wakes whoever waits for what was moved."""
    old, new = edge
    text_id = f"{place.key_sql}::text"
    name = f"to_json({text_id})::text" if place.python_type is not int else f"'\"' || {text_id} || '\"'"
    body = f"%(before)s || {name} || %(after)s || ({place.version_sql} + 1)::text || '}}'"
    changes = [
        f"{place.status_sql} = {literal(new)}",
        f"{place.version_sql} = {place.version_sql} + 1",
        f"{place.head_sql} = sha256({place.head_sql} || convert_to({body}, 'UTF8'))",
    ]
    changes += [f"{place.quote(column)} = %(at)s" for column in now]
    changes += [f"{place.quote(column)} = {literal(value)}" for column, value in own]
    changes += [f"{place.quote(column)} = %(c_{column})s" for column in given]
    changes += [f"{place.quote(column)} = {place.quote(column)} + 1" for column in counted]
    which = (
        f"{place.key_sql} = ANY(%(keys)s::{place.key_type}[])"
        if several
        else f"{place.key_sql} = %(keys)s::{place.key_type}"
    )
    where = [which, doubled(one_of(place.status_sql, [old])), sets_context([place])]
    where += [f"{place.scope_sql} = %(scope)s"] if place.scope_sql else []
    where += [f"{place.version_sql} = %(version)s"] if versioned else []
    where += [f"{place.version_sql} IS NOT NULL"] if place.axis.adoptable and not versioned else []
    where += (
        [f"NOT EXISTS (SELECT 1 FROM held WHERE held.record_id = {text_id} AND held.reported_at IS NOT NULL)"]
        if ending
        else []
    )
    update = (
        f"UPDATE {place.table_sql} SET {', '.join(changes)} WHERE {' AND '.join(where)} "
        f"RETURNING {place.key_sql} AS key, {place.version_sql} AS version"
    )
    detail = DETAIL.format(source="moved") if detailed else ""
    result = "SELECT key, version FROM moved" if hint is None else f"SELECT key, version, {hint} FROM moved"
    if not ending:
        return f"WITH moved AS ({update}){detail} {result}" if detailed or hint is not None else update
    mine = "= ANY(%(keys)s::text[])" if several else "= %(keys)s::text"
    same = f"record_id {mine} AND kind = {literal(place.kind)} AND axis = {literal(place.name)}"
    same += f" AND scope = {'%(scope)s' if place.scope_sql else literal('')}"
    return (
        f"WITH held AS (SELECT record_id, reported_at FROM interlock_work WHERE {same} FOR UPDATE), moved AS ({update}), "
        f"gone AS (DELETE FROM interlock_work w USING moved WHERE w.{same} AND w.record_id = moved.key::text){detail} "
        f"{result}"
    )


class PreparedMove:
    """One record from the only state that leads to another, with no metadata but the actor: statement and parameters are made once."""

    def __init__(self, step: Step, scope: str, versioned: bool, hint: str | None) -> None:
        template, place = step.template, step.place
        self.old, self.new = template.old, template.new
        before, self.behind = (part.encode() for part in template.halves(scope))
        self.before = _around(before, f'{{"actor":{maybe(template.actor)},"at":"')
        start = (
            unstamped(
                (template.actor, template.role, template.cause, template.origin, template.machine, None)
            )
            + '"'
        )
        context, self.end = (part.encode() for part in move_context(template))
        self.context = _around(context, start)
        names = [
            "keys",
            "context0",
            "behind0",
            "before",
            "after",
            "at",
            *(["scope"] if place.scope_sql else []),
            *(["version"] if versioned else []),
        ]
        self.rest = [scope.encode()] if place.scope_sql else []
        sql = _sql(
            place,
            step.now,
            tuple((column, step.constants[column]) for column in step.own),
            (),
            step.counted,
            (template.old, template.new),
            False,
            versioned,
            False,
            ends(place.workflow, place.name, template.old, template.new),
            hint,
        )
        self.sql = numbered(sql, names, {"at": "timestamptz"})

    def run(self, database: Database, key: str, at: datetime, version: int | None) -> int | None:
        """The record's new version; None where it did not move: a refusal or a lost race is for the general path to explain."""
        try:
            bare = database.lend()
            try:
                return self._execute(bare, key, at, version) if bare.unicode else None
            finally:
                database.take_back(bare)
        except Exception as error:
            if not is_driver_error(error):
                raise
            fault = translate(error)
            if isinstance(fault, StoreError):
                raise fault from error
            return None

    def _execute(self, bare: Bare, key: str, at: datetime, version: int | None) -> int | None:
        instant = instant_text(at).encode()
        values = [
            key.encode(),
            instant.join(self.context),
            self.end,
            instant.join(self.before),
            self.behind,
            instant,
            *self.rest,
        ]
        if version is not None:
            values.append(b"%d" % version)
        result = execute(bare, self.sql, values)
        return int(result.get_value(0, 1)) if result.ntuples else None


def _around(whole: bytes, start: str) -> tuple[bytes, bytes]:
    """What stands before and behind the instant that follows a known beginning."""
    first = start.encode()
    assert whole.startswith(first), "the instant stands elsewhere"
    return first, whole[len(first) + INSTANT :]
