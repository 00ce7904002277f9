"""What surrounds every page: the rail with what is due, the health of the system, who looks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..store.queue.runners import Registered
from ..workflow.extension import PageContext
from .marks import Mark, mark_of, marks_of
from .needs import due_by_screen, needs_of
from .page import Screen
from .words import clock, plural, since

GROUPS = ("Look", "Decide", "Workflows", "System")
TABS = (
    ("/", "Board", "i-board"),
    ("/records", "Records", "i-list"),
    ("/curate", "Decide", "m-asks"),
    ("/operations", "Operations", "i-wrench"),
    ("/more", "More", "i-menu"),
)


DECIDE, LAST_IN_GROUP = "/curate", "/operations"
SILENT = 0.5
"""A runner that was not heard of for this share of its lease is silent: it renews every quarter."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks, and from where."""

    actor: str
    role: str
    token: str
    signed_in: bool
    base: str
    theme: str


def frame_of(
    context: PageContext, viewer: Viewer, here: Screen, screens: Sequence[Screen], version: str
) -> dict[str, Any]:
    """The value `console` of every template."""
    paths, client = {screen.path for screen in screens}, context.client
    return {
        "base": viewer.base,
        "static": f"{viewer.base}/console/{version}",
        "token": viewer.token,
        "theme": viewer.theme,
        "now": context.now,
        "actor": viewer.actor,
        "role": viewer.role,
        "signed_in": viewer.signed_in,
        "here": home_of(here, screens),
        "tab": tab_of(here, screens),
        "rail": rail_of(screens, due_by_screen(needs_of(context, client.counts(), client.activity()))),
        "tabs": [{"path": path, "title": title, "icon": icon} for path, title, icon in TABS if path in paths],
        "health": health_of(context),
        "mark": mark_finder(context),
    }


def mark_finder(context: PageContext) -> Callable[[str, str, str | None], Mark]:
    """A function for templates: the mark of a state, by kind and axis."""

    def mark(kind: str, axis: str, state: str | None) -> Mark:
        workflow = context.workflows[kind]
        return mark_of(marks_of(workflow, workflow.axes[axis]), state)

    return mark


def home_of(here: Screen, screens: Sequence[Screen]) -> str:
    """The path of the rail's entry that a page belongs to: its own, or that of the nearest page above it."""
    known = {screen.path for screen in screens if screen.group}
    path = "/records" if here.path == "/jump" else here.path
    while path and path not in known:
        path = path.rpartition("/")[0]
    return path or "/"


def tab_of(here: Screen, screens: Sequence[Screen]) -> str:
    """The path of the phone's tab that a page belongs to; whatever has none of its own is behind the last one."""
    home = here.path if here.path == TABS[-1][0] else home_of(here, screens)
    if home in {path for path, _, _ in TABS}:
        return home
    group = next((one.group for one in screens if one.path == home), "")
    return DECIDE if group == "Decide" else TABS[-1][0]


def rail_of(screens: Sequence[Screen], due: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The screens by group, each with what is due there."""
    groups = []
    for title in GROUPS:
        links = [
            {"path": one.path, "title": one.title, "letter": one.letter, "due": due.get(one.path)}
            for one in screens
            if one.group == title
        ]
        links.sort(
            key=lambda link: link["path"] == LAST_IN_GROUP
        )  # where people decide comes before where they repair
        if links:
            groups.append({"title": title, "links": links})
    return groups


def health_of(context: PageContext) -> list[dict[str, str]]:
    """What works, what is paused, what nobody serves."""
    coordinators = context.client.coordinators()
    runners = [one for one in context.client.runners() if is_at_work(one, context.now)]
    lines = [
        line("m-done", "done", plural(len(coordinators), "coordinator"))
        if coordinators
        else line("m-stuck", "stuck", "No coordinator is alive"),
        line("m-done", "done", plural(len(runners), "runner"))
        if runners
        else line("m-stuck", "stuck", "No runner is alive"),
    ]
    for stage in context.client.stages.list():
        if stage.paused:
            until = f" until {clock(stage.until)[:5]}" if stage.until else ""
            scope = f" ({stage.scope})" if stage.scope else ""
            lines.append(line("m-paused", "paused", f"{stage.kind} / {stage.stage}{scope} paused{until}"))
    return lines


def is_at_work(runner: Registered, now: datetime | None) -> bool:
    """Whether a runner takes work and was heard of lately: one that ended without a word is not counted until its lease is over."""
    lease = (runner.lease_until - runner.beat_at).total_seconds()
    silence = since(runner.beat_at, now) if now else 0.0
    return not runner.stopping and (silence or 0.0) <= lease * SILENT


def line(symbol: str, tone: str, text: str) -> dict[str, str]:
    """One line of the health list."""
    return {"symbol": symbol, "tone": tone, "text": text}
