"""Every shape of the benchmark runs to its end and leaves nothing wrong behind; how fast it was is nobody's business here."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.bars import SHAPE_BARS
from bench.run import run
from bench.shapes.catalogue import SHAPES
from bench.shapes.measure import ended
from bench.shapes.queues import QUEUES
from interlock.testing import Sandbox
from tests.servers.postgres import Server
from tests.unit.bench.test_bench import TINY, said

ON_BOTH = {"two_axes", "statements"}
DATABASES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.soak)]
RECORDS = 11
"""So many that one fails in each stage of `failures`."""


@pytest.mark.parametrize("name", list(SHAPES))
def test_every_shape_comes_to_its_end(name: str, sqlite_url: str, tmp_path: Path) -> None:
    comes_to_its_end(name, sqlite_url, tmp_path)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in ON_BOTH else pytest.mark.soak) for name in SHAPES]
)
def test_a_shape_comes_to_its_end_on_postgresql(name: str, postgres_url: str, tmp_path: Path) -> None:
    comes_to_its_end(name, postgres_url, tmp_path)


def comes_to_its_end(name: str, database_url: str, tmp_path: Path) -> None:
    shape = SHAPES[name]
    box = Sandbox(shape.declare(), database=database_url, files=str(tmp_path))
    try:
        shape.admit(box, RECORDS)
        box.drain()
        assert ended(box, shape) == RECORDS * shape.expected
        assert box.check().findings == []
    finally:
        box.close()


@pytest.mark.parametrize("database", DATABASES)
def test_a_shape_is_measured_beside_the_plain_one(database: str, request: pytest.FixtureRequest) -> None:
    server: Server | None = request.getfixturevalue("postgres_server") if database == "postgresql" else None
    (line,) = run([database], [0], TINY, ["shapes"], said, server, chosen=["two_axes"]).lines
    assert (line.measure, line.unit, line.bar) == ("shape two_axes", "moves/s", (0.5, 0.75))
    assert line.ratio is not None
    assert line.ratio > 0


def test_every_shape_has_a_bar_but_the_plain_one_and_the_archive_in_no_order() -> None:
    """Whatever writes to a page of its own for each row waits for the disk: it is shown, and compared with nothing."""
    assert set(SHAPES) - {"plain", "scoped_shuffled"} == set(SHAPE_BARS)


@pytest.mark.parametrize("database", DATABASES)
def test_queues_and_the_idle_sweep_are_timed_in_every_shape(
    database: str, request: pytest.FixtureRequest
) -> None:
    server: Server | None = request.getfixturevalue("postgres_server") if database == "postgresql" else None
    lines = run([database], [0], TINY, ["queues"], said, server).lines
    articles = {"themes, one of many", "themes, many waiting beside few"}
    assert {line.measure for line in lines} == articles | {
        f"{what}, {name}" for what in ("due of 500", "idle sweep") for name in QUEUES
    }
    assert all(line.ours > 0 and line.lower and line.finished in (20, 40) for line in lines)
