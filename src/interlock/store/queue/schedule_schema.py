"""The table of schedules: one row for each tick that a coordinator claimed, the newest ones of each schedule."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TABLES = """
CREATE TABLE IF NOT EXISTS interlock_schedule_run (
    kind text NOT NULL, schedule text NOT NULL, tick {instant} NOT NULL, attempt integer NOT NULL DEFAULT 1, token text NOT NULL,
    claimed_by text, lease_until {instant}, started_at {instant} NOT NULL, finished_at {instant}, outcome text, message text,
    PRIMARY KEY (kind, schedule, tick));
CREATE UNIQUE INDEX IF NOT EXISTS interlock_schedule_run_open ON interlock_schedule_run (kind, schedule) WHERE finished_at IS NULL
"""


def schedule_tables(words: Mapping[str, str]) -> list[str]:
    """The statements that make them, each once, with a database's words for types."""
    return [part.strip().format(**words) for part in re.split(r";\n", _TABLES) if part.strip()]
