"""Refuses arguments of an App and of its calls that cannot be meant; each refusal shows what to give instead."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

from ...errors import BadDeclaration, UnknownKind
from ..workflow import Workflow
from .lint import refusals
from .options import short
from .problem import joined_hints, nearest

METHODS_OF_TRANSPORT = ("within", "after", "inline", "listen", "close")


def refuse_parts_of_app(workflows: Any, clock: Any, files: Any, database: Any, transport: Any) -> None:
    """Raise for the first argument of an App that cannot be meant: no list of workflows, a clock without a time, an engine for `async`."""
    if not isinstance(workflows, Sequence) or not all(isinstance(one, Workflow) for one in workflows):
        raise BadDeclaration("an App is made from a list of workflows", hint="Write App([orders], …).")
    if clock is not None and not hasattr(clock, "now"):
        raise BadDeclaration(
            f"{clock!r} is not a clock", hint="A clock has a method now(); leave it out for the system's."
        )
    if files is not None and not isinstance(files, str | PathLike):
        raise BadDeclaration(f"files={files!r} is not a folder", hint='Write files="/var/lib/shop/files".')
    if hasattr(database, "sync_engine"):
        raise BadDeclaration(
            "an App does not take an engine of SQLAlchemy's asyncio",
            hint='Give the URL, database="postgresql://…", and await the calls of app.aio: await app.aio.move(…).',
        )
    if not isinstance(transport, str | None) and (
        missing := [name for name in METHODS_OF_TRANSPORT if not hasattr(transport, name)]
    ):
        raise BadDeclaration(
            f"transport={short(transport)} lacks {', '.join(missing)}",
            hint='Leave it out for "database", or give an object with the methods of interlock.transport.Transport.',
        )


def refuse_declarations(workflows: Sequence[Workflow]) -> None:
    """Raise where two workflows have one name, or where declarations cannot work; names every problem of all workflows at once."""
    names = [workflow.name for workflow in workflows]
    if len(set(names)) != len(names):
        raise BadDeclaration(
            f"two workflows of this app have the same name: {', '.join(names)}",
            hint='Give each a name of its own: Workflow("orders", …).',
        )
    if problems := [problem for workflow in workflows for problem in refusals(workflow)]:
        raise BadDeclaration("; ".join(problems), hint=joined_hints(problems), problems=[*map(str, problems)])


def refuse_executor(executor: Any) -> None:
    """Raise where a runner gets something that cannot run tasks, such as a pool of `concurrent.futures`."""
    if missing := [name for name in ("free", "submit", "collect") if not hasattr(executor, name)]:
        raise BadDeclaration(
            f"executor={short(executor)} lacks {', '.join(missing)}",
            hint="`interlock runner` makes its own; in a test, Sandbox([workflow]).drain() does the work.",
        )


def refuse_unknown_gate(workflow: Workflow, gate: str) -> None:
    """Raise where the workflow has no gate of this name."""
    names = [one.name for one in workflow.gates]
    if gate not in names:
        hint = nearest(gate, names) if names else 'Declare one: @orders.gate("packed") above a def.'
        raise UnknownKind(f"{workflow.name} has no gate {gate!r}", hint=hint, kind=workflow.name)


def refuse_identify(identify: Any) -> None:
    """Raise where something else than a function is to say who asks."""
    if identify is not None and not callable(identify):
        raise BadDeclaration(
            f"identify={identify!r} is not a function",
            hint="Write asgi(who), with a def who(request) that returns (actor, role), or None for nobody.",
        )
