"""Machines compiled into PostgreSQL: one trigger per table and event, which judges what a statement did and writes its history.

Nobody else writes history: what is not said of a move, nor legal, is refused with it, and a row without its entry cannot be.
"""

from __future__ import annotations

from sqlalchemy import Dialect

from ...guarded import CLOSING, FrozenTable, Guarded
from ...placement import Placement
from ...sql import identifier, one_of, text
from ..moves.pinning import PINNED
from .follow import follow_guards
from .history import deleted, inserted, updated, variables

# Not CHECKs, nor conditions of triggers: PostgreSQL reads and compiles those anew for every statement, and a function once a session.
LEDGER_GUARD = """
CREATE OR REPLACE FUNCTION interlock_ledger_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF pg_trigger_depth() < 2 THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213',
            MESSAGE = 'ILK-213: a ledger entry is written by its move alone; typed by hand it is unlike its row';
    END IF;
    RETURN NULL;
END $body$""".strip()


def table_guards(table: str, guards: list[Guarded]) -> list[str]:
    """The guards of one table, over all axes that live in it."""
    short = guards[0].placement.table.fullname
    statements = [statement for guarded in guards for statement in _former(table, guarded)]
    for event, body, rows in (
        ("update", updated, "OLD TABLE AS before NEW TABLE AS after"),
        ("insert", inserted, "NEW TABLE AS after"),
        ("delete", deleted, "OLD TABLE AS before"),
    ):
        function = identifier("interlock", short, event, "guard")
        statements.append(
            f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $body$\n"
            f"DECLARE {variables(guards)}\nBEGIN\n{body(guards)}\nRETURN NULL;\nEND $body$"
        )
        statements.append(
            f"CREATE OR REPLACE TRIGGER {identifier('interlock', 'history', event)} AFTER {event.upper()} ON {table} "
            f"REFERENCING {rows} FOR EACH STATEMENT EXECUTE FUNCTION {function}()"
        )
    statements += [statement for guarded in guards for statement in follow_guards(table, guarded)]
    statements.append(
        f"CREATE OR REPLACE TRIGGER interlock_truncate AFTER TRUNCATE ON {table} FOR EACH STATEMENT "
        "EXECUTE FUNCTION interlock_refuse_change('records leave one by one, each with a closing entry')"
    )
    return [*statements, *_natural_key_guard(table, guards[0].placement)]


def _natural_key_guard(table: str, place: Placement) -> list[str]:
    """What names a record to people stays as it is once it is there; only an UPDATE that names such a column is asked."""
    columns = place.natural_key_sql
    if not columns:
        return [f"DROP TRIGGER IF EXISTS interlock_natural_key ON {table}"]
    changed = " OR ".join(
        f"(OLD.{column} IS NOT NULL AND NEW.{column} IS DISTINCT FROM OLD.{column})" for column in columns
    )
    return [
        f"CREATE OR REPLACE TRIGGER interlock_natural_key BEFORE UPDATE OF {', '.join(columns)} ON {table} FOR EACH ROW "
        f"WHEN ({changed}) EXECUTE FUNCTION interlock_refuse_change('the natural key of a record may not change')"
    ]


def _former(table: str, guarded: Guarded) -> list[str]:
    """What earlier versions of Interlock put on a table, and this one does not need."""
    place = guarded.placement
    check = identifier("interlock", place.table.name, place.name, "states")
    return [
        f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {check}",
        f"DROP TRIGGER IF EXISTS {identifier('interlock', place.name, 'legal')} ON {table}",
        f"DROP FUNCTION IF EXISTS {identifier('interlock', place.table.name, place.name, 'row_guard')}()",
    ]


def frozen_guard(frozen: FrozenTable, dialect: Dialect) -> list[str]:
    """Rows of this table never change once they are inserted, and leave only with the record that they reference.

    AFTER and per row: a statement that hits nothing passes, and a cascade, which PostgreSQL runs before the record's own closing entry
    is there, has its rows judged after it.
    """
    table, quote = dialect.identifier_preparer.format_table(frozen.table), dialect.identifier_preparer.quote
    function = identifier("interlock", frozen.table.fullname, "frozen_guard")
    closed = (
        " OR ".join(
            f"EXISTS (SELECT 1 FROM interlock_ledger l WHERE l.record_id = OLD.{quote(column)}::text AND l.kind = {text(kind)} "
            f"AND {one_of('l.origin', CLOSING)})"
            for kind, column in frozen.owners
        )
        or "false"
    )
    return [
        f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $body$\nBEGIN\n"
        f"IF TG_OP = 'DELETE' AND ({closed}) THEN RETURN NULL; END IF;\n"
        "RAISE EXCEPTION USING ERRCODE = 'IL210', MESSAGE = format('ILK-210: %s of %s is refused: its rows are frozen', TG_OP, "
        "TG_TABLE_NAME);\nEND $body$",
        f"CREATE OR REPLACE TRIGGER interlock_frozen AFTER UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION {function}()",
        f"CREATE OR REPLACE TRIGGER interlock_frozen_truncate AFTER TRUNCATE ON {table} FOR EACH STATEMENT "
        "EXECUTE FUNCTION interlock_refuse_change('its rows are frozen')",
        PINNED,
    ]
