"""The bakery's cakes: a workflow with a route, a command, a figure, an invariant, a service level and a page of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, Text, func, select

from interlock import Axis, Done, Extension, Invariant, Machine, Outcome, Work, Workflow
from interlock.extension import Figure, Page, PageContext

cakes = Table(
    "cakes",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("name", String(40), nullable=False),
    Column("layers", Integer, nullable=False, server_default="1"),
    Column("recipe", Text),
)
cake = Machine(
    "cake", initial="ordered", moves={"ordered": ["baking"], "baking": ["baked"], "baked": ["sold"]}
)


def layers(tx: Connection, workflow: Workflow) -> list[Figure]:
    """Layers in the oven, for Prometheus."""
    figure = Figure("bakery_layers", "Layers that are not sold.", ("kind",))
    unsold = select(func.coalesce(func.sum(cakes.c.layers), 0)).where(cakes.c.status != "sold")
    figure.put(float(tx.execute(unsold).scalar_one()), workflow.name)
    return [figure]


def window(context: PageContext) -> tuple[Path, Mapping[str, Any]]:
    """The shop window: cakes that can be sold."""
    page = context.client.list(context.kind, where={"status": "baked"})
    return Path(__file__).with_name("window.html"), {"cakes": [one.id for one in page.records]}


def declare() -> Workflow:
    """The workflow, anew for each app."""
    workflow = Workflow("cakes", noun="cake", records=cakes, axes=[Axis("status", cake)])

    @workflow.stage(waiting="ordered", running="baking", done="baked")
    def bake(work: Work) -> Outcome[None]:
        return Done()

    flat = select(cakes.c.id).where(cakes.c.status == "sold", cakes.c.layers < 1)
    workflow.extension = Extension(
        routes="tests.outside.bakery_api:routes",
        commands={"bakery": "tests.outside.bakery_commands:bakery"},
        pages=[Page("window", "Shop window", window)],
        metrics=layers,
        levels={"baking": {"leave": "baking", "within": "1h", "share": 99}},
        invariants=[Invariant("CAKE-1", "a sold cake has a layer", flat)],
        private=[cakes.c.recipe],
    )
    return workflow


workflows = [declare()]
