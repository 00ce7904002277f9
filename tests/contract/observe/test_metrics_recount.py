"""Figures are exact: after any walk of any records each of them equals a recount from the rows and the ledger."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from interlock import Again, Done, Failed, Outcome, Work, Workflow
from interlock.errors import InterlockError
from interlock.observe.metrics import Figure, Level, levels_of
from interlock.observe.metrics.collector import Watch
from interlock.testing import Sandbox
from tests.contract import recounting
from tests.contract.recounting import LEVELS, figures, some, watching
from tests.contract.working import PATIENT, STRICT, dispatch, jobs
from tests.kinds import domains, themes, uploads


def capricious(random: Random) -> Any:
    """Work that ends in every way there is."""

    def work(_: Work) -> Outcome[Any]:
        ways = [
            Done(),
            Done(empty=True, title="nothing"),
            Failed("BROKEN", "not yet"),
            Failed("BAD", final=True),
            Again("10s"),
        ]
        return random.choice(ways)

    return work


def world(random: Random) -> list[Workflow]:
    """The next try waits in a failed state, where it runs, or in a failed state that is waited in; two axes with rules; scopes."""
    work = capricious(random)
    waited_in = jobs(
        work,
        PATIENT,
        "patient",
        waiting=("pending", "failed"),
        running="busy",
        terminal="dead",
        retry=["1m", "2m"],
    )
    return [
        jobs(work, retry=["1m", "2m"]),
        jobs(work, STRICT, "strict", retry=["30s"]),
        waited_in,
        uploads(),
        domains(),
        themes(),
    ]


def act(box: Sandbox, random: Random, number: int) -> None:
    """Something that a person, or time, does."""
    kind = random.choice(["jobs", "strict", "patient", "statements"])
    known = [row[0] for row in recounting.ids(box, kind)]
    id = random.choice(known or ["nobody"])
    choice = random.randrange(10)
    if choice < 3:
        box.admit(kind, {"id": f"{kind}-{number}"})
    elif choice == 3:
        box.move(
            kind, id, actor="ann", status=random.choice(box.workflow(kind).axes["status"].machine.states)
        )
    elif choice == 4:
        box.retry(kind, id, actor="ann", reason="again")
    elif choice == 5:
        box.cancel(kind, id, actor="ann", reason="no more")
    elif choice == 6:
        box.erase(kind, id, actor="ann", role="admin", reason="asked to")
    elif choice == 7:
        box.admit("domains", {"host": f"h{number}"})
        box.move("domains", 1, actor="ann", curation_status=random.choice(["Selected", "Maybe"]))
    elif choice == 8:
        box.admit("themes", {"title": "x"})
        box.move("themes", 1, actor="ann", scope="technical", status="in_progress")
    else:
        dispatch(box) if random.random() < 0.5 else box.drain()
    box.advance(timedelta(seconds=random.randrange(40), milliseconds=random.randrange(1000)))


def equal(box: Sandbox, watch: Watch, levels: list[Level]) -> None:
    """Everything that can be counted again is counted again."""
    found = figures(watch)
    assert some(found["interlock_records"].samples) == recounting.records(box)
    assert found["interlock_moves_total"].samples == recounting.moves(box)
    assert found["interlock_refusals_total"].samples == recounting.refusals(box)
    watched = {(kind, axis, recounting.named(state)) for kind, axis, state in watch.history.watched}
    stays = [stay for stay in recounting.stays(box) if (stay[0], stay[1], stay[3]) in watched]
    for labels, spread in found["interlock_state_seconds"].spreads.items():
        seconds = [stay[5] for stay in stays if stay[:4] == labels]
        assert spread.counts == (
            *(sum(one <= bound for one in seconds) for bound in spread.bounds),
            len(seconds),
        ), labels
        assert spread.total == pytest.approx(sum(seconds))
    assert {stay[:4] for stay in stays} == set(found["interlock_state_seconds"].spreads)
    for level in levels:
        for scope in level.scopes:
            labels = (level.name, level.kind, scope)
            kept = (
                found["interlock_level_events_total"].samples[labels],
                found["interlock_level_good_total"].samples[labels],
            )
            assert kept == recounting.level(box, level, scope)
    ages = recounting.ages(box)
    wanted = {
        (*place, f"{share:g}"): pytest.approx(recounting.quantile(held, share), abs=0.002)
        for place, held in ages.items()
        for share in (0.5, 0.95, 1)
    }
    assert {
        labels: value
        for labels, value in found["interlock_state_age_seconds"].samples.items()
        if labels in wanted
    } == wanted
    assert {
        labels for labels, value in found["interlock_state_age_seconds"].samples.items() if value > 0.001
    } <= set(wanted)
    results(box, found)


def results(box: Sandbox, found: dict[str, Figure]) -> None:
    """What came of attempts, against the causes in the ledger."""
    total, empty = found["interlock_stage_total"].samples, found["interlock_empty_total"].samples
    for kind in ("jobs", "strict", "patient"):
        completed = [
            move
            for move in box.ledger.tail("0.0", limit=100_000, kind=kind)
            if move[1].cause == "work.completed"
        ]
        hollow = [move for _, move in completed if move.facts.get("empty")]
        assert total[kind, "work", "", "done"] + total[kind, "work", "", "empty"] == len(completed)
        left = {str(row[0]) for row in recounting.ids(box, kind)}
        forgotten = sum(
            str(move.id) not in left for _, move in completed
        )  # whose facts were erased with them
        assert total[kind, "work", "", "empty"] == empty[kind, "work", ""]
        assert len(hollow) <= empty[kind, "work", ""] <= len(hollow) + forgotten
    open_ = recounting.rows(
        box, "SELECT stage, count(*) AS n FROM interlock_work WHERE reported_at IS NULL GROUP BY stage"
    )
    assert {
        f"{kind}.{stage}": value
        for (kind, stage, _), value in some(found["interlock_work_open"].samples).items()
    } == {row["stage"]: row["n"] for row in open_}


@pytest.mark.parametrize("seed", [1, 2])
def test_after_a_random_walk_every_figure_equals_a_recount(boxed: Callable[..., Sandbox], seed: int) -> None:
    random = Random(seed)
    box = boxed(*world(random))
    levels = levels_of(box.workflows.values(), LEVELS)
    follows = watching(box)
    for number in range(120):
        with suppress(InterlockError):  # refused, and counted
            act(box, random, number)
        if number % 20 == 0:
            equal(box, follows, levels)
    equal(box, follows, levels)
    equal(box, watching(box), levels)  # one that begins now says the same as one that followed
    assert recounting.refusals(box), "the walk was too tame to show anything"
    assert any(figures(follows)["interlock_empty_total"].samples.values())
