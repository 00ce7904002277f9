"""Declarations that cannot work are refused before anything runs, and say why."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

import pytest
from sqlalchemy import (
    CHAR,
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Double,
    Enum,
    Float,
    ForeignKey,
    Integer,
    Interval,
    LargeBinary,
    MetaData,
    Numeric,
    String,
    Table,
    Text,
    Time,
    Uuid,
)
from sqlalchemy.types import UserDefinedType

from interlock import App, Axis, Done, Machine, Work, Workflow, during, entering, leaving, operator, retry
from interlock.errors import BadDeclaration, UnknownKind
from interlock.workflow.lookup import find_workflow

LINE = Machine(
    "line", initial="a", moves={"a": ["b"], "b": ["c", "err"], "err": [retry("a")], "c": [operator("a")]}
)
OTHER = Machine("other", initial="x", states=["x", "y"])


def table(*columns: Column[Any], name: str = "things") -> Table:
    return Table(
        name, MetaData(), *(columns or (Column("id", String(40), primary_key=True), Column("note", Text)))
    )


def two(*rules: Any, first: Axis | None = None, second: Axis | None = None) -> Workflow:
    return Workflow(
        "things",
        records=table(),
        rules=rules,
        axes=[first or Axis("one", LINE, prefix="one_"), second or Axis("two", OTHER, prefix="two_")],
    )


def work(work: Work) -> Done[None]:
    return Done()


def staged(**said: Any) -> Workflow:
    workflow = two()
    workflow.stage(**said)(work)
    return workflow


def scoped(state: Table | None = None, **said: Any) -> Workflow:
    records = table(Column("id", Integer, primary_key=True), name="items")
    made = (
        state
        if state is not None
        else Table(
            "states",
            records.metadata,
            Column("id", Integer, primary_key=True),
            Column("item", ForeignKey("items.id")),
            Column("scope", Text),
        )
    )
    return Workflow(
        "items", records=records, axes=[Axis("status", LINE, **{"table": made, "scope": ("n", "s"), **said})]
    )


def gated() -> Workflow:
    workflow = two()
    workflow.stage(waiting="a", done="b", failed=None)(work)
    workflow.gate("b")(work)
    workflow.gate("b")(work)
    return workflow


def gated_failure() -> Workflow:
    workflow = Workflow("things", records=table(), axes=[Axis("one", LINE)])
    workflow.stage(waiting="b", done="c", failed="err")(work)
    workflow.gate("err")(work)
    return workflow


def ruled_failure() -> Workflow:
    workflow = two(entering(one="err").requires(two="x"))
    workflow.stage(waiting="b", done="c", failed="err")(work)
    return workflow


def twice() -> Workflow:
    workflow = two()
    for _ in range(2):
        workflow.stage(waiting="a", done="b")(work)
    return workflow


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "two axes without prefixes": (
        lambda: two(first=Axis("one", LINE), second=Axis("two", OTHER)),
        "share the column",
    ),
    "two axes with one prefix": (
        lambda: two(first=Axis("one", LINE, prefix="p_"), second=Axis("two", OTHER, prefix="p_")),
        "share the column 'p_",
    ),
    "two axes of one name": (
        lambda: two(first=Axis("one", LINE), second=Axis("one", OTHER, prefix="q_")),
        "same name",
    ),
    "no axis": (lambda: Workflow("things", records=table(), axes=[]), "at least one axis"),
    "an empty name": (lambda: Workflow("", records=table(), axes=[Axis("one", LINE)]), "name"),
    "a name with spaces": (
        lambda: Workflow("my things", records=table(), axes=[Axis("one", LINE)]),
        "my things",
    ),
    "a name that is too long": (lambda: Workflow("x" * 41, records=table(), axes=[Axis("one", LINE)]), "40"),
    "an axis that is no identifier": (lambda: Axis("my axis", LINE), "identifier"),
    "an axis without a machine": (lambda: Axis("one", "line"), "Machine"),  # type: ignore[arg-type]
    "a mapped column the engine does not have": (
        lambda: Axis("one", LINE, columns={"colour": "c"}),
        "colour",
    ),
    "a stamp on an unknown state": (lambda: Axis("one", LINE, stamps={"z": "z_at"}), "'z'"),
    "a reset at an unknown state": (lambda: Axis("one", LINE, retries_reset_at={"z"}), "'z'"),
    "a scope without a table": (lambda: Axis("one", LINE, scope=("n",)), "table"),
    "a table without a scope": (lambda: Axis("one", LINE, table=table(name="t")), "scope"),
    "a state table without its scope column": (lambda: scoped(scope_column="region"), "region"),
    "a state table without a foreign key": (
        lambda: scoped(
            Table("states", MetaData(), Column("id", Integer, primary_key=True), Column("scope", Text))
        ),
        "foreign key",
    ),
    "a composite primary key": (
        lambda: Workflow(
            "t",
            records=table(Column("a", Integer, primary_key=True), Column("b", Integer, primary_key=True)),
            axes=[Axis("one", LINE)],
        ),
        "exactly one column",
    ),
    "no primary key": (
        lambda: Workflow("t", records=table(Column("a", Integer)), axes=[Axis("one", LINE)]),
        "exactly one column",
    ),
    "during requires": (lambda: during(one="b").requires(two="y"), "entering"),
    "a rule of two moments": (lambda: entering(one="a", two="x"), "one axis"),
    "a rule that moves two": (lambda: entering(one="a").moves(one={}, two={}), "one axis"),
    "a rule without a condition": (lambda: leaving(one="a").requires(), "condition"),
    "states that no axis knows": (
        lambda: staged(waiting="q", done="r"),
        "names the state 'r', which the machine does not have",
    ),
    "a stage on an unknown state of its axis": (lambda: staged(waiting="a", done="z", axis="one"), "'z'"),
    "states that two axes know": (
        lambda: two(second=Axis("two", LINE, prefix="two_")).stage(waiting="a", done="b"),
        "all know",
    ),
    "a stage named twice": (twice, "already has a stage"),
    "a retry that is no span": (lambda: staged(waiting="a", done="b", retry=["soon"]), "soon"),
    "a rate that is none": (lambda: staged(waiting="a", done="b", rate="often"), "often"),
}

STOPPED: dict[str, tuple[Callable[[], Workflow], str]] = {
    "a rule on an unknown axis": (lambda: two(entering(three="b").requires(two="y")), "three"),
    "a rule on an unknown state": (lambda: two(entering(one="z").requires(two="y")), "z"),
    "a rule that requires an unknown state": (lambda: two(entering(one="b").requires(two="z")), "z"),
    "a rule that requires an unknown axis": (lambda: two(entering(one="b").requires(three="z")), "three"),
    "a rule that drives an unknown axis": (lambda: two(entering(one="b").moves(three={"x": "y"})), "three"),
    "a rule that drives what the machine does not have": (
        lambda: two(entering(two="y").moves(one={"a": "c"})),
        "a → c",
    ),
    "a rule that drives an operator's move": (lambda: two(entering(two="y").moves(one={"c": "a"})), "c → a"),
    "a rule that drives a retry": (lambda: two(entering(two="y").moves(one={"err": "a"})), "err → a"),
    "a rule that moves its own axis": (lambda: two(entering(one="b").moves(one={"a": "b"})), "own axis"),
    "a rule before a failed state": (ruled_failure, "failed state err"),
    "a gate before a failed state": (gated_failure, "failed state err"),
    "two gates of one name": (gated, "both named work"),
    "a stage whose done is no move": (lambda: staged(waiting="a", done="c", axis="one"), "a → c"),
    "a stage whose failed is no move": (
        lambda: staged(waiting="a", running="b", done="c", failed="a", axis="one"),
        "b → a",
    ),
    "a stage that takes a retry": (lambda: staged(waiting="err", done="a", axis="one"), "retry move"),
    "a stage that is dispatched by an operator's move": (
        lambda: staged(waiting="c", running="a", done="b", axis="one"),
        "operator",
    ),
    "a retry with nowhere to wait": (
        lambda: staged(waiting="a", done="b", retry=["1s"], retry_in="failed"),
        "next try",
    ),
    "a retry where the machine has no way": (
        lambda: staged(
            waiting="a", running="b", done="c", failed="err", retry=["1s"], retry_in="waiting", axis="one"
        ),
        "next try",
    ),
    "a natural key that is no column": (
        lambda: Workflow("things", records=table(), axes=[Axis("one", LINE)], unique=["colour"]),
        "colour",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_where_it_is_declared(what: str) -> None:
    declare, said = REFUSED[what]
    with pytest.raises(BadDeclaration) as refusal:
        declare()
    assert refusal.value.code == "ILK-101"
    assert said in refusal.value.message + refusal.value.hint


@pytest.mark.parametrize("what", STOPPED)
def test_an_app_with_it_does_not_start(what: str) -> None:
    declare, said = STOPPED[what]
    workflow = declare()
    with pytest.raises(BadDeclaration) as refusal:
        App([workflow], database="sqlite://")
    assert refusal.value.message.startswith(workflow.name)
    assert said in refusal.value.message


@pytest.mark.parametrize(
    "kind",
    [
        *(Boolean(), Float(), Double(), Numeric(), Numeric(10, 2), Numeric(10, 2, asdecimal=False), JSON()),
        *(Date(), DateTime(), DateTime(timezone=True), Time(), Interval(), LargeBinary()),
    ],
    ids=repr,
)
def test_a_key_whose_values_have_more_than_one_spelling_is_refused(kind: Any) -> None:
    with pytest.raises(BadDeclaration) as refusal:
        Workflow("things", records=table(Column("number", kind, primary_key=True)), axes=[Axis("one", LINE)])
    assert "the primary key 'number' of table 'things' is " in refusal.value.message
    assert "Column('number', BigInteger, primary_key=True)" in refusal.value.hint
    assert "unique=[…]" in refusal.value.hint


@pytest.mark.parametrize(
    "kind", [Integer(), BigInteger(), String(40), Text(), CHAR(26), Uuid(), Enum("a", "b")], ids=repr
)
def test_a_key_of_whole_numbers_text_or_uuids_is_taken(kind: Any) -> None:
    made = Workflow("things", records=table(Column("id", kind, primary_key=True)), axes=[Axis("one", LINE)])
    assert made.id_column.type is kind


def test_a_key_of_a_teams_own_type_that_does_not_say_what_it_is_in_python_is_taken() -> None:
    class Network(UserDefinedType[Any]):
        def get_col_spec(self) -> str:
            return "inet"

    made = Workflow(
        "things", records=table(Column("id", Network(), primary_key=True)), axes=[Axis("one", LINE)]
    )
    assert made.id_column.name == "id"


def test_an_axis_belongs_to_one_workflow() -> None:
    axis = Axis("one", LINE)
    Workflow("things", records=table(), axes=[axis])
    with pytest.raises(BadDeclaration, match="already part of"):
        Workflow("others", records=table(name="others"), axes=[axis])


def test_two_workflows_of_one_name_do_not_start() -> None:
    with pytest.raises(BadDeclaration, match="same name"):
        App([two(), two()], database="sqlite://")


def test_a_workflow_is_found_by_its_name_its_noun_and_its_table() -> None:
    axes = [Axis("one", LINE, prefix="one_")]
    statements = Workflow("statements", noun="upload", records=table(name="uploads"), axes=axes)
    known = {"statements": statements, "things": two()}
    assert [find_workflow(known, name) for name in ("statements", "upload", "uploads", statements)] == [
        statements
    ] * 4
    assert Workflow("later", records="rows", axes=[Axis("one", LINE)]).table_name == "rows"


def test_a_name_that_two_workflows_have_in_common_names_none() -> None:
    def called(name: str) -> Workflow:
        return Workflow(name, noun="item", records=table(name=f"{name}_rows"), axes=[Axis("one", LINE)])

    with pytest.raises(UnknownKind) as refused:
        find_workflow({"first": called("first"), "second": called("second")}, "item")
    assert refused.value.message == "this app has no workflow 'item'; it has first, second"


def test_an_unknown_axis_names_those_there_are() -> None:
    with pytest.raises(UnknownKind, match="one, two"):
        two().axis("three")


def test_states_may_be_members_of_an_enum() -> None:
    class Side(StrEnum):
        LEFT = "left"
        RIGHT = "right"

    machine = Machine("side", initial=Side.LEFT, states=Side)
    workflow = Workflow(
        "sides",
        records=table(name="sides"),
        rules=[entering(two=Side.RIGHT).requires(one="b")],
        axes=[
            Axis("one", LINE, prefix="one_"),
            Axis("two", machine, prefix="two_", stamps={Side.RIGHT: "right_at"}),
        ],
    )
    App([workflow], database="sqlite://").close()
    assert type(workflow.rules[0].states[0]) is str
    assert "right_at" in workflow.records.c
