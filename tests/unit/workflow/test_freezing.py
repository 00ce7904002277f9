"""A workflow is final once an App was made from it: whatever is declared later is refused, with the remedy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text

from interlock import App, Axis, Done, Extension, Machine, Work, Workflow, during, entering, retry
from interlock.errors import BadDeclaration
from tests.kinds import CURATION, domains, open_app, plain, uploads

LINE = Machine("line", initial="a", moves={"a": ["b"], "b": ["c", "err"], "err": [retry("a")]})


def run(work: Work) -> Done[None]:
    return Done()


def taken(workflow: Workflow) -> Workflow:
    App([workflow], database="sqlite://").close()
    return workflow


LATE: dict[str, Callable[[Workflow], Any]] = {
    "stage": lambda kind: kind.stage(waiting="parsed", done="normalized"),
    "gate": lambda kind: kind.gate("parsed"),
    "hook": lambda kind: kind.on_move("parsed"),
    "load": lambda kind: kind.stages["parse"].load(run),
    "save": lambda kind: kind.stages["parse"].save(run),
    "recheck": lambda kind: kind.stages["parse"].recheck(run),
    "failures": lambda kind: kind.stages["parse"].failures.update({ValueError: None}),  # type: ignore[attr-defined]
    "limit": lambda kind: setattr(kind.stages["parse"], "limit", 3),
    "rules": lambda kind: setattr(kind, "rules", ()),
    "create": lambda kind: setattr(kind, "create", False),
    "an attribute removed": lambda kind: delattr(kind, "noun"),
    "stages by hand": lambda kind: kind.stages.pop("parse"),
    "gates by hand": lambda kind: kind.gates.append(None),  # type: ignore[arg-type]
    "hooks by hand": lambda kind: kind.hooks.clear(),
    "extension": lambda kind: setattr(kind, "extension", Extension(intake="POST /api/v1/uploads")),
    "axes": lambda kind: kind.axes.update(second=Axis("second", CURATION)),
    "stamps": lambda kind: kind.axes["status"].stamps.update(parsed="parsed_at"),
    "max_retries": lambda kind: setattr(kind.axes["status"], "max_retries", 9),
}


@pytest.mark.parametrize("late", LATE.values(), ids=LATE)
def test_what_is_declared_after_an_app_was_made_is_refused_and_changes_nothing(
    late: Callable[[Workflow], Any],
) -> None:
    workflow = taken(uploads())
    before = {name: repr(value) for name, value in vars(workflow).items()}
    with pytest.raises(BadDeclaration, match="is frozen") as refused:
        late(workflow)
    assert "before App(...)" in refused.value.hint
    assert {name: repr(value) for name, value in vars(workflow).items()} == before


def test_a_decorator_made_before_the_app_and_used_after_it_is_refused() -> None:
    workflow = uploads()
    decorators = [
        workflow.stage(waiting="parsed", done="normalized"),
        workflow.gate("parsed"),
        workflow.on_move("parsed"),
    ]
    taken(workflow)
    for decorate in decorators:
        with pytest.raises(BadDeclaration, match="is frozen"):
            decorate(run)
    assert (list(workflow.stages), workflow.gates, workflow.hooks) == (["parse", "normalize"], [], [])


def test_two_apps_can_be_made_from_one_workflow() -> None:
    workflow = taken(uploads())
    workflow.freeze()
    with App([workflow], database="sqlite://").database.read() as tx:
        assert tx.execute(text("SELECT 1")).scalar() == 1


def test_an_app_that_refuses_its_workflows_leaves_them_open() -> None:
    workflow = plain(LINE)
    workflow.stage(waiting="a", done="c")(run)  # a → c is no move of the machine
    with pytest.raises(BadDeclaration, match="is not in machine"):
        App([workflow], database="sqlite://")
    workflow.stages.clear()
    workflow.stage(waiting="a", done="b")(run)
    assert list(taken(workflow).stages) == ["run"]


def test_a_table_that_is_named_only_is_read_from_the_database_after_freezing(sqlite_url: str) -> None:
    made = App([plain(LINE)], database=sqlite_url)
    with made.database.write() as tx:
        tx.execute(text("CREATE TABLE orders (id TEXT PRIMARY KEY, note TEXT)"))
    made.close()
    workflow = Workflow("orders", records="orders", axes=[Axis("status", LINE)])
    workflow.stage(waiting="a", done="b")(run)
    app = open_app(sqlite_url, workflow)
    assert workflow.is_frozen
    assert {"status", "version", "attempt"} <= set(workflow.records.c.keys())
    app.close()


def test_rules_are_values_and_belong_to_the_workflow_from_its_start() -> None:
    workflow = taken(domains())
    assert [rule.moment for rule in workflow.rules] == ["entering", "leaving", "during", "entering"]
    with pytest.raises(AttributeError):
        workflow.rules.append(during(curation_status="New"))  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        workflow.rules[0].states = ("New",)  # type: ignore[misc]
    assert entering(curation_status="New").states == ("New",)
