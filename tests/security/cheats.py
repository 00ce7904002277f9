"""What a cheat is: SQL typed past Interlock by somebody, and what is expected to come of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from tests.contract.hand import Hand
from tests.contract.subjects import SUBJECTS, Subject
from tests.contract.timed import REQUEST
from tests.security.shop import NOTING, OLD

SQLITE, POSTGRESQL = "sqlite", "postgresql"
Verdict = Literal["refused", "located", "recorded", "own", "allowed"]
REFUSED: Verdict = "refused"
LOCATED: Verdict = "located"
RECORDED: Verdict = "recorded"
OWN: Verdict = "own"
ALLOWED: Verdict = "allowed"
ROLES = ("superuser", "owner", "coordinator", "runner", "reader")
FILE_OWNER = "file owner"

UPLOAD = replace(SUBJECTS["one axis"], id="u4")
RUNNING = replace(SUBJECTS["one axis"], id="u3", legal="parsed")
BROKEN = replace(SUBJECTS["one axis"], id="u6", legal="queued_for_parse")
PAPER = replace(SUBJECTS["two axes"], id="p4")
ACCEPTED = replace(SUBJECTS["two axes"], id="p1", legal="draft")
DOMAIN = SUBJECTS["null state"]
SCOPED = replace(SUBJECTS["scoped"], id=2)
REQUEST_ROW = replace(
    SUBJECTS["one axis"], kind="requests", table="requests", id=1, legal="checking", definition=REQUEST
)
OLD_ROW = replace(SUBJECTS["one axis"], kind="olds", table="olds", id="o1", legal="running", definition=OLD)
NOTE = replace(SUBJECTS["one axis"], kind="notes", table="notes", id="n1", legal="noted", definition=NOTING)
REASON = "SELECT digest FROM interlock_detail WHERE reason = 'approved'"


class Typist(Hand):
    """Types the statements of one cheat in one transaction, which whoever runs it ends."""

    def __init__(self, url: str, reason: bytes, at: datetime) -> None:
        super().__init__(url)
        self.reason, self.at = reason, at
        """The digest of a reason that is really stored, and an instant: the same cheat gives the same rows whoever types it."""
        if self.is_sqlite:
            self.connection.isolation_level = None

    def _begin(self, sql: str) -> None:
        """SQLite hears most of its settings outside of transactions only."""
        if self.is_sqlite and not sql.startswith("PRAGMA") and not self.connection.in_transaction:
            self.connection.execute("BEGIN")

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        self._begin(sql)
        return [tuple(row) for row in self.connection.execute(self.spelled(sql), values).fetchall()]

    def run(self, sql: str, *values: Any) -> int:
        self._begin(sql)
        return int(
            self.connection.execute(self.spelled(sql) if values else sql, values or None or ()).rowcount
        )

    def entry(self, subject: Subject, to: str | None, **changed: Any) -> dict[str, Any]:
        return super().entry(subject, to, **{"at": self.at, **changed})

    def says(self, entry: dict[str, Any]) -> tuple[str, list[Any]]:
        """With the token, where the entry has one."""
        context, (named, parts) = super().says(entry)
        if entry["token"] is not None:
            map_ = json.dumps({entry["record_id"]: entry["token"]}).replace('"', '\\"')
            parts = parts.replace(',"0",NULL,', f',"0","{map_}",')
        return context, [named, parts]

    def type_move(self, subject: Subject, to: str | None, **changed: Any) -> int:
        """A move with its entry, each as right as the changes leave it."""
        sql, values = self.move(subject, to, **changed)
        return self.run(sql, *values)

    def type_entry(self, subject: Subject, to: str | None, verb: str = "INSERT", **changed: Any) -> int:
        """An entry alone."""
        sql, values = self.insert_entry(self.entry(subject, to, **changed))
        return self.run(sql.replace("INSERT", verb, 1), *values)


Act = str | Sequence[str] | Callable[[Typist], Any]


@dataclass(frozen=True)
class Cheat:
    """One attack, and the verdict that is expected for everybody who tries it."""

    name: str
    target: str
    style: str
    act: Act
    on: tuple[str, ...]
    expected: dict[str, Verdict]
    why: str = ""
    """Why what is allowed is allowed, and why what is located is not refused."""

    def type(self, typist: Typist) -> None:
        if callable(self.act):
            self.act(typist)
            return
        for statement in [self.act] if isinstance(self.act, str) else self.act:
            typist.run(statement)


def is_own(cheat: Cheat) -> bool:
    """Whoever has an effect with it changes what is his own."""
    return OWN in cheat.expected.values() and set(cheat.expected.values()) <= {OWN, REFUSED}


def cheat(
    target: str,
    style: str,
    name: str,
    act: Act,
    *,
    on: tuple[str, ...] = (SQLITE, POSTGRESQL),
    owner: Verdict = REFUSED,
    coordinator: Verdict = REFUSED,
    runner: Verdict = REFUSED,
    reader: Verdict = REFUSED,
    superuser: Verdict | None = None,
    file: Verdict | None = None,
    why: str = "",
) -> Cheat:
    """A superuser and the owner of a SQLite file are expected to fare as the owner does, unless told otherwise."""
    expected = {
        "superuser": superuser or owner,
        "owner": owner,
        "coordinator": coordinator,
        "runner": runner,
        "reader": reader,
        FILE_OWNER: file or owner,
    }
    return Cheat(name, target, style, act, on, expected, why)


def moving(subject: Subject, to: str | None, **changed: Any) -> Any:
    return lambda typist: typist.type_move(subject, to, **changed)
