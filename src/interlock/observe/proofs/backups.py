"""Backs a database up while it is used, and restores a backup only once it was verified."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from ...errors import BadInput
from ...store.connect import Database
from ...store.files.backup import MEMORY, Manifest, Progress, count_rows, history_end
from ...store.verify.verify import Finding, Report
from ...workflow import Workflow
from ..invariants import check, check_guards


def back_up(
    database: Database, workflows: Sequence[Workflow], file: Path, at: datetime, progress: Progress
) -> Manifest:
    """Write one snapshot into a new file that only its owner can read; returns what the file holds."""
    if file.exists():
        raise BadInput(f"{file} exists already", hint="A backup never takes the place of another file.")
    if not file.absolute().parent.is_dir():
        raise BadInput(
            f"there is no folder {file.absolute().parent}", hint="Make it first; a backup makes no folders."
        )
    return database.sql.backups.write(database, workflows, file, at, progress)


def restore(
    database: Database,
    workflows: Sequence[Workflow],
    file: Path,
    progress: Progress,
    *,
    even_if_broken: bool = False,
    processes: int = 1,
) -> tuple[Manifest, Report]:
    """Load a backup into a database that holds nothing, verify it there, and keep it if all is well.

    Returns what the backup held, and the report of its verification.
    """
    if not file.is_file():
        raise BadInput(f"there is no file {file}", hint="Name the file that `interlock db backup` wrote.")
    backups = database.sql.backups
    manifest = backups.read_manifest(file)
    if manifest.database != database.name:
        raise BadInput(f"this is a backup of {manifest.database}; the database is {database.name}")
    backups.refuse_used(database, manifest)
    with backups.loaded(database, workflows, file, manifest, progress) as loaded:
        report = check(loaded.database, workflows, processes=processes)
        report.findings += [*unlike(loaded.database, manifest), *check_guards(loaded.database, workflows)]
        if report.ok or even_if_broken:
            loaded.keep()
    return manifest, report


def unlike(database: Database, manifest: Manifest) -> list[Finding]:
    """Return a sentence for each difference between the database and the manifest of the backup."""
    quote = database.dialect.identifier_preparer
    with database.read() as tx:
        there = {
            name: count_rows(
                tx, name if name in manifest.loading.get("parts", {}) else quote.quote_identifier(name)
            )
            for name in manifest.tables
            if name not in MEMORY
        }
        end = history_end(tx)
    findings = [
        Finding(
            "I2", "backup", name, "", "", None, f"{count:,} rows were restored of {manifest.tables[name]:,}"
        )
        for name, count in there.items()
        if count != manifest.tables[name]
    ]
    findings += [
        Finding(
            "I9", "backup", name, "", "", None, f"{value} was restored, {getattr(manifest, name)} backed up"
        )
        for name, value in end.items()
        if value != getattr(manifest, name)
    ]
    return findings
