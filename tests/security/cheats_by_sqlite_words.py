"""Cheats by what only SQLite's SQL has: row numbers, and REPLACE."""

from __future__ import annotations

from tests.security.cheats import (
    OWN,
    SQLITE,
    cheat,
)

ROW_NUMBERS = [
    cheat(
        "records",
        "rowid",
        f"a record renamed by its {number}",
        f"UPDATE domains SET {number} = 77 WHERE id = 1",
        on=(SQLITE,),
    )
    for number in ("rowid", "oid", "_rowid_")
] + [
    cheat(
        "records",
        "rowid",
        "a record swallowed by another",
        "UPDATE OR REPLACE uploads SET rowid = (SELECT rowid FROM uploads WHERE id = 'u5') WHERE id = 'u4'",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "rowid",
        "a state row swallowed by another",
        "UPDATE OR REPLACE article_pipeline_state SET rowid = 1 WHERE rowid = 2",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "rowid",
        "all records numbered anew",
        "UPDATE uploads SET rowid = rowid + 1000",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "rowid",
        "a new record in the place of another",
        "INSERT OR REPLACE INTO uploads(rowid, id, status, version) SELECT rowid, 'new', "
        "'queued_for_parse', 0 FROM uploads WHERE id = 'u5'",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "rowid",
        "an unadopted row swallowed by another",
        "UPDATE OR REPLACE olds SET rowid = 1 WHERE id = 'o2'",
        on=(SQLITE,),
    ),
]


REPLACED = [
    cheat(
        "records",
        "REPLACE",
        "a record replaced",
        "REPLACE INTO uploads(id, status, version) VALUES ('u4', 'parsed', 0)",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "REPLACE",
        "a record replaced by its beginning",
        "INSERT OR REPLACE INTO uploads(id, status, version, head) SELECT id, 'queued_for_parse', 0, "
        "head FROM uploads WHERE id = 'u6'",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "REPLACE",
        "a name taken by UPDATE OR REPLACE",
        "UPDATE OR REPLACE uploads SET id = 'u5' WHERE id = 'u4'",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "REPLACE",
        "a natural key taken by UPDATE OR REPLACE",
        "UPDATE OR REPLACE uploads SET file_hash = 'h5' WHERE id = 'u4'",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "REPLACE",
        "a natural key taken by INSERT OR REPLACE",
        "INSERT OR REPLACE INTO uploads(id, file_hash, status, version) VALUES ('x', 'h5', 'queued_for_parse', 0)",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "REPLACE",
        "an unadopted row in the place of a record",
        "INSERT OR REPLACE INTO olds(id, status) VALUES ('o1', 'done')",
        on=(SQLITE,),
        file=OWN,
        why="until it is adopted a row is the team's own",
    ),
    cheat(
        "frozen tables",
        "REPLACE",
        "a frozen row replaced",
        "REPLACE INTO approved_items(item_id, approved_by) VALUES ('c3', 'eve')",
        on=(SQLITE,),
    ),
    cheat(
        "frozen tables",
        "REPLACE",
        "a frozen row by UPDATE OR REPLACE",
        "UPDATE OR REPLACE approved_items SET item_id = 'c9'",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "REPLACE",
        "a move by UPDATE OR IGNORE",
        "UPDATE OR IGNORE uploads SET status = 'parsed', version = 1 WHERE id = 'u4'",
        on=(SQLITE,),
    ),
    cheat(
        "records",
        "REPLACE",
        "a move by UPDATE OR FAIL",
        "UPDATE OR FAIL uploads SET status = 'parsed', version = 1",
        on=(SQLITE,),
    ),
]

CHEATS = [*ROW_NUMBERS, *REPLACED]
