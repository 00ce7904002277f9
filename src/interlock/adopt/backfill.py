"""Gives rows that were there before Interlock their first entry, chunk by chunk; each chunk keeps in its transaction how far it came."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, delete, func, select, update

from ..authority import Authority
from ..errors import AdoptionNotReady, StoreError
from ..store.adoption.adoptions import WITHDRAWN, adoption_id
from ..store.contract import AdoptedRows
from ..store.entry import Detail, EntryTemplate, canonical_facts, make_detail
from ..store.faults import driver_error, is_driver_error, is_lost_race, translate
from ..store.placement import Placement, condition_sql
from ..store.tables import adoption_left, detail
from ..workflow.adopt import began
from .decision import CLOSED, NO_SCOPE, Decided, Decision
from .phases import DONE, SCHEMA
from .slices import end_of_slice

Row = TypeVar("Row")
Target = tuple[Any, str, Mapping[str, Any]]
"""A record's key, a scope, and values of columns of its state row."""
LONGEST, LONGEST_VALUE, NO_RIGHT = 500, 200, "42501"
CHUNK = 2_000
NAMED = 50
"""Sorts of left rows that a preview names; it counts them all."""
LEASE = timedelta(seconds=30)
WALKED = 20_000
"""Records that a transaction of a later pass looks at, beside."""
PASSES = 20
"""While the team's own code inserts rows there is no last one; whoever wants those too begins again."""


@dataclass(frozen=True, slots=True)
class LeftOver:
    """Rows that a backfill would leave as they are: what stands in them, beside the records the scope that they ask for, and why."""

    value: str | None
    scope: str
    why: str
    rows: int


@dataclass(frozen=True, slots=True)
class BackfillProgress:
    """How far a backfill has come: rows that got their first entry, rows that had one already, and rows that no rule matched. `left` groups
    the latter in a preview, most rows first."""

    written: int
    conflicts: int
    left_over: int
    finished: bool
    cursor: str | None
    left: tuple[LeftOver, ...] = ()


class Backfill:
    """The backfill of one axis, by one person."""

    def __init__(self, authority: Authority, adoptions: Table, place: Placement, *, actor: str) -> None:
        self.authority, self.table, self.place, self.actor = authority, adoptions, place, actor
        self.workflow, self.axis, self.decision = place.workflow, place.axis, Decision(place)
        self.adopt = self.decision.adopt
        self.id = adoption_id(place.kind, place.name)
        self.is_first_pass = True

    def step(self, runner: str, *, chunk: int = CHUNK, take_over: bool = False) -> BackfillProgress:
        """Adopt the next chunk in a transaction of its own."""
        return self.authority.transactions.run(
            lambda tx, _: self._chunk(tx, runner, chunk, take_over, self.authority.clock.now()),
            exhausted=lambda: AdoptionNotReady("other transactions held the same rows; begin again"),
        )

    def preview(self) -> BackfillProgress:
        """What a backfill would do; nothing is written. Only what a constraint of the table's own will refuse is not known before."""
        asked = {
            "id": self.decision.id,
            "scope": self.decision.scope,
            "rule": self.decision.rule,
            "raw": self.decision.raw,
            "closed": self.decision.had_history,
        }
        rows = self.decision.question(*(one.label(name) for name, one in asked.items()))
        rows = rows.where(self.decision.is_missing)
        each = (
            rows if self.adopt.in_place else rows.distinct()
        ).subquery()  # targets may name one state row twice
        groups = list(each.c)[1:]
        written, left = 0, dict[tuple[str | None, str, str], int]()
        with self.authority.database.read() as tx:
            self.authority.database.sql.free_planner(tx)  # for a look at the whole table
            for row in tx.execute(select(*groups, func.count()).group_by(*groups)):
                scope, rule, raw, closed, number = tuple(row)
                if (why := self._why_left(scope, rule, raw, closed)) is None:
                    written += number
                else:
                    one = (None if raw is None else raw[:LONGEST_VALUE], scope or "", why)
                    left[one] = left.get(one, 0) + number
            ordered = sorted(left.items(), key=lambda one: (-one[1], str(one[0])))
            named = tuple(LeftOver(*one, number) for one, number in ordered[:NAMED])
            return BackfillProgress(written, self._existing(tx), sum(left.values()), False, None, named)

    def _why_left(self, scope: str | None, rule: str | None, raw: str | None, closed: bool) -> str | None:
        """Why rows of this scope, rule and status are left over; None for those that are adopted."""
        if not self.adopt.in_place and scope not in self.axis.scopes:
            return NO_SCOPE
        return CLOSED if closed else self.decision.decide(rule, raw).why

    def _chunk(
        self, tx: Connection, runner: str, chunk: int, take_over: bool, now: datetime
    ) -> BackfillProgress:
        row = self._claim(tx, runner, take_over, now)
        if row.started_at is None or row.finished_at is not None:
            row = self._begin(tx, now)
        after = None if row.cursor is None else self.place.check_id(row.cursor)
        first = self.is_first_pass = row.pass_number == 1
        if self.adopt.in_place:
            written, left, last = self._in_place(tx, after, chunk, now)
        else:
            written, left, last = self._beside(tx, after, chunk, now)
        values: dict[str, Any] = {
            "written": row.written + written,
            "pass_written": row.pass_written + written,
            "left_over": row.left_over + left if first else row.left_over,
            "cursor": None if last is None else str(last),
        }
        if last is None:
            values |= self._end_pass(tx, row.pass_number, row.pass_written + written, now)
        tx.execute(update(self.table).where(self.table.c.id == self.id).values(**values))
        return BackfillProgress(
            values["written"],
            row.conflicts,
            values["left_over"],
            values.get("finished_at") is not None,
            values["cursor"],
        )

    def _claim(self, tx: Connection, runner: str, take_over: bool, now: datetime) -> Any:
        """The adoption's row, locked and leased to this runner."""
        row = tx.execute(select(self.table).where(self.table.c.id == self.id).with_for_update()).first()
        if row is None or row.phase in (WITHDRAWN, SCHEMA, DONE):
            phase = "has not begun" if row is None else f"is in the phase {row.phase}"
            raise AdoptionNotReady(
                f"the adoption of {self.id} {phase}: rows are adopted from the phase backfill on",
                hint="`interlock adopt cutover` leads from one phase to the next.",
            )
        if row.paused:
            raise AdoptionNotReady(
                f"the adoption of {self.id} is paused", hint="`interlock adopt resume` ends the pause."
            )
        if row.runner not in (None, runner) and row.lease_until > now and not take_over:
            raise AdoptionNotReady(
                f"{row.runner} carries out the adoption of {self.id}, until {row.lease_until:%H:%M:%S} UTC at least",
                hint="Wait, or go on with it in this process: --take-over. A process that was killed holds it until then, and no longer.",
            )
        tx.execute(
            update(self.table)
            .where(self.table.c.id == self.id)
            .values(runner=runner, lease_until=now + LEASE)
        )
        return row

    def _begin(self, tx: Connection, now: datetime) -> Any:
        """A new run: what is there already is counted once, and what was left over is looked at anew."""
        self.authority.database.sql.free_planner(tx)  # for the count of the whole table
        tx.execute(delete(adoption_left).where(*self._mine))
        tx.execute(
            update(self.table)
            .where(self.table.c.id == self.id)
            .values(
                cursor=None,
                pass_number=1,
                pass_written=0,
                written=0,
                conflicts=self._existing(tx),
                left_over=0,
                started_at=now,
                finished_at=None,
            )
        )
        return tx.execute(select(self.table).where(self.table.c.id == self.id)).one()

    def _existing(self, tx: Connection) -> int:
        """Rows that have an entry already; they are never touched."""
        asked = self.decision.question(func.count()).where(~self.decision.is_missing)
        return int(tx.execute(asked).scalar_one())

    @property
    def _mine(self) -> tuple[Any, Any]:
        return adoption_left.c.kind == self.place.kind, adoption_left.c.axis == self.place.name

    def _end_pass(self, tx: Connection, number: int, written: int, now: datetime) -> dict[str, Any]:
        """Another pass meets rows that were mended behind the cursor, locked, or inserted meanwhile; one that adopts none is the last."""
        left = int(
            tx.execute(select(func.count()).select_from(adoption_left).where(*self._mine)).scalar_one()
        )
        if number == 1 or (written and number < PASSES):
            return {"pass_number": number + 1, "pass_written": 0, "left_over": left}
        return {"finished_at": now, "left_over": left, "runner": None, "lease_until": None}

    def _in_place(self, tx: Connection, after: Any, chunk: int, now: datetime) -> tuple[int, int, Any]:
        """Rows are looked for first and locked then: in a later pass the look goes over the whole table, and no writer of the team's shall
        wait for it. Rows that somebody holds are passed over, so that nobody ever waits in a circle."""
        ids = self._missing_ids(tx, after, chunk)
        if not ids:
            return 0, 0, None
        keys = [self.place.key_bind(id) for id in ids]
        among = self.authority.database.sql.column_among(self.decision.id, keys)
        asked = self.decision.question(
            self.decision.id, self.decision.rule, self.decision.raw, self.decision.had_history
        ).where(among, self.decision.is_missing)
        rows = tx.execute(asked.with_for_update(key_share=True, skip_locked=True)).all()
        groups: dict[tuple[str | None, str | None], list[Any]] = defaultdict(list)
        written, left = 0, list[tuple[Any, str, str | None, str]]()
        for id, rule, raw, closed in rows:
            key = self.place.key_bind(id)
            if closed:
                left.append((key, "", raw, CLOSED))
            else:
                groups[rule, raw].append(key)
        adopted: list[tuple[Decided, EntryTemplate, str | None, list[Any]]] = []
        for (rule, raw), keys in groups.items():
            decided = self.decision.decide(rule, raw)
            if decided.why is not None:
                left += [(key, "", raw, decided.why) for key in keys]
            else:
                facts = {"raw": raw, "rule": decided.rule}
                adopted.append((decided, self._template(decided, facts, now), raw, keys))
        details = []
        for decided, template, raw, keys in adopted:
            adopt = partial(self._adopt, tx, decided, template, now)
            number, refused = adopt_apart(tx, keys, adopt)
            left += [(key, "", raw, why) for key, why in refused]
            details += [template.detail] if number and template.detail is not None else []
            written += number
        keep_details(tx, details)  # behind the entries that name them: guards ask for those
        self._leave(tx, left, [self.place.key_bind(row[0]) for row in rows])
        return written, len(left), ids[-1] if len(ids) == chunk else None

    def _missing_ids(self, tx: Connection, after: Any, chunk: int) -> list[Any]:
        """The next rows that are not adopted, from this id on, in the order of their ids."""
        id = self.decision.id
        asked = select(id).where(self.decision.is_missing, *([] if after is None else [id > after]))
        return list(tx.execute(asked.order_by(id).limit(chunk)).scalars())

    def _adopt(
        self, tx: Connection, decided: Decided, template: EntryTemplate, now: datetime, keys: Sequence[Any]
    ) -> int:
        mover = self.authority.mover
        rule = self.adopt.rule(decided.rule or "")
        values = {} if rule is None else rule.values
        change = began(self.workflow, self.axis, decided.state)
        plain = {name: value for name, value in values.items() if not hasattr(value, "get_children")}
        return mover.engine.adopt(
            tx,
            AdoptedRows(
                self.place,
                template,
                keys,
                tuple(name for name in change.now if name not in values),
                {
                    name: value
                    for name, value in {**change.constants, **plain}.items()
                    if name in plain or name not in values
                },
                tuple((name, length) for name, length in change.later if name not in values),
                {
                    name: condition_sql(value, self.authority.database.dialect, self.axis.table)
                    for name, value in values.items()
                    if name not in plain
                },
                now,
                now if mover.asks_clock else None,
            ),
        )

    def _template(self, decided: Decided, facts: Mapping[str, Any], now: datetime) -> EntryTemplate:
        rule = decided.rule or ""
        kept = make_detail(f"adopted by rule {rule} of {self.adopt.name}", canonical_facts(facts))
        assert kept is not None
        return EntryTemplate(
            self.place.kind,
            self.place.name,
            None,
            decided.state,
            now,
            self.actor,
            "operator",
            self.adopt.cause(rule),
            "backfill",
            self.axis.machine.fingerprint[:16],
            replace(kept, shared=True),
        )

    def _beside(self, tx: Connection, after: Any, chunk: int, now: datetime) -> tuple[int, int, Any]:
        """A slice of the records by id, with their targets that have no state row yet. In later passes few lack some, so slices are larger;
        none is the whole table, for on SQLite every writer would wait for that."""
        id, values = self.decision.id, self.decision.values()
        bounds = [] if after is None else [id > after]
        size = chunk if self.is_first_pass else max(chunk, WALKED)
        last, number = end_of_slice(tx, select(id).where(*bounds), size)
        if not number:
            return 0, 0, None
        asked = self.decision.question(
            id,
            self.decision.scope,
            self.decision.rule,
            self.decision.had_history,
            *(value.label(f"v_{name}") for name, value in values.items()),
        ).where(*bounds, id <= last, self.decision.is_missing)
        groups: dict[str | None, dict[tuple[Any, str], dict[str, Any]]] = defaultdict(dict)
        written, left = 0, list[tuple[Any, str, str | None, str]]()
        met = set[tuple[Any, str]]()
        for row in tx.execute(asked):
            key = self.place.key_bind(row[0])
            if (target := (key, row[1] or "")) in met:
                continue
            met.add(target)
            if row[1] not in self.axis.scopes:
                left.append((key, row[1] or "", None, NO_SCOPE))
            elif row[3]:
                left.append((key, row[1], None, CLOSED))
            else:
                groups[row[2]][key, row[1]] = dict(zip(values, row[4:], strict=True))
        for rule, rows in groups.items():
            decided = self.decision.decide(rule, None)
            declared = self.adopt.rule(rule or "")
            if decided.why is not None or declared is None:
                left += [(key, scope, None, decided.why or "") for key, scope in rows]
                continue
            wanted = [
                (key, scope, {name: kept[name] for name in declared.values})
                for (key, scope), kept in sorted(rows.items(), key=lambda one: (str(one[0][0]), one[0][1]))
            ]
            template = self._template(decided, {"rule": rule}, now)
            adopted, refused = adopt_apart(tx, wanted, partial(self._adopt_beside, tx, template, now))
            left += [(key, scope, None, why) for (key, scope, _), why in refused]
            written += adopted
        self._leave(
            tx, left, [*(key for rows in groups.values() for key, _ in rows), *(one[0] for one in left)]
        )
        return written, len(left), last if number == size else None

    def _adopt_beside(
        self, tx: Connection, template: EntryTemplate, now: datetime, rows: Sequence[Target]
    ) -> int:
        return self.authority.admission.adopt_beside(tx, self.workflow, self.axis, template, rows, now)

    def _leave(
        self, tx: Connection, left: Sequence[tuple[Any, str, str | None, str]], looked_at: Sequence[Any]
    ) -> None:
        """Remember what no rule matched, with its status and why."""
        if not looked_at:
            return
        if not self.is_first_pass:
            among = self.authority.database.sql.column_among(
                adoption_left.c.record_id, [str(key) for key in looked_at]
            )
            tx.execute(delete(adoption_left).where(*self._mine, among))
        if left:
            self.authority.mover.engine.insert_rows(
                tx,
                "interlock_adoption_left",
                dict.fromkeys(("kind", "axis", "record_id", "scope", "value", "why"), "text"),
                [
                    (
                        self.place.kind,
                        self.place.name,
                        str(key),
                        scope,
                        None if raw is None else raw[:LONGEST_VALUE],
                        why,
                    )
                    for key, scope, raw, why in left
                ],
            )


def adopt_apart(
    tx: Connection, wanted: Sequence[Row], adopt: Callable[[Sequence[Row]], int]
) -> tuple[int, list[tuple[Row, str]]]:
    """Adopt rows together; where a constraint or a trigger of the team's own refuses, in halves. How many were adopted, and those that are
    refused alone, with what the database says."""
    if not wanted:
        return 0, []
    try:
        with tx.begin_nested():
            return adopt(wanted), []
    except Exception as error:
        if not is_driver_error(error) or not _is_of_a_row(error):
            raise
        if len(wanted) == 1:
            return 0, [(wanted[0], translate(error).message[:LONGEST])]
    half = len(wanted) // 2
    parts = [adopt_apart(tx, part, adopt) for part in (wanted[:half], wanted[half:])]
    return sum(number for number, _ in parts), [one for _, refused in parts for one in refused]


def _is_of_a_row(error: Exception) -> bool:
    """Whether the database refuses what is in a row: no guard of Interlock's, no missing right, no race, and no fault of the store."""
    fault = driver_error(error)
    is_ours = "ILK-" in str(fault) or getattr(fault, "sqlstate", None) == NO_RIGHT
    return not is_ours and not is_lost_race(error) and not isinstance(translate(error), StoreError)


def keep_details(tx: Connection, details: Sequence[Detail]) -> None:
    """Keep details that entries of several records share."""
    if details:
        tx.execute(
            detail.insert(),
            [
                {"digest": one.digest, "salt": one.salt, "reason": one.reason, "facts": one.facts}
                for one in details
            ],
        )
