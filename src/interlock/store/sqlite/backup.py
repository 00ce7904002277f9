"""Backups of SQLite: a database file of its own, copied page by page within one read transaction; its manifest is a row of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import text

from ...errors import BadInput, StoreUnavailable
from ...workflow import Workflow
from ..connect import Database, driver_connection
from ..files.backup import NOT_A_BACKUP, Manifest, Progress, count_rows, history_end, publish, remove
from ..files.private_files import create_empty
from ..migrations.inspection import upgrade
from .connect import sqlite_driver

PAGES = 512
KEY = "backup"
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
_KEEP = "INSERT INTO interlock_meta(key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"


class SqliteBackups:
    """See `Backups`."""

    def write(
        self, database: Database, workflows: Sequence[Workflow], file: Path, at: datetime, progress: Progress
    ) -> Manifest:
        """One transaction sees the pages, the counts and the end of history alike; writers go on beside it."""
        half = fresh(file)
        try:
            with database.read() as tx, closing(opened(half)) as target:
                tables = tx.execute(text(_TABLES)).scalars().all()
                if "interlock_ledger" not in tables:
                    raise BadInput("this database has no ledger: there is nothing to back up")
                manifest = Manifest(
                    database.name,
                    at,
                    {name: count_rows(tx, quoted(name)) for name in tables},
                    **history_end(tx),
                )
                copy_pages(driver_connection(tx), target, progress)
                target.execute(_KEEP, (KEY, manifest.text()))
                target.execute("PRAGMA journal_mode = DELETE")  # one file, whole in itself
            publish(half, file)
        finally:
            remove(half)
        return manifest

    def read_manifest(self, file: Path) -> Manifest:
        driver, _ = sqlite_driver()
        try:
            with closing(driver.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as source:
                damage = source.execute("PRAGMA integrity_check(1)").fetchone()[0]
                row = source.execute("SELECT value FROM interlock_meta WHERE key = ?", (KEY,)).fetchone()
                there = {name for (name,) in source.execute(_TABLES)}
        except driver.DatabaseError as error:
            raise BadInput(f"{file} is not a backup, or is damaged: {error}", hint=NOT_A_BACKUP) from error
        if damage != "ok":
            raise BadInput(f"{file} is damaged: {damage}", hint="Take another backup; nothing was restored.")
        if row is None:
            raise BadInput(f"{file} is a database, but no backup", hint=NOT_A_BACKUP)
        manifest = Manifest.parse(row[0])
        if not manifest.tables.keys() <= there:
            raise BadInput(f"{file} lacks tables that it names", hint=NOT_A_BACKUP)
        return replace(manifest, loading={})  # nothing is needed to load it, whatever the file says

    def refuse_used(self, database: Database, manifest: Manifest) -> None:
        file = database.sql.connections.file(database.engine.url)
        if file is None:
            raise BadInput("a database in memory cannot be restored: nothing of it would be left")
        if not file.exists() or not file.stat().st_size:
            return
        with database.read() as tx:
            tables = tx.execute(text(_TABLES)).scalars().all()
        database.forget_connections()
        if tables:
            raise BadInput(
                f"the database {file} is not empty: it has {', '.join(tables[:3])}",
                hint="A backup is restored into a database that does not exist yet. Move this one away first.",
            )

    @contextmanager
    def loaded(
        self,
        database: Database,
        workflows: Sequence[Workflow],
        file: Path,
        manifest: Manifest,
        progress: Progress,
    ) -> Iterator[LoadedFile]:
        """A copy beside the database's own place, which nobody else knows of before it was verified."""
        target = database.sql.connections.file(database.engine.url)
        if target is None:
            raise BadInput("a database in memory cannot be restored: nothing of it would be left")
        half, driver = fresh(target), sqlite_driver()[0]
        try:
            with (
                closing(driver.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as source,
                closing(opened(half)) as copy,
            ):
                copy_pages(source, copy, progress)
                copy.execute("DELETE FROM interlock_meta WHERE key = ?", (KEY,))
            loaded = LoadedFile(half, target)
            upgrade(loaded.database, workflows)
            yield loaded
        finally:
            remove(half, *beside(half))


class LoadedFile:
    """See `Loaded`."""

    def __init__(self, half: Path, target: Path) -> None:
        self.half, self.target = half, target
        self.database = Database(f"sqlite:///{half}")

    def keep(self) -> None:
        self.database.close()  # the last connection brings what the log holds into the file
        if any(path.exists() for path in beside(self.half)):
            raise StoreUnavailable("another process has opened the copy while it was verified")
        publish(self.half, self.target)


def fresh(file: Path) -> Path:
    """An empty file beside the one that is to be, for its owner alone."""
    half = file.with_name(f"{file.name}.half")
    remove(half, *beside(half))
    create_empty(half)
    if not half.exists():
        raise BadInput(f"{half} cannot be made", hint="Is its folder there, and may you write in it?")
    return half


def beside(file: Path) -> list[Path]:
    return [file.with_name(file.name + ending) for ending in ("-wal", "-shm", "-journal")]


def opened(file: Path) -> Any:
    return sqlite_driver()[0].connect(str(file), isolation_level=None)


def copy_pages(source: Any, target: Any, progress: Progress) -> None:
    """A read transaction that is open on `source` is the snapshot that is copied, however many steps it takes."""
    source.backup(
        target,
        pages=PAGES,
        progress=lambda _, remaining, total: progress(total - remaining, total),
        sleep=0.05,
    )


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
