"""Keeps the payload in the table of the item's state: each function is called in the transaction of the move that it belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, literal, select, update
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from interlock import Move
from interlock.errors import BadInput, ImmutabilityViolation, RuleRefused

from ..gates.normalizing import content_hash, normalize_value, sketch
from ..tables import (
    FIXED_COLUMNS,
    LANGUAGES,
    LEVELS,
    PAYLOAD_COLUMNS,
    RESERVED_IDS,
    STATE_TABLES,
    approval_events,
    candidates,
    content_editors,
    content_prerequisites,
    content_sketches,
    content_spine,
    drafts,
    in_parts,
    rejected_items,
    validated,
)
from ..types import ContentType

REJECTED = "the same content was rejected"
AUTOMATIC = "content.approval"
"""The actor of automatic approvals."""
DEEPEST = 32
ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_SURROGATE = re.compile("[\ud800-\udfff]")


class content_lock(FunctionElement[Any]):  # noqa: N801 - it is called like a function of SQL
    """A lock on a number until the transaction ends; on a database with one writer at a time it is nothing."""

    inherit_cache = True
    name = "content_lock"


@compiles(content_lock)
def _one_writer(element: Any, compiler: Any, **options: Any) -> str:
    return f"({compiler.process(element.clauses, **options)})"


@compiles(content_lock, "postgresql")
def _advisory(element: Any, compiler: Any, **options: Any) -> str:
    return f"pg_advisory_xact_lock({compiler.process(element.clauses, **options)})"


def lock_hashes(tx: Connection, hashes: Iterable[str]) -> None:
    """Wait until nobody else approves or rejects content of one of these hashes; sorted, so that batches do not deadlock."""
    for number in sorted({int(one[:15], 16) for one in hashes}):
        tx.execute(select(content_lock(literal(number)))).all()


def check_item(row: Mapping[str, Any], types: Mapping[str, ContentType]) -> None:
    """Refuse an item whose type, language or level is unknown, whose id no address can have, or whose payload no database keeps."""
    for name, known in (("item_type", types), ("language", LANGUAGES), ("level", LEVELS)):
        if not isinstance(row[name], str) or row[name] not in known:
            raise BadInput(f"{name} is {row[name]!r:.60}; known are {', '.join(known)}", column=name)
    id = row["item_id"]
    if not isinstance(id, str) or not ID.fullmatch(id):
        raise BadInput(f"{id!r:.80} is no id: 1 to 64 letters, digits and _ . : -", column="item_id")
    if id in RESERVED_IDS:
        raise BadInput(f"{id!r} is an address of the API; name the item otherwise", column="item_id")
    if not is_confidence(row["confidence"]):
        raise BadInput(f"confidence is {row['confidence']!r}, not a number from 0 to 1", column="confidence")
    if not isinstance(row["submitted"], Mapping):
        raise BadInput("content is submitted with a payload: an object in the column submitted")
    refuse_unstorable(row["submitted"])


def is_confidence(value: Any) -> bool:
    """Whether it says how sure a source is: a number from 0 to 1, or None."""
    return value is None or (
        isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    )


def refuse_unstorable(payload: Any) -> None:
    """Refuse a payload that not every database keeps: with a character that is none, a number that is none, or nested too deep."""
    waiting = [(payload, 1)]
    while waiting:
        value, depth = waiting.pop()
        if depth > DEEPEST:
            raise BadInput(f"the payload is nested deeper than {DEEPEST} levels")
        if isinstance(value, str) and not _is_text(value):
            raise BadInput("the payload has a character that no database keeps")
        if isinstance(value, float) and not isfinite(value):
            raise BadInput("the payload has a number that JSON does not know")
        if isinstance(value, Mapping):
            waiting += [(one, depth + 1) for pair in value.items() for one in pair]
        elif isinstance(value, list | tuple):
            waiting += [(one, depth + 1) for one in value]


def _is_text(value: str) -> bool:
    return "\x00" not in value and (value.isascii() or not _SURROGATE.search(value))


def refuse_fixed_facts(tx: Connection, moves: Sequence[Move]) -> None:
    """Refuse moves whose facts are columns of the item: who promotes or decides changes neither its author nor what is known of it. On an
    approved item that is an attempt to change approved content."""
    for move in moves:
        if fixed := sorted(FIXED_COLUMNS.intersection(move.facts)):
            if move.axis == "standing":
                refuse_change_of_approved(read_items(tx, [move.id]))
            raise BadInput(
                f"{', '.join(fixed)} of {move.id} is fixed; a move does not change it",
                hint="Facts of another name are kept with the move.",
                columns=fixed,
            )


def refuse_amended_approvals(tx: Connection, moves: Sequence[Move]) -> None:
    """Refuse every amendment of approved items, whatever it is about and on whichever axis."""
    refuse_change_of_approved(read_items(tx, [move.id for move in moves if move.origin == "amend"]))


def refuse_change_of_approved(rows: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse what would change these items, by id, where one of them is approved."""
    for id, row in rows.items():
        if row["state"] == "APPROVED":
            raise ImmutabilityViolation(
                f"{id} is approved and does not change; deprecate it and name a replacement", id=id
            )


def refuse_amended_standing(tx: Connection, moves: Sequence[Move]) -> None:
    """Refuse amendments on the axis of deprecation and rejection: a payload is amended on the axis `state`, whose version gates judge."""
    for move in moves:
        if move.origin == "amend":
            raise BadInput(f"{move.id} is amended on the axis state", column="axis")


class Payloads:
    """The hooks of the lifecycle for the content types of one workflow."""

    def __init__(self, types: Mapping[str, ContentType], gates: Sequence[str]) -> None:
        self.types, self.gates = types, gates

    def keep_draft(self, tx: Connection, moves: Sequence[Move]) -> None:
        """Put what was submitted with new items into `drafts`."""
        rows = self._items(tx, moves)
        for row in rows.values():
            check_item(row, self.types)
        tx.execute(
            insert(drafts),
            [
                {
                    "item_id": move.id,
                    "raw_data": rows[move.id]["submitted"],
                    "source": rows[move.id]["source"],
                    "created_at": move.at,
                }
                for move in moves
            ],
        )
        for part in in_parts(list(rows)):
            tx.execute(update(content_spine).where(content_spine.c.item_id.in_(part)).values(submitted=None))

    def keep_candidate(self, tx: Connection, moves: Sequence[Move]) -> None:
        """Normalise drafts into `candidates`, and give each item the hash of its content."""
        rows = self._items(tx, moves)
        made = {id: self.normalized(rows[id], raw) for id, raw in _payloads(tx, "DRAFT", rows).items()}
        self._write_candidates(tx, moves, rows, made)
        _forget(tx, drafts, rows)

    def _write_candidates(
        self,
        tx: Connection,
        moves: Sequence[Move],
        rows: Mapping[str, Mapping[str, Any]],
        made: Mapping[str, dict[str, Any]],
    ) -> None:
        hashes = {
            id: content_hash(rows[id]["item_type"], rows[id]["language"], one) for id, one in made.items()
        }
        refuse_rejected(tx, hashes)
        tx.execute(
            insert(candidates),
            [{"item_id": move.id, "normalized_data": made[move.id], "created_at": move.at} for move in moves],
        )
        self._describe(tx, rows, made, hashes)

    def _describe(
        self,
        tx: Connection,
        rows: Mapping[str, Mapping[str, Any]],
        made: Mapping[str, Mapping[str, Any]],
        hashes: Mapping[str, str],
    ) -> None:
        """Keep the hash of each item's content, and what it depends on."""
        tx.execute(
            update(content_spine)
            .where(content_spine.c.item_id == bindparam("which"))
            .values(content_hash=bindparam("hash_of_content")),
            [{"which": id, "hash_of_content": one} for id, one in hashes.items()],
        )
        _forget(tx, content_prerequisites, rows)
        depends = [
            {"item_id": id, "prerequisite_id": other}
            for id, payload in made.items()
            for other in self.types[rows[id]["item_type"]].prerequisites(payload)
            if ID.fullmatch(other)
        ]
        if depends:
            tx.execute(insert(content_prerequisites), depends)

    def keep_validated(self, tx: Connection, moves: Sequence[Move]) -> None:
        """Take candidates over into `validated`, with the gates that passed and the version for which they did; from now on others are
        compared with them, so their sketches are kept."""
        rows = self._items(tx, moves)
        refuse_rejected(tx, {id: row["content_hash"] for id, row in rows.items()})
        data = _payloads(tx, "CANDIDATE", rows)
        tx.execute(
            insert(validated),
            [
                {
                    "item_id": move.id,
                    "validated_data": data[move.id],
                    "validation_results": {"passed": list(self.gates), "version": move.version - 1},
                    "created_at": move.at,
                }
                for move in moves
            ],
        )
        _forget(tx, candidates, rows)
        self._keep_sketches(tx, rows, data)

    def _keep_sketches(
        self, tx: Connection, rows: Mapping[str, Mapping[str, Any]], payloads: Mapping[str, Mapping[str, Any]]
    ) -> None:
        """Keep the bands by which the duplication gate recognises what is similar to these items."""
        bands: list[dict[str, Any]] = []
        for id, payload in payloads.items():
            kind = self.types[rows[id]["item_type"]]
            same = {"item_id": id, "item_type": kind.name, "language": rows[id]["language"]}
            text = str(payload.get(kind.compared, ""))
            bands += [{**same, "band": band} for band in sorted(set(sketch(text)))]
        _forget(tx, content_sketches, rows)
        tx.execute(insert(content_sketches), bands)

    def keep_approved(self, tx: Connection, moves: Sequence[Move]) -> None:
        """Take validated items over into the table of their type, with the event of their approval; no twin of theirs is approved or
        rejected meanwhile, for the hash of their content is locked."""
        rows = self._items(tx, moves)
        hashes = {id: row["content_hash"] for id, row in rows.items()}
        lock_hashes(tx, hashes.values())
        refuse_rejected(tx, hashes)
        refuse_approved_twins(tx, hashes)
        data = _payloads(tx, "VALIDATED", rows)
        for kind in self.types.values():
            mine = [move for move in moves if rows[move.id]["item_type"] == kind.name]
            if mine:
                tx.execute(
                    insert(kind.table),
                    [
                        {
                            **kind.approved_row(data[move.id]),
                            "item_id": move.id,
                            "language": rows[move.id]["language"],
                            "level": rows[move.id]["level"],
                            "approved_at": move.at,
                        }
                        for move in mine
                    ],
                )
        tx.execute(insert(approval_events), [_event(move, rows[move.id]) for move in moves])
        _forget(tx, validated, rows)

    def keep_amended(self, tx: Connection, moves: Sequence[Move]) -> None:
        """Write an amended payload into the table of the item's state, up to CANDIDATE; what gates have passed is not changed, and nothing
        of approved content is."""
        refuse_amended_approvals(tx, moves)
        changed = {move.id: move for move in moves if move.origin == "amend" and "payload" in move.facts}
        if not changed:
            return
        rows = self._items(tx, list(changed.values()))
        for id, move in changed.items():
            if not isinstance(move.facts["payload"], Mapping):
                raise BadInput("a payload is an object with the fields of its type", id=id)
            refuse_unstorable(move.facts["payload"])
            if move.new == "VALIDATED":
                raise RuleRefused(
                    f"{id} is validated: its gates passed for this content; submit the correction as a new item",
                    hint="Reject this one if it is wrong; else the new item names it in `replaces`.",
                    rule_code="VALIDATED_CONTENT",
                )
        for state in ("DRAFT", "CANDIDATE"):
            mine = {id: dict(move.facts["payload"]) for id, move in changed.items() if move.new == state}
            if state == "CANDIDATE" and mine:
                mine = {id: self.normalized(rows[id], payload) for id, payload in mine.items()}
                hashes = {
                    id: content_hash(rows[id]["item_type"], rows[id]["language"], payload)
                    for id, payload in mine.items()
                }
                refuse_rejected(tx, hashes)
                self._describe(tx, {id: rows[id] for id in mine}, mine, hashes)
            for id, payload in mine.items():
                table = STATE_TABLES[state]
                tx.execute(
                    update(table).where(table.c.item_id == id).values({PAYLOAD_COLUMNS[state]: payload})
                )
        for id, move in changed.items():
            _add_editor(tx, id, move.actor)

    def normalized(self, row: Mapping[str, Any], raw: Mapping[str, Any]) -> dict[str, Any]:
        """The payload as it is compared and validated; refused where required fields are missing or it contradicts its item."""
        payload: dict[str, Any] = normalize_value(raw)
        for name in ("language", "level"):
            if payload.pop(name, row[name]) != row[name]:
                raise RuleRefused(f"the payload has another {name} than its item", rule_code="CONTRADICTION")
        missing = self.types[row["item_type"]].missing(payload)
        if missing:
            raise RuleRefused(
                f"{row['item_id']} lacks {', '.join(missing)}",
                hint="`interlock content amend ID --set FIELD=VALUE` adds them.",
                rule_code="FIELDS_MISSING",
                fields=missing,
            )
        return payload

    def _items(self, tx: Connection, moves: Sequence[Move]) -> dict[str, dict[str, Any]]:
        return read_items(tx, [move.id for move in moves])


def read_items(tx: Connection, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The spine rows of these items, by id."""
    rows: dict[str, dict[str, Any]] = {}
    for part in in_parts(ids):
        asked = select(content_spine).where(content_spine.c.item_id.in_(part))
        rows |= {row["item_id"]: dict(row) for row in tx.execute(asked).mappings()}
    return rows


def refuse_rejected(tx: Connection, hashes: Mapping[str, str]) -> None:
    """Refuse items whose content was rejected, under whatever id."""
    for part in in_parts(list(hashes.items())):
        asked = select(rejected_items.c.content_hash, rejected_items.c.item_id).where(
            rejected_items.c.content_hash.in_({one for _, one in part})
        )
        known = {row[0]: row[1] for row in tx.execute(asked)}
        for id, one in part:
            if one in known:
                raise RuleRefused(
                    f"{id}: {REJECTED} as {known[one]}",
                    hint="Rejected content is promoted under no id; write it otherwise.",
                    rule_code="REJECTED_CONTENT",
                    rejected_as=known[one],
                )


def refuse_approved_twins(tx: Connection, hashes: Mapping[str, str]) -> None:
    """Refuse items of whose content another item is approved and active, or that occurs twice among them."""
    owners: dict[str, str] = {}
    for id, one in hashes.items():
        if owners.setdefault(one, id) != id:
            raise RuleRefused(
                f"{id} has the content of {owners[one]}",
                hint="Approve one of them.",
                rule_code="SAME_CONTENT",
            )
    for part in in_parts(list(hashes.items())):
        asked = select(content_spine.c.content_hash, content_spine.c.item_id).where(
            content_spine.c.content_hash.in_({one for _, one in part}),
            content_spine.c.state == "APPROVED",
            content_spine.c.standing == "active",
        )
        twins = [(row[0], row[1]) for row in tx.execute(asked)]
        for id, one in part:
            for twin_hash, twin in twins:
                if twin_hash == one and twin != id:
                    raise RuleRefused(
                        f"{id}: the same content is approved as {twin}",
                        hint="A correction names the item that it `replaces`, and differs from it.",
                        rule_code="SAME_CONTENT",
                        approved_as=twin,
                    )


def _add_editor(tx: Connection, item_id: str, editor: str) -> None:
    """Remember who has amended an item, once; the item's row is locked by its amendment."""
    known = select(content_editors.c.editor).where(
        content_editors.c.item_id == item_id, content_editors.c.editor == editor
    )
    if tx.execute(known).first() is None:
        tx.execute(insert(content_editors).values(item_id=item_id, editor=editor))


def is_automatic(move: Move) -> bool:
    """Whether an approval is made by the workflow itself; whatever facts a person gives, theirs is manual."""
    return move.actor == AUTOMATIC and move.facts.get("approval_type") == "AUTOMATIC"


def _event(move: Move, row: Mapping[str, Any]) -> dict[str, Any]:
    notes = move.facts.get("notes")
    return {
        "item_id": move.id,
        "item_type": row["item_type"],
        "approval_type": "AUTOMATIC" if is_automatic(move) else "MANUAL",
        "operator_id": None if is_automatic(move) else move.actor,
        "notes": None if notes is None else str(notes),
        "created_at": move.at,
    }


def _payloads(tx: Connection, state: str, rows: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The payloads of items that are in this state's table, by id."""
    table = STATE_TABLES[state]
    made: dict[str, dict[str, Any]] = {}
    for part in in_parts(list(rows)):
        asked = select(table.c.item_id, table.c[PAYLOAD_COLUMNS[state]]).where(table.c.item_id.in_(part))
        made |= {row[0]: row[1] for row in tx.execute(asked)}
    return made


def _forget(tx: Connection, table: Any, rows: Iterable[str]) -> None:
    for part in in_parts(list(rows)):
        tx.execute(delete(table).where(table.c.item_id.in_(part)))
