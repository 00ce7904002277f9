"""Real processes, forked from a clean one that has already imported everything: sixteen are ready in a second."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Sequence
from contextlib import closing
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

PATIENCE = 600.0
HEAVY = [
    "pytest",
    "interlock",
    "psycopg",
    "pysqlite3",
    "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite.pysqlite",
]
_context: Any = multiprocessing.get_context(
    "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
)


def _prepare() -> None:
    if _context.get_start_method() == "forkserver":
        _context.set_forkserver_preload(HEAVY)


def barrier(parties: int) -> Any:
    """Where so many processes wait for each other; it is handed to them as an argument."""
    _prepare()
    return _context.Barrier(parties)


def start(work: Callable[..., Any], *given: Any) -> tuple[BaseProcess, Connection]:
    """One process that does the work; what it sends comes through the connection."""
    _prepare()
    mine, theirs = _context.Pipe()
    process = _context.Process(target=work, args=(theirs, *given), daemon=True)
    process.start()
    theirs.close()
    return process, mine


def together(work: Callable[..., Any], given: Sequence[tuple[Any, ...]]) -> list[Any]:
    """As many processes as there are arguments, let go at the same moment; what each of them answered, in order."""
    crowd = [start(work, *arguments) for arguments in given]
    try:
        for _, connection in crowd:
            assert connection.recv() == "ready"
        for _, connection in crowd:
            connection.send("go")
        return _answers(crowd)
    finally:
        for process, connection in crowd:
            connection.close()
            process.kill()
            process.join(PATIENCE)


def until_killed(process: BaseProcess, connection: Connection, killed_after: int | None) -> int:
    """What a process says that goes through chunks: how many rows it came to before it killed itself after so many chunks, or all of
    them, which it says as a negative number. Nobody here decides when it dies: whoever is slow would find its work done."""
    said: list[int] = []
    with closing(connection):
        try:
            while not said or said[-1] >= 0:
                answer = connection.recv()
                if isinstance(answer, BaseException):
                    raise answer
                said.append(answer)
        except EOFError:
            process.join(PATIENCE)
            assert (process.exitcode, len(said)) == (-signal.SIGKILL, killed_after)
            return said[-1]
    process.join(PATIENCE)
    assert killed_after is None, "it was to be killed and came to its end"
    return -said[-1] - 1


def _answers(crowd: list[tuple[BaseProcess, Connection]]) -> list[Any]:
    answers: dict[int, Any] = {}
    waiting: dict[Any, int] = {connection: number for number, (_, connection) in enumerate(crowd)}
    while waiting:
        ready: list[Any] = wait(list(waiting), PATIENCE)
        assert ready, "a process gave no answer"
        for connection in ready:
            answer = connection.recv()
            if isinstance(answer, BaseException):
                raise answer
            answers[waiting.pop(connection)] = answer
    return [answers[number] for number in range(len(crowd))]
