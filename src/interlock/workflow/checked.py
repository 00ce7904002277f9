"""Refuses options of declarations that cannot be meant, where they are written down; each refusal shows how it is written."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement

from ..errors import BadDeclaration
from ..machine import State
from ..machine.suggest import did_you_mean, listed, quoted

MEMORY = re.compile(r"\d+(\.\d+)?\s*[KMG]i?B", re.IGNORECASE)


def refuse_unknown_states(owner: str, states: Sequence[State], known: Sequence[State]) -> None:
    """Raise where a declaration names a state that the machine does not have; the nearest one is suggested."""
    for state in states:
        if state not in known:
            raise BadDeclaration(
                f"{owner} names the state {quoted(state)}, which the machine does not have",
                hint=did_you_mean(state, known) or f"It has {listed(known)}.",
            )


def refuse_options(name: str, options: dict[str, Any]) -> None:
    """Raise for the first option of a stage that cannot be meant."""
    for problem, hint in _problems(options):
        raise BadDeclaration(f"stage {name!r}: {problem}", hint=hint)


def _problems(options: dict[str, Any]) -> Iterator[tuple[str, str]]:
    retry, only_if, limit = options["retry"], options["only_if"], options["limit"]
    if isinstance(retry, str) or not isinstance(retry, Sequence):
        yield (
            f"retry={retry!r} is not a list of delays",
            'Write one delay for each further try: retry=["5s", "1m"].',
        )
    if (
        only_if is not None
        and not isinstance(only_if, ColumnElement)
        and not hasattr(only_if, "__clause_element__")
    ):
        yield (
            f"only_if={only_if!r} is not a condition on a column",
            "Write one: only_if=orders.c.paid.is_(True).",
        )
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 1):
        yield (
            f"limit={limit!r} is not a number of attempts",
            "Write how many may be under way at once: limit=20.",
        )
    if not isinstance(options["isolate"], bool):
        yield f"isolate={options['isolate']!r} is neither True nor False", ""
    memory = options["memory"]
    if memory is not None and not (isinstance(memory, str) and MEMORY.fullmatch(memory.strip())):
        yield f"memory={memory!r} is not an amount of memory", 'Write "512MB" or "2GB".'
    if not callable(options["function"]):
        yield f"{options['function']!r} is not a function", ""


def refuse_bare(function: object, decorator: str, example: str) -> None:
    """Raise where a decorator that has options is used without parentheses."""
    if function is not None:
        name = getattr(function, "__name__", repr(function))
        raise BadDeclaration(
            f"@{decorator} of {name} has no options",
            hint=f"Write them in parentheses: @{decorator}({example}).",
        )


def arguments_wanted(function: Callable[..., Any], count: int) -> str | None:
    """What is wrong with the parameters of a function that is called with so many arguments; None where nothing is."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    try:
        signature.bind(*range(count))
    except TypeError:
        called = "(work)" if count == 1 else "(work, what was loaded)"
        return f"takes {signature}, and is called with {called}"
    return None
