"""A command as somebody gave it, checked before the database sees it: what to move where, by whom, why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache
from hashlib import sha256
from math import isfinite
from typing import Any, NamedTuple

from .. import tracing
from ..errors import BadInput, UnknownState
from ..machine import State
from ..machine.suggest import did_you_mean, join_states
from ..store.contract import RowValues
from ..store.entry import Detail, canonical, canonical_facts, is_text, make_detail
from ..store.placement import Placement
from ..workflow import Axis, Workflow

REASON_LIMIT = 4000
NAME_LIMIT = 200
LEAVE_OUT = "Leave it out, or write a text."
SEVERAL = "Write [7, 8], or [(7, version), …] where the versions matter; move() takes one id."
ERROR_COLUMNS = ("error_code", "error_message")


class Asked(NamedTuple):
    """One record of a command: its id in the type of the table's key, the id as the database holds it, the version the caller saw, and what
    is wrong with it."""

    id: Any
    key: Any
    version: int | None = None
    fault: BadInput | None = None


@dataclass(frozen=True)
class Command:
    """Everything that is the same for all records of one command."""

    workflow: Workflow
    axis: Axis
    to: State
    actor: str
    role: str | None = None
    reason: str | None = None
    scope: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    cause: str | None = None
    origin: str = "move"
    key: str | None = None
    columns: Mapping[str, Any] = field(default_factory=dict)
    detail: Detail | None = None
    counted: tuple[str, ...] = ()  # columns that step by one with this move
    tokens: Mapping[Any, str] | None = None  # by record: the attempt whose report this move applies
    by_engine: bool = (
        False  # a stage, a retry or a cancel asks for it: axes that people may not move are moved by it too
    )
    holding: bool = False  # the caller holds the locks of the work rows, and ends them
    own: Mapping[Any, RowValues] | None = (
        None  # by record: what each has of its own, where facts differ within the batch
    )
    visited: frozenset[tuple[str, str]] = (
        frozenset()
    )  # (axis, scope) that rules have moved before this one, in the same act
    counts_driven: bool = (
        False  # what rules move beside these records is counted, and not answered move by move
    )
    known_refusals: Mapping[str, str] = field(
        default_factory=dict
    )  # by record: the reason of a refusal that was recorded and logged before, and is not again

    @property
    def kind(self) -> str:
        return self.workflow.name

    def context(self) -> dict[str, Any]:
        """What conditions may ask about the command."""
        return {"actor": self.actor, "role": self.role, "scope": self.scope}

    def payload(self, asked: list[Asked], rows: Any = None) -> bytes:
        """A hash of the whole command: the same key with another one is refused."""
        records = (
            [[str(one.key), one.version] for one in asked] if rows is None else [str(row) for row in rows]
        )
        said = [
            self.kind,
            self.axis.name,
            self.to,
            self.role,
            self.reason,
            self.scope,
            canonical(self.facts),
            self.origin,
            records,
        ]
        return sha256(canonical(said).encode()).digest()


def command(
    workflow: Workflow,
    axis: Axis,
    to: State,
    *,
    actor: str,
    role: str | None = None,
    reason: str | None = None,
    scope: str | None = None,
    facts: Mapping[str, Any] | None = None,
    cause: str | None = None,
    origin: str = "move",
    key: str | None = None,
    by_engine: bool = False,
) -> Command:
    """A checked command; anything of the wrong type, size or shape is refused here."""
    named("actor", actor)
    for name, value in (("role", role), ("cause", cause), ("key", key)):
        if value is not None:
            named(name, value)
    checked_reason(reason)
    if facts is not None and not isinstance(facts, Mapping):
        raise BadInput(
            f"facts must be a mapping, not {type(facts).__name__}", hint='Write facts={"weight": 3}.'
        )
    known_state(axis, to)
    text = canonical_facts(
        {**(facts or {}), **tracing.marked()}
    )  # not in `facts`: the same command from another trace is the same
    return Command(
        workflow,
        axis,
        None if to is None else str.__str__(to),
        actor,
        role,
        reason,
        checked_scope(axis, scope),
        dict(facts or {}),
        cause or f"command.{origin}",
        origin,
        key,
        columns_of(workflow, axis, facts or {}),
        make_detail(reason, text),
        by_engine=by_engine,
    )


def mark_shared(order: Command, records: int) -> Command:
    """The command with its detail marked as shared, where reason and facts belong to several records."""
    if order.detail is None or records == 1:
        return order
    return replace(order, detail=replace(order.detail, shared=True))


def named(what: str, value: Any) -> str:
    """A short text that is really there."""
    if not isinstance(value, str) or not value.strip():
        hint = 'It is who asks, as history keeps it: actor="eve".' if what == "actor" else LEAVE_OUT
        raise BadInput(f"{what} must be a text that is not empty, not {value!r}", hint=hint)
    if len(value) > NAME_LIMIT or "\x00" in value or not is_text(value):
        raise BadInput(
            f"{what} is text of at most {NAME_LIMIT} characters without null characters; this has {len(value)}",
            hint="Keep what is longer in the record, or in the reason.",
        )
    return value


def checked_reason(reason: Any) -> str | None:
    if reason is None:
        return None
    if not isinstance(reason, str):
        raise BadInput(f"reason must be text, not {type(reason).__name__}", hint='Say why: reason="…".')
    if not reason.strip():
        raise BadInput("reason is empty", hint="Leave it out, or say why.")
    if len(reason) > REASON_LIMIT or "\x00" in reason or not is_text(reason):
        raise BadInput(
            f"reason is text of at most {REASON_LIMIT} characters without null characters; this has {len(reason):,}",
            hint="Keep the long story elsewhere, and put a reference into the reason.",
        )
    return reason


def known_state(axis: Axis, to: Any) -> None:
    if to is not None and not isinstance(to, str):
        raise BadInput(
            f"{axis.name} takes a state, which is text or None, not {to!r}",
            hint=f"It has {join_states(axis.machine.states)}.",
        )
    if to not in axis.machine.states:
        axis.machine.check(axis.machine.initial, to)
        raise UnknownState(axis.machine.name, None, to, axis.machine.states)


def checked_scope(axis: Axis, scope: str | None) -> str:
    if not axis.scopes:
        if scope is not None:
            raise BadInput(f"{axis.kind}.{axis.name} has no scopes", hint="Leave scope out.")
        return ""
    if scope is None or scope not in axis.scopes:
        raise BadInput(
            f"{axis.kind}.{axis.name} needs a scope, one of {', '.join(axis.scopes)}; not {scope!r}",
            hint=did_you_mean(scope, axis.scopes) or f'Such as scope="{axis.scopes[0]}".',
        )
    return scope


def columns_of(workflow: Workflow, axis: Axis, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that are also columns of the row; the engine's own columns, of any axis of this row, cannot be written as facts."""
    if not facts:
        return {}
    engine, errors = engine_columns(workflow, axis), error_columns(axis)
    found: dict[str, Any] = {}
    for name, value in facts.items():
        if name in errors:
            found[errors[name]] = value
        elif name in engine or name == axis.key:
            hint = f"A move sets it: app.move(…, {name}=…)." if name in workflow.axes else ""
            raise BadInput(f"{name!r} is kept by Interlock and cannot be given as a fact", hint=hint)
        elif name in axis.table.c:
            found[name] = checked_value(name, value)
    return found


@cache
def engine_columns(workflow: Workflow, axis: Axis) -> frozenset[str]:
    """Columns of the axis' table that only Interlock writes, for whichever axis."""
    return workflow.engine_columns(axis.table)


@cache
def error_columns(axis: Axis) -> Mapping[str, str]:
    """What the table calls the columns in which failures leave their code and message."""
    return {name: axis.column_name(name) for name in ERROR_COLUMNS if axis.has(name)}


def checked_value(name: str, value: Any) -> Any:
    """A value for a column, unless it is one that databases cannot hold: drivers disagree on how to say so, and SQLite keeps nothing where
    NaN was given."""
    if isinstance(value, str):
        if "\x00" in value or not is_text(value):
            raise BadInput(
                f"{name!r} is given text with a null character or half a surrogate pair in it",
                hint="Leave such characters out, or keep what they stand for in a column of bytes.",
            )
    elif isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise BadInput(
                f"{name!r} is given a number larger than any column can hold",
                hint="Whole numbers end at 2 to the power of 63; keep a longer one as text.",
            )
    elif isinstance(value, float | Decimal) and not isfinite(value):
        raise BadInput(
            f"{name!r} is given {value}, which is not a number", hint="Give None where there is no number."
        )
    return value


def asked(place: Placement, ids: Any) -> list[Asked]:
    """The records of a command: ids, or (id, version) pairs; one that cannot be is marked, so that it does not stop the others."""
    if isinstance(ids, str | bytes | Mapping) or not isinstance(ids, Iterable):
        raise BadInput(f"{place.kind}: several records are a list of ids, not {ids!r}", hint=SEVERAL)
    given = ids if isinstance(ids, list) else list(ids)
    if place.takes_as_they_are(given):
        return [Asked(id, id) for id in given]
    found = []
    for one in given:
        try:
            found.append(asked_one(place, one))
        except BadInput as fault:
            found.append(Asked(one[0] if isinstance(one, tuple) and one else one, "", None, fault))
    return found


def asked_one(place: Placement, one: Any) -> Asked:
    """One id, or (id, version); refuses what no record of this kind can have."""
    if isinstance(one, tuple) and len(one) != 2:
        raise BadInput(f"{place.kind}: {one!r} is neither an id nor (id, version)", hint=SEVERAL)
    id, version = one if isinstance(one, tuple) else (one, None)
    if version is not None and (isinstance(version, bool) or not isinstance(version, int) or version < 0):
        raise BadInput(
            f"version must be a whole number from 0 up, not {version!r}",
            hint="It is the column version of the row that you read: the move is refused if somebody moved it since.",
        )
    checked = place.check_id(id)
    return Asked(checked, place.key_bind(checked), version)


def origin_of(override: bool) -> str:
    """The origin of a move by people: one that overrides `moved_by="stages"` has its own."""
    return "override" if override else "move"


def one_axis(workflow: Workflow, axis: Mapping[str, State]) -> tuple[str, State]:
    """The axis a move names, and the state it is to enter."""
    if len(axis) != 1:
        raise BadInput(
            f"a move names exactly one axis of {workflow.name}: {', '.join(f'{name}=…' for name in workflow.axes)}; "
            f"{', '.join(axis) or 'none'} {'were' if axis else 'was'} named",
            hint=f'Such as app.move("{workflow.name}", id, {next(iter(workflow.axes))}="…", actor="eve").',
        )
    ((name, to),) = axis.items()
    return workflow.axis(name).name, to
