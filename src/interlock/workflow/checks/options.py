"""Refuses options of declarations that cannot be meant, where they are written down; each refusal shows how it is written."""

from __future__ import annotations

import inspect
import keyword
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import (
    BindParameter,
    ClauseElement,
    Column,
    ColumnElement,
    Exists,
    ScalarSelect,
    SelectBase,
    Table,
)
from sqlalchemy.sql.selectable import SelectStatementGrouping
from sqlalchemy.sql.visitors import iterate

from ...errors import BadDeclaration
from ...machine import State
from ...machine.durations import WRITE as SPANS
from ...machine.suggest import did_you_mean, join_states, quoted
from ..durations import span
from ..outcome import Failed
from ..surfaces.view import View

MEMORY = re.compile(r"\d+(\.\d+)?\s*[KMG]i?B", re.IGNORECASE)
LONGEST_VALUE = 120
LONGEST_NAME = 40
NO_LIMIT = "Leave it out where there is no limit."


def refuse_unknown_states(owner: str, states: Sequence[State], known: Sequence[State]) -> None:
    """Raise where a declaration names a state that the machine does not have; the nearest one is suggested."""
    for state in states:
        if state not in known:
            raise BadDeclaration(
                f"{owner} names the state {quoted(state)}, which the machine does not have",
                hint=did_you_mean(state, known) or f"It has {join_states(known)}.",
            )


def refuse_options(name: str, options: Mapping[str, Any]) -> None:
    """Raise for the first option of a stage or gate that cannot be meant; options that were left out are not in `options`."""
    for option, check in CHECKS.items():
        value = options.get(option)
        problem = None if value is None else check(value)
        if problem:
            raise BadDeclaration(f"{name}: {option}={short(value)} {problem[0]}", hint=problem[1])
    timeout, deadline = options.get("timeout"), options.get("deadline")
    if timeout is not None and deadline is not None and span(timeout) > span(deadline):
        raise BadDeclaration(
            f"{name}: timeout={timeout!r} is longer than deadline={deadline!r}",
            hint="timeout ends one run of the function, deadline the whole attempt; make the deadline the longer one.",
        )


def refuse_workflow_names(name: Any, noun: Any) -> None:
    """Raise where the name of a workflow cannot be part of an address and a table name, or its noun is no word for people."""
    plain = isinstance(name, str) and name.replace("_", "a").replace("-", "a").isalnum()
    if not plain or len(name) > LONGEST_NAME:
        raise BadDeclaration(
            f"workflow name {name!r} must be 1 to {LONGEST_NAME} letters, digits, - or _",
            hint='Such as Workflow("orders", …): it is part of addresses, commands and names of tables.',
        )
    if noun is not None and not (isinstance(noun, str) and noun.strip() and len(noun) <= LONGEST_NAME):
        raise BadDeclaration(
            f"workflow {name!r}: noun={noun!r} is not a word of 1 to {LONGEST_NAME} characters",
            hint='It names one record: noun="order".',
        )


def refuse_parts(workflow: str, parts: Mapping[str, Any]) -> None:
    """Raise where one thing, or a text, stands for a list of them."""
    for name, value in parts.items():
        if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
            raise BadDeclaration(
                f"workflow {workflow!r}: {name}={short(value)} is not a list", hint=f"Write {name}=[…]."
            )
        odd = [one for one in value if name in ("frozen", "tables") and not isinstance(one, Table)]
        if odd:
            raise BadDeclaration(
                f"workflow {workflow!r}: {name} has {short(odd[0])}, which is not a table",
                hint="Give the SQLAlchemy Table; that of a model is Model.__table__.",
            )
        if name == "views" and (strange := [one for one in value if not isinstance(one, View)]):
            raise BadDeclaration(
                f"workflow {workflow!r}: views has {short(strange[0])}, which is not a View",
                hint="Write View(name, query), from interlock.extension.",
            )


EXAMPLES = {
    "columns": '{"version": "order_version"}',
    "stamps": '{"packed": "packed_at"}',
    "cleared": '{"placed": ["box"]}',
    "copies": '{"rank": items.c.rank}',
}
"""By option of an axis that is a mapping: how one is written."""
WORDS_OF_MOVE = frozenset(
    {"actor", "facts", "id", "key", "kind", "override", "reason", "role", "scope", "tx", "version"}
)
"""Keywords that `app.move` has already."""


def refuse_axis_options(
    name: Any,
    texts: Mapping[str, Any],
    mappings: Mapping[str, Any],
    lists: Mapping[str, Any],
    max_retries: Any,
) -> None:
    """Raise for the first option of an axis that cannot be meant, whatever its machine is."""
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
        raise BadDeclaration(
            f"axis name {name!r} must be an identifier: it is a column and a keyword of move()",
            hint='Such as Axis("status", machine), moved with app.move("orders", 7, status="packed", actor="eve").',
        )
    if name in WORDS_OF_MOVE:
        raise BadDeclaration(
            f"axis name {name!r} is a word that move() has already",
            hint=f"Name the column otherwise, such as {name}_status.",
        )
    for option, value in texts.items():
        if not isinstance(value, str):
            raise BadDeclaration(
                f"axis {name!r}: {option}={short(value)} is not text", hint=f'Write {option}="{name}_".'
            )
    for option, value in mappings.items():
        if value is not None and not isinstance(value, Mapping):
            raise BadDeclaration(
                f"axis {name!r}: {option}={short(value)} is not a mapping",
                hint=f"Write {option}={EXAMPLES[option]}.",
            )
    cleared = mappings.get("cleared") or {}
    for option, value in {
        **lists,
        **{f"cleared[{state!r}]": names for state, names in cleared.items()},
    }.items():
        if isinstance(value, str) or not isinstance(value, Collection):
            raise BadDeclaration(
                f"axis {name!r}: {option}={short(value)} is not a list", hint=f"Write {option}=[{value!r}]."
            )
    counted = isinstance(max_retries, int) and not isinstance(max_retries, bool) and max_retries >= 0
    if not counted and not isinstance(max_retries, str):
        raise BadDeclaration(
            f"axis {name!r}: max_retries={max_retries!r} is neither a number from 0 up nor the name of a column",
            hint='Write max_retries=5, or max_retries="max_retries" for a column with one number per record.',
        )


def refuse_uncallable(owner: str, function: Any, *, named: bool = False) -> None:
    """Raise where a decorator got something that cannot be called, or that has no name where one is needed."""
    if not callable(function) or isinstance(function, type) or (named and not hasattr(function, "__name__")):
        raise BadDeclaration(
            f"{owner}: {short(function)} is not a function", hint="Put the decorator above a def."
        )


def short(value: Any) -> str:
    """A value as Python writes it, cut where it is long; functions by their name, without an address."""
    text = getattr(value, "__qualname__", None) or repr(value)
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "…"


Problem = tuple[str, str] | None
"""What is wrong with a value, and how it is written instead."""


def _retry(value: Any) -> Problem:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return "is not a list of delays", 'Write one delay for each further try: retry=["5s", "1m"].'
    for delay in value:
        if (problem := _length(delay)) and problem[1] != NO_LIMIT:
            return f"has the delay {delay!r}, which {problem[0]}", problem[1]
    return None


def is_condition(value: Any) -> bool:
    """Whether it is an expression of SQLAlchemy, or an attribute of a model."""
    return isinstance(value, ColumnElement) or hasattr(value, "__clause_element__")


def _condition(value: Any) -> Problem:
    if is_condition(value):
        return None
    return "is not a condition on a column", "Write one: only_if=orders.c.paid.is_(True)."


def _order(value: Any) -> Problem:
    for one in value if isinstance(value, tuple | list) else (value,):
        if not is_condition(one) and not isinstance(one, ClauseElement):
            return "is not a column", "Write order=orders.c.priority.desc(), or a tuple of columns."
    return None


def _limit(value: Any) -> Problem:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
        return None
    return "is not a number of attempts", "Write how many may be under way at once: limit=20."


def _tier(value: Any) -> Problem:
    if isinstance(value, int) and not isinstance(value, bool):
        return None
    return "is not a whole number", "Gates of a lower tier run first: tier=1."


def _isolate(value: Any) -> Problem:
    return None if isinstance(value, bool) else ("is neither True nor False", "Write isolate=True.")


def _memory(value: Any) -> Problem:
    if isinstance(value, str) and MEMORY.fullmatch(value.strip()):
        return None
    return "is not an amount of memory", 'Write "512MB" or "2GB".'


def _place(value: Any) -> Problem:
    if value in RETRY_PLACES:
        return None
    return "is not a place to wait for the next try", f"It is one of {', '.join(map(repr, RETRY_PLACES))}."


def _length(value: Any) -> Problem:
    if not isinstance(value, str | timedelta):
        return "has no unit", SPANS
    try:
        length = span(value)
    except BadDeclaration as error:
        return str(error).removeprefix(repr(value)).strip(), error.hint
    return None if length else ("is no time at all", NO_LIMIT)


def _rate(value: Any) -> Problem:
    return None if isinstance(value, str) else ("is not a rate", 'Write "10/m": ten a minute.')


def _per_key(value: Any) -> Problem:
    if (
        isinstance(value, tuple)
        and len(value) == 2
        and not isinstance(value[0], int)
        and not _limit(value[1])
    ):
        return None
    return (
        "is not a column with a number",
        "Write how many of each value at once: per_key=(orders.c.customer, 2).",
    )


def _failures(value: Any) -> Problem:
    example = 'Write failures={ConnectionError: Failed("OFFLINE")}.'
    if not isinstance(value, Mapping):
        return "is not a mapping of exceptions to outcomes", example
    for error, outcome in value.items():
        if not (isinstance(error, type) and issubclass(error, BaseException)):
            return f"has the key {error!r}, which is not a class of exceptions", example
        if not isinstance(outcome, Failed):
            return f"has {short(outcome)} for {error.__name__}, which is not a Failed", example
    return None


def _classes(value: Any) -> Problem:
    if isinstance(value, Sequence) and all(isinstance(one, type) for one in value):
        return None
    return "is not a list of classes", "Write returns=[Parsed]."


def _folders(value: Any) -> Problem:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return None
    return "is not a list of folders", 'Write writes=["/var/exports"].'


RETRY_PLACES = ("runner", "running", "failed", "waiting")
CHECKS: Mapping[str, Callable[[Any], Problem]] = {
    "retry": _retry,
    "retry_in": _place,
    "only_if": _condition,
    "order": _order,
    "limit": _limit,
    "tier": _tier,
    "per_key": _per_key,
    "rate": _rate,
    "deadline": _length,
    "timeout": _length,
    "isolate": _isolate,
    "memory": _memory,
    "failures": _failures,
    "returns": _classes,
    "writes": _folders,
}
"""By option of a stage or gate: what is wrong with a value."""


def refuse_bare(value: object, decorator: str, example: str) -> None:
    """Raise where a decorator that has options is used without parentheses: it then gets the function itself."""
    if callable(value):
        raise BadDeclaration(
            f"@{decorator} of {short(value)} has no options",
            hint=f"Write them in parentheses: @{decorator}({example}).",
        )


def refuse_states_by_position(workflow: str, values: Sequence[object]) -> None:
    """Raise where a stage gets its states without names."""
    refuse_bare(values[0] if values else None, f"{workflow}.stage", 'waiting="…", done="…"')
    if values:
        raise BadDeclaration(
            f"@{workflow}.stage({short(values[0])}, …) does not name which state is which",
            hint='Write stage(waiting="placed", done="packed").',
        )


def refuse_all_but_states(workflow: str, values: Sequence[object]) -> None:
    """Raise where something other than states is given to a hook."""
    for value in values:
        refuse_bare(value, f"{workflow}.on_move", '"…"')
        if value is not None and not isinstance(value, str):
            raise BadDeclaration(
                f"{workflow}: on_move takes states one after the other, not {short(value)}",
                hint='Write @orders.on_move("packed", "sent").',
            )


def arguments_wanted(function: Callable[..., Any], called: Sequence[str]) -> str | None:
    """What is wrong with the parameters of a function that is called with arguments of these names; None where nothing is."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    try:
        signature.bind(*called)
    except TypeError:
        return f"takes {signature}, and is called with ({', '.join(called)})"
    return None


def awaited_by_nobody(function: Callable[..., Any]) -> str | None:
    """What is wrong with an async function where only plain ones are called; None where it is plain."""
    if inspect.iscoroutinefunction(function):
        return "is async, and is called inside a transaction, where nothing awaits it"
    return None


def parameters_wanted(condition: Any) -> list[str]:
    """The parameters of a condition that have no value of their own, as bindparam("actor"), each once."""
    plain: Any = condition.__clause_element__() if hasattr(condition, "__clause_element__") else condition
    found = [one.key for one in iterate(plain) if isinstance(one, BindParameter) and one.required]
    return list(dict.fromkeys(found))


def columns_elsewhere(condition: Any, tables: Sequence[Table]) -> list[str]:
    """The columns that a condition names outside of a subquery and that none of these tables has, as `table.column`."""
    known = {table.fullname for table in tables}
    plain: Any = condition.__clause_element__() if hasattr(condition, "__clause_element__") else condition
    if isinstance(plain, (SelectBase, SelectStatementGrouping, ScalarSelect, Exists)):
        return []
    if isinstance(plain, Column):
        table = plain.table
        return (
            [] if getattr(table, "fullname", None) in {None, *known} else [f"{table.fullname}.{plain.name}"]
        )
    return [name for part in plain.get_children() for name in columns_elsewhere(part, tables)]
