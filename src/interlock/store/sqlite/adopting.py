"""Adopts rows on SQLite: first entries are inserted, the ledger's trigger sets state, version and head of each row."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from ..connect import driver_connection
from ..contract import AdoptedRows
from ..entry import GENESIS, chain
from .moves.entries import DELTA, json_list, write_entries


def adopt(tx: Connection, rows: AdoptedRows) -> int:
    """Give the rows their first entry; all of them, for nobody else writes meanwhile."""
    if not rows.keys:
        return 0
    connection, place, template = driver_connection(tx), rows.place, rows.template
    _set_columns(connection, rows)
    write = template.writer("")
    write_entries(
        connection,
        template,
        "",
        [(str(key), 0, None, chain(GENESIS, write(str(key), 0, None, None)), None) for key in rows.keys],
    )
    connection.execute(DELTA, (place.kind, place.name, "", template.new, len(rows.keys)))
    return len(rows.keys)


def _set_columns(connection: Any, rows: AdoptedRows) -> None:
    """Before the entries: SQL over the row means the row as the team left it."""
    place, clock = rows.place, rows.clock or rows.at
    bound: dict[str, Any] = {column: place.bind_value(column, rows.at) for column in rows.now}
    bound |= {
        column: None if value is None else place.bind_value(column, value)
        for column, value in rows.constants.items()
    }
    bound |= {column: place.bind_value(column, clock + length) for column, length in rows.later}
    changes = [f"{place.quote(column)} = ?" for column in bound]
    changes += [f"{place.quote(column)} = ({sql})" for column, sql in rows.expressions.items()]
    connection.execute(
        f"UPDATE {place.table_sql} SET {', '.join(changes)} WHERE {place.key_sql} IN (SELECT value FROM json_each(?))",
        [*bound.values(), json_list(list(rows.keys))],
    )
