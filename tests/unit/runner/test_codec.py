"""Every plain value that leaves an isolated process arrives as it was, and bytes that nobody encoded are refused."""

from __future__ import annotations

import json
import math
import struct
from collections import Counter, OrderedDict, deque
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from ipaddress import ip_address, ip_network
from pathlib import Path, PurePosixPath
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from interlock import Again, Done, Failed, Found
from interlock.runner.isolation.codec import CannotLeave, Codec, Undeclared
from interlock.workflow.durations import LONGEST


@dataclass
class Pair:
    left: Any
    right: Any = None


CODEC = Codec("parse", [Pair])
PLAIN: list[Any] = [
    None,
    True,
    -1,
    2**200,
    1.5,
    math.inf,
    "",
    "ü\ud800\0",
    b"",
    b"\0\xff",
    bytearray(b"x"),
    [],
    [1, [2, [None]]],
    (1, (2,)),
    {1, 2},
    frozenset({"a"}),
    deque([1, 2]),
    {},
    {"l": 1, "": {"b": b"x"}},
    {1: "one", (1, 2): [3], None: 0},
    OrderedDict([("b", 1), ("a", 2)]),
    Counter({"a": 2}),
    datetime(2026, 1, 31, 1, 2, 3, 4, tzinfo=UTC),
    datetime(2026, 1, 31, tzinfo=timezone(timedelta(hours=5, minutes=30))),
    datetime(2026, 1, 31),  # noqa: DTZ001
    date(2026, 1, 31),
    time(1, 2, 3, 4),
    timedelta(days=-1, microseconds=7),
    Decimal("-1.50"),
    Decimal("Infinity"),
    Fraction(1, 3),
    1 + 2j,
    UUID(int=7),
    ip_address("10.0.0.1"),
    ip_network("2001:db8::/32"),
    Path("/a/b"),
    PurePosixPath("c"),
    Pair(1, Pair("x", [Pair(None)])),
]


@pytest.mark.parametrize("value", PLAIN, ids=lambda value: type(value).__name__)
def test_a_plain_value_arrives_as_it_was(value: Any) -> None:
    for outcome in (Done(value), Done([value, {"deep": value}]), Failed("C", "m", value)):
        arrived: Any = CODEC.decode(CODEC.encode(outcome))
        assert arrived.result == outcome.result
        assert type(arrived.result) is type(outcome.result)


def test_everything_else_of_an_outcome_arrives_too() -> None:
    done: Any = CODEC.decode(
        CODEC.encode(
            Done(
                1,
                admits={
                    "pages": [{"url": "u", "at": date(2026, 1, 1)}],
                    "files": Found([{"a": 1}], actor="x", reason="y"),
                },
                empty=True,
                count=1,
            )
        )
    )
    assert (done.result, done.empty, done.facts) == (1, True, {"count": 1})
    assert done.admits["pages"] == [{"url": "u", "at": date(2026, 1, 1)}]
    assert [(one.rows, one.actor, one.reason) for one in [done.admits["files"]]] == [([{"a": 1}], "x", "y")]
    failed: Any = CODEC.decode(CODEC.encode(Failed("C", "m", final=True, pause="1h", a=[1])))
    assert (failed.code, failed.message, failed.final, failed.pause, failed.facts) == (
        "C",
        "m",
        True,
        timedelta(hours=1),
        {"a": [1]},
    )
    paused: Any = CODEC.decode(CODEC.encode(Failed("C", pause=True)))
    assert (paused.pause, paused.after) == (True, None)
    told: Any = CODEC.decode(CODEC.encode(Failed("C", after="90s")))
    assert (told.pause, told.after) == (False, timedelta(seconds=90))
    again: Any = CODEC.decode(CODEC.encode(Again("90s")))
    assert again.after == timedelta(seconds=90)


def test_a_delay_beyond_every_date_is_bounded_where_it_arrives() -> None:
    forged = b'[["again",999999999999],[]]'
    arrived: Any = CODEC.decode(struct.pack("!I", len(forged)) + forged)
    assert arrived.after == LONGEST


class Own(dict[str, int]):
    """A mapping of the stage's own."""


CYCLE: list[Any] = []
CYCLE.append(CYCLE)


@dataclass
class Unnamed:
    value: int


@pytest.mark.parametrize(
    "value", [object(), Own(a=1), len, Done, 10**5000, CYCLE], ids=lambda value: type(value).__name__
)
def test_what_is_neither_plain_nor_declared_cannot_leave(value: Any) -> None:
    with pytest.raises(CannotLeave):
        CODEC.encode(Done(value))


def test_an_undeclared_class_is_named() -> None:
    with pytest.raises(
        Undeclared, match=r"Unnamed is not declared by the stage; name it in the annotation of what parse"
    ):
        CODEC.encode(Done({"deep": [Unnamed(1)]}))


TAGS = [*"ltsmocby", "rows", "span", "date", "decimal", "complex", "done", "failed", "again"]
JSON = some.recursive(
    some.one_of(
        some.none(),
        some.booleans(),
        some.integers(-3, 99),
        some.floats(),
        some.sampled_from(TAGS),
    ),
    lambda inner: some.one_of(
        some.lists(inner, max_size=5), some.dictionaries(some.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=20,
)


@settings(max_examples=300, deadline=None)
@given(
    outcome=some.one_of(JSON, some.lists(JSON, min_size=2, max_size=7)),
    lengths=JSON,
    tail=some.binary(max_size=20),
)
def test_bytes_that_nobody_encoded_give_an_outcome_or_raise_an_ordinary_exception(
    outcome: Any, lengths: Any, tail: bytes
) -> None:
    body = json.dumps([outcome, lengths]).encode()
    try:
        arrived = CODEC.decode(struct.pack("!I", len(body)) + body + tail)
    except Exception:  # noqa: BLE001 the runner refuses the result, whichever it is
        return
    assert isinstance(arrived, Done | Failed | Again)
