"""Keeps REPLACE from deleting records: SQLite fires no trigger for the rows it deletes on the way, so it must never begin."""

from __future__ import annotations

from sqlalchemy import Column, Integer, UniqueConstraint

from ...placement import Placement
from ...sql import identifier
from ..schema import trigger

ROW_NUMBERS = ("rowid", "oid", "_rowid_")
"""SQLite's own names of a row's number, unless a column has taken one."""


def natural_key_guard(place: Placement) -> list[str]:
    """What names a record to people stays as it is once it is there."""
    name = place.quote(identifier("interlock", place.table.name, "natural", "key"))
    columns = place.natural_key_sql
    if not columns:
        return [f"DROP TRIGGER IF EXISTS {name}"]
    changed = " OR ".join(
        f"(OLD.{column} IS NOT NULL AND NEW.{column} IS NOT OLD.{column})" for column in columns
    )
    message = f"ILK-210: {place.kind}: the natural key of a record may not change".replace("'", "''")
    return trigger(
        name,
        f"BEFORE UPDATE OF {', '.join(columns)} ON {place.table_sql} WHEN {changed}",
        f"SELECT RAISE(ABORT, '{message}');",
    )


def replace_guards(place: Placement) -> list[str]:
    """For whatever is unique in the axis's table: no row takes another one's place."""
    found: list[str] = []
    table, quote = place.table_sql, place.quote
    own = " AND ".join(
        f"r.{quote(column.name)} IS OLD.{quote(column.name)}" for column in place.table.primary_key
    )
    for columns in unique_sets(place):
        name = identifier("interlock", place.table.name, *columns, "unique")
        listed = ", ".join(map(quote, columns))
        taken = " AND ".join(f"r.{quote(column)} = NEW.{quote(column)}" for column in columns)
        said = f"ILK-213: {place.kind}: another record has this {', '.join(columns)}".replace("'", "''")
        found += trigger(
            f"{quote(name + '_update')}",
            f"BEFORE UPDATE OF {listed} ON {table} "
            f"WHEN EXISTS (SELECT 1 FROM {table} r WHERE {taken} AND NOT ({own}))",
            f"SELECT RAISE(ABORT, '{said}');",
        )
        if columns != (place.axis.key,):  # of those the guard of first entries takes care, aloud
            # An admission may meet a natural key again and goes on; so a row too many is left out, whoever brings it.
            found += trigger(
                f"{quote(name + '_insert')}",
                f"BEFORE INSERT ON {table} WHEN EXISTS (SELECT 1 FROM {table} r WHERE {taken})",
                "SELECT RAISE(IGNORE);",
            )
    for number in () if _is_numbered(place) else hidden_key(place):
        refusal = f"ILK-213: {place.kind}: another record has this {number}".replace("'", "''")
        found += trigger(
            quote(identifier("interlock", place.table.name, "number_insert")),
            f"BEFORE INSERT ON {table} WHEN NEW.{number} <> -1 AND EXISTS (SELECT 1 FROM {table} r WHERE r.{number} = NEW.{number})",
            f"SELECT RAISE(ABORT, '{refusal}');",
        )  # a number that nobody gave is -1 here
    return found


def hidden_key(place: Placement) -> list[str]:
    """The name of the table's own row number, unless that is the record's key itself; none where the table has no such number."""
    is_the_key = _is_numbered(place) and [column.name for column in place.table.primary_key] == [
        place.axis.key
    ]
    if is_the_key or not place.table.dialect_options["sqlite"]["with_rowid"]:
        return []
    columns = {column.name.lower() for column in place.table.columns}
    return [name for name in ROW_NUMBERS if name not in columns][:1]


def _is_numbered(place: Placement) -> bool:
    """The primary key is one whole number, which SQLite takes for the row number itself."""
    primary = list(place.table.primary_key)
    return len(primary) == 1 and isinstance(primary[0].type, Integer)


def unique_sets(place: Placement) -> list[tuple[str, ...]]:
    """The columns of the primary key, of each unique constraint and index, and of the natural key."""
    table = place.table
    sets = [tuple(column.name for column in table.primary_key)]
    sets += [
        tuple(column.name for column in constraint.columns)
        for constraint in table.constraints
        if isinstance(constraint, UniqueConstraint)
    ]
    sets += [
        tuple(part.name for part in index.expressions if isinstance(part, Column))
        for index in table.indexes
        if index.unique
        and index.dialect_options["sqlite"]["where"] is None
        and all(isinstance(part, Column) for part in index.expressions)
    ]
    if table is place.workflow.records and place.workflow.unique:
        sets.append(place.workflow.unique)
    return sorted(set(sets) - {()})
