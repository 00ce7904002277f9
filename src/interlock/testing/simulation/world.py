"""A simulated world: one database, two coordinators, two runners, two clients, built once and played many times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from random import Random
from typing import Any

from ...app import App
from ...errors import BadInput
from ...runner.executors.tasks import Task
from ...store.connect import IDLE_LIMIT_MS
from ...store.engines import is_on_server
from ...store.placement import Placement
from ...workflow import Again, Axis, Failed, Outcome, Workflow
from .actors import Actor, CoordinatorActor, RunnerActor
from .clients import Client, Command
from .clock import BEGINNING
from .database import questions
from .database.ground import Ground
from .database.memory import Memory
from .drawing import Poison, Results, Rows, Script, Unsaveable, drawn_value, fact_columns
from .executor import Held
from .faults import Crash
from .transport import UnreliableTransport

Also = Callable[[Any, Any], Iterable[str]]
IDLE_LIMIT = timedelta(milliseconds=IDLE_LIMIT_MS)
HANGS, HANGS_AT_MOST = 0.08, timedelta(minutes=10)
DURATIONS = (0.0,) * 8 + (1.0, 5.0, 10.0, 15.0, 35.0, 100.0, 4000.0)


class World:
    """What is there in every history; `time`, `random` and the rest are the current history's own."""

    def __init__(
        self,
        workflows: Sequence[Workflow],
        rows: Mapping[str, Rows] | None = None,
        results: Results | None = None,
        database: str | None = None,
    ) -> None:
        if any(workflow.reflected for workflow in workflows):
            raise BadInput(
                "a table that is given by name lives in a database; a simulation has only declarations",
                hint="Give the workflow its Table, or simulate a workflow like it.",
            )
        self.workflows = {workflow.name: workflow for workflow in workflows}
        self.kinds = list(workflows)
        self.script = Script(self.workflows, rows, results)
        self.transport = UnreliableTransport()
        self.random, self.time = Random(0), BEGINNING
        self.calm, self.depth = True, 0
        self.commands: list[Command] = []
        self.trace: list[tuple[str, str]] = []
        self.acting: list[Actor] = []
        self.interlude: Any = None
        self.outcomes = self.numbers = 0
        self.ground = _ground(workflows, database)
        self.faults = self.ground.faults
        self.faults.interlude = self.amid
        apps = [App(workflows, database=self.ground.engine) for _ in range(2)]
        self.coordinators = [
            CoordinatorActor(f"coordinator-{n}", self, self.workflows, batches=n == 1) for n in (1, 2)
        ]
        self.runners = (
            [RunnerActor(f"runner-{n}", self, self.workflows) for n in (1, 2)]
            if any(w.stages for w in workflows)
            else []
        )
        self.clients = [Client(f"client-{n}", self, app) for n, app in enumerate(apps, 1)]
        self.actors: list[Actor] = [*self.coordinators, *self.runners, *self.clients]
        self.also: list[Also] = []
        """More to look at when a history is over: (world, judge) -> problems."""
        self.reported: set[str] = set()
        self.brought: set[str] = set()
        """Attempts whose outcome had something to save."""
        self.refused = "nobody tried"
        queues = [post.queue for post in self.coordinators[0].coordinator.stage_queues.values()]
        text = self.ground.text
        self.pendings = [questions.open_sql(), *(text(questions.pending_sql(queue)) for queue in queues)]
        self.stuck = [(queue, text(questions.stuck_sql(queue))) for queue in queues]
        self._looks = {
            workflow.name: [
                (axis.name, questions.look_sql(self.place(workflow, axis))) for axis in workflow.axes.values()
            ]
            for workflow in workflows
        }

    def open(self, seed: int) -> None:
        """Begin a new history: an empty database, and actors without memory."""
        self.random.seed(seed)
        self.time = BEGINNING
        self.calm, self.depth = False, 0
        self.commands, self.trace, self.acting, self.reported, self.brought = [], [], [], set(), set()
        self.outcomes = self.numbers = 0
        self.script.children.clear()
        self.transport.begin(self.random)
        self.ground.begin_history()
        self.faults.watch(None)
        for actor in self.actors:
            actor.clock.skew = timedelta()
            actor.begin()
        for client in self.clients:
            client.forget()

    def close(self) -> None:
        self.ground.end_history()

    def note(self, who: str, what: str) -> None:
        self.trace.append((who, what))

    def between(self, actor: Actor) -> None:
        """An actor is about to begin a transaction: perhaps it is held up here, and others have their turns."""
        if self.faults.dead:
            raise Crash
        if not self.calm and self.interlude is not None:
            self.interlude(self, actor)

    def amid(self) -> bool:
        """The acting process is about to execute a statement: perhaps it is held up here, in the midst of its transaction, while others
        have their turns. Whether that took longer than a server lets a transaction stand still."""
        if self.calm or self.interlude is None or not self.acting:
            return False
        before = self.time
        self.interlude(self, self.acting[-1], amid=True)
        return self.time - before > IDLE_LIMIT

    def number(self) -> int:
        self.numbers += 1
        return self.numbers

    def outcome_of(self, task: Task) -> tuple[Outcome[Any], timedelta | None]:
        """Return the outcome of a task and how long it takes; None where it hangs and only its deadline ends it."""
        self.outcomes += 1
        try:
            outcome = self.script.outcome(self.random, task, 1000 + self.outcomes, calm=self.calm)
            while (
                task.stage.retry_in == "runner"
                and task.retries < len(task.stage.retry)
                and is_retryable(outcome)
            ):
                task.retries += 1
                outcome = self.script.outcome(self.random, task, 1000 + self.outcomes, calm=self.calm)
        except Poison:
            self.note("poison", f"{task.stage.name} {task.work.id}")
            self.faults.kill()
            raise Crash from None
        if (
            not isinstance(outcome, Again)
            and outcome.result is not None
            and not isinstance(outcome.result, Unsaveable)
        ):
            self.brought.add(task.token)
        if (
            not self.calm
            and (task.stage.deadline or timedelta.max) <= HANGS_AT_MOST
            and self.random.random() < HANGS
        ):
            return outcome, None
        return outcome, timedelta(seconds=0 if self.calm else self.random.choice(DURATIONS))

    def shuffled(self, some: list[Held]) -> list[Held]:
        if len(some) > 1:
            self.random.shuffle(some)
        return some

    def look(self, workflow: Workflow) -> dict[Any, dict[tuple[str, str], tuple[str | None, int]]]:
        """Where every record of a kind stands: state and version, by axis and scope."""
        found: dict[Any, dict[tuple[str, str], tuple[str | None, int]]] = {}
        for axis, sql in self._looks[workflow.name]:
            for id, scope, state, version in self.ground.plainly(sql):
                found.setdefault(id, {})[axis, scope] = (state, version)
        return found

    def ids(self, workflow: Workflow, row: Mapping[str, Any]) -> list[Any]:
        """The ids of the records that have this row's natural key."""
        keys = {name: row[name] for name in workflow.unique}
        return [
            id
            for (id,) in self.ground.plainly(
                self.ground.text(
                    questions.key_sql(
                        workflow, self.place(workflow, next(iter(workflow.axes.values()))), tuple(keys)
                    )
                ),
                keys,
            )
        ]

    def amended(self, workflow: Workflow) -> dict[str, Any]:
        """Draw facts to amend: one column of the record's own."""
        own = [axis for axis in workflow.axes.values() if axis.table is workflow.records]
        columns = (
            [column for column in fact_columns(workflow, own[0]) if column.name in workflow.amendable]
            if own
            else []
        )
        if not columns:
            return {}
        column = self.random.choice(columns)
        return {column.name: drawn_value(self.random, column, f"a{self.random.randint(1, 9)}")}

    def place(self, workflow: Workflow, axis: Axis) -> Placement:
        return self.coordinators[0].authority.mover.plans.place(workflow, axis)

    def pass_time(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


def is_retryable(outcome: Outcome[Any]) -> bool:
    """Whether a runner that makes further tries itself makes one after this."""
    return isinstance(outcome, Failed) and not outcome.final


def _ground(workflows: Sequence[Workflow], database: str | None) -> Ground:
    if database is None or not is_on_server(database):
        return Memory(workflows)
    from .database.server import Server  # PostgreSQL's driver is an extra

    return Server(workflows, database)
