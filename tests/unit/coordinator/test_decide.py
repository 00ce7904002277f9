"""`decide` as a table: every outcome, wherever the next try may wait, with tries left and without."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from interlock import Done, Machine
from interlock.coordinator.decide import CRASH_TRIES, MESSAGE_LIMIT, Decision, Report, decide
from interlock.workflow import Stage

CIRCLE = Machine(
    "circle",
    initial="wait",
    moves={
        "wait": ["run", "done", "failed", "dead"],
        "run": ["done", "failed", "dead", "wait"],
        "failed": ["run", "wait", "dead"],
    },
)
ONE_WAY = Machine("one way", initial="wait", moves={"wait": ["run"], "run": ["done", "failed", "dead"]})
DELAYS = (timedelta(seconds=10), timedelta(seconds=20))
FACTS = {"pages_count": 3}
FAILED = Report("failed", "BROKEN", "page 3", facts=FACTS)
FINAL = Report("failed", "BROKEN", "page 3", final=True, facts=FACTS)
EXPIRED = Report("expired", "LEASE_EXPIRED", "gone")
OVERDUE = Report("overdue", "DEADLINE", "too long")
CANCELLED = Report("cancelled", "CANCELLED", "not wanted")
REFUSED = Report("refused", "refused", "a rule said no", facts=FACTS)


def stage(machine: Machine = CIRCLE, **options: Any) -> Stage:
    shape = {
        "waiting": ("wait",),
        "done": "done",
        "running": "run",
        "failed": "failed",
        "retry": DELAYS,
        **options,
    }
    return Stage("work", "status", lambda work: Done(), **shape)


PLACES = {
    "runner": stage(retry_in="runner"),
    "running": stage(ONE_WAY),
    "running, as declared": stage(retry_in="running"),
    "failed": stage(waiting=("wait", "failed")),
    "waiting": stage(),
    "waiting, from running": stage(failed=None),
    "no running state": stage(running=None),
    "neither running nor failed": stage(running=None, failed=None),
    "no retry": stage(retry=()),
    "terminal": stage(terminal="dead"),
    "terminal and waiting in failed": stage(waiting=("wait", "failed"), terminal="dead"),
}
MACHINES = {name: ONE_WAY if name == "running" else CIRCLE for name in PLACES}


def ask(place: str, report: Report, tries: int = 0, **more: Any) -> Decision:
    chosen = PLACES[place]
    state = chosen.running if chosen.running is not None else chosen.waiting[0]
    return decide(chosen, MACHINES[place], state, tries, report, **more)


def fate(decision: Decision) -> tuple[Any, ...]:
    """(where to, what is counted on the row, when its state is due, when its work row is available, whether it rests)"""
    return decision.to, decision.counted, decision.due, decision.again, decision.rest


@pytest.mark.parametrize("place", PLACES)
def test_done_leads_to_done_and_costs_nothing(place: str) -> None:
    decision = ask(place, Report("done", facts=FACTS), tries=1)
    assert fate(decision) == ("done", (), None, None, False)
    assert (decision.cause, decision.what, decision.facts) == ("work.completed", "done", FACTS)


@pytest.mark.parametrize("place", PLACES)
def test_an_empty_success_is_told_apart(place: str) -> None:
    decision = ask(place, Report("done", empty=True, facts=FACTS))
    assert (decision.to, decision.what, decision.facts) == ("done", "empty", {**FACTS, "empty": True})


FIRST, SECOND = DELAYS
FAILURES = {
    ("runner", 0): (
        "failed",
        ("tries",),
        None,
        None,
        True,
    ),  # the runner has made all tries before it reported
    ("running", 0): ("run", ("tries", "attempt"), None, FIRST, False),
    ("running", 1): ("run", ("tries", "attempt"), None, SECOND, False),
    ("running", 2): ("failed", ("tries",), None, None, True),
    ("running, as declared", 0): ("run", ("tries", "attempt"), None, FIRST, False),
    ("running, as declared", 2): ("failed", ("tries",), None, None, True),
    ("failed", 0): ("failed", ("tries",), FIRST, None, False),
    ("failed", 1): ("failed", ("tries",), SECOND, None, False),
    ("failed", 2): ("failed", ("tries",), None, None, True),
    ("waiting", 0): ("failed", ("tries",), FIRST, None, False),  # the sweep brings it back when it is due
    ("waiting", 2): ("failed", ("tries",), None, None, True),
    ("waiting, from running", 0): ("wait", ("tries",), FIRST, None, False),
    ("waiting, from running", 2): (
        "run",
        ("tries",),
        None,
        None,
        True,
    ),  # nowhere to go: it rests with its error
    ("no running state", 0): ("wait", ("tries",), FIRST, None, False),
    ("no running state", 2): ("failed", ("tries",), None, None, True),
    ("neither running nor failed", 0): ("wait", ("tries",), FIRST, None, False),
    ("neither running nor failed", 2): ("wait", ("tries",), None, None, True),
    ("no retry", 0): ("failed", ("tries",), None, None, True),
    ("terminal", 0): ("failed", ("tries",), FIRST, None, False),
    ("terminal", 2): ("dead", ("tries",), None, None, True),
    ("terminal and waiting in failed", 1): ("failed", ("tries",), SECOND, None, False),
    ("terminal and waiting in failed", 2): ("dead", ("tries",), None, None, True),
}
OVER = {place: row for (place, _), row in FAILURES.items() if row[-1]}
"""Where each ends when there is nothing left to try."""


@pytest.mark.parametrize(("place", "tries"), FAILURES)
def test_a_failure_waits_for_its_next_try_where_the_machine_lets_it(place: str, tries: int) -> None:
    decision = ask(place, FAILED, tries)
    assert fate(decision) == FAILURES[place, tries]
    assert decision.cause == "work.failed"
    assert decision.what == ("failed" if decision.rest else "retried")
    assert decision.facts == {**FACTS, "error_code": "BROKEN", "error_message": "page 3"}


def test_every_place_is_tried_with_tries_left_and_without() -> None:
    assert set(OVER) == set(PLACES)


@pytest.mark.parametrize("place", PLACES)
def test_a_final_failure_is_over_whatever_is_left(place: str) -> None:
    decision = ask(place, FINAL)
    assert fate(decision) == OVER[place]
    assert (decision.cause, decision.what) == ("work.failed", "failed")


@pytest.mark.parametrize("place", PLACES)
def test_a_lost_runner_costs_a_try_and_the_work_begins_again_at_once(place: str) -> None:
    decision = ask(place, EXPIRED)
    at_once = timedelta()
    if PLACES[place].running is None:
        assert fate(decision) == ("wait", ("tries",), at_once, None, False)
    else:
        assert fate(decision) == ("run", ("tries", "attempt"), None, at_once, False)
    assert (decision.cause, decision.what) == ("lease.expired", "expired")
    assert decision.facts["error_code"] == "LEASE_EXPIRED"


@pytest.mark.parametrize("place", PLACES)
def test_work_that_kills_its_runners_is_parked_after_exactly_its_tries(place: str) -> None:
    allowed = 1 + len(PLACES[place].retry) if PLACES[place].retry else CRASH_TRIES
    endings = [ask(place, EXPIRED, tries).rest for tries in range(allowed)]
    assert endings == [False] * (allowed - 1) + [True]
    assert fate(ask(place, EXPIRED, allowed - 1)) == OVER[place]


@pytest.mark.parametrize(("place", "tries"), FAILURES)
def test_past_its_deadline_it_is_judged_like_a_failure(place: str, tries: int) -> None:
    decision = ask(place, OVERDUE, tries)
    assert fate(decision) == FAILURES[place, tries]
    assert decision.cause == "deadline.passed"


@pytest.mark.parametrize("place", PLACES)
def test_a_cancelled_attempt_is_over_and_costs_no_try(place: str) -> None:
    to, _, due, again, rest = OVER[place]
    assert fate(ask(place, CANCELLED)) == (to, (), due, again, rest)
    assert ask(place, CANCELLED).cause == "command.cancel"


@pytest.mark.parametrize("place", PLACES)
def test_a_refused_report_fails_without_its_facts_and_costs_no_try(place: str) -> None:
    decision = ask(place, REFUSED)
    to = (
        PLACES[place].failed or OVER[place][0]
    )  # failed rather than terminal: nothing was wrong with the work itself
    assert fate(decision) == (to, (), None, None, True)
    assert decision.facts == {"error_code": "refused", "error_message": "a rule said no"}
    assert decision.cause == "work.refused"


@pytest.mark.parametrize("place", PLACES)
def test_again_costs_no_try_and_leaves_no_state(place: str) -> None:
    decision = ask(place, Report("again", after=90.0), tries=2)
    later = timedelta(seconds=90)
    if PLACES[place].running is None:
        assert fate(decision) == ("wait", (), later, None, False)
    else:
        assert fate(decision) == ("run", ("attempt",), None, later, False)
    assert (decision.cause, decision.what, decision.facts) == ("work.again", "again", {})


@pytest.mark.parametrize(
    ("elapsed", "after", "bounded"),
    [(0, 60, False), (59, 1, False), (59, 2, True), (0, 61, True), (61, 0, True)],
)
def test_again_past_the_deadline_is_over(elapsed: int, after: float, bounded: bool) -> None:
    chosen = stage(deadline=timedelta(seconds=60))
    decision = decide(
        chosen, CIRCLE, "run", 0, Report("again", after=after), elapsed=timedelta(seconds=elapsed)
    )
    assert decision.rest is bounded
    assert decision.cause == ("deadline.passed" if bounded else "work.again")
    assert decision.facts.get("error_code") == ("DEADLINE" if bounded else None)


def test_jitter_stretches_the_delay_and_nothing_else() -> None:
    assert ask("waiting", FAILED, jitter=1.1).due == timedelta(seconds=11)
    assert ask("running", FAILED, 1, jitter=0.9).again == timedelta(seconds=18)
    assert ask("waiting", EXPIRED, jitter=1.1).again == timedelta()


@pytest.mark.parametrize(("place", "tries"), [key for key, row in FAILURES.items() if not row[-1]])
@pytest.mark.parametrize("after", [1.0, 3600.0])
def test_a_failure_that_was_told_when_to_come_back_waits_that_long_at_least(
    place: str, tries: int, after: float
) -> None:
    told, untold = ask(place, replace(FAILED, after=after), tries), ask(place, FAILED, tries)
    (due, own), (asked, delay) = ((one.due, one.again) for one in (told, untold))
    waits = timedelta(seconds=after)
    assert (due, own) == tuple(None if one is None else max(one, waits) for one in (asked, delay))
    assert replace(told, due=asked, again=delay) == untold  # the try counts as every other


@pytest.mark.parametrize(("place", "tries"), [key for key, row in FAILURES.items() if row[-1]])
def test_when_to_come_back_means_nothing_where_no_try_is_left(place: str, tries: int) -> None:
    assert ask(place, replace(FAILED, after=3600.0), tries) == ask(place, FAILED, tries)


def test_a_retry_that_no_move_allows_is_over() -> None:
    chosen = stage(ONE_WAY, retry_in="failed")
    assert fate(decide(chosen, ONE_WAY, "run", 0, FAILED)) == ("failed", ("tries",), None, None, True)


def test_messages_are_kept_within_bounds_and_a_missing_code_is_said() -> None:
    facts = ask("no retry", Report("failed", "", "x" * 10_000)).facts
    assert (facts["error_code"], len(facts["error_message"])) == ("FAILED", MESSAGE_LIMIT)
