"""Where flags changed after a row was adopted, the state follows, with an entry of origin `legacy`. In place those are the columns that
declared rules ask: a write of the status itself has its entry already."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, Text, bindparam, cast, exists, false, func, or_, select, update

from ..authority import Authority
from ..machine import State
from ..store.adoption.adoptions import FOLLOWED
from ..store.adoption.legacy import REASON
from ..store.contract import MoveBatch, Reading, RowState, RowValues, Step
from ..store.entry import EntryTemplate, canonical_facts, make_detail
from ..store.guarded import LEGACY
from ..store.placement import Placement
from ..store.tables import ledger
from ..workflow.adopt import began
from .decision import Decision
from .slices import end_of_slice

CHUNK = 500
WALKED = 5_000
"""Records that one step looks at: on SQLite every writer waits for that."""


class Follow:
    """Follows the flags of one axis while they are the truth."""

    def __init__(self, authority: Authority, place: Placement, *, actor: str) -> None:
        self.authority, self.place, self.actor = authority, place, actor
        self.decision, self.axis = Decision(place), place.axis

    def step(self, tx: Connection, after: Any, now: datetime) -> tuple[int, Any]:
        """Follow the next rows, from this id on, whose flags say another state by now: how many, and where the next step goes on (None: at
        the end). Rows of one scope that go the same way are one statement."""
        last, is_end = self._slice(tx, after)
        if last is None:
            return 0, None
        rows = self._changed(tx, after, last)
        if len(rows) == CHUNK:
            last = rows[-1][0]
        elif is_end:
            last = None
        if self.decision.adopt.in_place:
            return self._write_statuses(tx, rows), last
        values = list(self.decision.values())
        groups: dict[tuple[str, State, str], list[tuple[RowState, dict[str, Any]]]] = defaultdict(list)
        for id, scope, rule, status, version, head, *rest in rows:
            seen = RowState(self.place.key_bind(id), (status,), (version,), (bytes(head),), ())
            groups[scope, status, rule].append((seen, dict(zip(values, rest, strict=True))))
        moved = sum(
            self._move(tx, scope, old, rule, some, now) for (scope, old, rule), some in groups.items()
        )
        return moved, last if moved or not rows else None

    def _slice(self, tx: Connection, after: Any) -> tuple[Any, bool]:
        """The last record that this step looks at, None where there is none, and whether no other comes behind it."""
        id = self.decision.id
        last, number = end_of_slice(tx, select(id).where(*([] if after is None else [id >= after])), WALKED)
        return last, number < WALKED

    def _write_statuses(self, tx: Connection, rows: list[Any]) -> int:
        """In place: write the status that rules say as the team's own code would, so that guards enter it like any such write; then what
        the rules set along with it. How many."""
        table, id, values = self.axis.table, self.decision.id, list(self.decision.values())
        by_rule: dict[str, list[Any]] = defaultdict(list)
        for row in rows:
            by_rule[row[2]].append(row)
        for name, some in by_rule.items():
            rule = self.decision.adopt.rule(name)
            assert rule is not None
            keys = [self.place.key_bind(row[0]) for row in some]
            among = self.authority.database.sql.column_among(id, keys)
            tx.execute(update(table).where(among).values({self.axis.column("status"): rule.state}))
            while self.authority.engine.follow_strays(tx, self.place):
                pass
            if rule.values:
                kept = [dict(zip(values, row[6:], strict=True)) for row in some]
                changes: dict[Any, Any] = {name: bindparam(f"v_{name}") for name in rule.values}
                tx.execute(
                    update(table).where(id == bindparam("own_id")).values(changes),
                    [
                        {"own_id": row[0], **{f"v_{name}": one[name] for name in rule.values}}
                        for row, one in zip(some, kept, strict=True)
                    ],
                )
        return len(rows)

    def changed(self) -> Select[Any]:
        """Rows that are still as the team's own code left them, and whose flags say another state by now."""
        decision, source = self.decision, self.decision.source
        if not decision.adopt.in_place:
            source = source.join(self.axis.table, decision.state_row)
        status, version = cast(self.axis.column("status"), Text), self.axis.column("version")
        newest = exists().where(
            ledger.c.record_id == cast(decision.id, Text),
            ledger.c.kind == self.place.kind,
            ledger.c.axis == self.place.name,
            ledger.c.scope == cast(decision.scope, Text),
            ledger.c.version == version,
            ledger.c.origin.in_(FOLLOWED),
        )
        moved = [
            (decision.rule == rule.name) & status.is_distinct_from(rule.state)
            for rule in decision.adopt.rules
        ]
        return (
            select(
                decision.id,
                decision.scope,
                decision.rule,
                status,
                version,
                self.axis.column("head"),
                *decision.values().values(),
            )
            .select_from(source)
            .where(version.is_not(None), or_(false(), *moved), newest)
        )

    def _changed(self, tx: Connection, after: Any, last: Any) -> list[Any]:
        """Those of the last record may be cut off, so its other scopes are looked at again; what followed does not differ any more."""
        id = self.decision.id
        asked = self.changed().where(id <= last).order_by(id).limit(CHUNK)
        return list(tx.execute(asked if after is None else asked.where(id >= after)).all())

    def _move(
        self,
        tx: Connection,
        scope: str,
        old: State,
        rule: str,
        rows: list[tuple[RowState, dict[str, Any]]],
        now: datetime,
    ) -> int:
        declared, mover = self.decision.adopt.rule(rule), self.authority.mover
        assert declared is not None
        kept = make_detail(REASON, canonical_facts({"rule": rule}))
        assert kept is not None
        template = EntryTemplate(
            self.place.kind,
            self.place.name,
            old,
            declared.state,
            now,
            self.actor,
            "operator",
            self.decision.adopt.legacy_cause,
            LEGACY,
            self.axis.machine.fingerprint[:16],
            replace(kept, shared=True),
        )
        change, named = began(self.place.workflow, self.axis, declared.state), declared.values
        step = Step(
            0,
            self.place,
            template,
            tuple(name for name in change.now if name not in named),
            {name: value for name, value in change.constants.items() if name not in named},
            (),
            later=tuple(one for one in change.later if one[0] not in named),
        )
        group = MoveBatch(
            Reading((self.place,)),
            (step,),
            (0,),
            scope,
            now,
            {},
            rows=[seen for seen, _ in rows],
            clock=now if mover.asks_clock else None,
            own=[RowValues({name: self._bound(name, values[name]) for name in named}) for _, values in rows],
        )
        return len(mover.engine.move(tx, group))

    def _bound(self, column: str, value: Any) -> Any:
        return None if value is None else self.place.bind_value(column, value)


def count_changed_flags(tx: Connection, follow: Follow) -> int:
    """State rows whose flags the team's own code changed since they were adopted, of records that Interlock itself has not moved: of
    those it has, its own mirror may have changed the flags."""
    place, decision = follow.place, follow.decision
    moved = exists().where(
        ledger.c.record_id == cast(decision.id, Text),
        ledger.c.kind == place.kind,
        ledger.c.axis == place.name,
        ledger.c.origin.not_in(FOLLOWED),
    )
    changed = follow.changed().where(~moved).with_only_columns(func.count()).order_by(None)
    return int(tx.execute(changed).scalar_one())
