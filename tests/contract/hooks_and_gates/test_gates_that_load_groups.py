"""A gate's `load_many`: one read for the works that began together, one value for each; what fails is loaded alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from interlock import Done, Failed, Outcome, Work, Workflow
from interlock.errors import BadDeclaration
from interlock.testing import Sandbox
from tests.contract.worked import state
from tests.contract.working import Boxed, admit, jobs


def lengths(tx: Any, works: Sequence[Work]) -> list[int]:
    """How many characters the id of each work has, asked of the database."""
    return [
        int(tx.exec_driver_sql(f"SELECT length(id) FROM jobs WHERE id = '{work.id}'").scalar_one())
        for work in works
    ]


def gated(load_many: Any, *, retry: Sequence[str] = (), name: str = "short") -> Workflow:
    """Jobs that are done only if their ids are short."""
    workflow = jobs()

    def short(work: Work, length: int) -> Outcome[Any]:
        return Done(length=length) if length < 4 else Failed("LONG", f"{length} characters")

    short.__name__ = name
    workflow.gate("done", retry=retry)(short).load_many(load_many)
    return workflow


def test_works_that_begin_together_are_loaded_by_one_call_and_each_gets_its_own_value(boxed: Boxed) -> None:
    calls: list[list[Any]] = []

    def load(tx: Any, works: Sequence[Work]) -> list[int]:
        calls.append([work.id for work in works])
        return lengths(tx, works)

    box = boxed(gated(load))
    admit(box, "a", "bb", "long-id")
    box.drain()
    assert [(state(box, id), box.get("jobs", id)["error_code"]) for id in ("a", "bb", "long-id")] == [
        ("done", None),
        ("done", None),
        ("failed", "LONG"),
    ]
    assert [sorted(one) for one in calls] == [["a", "bb", "long-id"]]
    assert [box.verdicts("jobs", id)[-1].details for id in ("a", "bb")] == [{"length": 1}, {"length": 2}]


def test_gates_that_share_a_load_many_share_what_it_read(boxed: Boxed) -> None:
    calls: list[int] = []

    def load(tx: Any, works: Sequence[Work]) -> list[int]:
        calls.append(len(works))
        return lengths(tx, works)

    workflow = gated(load)

    @workflow.gate("done")
    def again(work: Work, length: int) -> Outcome[Any]:
        return Done(length=length)

    again.load_many(load)
    box = boxed(workflow)
    admit(box, "a", "bb")
    box.drain()
    assert ([state(box, id) for id in ("a", "bb")], calls) == (["done", "done"], [2])
    assert [one.details for one in box.verdicts("jobs", "bb")] == [{"length": 2}] * 2


def test_a_gate_that_is_asked_again_reads_anew_for_its_own_work(boxed: Boxed) -> None:
    calls: list[list[Any]] = []

    def load(tx: Any, works: Sequence[Work]) -> list[int]:
        calls.append([work.id for work in works])
        return [9 if work.id == "late" and len(calls) == 1 else 1 for work in works]

    box = boxed(gated(load, retry=["1s"]))
    admit(box, "a", "late")
    box.drain()
    assert [state(box, id) for id in ("a", "late")] == ["done", "done"]
    assert (sorted(calls[0]), calls[1:]) == (["a", "late"], [["late"]])
    assert [one.passed for one in box.verdicts("jobs", "late")] == [False, True]


@pytest.mark.parametrize("fault", ["raises", "returns too few"])
def test_where_a_group_cannot_be_loaded_only_the_work_that_it_is_about_has_crashed(
    boxed: Boxed, fault: str
) -> None:
    def load(tx: Any, works: Sequence[Work]) -> list[int]:
        if any(work.id == "bad" for work in works):
            if fault == "raises":
                raise RuntimeError("no such thing")
            return [1] * (len(works) - 1)
        return [1] * len(works)

    box = boxed(gated(load))
    admit(box, "a", "bad", "c")
    box.drain()
    assert [(state(box, id), box.get("jobs", id)["error_code"]) for id in ("a", "bad", "c")] == [
        ("done", None),
        ("failed", "GATE_CRASHED"),
        ("done", None),
    ]


def test_a_gate_has_load_or_load_many_not_both_and_lint_knows_its_arguments() -> None:
    workflow = gated(lengths)
    (gate,) = workflow.gates
    with pytest.raises(BadDeclaration, match="load_many already"):
        gate.load(lambda tx, work: 1)
    other = jobs().gate("done")(lambda work, value: Done())
    other.load(lambda tx, work: 1)
    with pytest.raises(BadDeclaration, match="load already"):
        other.load_many(lengths)
    with pytest.raises(BadDeclaration, match="load_many function"):
        Sandbox([gated(lambda tx: [])])
