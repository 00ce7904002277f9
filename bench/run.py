"""Runs the chosen measurements on the chosen databases; lines and problems come out, nothing is printed here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field

from tests.servers.postgres import Server

from . import adoption, board, correct, kit, work
from .backlog import backlog
from .bars import Line, compared
from .fill import FIRST_FRESH
from .measures import MEASURES, Sizes, fresh_ids, machine
from .places import Place, on_postgresql, on_sqlite
from .places import server as measured_server
from .scraping import contacts, curation
from .shapes import measure as shapes
from .shapes import queues
from .shapes.catalogue import SHAPES
from .statements import statements
from .themes import extraction

ALONE = {"machine", "statements", "themes"}
"""What needs no server."""
Say = Callable[[str], None]
PEERS_FROM = 5_000
"""Records from which on peers are measured too: they need a second to warm up."""


@dataclass
class Outcome:
    """The table's lines, and what was found wrong afterwards."""

    lines: list[Line] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def run(
    databases: Sequence[str],
    piles: Sequence[int],
    sizes: Sizes,
    only: Sequence[str],
    say: Say,
    server: Server | None = None,
    chosen: Sequence[str] = tuple(SHAPES),
) -> Outcome:
    """Measure everything asked for; a server of the caller's is used, and left running. `chosen` are the shapes to measure."""
    outcome = Outcome()
    outcome.lines += _without_server(sizes, only, say)
    with ExitStack() as stack:
        if "postgresql" in databases and server is None and set(only) - ALONE:
            say("starting PostgreSQL")
            server = stack.enter_context(measured_server())
        if "work" in only and server is not None:
            say("the reference workload, end to end")
            outcome.lines += work.lines(
                server, records=sizes.worked, finished=max(piles), peers=sizes.worked >= PEERS_FROM
            )
        if "shapes" in only:
            servers = _servers(databases, server)
            outcome.lines += shapes.lines(servers, sizes.shaped, chosen, say)
            if (
                "facts" in chosen
                and sizes.shaped >= PEERS_FROM
                and server is not None
                and kit.located() is not None
            ):
                say("facts beside PgQueuer")
                outcome.lines += shapes.beside_pgqueuer(server.url, sizes.shaped)
        if "queues" in only:
            servers = _servers(databases, server)
            outcome.lines += queues.lines(servers, sizes.queued, say)
            outcome.lines += backlog(servers, sizes.backlogs, say)
        outcome.lines += curation(
            _servers(databases if "scraping" in only else (), server), sizes.curated, say
        )
        if "board" in only:
            for name in databases:
                say(f"{name}: the console over {sizes.on_board:,} records")
                outcome.lines += board.lines(
                    name, server.url if name == "postgresql" and server is not None else None, sizes.on_board
                )
        outcome.lines += _adopted(databases if "adoption" in only else (), sizes, say, server)
        for database in databases if set(only) & set(MEASURES) else ():
            for finished in piles:
                say(f"{database}: filling in {finished:,} finished records")
                with _pair(database, finished, sizes, server) as place:
                    _measure(place, sizes, only, say, outcome)
    outcome.lines += compared(outcome.lines)
    return outcome


def _servers(databases: Sequence[str], server: Server | None) -> dict[str, str | None]:
    """Where each database is measured; None for a file."""
    return {name: server.url if name == "postgresql" and server is not None else None for name in databases}


def _without_server(sizes: Sizes, only: Sequence[str], say: Say) -> Iterator[Line]:
    """What needs neither database."""
    if "machine" in only:
        say("machine.check")
        yield machine(sizes)
    if "statements" in only:
        say("statements: uploads, and a parse of each kind")
        yield from statements(sizes.admitted * 10, sizes.admitted * 5, sizes.verified // 4)
    if "scraping" in only:
        say("scraping: contacts on labelled pages")
        yield from contacts(max(1, sizes.admitted // 10))
    if "themes" in only:
        say("themes: articles of the local extractor, and its precision and recall")
        yield from extraction(max(1, sizes.admitted // 10))


def _adopted(databases: Sequence[str], sizes: Sizes, say: Say, server: Server | None) -> list[Line]:
    lines: list[Line] = []
    for name in databases:
        say(f"{name}: a table is adopted while its writers go on")
        place = server.url if name == "postgresql" and server is not None else None
        lines += adoption.lines(name, place, sizes.adopted[0 if place else 1])
    return lines


def _pair(database: str, finished: int, sizes: Sizes, server: Server | None) -> AbstractContextManager[Place]:
    if database == "sqlite":
        return on_sqlite(finished, sizes.fresh)
    assert server is not None
    return on_postgresql(server, finished, sizes.fresh)


def _measure(place: Place, sizes: Sizes, only: Sequence[str], say: Say, outcome: Outcome) -> None:
    ids = fresh_ids()
    for name in (name for name in MEASURES if name in only):
        say(f"{place.database}, {place.finished:,} finished: {name}")
        outcome.lines += MEASURES[name](place, sizes, ids)
    say(f"{place.database}, {place.finished:,} finished: checking what was written")
    moved = next(ids) - FIRST_FRESH
    alone = (
        sizes.single.needed if place.pgbench and "single" in only else 0
    )  # pgbench moves records of its own
    found = correct.problems(place, moved, moved - alone) if moved else []
    outcome.problems += [f"{place.database}, {place.finished:,} finished: {problem}" for problem in found]
