"""Two batches over the same records in opposite order: however their statements interleave, each record is answered and moved once."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from interlock import Answer, Machine
from tests.kinds import plain
from tests.permutation.conftest import OpenSteppable
from tests.permutation.interleavings import every_interleaving
from tests.permutation.scheduler import Act, Scheduler

TWO_WAYS_IN = Machine("two ways in", initial="a", moves={"a": ["b", "end"], "b": ["end"]})


@pytest.mark.parametrize("mixed", [False, True], ids=["all in one state", "in two states"])
def test_batches_that_cross_are_both_answered(
    mixed: bool, open_steppable: OpenSteppable, scheduler: Scheduler
) -> None:
    app = open_steppable(plain(TWO_WAYS_IN))
    rounds: list[list[str]] = []

    def stage() -> Mapping[str, Act]:
        ids = [f"{len(rounds)}-{number}" for number in range(4)]
        rounds.append(ids)
        app.admit_many("things", [{"id": id} for id in ids])
        if mixed:
            app.move_many("things", ids[::2], actor="cid", status="b")
        return {
            "up": lambda: app.move_many("things", ids, actor="ann", status="end"),
            "down": lambda: app.move_many("things", ids[::-1], actor="bob", status="end"),
        }

    for playing in every_interleaving(scheduler, stage):
        answers = [answer for name in ("up", "down") for answer in playing.answer(name)]  # type: ignore[attr-defined]
        assert all(
            isinstance(answer, Answer) and answer.outcome in ("moved", "unchanged") for answer in answers
        ), playing
        assert sorted(answer.id for answer in answers if answer.outcome == "moved") == sorted(rounds[-1]), (
            playing
        )
    assert len(rounds) > 1
    assert app.check().findings == []


def test_batches_that_hold_locks_over_several_statements_are_both_answered(
    open_steppable: OpenSteppable, scheduler: Scheduler
) -> None:
    """A hook keeps each batch in one transaction, and two states make two statements of it: they can deadlock, and are tried again."""
    workflow = plain(TWO_WAYS_IN)
    workflow.on_move("end")(lambda tx, moves: None)
    app = open_steppable(workflow)
    rounds: list[list[str]] = []

    def stage() -> Mapping[str, Act]:
        ids = [f"{len(rounds)}-{number}" for number in range(4)]
        rounds.append(ids)
        app.admit_many("things", [{"id": id} for id in ids])
        app.move_many("things", ids[::2], actor="cid", status="b")
        return {
            "all": lambda: app.move_many("things", ids, actor="ann", status="end"),
            "two": lambda: app.move_many("things", ids[1:3], actor="bob", status="end"),
        }

    for playing in every_interleaving(scheduler, stage):
        answers = [answer for name in ("all", "two") for answer in playing.answer(name)]  # type: ignore[attr-defined]
        assert all(answer.outcome in ("moved", "unchanged") for answer in answers), playing
        assert sorted(answer.id for answer in answers if answer.outcome == "moved") == sorted(rounds[-1]), (
            playing
        )
    assert app.check().findings == []
