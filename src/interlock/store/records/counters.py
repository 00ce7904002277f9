"""How many records are in each state: deltas per batch, folded now and then, so that no row is hot."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, text

from ..connect import Database

_SUM = """
SELECT kind, axis, scope, state, sum(n) AS n FROM (
    SELECT kind, axis, scope, CASE WHEN is_null THEN NULL ELSE state END AS state, count AS n FROM interlock_counter
    UNION ALL SELECT kind, axis, scope, state, delta AS n FROM interlock_count_delta) AS both_kinds
GROUP BY kind, axis, scope, state HAVING sum(n) <> 0 ORDER BY kind, axis, scope, state"""


def counts(tx: Connection, kind: str | None = None) -> list[Any]:
    """(kind, axis, scope, state, n), exact at this instant."""
    return [row for row in tx.execute(text(_SUM)) if kind is None or row.kind == kind]


def fold(database: Database, tx: Connection) -> int:
    """Add the deltas up into the counters; how many there were. Batches that commit meanwhile keep theirs."""
    return database.sql.fold_counters(tx)


def recount(
    tx: Connection, table_sql: str, status_sql: str, scope_sql: str | None, version_sql: str
) -> dict[tuple[str, str | None], int]:
    """The same numbers from the rows themselves, to hold the counters against."""
    scope = scope_sql or "''"
    rows = tx.execute(
        text(
            f"SELECT {scope} AS scope, {status_sql} AS state, count(*) AS n FROM {table_sql} "
            f"WHERE {version_sql} IS NOT NULL GROUP BY 1, 2"
        )
    )
    return {(row.scope, row.state): row.n for row in rows}
