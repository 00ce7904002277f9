"""Who approves: the hooks of rejection and deprecation, when a person must review, and the chain of replacements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from interlock import Move, Refusal
from interlock.errors import ImmutabilityViolation, RuleRefused

from .storage.payloads import is_automatic, read_items
from .storage.twins import lock_hashes, refuse_approved_twins
from .tables import content_spine, deprecations, immutability_violations, rejected_items
from .types import ContentType

CONFIDENT = 0.7
FIRST_APPROVALS = 10
SAMPLE = 10
"""One in so many items is reviewed by a person whatever else is known of it."""
SHORTEST_REASON, LONGEST_REASON = 10, 500
LONGEST_CHAIN = 10
ERASED = "erased"


def reasons_for_review(kind: ContentType, row: Mapping[str, Any], approved: int) -> list[str]:
    """Why a person must review the item; empty where it may be approved automatically. `approved` counts approved items of its type and
    language."""
    reasons = []
    if row.get("confidence") is None or row["confidence"] < CONFIDENT:
        reasons.append("LOW_CONFIDENCE")
    if kind.is_always_reviewed:
        reasons.append("ALWAYS_REVIEWED")
    if approved < FIRST_APPROVALS:
        reasons.append("FIRST_OF_ITS_KIND")
    if is_sampled(str(row["item_id"])):
        reasons.append("SAMPLE")
    return reasons


def is_sampled(item_id: str) -> bool:
    """Whether the item is in the sample of one in ten; the same in every process."""
    return int.from_bytes(sha256(item_id.encode()).digest()[:8]) % SAMPLE == 0


def count_approved(tx: Connection, item_type: str, language: str) -> int:
    """How many items of the type and language are approved."""
    asked = select(func.count()).where(
        content_spine.c.item_type == item_type,
        content_spine.c.language == language,
        content_spine.c.state == "APPROVED",
    )
    return int(tx.execute(asked).scalar_one())


class Review:
    """The hooks of approval and of the axis `standing`."""

    def __init__(self, types: Mapping[str, ContentType]) -> None:
        self.types = types

    def refuse_automatic(self, tx: Connection, moves: Sequence[Move]) -> None:
        """Refuse to approve automatically what a person must review; called before the payload moves."""
        automatic = [move for move in moves if is_automatic(move)]
        rows = read_items(tx, [move.id for move in automatic])
        for move in automatic:
            row = rows[move.id]
            count = count_approved(tx, row["item_type"], row["language"]) - 1
            if reasons := reasons_for_review(self.types[row["item_type"]], row, count):
                raise RuleRefused(
                    f"a person must review {move.id}: {', '.join(reasons)}",
                    hint="`interlock content review` lists what waits for a person, with the reasons.",
                    rule_code="REVIEW_REQUIRED",
                    reasons=reasons,
                )

    def keep_rejection(self, tx: Connection, moves: Sequence[Move]) -> None:
        """Remember the content of rejected items; refused where the same content is approved, which the lock on its hash decides."""
        rows = read_items(tx, [move.id for move in moves])
        for move in moves:
            check_reason(move.reason)
        hashes = {id: row["content_hash"] for id, row in rows.items()}
        lock_hashes(tx, hashes.values())
        for id, one in hashes.items():
            refuse_approved_twins(tx, {id: one})
        tx.execute(
            insert(rejected_items),
            [
                {
                    "item_id": move.id,
                    "item_type": rows[move.id]["item_type"],
                    "content_hash": hashes[move.id],
                    "reason": move.reason,
                    "operator_id": move.actor,
                    "created_at": move.at,
                }
                for move in moves
            ],
        )

    def keep_deprecation(self, tx: Connection, moves: Sequence[Move]) -> None:
        """Keep why items are deprecated and what replaces them; a replacement is approved, active, and of the same type and language."""
        rows = read_items(tx, [move.id for move in moves])
        named = {move.id: move.facts.get("replacement_id") for move in moves}
        wanted = {id: None if other is None else str(other) for id, other in named.items()}
        replacements = [other for other in wanted.values() if other is not None]
        _lock_items(tx, replacements)
        others = read_items(tx, replacements)
        for id, replacement in wanted.items():
            if replacement is not None:
                _refuse_replacement(rows[id], others.get(replacement), replacement)
        tx.execute(
            insert(deprecations),
            [
                {
                    "item_id": move.id,
                    "item_type": rows[move.id]["item_type"],
                    "reason": move.reason,
                    "replacement_id": wanted[move.id],
                    "operator_id": move.actor,
                    "deprecated_at": move.at,
                }
                for move in moves
            ],
        )

    def refuse_deletion(self, tx: Connection, removals: Sequence[Move]) -> None:
        """Refuse to delete approved items: their payload would be gone without the entry of an erasure."""
        rows = read_items(tx, [move.id for move in removals if move.origin != "erase"])
        for id, row in rows.items():
            if row["state"] == "APPROVED":
                raise ImmutabilityViolation(
                    f"{id} is approved and is not deleted; deprecate it, or erase it if it does harm", id=id
                )

    def log_violations(self, tx: Connection, refusals: Sequence[Refusal]) -> None:
        """Keep that somebody tried to change or delete approved content, by whatever door of Interlock."""
        tried = [one for one in refusals if isinstance(one.error, ImmutabilityViolation)]
        rows = read_items(tx, [one.id for one in tried])
        violations = [
            {
                "item_id": one.id,
                "item_type": rows[one.id]["item_type"],
                "operation": "DELETE" if one.origin == "deletion" else "UPDATE",
                "actor": one.actor,
                "reason": one.reason,
                "created_at": one.at,
            }
            for one in tried
            if one.id in rows
        ]
        if violations:
            tx.execute(insert(immutability_violations), violations)

    def forget(self, tx: Connection, removals: Sequence[Move]) -> None:
        """Remove the reasons that name erased items; the hash of rejected content stays, so that it does not come back, and so does that
        somebody tried to change an approved item."""
        tx.execute(
            update(rejected_items)
            .where(rejected_items.c.item_id.in_([move.id for move in removals]))
            .values(reason=ERASED)
        )
        tx.execute(
            update(immutability_violations)
            .where(immutability_violations.c.item_id.in_([move.id for move in removals]))
            .values(reason=ERASED)
        )


def check_reason(reason: str | None) -> None:
    """Refuse a rejection whose reason has not 10 to 500 characters."""
    length = len((reason or "").strip())
    if not SHORTEST_REASON <= length <= LONGEST_REASON:
        raise RuleRefused(
            f"a rejection has a reason of {SHORTEST_REASON} to {LONGEST_REASON} characters, not {length}",
            hint="Say what the author should change.",
            rule_code="REASON_LENGTH",
        )


def _lock_items(tx: Connection, ids: Sequence[str]) -> None:
    """Keep the spine rows as they are until the transaction ends, so that no replacement is deprecated meanwhile."""
    if ids:
        asked = select(content_spine.c.item_id).where(content_spine.c.item_id.in_(ids))
        tx.execute(asked.order_by(content_spine.c.item_id).with_for_update()).all()


def _refuse_replacement(row: Mapping[str, Any], other: Mapping[str, Any] | None, id: str) -> None:
    hint = "A replacement is another approved, active item of the same type and language."
    if id == row["item_id"]:
        problem = "an item does not replace itself"
    elif other is None:
        problem = f"{id} does not exist"
    elif (other["item_type"], other["language"]) != (row["item_type"], row["language"]):
        problem = f"{id} is of another type or language"
    elif other["state"] != "APPROVED" or other["standing"] != "active":
        problem = f"{id} is {other['state']} and {other['standing']}; a replacement is APPROVED and active"
        if other["state"] == "VALIDATED":
            hint = "`interlock content supersede ID REPLACEMENT` approves a validated replacement in the same act."
    else:
        return
    raise RuleRefused(
        f"{row['item_id']} cannot be replaced: {problem}",
        hint=hint,
        rule_code="REPLACEMENT",
        replacement_id=id,
    )


def follow_replacements(tx: Connection, item_id: str) -> str | None:
    """The active item at the end of the replacements of this one: the item itself where it is active, None where the chain ends, comes back
    to itself, or is longer than ten."""
    seen: set[str] = set()
    current: str | None = item_id
    while current is not None and current not in seen and len(seen) <= LONGEST_CHAIN:
        seen.add(current)
        asked = select(content_spine.c.standing, deprecations.c.replacement_id).select_from(
            content_spine.outerjoin(deprecations, deprecations.c.item_id == content_spine.c.item_id)
        )
        row = tx.execute(asked.where(content_spine.c.item_id == current)).first()
        if row is None:
            return None
        if row[0] == "active":
            return current
        current = row[1]
    return None
