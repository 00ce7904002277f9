"""The phases of an adoption: a machine of its own, on a record of its own, with entries like any other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, MetaData, Table, Text, false

from ..errors import BadInput
from ..machine import Machine, operator
from ..store.adoption.adoptions import PHASES, WITHDRAWN
from ..workflow import Axis, Workflow, entering
from ..workflow.columns.instant import Instant

KIND: Final = "adoptions"
SCHEMA, BACKFILL, ELIGIBILITY, COMPAT_WRITES, DONE = PHASES

LIFE: Final = Machine(
    "adoption",
    initial=SCHEMA,
    moves={
        SCHEMA: [operator(BACKFILL), operator(COMPAT_WRITES), operator(WITHDRAWN)],
        BACKFILL: [operator(ELIGIBILITY), operator(SCHEMA)],
        ELIGIBILITY: [operator(COMPAT_WRITES), operator(BACKFILL)],
        COMPAT_WRITES: [operator(DONE), operator(ELIGIBILITY)],
        WITHDRAWN: [operator(SCHEMA)],
    },
)
"""Each step takes the role operator and a reason. The step from the first to the fourth phase is that of a table without legacy rows;
a migration leads a withdrawn adoption to the first phase again."""


def number_of(phase: str) -> int:
    """The number of a phase, from 1; 0 for an adoption that was withdrawn."""
    return 0 if phase == WITHDRAWN else PHASES.index(phase) + 1


def phase_named(text: str | int) -> str:
    """The phase that a number or a name means."""
    name = str(text).strip().replace("-", "_").lower()
    if name.isdigit() and 1 <= int(name) <= len(PHASES):
        return PHASES[int(name) - 1]
    if name in PHASES:
        return name
    if name in ("0", WITHDRAWN):
        return WITHDRAWN
    raise BadInput(f"{text!r} is no phase; phases are 1 to {len(PHASES)}: {', '.join(PHASES)}; 0 withdraws")


def adoption_workflow() -> Workflow:
    """The kind of record that adoptions are: one for each axis that declares `adopt=…`, with how far it has come."""
    table = Table(
        "interlock_adoption",
        MetaData(),
        Column("id", Text, primary_key=True),
        Column("kind", Text, nullable=False),
        Column("axis", Text, nullable=False),
        Column("name", Text, nullable=False),
        Column("cursor", Text),
        Column("pass_number", BigInteger, nullable=False, server_default="0"),
        Column("pass_written", BigInteger, nullable=False, server_default="0"),
        Column("written", BigInteger, nullable=False, server_default="0"),
        Column("conflicts", BigInteger, nullable=False, server_default="0"),
        Column("left_over", BigInteger, nullable=False, server_default="0"),
        Column("accepted", BigInteger, nullable=False, server_default="0"),
        Column("started_at", Instant()),
        Column("finished_at", Instant()),
        Column("compared_at", Instant()),
        Column("clean_since", Instant()),
        Column("differences", BigInteger),
        Column("paused", Boolean, nullable=False, server_default=false()),
        Column("next_phase", Text),
        Column("runner", Text),
        Column("lease_until", Instant()),
    )
    rules = [
        entering(phase=phase).requires(
            table.c.next_phase == phase,
            says="a phase changes together with the guards of its axis: `interlock adopt cutover`",
            code="CUTOVER",
        )
        for phase in (*PHASES, WITHDRAWN)
    ]
    return Workflow(
        KIND, records=table, axes=[Axis("phase", LIFE)], rules=rules, noun="adoption", amendable=()
    )


def with_adoptions(workflows: Sequence[Workflow]) -> Sequence[Workflow]:
    """The workflows, and that of adoptions where one of their axes declares `adopt`."""
    adopted = any(axis.adopt is not None for workflow in workflows for axis in workflow.axes.values())
    return [*workflows, adoption_workflow()] if adopted else workflows
