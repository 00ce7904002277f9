"""The statements workflow behind its API, moved by hand: nothing happens to an upload until a test lets it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import func, select

from interlock.clock import FrozenClock
from interlock.service.application import build
from interlock.service.http.limits import Limits
from interlock.testing import Sandbox
from interlock.workflows.statements.tables import metadata
from interlock.workflows.statements.workflow import declare
from tests.service.asking import Asker

CSV = (
    b'Date,Description,Amount\n01/15/2024,STARBUCKS #1234,-4.50\n01/16/2024,SALARY ORCHARD LABS,"1,234.56"\n'
)
EMPTY_TABLE = b"Date,Description,Amount\n"
KIND = "statements"


class Place:
    """An app with files, and somebody who asks it."""

    def __init__(self, url: str, folder: Path, limits: Limits | None = None) -> None:
        self.folder = folder / "files"
        clock = FrozenClock()
        self.app = Sandbox([declare(clock=clock)], database=url, files=str(self.folder))
        self.asgi = build(self.app, limits=limits or Limits(rate=0))
        self.asker = Asker(self.asgi)
        self.has_uploads = False

    def post(
        self,
        content: bytes | Iterable[bytes] = CSV,
        name: str | None = "statement.csv",
        source_type: str | None = "auto",
        **options: Any,
    ) -> httpx.Response:
        files = {} if name is None else {"file": (name, content)}
        data = {} if source_type is None else {"source_type": source_type}
        return self.asker.ask("POST", "/uploads", files=files or {"nothing": ("", b"")}, data=data, **options)

    def upload(self, content: bytes = CSV, name: str = "statement.csv", source_type: str = "auto") -> str:
        """The id of an upload of these bytes; it is created later than those before it."""
        if self.has_uploads:
            self.app.clock.advance(timedelta(milliseconds=1))
        self.has_uploads = True
        answer = self.post(content, name, source_type)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["upload_id"])

    def show(self, upload_id: str, *more: str) -> Any:
        answer = self.asker.get("/".join(("/uploads", upload_id, *more)))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def dispatch(self) -> None:
        """Let the coordinator begin what waits, and nobody do it yet."""
        assert self.app.runs is not None
        self.app.runs.renew()
        self.app.coordinates.step()

    def left(self) -> tuple[int, int]:
        """How many files and how many rows there are."""
        with self.app.database.read() as tx:
            rows = sum(
                int(tx.execute(select(func.count()).select_from(table)).scalar_one())
                for table in metadata.sorted_tables
            )
        return len(self.files()), rows

    def files(self) -> list[Path]:
        return [path for path in self.folder.rglob("*") if path.is_file()]

    def close(self) -> None:
        self.asker.close()
        self.app.close()
