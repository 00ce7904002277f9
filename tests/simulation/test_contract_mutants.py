"""Mechanisms that a simulated history cannot miss, because others stand behind them: a contract test finds out that one is gone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.simulation.contract_mutants import FOUND_BY

SOME_FAILED = 1
"""pytest's exit code when tests were run and some failed; others mean that they could not be run."""


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", FOUND_BY)
def test_a_contract_test_finds_it_out(name: str) -> None:
    _, test = FOUND_BY[name]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "tests.simulation.contract_mutants",
        "-p",
        "no:cacheprovider",
        "-x",
        test,
    ]
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "INTERLOCK_MUTANT": name}
    )
    assert run.returncode == SOME_FAILED, run.stdout[-3000:] + run.stderr[-3000:]
    assert f"FAILED {test}" in run.stdout, run.stdout[-3000:]
