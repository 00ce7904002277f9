"""The bakery on the command line."""

from __future__ import annotations

import click

from interlock.commands import Noun, session, show_rows


@click.group(cls=Noun, examples=("interlock bakery sell 7",))
def bakery() -> None:
    """The bakery: what is sold."""


@bakery.verb("sell", "interlock bakery sell 7")
@click.argument("id")
def sell(id: str) -> None:
    """Sell a cake that is baked."""
    running = session()
    sold = running.client().move("cakes", id, status="sold", reason="by hand")
    show_rows(running.output, [{"id": sold.id, "status": sold.new}], ("id", "status"))
