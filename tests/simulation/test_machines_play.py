"""Hypothesis plays the test workflows, and machines that it makes up, against a model: it finds nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, run_state_machine_as_test

from interlock import Machine, Workflow
from interlock.testing import state_machine
from interlock.testing.playground import PlayGround
from interlock.testing.stateful import Player, bare
from tests.kinds import CURATION, EXTRACTION, LIFECYCLE, PROCESSING, UPLOAD, content, domains, themes, uploads
from tests.permutation.split import services, split_domains
from tests.simulation.machines import machines

PLAYED = settings(
    max_examples=8,
    stateful_step_count=30,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
"""Without shrinking: what is found is told as it was played, instead of running into the timeout that kills the whole worker."""
SOAKED = settings(PLAYED, max_examples=1500, stateful_step_count=60, phases=list(Phase))
WORKFLOWS = {made.__name__: made for made in (uploads, domains, content, themes, split_domains, services)}
AUTHORED = st.fixed_dictionaries({"author": st.sampled_from([None, "ann", "cid"])})


FEW = settings(PLAYED, max_examples=3, stateful_step_count=20)
"""On PostgreSQL, where each step takes longer."""


class MadeUp(Player):
    """A machine of its own in every play."""

    @initialize(machine=machines())
    def begin(self, machine: Machine) -> None:
        self.play(bare(machine))


@contextmanager
def on_postgresql(url: str) -> Iterator[type[MadeUp]]:
    """Made up machines, played on this database."""

    class There(MadeUp):
        ground = PlayGround(url)

    yield There
    There.ground.close()


def play_workflow(made: Callable[[], Workflow], played: settings, database: str | None = None) -> None:
    player = state_machine(made(), rows=AUTHORED if made is content else None, database=database)
    run_state_machine_as_test(player, settings=played)
    player.ground.close()


@pytest.mark.parametrize(
    "machine", [UPLOAD, LIFECYCLE, CURATION, PROCESSING, EXTRACTION], ids=lambda machine: machine.name
)
def test_a_machine_alone_does_what_its_model_says(machine: Machine) -> None:
    run_state_machine_as_test(state_machine(machine), settings=PLAYED)


@pytest.mark.parametrize("made", WORKFLOWS.values(), ids=WORKFLOWS.keys())
def test_a_workflow_does_what_its_model_says(made: Callable[[], Workflow]) -> None:
    play_workflow(made, PLAYED)


@pytest.mark.parametrize("made", WORKFLOWS.values(), ids=WORKFLOWS.keys())
def test_a_workflow_does_what_its_model_says_on_postgresql(
    made: Callable[[], Workflow], postgres_url: str
) -> None:
    play_workflow(made, FEW, postgres_url)


def test_machines_that_nobody_thought_of_do_what_their_models_say() -> None:
    run_state_machine_as_test(MadeUp, settings=settings(PLAYED, max_examples=20))


def test_machines_that_nobody_thought_of_do_what_their_models_say_on_postgresql(postgres_url: str) -> None:
    with on_postgresql(postgres_url) as player:
        run_state_machine_as_test(player, settings=FEW)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("made", WORKFLOWS.values(), ids=WORKFLOWS.keys())
def test_a_workflow_does_what_its_model_says_for_long(made: Callable[[], Workflow]) -> None:
    play_workflow(made, SOAKED)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("made", WORKFLOWS.values(), ids=WORKFLOWS.keys())
def test_a_workflow_does_what_its_model_says_for_long_on_postgresql(
    made: Callable[[], Workflow], postgres_url: str
) -> None:
    play_workflow(made, settings(SOAKED, max_examples=300), postgres_url)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_machines_that_nobody_thought_of_do_what_their_models_say_for_long() -> None:
    run_state_machine_as_test(MadeUp, settings=SOAKED)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_machines_that_nobody_thought_of_do_what_their_models_say_for_long_on_postgresql(
    postgres_url: str,
) -> None:
    with on_postgresql(postgres_url) as player:
        run_state_machine_as_test(player, settings=settings(SOAKED, max_examples=300))
