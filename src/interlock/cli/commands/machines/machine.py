"""`interlock machine`: what may happen, as the app declares it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal

import click

from ....errors import state_text
from ....observe.declared.machines import MOVES, summary
from ....workflow.checks.lint import findings
from ... import exit_codes as exits
from ...grammar import Noun, session
from ...render.output import show_answer, show_rows
from ...render.table import table

KINDS = ("kind", "noun", "axis", "machine", "states", "moves", "stages", "gates", "rules", "fingerprint")


@click.group(
    cls=Noun,
    examples=(
        "interlock machine show",
        "interlock machine lint",
        "interlock machine graph orders --format svg > orders.svg",
    ),
)
def machine() -> None:
    """What may happen: machines, stages, rules and gates."""


@machine.verb(
    "show", "interlock machine show", "interlock machine show orders", "interlock machine show orders -o json"
)
@click.argument("kind", required=False)
def show(kind: str | None) -> None:
    """List the workflows of the app, or everything about one of them."""
    running = session()
    every = running.client(reads_records=False).machines(kind)
    if kind is None:
        show_rows(running.output, [row for one in every for row in summary(one)], KINDS, shown=KINDS[:-1])
        return
    moves = [
        {"kind": kind, "axis": axis["name"], **move} for axis in every[0]["axes"] for move in axis["moves"]
    ]
    show_answer(running.output, every[0], lines(every[0]), moves, MOVES)


@machine.verb("lint", "interlock machine lint", "interlock --app shop.workflows:app machine lint -o json")
@click.pass_context
def lint(context: click.Context) -> None:
    """List declarations that are legal but probably not meant; exit code 7 when there are any."""
    running = session()
    workflows = running.declared.workflows
    rows = [
        {"kind": workflow.name, "finding": finding}
        for workflow in workflows.values()
        for finding in findings(workflow)
    ]
    number = len(workflows)
    show_rows(
        running.output,
        rows,
        ("kind", "finding"),
        empty=f"ok: nothing to say about {number} workflow{'s' if number != 1 else ''}",
    )
    context.exit(exits.FINDINGS if rows else exits.OK)


@machine.verb(
    "graph",
    "interlock machine graph orders",
    "interlock machine graph orders --axis payment --format svg > payment.svg",
    "interlock machine graph orders --counts",
)
@click.argument("kind")
@click.option("--axis", metavar="AXIS", help="Which axis, when the workflow has several.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["mermaid", "svg"]),
    default="mermaid",
    show_default=True,
    help="How it is drawn.",
)
@click.option("--scope", metavar="SCOPE", help="Count the records of one scope only.")
@click.option("--counts", is_flag=True, help="Write beside each state how many records are in it.")
def graph(
    kind: str, axis: str | None, form: Literal["mermaid", "svg"], scope: str | None, counts: bool
) -> None:
    """Draw one machine as Mermaid text or as an SVG picture."""
    client = session().client(reads_records=False)
    chosen = only_axis(kind, axis, [one["name"] for one in client.machines(kind)[0]["axes"]])
    click.echo(client.diagram(kind, chosen, form=form, counts=counts, scope=scope), nl=False)


def only_axis(kind: str, named: str | None, axes: Collection[str]) -> str:
    if named is None and len(axes) > 1:
        raise click.UsageError(f"{kind} has several axes: say --axis with one of {', '.join(axes)}.")
    return named or next(iter(axes))


def lines(declared: Mapping[str, Any]) -> list[str]:
    """Everything about one workflow, for reading."""
    text: list[str] = []
    for axis in declared["axes"]:
        scopes = f", once for each of {', '.join(axis['scopes'])}" if axis["scopes"] else ""
        text += [
            f"{click.style(declared['kind'] + '.' + axis['name'], bold=True)}  machine {axis['machine']}{scopes}"
        ]
        finals = [state_text(state["state"]) for state in axis["states"] if state["final"]]
        text += [f"  begins in {state_text(axis['initial'])}; ends in {', '.join(finals) or 'no state'}", ""]
        rows = [
            {**row, "needs": cells(row["needs"]), "drives": cells(row["drives"])} for row in axis["moves"]
        ]
        text += [
            *table(
                rows,
                [name for name in MOVES[2:] if name in ("from", "to") or any(row[name] for row in rows)],
                indent="  ",
            ),
            "",
        ]
    for title, rows in (("stages", declared["stages"]), ("gates", declared["gates"])):
        if rows:
            kept = [{name: "" if value is None else value for name, value in row.items()} for row in rows]
            columns = [name for name in kept[0] if any(row[name] != "" for row in kept)]
            text += [click.style(title, bold=True), *table(kept, columns, indent="  "), ""]
    if declared["rules"]:
        text += [click.style("rules", bold=True), *(f"  {rule}" for rule in declared["rules"]), ""]
    return text[:-1]


def cells(parts: list[str]) -> str:
    return "; ".join(parts)
