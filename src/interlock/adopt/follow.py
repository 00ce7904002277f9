"""Beside the records: where flags changed after a state row was adopted, the state follows, with an entry of origin `legacy`."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Text, cast, exists, select

from ..authority import Authority
from ..machine import State
from ..store.adoption.adoptions import FOLLOWED
from ..store.adoption.legacy import REASON
from ..store.contract import MoveBatch, Reading, RowState, Step
from ..store.entry import EntryTemplate, canonical_facts, make_detail
from ..store.guarded import LEGACY
from ..store.placement import Placement
from ..store.tables import ledger
from ..workflow.adopt import began
from .decision import Decision

CHUNK = 500


class Follow:
    """Follows the flags of one axis that is adopted beside its records."""

    def __init__(self, authority: Authority, place: Placement, *, actor: str) -> None:
        self.authority, self.place, self.actor = authority, place, actor
        self.decision, self.axis = Decision(place), place.axis

    def step(self, tx: Connection, now: datetime) -> int:
        """Follow a batch of rows whose flags say another state by now; how many."""
        rows = self._changed(tx)
        values = list(self.decision.values())
        groups: dict[tuple[str, State, str], list[tuple[RowState, dict[str, Any]]]] = defaultdict(list)
        for id, scope, rule, status, version, head, *rest in rows:
            seen = RowState(self.place.key_bind(id), (status,), (version,), (bytes(head),), ())
            groups[scope, status, rule].append((seen, dict(zip(values, rest, strict=True))))
        return sum(self._move(tx, scope, old, rule, some, now) for (scope, old, rule), some in groups.items())

    def _changed(self, tx: Connection) -> list[Any]:
        decision, table = self.decision, self.axis.table
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
        differs = moved[0]
        for one in moved[1:]:
            differs = differs | one
        asked = (
            select(
                decision.id,
                decision.scope,
                decision.rule,
                status,
                version,
                self.axis.column("head"),
                *decision.values().values(),
            )
            .select_from(decision.source.join(table, decision.state_row))
            .where(version.is_not(None), differs, newest)
            .order_by(decision.id)
            .limit(CHUNK)
        )
        return list(tx.execute(asked).all())

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
        change = began(self.place.workflow, self.axis, declared.state)
        moved = 0
        for seen, values in rows:
            own = {name: values[name] for name in declared.values}
            step = Step(
                0,
                self.place,
                template,
                tuple(name for name in change.now if name not in own),
                {**{name: value for name, value in change.constants.items() if name not in own}, **own},
                (),
                later=tuple(one for one in change.later if one[0] not in own),
            )
            group = MoveBatch(
                Reading((self.place,)),
                (step,),
                (0,),
                scope,
                now,
                {},
                rows=[seen],
                clock=now if mover.asks_clock else None,
            )
            moved += len(mover.engine.move(tx, group))
        return moved
