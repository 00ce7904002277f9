"""The bakery's routes."""

from __future__ import annotations

from sqlalchemy import func, select
from starlette.requests import Request

from interlock import App, Workflow
from interlock.http import API, Json, Limits, Route, caller_of, record_id
from tests.outside.bakery import cakes


def routes(app: App, workflow: Workflow, limits: Limits) -> list[Route]:
    """`GET /api/v1/oven` counts layers by state, `POST /api/v1/oven/{id}/sale` sells one."""

    def oven() -> Json:
        """How many layers there are in each state."""
        with app.database.read() as tx:
            layers = func.sum(cakes.c.layers)
            rows = tx.execute(select(cakes.c.status, layers).group_by(cakes.c.status)).all()
        return Json({status: int(number) for status, number in rows})

    def sell(request: Request, id: str) -> Json:
        """Sell a cake that is baked."""
        who, key = caller_of(request), record_id(app, workflow, id)
        sold = app.move(workflow, key, actor=who.actor, role=who.role, status="sold", reason="sold")
        return Json({"id": sold.id, "version": sold.version})

    return [
        Route("GET", f"{API}/oven", oven, least="viewer"),
        Route("POST", f"{API}/oven/{{id}}/sale", sell, least="curator"),
    ]
