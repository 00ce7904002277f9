"""A command with a key is applied at most once, and answers the same ever after."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest

from interlock import App
from interlock.clock import FrozenClock
from interlock.errors import InvalidStateTransition, KeyReused, StoreError
from tests.kinds import domains, uploads


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def app(opened: Any, clock: FrozenClock) -> App:
    made: App = opened(uploads(), domains(), clock=clock)
    made.admit_many("statements", [{"id": "u1"}, {"id": "u2"}])
    made.admit("domains", {"id": 1, "host": "a"})
    return made


def test_the_same_command_answers_the_same_and_moves_once(app: App, whole: Any) -> None:
    first = app.move(
        "statements", "u1", actor="ann", key="k1", reason="go", facts={"pages": 2}, status="parsing"
    )
    app.move("statements", "u1", actor="bob", status="parsed")
    again = app.move(
        "statements", "u1", actor="ann", key="k1", reason="go", facts={"pages": 2}, status="parsing"
    )
    assert again == first
    assert len(app.ledger.history("statements", "u1")) == 3
    whole(app)


def test_driven_moves_are_in_the_stored_answer(app: App) -> None:
    first = app.move("domains", 1, actor="ann", key="k1", curation_status="Selected")
    again = app.move("domains", 1, actor="ann", key="k1", curation_status="Selected")
    assert first.driven
    assert again == first


def test_a_refusal_is_repeated_with_its_class_and_facts(app: App, hand: Any) -> None:
    raised = []
    for _ in range(2):
        with pytest.raises(InvalidStateTransition) as refusal:
            app.move("statements", "u1", actor="ann", key="k1", status="normalized")
        raised.append(refusal.value)
        app.move("statements", "u2", actor="bob", status="parsing")
    first, again = raised
    assert (type(again), again.code, again.message, again.hint, again.facts) == (
        type(first),
        first.code,
        first.message,
        first.hint,
        first.facts,
    )
    assert hand.one("SELECT count(*) FROM interlock_verdict") == 1


def test_every_answer_of_a_batch_is_stored(app: App) -> None:
    asked = ["u1", "nobody", ("u2", 9)]
    first = app.move_many("statements", asked, actor="ann", key="k1", status="parsing")
    again = app.move_many("statements", asked, actor="ann", key="k1", status="parsing")
    assert [answer.outcome for answer in again] == ["moved", "unknown", "conflict"]
    assert [(one.id, one.outcome, one.old, one.new, one.version) for one in again] == [
        (one.id, one.outcome, one.old, one.new, one.version) for one in first
    ]
    assert again[2].error is not None
    assert first[2].error is not None
    assert (type(again[2].error), again[2].error.message) == (type(first[2].error), first[2].error.message)


@pytest.mark.parametrize(
    "other",
    [
        {"id": "u2"},
        {"status": "error"},
        {"reason": "other"},
        {"facts": {"pages": 3}},
        {"version": 0},
        {"role": "operator"},
    ],
    ids=str,
)
def test_the_key_with_another_command_is_refused(app: App, other: dict[str, Any]) -> None:
    said = {
        "id": "u1",
        "actor": "ann",
        "key": "k1",
        "reason": "go",
        "facts": {"pages": 2},
        "status": "parsing",
    }
    app.move("statements", **said)
    with pytest.raises(KeyReused) as refusal:
        app.move("statements", **{**said, **other})
    assert (refusal.value.code, refusal.value.facts) == ("ILK-212", {"actor": "ann", "key": "k1"})
    assert app.move("statements", **said).outcome == "moved"


def test_the_same_key_of_another_actor_is_another_command(app: App) -> None:
    assert app.move("statements", "u1", actor="ann", key="k1", status="parsing").outcome == "moved"
    assert app.move("statements", "u1", actor="bob", key="k1", status="parsing").outcome == "unchanged"
    assert app.move("statements", "u2", actor="eve", key="k1", status="parsing").outcome == "moved"


def test_a_key_is_forgotten_when_its_time_is_over(app: App, clock: FrozenClock) -> None:
    app.move("statements", "u1", actor="ann", key="k1", status="parsing")
    clock.advance(timedelta(days=6, hours=23))
    assert app.move("statements", "u1", actor="ann", key="k1", status="parsing").outcome == "moved"
    clock.advance(timedelta(hours=2))
    assert app.move("statements", "u1", actor="ann", key="k1", status="parsing").outcome == "unchanged"
    assert app.move("statements", "u2", actor="ann", key="k2", status="parsing").outcome == "moved"


def test_an_admission_with_a_key_makes_its_records_once(app: App, whole: Any) -> None:
    rows = [{"host": "b"}, {"host": "c"}]
    first = app.admit_many("domains", rows, actor="ann", key="k1")
    again = app.admit_many("domains", rows, actor="ann", key="k1")
    assert [answer.outcome for answer in again] == ["admitted", "admitted"]
    assert [answer.id for answer in again] == [answer.id for answer in first]
    with pytest.raises(KeyReused):
        app.admit_many("domains", [{"host": "d"}], actor="ann", key="k1")
    assert app.counts("domains")["domains", "curation_status", None, "New"] == 3
    whole(app)


def test_a_refused_key_is_free_after_a_rollback(app: App) -> None:
    with app.database.engine.connect() as connection:
        app.move("statements", "u1", actor="ann", key="k1", status="parsing", tx=connection)
        connection.rollback()
    assert app.move("statements", "u1", actor="ann", key="k1", status="error").outcome == "moved"


def broken_once(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database fails while the next move is being made."""
    run = app.authority.mover.run

    def fail(*asked: Any) -> Any:
        monkeypatch.setattr(app.authority.mover, "run", run)
        run(*asked)
        raise StoreError("the disk is gone")

    monkeypatch.setattr(app.authority.mover, "run", fail)


def test_a_key_that_a_fault_left_without_an_answer_is_free(
    app: App, monkeypatch: pytest.MonkeyPatch, hand: Any, whole: Any
) -> None:
    broken_once(app, monkeypatch)
    with app.database.engine.connect() as connection:
        with pytest.raises(StoreError):
            app.move("statements", "u1", actor="ann", key="k1", status="parsing", tx=connection)
        connection.commit()  # though it failed
    assert hand.one("SELECT count(*) FROM interlock_command") == 0
    first = app.move("statements", "u1", actor="ann", key="k1", status="parsing")
    assert (first.outcome, app.move("statements", "u1", actor="ann", key="k1", status="parsing")) == (
        "moved",
        first,
    )
    whole(app)


def test_a_claim_without_an_answer_is_carried_out_once(app: App, hand: Any, whole: Any) -> None:
    """Such rows were left by versions that kept the claim when a fault undid the command."""
    app.move("statements", "u2", actor="ann", key="k1", status="parsing")
    app.move("statements", "u2", actor="bob", status="error")
    hand.run(
        "CREATE TABLE kept_commands AS SELECT * FROM interlock_command"
    )  # nobody may take an answer back
    hand.run("UPDATE kept_commands SET answer = NULL")
    hand.run("DELETE FROM interlock_command")
    hand.refused("ILK-213", "INSERT INTO interlock_command SELECT * FROM kept_commands")
    with hand.without_guards_of("interlock_command"):  # as they were when such versions ran
        hand.run("INSERT INTO interlock_command SELECT * FROM kept_commands")
    hand.run("DROP TABLE kept_commands")
    app.retry("statements", "u2", actor="bob", reason="again")
    with pytest.raises(KeyReused):
        app.move("statements", "u2", actor="ann", key="k1", status="error")
    ready = Barrier(4)

    def send(_: int) -> int | None:
        ready.wait(30)
        return app.move("statements", "u2", actor="ann", key="k1", status="parsing").version

    with ThreadPoolExecutor(4) as clients:
        assert set(clients.map(send, range(4))) == {4}
    whole(app)


def test_clients_who_send_the_same_key_at_once_apply_it_once(app: App, whole: Any) -> None:
    ready = Barrier(6)

    def send(_: int) -> tuple[str, int | None]:
        ready.wait(30)
        answer = app.move("statements", "u1", actor="ann", key="k1", status="parsing")
        return answer.outcome, answer.version

    with ThreadPoolExecutor(6) as clients:
        assert set(clients.map(send, range(6))) == {("moved", 1)}
    assert len(app.ledger.history("statements", "u1")) == 2
    whole(app)
