"""Engines with one law removed, and the players that try them: another client comes in between, or the process dies around a commit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule
from sqlalchemy import Connection, text

from interlock import App, Machine, Workflow
from interlock.clock import FrozenClock
from interlock.store.connect import driver_connection
from interlock.store.contract import MoveBatch, RowState
from interlock.store.sqlite.engine import SqliteEngine, _entries
from interlock.testing.asking import answered, differences
from interlock.testing.stateful import Player, bare

CYCLE = Machine("cycle", initial="a", moves={"a": ["b", "c"], "b": ["a", "c"], "c": ["b"]})


class Crash(Exception):
    """The process is gone."""


class OptimisticEngine(SqliteEngine):
    """Without the guards, and without the lock that SQLite gives for nothing: others may move between the read and the write."""

    compares = True

    def __init__(self) -> None:
        self.meanwhile: Callable[[Connection], None] | None = None
        self.unwritten: list[MoveBatch] = []

    def read(self, tx: Connection, *given: Any) -> list[RowState]:
        seen = super().read(tx, *given)
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            meanwhile(tx)
        return seen

    def move(self, tx: Connection, group: MoveBatch) -> set[Any]:
        rows = [kept for row in group.rows if (kept := self._updated(tx, group, row)) is not None]
        if rows:
            self.remember(tx, replace(group, rows=rows))
        return {row.key for row in rows}

    def remember(self, tx: Connection, group: MoveBatch) -> None:
        super().move(tx, group)

    def _updated(self, tx: Connection, group: MoveBatch, row: RowState) -> RowState | None:
        place = group.reading.main
        connection = driver_connection(tx)
        if not self.compares:  # counted up from whatever is there by now
            sought = f"SELECT {place.version_sql} FROM {place.table_sql} WHERE {place.key_sql} = ?"
            row = row._replace(versions=tuple(connection.execute(sought, (row.key,)).fetchone()))
        new, (_, version, _, head, _) = (
            group.steps[0].template.new,
            _entries(group.steps[0], replace(group, rows=[row]), first=True)[0],
        )
        done = connection.execute(
            f"UPDATE {place.table_sql} SET {place.status_sql} = ?, {place.version_sql} = ?, {place.head_sql} = ? "
            f"WHERE {place.key_sql} = ? AND {place.version_sql} = ?",
            (new, version, head, row.key, row.versions[0]),
        )
        return row if done.rowcount else None


class BlindEngine(OptimisticEngine):
    """Drops the version check."""

    compares = False


class LateLedgerEngine(OptimisticEngine):
    """Writes the ledger in a second transaction, where the first is its own."""

    own = False

    def remember(self, tx: Connection, group: MoveBatch) -> None:
        if self.own:
            self.unwritten.append(group)
        else:
            super().remember(tx, group)

    def write_later(self, tx: Connection) -> None:
        groups, self.unwritten = self.unwritten, []
        for group in groups:
            super().remember(tx, group)


class Disturbed(Player):
    """A player whose app is disturbed as only other processes and crashes can."""

    engine: type[SqliteEngine] = SqliteEngine
    crash: str | None = None

    @initialize()
    def begin(self) -> None:
        self.play(bare(CYCLE))
        if self.engine is not SqliteEngine:
            self._take_away_the_guards()

    def open_app(self, workflow: Workflow) -> App:
        app = App([workflow], database="sqlite://", clock=FrozenClock())
        self.unlocked = self.engine()
        app.authority.engine = app.authority.mover.engine = self.unlocked
        app.database.write = self._around(app.database.write)  # type: ignore[method-assign]
        return app

    def _around(self, write: Callable[[], Any]) -> Callable[[], Any]:
        @contextmanager
        def around() -> Iterator[Connection]:
            with write() as tx, self._as_own():
                yield tx
                if self.crash == "before":
                    raise Crash
            if self.crash == "after":
                raise Crash
            if isinstance(self.unlocked, LateLedgerEngine) and self.unlocked.unwritten:
                with write() as tx:
                    self.unlocked.write_later(tx)

        return around

    @contextmanager
    def _as_own(self) -> Iterator[None]:
        """Tell the late one that this transaction is not a caller's."""
        if isinstance(self.unlocked, LateLedgerEngine):
            self.unlocked.own = True
        try:
            yield
        finally:
            if isinstance(self.unlocked, LateLedgerEngine):
                self.unlocked.own = False

    def _take_away_the_guards(self) -> None:
        with self.app.database.engine.begin() as tx:
            for name in (
                tx.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars().all()
            ):
                tx.execute(text(f"DROP TRIGGER {name}"))

    @precondition(lambda self: self.model.records)
    @rule(data=st.data())
    def move_while_another_does(self, data: st.DataObject) -> None:
        id, spot, to = self.a_move(data, legal=True)
        theirs = data.draw(st.sampled_from(CYCLE.states), label="theirs")

        def disturb(tx: Connection) -> None:
            (answer,) = self.app.move_many(self.workflow, [id], actor="bob", tx=tx, status=theirs)
            self.hold(
                answer.outcome if answer.error is None else type(answer.error).__name__,
                id,
                self.expected(id, spot, theirs),
            )

        if isinstance(self.unlocked, OptimisticEngine):
            self.unlocked.meanwhile = disturb
        else:  # under SQLite's lock they come before, never in between
            with self.app.database.write() as tx:
                disturb(tx)
        word = answered(self.command(id, spot, to))
        self.hold(word, id, self.expected(id, spot, to))

    @precondition(lambda self: self.model.records)
    @rule(data=st.data(), crash=st.sampled_from(["before", "after"]))
    def move_and_crash(self, data: st.DataObject, crash: str) -> None:
        id, spot, to = self.a_move(data, legal=True)
        _, plan, _ = self.expected(id, spot, to)
        self.crash = crash
        try:
            answered(self.command(id, spot, to))
        except Crash:
            pass
        finally:
            self.crash = None
            if isinstance(self.unlocked, OptimisticEngine):
                self.unlocked.unwritten.clear()
        if plan is not None and differences(
            self.app, self.model
        ):  # not as before: then all of it has happened
            self.model.apply(id, plan)


class DisturbedOptimist(Disturbed):
    engine = OptimisticEngine


class DisturbedBlind(Disturbed):
    engine = BlindEngine


class DisturbedLateLedger(Disturbed):
    engine = LateLedgerEngine
