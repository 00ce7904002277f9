"""The ledger as a client sees it, in the app's own database and behind a service: read, verified, sealed, proven."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .. import settings
from ..errors import BadInput, StoreUnavailable, UnknownRecord
from ..observe.ledger import aware
from ..observe.proofs import past
from ..observe.proofs.proof import text_of, trusted_seals
from ..store.ledger.read import Cursor
from ..store.ledger.seals.seal import EntrySeal, Seal
from ..store.verify.seals import compared
from ..store.verify.verify import Finding, Report
from ..workflow import Move
from .api_words import LONG_SECONDS, PAGE, flag, move_of, record_path, value_of
from .contract import Progress
from .convert import plain_move
from .values import Count, Id, PastState

if TYPE_CHECKING:  # requests need httpx, which an app without a service has not
    from .connection import Connection
    from .local import LocalClient

LAST_LINE = '{"end":'


class Ledger(Protocol):
    """History: read, verified, sealed, proven."""

    def history(self, kind: str, id: Id, *, axis: str | None = None, scope: str | None = None) -> list[Move]:
        """Every entry of a record, oldest first."""
        ...

    def hashes(self, kind: str, id: Id) -> dict[tuple[str, str | None, int], str]:
        """The hash of every entry of a record, in hexadecimal, by axis, scope and version."""
        ...

    def entry_seals(self, kind: str, id: Id) -> dict[tuple[str, str | None, int], EntrySeal]:
        """The seal over each entry of a record that is sealed, by axis, scope and version."""
        ...

    def tail(
        self,
        after: Cursor | str | None = None,
        *,
        before: Cursor | str | None = None,
        limit: int = 100,
        kind: str | None = None,
    ) -> list[tuple[Cursor, Move]]:
        """Entries behind a cursor in commit order; without one the newest ones, or the newest before `before`."""
        ...

    def verify(
        self,
        kind: str | None = None,
        id: Id = None,
        *,
        seals: str | Path | None = None,
        processes: int = 1,
        progress: Progress | None = None,
    ) -> Report:
        """Verify all chains and seals, or those of one kind or record; `seals` is a file of seals that were kept elsewhere.

        `processes` and `progress` are for a database; a service decides by itself.
        """
        ...

    def seal(self, key: str | None = None) -> list[Seal]:
        """Seal what was committed since the last seal; the seals that were made. `key` is a file here; a service has its own."""
        ...

    def seals(self, after: int = 0) -> list[Seal]:
        """The seals behind a number, in order."""
        ...

    def export(self, *, kind: str | None = None, after_seal: int = 0, detail: bool = True) -> Iterator[str]:
        """History as lines of JSON that anybody can check."""
        ...

    def prove(self, kind: str, id: Id, *, detail: bool = True) -> str:
        """The proof of one record as JSON text, to be checked offline."""
        ...

    def as_of(
        self, kind: str, id: Id, at: datetime, *, axis: str | None = None, scope: str | None = None
    ) -> list[PastState]:
        """Where a record was at an instant."""
        ...

    def counts_as_of(
        self, at: datetime, kind: str | None = None, *, axis: str | None = None, scope: str | None = None
    ) -> list[Count]:
        """How many records were in each state at an instant."""
        ...


class LocalLedger:
    """The app's own ledger."""

    def __init__(self, client: LocalClient) -> None:
        self.client, self.app = client, client.app

    def history(self, kind: str, id: Id, *, axis: str | None = None, scope: str | None = None) -> list[Move]:
        workflow = self.client.workflow(kind)
        chosen = None if axis is None else workflow.axis(axis).name
        name = self.client.name_of(workflow, id)
        moves = self.app.ledger.history(workflow, name, axis=chosen, scope=scope)
        if not moves and not self.app.ledger.history(workflow, name):
            raise UnknownRecord(workflow.name, str(id))
        return [plain_move(move) for move in moves]

    def hashes(self, kind: str, id: Id) -> dict[tuple[str, str | None, int], str]:
        workflow = self.client.workflow(kind)
        found = self.app.ledger.hashes(workflow, self.client.name_of(workflow, id))
        if not found:
            raise UnknownRecord(workflow.name, str(id))
        return found

    def entry_seals(self, kind: str, id: Id) -> dict[tuple[str, str | None, int], EntrySeal]:
        workflow = self.client.workflow(kind)
        self.hashes(kind, id)  # refuses a record without history
        return self.app.ledger.entry_seals(workflow, self.client.name_of(workflow, id))

    def tail(
        self,
        after: Cursor | str | None = None,
        *,
        before: Cursor | str | None = None,
        limit: int = 100,
        kind: str | None = None,
    ) -> list[tuple[Cursor, Move]]:
        name = None if kind is None else self.client.workflow(kind).name
        moves = self.app.ledger.tail(after, before=before, limit=limit, kind=name)
        return [(cursor, plain_move(move)) for cursor, move in moves]

    def verify(
        self,
        kind: str | None = None,
        id: Id = None,
        *,
        seals: str | Path | None = None,
        processes: int = 1,
        progress: Progress | None = None,
    ) -> Report:
        self.client.workflows()
        record = None
        if kind is not None and id is not None:
            record = self.client.name_of(self.client.workflow(kind), id)
        report = self.app.ledger.verify(kind, record, seals=seals, processes=processes, progress=progress)
        if record is not None and not report.entries and report.ok:
            raise UnknownRecord(str(kind), str(id))
        return report

    def seal(self, key: str | None = None) -> list[Seal]:
        return list(self.app.ledger.sealing(key or settings.load({}).seal_key))

    def seals(self, after: int = 0) -> list[Seal]:
        return self.app.ledger.seals(after)

    def export(self, *, kind: str | None = None, after_seal: int = 0, detail: bool = True) -> Iterator[str]:
        workflow = None if kind is None else self.app.workflow(kind)
        return self.app.ledger.export(kind=workflow, after_seal=after_seal, detail=detail)

    def prove(self, kind: str, id: Id, *, detail: bool = True) -> str:
        workflow = self.client.workflow(kind)
        return text_of(self.app.ledger.prove(workflow, self.client.name_of(workflow, id), detail=detail))

    def as_of(
        self, kind: str, id: Id, at: datetime, *, axis: str | None = None, scope: str | None = None
    ) -> list[PastState]:
        workflow = self.client.workflow(kind)
        name = self.client.name_of(workflow, id)
        moves = self.app.ledger.as_of(workflow, name, aware(at), axis=axis, scope=scope)
        return [PastState(**row) for row in past.stood(map(plain_move, moves))]

    def counts_as_of(
        self, at: datetime, kind: str | None = None, *, axis: str | None = None, scope: str | None = None
    ) -> list[Count]:
        workflow = None if kind is None else self.client.workflow(kind)
        numbers = self.app.ledger.counts_as_of(at, workflow, axis=axis, scope=scope)
        return [Count(*place, number) for place, number in numbers.items()]


class RemoteLedger:
    """The ledger of a service."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def history(self, kind: str, id: Id, *, axis: str | None = None, scope: str | None = None) -> list[Move]:
        query = [("axis", axis), ("scope", scope)]
        answer = self.connection.ask("GET", f"{record_path(kind, id)}/timeline", query=query)
        return [move_of(one) for one in answer["entries"]]

    def hashes(self, kind: str, id: Id) -> dict[tuple[str, str | None, int], str]:
        entries = self.connection.ask("GET", f"{record_path(kind, id)}/timeline")["entries"]
        return {(one["axis"], one["scope"], one["version"]): one["hash"] for one in entries}

    def entry_seals(self, kind: str, id: Id) -> dict[tuple[str, str | None, int], EntrySeal]:
        entries = self.connection.ask("GET", f"{record_path(kind, id)}/timeline")["entries"]
        return {
            (one["axis"], one["scope"], one["version"]): value_of(EntrySeal, one["seal"], "at")
            for one in entries
            if one.get("seal") is not None
        }

    def tail(
        self,
        after: Cursor | str | None = None,
        *,
        before: Cursor | str | None = None,
        limit: int = 100,
        kind: str | None = None,
    ) -> list[tuple[Cursor, Move]]:
        entries: list[tuple[Cursor, Move]] = []
        start, end = (None if one is None else str(one) for one in (after, before))
        while len(entries) < limit:
            size = min(limit - len(entries), PAGE)
            query = [("after", start), ("before", end), ("limit", size), ("kind", kind)]
            answer = self.connection.ask("GET", "/ledger", query=query)
            part = [(Cursor.parse(one["cursor"]), move_of(one)) for one in answer["entries"]]
            entries = entries + part if after is not None else part + entries
            if len(part) < size:
                break
            if after is not None:
                start = answer["next"]
            else:
                end = str(part[0][0])
        return entries

    def verify(
        self,
        kind: str | None = None,
        id: Id = None,
        *,
        seals: str | Path | None = None,
        processes: int = 1,
        progress: Progress | None = None,
    ) -> Report:
        """Verified over there; seals that were kept are compared with the service's here, and are not sent to it."""
        trusted = () if seals is None else trusted_seals(seals)
        query = [("kind", kind), ("id", None if id is None else str(id))]
        answer = self.connection.ask("GET", "/ledger/verify", query=query, seconds=LONG_SECONDS)
        report = Report(
            answer["entries"],
            answer["chains"],
            [value_of(Finding, one) for one in answer["findings"]],
            answer["seals"],
        )
        if trusted:
            every = self.seals()
            report.seals = len(every)
            report.findings += compared(every, trusted)
        return report

    def seal(self, key: str | None = None) -> list[Seal]:
        if key is not None:
            raise BadInput(
                "a private key is not sent to a service: a key needs the database itself",
                hint="Leave out the key: a service signs with its own, seal_key in its interlock.toml or INTERLOCK_SEAL_KEY.",
            )
        answer = self.connection.ask("POST", "/ledger/seals", seconds=LONG_SECONDS)
        return [Seal.from_row(one) for one in answer["seals"]]

    def seals(self, after: int = 0) -> list[Seal]:
        seals: list[Seal] = []
        start: int | None = after
        while start is not None:
            page = self.connection.ask("GET", "/ledger/seals", query=[("after", start), ("limit", PAGE)])
            seals += [Seal.from_row(one) for one in page["seals"]]
            start = page["next"]
        return seals

    def export(self, *, kind: str | None = None, after_seal: int = 0, detail: bool = True) -> Iterator[str]:
        """Line by line; an export ends with a line that says so, and one that does not has broken off."""
        query = [("kind", kind), ("after_seal", after_seal), ("detail", flag(detail))]
        rest, line = b"", ""
        for piece in self.connection.pieces("/ledger/export", query=query):
            *whole, rest = (rest + piece).split(b"\n")
            for one in whole:
                line = one.decode()
                yield line
        if rest or not line.startswith(LAST_LINE):
            raise StoreUnavailable(
                f"the export of {self.connection.url} broke off before its end",
                hint="Ask again: it begins anew.",
            )

    def prove(self, kind: str, id: Id, *, detail: bool = True) -> str:
        path, query = f"{record_path(kind, id)}/proof", [("detail", flag(detail))]
        return self.connection.text(path, query=query, seconds=LONG_SECONDS)

    def as_of(
        self, kind: str, id: Id, at: datetime, *, axis: str | None = None, scope: str | None = None
    ) -> list[PastState]:
        answer = self._past(at, kind, str(id), axis, scope)
        return [value_of(PastState, one, "since") for one in answer["where"]]

    def counts_as_of(
        self, at: datetime, kind: str | None = None, *, axis: str | None = None, scope: str | None = None
    ) -> list[Count]:
        return [value_of(Count, one) for one in self._past(at, kind, None, axis, scope)["counts"]]

    def _past(
        self, at: datetime, kind: str | None, id: str | None, axis: str | None, scope: str | None
    ) -> Any:
        query = [("at", aware(at).isoformat()), ("kind", kind), ("id", id), ("axis", axis), ("scope", scope)]
        return self.connection.ask("GET", "/ledger/as-of", query=query, seconds=LONG_SECONDS)
