"""The short way of a move that needs no judging: from the only state that leads there, hash and all, without reading first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from ...machine import State
from ...workflow.effects import ends
from ...workflow.instant import written
from ..connect import Bare, driver_connection
from ..contract import Step
from ..entry import maybe
from ..guarded import one_of
from ..placement import Placement
from .engine import DETAIL, array, detail_parameters, literal
from .saying import said, spoken, unstamped
from .straight import execute, numbered

INSTANT = len("2026-01-01T00:00:00.000000Z")


@dataclass(frozen=True, slots=True)
class Shortcut:
    """Records that are in one known state go to another; whoever is not there is left alone."""

    step: Step
    keys: Sequence[Any]
    scope: str
    version: int | None
    at: datetime
    owner: tuple[str | None, str | None]


def take(tx: Any, shortcut: Shortcut) -> dict[Any, int]:
    """The new versions of what moved, by key."""
    step, template = shortcut.step, shortcut.step.template
    before, behind = template.halves(shortcut.scope)
    parameters: dict[str, Any] = {
        "keys": array(shortcut.keys) if len(shortcut.keys) > 1 else shortcut.keys[0], "at": shortcut.at, "scope": shortcut.scope,
        "before": before, "behind": behind, "said0": said(template)}
    if shortcut.version is not None:
        parameters["version"] = shortcut.version
    parameters |= detail_parameters(template.detail, shortcut.owner)
    given = {column: value for column, value in step.constants.items() if column not in step.own}
    for column, value in given.items():
        parameters[f"c_{column}"] = step.place.bind_value(column, value)
    sql = _sql(step.place, step.now, tuple((column, step.constants[column]) for column in step.own), tuple(given), step.counted,
               (template.old, template.new), len(shortcut.keys) > 1, shortcut.version is not None, template.detail is not None,
               ends(step.place.workflow, step.place.name, template.old, template.new))
    return dict(driver_connection(tx).execute(sql, parameters, prepare=True).fetchall())


@lru_cache(maxsize=1024)
def _sql(place: Placement, now: tuple[str, ...], own: tuple[tuple[str, Any], ...], given: tuple[str, ...], counted: tuple[str, ...],
         edge: tuple[State, State], several: bool, versioned: bool, detailed: bool, ending: bool) -> str:
    """`ending`: the move ends an attempt. Its work row is locked first; if it has reported it is finished, and nothing moves here."""
    old, new = edge
    text_id = f"{place.key_sql}::text"
    name = f"to_json({text_id})::text" if place.python_type is not int else f"'\"' || {text_id} || '\"'"
    body = f"%(before)s || {name} || %(behind)s || ({place.version_sql} + 1)::text || '}}'"
    changes = [f"{place.status_sql} = {literal(new)}", f"{place.version_sql} = {place.version_sql} + 1",
               f"{place.head_sql} = sha256({place.head_sql} || convert_to({body}, 'UTF8'))"]
    changes += [f"{place.quote(column)} = %(at)s" for column in now]
    changes += [f"{place.quote(column)} = {literal(value)}" for column, value in own]
    changes += [f"{place.quote(column)} = %(c_{column})s" for column in given]
    changes += [f"{place.quote(column)} = {place.quote(column)} + 1" for column in counted]
    which = f"{place.key_sql} = ANY(%(keys)s::{place.key_type}[])" if several else f"{place.key_sql} = %(keys)s::{place.key_type}"
    where = [which, one_of(place.status_sql, [old]).replace("%", "%%"), spoken([place])]
    where += [f"{place.scope_sql} = %(scope)s"] if place.scope_sql else []
    where += [f"{place.version_sql} = %(version)s"] if versioned else []
    where += [f"NOT EXISTS (SELECT 1 FROM held WHERE held.record_id = {text_id} AND held.reported_at IS NOT NULL)"] if ending else []
    update = (f"UPDATE {place.table_sql} SET {', '.join(changes)} WHERE {' AND '.join(where)} "
              f"RETURNING {place.key_sql} AS key, {place.version_sql} AS version")
    detail = DETAIL.format(source="moved") if detailed else ""
    if not ending:
        return f"WITH moved AS ({update}){detail} SELECT key, version FROM moved" if detailed else update
    mine = "= ANY(%(keys)s::text[])" if several else "= %(keys)s::text"
    same = f"record_id {mine} AND kind = {literal(place.kind)} AND axis = {literal(place.name)}"
    same += f" AND scope = {'%(scope)s' if place.scope_sql else literal('')}"
    return (f"WITH held AS (SELECT record_id, reported_at FROM interlock_work WHERE {same} FOR UPDATE), moved AS ({update}), "
            f"gone AS (DELETE FROM interlock_work w USING moved WHERE w.{same} AND w.record_id = moved.key::text){detail} "
            "SELECT key, version FROM moved")


class Lane:
    """One record from the only state that leads to another, with nothing said but who: the statement and its words are made once."""

    def __init__(self, step: Step, scope: str, versioned: bool) -> None:
        template, place = step.template, step.place
        self.old, self.new = template.old, template.new
        before, self.behind = (part.encode() for part in template.halves(scope))
        self.before = _around(before, f'{{"actor":{maybe(template.actor)},"at":"')
        start = unstamped((template.actor, template.role, template.cause, template.origin, template.machine, None)) + '"'
        self.said = _around(said(template).encode(), start)
        names = ["keys", "said0", "before", "behind", "at", *(["scope"] if place.scope_sql else []), *(["version"] if versioned else [])]
        self.rest = [scope.encode()] if place.scope_sql else []
        sql = _sql(place, step.now, tuple((column, step.constants[column]) for column in step.own), (), step.counted,
                   (template.old, template.new), False, versioned, False, ends(place.workflow, place.name, template.old, template.new))
        self.sql = numbered(sql, names, {"at": "timestamptz"})

    def take(self, bare: Bare, key: str, at: datetime, version: int | None) -> int | None:
        """The record's new version; None where it did not move."""
        instant = written(at).encode()
        values = [key.encode(), instant.join(self.said), instant.join(self.before), self.behind, instant, *self.rest]
        if version is not None:
            values.append(b"%d" % version)
        result = execute(bare, self.sql, values)
        return int(result.get_value(0, 1)) if result.ntuples else None


def _around(whole: bytes, start: str) -> tuple[bytes, bytes]:
    """What stands before and behind the instant that follows a known beginning."""
    first = start.encode()
    assert whole.startswith(first), "the instant stands elsewhere"
    return first, whole[len(first) + INSTANT:]
