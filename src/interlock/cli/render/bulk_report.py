"""What a bulk operation came to, or would come to, as people read it."""

from __future__ import annotations

from dataclasses import asdict

import click

from ...client import Operation, OperationPreview
from ...errors import state_text
from .output import show_answer
from .table import table


def left_in(found: Operation | OperationPreview) -> int:
    """How many records did not move, or would not."""
    return sum(number for name, number in found.outcomes.items() if name not in ("moved", "unchanged"))


def counted(outcomes: dict[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in outcomes.items() if number)


def show_preview(form: str, found: OperationPreview) -> None:
    rows = [{"outcome": name, "records": number} for name, number in found.outcomes.items()]
    show_answer(form, asdict(found), preview_lines(found), rows, ("outcome", "records"))


def preview_lines(found: OperationPreview) -> list[str]:
    lines = [
        f"{found.records:,} records of {found.kind}: {counted(found.outcomes).replace('moved', 'would move') or 'nothing'}"
    ]
    for one in found.moves:
        move = f"{one['axis']} {state_text(one['from'])} → {state_text(one['to'])}"
        lines.append(f"  {'driven by a rule: ' if one['driven'] else ''}{move}: {one['records']:,}")
    return [*lines, *refusal_lines(found)]


def refusal_lines(found: Operation | OperationPreview) -> list[str]:
    return [
        f"{one['outcome']} {one['records']:,} ({', '.join(one['examples'])}): [{one['code']}] {one['message']}"
        for one in found.refusals
    ]


def show_operation(form: str, one: Operation) -> None:
    how = "stalled: whoever ran it is gone" if one.stalled else "pausing" if one.pausing else one.status
    what = (
        f"{one.axis} → {state_text(one.to)}"
        if one.act == "move"
        else f"{one.act} of {one.undoes or one.axis}"
    )
    lines = [
        f"{click.style(one.id, bold=True)} {how}: {what} of {one.kind}, {one.done:,} of {one.records:,} done"
    ]
    lines += table(
        [{"": name, "records": number} for name, number in one.outcomes.items() if number],
        ("", "records"),
        indent="  ",
        headed=False,
    )
    lines += [
        f"driven by a rule: {each['axis']} {state_text(each['from'])} → {state_text(each['to'])}: {each['records']:,}"
        for each in one.driven
    ]
    lines += refusal_lines(one)
    if one.undone_by:
        lines.append(f"undone by {one.undone_by}")
    rows = [{"outcome": name, "records": number} for name, number in one.outcomes.items()]
    show_answer(form, asdict(one), lines, rows, ("outcome", "records"))
