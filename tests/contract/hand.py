"""Somebody at a prompt: a plain driver connection with default settings, who types SQL past Interlock."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import psycopg
from sqlalchemy.engine import make_url

from interlock.clock import SystemClock
from interlock.store.engines import sqlite_driver
from interlock.store.entry import GENESIS, chain, detail_digest, entry_text
from interlock.store.postgresql.moves.move_context import setting, unstamped
from interlock.store.records.plans import PlanRow
from interlock.workflow.columns.instant import instant_text
from tests.contract.subjects import Subject

ENTRY = (
    "kind",
    "record_id",
    "axis",
    "scope",
    "version",
    "from_state",
    "to_state",
    "at",
    "actor",
    "role",
    "cause",
    "origin",
    "machine",
    "token",
    "detail",
    "hash",
)


class Hand:
    """Types one statement at a time and commits, whatever came of it; placeholders are question marks on both databases."""

    def __init__(self, url: str, make: Callable[[], None] | None = None) -> None:
        self.address, self.make = make_url(url), make
        self.is_sqlite = self.address.get_backend_name() == "sqlite"

    @cached_property
    def connection(self) -> Any:
        """Opened by the first thing that is typed; the database is made by then."""
        if self.make:
            self.make()
        if self.is_sqlite:
            return sqlite_driver()[0].connect(self.address.database)
        return psycopg.connect(
            self.address.set(drivername="postgresql").render_as_string(hide_password=False)
        )

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        found = self.connection.execute(self.spelled(sql), values).fetchall()
        self.connection.commit()
        return [tuple(row) for row in found]

    def one(self, sql: str, *values: Any) -> Any:
        return self.rows(sql, *values)[0][0]

    def run(self, sql: str, *values: Any) -> int:
        """How many rows it changed."""
        try:
            return int(self.connection.execute(self.spelled(sql), values).rowcount)
        finally:
            self.connection.commit()

    def spelled(self, sql: str) -> str:
        return sql if self.is_sqlite else sql.replace("?", "%s")

    def refused(self, said: str, sql: str, *values: Any) -> str:
        """The database refuses the statement in these words, and nothing at all has changed; answers its message."""
        before = self.everything()
        message = ""
        try:
            self.connection.execute(self.spelled(sql), values)
        except Exception as error:  # noqa: BLE001 — two drivers, each with errors of its own
            message = str(error)
            self.connection.commit()
        else:
            self.connection.rollback()
        assert message, f"the database took: {sql} {values}"
        assert said in message, message
        assert self.everything() == before
        return message

    def everything(self) -> dict[str, list[str]]:
        """Every row of every table."""
        names = (
            "SELECT name FROM sqlite_master WHERE type = 'table'"
            if self.is_sqlite
            else "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        )
        return {name: sorted(map(repr, self.rows(f'SELECT * FROM "{name}"'))) for (name,) in self.rows(names)}

    def row(self, subject: Subject) -> tuple[Any, int, bytes]:
        """State, version and head of the subject's row."""
        columns = f"{subject.axis}, {subject.version_column}, {subject.head_column}"
        return self.rows(f"SELECT {columns} FROM {subject.table} WHERE {subject.where}", *subject.key)[0]  # type: ignore[return-value]

    def entry(self, subject: Subject, to: str | None, **changed: Any) -> dict[str, Any]:
        """The entry that would rightly move the subject on, with what is changed about it; the hash is always the right one."""
        old, version, head = self.row(subject)
        version = -1 if version is None else version  # a row that is not adopted
        entry = {
            "kind": subject.kind,
            "record_id": str(subject.id),
            "axis": subject.axis,
            "scope": subject.scope,
            "version": version + 1,
            "from_state": old,
            "to_state": to,
            "at": SystemClock().now(),
            "actor": "hand",
            "role": None,
            "cause": "by.hand",
            "origin": "move",
            "machine": subject.machine,
            "token": None,
            "detail": None,
        } | changed
        if "hash" not in entry:
            entry["hash"] = chain(
                GENESIS if entry["version"] == 0 or head is None else bytes(head), entry_text(entry)
            )
        return entry

    def insert_entry(self, entry: dict[str, Any]) -> tuple[str, list[Any]]:
        """The INSERT of a ledger entry and its values."""
        values = [
            instant_text(entry["at"]) if name == "at" and self.is_sqlite else entry[name] for name in ENTRY
        ]
        return (
            f"INSERT INTO interlock_ledger({', '.join(ENTRY)}) VALUES ({', '.join('?' * len(ENTRY))})",
            values,
        )

    def move(self, subject: Subject, to: str | None, **changed: Any) -> tuple[str, list[Any]]:
        """One statement that moves the subject with its entry: on SQLite the entry makes the move, on PostgreSQL the move its entry."""
        entry = self.entry(subject, to, **changed)
        if self.is_sqlite:
            return self.insert_entry(entry)
        says, said = self.says(entry)
        return (
            f"UPDATE {subject.table} SET {subject.axis} = ?, {subject.version_column} = ?, {subject.head_column} = ? "
            f"WHERE {subject.where} AND {says}",
            [entry["to_state"], entry["version"], entry["hash"], *subject.key, *said],
        )

    def says(self, entry: dict[str, Any]) -> tuple[str, list[Any]]:
        """PostgreSQL: what a statement says of the entry that its move shall have, as a condition and its values."""
        detail = None if entry["detail"] is None else f"\\x{entry['detail'].hex()}"
        parts = [
            *(entry[name] for name in ("actor", "role", "cause", "origin", "machine")),
            detail,
            instant_text(entry["at"]),
            "0",
            None,
            json.dumps({entry["record_id"]: entry["hash"].hex()}),
        ]
        context = "set_config(?, ? || statement_timestamp()::text || '}', true) IS NOT NULL"
        return context, [setting(entry["kind"], entry["axis"]), unstamped(parts)]

    def detail(self, reason: str | None, subject: Subject | None = None) -> bytes:
        """Keep a reason, and answer its digest for an entry."""
        salt = bytes(16)
        digest = detail_digest(salt, reason, "{}")
        owner = (None, None) if subject is None else (subject.kind, str(subject.id))
        self.run(
            "INSERT INTO interlock_detail(digest, salt, reason, facts, kind, record_id) VALUES (?, ?, ?, '{}', ?, ?)",
            digest,
            salt,
            reason,
            *owner,
        )
        return digest

    def plan(self, subject: Subject, origin: str, *lines: tuple[str | None, str | None]) -> str:
        """Write a plan as the owner, and answer the cause that its entries name."""
        reasoned = tuple((old, new, "because") for old, new in lines)
        one = PlanRow(subject.kind, subject.axis, origin, subject.definition.fingerprint, reasoned)
        at = SystemClock().now()
        self.run(
            "INSERT INTO interlock_plan(kind, axis, id, origin, machine, lines, actor, role, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            *(one.kind, one.axis, one.id, one.origin, one.machine, json.dumps(one.lines), "hand", "admin"),
            instant_text(at) if self.is_sqlite else at,
        )
        return one.cause

    def drop_guards_of(self, table: str) -> None:
        """Disarm the triggers of one table."""
        if self.is_sqlite:
            for (name,) in self.rows(
                "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", table
            ):
                self.run(f'DROP TRIGGER "{name}"')
        else:
            self.run(f'ALTER TABLE "{table}" DISABLE TRIGGER USER')

    @contextmanager
    def without_guards_of(self, table: str) -> Iterator[None]:
        """Disarm the triggers of one table, and put them back as they were: somebody with the owner's rights damages rows."""
        made = (
            self.rows("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", table)
            if self.is_sqlite
            else []
        )
        self.drop_guards_of(table)
        yield
        for (sql,) in made:
            self.run(sql)
        if not self.is_sqlite:
            self.run(f'ALTER TABLE "{table}" ENABLE TRIGGER USER')

    def drop_guards(self) -> None:
        """Disarm every trigger, as somebody with the owner's rights could."""
        if self.is_sqlite:
            for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
                self.run(f'DROP TRIGGER "{name}"')
        else:
            for (name,) in self.rows("SELECT DISTINCT event_object_table FROM information_schema.triggers"):
                self.run(f'ALTER TABLE "{name}" DISABLE TRIGGER USER')

    def close(self) -> None:
        if "connection" in self.__dict__:
            self.connection.close()
