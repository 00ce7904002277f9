"""Does many reading jobs on one database at once, in processes that each have a connection of their own. Never writes.

Each job sees a snapshot of its own: jobs must not compare what one of them read with what another did, unless it can no longer change.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from sqlalchemy import Connection

from ..connect import Database
from ..engines import sql_of

WORTH_IT = 100_000  # entries; for fewer a second process takes longer to begin than the work takes
SAMPLE = 4_000
SHARES = 6  # for each process: the last to finish is then not far behind, and progress can be told
Job = tuple[
    Callable[..., Any], tuple[Any, ...]
]  # a function of a module, and what it is asked beside the transaction
Told = Callable[[int, int], None]  # how many jobs are done, of how many

_opened: dict[str, Database] = {}


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def can_share(database: Database) -> bool:
    """Whether another process can open the same database: not one in memory, nor an engine that was made elsewhere."""
    return database.address is not None and database.engine.url.database not in (None, "", ":memory:")


def answers(
    database: Database, jobs: Sequence[Job], processes: int, told: Told | None = None
) -> Iterator[Any]:
    """The answer to each job, in their order."""
    tell = told or (lambda done, of: None)
    if processes < 2 or len(jobs) < 2:
        with database.read() as tx:
            for done, (function, asked) in enumerate(jobs):
                tell(done, len(jobs))
                yield function(tx, *asked)
        return
    # Spawned, not forked: a fork would carry connections, and locks of threads that it does not have.
    with ProcessPoolExecutor(min(processes, len(jobs)), multiprocessing.get_context("spawn")) as crowd:
        waiting = [crowd.submit(answer, str(database.address), *job) for job in jobs]
        try:
            for done, one in enumerate(waiting):
                tell(done, len(jobs))
                yield one.result()
        finally:  # nobody waits for answers that nobody asks for any more
            crowd.shutdown(cancel_futures=True)


def answer(address: str, function: Callable[..., Any], asked: tuple[Any, ...]) -> Any:
    """Runs in a process of the crowd, which opens the database once."""
    if address not in _opened:
        _opened[address] = Database(address)
    with _opened[address].read() as tx:
        return function(tx, *asked)


def borders(tx: Connection, shares: int) -> list[str]:
    """Record ids that part the ledger into shares of about one size, by a sample; none where it is too small to be parted."""
    found = sorted(
        sql_of(tx.dialect).history.sample_ids(tx, SAMPLE, WORTH_IT)
    )  # by code point, as both databases keep them
    return sorted({found[len(found) * number // shares] for number in range(1, shares)} if found else ())
