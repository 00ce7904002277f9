"""Mistakes in a stage, its states, options and function: each is refused where it is made, with how it is written instead."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from interlock import (
    Failed,
)
from tests.unit.workflow.mistakes.orders import (
    SHAPE,
    Mistake,
    alone,
    app_of,
    awaited,
    declared,
    elsewhere,
    nothing,
    orders,
    pack,
    pair,
    refused,
    stage,
    with_stage,
    yields,
)

MISTAKES: dict[str, Mistake] = {
    "a state that the machine does not have": (
        stage(done="packd"),
        "names the state 'packd', which the machine does not have",
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
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_refused_where_it_is_made(name: str) -> None:
    refused(MISTAKES[name])


def test_what_is_right_is_taken() -> None:
    workflow = orders()
    workflow.stage(**SHAPE, retry=["5s"], limit=1, memory="1.5GB", only_if=workflow.records.c.id > 3)(pack)
    app_of(workflow).close()
