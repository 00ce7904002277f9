"""An order is placed, packed and sent; everything else is refused, and remembered."""

from sqlalchemy import Column, Integer, MetaData, Table, Text

from interlock import App, Axis, InterlockError, Machine, Workflow

table = Table("orders", MetaData(), Column("id", Integer, primary_key=True), Column("customer", Text))
machine = Machine("order", initial="placed", moves={"placed": ["packed", "cancelled"], "packed": ["sent"]})
orders = Workflow("orders", noun="order", records=table, axes=[Axis("status", machine)])
app = App([orders], database="sqlite:///first_machine.sqlite")

if __name__ == "__main__":
    app.migrate()
    order = app.admit("orders", {"customer": "Ann"}, actor="shop").id
    app.move("orders", order, status="packed", actor="eve", reason="paid in full")
    try:
        app.move("orders", order, status="cancelled", actor="eve")
    except InterlockError as refusal:
        print(refusal.code, refusal)
    for move in app.ledger.history("orders", order):
        print(move.version, move.old, "→", move.new, "by", move.actor, "because", move.reason or move.cause)
    print(app.ledger.verify("orders", order).ok)

# ruff: noqa: T201
