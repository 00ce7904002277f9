"""Writes ledger entries of a batch on SQLite, and what goes with them: other columns of the moved rows, and counter deltas."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from ....workflow.columns.instant import instant_text
from ...contract import Step
from ...entry import Detail, EntryTemplate, salted_facts
from ...placement import Placement

# The same for many: one statement that takes its rows from packed columns, for each statement keeps a journal of the pages it changes.
_ENTRIES = (
    "INSERT INTO interlock_ledger(kind, record_id, axis, scope, version, from_state, to_state, at, actor, role, cause, origin, "
    "machine, token, detail, hash) SELECT :kind, one.value, :axis, :scope, "
    "CAST(CAST(substr(:versions, one.key * 10 + 1, 10) AS TEXT) AS INTEGER), :old, :new, :at, :actor, :role, :cause, :origin, "
    ":machine, rtrim(CAST(substr(:tokens, one.key * :width + 1, :width) AS TEXT)), "
    "coalesce(:detail, nullif(substr(:details, one.key * 32 + 1, 32), zeroblob(32))), substr(:hashes, one.key * 32 + 1, 32) "
    "FROM json_each(:names) one"
)
DETAIL = (
    "INSERT INTO interlock_detail(digest, salt, reason, facts, kind, record_id) VALUES (?, ?, ?, ?, ?, ?) "
    "ON CONFLICT DO NOTHING"
)
DELTA = "INSERT INTO interlock_count_delta(kind, axis, scope, state, delta) VALUES (?, ?, ?, ?, ?)"

_DETAILS = (
    "INSERT INTO interlock_detail(digest, salt, reason, facts, kind, record_id) SELECT substr(:digests, one.key * 32 + 1, 32), "
    "substr(:salts, one.key * 16 + 1, 16), one.value ->> 2, one.value ->> 1, :kind, one.value ->> 0 FROM json_each(:rows) one "
    "WHERE true ON CONFLICT DO NOTHING"
)
"""Details of many records in one statement: one by one each would keep a journal of its own."""

_FACTS = (
    "INSERT INTO interlock_detail(digest, salt, reason, facts, kind, record_id) SELECT substr(:digests, one.key * 32 + 1, 32), "
    "substr(:salts, one.key * 16 + 1, 16), NULL, one.value, :kind, rtrim(CAST(substr(:names, one.key * :width + 1, :width) AS TEXT)) "
    "FROM json_each(:facts) one WHERE true ON CONFLICT DO NOTHING"
)
"""The same for details that are facts alone."""

Entry = tuple[str, int, str | None, bytes, bytes | None]
"""(record id, version, token, hash, digest of the row's own detail)"""
_NO_DIGEST = bytes(32)


def json_list(values: list[Any]) -> str:
    """A list as JSON. Python formats whole numbers as JSON does, in a third of the time."""
    return (
        str(values)
        if values and type(values[0]) is int and set(map(type, values)) == {int}
        else json.dumps(values)
    )


def write_details(connection: Any, kind: str, details: Sequence[tuple[str, Detail]]) -> None:
    """Keep the details of records, each its own."""
    if details:
        connection.execute(
            _DETAILS,
            {
                "kind": kind,
                "digests": b"".join([one.digest for _, one in details]),
                "salts": b"".join([one.salt for _, one in details]),
                "rows": json.dumps(
                    [(name, one.facts, one.reason) for name, one in details], ensure_ascii=False
                ),
            },
        )


def write_facts(connection: Any, kind: str, names: Sequence[str], facts: Sequence[str]) -> list[bytes]:
    """Keep facts of records, each freshly salted; their digests."""
    salts, digests = salted_facts(facts)
    written = [name.encode() for name in names]
    width = max(map(len, written))
    if not any(b" " in name for name in written):  # none that could be taken for padding
        connection.execute(
            _FACTS,
            {
                "kind": kind,
                "digests": b"".join(digests),
                "salts": salts,
                "names": b"".join([name.ljust(width) for name in written]),
                "width": width,
                "facts": json.dumps(facts, ensure_ascii=False),
            },
        )
        return digests
    write_details(
        connection,
        kind,
        [
            (name, Detail(salts[16 * number : 16 * number + 16], None, text, digest))
            for number, (name, text, digest) in enumerate(zip(names, facts, digests, strict=True))
        ],
    )
    return digests


def digest_of(template: EntryTemplate) -> bytes | None:
    return None if template.detail is None else template.detail.digest


def write_entries(connection: Any, template: EntryTemplate, scope: str, entries: Sequence[Entry]) -> None:
    """Ledger rows of one batch; the ledger's trigger moves each record as its entry is written."""
    if not entries:
        return
    names, versions, tokens, hashes, digests = zip(*entries, strict=True)
    marks = None if None in tokens else [token.encode() for token in tokens]
    width = 0 if marks is None else max(map(len, marks))
    connection.execute(
        _ENTRIES,
        {
            "kind": template.kind,
            "axis": template.axis,
            "scope": scope,
            "old": template.old,
            "new": template.new,
            "at": instant_text(template.at),
            "actor": template.actor,
            "role": template.role,
            "cause": template.cause,
            "origin": template.origin,
            "machine": template.machine,
            "detail": digest_of(template),
            "names": json.dumps(names),
            "versions": b"".join(map(b"%10d".__mod__, versions)),
            "tokens": None if marks is None else b"".join([mark.ljust(width) for mark in marks]),
            "width": width,
            "details": b"".join([digest or _NO_DIGEST for digest in digests]) if any(digests) else None,
            "hashes": b"".join(hashes),
        },
    )


def in_order(
    step: Step, own: Sequence[str] = (), *, entries: Callable[[], None], others: Callable[[], None]
) -> None:
    """The index of what waits is left before the state changes, and joined after it, so that it is written once."""
    ready = step.place.ready_at
    leaves = ready is not None and ready not in own and step.constants.get(ready, "unchanged") is None
    for act in (others, entries) if leaves else (entries, others):
        act()


def others_sql(step: Step) -> tuple[str, Callable[[datetime], list[Any]]]:
    """How the engine's other columns of the axis change, as SQL, and what is bound to it; the trigger sets status, version and head."""
    place = step.place
    constants = {
        column: None if value is None else place.bind_value(column, value)
        for column, value in step.constants.items()
    }
    later = dict(step.later)
    changes = [f"{place.quote(column)} = ?" for column in (*step.now, *later, *constants)]
    changes += [f"{place.quote(column)} = {place.quote(column)} + 1" for column in step.counted]
    return ", ".join(changes), lambda at: [
        *(place.bind_value(column, at) for column in step.now),
        *(place.bind_value(column, at + length) for column, length in later.items()),
        *constants.values(),
    ]


def key_of(name: str, place: Placement) -> str:
    """A record's name in ledger and work rows, as the key column holds it."""
    return f"CAST({name} AS INTEGER)" if "INT" in place.key_type.upper() else name


def keep_count(
    connection: Any, template: EntryTemplate, scope: str, number: int, *, closing: bool = False
) -> None:
    connection.execute(DELTA, (template.kind, template.axis, scope, template.old, -number))
    if not closing:
        connection.execute(DELTA, (template.kind, template.axis, scope, template.new, number))
