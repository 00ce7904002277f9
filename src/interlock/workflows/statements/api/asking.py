"""GET: uploads, their rows, their transactions and what happened to them, in keyset pages."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import Query
from starlette.responses import Response

from interlock import App, Workflow
from interlock.errors import BadInput
from interlock.extension import read_instant, write_instant
from interlock.http import (
    Json,
    Limits,
    bad_cursor,
    decode_cursor,
    encode_cursor,
    record_id,
)

from ..uploads.reading import Page, Uploads
from ..uploads.stored_logs import Log, Logs

Limit = Annotated[int, Query(ge=1, le=500)]
Cursor = Annotated[str | None, Query(min_length=1, max_length=1000, description="`next` of the page before.")]
Status = Annotated[str | None, Query(min_length=1, max_length=100, examples=["error"])]
InDoubt = Annotated[
    bool,
    Query(
        description="Only those that were read, and whose balances contradict their rows or that have warnings nobody has settled."
    ),
]
LARGEST = 2**62


class Asking:
    """What may be asked about uploads."""

    def __init__(self, app: App, workflow: Workflow, limits: Limits) -> None:
        self.app, self.workflow, self.most = app, workflow, limits.page
        self.uploads, self.logs = Uploads(app, workflow), Logs(app, workflow)

    def id(self, written: str) -> Any:
        return record_id(self.app, self.workflow, written)

    def list(
        self, status: Status = None, in_doubt: InDoubt = False, limit: Limit = 50, cursor: Cursor = None
    ) -> Json:
        """A page of uploads, the newest first: of one status, in doubt, or all."""
        page = self.uploads.uploads(
            status=status,
            in_doubt=in_doubt,
            limit=min(limit, self.most),
            after=None if cursor is None else place_of(cursor),
        )
        following = (
            encode_cursor(f"{write_instant(page.rows[-1]['created_at'])} {page.rows[-1]['upload_id']}")
            if page.more
            else None
        )
        return Json({"uploads": page.rows, "next": following})

    def show(self, id: str) -> Json:
        """One upload; which fields it has follows from its status."""
        shown = self.uploads.upload(self.id(id))
        return Json(shown, headers={"ETag": f'"{shown["version"]}"'})

    def observations(self, id: str, limit: Limit = 100, cursor: Cursor = None) -> Json:
        """The rows as they are printed, in the order of the file."""
        page = self.uploads.observations(
            self.id(id), after=-1 if cursor is None else number_of(cursor), limit=min(limit, self.most)
        )
        return Json({"upload_id": id, "observations": page.rows, "next": behind(page, "row_id")})

    def transactions_of(self, id: str, limit: Limit = 100, cursor: Cursor = None) -> Json:
        """The canonical transactions of one upload, in the order they were made."""
        return self.transactions_page(self.id(id), limit, cursor)

    def transactions(self, limit: Limit = 100, cursor: Cursor = None) -> Json:
        """All canonical transactions, in the order they were made; what is made later comes behind the last page."""
        return self.transactions_page(None, limit, cursor)

    def transactions_page(self, upload_id: str | None, limit: int, cursor: str | None) -> Json:
        page = self.uploads.transactions(
            upload_id=upload_id, after=0 if cursor is None else number_of(cursor), limit=min(limit, self.most)
        )
        return Json({"transactions": page.rows, "next": behind(page, "insertion_sequence")})

    def warnings(self, id: str) -> Json:
        """What is in doubt about the upload, from its latest parse."""
        return Json(self.uploads.warnings(self.id(id)))

    def timeline(self, id: str) -> Json:
        """Every status the upload has had, and what led there."""
        return Json({"upload_id": id, "timeline": self.uploads.timeline(self.id(id))})

    def events(self, id: str) -> Json:
        """What happened to the upload, with what each event says."""
        return Json({"upload_id": id, "events": self.uploads.events(self.id(id))})

    def monitoring(self) -> Json:
        """Uploads by status, errors by code and message, and files that had no rows."""
        return Json(self.uploads.monitoring())

    def upload_log(self, id: str) -> Response:
        """How the file came."""
        return logged(self.logs.uploaded(self.id(id)))

    def parse_log(self, id: str) -> Response:
        """What the parser did, and what was wrong."""
        return logged(self.logs.parsed(self.id(id)))

    def normalization_log(self, id: str) -> Response:
        """What normalization made of the rows."""
        return logged(self.logs.normalized(self.id(id)))


def logged(found: Log) -> Response:
    media, text = found
    return Response(text.encode("utf-8", "replace"), media_type=media)


def behind(page: Page, name: str) -> str | None:
    return encode_cursor(page.rows[-1][name]) if page.more else None


def number_of(cursor: str) -> int:
    number = decode_cursor(cursor)
    if not isinstance(number, int) or not 0 <= number < LARGEST:
        raise bad_cursor(cursor)
    return number


def place_of(cursor: str) -> tuple[datetime, str]:
    """When and which: the last upload of the page before."""
    text = decode_cursor(cursor)
    moment, space, upload_id = str(text).partition(" ")
    try:
        at = read_instant(moment)
    except ValueError as error:
        raise bad_cursor(cursor) from error
    if not space or at.tzinfo is None or "\x00" in upload_id:
        raise BadInput(f"{cursor!r} is not a cursor of uploads")
    return at, upload_id
