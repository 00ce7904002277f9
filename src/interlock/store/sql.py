"""Pieces of SQL made from declarations: literals, tests of states, names. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from ..machine import State


def text(value: str | None) -> str:
    """A SQL text literal."""
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


def texts(values: Iterable[str]) -> str:
    """SQL text literals in a row, for IN (…)."""
    return ", ".join(text(value) for value in values)


def doubled(sql: str) -> str:
    """SQL for a driver that marks its parameters with percent signs: those that are no marks are doubled."""
    return sql.replace("%", "%%")


def driver_literal(value: str | int | None) -> str:
    """A value of a declaration in a statement for psycopg."""
    return str(value) if isinstance(value, int) else doubled(text(value))


def one_of(column: str, states: Iterable[State]) -> str:
    """column is one of these states, null-safe."""
    wanted = list(states)
    named = ", ".join(text(state) for state in wanted if state is not None)
    tests = [f"{column} IN ({named})"] if named else []
    if None in wanted:
        tests.append(f"{column} IS NULL")
    return f"({' OR '.join(tests)})" if tests else "false"


def either_pair(old: str, new: str, pairs: Mapping[State, Sequence[State]]) -> str:
    """(old, new) is one of these pairs, null-safe."""
    tests = [f"({one_of(old, [start])} AND {one_of(new, ends)})" for start, ends in pairs.items()]
    return f"({' OR '.join(tests)})" if tests else "false"


def identifier(*parts: str) -> str:
    """A name for a trigger or function that needs no quotes and fits the database's 63 characters: readable, and never another table's."""
    name = "_".join(parts)
    plain = re.sub(r"[^a-z0-9_]", "_", name.lower())
    return (
        name
        if plain == name and len(name) <= 60
        else f"{plain[:48]}_{sha256(name.encode()).hexdigest()[:10]}"
    )
