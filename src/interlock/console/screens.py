"""Every screen of the console, in the order of the rail: those that each console has, and those that the app's workflows bring."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..workflow.extension import Page, PageContext
from .page import Rendered, Screen
from .pages import board, curate, ledger, machines, operations, pipelines, record, records, system

SCREENS: tuple[Screen, ...] = (
    Screen("/", "Board", board.render, group="Look", letter="b"),
    Screen("/curate", "Curate", curate.render, group="Decide", letter="c"),
    Screen("/pipelines", "Pipelines", pipelines.render, group="Workflows", letter="p"),
    Screen("/operations", "Operations", operations.render, group="Decide", letter="o"),
    Screen("/jump", "Jump", records.render_jump),
    Screen("/records", "Records", records.render, group="Look", letter="r"),
    Screen("/records/{kind}", "Records", records.render_kind),
    Screen("/records/{kind}/{id}", "Record", record.render),
    Screen("/ledger", "Ledger", ledger.render, group="Look", letter="l"),
    Screen("/machines", "Machines", machines.render, group="System", letter="m"),
    Screen("/invariants", "Invariants", system.render_invariants, group="System", letter="i"),
    Screen("/runners", "Runners", system.render_runners, group="System", letter="n"),
    Screen("/access", "Access", system.render_access, group="System", letter="a"),
    Screen("/more", "More", system.render_more),
)
"""The screens that every console has. A path that is more exact comes before one with a name in it."""


def screens_of(app: Any) -> list[Screen]:
    """All screens of an app."""
    brought = [
        brought_screen(name, page) for name, one in app.workflows.items() for page in one.extension.pages
    ]
    return [*SCREENS, *brought]


def brought_screen(kind: str, page: Page) -> Screen:
    """The screen of a page that a workflow brings; its template is a file of the workflow's own."""

    def render(context: PageContext) -> Rendered:
        template, values = page.render(replace(context, kind=kind))
        return template, {"page": f"{kind}-{page.path}", "kind": kind, **values}

    return Screen(f"/workflows/{kind}/{page.path}", page.title, render, page.least, page.group, page.letter)
