"""`interlock up` as people start it: one process of its own, with everything in it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from tests.acceptance.started import ROOT, started

__all__ = ["ROOT", "Up", "up"]
ENDS = ("normalized", "error")


class Up(NamedTuple):
    """A running system: its address, its folder, its process, and a client."""

    url: str
    data: Path
    process: int
    client: httpx.Client

    def send(self, name: str, content: bytes, source_type: str = "auto") -> httpx.Response:
        return self.client.post(
            "/api/v1/uploads", files={"file": (name, content)}, data={"source_type": source_type}
        )

    def upload(self, name: str, content: bytes, source_type: str = "auto") -> str:
        answer = self.send(name, content, source_type)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["upload_id"])

    def get(self, path: str) -> Any:
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def ended(self, upload_id: str) -> dict[str, Any]:
        """The upload once it has come to its end; waits for the ledger to say so."""
        with self.client.stream(
            "GET", "/api/v1/live", params={"kind": "statements", "after": "0.0"}, timeout=60
        ) as stream:
            for line in stream.iter_lines():
                said = json.loads(line[6:]) if line.startswith("data: {") else {}
                done = said.get("new_status") in ENDS or (
                    said.get("new_status") == "parsed" and not said["facts"]["observations_count"]
                )
                if said.get("id") == upload_id and done:
                    break
        shown: dict[str, Any] = self.get(f"/api/v1/uploads/{upload_id}")
        return shown

    def files(self) -> list[Path]:
        return [
            path for path in (self.data / "files").rglob("*") if path.is_file() and "logs" not in path.parts
        ]


@contextmanager
def up(data: Path, *more: str) -> Iterator[Up]:
    """Start it, wait until it says that it is up, and stop it as Ctrl-C does."""
    command = [
        sys.executable,
        "-m",
        "interlock",
        "up",
        "--data",
        str(data),
        "--port",
        "0",
        "--no-browser",
        *more,
    ]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("INTERLOCK_")}
    with started(command, {**environment, "NO_COLOR": "1"}) as running:
        address = running.line(r"http://127\.0\.0\.1:\d+")[0]
        with httpx.Client(base_url=address, timeout=60) as client:
            yield Up(address, data, running.process.pid, client)
