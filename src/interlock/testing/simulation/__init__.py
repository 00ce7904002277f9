"""Runs real coordinators and runners against injected faults: crashes at every statement, late and lost messages, wrong clocks."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256

from ... import ids
from ...app import App
from ...errors import BadInput
from ...workflow import Workflow
from .drawing import Results, Rows
from .ending import findings
from .play import Violated, play
from .report import HistoryFailed, SimulationReport
from .world import Also, World

__all__ = ["HistoryFailed", "SimulationReport", "World", "play_one", "simulate"]

LOGGERS = ("interlock.coordinator", "interlock.runner", "interlock.work", "interlock.loop")


def simulate(
    played: App | Workflow | Sequence[Workflow],
    histories: int = 1000,
    seed: int = 0,
    *,
    rows: Mapping[str, Rows] | None = None,
    results: Results | None = None,
    also: Sequence[Also] = (),
    tell: Callable[[int], None] | None = None,
    database: str | None = None,
) -> SimulationReport:
    """Play so many histories, each from its own seed (`seed`, `seed + 1`, …); raises `HistoryFailed` at the first that must not be.

    Stage functions are not called: what comes of work is drawn. `rows` draws the records of a kind, `results` what `save` is given.
    `database` is the URL of an empty PostgreSQL database, of a superuser, in which every table is emptied before each history; without
    it, histories are played on SQLite in memory. On PostgreSQL processes are also held up in the midst of transactions, with their locks.
    """
    world = World(_workflows(played), rows, results, database)
    world.also = list(also)
    report = SimulationReport(seed)
    try:
        for number in range(histories):
            digest, entries, causes = play_one(world, seed + number)
            report.take(digest, entries, causes)
            if tell is not None:
                tell(number + 1)
    finally:
        world.ground.close()
    if not report.entries:
        raise BadInput(
            f"no record of {', '.join(world.workflows)} was ever admitted: {world.refused}",
            hint="Say what your records look like: rows={kind: lambda random, number: {…}}.",
        )
    report.misfortunes = world.faults.struck
    return report


def play_one(world: World, seed: int) -> tuple[str, int, Counter[str]]:
    """Play one history; returns the digest of everything that happened, the number of entries, and their causes."""
    with ids.drawn_from(world.random.randbytes), silenced_loggers():
        world.open(seed)
        try:
            try:
                play(world)
                wrong = findings(world)
            except Violated as violated:
                wrong = [str(violated), *findings(world)]
            lines = world.ground.log()
            if wrong:
                raise HistoryFailed(seed, wrong, story(world, lines))
        finally:
            world.close()
    moves = [line for line in lines if line.what == "moved"]
    digest = sha256(repr((world.trace, [line[:8] for line in lines])).encode()).hexdigest()
    return digest, len(moves), Counter(line.cause or "" for line in moves)


def story(world: World, lines: Sequence[object]) -> list[str]:
    """Return the lines of a report: who did what, in order, then what was committed."""
    return [
        *(f"{who}: {what}" for who, what in world.trace),
        "what was committed:",
        *(str(line) for line in lines if getattr(line, "what", "") != "commit"),
    ]


def _workflows(played: App | Workflow | Sequence[Workflow]) -> list[Workflow]:
    if isinstance(played, App):
        return list(played.workflows.values())
    return [played] if isinstance(played, Workflow) else list(played)


@contextmanager
def silenced_loggers() -> Iterator[None]:
    """Silence the loggers of coordinators and runners while a history is played."""
    before = [(logger, logger.disabled) for logger in map(logging.getLogger, LOGGERS)]
    for logger, _ in before:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, disabled in before:
            logger.disabled = disabled
