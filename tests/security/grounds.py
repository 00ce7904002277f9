"""Where cheats are tried: one filled database of each kind, copied again whenever a cheat has changed its copy."""

from __future__ import annotations

import itertools
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import psycopg
from sqlalchemy.engine import make_url

from interlock import App, Workflow
from interlock.store.ledger.seals.seal import Seal
from tests.security.cheats import ALLOWED, LOCATED, OWN, REASON, RECORDED, REFUSED, Cheat, Typist, Verdict
from tests.security.shop import JOBS, PostgresqlView, SqliteView, fill, located, workflows
from tests.servers.logins import Logins
from tests.servers.postgres import Server

REFUSALS = ("IL2", "42501", "23", "22", "428C9", "55", "0A")
"""SQLSTATEs that are a refusal; any other error is a mistake of the cheat's own."""
WORDS = ("ILK-", "constraint failed", "may not be", "cannot modify", "cannot store")
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Tried:
    """What came of a cheat."""

    verdict: Verdict
    message: str
    changed: tuple[str, ...]
    located: tuple[str, ...]


class SqliteGround:
    """A copy of the filled file at a time; whoever has the file is its owner."""

    def __init__(self, folder: Path) -> None:
        self.workflows = workflows()
        self.folder, self.filled = folder, folder / "filled.db"
        app = App(self.workflows, database=f"sqlite:///{self.filled}")
        app.migrate()
        self.kept = fill(app, app, app, app)
        with app.database.read() as tx:
            self.reason = bytes(tx.exec_driver_sql(REASON).scalar_one())
        self.at = app.clock.now()
        app.close()
        self.path = self._copy()
        self.before, self.promised = (
            SqliteView(str(self.path)).digest(),
            SqliteView(str(self.path)).promised(),
        )

    def attempt(self, cheat: Cheat) -> Tried:
        """Type the cheat for real; what it changed, and who would notice."""
        typist = Typist(f"sqlite:///{self.path}", self.reason, self.at)
        message = typed(cheat, typist)
        typist.connection.commit()
        typist.close()
        changed = differing(self.before, SqliteView(str(self.path)).digest())
        if not changed:
            return Tried(REFUSED, message, (), ())
        found = noticed(self.workflows, f"sqlite:///{self.path}", self.kept)
        verdict = LOCATED if found else self._unnoticed(changed)
        self.path.unlink()
        self.path = self._copy()
        return Tried(verdict, message, changed, found)

    def _unnoticed(self, changed: tuple[str, ...]) -> Verdict:
        """There is one login here, the owner of the file: what its processes write all day, legal by every guard, is its own record."""
        if SqliteView(str(self.path)).promised() == self.promised:
            return OWN
        return RECORDED if set(changed) <= set(JOBS) else ALLOWED

    def _copy(self) -> Path:
        path = self.folder / f"copy{next(_numbers)}.db"
        shutil.copy(self.filled, path)
        return path


class PostgresqlGround:
    """Cheats are tried by every role in transactions that are rolled back. Those with an effect are typed once more by a login of that
    role, into a copy, and committed, so that a check sees them; a state that was judged before is not judged again."""

    def __init__(self, server: Server, logins: Logins) -> None:
        self.workflows = workflows()
        self.server, self.logins, self.name = server, logins, f"interlock_{os.getpid()}_cheats"
        self.url = server.create_database(self.name)
        logins.prepare(self.url, self.workflows)
        app = App(self.workflows, database=logins.url(self.url, "coordinator"))
        running = App(self.workflows, database=logins.url(self.url, "runner"))
        others = App(self.workflows, database=logins.url(self.url, "other_runner"))
        owner = App(self.workflows, database=logins.url(self.url, "owner"))
        self.kept = fill(app, running, others, owner)
        with app.database.read() as tx:
            self.reason = bytes(tx.exec_driver_sql(REASON).scalar_one())
        self.at = app.clock.now()
        for one in (running, others, owner, app):
            one.close()
        self.like = f"{self.name}_like"
        server.create_database(self.like, self.name)
        with psycopg.connect(self._address(self.url)) as connection:
            self.before = PostgresqlView(connection).digest()
            self.promised = PostgresqlView(connection).promised()
            self.rows = PostgresqlView(connection).rows_with_logins()
        self.judged: dict[tuple[str, ...], Tried] = {}

    def attempt(self, cheat: Cheat, role: str) -> Tried:
        typist = Typist(self.url, self.reason, self.at)
        try:
            if role != "superuser":
                typist.run(f"SET SESSION AUTHORIZATION {self.logins.name(role)}")
            message = typed(cheat, typist)
            if message:
                return Tried(REFUSED, message, (), ())
            typist.run("RESET SESSION AUTHORIZATION")
            view = PostgresqlView(typist.connection)
            changed = differing(self.before, view.digest())
            if not changed:
                return Tried(REFUSED, "", (), ())
            whose = role if self.rows.keys() & set(changed) else ""
            state = (cheat.target, cheat.name, whose, *map(str, sorted(view.digest(alike=True).items())))
        finally:
            typist.connection.rollback()
            typist.close()
        if state not in self.judged:
            self.judged[state] = self._committed(cheat, role, changed)
        return self.judged[state]

    def _committed(self, cheat: Cheat, role: str, changed: tuple[str, ...]) -> Tried:
        name = f"{self.name}_{next(_numbers)}"
        url = self.server.create_database(name, self.like)
        try:
            typist = Typist(url if role == "superuser" else self.logins.url(url, role), self.reason, self.at)
            message = typed(cheat, typist)
            typist.connection.commit()
            typist.close()
            assert message == "", f"a login of the role fares otherwise: {message}"
            found = noticed(self.workflows, url, self.kept)
            verdict = LOCATED if found else self._unnoticed(url, role)
        finally:
            self.server.drop_database(name)
        return Tried(verdict, "", changed, found)

    def _unnoticed(self, url: str, role: str) -> Verdict:
        """Recorded where rows that keep a login came to be, and each of them keeps the login of who typed it; one's own where nothing that
        Interlock answers for has changed."""
        with psycopg.connect(self._address(url)) as connection:
            if PostgresqlView(connection).promised() == self.promised:
                return OWN
            rows = PostgresqlView(connection).rows_with_logins()
        fresh = {login for table, kept in rows.items() for _, login in kept - self.rows[table]}
        return RECORDED if fresh == {self.logins.name(role)} else ALLOWED

    def _address(self, url: str) -> str:
        return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)

    def close(self) -> None:
        self.server.drop_database(self.like)
        self.server.drop_database(self.name)


def typed(cheat: Cheat, typist: Typist) -> str:
    """The words of the refusal, or nothing; what fails otherwise is a mistake of the cheat's own."""
    try:
        cheat.type(typist)
        if not typist.is_sqlite:
            typist.run(
                "SET CONSTRAINTS ALL IMMEDIATE"
            )  # what waits for the end of the transaction, judged while rows can be seen
    except Exception as error:
        typist.connection.rollback()
        state = getattr(error, "sqlstate", None)
        refused = str(state).startswith(REFUSALS) if state else any(word in str(error) for word in WORDS)
        if not refused:
            raise
        return str(error)
    return ""


def differing(before: dict[str, str], after: dict[str, str]) -> tuple[str, ...]:
    return tuple(sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name)))


def noticed(known: list[Workflow], url: str, kept: list[Seal]) -> tuple[str, ...]:
    app = App(known, database=url)
    try:
        return tuple(located(app, kept))
    finally:
        app.close()
