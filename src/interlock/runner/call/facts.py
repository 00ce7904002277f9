"""The facts of an outcome: copied when a stage returns, checked against the columns they are meant for before anything is stored."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from sqlalchemy import (
    Boolean,
    Column,
    Date,
    DateTime,
    Double,
    Float,
    Integer,
    Numeric,
    SmallInteger,
    String,
    Uuid,
)

from ...errors import BadInput
from ...store.entry import FACTS_LIMIT, canonical, canonical_facts
from ...workflow import Axis, Workflow
from ...workflow.columns.instant import Instant

JUDGED = "*"
"""The shape of facts that a coordinator has to judge one by one."""
MOST_SHAPES = 1_000
ERRORS = ("error_code", "error_message")

Judge = Callable[[Any], bool | str]
"""A check of one JSON value for one column: True where it is plainly of its type, False where a coordinator has to judge it; a text says
why it cannot be."""

_PLAIN = frozenset({str, int, float, bool, type(None)})
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)?)?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class BadFact(Exception):
    """A fact that cannot be kept; the text names it."""


class CanonicalFacts(dict[str, Any]):
    """Facts as JSON values, with their canonical text."""

    __slots__ = ("text",)

    def __init__(self, values: Mapping[str, Any], text: str) -> None:
        super().__init__(values)
        self.text = text

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as a plain dict: the receiving process makes its own canonical text, because one from another process is not trusted."""
        return dict, (dict(self),)


def copied(facts: Any) -> CanonicalFacts:
    """A deep copy of facts as JSON values; raises `BadFact` for what no ledger can hold."""
    if type(facts) is CanonicalFacts:
        return facts
    try:
        given = dict(facts)
    except Exception as error:
        raise BadFact(f"its facts are no mapping: {type(error).__name__}") from error
    if any(type(name) is not str for name in given):
        if wrong := [name for name in given if not isinstance(name, str)]:
            raise BadFact(f"the name of a fact is text, not {_brief(wrong[0])}")
        given = {str.__str__(name): value for name, value in given.items()}
    text = _text_of(given)
    return CanonicalFacts(given if _PLAIN.issuperset(map(type, given.values())) else json.loads(text), text)


def _text_of(given: dict[str, Any]) -> str:
    try:
        text = canonical_facts(given)
    except Exception as error:
        raise BadFact(_culprit(given) or f"its facts cannot be kept: {_why(error)}") from error
    if "\\u0000" in text or not _PLAIN.issuperset(map(type, given.values())):
        for name, value in given.items():
            if why := _unfit(name) or _unfit(value):
                raise BadFact(f"the fact {_brief(name)} {why}")
    return text


def _culprit(given: dict[str, Any]) -> str | None:
    """The one fact that cannot be written, in words."""
    for name, value in given.items():
        try:
            size = len(canonical({name: value}))
        except Exception as error:  # noqa: BLE001 the value's own class may raise anything
            return f"the fact {_brief(name)} cannot be kept: {_why(error)}"
        if size > FACTS_LIMIT:
            return f"the fact {_brief(name)} takes {size:,} characters; all facts together may take {FACTS_LIMIT:,}"
    return None


def _unfit(value: Any) -> str | None:
    """Why a value that JSON can write is refused all the same."""
    if isinstance(value, str):
        return "holds a null character, which no database keeps" if "\0" in value else None
    if isinstance(value, Mapping):
        if any(not isinstance(key, str) for key in value):
            return "has a key that is no text"
        return next((why for pair in value.items() for part in pair if (why := _unfit(part))), None)
    if isinstance(value, list | tuple | set | frozenset):
        return next((why for part in value if (why := _unfit(part))), None)
    return None


def _why(error: BaseException) -> str:
    return error.message if isinstance(error, BadInput) else type(error).__name__


def _brief(value: Any) -> str:
    try:
        return ascii(value)[:80]
    except Exception:  # noqa: BLE001 a class that cannot even be printed
        return type(value).__name__


class FactColumns:
    """The columns that one stage's facts may fill, and how each value is checked."""

    def __init__(self, workflow: Workflow, axis: Axis, *, wide_integers: bool) -> None:
        table = axis.table
        self._errors = {name: axis.column(name) for name in ERRORS if axis.has(name)}
        self._kept = {*workflow.engine_columns(table), axis.key}
        self._kept -= set(self._errors)
        self._judges: dict[str, Judge] = {
            column.name: _judge(column, wide_integers)
            for column in table.columns
            if column.name not in self._kept
        }
        self._judges |= {name: _judge(column, wide_integers) for name, column in self._errors.items()}
        self._shapes: dict[tuple[str, ...], tuple[list[tuple[str, Judge]], str]] = {}

    def shape(self, facts: Mapping[str, Any]) -> str:
        """The names of the facts that are columns, as JSON; `JUDGED` where one is not plainly of its column's type."""
        names = tuple(facts)
        known = self._shapes.get(names)
        if known is None:
            if len(self._shapes) >= MOST_SHAPES:
                self._shapes.clear()
            known = self._shapes[names] = self._compile(names)
        judged = False
        for name, judge in known[0]:
            answer = judge(facts[name])
            if answer is not True:
                if isinstance(answer, str):
                    raise BadFact(f"the fact {name!r} {answer}")
                judged = True
        return JUDGED if judged else known[1]

    def _compile(self, names: tuple[str, ...]) -> tuple[list[tuple[str, Judge]], str]:
        """What is checked of facts of these names, and their shape; stages return few different sets of names."""
        if kept := sorted(self._kept.intersection(names)):
            raise BadFact(f"the fact {kept[0]!r} is a column that Interlock keeps; no fact may name it")
        columns = [name for name in sorted(names) if name in self._judges]
        return [(name, self._judges[name]) for name in columns], json.dumps(columns, separators=(",", ":"))

    def error_text(self, name: str, text: str, longest: int) -> str:
        """An error's code or message, no longer than its column."""
        column = self._errors.get(name)
        length = getattr(column.type, "length", None) if column is not None else None
        return text[: min(longest, length or longest)]


def _judge(column: Column[Any], wide: bool) -> Judge:
    """How values of this column are checked; types that nobody here knows are left to the coordinator."""
    check = _check_of(column, wide)
    if check is None:
        return _anything
    nullable = bool(column.nullable)

    def judge(value: Any) -> bool | str:
        return (nullable or "may not be null") if value is None else check(value)

    return judge


def _anything(_: Any) -> bool:
    return False


def _check_of(column: Column[Any], wide: bool) -> Judge | None:
    kind = column.type
    if isinstance(kind, Boolean):
        return lambda value: type(value) is bool or "is neither true nor false"
    if isinstance(kind, Integer):
        bits = (
            64
            if wide or kind.__visit_name__ in ("big_integer", "BIGINT")
            else 16
            if isinstance(kind, SmallInteger)
            else 32
        )
        return lambda value: _whole(value, bits)
    if isinstance(kind, Float | Double):
        return lambda value: (
            (type(value) in (int, float) and abs(value) < 1e308) or "is no number that its column can hold"
        )
    if isinstance(kind, Numeric):
        return lambda value: _decimal(value, kind.precision, kind.scale)
    if isinstance(kind, Instant | DateTime):
        return _instant
    if isinstance(kind, Date):
        return _day
    if isinstance(kind, Uuid):
        return _uuid
    if (
        type(kind).__module__.startswith("sqlalchemy")
        and isinstance(kind, String)
        and type(kind).__visit_name__
        in ("string", "text", "unicode", "unicode_text", "VARCHAR", "TEXT", "NVARCHAR", "CHAR")
    ):
        return lambda value: _text(value, kind.length)
    return None


def _whole(value: Any, bits: int) -> bool | str:
    if type(value) is not int:
        return "is no whole number"
    return (
        -(1 << bits - 1) <= value < 1 << bits - 1
        or f"is a number larger than its column can hold ({bits} bits)"
    )


def _decimal(value: Any, precision: int | None, scale: int | None) -> bool | str:
    if type(value) is float:
        return False
    try:
        number = Decimal(value) if type(value) in (int, str) else None
    except InvalidOperation:
        number = None
    if number is None or not number.is_finite():
        return "is no decimal number"
    if precision is not None and number and number.copy_abs().adjusted() >= precision - (scale or 0):
        return f"is larger than its column can hold ({precision} digits, {scale or 0} of them decimal)"
    return type(value) is int or re.fullmatch(r"-?\d{1,400}(?:\.\d{1,400})?", value) is not None


def _instant(value: Any) -> bool | str:
    return _parsed(value, datetime.fromisoformat, _ISO, "is no instant in ISO form")


def _day(value: Any) -> bool | str:
    return _parsed(value, date.fromisoformat, _DAY, "is no date in ISO form")


def _parsed(value: Any, parse: Callable[[str], Any], plain: re.Pattern[str], otherwise: str) -> bool | str:
    if type(value) is not str:
        return otherwise
    try:
        parse(value)
    except ValueError:
        return otherwise
    return plain.fullmatch(value) is not None


def _uuid(value: Any) -> bool | str:
    try:
        return str(UUID(value)) == value.lower() if type(value) is str else "is no UUID"
    except ValueError:
        return "is no UUID"


def _text(value: Any, length: int | None) -> bool | str:
    if type(value) is not str:
        return "is no text"
    return (
        length is None or len(value) <= length or f"is longer than its column can hold ({length} characters)"
    )
