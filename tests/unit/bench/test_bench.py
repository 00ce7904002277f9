"""The measurements run, with next to nothing to measure, and what they write is right; how fast it was is nobody's business here."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bench import report
from bench.bars import Line, compared
from bench.measures import NAMES, Sizes
from bench.rounds import Pace, Size
from bench.run import run
from tests.servers.postgres import Server

TINY = Sizes(
    (Size(5, 10, 1), Size(1, 2, 1)), Size(1, 2, 1), admitted=1, verified=3, checks=1, adopted=(200, 100)
)
BY_MOVES = ("batches", "single", "admit", "verify", "machine")
WITH_SERVERS = (*BY_MOVES, "service", "statements")
"""These start servers and workers; once in `make test`, on PostgreSQL, is enough to know that they run."""
IN_THIS_PROCESS = (*BY_MOVES, "themes", "scraping", "adoption")


def said(_: str) -> None:
    """Nobody waits for a test."""


@pytest.mark.parametrize(
    ("database", "names"),
    [
        ("sqlite", IN_THIS_PROCESS),
        ("postgresql", WITH_SERVERS),
        pytest.param("sqlite", NAMES, marks=pytest.mark.soak),
        pytest.param("postgresql", NAMES, marks=pytest.mark.soak),
    ],
)
def test_every_measurement_runs_and_what_it_wrote_is_right(
    database: str, names: Sequence[str], request: pytest.FixtureRequest
) -> None:
    server: Server | None = request.getfixturevalue("postgres_server") if database == "postgresql" else None
    outcome = run([database], [0, 7], TINY, names, said, server)
    assert outcome.problems == []
    measured = {line.measure for line in outcome.lines}
    assert {"machine.check", "move_many 5", "move_many 1", "admit_many 500", "ledger verify"} <= measured
    batches = [line for line in outcome.lines if line.measure.startswith("move")]
    assert batches
    assert all(line.ratio is not None and line.ratio > 0 for line in batches)
    printed = report.table(outcome.lines)
    assert all(f"{line.ratio:.2f}" in printed for line in batches)


@pytest.mark.soak
def test_the_reference_workload_runs_and_every_move_is_right(postgres_server: Server) -> None:
    """Without a pile of finished records beforehand; `make soak` has one."""
    measured = {
        (line.measure, line.database)
        for line in run(["postgresql"], [0], TINY, ["work"], said, postgres_server).lines
    }
    assert measured >= {
        ("W", "postgresql"),
        ("W beside hand-written SQL", "sqlite"),
        ("admit → handler p50", "postgresql"),
    }


def test_a_line_says_which_bar_it_reached() -> None:
    reached = [
        Line("move_many 500", "postgresql", 0, ours, "moves/s", 100.0, bar=(0.5, 0.8)).reached
        for ours in (40.0, 60.0, 90.0)
    ]
    assert reached == ["no", "first bar", "goal"]


def test_many_finished_records_are_compared_by_their_ratios_not_by_their_speeds() -> None:
    lines = [
        Line("move_many 500", "postgresql", finished, ours, "moves/s", beside, 0.01)
        for finished, ours, beside in ((0, 50.0, 100.0), (1_000_000, 20.0, 50.0))
    ]
    (line,) = compared(lines)
    assert line.ratio == pytest.approx(0.4 / 0.5)
    assert line.reached == "no"


def test_drift_is_the_distance_between_the_halves() -> None:
    pace = Pace(rates=[100.0, 100.0, 80.0, 80.0])
    assert pace.drift == pytest.approx(20 / 90)
