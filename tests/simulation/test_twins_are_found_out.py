"""Take away the version check, or write the ledger in a second transaction, and Hypothesis finds it; with both it finds nothing."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.simulation.twins import Disturbed, DisturbedBlind, DisturbedLateLedger, DisturbedOptimist

PLAYED = settings(
    max_examples=12,
    stateful_step_count=30,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
SOUGHT = settings(
    PLAYED, max_examples=1000, phases=[Phase.generate], report_multiple_bugs=False, print_blob=False
)


@pytest.mark.parametrize(
    "player", [Disturbed, DisturbedOptimist], ids=["the engine itself", "the version check alone"]
)
def test_others_in_between_and_crashes_break_nothing(player: type[Disturbed]) -> None:
    run_state_machine_as_test(player, settings=PLAYED)


@pytest.mark.parametrize(
    "twin", [DisturbedBlind, DisturbedLateLedger], ids=["no version check", "ledger in a second transaction"]
)
def test_a_law_that_is_missing_is_found_out(twin: type[Disturbed]) -> None:
    with pytest.raises(AssertionError):
        run_state_machine_as_test(twin, settings=SOUGHT)
