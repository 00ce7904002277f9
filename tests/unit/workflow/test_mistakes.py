"""Mistakes of a first hour, each refused where it is written down: what is wrong, its code, and how it is written instead."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import JSON, Column, Enum, Integer, MetaData, String, Table, Text, bindparam, column

from interlock import (
    Again,
    App,
    Axis,
    Done,
    Failed,
    Machine,
    Workflow,
    after,
    cron,
    during,
    entering,
    operator,
)
from interlock.errors import BadDeclaration
from interlock.extension import View
from interlock.workflow.checks.lint import findings
from interlock.workflow.columns.python_types import value_hint

MOVES = {"placed": ["packing"], "packing": ["packed", "failed"], "failed": ["placed"]}
SHAPE: dict[str, Any] = {"waiting": "placed", "running": "packing", "done": "packed", "failed": "failed"}


def orders(**options: Any) -> Workflow:
    kind = options.pop("status", Text)
    columns = [Column("id", Integer, primary_key=True), Column("status", kind)]
    table = Table("orders", MetaData(), *columns)
    machine = Machine("order", initial="placed", moves=MOVES)
    return Workflow("orders", noun="order", records=table, axes=[Axis("status", machine)], **options)


def pack(work: Any) -> Done[None]:
    return Done()


def nothing() -> Done[None]:
    return Done()


def order_machine(**options: Any) -> Machine:
    return Machine("order", **{"initial": "placed", "moves": MOVES, **options})


def axis(name: str = "status", **options: Any) -> Axis:
    return Axis(name, order_machine(), **options)


def of_axis(**options: Any) -> Callable[[], Any]:
    """Declares an axis with these options, and a workflow and an app with it."""

    def declare() -> App:
        table = Table("orders", MetaData(), Column("id", Integer, primary_key=True))
        return app_of(Workflow("orders", records=table, axes=[axis(**options)]))

    return declare


def of_workflow(**options: Any) -> Callable[[], Any]:
    """Declares a workflow with these options, and an app with it."""

    def declare() -> App:
        table = Table("orders", MetaData(), Column("id", Integer, primary_key=True))
        parts = {"records": table, "axes": [axis()], **options}
        return app_of(Workflow(parts.pop("name", "orders"), **parts))

    return declare


def stage(function: Any = None, **options: Any) -> Callable[[], Any]:
    """Declares a stage with these options, and an app with it."""

    def declare() -> App:
        workflow = orders()
        workflow.stage(**{**SHAPE, **options})(pack if function is None else function)
        return app_of(workflow)

    return declare


def declared(declare: Callable[[Workflow], Any]) -> Callable[[], Any]:
    """Declares something beside a stage, and an app with both."""

    def make() -> App:
        workflow = with_stage(pack)
        declare(workflow)
        return app_of(workflow)

    return make


def pair(first: Any, second: Any) -> None: ...


def alone(first: Any) -> Any: ...


def yields(work: Any) -> Any:
    yield Done()


async def awaited(tx: Any, moves: Any) -> None: ...


def gated_at_the_start() -> Workflow:
    """A gate before the initial state, which is never entered."""
    table = Table("tickets", MetaData(), Column("id", Integer, primary_key=True))
    machine = Machine("ticket", initial="new", moves={"new": ["closed"]})
    workflow = Workflow("tickets", records=table, axes=[Axis("status", machine)])
    workflow.gate("new")(alone)
    return workflow


def renamed(workflow: Workflow) -> Workflow:
    """Another workflow on the same table."""
    return Workflow("sales", records=workflow.records, axes=[Axis("status", order_machine())])


def elsewhere() -> Any:
    """A column of a table that the workflow does not know."""
    return Table("customers", MetaData(), Column("paid", Integer)).c.paid


def app_of(workflow: Workflow) -> App:
    return App([workflow], database="sqlite://")


def with_stage(function: Any, *, loads: bool = False) -> Workflow:
    workflow = orders()
    made = workflow.stage(**SHAPE)(function)
    if loads:
        made.load(lambda tx, work: None)
    return workflow


MISTAKES: dict[str, tuple[Callable[[], Any], str, str]] = {
    "a state that the machine does not have": (
        stage(done="packd"),
        "names the state 'packd', which the machine does not have",
        "Did you mean 'packed'?",
    ),
    "a hook on such a state": (
        lambda: orders().on_move("packd")(pack),
        "names the state 'packd'",
        "Did you mean 'packed'?",
    ),
    "a gate before such a state": (
        lambda: orders().gate("packd")(pack),
        "names the state 'packd'",
        "Did you mean 'packed'?",
    ),
    "one delay instead of a list": (
        stage(retry="5s"),
        "retry='5s' is not a list of delays",
        'retry=["5s", "1m"]',
    ),
    "a number of retries": (stage(retry=3), "retry=3 is not a list of delays", 'retry=["5s", "1m"]'),
    "a condition that is none": (
        stage(only_if=True),
        "only_if=True is not a condition",
        "only_if=orders.c.paid",
    ),
    "no room at all": (stage(limit=0), "limit=0 is not a number of attempts", "limit=20"),
    "an amount of memory that is none": (stage(memory="lots"), "memory='lots' is not an amount", '"512MB"'),
    "isolation as a word": (
        stage(isolate="yes"),
        "isolate='yes' is neither True nor False",
        "Write isolate=True",
    ),
    "a time that is none": (stage(timeout="soon"), "'soon' is not a span of time", '"30s"'),
    "a rate that is none": (stage(rate="fast"), "'fast' is not a rate", '"10/m"'),
    "a stage without parentheses": (
        lambda: orders().stage(pack),
        "@orders.stage of pack has no options",
        "in parentheses",
    ),
    "a stage without states": (lambda: orders().stage(), "needs the states waiting=… and done=…", "waiting="),
    "one workflow instead of a list": (lambda: App(orders()), "a list of workflows", "App([orders]"),  # type: ignore[arg-type]
    "one status in two workflows": (
        lambda: App([orders(), renamed(orders())], database="sqlite://"),
        "orders and sales both have the status orders.status",
        "declare its table in one workflow",
    ),
    "an engine for async": (
        lambda: App([orders()], database=SimpleNamespace(sync_engine=None)),  # type: ignore[arg-type]
        "does not take an engine of SQLAlchemy's asyncio",
        "await app.aio.move(…)",
    ),
    "a transport that is none": (
        lambda: App([orders()], database="sqlite://", transport=object()),  # type: ignore[arg-type]
        "lacks within, after",
        'Leave it out for "database"',
    ),
    "a rule without a consequence": (
        lambda: app_of(orders(rules=[entering(status="packed")])),
        "it needs a consequence",
        'entering(status="packed").requires(…)',
    ),
    "a status that is a number": (
        lambda: app_of(orders(status=Integer)),
        "states are text",
        'Column("status", Text)',
    ),
    "a status that is too short for its states": (
        lambda: app_of(orders(status=String(6))),
        "is String(length=6), and cannot hold the state packing",
        'Column("status", Text)',
    ),
    "a status that lists other states": (
        lambda: app_of(orders(status=Enum("placed", "packing", "packed", name="status"))),
        "and cannot hold the state failed",
        'Column("status", Text)',
    ),
    "a running state that is the waiting one": (
        stage(running="placed"),
        "its dispatch move placed → placed leads nowhere",
        "Name another state than placed",
    ),
    "a function without an argument": (
        lambda: app_of(with_stage(nothing)),
        "is called with (work)",
        "Write def nothing(work)",
    ),
    "a function that does not take what was loaded": (
        lambda: app_of(with_stage(pack, loads=True)),
        "is called with (work, what was loaded)",
        "Write def pack(work, loaded)",
    ),
    # Machines
    "an initial state that is a typo": (
        lambda: order_machine(initial="plcd"),
        "initial is 'plcd'",
        "'placed'?",
    ),
    "moves as a list": (
        lambda: order_machine(moves=["placed"]),
        "not a mapping",
        'moves={"draft": ["final"]}',
    ),
    "one target without brackets": (
        lambda: order_machine(moves={"placed": "packed"}),
        "moves from 'placed' is 'packed', not a collection",
        "Put it in a list",
    ),
    "states as numbers": (
        lambda: order_machine(initial=1, moves={1: [2]}),
        "initial has 1, which is neither text nor None",
        "A state is a str",
    ),
    "a move to the same state": (
        lambda: order_machine(moves={"placed": ["placed"]}),
        "lead to itself",
        "Staying is never a move",
    ),
    "a target twice": (
        lambda: order_machine(moves={"placed": ["packed", "packed"]}),
        "'packed' twice",
        "Name it once",
    ),
    "an empty state": (lambda: order_machine(moves={"placed": [""]}), "is empty", "None for the null state"),
    "an initial state that was forgotten": (
        lambda: order_machine(initial=None),
        "initial is null, which is not among its states",
        "add null to the moves",
    ),
    "a machine without moves": (lambda: order_machine(moves={}), "has no states at all", "Give it `moves`"),
    "a list of states with a typo": (
        lambda: order_machine(states=["placed", "packing", "packd", "failed"]),
        "moves name 'packed'",
        "'packd'?",
    ),
    "a role that is a number": (
        lambda: order_machine(moves={"placed": [operator("packed", role=3)]}),  # type: ignore[arg-type]
        "moves from 'placed' have the role 3, which is not text",
        'role="reviewer"',
    ),
    "a timer with its words exchanged": (
        lambda: order_machine(moves={"placed": [after("expired", "7d")]}),
        "'expired' is not a span of time",
        'after("7d", "expired")',
    ),
    "a timer without a unit": (
        lambda: order_machine(moves={"placed": [after(7, "expired")]}),  # type: ignore[arg-type]
        "7 is not a span of time",
        'after("7d", "expired")',
    ),
    "a tuple as a move": (
        lambda: order_machine(moves={"placed": [("packed", "operator")]}),
        "neither text nor None",
        "A state is a str",
    ),
    "an alias of an unknown state": (
        lambda: order_machine(aliases={"Old": "packd"}),
        "leads to 'packd'",
        "'packed'?",
    ),
    # Axes
    "an axis with the name of a machine": (
        lambda: Axis("status", "order"),  # type: ignore[arg-type]
        "needs a Machine, not str",
        'Axis("status", Machine("order"',
    ),
    "an axis with moves": (lambda: Axis("status", MOVES), "needs a Machine, not dict", "Machine("),  # type: ignore[arg-type]
    "an axis name with a space": (
        of_axis(name="my status"),
        "must be an identifier",
        'Axis("status", machine)',
    ),
    "an axis that is a word of Python": (of_axis(name="class"), "must be an identifier", "app.move("),
    "an axis that is a word of move": (
        of_axis(name="version"),
        "is a word that move() has already",
        "version_status",
    ),
    "a stamp on an unknown state": (
        of_axis(stamps={"packd": "packed_at"}),
        "names the state 'packd'",
        "'packed'?",
    ),
    "stamps as a set": (of_axis(stamps={"packed"}), "is not a mapping", 'stamps={"packed": "packed_at"}'),
    "one cleared column without brackets": (
        of_axis(cleared={"packed": "note"}),
        "cleared['packed']='note' is not a list",
        "['note']",
    ),
    "a column that the engine does not have": (of_axis(columns={"verison": "v"}), "maps verison", "version"),
    "a prefix that is a number": (of_axis(prefix=3), "prefix=3 is not text", 'prefix="status_"'),
    "a version that is text": (
        of_workflow(
            records=Table(
                "orders", MetaData(), Column("id", Integer, primary_key=True), Column("version", Text)
            )
        ),
        "column orders.version is Text(), and Interlock counts the moves of status there",
        '{"version": "status_version"}',
    ),
    "retries below zero": (of_axis(max_retries=-1), "max_retries=-1", "max_retries=5"),
    "retries that are none": (of_axis(max_retries=None), "max_retries=None", "max_retries=5"),
    "one state without brackets": (
        of_axis(retries_reset_at="packed"),
        "retries_reset_at='packed' is not a list",
        "retries_reset_at=['packed']",
    ),
    "one scope without brackets": (of_axis(scope="de"), "scope='de' is not a list", "scope=['de']"),
    "a scope without a table": (of_axis(scope=("de",)), "needs both scope=(…) and table=…", "table=states"),
    "a word that moved_by does not have": (
        of_axis(moved_by="runner"),
        "'anybody' or 'stages'",
        "moved_by='stages'",
    ),
    "adopt as a word": (of_axis(adopt=True), "adopt is an Adopt, not bool", 'adopt=Adopt("legacy"'),
    # Workflows
    "a workflow name with a space": (
        of_workflow(name="my orders"),
        "'my orders' must be",
        "part of addresses",
    ),
    "a workflow name that is a number": (
        of_workflow(name=3),
        "workflow name 3 must be",
        'Workflow("orders", …)',
    ),
    "a noun that is a number": (of_workflow(noun=4), "noun=4 is not a word", 'noun="order"'),
    "one axis without brackets": (of_workflow(axes=axis()), "is not a list", "axes=[…]"),
    "axes as a mapping": (of_workflow(axes={"status": order_machine()}), "is not a list", "axes=[…]"),
    "a machine among the axes": (
        of_workflow(axes=[order_machine()]),
        "is not an Axis",
        'Axis("status", machine)',
    ),
    "no axes": (of_workflow(axes=[]), "needs at least one axis", 'Axis("status", machine)'),
    "records that are a number": (
        of_workflow(records=42),
        "records=42 is neither a table nor",
        "declarative model",
    ),
    "records that are a plain class": (
        of_workflow(records=Exception),
        "records=Exception is neither",
        "Table",
    ),
    "a table without a key": (
        of_workflow(records=Table("orders", MetaData(), Column("status", Text))),
        "needs a primary key of exactly one column, and has 0",
        "primary_key=True",
    ),
    "a natural key that is a typo": (
        of_workflow(unique=["nummer"]),
        "natural key names 'nummer'",
        "There is ",
    ),
    "one natural key without brackets": (of_workflow(unique="id"), "unique='id' is not a list", "unique=[…]"),
    "one rule without brackets": (
        of_workflow(rules=entering(status="packed").requires(status="placed")),
        "is not a list",
        "rules=[…]",
    ),
    "a function among the rules": (
        of_workflow(rules=[pack]),
        "it needs a consequence",
        'entering(status="packed").moves(…)',
    ),
    "a frozen table by its name": (
        of_workflow(frozen=["orders"]),
        "has 'orders', which is not a table",
        "Model",
    ),
    "an amendable column that is a typo": (
        of_workflow(amendable=["nme"]),
        "amendable names 'nme'",
        "There is ",
    ),
    "one amendable column without brackets": (
        of_workflow(amendable="name"),
        "is not a list",
        "amendable=[…]",
    ),
    "one kept column without brackets": (of_workflow(kept_when_erased="id"), "is not a list", "=[…]"),
    "an amendable status": (of_workflow(amendable=["status"]), "only the engine writes", "app.move()"),
    "an extension as a mapping": (
        of_workflow(extension={}),
        "extension is an Extension, not dict",
        "extension=Extension(",
    ),
    "a stage after the app": (
        lambda: app_of(frozen := orders()) and frozen.stage(**SHAPE)(pack),
        "is frozen",
        "before App(...)",
    ),
    "two workflows of one name": (
        lambda: App([orders(), orders()], database="sqlite://"),
        "have the same name",
        "a name of its own",
    ),
    "no workflows at all": (lambda: App(None), "a list of workflows", "App([orders]"),  # type: ignore[arg-type]
    "a machine instead of a workflow": (
        lambda: App([order_machine()]),  # type: ignore[list-item]
        "a list of workflows",
        "App([orders]",
    ),
    "a folder that is a number": (
        lambda: App([orders()], database="sqlite://", files=5),  # type: ignore[arg-type]
        "files=5 is not a folder",
        'files="/var/lib/shop/files"',
    ),
    "a clock that is a number": (
        lambda: App([orders()], database="sqlite://", clock=5),  # type: ignore[arg-type]
        "5 is not a clock",
        "now()",
    ),
    # Rules
    "a rule without the name of its axis": (
        lambda: entering("packed"),  # type: ignore[arg-type]
        "does not name its axis",
        "entering(status='packed')",
    ),
    "a rule on two axes": (
        lambda: entering(one="a", two="b"),
        "exactly one axis",
        'entering(status="packed")',
    ),
    "a rule that does not say from where": (
        lambda: entering(status="packed").moves(billing="due"),  # type: ignore[arg-type]
        "does not say from where",
        "moves(billing={None: 'due'})",
    ),
    "a rule on an unknown axis": (
        of_workflow(rules=[entering(state="packed").requires(status="placed")]),
        "names the axis 'state', which does not exist",
        "Did you mean 'status'?",
    ),
    "a rule on an unknown state": (
        of_workflow(rules=[entering(status="packd").requires(status="placed")]),
        "names the state packd, which machine order does not have",
        "Did you mean 'packed'?",
    ),
    "a rule that requires True": (
        of_workflow(rules=[entering(status="packed").requires(True)]),  # type: ignore[arg-type]
        "requires True, which is not a condition on a column",
        'requires(items.c.author != bindparam("actor"))',
    ),
    "a rule that requires a function": (
        of_workflow(rules=[entering(status="packed").requires(pack)]),  # type: ignore[arg-type]
        "requires pack, which is not a condition",
        'requires(items.c.author != bindparam("actor"))',
    ),
    "a rule with a parameter that is a typo": (
        of_workflow(rules=[entering(status="packed").requires(column("id") != bindparam("actr"))]),
        "asks for the parameter 'actr', to which nothing gives a value",
        "Did you mean 'actor'? There is actor, role, scope.",
    ),
    "a condition with a parameter of nobody's": (
        stage(only_if=column("id") < bindparam("most")),
        "only_if asks for the parameter 'most', to which nothing gives a value",
        "There is actor, role, scope.",
    ),
    "a rule that requires nothing": (
        lambda: entering(status="packed").requires(),
        "needs a condition",
        "a column of the record",
    ),
    "a rule about another table": (
        of_workflow(rules=[entering(status="packed").requires(elsewhere() > 0)]),
        "names customers.paid, a column of another table",
        "exists().where(…)",
    ),
    "a rule that requires while it stands": (
        lambda: during(status="packed").requires(status="placed"),
        "cannot be kept",
        "entering(…).requires",
    ),
    # Stages
    "a waiting state that is a typo": (stage(waiting="plced"), "names the state 'plced'", "'placed'?"),
    "a move that the machine does not have": (
        stage(waiting="failed"),
        "its dispatch move failed → packing is not in machine order",
        "Add packing to the moves from failed",
    ),
    "delays without a unit": (stage(retry=[5, 10]), "has the delay 5, which has no unit", '"30s"'),
    "a delay in another language": (
        stage(retry=["5 sekunden"]),
        "'5 sekunden', which is not a span",
        '"30s"',
    ),
    "one timedelta instead of a list": (
        stage(retry=timedelta(seconds=4)),
        "is not a list of delays",
        'retry=["5s", "1m"]',
    ),
    "a place to wait that is none": (stage(retry_in="queue"), "retry_in='queue' is not a place", "'runner'"),
    "a limit as text": (stage(limit="3"), "limit='3' is not a number of attempts", "limit=20"),
    "a limit per key without a column": (
        stage(per_key=2),
        "per_key=2 is not a column",
        "orders.c.customer, 2",
    ),
    "a limit per unknown column": (
        stage(per_key=("custmer", 2)),
        "per_key names 'custmer'",
        "There is id, status",
    ),
    "a limit per key of nothing": (stage(per_key=("id", 0)), "is not a column with a number", "per_key=("),
    "a rate as a number": (stage(rate=10), "rate=10 is not a rate", '"10/m"'),
    "a rate in an unknown unit": (stage(rate="10/fortnight"), "'fortnight' is no unit of time", '"10/m"'),
    "a rate per nothing": (stage(rate_per="1/s"), "rate_per is a column and a rate", "pages.c.host"),
    "a rate per unknown column": (
        stage(rate_per=("host", "1/s")),
        "rate_per names host",
        "There is id, status",
    ),
    "a deadline without a unit": (stage(deadline=60), "deadline=60 has no unit", '"30s"'),
    "a deadline at once": (stage(deadline="0s"), "deadline='0s' is no time at all", "Leave it out"),
    "a timeout longer than its deadline": (
        stage(timeout="2h", deadline="1m"),
        "timeout='2h' is longer than deadline='1m'",
        "make the deadline the longer one",
    ),
    "memory as a number": (stage(memory=512), "memory=512 is not an amount", '"512MB"'),
    "failures as a list": (
        stage(failures=[OSError]),
        "is not a mapping of exceptions",
        "ConnectionError: Failed",
    ),
    "a failure as text": (
        stage(failures={OSError: "offline"}),
        "which is not a Failed",
        "ConnectionError: Failed",
    ),
    "a failure by the name of its exception": (
        stage(failures={"OSError": Failed("OFFLINE")}),
        "'OSError', which is not a class of exceptions",
        "ConnectionError: Failed",
    ),
    "an order by the name of a column": (
        stage(order="rank"),
        "order='rank' is not a column",
        "priority.desc()",
    ),
    "a condition as text": (
        stage(only_if="paid = 1"),
        "is not a condition on a column",
        "only_if=orders.c.paid",
    ),
    "a condition as a function": (
        stage(only_if=pack),
        "only_if=pack is not a condition",
        "only_if=orders.c.paid",
    ),
    "a condition on another table": (
        stage(only_if=elsewhere() > 0),
        "only_if names customers.paid, a column of another table",
        "exists().where(…)",
    ),
    "one class of results without brackets": (
        stage(returns=dict),
        "is not a list of classes",
        "returns=[Parsed]",
    ),
    "one folder without brackets": (stage(writes="/tmp"), "is not a list of folders", "writes=["),
    "states without their names": (
        lambda: orders().stage("placed", "packed"),
        "does not name which state is which",
        'waiting="placed", done="packed"',
    ),
    "a class as a stage": (stage(Exception), "Exception is not a function", "above a def"),
    "a number as a stage": (stage(3), "3 is not a function", "above a def"),
    "a stage without a name": (stage(partial(pack)), "is not a function", "above a def"),
    "a schedule without a name": (
        declared(lambda kind: kind.every("15m")(partial(pair))),
        "is not a function",
        "above a def",
    ),
    "two load functions of a stage": (
        declared(lambda kind: kind.stages["pack"].load(pair) and kind.stages["pack"].load(pair)),
        "stage 'pack' has a load already",
        "one function for load or load_many",
    ),
    "two ways to save": (
        declared(lambda kind: kind.stages["pack"].save(pair) and kind.stages["pack"].save_many(pair)),
        "stage 'pack' has a save already",
        "one function for save or save_many",
    ),
    "two rechecks of a stage": (
        declared(lambda kind: kind.stages["pack"].recheck(pair) and kind.stages["pack"].recheck(pair)),
        "stage 'pack' has a recheck already",
        "one function for recheck",
    ),
    "a stage that yields": (stage(yields), "its function yields", "Return Done(…), Failed(…) or Again(…)"),
    "two stages of one name": (
        declared(lambda kind: kind.stage(**SHAPE)(pack)),
        "already has a stage or schedule 'pack'",
        "another name",
    ),
    "two stages with one running state": (
        declared(lambda kind: kind.stage(**SHAPE)(alone)),
        "share the running state packing",
        "a running state of its own",
    ),
    "a load function that takes only the work": (
        declared(lambda kind: kind.stages["pack"].load(alone)),
        "its load function takes (first: 'Any') -> 'Any', and is called with (tx, work)",
        "Write def alone(tx, work)",
    ),
    "a save function without the result": (
        declared(lambda kind: kind.stages["pack"].save(pair)),
        "is called with (tx, work, result)",
        "Write def pair(tx, work, result)",
    ),
    "a save function that is async": (
        declared(lambda kind: kind.stages["pack"].save_many(awaited)),
        "its save_many function is async",
        "without async",
    ),
    # Gates, hooks and schedules
    "a gate without parentheses": (
        declared(lambda kind: kind.gate(pack)),
        "has no options",
        "in parentheses",
    ),
    "a gate before a failed state": (
        declared(lambda kind: kind.gate("failed")(alone)),
        "nowhere to go",
        "Put the gate before packed",
    ),
    "a gate that no move enters": (
        lambda: app_of(gated_at_the_start()),
        "stands before new, which no move of machine ticket enters",
        "Name a state that some move leads to",
    ),
    "a tier as a word": (
        declared(lambda kind: kind.gate("packed", tier="first")(alone)),
        "tier='first' is not a whole number",
        "tier=1",
    ),
    "one delay of a gate": (
        declared(lambda kind: kind.gate("packed", retry="5s")(alone)),
        "a list of delays",
        'retry=["5s", "1m"]',
    ),
    "a gate without an argument": (
        declared(lambda kind: kind.gate("packed")(nothing)),
        "gate nothing: its function takes () -> 'Done[None]', and is called with (work)",
        "Write def nothing(work)",
    ),
    "a number as a gate": (
        declared(lambda kind: kind.gate("packed")(3)),
        "3 is not a function",
        "above a def",
    ),
    "a hook without parentheses": (
        declared(lambda kind: kind.on_move(pair)),
        "has no options",
        "in parentheses",
    ),
    "a hook with a list": (
        declared(lambda kind: kind.on_move(["packed"])),
        "takes states one after the other",
        '@orders.on_move("packed", "sent")',
    ),
    "a hook with letters exchanged": (
        declared(lambda kind: kind.on_move("pakced")),
        "names the state 'pakced'",
        "Did you mean 'packed'?",
    ),
    "a hook with one argument": (
        declared(lambda kind: kind.on_move("packed")(alone)),
        "hook alone takes (first: 'Any') -> 'Any', and is called with (tx, moves)",
        "Write def alone(tx, moves)",
    ),
    "a hook that is async": (
        declared(lambda kind: kind.on_move("packed")(awaited)),
        "hook awaited is async",
        "without async",
    ),
    "a removal hook with one argument": (
        declared(lambda kind: kind.on_remove(alone)),
        "is called with (tx, removals)",
        "Write def alone(tx, removals)",
    ),
    "a schedule without parentheses": (declared(lambda kind: kind.every(pair)), "has no options", '"15m"'),
    "a schedule as a number": (declared(lambda kind: kind.every(15)), "15 is not a schedule", 'every("15m")'),
    "cron as a span": (
        declared(lambda kind: kind.every("0 6 * * *")),
        "looks like cron",
        'cron("0 6 * * *")',
    ),
    "a minute that no hour has": (lambda: cron("61 * * * *"), "'61' is not within 0 to 59", "minute 0-59"),
    "a schedule with one argument": (
        declared(lambda kind: kind.every("5m")(alone)),
        "schedule alone takes (first: 'Any') -> 'Any', and is called with (app, tick)",
        "Write def alone(app, tick)",
    ),
    "a mirror of an axis without scopes": (
        declared(lambda kind: kind.mirror("note")),
        "a mirror is of a scoped axis, and none is",
        "need no mirror",
    ),
    "a view without a query": (
        lambda: View("shelf", " "),
        "view 'shelf' needs a query",
        'View("shelf", "SELECT …")',
    ),
    "a view with a name that needs quotes": (
        lambda: View("my shelf", "SELECT 1"),
        "is not lower case",
        'View("open_orders", …)',
    ),
    "a text instead of a view": (of_workflow(views=["SELECT 1"]), "which is not a View", "View(name, query)"),
    # Outcomes
    "new records without their kind": (
        lambda: Done(admits=[{"id": 1}]),  # type: ignore[arg-type]
        "does not name the kind of the new records",
        'admits={"pages":',
    ),
    "a pause without a unit": (lambda: Again(5), "5 is not a span of time", '"30s"'),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_refused_where_it_is_made(name: str) -> None:
    make, message, hint = MISTAKES[name]
    with pytest.raises(BadDeclaration) as refused:
        make()
    assert refused.value.code == "ILK-101"
    assert message in str(refused.value)
    assert hint, "a row without what to write instead proves nothing"
    assert hint in refused.value.hint


def test_what_is_right_is_taken() -> None:
    workflow = orders()
    workflow.stage(**SHAPE, retry=["5s"], limit=1, memory="1.5GB", only_if=workflow.records.c.id > 3)(pack)
    app_of(workflow).close()


def test_a_gate_that_no_stage_leads_to_is_a_finding() -> None:
    workflow = orders()
    workflow.stage(waiting="placed", done="packing")(pack)
    workflow.gate("packed")(alone)
    assert any("no stage leads to packed, so nothing runs gate alone" in one for one in findings(workflow))


def test_a_column_of_json_says_what_it_takes() -> None:
    assert value_hint(Column("extra", JSON)) == (
        "extra is JSON: give it a dict, a list, text, a number, True, False or None."
    )
