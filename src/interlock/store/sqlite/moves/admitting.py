"""Admits records on SQLite: entries and rows of a whole batch by a few statements; one by one where a row may have to be left out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ....workflow.columns.instant import instant_text
from ...contract import Newcomers
from ...entry import GENESIS, EntryTemplate, chain
from ...placement import Placement
from ..triggers.replacing import unique_sets
from .entries import DELTA, digest_of, write_entries

_LEDGER = (
    "INSERT INTO interlock_ledger(kind, record_id, axis, scope, version, from_state, to_state, at, actor, role, cause, origin, "
    "machine, token, detail, hash) VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?)"
)
Row = Mapping[str, Any]


class Admitting:
    """One batch of newcomers on one connection."""

    def __init__(self, connection: Any, newcomers: Newcomers) -> None:
        self.connection, self.newcomers, self.main = connection, newcomers, newcomers.axes[0]
        self.scope = self.main.axis.scope_column if self.main.axis.scoped else None
        columns = (*newcomers.columns, *(place.axis.column_name("head") for place in newcomers.axes))
        self.insert = _insert_sql(self.main, columns)
        scopes = {row[self.scope] for row in newcomers.rows} if self.scope else {""}
        self.writers = {one: [template.writer(one) for template in newcomers.templates] for one in scopes}

    def run(self) -> set[Any]:
        """The keys of what is new; the others exist already."""
        rows = self._unknown(self.newcomers.rows)
        if not rows:
            return set()
        admitted = self._together(rows) or self._one_by_one(rows)
        self._count(admitted)
        return admitted

    def _unknown(self, rows: Sequence[Row]) -> list[Row]:
        """Leave out rows that meet one that is there, or an earlier one of the batch, in anything that is unique."""
        kept = list(rows)
        for columns in unique_sets(self.main):
            if not kept or any(column not in kept[0] for column in columns):
                continue  # the database gives such a column its value
            values = [[row[column] for column in columns] for row in kept]
            try:
                known = self.connection.execute(
                    _known_sql(self.main, columns), {"rows": json.dumps(values)}
                ).fetchall()
            except TypeError:  # bytes, say: the rows are tried one by one
                continue
            there = {number for (number,) in known}
            first: dict[tuple[Any, ...], int] = {}
            for number, one in enumerate(values):
                if first.setdefault(tuple(one), number) != number and None not in one:
                    there.add(number)
            kept = [row for number, row in enumerate(kept) if number not in there]
        return kept

    def _together(self, rows: Sequence[Row]) -> set[Any] | None:
        """All of them; None where the database left one out, and nothing was done."""
        heads = [self._heads(row) for row in rows]
        self.connection.execute("SAVEPOINT interlock_newcomers")
        try:
            for number, template in enumerate(self.newcomers.templates):
                for scope in self.writers:
                    write_entries(
                        self.connection,
                        template,
                        scope,
                        [
                            (str(row[self.main.axis.key]), 0, None, head[number], None)
                            for row, head in zip(rows, heads, strict=True)
                            if not self.scope or row[self.scope] == scope
                        ],
                    )
            inserted = self.connection.executemany(
                self.insert,
                [
                    (*(row[column] for column in self.newcomers.columns), *head)
                    for row, head in zip(rows, heads, strict=True)
                ],
            ).rowcount
            if inserted < len(rows):
                self.connection.execute("ROLLBACK TO interlock_newcomers")
                return None
            return {self._key(row) for row in rows}
        except BaseException:
            self.connection.execute("ROLLBACK TO interlock_newcomers")
            raise
        finally:
            self.connection.execute("RELEASE interlock_newcomers")

    def _one_by_one(self, rows: Sequence[Row]) -> set[Any]:
        """Each with its entries in a savepoint: a row that meets another one takes its entries back with it."""
        admitted: set[Any] = set()
        at = instant_text(self.newcomers.at)
        for row in rows:
            key, within, heads = (
                row[self.main.axis.key],
                row[self.scope] if self.scope else "",
                self._heads(row),
            )
            if (
                self.connection.execute(_exists_sql(self.main), {"key": key, "scope": within}).fetchone()
                is not None
            ):
                continue
            self.connection.execute("SAVEPOINT interlock_newcomer")
            self.connection.executemany(
                _LEDGER,
                [
                    (*_entry_start(template, str(key), within, at), digest_of(template), head)
                    for template, head in zip(self.newcomers.templates, heads, strict=True)
                ],
            )
            if self.connection.execute(
                self.insert, [*(row[column] for column in self.newcomers.columns), *heads]
            ).rowcount:
                admitted.add(self._key(row))
            else:
                self.connection.execute("ROLLBACK TO interlock_newcomer")
            self.connection.execute("RELEASE interlock_newcomer")
        return admitted

    def _key(self, row: Row) -> Any:
        key = row[self.main.axis.key]
        return (key, row[self.scope]) if self.scope else key

    def _heads(self, row: Row) -> list[bytes]:
        name = str(row[self.main.axis.key])
        return [
            chain(GENESIS, write(name, 0, None, None))
            for write in self.writers[row[self.scope] if self.scope else ""]
        ]

    def _count(self, admitted: set[Any]) -> None:
        scopes = [key[1] for key in admitted] if self.scope else [""] * len(admitted)
        for template in self.newcomers.templates:
            self.connection.executemany(
                DELTA,
                [
                    (template.kind, template.axis, scope, template.new, scopes.count(scope))
                    for scope in dict.fromkeys(scopes)
                ],
            )


def _entry_start(template: EntryTemplate, record_id: str, scope: str, at: str) -> tuple[Any, ...]:
    return (
        template.kind,
        record_id,
        template.axis,
        scope,
        template.old,
        template.new,
        at,
        template.actor,
        template.role,
        template.cause,
        template.origin,
        template.machine,
    )


@lru_cache(maxsize=256)
def _insert_sql(main: Placement, columns: tuple[str, ...]) -> str:
    marks = ", ".join("?" for _ in columns)
    return f"INSERT INTO {main.table_sql} ({', '.join(map(main.quote, columns))}) VALUES ({marks}) ON CONFLICT DO NOTHING"


@lru_cache(maxsize=256)
def _exists_sql(main: Placement) -> str:
    scope = f" AND {main.scope_sql} = :scope" if main.scope_sql else ""
    return f"SELECT 1 FROM {main.table_sql} WHERE {main.key_sql} = :key{scope}"


@lru_cache(maxsize=256)
def _known_sql(main: Placement, columns: tuple[str, ...]) -> str:
    """The numbers of those rows that meet one of the table in these columns."""
    same = " AND ".join(
        f"r.{main.quote(column)} = one.value ->> {number}" for number, column in enumerate(columns)
    )
    return f"SELECT one.key FROM json_each(:rows) one WHERE EXISTS (SELECT 1 FROM {main.table_sql} r WHERE {same})"
