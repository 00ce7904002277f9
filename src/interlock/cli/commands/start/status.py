"""What `interlock` alone prints: how many records are in each state, and what needs a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import click

from ...._version import __version__
from ....adopt.phases import KIND as ADOPTIONS
from ....client import Client, Count
from ....errors import state_text
from ...context import Session
from ...loading import DEFAULT_SERVICE, has_database, is_listening
from ...render.output import show_answer, show_lines
from ...render.table import table

COLUMNS = ("kind", "axis", "scope", "state", "records")


def show_status(running: Session) -> None:
    """What `interlock` alone prints."""
    chosen = running.settings
    if (
        running.service is None
        and chosen.app is None
        and chosen.database is None
        and not has_database(chosen)
    ):
        show_lines(welcome())
        return
    client = running.client()
    counts = all_counts(client)
    needs = [asdict(one) for one in client.attention()]
    place = "database" if running.service is None else "service"
    answer = {"version": __version__, place: client.address, "counts": counts, "needs": needs}
    show_answer(running.output, answer, lines(client.address, counts, needs), counts, COLUMNS)


def welcome() -> list[str]:
    host, port = DEFAULT_SERVICE
    running = (
        [f"  interlock --url http://{host}:{port}   a service listens on this machine; this asks it"]
        if is_listening(host, port)
        else []
    )
    return [
        f"interlock {__version__}: this folder has no Interlock database yet.",
        "",
        *running,
        "  interlock up                    start the bundled workflows here: statements, scraping, content, themes",
        "  interlock up --demo             the same with moving sample traffic",
        "  interlock tour                  a first look: a sample workflow in an embedded database",
        "  interlock --app MODULE:NAME     your own workflows; INTERLOCK_APP and interlock.toml can name them too",
        "  interlock doctor                is everything here that it needs?",
        "  interlock --help                every command",
    ]


def all_counts(client: Client) -> list[dict[str, Any]]:
    """How many records of every kind are in each state."""
    machines = client.machines()  # first: this reflects tables that were declared by name
    numbers = client.counts()
    return [row for machine in machines if machine["kind"] != ADOPTIONS for row in counted(machine, numbers)]


def counted(machine: Mapping[str, Any], counts: Sequence[Count]) -> list[dict[str, Any]]:
    """Every state of a kind with how many records are in it; states without records are left out unless the axis is empty."""
    numbers = {(one.kind, one.axis, one.scope, one.state): one.records for one in counts}
    rows: list[dict[str, Any]] = []
    for axis in machine["axes"]:
        for scope in axis["scopes"] or (None,):
            place = {"kind": machine["kind"], "axis": axis["name"], "scope": scope}
            held = [
                {**place, "state": one["state"], "records": number}
                for one in axis["states"]
                if (number := numbers.get((machine["kind"], axis["name"], scope, one["state"]), 0))
            ]
            known = {one["state"] for one in axis["states"]}
            held += [
                {**place, "state": state, "records": number}
                for (kind, name, where, state), number in numbers.items()
                if number
                and (kind, name, where) == (machine["kind"], axis["name"], scope)
                and state not in known
            ]
            rows += held or [{**place, "state": axis["initial"], "records": 0}]
    return rows


def lines(place: str, counts: list[dict[str, Any]], needs: list[dict[str, Any]]) -> list[str]:
    scoped = any(row["scope"] for row in counts)
    columns = [column for column in COLUMNS if scoped or column != "scope"]
    shown = [{**row, "scope": row["scope"] or "", "state": state_text(row["state"])} for row in counts]
    text = [f"interlock {__version__} on {place}", "", *table(shown, columns), ""]
    if not needs:
        return [*text, "Nothing needs a person."]
    text.append(click.style("Needs a person", bold=True))
    for need in needs:
        text += [f"  {need['what']}", click.style(f"    {need['hint']}", dim=True)]
    return text
