"""Backups of PostgreSQL: one snapshot, each table as COPY writes it, in a zip file of our own; only Python is needed.

Only Interlock's tables and those that the app's workflows name are in it; `pg_dump` is for everything else.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from graphlib import CycleError, TopologicalSorter
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Connection, text

from ...errors import BadInput
from ...workflow import Workflow
from ..connect import Database, driver_connection
from ..files.backup import MEMORY, NOT_A_BACKUP, Manifest, Progress, history_end, publish, remove
from ..files.private_files import private
from ..migrations.inspection import upgrade
from ..placement import declared_tables

MANIFEST = "manifest.json"
BLOCK = 1 << 16
LARGEST_MANIFEST = 1 << 24
"""Bytes; one of a thousand tables is a hundredth of it."""
SETTINGS = (
    "SET LOCAL datestyle TO 'ISO, YMD'",
    "SET LOCAL intervalstyle TO 'postgres'",
    "SET LOCAL timezone TO 'UTC'",
    "SET LOCAL extra_float_digits TO 3",
    "SET LOCAL client_encoding TO 'UTF8'",
)
"""COPY writes and reads text: with the same settings on both ends, whatever the server prefers."""
_OWN = (
    "SELECT c.oid::regclass::text FROM pg_class c WHERE starts_with(c.relname, 'interlock_') AND c.relkind IN ('r', 'p') "
    "AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace ORDER BY c.relname"
)
_OTHERS = (
    "SELECT c.oid::regclass::text FROM pg_class c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition "
    "AND c.relnamespace = current_schema()::regnamespace ORDER BY c.relname"
)
_COLUMNS = (
    "SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = to_regclass(:table) AND attnum > 0 "
    "AND NOT attisdropped AND attgenerated = '' ORDER BY attnum"
)
_SEQUENCES = (
    "SELECT attname::text, pg_get_serial_sequence(:table, attname) AS name FROM pg_attribute "
    "WHERE attrelid = to_regclass(:table) AND attnum > 0 AND NOT attisdropped "
    "AND pg_get_serial_sequence(:table, attname) IS NOT NULL"
)
_REFERENCES = (
    "SELECT DISTINCT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint "
    "WHERE contype = 'f' AND conrelid <> confrelid"
)


class PostgresqlBackups:
    """See `Backups`."""

    def write(
        self, database: Database, workflows: Sequence[Workflow], file: Path, at: datetime, progress: Progress
    ) -> Manifest:
        """One repeatable-read transaction sees every table as it is at one instant; writers go on beside it."""
        half = file.with_name(f"{file.name}.half")
        remove(half)
        try:
            with (
                database.read() as tx,
                open(half, "xb", opener=private) as file_of_parts,
                zipfile.ZipFile(file_of_parts, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive,
            ):
                apply_settings(tx)
                manifest = self._write_tables(tx, database, workflows, archive, at, progress)
                archive.writestr(MANIFEST, manifest.text())
            publish(half, file)
        finally:
            remove(half)
        return manifest

    def _write_tables(
        self,
        tx: Connection,
        database: Database,
        workflows: Sequence[Workflow],
        archive: zipfile.ZipFile,
        at: datetime,
        progress: Progress,
    ) -> Manifest:
        names = tables_of(tx, database, workflows)
        end, tables, parts, sequences = history_end(tx), dict[str, int](), dict[str, Any](), list[Any]()
        for number, name in enumerate(names):
            progress(number, len(names))
            columns = columns_of(tx, name)
            part = f"tables/{number:04d}.copy"
            with archive.open(part, "w", force_zip64=True) as into:
                tables[name], digest = copy_out(tx, name, columns, into)
            parts[name] = {"part": part, "columns": columns, "sha256": digest}
            for column, sequence in tx.execute(text(_SEQUENCES), {"table": name}):
                last, called = tx.exec_driver_sql(f"SELECT last_value, is_called FROM {sequence}").one()
                sequences.append([name, column, last, called])
        progress(len(names), len(names))
        left_out = tuple(sorted(set(tx.exec_driver_sql(_OTHERS).scalars()) - set(names)))
        loading = {"parts": parts, "sequences": sequences}
        return Manifest(database.name, at, tables, left_out=left_out, loading=loading, **end)

    def read_manifest(self, file: Path) -> Manifest:
        """Every part is read once: a byte that has changed is noticed before anything is loaded."""
        try:
            with zipfile.ZipFile(file) as archive:
                if archive.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
                    raise ValueError("its list of contents is larger than any that we write")
                manifest = Manifest.parse(archive.read(MANIFEST))
                refuse_odd_contents(manifest)
                for name, part in manifest.loading["parts"].items():
                    digest = sha256()
                    with archive.open(part["part"]) as source:
                        while block := source.read(BLOCK):
                            digest.update(block)
                    if digest.hexdigest() != part["sha256"]:
                        raise BadInput(f"{file} is damaged: {name} differs from what was backed up")
        except (OSError, zipfile.BadZipFile, zlib.error, KeyError, ValueError, EOFError) as error:
            raise BadInput(f"{file} is not a backup, or is damaged: {error}", hint=NOT_A_BACKUP) from error
        return manifest

    def refuse_used(self, database: Database, manifest: Manifest) -> None:
        with database.read() as tx:
            there = [
                *tx.exec_driver_sql(_OWN).scalars(),
                *(name_of(tx, one) for one in manifest.tables),
            ]
            used = [
                name
                for name in dict.fromkeys(there)
                if name is not None
                and name not in MEMORY
                and tx.execute(text(f"SELECT EXISTS (SELECT 1 FROM {name})")).scalar()
            ]
        if used:
            raise BadInput(
                f"the database is not empty: there are rows in {', '.join(used[:3])}",
                hint="A backup is restored into a database without records. Make a new one: CREATE DATABASE ….",
            )

    @contextmanager
    def loaded(
        self,
        database: Database,
        workflows: Sequence[Workflow],
        file: Path,
        manifest: Manifest,
        progress: Progress,
    ) -> Iterator[LoadedTables]:
        """The tables are made as by a migration, filled in one transaction, and the guards made anew for the machines that came along."""
        upgrade(database, workflows)
        with zipfile.ZipFile(file) as archive, database.write() as tx:
            apply_settings(tx)
            refuse_unlike(tx, manifest, tables_of(tx, database, workflows))
            with without_guards(tx, manifest.tables):
                for number, name in enumerate(in_order(tx, manifest.tables)):
                    progress(number, len(manifest.tables))
                    copy_in(tx, name, manifest.loading["parts"][name], archive)
            for name, column, last, called in manifest.loading["sequences"]:
                tx.execute(
                    text("SELECT setval(pg_get_serial_sequence(:table, :column), :last, :called)"),
                    {"table": name, "column": column, "last": last, "called": called},
                )
        loaded = LoadedTables(database, manifest)
        try:
            upgrade(database, workflows)
            yield loaded
        finally:
            if not loaded.kept:
                loaded.remove()


class LoadedTables:
    """See `Loaded`."""

    def __init__(self, database: Database, manifest: Manifest) -> None:
        self.database, self.manifest, self.kept = database, manifest, False

    def keep(self) -> None:
        self.kept = True

    def remove(self) -> None:
        """The tables were empty before."""
        with self.database.write() as tx, without_guards(tx, self.manifest.tables):
            for name in reversed(in_order(tx, self.manifest.tables)):
                if name not in MEMORY:
                    tx.exec_driver_sql(f"DELETE FROM {name}")


def apply_settings(tx: Connection) -> None:
    for setting in SETTINGS:
        tx.exec_driver_sql(setting)


def tables_of(tx: Connection, database: Database, workflows: Sequence[Workflow]) -> list[str]:
    """Interlock's own tables and those that the workflows name, as this server writes their names."""
    prepare = database.dialect.identifier_preparer
    declared = [prepare.format_table(one) for workflow in workflows for one in declared_tables(workflow)]
    named = [name_of(tx, name) for name in declared]
    own = list(tx.exec_driver_sql(_OWN).scalars())
    if "interlock_ledger" not in own:
        raise BadInput("this database has no ledger: there is nothing to back up")
    return list(dict.fromkeys([*own, *(name for name in named if name is not None)]))


def name_of(tx: Connection, name: str) -> str | None:
    """A table's name as this server writes it; None where there is no such table, or the text is no name."""
    found: str | None = tx.execute(text("SELECT to_regclass(:name)::text"), {"name": name}).scalar()
    return found


def columns_of(tx: Connection, name: str) -> list[str]:
    return list(tx.execute(text(_COLUMNS), {"table": name}).scalars())


def copy_out(tx: Connection, name: str, columns: Sequence[str], into: IO[bytes]) -> tuple[int, str]:
    """Copies a table into the archive; the number of its rows, and the hash of their text."""
    digest = sha256()
    with driver_connection(tx).cursor() as cursor:
        with cursor.copy(f"COPY (SELECT {', '.join(columns)} FROM {name}) TO STDOUT") as rows:
            for block in rows:
                digest.update(block)
                into.write(block)
        return int(cursor.rowcount), digest.hexdigest()


def copy_in(tx: Connection, name: str, part: dict[str, Any], archive: zipfile.ZipFile) -> None:
    """Fill one table; what a migration has remembered of this code stays, and what only the backup knows is added."""
    target = name
    if name in MEMORY:
        target = f"pg_temp.restored_{name}"
        tx.exec_driver_sql(f"CREATE TEMP TABLE restored_{name} (LIKE {name}) ON COMMIT DROP")
    columns = ", ".join(part["columns"])
    with (
        archive.open(part["part"]) as source,
        driver_connection(tx).cursor() as cursor,
        cursor.copy(f"COPY {target} ({columns}) FROM STDIN") as rows,
    ):
        while block := source.read(BLOCK):
            rows.write(block)
    if name in MEMORY:
        tx.exec_driver_sql(
            f"INSERT INTO {name} ({columns}) SELECT {columns} FROM {target} ON CONFLICT DO NOTHING"
        )


def refuse_odd_contents(manifest: Manifest) -> None:
    """A file may come from anywhere: what it names is written into SQL only after it was found among the names that the server knows."""
    parts, sequences = manifest.loading["parts"], manifest.loading["sequences"]
    if (
        not isinstance(parts, dict)
        or not isinstance(sequences, list)
        or parts.keys() != manifest.tables.keys()
    ):
        raise ValueError("the tables that it names are not those that it has")
    for name, part in parts.items():
        match part:
            case {"part": str(), "columns": [str(), *_]}:
                pass
            case _:
                raise ValueError(f"where {name} is, and in which columns, is not said")
    for one in sequences:
        match one:
            case [str(table), str(), int(), bool()] if table in parts:
                pass
            case _:
                raise ValueError("it has numbers for a table that it does not have")


def refuse_unlike(tx: Connection, manifest: Manifest, known: Collection[str]) -> None:
    """Every table and column of the backup must be there, and be Interlock's own or one that the app names; those that nobody else makes,
    their owner makes first. Nothing of a name is tried in SQL before it was found among the `known` ones."""
    for name, part in manifest.loading["parts"].items():
        if name not in known:
            raise BadInput(
                f"the backup has a table {name} that this database lacks, or that the app does not name",
                hint="Name the same app as when it was made; make tables of your own first, and leave them empty.",
            )
        if missing := [one for one in part["columns"] if one not in columns_of(tx, name)]:
            raise BadInput(f"{name} lacks columns that the backup has: {', '.join(missing)}")


@contextmanager
def without_guards(tx: Connection, tables: Sequence[str] | dict[str, int]) -> Iterator[None]:
    """Switches the guards off within this transaction, so that old rows can be inserted; only the tables' owner may do this."""
    for name in tables:
        tx.exec_driver_sql(f"ALTER TABLE {name} DISABLE TRIGGER USER")
    yield
    for name in tables:
        tx.exec_driver_sql(f"ALTER TABLE {name} ENABLE TRIGGER USER")


def in_order(tx: Connection, tables: dict[str, int]) -> list[str]:
    """Tables behind those that they refer to; where they refer to each other in a circle, as they come."""
    before: dict[str, set[str]] = {name: set() for name in tables}
    for name, referred in tx.exec_driver_sql(_REFERENCES):
        if name in before and referred in before:
            before[name].add(referred)
    try:
        return list(TopologicalSorter(before).static_order())
    except CycleError:
        return list(tables)
