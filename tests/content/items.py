"""Items in every state, made by the acts of the workflow."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from interlock.testing import Sandbox
from interlock.workflows.content.acts import approve, promote, submit
from interlock.workflows.content.tables import STATE_TABLES
from interlock.workflows.content.types import CONTENT_TYPES

STATES = ("DRAFT", "CANDIDATE", "VALIDATED", "APPROVED")
PAYLOADS: dict[str, dict[str, Any]] = {
    "meaning": {"word": "dog", "definition": "a friendly animal that barks", "tags": ["animals"]},
    "rule": {"title": "Plural", "explanation": "Most nouns take an s", "examples": ["two dogs", "two cats"]},
    "exercise": {
        "prompt": "Which word is an animal?",
        "options": ["dog", "house"],
        "correct_answer": 0,
        "languages": ["EN"],
    },
}
OPERATOR = {"actor": "olga", "role": "operator"}
ADMIN = {"actor": "ada", "role": "admin"}


def draft(box: Sandbox, id: str = "a", *, kind: str = "meaning", **more: Any) -> str:
    """A draft by ann; `payload` and the other values of an item may be changed."""
    values = {"item_type": kind, "language": "EN", "level": "B1", "payload": PAYLOADS.get(kind, {}), **more}
    return str(submit(box, item_id=id, actor="ann", **values).id)


def item(box: Sandbox, id: str = "a", state: str = "DRAFT", **more: Any) -> str:
    """An item that was brought to this state by the acts of the workflow and its gates."""
    draft(box, id, **more)
    if state != "DRAFT":
        promote(box, id, actor="ann")
    if state in ("VALIDATED", "APPROVED"):
        promote(box, id, actor="ann")
        box.drain()
    if state == "APPROVED":
        approve(box, id, **OPERATOR)
    assert box.get("content", id)["state"] == state, box.get("content", id)["error_message"]
    return id


def tables(box: Sandbox, id: str) -> list[str]:
    """The payload tables that have a row of this item."""
    every = [*STATE_TABLES.values(), *(kind.table for kind in CONTENT_TYPES.values())]
    with box.database.read() as tx:
        return [
            table.name
            for table in every
            if tx.execute(select(table.c.item_id).where(table.c.item_id == id)).first()
        ]


def rows(box: Sandbox, table: Any, id: str | None = None) -> list[dict[str, Any]]:
    """The rows of a table, of one item or of all."""
    asked = select(table) if id is None else select(table).where(table.c.item_id == id)
    with box.database.read() as tx:
        return [dict(row) for row in tx.execute(asked).mappings()]


def walked(box: Sandbox, id: str, axis: str = "state") -> list[Any]:
    """The states that the item has entered on this axis, amendments left out."""
    return [move.new for move in box.ledger.history("content", id, axis=axis) if move.old != move.new]
