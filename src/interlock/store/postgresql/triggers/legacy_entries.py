"""Entries that the server itself makes, of what was written or removed past Interlock while a table is being adopted."""

from __future__ import annotations

from json.encoder import encode_basestring as quoted

from ...adoption.legacy import legacy_detail
from ...placement import Placement
from ...sql import text

NOW = """to_char(statement_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
"""The statement's instant as entries write it."""


def hashed_entry(
    place: Placement,
    *,
    cause: str,
    origin: str,
    head: str,
    at: str,
    digest: str,
    old: str,
    id: str,
    new: str,
    version: str,
    scope: str = "''",
) -> str:
    """SQL for the hash of an entry by whoever is logged in; all but cause and origin are SQL."""
    machine = place.axis.machine.fingerprint[:16]
    before = text(f'","axis":{quoted(place.name)},"cause":{quoted(cause)},"detail":"')
    behind = text(
        f',"kind":{quoted(place.kind)},"machine":{quoted(machine)},"origin":{quoted(origin)},"role":null,"scope":'
    )
    return (
        f'sha256({head} || convert_to(\'{{"actor":\' || to_json(session_user::text)::text || \',"at":"\' || {at} || {before} '
        f"|| encode({digest}, 'hex') || '\",\"from\":' || coalesce(to_json({old})::text, 'null') || ',\"id\":' || to_json({id})::text "
        f"|| {behind} || to_json({scope}::text)::text || ',\"to\":' || coalesce(to_json({new})::text, 'null') "
        f"|| ',\"token\":null,\"version\":' || {version} || '}}', 'UTF8'))"
    )


def end_work(place: Placement, condition: str) -> str:
    """Remove work rows `w` that nobody holds: who holds one looks at the record again."""
    if all(stage.axis != place.name for stage in place.workflow.stages.values()):
        return ""
    return (
        f"DELETE FROM interlock_work WHERE ctid = ANY (ARRAY(SELECT w.ctid FROM interlock_work w WHERE w.kind = {text(place.kind)} "
        f"AND w.axis = {text(place.name)} AND {condition} FOR UPDATE SKIP LOCKED));"
    )


def close_past_interlock(place: Placement, ledger: str, rows: str, counted: str) -> str:
    """Statements of a trigger: rows that somebody removed get their closing entries. `rows` are a query's source, `counted` is the
    statement that counts `gone m`."""
    adopt, detail = place.axis.adopt, legacy_detail(place)
    assert adopt is not None
    scope = "m.scope" if place.scope_sql else "''"
    same = f"l.record_id = m.id AND l.kind = {text(place.kind)} AND l.axis = {text(place.name)} AND l.scope = {scope}"
    digest = f"decode('{detail.digest.hex()}', 'hex')"
    hash = hashed_entry(
        place,
        cause=adopt.legacy_cause,
        origin="deletion",
        head="m.head",
        at=NOW,
        digest=digest,
        old="m.tail",
        id="m.id",
        new="NULL::text",
        version="(m.now + 1)",
        scope=scope,
    )
    entry = (
        f"{text(place.kind)}, m.id, {text(place.name)}, {scope}, m.now + 1, m.tail, NULL, statement_timestamp(), session_user, NULL, "
        f"{text(adopt.legacy_cause)}, 'deletion', {text(place.axis.machine.fingerprint[:16])}, NULL, {digest}, {hash}"
    )
    ended = end_work(
        place,
        f"(w.record_id, w.scope) IN (SELECT b.{place.key_sql}::text, "
        f"{f'b.{place.scope_sql}::text' if place.scope_sql else text('')} FROM before b)",
    )
    return f"""
WITH gone AS MATERIALIZED (SELECT m.*, (SELECT l.to_state FROM interlock_ledger l WHERE {same} AND l.version = m.now) AS tail
    FROM (SELECT n.* FROM {rows}) m),
entries AS (INSERT INTO {ledger} SELECT {entry} FROM gone m)
{counted};
DELETE FROM interlock_stray s WHERE s.kind = {text(place.kind)} AND s.axis = {text(place.name)} AND s.version IS NULL
    AND s.record_id IN (SELECT b.{place.key_sql}::text FROM before b);
{ended}"""
