"""Rules between axes that live in two tables: the record's own row and one state row per scope."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Column, ForeignKey, Integer, MetaData, String, Table

from interlock import App, Axis, Machine, Workflow, entering, leaving
from interlock.errors import RuleRefused
from tests.kinds import themes

DESK = Machine("desk", initial="open", states=["open", "closed", "burnt"])
WORK = Machine("work", initial="idle", states=["idle", "busy", "done", "gone"])


def letters(*rules: Any) -> Workflow:
    metadata = MetaData()
    table = Table("letters", metadata, Column("id", Integer, primary_key=True))
    state = Table(
        "letter_state",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("letter_id", ForeignKey("letters.id"), nullable=False),
        Column("scope", String(9), nullable=False),
    )
    return Workflow(
        "letters",
        records=table,
        axes=[Axis("desk", DESK, prefix="desk_"), Axis("work", WORK, table=state, scope=("north", "south"))],
        rules=rules,
    )


def where(app: App, id: int = 1) -> dict[str | None, str | None]:
    return {place.scope: place.state for place in app.explain("letters", id).where}


@pytest.fixture
def letter(opened: Any) -> Any:
    def open_(*rules: Any) -> App:
        app: App = opened(letters(*rules))
        app.admit_many("letters", [{"id": 1}, {"id": 2}])
        return app

    return open_


def test_a_scoped_move_may_require_a_state_of_the_record(opened: Any, whole: Any) -> None:
    app: App = opened(themes())
    app.admit_many("themes", [{"id": 1}, {"id": 2}])
    app.move("themes", 2, actor="ann", curation_status="Discarded")
    answers = app.move_many("themes", [1, 2], actor="ann", scope="technical", status="in_progress")
    assert [answer.outcome for answer in answers] == ["moved", "refused"]
    assert answers[1].error is not None
    assert answers[1].error.code == "ILK-205"
    whole(app)


def test_a_move_of_the_record_drives_every_scope_that_stands_there(letter: Any, whole: Any) -> None:
    app = letter(entering(desk="closed").moves(work={"idle": "done"}))
    app.move("letters", 1, actor="ann", scope="south", work="busy")
    answer = app.move("letters", 1, actor="ann", desk="closed")
    assert where(app) == {None: "closed", "north": "done", "south": "busy"}
    assert [(move.scope, move.old, move.new, move.version, move.cause) for move in answer.driven] == [
        ("north", "idle", "done", 1, "rule.entering.desk.closed")
    ]
    whole(app)


def test_a_scoped_move_drives_the_record(letter: Any, whole: Any) -> None:
    app = letter(entering(work="gone").moves(desk={"open": "burnt"}))
    answer = app.move("letters", 1, actor="ann", scope="north", work="gone")
    assert where(app) == {None: "burnt", "north": "gone", "south": "idle"}
    assert [(move.axis, move.scope, move.new) for move in answer.driven] == [("desk", None, "burnt")]
    assert app.move("letters", 1, actor="ann", scope="south", work="gone").driven == []
    whole(app)


def test_each_driven_row_makes_one_step_only(letter: Any, whole: Any) -> None:
    app = letter(entering(desk="closed").moves(work={"idle": "busy", "busy": "done"}))
    app.move("letters", 1, actor="ann", scope="south", work="busy")
    app.move("letters", 1, actor="ann", desk="closed")
    assert where(app) == {None: "closed", "north": "busy", "south": "done"}
    whole(app)


def test_leaving_drives_the_scopes_back(letter: Any, whole: Any) -> None:
    app = letter(leaving(desk="open").moves(work={"idle": "gone"}))
    app.move_many("letters", [1, 2], actor="ann", desk="closed")
    assert where(app, 2) == {None: "closed", "north": "gone", "south": "gone"}
    whole(app)


def test_the_record_may_require_that_every_scope_is_there(letter: Any, whole: Any) -> None:
    app = letter(entering(desk="closed").requires(work={"done", "gone"}))
    app.move("letters", 1, actor="ann", scope="north", work="done")
    with pytest.raises(RuleRefused):
        app.move("letters", 1, actor="ann", desk="closed")
    app.move("letters", 1, actor="ann", scope="south", work="gone")
    assert app.move("letters", 1, actor="ann", desk="closed").outcome == "moved"
    whole(app)


def test_what_a_driven_row_requires_refuses_the_whole_act(letter: Any, whole: Any) -> None:
    app = letter(
        entering(desk="closed").moves(work={"idle": "done"}), entering(work="done").requires(desk="open")
    )
    answers = app.move_many("letters", [1, 2], actor="ann", desk="closed")
    assert [answer.outcome for answer in answers] == ["refused", "refused"]
    assert where(app) == {None: "open", "north": "idle", "south": "idle"}
    whole(app)


def test_one_refused_driver_does_not_stop_the_others(letter: Any, whole: Any) -> None:
    app = letter(
        entering(desk="closed").moves(work={"busy": "done"}), entering(work="done").requires(desk="open")
    )
    app.move("letters", 2, actor="ann", scope="north", work="busy")
    answers = app.move_many("letters", [1, 2], actor="ann", desk="closed")
    assert [answer.outcome for answer in answers] == ["moved", "refused"]
    whole(app)


def test_a_driven_row_may_drive_on_and_the_answer_tells_all_of_it(letter: Any, whole: Any) -> None:
    app = letter(
        entering(work="gone").moves(desk={"open": "burnt"}),
        entering(desk="burnt").moves(work={"idle": "gone"}),
    )
    answer = app.move("letters", 1, actor="ann", scope="north", work="gone")
    assert where(app) == {None: "burnt", "north": "gone", "south": "gone"}
    assert [(move.axis, move.scope) for move in answer.driven] == [("desk", None), ("work", "south")]
    whole(app)


def test_rules_that_chase_each_other_across_tables_are_refused_not_endless(letter: Any, whole: Any) -> None:
    app = letter(
        entering(desk="closed").moves(work={"idle": "busy", "done": "busy"}),
        entering(work="busy").moves(desk={"closed": "burnt"}),
        entering(desk="burnt").moves(work={"busy": "done"}),
        entering(work="done").moves(desk={"burnt": "closed"}),
    )
    with pytest.raises(RuleRefused):
        app.move("letters", 1, actor="ann", desk="closed")
    assert where(app) == {None: "open", "north": "idle", "south": "idle"}
    whole(app)
