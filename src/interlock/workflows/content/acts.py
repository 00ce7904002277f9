"""What people do with content, each one call: submit, promote, amend, approve, reject, deprecate, supersede, erase."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import select

from interlock import Answer, App
from interlock.errors import BadInput, InterlockError, RefusedByDatabase, RuleRefused
from interlock.extension import random_bytes

from .gates.neighbours import read_dependents
from .lifecycle import KIND, InvalidTransitionError, assert_valid_transition, overtaken
from .review import check_reason, follow_replacements
from .storage.payloads import AUTOMATIC
from .submission import check_item, refuse_unstorable
from .tables import (
    ITEM_COLUMNS,
    PAYLOAD_COLUMNS,
    STATE_TABLES,
    approval_events,
    deprecations,
    rejected_items,
)
from .types import ContentType, types_of


def new_item(
    *,
    item_type: str,
    language: str,
    level: str,
    payload: Mapping[str, Any],
    author: str,
    item_id: str | None = None,
    source: str | None = None,
    confidence: float | None = None,
    replaces: str | None = None,
) -> dict[str, Any]:
    """The row with which an item is admitted; without an id it gets a random one."""
    return {
        "item_id": item_id or f"C_{random_bytes(12).hex()}",
        "item_type": item_type,
        "language": language,
        "level": level,
        "author": author,
        "source": source,
        "confidence": confidence,
        "replaces": replaces,
        "submitted": dict(payload),
    }


def submit(app: App, *, actor: str, key: str | None = None, **item: Any) -> Answer:
    """Make a draft by this actor, from the values that `new_item` takes."""
    row = new_item(author=actor, **item)
    check_item(row, types_of(app))
    try:
        return app.admit(KIND, row, actor=actor, key=key)
    except RefusedByDatabase as error:
        raise _refusal_of(app, row["item_id"], error) from None


def submit_many(app: App, rows: Iterable[Mapping[str, Any]], *, actor: str) -> list[Answer]:
    """Make a draft of each row; each is answered by itself."""
    items = [new_item(author=actor, **row) for row in rows]
    faults = [_fault_of(item, types_of(app)) for item in items]
    sound = [item for item, fault in zip(items, faults, strict=True) if fault is None]
    admitted = app.admit_many(KIND, sound, actor=actor) if sound else []
    answers = iter([_answer_of(app, item["item_id"], one) for item, one in zip(sound, admitted, strict=True)])
    return [
        next(answers) if fault is None else Answer(item["item_id"], "refused", error=fault)
        for item, fault in zip(items, faults, strict=True)
    ]


def _answer_of(app: App, item_id: str, answer: Answer) -> Answer:
    """The answer about one row of several; a refused one has the item's id, and its refusal in words of content."""
    if answer.error is None:
        return answer
    return replace(answer, id=item_id, error=_refusal_of(app, item_id, answer.error))


def _refusal_of(app: App, item_id: str, error: InterlockError) -> InterlockError:
    """Why an item was not admitted: where one of this id was erased, its history is closed, and the database refuses another beginning."""
    if isinstance(error, RefusedByDatabase) and app.ledger.history(KIND, item_id):
        return RuleRefused(
            f"{item_id} was erased, and its id is not used again",
            hint="Submit it under another id.",
            rule_code="ERASED",
        )
    return error


def _fault_of(item: Mapping[str, Any], types: Mapping[str, ContentType]) -> BadInput | None:
    """What is wrong with an item before any database sees it."""
    try:
        check_item(item, types)
    except BadInput as fault:
        return fault
    return None


def promote(app: App, item_id: str, *, actor: str, version: int | None = None) -> Answer:
    """Take an item one step further: a draft becomes a candidate at once, a candidate waits for its gates. `version` is the one that the
    caller saw; where it is no longer true the answer is a conflict. Validated content is approved, not promoted."""
    row = app.get(KIND, item_id)
    state = row["state"]
    if state == "DRAFT":
        return app.move(KIND, item_id, actor=actor, version=version, state="CANDIDATE")
    if state == "CANDIDATE":
        return ask_for_validation(app, item_id, actor=actor, version=version)
    _refuse_stale(app, row, version)
    if state == "VALIDATED":
        raise RuleRefused(
            f"{item_id} is validated; an operator approves it",
            hint="`interlock content approve ID` approves it, `interlock content reject ID` rejects it.",
            rule_code="NEEDS_APPROVAL",
        )
    assert_valid_transition(state, state)
    raise AssertionError("APPROVED is terminal")


def promote_many(app: App, item_ids: Iterable[str], *, actor: str, validate: bool = False) -> list[Answer]:
    """Make candidates of drafts in one batch; each is answered by itself. With `validate` their gates are asked for in the same move."""
    facts = {"validation_wanted": True} if validate else None
    return app.move_many(KIND, item_ids, actor=actor, facts=facts, state="CANDIDATE")


def ask_for_validation(app: App, item_id: str, *, actor: str, version: int | None = None) -> Answer:
    """Have the gates run for a candidate; `unchanged` where they are about to run already."""
    row = app.get(KIND, item_id)
    _refuse_stale(app, row, version)
    if row["validation_wanted"] and (row["ready_at"] is not None or app.attempts(KIND, [item_id])):
        return Answer(item_id, "unchanged", row["state"], row["state"], row["version"])
    return app.amend(
        KIND,
        item_id,
        facts={"validation_wanted": True},
        actor=actor,
        reason="promoted: validation asked for",
        version=version,
        axis="state",
    )


def _refuse_stale(app: App, row: Mapping[str, Any], version: int | None) -> None:
    if version is not None and row["version"] != version:
        raise overtaken(app, row["item_id"], expected=version, state=row["state"])


def amend_payload(
    app: App, item_id: str, *, payload: Mapping[str, Any], actor: str, reason: str, version: int | None = None
) -> Answer:
    """Replace the payload of a draft or a candidate; what gates answered before is void. For approved content it raises
    ImmutabilityViolation."""
    refuse_unstorable(payload)
    return app.amend(
        KIND,
        item_id,
        facts={"payload": dict(payload), "validation_wanted": False},
        actor=actor,
        reason=reason,
        version=version,
        axis="state",
    )


def approve(
    app: App,
    item_id: str,
    *,
    actor: str,
    role: str | None,
    notes: str | None = None,
    version: int | None = None,
    tx: Any = None,
) -> Answer:
    """Approve a validated item; only an operator who has neither written nor edited it."""
    try:
        return app.move(
            KIND,
            item_id,
            actor=actor,
            role=role,
            reason=notes or "reviewed",
            version=version,
            facts={"approval_type": "MANUAL", **({"notes": notes} if notes else {})},
            tx=tx,
            state="APPROVED",
        )
    except InvalidTransitionError as error:
        if type(error) is InvalidTransitionError:  # not where a role is missing
            assert_valid_transition(str(error.facts["old"]), "APPROVED")
        raise


def approve_automatically(app: App, item_id: str) -> Answer:
    """Approve a validated item that no person has to review; refused with REVIEW_REQUIRED otherwise."""
    return app.move(
        KIND,
        item_id,
        actor=AUTOMATIC,
        role="operator",
        reason="no review is required",
        facts={"approval_type": "AUTOMATIC"},
        state="APPROVED",
    )


def reject(app: App, item_id: str, *, actor: str, role: str | None, reason: str) -> Answer:
    """Reject a validated item for good, and its content under any other id; twice is refused."""
    check_reason(reason)
    answer = app.move(KIND, item_id, actor=actor, role=role, reason=reason, standing="rejected")
    return _once(answer, f"{item_id} is rejected already", "ALREADY_REJECTED")


def deprecate(
    app: App,
    item_id: str,
    *,
    actor: str,
    role: str | None,
    reason: str,
    replacement_id: str | None = None,
    tx: Any = None,
) -> Answer:
    """Deprecate an approved item, with what replaces it if anything does; twice is refused."""
    answer = app.move(
        KIND,
        item_id,
        actor=actor,
        role=role,
        reason=reason,
        facts={"replacement_id": replacement_id} if replacement_id else None,
        tx=tx,
        standing="deprecated",
    )
    return _once(answer, f"{item_id} is deprecated already", "ALREADY_DEPRECATED")


def supersede(
    app: App, item_id: str, *, replacement_id: str, actor: str, role: str | None, reason: str
) -> Answer:
    """Deprecate an item in favour of another one, and approve that in the same transaction where it is validated."""
    with app.database.write() as tx:
        if app.get(KIND, replacement_id)["state"] == "VALIDATED":
            approve(app, replacement_id, actor=actor, role=role, notes=f"replaces {item_id}: {reason}", tx=tx)
        return deprecate(
            app, item_id, actor=actor, role=role, reason=reason, replacement_id=replacement_id, tx=tx
        )


def erase(
    app: App, item_id: str, *, actor: str, role: str, reason: str, despite_dependents: bool = False
) -> Answer:
    """Erase an item and its payload from every table. What depends on it is named in a refusal, unless the caller knows of it; it stays."""
    app.get(KIND, item_id)
    with app.database.read() as tx:
        dependents = read_dependents(tx, item_id)
    if dependents and not despite_dependents:
        raise RuleRefused(
            f"{item_id} is depended on by {len(dependents)}: {', '.join(dependents[:10])}",
            hint="Erase it despite them, or deprecate it and name a replacement.",
            rule_code="HAS_DEPENDENTS",
            dependents=dependents[:100],
        )
    return app.erase(KIND, item_id, actor=actor, role=role, reason=reason)


def active_replacement(app: App, item_id: str) -> str | None:
    """The active item at the end of an item's replacements, the item itself where it is active, or None."""
    app.get(KIND, item_id)
    with app.database.read() as tx:
        return follow_replacements(tx, item_id)


def read_item(app: App, item_id: str) -> dict[str, Any]:
    """Everything known of one item: its spine, its payload, verdicts, approval, rejection and deprecation."""
    row = app.get(KIND, item_id)
    with app.database.read() as tx:
        by_item = {
            table.name: tx.execute(select(table).where(table.c.item_id == item_id)).mappings().first()
            for table in (approval_events, rejected_items, deprecations)
        }
        if row["state"] == "APPROVED":
            kind = types_of(app)[row["item_type"]]
            table = kind.table
            approved = tx.execute(select(table).where(table.c.item_id == item_id)).mappings().first()
            payload = kind.payload_of(dict(approved or {}))
        else:
            table = STATE_TABLES[row["state"]]
            data = table.c[PAYLOAD_COLUMNS[row["state"]]]
            payload = tx.execute(select(data).where(table.c.item_id == item_id)).scalar() or {}
    deprecation = by_item["deprecations"]
    return {
        **{name: row[name] for name in ITEM_COLUMNS},
        "payload": payload,
        "verdicts": [_verdict(one) for one in app.verdicts(KIND, item_id)],
        "approval": _row(by_item["approval_events"]),
        "rejection": _row(by_item["rejected_items"]),
        "deprecated_at": deprecation["deprecated_at"] if deprecation else None,
        "superseded_by_id": deprecation["replacement_id"] if deprecation else None,
    }


def _verdict(one: Any) -> dict[str, Any]:
    names = ("gate", "passed", "reason", "details", "duration_ms", "number", "version", "at")
    return {name: getattr(one, name) for name in names}


def _row(row: Any) -> dict[str, Any] | None:
    return None if row is None else {name: value for name, value in row.items() if name != "id"}


def _once(answer: Answer, sentence: str, code: str) -> Answer:
    if answer.outcome == "unchanged":
        raise RuleRefused(
            sentence,
            hint="`interlock record why content ID` says who decided it, and why.",
            rule_code=code,
        )
    return answer
