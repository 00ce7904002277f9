"""A service that has the statements: the same questions, over HTTP; files are streamed, never held."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request

from ....cli.remote import Remote, problem_in
from ....errors import StoreUnavailable
from ....ids import random_uuid
from ..exports.contract import Row
from ..receiving import safe_name

CHUNK = 1 << 20
PAGE = 500
PATIENCE_SECONDS = 600
Json = dict[str, Any]


class Distant:
    """Statements behind a service."""

    def __init__(self, remote: Remote) -> None:
        self.remote = remote

    def take(self, path: Path, source_type: str, actor: str) -> Json:
        """The actor is whoever the key belongs to; what is said here counts for nothing there."""
        boundary = random_uuid().hex
        name = safe_name(path.name).replace('"', "'")
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="source_type"\r\n\r\n{source_type}\r\n'
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        ).encode()
        tail = f"\r\n--{boundary}--\r\n".encode()
        sent = {
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "Accept": "application/json",
            "Content-Length": str(len(head) + path.stat().st_size + len(tail)),
        }
        if self.remote.key is not None:
            sent["Authorization"] = f"Bearer {self.remote.key}"
        return self._sent(
            Request(f"{self.remote.url}/api/v1/uploads", body(head, path, tail), sent, method="POST")
        )

    def _sent(self, request: Request) -> Json:
        try:
            with self.remote.open(request, timeout=PATIENCE_SECONDS) as answer:
                found: Json = json.loads(answer.read())
                return found
        except HTTPError as error:
            raise problem_in(error, self.remote.url) from error
        except (URLError, ValueError, OSError) as error:
            why = error.reason if isinstance(error, URLError) else error
            raise StoreUnavailable(f"the service at {self.remote.url} does not answer: {why}") from error

    def upload(self, upload_id: str) -> Json:
        found: Json = self.remote.ask(f"/uploads/{quote(upload_id, safe='')}")
        return found

    def uploads(self, status: str | None, limit: int) -> tuple[list[Json], bool]:
        found: list[Json] = []
        cursor = None
        while len(found) < limit:
            page = self.remote.ask(
                "/uploads", [("status", status), ("limit", min(PAGE, limit - len(found))), ("cursor", cursor)]
            )
            found += page["uploads"]
            cursor = page["next"]
            if cursor is None:
                break
        return found, cursor is not None

    def timeline(self, upload_id: str) -> list[Json]:
        found: list[Json] = self.remote.ask(f"/uploads/{quote(upload_id, safe='')}/timeline")["timeline"]
        return found

    def transactions(self, upload_id: str | None, limit: int | None = None) -> Iterator[Row]:
        path = "/transactions" if upload_id is None else f"/uploads/{quote(upload_id, safe='')}/transactions"
        cursor, left = None, limit
        while left is None or left > 0:
            page = self.remote.ask(
                path, [("limit", PAGE if left is None else min(PAGE, left)), ("cursor", cursor)]
            )
            yield from page["transactions"]
            left = None if left is None else left - len(page["transactions"])
            cursor = page["next"]
            if cursor is None:
                return


def body(head: bytes, path: Path, tail: bytes) -> Iterator[bytes]:
    yield head
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk
    yield tail
