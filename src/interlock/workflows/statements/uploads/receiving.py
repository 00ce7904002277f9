"""Takes a file in: everything that can be wrong with it from outside is said before anything is kept; the same bytes make one upload."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from string import ascii_letters, digits
from typing import Any

from sqlalchemy import Connection, Select, delete, literal, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from interlock import App, Workflow, insert_rows
from interlock.errors import (
    BadInput,
    DuplicateRecord,
    UnsupportedMedia,
    ValueNotAllowed,
)
from interlock.extension import Incoming, random_bytes

from ..own_banks import parsers_of
from ..parsers.media import EXPECTED, media_problem, mime_type
from ..parsers.registry import AUTO, Parsers
from ..parsers.text import decoded_head, is_blank
from ..tables import statement_files_left, uploads
from .logs import upload_log, upload_log_ref
from .storing import Log, keep_logs


class file_lock(FunctionElement[Any]):  # noqa: N801 - it is called like a function of SQL
    """A lock on a number until the transaction ends; on a database with one writer at a time it is nothing."""

    inherit_cache = True
    name = "file_lock"


@compiles(file_lock)
def _one_writer(element: Any, compiler: Any, **options: Any) -> str:
    return f"({compiler.process(element.clauses, **options)})"


@compiles(file_lock, "postgresql")
def _advisory(element: Any, compiler: Any, **options: Any) -> str:
    return f"pg_advisory_xact_lock({compiler.process(element.clauses, **options)})"


def lock_file(tx: Connection, file_hash: str) -> None:
    """Wait until nobody else creates or erases an upload of these bytes; `tx` is a writing transaction and holds the lock until it ends."""
    number = int(file_hash.removeprefix("sha256:")[:15], 16)
    tx.execute(select(file_lock(literal(number)))).all()


LETTERS = ascii_letters + digits
LONGEST_NAME = 200
UNNAMED = "statement"


@dataclass(frozen=True, slots=True)
class Received:
    """What whoever brought the file is told."""

    upload_id: str
    status: str
    upload_log_ref: str


def missing(*fields: str, why: str = "") -> BadInput:
    """Something that must be said was not."""
    return BadInput(
        why or f"the form lacks {' and '.join(fields)}",
        error="missing_params",
        fields=list(fields),
        hint="Send multipart/form-data with the parts file and source_type; without the latter, or with auto, it is found out.",
    )


def empty_file(name: str) -> BadInput:
    """The refusal of a file that has nothing in it, whatever its name promises."""
    return BadInput(
        f"{name!r} is empty: there is nothing in the file, or nothing but blanks",
        error="missing_params",
        fields=["file"],
        hint="Download or export the statement again; nothing was kept of this file.",
    )


def checked(
    file: Incoming, file_name: str | None, source_type: str | None, parsers: Parsers
) -> tuple[str, str]:
    """The file's name, made harmless, and its source type, to be found out if nobody says it; or why it is not taken."""
    named = None if file_name is None else safe_name(file_name)
    if named and source_type is None:
        source_type = AUTO
    if lacking := [
        name for name, given in (("file", named), ("source_type", (source_type or "").strip())) if not given
    ]:
        raise missing(*lacking)
    name, kind = str(named), str(source_type).strip()
    if file.size == len(file.head) and is_blank(file.head):
        raise empty_file(name)
    if (expected := media_problem(name, file.head)) is not None:
        raise UnsupportedMedia(
            f"{name!r} {why_refused(file.head, expected)}",
            error="unsupported_media_type",
            expected=[one.strip() for one in expected.split(",")],
            hint=f"Statements are {EXPECTED}; the bytes must be what the name's ending says.",
        )
    if kind not in (allowed := parsers.source_types()):
        raise ValueNotAllowed(
            f"there is no source type {kind[:100]!r}",
            error="invalid_source_type",
            allowed=allowed,
            hint="source_type=auto finds out by itself.",
        )
    return name, kind


SPREADSHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How files of Excel begin, the new ones and the old ones."""


def why_refused(head: bytes, expected: str) -> str:
    """Why a file is not taken: its name's ending is not known, or its first bytes are something else than that ending says."""
    if expected == EXPECTED:
        return "is not of a kind that is read here"
    if b"%PDF-" in head[:1024]:
        holds = "is a PDF"
    elif expected == "csv" and head.startswith(SPREADSHEETS):
        holds = "is a spreadsheet or an archive, which must be saved as CSV first"
    elif head.lstrip().startswith(b"<"):
        holds = "is XML or a web page of another kind"
    elif b"\x00" in head and not decoded_head(head):
        holds = "holds NUL characters, which are binary data and no text"
    elif not decoded_head(head):
        holds = "holds binary data and no text"
    else:
        holds = "is text of another kind"
    return f"{holds}, and not what its name says: {expected} was expected"


def receive(
    app: App,
    workflow: Workflow,
    file: Incoming,
    file_name: str | None,
    source_type: str | None,
    *,
    actor: str,
    account: str | None = None,
) -> Received:
    """Check the file, keep it and admit its upload. That the file may have to be deleted is noted before it is kept, and the note goes with
    the admission: of an import that is killed between the two nothing is left once files are looked after again."""
    name, kind = checked(file, file_name, source_type, parsers_of(workflow))
    chosen = chosen_account(account)
    with app.database.read() as tx:
        there = tx.execute(select(uploads.c.upload_id).where(uploads.c.file_hash == file.hash)).scalar()
    if there is not None:
        raise duplicate(there, file.hash)
    upload_id, now = new_upload_id(), app.clock.now()
    about: dict[str, Any] = {
        "file_name": name,
        "file_hash": file.hash,
        "file_size_bytes": file.size,
        "mime_type": mime_type(name, file.head),
        "source_type": kind,
    }
    row: dict[str, Any] = {
        "upload_id": upload_id,
        "storage_ref": file.ref,
        "upload_log_ref": upload_log_ref(upload_id),
        "created_at": now,
        "chosen_account": chosen,
        **about,
    }
    log = Log(row["upload_log_ref"], upload_id, 0, upload_log(upload_id, at=now, **about))
    while True:
        with app.database.write() as tx:
            note_file(tx, file)
        with app.database.write() as tx:
            lock_file(tx, file.hash)
            is_noted = tx.execute(noted(file.ref)).first() is not None
            if not is_noted:  # somebody who looks after files was faster
                continue
            there = tx.execute(select(uploads.c.upload_id).where(uploads.c.file_hash == file.hash)).scalar()
            if there is None:
                file.keep()
                answer = app.admit(workflow, row, actor=actor, tx=tx)
                keep_logs(tx, [log], now)
            tx.execute(delete(statement_files_left).where(statement_files_left.c.storage_ref == file.ref))
        if there is not None:  # another one with the same bytes was faster
            raise duplicate(there, file.hash)
        return Received(upload_id, str(answer.new), row["upload_log_ref"])


def noted(ref: str) -> Select[tuple[str]]:
    """Whether a file is noted as one to be deleted."""
    return select(statement_files_left.c.storage_ref).where(statement_files_left.c.storage_ref == ref)


def note_file(tx: Connection, file: Incoming) -> None:
    """Note a file, which is not kept yet, as one to be deleted unless an upload of it is admitted."""
    lock_file(tx, file.hash)
    if tx.execute(noted(file.ref)).first() is None:
        insert_rows(tx, statement_files_left, [{"storage_ref": file.ref, "file_hash": file.hash}])


def chosen_account(name: str | None) -> str | None:
    """The account that somebody named, in one line, or None."""
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in name or "").split())
    if len(plain) > LONGEST_NAME:
        raise ValueNotAllowed(
            f"an account's name has at most {LONGEST_NAME} characters, and this one has {len(plain):,}",
            error="invalid_account",
            max_length=LONGEST_NAME,
            hint="Name it shorter, or leave it out: then it is bank and masked number as the file has them.",
        )
    return plain or None


def duplicate(upload_id: str, file_hash: str) -> DuplicateRecord:
    return DuplicateRecord(
        f"the same file was uploaded before, as {upload_id}",
        error="duplicate",
        upload_id=upload_id,
        file_hash=file_hash,
        upload_log_ref=upload_log_ref(upload_id),
    )


def new_upload_id() -> str:
    """Random, about 119 bits."""
    return "UL_" + "".join(LETTERS[byte % len(LETTERS)] for byte in random_bytes(20))


def safe_name(given: str) -> str:
    """The last part of a path, without what could mean something to a terminal, a shell's eye or a log; its ending stays."""
    base = given.replace("\\", "/").rpartition("/")[2]
    plain = "".join(
        letter if letter.isprintable() else "_" for letter in unicodedata.normalize("NFC", base)
    ).strip()
    if not plain or plain.strip(".") == "":
        return UNNAMED if given.strip() else ""
    stem, dot, ending = plain.rpartition(".")
    if not dot or len(plain) <= LONGEST_NAME:
        return plain[:LONGEST_NAME]
    return f"{stem[: LONGEST_NAME - len(ending[:20]) - 1]}.{ending[:20]}"
