"""What came of a piece of work, as plain values: done, failed, or again later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Generic, TypeVar

from ..errors import BadDeclaration
from .durations import Span, bounded_span

R = TypeVar("R")
Row = Mapping[str, Any]


class Found:
    """New records for `Done(admits=…)` that are admitted by an actor and for a reason of their own; several may stand in one list."""

    __slots__ = ("actor", "reason", "rows")

    def __init__(
        self, rows: Sequence[Row], /, *, actor: str | None = None, reason: str | None = None
    ) -> None:
        self.rows, self.actor, self.reason = rows, actor, reason

    def __repr__(self) -> str:
        return f"Found({len(self.rows)} rows, actor={self.actor!r}, reason={self.reason!r})"


class Done(Generic[R]):
    """The work succeeded; facts go into the event, and onto the record where it has such columns."""

    __slots__ = ("admits", "empty", "facts", "result")

    def __init__(
        self,
        result: R | None = None,
        /,
        *,
        admits: Mapping[str, Sequence[Row | Found] | Found] | None = None,
        empty: bool | None = None,
        **facts: Any,
    ) -> None:
        if admits is not None and not isinstance(admits, Mapping):
            raise BadDeclaration(
                f"admits={admits!r:.100} does not name the kind of the new records",
                hint='Write Done(admits={"pages": [{"url": "…"}]}).',
            )
        self.result = result
        self.admits: Mapping[str, Sequence[Row | Found] | Found] = dict(admits or {})
        self.empty = empty
        self.facts = facts

    def __repr__(self) -> str:
        return f"Done({', '.join(f'{name}={value!r}' for name, value in self.facts.items())})"


class Failed(Generic[R]):
    """The work failed, with a code people can group by; `final` is not tried again. `after` is the shortest time until its next try, for
    who was told when to come back: the stage's own delay holds where it is longer, and the try counts as every other."""

    __slots__ = ("after", "code", "facts", "final", "message", "pause", "result")

    def __init__(
        self,
        code: str,
        message: str = "",
        result: R | None = None,
        /,
        *,
        final: bool = False,
        pause: Span | bool = False,
        after: Span | None = None,
        **facts: Any,
    ) -> None:
        self.code, self.message, self.result, self.final = code, message, result, final
        self.pause: timedelta | bool = pause if isinstance(pause, bool) else bounded_span(pause)
        self.after = None if after is None else bounded_span(after)
        self.facts = facts

    def __repr__(self) -> str:
        return f"Failed({self.code!r}, {self.message!r}{', final=True' if self.final else ''})"


class Again:
    """Not now: try later. It costs no try."""

    __slots__ = ("after",)

    def __init__(self, after: Span, /) -> None:
        self.after = bounded_span(after)

    def __repr__(self) -> str:
        return f"Again({self.after})"


Outcome = Done[R] | Failed[R] | Again
