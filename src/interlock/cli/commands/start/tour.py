"""`interlock tour`: a sample workflow in an embedded database, with real moves and three real refusals; it can be run again and again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from sqlalchemy import update

from ....app import App
from ....client import LocalClient
from ....errors import InterlockError
from ....settings import DEFAULT_DATA, load
from ....store.files.private_files import make_folder
from ... import exit_codes as exits
from ...grammar import Verb, session
from ...render.output import show_answer
from ...render.table import table
from ...sample import journey, parcels, workflows
from .status import COLUMNS, all_counts

GOODS = {"P-1": "a lamp", "P-2": "a chair", "P-3": "a map", "P-4": "a clock"}
ROUTES = {
    "P-1": ("ordered", "packed", "travelling", "delivered"),
    "P-2": ("ordered", "packed", "travelling"),
    "P-3": ("ordered", "packed"),
}
PAID = ("P-1", "P-2")


@click.command(cls=Verb, examples=("interlock tour", "interlock tour --data ./somewhere"))
@click.option(
    "--data",
    metavar="FOLDER",
    help=f"The folder of the embedded database; default: ./{DEFAULT_DATA}. [env: INTERLOCK_DATA]",
)
@click.pass_context
def tour(context: click.Context, data: str | None) -> None:
    """Set up an embedded database with a sample workflow, make some moves, see others refused, and print where things stand."""
    running = session()
    folder = Path(load({"data": data}).data)
    make_folder(folder)
    app = App(workflows, database=load({"data": str(folder)}, environment={}, folder=folder).database_url)
    try:
        app.migrate()
        written = sum(bring(app, id) for id in GOODS)
        refused = [one for one in (by_the_machine(app), by_a_rule(app), by_the_database(app)) if one]
        report, counts = app.ledger.verify(), all_counts(LocalClient(app))
    finally:
        app.close()
    answers = (
        f"{report.entries} entries in {report.records} chains verify"
        if report.ok
        else f"broken: {report.findings[0]}"
    )
    answer = {
        "folder": str(folder),
        "written": written,
        "refused": refused,
        "ok": report.ok,
        "counts": counts,
    }
    show_answer(
        running.output, answer, list(lines(folder, written, refused, answers, counts)), counts, COLUMNS
    )
    context.exit(exits.OK if report.ok else exits.FINDINGS)


def bring(app: App, id: str) -> int:
    """Move one parcel to its last state, from wherever it is; returns how many entries that wrote."""
    written = 2 * (app.admit("parcels", {"id": id, "goods": GOODS[id]}, actor="shop").outcome == "admitted")
    found = app.get("parcels", id)
    if id in PAID and found["payment"] is None:
        written += app.move("parcels", id, payment="paid", actor="bank", reason="received").outcome == "moved"
    states = ROUTES.get(id, ())
    ahead = states[states.index(found["status"]) + 1 :] if found["status"] in states else ()
    return written + sum(
        app.move("parcels", id, status=step, actor="courier", reason="on its way").outcome == "moved"
        for step in ahead
    )


def by_the_machine(app: App) -> dict[str, str] | None:
    """Somebody asks for a move that the machine does not have."""
    here = app.get("parcels", "P-1")["status"]
    there = next(state for state in journey.states if state != here and not journey.allows(here, state))
    return refusal(app, "the machine", f"P-1 {here} → {there}", "P-1", there)


def by_a_rule(app: App) -> dict[str, str] | None:
    """Somebody sends a parcel that nobody has paid for."""
    found = app.get("parcels", "P-3")
    if (found["status"], found["payment"]) != ("packed", None):
        return None  # a visitor has moved it since: the rule would let it pass
    return refusal(app, "a rule", "P-3 packed → travelling", "P-3", "travelling")


def by_the_database(app: App) -> dict[str, str] | None:
    """An UPDATE typed by hand is refused by the guards."""
    typed = update(parcels.records).where(parcels.id_column == "P-4").values(status="delivered")
    try:
        with app.database.write() as tx:
            tx.execute(typed)
    except InterlockError as error:
        return {
            "by": "the database",
            "what": "UPDATE tour_parcels SET status = 'delivered'",
            "code": error.code,
            "message": error.message,
        }
    return None


def refusal(app: App, by: str, what: str, id: str, status: str | None) -> dict[str, str] | None:
    try:
        app.move("parcels", id, status=status, actor="visitor", reason="to see it refused")
    except InterlockError as error:
        return {"by": by, "what": what, "code": error.code, "message": error.message}
    return None


def lines(
    folder: Path, written: int, refused: list[dict[str, str]], verified: str, counts: list[dict[str, Any]]
) -> Iterator[str]:
    moved = f"{written} entries were written" if written else "they are where an earlier tour left them"
    yield f"Parcels that travel only when they are paid for, in {folder}: {moved}."
    yield ""
    yield from table(counts, [name for name in COLUMNS if name != "scope"], indent="  ")
    yield ""
    for one in refused:
        yield f"{click.style('refused', fg='red')} by {one['by']}, {one['code']}: {one['what']}"
        yield click.style(f"  {one['message']}", dim=True)
    yield f"{click.style('ok', fg='green')}: {verified}"
    yield ""
    where = "" if folder == Path(DEFAULT_DATA) else f"INTERLOCK_DATA={folder} "
    for command in ("record why parcels P-3", "ledger tail", "machine show parcels"):
        yield f"  {where}interlock --app interlock.cli.sample:workflows {command}"
