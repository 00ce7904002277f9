"""The tables of work: attempts in flight, who is alive, stages that pause or are rationed, records found, tallies. They stay small."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TABLES = """
CREATE TABLE IF NOT EXISTS interlock_work (
    position {identity}, kind {name} NOT NULL, record_id {name} NOT NULL CHECK (record_id <> ''), axis {name} NOT NULL,
    scope {name} NOT NULL DEFAULT '', stage {name} NOT NULL, attempt integer NOT NULL, token {name} NOT NULL,
    slot integer, limit_key text, key_slot integer, available_at {instant} NOT NULL, started_at {instant},
    claimed_by text, claimed_at {instant}, lease_until {instant}, reported_at {instant},
    outcome text{outcome_check}, report text, recheck_at {instant}, rechecked_by text, trace text,
    version integer, shape text, facts text, gates text, UNIQUE (record_id, kind, axis, scope));
DROP INDEX IF EXISTS interlock_work_open;
DROP INDEX IF EXISTS interlock_work_reported;
CREATE UNIQUE INDEX IF NOT EXISTS interlock_work_slot ON interlock_work (stage, slot) WHERE slot IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS interlock_work_key_slot ON interlock_work (stage, limit_key, key_slot) WHERE key_slot IS NOT NULL;
CREATE TABLE IF NOT EXISTS interlock_stage (
    kind text NOT NULL, stage text NOT NULL, scope text NOT NULL DEFAULT '', paused integer NOT NULL DEFAULT 0, until {instant},
    reason text, actor text, at {instant}, recent text NOT NULL DEFAULT '[]', PRIMARY KEY (kind, stage, scope));
CREATE TABLE IF NOT EXISTS interlock_rate (
    kind text NOT NULL, stage text NOT NULL, key text NOT NULL, free_at {instant} NOT NULL, PRIMARY KEY (kind, stage, key));
CREATE INDEX IF NOT EXISTS interlock_rate_free ON interlock_rate (free_at);
CREATE TABLE IF NOT EXISTS interlock_runner (
    id text PRIMARY KEY, name text NOT NULL, stages text NOT NULL, capacity integer NOT NULL, started_at {instant} NOT NULL,
    beat_at {instant} NOT NULL, lease_until {instant} NOT NULL, stopping integer NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS interlock_coordinator (
    id text PRIMARY KEY, name text NOT NULL, started_at {instant} NOT NULL, beat_at {instant} NOT NULL, lease_until {instant} NOT NULL);
CREATE TABLE IF NOT EXISTS interlock_intake (
    position {identity}, kind text NOT NULL, records text NOT NULL, source_kind text NOT NULL, source_id text NOT NULL,
    token text NOT NULL, at {instant} NOT NULL, size integer NOT NULL DEFAULT 1, axis text, scope text, work bigint,
    actor text, reason text);
CREATE TABLE IF NOT EXISTS interlock_tally (
    kind text NOT NULL, stage text NOT NULL, scope text NOT NULL DEFAULT '', what text NOT NULL, delta bigint NOT NULL)
"""
OUTCOMES = "outcome IN ('done', 'empty', 'failed', 'again')"


def work_tables(words: Mapping[str, str]) -> list[str]:
    """The statements that make them, each once, with a database's words for types."""
    return [part.strip().format(**words) for part in re.split(r";\n", _TABLES) if part.strip()]
