"""Batches, children, gates, pauses and hooks, with one mechanism removed or misplaced at a time. The history that finds each one is of the
workflow that it names; `tests/simulation/contract_mutants.py` has those that only a contract test can find."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from interlock.authority import stage_batches as stage_moves
from interlock.authority.acts.admission import Admission
from interlock.authority.mirrors import Mirrors
from interlock.coordinator import apply
from interlock.store.queue import pauses as stages
from interlock.store.sqlite.moves import stage_batches
from interlock.store.work.rows import WorkRows
from tests.simulation.mutating import Mutant, collected_in, said_otherwise, silenced

MUTANTS: list[Mutant] = []
mutant = collected_in(MUTANTS)


# Batches: found by judging what the entries and the rows of a batch hold (I3, facts, hook)


@mutant()
def a_batch_names_no_attempt(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = stage_batches._entries

    def entries(template: Any, scope: str, rows: Sequence[Any], details: Any) -> Any:
        self.met += any(row.token is not None for row in rows)
        return real(template, scope, [row._replace(token=None) for row in rows], details)

    patch.setattr(stage_batches, "_entries", entries)


@mutant()
def a_batch_forgets_a_column(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = stage_batches.Mover._set_others

    def others(mover: Any, connection: Any, scope: str, rows: Sequence[Any], at: Any) -> None:
        self.met += bool(mover.columns)
        if not mover.columns:
            real(mover, connection, scope, rows, at)

    patch.setattr(stage_batches.Mover, "_set_others", others)


@mutant("papers")
def a_batch_calls_no_hook(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, stage_moves, "hooks_of", list)  # type: ignore[arg-type]


# Mirrors: found by computing them anew when all is calm


@mutant("papers")
def a_batch_keeps_no_mirror(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = Mirrors.keep

    def keep(mirrors: Mirrors, tx: Any, workflow: Any, axis: str, keys: Sequence[Any]) -> None:
        self.met += bool(workflow.mirrors_of(axis))
        if len(keys) < 2:
            real(mirrors, tx, workflow, axis, keys)

    patch.setattr(Mirrors, "keep", keep)


@mutant("papers")
def state_rows_that_a_sweep_adds_are_not_mirrored(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = Admission.complete

    def complete(admission: Admission, *given: Any) -> None:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(Mirrors, "keep", lambda *_: self.meet())
            real(admission, *given)

    patch.setattr(Admission, "complete", complete)


# Children: found by holding each admission against the entry of its parent's report


@mutant("domains")
def children_are_admitted_before_the_report_that_brought_them_is_applied(
    self: Mutant, patch: pytest.MonkeyPatch
) -> None:
    real = WorkRows.run

    def run(rows: WorkRows, tx: Any, statement: str, *args: Any, **kwargs: Any) -> Any:
        if "interlock_intake i" in statement:
            self.meet()
            statement = statement.replace("w.position = i.work AND", "false AND").replace(
                "i.work IS NULL OR", "true OR"
            )
        return real(rows, tx, statement, *args, **kwargs)

    patch.setattr(WorkRows, "run", run)


@mutant("domains")
def children_are_admitted_although_the_report_was_refused(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    said_otherwise(self, patch, "i.work IS NULL OR EXISTS", "true OR EXISTS")


# Gates: found by holding the version of an attempt against that of the move its gates allowed


@mutant("deliveries")
def what_a_gate_saw_counts_for_the_version_at_apply(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    def version(case: Any) -> int:
        self.meet()
        return case.seen.versions[0] or 0

    patch.setattr(apply, "_version", version)


# Pauses: found by looking for a pause whenever work is claimed, and by counting tries


@mutant()
def work_of_a_paused_stage_is_claimed(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, WorkRows, "is_going", "1 = 1")


@mutant()
def a_pause_costs_work_that_nobody_claimed_a_try(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = stages.pause

    def pause(work: WorkRows, tx: Any, kind: str, stage: str, scope: str, *, at: Any, **more: Any) -> None:
        self.meet()
        real(work, tx, kind, stage, scope, at=at, **more)
        work.run(
            tx,
            "UPDATE interlock_work SET claimed_by = 'nobody', claimed_at = NOW, lease_until = NOW WHERE claimed_by IS NULL "
            "AND reported_at IS NULL AND stage = %(name)s",
            {"name": f"{kind}.{stage}"},
        )

    patch.setattr(stages, "pause", pause)
