"""Interlock's own tables as SQLAlchemy sees them; their SQL is written out per database beside this file."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Integer, LargeBinary, Text, column, table

from ..workflow.columns.instant import Instant, LedgerInstant

ledger = table(
    "interlock_ledger",
    column("position", Integer),
    column("kind", Text),
    column("record_id", Text),
    column("axis", Text),
    column("scope", Text),
    column("version", Integer),
    column("from_state", Text),
    column("to_state", Text),
    column("at", LedgerInstant()),
    column("actor", Text),
    column("role", Text),
    column("cause", Text),
    column("origin", Text),
    column("machine", Text),
    column("token", Text),
    column("detail", LargeBinary),
    column("hash", LargeBinary),
)
detail = table(
    "interlock_detail",
    column("digest", LargeBinary),
    column("salt", LargeBinary),
    column("reason", Text),
    column("facts", Text),
    column("kind", Text),
    column("record_id", Text),
)
verdict = table(
    "interlock_verdict",
    column("position", Integer),
    column("kind", Text),
    column("record_id", Text),
    column("axis", Text),
    column("scope", Text),
    column("source", Text),
    column("reference", Text),
    column("verdict", Text),
    column("code", Text),
    column("message", Text),
    column("wanted", Text),
    column("actor", Text),
    column("at", LedgerInstant()),
)
command = table(
    "interlock_command",
    column("actor", Text),
    column("key", Text),
    column("payload", LargeBinary),
    column("answer", Text),
    column("at", Instant()),
    column("expires_at", Instant()),
)
gate_verdict = table(
    "interlock_gate_verdict",
    column("kind", Text),
    column("record_id", Text),
    column("axis", Text),
    column("scope", Text),
    column("version", Integer),
    column("gate", Text),
    column("number", Integer),
    column("passed", Boolean),
    column("reason", Text),
    column("details", Text),
    column("duration_ms", Integer),
    column("actor", Text),
    column("at", Instant()),
)
counter = table(
    "interlock_counter",
    column("kind", Text),
    column("axis", Text),
    column("scope", Text),
    column("state", Text),
    column("is_null", Boolean),
    column("count", Integer),
)
count_delta = table(
    "interlock_count_delta",
    column("kind", Text),
    column("axis", Text),
    column("scope", Text),
    column("state", Text),
    column("delta", Integer),
)
machine = table(
    "interlock_machine",
    column("kind", Text),
    column("axis", Text),
    column("fingerprint", Text),
    column("definition", Text),
    column("active", Boolean),
    column("since", Instant()),
)
plan = table(
    "interlock_plan",
    column("kind", Text),
    column("axis", Text),
    column("id", Text),
    column("origin", Text),
    column("machine", Text),
    column("lines", Text),
    column("actor", Text),
    column("role", Text),
    column("at", Instant()),
    column("closed_at", Instant()),
)
seal = table(
    "interlock_seal",
    column("number", BigInteger),
    column("from_transaction", BigInteger),
    column("to_transaction", BigInteger),
    column("from_entry", BigInteger),
    column("to_entry", BigInteger),
    column("from_verdict", BigInteger),
    column("to_verdict", BigInteger),
    column("entries", BigInteger),
    column("verdicts", BigInteger),
    column("root", LargeBinary),
    column("previous", LargeBinary),
    column("hash", LargeBinary),
    column("at", Instant()),
    column("public_key", LargeBinary),
    column("signature", LargeBinary),
    column("logins", LargeBinary),
)
access_key = table(
    "interlock_key",
    column("name", Text),
    column("digest", LargeBinary),
    column("scope", Text),
    column("created_at", Instant()),
    column("created_by", Text),
    column("expires_at", Instant()),
    column("revoked_at", Instant()),
    column("last_used_at", Instant()),
)
adoption_left = table(
    "interlock_adoption_left",
    column("kind", Text),
    column("axis", Text),
    column("record_id", Text),
    column("scope", Text),
    column("value", Text),
    column("why", Text),
)
adoption_difference = table(
    "interlock_adoption_difference",
    column("kind", Text),
    column("axis", Text),
    column("record_id", Text),
    column("scope", Text),
    column("expected", Text),
    column("actual", Text),
    column("as_backfilled", Integer),
)
stray = table(
    "interlock_stray",
    column("position", BigInteger),
    column("kind", Text),
    column("axis", Text),
    column("record_id", Text),
    column("scope", Text),
    column("from_state", Text),
    column("to_state", Text),
    column("at", LedgerInstant()),
    column("actor", Text),
    column("version", Integer),
    column("removed", Integer),
    column("last_version", Integer),
    column("last_head", Text),
)
