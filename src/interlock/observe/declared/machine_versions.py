"""What has changed between the machines of this code and those the database knows, and which records that strands. Reads only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from ...errors import BadInput
from ...machine import Evolution, Machine, diff
from ...store.connect import Database
from ...store.records.stranded import Stranded, stranded
from ...store.tables import machine as machines
from ...workflow import Axis, Workflow


@dataclass(frozen=True, slots=True)
class Version:
    """A machine as the database stores it; guards allow the moves of every active one."""

    fingerprint: str
    machine: Machine
    active: bool
    since: datetime


@dataclass(frozen=True, slots=True)
class Change:
    """One axis: from a stored version to this code's, and the records that stand in states it has lost."""

    kind: str
    axis: str
    before: Version
    evolution: Evolution
    stranded: tuple[Stranded, ...]


def versions(tx: Connection, axis: Axis) -> list[Version]:
    """Every version of the axis's machine that this database has known, oldest first."""
    asked = select(machines).where(machines.c.kind == axis.kind, machines.c.axis == axis.name)
    found = [
        Version(
            row.fingerprint, Machine.from_definition(json.loads(row.definition)), bool(row.active), row.since
        )
        for row in tx.execute(asked)
    ]
    return sorted(found, key=lambda one: (one.since, one.fingerprint))


def changes(database: Database, workflow: Workflow, before: str | None = None) -> list[Change]:
    """Against the other active versions; or, with the beginning of a fingerprint, against that one."""
    found = []
    with database.read() as tx:
        for axis in workflow.axes.values():
            every = versions(tx, axis)
            lost = tuple(stranded(tx, axis))
            chosen = [
                one
                for one in every
                if (
                    one.active and one.fingerprint != axis.machine.fingerprint
                    if before is None
                    else one.fingerprint.startswith(before)
                )
            ]
            found += [
                Change(workflow.name, axis.name, one, diff(one.machine, axis.machine), lost) for one in chosen
            ]
    return found


def every_version(database: Database, workflow: Workflow) -> list[tuple[Axis, Version]]:
    """Every version of each axis that this database has known, oldest first."""
    with database.read() as tx:
        return [(axis, one) for axis in workflow.axes.values() for one in versions(tx, axis)]


def compare_versions(
    database: Database, workflow: Workflow, axis: Axis, before: str, after: str | None
) -> tuple[Version, Version, Evolution]:
    """Two versions by how their fingerprints begin, and what changes from the one to the other; without `after`, to that of the code."""
    with database.read() as tx:
        every = versions(tx, axis)
    older = version_named(every, before)
    newer = version_named(every, after or axis.machine.fingerprint)
    return older, newer, diff(older.machine, newer.machine)


def version_named(every: Sequence[Version], begins: str) -> Version:
    """The one version whose fingerprint begins like this."""
    found = [one for one in every if begins and one.fingerprint.startswith(begins)]
    if len(found) != 1:
        known = ", ".join(one.fingerprint[:12] for one in every)
        raise BadInput(f"{begins[:64]!r} names {len(found)} versions of this machine; there are {known}")
    return found[0]


def strandings(database: Database, workflow: Workflow) -> list[Stranded]:
    """Records in states that this code's machines do not have, whatever versions there are."""
    with database.read() as tx:
        return [one for axis in workflow.axes.values() for one in stranded(tx, axis)]


def axis_of(workflow: Workflow, named: str | None) -> Axis:
    """The axis a plan is about: the one named, or the only one."""
    if named is None and len(workflow.axes) > 1:
        raise BadInput(f"{workflow.name} has several axes: say which of {', '.join(workflow.axes)}")
    return workflow.axis(named or next(iter(workflow.axes)))
