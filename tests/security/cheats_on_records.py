"""Cheats that change where a record is, or which record it is."""

from __future__ import annotations

from tests.security.cheats import (
    OWN,
    POSTGRESQL,
    SQLITE,
    Cheat,
    cheat,
)

HEAD = "X'" + "68" * 32 + "'"


def changing(name: str, changes: str, where: str = "id = 'u4'", style: str = "plain") -> Cheat:
    return cheat("records", style, name, f"UPDATE uploads SET {changes} WHERE {where}")


def head(database: str) -> str:
    return HEAD if database == SQLITE else "decode(repeat('68', 32), 'hex')"


PLAIN = [
    changing("a status that the machine does not reach", "status = 'normalized'"),
    changing("a legal status without a version", "status = 'parsing'"),
    changing("a legal status and version without an entry", "status = 'parsing', version = 1"),
    changing("a status that does not exist", "status = 'nonsense', version = 1"),
    changing("no status at all", "status = NULL"),
    changing("the status in other letters", "status = 'PARSING', version = 1"),
    changing("a version alone", "version = 1"),
    changing("a version that goes back", "version = 0", "id = 'u6'"),
    changing("a version that skips", "status = 'parsing', version = 7"),
    changing("no version", "version = NULL"),
    changing("no head", "head = NULL"),
    changing("the head of another record", "head = (SELECT r.head FROM uploads r WHERE r.id = 'u5')"),
    changing("every record at once", "status = 'parsing', version = version + 1", "true"),
    changing(
        "a record out of its final state", "status = 'queued_for_parse', version = version + 1", "id = 'u6'"
    ),
    changing("another name", "id = 'u99'"),
    changing("the name of another record", "id = 'u5'"),
    changing("all names by one statement", "id = id || 'x'", "true"),
    cheat("records", "plain", "an integer key", "UPDATE domains SET id = 77 WHERE id = 1"),
    cheat(
        "records",
        "plain",
        "the second axis without the first",
        "UPDATE domains SET processing_status = 'Queued' WHERE id = 1",
    ),
    cheat(
        "records",
        "plain",
        "both axes of a row",
        "UPDATE domains SET curation_status = 'Selected', processing_status = 'Queued'",
    ),
    cheat(
        "records",
        "plain",
        "a scoped status",
        "UPDATE article_pipeline_state SET status = 'processed' WHERE article_id = 2",
    ),
    cheat(
        "records",
        "plain",
        "another scope",
        "UPDATE article_pipeline_state SET pipeline = 'x' WHERE article_id = 2",
    ),
    cheat(
        "records",
        "plain",
        "a state row given to another record",
        "UPDATE article_pipeline_state SET article_id = 1 WHERE article_id = 2",
    ),
    cheat("records", "plain", "a record deleted", "DELETE FROM uploads WHERE id = 'u4'"),
    cheat("records", "plain", "all records deleted", "DELETE FROM papers"),
    cheat(
        "records", "plain", "a state row deleted", "DELETE FROM article_pipeline_state WHERE article_id = 2"
    ),
    cheat(
        "records",
        "plain",
        "a record that begins later",
        "INSERT INTO papers(id, review, review_version) VALUES ('x', 'sent', 0)",
    ),
    cheat(
        "records",
        "plain",
        "a record that begins at version 5",
        "INSERT INTO papers(id, review, review_version) VALUES ('x', 'draft', 5)",
    ),
    cheat(
        "records",
        "plain",
        "a record without its first entry",
        "INSERT INTO papers(id, review, review_version) VALUES ('x', 'draft', 0)",
    ),
    cheat(
        "records",
        "plain",
        "a deleted record put back",
        "INSERT INTO uploads(id, status, version) VALUES ('u7', 'queued_for_parse', 0)",
    ),
    cheat(
        "records",
        "plain",
        "an erased record put back",
        "INSERT INTO uploads(id, status, version) VALUES ('u8', 'queued_for_parse', 0)",
    ),
    cheat("frozen tables", "plain", "a frozen row changed", "UPDATE approved_items SET approved_by = 'eve'"),
    cheat("frozen tables", "plain", "a frozen row deleted", "DELETE FROM approved_items"),
]


UPSERTS = [
    cheat(
        "records",
        "upsert",
        "a status by ON CONFLICT",
        "INSERT INTO uploads(id, status, version) VALUES ('u4', 'queued_for_parse', 0) "
        "ON CONFLICT (id) DO UPDATE SET status = 'parsed', version = 9",
    ),
    cheat(
        "records",
        "upsert",
        "a legal step by ON CONFLICT",
        "INSERT INTO uploads(id, status, version) VALUES ('u4', 'queued_for_parse', 0) "
        "ON CONFLICT (id) DO UPDATE SET status = 'parsing', version = uploads.version + 1",
    ),
    cheat(
        "records",
        "upsert",
        "a name by ON CONFLICT",
        "INSERT INTO uploads(id, status, version) VALUES ('u4', 'queued_for_parse', 0) ON CONFLICT (id) "
        "DO UPDATE SET id = 'u99'",
    ),
    cheat(
        "frozen tables",
        "upsert",
        "a frozen row by ON CONFLICT",
        "INSERT INTO approved_items(item_id, approved_by) VALUES ('c3', 'x') ON CONFLICT (item_id) DO "
        "UPDATE SET approved_by = 'eve'",
    ),
]


RECURSIVE = [
    cheat(
        "records",
        "WITH RECURSIVE",
        "steps of a walk in one statement",
        "WITH RECURSIVE walk(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM walk WHERE n < 3) "
        "UPDATE uploads SET status = 'parsed', version = (SELECT max(n) FROM walk) WHERE id = 'u4'",
    ),
    cheat(
        "records",
        "WITH RECURSIVE",
        "a thousand records made of nothing",
        "WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 1000) "
        "INSERT INTO papers(id, review, review_version) SELECT 'm' || n, 'draft', 0 FROM many",
    ),
    cheat(
        "records",
        "WITH RECURSIVE",
        "records deleted by a list of their names",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) DELETE FROM uploads "
        "WHERE id IN (SELECT 'u' || i FROM n)",
    ),
]


SWAPS = [
    cheat(
        "records",
        "swap",
        "two names swapped",
        "UPDATE uploads SET id = CASE id WHEN 'u4' THEN 'u5' ELSE 'u4' END WHERE id IN ('u4', 'u5')",
    ),
    cheat(
        "records",
        "swap",
        "two heads swapped",
        "UPDATE uploads SET head = (SELECT r.head FROM uploads r WHERE r.id = CASE uploads.id WHEN 'u4' "
        "THEN 'u5' ELSE 'u4' END) "
        "WHERE id IN ('u4', 'u5')",
    ),
    cheat(
        "records",
        "swap",
        "state, version and head taken from another record",
        "UPDATE uploads SET status = r.status, version = r.version, head = r.head FROM (SELECT * FROM "
        "uploads WHERE id = 'u6') r "
        "WHERE uploads.id = 'u4'",
    ),
    cheat(
        "records",
        "swap",
        "scopes swapped",
        "UPDATE article_pipeline_state SET pipeline = CASE pipeline WHEN 'technical' THEN 'fundamental' "
        "ELSE 'technical' END",
    ),
    cheat(
        "records",
        "swap",
        "a natural key",
        "UPDATE uploads SET file_hash = 'x' WHERE id = 'u4'",
    ),
    cheat(
        "records",
        "plain",
        "a natural key emptied",
        "UPDATE uploads SET file_hash = NULL WHERE id = 'u4'",
    ),
    cheat(
        "records",
        "plain",
        "the host of a domain",
        "UPDATE domains SET host = 'evil.example' WHERE id = 1",
    ),
    cheat(
        "records",
        "plain",
        "what is one's own business swapped",
        "UPDATE uploads SET observations_count = 7 WHERE id = 'u4'",
        owner=OWN,
        coordinator=OWN,
        why="columns that are no state, version, head or key are the team's own",
    ),
]


MADE_UP_HEADS = [
    cheat(
        "records",
        "plain",
        "a made-up head",
        f"UPDATE uploads SET status = 'parsing', version = 1, head = {head(database)} WHERE id = 'u4'",
        on=(database,),
    )
    for database in (SQLITE, POSTGRESQL)
]

CHEATS = [*PLAIN, *MADE_UP_HEADS, *UPSERTS, *RECURSIVE, *SWAPS]
