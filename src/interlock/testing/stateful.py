"""A Hypothesis machine generated from a declaration: it plays every kind of command, and holds the database against a model each time."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from sqlalchemy import Column, Integer, MetaData, String, Table

from ..app import App
from ..machine import Machine, State
from ..workflow import Answer, Axis, Workflow
from .asking import answered, breaches, differences, outcome_name
from .model import Model, Plan, Refusal, Spot
from .playground import PlayGround

ACTORS = ("ann", "bob")
REASONS = st.sampled_from([None, "because"])
CHECKED_EVERY = 7
NO_RETRY = {
    "BadInput",
    "MaxRetriesExceeded",
    "InvalidStateTransition",
    "RuleRefused",
    "GateRejected",
    "UnknownRecord",
    "unchanged",
}


def state_machine(
    declared: Workflow | Machine,
    *,
    rows: st.SearchStrategy[Mapping[str, Any]] | None = None,
    database: str | None = None,
) -> type[Player]:
    """A `RuleBasedStateMachine` of this workflow; `rows` draws what an admitted record has besides its id. It plays on SQLite in memory, or
    on the PostgreSQL at this URL: an empty database, of a superuser, in which every table is emptied before each example."""
    workflow = declared if isinstance(declared, Workflow) else bare(declared)

    class Generated(Player):
        extra = st.just({}) if rows is None else rows
        ground = PlayGround(database)

        @initialize()
        def begin(self) -> None:
            self.play(workflow)

    Generated.__name__ = Generated.__qualname__ = (
        f"{workflow.name.title().replace('-', '').replace('_', '')}Player"
    )
    return Generated


def bare(machine: Machine) -> Workflow:
    """Return a workflow with the machine alone, on a table that has nothing but an id."""
    table = Table("records", MetaData(), Column("id", String(40), primary_key=True))
    return Workflow("records", records=table, axes=[Axis("status", machine)])


def addressed(spot: Spot, to: State) -> dict[str, Any]:
    """A move's axis and scope, as keywords of `move()`."""
    return {spot[0]: to, **({"scope": spot[1]} if spot[1] else {})}


class Player(RuleBasedStateMachine):
    """Gives commands to an app and to a model, and asserts that both answer the same."""

    extra: ClassVar[st.SearchStrategy[Mapping[str, Any]]] = st.just({})

    ground: ClassVar[PlayGround] = PlayGround(None)

    def open_app(self, workflow: Workflow) -> App:
        return self.ground.open_app(workflow)

    def play(self, workflow: Workflow) -> None:
        """Begin with an empty database."""
        self.workflow = workflow
        self.app = self.open_app(workflow)
        self.app.migrate()
        self.model = Model(workflow)
        self.numbers = itertools.count(1)
        self.keys = itertools.count(1)
        self.commands: list[tuple[Callable[[], Answer], str]] = []
        self.looks: dict[tuple[str, Any, Spot], int] = {}
        self.steps = 0

    def fresh_id(self) -> Any:
        number = next(self.numbers)
        return number if isinstance(self.workflow.id_column.type, Integer) else f"r{number}"

    def a_record(self, data: st.DataObject) -> Any:
        """Draw the id of a record; now and then of one that does not exist, or no longer."""
        nobody = 10**6 if isinstance(self.workflow.id_column.type, Integer) else "nobody"
        there = list(self.model.records)
        return data.draw(st.sampled_from(there * 4 + list(self.model.erased) + [nobody]), label="record")

    def a_move(self, data: st.DataObject, *, legal: bool = False) -> tuple[Any, Spot, State]:
        id = (
            data.draw(st.sampled_from(list(self.model.records)), label="record")
            if legal
            else self.a_record(data)
        )
        spot = data.draw(st.sampled_from(self.model.spots()), label="axis")
        machine = self.workflow.axes[spot[0]].machine
        targets = machine.next_states(self.model.records[id][spot].state) if legal else ()
        return id, spot, data.draw(st.sampled_from(targets or machine.states), label="to")

    def expected(
        self, id: Any, spot: Spot, to: State, version: int | None = None, **options: Any
    ) -> tuple[str, Plan | None, bool]:
        """Return the answer that is expected, the steps of the model, and whether a rule that asks the database may refuse it."""
        if id not in self.model.records:
            return "UnknownRecord", None, False
        track = self.model.records[id][spot]
        if version is not None and version != track.version:
            return "ConcurrentModificationError", None, False
        if track.state == to:
            return "unchanged", None, False
        try:
            plan = self.model.plan(id, spot, to, **options)
        except Refusal as refusal:
            return str(refusal), None, refusal.open
        return "moved", plan, plan.open

    def hold(self, word: str, id: Any, wanted: tuple[str, Plan | None, bool]) -> None:
        """Assert that the app answers as the model does, then apply the command to the model."""
        name, plan, open = wanted
        if open and word == "RuleRefused":
            return
        assert word == name, f"{id!r}: the app says {word}, the model {name}"
        if plan is not None:
            self.model.apply(id, plan)

    def command(self, id: Any, spot: Spot, to: State, **options: Any) -> Callable[[], Answer]:
        arguments = {"actor": ACTORS[0], **options, **addressed(spot, to)}
        return lambda: self.app.move(self.workflow, id, **arguments)

    @rule(data=st.data())
    def admit(self, data: st.DataObject) -> None:
        id = self.fresh_id()
        row = {self.workflow.id_column.name: id, **data.draw(self.extra, label="row")}
        assert self.app.admit(self.workflow, row).outcome == self.model.admit(id)

    @precondition(lambda self: self.model.records or self.model.erased)
    @rule(data=st.data())
    def admit_again(self, data: st.DataObject) -> None:
        id = data.draw(st.sampled_from([*self.model.records, *self.model.erased]))
        (answer,) = self.app.admit_many(self.workflow, [{self.workflow.id_column.name: id}])
        assert answer.outcome == self.model.admit(id), (
            f"{id!r} was admitted before, and now is answered {answer}"
        )

    @precondition(lambda self: self.model.records)
    @rule(data=st.data(), reason=REASONS)
    def move_legally(self, data: st.DataObject, reason: str | None) -> None:
        id, spot, to = self.a_move(data, legal=True)
        edge = self.workflow.axes[spot[0]].machine.edge(self.model.records[id][spot].state, to)
        options: dict[str, Any] = {"role": edge.role if edge else None, "reason": reason}
        self.hold(answered(self.command(id, spot, to, **options)), id, self.expected(id, spot, to, **options))

    @rule(data=st.data(), role=st.sampled_from([None, "operator", "admin"]), reason=REASONS)
    def move_anywhere(self, data: st.DataObject, role: str | None, reason: str | None) -> None:
        id, spot, to = self.a_move(data)
        self.hold(
            answered(self.command(id, spot, to, role=role, reason=reason)),
            id,
            self.expected(id, spot, to, role=role, reason=reason),
        )

    @precondition(lambda self: self.model.records)
    @rule(data=st.data(), behind=st.integers(0, 3))
    def move_from_a_version(self, data: st.DataObject, behind: int) -> None:
        id, spot, to = self.a_move(data, legal=True)
        version = max(0, self.model.records[id][spot].version - behind)
        self.hold(
            answered(self.command(id, spot, to, version=version)), id, self.expected(id, spot, to, version)
        )

    @precondition(lambda self: self.model.records)
    @rule(data=st.data())
    def move_under_a_key(self, data: st.DataObject) -> None:
        id, spot, to = self.a_move(data)
        command = self.command(id, spot, to, key=f"key {next(self.keys)}")
        word, wanted = answered(command), self.expected(id, spot, to)
        self.hold(word, id, wanted)
        self.commands.append((command, word))

    @precondition(lambda self: self.commands)
    @rule(data=st.data())
    def repeat_a_command(self, data: st.DataObject) -> None:
        command, word = data.draw(st.sampled_from(self.commands), label="command")
        assert answered(command) == word, "a repeated command gets the very same answer, and does nothing"

    @precondition(lambda self: self.model.records)
    @rule(data=st.data(), client=st.sampled_from(ACTORS))
    def look(self, data: st.DataObject, client: str) -> None:
        id, spot, _ = self.a_move(data, legal=True)
        self.looks[client, id, spot] = self.model.records[id][spot].version

    @precondition(lambda self: self.looks)
    @rule(data=st.data())
    def move_what_was_seen(self, data: st.DataObject) -> None:
        (client, id, spot), version = data.draw(st.sampled_from(list(self.looks.items())), label="look")
        to = data.draw(st.sampled_from(self.workflow.axes[spot[0]].machine.states), label="to")
        self.hold(
            answered(self.command(id, spot, to, version=version, actor=client)),
            id,
            self.expected(id, spot, to, version),
        )

    @precondition(lambda self: self.model.records)
    @rule(data=st.data(), count=st.integers(1, 6))
    def move_many(self, data: st.DataObject, count: int) -> None:
        _, spot, to = self.a_move(data, legal=True)
        ids = [self.a_record(data) for _ in range(count)]
        asked = [
            (id, data.draw(st.sampled_from([None, 0, 1]))) if ids.count(id) == 1 else (id, None) for id in ids
        ]
        answers = self.app.move_many(self.workflow, asked, actor="ann", **addressed(spot, to))
        assert [answer.id for answer in answers] == ids
        for answer, (id, version) in zip(answers, asked, strict=True):
            self.hold(outcome_name(answer), id, self.expected(id, spot, to, version))

    @precondition(lambda self: self.model.records)
    @rule(data=st.data(), commits=st.booleans())
    def join_a_transaction(self, data: st.DataObject, commits: bool) -> None:
        id, spot, to = self.a_move(data, legal=True)
        before = self.model.copy()
        with self.app.database.engine.connect() as tx:
            self.hold(answered(self.command(id, spot, to, tx=tx)), id, self.expected(id, spot, to))
            if commits:
                tx.commit()
            else:
                tx.rollback()
                self.model = before

    @precondition(lambda self: self.model.records and self.amended() is not None)
    @rule(data=st.data())
    def amend(self, data: st.DataObject) -> None:
        id = self.a_record(data)
        word = answered(
            lambda: self.app.amend(self.workflow, id, facts={"remark": "seen"}, actor="ann", reason="a slip")
        )
        assert word == ("moved" if id in self.model.records else "UnknownRecord")
        if word == "moved":
            track = self.model.records[id][self.amended() or "", ""]
            track.step(track.state)

    def amended(self) -> str | None:
        """The axis whose version an amendment steps."""
        gated = next((gate.axis for gate in self.workflow.gates), None)
        return gated or next((axis.name for axis in self.workflow.axes.values() if not axis.scoped), None)

    @precondition(lambda self: len(self.model.records) > 1)
    @rule(data=st.data())
    def erase(self, data: st.DataObject) -> None:
        id = self.a_record(data)
        word = answered(
            lambda: self.app.erase(self.workflow, id, actor="ann", role="admin", reason="asked to")
        )
        assert word == ("erased" if id in self.model.records else "UnknownRecord")
        if word == "erased":
            self.model.erase(id)

    @precondition(lambda self: self.model.records and self.retried())
    @rule(data=st.data())
    def retry(self, data: st.DataObject) -> None:
        id = self.a_record(data)
        axis = self.retried()[0]
        scope = data.draw(st.sampled_from(axis.scopes)) if axis.scoped else None
        found: list[State] = []
        options = {"role": "operator", "reason": "once more"}

        def act() -> Answer:
            answer = self.app.retry(self.workflow, id, actor="ann", scope=scope, **options)
            found.append(answer.new)
            return answer

        word = answered(act)
        assert word == "moved" or word in NO_RETRY, word
        if word == "moved":
            self.model.apply(id, self.model.plan_retry(id, (axis.name, scope or ""), found[0], **options))

    def retried(self) -> list[Axis]:
        return [axis for axis in self.workflow.axes.values() if axis.has("retry_count")]

    @precondition(lambda self: self.model.records and self.workflow.gates)
    @rule(data=st.data(), passed=st.booleans())
    def judge_a_gate(self, data: st.DataObject, passed: bool) -> None:
        gate = data.draw(st.sampled_from(self.workflow.gates), label="gate")
        id = data.draw(st.sampled_from(list(self.model.records)), label="record")
        scope = data.draw(st.sampled_from(self.workflow.axes[gate.axis].scopes or ("",)))
        self.app.judge_gate(self.workflow, id, gate.name, passed=passed, actor="ann", scope=scope or None)
        verdict = (id, gate.axis, scope, self.model.records[id][gate.axis, scope].version, gate.name)
        (self.model.passed.add if passed else self.model.passed.discard)(verdict)

    @invariant()
    def the_database_is_what_the_model_says(self) -> None:
        found = differences(self.app, self.model)
        assert not found, "\n".join(found)
        self.steps += 1
        if self.steps % CHECKED_EVERY == 0:
            self.the_check_is_clean()

    def the_check_is_clean(self) -> None:
        found = breaches(self.app)
        assert not found, "\n".join(found)

    def teardown(self) -> None:
        if hasattr(self, "app"):
            try:
                self.the_check_is_clean()
            finally:
                self.app.close()
