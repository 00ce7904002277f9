"""What there is to know about uploads, asked once for every surface: the HTTP API and the commands show these same answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Text, and_, case, cast, func, not_, or_, select, tuple_

from interlock import App, Workflow
from interlock.errors import UnknownRecord, ValueNotAllowed
from interlock.extension import OpenAttempt

from ..exports.contract import COLUMNS
from ..tables import observations, transactions
from . import viewing
from .doubtful import is_in_doubt
from .events import events_of
from .stored_logs import Logs
from .storing import transactions_page

CHUNK, ROWS = 500, 1000
"""Ids in one statement, and rows that are read at once."""
Json = dict[str, Any]
Place = tuple[datetime, str]


class Page(NamedTuple):
    """Rows, and whether there are more behind the last."""

    rows: list[Json]
    more: bool


class Totals(NamedTuple):
    """What the first transactions of an upload come to. `marks`: how many carry which flags; `amounts`: how many are of which currency and
    amount; `outside`: how many lie on days outside of a period; `more`: there are others behind them."""

    number: int
    more: bool
    marks: list[tuple[tuple[str, ...], int]]
    amounts: list[tuple[str, str, int]]
    outside: int

    def flagged(self, flag: str) -> int:
        """How many transactions carry a flag."""
        return sum(rows for marks, rows in self.marks if flag in marks)


class Uploads:
    """The uploads of one app."""

    def __init__(self, app: App, workflow: Workflow) -> None:
        self.app, self.workflow = app, workflow
        self.table, self.machine = workflow.records, workflow.axes["status"].machine

    def row(self, upload_id: str) -> Json:
        """The record itself; nothing of it leaves but through a view."""
        return self.app.get(self.workflow, upload_id)

    def upload(self, upload_id: str) -> Json:
        with self.app.database.read() as tx:
            found = (
                tx.execute(select(self.table).where(self.table.c.upload_id == upload_id)).mappings().first()
            )
            if found is None:
                raise UnknownRecord(self.workflow.name, upload_id)
            return viewing.upload(dict(found), self._attempts(tx, [upload_id]).get(upload_id))

    def uploads(
        self,
        *,
        status: str | None = None,
        in_doubt: bool = False,
        limit: int = 50,
        after: Place | None = None,
    ) -> Page:
        """The newest first: those of one status, those in doubt, or all."""
        table = self.table.c
        asked = select(self.table).order_by(table.created_at.desc(), table.upload_id.desc()).limit(limit + 1)
        if status is not None:
            asked = asked.where(table.status == self.known(status))
        if in_doubt:
            asked = asked.where(is_in_doubt())
        if after is not None:
            asked = asked.where(tuple_(table.created_at, table.upload_id) < after)
        with self.app.database.read() as tx:
            rows = tx.execute(asked).mappings().all()
            attempts = self._attempts(tx, [row["upload_id"] for row in rows])
        return Page(
            [viewing.upload(dict(row), attempts.get(row["upload_id"])) for row in rows[:limit]],
            len(rows) > limit,
        )

    def known(self, status: str) -> str:
        if status not in self.machine.states:
            states = [str(state) for state in self.machine.states]
            raise ValueNotAllowed(
                f"there is no status {status[:100]!r}", hint=f"There is {', '.join(states)}.", allowed=states
            )
        return status

    def observations(self, upload_id: str, *, after: int = -1, limit: int = 100) -> Page:
        self.row(upload_id)
        table = observations.c
        asked = (
            select(*(table[name] for name in viewing.OBSERVATION))
            .where(table.upload_id == upload_id, table.row_id > after)
            .order_by(table.row_id)
            .limit(limit + 1)
        )
        with self.app.database.read() as tx:
            rows = [dict(row) for row in tx.execute(asked).mappings()]
        return Page(rows[:limit], len(rows) > limit)

    def transactions(self, *, upload_id: str | None = None, after: int = 0, limit: int = 100) -> Page:
        if upload_id is not None:
            self.row(upload_id)
        with self.app.database.read() as tx:
            rows = transactions_page(tx, after=after, limit=limit + 1, upload_id=upload_id)
            return Page(self._views(tx, rows[:limit]), len(rows) > limit)

    def totals(self, upload_id: str, most: int, period: tuple[str, str] | None = None) -> Totals:
        """What at most so many transactions of an upload come to, counted by the database: no row of them is read."""
        table = transactions.c
        own = table.upload_id == upload_id
        part = (
            select(cast(table.flags, Text).label("flags"), table.currency, table.amount, table.date)
            .where(own)
            .order_by(table.insertion_sequence)
            .limit(most)
            .subquery()
        )
        flags = select(part.c.flags, func.count()).group_by(part.c.flags)
        amounts = select(part.c.currency, part.c.amount, func.count()).group_by(
            part.c.currency, part.c.amount
        )
        outside = 0
        with self.app.database.read() as tx:
            count = int(tx.execute(select(func.count()).select_from(transactions).where(own)).scalar_one())
            marks = [(tuple(json.loads(text)), number) for text, number in tx.execute(flags)]
            of_amounts = [(code, amount, number) for code, amount, number in tx.execute(amounts)]
            if period is not None:
                first, last = map(date.fromisoformat, period)
                asked = select(func.count()).select_from(part).where(not_(part.c.date.between(first, last)))
                outside = int(tx.execute(asked).scalar_one())
        return Totals(min(count, most), count > most, marks, of_amounts, outside)

    def every_transaction(self, *, upload_id: str | None = None) -> Iterator[Json]:
        """All of them as one look finds them, page by page, so that an export of millions keeps only one page in memory."""
        after = 0
        with self.app.database.read() as tx:
            while rows := transactions_page(tx, after=after, limit=ROWS, upload_id=upload_id):
                yield from self._views(tx, rows)
                after = int(rows[-1]["insertion_sequence"])

    def _views(self, tx: Connection, rows: Sequence[Json]) -> list[Json]:
        """Transactions with the name of their file, and whether they are outdated: what an earlier reading made of an upload that is read
        again or failed."""
        table, ids = self.table.c, list({row["upload_id"] for row in rows})
        failed = and_(table.status == "error", table.failed_from.in_(viewing.BEFORE_NORMALIZING))
        is_outdated = case((or_(table.status.in_(viewing.BEFORE_NORMALIZED), failed), 1), else_=0)
        known: dict[str, Json] = {}
        for start in range(0, len(ids), CHUNK):
            asked = select(table.upload_id, table.file_name, is_outdated)
            for one, name, outdated in tx.execute(
                asked.where(table.upload_id.in_(ids[start : start + CHUNK]))
            ):
                known[one] = {"file_name": name, "is_outdated": bool(outdated)}
        gone = {"file_name": "", "is_outdated": True}  # erased between the two statements
        return [
            {**{name: row[name] for name in COLUMNS}, **known.get(row["upload_id"], gone)} for row in rows
        ]

    def timeline(self, upload_id: str) -> list[Json]:
        self.row(upload_id)
        return [viewing.timeline_entry(move) for move in self.app.ledger.history(self.workflow, upload_id)]

    def warnings(self, upload_id: str) -> Json:
        """What is in doubt about it, from its latest parse."""
        row, log = self.row(upload_id), Logs(self.app, self.workflow).details(upload_id)
        return {
            "upload_id": upload_id,
            "reconciled": row[
                "reconciled"
            ],  # both are empty until the file was parsed, also when it is parsed again
            "warnings_count": row["warnings_count"],
            "warnings": log["warnings"],
            "errors": log["errors"],
        }

    def events(self, upload_id: str) -> list[Json]:
        """What happened to it, as it was stored when it happened."""
        self.row(upload_id)
        with self.app.database.read() as tx:
            return events_of(tx, upload_id)

    def monitoring(self) -> Json:
        """How many uploads are in each status, which errors there are, and how many files had no rows."""
        numbers = self.app.counts(self.workflow)
        counts = {
            str(state): numbers.get((self.workflow.name, "status", None, state), 0)
            for state in self.machine.states
        }
        groups = self.app.errors(self.workflow)
        table = self.table.c
        empty = (
            select(func.count())
            .select_from(self.table)
            .where(table.status == "parsed", table.observations_count == 0)
        )
        with self.app.database.read() as tx:
            none_found = int(tx.execute(empty).scalar_one())
        return {
            "counts": counts,
            "empty_successes": none_found,
            "errors": [
                {
                    "error_code": one["code"],
                    "error_message": one["message"],
                    "count": one["records"],
                    "example": one["example"],
                }
                for one in groups
            ],
        }

    def _attempts(self, tx: Connection, ids: Sequence[str]) -> dict[str, OpenAttempt]:
        return {one.id: one for one in self.app.attempts(self.workflow, ids, tx=tx)}
