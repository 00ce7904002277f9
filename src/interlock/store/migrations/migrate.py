"""Brings a database to what this code needs: own tables, engine columns, guards. Idempotent, under a lock, a no-op when done."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast

from sqlalchemy import Connection, Table, inspect, select
from sqlalchemy.schema import CreateColumn, sort_tables

from ...clock import SystemClock
from ...errors import BadDeclaration, SchemaOutdated, StoreBusy
from ...machine import Machine
from ...workflow import Axis, Workflow
from ..adoption.adoptions import adoption_plans, has_legacy_rows, keep_legacy_detail, mode_key
from ..connect import Database, driver_connection
from ..guarded import Guarded, Mode, frozen_tables
from ..placement import Placement, binder, declared_tables
from ..queue.indexes import copy_sql, fill_timers_sql, index_sql, natural_index
from ..records.duplicates import duplicates
from ..records.plans import open_plan
from ..records.stranded import refuse_stranding
from ..resting import remembered, resting_key, resting_of
from ..statements import LiveGuards
from .remembered import (
    AXIS_COLUMNS,
    MACHINE,
    added_key,
    axis_row,
    digest,
    known_axes,
    machine_key,
    made_key,
    view_key,
)

log = logging.getLogger("interlock.store")

SLICE = 2_000
"""Records whose rows one transaction of a migration changes, in large tables."""
LARGE = 10_000
"""Rows above which an index is built apart, without a lock that keeps writers waiting."""
TRIES = (*((0.2, pause) for pause in (0.2, 0.5, 1, 2, 4)), *((1.0, pause) for pause in (8, 8, 8, 8, 8, 8)))
"""How many seconds each try of a migration waits for a lock, and how many it pauses after it: while it waits for a table's lock, every
writer of that table waits behind it. Where transactions are never shorter than the first tries wait, the later ones get their turn."""
T = TypeVar("T")


def migrate(
    database: Database, workflows: Sequence[Workflow], *, contract: bool = False, force: bool = False
) -> list[str]:
    """Do what is missing; the names of what was done. `contract` narrows the guards to the machines given here, unless that strands records
    and nobody says `force`."""
    refuse_duplicates(database, workflows)

    def run(wait: float) -> Migration:
        with database.write() as tx:
            database.sql.schema.lock(tx)
            database.sql.schema.limit_lock_waits(tx, wait)
            migration = Migration(database, workflows, tx, contract, force)
            migration.run()
            return migration

    migration = patiently(run)
    for statement in migration.postponed:
        patiently(lambda _, statement=statement: database.sql.schema.build_apart(database, statement))  # type: ignore[misc]
        migration.done += [f"index {name}" for name in index_named(statement)]
    for fill in migration.fills:
        fill_apart(database, fill)
        migration.done.append(fill.name)
    return migration.done


class Fill(NamedTuple):
    """Statements that change rows of one large table, and what is remembered once they were run."""

    name: str
    axis: Axis
    statements: list[str]
    digest: str


def fill_apart(database: Database, fill: Fill) -> None:
    """Run the statements slice by slice of the table's keys, each in a transaction of its own; killed, a migration begins them again."""
    key, after = fill.axis.table.c[fill.axis.key], None
    quote, mark = database.dialect.identifier_preparer.quote, database.sql.mark
    table = database.dialect.identifier_preparer.format_table(fill.axis.table)
    bind = binder(key, database.dialect)
    while True:
        with database.write() as tx:
            asked = select(key).distinct().order_by(key).limit(SLICE)
            keys = list(tx.execute(asked if after is None else asked.where(key > after)).scalars())
            if not keys:
                break
            column = f"{table}.{quote(fill.axis.key)}"
            for statement in fill.statements:
                driver_connection(tx).execute(
                    f"{database.sql.escape_percent(statement)} AND {column} BETWEEN {mark} AND {mark}",
                    (bind(keys[0]), bind(keys[-1])),
                )
            after = keys[-1]
    with database.write() as tx:
        Migration(database, (), tx, contract=False).remember(fill.name, fill.digest)


def patiently(act: Callable[[float], T]) -> T:
    """Try again when a lock was not to be had at once. `act` gets the seconds that it may wait for one."""
    wait = 0.0
    for wait, pause in TRIES:
        try:
            return act(wait)
        except StoreBusy as error:
            log.warning(
                "the migration could not lock a table at once, and tries again in %g s: %s", pause, error
            )
            SystemClock().sleep(pause)
    return act(wait)


def refuse_duplicates(database: Database, workflows: Sequence[Workflow]) -> None:
    """Refuse a natural key that rows share already, before anything is locked; the ids of such rows are named."""
    with database.read() as tx:
        there, look = index_names(tx, database), inspect(tx)
        for workflow in workflows:
            if workflow.reflected or not workflow.unique or not workflow.create:
                continue
            records = workflow.records
            known = (
                {one["name"] for one in look.get_columns(records.name, schema=records.schema)}
                if look.has_table(records.name, schema=records.schema)
                else set()
            )
            if natural_index(workflow) in there or not known >= {*workflow.unique, workflow.id_column.name}:
                continue
            database.sql.free_planner(tx)
            if found := duplicates(tx, workflow):
                raise SchemaOutdated(
                    f"rows of {records.name!r} share a natural key ({', '.join(workflow.unique)}): "
                    + "; ".join(f"{', '.join(map(str, one.key))}: ids {', '.join(one.ids)}" for one in found),
                    hint="Change or remove all but one of each, then migrate again.",
                    duplicates=[list(one.ids) for one in found],
                )


def change_mode(
    database: Database, workflows: Sequence[Workflow], tx: Connection, place: Placement, mode: Mode
) -> None:
    """Guard an axis that is being adopted more or less strictly, in the caller's transaction; only the owner may."""
    database.sql.schema.lock(tx)
    run = Migration(database, workflows, tx, contract=False)
    run.remember(mode_key(place), mode)
    run.guards(
        [
            Placement(workflow, axis, database.dialect)
            for workflow in workflows
            for axis in workflow.axes.values()
        ]
    )


class Migration:
    """One run under the lock."""

    def __init__(
        self,
        database: Database,
        workflows: Sequence[Workflow],
        tx: Connection,
        contract: bool,
        force: bool = False,
    ) -> None:
        self.database, self.workflows, self.tx, self.contract, self.force = (
            database,
            workflows,
            tx,
            contract,
            force,
        )
        self.schema = database.sql.schema
        self.known_columns: dict[Table, frozenset[str]] = {}
        self.done: list[str] = []
        self.fills: list[Fill] = []
        """What changes rows of large tables, to be run slice by slice when no lock is held."""
        self.postponed: list[str] = []
        """Indexes of large tables, to be built when no lock is held."""

    def run(self) -> list[str]:
        self.own_tables()
        self.register_known_machines()
        for workflow in self.workflows:
            workflow.reflect(self.tx)
        placements = [
            Placement(workflow, axis, self.database.dialect)
            for workflow in self.workflows
            for axis in workflow.axes.values()
        ]
        for place in placements:
            self.follow_table(place)
        self.make_tables()
        for workflow in self.workflows:
            self.complete_tables(workflow)
        for place in placements:
            self.register(place)
            self.begin_adoption(place)
        self.guards(placements)
        for workflow in self.workflows:
            for view in workflow.views:
                self.once(view_key(view.name), self.schema.view(view, self.database.dialect))
        if self.contract and not self.force:
            self.database.sql.free_planner(self.tx)  # for a look at whole tables, whose locks are held
            refuse_stranding(
                self.tx, placements
            )  # after the guards: nobody can strand another record between this look and the commit
        return self.done

    def own_tables(self) -> None:
        """Interlock's own: those that exist are upgraded first, step by step."""
        statements = self.schema.own_tables()
        if self.stored("own tables") not in (None, digest(statements)):
            for upgrade in self.schema.upgrades:
                upgrade(self.execute)
            self.remember(
                "guards: ledger", "to be made anew"
            )  # the own tables' SQL brings a guard that knows no axis
        self.once("own tables", statements)

    def register_known_machines(self) -> None:
        """What was there before machines were registered counts as registered."""
        if not self.knows_registrations():
            for kind, axis, fingerprint in self.execute(
                "SELECT kind, axis, fingerprint FROM interlock_machine"
            ).fetchall():
                self.remember(machine_key(kind, axis, fingerprint), "registered")

    def knows_registrations(self) -> bool:
        """Whether a migration has registered machines here."""
        return any(key.startswith(MACHINE) for key in self.memory)

    def execute(self, sql: str, values: Any = None) -> Any:
        """Straight to the driver: percent signs in SQL of our own are not placeholders."""
        connection = driver_connection(self.tx)
        return connection.execute(sql) if values is None else connection.execute(sql, values)

    def once(self, name: str, statements: list[str]) -> None:
        """Run the statements unless this very text has been run before and every guard that it made is still as it was made."""
        if self.stored(name) == digest(statements) and not self.live.problems(statements):
            return
        for statement in statements:
            self.execute(statement)
        self.__dict__.pop("live", None)
        self.remember(name, digest(statements))
        self.done.append(name)

    @cached_property
    def live(self) -> LiveGuards:
        """The guards that the database has now."""
        return self.schema.live_guards(self.tx)

    def stored(self, name: str) -> str | None:
        return self.memory.get(name)

    @cached_property
    def memory(self) -> dict[str, str]:
        """What earlier migrations remembered, read once; `remember` keeps it true."""
        if not inspect(self.tx).has_table("interlock_meta"):
            return {}
        rows = self.tx.exec_driver_sql("SELECT key, value FROM interlock_meta")
        return {str(key): str(value) for key, value in rows}

    @property
    def mark(self) -> str:
        return self.database.sql.mark

    def remember(self, name: str, value: str) -> None:
        self.execute(
            f"INSERT INTO interlock_meta(key, value) VALUES ({self.mark}, {self.mark}) "
            "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (name, value),
        )
        self.memory[name] = value

    def forget(self, name: str) -> None:
        self.execute(f"DELETE FROM interlock_meta WHERE key = {self.mark}", (name,))
        self.memory.pop(name, None)

    def forget_all(self, beginning: str) -> None:
        """Forget what is kept under every key that begins so."""
        self.execute(
            f"DELETE FROM interlock_meta WHERE substr(key, 1, {len(beginning)}) = {self.mark}", (beginning,)
        )
        self.__dict__.pop("memory", None)

    def make_tables(self) -> None:
        """Create the tables that the workflows name and the database lacks; where the team creates them itself, refuse instead."""
        missing: dict[Table, Workflow] = {}
        for workflow in self.workflows:
            for table in declared_tables(workflow):
                if not self.has_table(table):
                    missing.setdefault(table, workflow)
        for table, workflow in missing.items():
            if not workflow.create:
                raise SchemaOutdated(
                    f"table {table.name!r} of {workflow.name!r} does not exist",
                    hint="It was declared with create=False: create it with your own migrations.",
                )
            self.refuse_unknown_references(table, missing)
        for metadata in dict.fromkeys(table.metadata for table in missing):
            metadata.create_all(self.tx, tables=[table for table in missing if table.metadata is metadata])
        self.known_columns.clear()
        for table in missing:
            self.remember(made_key(self.database.dialect.identifier_preparer.format_table(table)), "made")
        self.done += [f"table {table.name}" for table in sort_tables(missing)]

    def has_table(self, table: Table) -> bool:
        return bool(self.columns(table))

    def columns(self, table: Table) -> frozenset[str]:
        """The names of the table's columns in the database, asked once; none where there is no such table."""
        if table not in self.known_columns:
            self.known_columns[table] = self.schema.columns(self.tx, table)
        return self.known_columns[table]

    def refuse_unknown_references(self, table: Table, missing: Collection[Table]) -> None:
        for key in table.foreign_keys:
            if (
                key.column.table is not table
                and key.column.table not in missing
                and not self.has_table(key.column.table)
            ):
                raise SchemaOutdated(
                    f"table {table.name!r} references {key.column.table.name!r}, which does not exist",
                    hint="Name it in Workflow(tables=[…]), or create it with your own migrations.",
                )

    def complete_tables(self, workflow: Workflow) -> None:
        """Add the columns and indexes that the workflow's tables lack."""
        for table in declared_tables(workflow):
            if missing := self.missing_columns(table):
                self.add_columns(workflow, table, missing)
        if workflow.create:
            there = index_names(self.tx, self.database)
            for statement in index_sql(workflow, self.database.dialect):
                missing = [name for name in index_named(statement) if name not in there]
                if missing and self.schema.builds_apart and self.is_large(statement):
                    self.postponed.append(statement)
                    continue
                self.execute(statement)
                self.done += [f"index {name}" for name in missing]
        self.fill_columns(workflow)

    def fill_columns(self, workflow: Workflow) -> None:
        """Give columns that every row of an axis must have their values: copies and dates of timers."""
        dialect = self.database.dialect
        for axis in workflow.axes.values():
            if axis.copies:
                self.fill(f"copies: {workflow.name}.{axis.name}", axis, copy_sql(workflow, axis, dialect))
            if axis.machine.timers:
                self.fill(f"timers: {workflow.name}.{axis.name}", axis, fill_timers_sql(axis, dialect))

    def fill(self, name: str, axis: Axis, statements: list[str]) -> None:
        """Run statements some of which change every row; those of a large table are run apart, slice by slice, and are remembered then."""
        table = self.database.dialect.identifier_preparer.format_table(axis.table)
        unknown = self.stored(name) != digest(statements)
        if not (unknown and self.schema.builds_apart and self.is_large(f" ON {table} (")):
            self.once(name, statements)
            return
        changing = [one for one in statements if one.startswith("UPDATE ")]
        for statement in statements:
            if statement not in changing:
                self.execute(statement)
        self.__dict__.pop("live", None)
        self.fills.append(Fill(name, axis, changing, digest(statements)))

    def is_large(self, statement: str) -> bool:
        """Whether the table that an index is for has so many rows that building it would keep writers waiting."""
        table = statement.partition(" ON ")[2].partition(" (")[0]
        return self.execute(f"SELECT 1 FROM {table} OFFSET {LARGE} LIMIT 1").fetchone() is not None

    def missing_columns(self, table: Table) -> list[str]:
        there = self.columns(table)
        return [column.name for column in table.columns if column.name not in there]

    def add_columns(self, workflow: Workflow, table: Table, missing: list[str]) -> None:
        if not workflow.create:
            raise SchemaOutdated(
                f"table {table.name!r} lacks the columns {', '.join(missing)}",
                hint="It was declared with create=False: add them with your own migrations.",
            )
        named = self.database.dialect.identifier_preparer.format_table(table)
        filled = self.execute(f"SELECT 1 FROM {named} LIMIT 1").fetchone() is not None
        for name in missing:
            column = table.c[name]
            if filled and not column.nullable and column.server_default is None:
                raise SchemaOutdated(
                    f"table {table.name!r} has rows but no column {name!r}",
                    hint=(
                        "Declare adopt=… on the axis, so that existing rows get their first entry; an axis that had another name keeps it."
                        if name in workflow.engine_columns(table)
                        else "Give the column a server_default, or add it with your own migrations."
                    ),
                )
            self.execute(
                f"ALTER TABLE {named} ADD COLUMN {CreateColumn(column).compile(dialect=self.database.dialect)}"
            )
            self.remember(added_key(named, name), "added")
            self.done.append(f"column {table.name}.{name}")
        self.known_columns.clear()

    def register(self, place: Placement) -> None:
        """Remember where the axis lives and this version of its machine."""
        self.refuse_renamed(place)
        machine = place.axis.machine
        values = axis_row(place)
        marks = ", ".join(self.mark for _ in values)
        changes = ", ".join(f"{name} = excluded.{name}" for name in AXIS_COLUMNS[2:])
        self.execute(
            f"INSERT INTO interlock_axis({', '.join(AXIS_COLUMNS)}) VALUES ({marks}) "
            f"ON CONFLICT (kind, axis) DO UPDATE SET {changes}",
            values,
        )
        true, false = self.database.sql.true, self.database.sql.false
        if self.contract:
            self.execute(
                f"UPDATE interlock_machine SET active = {false} WHERE kind = {self.mark} AND axis = {self.mark}",
                (place.kind, place.name),
            )
            for key in (machine_key(place.kind, place.name, ""), resting_key(place.kind, place.name, "")):
                self.forget_all(key)
        self.remember(machine_key(place.kind, place.name, machine.fingerprint), "registered")
        self.execute(
            f"INSERT INTO interlock_machine(kind, axis, fingerprint, definition) VALUES ({', '.join([self.mark] * 4)}) "
            f"ON CONFLICT (kind, axis, fingerprint) DO UPDATE SET active = {true}",
            (place.kind, place.name, machine.fingerprint, json.dumps(machine.definition())),
        )
        if (rests := resting_of(place)) is not None:
            self.remember(rests.key(), rests.text())

    def follow_table(self, place: Placement) -> None:
        """Take the guards from an axis whose table has another name now; raise where the table of before is still there, and is another
        one: two workflows of one name would write into one history."""
        recorded = self.execute(
            f"SELECT table_name FROM interlock_axis WHERE kind = {self.mark} AND axis = {self.mark}",
            (place.kind, place.name),
        ).fetchone()
        if recorded is None or recorded[0] == place.table_sql:
            return
        if not self.schema.is_another_table(self.tx, recorded[0], place.table):
            for statement in self.schema.renamed_guards(self.tx, recorded[0], place):
                self.execute(statement)
            self.__dict__.pop("live", None)
            return
        declared = {
            self.database.dialect.identifier_preparer.format_table(table)
            for table in declared_tables(place.workflow)
        }
        if recorded[0] not in declared or self.has_history(place.kind, place.name):
            raise BadDeclaration(
                f"{place.kind}.{place.name}: this database keeps {place.kind!r} in the table {recorded[0]}, and this workflow of the same "
                f"name is declared on the table {place.table_sql}",
                hint='Two workflows need two names: give this one another, as in Workflow("other_name", …). If it is the same one and its '
                "table got a new name, rename it in the database first: "
                f"ALTER TABLE {recorded[0]} RENAME TO {place.quote(place.table.name)}.",
                recorded=recorded[0],
                declared=place.table_sql,
            )

    def refuse_renamed(self, place: Placement) -> None:
        """Raise where this status has a history under the name of another workflow: its next entries would belong to no chain."""
        others = self.execute(
            f"SELECT kind, axis FROM interlock_axis WHERE table_name = {self.mark} AND status_column = {self.mark}",
            (place.table_sql, place.status_sql),
        ).fetchall()
        for kind, axis in sorted(others):
            if (kind, axis) != (place.kind, place.name) and self.has_history(kind, axis):
                raise BadDeclaration(
                    f"{place.kind}.{place.name}: the records of table {place.table.name!r} have a history as {kind}.{axis}, "
                    "and history keeps its names",
                    hint=f'Declare Workflow("{kind}", …) as before; noun="…" may change.',
                )

    def has_history(self, kind: str, axis: str) -> bool:
        """Whether the ledger has an entry under these names."""
        one = f"SELECT 1 FROM interlock_ledger WHERE kind = {self.mark} AND axis = {self.mark} LIMIT 1"
        return self.execute(one, (kind, axis)).fetchone() is not None

    def active(self, place: Placement) -> tuple[Machine, ...]:
        """Every version of the machine that is in use, in an order of their own: a restart of old code beside new changes no guard. A
        version that no migration registered widens nothing."""
        rows = self.execute(
            f"SELECT fingerprint, definition FROM interlock_machine WHERE kind = {self.mark} AND axis = {self.mark} "
            f"AND active ORDER BY fingerprint",
            (place.kind, place.name),
        ).fetchall()
        mine, others = place.axis.machine, list[Machine]()
        for print_, definition in rows:
            if print_ == mine.fingerprint:
                continue
            if self.is_registered(place, print_) and (one := defined(definition, print_)) is not None:
                others.append(one)
            else:
                self.refuse_machine(place, print_)
        return tuple(sorted([mine, *others], key=lambda one: one.fingerprint))

    def is_registered(self, place: Placement, fingerprint: str) -> bool:
        return (
            self.stored(machine_key(place.kind, place.name, fingerprint)) is not None
            or not self.knows_registrations()
        )

    def refuse_machine(self, place: Placement, fingerprint: str) -> None:
        log.warning(
            "%s.%s: machine %s was registered by no migration, and widens no guard",
            place.kind,
            place.name,
            fingerprint[:16],
        )

    def begin_adoption(self, place: Placement) -> None:
        """Choose the mode of an axis that is adopted, once, and open the plans of its first entries; only the owner may write plans."""
        if place.axis.adopt is None:
            return
        if self.stored(mode_key(place)) is None:
            self.remember(mode_key(place), "off" if has_legacy_rows(self.tx, place) else "enforce")
        if self.mode(place) != "closed":
            now = SystemClock().now()
            for one in adoption_plans(place):
                open_plan(self.database, self.tx, one, actor="migrate", role="operator", at=now)
        keep_legacy_detail(self.tx, place)

    def mode(self, place: Placement) -> Mode:
        """How strictly the axis is guarded: as its adoption has come."""
        stored = self.stored(mode_key(place)) if place.axis.adopt is not None else None
        return cast(Mode, stored or "enforce")

    def ledger_guards(self) -> None:
        """Guard the ledger by every axis that the database knows."""
        names = f"SELECT {', '.join(AXIS_COLUMNS)} FROM interlock_axis"
        axes = known_axes(self.execute(names).fetchall())
        self.once("guards: ledger", self.schema.ledger_guards(axes))

    def work_guards(self) -> None:
        """Guard work rows by the stages of every axis that the database knows."""
        self.once("guards: work", self.schema.work_guards(remembered(self.memory)))

    def guards(self, placements: list[Placement]) -> None:
        by_table: dict[str, list[Guarded]] = {}
        for place in placements:
            by_table.setdefault(place.table_sql, []).append(
                Guarded(place, self.active(place), self.mode(place))
            )
        self.ledger_guards()
        self.work_guards()
        for table, guards in by_table.items():
            self.once(f"guards: {table}", self.schema.table_guards(table, guards))
        for frozen in frozen_tables(self.workflows):
            self.once(
                f"guards: {frozen.table.name} (frozen)",
                self.schema.frozen_guards(frozen, self.database.dialect),
            )


def defined(definition: str, fingerprint: str) -> Machine | None:
    """The machine that a definition means, if it is the one that was fingerprinted."""
    try:
        machine = Machine.from_definition(json.loads(definition))
    except (BadDeclaration, ValueError):
        return None
    return machine if machine.fingerprint == fingerprint else None


def index_named(statement: str) -> list[str]:
    """The name of the index that this statement makes where it is missing."""
    return [name.strip('"') for name in re.findall(r"INDEX IF NOT EXISTS (\S+) ON", statement)]


def index_names(tx: Connection, database: Database) -> set[str]:
    """Every index of Interlock's that the database has."""
    return {row.name for row in tx.exec_driver_sql(database.sql.schema.index_names)}
