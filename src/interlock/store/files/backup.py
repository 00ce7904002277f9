"""A backup as a value: what it holds, and the contract of making and loading one. The engines' own folders know the format of the file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

from sqlalchemy import Connection, func, select, text

from ..._version import __version__
from ...errors import BadInput
from ...workflow.columns.instant import instant_text
from ...workflow.columns.instant import parse_instant as read_instant
from ..ledger.seals import seals
from ..tables import ledger

if TYPE_CHECKING:
    from ...workflow import Workflow
    from ..connect import Database

FORMAT = "interlock backup 1"
NOT_A_BACKUP = "`interlock db backup FILE` writes backups."
MEMORY = ("interlock_axis", "interlock_machine", "interlock_meta")
"""Tables in which a migration remembers what it has done: a database that has only these is still empty."""
Progress = Callable[[int, int], None]
"""Hears how much is done, of how much."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds: rows of each table, the end of the ledger, its newest seal, and the tables that are not in it.

    `loading` is whatever the engine needs to load it again.
    """

    database: str
    at: datetime
    tables: dict[str, int]
    last_position: int
    seal: int | None
    seal_hash: str | None
    left_out: tuple[str, ...] = ()
    version: str = __version__
    loading: dict[str, Any] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        return sum(self.tables.values())

    def text(self) -> str:
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return json.dumps(
            {"format": FORMAT, **values, "at": instant_text(self.at)}, ensure_ascii=False, indent=1
        )

    @classmethod
    def parse(cls, text: str | bytes) -> Self:
        """The manifest that `text` made."""
        try:
            values = json.loads(text)
            if values.pop("format") != FORMAT:
                raise ValueError("another format")
            if not all(isinstance(count, int) for count in values["tables"].values()):
                raise ValueError("a number of rows is none")
            return cls(**{**values, "at": read_instant(values["at"]), "left_out": tuple(values["left_out"])})
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadInput(f"this is not a backup of ours: {error}", hint=NOT_A_BACKUP) from error


class Loaded(Protocol):
    """A backup that was loaded, to be verified before anybody uses it."""

    database: Database

    def keep(self) -> None:
        """Leave it where it belongs; what was not kept is removed again."""
        ...


class Backups(Protocol):
    """Makes and loads backups of one kind of database."""

    def write(
        self, database: Database, workflows: Sequence[Workflow], file: Path, at: datetime, progress: Progress
    ) -> Manifest:
        """Write one snapshot of the database into a new file, while others go on writing."""
        ...

    def read_manifest(self, file: Path) -> Manifest:
        """What a backup holds; refuses a file that is none, or not whole."""
        ...

    def refuse_used(self, database: Database, manifest: Manifest) -> None:
        """Refuse to load into a database that holds anything."""
        ...

    def loaded(
        self,
        database: Database,
        workflows: Sequence[Workflow],
        file: Path,
        manifest: Manifest,
        progress: Progress,
    ) -> AbstractContextManager[Loaded]:
        """The backup in a database of this code's schema."""
        ...


def history_end(tx: Connection) -> dict[str, Any]:
    """The last position of the ledger and its newest seal, as a manifest names them."""
    newest = seals.newest(tx)
    return {
        "last_position": tx.execute(select(func.max(ledger.c.position))).scalar() or 0,
        "seal": None if newest is None else newest.number,
        "seal_hash": None if newest is None else newest.hash.hex(),
    }


def count_rows(tx: Connection, table: str) -> int:
    """`table` is quoted SQL."""
    return int(tx.execute(text(f"SELECT count(*) FROM {table}")).scalar_one())


def publish(half: Path, target: Path) -> None:
    """Give a finished file its name, so that it and the name survive a power cut."""
    for path in (half, target.parent):
        if path == half or os.name == "posix":  # elsewhere folders cannot be opened
            handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        if path == half:
            half.replace(target)


def remove(*files: Path) -> None:
    for file in files:
        with suppress(OSError):
            file.unlink(missing_ok=True)
