"""A crew of real processes that can be killed, frozen, continued and told to end; nobody is left when the test is over."""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import wait
from pathlib import Path
from time import monotonic
from typing import Any

import psutil

from tests.killing.child import Orders, serve

HEAVY = [
    "tests.killing.child",
    "psycopg",
    "pysqlite3",
    "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite.pysqlite",
]
PATIENCE = 40.0
_context: Any = multiprocessing.get_context("forkserver")


class TooLate(AssertionError):
    """Something that must happen did not happen in time."""


class Member:
    """One process."""

    def __init__(self, orders: Orders) -> None:
        self.orders, self.folder = orders, Path(orders.folder)
        _context.set_forkserver_preload(HEAVY)
        self.process = _context.Process(target=serve, args=(orders,), daemon=True)
        self.process.start()
        self.pid = int(self.process.pid)

    @property
    def alive(self) -> bool:
        return bool(self.process.is_alive())

    def send(self, number: signal.Signals) -> None:
        if self.alive:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send(signal.SIGKILL)

    def freeze(self) -> None:
        self.send(signal.SIGSTOP)

    def go_on(self) -> None:
        self.send(signal.SIGCONT)

    def terminate(self) -> None:
        self.send(signal.SIGTERM)

    def ended(self, within: float = PATIENCE) -> bool:
        self.process.join(within)
        return not self.alive

    def is_frozen(self) -> bool:
        with suppress(psutil.Error):
            return bool(psutil.Process(self.pid).status() == psutil.STATUS_STOPPED)
        return False

    def family(self) -> list[psutil.Process]:
        """The process and everything that it has started."""
        with suppress(psutil.Error):
            own = psutil.Process(self.pid)
            return [own, *own.children(recursive=True)]
        return []

    def noted(self, what: str) -> list[str]:
        """The points that it has passed, was killed at or froze at."""
        path = self.folder / what
        return path.read_text().splitlines() if path.exists() else []

    def log(self) -> str:
        return "\n".join(self.noted("log")[-30:])


class Crew:
    """All processes of one test, those that are over too."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder, self.url = folder, url
        self.members: list[Member] = []
        self._numbers = itertools.count(1)

    def start(self, role: str, name: str | None = None, **orders: Any) -> Member:
        folder = self.folder / f"{next(self._numbers)}-{role}"
        folder.mkdir(parents=True)
        member = Member(Orders(self.url, role, name or role, str(folder), **orders))
        self.members.append(member)
        return member

    def alive(self) -> list[Member]:
        return [member for member in self.members if member.alive]

    def until(
        self, condition: Callable[[], Any], within: float = PATIENCE, *, look_every: float = 0.05
    ) -> Any:
        """Wait until it holds; a process that ends is looked at sooner. What the condition answered."""
        deadline = monotonic() + within
        while not (answer := condition()):
            if monotonic() > deadline:
                raise TooLate(
                    f"{getattr(condition, '__name__', 'it')} did not hold within {within} s\n{self.logs()}"
                )
            wait([member.process.sentinel for member in self.alive()], look_every)
        return answer

    def logs(self) -> str:
        return "\n".join(
            f"--- {member.folder.name} {'lives' if member.alive else 'is over'}, killed at {member.noted('killed')}\n"
            f"{member.log()}"
            for member in self.members
        )

    def counted(self, what: str) -> Counter[str]:
        return Counter(name for member in self.members for name in member.noted(what))

    def reported(self) -> list[tuple[str, str]]:
        """(record, token) of every report whose transaction was over before its runner was."""
        found = []
        for member in self.members:
            for line in member.noted("reported"):
                with suppress(ValueError):  # half a line: it was killed while it wrote
                    found.append((*json.loads(line),))
        return found  # type: ignore[return-value]

    def crashed(self) -> list[str]:
        """Those that ended by a fault of their own: an exception, or a signal that nobody sent."""
        ends = [(member, member.process.exitcode) for member in self.members]
        return [
            f"{member.folder.name} ended with {code}"
            for member, code in ends
            if code == 1 or (code is not None and code < 0 and code not in (-signal.SIGKILL, -signal.SIGTERM))
        ]

    def end(self) -> None:
        """Kill everybody, and wait for it."""
        families = [process for member in self.members if member.alive for process in member.family()]
        for member in self.members:
            member.kill()
        for member in self.members:
            member.process.join(PATIENCE)
        psutil.wait_procs(families, timeout=PATIENCE)
