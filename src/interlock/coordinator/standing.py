"""Standing rules and pairs: what shall hold without anybody asking, a slice of records at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Select, and_, bindparam, exists, select

from ..store.placement import Placement
from ..workflow import Axis, Rule, Workflow

if TYPE_CHECKING:
    from .coordinator import Coordinator

SLICE = 10_000
BATCH = 500


class Standing:
    """`during(…)` moves wherever the move is missing; scoped axes get the rows that their pairs ask for."""

    def __init__(self, coordinator: Coordinator) -> None:
        self.on = coordinator
        self._after: dict[Any, Any] = {}
        self._asked: dict[Any, tuple[Select[Any], Select[Any]]] = {}

    def step(self) -> int:
        count = 0
        for workflow in self.on.workflows.values():
            for rule in workflow.rules:
                if rule.moment == "during" and rule.target is not None:
                    count += self._rule(workflow, rule)
            for axis in workflow.axes.values():
                if axis.scoped and axis.pairs is not None:
                    count += self._pairs(workflow, axis)
        return count

    def _rule(self, workflow: Workflow, rule: Rule) -> int:
        target, driver = workflow.axes[rule.target or ""], workflow.axes[rule.axis]
        moved = 0
        for old, new in (rule.mapping or {}).items():
            with self.on.database.read() as tx:
                found = self._missing(tx, workflow, rule, driver, target, old)
            for scope, keys in found.items():
                answers = self.on.authority.move_many(workflow, keys, target.name, new, actor="coordinator", scope=scope or None,
                                                      origin="rule", cause=f"rule.during.{rule.axis}")
                moved += sum(answer.outcome == "moved" for answer in answers)
        return moved

    def _missing(self, tx: Connection, workflow: Workflow, rule: Rule, driver: Axis, target: Axis, old: Any) -> dict[str, list[Any]]:
        """Ids whose driver stands in one of the rule's states while the target has not followed, by scope."""
        key = (workflow.name, str(rule), old)
        if key not in self._asked:
            self._asked[key] = _followers(rule, driver, target, old)
        after = self._after.get(key)
        rows = tx.execute(self._asked[key][after is not None], {} if after is None else {"after": after}).all()
        self._after[key] = rows[-1][0] if len(rows) == BATCH else None
        found: dict[str, list[Any]] = {}
        for row in rows:
            found.setdefault(row[1] if target.scoped else "", []).append(row[0])
        return found

    def _pairs(self, workflow: Workflow, axis: Axis) -> int:
        """State rows that shall exist and do not."""
        assert axis.pairs is not None
        shall = axis.pairs.subquery()
        first, second = list(shall.c)[:2]
        there = exists().where(axis.table.c[axis.key] == first, axis.table.c[axis.scope_column] == second)
        with self.on.database.write() as tx:
            rows = tx.execute(select(first, second).where(~there, second.in_(axis.scopes)).distinct().limit(BATCH)).all()
            if rows:
                place = Placement(workflow, axis, self.on.database.dialect)
                wanted = [(place.key_bind(place.check_id(row[0])), row[1]) for row in rows]
                self.on.authority.admission.complete(tx, workflow, axis, wanted, self.on.clock.now())
        return len(rows)


def _followers(rule: Rule, driver: Axis, target: Axis, old: Any) -> tuple[Select[Any], Select[Any]]:
    """What asks for them, from the beginning and from where the last batch ended."""
    id = target.table.c[target.key]
    stands = _is(driver, rule.states)
    if driver.table is not target.table:
        same = driver.table.c[driver.key] == id
        if driver.scoped and target.scoped:
            same = and_(same, driver.table.c[driver.scope_column] == target.table.c[target.scope_column])
        stands = exists().where(same, stands)
    scope = [target.table.c[target.scope_column]] if target.scoped else []
    asked = select(id, *scope).where(stands, _is(target, (old,)), target.column("version").is_not(None)).order_by(id).limit(BATCH)
    return asked, asked.where(id > bindparam("after"))


def _is(axis: Axis, states: tuple[Any, ...]) -> Any:
    column = axis.table.c[axis.name]
    named = [state for state in states if state is not None]
    found = column.in_(named)
    return found | column.is_(None) if None in states else found
