"""One pipeline never affects the other: Hypothesis plays both with two runners, resets, reassignments and time, and finds nothing."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from interlock.testing.playground import PlayGround

from .playing import TwoPipelines

PLAYED = settings(
    max_examples=6,
    stateful_step_count=35,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
FEW = settings(PLAYED, max_examples=2, stateful_step_count=25)
"""On PostgreSQL, where each step takes longer."""
SOAKED = settings(PLAYED, max_examples=200, stateful_step_count=80, phases=list(Phase))


def play(database_url: str, played: settings) -> None:
    class Here(TwoPipelines):
        ground = PlayGround(database_url)

    try:
        run_state_machine_as_test(Here, settings=played)
    finally:
        Here.ground.close()


def test_whatever_happens_in_one_pipeline_leaves_the_other_alone(database_url: str) -> None:
    play(database_url, PLAYED if database_url.startswith("sqlite") else FEW)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_whatever_happens_in_one_pipeline_leaves_the_other_alone_for_long(database_url: str) -> None:
    play(database_url, SOAKED)
