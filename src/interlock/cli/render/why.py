"""An explanation laid out for reading: where, why, what it waits for, what may happen next and why not the rest."""

from __future__ import annotations

from datetime import datetime

import click

from ...errors import InvalidStateTransition, state_text
from ...observe.explain import Explanation, Possibility
from .table import folded, table
from .text import ago, one_line, padded, width

ILLEGAL = InvalidStateTransition.code


def explained(found: Explanation, now: datetime) -> list[str]:
    """The whole answer, section by section."""
    lines = [click.style(one_line(f"{found.kind} {found.id}"), bold=True)]
    places = [
        {
            "axis": axis(place.axis, place.scope),
            "state": state_text(place.state),
            "since": f"for {ago(place.since, now)}" if place.since else "",
            "version": "" if place.version is None else f"version {place.version}",
        }
        for place in found.where
    ]
    lines += [
        *table(places, ("axis", "state", "since", "version"), indent="  ", headed=False),
        "",
        click.style("why", bold=True),
    ]
    lines += [f"  {folded(one_line(sentence), 2)}" for sentence in found.why]
    if found.waits_for:
        lines += ["", click.style("waits for", bold=True)]
        lines += [
            f"  {mark(one.met)} {axis(one.axis, one.scope)}: {one_line(one.what)}" for one in found.waits_for
        ]
    return [*lines, "", click.style("next", bold=True), *possible(found.next)]


def axis(name: str, scope: str | None) -> str:
    return f"{name} ({scope})" if scope else name


def mark(good: bool) -> str:
    return click.style("✓", fg="green") if good else click.style("✗", fg="red")


def possible(moves: list[Possibility]) -> list[str]:
    """Open moves first, then the refused ones with their reason; states that no move leads to are one line for each axis."""
    several = len({(move.axis, move.scope) for move in moves}) > 1
    real = [move for move in moves if move.code != ILLEGAL]
    named = [
        (move, f"{axis(move.axis, move.scope)} → {state_text(move.to)}" if several else state_text(move.to))
        for move in sorted(real, key=lambda move: not move.allowed)
    ]
    room = max((width(name) for _, name in named), default=0)
    lines = []
    for move, name in named:
        why = (
            ""
            if move.allowed
            else click.style(folded(f"{move.code} {one_line(move.reason)}", room + 6), dim=True)
        )
        lines.append(f"  {mark(move.allowed)} {padded(name, room)}  {why}".rstrip())
    lines = lines or ["  nothing: it is final"]
    return [*lines, *illegal([move for move in moves if move.code == ILLEGAL], several)]


def illegal(moves: list[Possibility], several: bool) -> list[str]:
    """The states that no move leads to from here, in one line for each axis and scope."""
    by_axis: dict[str, list[str]] = {}
    for move in moves:
        by_axis.setdefault(axis(move.axis, move.scope) if several else "", []).append(state_text(move.to))
    return [
        click.style(f"  no move{f' of {name}' if name else ''} to {', '.join(states)} ({ILLEGAL})", dim=True)
        for name, states in by_axis.items()
    ]
