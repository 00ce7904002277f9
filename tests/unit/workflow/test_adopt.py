"""What an adoption may declare, which state a value names, and what the engine sets of a row that begins in a state."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Boolean, Column, ForeignKey, Integer, MetaData, String, Table, select, true

from interlock import Adopt, Axis, Done, Machine, Workflow, after
from interlock.errors import BadDeclaration
from interlock.workflow.adopt import began, match_value
from interlock.workflow.checks.lint import refusals

MACHINE = Machine(
    "job",
    initial="new",
    moves={
        "new": ["first"],
        "first": ["half", "broken"],
        "half": ["second", after("7d", "done")],
        "second": ["done", "broken"],
        "broken": ["new", "half"],
    },
    aliases={"Ready": "half", "todo": "new"},
)


def jobs(adopt: Any, **axis: Any) -> Workflow:
    table = Table(
        "jobs",
        MetaData(),
        Column("id", Integer, primary_key=True),
        Column("status", String(20)),
        Column("flag", Boolean),
    )
    made = Workflow("jobs", records=table, axes=[Axis("status", MACHINE, adopt=adopt, **axis)])

    @made.stage(waiting="new", running="first", done="half", failed="broken")
    def one(work: Any) -> Done[None]:
        return Done()

    @made.stage(waiting="half", running="second", done="done", failed="broken")
    def two(work: Any) -> Done[None]:
        return Done()

    return made


@pytest.mark.parametrize(
    ("adopt", "problem"),
    [
        (Adopt("a", rules=[("r", true(), "nowhere")]), "has no state nowhere"),
        (Adopt("a", rules=[("r", true(), "first")]), "leads into the running state first"),
        (Adopt("a", rules=[("r", true(), "broken")]), "several stages fail into broken"),
        (
            Adopt("a", rules=[("r", true(), "new", {"absent": 1})]),
            "gives 'absent', which 'jobs' does not have",
        ),
        (
            Adopt("a", rules=[("r", true(), "new", {"version": 3})]),
            "gives 'version', which the engine sets itself",
        ),
        (Adopt("a", targets=select(true()), rules=[("r", true(), "new")]), "needs a scoped axis"),
    ],
)
def test_what_cannot_be_adopted_is_refused_before_an_app_starts(adopt: Adopt, problem: str) -> None:
    assert any(problem in one for one in refusals(jobs(adopt)))


@pytest.mark.parametrize(
    "adopt",
    [
        Adopt("a"),
        Adopt("a", rules=[("r", true(), "first")], take_over=True),
        Adopt("a", rules=[("r", true(), "broken", {"failed_from": "half"})]),
    ],
)
def test_what_can_be_adopted_is_not(adopt: Adopt) -> None:
    assert refusals(jobs(adopt)) == []


@pytest.mark.parametrize(
    "declare",
    [
        lambda: Adopt("a.b"),
        lambda: Adopt(""),
        lambda: Adopt("a", rules=[("r", true())]),
        lambda: Adopt("a", rules=[("r.s", true(), "new")]),
        lambda: Adopt("a", rules=[("r", true(), "new"), ("r", true(), "half")]),
        lambda: Adopt("a", rules=[("value", true(), "new")]),
        lambda: jobs([(true(), "new", {})]),
    ],
)
def test_names_and_rules_have_their_shape(declare: Any) -> None:
    with pytest.raises(BadDeclaration):
        declare()


def test_a_scoped_axis_says_which_rows_shall_be_adopted() -> None:
    metadata = MetaData()
    records = Table("records", metadata, Column("id", Integer, primary_key=True))
    states = Table(
        "states",
        metadata,
        Column("record", ForeignKey("records.id"), primary_key=True),
        Column("scope", String(9), primary_key=True),
    )
    axis = Axis("status", MACHINE, scope=("a",), table=states, adopt=Adopt("a"))
    assert any("needs targets=…" in one for one in refusals(Workflow("jobs", records=records, axes=[axis])))


@pytest.mark.parametrize(
    ("raw", "state"),
    [
        ("new", "new"),
        (" NEW ", "new"),
        ("ready", "half"),
        ("TODO", "new"),
        ("done\n", "done"),
    ],
)
def test_a_value_names_a_state_trimmed_in_any_case_and_by_its_aliases(raw: str, state: str) -> None:
    assert match_value(jobs(Adopt("a")).axes["status"], raw) == (True, state)


@pytest.mark.parametrize("raw", ["other", "", "  ", None, "new er"])
def test_a_value_that_names_no_state_is_not_guessed(raw: str | None) -> None:
    assert match_value(jobs(Adopt("a")).axes["status"], raw) == (False, None)


def test_a_row_begins_with_what_its_state_needs() -> None:
    workflow = jobs(Adopt("a"))
    axis = workflow.axes["status"]
    waiting = began(workflow, axis, "half")
    assert "ready_at" in waiting.now
    assert waiting.later == (("timer_at", timedelta(days=7)),)
    assert began(workflow, axis, "done").constants["ready_at"] is None
    assert began(workflow, axis, "first").constants["attempt"] == 1
    assert began(workflow, axis, "broken").constants["failed_from"] is None  # several: the rule gives it
