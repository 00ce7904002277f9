"""What a person does to an upload: retry what failed, parse the file again, erase it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import select

from interlock import Answer, App, Workflow
from interlock.errors import ConcurrentModificationError, InvalidStateTransition, UnknownRecord

from .doubtful import PARSED_AGAIN, is_under_way, what_goes_on
from .left_files import delete_left_files


class Acts:
    """The acts of one app; each is one entry of the ledger, or none."""

    def __init__(self, app: App, workflow: Workflow) -> None:
        self.app, self.workflow = app, workflow

    def retry(
        self,
        upload_id: str,
        *,
        actor: str,
        role: str | None,
        reason: str,
        version: int | None = None,
        tx: Any = None,
    ) -> Answer:
        """Send a failed upload back to where the failed stage began; one that has not failed is a conflict."""
        with self._locked_upload(tx, upload_id, version) as (own, row):
            if row["failed_from"] is None:
                raise InvalidStateTransition(
                    "upload",
                    row["status"],
                    None,
                    (),
                    why=f"upload {upload_id} is {row['status']} and has not failed: there is nothing to retry",
                    hint=what_goes_on(upload_id) if is_under_way(row) else "",
                )
            return self.app.retry(self.workflow, upload_id, actor=actor, role=role, reason=reason, tx=own)

    def reparse(
        self,
        upload_id: str,
        *,
        actor: str,
        role: str | None,
        reason: str,
        version: int | None = None,
        tx: Any = None,
    ) -> Answer:
        """Parse the same file again, as a new attempt by the parser of today; rows that are equal keep their ids."""
        with self._locked_upload(tx, upload_id, version) as (own, row):
            if row["status"] not in PARSED_AGAIN:
                raise InvalidStateTransition(
                    "upload",
                    row["status"],
                    "queued_for_parse",
                    (),
                    why=f"upload {upload_id} is {row['status']}; a file is parsed again from {' or '.join(PARSED_AGAIN)}",
                    hint=what_goes_on(upload_id)
                    if is_under_way(row)
                    else "What failed is retried: POST …/retry.",
                )
            return self.app.move(
                self.workflow,
                upload_id,
                actor=actor,
                role=role,
                reason=reason,
                version=row["version"],
                status="queued_for_parse",
                override=True,
                tx=own,
            )

    def parse_as_decided(
        self,
        upload_id: str,
        *,
        actor: str,
        role: str | None,
        reason: str,
        version: int | None = None,
        tx: Any = None,
    ) -> Answer:
        """Parse the file again because a person decided how it is read, wherever it ended. On one that failed the maximum of retries rises
        by one: a decision uses up none. One whose rows could not be normalized is sent on from there to be parsed."""
        app, kind = self.app, self.workflow
        with self._locked_upload(tx, upload_id, version) as (own, row):
            if row["failed_from"] is None:
                return self.reparse(upload_id, actor=actor, role=role, reason=reason, tx=own)
            facts = {"max_retries": row["max_retries"] + 1}
            app.amend(kind, upload_id, facts=facts, actor=actor, role=role, reason=reason, tx=own)
            answer = app.retry(kind, upload_id, actor=actor, role=role, reason=reason, tx=own)
            if answer.new not in PARSED_AGAIN:
                return answer
            return self.reparse(upload_id, actor=actor, role=role, reason=reason, tx=own)

    @contextmanager
    def _locked_upload(
        self, tx: Any, upload_id: str, version: int | None
    ) -> Iterator[tuple[Any, dict[str, Any]]]:
        """The caller's transaction or one of our own, and in it the upload's row, locked."""
        if tx is not None:
            yield tx, self._locked(tx, upload_id, version)
            return
        with self.app.database.write() as own:
            yield own, self._locked(own, upload_id, version)

    def erase(
        self,
        upload_id: str,
        *,
        actor: str,
        role: str,
        reason: str,
        version: int | None = None,
        tx: Any = None,
    ) -> Answer:
        """Remove an upload with its rows, transactions, logs and file; its history closes with an entry and still verifies. In the
        caller's transaction the file stays until `delete_left_files` is called after it."""
        if tx is None and version is None:
            return self.app.erase(self.workflow, upload_id, actor=actor, role=role, reason=reason)
        with self._locked_upload(tx, upload_id, version) as (own, _):
            answer = self.app.erase(self.workflow, upload_id, actor=actor, role=role, reason=reason, tx=own)
        if tx is None:
            delete_left_files(self.app)
        return answer

    def _locked(self, tx: Any, upload_id: str, version: int | None) -> dict[str, Any]:
        """The upload's row, locked where the database has row locks; another version than the one that was seen is a conflict."""
        table = self.workflow.records
        found = (
            tx.execute(select(table).where(table.c.upload_id == upload_id).with_for_update())
            .mappings()
            .first()
        )
        if found is None:
            raise UnknownRecord(self.workflow.name, upload_id)
        if version is not None and found["version"] != version:
            raise ConcurrentModificationError(
                f"upload {upload_id} has version {found['version']}, not {version}",
                version=found["version"],
            )
        return dict(found)
