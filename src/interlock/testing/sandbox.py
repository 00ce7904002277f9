"""A whole system in one object for tests: an app with a frozen clock, a coordinator and a runner that work only when `drain` is called."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import Engine, event, select

from ..app import App, Kind
from ..authority.command import known_state
from ..clock import FrozenClock
from ..coordinator import Coordinator
from ..errors import BadInput, state_text
from ..machine import State
from ..runner.executors.inline import InlineExecutor
from ..runner.finish import Result
from ..store.work.attempts import Attempt, Issue, tokens
from ..workflow import Again, Axis, Done, Failed, Outcome, Stage, Work, Workflow
from ..workflow.durations import Span, span

ACTOR = "sandbox"
STEPS = 10_000
PLACED_FOR = timedelta(hours=23)
"""How long the sandbox claims what it places."""


class Sandbox(App):
    """An App on a SQLite database of its own, gone when it is closed; `drain` does everything that is due, `advance` lets time pass.

    Behind a TestClient it can be used from several threads at once, so its database is a temporary file and not memory, which one
    connection would have to share.
    """

    local_clients = frozenset({"testclient"})  # the client address of Starlette's and FastAPI's TestClient

    def __init__(
        self, workflows: Sequence[Workflow], database: str | Engine | None = None, files: str | None = None
    ) -> None:
        self.time = FrozenClock()
        own = None if database else tempfile.mkdtemp(prefix="interlock-sandbox-")
        self._remove = weakref.finalize(self, shutil.rmtree, own or "", ignore_errors=True)
        super().__init__(
            workflows, database=database or f"sqlite:///{own}/sandbox.db", clock=self.time, files=files
        )
        if own:
            event.listen(self.database.engine, "connect", _without_syncing)
        self.migrate()
        self.executor = InlineExecutor(self.time, capacity=2000, files=None if files is None else self.files)
        self.coordinates = self.coordinator()
        self.runs = (
            self.runner(self.executor, capacity=2000, ticks=lambda: self.time.now().timestamp())
            if self._works()
            else None
        )

    def coordinator(self, **options: Any) -> Coordinator:
        """Return a coordinator of this app that runs schedules within its own step, so that they are finished when `drain` returns."""
        return super().coordinator(**{"start": _at_once, **options})

    def close(self) -> None:
        super().close()
        self._remove()

    def _works(self) -> bool:
        return any(workflow.stages for workflow in self.workflows.values())

    def drain(self) -> int:
        """Dispatch, run, apply and sweep until nothing is due; returns how many steps did something."""
        if self.runs:
            self.runs.renew()  # a coordinator dispatches only to runners that it knows
        for count in range(STEPS):
            if not self.coordinates.step() + (self.runs.step() if self.runs else 0):
                return count
        raise AssertionError(
            f"still busy after {STEPS} rounds: does some work ask for itself again and again?"
        )

    def advance(self, by: Span) -> None:
        """Let time pass; nothing happens until the next `drain`."""
        self.time.advance(span(by))

    def waiting(self, stage: Stage | str) -> list[Any]:
        """The ids of what waits for this stage, in its order."""
        post = next(
            (
                post
                for post in self.coordinates.stage_queues.values()
                if post.stage is stage or stage in (post.name, post.stage.name)
            ),
            None,
        )
        if post is None:
            names = ", ".join(post.name for post in self.coordinates.stage_queues.values())
            raise BadInput(f"no workflow has a stage {stage!r}", hint=f"There is {names or 'none'}.")
        with self.database.write() as tx:
            return [one.seen.key for scope in post.scopes for one in post.queue.due(tx, scope, 1_000_000)]

    def place(
        self,
        kind: Kind,
        id: Any,
        *,
        scope: str | None = None,
        record: dict[str, Any] | None = None,
        **axis: State,
    ) -> None:
        """Bring a record to a state by its machine's own moves, making it first if it is not there; in a running state, work has begun."""
        workflow = self.workflow(kind)
        if not axis:
            raise BadInput(
                f"place(…) names no state of {workflow.name}",
                hint=f'Such as place("{workflow.name}", {id!r}, {next(iter(workflow.axes))}="…").',
            )
        with self.database.read() as tx:
            there = tx.execute(select(workflow.id_column).where(workflow.id_column == id)).first()
        if there is None:
            self.admit(workflow, {workflow.id_column.name: id, **(record or {})}, actor=ACTOR)
        for name, to in axis.items():
            self._walk(workflow, workflow.axis(name), id, scope, to)

    def _walk(self, workflow: Workflow, axis: Axis, id: Any, scope: str | None, to: State) -> None:
        running = [
            stage
            for stage in workflow.stages.values()
            if stage.axis == axis.name and stage.running is not None
        ]
        stage = next((stage for stage in running if stage.running == to), None)
        steps = _path(axis, self._state(workflow, axis, id, scope), to)
        for step in steps if stage is None else steps[:-1]:
            self._step(workflow, axis, id, scope, step, None)
        if stage is not None:  # an attempt begins together with the move that begins it
            with self.database.write() as tx:
                for step in steps[-1:]:
                    self._step(workflow, axis, id, scope, step, tx)
                self._issue(tx, workflow, axis, stage, id, scope or "")

    def _step(self, workflow: Workflow, axis: Axis, id: Any, scope: str | None, to: State, tx: Any) -> None:
        self.authority.move(
            workflow,
            id,
            axis.name,
            to,
            tx=tx,
            actor=ACTOR,
            role="admin",
            reason="placed for a test",
            scope=scope,
            by_engine=True,
        )

    def _state(self, workflow: Workflow, axis: Axis, id: Any, scope: str | None) -> State:
        with self.database.read() as tx:
            return self.coordinates.stage_mover.read(tx, workflow, axis, scope or "", [id])[0].states[0]

    def _issue(self, tx: Any, workflow: Workflow, axis: Axis, stage: Stage, id: Any, scope: str) -> None:
        """The work row of a running state, claimed by the sandbox for nearly a day, which is as long as a claim can be."""
        work, post = self.coordinates.work, self.coordinates.stage_queues[f"{workflow.name}.{stage.name}"]
        attempt = post.queue.read_attempts(tx, scope, [id])[id][0]
        version = self.coordinates.stage_mover.read(tx, workflow, axis, scope, [id])[0].versions[0]
        work.issue(
            tx,
            workflow.name,
            axis.name,
            scope,
            post.name,
            [Issue(str(id), attempt, tokens(1)[0], version=version)],
        )
        work.run(
            tx,
            "UPDATE interlock_work SET claimed_by = 'sandbox', claimed_at = NOW, started_at = NOW, lease_until = LATER(lease) "
            "WHERE record_id = %(id)s AND kind = %(kind)s AND claimed_by IS NULL",
            {"id": str(id), "kind": workflow.name},
            lease=PLACED_FOR,
        )

    def report(self, kind: Kind, id: Any, outcome: Outcome[Any], *, scope: str | None = None) -> None:
        """Say what came of a record's running attempt, as its runner would, and let the coordinator judge it."""
        if self.runs is None:
            raise BadInput("this app has no stages", hint="Declare one: @orders.stage(waiting=…, done=…).")
        if not isinstance(outcome, Done | Failed | Again):
            raise BadInput(
                f"what came of work is Done, Failed or Again, not {outcome!r:.80}",
                hint='Such as report("orders", 7, Done()).',
            )
        workflow = self.workflow(kind)
        with self.database.write() as tx:
            attempt = self._attempt(tx, workflow, id, scope or "")
            stage = workflow.stages[attempt.stage.partition(".")[2]]
            if attempt.claimed_by is None:
                self.runs.work.claim_one(tx, self.runs.id, attempt.position, self.runs.lease)
            self.runs.finisher.finish(
                tx, [Result(attempt, stage, Work(id, scope=scope, attempt=attempt.attempt), outcome)]
            )
        self.coordinates.applier.step()

    def _attempt(self, tx: Any, workflow: Workflow, id: Any, scope: str) -> Attempt:
        found = [
            one
            for one in self.coordinates.work.of(tx, workflow.name, list(workflow.axes), [str(id)])
            if one.scope == scope
        ]
        if not found:
            raise BadInput(
                f"{workflow.name} {id!r} has no running attempt", hint="Use place(…) or drain() to begin one."
            )
        return found[0]


def _at_once(run: Callable[[], None]) -> None:
    run()


def _without_syncing(connection: Any, _: Any) -> None:
    connection.execute(
        "PRAGMA synchronous = OFF"
    )  # nothing outlives a sandbox, so nothing needs to reach the disk


def _path(axis: Axis, start: State, end: State) -> list[State]:
    """The shortest path by moves that people and stages make; retries are left out, for they count."""
    known_state(axis, end)
    paths: dict[State, list[State]] = {start: []}
    waiting = deque([start])
    while waiting:
        state = waiting.popleft()
        if state == end:
            return paths[state]
        for edge in axis.machine.edges.get(state, ()):
            if edge.kind not in ("retry", "timer") and edge.to not in paths:
                paths[edge.to] = [*paths[state], edge.to]
                waiting.append(edge.to)
    raise BadInput(
        f"{axis.kind}.{axis.name}: no moves lead from {state_text(start)} to {state_text(end)}",
        hint="Retries and timers are not walked: report(…) a failure, or advance(…) the clock.",
    )
