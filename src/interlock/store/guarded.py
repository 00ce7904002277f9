"""What the guards of one axis must enforce, worked out from every active version of its machine. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Table

from ..machine import Machine, State
from ..workflow import Workflow
from .placement import Placement

ORIGINS = (
    "admit",
    "move",
    "operator",
    "retry",
    "rule",
    "amend",
    "backfill",
    "deletion",
    "erase",
    "migration",
    "reissue",
    "legacy",
)
CLOSING = ("deletion", "erase")
LEGACY = "legacy"
"""The origin of entries about writes past Interlock, while a table is being adopted."""
Mode = Literal["off", "follow", "enforce", "closed"]
"""How strictly an axis that is being adopted is guarded: writes past Interlock are noted only (off), become entries (follow), or are
refused (enforce); closed: rows without a version are impossible, too."""
APPLIER = "coordinator"
"""Who applies the reports of attempts, as entries name it."""
PLANNED = ("migration", "backfill")
"""Origins whose entries name an open plan: lines from one state to another, and states that records are adopted in."""
MIGRATORS = ("admin", "operator")
"""Roles that may carry out a migration plan, whose moves need no edge of any machine."""


@dataclass(frozen=True)
class Guarded:
    """The union of the machine versions that are in use: during a rolling upgrade old and new code both pass."""

    placement: Placement
    machines: tuple[Machine, ...]
    mode: Mode = "enforce"

    @property
    def is_adoptable(self) -> bool:
        """Whether there may be rows that have no version yet."""
        return self.placement.axis.adoptable and self.mode != "closed"

    @property
    def is_off(self) -> bool:
        return self.is_adoptable and self.mode == "off"

    @property
    def follows(self) -> bool:
        """Whether entries of origin `legacy` are accepted."""
        return self.is_adoptable and self.mode == "follow" and self.placement.axis.adopt is not None

    @property
    def follows_in_place(self) -> bool:
        """Whether a plain write of the status passes and becomes an entry."""
        return self.follows and not self.placement.scope_sql

    @property
    def passes_strays(self) -> bool:
        """Whether a plain write of an adopted row's status passes."""
        return self.follows_in_place or (self.is_off and not self.placement.scope_sql)

    @property
    def lets_rows_go(self) -> bool:
        """Whether a plain DELETE of an adopted row passes, and closes its history."""
        return (self.follows or self.is_off) and self.placement.axis.adopt is not None

    @property
    def initials(self) -> list[State]:
        return list(dict.fromkeys(machine.initial for machine in self.machines))

    @property
    def states(self) -> list[State]:
        return list(dict.fromkeys(state for machine in self.machines for state in machine.states))

    @property
    def has_timers(self) -> bool:
        """Whether some version in use has timers; code of a version without them guards their dates too."""
        return any(machine.timers for machine in self.machines)

    @property
    def gates(self) -> dict[State, list[str]]:
        """The gates that must have passed before a state is entered, by state."""
        place = self.placement
        named = {
            state: [gate.name for gate in place.workflow.gates_of(place.name, state)] for state in self.states
        }
        return {state: names for state, names in named.items() if names}

    @property
    def operator_pairs(self) -> dict[str, dict[State, list[State]]]:
        """Moves that only people make, by the role that each needs."""
        mine, by_role = self.pairs("operator"), dict[str, dict[State, list[State]]]()
        for machine in self.machines:
            for old, edge in machine.pairs():
                if edge.kind == "operator" and edge.to in mine.get(old, ()):
                    ends = by_role.setdefault(edge.role or "operator", {}).setdefault(old, [])
                    ends += [edge.to] if edge.to not in ends else []
        return by_role

    @property
    def timer_pairs(self) -> dict[State, list[State]]:
        """Moves that a timer makes, and that not everybody may make: some are made in no other case, some by operators too."""
        known = self.pairs("timer", "operator", "retry")
        found: dict[State, list[State]] = {}
        for machine in self.machines:
            for old, edge in machine.timers.items():
                if edge.to in known.get(old, ()) and edge.to not in found.get(old, []):
                    found.setdefault(old, []).append(edge.to)
        return found

    def pairs(self, *kinds: str) -> dict[State, list[State]]:
        """Legal moves of these kinds, by where they start; a pair that any version allows plainly needs no more than that."""
        plain = {
            (old, edge.to)
            for machine in self.machines
            for old, edge in machine.pairs()
            if edge.kind == "plain"
        }
        found: dict[State, list[State]] = {}
        for machine in self.machines:
            for old, edge in machine.pairs():
                if (
                    edge.kind in kinds
                    and (edge.kind == "plain" or (old, edge.to) not in plain)
                    and edge.to not in found.get(old, [])
                ):
                    found.setdefault(old, []).append(edge.to)
        return found


@dataclass(frozen=True)
class FrozenTable:
    """A table whose rows never change. They leave only with the record that they reference, once that has its closing entry."""

    table: Table
    owners: tuple[tuple[str, str], ...]
    """(kind, column): columns with a foreign key to the records of a kind."""


def frozen_tables(workflows: Iterable[Workflow]) -> list[FrozenTable]:
    """Every table that one of the workflows declares frozen, with its references to the records of all of them."""
    known = list(workflows)
    found = []
    for table in dict.fromkeys(table for workflow in known for table in workflow.frozen):
        owners = [
            (workflow.name, key.parent.name)
            for workflow in known
            for key in sorted(table.foreign_keys, key=str)
            if key.target_fullname == f"{workflow.records.fullname}.{workflow.id_column.name}"
        ]
        found.append(FrozenTable(table, tuple(owners)))
    return found


def elsewhere_sql(here: Placement, there: Placement, states: Iterable[State]) -> str:
    """The other axis, in its own table, is in one of the states; of a scoped axis every row must be, and one must exist. Scalars, not
    EXISTS: PostgreSQL may answer EXISTS by reading the whole other table."""
    same = f"{there.qualified(there.key_sql)} = {here.qualified(here.key_sql)}"
    if here.scope_sql and there.scope_sql:
        same += f" AND {there.qualified(there.scope_sql)} = {here.qualified(here.scope_sql)}"
    inside = there.in_states(states)
    exists = f"(SELECT 1 FROM {there.table_sql} WHERE {same} AND {inside} LIMIT 1) IS NOT NULL"
    if not there.scope_sql or here.scope_sql:
        return exists
    return f"{exists} AND (SELECT 1 FROM {there.table_sql} WHERE {same} AND NOT coalesce({inside}, false) LIMIT 1) IS NULL"
