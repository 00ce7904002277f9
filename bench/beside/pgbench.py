"""The cheapest status code there is, from C: one statement, one commit, one client, on two narrow tables of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

RECORDS = 20_000
_ENVIRONMENT = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
}
_TABLES = """
CREATE TABLE pgbench_record(
    id bigint PRIMARY KEY, status text NOT NULL, version int NOT NULL DEFAULT 0, updated_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE pgbench_audit(
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, record_id bigint NOT NULL,
    from_state text NOT NULL, to_state text NOT NULL, at timestamptz NOT NULL DEFAULT now());
"""
_SCRIPT = f"""\\set id random(1, {RECORDS})
WITH moved AS (
    UPDATE pgbench_record SET status = 'parsing', version = version + 1, updated_at = now() WHERE id = :id RETURNING id)
INSERT INTO pgbench_audit(record_id, from_state, to_state) SELECT id, 'queued_for_parse', 'parsing' FROM moved;
"""


def found(server: Any = None) -> str | None:
    """pgbench as PGBENCH names it, as the server brought it, or from PATH."""
    return (
        os.environ.get("PGBENCH")
        or (server.program("pgbench") if server else None)
        or shutil.which("pgbench")
    )


def prepare(connection: psycopg.Connection[Any], finished: int) -> None:
    """Its two tables; finished records are in them too, each with four audit rows."""
    connection.execute(_TABLES)
    last = RECORDS + finished
    connection.execute(
        f"INSERT INTO pgbench_record(id, status) SELECT n, 'queued_for_parse' FROM generate_series(1, {RECORDS}) n"
    )
    connection.execute(
        "INSERT INTO pgbench_record(id, status, version) "
        f"SELECT n, 'normalized', 4 FROM generate_series({RECORDS + 1}, {last}) n"
    )
    connection.execute(
        "INSERT INTO pgbench_audit(record_id, from_state, to_state) "
        f"SELECT n, 'parsing', 'parsed' FROM generate_series({RECORDS + 1}, {last}) n, generate_series(1, 4)"
    )
    connection.execute("VACUUM ANALYZE pgbench_record, pgbench_audit")


class Pgbench:
    """One client in C, which neither checks nor answers anything."""

    def __init__(self, program: str, url: str) -> None:
        self.program = program
        target = conninfo_to_dict(url)
        self.environment = {
            **os.environ,
            **{_ENVIRONMENT[name]: str(value) for name, value in target.items() if name in _ENVIRONMENT},
        }

    def per_second(self, moves: int) -> float:
        """Make so many moves one by one; how many a second, connecting left out."""
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder, "move.sql")
            script.write_text(_SCRIPT)
            command = [
                self.program,
                "-n",
                "-M",
                "prepared",
                "-f",
                str(script),
                "-c",
                "1",
                "-j",
                "1",
                "-t",
                str(moves),
            ]
            ran = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        said = re.search(r"tps = ([\d.]+)", ran.stdout)
        if ran.returncode or said is None:
            raise RuntimeError(f"pgbench failed:\n{ran.stderr}")
        return float(said[1])
