# ruff: noqa: T201
"""A payment is charged by a stage: a failure is tried again, and a result that comes too late is refused."""

from sqlalchemy import Column, Integer, MetaData, Table

from interlock import Axis, Done, Failed, Machine, Outcome, Work, Workflow
from interlock.testing import Sandbox

table = Table("payments", MetaData(), Column("id", Integer, primary_key=True), Column("cents", Integer))
moves = {"due": ["charging"], "charging": ["paid", "failed"], "failed": ["due"]}
machine = Machine("payment", initial="due", moves=moves)
payments = Workflow("payments", noun="payment", records=table, axes=[Axis("status", machine)])


@payments.stage(waiting="due", running="charging", done="paid", failed="failed", retry=["2s", "10s"])
def charge(work: Work) -> Outcome[None]:
    if work.id == 2:  # somebody cancels it while this runner is still at work
        app.cancel("payments", 2, actor="ann", reason="the customer withdrew")
    return Failed("PROVIDER_AWAY", "no answer within 5 s") if work.attempt == 1 and work.id == 1 else Done()


app = Sandbox([payments])  # an App in memory, with a coordinator, a runner and a clock that you move

if __name__ == "__main__":
    app.admit_many("payments", [{"cents": 1999}, {"cents": 500}])
    app.drain()
    print(app.explain("payments", 1).waits_for[0].what)
    app.advance("3s")
    app.drain()
    for id in (1, 2):
        print(id, " → ".join(str(move.new) for move in app.ledger.history("payments", id)))
    print(app.explain("payments", 2).why[-1])
