"""The content workflow as declarations: two axes, the rules between them, the hooks that keep payloads, and the gates before VALIDATED."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, bindparam, exists, select

from interlock import App, Axis, Done, Extension, Failed, Outcome, Work, Workflow, entering
from interlock.extension import Need, Page, PageContext

from .gates.checks import (
    FAST,
    NEVER_RETRIED,
    Item,
    Neighbour,
    Problem,
    check_duplication,
    check_prerequisites,
)
from .gates.neighbours import read_candidates, read_reachable, read_similar
from .lifecycle import LIFECYCLE, STANDING
from .promotion import CYCLE, Options, promote_batch, read_options
from .review import Review
from .storage.invariants import invariants
from .storage.payloads import Payloads, refuse_amended_approvals, refuse_amended_standing, refuse_fixed_facts
from .storage.views import declare_views
from .tables import SIDE_TABLES, approval_events, content_editors, content_spine
from .types import CONTENT_TYPES, ContentType, ContentWorkflow

GATE_RETRY = ("0s", "2s", "5s")
OWN_WORK = "authors never approve their own; somebody who has neither written nor edited it does"
Beside = tuple[Item, list[Neighbour], dict[str, Neighbour]]
"""A candidate, the items similar to it, and every item that can be reached by the prerequisites of its group."""
ExternalGate = Callable[[Item], "Problem | None"]


def declare(
    types: Mapping[str, ContentType] = CONTENT_TYPES,
    external: Mapping[str, ExternalGate] | None = None,
    options: Options | None = None,
) -> Workflow:
    """The workflow for these types of content; `external` adds gates that ask somebody else, by name, in the third tier. Without options
    those of this process's settings."""
    workflow = _Declared(types, external or {}).workflow
    _declare_batches(workflow, options or read_options())
    return workflow


def _declare_batches(workflow: Workflow, options: Options) -> None:
    """Promotion by itself, where a team wants it: no draft promotes itself otherwise."""
    if not (options.auto_promote or options.auto_approve):
        return

    @workflow.every(CYCLE)
    def promote_items(app: App, tick: datetime) -> None:
        promote_batch(app, options, app.clock.now())


class _Declared:
    """The workflow, its hooks and its gates."""

    def __init__(self, types: Mapping[str, ContentType], external: Mapping[str, ExternalGate]) -> None:
        self.types, self.external = types, external
        items = content_spine
        self.workflow = ContentWorkflow(
            types,
            noun="item",
            records=items,
            axes=[Axis("state", LIFECYCLE), Axis("standing", STANDING, prefix="standing_")],
            rules=[
                entering(state="APPROVED").requires(
                    items.c.author != bindparam("actor"),
                    ~exists().where(
                        content_editors.c.item_id == items.c.item_id,
                        content_editors.c.editor == bindparam("actor"),
                    ),
                    says=OWN_WORK,
                    code="OWN_WORK",
                ),
                entering(state={"CANDIDATE", "VALIDATED", "APPROVED"}).requires(
                    standing="active", says="rejected content is not promoted", code="REJECTED"
                ),
                entering(standing="deprecated").requires(
                    state="APPROVED", says="only approved content is deprecated", code="NOT_APPROVED"
                ),
                entering(standing="rejected").requires(
                    state="VALIDATED", says="only validated content is rejected", code="NOT_VALIDATED"
                ),
            ],
            tables=SIDE_TABLES,
            frozen=[*(kind.table for kind in types.values()), approval_events],
            views=declare_views(types),
            amendable=[items.c.validation_wanted],
            kept_when_erased=[items.c.item_type],
        )
        self._hooks()
        self._validation()
        self.workflow.extension = Extension(  # the need names columns that the stage has added to the table
            routes=f"{__package__}.api.routes:routes",
            commands={"content": f"{__package__}.commands.noun:content"},
            invariants=invariants(types),
            private=["submitted"],
            intake="POST /api/v1/content",
            pages=[
                Page(
                    "govern", "Govern", render_govern, group="Decide", letter="g", decides=True, record="item"
                )
            ],
            needs=[
                Need(
                    "item held by a gate",
                    "items held by a gate",
                    "its author corrects it",
                    select(items.c.item_id).where(
                        items.c.error_code.is_not(None),
                        items.c.state == "CANDIDATE",
                        items.c.ready_at.is_(None),
                    ),
                    "interlock content failures",
                    page="govern",
                    sign="failed",
                )
            ],
        )

    def _hooks(self) -> None:
        payloads, review = (
            Payloads(self.types, [*FAST, "duplication", "prerequisites", *self.external]),
            Review(self.types),
        )
        self.workflow.on_move(*STATES[1:], axis="state")(refuse_fixed_facts)
        self.workflow.on_move("rejected", "deprecated", axis="standing")(refuse_fixed_facts)
        self.workflow.on_move("DRAFT", axis="state")(payloads.keep_draft)
        self.workflow.on_move("CANDIDATE", axis="state")(payloads.keep_candidate)
        self.workflow.on_move("VALIDATED", axis="state")(payloads.keep_validated)
        self.workflow.on_move("APPROVED", axis="state")(review.refuse_automatic)
        self.workflow.on_move("APPROVED", axis="state")(payloads.keep_approved)
        self.workflow.on_move(*STATES, amended=True, axis="state")(payloads.keep_amended)
        for refuse in (refuse_amended_approvals, refuse_amended_standing):
            self.workflow.on_move("active", "rejected", "deprecated", amended=True, axis="standing")(refuse)
        self.workflow.on_move("rejected", axis="standing")(review.keep_rejection)
        self.workflow.on_move("deprecated", axis="standing")(review.keep_deprecation)
        self.workflow.on_remove(review.refuse_deletion)
        self.workflow.on_remove(review.forget)
        self.workflow.on_refusal(review.log_violations)

    def _validation(self) -> None:
        """The gates in their tiers, and the stage that runs them; an item waits for it once somebody has asked for its validation."""
        types = self.types

        def read_items(tx: Connection, works: Sequence[Work]) -> list[Item]:
            return read_candidates(tx, types, [work.record for work in works])

        def read_beside(tx: Connection, works: Sequence[Work]) -> list[Beside]:
            """What both gates of the database tier compare with: similar items, and those on which these depend."""
            items = read_items(tx, works)
            similar = read_similar(tx, items, {str(work.id): work.record["replaces"] for work in works})
            reached = read_reachable(tx, items)
            return [(item, similar[item.id], reached) for item in items]

        for name, check in FAST.items():
            self._gate(name, 1, _checked(check), read_items)
        self._gate("duplication", 2, _is_unlike_others, read_beside)
        self._gate("prerequisites", 2, _has_prerequisites, read_beside)
        for name, check in self.external.items():
            self._gate(name, 3, _checked(check), read_items)

        @self.workflow.stage(
            waiting="CANDIDATE",
            done="VALIDATED",
            axis="state",
            only_if=content_spine.c.validation_wanted.is_(True),
            retry=["2s", "4s", "8s"],
            deadline="10m",
        )
        def validate(work: Work) -> Outcome[None]:
            return Done()

    def _gate(
        self, name: str, tier: int, check: Callable[..., Outcome[None]], load: Callable[..., Any]
    ) -> None:
        """One gate; those of a tier share what `load` reads. Each has a function of its own, for its name is the gate's."""

        def gate(work: Work, loaded: Any) -> Outcome[None]:
            return check(loaded)

        gate.__name__ = name
        retry: Sequence[str] = () if name in NEVER_RETRIED else GATE_RETRY
        self.workflow.gate("VALIDATED", tier=tier, retry=retry, axis="state")(gate).load_many(load)


def render_govern(context: PageContext) -> tuple[Path, Mapping[str, Any]]:
    """Render the page where content is governed; imported when somebody looks, for a runner needs none of it."""
    from .console.govern import render

    return render(context)


STATES = ("DRAFT", "CANDIDATE", "VALIDATED", "APPROVED")


def _checked(check: Callable[[Item], Problem | None]) -> Callable[[Item], Outcome[None]]:
    """The check as a gate answers: a pass, or the refusal."""

    def judge(item: Item) -> Outcome[None]:
        return _outcome(check(item))

    return judge


def _is_unlike_others(read: Beside) -> Outcome[None]:
    item, others, _ = read
    return _outcome(check_duplication(item, others))


def _has_prerequisites(read: Beside) -> Outcome[None]:
    item, _, reached = read
    return _outcome(check_prerequisites(item, reached))


def _outcome(problem: Problem | None) -> Outcome[None]:
    """A pass, or the refusal with its code, sentence and details."""
    if problem is None:
        return Done()
    code, sentence, details = problem
    return Failed(code, sentence, final=True, **details)
