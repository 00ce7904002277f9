"""Who may do what to which table, worked out from the workflows; a table that is not named here is nobody's but its owner's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Dialect, MetaData, Table
from sqlalchemy.sql import visitors

from ...errors import BadInput
from ...workflow import Workflow
from ..migrations.roles import COORDINATOR, READER, RUNNER
from ..placement import tables_of
from ..tables import access_key, command, gate_verdict, verdict

Rights = dict[str, tuple[str, ...]]

_READ = ("SELECT",)
_WRITE = ("SELECT", "INSERT", "UPDATE", "DELETE")
_APPEND = ("SELECT", "INSERT")
_KNOWN_TO_ALL: Rights = {COORDINATOR: _READ, RUNNER: _READ, READER: _READ}


def _columns(verb: str, names: Iterable[str]) -> str:
    return f"{verb} ({', '.join(names)})"


_REFUSAL = [one.name for one in verdict.columns if one.name != "position"]
_GATE = [one.name for one in gate_verdict.columns]
_KEY = [one.name for one in access_key.columns]
_COMMAND = [one.name for one in command.columns]
_CLAIM = ("claimed_by", "claimed_at", "lease_until", "started_at", "rechecked_by", "login")
_REPORT = ("reported_at", "outcome", "report", "shape", "facts", "gates")
_NEXT_ATTEMPT = ("attempt", "token", "version", "available_at", "slot", "key_slot", "trace", "recheck_at")

OWN: dict[str, Rights] = {
    "interlock_meta": _KNOWN_TO_ALL,
    "interlock_machine": _KNOWN_TO_ALL,
    "interlock_axis": _KNOWN_TO_ALL,
    # Nobody writes history: the triggers of the record tables do, with their owner's rights.
    "interlock_ledger": {
        COORDINATOR: _READ,
        READER: _READ,
        RUNNER: (_columns("SELECT", ("kind", "record_id", "axis", "scope", "version", "token")),),
    },
    "interlock_detail": {
        COORDINATOR: ("SELECT", "INSERT", "DELETE"),
        READER: _READ,
    },  # erase deletes; the guard asks for its entry
    # Position and transaction are the database's to say: whoever could write them could change the order of history.
    "interlock_verdict": {
        COORDINATOR: ("SELECT", _columns("INSERT", _REFUSAL)),
        RUNNER: (_columns("INSERT", _REFUSAL),),
        READER: _READ,
    },
    "interlock_gate_verdict": {
        COORDINATOR: ("SELECT", _columns("INSERT", _GATE), "DELETE"),  # with the record that is erased
        READER: _READ,
    },
    # A plan lets records make moves that no machine has: the owner writes it, and the coordinator carries it out.
    "interlock_plan": {COORDINATOR: _READ, READER: _READ},
    "interlock_seal": {COORDINATOR: _APPEND, READER: _READ},
    "interlock_command": {
        COORDINATOR: ("SELECT", _columns("INSERT", _COMMAND), "UPDATE (answer)", "DELETE"),
        READER: _READ,
    },  # `check` asks for answers
    # Triggers add deltas, and the function `interlock_fold_counters` folds them, with their owner's rights.
    "interlock_counter": {COORDINATOR: _READ, READER: _READ},
    "interlock_count_delta": {COORDINATOR: _READ, READER: _READ},
    # A runner claims, renews and reports; it can neither make work nor end it. Nobody changes which record a work row is about.
    "interlock_work": {
        COORDINATOR: (
            "SELECT",
            "INSERT",
            _columns("UPDATE", (*_CLAIM, *_REPORT, *_NEXT_ATTEMPT)),
            "DELETE",
        ),
        READER: _READ,
        RUNNER: (
            "SELECT",
            _columns("UPDATE", (*_CLAIM, *_REPORT)),
        ),
    },
    "interlock_stage": {COORDINATOR: ("SELECT", "INSERT", "UPDATE"), RUNNER: _READ, READER: _READ},
    "interlock_rate": {COORDINATOR: _WRITE, READER: _READ},
    "interlock_schedule_run": {COORDINATOR: _WRITE, READER: _READ},
    "interlock_adoption_left": {COORDINATOR: _WRITE, READER: _READ},
    "interlock_adoption_difference": {COORDINATOR: _WRITE, READER: _READ},
    # Triggers take notes of writes past Interlock, with their owner's rights.
    "interlock_stray": {COORDINATOR: ("SELECT", "UPDATE", "DELETE"), READER: _READ},
    "interlock_runner": {COORDINATOR: _WRITE, RUNNER: _WRITE, READER: _READ},
    "interlock_coordinator": {COORDINATOR: _WRITE, READER: _READ},
    # What a stage has found is admitted or dropped as it was staged, and a guard refuses every change: the right to one column is the
    # right to lock a row.
    "interlock_intake": {
        COORDINATOR: ("SELECT", "INSERT", "UPDATE (size)", "DELETE"),
        READER: _READ,
        RUNNER: (
            _columns(
                "INSERT",
                (
                    "kind",
                    "records",
                    "size",
                    "source_kind",
                    "source_id",
                    "axis",
                    "scope",
                    "token",
                    "work",
                    "actor",
                    "reason",
                    "at",
                ),
            ),
        ),
    },
    # A runner adds the tries that it made again by itself; it reads and changes nothing.
    "interlock_tally": {
        COORDINATOR: ("SELECT", "INSERT", "DELETE", "UPDATE (delta)"),
        READER: _READ,
        RUNNER: ("INSERT",),
    },
    # The scope of an operation is frozen: nobody who works with it may change which records it names, or at which version they were seen.
    "interlock_operation": {
        COORDINATOR: (
            "SELECT",
            "INSERT",
            _columns(
                "UPDATE",
                (
                    "records",
                    "reached",
                    "status",
                    "pausing",
                    "told",
                    "undone_by",
                    "started_at",
                    "finished_at",
                    "runner",
                    "lease_until",
                ),
            ),
        ),
        READER: _READ,
    },
    "interlock_operation_item": {
        COORDINATOR: (
            "SELECT",
            "INSERT",
            _columns("UPDATE", ("outcome", "code", "from_state", "to_state", "left_version")),
        ),
        READER: _READ,
    },
    # The service runs as the coordinator; a runner or reader that could read digests learns who may come in, and needs none of it.
    "interlock_key": {COORDINATOR: ("SELECT", _columns("INSERT", _KEY), "UPDATE (revoked_at, last_used_at)")},
}
"""Interlock's own tables. A table that is added to the schema is added here; a test says so."""


@dataclass(frozen=True)
class Place:
    """One table, its schema where it was said, and the rights of each role on it."""

    table: str
    rights: Rights
    schema: str | None = None
    owned: bool = False
    """Made by Interlock's migration: it belongs to the owner role."""
    theirs: bool = False
    """A table of the team's, where what everybody else may do is not ours to take away."""


def places(
    workflows: Sequence[Workflow],
    dialect: Dialect,
    writes: Sequence[str] = (),
    hook_writes: Sequence[str] = (),
) -> list[Place]:
    """Every table and view that a role needs, each once: Interlock's own, records and their states, frozen ones, those that stages save
    into (`writes`), and those that only hooks write (`hook_writes`)."""
    found = {name: Place(name, rights, owned=True) for name, rights in OWN.items()}
    for workflow in workflows:
        for table in tables_of(workflow):
            place = _of_record(table, workflows, dialect, owned=workflow.create)
            found[place.table] = place
        for table in workflow.frozen:
            name = dialect.identifier_preparer.format_table(table)
            found.setdefault(
                name,
                Place(
                    name, {COORDINATOR: _APPEND, RUNNER: _READ, READER: _READ}, table.schema, workflow.create
                ),
            )
    if any(axis.adopt is not None for workflow in workflows for axis in workflow.axes.values()):
        rights: Rights = {COORDINATOR: _WRITE, RUNNER: _READ, READER: _READ}
        found.setdefault("interlock_adoption", Place("interlock_adoption", rights, owned=True))
    for name in (*writes, *hook_writes):
        schema, _, bare = name.rpartition(".")
        table_sql = dialect.identifier_preparer.format_table(Table(bare, MetaData(), schema=schema or None))
        if table_sql in found:
            raise BadInput(
                f"{name} is a table whose rights follow from the workflows; it cannot be written by stages and hooks"
            )
        runs = _WRITE if name in writes else _READ  # hooks run where moves are made, never in a runner
        found[table_sql] = Place(
            table_sql, {COORDINATOR: _WRITE, RUNNER: runs, READER: _READ}, schema or None, theirs=True
        )
    for workflow in workflows:
        for table in workflow.tables:
            place = _beside_records(table, workflow, dialect)
            found.setdefault(place.table, place)
    for table in _looked_at(workflows):
        name = dialect.identifier_preparer.format_table(table)
        found.setdefault(name, Place(name, {COORDINATOR: _READ}, table.schema, theirs=True))
    views = [view.name for workflow in workflows for view in workflow.views]
    return [*found.values(), *(Place(name, _KNOWN_TO_ALL, owned=True) for name in dict.fromkeys(views))]


def _of_record(table: Table, workflows: Sequence[Workflow], dialect: Dialect, *, owned: bool) -> Place:
    """Records and their states: the coordinator changes anything but what names a record; others look."""
    quote = dialect.identifier_preparer.quote
    named = {one.name for one in table.primary_key.columns}
    for axis in (axis for workflow in workflows for axis in workflow.axes.values() if axis.table is table):
        named |= {axis.key, axis.scope_column} if axis.scoped else {axis.key}
    changed = [quote(one.name) for one in table.columns if one.name not in named]
    update = (_columns("UPDATE", changed),) if changed else ()  # a record may be nothing but its key
    rights: Rights = {
        COORDINATOR: ("SELECT", "INSERT", *update, "DELETE"),
        RUNNER: _READ,
        READER: _READ,
    }
    return Place(dialect.identifier_preparer.format_table(table), rights, table.schema, owned)


def _beside_records(table: Table, workflow: Workflow, dialect: Dialect) -> Place:
    """A table that a workflow declares beside its records: hooks write it with the coordinator's rights; a runner writes it only where a
    stage of the workflow saves results."""
    saves = any(stage.saver or stage.group_saver for stage in workflow.stages.values())
    rights: Rights = {COORDINATOR: _WRITE, RUNNER: _WRITE if saves else _READ, READER: _READ}
    return Place(dialect.identifier_preparer.format_table(table), rights, table.schema, workflow.create)


def _looked_at(workflows: Sequence[Workflow]) -> list[Table]:
    """Other tables that rules, stages and pairs ask about."""
    asked: list[Any] = [one for workflow in workflows for rule in workflow.rules for one in rule.own_row]
    asked += [
        axis.pairs for workflow in workflows for axis in workflow.axes.values() if axis.pairs is not None
    ]
    asked += [
        stage.only_if
        for workflow in workflows
        for stage in workflow.stages.values()
        if stage.only_if is not None
    ]
    tables = [
        table
        for one in asked
        for part in visitors.iterate(one)
        for table in (part, getattr(part, "table", None))
    ]
    return list(dict.fromkeys(table for table in tables if isinstance(table, Table)))
