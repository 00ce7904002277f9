"""Crash points inside a process: before and after every statement, COMMIT, hint, claim and finish. At one drawn by lot it kills itself.

Each distinct point draws a lot from the seed for its first few passes, so rare points are as likely as those of idle polling. Other
lots freeze the process, or lose PostgreSQL's answer to a COMMIT: what was done is told to have failed.
"""

from __future__ import annotations

import hashlib
import os
import re
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Engine, event

from interlock.runner.runner import Runner
from interlock.transport import DatabaseTransport

Trap = tuple[str, str, int]
"""(killed, frozen or unanswered; at which point; on which pass): what a test wants to see instead of leaving it to lots."""
PASSES = 4
"""How many passes of one point may be the last."""
ACTS = {
    "Applier.step": "apply",
    "Admitter.step": "admit",
    "Dispatcher.step": "dispatch",
    "Sweeper.expire": "expire",
    "Sweeper.enforce_deadlines": "deadline",
    "Sweeper.requeue": "requeue",
    "Sweeper.reslot": "reslot",
    "Sweeper.patrol": "patrol",
    "StandingRules.step": "standing",
    "Timers.step": "timer",
    "Schedules.step": "schedule",
    "Sweeper._tidy": "tidy",
    "Runner.renew": "renew",
    "Runner._report": "finish",
    "Runner.claim": "claim",
    "Rechecker.step": "recheck",
    "Runner.stop": "stop",
}
_WORDS = re.compile(r"\b(INSERT INTO|UPDATE|DELETE FROM|FROM)\s+\"?(\w+)|\b(NOTIFY)\s+(\w+)", re.IGNORECASE)
_FIRST = re.compile(r"\w+(?: IMMEDIATE| DEFERRED)?")


def spoken(statement: str) -> str:
    """A statement in two or three words."""
    if found := _WORDS.search(statement):
        verb, name = (found[1] or found[3]).upper(), found[2] or found[4]
        return f"{'SELECT' if verb == 'FROM' else verb} {name}"
    first = _FIRST.match(statement.strip())
    return first[0].upper() if first else "?"


def act() -> str:
    """Which step of the protocol this thread is in."""
    frame = sys._getframe(1)
    while frame is not None:
        if name := ACTS.get(frame.f_code.co_qualname):
            return name
        frame = frame.f_back  # type: ignore[assignment]
    return "start"


class Lots:
    """Draws for one process; what it drew is in its folder before the process is gone."""

    def __init__(self, seed: str | None, odds: int, folder: Path, *, trap: Trap | None = None) -> None:
        self.seed, self.odds, self.folder, self.trap = seed, odds, folder, trap
        self.passed: Counter[str] = Counter()
        self._lock = threading.Lock()

    def point(self, name: str) -> None:
        with self._lock:
            self.passed[name] += 1
            passes = self.passed[name]
            if passes == 1:
                self._note("passed", name)
        drawn = self.draw(name, passes)
        if drawn < 5 or self.trap == ("killed", name, passes):
            self._note("killed", name)
            os.kill(os.getpid(), signal.SIGKILL)
        elif drawn == 5 or self.trap == ("frozen", name, passes):
            self._note("frozen", name)
            os.kill(os.getpid(), signal.SIGSTOP)

    def draw(self, name: str, passes: int) -> int:
        """A lot of this pass; no small number once a point was passed often enough."""
        if self.seed is None:
            return self.odds * 6
        drawn = hashlib.sha256(f"{self.seed}|{name}|{passes}".encode()).digest()[:6]
        return int.from_bytes(drawn) % (self.odds * 6) if passes <= PASSES else self.odds * 6

    def lose_the_answer(self, connection: Any, where: str) -> None:
        """The commit was made; whoever asked for it hears that the connection broke."""
        name = f"{where}: the answer to the commit is lost"
        with self._lock:
            self.passed[name] += 1
            passes = self.passed[name]
        if self.draw(name, passes) < 12 or self.trap == ("unanswered", name, passes):
            self._note("unanswered", name)
            connection.driver_connection.close()
            raise psycopg.OperationalError("the connection is lost")

    def around(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*given: Any, **options: Any) -> Any:
            self.point(f"before {name}")
            answer = function(*given, **options)
            self.point(f"after {name}")
            return answer

        return wrapped

    def statement(self, when: str, sql: str) -> None:
        self.point(f"{act()}: {when} {spoken(sql)}")

    def _note(self, what: str, name: str) -> None:
        file = os.open(self.folder / what, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            os.write(file, f"{name}\n".encode())
            if what != "passed":
                os.fsync(file)
        finally:
            os.close(file)


def lay(engine: Engine, lots: Lots) -> None:
    """Every statement of every connection from here on, whoever executes it."""
    sqlite = engine.dialect.name == "sqlite"

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        if sqlite:  # between two statements nothing happens to the file: before the next is after the last
            connection.set_trace_callback(
                lambda sql: (
                    None if sql.startswith(("PRAGMA", "--", "COMMIT")) else lots.statement("before", sql)
                )
            )
        else:
            connection.cursor_factory = cursor_with(lots)

    commit = engine.dialect.do_commit

    def do_commit(connection: Any) -> None:
        where = act()
        lots.point(f"{where}: before the commit")
        commit(connection)
        lots.point(f"{where}: after the commit")
        if not sqlite:
            lots.lose_the_answer(connection, where)

    engine.dialect.do_commit = do_commit  # type: ignore[method-assign]
    Runner.claim = lots.around("claim", Runner.claim)  # type: ignore[method-assign]
    Runner._report = lots.around("finish", Runner._report)  # type: ignore[method-assign]
    DatabaseTransport.after = lots.around("hint", DatabaseTransport.after)  # type: ignore[method-assign]


def cursor_with(lots: Lots) -> type[psycopg.Cursor[Any]]:
    class Mined(psycopg.Cursor[Any]):
        def execute(self, query: Any, *given: Any, **options: Any) -> Any:
            lots.statement("before", str(query))
            answer = super().execute(query, *given, **options)
            lots.statement("after", str(query))
            return answer

    return Mined
