"""A service that has the statements: the same questions, over HTTP; files are read as they are sent, never held."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ..exports.contract import Row
from ..uploads.receiving import safe_name

if TYPE_CHECKING:
    from interlock.client import RemoteClient

PAGE = 500
Json = dict[str, Any]


class Distant:
    """Statements behind a service."""

    def __init__(self, client: RemoteClient) -> None:
        self.client = client

    def take(self, path: Path, source_type: str, actor: str, account: str | None = None) -> Json:
        """The actor is whoever the key belongs to; the one named here counts for nothing there."""
        name = safe_name(path.name).replace('"', "'")
        with path.open("rb") as file:
            answer: Json = self.client.upload(
                "/uploads", name, file, source_type=source_type, **({"account": account} if account else {})
            )
        return answer

    def upload(self, upload_id: str) -> Json:
        answer: Json = self.client.request("GET", f"/uploads/{quote(upload_id, safe='')}")
        return answer

    def uploads(self, status: str | None, limit: int, in_doubt: bool = False) -> tuple[list[Json], bool]:
        rows: list[Json] = []
        cursor = None
        while len(rows) < limit:
            query = [("status", status), ("limit", min(PAGE, limit - len(rows))), ("cursor", cursor)]
            query += [("in_doubt", "true")] if in_doubt else []
            page = self.client.request("GET", "/uploads", query=query)
            rows += page["uploads"]
            cursor = page["next"]
            if cursor is None:
                break
        return rows, cursor is not None

    def timeline(self, upload_id: str) -> list[Json]:
        answer = self.client.request("GET", f"/uploads/{quote(upload_id, safe='')}/timeline")
        rows: list[Json] = answer["timeline"]
        return rows

    def warnings(self, upload_id: str) -> Json:
        answer: Json = self.client.request("GET", f"/uploads/{quote(upload_id, safe='')}/warnings")
        return answer

    def retry(self, upload_id: str, reason: str, actor: str) -> Json:
        return self._act(upload_id, "retry", reason)

    def reparse(self, upload_id: str, reason: str, actor: str) -> Json:
        return self._act(upload_id, "reparse", reason)

    def erase(self, upload_id: str, reason: str, actor: str) -> Json:
        return self._act(upload_id, "erase", reason)

    def readings(self, upload_id: str) -> Json:
        answer: Json = self.client.request("GET", f"/uploads/{quote(upload_id, safe='')}/readings")
        return answer

    def fix(self, upload_id: str, body: Json, actor: str, version: int | None = None) -> Json:
        path = f"/uploads/{quote(upload_id, safe='')}/interpretation"
        answer: Json = self.client.request("PATCH", path, body=body, version=version)
        return answer

    def decisions(self) -> list[Json]:
        rows: list[Json] = self.client.request("GET", "/interpretations")["decisions"]
        return rows

    def forget(self, key: str, reason: str, actor: str) -> Json:
        path = f"/interpretations/{quote(key, safe='')}"
        answer: Json = self.client.request("DELETE", path, query=[("reason", reason)])
        return answer

    def _act(self, upload_id: str, name: str, reason: str) -> Json:
        path = f"/uploads/{quote(upload_id, safe='')}/{name}"
        answer: Json = self.client.request("POST", path, body={"reason": reason})
        return answer

    def monitoring(self) -> Json:
        answer: Json = self.client.request("GET", "/monitoring/uploads")
        return answer

    def transactions(self, upload_id: str | None, limit: int | None = None) -> Iterator[Row]:
        path = "/transactions" if upload_id is None else f"/uploads/{quote(upload_id, safe='')}/transactions"
        cursor, left = None, limit
        while left is None or left > 0:
            size = PAGE if left is None else min(PAGE, left)
            page = self.client.request("GET", path, query=[("limit", size), ("cursor", cursor)])
            yield from page["transactions"]
            left = None if left is None else left - len(page["transactions"])
            cursor = page["next"]
            if cursor is None:
                return
