"""Keeps the payload in the table of the item's state: each function is called in the transaction of the move that it belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from interlock import Move
from interlock.errors import BadInput, ImmutabilityViolation, RuleRefused

from ..gates.normalizing import content_hash, normalize_value, sketch
from ..submission import ID, check_item, refuse_unstorable
from ..tables import (
    FIXED_COLUMNS,
    PAYLOAD_COLUMNS,
    STATE_TABLES,
    approval_events,
    candidates,
    content_editors,
    content_prerequisites,
    content_sketches,
    content_spine,
    drafts,
    in_parts,
    validated,
)
from ..types import ContentType
from .twins import lock_hashes, refuse_approved_twins, refuse_rejected

AUTOMATIC = "content.approval"
"""The actor of automatic approvals."""


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
                f"{id} is approved and does not change; deprecate it and name a replacement",
                hint="Submit the correction as a new item; `interlock content supersede ID REPLACEMENT` puts it in place.",
                id=id,
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
        tx.execute(
            insert(candidates),
            [{"item_id": move.id, "normalized_data": made[move.id], "created_at": move.at} for move in moves],
        )
        self._describe(tx, rows, made)
        _forget(tx, drafts, rows)

    def _describe(
        self, tx: Connection, rows: Mapping[str, Mapping[str, Any]], made: Mapping[str, Mapping[str, Any]]
    ) -> None:
        """Keep the hash of each candidate's content, and what it depends on; refused where the same content was rejected."""
        hashes = {
            id: content_hash(rows[id]["item_type"], rows[id]["language"], one) for id, one in made.items()
        }
        refuse_rejected(tx, hashes)
        tx.execute(
            update(content_spine)
            .where(content_spine.c.item_id == bindparam("which"))
            .values(content_hash=bindparam("hash_of_content")),
            [{"which": id, "hash_of_content": one} for id, one in hashes.items()],
        )
        _forget(tx, content_prerequisites, made)
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
        changed = [move for move in moves if move.origin == "amend" and "payload" in move.facts]
        if not changed:
            return
        rows = self._items(tx, changed)
        payloads = {move.id: _amended_payload(move) for move in changed}
        normal = {
            move.id: self.normalized(rows[move.id], payloads[move.id])
            for move in changed
            if move.new == "CANDIDATE"
        }
        if normal:
            self._describe(tx, rows, normal)
        for move in changed:
            table = STATE_TABLES[str(move.new)]
            column = PAYLOAD_COLUMNS[str(move.new)]
            payload = normal.get(move.id, payloads[move.id])
            tx.execute(update(table).where(table.c.item_id == move.id).values({column: payload}))
            _add_editor(tx, move.id, move.actor)

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


def _amended_payload(move: Move) -> dict[str, Any]:
    """The payload that an amendment gives an item; refused where it is none, and for validated items."""
    payload = move.facts["payload"]
    if not isinstance(payload, Mapping):
        raise BadInput("a payload is an object with the fields of its type", id=move.id)
    refuse_unstorable(payload)
    if move.new == "VALIDATED":
        raise RuleRefused(
            f"{move.id} is validated: its gates passed for this content; submit the correction as a new item",
            hint="Reject this one if it is wrong; else the new item names it in `replaces`.",
            rule_code="VALIDATED_CONTENT",
        )
    return dict(payload)


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
