"""Promotes in batches where a team has set it so: ten items of each state in a cycle, each tried three times; what fails is listed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Select, and_, delete, insert, or_, select

from interlock import App
from interlock.errors import BadInput, ConcurrentModificationError, InterlockError, RuleRefused
from interlock.extension import setting

from .acts import approve_automatically, ask_for_validation
from .lifecycle import KIND
from .review import CONFIDENT, count_approved, reasons_for_review
from .tables import STATE_TABLES, content_promotions, content_spine
from .types import types_of

ACTOR: Final = "content.promotion"
CYCLE: Final = "5s"
BATCH: Final = 10
TRIES: Final = 3
SCANNED: Final = 1_000
"""Validated items that one cycle looks through for some that no person has to review."""

Row = dict[str, Any]
_TRUE, _FALSE = frozenset({"1", "true", "yes", "on"}), frozenset({"0", "false", "no", "off", ""})


@dataclass(frozen=True)
class Options:
    """The settings of the content workflow, each INTERLOCK_CONTENT_NAME or a key of `[workflows.content]` in interlock.toml."""

    auto_promote: bool = False
    """Drafts become candidates, and the gates of candidates run, in batches."""
    auto_approve: bool = False
    """Validated items that no person has to review are approved, in batches."""


def read_options() -> Options:
    """Return the options of this process."""
    default = Options()
    return Options(
        _read_switch("auto_promote", default.auto_promote), _read_switch("auto_approve", default.auto_approve)
    )


def _read_switch(name: str, default: bool) -> bool:
    text = setting(f"content.{name}")
    if text is None:
        return default
    if text.casefold() in _TRUE | _FALSE:
        return text.casefold() in _TRUE
    raise BadInput(f"{text!r} is neither yes nor no", hint=f"INTERLOCK_CONTENT_{name.upper()} is yes or no.")


def promote_batch(app: App, options: Options, now: datetime) -> dict[str, int]:
    """Promote a batch of each state that the options name; how many of each state went on."""
    done: dict[str, int] = {}
    if options.auto_promote:
        done["DRAFT"] = promote_drafts(app, now)
        done["CANDIDATE"] = validate_candidates(app, now)
    if options.auto_approve:
        done["VALIDATED"] = approve_validated(app, now)
    return done


def promote_drafts(app: App, now: datetime) -> int:
    """Make candidates of the oldest drafts that are due; how many."""
    rows = _read(app, due("DRAFT", now).limit(BATCH))
    answers = app.move_many(
        KIND, [(row["item_id"], row["version"]) for row in rows], actor=ACTOR, state="CANDIDATE"
    )
    failed = {
        str(answer.id): answer.error
        for answer in answers
        if answer.error is not None and not isinstance(answer.error, ConcurrentModificationError)
    }
    _keep(app, "DRAFT", rows, failed, now)
    return sum(answer.outcome == "moved" for answer in answers)


def validate_candidates(app: App, now: datetime) -> int:
    """Have the gates run for the oldest candidates whose validation nobody has asked for; how many. Their stage tries by itself."""
    asked = due("CANDIDATE", now).where(content_spine.c.validation_wanted.is_(False))
    return _each(app, "CANDIDATE", _read(app, asked.limit(BATCH)), now, _validate)


def _validate(app: App, row: Row) -> None:
    ask_for_validation(app, row["item_id"], actor=ACTOR, version=row["version"])


def approve_validated(app: App, now: datetime) -> int:
    """Approve the oldest validated items that no person has to review; how many."""
    reviewed = [name for name, kind in types_of(app).items() if kind.is_always_reviewed]
    asked = due("VALIDATED", now).where(
        content_spine.c.confidence >= CONFIDENT, content_spine.c.item_type.not_in(reviewed)
    )
    rows = _without_review(app, _read(app, asked.limit(SCANNED)))
    return _each(app, "VALIDATED", rows[:BATCH], now, _approve)


def _approve(app: App, row: Row) -> None:
    approve_automatically(app, row["item_id"])


def _without_review(app: App, rows: Sequence[Row]) -> list[Row]:
    types, counts = types_of(app), dict[tuple[str, str], int]()
    with app.database.read() as tx:
        for row in rows:
            place = (row["item_type"], row["language"])
            if place not in counts:
                counts[place] = count_approved(tx, *place)
    return [
        row
        for row in rows
        if not reasons_for_review(types[row["item_type"]], row, counts[row["item_type"], row["language"]])
    ]


def due(state: str, now: datetime) -> Select[Any]:
    """Select active items of a state, the oldest first, that were not tried in this version, or whose next try is due."""
    items, tried, payload = content_spine, content_promotions, STATE_TABLES[state]
    is_due = or_(
        tried.c.item_id.is_(None),
        tried.c.version != items.c.version,
        and_(tried.c.tries < TRIES, tried.c.next_at <= now),
    )
    return (
        select(items, tried.c.tries.label("promotion_tries"), tried.c.version.label("tried_version"))
        .join(payload, payload.c.item_id == items.c.item_id)
        .outerjoin(tried, and_(tried.c.item_id == items.c.item_id, tried.c.state == state))
        .where(items.c.state == state, items.c.standing == "active", is_due)
        .order_by(payload.c.created_at, items.c.item_id)
    )


def _read(app: App, asked: Select[Any]) -> list[Row]:
    with app.database.read() as tx:
        return [dict(row) for row in tx.execute(asked).mappings()]


def _each(app: App, state: str, rows: Sequence[Row], now: datetime, act: Any) -> int:
    """Act on each row, one refusal never stopping the others; how many went well. Who lost a race is neither."""
    failed: dict[str, InterlockError] = {}
    done = 0
    for row in rows:
        try:
            act(app, row)
            done += 1
        except ConcurrentModificationError:
            continue
        except InterlockError as error:
            if not (isinstance(error, RuleRefused) and error.facts.get("rule_code") == "REVIEW_REQUIRED"):
                failed[row["item_id"]] = error
    _keep(app, state, rows, failed, now)
    return done


def _keep(app: App, state: str, rows: Iterable[Row], failed: dict[str, Any], now: datetime) -> None:
    """Forget earlier failures of these items in this state, and keep those of now, with when each is tried again: after 2, 4, 8 seconds."""
    tried = content_promotions
    chosen = list(rows)
    if not chosen:
        return
    values = []
    for row in chosen:
        error = failed.get(row["item_id"])
        if error is None:
            continue
        before = row["promotion_tries"] if row["tried_version"] == row["version"] else 0
        values.append(
            {
                "item_id": row["item_id"],
                "state": state,
                "version": row["version"],
                "tries": before + 1,
                "next_at": now + timedelta(seconds=2 ** (before + 1)),
                "error_code": str(error.facts.get("rule_code") or error.code),
                "error_message": error.message[:4000],
            }
        )
    earlier = [row["item_id"] for row in chosen if row["promotion_tries"] is not None]
    if not earlier and not values:
        return
    with app.database.write() as tx:
        if earlier:
            tx.execute(delete(tried).where(tried.c.state == state, tried.c.item_id.in_(earlier)))
        if values:
            tx.execute(insert(tried), values)


def list_failures(app: App, *, after: str | None = None, limit: int = 50) -> tuple[list[Row], bool]:
    """Return items whose promotion failed for good: three tries of a batch, or gates that refused; and whether there are more."""
    items, tried = content_spine, content_promotions
    is_exhausted = and_(tried.c.tries >= TRIES, tried.c.version == items.c.version)
    refused = and_(items.c.state == "CANDIDATE", items.c.error_code.is_not(None), items.c.ready_at.is_(None))
    asked = (
        select(
            items.c.item_id,
            items.c.item_type,
            items.c.state,
            items.c.version,
            tried.c.tries,
            tried.c.error_code.label("tried_code"),
            tried.c.error_message.label("tried_message"),
            items.c.error_code,
            items.c.error_message,
        )
        .outerjoin(tried, and_(tried.c.item_id == items.c.item_id, tried.c.state == items.c.state))
        .where(items.c.standing == "active", or_(is_exhausted, refused))
        .order_by(items.c.item_id)
        .limit(limit + 1)
    )
    rows = _read(app, asked if after is None else asked.where(items.c.item_id > after))
    return [_failure(row) for row in rows[:limit]], len(rows) > limit


def _failure(row: Row) -> Row:
    is_tried = row["tries"] is not None
    return {
        **{name: row[name] for name in ("item_id", "item_type", "state", "version", "tries")},
        "error_code": row["tried_code"] if is_tried else row["error_code"],
        "error_message": row["tried_message"] if is_tried else row["error_message"],
    }
