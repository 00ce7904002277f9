"""Changes of the engine that a contract test must find, each with that test. As a pytest plugin this module makes the one change that
INTERLOCK_MUTANT names before the tests are run."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from interlock.coordinator.limits import Turns
from interlock.store.postgresql.moves import stage_batches as server_batches
from interlock.store.sqlite.moves import stage_batches as memory_batches
from interlock.store.work.rows import WorkRows
from interlock.workflow import Workflow

Change = Callable[[pytest.MonkeyPatch], None]
FOUND_BY: dict[str, tuple[Change, str]] = {}


def found_by(test: str) -> Callable[[Change], Change]:
    """Declares the test that finds a change."""

    def keep(change: Change) -> Change:
        FOUND_BY[change.__name__] = (change, test)
        return change

    return keep


@found_by("tests/unit/workflow/test_freezing.py")
def what_is_declared_late_is_accepted(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Workflow, "freeze", lambda workflow: None)


@found_by("tests/contract/plans/test_batches_without_judging.py")
def a_batch_in_the_server_forgets_the_state_test(patch: pytest.MonkeyPatch) -> None:
    real = server_batches._stands
    patch.setattr(
        server_batches,
        "_stands",
        lambda step: real(step).replace(step.place.in_states([step.template.old]), "true"),
    )


@found_by("tests/contract/plans/test_batches_without_judging.py")
def a_batch_on_sqlite_forgets_the_state_test(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(memory_batches, "one_of", lambda column, states: "true")


@found_by("tests/contract/plans/test_parity.py")
def a_batch_in_the_server_forgets_a_column(patch: pytest.MonkeyPatch) -> None:
    real = server_batches._changes

    def changes(step: Any, *args: Any) -> list[str]:
        return real(step, *args)[:-1] if step.now or step.own or step.counted else real(step, *args)

    patch.setattr(server_batches, "_changes", changes)


@found_by("tests/contract/plans/test_parity.py")
def a_batch_in_the_server_forgets_the_token(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(server_batches, "_TOKENS", "'{}'")


@found_by("tests/contract/queue/test_fair_dispatch.py")
def turns_are_not_rotated(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Turns, "ordered", lambda turns, keys: list(keys))
    patch.setattr(Turns, "share", lambda turns, key, free, later: free)


@found_by("tests/contract/queue/test_pauses.py")
def work_of_a_paused_stage_is_claimed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(WorkRows, "is_going", lambda rows: "1 = 1")


def pytest_configure(config: pytest.Config) -> None:
    name = os.environ.get("INTERLOCK_MUTANT")
    if name:
        FOUND_BY[name][0](pytest.MonkeyPatch())
