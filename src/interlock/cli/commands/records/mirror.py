"""`interlock mirror`: columns of records that mirror their state rows; list them, and mend those that disagree."""

from __future__ import annotations

import click

from ...grammar import Noun, session
from ...render.output import show_answer, show_rows

COLUMNS = ("mirror", "axis", "columns")


@click.group(cls=Noun, examples=("interlock mirror list", "interlock mirror repair themes"))
def mirror() -> None:
    """Mirrors: columns of records that are computed from their state rows. `interlock check` compares them."""


@mirror.verb("list", "interlock mirror list", "interlock mirror list -o json")
def list_() -> None:
    """List the mirrors that workflows declare."""
    running = session()
    rows = [
        {"mirror": f"{workflow.name}.{one.name}", "axis": one.axis, "columns": ", ".join(one.columns)}
        for workflow in running.workflows()
        for one in workflow.mirrors
    ]
    show_rows(running.output, rows, COLUMNS, empty="no workflow declares a mirror")


@mirror.verb("repair", "interlock mirror repair", "interlock mirror repair themes -o json")
@click.argument("kind", required=False)
def repair(kind: str | None) -> None:
    """Compute mirrored columns anew wherever they disagree, and write them: after SQL by hand, and once after a mirror was declared over
    records that were there already."""
    running = session()
    running.workflows()  # tables that were named only are read first
    mended = running.app.repair_mirrors(kind)
    answer = {"kind": kind, "mended": mended}
    show_answer(
        running.output,
        answer,
        [f"{mended:,} {'record' if mended == 1 else 'records'} mended"],
        [answer],
        tuple(answer),
    )
