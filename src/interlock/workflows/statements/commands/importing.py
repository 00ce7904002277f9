"""`interlock statements import`: files and folders, each told what became of it; done here if nobody else is at work."""

from __future__ import annotations

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
    return (path for path in folder.rglob("*") if path.is_file() and not why_passed_over(folder, path))


def passed_over(paths: Sequence[Path]) -> list[tuple[Path, str]]:
    """The files of folders that are not imported, and why."""
    return [
        (path, why)
        for folder in paths
        if folder.is_dir()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and (why := why_passed_over(folder, path))
    ]


def why_passed_over(folder: Path, path: Path) -> str:
    """Why a file of a folder is not imported; empty if it is."""
    if any(part.startswith(".") for part in path.relative_to(folder).parts):
        return "it is hidden"
    ending = path.suffix[1:].lower()
    return "" if ending in ENDINGS else f"{'.' + ending if ending else 'no ending'} is no kind of statement"


def imported(
    source: Source, paths: Sequence[Path], source_type: str, actor: str, account: str | None = None
) -> list[Json]:
    """Take every file in; one that is refused stops no other, a database that is away stops all."""
    with progress(paths, "importing") as each:
        return [{"file": str(path), **one(source, path, source_type, actor, account)} for path in each]


def one(source: Source, path: Path, source_type: str, actor: str, account: str | None) -> Json:
    try:
        taken = source.take(path, source_type, actor, account)
    except DuplicateRecord as error:
        return {
            "outcome": "duplicate",
            "upload_id": error.facts["upload_id"],
            "status": None,
            "error_code": None,
            "message": None,
        }
    except StoreError:
        raise
    except InterlockError as error:
        said = error.facts.get("error", error.code)
        return {
            "outcome": "refused",
            "upload_id": None,
            "status": None,
            "error_code": said,
            "message": error.message,
        }
    return {
        "outcome": "imported",
        "upload_id": taken["upload_id"],
        "status": taken["status"],
        "error_code": None,
        "message": None,
    }


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
                "message": shown["error_message"],
                "observations": shown.get("observations_count"),
                "transactions": shown.get("canonicals_count"),
                "reconciled": shown.get("reconciled"),
                "warnings": shown.get("warnings_count"),
            }


def is_doubtful(row: Json) -> bool:
    """Whether balances contradict the rows of an upload that was read to its end, or it has warnings."""
    return row["status"] != "error" and (row.get("reconciled") == "no" or bool(row.get("warnings")))


def ended(shown: Json) -> bool:
    """In error, behind normalizing, or without any row to normalize."""
    return (
        shown["status"] == "error"
        or "canonicals_count" in shown
        or (shown["status"] == "parsed" and not shown["observations_count"])
    )


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
