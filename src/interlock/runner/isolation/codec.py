"""Outcomes as bytes: how a result leaves an isolated process.

Plain values are JSON; a dataclass, named tuple or enum is the number of its class and its fields. Both sides know the classes that the
stage declares, in the same order, so no name of a class ever travels and decoding imports nothing. Bytes follow the JSON as they are.
"""

from __future__ import annotations

import dataclasses
import json
import struct
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from pathlib import Path, PosixPath, PurePath, PurePosixPath
from typing import Any
from uuid import UUID

from ...workflow import Again, Done, Failed, Found, Outcome

_LENGTH = struct.Struct("!I")
_SCALARS = frozenset({str, int, float, bool, type(None)})
_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


class CannotLeave(Exception):
    """A value that may not leave an isolated process; the text says which and what to do."""


class Undeclared(CannotLeave):
    """An instance of a class that the stage does not declare."""


class Malformed(Exception):
    """Bytes that no codec wrote."""


class _Class:
    """How instances of one declared class become lists of their fields, and lists become instances."""

    def __init__(self, number: int, made: type) -> None:
        self.number, self.made = number, made

    def values(self, value: Any) -> Sequence[Any]:
        raise TypeError(self.made)

    def build(self, values: list[Any]) -> Any:
        raise TypeError(self.made)


class _Dataclass(_Class):
    """The constructor is called with the fields it takes, so what the class checks of itself holds on the other side too."""

    def __init__(self, number: int, made: type) -> None:
        super().__init__(number, made)
        fields = dataclasses.fields(made)
        self._positional = [one.name for one in fields if one.init and not one.kw_only]
        self._named = [one.name for one in fields if one.init and one.kw_only]
        self._set = [one.name for one in fields if not one.init]
        self._names = [*self._positional, *self._named, *self._set]

    def values(self, value: Any) -> list[Any]:
        return [getattr(value, name) for name in self._names]

    def build(self, values: list[Any]) -> Any:
        if len(values) != len(self._names):
            raise Malformed(f"{self.made.__qualname__} has {len(self._names)} fields, not {len(values)}")
        if len(self._positional) == len(values):
            return self.made(*values)
        positional, others = values[: len(self._positional)], values[len(self._positional) :]
        named = dict(zip(self._named, others, strict=False))
        built = self.made(*positional, **named)
        for name, value in zip(self._set, others[len(self._named) :], strict=True):
            object.__setattr__(built, name, value)
        return built


class _NamedTuple(_Class):
    def values(self, value: Any) -> Sequence[Any]:
        return tuple(value)

    def build(self, values: list[Any]) -> Any:
        return self.made(*values)


class _Enum(_Class):
    def values(self, value: Any) -> Sequence[Any]:
        return (value.name,)

    def build(self, values: list[Any]) -> Any:
        return self.made[values[0]]  # type: ignore[index]


def class_kind(made: type) -> type[_Class] | None:
    """How instances of this class travel; None where they cannot."""
    if issubclass(made, Enum):
        return _Enum
    if dataclasses.is_dataclass(made):
        return _Dataclass
    if issubclass(made, tuple) and hasattr(made, "_fields"):
        return _NamedTuple
    return None


_TEXTS: dict[type, tuple[str, Callable[[Any], Any]]] = {
    datetime: ("datetime", datetime.isoformat),
    date: ("date", date.isoformat),
    time: ("time", time.isoformat),
    Decimal: ("decimal", str),
    UUID: ("uuid", str),
    IPv4Address: ("ip4", str),
    IPv6Address: ("ip6", str),
    IPv4Network: ("net4", str),
    IPv6Network: ("net6", str),
    PosixPath: ("path", str),
    PurePosixPath: ("purepath", str),
}
_FROM_TEXT: dict[str, Callable[[str], Any]] = {
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "decimal": Decimal,
    "uuid": UUID,
    "ip4": IPv4Address,
    "ip6": IPv6Address,
    "net4": IPv4Network,
    "net6": IPv6Network,
    "path": Path,
    "purepath": PurePath,
}
_SERIES: dict[type, str] = {list: "l", tuple: "t", set: "s", frozenset: "z", deque: "q"}
_FROM_SERIES: dict[str, Callable[[list[Any]], Any]] = {
    "l": list,
    "t": tuple,
    "s": set,
    "z": frozenset,
    "q": deque,
}
_MAPPINGS: dict[type, str] = {dict: "m", defaultdict: "m", OrderedDict: "o", Counter: "c"}
_FROM_MAPPING: dict[str, Callable[[list[Any]], Any]] = {
    "m": dict,
    "o": OrderedDict,
    "c": lambda pairs: Counter(dict(pairs)),
}


class Codec:
    """Encodes and decodes the outcomes of one stage. An array's first element says what it is: a number is a declared class."""

    def __init__(self, stage: str, classes: Sequence[type] = ()) -> None:
        self.stage = stage
        self._by_class: dict[type, _Class] = {}
        self._by_number: list[_Class] = []
        for made in classes:
            kind = class_kind(made)
            if kind is not None and made not in self._by_class:
                self._by_class[made] = kind(len(self._by_number), made)
                self._by_number.append(self._by_class[made])

    def encode(self, outcome: Outcome[Any]) -> bytes:
        """The outcome as bytes; raises `CannotLeave` where it holds something that is neither plain nor declared."""
        blobs: list[bytes] = []
        try:
            body = _encode([self._outcome(outcome, blobs), [len(blob) for blob in blobs]]).encode("ascii")
        except RecursionError:
            raise CannotLeave("it contains itself, or is nested too deeply") from None
        except ValueError as error:
            raise CannotLeave(str(error)) from error
        return b"".join((_LENGTH.pack(len(body)), body, *blobs))

    def decode(self, payload: bytes) -> Outcome[Any]:
        """The outcome in the bytes that a process sent; raises for anything that `encode` does not write. Imports nothing."""
        (size,) = _LENGTH.unpack_from(payload)
        outcome, lengths = json.loads(payload[_LENGTH.size : _LENGTH.size + size])
        blobs, place = [], _LENGTH.size + size
        for length in lengths:
            if type(length) is not int or not 0 <= length <= len(payload) - place:
                raise Malformed("its bytes are not where it claims")
            blobs.append(payload[place : place + length])
            place += length
        return self._read_outcome(outcome, blobs)

    def _outcome(self, outcome: Outcome[Any], blobs: list[bytes]) -> list[Any]:
        if isinstance(outcome, Again):
            return ["again", outcome.after.total_seconds()]
        facts, result = self._put(dict(outcome.facts), blobs), self._put(outcome.result, blobs)
        if isinstance(outcome, Failed):
            pause = outcome.pause.total_seconds() if isinstance(outcome.pause, timedelta) else outcome.pause
            after = None if outcome.after is None else outcome.after.total_seconds()
            return ["failed", outcome.code, outcome.message, outcome.final, pause, after, facts, result]
        admits = [[self._put(kind, blobs), self._rows(rows, blobs)] for kind, rows in outcome.admits.items()]
        return ["done", outcome.empty, facts, result, admits]

    def _read_outcome(self, parts: list[Any], blobs: list[bytes]) -> Outcome[Any]:
        kind, *rest = parts
        if kind == "again":
            (after,) = rest
            return Again(timedelta(seconds=after))
        if kind == "failed":
            code, message, final, pause, after, facts, result = rest
            failed: Failed[Any] = Failed(
                code,
                message,
                self._get(result, blobs),
                final=final,
                pause=pause if isinstance(pause, bool) else timedelta(seconds=pause),
                after=None if after is None else timedelta(seconds=after),
            )
            failed.facts = self._get(facts, blobs)
            return failed
        if kind != "done":
            raise Malformed(f"{kind!r:.50} is no outcome")
        empty, facts, result, admits = rest
        done: Done[Any] = Done(
            self._get(result, blobs),
            admits={self._get(kind, blobs): self._get(rows, blobs) for kind, rows in admits},
            empty=empty,
        )
        done.facts = self._get(facts, blobs)
        return done

    def _rows(self, rows: Any, blobs: list[bytes]) -> Any:
        """Rows of new records: any mapping is one; what is no list of mappings is judged on the other side."""
        if isinstance(rows, Found):
            return [
                "rows",
                self._rows(rows.rows, blobs),
                *(self._put(one, blobs) for one in (rows.actor, rows.reason)),
            ]
        if isinstance(rows, list | tuple):
            return [
                "l",
                *(self._put(dict(row) if isinstance(row, Mapping) else row, blobs) for row in rows),
            ]
        return self._put(rows, blobs)

    def _put(self, value: Any, blobs: list[bytes]) -> Any:
        kind = type(value)
        if kind in _SCALARS:
            return value
        if (tag := _SERIES.get(kind)) is not None:
            return [tag, *[one if type(one) in _SCALARS else self._put(one, blobs) for one in value]]
        if (known := self._by_class.get(kind)) is not None:
            values = known.values(value)
            return [
                known.number,
                *[one if type(one) in _SCALARS else self._put(one, blobs) for one in values],
            ]
        if (tag := _MAPPINGS.get(kind)) is not None:
            if tag == "m" and all(type(key) is str for key in value):
                return {key: self._put(one, blobs) for key, one in value.items()}
            return [tag, *([self._put(key, blobs), self._put(one, blobs)] for key, one in value.items())]
        return self._put_other(kind, value, blobs)

    def _put_other(self, kind: type, value: Any, blobs: list[bytes]) -> Any:
        if (text := _TEXTS.get(kind)) is not None:
            return [text[0], text[1](value)]
        if kind is bytes or kind is bytearray:
            blobs.append(bytes(value))
            return ["b" if kind is bytes else "y", len(blobs) - 1]
        if kind is timedelta:
            return ["span", value.days, value.seconds, value.microseconds]
        if kind is complex:
            return ["complex", value.real, value.imag]
        if kind is Fraction:
            return ["fraction", value.numerator, value.denominator]
        name = f"{kind.__module__}.{kind.__qualname__}"
        if class_kind(kind) is None:
            raise CannotLeave(
                f"a value of {name} is neither plain nor a dataclass, a named tuple or an enum; return its fields instead"
            )
        raise Undeclared(
            f"{name} is not declared by the stage; name it in the annotation of what {self.stage} returns, or in returns=[…]"
        )

    def _get(self, value: Any, blobs: list[bytes]) -> Any:
        kind = type(value)
        if kind in _SCALARS:
            return value
        if kind is dict:
            return {key: self._get(one, blobs) for key, one in value.items()}
        tag, parts = value[0], value[1:]
        if type(tag) is int:
            if not 0 <= tag < len(self._by_number):
                raise Malformed("it names a class that is not declared")
            return self._by_number[tag].build(self._all(parts, blobs))
        if (series := _FROM_SERIES.get(tag)) is not None:
            return series(self._all(parts, blobs))
        if (mapping := _FROM_MAPPING.get(tag)) is not None:
            return mapping([(self._get(key, blobs), self._get(one, blobs)) for key, one in parts])
        return self._get_other(tag, parts, blobs)

    def _all(self, parts: list[Any], blobs: list[bytes]) -> list[Any]:
        return [one if type(one) in _SCALARS else self._get(one, blobs) for one in parts]

    def _get_other(self, tag: Any, parts: list[Any], blobs: list[bytes]) -> Any:
        if tag in ("b", "y") and type(parts[0]) is int and parts[0] >= 0:
            return blobs[parts[0]] if tag == "b" else bytearray(blobs[parts[0]])
        if tag == "rows":
            rows, actor, reason = (self._get(one, blobs) for one in parts)
            return Found(rows, actor=actor, reason=reason)
        if tag == "span":
            return timedelta(*parts)
        if tag == "complex":
            return complex(*parts)
        if tag == "fraction" and all(type(one) is int for one in parts):
            return Fraction(*parts)
        if tag in _FROM_TEXT and len(parts) == 1 and type(parts[0]) is str:
            return _FROM_TEXT[tag](parts[0])
        raise Malformed(f"{tag!r:.50} is no kind of value")
