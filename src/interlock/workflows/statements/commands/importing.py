"""`interlock statements import`: files and folders, each told what became of it; done here if nobody else is at work."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from interlock import InterlockError
from interlock.commands import Session, work_here
from interlock.errors import DuplicateRecord, StoreError

from ..parsers.media import OFX, OTHERS, TABLES
from ..uploads.doubtful import is_doubtful, is_under_way
from ..uploads.left_files import delete_left_files
from .source import Local, Source

ENDINGS = {"pdf", *TABLES, *OFX, *OTHERS}
LOOK_SECONDS = 0.1
Json = dict[str, Any]


def find_files(paths: Sequence[Path]) -> list[Path]:
    """Files as they were named, and those of folders that look like statements, in a steady order."""
    every: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            raise click.UsageError(f"there is no {path}")
        every |= dict.fromkeys(sorted(map(Path, within(path)))) if path.is_dir() else {path: None}
    return list(every)


def within(folder: Path) -> Iterator[Path]:
    return (path for path in entries(folder) if not why_passed_over(folder, path))


def entries(folder: Path) -> Iterator[Path]:
    """Everything in a folder and below it but the folders themselves; those that cannot be opened, and links to folders, are entries."""
    closed: list[Path] = []
    for place, folders, files in os.walk(folder, onerror=lambda error: closed.append(Path(error.filename))):
        links = (name for name in folders if (Path(place) / name).is_symlink())
        yield from (Path(place) / name for name in (*files, *links))
    yield from closed


def passed_over(paths: Sequence[Path]) -> list[Json]:
    """What folders hold that is not imported, as rows of the answer, with the reason."""
    every = {
        path: why
        for folder in paths
        if folder.is_dir()
        for path in sorted(entries(folder))
        if (why := why_passed_over(folder, path))
    }
    named = {path for path in paths if not path.is_dir()}
    return [
        {**outcome_of("passed_over", message=why), "file": str(path)}
        for path, why in every.items()
        if path not in named
    ]


def why_passed_over(folder: Path, path: Path) -> str:
    """Why something in a folder is not imported; empty if it is."""
    if any(part.startswith(".") for part in path.relative_to(folder).parts):
        return "it is hidden"
    if not path.exists():
        return "it is a link that leads nowhere"
    if path.is_dir() and not path.is_symlink():
        return "this folder cannot be opened"
    if path.is_dir():
        return "it is a link to a folder; such a folder is imported when it is named itself"
    if not path.is_file():
        return "it is no regular file"
    ending = path.suffix[1:].lower()
    if not ending:
        return "its name has no ending that says what it is; it is looked at when it is named itself"
    return "" if ending in ENDINGS else f".{ending} is no kind of statement"


def imported(
    source: Source, paths: Sequence[Path], source_type: str, actor: str, account: str | None = None
) -> list[Json]:
    """Take every file in; one that is refused stops no other, a database that is away stops all. Files that a process which was killed
    has left are deleted first: a folder needs no service."""
    if isinstance(source, Local):
        delete_left_files(source.app)
    with progress(paths, "importing") as each:
        return [{"file": str(path), **one(source, path, source_type, actor, account)} for path in each]


def one(source: Source, path: Path, source_type: str, actor: str, account: str | None) -> Json:
    try:
        taken = source.take(path, source_type, actor, account)
    except DuplicateRecord as error:
        upload_id = error.facts["upload_id"]
        return outcome_of(
            "duplicate", upload_id=upload_id, message=without_account(source, upload_id, account)
        )
    except StoreError:
        raise
    except InterlockError as error:
        return outcome_of("refused", error_code=error.facts.get("error", error.code), message=error.message)
    return outcome_of("imported", upload_id=taken["upload_id"], status=taken["status"])


def outcome_of(outcome: str, **known: Any) -> Json:
    """A row of the answer; what is not known of a file is null."""
    return {
        "outcome": outcome,
        **dict.fromkeys(("upload_id", "status", "error_code", "message")),
        **known,
    }


def without_account(source: Source, upload_id: str, account: str | None) -> str | None:
    """What becomes of an account that is named for a file that is an upload already: nothing, unless it has that account."""
    if account is None or source.upload(upload_id).get("account") == account:
        return None
    return (
        "it was imported before, and --account changes nothing of it; "
        f"what would change it: interlock statements fix {upload_id} --account NAME"
    )


def followed(running: Session, source: Source, rows: list[Json]) -> None:
    """Wait until each has come to its end, and say how it ended."""
    waiting = [row for row in rows if row["upload_id"] is not None]
    with progress(waiting, "working") as each:
        for row in each:
            while not ended(shown := source.upload(row["upload_id"])):
                running.clock.sleep(LOOK_SECONDS)
            row |= {
                "status": shown["status"],
                "error_code": shown["error_code"],
                "message": shown["error_message"] or row.get("message"),
                "observations": shown.get("observations_count"),
                "transactions": shown.get("canonicals_count"),
                "reconciled": shown.get("reconciled"),
                "warnings": shown.get("warnings_count"),
                "in_doubt": is_doubtful(shown),
            }


def ended(shown: Json) -> bool:
    """In error, behind normalizing, or without any row to normalize."""
    return not is_under_way(shown)


@contextmanager
def at_work(source: Source, wanted: bool) -> Iterator[None]:
    """Somebody is at work: a runner that is there already, or else this process, for as long as it waits."""
    if not wanted or not isinstance(source, Local):
        yield
        return
    with work_here(source.app):
        yield


def progress(things: Sequence[Any], label: str) -> Any:
    """A bar for a person who watches; nothing for a pipe."""
    bar: Callable[..., Any] = click.progressbar
    return bar(things, label=label, file=sys.stderr, show_pos=True, hidden=not sys.stderr.isatty())
