"""Refuses mirrors that cannot be meant: of an axis without scopes, of columns that are missing or that somebody else writes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Table

from ...errors import BadDeclaration
from ...machine import State
from ...machine.suggest import join_states
from ..axis import Axis
from ..columns.mirror import Mirror
from .problem import nearest


def scoped_axis(workflow: str, axes: Mapping[str, Axis], named: str | None) -> Axis:
    """Return the scoped axis that a mirror reads: the one that is named, or the only one; raises BadDeclaration where there is none."""
    scoped = [one.name for one in axes.values() if one.scoped]
    if named is None and len(scoped) != 1:
        raise BadDeclaration(
            f"{workflow}: a mirror is of a scoped axis, and {'several are' if scoped else 'none is'}",
            hint="Name it: axis=… ." if scoped else "Columns of the record's own axes need no mirror.",
        )
    if named is not None and named not in scoped:
        raise BadDeclaration(
            f"{workflow}: a mirror is of a scoped axis, and {named!r} is not scoped",
            hint="Columns of the record's own axes need no mirror.",
        )
    return axes[named or scoped[0]]


def mirrored_columns(workflow: str, columns: Sequence[Any]) -> tuple[str, ...]:
    """Return the names of the columns that a mirror writes; raises BadDeclaration where there are none, or one twice."""
    names = tuple(column if isinstance(column, str) else column.name for column in columns)
    if not names or len(set(names)) < len(names):
        raise BadDeclaration(
            f"{workflow}: a mirror names one or more columns of the record, each once",
            hint='Write @items.mirror("status_de", "status_en").',
        )
    return names


def refuse_unknown_alike(workflow: str, axis: Axis, alike: Collection[State]) -> None:
    """Raise where `alike` names states that the machine does not have."""
    if unknown := sorted(str(one) for one in set(alike) - set(axis.machine.states)):
        raise BadDeclaration(
            f"{workflow}: alike names {', '.join(unknown)}, which machine {axis.machine.name} does not have",
            hint=f"It has {join_states(axis.machine.states)}.",
        )


def refuse_unfit(workflow: str, mirror: Mirror, records: Table, kept: Collection[str]) -> None:
    """Raise where a mirror names columns that the record does not have, or one of `kept`, which somebody else writes."""
    if unknown := sorted(set(mirror.columns) - set(records.c.keys())):
        raise BadDeclaration(
            f"{workflow}: mirror {mirror.name} names {', '.join(unknown)}, which {records.name!r} does not have",
            hint=nearest(unknown[0], records.c.keys()),
        )
    if clashing := sorted(set(kept) & set(mirror.columns)):
        raise BadDeclaration(
            f"{workflow}: mirror {mirror.name} names {', '.join(clashing)}, which the engine or another mirror writes",
            hint="Give the mirror columns of its own.",
        )
