"""Holds a database against what the code needs, without changing it: what a migration would do, and whether guards were taken away."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, column, inspect, select, table

from ...errors import RefusedByDatabase, SchemaOutdated
from ...workflow import Axis, Workflow
from ..adoption.adoptions import mode_key
from ..connect import Database
from ..faults import driver_error
from ..guarded import Guarded
from ..placement import Placement, declared_tables
from ..queue.indexes import index_sql
from ..resting import resting_of
from ..tables import machine
from .migrate import Migration, index_named, index_names, migrate
from .remembered import axis_row, digest

_AXES = table(
    "interlock_axis",
    *(
        column(name)
        for name in (
            "kind",
            "axis",
            "table_name",
            "key_column",
            "key_type",
            "scope_column",
            "status_column",
            "version_column",
            "head_column",
        )
    ),
)
_DENIED = "42501"
RETIRED = "this version of it was retired by a later one (`interlock db upgrade --contract`)"
REPLACE = "This code is older than the database: start the newer one. `interlock db upgrade` from here would allow the old moves again."


def differences(
    database: Database, workflows: Sequence[Workflow], *, intruders: bool = False
) -> list[dict[str, str]]:
    """Everything that is not as this code needs it; looking needs no right to change anything. With `intruders` also the triggers, rules
    and the like on Interlock's own tables that no migration makes."""
    with database.read() as tx:
        if not inspect(tx).has_table("interlock_meta"):
            return [{"what": "own tables", "problem": "the database has none of Interlock's tables"}]
        look = Inspection(database, workflows, tx)
        look.run()
        if intruders:
            for problem in look.live.intruders([*_made_on_own_tables(database, workflows), *look.wanted]):
                look.say("own tables", problem)
        return look.found


def _made_on_own_tables(database: Database, workflows: Sequence[Workflow]) -> list[str]:
    """The statements that make whatever belongs on Interlock's own tables; its own records are guarded like all others."""
    made = [*database.sql.schema.own_tables(), *database.sql.schema.work_guards([])]
    for workflow in workflows:
        if workflow.records.name.startswith("interlock_"):
            places = [Placement(workflow, axis, database.dialect) for axis in workflow.axes.values()]
            guards = [Guarded(place, (place.axis.machine,)) for place in places]
            made += database.sql.schema.table_guards(places[0].table_sql, guards)
    return made


def require(database: Database, workflows: Sequence[Workflow]) -> None:
    """Refuse a database that lacks something these workflows need."""
    if found := differences(database, workflows):
        retired = any(one["problem"] == RETIRED for one in found)
        raise SchemaOutdated(
            f"the database is not what this code needs: {summarize(found)}",
            hint=REPLACE if retired else "",
            missing=found,
        )


def upgrade(
    database: Database, workflows: Sequence[Workflow], *, contract: bool = False, force: bool = False
) -> list[str]:
    """Migrate if something is missing. Where nothing is, nothing is written, so that no right to change the schema is needed."""
    if not contract and is_up_to_date(database, workflows):
        return []
    try:
        return migrate(database, workflows, contract=contract, force=force)
    except RefusedByDatabase as refusal:
        if refusal.__cause__ is None or getattr(driver_error(refusal.__cause__), "sqlstate", None) != _DENIED:
            raise
        found = [] if contract else differences(database, workflows)
        missing = f"; missing is: {summarize(found)}" if found else ""
        raise SchemaOutdated(
            f"this database user may not change the schema{missing}", missing=found
        ) from refusal


def is_up_to_date(database: Database, workflows: Sequence[Workflow]) -> bool:
    """Whether `differences` has nothing to report; stops looking at the first difference."""
    with database.read() as tx:
        if not inspect(tx).has_table("interlock_meta"):
            return False
        try:
            FirstDifference(database, workflows, tx).run()
        except StopLooking:
            return False
        return True


def summarize(found: Sequence[dict[str, str]]) -> str:
    """The first findings in one sentence; the rest counted."""
    first = "; ".join(f"{one['what']}: {one['problem']}" for one in found[:3])
    return f"{first}, and {len(found) - 3} more" if found[3:] else first


class Inspection(Migration):
    """Runs the steps of a migration without changing anything, and collects what differs."""

    def __init__(self, database: Database, workflows: Sequence[Workflow], tx: Connection) -> None:
        super().__init__(database, workflows, tx, contract=False)
        self.found: list[dict[str, str]] = []
        self.wanted: list[str] = []
        """The statements that make what was looked at."""

    def say(self, what: str, problem: str) -> None:
        self.found.append({"what": what, "problem": problem})

    def own_tables(self) -> None:
        self.once("own tables", self.schema.own_tables())

    def once(self, name: str, statements: list[str]) -> None:
        """Known by this very text, and each of its guards still as it was made and switched on."""
        self.wanted += statements
        if self.stored(name) != digest(statements):
            self.say(name, "not what this code needs")
            return
        for problem in self.live.problems(statements):
            self.say(name, problem)

    def register_known_machines(self) -> None:
        """Only looks."""

    def refuse_machine(self, place: Placement, fingerprint: str) -> None:
        self.say(
            f"machine {fingerprint[:16]}",
            f"no migration registered this version of {place.kind}.{place.name}",
        )

    def follow_table(self, place: Placement) -> None:
        """`register` says so."""

    def make_tables(self) -> None:
        for one in dict.fromkeys(one for workflow in self.workflows for one in declared_tables(workflow)):
            if not self.has_table(one):
                self.say(f"table {one.name}", "does not exist")

    def complete_tables(self, workflow: Workflow) -> None:
        for one in declared_tables(workflow):
            if self.has_table(one) and (missing := self.missing_columns(one)):
                self.say(f"table {one.name}", f"lacks {', '.join(missing)}")
        there = index_names(self.tx, self.database)
        for statement in index_sql(workflow, self.database.dialect) if workflow.create else ():
            for name in index_named(statement):
                if name not in there:
                    self.say(
                        f"table {statement.partition(' ON ')[2].partition(' ')[0]}", f"lacks the index {name}"
                    )
        if all(self.has_table(axis.table) for axis in workflow.axes.values()):
            self.fill_columns(workflow)

    def begin_adoption(self, place: Placement) -> None:
        if place.axis.adopt is not None and self.stored(mode_key(place)) is None:
            self.say(f"adoption {place.kind}.{place.name}", "has not begun")

    def fill(self, name: str, axis: Axis, statements: list[str]) -> None:
        if self.stored(name) != digest(statements):
            self.say(name, "columns are not filled yet")

    def register(self, place: Placement) -> None:
        """The database knows where the axis lives, and this version of its machine."""
        print_ = place.axis.machine.fingerprint
        row = self.tx.execute(
            select(_AXES).where(_AXES.c.kind == place.kind, _AXES.c.axis == place.name)
        ).first()
        if row is None or tuple(row) != axis_row(place):
            problem = "the database does not know it"
            if row is not None and row.table_name != place.table_sql:
                problem = f"it was kept in the table {row.table_name} before, and is declared on the table {place.table_sql}"
            elif row is not None:
                problem = "it was kept in other columns before"
            self.say(f"axis {place.kind}.{place.name}", problem)
        active = self.tx.execute(
            select(machine.c.active).where(
                machine.c.kind == place.kind, machine.c.axis == place.name, machine.c.fingerprint == print_
            )
        ).scalar()
        if not active:
            self.say(
                f"machine {place.axis.machine.name}",
                "the database does not know this version of it" if active is None else RETIRED,
            )
        rests = resting_of(place)
        if rests is not None and self.stored(rests.key()) != rests.text():
            self.say(
                f"stages {place.kind}.{place.name}", "the database does not know where their records may rest"
            )


class StopLooking(Exception):
    """A difference was seen, and one is enough."""


class FirstDifference(Inspection):
    """Looks no further than the first difference."""

    def say(self, what: str, problem: str) -> None:
        raise StopLooking(what, problem)
