"""What the guards of one axis must enforce, worked out from every active version of its machine. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from ..machine import Machine, State
from .placement import Placement

ORIGINS = ("admit", "move", "operator", "retry", "rule", "amend", "backfill", "deletion", "erase", "migration", "reissue")
CLOSING = ("deletion", "erase")
MIGRATORS = ("admin", "operator")
"""Roles that may carry out a migration plan, whose moves need no edge of any machine."""


@dataclass(frozen=True)
class Guarded:
    """The union of the machine versions that are in use: during a rolling upgrade old and new code both pass."""

    placement: Placement
    machines: tuple[Machine, ...]

    @property
    def initials(self) -> list[State]:
        return list(dict.fromkeys(machine.initial for machine in self.machines))

    @property
    def states(self) -> list[State]:
        return list(dict.fromkeys(state for machine in self.machines for state in machine.states))

    def pairs(self, *kinds: str) -> dict[State, list[State]]:
        """Legal moves of these kinds, by where they start; a pair that any version allows plainly needs no more than that."""
        plain = {(old, edge.to) for machine in self.machines for old, edge in machine.pairs() if edge.kind == "plain"}
        found: dict[State, list[State]] = {}
        for machine in self.machines:
            for old, edge in machine.pairs():
                if edge.kind in kinds and (edge.kind == "plain" or (old, edge.to) not in plain) and edge.to not in found.get(old, []):
                    found.setdefault(old, []).append(edge.to)
        return found


def text(value: str | None) -> str:
    """A SQL text literal."""
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


def one_of(column: str, states: Iterable[State]) -> str:
    """column is one of these states, null-safe."""
    wanted = list(states)
    named = ", ".join(text(state) for state in wanted if state is not None)
    ways = [f"{column} IN ({named})"] if named else []
    if None in wanted:
        ways.append(f"{column} IS NULL")
    return f"({' OR '.join(ways)})" if ways else "false"


def either_pair(old: str, new: str, pairs: dict[State, list[State]]) -> str:
    """(old, new) is one of these pairs, null-safe."""
    ways = [f"({one_of(old, [start])} AND {one_of(new, ends)})" for start, ends in pairs.items()]
    return f"({' OR '.join(ways)})" if ways else "false"


def elsewhere_sql(here: Placement, there: Placement, states: Iterable[State]) -> str:
    """The other axis, in its own table, is in one of the states; of a scoped axis every row must be, and one must exist. Scalars, not
    EXISTS: PostgreSQL may answer EXISTS by reading the whole other table."""
    same = f"{there.qualified(there.key_sql)} = {here.qualified(here.key_sql)}"
    if here.scope_sql and there.scope_sql:
        same += f" AND {there.qualified(there.scope_sql)} = {here.qualified(here.scope_sql)}"
    inside = one_of(there.qualified(there.status_sql), states)
    exists = f"(SELECT 1 FROM {there.table_sql} WHERE {same} AND {inside} LIMIT 1) IS NOT NULL"
    if not there.scope_sql or here.scope_sql:
        return exists
    return f"{exists} AND (SELECT 1 FROM {there.table_sql} WHERE {same} AND NOT coalesce({inside}, false) LIMIT 1) IS NULL"


def identifier(*parts: str) -> str:
    """A name for a trigger or function that needs no quotes and fits the database's 63 characters: readable, and never another table's."""
    name = "_".join(parts)
    plain = re.sub(r"[^a-z0-9_]", "_", name.lower())
    return name if plain == name and len(name) <= 60 else f"{plain[:48]}_{sha256(name.encode()).hexdigest()[:10]}"
