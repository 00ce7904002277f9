"""Which rule adopts a row, asked of the database for many rows at once: in place and beside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, Text, and_, case, cast, exists, literal, null, select
from sqlalchemy.sql import visitors
from sqlalchemy.sql.elements import BindParameter

from ..machine import State
from ..store.placement import Placement
from ..store.tables import ledger
from ..workflow.adopt import BY_VALUE, Adopt, is_running, match_value

NO_VALUE, UNKNOWN, RUNS, NO_RULE, NO_SCOPE, CLOSED = (
    "it has no status",
    "no state or alias has this name",
    "a stage runs in this state; declare take_over=True, or let the work end",
    "no rule matches",
    "the axis has no such scope",
    "a record of this id has a closed history; it never begins a second time",
)


@dataclass(frozen=True)
class Decided:
    """What becomes of a row: the rule and the state that it begins in, or why it is left over."""

    rule: str | None
    state: State
    why: str | None = None


class Decision:
    """The rules of one axis's adoption as SQL."""

    def __init__(self, place: Placement) -> None:
        assert place.axis.adopt is not None
        self.place, self.axis, self.workflow = place, place.axis, place.workflow
        self.adopt: Adopt = place.axis.adopt
        records = self.workflow.records
        self.scope: ColumnElement[Any] = literal("")
        if self.adopt.targets is not None:
            targets = self.adopt.targets.subquery()
            self.target_id, self.scope = list(targets.c)[:2]
            self._tables: tuple[Any, ...] = (records, targets)
            self.source: Any = records.join(targets, self.target_id == self.workflow.id_column)
        else:
            self.source, self._tables = records, (records,)
        self.id = self.workflow.id_column

    @property
    def raw(self) -> ColumnElement[Any]:
        """The row's own status as text; nothing beside the records."""
        return cast(self.axis.column("status"), Text) if self.adopt.in_place else cast(null(), Text)

    @property
    def rule(self) -> ColumnElement[Any]:
        """The name of the first rule that matches, else null."""
        if not self.adopt.rules:
            return cast(null(), Text)
        return case(
            *((self.filled(rule.condition), literal(rule.name)) for rule in self.adopt.rules), else_=null()
        )

    @property
    def matches(self) -> ColumnElement[Any]:
        """How many of the rules match."""
        numbers = [case((self.filled(rule.condition), 1), else_=0) for rule in self.adopt.rules]
        return sum(numbers[1:], start=numbers[0]) if numbers else literal(0)

    def filled(self, expression: Any) -> Any:
        """The expression with the scope of the target row in the place of bindparam("scope")."""
        if not hasattr(expression, "get_children"):
            return literal(expression)

        def stand_in(element: Any, **_: Any) -> Any:
            is_scope = isinstance(element, BindParameter) and element.key == "scope" and element.required
            return self.scope if is_scope else None

        return visitors.replacement_traverse(expression, {}, stand_in)

    @property
    def state_row(self) -> ColumnElement[bool]:
        """Beside the records: this target's state row."""
        table = self.axis.table
        return and_(table.c[self.axis.key] == self.id, table.c[self.axis.scope_column] == self.scope)

    @property
    def is_missing(self) -> ColumnElement[bool]:
        """The row is not adopted yet."""
        if self.adopt.in_place:
            return self.axis.column("version").is_(None)
        return ~exists().where(self.state_row).correlate(*self._tables)

    @property
    def had_history(self) -> ColumnElement[bool]:
        """A record of this id had a history, which was closed: it never begins a second time."""
        return exists().where(
            ledger.c.record_id == cast(self.id, Text),
            ledger.c.kind == self.place.kind,
            ledger.c.axis == self.place.name,
            ledger.c.scope == cast(self.scope, Text),
            ledger.c.version == 0,
        )

    def question(self, *columns: Any) -> Select[Any]:
        """A query over every row that may be adopted."""
        return select(*columns).select_from(self.source)

    def values(self) -> dict[str, ColumnElement[Any]]:
        """Beside the records: what the matching rule sets, by column."""
        by_column: dict[str, list[tuple[Any, Any]]] = {}
        for rule in self.adopt.rules:
            for column, value in rule.values.items():
                kept = self.filled(value)
                if isinstance(kept, BindParameter):
                    kept = literal(kept.value, self.axis.table.c[column].type)
                by_column.setdefault(column, []).append((self.rule == rule.name, kept))
        return {column: case(*cases, else_=null()) for column, cases in by_column.items()}

    def decide(self, rule: str | None, raw: str | None) -> Decided:
        """What becomes of a row that this rule matches, with this status."""
        declared = None if rule is None else self.adopt.rule(rule)
        if declared is not None:
            return Decided(declared.name, declared.state)
        if not self.adopt.in_place:
            return Decided(None, None, NO_RULE)
        known, state = match_value(self.axis, raw)
        if not known:
            return Decided(None, None, NO_VALUE if raw is None or not raw.strip() else UNKNOWN)
        if is_running(self.workflow, self.axis, state) and not self.adopt.take_over:
            return Decided(None, state, RUNS)
        return Decided(BY_VALUE, state)
