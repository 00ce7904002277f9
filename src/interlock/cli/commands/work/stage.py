"""`interlock stage`: pause and resume a stage; what a runner has claimed goes on, what none has claimed waits and costs no try."""

from __future__ import annotations

from typing import Any

import click

from ....errors import UnknownKind
from ...grammar import SPAN, Noun, session
from ...render.output import show_answer, show_rows

COLUMNS = ("stage", "scope", "waits_in", "runs_in", "paused", "until", "reason", "actor")


@click.group(
    cls=Noun,
    examples=(
        "interlock stage list",
        "interlock stage pause statements.parse --reason 'the bank changed its layout'",
        "interlock stage resume statements.parse",
    ),
)
def stage() -> None:
    """Stages: what work there is, and whether it is dispatched."""


@stage.verb("list", "interlock stage list", "interlock stage list -o json")
def list_() -> None:
    """List the stages, and which of them are paused."""
    running = session()
    rows: list[dict[str, Any]] = [
        {
            "stage": f"{one.kind}.{one.stage}",
            "scope": one.scope,
            "waits_in": ", ".join(map(str, one.waiting)),
            "runs_in": one.running,
            **{name: getattr(one, name) for name in ("paused", "until", "reason", "actor")},
        }
        for one in running.client().stages.list()
    ]
    show_rows(
        running.output,
        rows,
        COLUMNS,
        empty="no workflow has a stage",
        blank=("scope", "until", "reason", "actor"),
    )


@stage.verb(
    "pause",
    "interlock stage pause statements.parse --reason 'the bank changed its layout'",
    "interlock stage pause themes.extract_themes --scope technical --for 1h --reason 'quota used up'",
)
@click.argument("name", metavar="KIND.STAGE")
@click.option("--reason", required=True, help="Why; others will ask.")
@click.option(
    "--for",
    "length",
    type=SPAN,
    metavar="SPAN",
    help="For so long: 30s, 5m, 2h; default: until it is resumed.",
)
@click.option("--scope", metavar="SCOPE", help="Only in this scope.")
@click.option(
    "--actor",
    envvar="INTERLOCK_ACTOR",
    metavar="NAME",
    help="Who acts; default: the user who is logged in. [env: INTERLOCK_ACTOR]",
)
def pause(name: str, reason: str, length: str | None, scope: str | None, actor: str | None) -> None:
    """Dispatch no more work of this stage; attempts that have begun go on."""
    running = session()
    kind, short = stage_of(name)
    until = running.client(actor).stages.pause(kind, short, reason=reason, length=length, scope=scope)
    answer = {"stage": name, "scope": scope, "paused": True, "until": until}
    show_answer(
        running.output,
        answer,
        [f"{name} is paused{f' until {until:%Y-%m-%d %H:%M:%S} UTC' if until else ''}"],
        [answer],
        tuple(answer),
    )


@stage.verb(
    "resume",
    "interlock stage resume statements.parse",
    "interlock stage resume themes.extract_themes --scope technical",
)
@click.argument("name", metavar="KIND.STAGE")
@click.option("--scope", metavar="SCOPE", help="Only in this scope; default: in all.")
def resume(name: str, scope: str | None) -> None:
    """Dispatch it again."""
    running = session()
    kind, short = stage_of(name)
    ended = running.client().stages.resume(kind, short, scope=scope)
    answer = {"stage": name, "scope": scope, "paused": False, "ended": ended}
    show_answer(
        running.output,
        answer,
        [f"{name} is dispatched again" if ended else f"{name} was not paused"],
        [answer],
        tuple(answer),
    )


def stage_of(name: str) -> tuple[str, str]:
    kind, dot, short = name.partition(".")
    if not dot or not short:
        raise UnknownKind(
            f"{name!r} does not name a stage",
            hint=f"Write the kind before it, such as orders.{name}; `interlock stage list` lists them.",
            kind=name,
        )
    return kind, short
