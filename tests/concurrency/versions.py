"""Two versions of one team's code: each process has one of them, and moves records until it is told to stop."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import closing
from multiprocessing.connection import Connection

from interlock import App, Machine
from interlock.authority.relocate import LineOutcome
from interlock.machine import Line
from tests.concurrency.dying import IN_THE_MIDST, Fuse, lay
from tests.concurrency.workers import REST, answering, on_the_word
from tests.kinds import plain

KIND = "things"
OLD = Machine("thing", initial="new", moves={"new": ["review"], "review": ["done", "new"]})
NEW = Machine("thing", initial="new", moves={"new": ["checking"], "checking": ["done", "new"]})
VERSIONS = {"old": OLD, "new": NEW}
END = "done"
PLAN = [Line("review", "checking", "reviews are part of the check now")]


def open_version(url: str, version: str) -> App:
    return App([plain(VERSIONS[version], KIND)], database=url)


@answering
def keep_moving(connection: Connection, url: str, version: str, records: int, batch: int) -> Counter[str]:
    """Moves records to and fro, as a process of this version would, until it is told to "stop"; how often it was answered what.

    It tells when it has moved the first. No record is moved to its end before the word "finish": whoever had the database to itself
    for some seconds would leave the others nothing to move. After twice as many answers as there are records it moves some now and then."""
    chance, tally = random.Random(version), Counter[str]()
    states = [state for state in VERSIONS[version].states if state != END]
    told, word = False, ""
    with closing(open_version(url, version)) as app:
        on_the_word(connection)
        while word != "stop":
            ids = [f"t{one}" for one in chance.sample(range(records), batch)]
            for answer in app.move_many(KIND, ids, actor=version, status=chance.choice(states)):
                tally[answer.outcome if answer.error is None else answer.error.code] += 1
            if tally["moved"] and not told:
                connection.send("moved")
                told = True
            rest = 0 if tally.total() < 2 * records else REST
            if connection.poll(rest) and (word := connection.recv()) == "finish":
                states.append(END)
    return tally


@answering
def carry_out(connection: Connection, url: str, chunk: int, dies_after: int | None) -> int:
    """Carries out the plan and tells after every chunk how far it is; how many it moved in all. It may be killed in the midst of the
    chunk that follows so many."""
    fuse, chunks = Fuse(IN_THE_MIDST), 0

    def tell(outcome: LineOutcome) -> None:
        nonlocal chunks
        connection.send(outcome.moved)
        chunks += 1
        fuse.lit = chunks == dies_after

    with closing(open_version(url, "new")) as app:
        lay(app.database.engine, fuse)
        told = app.relocate(KIND, PLAN, actor="eve", role="operator", chunk=chunk, tell=tell)
        return -sum(one.moved for one in told) - 1
