"""A report in its columns: what a stage returned is kept exactly or refused with a code; nothing in it stops a neighbour or a process."""

from __future__ import annotations

from datetime import UTC, date, datetime
from random import Random
from typing import Any

import pytest
from sqlalchemy import Boolean, Column, Date, Integer, MetaData, Numeric, String, Table, Text

from interlock import Again, Axis, Done, Failed, Outcome, Work, Workflow
from interlock.store.entry import FACTS_LIMIT
from interlock.testing import Sandbox
from interlock.workflow.columns.instant import Instant
from tests.contract.worked import moves, said_of, state, work_rows
from tests.contract.working import (
    JOB,
    STRICT,
    Boxed,
    admit,
    another_runner,
    apply,
    begun,
    claim,
    dispatch,
    finish,
    jobs,
    still,
)
from tests.unit.coordinator.test_report import text_of

GOOD = {"title": "fine"}


def papers(function: Any, saved: list[str] | None = None, **stage: Any) -> Workflow:
    """One stage on a table with columns of several types."""
    table = Table(
        "jobs",
        MetaData(),
        Column("id", String(40), primary_key=True),
        Column("title", String(20)),
        Column("pages", Integer),
        Column("ok", Boolean),
        Column("day", Date),
        Column("price", Numeric(8, 2)),
        Column("read_at", Instant()),
        Column("must", Text, nullable=False, server_default="x"),
    )
    workflow = Workflow("jobs", noun="job", records=table, axes=[Axis("status", JOB)])

    @workflow.stage(waiting="waiting", running="running", done="done", failed="failed", **stage)
    def work(given: Work) -> Outcome[Any]:
        return function(given)  # type: ignore[no-any-return]

    @work.save
    def keep(tx: Any, given: Work, result: Any) -> None:
        if saved is not None:
            saved.append(given.id)

    return workflow


def columns(box: Sandbox) -> tuple[Any, ...]:
    (row,) = work_rows(box)
    return row["outcome"], row["shape"], row["facts"], row["gates"], row["report"]


@pytest.mark.parametrize(
    ("outcome", "kept"),
    [
        (Done(), ("done", None, None, None, None)),
        (Done(title="t", note=[1, "ü"]), ("done", '["title"]', '{"note":[1,"ü"],"title":"t"}', None, None)),
        (Done(note=1), ("done", "[]", '{"note":1}', None, None)),
        (Done(empty=True), ("empty", "[]", '{"empty":true}', None, None)),
        (
            Failed("C", "m"),
            (
                "failed",
                '["error_code","error_message"]',
                '{"error_code":"C","error_message":"m"}',
                None,
                None,
            ),
        ),
        (
            Failed("C", "m", final=True, size=2),
            (
                "failed",
                '["error_code","error_message","size"]',
                '{"error_code":"C","error_message":"m","size":2}',
                None,
                '{"final":true}',
            ),
        ),
        (
            Failed("C", pause="1m"),
            (
                "failed",
                '["error_code","error_message"]',
                '{"error_code":"C","error_message":""}',
                None,
                '{"pause":60.0}',
            ),
        ),
        (Again("5s"), ("again", None, None, None, '{"after":5.0}')),
    ],
)
def test_each_part_of_a_report_has_a_column_of_its_own(
    outcome: Outcome[Any], kept: tuple[Any, ...], boxed: Boxed
) -> None:
    box = boxed(jobs(retry=["1m"]))
    (attempt,) = begun(box, "a")
    assert finish(box, attempt, outcome) == 1
    assert columns(box) == kept
    apply(box)
    assert work_rows(box) == [] or columns(box) == (None,) * 5


@pytest.mark.parametrize("workflow", [jobs, lambda: jobs(limit=2), still])
def test_a_work_row_carries_the_version_that_its_attempt_began_with(workflow: Any, boxed: Boxed) -> None:
    box = boxed(workflow())
    (attempt,) = begun(box, "a")
    assert [row["version"] for row in work_rows(box)] == [1] == [box.get("jobs", "a")["version"]]
    finish(box, attempt, Again("1s"))
    apply(box)
    box.advance("1s")
    dispatch(box)
    assert [row["version"] for row in work_rows(box)] == [box.get("jobs", "a")["version"]] != [1]


def test_an_attempt_that_the_sweep_issues_anew_carries_its_version(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs(machine=STRICT))
    begun(box, "a")
    with hand.without_guards_of("interlock_work"):
        hand.run("DELETE FROM interlock_work")
    box.coordinates.sweep()
    assert [row["version"] for row in work_rows(box)] == [2] == [box.get("jobs", "a")["version"]]


def cyclic() -> Any:
    found: list[Any] = []
    found.append(found)
    return found


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError("no")


class EvilDict(dict[str, Any]):
    def items(self) -> Any:
        raise RuntimeError("no")


BAD: dict[str, tuple[str, Any]] = {
    "bytes": ("note", b"x"),
    "a lone surrogate": ("note", "\ud800"),
    "NaN": ("note", float("nan")),
    "infinity": ("note", float("inf")),
    "a cycle": ("note", cyclic()),
    "an object": ("note", object()),
    "one that cannot be printed": ("note", Unprintable()),
    "a mapping that raises": ("note", EvilDict(a=1)),
    "a key that is no text": ("note", {1: 2}),
    "a null character": ("note", "a\0b"),
    "a number without end": ("note", 10**5000),
    "too much": ("note", "x" * FACTS_LIMIT),
    "text for a Boolean": ("ok", "yes"),
    "a number for a Boolean": ("ok", 1),
    "text for a Date": ("day", "soon"),
    "a number for a Date": ("day", 7),
    "text for an Integer": ("pages", "many"),
    "a Boolean for an Integer": ("pages", True),
    "a float for an Integer": ("pages", 1.5),
    "too large for an Integer": ("pages", 2**63),
    "a number for text": ("title", 7),
    "text longer than its column": ("title", "x" * 21),
    "words for a Numeric": ("price", "cheap"),
    "more digits than a Numeric has": ("price", "1234567.00"),
    "null where none may be": ("must", None),
    "the status": ("status", "done"),
    "the version": ("version", 9),
    "the key": ("id", "z"),
    "a list for text": ("title", ["t"]),
}


@pytest.mark.parametrize("failing", [False, True], ids=["done", "failed"])
def test_a_fact_that_cannot_be_kept_fails_its_row_and_no_other(
    failing: bool, boxed: Boxed, subtests: pytest.Subtests
) -> None:
    """Rows with each bad fact run beside each other, and each between two rows that are fine."""
    saved: list[str] = []
    good = [f"good {number:02}" for number in range(len(BAD) + 1)]
    bad = {f"good {number:02} then bad": name for number, name in enumerate(BAD)}

    def work(given: Work) -> Outcome[Any]:
        if given.id not in bad:
            return Done("result", **GOOD)
        fact, value = BAD[bad[given.id]]
        return Failed("OWN", "own", "result", **{fact: value}) if failing else Done("result", **{fact: value})

    box = boxed(papers(work, saved, retry=["1m"]))
    admit(box, *sorted([*good, *bad]))
    box.drain()
    for id, name in bad.items():
        with subtests.test(name):
            row = box.get("jobs", id)
            assert (row["status"], row["error_code"], row["ready_at"]) == ("failed", "BAD_OUTCOME", None)
            assert repr(BAD[name][0]) in row["error_message"]
            assert moves(box, id)[-1] == ("running", "failed", "work.failed")
            assert box.ledger.history("jobs", id)[-1].facts == {
                "error_code": "BAD_OUTCOME",
                "error_message": row["error_message"],
            }
    assert {(state(box, id), box.get("jobs", id)["title"]) for id in good} == {("done", "fine")}
    assert sorted(saved) == good


def test_the_largest_facts_are_kept_whole_and_saved(boxed: Boxed) -> None:
    saved: list[str] = []
    largest = "x" * (FACTS_LIMIT - len('{"note":""}'))
    box = boxed(papers(lambda work: Done("result", note=largest), saved))
    admit(box, "a")
    box.drain()
    assert (state(box, "a"), saved) == ("done", ["a"])
    assert box.ledger.history("jobs", "a")[-1].facts == {"note": largest}


def test_a_fact_that_is_changed_after_the_return_is_kept_as_it_was_returned(boxed: Boxed) -> None:
    kept: list[Any] = []

    def work(given: Work) -> Outcome[Any]:
        kept.append(Done(note={"deep": [1]}, title="t"))
        return kept[-1]  # type: ignore[no-any-return]

    box = boxed(papers(work))
    admit(box, "a")
    dispatch(box)
    assert box.runs is not None
    box.runs.claim()
    kept[0].facts["note"]["deep"].append(2)
    kept[0].facts["title"] = 7
    box.drain()
    assert box.get("jobs", "a")["title"] == "t"
    assert box.ledger.history("jobs", "a")[-1].facts == {"note": {"deep": [1]}, "title": "t"}


def test_values_that_travel_as_text_arrive_as_their_columns_type(boxed: Boxed) -> None:
    box = boxed(papers(lambda work: Done(day=date(2026, 1, 2), price="12.50", ok=True, pages=3)))
    admit(box, "a")
    dispatch(box)
    (attempt,) = claim(box)
    finish(box, attempt, Done(day=date(2026, 1, 2), price="12.50", ok=True, pages=3))
    assert columns(box)[:2] == ("done", '["day","ok","pages","price"]')
    apply(box)
    row = box.get("jobs", "a")
    assert (row["day"], str(row["price"]), row["ok"], row["pages"]) == (date(2026, 1, 2), "12.50", True, 3)


@pytest.mark.parametrize("batches", [True, False], ids=["whole batches", "row by row"])
def test_an_instant_arrives_on_a_column_of_instants(boxed: Boxed, batches: bool) -> None:
    moment = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)
    box = boxed(papers(lambda work: Done(read_at=moment)))
    box.coordinates._may_move_batches = batches
    admit(box, "a")
    box.drain()
    assert (state(box, "a"), box.get("jobs", "a")["read_at"]) == ("done", moment)
    assert box.ledger.history("jobs", "a")[-1].facts == {"read_at": "2026-05-01T09:30:00.000000Z"}


def test_a_fact_named_like_the_gates_is_the_users_and_no_verdict(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs(lambda work: Done(interlock_gates=[{"gate": "g", "passed": True}, {}])))
    admit(box, "a")
    box.drain()
    assert state(box, "a") == "done"
    assert box.ledger.history("jobs", "a")[-1].facts == {
        "interlock_gates": [{"gate": "g", "passed": True}, {}]
    }
    assert hand.one("SELECT count(*) FROM interlock_gate_verdict") == 0


DEEP = "[" * 400 + "]" * 400
"""Python reads it, and does not write it again."""
TYPED = [
    {"facts": "{"},
    {"facts": "[]"},
    {"facts": "null"},
    {"report": "{"},
    {"report": "[]"},
    {"report": "null"},
    {"gates": "[{}]"},
    {"gates": "{"},
    {"outcome": "again", "report": '{"after":1e300}'},
    {"outcome": "again"},
    {"outcome": "failed"},
    {"outcome": "failed", "facts": '{"error_code":["a","list"],"error_message":"m"}'},
    {"facts": '{"title":"\\ud800"}'},
    {"facts": '{"title":1e999}'},
    {"facts": '{"status":"done"}'},
    {"facts": '{"title":{"a":1}}', "shape": '["title"]'},
    {"outcome": "failed", "facts": '{"error_code":"C","error_message":"m"}', "report": '{"pause":1e300}'},
    {"gates": f'[{{"gate":"g","passed":true,"details":{{"a":{DEEP}}}}}]'},
    {"facts": "{", "shape": "[]"},
    {"facts": "[1]", "shape": "[]"},
    {"facts": f'{{"note":{DEEP * 20}}}', "shape": "[]"},
    {"facts": f'{{"note":{"[" * 25_000 + "]" * 25_000}}}', "shape": "[]"},
]


def test_a_report_typed_by_hand_is_refused_or_read_and_its_neighbours_move(
    boxed: Boxed, hand: Any, subtests: pytest.Subtests
) -> None:
    """Each report is typed between two that are fine; all of them are applied together."""
    box = boxed(jobs(machine=STRICT))
    bad = {f"{number:02} typed": typed for number, typed in enumerate(TYPED)}
    good = [f"{number:02}" for number in range(len(TYPED) + 1)]
    attempts = {one.record_id: one for one in begun(box, *sorted([*good, *bad]))}
    for id in good:
        finish(box, attempts[id], Done(**GOOD))
    stamp = hand.one("SELECT reported_at FROM interlock_work WHERE record_id = '00'")
    for id, typed in bad.items():
        values = {"outcome": "done", **typed}
        hand.run(
            f"UPDATE interlock_work SET reported_at = ?, {', '.join(f'{name} = ?' for name in values)} WHERE record_id = ?",
            stamp,
            *values.values(),
            id,
        )
    for _ in range(3):
        box.coordinates.step()
    assert {(state(box, id), box.get("jobs", id)["title"]) for id in good} == {("done", "fine")}
    for id, typed in bad.items():
        with subtests.test(str(typed)):
            row = box.get("jobs", id)
            if "1e300" in str(typed):  # a span is cut, not refused
                assert row["error_code"] in (None, "C")
            elif row["error_code"] == "BAD_REPORT":
                assert said_of(box, id) == [("refused", "ILK-102")]
                assert moves(box, id)[-1] == ("running", "failed", "work.refused")
            else:
                assert (row["status"], row["error_code"]) == ("failed", "refused")
                assert [verdict for verdict, _ in said_of(box, id)] == ["refused"]
            assert row["title"] is None
            assert box.ledger.history("jobs", id)


def test_facts_that_are_nested_too_deep_to_be_read_hide_no_other_entry(boxed: Boxed, hand: Any) -> None:
    """A database reads deeper than Python does."""
    box = boxed(jobs(machine=STRICT))
    begun(box, "a", "b")
    hand.run(
        "UPDATE interlock_work SET reported_at = claimed_at, outcome = 'done', shape = '[]', facts = ? WHERE record_id = 'a'",
        f'{{"note":{"[" * 960 + "]" * 960}}}',
    )
    hand.run("UPDATE interlock_work SET reported_at = claimed_at, outcome = 'done' WHERE record_id = 'b'")
    for _ in range(3):
        box.coordinates.step()
    ended = {move.id: move for move in box.ledger.history("jobs", "a") + box.ledger.history("jobs", "b")}
    assert (ended["a"].new, ended["b"].new) in [("done", "done"), ("failed", "done")]
    assert len(box.ledger.tail()) == 6
    if ended["a"].new == "done":
        assert list(ended["a"].facts) == ["unreadable"]


def test_facts_that_are_json_only_beside_each_other_are_refused_each(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs(machine=STRICT))
    typed = {"a": '{"title":"of a"},{"note":1', "b": '"title":"of b"}', "c": '{"title":"of c"}'}
    begun(box, *typed)
    for id, facts in typed.items():
        hand.run(
            "UPDATE interlock_work SET reported_at = claimed_at, outcome = 'done', shape = ?, facts = ? WHERE record_id = ?",
            '["title"]',
            facts,
            id,
        )
    for _ in range(3):
        box.coordinates.step()
    assert [(state(box, id), box.get("jobs", id)["title"]) for id in typed] == [
        ("failed", None),
        ("failed", None),
        ("done", "of c"),
    ]
    assert [said_of(box, id) for id in ("a", "b")] == [[("refused", "ILK-102")]] * 2
    assert box.ledger.history("jobs", "c")[-1].facts == {"title": "of c"}


def test_many_reports_of_several_shapes_are_kept_each_as_it_was_said(boxed: Boxed) -> None:
    said = {
        f"{kind} {number} ": outcome
        for number in range(10)
        for kind, outcome in {
            "plain": Done(),
            "title": Done(title=f'"{number}" ü\u2028'),
            "size": Done(size=number, rank=None),
            "note": Done(note=[number]),
            "empty": Done(empty=True),
            "failed": Failed("C", f"m{number}", final=True),
        }.items()
        if kind != "failed" or number < 2
    }
    box = boxed(jobs(lambda work: said[work.id], machine=STRICT))
    admit(box, *said)
    dispatch(box)
    runner = another_runner(box, capacity=100)
    runner.claim()
    runner.gather(0.0)
    late = next(result.attempt for result in runner.results if result.attempt.record_id == "title 3 ")
    finish(box, late, Done(title="first"))
    runner.report()
    apply(box)
    assert said_of(box, "title 3 ")[0][0] == "duplicate"
    for id, outcome in said.items():
        entry, failed = box.ledger.history("jobs", id)[-1], isinstance(outcome, Failed)
        assert entry.new == ("failed" if failed else "done")
        expected = {"title": "first"} if id == "title 3 " else outcome.facts
        assert {name: entry.facts[name] for name in expected} == dict(expected)
        assert box.get("jobs", id)["title"] == expected.get("title")
    assert box.ledger.verify().ok
    assert box.check().findings == []


@pytest.mark.parametrize(
    "many", [100, pytest.param(2_000, marks=[pytest.mark.soak, pytest.mark.timeout(600)])]
)
def test_random_reports_end_no_coordinator_and_each_is_applied_or_refused(
    many: int, boxed: Boxed, hand: Any
) -> None:
    box = boxed(jobs(machine=STRICT))
    random, reported = Random(many), 0
    for wave in range(many // 100):
        admit(box, *(f"j{wave}-{number}" for number in range(100)))
        dispatch(box)
        for attempt in claim(box):
            reported += 1
            texts = [text_of(random) for _ in range(4)]
            report, *rest = (one and one.replace("\0", "").encode(errors="ignore").decode() for one in texts)
            hand.run(
                "UPDATE interlock_work SET reported_at = claimed_at, outcome = ?, report = ?, shape = ?, facts = ?, "
                "gates = ? WHERE token = ?",
                random.choice(["done", "empty", "failed", "again"]),
                report and report[:200],
                *rest,
                attempt.token,
            )
        while any(row["reported_at"] is not None for row in work_rows(box)):
            box.coordinates.step()
    states = hand.rows("SELECT status, count(*) FROM jobs GROUP BY status")
    assert sum(number for _, number in states) == many
    assert {status for status, _ in states} <= {"waiting", "running", "failed", "done"}
    refused = hand.one("SELECT count(*) FROM interlock_verdict WHERE verdict = 'refused'")
    assert 0 < refused < reported
    assert reported >= many
    assert hand.one("SELECT count(*) FROM jobs WHERE error_code IN ('BAD_REPORT', 'refused')") == refused
    assert box.check().findings == []


@pytest.mark.parametrize("late", [False, True])
def test_a_stages_own_failure_named_cancelled_is_a_failure_like_any_other(late: bool, boxed: Boxed) -> None:
    box = boxed(jobs(lambda work: Failed("CANCELLED", "the shop did", final=True), machine=STRICT))
    admit(box, "a")
    dispatch(box)
    runner = another_runner(box)
    runner.claim()
    if late:
        box.advance("31s")
        box.coordinates.sweep()
        runner.lost, runner.held = dict(runner.held), {}
    runner.gather(0.0)
    runner.report()
    if late:
        assert said_of(box, "a") == [("stale", "ILK-209")]
        assert state(box, "a") == "running"
    else:
        apply(box)
        assert (state(box, "a"), box.get("jobs", "a")["error_code"]) == ("failed", "CANCELLED")


def test_a_database_from_before_reports_had_columns_gets_them(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs())
    if hand.is_sqlite:
        hand.drop_guards_of("interlock_work")
    else:
        hand.run("ALTER TABLE interlock_work DROP CONSTRAINT interlock_work_report")
        hand.run("DROP TRIGGER interlock_claimed ON interlock_work")
        hand.run("DROP TRIGGER interlock_attempt ON interlock_work")
        hand.run("DROP TRIGGER interlock_begun ON interlock_work")
        hand.run("DROP TRIGGER interlock_moved ON interlock_work")
    for name in ("version", "shape", "facts", "gates"):
        hand.run(f"ALTER TABLE interlock_work DROP COLUMN {name}")
    hand.run("UPDATE interlock_meta SET value = 'older' WHERE key = 'own tables'")
    box.migrate()
    admit(box, "a")
    box.drain()
    assert state(box, "a") == "done"


@pytest.mark.parametrize(
    ("change", "by"),
    [
        ("started_at = '-infinity'", "ILK-213"),
        ("claimed_at = 'infinity'", "ILK-213"),
        ("lease_until = '20000-01-01'", "ILK-213"),
        ("outcome = 'done'", "ILK-213"),
        ("reported_at = claimed_at, outcome = 'expired'", "constraint"),
        ("reported_at = claimed_at, outcome = 'done', report = repeat('x', 2000)", "constraint"),
        ("reported_at = claimed_at, outcome = 'done', facts = repeat('x', 300000)", "constraint"),
    ],
)
def test_a_work_row_takes_no_outcome_instant_or_size_that_no_runner_writes(
    change: str, by: str, boxed: Boxed, hand: Any
) -> None:
    if hand.is_sqlite and ("outcome" not in change or "repeat" in change):
        return  # whoever can type into the file owns it; instants are text there, and are read with care
    box = boxed(jobs())
    begun(box, "a")
    hand.refused(by, f"UPDATE interlock_work SET {change}")
    assert hand.rows("SELECT outcome, report, facts FROM interlock_work") == [(None, None, None)]


@pytest.mark.sqlite_only
@pytest.mark.parametrize("instant", ["-infinity", "not a time", "9999999-01-01"])
@pytest.mark.parametrize("column", ["started_at", "claimed_at", "lease_until", "reported_at", "available_at"])
def test_an_instant_typed_by_hand_ends_no_coordinator_and_its_neighbours_move(
    column: str, instant: str, boxed: Boxed, hand: Any
) -> None:
    box = boxed(jobs(machine=STRICT, deadline="10m"))
    attempts = {one.record_id: one for one in begun(box, "a", "bad", "z")}
    for id in ("a", "bad", "z"):
        finish(box, attempts[id], Again("1m") if id == "bad" else Done(**GOOD))
    for guard in ("leased", "attempt", "reported"):  # past the guards, which refuse most of these instants
        hand.run(f"DROP TRIGGER interlock_work_{guard}")
    hand.run(f"UPDATE interlock_work SET {column} = ? WHERE record_id = 'bad'", instant)
    box.migrate()
    for _ in range(3):
        box.coordinates.step()
        box.coordinates.sweep()
    assert [(state(box, id), box.get("jobs", id)["title"]) for id in ("a", "z")] == [("done", "fine")] * 2
    assert moves(box, "a")[-1] == ("running", "done", "work.completed")
