"""Holds a database against what the code needs, without changing it: what a migration would do, and whether guards were taken away."""

from __future__ import annotations

import re

from sqlalchemy import Connection, column, inspect, select, table, text

from ..app import App
from ..store.migrate import Migration, axis_row, digest
from ..store.placement import Placement, tables_of
from ..store.tables import machine
from ..workflow import Workflow

_TRIGGER = re.compile(r"CREATE (?:OR REPLACE )?TRIGGER (\S+) (?:BEFORE|AFTER) .*? ON (\S+)", re.DOTALL)
_PG_TRIGGERS = text("SELECT t.tgname AS name, t.tgrelid::regclass::text AS place FROM pg_trigger t "
                    "WHERE NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')")
_SQLITE_TRIGGERS = text("SELECT name, tbl_name AS place FROM sqlite_master WHERE type = 'trigger'")
_AXES = table("interlock_axis", *(column(name) for name in (
    "kind", "axis", "table_name", "key_column", "key_type", "scope_column", "status_column", "version_column", "head_column")))


def differences(app: App) -> list[dict[str, str]]:
    """Everything that is not as this code needs it."""
    with app.database.read() as tx:
        if not inspect(tx).has_table("interlock_meta"):
            return [{"what": "own tables", "problem": "the database has none of Interlock's tables"}]
        look = Inspection(app, tx)
        look.run()
        return look.found


class Inspection(Migration):
    """Goes the way of a migration, and only looks."""

    def __init__(self, app: App, tx: Connection) -> None:
        super().__init__(app.database, list(app.workflows.values()), tx, contract=False)
        self.found: list[dict[str, str]] = []
        asked = _SQLITE_TRIGGERS if self.database.is_sqlite else _PG_TRIGGERS
        self.triggers = {(row.name, bare(row.place)) for row in tx.execute(asked)}

    def say(self, what: str, problem: str) -> None:
        self.found.append({"what": what, "problem": problem})

    def once(self, name: str, statements: list[str]) -> None:
        """Known by this very text, and each of its triggers still there and switched on."""
        if self.stored(name) != digest(statements):
            self.say(name, "not what this code needs")
            return
        for trigger, place in _TRIGGER.findall("\n".join(statements)):
            if (bare(trigger), bare(place)) not in self.triggers:
                self.say(name, f"trigger {trigger} on {place} was removed or switched off")

    def tables(self, workflow: Workflow) -> None:
        present = inspect(self.tx)
        for one in tables_of(workflow):
            if not present.has_table(one.name, schema=one.schema):
                self.say(f"table {one.name}", "does not exist")
            elif missing := self.missing_columns(one):
                self.say(f"table {one.name}", f"lacks {', '.join(missing)}")

    def register(self, place: Placement) -> None:
        """The database knows where the axis lives, and this version of its machine."""
        print_ = place.axis.machine.fingerprint
        row = self.tx.execute(select(_AXES).where(_AXES.c.kind == place.kind, _AXES.c.axis == place.name)).first()
        if row is None or tuple(row) != axis_row(place):
            self.say(f"axis {place.kind}.{place.name}", "the database does not know it" if row is None else "it was kept elsewhere before")
        active = self.tx.execute(select(machine.c.active).where(
            machine.c.kind == place.kind, machine.c.axis == place.name, machine.c.fingerprint == print_)).scalar()
        if not active:
            self.say(f"machine {place.axis.machine.name}", "the database does not know this version of it")


def bare(name: str) -> str:
    """A name without quotes and schema, as catalogs may or may not write it."""
    return name.replace('"', "").rpartition(".")[2]
