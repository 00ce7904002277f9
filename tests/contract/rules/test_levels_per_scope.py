"""Service levels of a scoped axis are counted, alerted on and checked in each scope by itself."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from interlock import Done, Extension, Outcome, Work, Workflow
from interlock.errors import BadDeclaration
from interlock.observe.metrics import levels_of
from interlock.observe.metrics.collector import Watch
from interlock.observe.metrics.rules import rules
from interlock.testing import Sandbox
from tests.contract.working import Boxed
from tests.kinds import themes

LEVELS = {
    "extraction": {"axis": "status", "leave": "pending", "within": "1m", "share": 90},
    "technical": {"axis": "status", "scope": "technical", "leave": "pending", "within": "10s", "share": 50},
}


def extracted(**levels: Any) -> Workflow:
    workflow = themes()

    @workflow.stage(
        waiting=("pending", "failed_retryable"),
        running="in_progress",
        done="processed",
        failed="failed_retryable",
        terminal="failed_terminal",
        retry=["30s"],
    )
    def extract(work: Work) -> Outcome[None]:
        return Done()

    workflow.extension = Extension(levels=levels or LEVELS)
    return workflow


@pytest.fixture
def box(boxed: Boxed) -> Sandbox:
    """Ten articles: the technical pipeline took all of them at once, the fundamental one half of them, and late."""
    made = boxed(extracted())
    ids = [answer.id for answer in made.admit_many("themes", [{"title": str(n)} for n in range(10)])]
    made.move_many("themes", ids, actor="ann", scope="technical", status="in_progress")
    made.advance("2m")
    made.move_many("themes", ids[:5], actor="ann", scope="fundamental", status="in_progress")
    return made


def samples(box: Sandbox, name: str) -> dict[tuple[str, ...], float]:
    watch = Watch(box.database, box.clock, box.workflows, levels_of(box.workflows.values(), {}), kept_for=0)
    return next(figure.samples for figure in watch.figures() if figure.name == f"interlock_level_{name}")


@pytest.mark.leaves("I5")  # what somebody moved by hand into a running state
def test_figures_are_told_apart_by_scope(box: Sandbox) -> None:
    both = [("extraction", "themes", scope) for scope in ("technical", "fundamental")]
    alone = ("technical", "themes", "technical")
    assert samples(box, "events_total") == {both[0]: 10, both[1]: 5, alone: 10}
    assert samples(box, "good_total") == {both[0]: 10, both[1]: 0, alone: 10}
    assert samples(box, "late") == {both[0]: 0, both[1]: 5, alone: 0}
    assert samples(box, "objective") == {both[0]: 0.9, both[1]: 0.9, alone: 0.5}
    entered = [move for move in box.ledger.history("themes", 1, scope="fundamental") if move.old == "pending"]
    assert len(entered) == 1


@pytest.mark.leaves("I5")
def test_a_check_names_the_scope_that_does_not_keep_it(box: Sandbox) -> None:
    told = [note for note in box.check().notes if "service level" in note]
    assert told == [
        "service level extraction (fundamental) of themes: 0 % of 5 left pending within 60 s; promised are 90 %",
        "service level extraction (fundamental) of themes: 5 are in pending for longer than 60 s",
    ]
    assert [note for note in box.check("themes").notes if "service level" in note] == told


def test_a_level_that_is_kept_is_not_mentioned(boxed: Boxed) -> None:
    box = boxed(extracted())
    box.admit("themes", {"id": 1, "title": "t"})
    box.drain()
    assert [note for note in box.check().notes if "service level" in note] == []
    assert box.get("themes", 1, scope="technical")["status"] == "processed"


def test_alerts_are_per_scope() -> None:
    text = rules(levels_of([extracted()], {}))
    groups = {group["name"]: group["rules"] for group in yaml.safe_load(text)["groups"]}
    recorded = [rule["expr"] for rule in groups["interlock-levels"] if "record" in rule]
    assert all("sum by (level, kind, scope)" in expression for expression in recorded)
    summaries = [rule["annotations"]["summary"] for rule in groups["interlock-levels"] if "alert" in rule]
    assert all("$labels.scope" in summary for summary in summaries)


@pytest.mark.parametrize("scope", ["north", "", 5])
def test_a_scope_that_there_is_not_is_refused(boxed: Boxed, scope: Any) -> None:
    with pytest.raises(BadDeclaration, match="technical, fundamental"):
        boxed(extracted(wrong={**LEVELS["extraction"], "scope": scope}))
