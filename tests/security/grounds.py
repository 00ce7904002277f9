"""Where cheats are tried: one filled database of each kind, copied again whenever a cheat has changed its copy."""

from __future__ import annotations

import itertools
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy.engine import make_url

from interlock import App
from interlock.store.seal import Seal
from tests.security.cheats import ALLOWED, FILE_OWNER, LOCATED, REASON, REFUSED, ROLES, Cheat, Typist, Verdict
from tests.security.shop import PostgresqlView, SqliteView, fill, located, workflows
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


class Ground:
    """A copy of the filled database at a time, for one role."""

    kept: list[Seal]
    reason: bytes

    def __init__(self) -> None:
        self.workflows = workflows()
        self.copies: dict[str, tuple[str, Any, dict[str, str]]] = {}

    def attempt(self, cheat: Cheat, role: str) -> Tried:
        """Type the cheat for real; what it changed, and who would notice."""
        if role not in self.copies:
            url, view = self.copy(role)
            self.copies[role] = (url, view, view.digest())
        url, view, before = self.copies[role]
        message = self._type(cheat, self.login(url, role))
        after = view.digest()
        changed = tuple(
            sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
        )
        if not changed:
            return Tried(REFUSED, message, (), ())
        del self.copies[role]
        app = App(self.workflows, database=url)
        try:
            found = tuple(located(app, self.kept))
        finally:
            app.close()
            self.discard(url, view)
        return Tried(LOCATED if found else ALLOWED, message, changed, found)

    def _type(self, cheat: Cheat, url: str) -> str:
        """The words of the refusal, or nothing."""
        typist = Typist(url, self.reason)
        try:
            cheat.type(typist)
            typist.connection.commit()
        except Exception as error:
            typist.connection.rollback()
            state = getattr(error, "sqlstate", None)
            refused = str(state).startswith(REFUSALS) if state else any(word in str(error) for word in WORDS)
            if not refused:
                raise
            return str(error)
        finally:
            typist.close()
        return ""

    def login(self, url: str, role: str) -> str:
        return url

    def copy(self, role: str) -> tuple[str, Any]:
        raise NotImplementedError

    def discard(self, url: str, view: Any) -> None:
        raise NotImplementedError


class SqliteGround(Ground):
    roles = (FILE_OWNER,)

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder, self.filled = folder, folder / "filled.db"
        app = App(self.workflows, database=f"sqlite:///{self.filled}")
        app.migrate()
        self.kept = fill(app, lambda app: app)
        with app.database.read() as tx:
            self.reason = bytes(tx.exec_driver_sql(REASON).scalar_one())
        app.close()

    def copy(self, role: str) -> tuple[str, SqliteView]:
        path = self.folder / f"copy{next(_numbers)}.db"
        shutil.copy(self.filled, path)
        return f"sqlite:///{path}", SqliteView(str(path))

    def discard(self, url: str, view: SqliteView) -> None:
        Path(view.path).unlink()


class PostgresqlGround(Ground):
    roles = ROLES

    def __init__(self, server: Server, logins: Logins) -> None:
        super().__init__()
        self.server, self.logins, self.name = server, logins, f"interlock_{os.getpid()}_cheats"
        url = server.create_database(self.name)
        logins.prepare(url, self.workflows)
        app = App(self.workflows, database=url)
        running = App(self.workflows, database=logins.url(url, "runner"))
        self.kept = fill(app, lambda _: running)
        with app.database.read() as tx:
            self.reason = bytes(tx.exec_driver_sql(REASON).scalar_one())
        running.close()
        app.close()

    def login(self, url: str, role: str) -> str:
        return url if role == "superuser" else self.logins.url(url, role)

    def copy(self, role: str) -> tuple[str, PostgresqlView]:
        url = self.server.create_database(f"{self.name}_{next(_numbers)}", self.name)
        return url, PostgresqlView(
            make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        )

    def discard(self, url: str, view: PostgresqlView) -> None:
        view.close()
        self.server.drop_database(str(make_url(url).database))

    def close(self) -> None:
        for url, view, _ in self.copies.values():
            self.discard(url, view)
        self.server.drop_database(self.name)


assert psycopg
