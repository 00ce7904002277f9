"""Deletes the files of erased uploads, and those that an import which was killed has left: what is to be deleted is written in the
transaction that erases, or before a file is kept, and done once that is committed."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from sqlalchemy import Connection, delete, select

from interlock import App, Move, insert_rows

from ..tables import statement_files_left, uploads
from .receiving import lock_file

CHUNK = 500
log = logging.getLogger("interlock.statements")


def leave_files(tx: Connection, removals: Sequence[Move]) -> None:
    """Note the files of these uploads as to be deleted; called by the engine while the uploads are still there."""
    table, ids = uploads.c, [str(move.id) for move in removals]
    left: dict[str, str] = {}
    for start in range(0, len(ids), CHUNK):
        asked = select(table.storage_ref, table.file_hash).where(
            table.upload_id.in_(ids[start : start + CHUNK])
        )
        left |= {row.storage_ref: row.file_hash for row in tx.execute(asked)}
    tx.execute(delete(statement_files_left).where(statement_files_left.c.storage_ref.in_(list(left))))
    insert_rows(
        tx,
        statement_files_left,
        [{"storage_ref": ref, "file_hash": file_hash} for ref, file_hash in left.items()],
    )


def delete_left_files(app: App) -> int:
    """Delete every file that is noted, unless an upload of the same bytes is there again; how many are not noted any more. It can be called
    at any time and by several at once; a file that cannot be deleted stays noted, and keeps no other from its turn."""
    with app.database.read() as tx:
        noted = tx.execute(select(statement_files_left)).all()
    done = 0
    for ref, file_hash in noted:
        try:
            with app.database.write() as tx:
                lock_file(tx, file_hash)
                asked = select(uploads.c.upload_id).where(uploads.c.file_hash == file_hash)
                if tx.execute(asked).first() is None:
                    app.files.delete(ref)
                tx.execute(delete(statement_files_left).where(statement_files_left.c.storage_ref == ref))
            done += 1
        except Exception:
            log.exception("the file %s, which is of no upload, could not be deleted; it is tried again", ref)
    return done
