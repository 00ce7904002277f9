"""The tables of operations: what a person asked of many records, and the frozen list of those records."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sqlalchemy import BigInteger, Integer, Text, column, table

_TABLES = """
CREATE TABLE IF NOT EXISTS interlock_operation (
    position {identity}, id text NOT NULL UNIQUE, kind text NOT NULL, act text NOT NULL, axis text NOT NULL,
    scope text NOT NULL DEFAULT '', to_state text, wanted text NOT NULL, reason text NOT NULL CHECK (reason <> ''), salt text NOT NULL,
    actor text NOT NULL, role text, ramp bigint, records bigint NOT NULL DEFAULT 0, reached bigint NOT NULL DEFAULT 0,
    status text NOT NULL DEFAULT 'planned', pausing integer NOT NULL DEFAULT 0, told text NOT NULL DEFAULT '{{}}', undoes text,
    undone_by text, created_at {instant} NOT NULL, started_at {instant}, finished_at {instant}, runner text, lease_until {instant});
CREATE TABLE IF NOT EXISTS interlock_operation_item (
    operation text NOT NULL, number bigint NOT NULL, record_id text NOT NULL, version integer, outcome text, code text,
    from_state text, to_state text, left_version integer, PRIMARY KEY (operation, number)){clustered}
"""

item = table(
    "interlock_operation_item",
    column("operation", Text),
    column("number", BigInteger),
    column("record_id", Text),
    column("version", Integer),
    column("outcome", Text),
    column("code", Text),
    column("from_state", Text),
    column("to_state", Text),
    column("left_version", Integer),
)
"""Until an item is done, `to_state` says where an undo is to bring it; `left_version` is the version its move left it at."""


def operation_tables(words: Mapping[str, str]) -> list[str]:
    """The statements that make them, each once, with a database's words for types."""
    return [part.strip().format(**words) for part in re.split(r";\n", _TABLES) if part.strip()]
