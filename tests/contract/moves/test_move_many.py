"""move_many(): one answer per row in the order asked, and one bad row never stops the others."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import CheckConstraint, Column, Connection, ForeignKey, Integer, MetaData, String, Table

from interlock import App, Axis, Machine, Move, Workflow
from tests.kinds import domains, uploads

LINE = Machine("line", initial="a", moves={"a": ["b"], "b": ["c"]})


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(uploads())
    made.admit_many("statements", [{"id": f"u{number}"} for number in range(5)])
    return made


def test_each_row_has_its_own_answer_in_the_order_asked(app: App, whole: Any) -> None:
    app.move("statements", "u1", actor="ann", status="parsing")
    app.move_many("statements", ["u2"], actor="ann", status="error")
    answers = app.move_many(
        "statements", ["u4", ("u3", 5), "nobody", "u2", "u1", ("u0", 0)], actor="bob", status="parsing"
    )
    assert [(answer.id, answer.outcome) for answer in answers] == [
        ("u4", "moved"),
        ("u3", "conflict"),
        ("nobody", "unknown"),
        ("u2", "refused"),
        ("u1", "unchanged"),
        ("u0", "moved"),
    ]
    assert [answer.error and answer.error.code for answer in answers] == [
        None,
        "ILK-208",
        "ILK-201",
        "ILK-204",
        None,
        None,
    ]
    whole(app)


def test_move_raises_what_move_many_answers(app: App) -> None:
    for id, version, state in (("u0", None, "normalized"), ("u0", 9, "parsing"), ("nobody", None, "parsing")):
        answered = app.move_many("statements", [(id, version)], actor="ann", status=state)[0].error
        with pytest.raises(type(answered)) as raised:
            app.move("statements", id, version=version, actor="ann", status=state)
        assert answered is not None
        assert (raised.value.code, raised.value.facts, raised.value.message) == (
            answered.code,
            answered.facts,
            answered.message,
        )


def test_a_record_named_twice_is_moved_once(app: App, whole: Any) -> None:
    answers = app.move_many("statements", ["u0", "u1", "u0"], actor="ann", status="parsing")
    assert [(answer.outcome, answer.new, answer.version) for answer in answers] == [
        ("moved", "parsing", 1),
        ("moved", "parsing", 1),
        ("unchanged", "parsing", 1),
    ]
    assert len(app.ledger.history("statements", "u0")) == 2
    whole(app)


def test_a_record_named_twice_that_may_not_move_is_refused_twice(app: App) -> None:
    answers = app.move_many("statements", ["u0", "u0"], actor="ann", status="normalized")
    assert [(answer.outcome, answer.new) for answer in answers] == [("refused", "queued_for_parse")] * 2


def test_nothing_asked_answers_nothing(app: App) -> None:
    assert app.move_many("statements", [], actor="ann", status="parsing") == []


def test_a_generator_of_ids_is_read_once(app: App) -> None:
    answers = app.move_many(
        "statements", (f"u{number}" for number in range(3)), actor="ann", status="parsing"
    )
    assert [answer.outcome for answer in answers] == ["moved"] * 3


def test_a_thousand_rows_of_several_states_move_in_one_call(opened: Any, whole: Any) -> None:
    app: App = opened(domains())
    app.admit_many("domains", [{"id": number, "host": f"h{number}"} for number in range(1, 1001)])
    app.move_many("domains", range(1, 1001, 2), actor="ann", curation_status="Selected")
    answers = app.move_many(
        "domains", [*range(1, 1001), 4711], actor="ann", reason="all of them", curation_status="Maybe"
    )
    assert [answer.outcome for answer in answers] == ["moved"] * 1000 + ["unknown"]
    assert [len(answer.driven) for answer in answers[:4]] == [1, 0, 1, 0]
    assert app.counts()["domains", "curation_status", None, "Maybe"] == 1000
    assert app.counts()["domains", "processing_status", None, None] == 1000
    whole(app)


def test_an_id_that_no_record_can_have_does_not_stop_the_others(app: App) -> None:
    answers = app.move_many("statements", ["u0", "", None, 7, "u1"], actor="ann", status="parsing")
    assert [answer.outcome for answer in answers] == ["moved", "refused", "refused", "refused", "moved"]
    assert {answer.error.code for answer in answers if answer.error} == {"ILK-102"}


def budgets() -> tuple[Workflow, Table]:
    """Rows whose own CHECK, hook or foreign key may say no to one of a batch."""
    metadata = MetaData()
    table = Table(
        "budgets",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("quota", Integer),
        Column("used", Integer),
        CheckConstraint("used <= quota", name="within_quota"),
    )
    owners = Table("owners", metadata, Column("id", Integer, primary_key=True))
    shares = Table("shares", metadata, Column("budget", String(9)), Column("owner", ForeignKey(owners.c.id)))
    workflow = Workflow("budgets", records=table, axes=[Axis("status", LINE)], tables=[owners, shares])

    @workflow.on_move("c")
    def share(tx: Connection, moves: list[Move]) -> None:
        tx.execute(shares.insert(), [{"budget": str(move.id), "owner": move.id} for move in moves])

    return workflow, owners


def test_a_row_that_breaks_a_constraint_stays_alone(opened: Any, whole: Any) -> None:
    workflow, _ = budgets()
    app: App = opened(workflow)
    app.admit_many(
        "budgets", [{"id": number, "quota": 5 if number == 37 else 50} for number in range(1, 101)]
    )
    answers = app.move_many("budgets", range(1, 101), actor="ann", facts={"used": 10}, status="b")
    assert [answer.id for answer in answers if answer.outcome != "moved"] == [37]
    refusal = answers[36].error
    assert refusal is not None
    assert refusal.code == "ILK-213"
    assert "within_quota" in refusal.message
    assert (
        app.get("budgets", 37)["status"],
        app.get("budgets", 37)["used"],
        app.get("budgets", 38)["used"],
    ) == ("a", None, 10)
    whole(app)


def test_a_row_whose_hook_breaks_a_foreign_key_stays_alone(opened: Any, whole: Any, hand: Any) -> None:
    workflow, _ = budgets()
    app: App = opened(workflow)
    app.admit_many("budgets", [{"id": number, "quota": 50, "status": "b"} for number in range(1, 21)])
    hand.run("INSERT INTO owners SELECT id FROM budgets WHERE id NOT IN (7, 12)")
    answers = app.move_many("budgets", range(1, 21), actor="ann", status="c")
    assert [answer.id for answer in answers if answer.outcome == "refused"] == [7, 12]
    assert hand.one("SELECT count(*) FROM shares") == 18
    whole(app)


def test_a_row_for_which_a_hook_raises_stays_alone(opened: Any, whole: Any) -> None:
    workflow = uploads()
    seen: list[int] = []

    @workflow.on_move("parsing")
    def picky(tx: Connection, moves: list[Move]) -> None:
        seen.append(len(moves))
        if any(move.id == "u3" for move in moves):
            raise ValueError("not this one")

    app: App = opened(workflow)
    app.admit_many("statements", [{"id": f"u{number}"} for number in range(8)])
    answers = app.move_many(
        "statements", [f"u{number}" for number in range(8)], actor="ann", status="parsing"
    )
    assert [answer.id for answer in answers if answer.outcome == "refused"] == ["u3"]
    assert answers[3].error is not None
    assert (answers[3].error.code, "not this one" in answers[3].error.message) == ("ILK-214", True)
    assert seen[0] == 8
    whole(app)
