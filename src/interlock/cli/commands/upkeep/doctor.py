"""The checks of `interlock doctor`; each ends with ok, warn or fail, and with what to do."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError

from ....errors import InterlockError
from ....store.connect import Database
from ....store.engines import NAMES, sql_named
from ....store.files.examine import describe_rights
from ....store.files.file_store import FileStore
from ....store.files.private_files import open_to_others
from ....store.migrations.inspection import differences
from ....store.tables import ledger
from ...context import Session

OLDEST_PYTHON = (3, 11)
ENOUGH, SCARCE = 1 << 30, 100 << 20
DRIFT = timedelta(seconds=5)
ISOLATION = (
    "Isolated stages run with less protection; docs/explanation/sandbox.md says what each system offers."
)


@dataclass(frozen=True)
class Finding:
    """One line of the doctor."""

    about: str
    verdict: Literal["ok", "warn", "fail"]
    finding: str
    hint: str = ""

    def row(self) -> dict[str, str]:
        return asdict(self)


def examine(running: Session) -> Iterator[Finding]:
    """Run every check, in the order in which they depend on each other."""
    yield python()
    for name in NAMES:
        yield library(name)
    yield isolation()
    try:
        database = (
            Database(running.settings.database_url)
            if running.settings.app is None
            else running.declared.database
        )
    except InterlockError as error:
        yield Finding("settings", "fail", error.message, error.hint)
        return
    try:
        yield from examine_database(running, database)
    finally:
        database.forget_connections()
    yield rights(database)
    yield file_rights(
        FileStore(running.settings.files_location) if running.settings.app is None else running.declared.files
    )
    yield disk(database)


def python() -> Finding:
    version = platform.python_version()
    if sys.version_info[:2] < OLDEST_PYTHON:
        return Finding("python", "fail", version, "Interlock needs Python 3.11 or newer.")
    return Finding("python", "ok", f"{version} ({platform.python_implementation()})")


def library(name: str) -> Finding:
    """The driver of one kind of database."""
    about, version, hint = sql_named(name).connections.library()
    return Finding(about, "warn" if hint else "ok", version, hint)


def isolation() -> Finding:
    """What this system enforces on the processes of isolated stages, measured on one."""
    from ....runner.isolation.probe import measure_protections  # no other command needs it

    try:
        protections = measure_protections()
    except (OSError, InterlockError) as error:
        return Finding("isolation", "warn", f"no isolated process can be made: {error}", ISOLATION)
    if missing := protections.missing():
        return Finding("isolation", "warn", f"not enforced here: {', '.join(missing)}", ISOLATION)
    return Finding(
        "isolation", "ok", f"own network, processes, signals, memory and files ({protections.files})"
    )


def examine_database(running: Session, database: Database) -> Iterator[Finding]:
    shown = database.engine.url.render_as_string(hide_password=True)
    missing = file_of(database)
    if missing is not None and not missing.exists():
        yield Finding(
            "database",
            "warn",
            f"{shown} does not exist yet",
            "`interlock db upgrade` makes it; `interlock tour` makes one to look at.",
        )
        return
    try:
        database.check_version()
        yield clock(running, database)
        yield Finding("database", "ok", f"{shown} answers")
        yield schema(running)
    except InterlockError as error:
        yield Finding("database", "fail", f"{shown}: {error.message}", error.hint)


def schema(running: Session) -> Finding:
    """The schema against what the app needs; where none is named, against what the bundled workflows need."""
    if found := differences(running.declared.database, list(running.declared.workflows.values())):
        more = f", and {len(found) - 1} more" if found[1:] else ""
        return Finding(
            "schema",
            "fail",
            f"{found[0]['what']}: {found[0]['problem']}{more}",
            "`interlock db check` lists everything; `interlock db upgrade` does what is missing.",
        )
    return Finding("schema", "ok", "tables, columns and guards are what this code needs")


def clock(running: Session, database: Database) -> Finding:
    """This machine's clock against the server's, and against the newest entry that anybody has written."""
    now = running.clock.now()
    with database.read() as tx:
        server = database.sql.connections.clock(tx) or now
        newest = quietly(lambda: tx.execute(select(func.max(ledger.c.at, type_=ledger.c.at.type))).scalar())
    if (apart := abs(server - now)) > DRIFT:
        return Finding(
            "clock",
            "warn",
            f"{apart.total_seconds():.0f} s away from the database's clock",
            "Let both keep time by NTP.",
        )
    if newest is not None and newest - now > DRIFT:
        return Finding(
            "clock",
            "warn",
            f"behind the newest entry of the ledger by {newest - now}",
            "Was the clock set back?",
        )
    return Finding("clock", "ok", f"{now:%Y-%m-%d %H:%M:%S} UTC")


def quietly(ask: Callable[[], datetime | None]) -> datetime | None:
    """The answer, or none where there is no ledger yet."""
    try:
        return ask()
    except DBAPIError:
        return None


def file_of(database: Database) -> Path | None:
    """The file of an embedded database that is not only in memory."""
    return database.sql.connections.file(database.engine.url)


def rights(database: Database) -> Finding:
    """Whether other users of this machine can read the embedded database."""
    file = file_of(database)
    if file is None or not file.exists():
        return Finding("rights", "ok", "no file of an embedded database here")
    if (mode := open_to_others(file)) and reachable(file.absolute().parent):
        return Finding(
            "rights",
            "warn",
            f"other users of this machine have rights on {file} ({mode})",
            f"Take them away: chmod -R go-rwx {file.parent}",
        )
    return Finding("rights", "ok", "only its owner can read the database")


def file_rights(files: FileStore) -> Finding:
    """Whether other users of this machine have rights on stored files."""
    if files.folder is None or not files.folder.exists():
        return Finding("files", "ok", "no folder of stored files here")
    if problem := describe_rights(files):
        return Finding("files", "warn", problem, f"Take them away: chmod -R go-rwx {files.folder}")
    return Finding("files", "ok", "only their owner can read stored files")


def reachable(folder: Path) -> bool:
    """Whether others may pass through every folder down to this one."""
    return all(one.stat().st_mode & 0o011 for one in (folder, *folder.parents))


def disk(database: Database) -> Finding:
    """Room where the embedded database grows, or here."""
    place = (file_of(database) or Path.cwd() / "x").absolute().parent
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    free_space = f"{free / (1 << 30):.1f} GB free"
    if free < SCARCE:
        return Finding("disk", "fail", free_space, "Free some space: a full disk refuses every move.")
    return Finding(
        "disk",
        "ok" if free >= ENOUGH else "warn",
        free_space,
        "" if free >= ENOUGH else "That is little for a growing ledger.",
    )
