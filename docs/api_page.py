"""The page about the public names, from their signatures and docstrings."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import interlock
from interlock.observe.ledger import Ledger
from interlock.workflow import When

OPENING = """# API

<!-- Written by `make docs` from the code; a change belongs there. -->

Everything that `interlock` exports, in alphabetical order, and what is reached through it. Whatever is not here may change without notice.
Errors are in [their own page](errors.md). `State` is `str | None`: null is a state. `Kind` is a workflow or its name. `Row` is a mapping of
column names to values. A `Span` is `"30s"`, `"5m"`, `"2d"` or a timedelta.
"""
WIDE = 110


def page() -> str:
    parts = [
        OPENING,
        *(section(name, getattr(interlock, name)) for name in interlock.__all__),
        section("App.ledger", Ledger),
        section("When", When),
    ]
    return "\n".join(parts).rstrip() + "\n"


def section(name: str, value: Any) -> str:
    if not (inspect.isclass(value) or inspect.isfunction(value)):
        return f"## {name}\n\n`{name} = {written(value)}`\n"
    shown = name.rpartition(".")[2]
    head = f"## {name}\n\n```text\n{signature(shown, value)}\n```\n\n{inspect.getdoc(value) or ''}\n"
    return head + "".join(f"\n{part}" for part in members(value)) if inspect.isclass(value) else head


def members(kind: type) -> Iterator[str]:
    """The public methods and properties that a class declares itself, in the order in which they stand."""
    for name, value in vars(kind).items():
        if name.startswith("_") or not (text := inspect.getdoc(value)):
            continue
        if isinstance(value, property):
            yield f"- `{name}`: {joined(text)}\n"
        elif inspect.isfunction(value) or isinstance(value, classmethod | staticmethod):
            plain = value if inspect.isfunction(value) else value.__func__
            yield f"```text\n{signature(name, plain)}\n```\n\n{text}\n"


def signature(name: str, value: Any) -> str:
    """The call as one writes it; over several lines where one would be too long."""
    found = inspect.signature(value)
    told = parameters([one for one in found.parameters.values() if one.name not in ("self", "cls")])
    answer = (
        ""
        if inspect.isclass(value) or found.return_annotation is found.empty
        else f" -> {annotation(found.return_annotation)}"
    )
    line = f"{name}({', '.join(told)}){answer}"
    return (
        line if len(line) <= WIDE else "\n".join([f"{name}(", *(f"    {one}," for one in told), f"){answer}"])
    )


def parameters(found: list[inspect.Parameter]) -> list[str]:
    told: list[str] = []
    for place, one in enumerate(found):
        before = found[place - 1].kind if place else None
        if before is one.POSITIONAL_ONLY and one.kind is not one.POSITIONAL_ONLY:
            told.append("/")
        if one.kind is one.KEYWORD_ONLY and before not in (one.KEYWORD_ONLY, one.VAR_POSITIONAL):
            told.append("*")
        stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        kind = "" if one.annotation is one.empty else f": {annotation(one.annotation)}"
        default = "" if one.default is one.empty else f"{' = ' if kind else '='}{default_of(one.default)}"
        told.append(f"{stars}{one.name}{kind}{default}")
    if found and found[-1].kind is inspect.Parameter.POSITIONAL_ONLY:
        told.append("/")
    return told


def default_of(value: Any) -> str:
    """A default that is made anew for each call has no name of its own."""
    text = repr(value)
    return "…" if " object at 0x" in text or text == "<factory>" else text


def annotation(value: Any) -> str:
    return value if isinstance(value, str) else getattr(value, "__name__", str(value))


def written(value: Any) -> str:
    return str(value).replace("interlock.workflow.outcome.", "").replace("~", "")


def joined(text: str) -> str:
    return " ".join(text.split())
