"""Service, coordinator and runner are killed again and again while statements come in: every upload ends, each once."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from interlock import App
from interlock.workflows import bundled
from interlock.workflows.statements.tables import transactions
from tests.acceptance.started import ROOT, Started

ROWS = 3
PATIENCE_SECONDS = 600


class Crew:
    """Three processes on one database; whoever is killed is started again."""

    def __init__(self, url: str, files: Path) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("INTERLOCK_")}
        self.environment = {**kept, "INTERLOCK_FILES": str(files), "NO_COLOR": "1"}
        self.common = [
            sys.executable,
            "-m",
            "interlock",
            "--app",
            "interlock.workflows:bundled",
            "--database",
            url,
        ]
        self.words = {
            "coordinator": ["coordinator", "--quiet"],
            "runner": ["runner", "--quiet", "--lease", "3s"],
            "service": ["serve", "--port", "0"],
        }
        self.running = {role: self.start(role) for role in self.words}
        self.address = ""

    def start(self, role: str) -> Started:
        command = [*self.common, *self.words[role]]
        return Started(
            subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=self.environment)
        )

    def told(self) -> str:
        return self.running["service"].line(r"http://127\.0\.0\.1:\d+")[0]

    def kill(self, role: str) -> None:
        self.running[role].close()
        self.running[role] = self.start(role)
        if role == "service":
            self.address = self.told()

    def close(self) -> None:
        for one in self.running.values():
            one.process.terminate()
        for one in self.running.values():
            one.end(signal.SIGTERM)


@contextmanager
def crew(url: str, files: Path) -> Iterator[Crew]:
    made = Crew(url, files)
    try:
        made.address = made.told()
        yield made
    finally:
        made.close()


def content(number: int) -> bytes:
    rows = [f"01/{row + 1:02d}/2024,SHOP {number},-{number + 1}.0{row}" for row in range(ROWS)]
    return "\n".join(["Date,Description,Amount", *rows, ""]).encode()


def bring(crew: Crew, number: int) -> None:
    """As a careful client does: until it is told that the file is there."""
    for _ in range(20):
        try:
            answer = httpx.post(
                f"{crew.address}/api/v1/uploads",
                files={"file": (f"{number}.csv", content(number))},
                data={"source_type": "auto"},
                timeout=60,
            )
        except httpx.TransportError:
            continue
        assert answer.status_code in (201, 409), answer.text
        return
    raise AssertionError("the service did not take the file")


def all_ended(crew: Crew, uploads: int) -> None:
    """Follows the ledger until every upload has come to its end."""
    ended: set[str] = set()
    with httpx.stream(
        "GET", f"{crew.address}/api/v1/live", params={"after": "0.0"}, timeout=PATIENCE_SECONDS
    ) as stream:
        for line in stream.iter_lines():
            said = json.loads(line[6:]) if line.startswith("data: {") else {}
            if said.get("new_status") in ("normalized", "error"):
                ended.add(said["id"])
            if len(ended) == uploads:
                return


def judged(url: str, uploads: int, files: Path) -> None:
    app = App(bundled, database=url)
    counts = {state: number for (_, _, _, state), number in app.counts("statements").items() if number}
    assert counts == {"normalized": uploads}
    with app.database.read() as tx:
        rows = tx.execute(transactions.select()).mappings().all()
    assert Counter(row["upload_id"] for row in rows) == dict.fromkeys(
        {row["upload_id"] for row in rows}, ROWS
    )
    assert len(rows) == uploads * ROWS
    for upload_id in {row["upload_id"] for row in rows}:
        states = [move.new for move in app.ledger.history("statements", upload_id)]
        assert states.count("normalized") == 1
    assert app.check().findings == []
    assert len([path for path in files.rglob("*") if path.is_file() and len(path.name) == 64]) == uploads
    app.close()


def killed_again_and_again(
    url: str, folder: Path, uploads: int, every: int, at_last: Sequence[str] = ("runner", "coordinator")
) -> None:
    chance, files = random.Random(6), folder / "files"
    app = App(bundled, database=url)
    app.migrate()
    app.close()
    roles = itertools.cycle(["runner", "service", "coordinator"])
    with crew(url, files) as working:
        for number in range(uploads):
            bring(working, number)
            if number % every == chance.randrange(every):
                working.kill(next(roles))
        for role in at_last:
            working.kill(role)
        all_ended(working, uploads)
    judged(url, uploads, files)


def test_every_upload_ends_once_though_everybody_is_killed(postgres_url: str, tmp_path: Path) -> None:
    killed_again_and_again(postgres_url, tmp_path, uploads=3, every=1, at_last=())  # everybody once


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_a_thousand_uploads_end_once_though_everybody_is_killed(database_url: str, tmp_path: Path) -> None:
    killed_again_and_again(database_url, tmp_path, uploads=1_000, every=40)
