"""Adoptions as a client sees them, here and behind a service: one contract, two implementations."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from ..adopt.adoptions import AdoptionState
from ..adopt.backfill import CHUNK, BackfillProgress, LeftOver
from ..adopt.compare import Comparison, Disagreement
from ..adopt.scan import Scan, ValueCount
from ..clock import Clock
from ..store.records.duplicates import Duplicate
from ..workflow.columns.instant import parse_instant
from ..workflow.durations import span
from .api_words import segment, value_of

if TYPE_CHECKING:  # requests need httpx, which an app without a service has not
    from .connection import Connection
    from .local import LocalClient

Tell = Callable[[BackfillProgress], None]
_INSTANTS = ("since", "compared_at", "clean_since", "last_stray")


class Adoptions(Protocol):
    """Tables that had rows before Interlock. Where a kind has one axis that is adopted, it need not be named."""

    def list(self) -> list[AdoptionState]:
        """How far each adoption has come."""
        ...

    def scan(self, kind: str, axis: str | None = None) -> Scan:
        """What the rows would become, and what hinders it; reads only."""
        ...

    def preview(self, kind: str, axis: str | None = None) -> BackfillProgress:
        """What a backfill would write; nothing is written."""
        ...

    def backfill(
        self,
        kind: str,
        axis: str | None = None,
        *,
        chunk: int = CHUNK,
        rate: int | None = None,
        take_over: bool = False,
        tell: Tell | None = None,
    ) -> BackfillProgress:
        """Adopt chunk after chunk until the end; `rate` is at most so many rows a second."""
        ...

    def compare(self, kind: str, axis: str | None = None) -> Comparison:
        """Compare flags and states of every row."""
        ...

    def follow(self, kind: str, axis: str | None = None) -> int:
        """Write an entry wherever flags changed after a row was adopted; how many."""
        ...

    def cutover(
        self,
        kind: str,
        to: str,
        axis: str | None = None,
        *,
        reason: str,
        accept_left: bool = False,
        no_readers: bool = False,
        quiet: str | None = None,
    ) -> AdoptionState:
        """Lead an adoption to the next phase, or one back."""
        ...

    def pause(self, kind: str, axis: str | None = None, *, paused: bool = True) -> None:
        """Let no further chunk be adopted, or let it go on."""
        ...

    def drop_flags(self, kind: str, axis: str | None = None) -> builtins.list[str]:
        """Remove the columns that `Adopt(flags=…)` names, in the last phase; the names of those that were there."""
        ...


class LocalAdoptions:
    """The adoptions of the app in this process."""

    def __init__(self, client: LocalClient) -> None:
        self.client, self.app = client, client.app

    def list(self) -> list[AdoptionState]:
        self.client.workflows()
        return self.app.adoptions.status() if self.app.adoptions.axes() else []

    def scan(self, kind: str, axis: str | None = None) -> Scan:
        self.client.workflow(kind)
        return self.app.adoptions.scan(kind, axis)

    def preview(self, kind: str, axis: str | None = None) -> BackfillProgress:
        self.client.workflow(kind)
        return self.app.adoptions.preview(kind, axis, actor=self.client.actor)

    def backfill(
        self,
        kind: str,
        axis: str | None = None,
        *,
        chunk: int = CHUNK,
        rate: int | None = None,
        take_over: bool = False,
        tell: Tell | None = None,
    ) -> BackfillProgress:
        self.client.workflow(kind)
        return self.app.adoptions.backfill(
            kind, axis, actor=self.client.actor, chunk=chunk, rate=rate, take_over=take_over, tell=tell
        )

    def compare(self, kind: str, axis: str | None = None) -> Comparison:
        self.client.workflow(kind)
        return self.app.adoptions.compare(kind, axis)

    def follow(self, kind: str, axis: str | None = None) -> int:
        self.client.workflow(kind)
        return self.app.adoptions.follow(kind, axis, actor=self.client.actor)

    def cutover(
        self,
        kind: str,
        to: str,
        axis: str | None = None,
        *,
        reason: str,
        accept_left: bool = False,
        no_readers: bool = False,
        quiet: str | None = None,
    ) -> AdoptionState:
        self.client.workflows()
        return self.app.adoptions.cutover(
            kind,
            to,
            axis,
            actor=self.client.actor,
            role="operator",
            reason=reason,
            accept_left=accept_left,
            no_readers=no_readers,
            quiet=None if quiet is None else span(quiet),
        )

    def pause(self, kind: str, axis: str | None = None, *, paused: bool = True) -> None:
        self.client.workflow(kind)
        self.app.adoptions.pause(kind, axis, paused=paused)

    def drop_flags(self, kind: str, axis: str | None = None) -> builtins.list[str]:
        self.client.workflows()
        return self.app.adoptions.drop_flags(kind, axis)


class RemoteAdoptions:
    """The adoptions of a service; each request adopts a few chunks."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        self.connection, self.clock = connection, clock

    def _ask(self, method: str, kind: str, act: str, axis: str | None, body: Any = None) -> Any:
        path = f"/{segment(kind)}/adoption/{act}"
        if method == "GET":
            return self.connection.ask("GET", path, query=[] if axis is None else [("axis", axis)])
        return self.connection.ask(method, path, body={"axis": axis, **(body or {})})

    def list(self) -> list[AdoptionState]:
        rows = self.connection.ask("GET", "/adoptions")["adoptions"]
        return [value_of(AdoptionState, one, *_INSTANTS) for one in rows]

    def scan(self, kind: str, axis: str | None = None) -> Scan:
        row = self._ask("GET", kind, "scan", axis)
        return value_of(
            Scan,
            {
                **row,
                "values": tuple(value_of(ValueCount, one) for one in row["values"]),
                "duplicates": tuple(
                    Duplicate(tuple(one["key"]), tuple(one["ids"])) for one in row["duplicates"]
                ),
                "missing_columns": tuple(row["missing_columns"]),
            },
        )

    def preview(self, kind: str, axis: str | None = None) -> BackfillProgress:
        return _progress_of(self._ask("GET", kind, "preview", axis))

    def backfill(
        self,
        kind: str,
        axis: str | None = None,
        *,
        chunk: int = CHUNK,
        rate: int | None = None,
        take_over: bool = False,
        tell: Tell | None = None,
    ) -> BackfillProgress:
        before = 0
        while True:
            body = {"chunk": chunk, "chunks": 1 if rate else 5, "take_over": take_over}
            progress = _progress_of(self._ask("POST", kind, "backfill", axis, body))
            take_over = False
            if tell is not None:
                tell(progress)
            if progress.finished:
                return progress
            if rate:
                self.clock.sleep(max(0, progress.written - before) / rate)
            before = progress.written

    def compare(self, kind: str, axis: str | None = None) -> Comparison:
        row = self._ask("POST", kind, "compare", axis)
        examples = tuple(value_of(Disagreement, one) for one in row["examples"])
        return value_of(Comparison, {**row, "examples": examples, "at": parse_instant(row["at"])})

    def follow(self, kind: str, axis: str | None = None) -> int:
        return int(self._ask("POST", kind, "follow", axis)["followed"])

    def cutover(
        self,
        kind: str,
        to: str,
        axis: str | None = None,
        *,
        reason: str,
        accept_left: bool = False,
        no_readers: bool = False,
        quiet: str | None = None,
    ) -> AdoptionState:
        body = {
            "to": str(to),
            "reason": reason,
            "accept_left": accept_left,
            "no_readers": no_readers,
            "quiet": quiet,
        }
        return value_of(AdoptionState, self._ask("POST", kind, "cutover", axis, body), *_INSTANTS)

    def pause(self, kind: str, axis: str | None = None, *, paused: bool = True) -> None:
        self._ask("POST", kind, "pause" if paused else "resume", axis)

    def drop_flags(self, kind: str, axis: str | None = None) -> builtins.list[str]:
        return builtins.list(self._ask("POST", kind, "drop-flags", axis)["dropped"])


def _progress_of(row: Mapping[str, Any]) -> BackfillProgress:
    """A service of an earlier version names nothing that is left over."""
    left = tuple(value_of(LeftOver, one) for one in row.get("left", ()))
    return value_of(BackfillProgress, {**row, "left": left})
