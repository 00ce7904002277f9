"""The tables of adoption: rows that no rule matched, rows that differ from what they should be, and writes past Interlock."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TABLES = """
CREATE TABLE IF NOT EXISTS interlock_adoption_left (
    kind text NOT NULL, axis text NOT NULL, record_id text NOT NULL, scope text NOT NULL DEFAULT '', value text, why text NOT NULL,
    PRIMARY KEY (kind, axis, record_id, scope));
CREATE TABLE IF NOT EXISTS interlock_adoption_difference (
    kind text NOT NULL, axis text NOT NULL, record_id text NOT NULL, scope text NOT NULL DEFAULT '', expected text, actual text,
    as_backfilled integer NOT NULL DEFAULT 0, PRIMARY KEY (kind, axis, record_id, scope));
CREATE TABLE IF NOT EXISTS interlock_stray (
    position {identity}, kind text NOT NULL, axis text NOT NULL, record_id text NOT NULL, scope text NOT NULL DEFAULT '',
    from_state text, to_state text, at {instant} NOT NULL, actor text NOT NULL, version integer,
    removed integer NOT NULL DEFAULT 0, last_version integer, last_head text);
CREATE INDEX IF NOT EXISTS interlock_stray_open ON interlock_stray (kind, axis, record_id, scope, position) WHERE version IS NULL;
CREATE INDEX IF NOT EXISTS interlock_stray_newest ON interlock_stray (kind, axis, at)
"""


def adoption_tables(words: Mapping[str, str]) -> list[str]:
    """The statements that make them, each once, with a database's words for types."""
    return [part.strip().format(**words) for part in re.split(r";\n", _TABLES) if part.strip()]
