"""Facts as they are typed, and the answer to an act as rows and lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from ...errors import state_text
from ...workflow import Answer
from ..context import assignment


def facts_of(written: Sequence[str]) -> dict[str, Any]:
    """`name=value` pairs; a value that is JSON is taken as such, any other as text."""
    found: dict[str, Any] = {}
    for one in written:
        name, value = assignment(one, "a fact: write name=value")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


def answer_row(kind: str, axis: str, answer: Answer) -> dict[str, Any]:
    driven = [
        {
            "kind": move.kind,
            "id": move.id,
            "outcome": "driven",
            "axis": move.axis,
            "from": move.old,
            "to": move.new,
            "version": move.version,
        }
        for move in answer.driven
    ]
    return {
        "kind": kind,
        "id": answer.id,
        "outcome": answer.outcome,
        "axis": axis or None,
        "from": answer.old,
        "to": answer.new,
        "version": answer.version,
        "driven": driven,
    }


def answer_lines(row: dict[str, Any], rehearsal: bool) -> list[str]:
    would = "would be " if rehearsal else ""
    if row["outcome"] == "unchanged":
        return [f"unchanged: {row['kind']} {row['id']} is {state_text(row['to'])} already"]
    axis = f"{row['axis']} " if row["axis"] else ""
    what = f"{row['kind']} {row['id']}: {axis}{state_text(row['from'])} → {state_text(row['to'])}, version {row['version']}"
    lines = [f"{click.style(would + row['outcome'], fg='green')}: {what}"]
    lines += [
        f"  {would}driven by a rule: {one['axis']} {state_text(one['from'])} → {state_text(one['to'])}"
        for one in row["driven"]
    ]
    return lines
