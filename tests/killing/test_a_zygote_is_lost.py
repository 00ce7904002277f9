"""The process that forks isolated work is killed, again and again: it is replaced, and all work ends right. Without it, its runner ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic

import psutil
import pytest

from interlock import App
from tests.killing.child import KEPT
from tests.killing.judging import all_ended, judge, rows_of
from tests.killing.processes import Crew, Member

KINDS = ("sheets",)


def helpers(runner: Member) -> tuple[psutil.Process, psutil.Process] | None:
    """The keeper and the zygote of a runner, once both are there."""
    with suppress(psutil.Error):
        for keeper in psutil.Process(runner.pid).children():
            for zygote in keeper.children():
                if zygote.status() != psutil.STATUS_ZOMBIE:
                    return keeper, zygote
    return None


def bring(app: App, ids: Sequence[str], behaviour: str = "slow") -> None:
    app.admit_many("sheets", [{"id": id, "behaviour": behaviour} for id in ids])


def at_work(app: App) -> bool:
    return any(row["status"] == "running" for row in rows_of(app, "sheets").values())


def kill_zygote(crew: Crew, runner: Member) -> None:
    crew.until(lambda: helpers(runner))
    both = helpers(runner)
    assert both is not None
    both[1].kill()


def ended(app: App, ids: Sequence[str], count: int) -> Callable[[], bool]:
    return lambda: sum(rows_of(app, "sheets")[id]["status"] == "done" for id in ids) >= count


@pytest.mark.sqlite_only
def test_a_zygote_that_is_killed_over_and_over_costs_no_record_its_success(app: App, crew: Crew) -> None:
    crew.start("coordinator", kinds=KINDS)
    runner = crew.start("runner", kinds=KINDS, lease=KEPT)
    ids = [f"S{number}" for number in range(24)]
    bring(app, ids)
    for count in (1, 6, 12, 18):
        crew.until(ended(app, ids, count))
        kill_zygote(crew, runner)
    crew.until(lambda: all_ended(app, {"sheets": ids}))
    assert runner.alive
    assert {(row["status"], row["tries"]) for row in rows_of(app, "sheets").values()} == {("done", 1)}
    assert judge(app, {"sheets": ids}, crew.reported()).faults == {}


@pytest.mark.sqlite_only
def test_a_runner_that_can_make_no_isolated_process_gives_its_work_back_and_fails(
    app: App, crew: Crew
) -> None:
    crew.start("coordinator", kinds=KINDS)
    runner = crew.start("runner", kinds=KINDS, lease=KEPT)
    ids = ["S1", "S2", "S3"]
    bring(app, ids)
    crew.until(lambda: at_work(app))
    crew.until(lambda: helpers(runner))
    both = helpers(runner)
    assert both is not None
    for helper in both:
        helper.kill()
    assert runner.ended()
    assert runner.process.exitcode == 1
    assert app.runners() == []
    crew.start("runner", kinds=KINDS, lease=KEPT)
    crew.until(lambda: all_ended(app, {"sheets": ids}))
    assert judge(app, {"sheets": ids}, crew.reported()).faults == {}


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_two_minutes_with_a_kill_every_five_seconds(app: App, crew: Crew) -> None:
    crew.start("coordinator", kinds=KINDS)
    runner = crew.start("runner", kinds=KINDS, lease=KEPT)
    ids: list[str] = []
    over = monotonic() + 120
    while monotonic() < over:
        more = [f"S{len(ids) + number}" for number in range(60)]
        bring(app, more)
        ids += more
        until = monotonic() + 5
        crew.until(lambda until=until: monotonic() > until)  # type: ignore[misc]
        kill_zygote(crew, runner)
    crew.until(lambda: all_ended(app, {"sheets": ids}), within=240)
    assert runner.alive
    assert {row["status"] for row in rows_of(app, "sheets").values()} == {"done"}
    assert judge(app, {"sheets": ids}, crew.reported()).faults == {}
