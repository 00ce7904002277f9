"""Real coordinators, runners, sweeper and authority against everything that can go wrong: no invariant ever breaks."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from typing import Any

import pytest
from sqlalchemy import Column, MetaData, String, Table, Text

from interlock import App, Axis, Done, Work, Workflow
from interlock.errors import BadInput
from interlock.testing import HistoryFailed, SimulationReport, simulate
from interlock.testing.simulation.database.watching import LogLine
from interlock.testing.simulation.judging import Judge, visible
from tests import kinds
from tests.simulation.mutants import MUTANTS
from tests.simulation.workflows import PLAYED

HISTORIES = 100
SOAKED = 100_000


def played(name: str, histories: int, seed: int) -> SimulationReport:
    made: dict[str, Any] = PLAYED[name]()
    return simulate(made.pop("workflows"), histories, seed, **made)


@pytest.mark.parametrize("share", [0, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", PLAYED)
def test_no_invariant_breaks_whatever_goes_wrong(name: str, share: int) -> None:
    report = played(name, HISTORIES, share * HISTORIES)
    struck = Counter(point.partition(" ")[0] for point in report.misfortunes.elements())
    assert report.histories == HISTORIES
    assert min(struck["crash"], struck["lost"], struck["unheard"]) > 20, "misfortune must really have come"
    assert report.points > 40, "and at many different statements"
    assert report.causes["lease.expired"] > 10, "zombies must really have been there"


@pytest.mark.soak
@pytest.mark.timeout(4 * 3600)
def test_no_invariant_breaks_in_a_hundred_thousand_histories() -> None:
    each = SOAKED // len(PLAYED) // 10
    jobs = [(name, each, 1_000_000 + number * each) for name in PLAYED for number in range(10)]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        reports = list(pool.map(played, *zip(*jobs, strict=True)))
    assert sum(report.histories for report in reports) >= SOAKED
    points = Counter[str]()
    for report in reports:
        points += report.misfortunes
    assert len(points) > 200


def test_a_seed_plays_the_same_history_every_time() -> None:
    first, second = (played("themes", 12, 77) for _ in range(2))
    assert first.digest == second.digest
    assert played("themes", 12, 78).digest != first.digest


@pytest.mark.parametrize("hashing", ["1", "2"])
def test_a_seed_plays_the_same_history_in_every_process(hashing: str) -> None:
    code = "from tests.simulation.test_simulation import played; print(played('domains', 8, 5).digest)"
    told = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": hashing, "PYTHONPATH": os.pathsep.join(sys.path)},
    ).stdout.strip()
    assert told == played("domains", 8, 5).digest


def test_a_failure_tells_its_seed_and_its_story_and_plays_again(monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = next(one for one in MUTANTS if one.name == "a persons move leaves the work row")
    mutant.change(mutant, monkeypatch)
    with pytest.raises(HistoryFailed) as found:
        played("statements", 200, 0)
    with pytest.raises(HistoryFailed) as again:
        played("statements", 1, found.value.seed)
    assert (again.value.findings, again.value.trace) == (found.value.findings, found.value.trace)
    text = str(found.value)
    assert f"histories=1, seed={found.value.seed}" in text
    assert "what was committed:" in text
    assert "attempt 1" in text


def jobs() -> Workflow:
    table = Table("jobs", MetaData(), Column("id", String(40), primary_key=True), Column("note", Text))
    workflow = Workflow("jobs", records=table, axes=[Axis("status", kinds.PROCESSING)])

    @workflow.stage(waiting="Queued", running="Processing", done="Complete", failed="Failed")
    def work(work: Work) -> Done[None]:
        raise AssertionError("stage functions are not called")

    return workflow


@pytest.mark.parametrize(
    "made",
    [jobs, lambda: [jobs()], lambda: App([jobs()], database="sqlite://")],
    ids=["workflow", "list", "app"],
)
def test_a_users_own_workflows_can_be_played(made: Any) -> None:
    assert simulate(made(), histories=10, seed=1).histories == 10


@pytest.mark.parametrize("made", [kinds.uploads, kinds.domains, kinds.content, kinds.themes])
def test_the_small_workflows_of_the_tests_play_without_a_word_of_their_own(made: Any) -> None:
    assert simulate(made(), histories=15).entries > 50


def test_rows_say_what_records_look_like() -> None:
    seen: list[int] = []

    def row(random: Random, number: int) -> dict[str, Any]:
        seen.append(number)
        return {"id": f"job-{number}"}

    simulate(jobs(), 5, rows={"jobs": row})
    assert seen


def test_a_simulation_without_a_single_record_shows_nothing_and_says_so() -> None:
    with pytest.raises(BadInput, match="was ever admitted: jobs has no column 'nothing'"):
        simulate(jobs(), 3, rows={"jobs": lambda random, number: {"nothing": number}})


def test_a_table_that_lives_in_a_database_cannot_be_played() -> None:
    with pytest.raises(BadInput, match="only declarations"):
        simulate(Workflow("old", records="old_table", axes=[Axis("status", kinds.UPLOAD)]), 1)


def test_a_failed_history_comes_home_from_another_process() -> None:
    failed = HistoryFailed(7, ["I1 something"], ["somebody did it"])
    again = pickle.loads(pickle.dumps(failed))
    assert (again.seed, again.findings, again.trace, str(again)) == (
        7,
        ["I1 something"],
        ["somebody did it"],
        str(failed),
    )


def test_an_attempt_that_is_taken_back_in_its_own_transaction_was_never_there() -> None:
    def line(what: str, token: str | None = None) -> LogLine:
        return LogLine(what, "domains", "1", "status", "", 2, token, None, None, None, None, None, None)

    lines = [
        line("issued", "a"),
        line("commit"),
        line("issued", "b"),
        line("ended", "b"),
        line("moved", "a"),
        line("commit"),
        line("ended", "a"),
        line("issued", "c"),
    ]
    assert [(one.what, one.token) for one in visible(lines)] == [
        ("issued", "a"),
        ("commit", None),
        ("moved", "a"),
        ("commit", None),
        ("ended", "a"),
        ("issued", "c"),
    ]
    assert (
        played("domains", 1, 1_006_377).histories == 1
    )  # a sweep that was held up between its look and its work


@pytest.mark.parametrize(("asked", "is_right"), [(True, True), (False, False)])
def test_an_attempt_that_nobody_claimed_is_reported_only_by_whoever_was_asked_about_it(
    asked: bool, is_right: bool
) -> None:
    def line(what: str) -> LogLine:
        return LogLine(
            what, "statements", "1", "status", "", 1, "a", "statements.parse", None, None, None, None, None
        )

    workflows = {one.name: one for one in PLAYED["statements"]()["workflows"]}
    judge = Judge(workflows).hear([line("issued"), *([line("asked")] if asked else []), line("reported")])
    assert (judge.findings == []) is is_right, judge.findings
    assert (
        played("statements", 1, 1_003_451).histories == 1
    )  # overdue in its third try, which no runner had claimed
