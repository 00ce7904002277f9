"""The classes that a stage declares for its results: named in its annotations or in `returns`, with the classes of their fields."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any

from ...errors import BadDeclaration
from ...workflow import Stage
from .codec import Codec, class_kind


def codec_of(stage: Stage) -> Codec:
    """The codec of one stage; raises `BadDeclaration` for a class in `returns` that cannot leave a process."""
    named: tuple[Any, ...] = stage.returns
    for made in named:
        if not isinstance(made, type) or class_kind(made) is None:
            raise BadDeclaration(
                f"stage {stage.name!r} returns {getattr(made, '__qualname__', made)!r}, which cannot leave an isolated process",
                hint="Name dataclasses, named tuples and enums; return everything else as plain values.",
            )
    return Codec(stage.name, list(_classes([*stage.returns, *_annotations(stage)])))


def _annotations(stage: Stage) -> Iterable[Any]:
    """What the function returns, and what its save takes, where the annotations can be read."""
    yield _annotation(stage.function, "return")
    for saver in (stage.saver, stage.group_saver):
        if saver is not None:
            names = list(getattr(saver, "__annotations__", ()))
            for name in names:
                if name != "return":
                    yield _annotation(saver, name)


def _annotation(function: Callable[..., Any], name: str) -> Any:
    """One annotation, evaluated where its function was defined; None where there is none, or where it names what only type checkers
    see."""
    while isinstance(function, functools.partial):
        function = function.func
    if not inspect.isroutine(function) and not hasattr(function, "__annotations__"):
        function = type(function).__call__
    function = inspect.unwrap(function)
    annotation = getattr(function, "__annotations__", {}).get(name)
    return _evaluated(annotation, getattr(function, "__globals__", {}), _enclosed(function))


def _enclosed(function: Any) -> dict[str, Any]:
    """The names of enclosing functions that this one uses."""
    names = getattr(getattr(function, "__code__", None), "co_freevars", ())
    enclosed = {}
    for name, cell in zip(names, getattr(function, "__closure__", None) or (), strict=False):
        try:
            enclosed[name] = cell.cell_contents
        except ValueError:
            continue  # not filled yet
    return enclosed


def _evaluated(annotation: Any, names: dict[str, Any], inner: dict[str, Any]) -> Any:
    if not isinstance(annotation, str):
        return annotation
    holder = types.SimpleNamespace(__annotations__={"it": annotation})
    try:
        return typing.get_type_hints(holder, names, inner)["it"]
    except Exception:  # noqa: BLE001 names that exist for type checkers only; what is missing is refused by name when it is returned
        return None


def _classes(annotations: Iterable[Any]) -> Iterable[type]:
    """Every class that the annotations name, each once, with those that their fields name."""
    met: set[Any] = set()
    waiting = [one for one in annotations if one is not None]
    while waiting:
        one = waiting.pop(0)
        waiting += typing.get_args(one)
        made = one if isinstance(one, type) else typing.get_origin(one)
        if not isinstance(made, type) or made in met:
            continue
        met.add(made)
        if class_kind(made) is not None:
            yield made
            waiting += _fields(made)


def _fields(made: type) -> list[Any]:
    """The annotations of a class's fields."""
    try:
        return list(typing.get_type_hints(made).values())
    except Exception:  # noqa: BLE001 as above: each one apart
        names = [one.name for one in dataclasses.fields(made)] if dataclasses.is_dataclass(made) else []
        module = vars(inspect.getmodule(made) or made)
        each = [_evaluated(_field(made, name), module, {}) for name in names]
        return [one for one in each if one is not None]


def _field(made: type, name: str) -> Any:
    """The annotation of one field, as it is in the class that declares it."""
    every = [inspect.get_annotations(one) for one in made.__mro__]
    return next((annotations[name] for annotations in every if name in annotations), None)
