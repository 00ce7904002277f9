"""Every screen of the console, in the order of the rail: those that each console has, and those that the app's workflows bring."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..workflow.extension import Page, PageContext
from . import board
from .page import Rendered, Screen

SCREENS: tuple[Screen, ...] = (Screen("/", "Board", board.render, group="Look", letter="b"),)
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

    return Screen(f"/workflows/{kind}/{page.path}", page.title, render, page.least, group="Workflows")
