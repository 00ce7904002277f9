"""What an amendment may change: columns that the workflow declares amendable, with values of their own type."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from sqlalchemy import JSON, Column, Dialect, String

from ...errors import BadInput
from ...store.placement import binder
from ...workflow import Axis, Workflow
from ...workflow.columns.python_types import python_type_of, value_hint
from ..stage_move import typed


def amended_axis(workflow: Workflow, named: str | None) -> Axis:
    """The axis whose version steps: the named one, else the one that has gates, else the first that lives in the record's own row."""
    own = [axis for axis in workflow.axes.values() if not axis.scoped]
    if not own:
        raise BadInput(f"{workflow.name} has only scoped axes; there is no version to amend")
    if named is None:
        gated = [workflow.axes[gate.axis] for gate in workflow.gates]
        return next((axis for axis in gated if axis in own), own[0])
    chosen = workflow.axis(named)
    if chosen not in own:
        raise BadInput(
            f"{workflow.name}.{named} is scoped; an amendment changes the record's own row",
            hint=f"It takes one of {', '.join(axis.name for axis in own)}.",
        )
    return chosen


def amended_facts(workflow: Workflow, facts: Mapping[str, Any], dialect: Dialect) -> dict[str, Any]:
    """The facts of an amendment, those that are columns with values of the column's type; facts that are no columns are kept with the
    entry only. Refuses columns that are not amendable and values that no such column can hold."""
    if not facts:
        raise BadInput("amend needs facts to change", hint='Write facts={"customer": "Ann"}.')
    columns = workflow.records.c
    fixed = [name for name in facts if name in columns and name not in workflow.amendable]
    if fixed:
        kept = " is kept by Interlock and" if workflow.fixed_columns.issuperset(fixed) else ""
        raise BadInput(
            f"{workflow.name}: {', '.join(sorted(fixed))}{kept} cannot be amended",
            hint=f"It has these amendable columns: {', '.join(sorted(workflow.amendable)) or 'none'}.",
            columns=sorted(fixed),
        )
    return {
        name: checked_value(workflow.name, columns[name], value, dialect) if name in columns else value
        for name, value in facts.items()
    }


def checked_value(kind: str, column: Column[Any], value: Any, dialect: Dialect) -> Any:
    """The value as the column's own type; raises where it is of another."""
    if value is None:
        if not column.nullable:
            raise BadInput(
                f"{kind}: {column.name} may not be empty", hint="Give it a value; the column is NOT NULL."
            )
        return None
    made = typed(column.table, column.name, value)
    wanted = python_type_of(column.type)
    fits = isinstance(column.type, JSON) or wanted is None or _is(made, wanted)
    if not fits or (
        isinstance(column.type, String) and column.type.length is not None and len(made) > column.type.length
    ):
        raise BadInput(
            f"{kind}: {column.name} is {column.type}, and cannot be {value!r}"[:300], hint=value_hint(column)
        )
    try:
        binder(column, dialect)(made)
    except (
        TypeError,
        ValueError,
        AttributeError,
        ArithmeticError,
    ) as error:  # types say in their own ways that a value is not theirs
        raise BadInput(
            f"{kind}: {column.name} is {column.type}, and cannot be {value!r}"[:300], hint=value_hint(column)
        ) from error
    return made


def _is(value: Any, wanted: type) -> bool:
    if wanted in (int, float, Decimal):
        numbers: tuple[type, ...] = (int,) if wanted is int else (int, float, Decimal)
        return isinstance(value, numbers) and not isinstance(value, bool)
    return isinstance(value, wanted)
