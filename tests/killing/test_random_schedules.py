"""Random kills, freezes and cuts of everything that can be killed, frozen or cut: nothing is lost, doubled, illegal or stuck."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.killing.schedule import drawn
from tests.killing.soaking import play, soak, told
from tests.servers.postgres import Server

AGAIN = os.environ.get("INTERLOCK_KILL_SEED")
SEEDS = [int(AGAIN)] if AGAIN else [1, 2]  # five hundred others in `make soak`
SOAK = 500
AT_ONCE = 3


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_schedule_on_sqlite(seed: int, tmp_path: Path) -> None:
    outcome = play(seed, tmp_path / "sqlite", None)
    assert outcome.judgement.faults == {}, told("sqlite", outcome)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_schedule_on_postgresql(seed: int, tmp_path: Path, mortal_server: Server) -> None:
    outcome = play(seed, tmp_path / "postgresql", mortal_server)
    assert outcome.judgement.faults == {}, told("postgresql", outcome)


def test_a_seed_gives_the_same_schedule_every_time() -> None:
    assert [drawn(seed, server=True) for seed in range(20)] == [
        drawn(seed, server=True) for seed in range(20)
    ]
    assert len({drawn(seed, server=True) for seed in range(20)}) == 20


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_nothing_is_lost_in_five_hundred_random_schedules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seeds = [(("sqlite", "postgresql")[number % 2], 1000 + number) for number in range(SOAK)]
    figures = soak(seeds, tmp_path, AT_ONCE)
    with capsys.disabled():
        print(f"\n{figures}")  # noqa: T201  a soak is read by people
    assert figures.failures == [], "\n\n".join(figures.failures[:3])
