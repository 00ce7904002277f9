"""One plan, one move: what paths that disagreed did differently, asserted on the row and in the ledger."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import pytest
from sqlalchemy import Column, Connection, ForeignKey, Integer, MetaData, String, Table, Text, text

from interlock import App, Axis, Done, Failed, Machine, Move, Outcome, Work, Workflow, entering, leaving
from interlock.errors import BadInput, NotAdopted, RuleRefused
from interlock.store.postgresql.moves import prepared
from interlock.testing import Sandbox
from interlock.transport import DatabaseTransport, Topic
from tests.contract.hand import Hand
from tests.contract.worked import moves, said_of, state, work_rows
from tests.contract.working import JOB, Boxed, apply, begun, claim, dispatch, finish, jobs

CURATION = Machine("curation", initial="New", states=["New", "Selected", "Maybe", "Discarded"])
PROCESSING = Machine(
    "processing",
    initial=None,
    moves={
        None: ["Queued"],
        "Queued": ["Processing", None],
        "Processing": ["Complete", "Failed"],
        "Failed": ["Queued"],
        "Complete": ["Queued"],
    },
)


def sites(**kept: Any) -> Workflow:
    """Sites as people curate and machines visit them."""
    table = Table("sites", MetaData(), Column("id", String(40), primary_key=True), Column("title", Text))
    workflow = Workflow(
        "sites",
        noun="site",
        records=table,
        axes=[
            Axis("curation_status", CURATION, prefix="curation_"),
            Axis("processing_status", PROCESSING, prefix="processing_"),
        ],
        rules=[
            entering(curation_status="Selected").moves(
                processing_status={None: "Queued", "Failed": "Queued", "Complete": "Queued"}
            ),
            leaving(curation_status="Selected").moves(processing_status={"Queued": None}),
            entering(processing_status={"Queued", "Processing"}).requires(curation_status="Selected"),
        ],
        **kept,
    )

    @workflow.stage(waiting="Queued", running="Processing", done="Complete", failed="Failed")
    def visit(work: Work) -> Outcome[Any]:
        return Done(title="home")

    return workflow


def history(app: App, kind: str, id: Any, axis: str) -> list[tuple[Any, Any, str]]:
    return [(move.old, move.new, move.actor) for move in app.ledger.history(kind, id) if move.axis == axis]


# --- rows that are not adopted ---


@pytest.fixture
def brownfield(opened: Any, hand: Hand) -> App:
    """A table with rows that nobody has adopted, and one that Interlock admitted."""
    hand.run("CREATE TABLE things (id varchar(40) PRIMARY KEY, status text)")
    hand.run("INSERT INTO things(id, status) VALUES ('old', 'a'), ('older', 'a')")
    machine = Machine("thing", initial="a", moves={"a": ["b"], "b": ["c"]})
    app: App = opened(Workflow("things", records="things", axes=[Axis("status", machine)]))
    app.admit("things", {"id": "new"})
    return app


def test_a_row_that_is_not_adopted_is_neither_moved_nor_given_an_entry(brownfield: App, hand: Hand) -> None:
    with pytest.raises(NotAdopted):
        brownfield.move("things", "old", actor="ann", status="b")
    answers = brownfield.move_many("things", ["old", "new", "older"], actor="ann", status="b")
    assert [(answer.outcome, answer.error.code if answer.error else None) for answer in answers] == [
        ("refused", "ILK-202"),
        ("moved", None),
        ("refused", "ILK-202"),
    ]
    assert hand.rows("SELECT id, status, version FROM things ORDER BY id") == [
        ("new", "b", 1),
        ("old", "a", None),
        ("older", "a", None),
    ]
    assert hand.rows("SELECT record_id, version FROM interlock_ledger ORDER BY 1, 2") == [
        ("new", 0),
        ("new", 1),
    ]


@pytest.mark.postgresql_only
def test_a_statement_that_claims_to_move_an_unadopted_row_is_refused_by_the_database(
    brownfield: App, hand: Hand
) -> None:
    context = (
        "set_config('interlock.said_things_status', "
        "'{ann,NULL,command.move,move,m,NULL,2026-01-01T00:00:00Z,0,NULL,NULL,' || statement_timestamp()::text || '}', true)"
    )
    hand.refused("ILK-213", f"UPDATE things SET status = 'b' WHERE id = 'old' AND {context} IS NOT NULL")
    assert hand.run("UPDATE things SET status = 'b' WHERE id = 'old'") == 1  # as theirs, without a claim


# --- curation while a report waits ---


def test_curating_is_possible_while_a_report_on_another_axis_waits_to_be_applied(boxed: Boxed) -> None:
    box = boxed(sites())
    box.admit("sites", {"id": "s"})
    box.move("sites", "s", actor="ann", curation_status="Selected")
    assert dispatch(box) == 1
    (attempt,) = claim(box)
    finish(box, attempt, Done(title="home"))
    assert box.move("sites", "s", actor="bob", curation_status="Maybe").outcome == "moved"
    assert apply(box) == 1
    row = box.get("sites", "s")
    assert (row["curation_status"], row["processing_status"], row["title"]) == ("Maybe", "Complete", "home")
    assert history(box, "sites", "s", "curation_status") == [
        (None, "New", "app"),
        ("New", "Selected", "ann"),
        ("Selected", "Maybe", "bob"),
    ]
    assert history(box, "sites", "s", "processing_status")[-1] == ("Processing", "Complete", "coordinator")


def test_a_preview_says_the_same_of_a_report_that_waits(boxed: Boxed) -> None:
    box = boxed(sites())
    box.admit("sites", {"id": "s"})
    box.move("sites", "s", actor="ann", curation_status="Selected")
    dispatch(box)
    (attempt,) = claim(box)
    finish(box, attempt, Done())
    preview = box.operations.preview(
        "sites", act="move", to="Maybe", axis="curation_status", ids=["s"], actor="ann", reason="so"
    )
    assert preview.as_dict()["outcomes"]["moved"] == 1
    apply(box)


# --- entering each named state ---


def test_queued_to_processing_enters_processing_and_asks_the_rule(boxed: Boxed) -> None:
    """A person moves it as dispatch would: one meaning for both."""
    table = Table("sites", MetaData(), Column("id", String(40), primary_key=True), Column("open", Integer))
    workflow = Workflow(
        "sites",
        noun="site",
        records=table,
        axes=[Axis("status", PROCESSING)],
        rules=[entering(status={"Queued", "Processing"}).requires(table.c.open == 1)],
    )
    box = boxed(workflow)
    box.admit("sites", {"id": "s", "open": 1})
    box.move("sites", "s", actor="ann", status="Queued")
    box.amend("sites", "s", facts={"open": 0}, actor="ann", reason="closed")
    with pytest.raises(RuleRefused):
        box.move("sites", "s", actor="ann", status="Processing")
    assert box.get("sites", "s")["status"] == "Queued"
    assert [entry[:2] for entry in history(box, "sites", "s", "status")] == [
        (None, None),
        (None, "Queued"),
        ("Queued", "Queued"),
    ]


# --- gates and versions ---


def gated(machine: Machine = JOB, **stage: Any) -> Workflow:
    table = Table("jobs", MetaData(), Column("id", String(40), primary_key=True), Column("body", Text))
    workflow = Workflow("jobs", noun="job", records=table, axes=[Axis("status", machine)])

    @workflow.gate("done")
    def is_clean(work: Work) -> Outcome[Any]:
        return Done() if work.record["body"] == "clean" else Failed("DIRTY", final=True)

    @workflow.stage(waiting="waiting", running="running", done="done", failed="failed", **stage)
    def work(given: Work) -> Outcome[Any]:
        return Done()

    return workflow


def test_a_record_amended_while_its_gate_ran_is_not_validated_by_it(boxed: Boxed) -> None:
    box = boxed(gated())
    box.admit("jobs", {"id": "a", "body": "clean"})
    assert box.runs is not None
    box.runs.renew()
    dispatch(box)
    assert box.runs.claim() == 1  # the gate has run, and passed
    box.amend("jobs", "a", facts={"body": "dirty"}, actor="ann", reason="spoilt")
    box.runs.gather(0.0)
    assert box.runs.report() == 1
    apply(box)
    assert (state(box, "a"), len(work_rows(box))) == ("running", 1)
    verdicts = [(row["version"], bool(row["passed"])) for row in gate_rows(box)]
    assert verdicts == [(1, True)]
    box.drain()
    assert state(box, "a") == "failed"
    assert [(row["version"], bool(row["passed"])) for row in gate_rows(box)] == [(1, True), (3, False)]
    assert [entry[1] for entry in moves(box, "a")] == ["waiting", "running", "running", "running", "failed"]


def test_a_success_that_is_asked_about_anew_after_its_deadline_is_no_failure_and_costs_no_try(
    boxed: Boxed,
) -> None:
    """It had been reported in time; nobody asked for more of it."""
    box = boxed(gated(deadline="10m"))
    box.admit("jobs", {"id": "a", "body": "clean"})
    assert box.runs is not None
    box.runs.renew()
    dispatch(box)
    assert box.runs.claim() == 1
    box.amend("jobs", "a", facts={"body": "clean"}, actor="ann", reason="again")
    box.runs.gather(0.0)
    assert box.runs.report() == 1
    box.advance("11m")  # the coordinator was away
    apply(box)
    row = box.get("jobs", "a")
    assert (row["status"], row["tries"], row["error_code"], len(work_rows(box))) == ("running", 0, None, 1)
    assert [move.cause for move in box.ledger.history("jobs", "a")][-1] == "work.again"
    box.drain()
    row = box.get("jobs", "a")
    assert (row["status"], row["tries"]) == ("done", 1)
    assert [entry[1] for entry in moves(box, "a")] == ["waiting", "running", "running", "running", "done"]


def gate_rows(box: Sandbox) -> list[Any]:
    with box.database.read() as tx:
        return list(
            tx.execute(text("SELECT * FROM interlock_gate_verdict ORDER BY version, number")).mappings()
        )


# --- hooks are called for states that are entered ---


@pytest.mark.parametrize(("amended", "called"), [(False, ["running"]), (True, ["running", "running"])])
def test_a_hook_is_called_for_what_is_entered_and_for_amendments_only_where_asked_for(
    amended: bool, called: list[str], boxed: Boxed
) -> None:
    seen: list[Any] = []
    workflow = jobs(retry=["0s"], machine=JOB, retry_in="running")

    @workflow.on_move("running", amended=amended)
    def note(tx: Connection, moved: Sequence[Move]) -> None:
        seen.extend(move.new for move in moved)

    box = boxed(workflow)
    (attempt,) = begun(box, "a")
    box.amend("jobs", "a", facts={"title": "t"}, actor="ann", reason="better")
    finish(box, attempt, Failed("BROKEN"))
    apply(box)  # begun anew in place: from = to, nothing is entered
    assert state(box, "a") == "running"
    assert [entry[1] for entry in moves(box, "a")] == ["waiting", "running", "running", "running"]
    assert seen == called
    box.cancel("jobs", "a", actor="ann", reason="enough")


# --- percent signs ---


def test_states_with_percent_signs_are_moved_to_by_rules_across_tables(boxed: Boxed) -> None:
    metadata = MetaData()
    items = Table("items", metadata, Column("id", String(40), primary_key=True))
    scopes = Table(
        "item_state",
        metadata,
        Column("number", Integer, primary_key=True),
        Column("item_id", ForeignKey(items.c.id)),
        Column("scope", String(20)),
    )
    half = Machine("half", initial="0%", moves={"0%": ["50%"], "50%": ["%%"]})
    own = Machine("own", initial="open", moves={"open": ["closed"]})
    part = Axis("part", half, table=scopes, scope=("one",), prefix="part_")
    box = boxed(
        Workflow(
            "items",
            records=items,
            axes=[Axis("status", own), part],
            rules=[
                entering(status="closed").requires(part="50%"),
                entering(part="%%").requires(status="closed"),
            ],
        )
    )
    box.admit("items", {"id": "i"})
    with pytest.raises(RuleRefused):
        box.move("items", "i", actor="ann", status="closed")
    box.move("items", "i", actor="ann", part="50%", scope="one")
    assert box.move("items", "i", actor="ann", status="closed").outcome == "moved"
    assert box.move("items", "i", actor="ann", part="%%", scope="one").outcome == "moved"
    assert [move.new for move in box.ledger.history("items", "i") if move.axis == "part"] == [
        "0%",
        "50%",
        "%%",
    ]


# --- hints through the app's transport ---


class Counting(DatabaseTransport):
    """Writes down every hint."""

    def __init__(self, app: App) -> None:
        super().__init__(app.database)
        self.hints: list[Topic] = []

    def after(self, topic: Topic, stages: Collection[str] = ()) -> None:
        self.hints.append(topic)
        super().after(topic, stages)


def test_every_path_that_leaves_something_waiting_gives_a_hint_through_the_transport(
    opened: Any, boxed: Boxed
) -> None:
    app: App = opened(jobs())
    counting = Counting(app)
    for part in filter(None, (app.authority, app.authority.mover, app.authority.direct)):
        part.transport = counting
    app.admit("jobs", {"id": "a"})
    assert counting.hints == ["report"]
    app.move("jobs", "a", actor="ann", status="failed")
    assert counting.hints == ["report"]  # nobody waits for that
    app.move("jobs", "a", actor="ann", status="waiting")
    app.move_many("jobs", ["a"], actor="ann", status="running")
    app.move_many("jobs", ["a"], actor="ann", status="waiting")
    app.move("jobs", "a", actor="ann", status="failed")
    app.move("jobs", "a", actor="ann", reason="with a reason", status="waiting")
    assert counting.hints == ["report"] * 4


@pytest.mark.postgresql_only
def test_a_move_by_one_statement_carries_its_hint_with_it(opened: Any) -> None:
    app: App = opened(jobs())
    listener = app.transport.listen("report")
    try:
        app.admit("jobs", {"id": "a"})
        app.move("jobs", "a", actor="ann", status="failed")
        while listener.wait(0.05):
            pass
        assert (
            app.authority.move_directly(
                app.workflow("jobs"), "a", "status", "waiting", None, "ann", None, None
            )
            is None
        )  # two sources
        app.move("jobs", "a", actor="ann", status="waiting")
        assert listener.wait(20.0)
    finally:
        listener.close()


def test_an_unknown_transport_is_refused_and_an_object_is_used(database_url: str) -> None:
    with pytest.raises(BadInput, match="no transport 'carrier pigeon'"):
        App([jobs()], database=database_url, transport="carrier pigeon")
    app = App([jobs()], database=database_url)
    mine = DatabaseTransport(app.database)
    other = App([jobs()], database=database_url, transport=mine)
    assert other.authority.transport is mine
    assert other.coordinator().transport is mine
    other.close()
    app.close()


# --- the driver's protocol layer ---


@pytest.mark.postgresql_only
def test_without_the_drivers_protocol_layer_single_moves_take_the_general_path(
    opened: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepared, "is_available", lambda: False)
    app: App = opened(jobs())
    app.admit("jobs", {"id": "a"})
    assert app.move("jobs", "a", actor="ann", status="running").version == 1
    assert [move.new for move in app.ledger.history("jobs", "a")] == ["waiting", "running"]
    app.cancel("jobs", "a", actor="ann", reason="enough")


def test_what_cannot_be_begun_is_said_once(boxed: Boxed) -> None:
    """Whatever a hook raises refuses its own record, with a code, and its neighbours go on."""
    workflow = jobs()

    @workflow.on_move("running")
    def picky(tx: Connection, moved: Sequence[Move]) -> None:
        if any(move.id == "bad" for move in moved):
            raise LookupError("no such thing")

    box = boxed(workflow)
    box.admit_many("jobs", [{"id": id} for id in ("good", "bad", "fine")])
    assert box.runs is not None
    box.runs.renew()
    box.coordinates.step()
    assert [state(box, id) for id in ("good", "bad", "fine")] == ["running", "waiting", "running"]
    assert said_of(box, "bad") == [("refused", "ILK-214")]
    for id in ("good", "fine"):
        box.cancel("jobs", id, actor="ann", reason="enough")
