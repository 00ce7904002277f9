"""The ledger as an app shows it: history, tail in commit order, verification, seals, exports and proofs, and the past at any instant."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from ..clock import Clock, SystemClock
from ..errors import BadInput, UnknownRecord
from ..machine import State
from ..store.connect import Database
from ..store.ledger import as_of, export
from ..store.ledger import read as ledger
from ..store.ledger.read import Cursor
from ..store.ledger.seals import seals
from ..store.ledger.seals.seal import EntrySeal, Seal
from ..store.ledger.seals.signing import Signer
from ..store.placement import Placement, record_name
from ..store.verify.parallel import Told as Progress
from ..store.verify.verify import Report
from ..workflow import Move, Workflow
from ..workflow.lookup import find_workflow
from .activity import Activity, ActivityReader, window_of
from .invariants import check
from .proofs.archive import Archived, archive
from .proofs.proof import prove, trusted_seals
from .records.own_columns import refuse_page_size


class Ledger:
    """Reads history and seals it; entries are written by the authority alone."""

    def __init__(
        self, database: Database, workflows: Mapping[str, Workflow], clock: Clock | None = None
    ) -> None:
        self.database, self.workflows, self.clock = database, workflows, clock or SystemClock()

    def history(
        self, kind: str | Workflow, id: Any, *, axis: str | None = None, scope: str | None = None
    ) -> list[Move]:
        """Every move of a record, oldest first."""
        with self.database.read() as tx:
            return [
                self._typed(move)
                for move in ledger.history(tx, self._name(kind), self._record(kind, id), axis, scope)
            ]

    def hashes(self, kind: str | Workflow, id: Any) -> dict[tuple[str, str | None, int], str]:
        """The hash of every entry of a record, in hexadecimal, by axis, scope and version."""
        with self.database.read() as tx:
            return ledger.hashes(tx, self._name(kind), self._record(kind, id))

    def entry_seals(self, kind: str | Workflow, id: Any) -> dict[tuple[str, str | None, int], EntrySeal]:
        """The seal over each entry of a record that is sealed, by axis, scope and version."""
        with self.database.read() as tx:
            return seals.of_entries(tx, self._name(kind), self._record(kind, id))

    def tail(
        self,
        after: Cursor | str | None = None,
        *,
        before: Cursor | str | None = None,
        limit: int = 100,
        kind: str | None = None,
    ) -> list[tuple[Cursor, Move]]:
        """Moves after a cursor in commit order; without one the newest ones, or the newest before `before`."""
        refuse_page_size(limit)
        start, end = (
            one if isinstance(one, Cursor | None) else Cursor.parse(str(one)) for one in (after, before)
        )
        if start is not None and end is not None:
            raise BadInput("after and before exclude each other", hint="Name one of them.")
        with self.database.read() as tx:
            if start is None:
                found = ledger.newest(self.database, tx, limit, kind, end)
            else:
                found = ledger.tail(self.database, tx, start, limit, kind)
        return [(cursor, self._typed(move)) for cursor, move in found]

    def verify(
        self,
        kind: str | Workflow | None = None,
        id: Any = None,
        *,
        seals: str | Path | Sequence[Seal] | None = None,
        processes: int = 1,
        progress: Progress | None = None,
    ) -> Report:
        """Verify everything with its seals, one kind, or one record; `seals` were kept elsewhere: copies, or the file they are in.

        A long ledger is parted over so many processes, each on a connection of its own; `progress(done, of)` is called after each.
        """
        name = None if kind is None else self._name(kind)
        kept = trusted_seals(seals) if isinstance(seals, str | Path) else seals or ()
        return check(
            self.database,
            list(self.workflows.values()),
            name,
            None if id is None or kind is None else self._record(kind, id),
            trusted=kept,
            processes=processes,
            progress=progress,
            now=self.clock.now(),
        )

    def seal(self, key: str | Path | None = None) -> Seal | None:
        """Seal what was committed since the last seal; the newest seal, or None where nothing was.

        `key` is a file with an Ed25519 private key in PEM. What is too much for one seal becomes several, each a link of their chain.
        """
        return next(iter(deque(self.sealing(key), maxlen=1)), None)

    def sealing(self, key: str | Path | None = None) -> Iterator[Seal]:
        """The same, with every seal that it makes."""
        return seals.make(self.database, self.clock.now, None if key is None else Signer(key))

    def newest_seal(self) -> Seal | None:
        """The last seal that was made."""
        with self.database.read() as tx:
            return seals.newest(tx)

    def seals(self, after: int = 0, *, limit: int | None = None) -> list[Seal]:
        """The seals behind a number, in order; all, or so many of them."""
        with self.database.read() as tx:
            return list(seals.every(tx, after, limit))

    def export(
        self, *, kind: str | Workflow | None = None, after_seal: int = 0, detail: bool = True
    ) -> Generator[str, None, None]:
        """History as lines of JSON, which anybody can check: all of it, one kind, or what stands behind a seal."""
        name = None if kind is None else self._name(kind)
        with self.database.read() as tx:
            after = next(seals.every(tx, after_seal - 1), None) if after_seal else None
            if after_seal and (after is None or after.number != after_seal):
                raise BadInput(f"there is no seal {after_seal}")
            yield from export.lines(tx, self.clock.now(), kind=name, after=after, detail=detail)

    def prove(self, kind: str | Workflow, id: Any, *, detail: bool = True) -> dict[str, Any]:
        """The proof of one record: its entries, and for each its way up to a seal; JSON that can be checked offline."""
        with self.database.read() as tx:
            proof = prove(tx, self._name(kind), self._record(kind, id), self.clock.now(), detail=detail)
        if proof is None:
            raise UnknownRecord(self._name(kind), id)
        return proof

    def archive(self, before: str, folder: str | Path, *, detail: bool = False) -> list[Archived]:
        """Write the sealed months before this one ("2026-03") into a folder, each as a file with its hash beside it."""
        return archive(self.database, before, folder, detail=detail)

    def as_of(
        self,
        kind: str | Workflow,
        id: Any,
        at: datetime,
        *,
        axis: str | None = None,
        scope: str | None = None,
    ) -> list[Move]:
        """Where a record was at an instant: the move that had put it there, on each axis and scope; empty where it was not."""
        self._refuse_unknown(kind, axis, scope)
        with self.database.read() as tx:
            found = as_of.of_record(tx, self._name(kind), self._record(kind, id), aware(at))
        return [
            self._typed(move) for move in found if axis in (None, move.axis) and scope in (None, move.scope)
        ]

    def counts_as_of(
        self,
        at: datetime,
        kind: str | Workflow | None = None,
        *,
        axis: str | None = None,
        scope: str | None = None,
    ) -> dict[tuple[str, str, str | None, State], int]:
        """How many records were in each state at an instant, by (kind, axis, scope, state). Costs the entries since then, or those
        before if they are fewer; in a process that reads activity, within the last day, those of a few minutes."""
        self._refuse_unknown(kind, axis, scope)
        named = None if kind is None else self._name(kind)
        return {
            place: number
            for place, number in self._activity.held_at(aware(at)).items()
            if named in (None, place[0]) and axis in (None, place[1]) and scope in (None, place[2])
        }

    def activity(self, window: str = "1h", at: datetime | None = None) -> Activity:
        """Flow on every edge within a window that ends at an instant, or now; ages, what is stuck, and moves over the last day."""
        return self._activity.read(window_of(window), None if at is None else aware(at))

    @cached_property
    def _activity(self) -> ActivityReader:
        return ActivityReader(self.database, self.workflows, self.clock)

    def _refuse_unknown(self, kind: str | Workflow | None, axis: str | None, scope: str | None) -> None:
        """An axis or scope that is not there would look as if there had been nothing."""
        if kind is None:
            if axis is not None or scope is not None:
                raise BadInput("an axis or a scope is one of a kind: say the kind too")
            return
        workflow = self.workflows[self._name(kind)]
        chosen = list(workflow.axes.values()) if axis is None else [workflow.axis(axis)]
        if scope is not None and not any(scope in one.scopes for one in chosen):
            known = dict.fromkeys(name for one in chosen for name in one.scopes)
            raise BadInput(
                f"{workflow.name} has no scope {scope!r} there; it has {', '.join(known) or 'none'}"
            )

    def _typed(self, move: Move) -> Move:
        """The move with its id in the type of the record table's key; the ledger keeps ids as text."""
        place = self._places.get(move.kind)
        if place is None or move.id == "":
            return move
        try:
            return replace(move, id=place.id_of(move.id))
        except ValueError:  # an id that no record of this kind can have: somebody wrote past the guards
            return move

    @cached_property
    def _places(self) -> dict[str, Placement]:
        dialect = self.database.dialect
        return {
            name: Placement(one, next(iter(one.axes.values())), dialect)
            for name, one in self.workflows.items()
        }

    def _record(self, kind: str | Workflow, id: Any) -> str:
        return record_name(self.workflows[self._name(kind)], id, self.database.dialect)

    def _name(self, kind: str | Workflow) -> str:
        return find_workflow(self.workflows, kind).name


def aware(at: datetime) -> datetime:
    """The instant in UTC; refuses what is none, and one without a time zone, which could be meant in any."""
    if not isinstance(at, datetime):
        raise BadInput(
            f"{at!r:.80} is not an instant", hint="Such as datetime.now(UTC) + timedelta(hours=1)."
        )
    if at.tzinfo is None:
        raise BadInput(
            f"{at.isoformat()} has no time zone",
            hint="Give it one: datetime(…, tzinfo=UTC), or 2026-01-31T09:00:00Z as text.",
        )
    try:
        return at.astimezone(UTC)
    except OverflowError as error:
        raise BadInput(f"{at.isoformat()} is before the first year or behind the last") from error
