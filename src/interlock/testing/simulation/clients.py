"""People and their programs: they look, decide on what they saw, give commands, and repeat those whose answer they did not hear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...app import App
from ...authority import Authority
from ...errors import InterlockError, StoreError
from ...workflow import Answer, Workflow
from .actors import Actor

if TYPE_CHECKING:
    from .world import World

MOST_RECORDS = 4
ACTS = (
    ("admit",) * 3 + ("move",) * 6 + ("cancel",) * 3 + ("retry",) * 3 + ("amend",) * 2 + ("delete", "pause")
)


@dataclass
class Command:
    """One command: how to give it, whether giving it again is safe, and what was heard."""

    number: int
    what: str
    give: Callable[[], Answer]
    repeatable: bool
    kind: str
    record: Any = None
    key: str | None = None
    heard: list[str] = field(default_factory=list)
    times_sent: int = 0
    seen: int | None = None
    moved: int | None = None
    place: tuple[str, str] = ("", "")
    """The axis and scope of a move."""
    actor: str | None = None
    """Who gave it, where it has no reason by which its entry could be known."""

    @property
    def mark(self) -> str:
        """Its reason, by which its entry is known."""
        return f"c{self.number}"


class Client(Actor):
    """Gives one command per turn."""

    def __init__(self, name: str, world: World, app: App) -> None:
        super().__init__(name, world)
        self.app = app
        app.database, app.clock = self.database, self.clock
        app.authority = Authority(self.database, self.clock)
        self.unheard: Command | None = None
        self.last: Command | None = None
        self.seen: dict[Any, Any] = {}

    def begin(self) -> None:
        """Start again after a crash: what the client saw is forgotten, the commands it still has to give are not."""
        super().begin()
        self.seen = {}

    def forget(self) -> None:
        self.unheard = self.last = None
        self.seen = {}

    def turn(self) -> int:
        random = self.world.random
        if self.unheard is not None:
            self._give(self.unheard)
        elif self.last is not None and self.last.key is not None and random.random() < 0.15:
            self._give(self.last)
        elif (command := self._drawn()) is not None:
            self.world.commands.append(command)
            self._give(command)
        return 1

    def _give(self, command: Command) -> None:
        self.unheard = command if command.repeatable else None
        self.last = command
        command.times_sent += 1
        try:
            answer = command.give()
            answered = f"{answer.outcome} {answer.version}"
            command.moved = answer.version if answer.outcome == "moved" else None
            command.record = answer.id if command.record is None else command.record
        except StoreError as error:
            self.world.note(self.name, f"{command.mark} {command.what}: {type(error).__name__}")
            return
        except InterlockError as error:
            answered = type(error).__name__
            if command.what.startswith("admit"):
                self.world.refused = str(error)
        command.heard.append(answered)
        self.unheard = None
        self.world.note(self.name, f"{command.mark} {command.what}: {answered}")

    def _drawn(self) -> Command | None:
        random, world = self.world.random, self.world
        workflow = random.choice(world.kinds)
        there = world.look(workflow)
        act = "admit" if len(there) < random.randint(1, 3) else random.choice(ACTS)
        if act == "admit":
            return self._admit(workflow, len(there))
        if act == "pause":
            return self._pause(workflow)
        id = random.choice(sorted(there, key=str))
        make: Callable[[Workflow, Any, Any], Command | None] = getattr(self, f"_{act}")
        stale = self.seen.get((workflow.name, id))
        row = stale if stale is not None and random.random() < 0.3 else there[id]
        self.seen[workflow.name, id] = there[id]
        return make(workflow, id, row)

    def _command(
        self,
        what: str,
        workflow: Workflow,
        id: Any,
        give: Callable[[int, str | None], Answer],
        *,
        keyed: bool,
        repeatable: bool,
        seen: int | None = None,
    ) -> Command:
        number = len(self.world.commands) + 1
        key = f"k{number}" if keyed else None
        return Command(
            number, what, lambda: give(number, key), repeatable or keyed, workflow.name, id, key, seen=seen
        )

    def _admit(self, workflow: Workflow, there: int) -> Command | None:
        if there >= MOST_RECORDS:
            return None
        random = self.world.random
        number = random.randint(1, 3) if random.random() < 0.15 else self.world.number()
        row = self.world.script.row(random, workflow, number)
        return self._command(
            f"admit {workflow.name} {number}",
            workflow,
            None,
            lambda n, key: self.app.admit(workflow, row, actor=self.name, reason=f"c{n}", key=key),
            keyed=random.random() < 0.7,
            repeatable=bool(workflow.unique),
        )

    def _move(self, workflow: Workflow, id: Any, row: Any) -> Command | None:
        random = self.world.random
        spot = random.choice(sorted(row))
        axis, scope = spot
        state, version = row[spot]
        machine = workflow.axes[axis].machine
        targets = machine.next_states(state)
        to = random.choice(targets) if targets and random.random() < 0.85 else random.choice(machine.states)
        seen = version if random.random() < 0.6 else None
        wish: dict[str, Any] = {axis: to}
        bare = (
            random.random() < 0.15
        )  # a move of which nothing is recorded but who made it can be made by one prepared statement
        reason = None if bare else f"c{len(self.world.commands) + 1}"
        command = self._command(
            f"move {workflow.name} {id} {axis} {scope} to {to}",
            workflow,
            id,
            lambda n, key: self.app.move(
                workflow,
                id,
                actor=self.name,
                role="admin",
                reason=reason,
                version=seen,
                scope=scope or None,
                key=key,
                **wish,
            ),
            keyed=not bare and random.random() < 0.7,
            repeatable=seen is not None,
            seen=seen,
        )
        command.place, command.actor = spot, self.name if bare else None
        return command

    def _cancel(self, workflow: Workflow, id: Any, row: Any) -> Command | None:
        scopes = sorted(
            {
                scope
                for axis, scope in row
                if scope and any(stage.axis == axis for stage in workflow.stages.values())
            }
        )
        scope = self.world.random.choice(scopes) if scopes else None
        if not workflow.stages:
            return None
        return self._command(
            f"cancel {workflow.name} {id} {scope or ''}",
            workflow,
            id,
            lambda n, key: self.app.cancel(
                workflow, id, actor=self.name, role="admin", reason=f"c{n}", scope=scope, key=key
            ),
            keyed=self.world.random.random() < 0.5,
            repeatable=False,
        )

    def _retry(self, workflow: Workflow, id: Any, row: Any) -> Command | None:
        axis = next((axis for axis in workflow.axes.values() if axis.has("retry_count")), None)
        if axis is None:
            return None
        scope = self.world.random.choice(axis.scopes) if axis.scoped else None
        return self._command(
            f"retry {workflow.name} {id}",
            workflow,
            id,
            lambda n, _: self.app.retry(
                workflow, id, actor=self.name, role="admin", reason=f"c{n}", scope=scope
            ),
            keyed=False,
            repeatable=False,
        )

    def _amend(self, workflow: Workflow, id: Any, row: Any) -> Command | None:
        facts = self.world.amended(workflow)
        if not facts:
            return None
        return self._command(
            f"amend {workflow.name} {id} {facts}",
            workflow,
            id,
            lambda n, _: self.app.amend(workflow, id, facts=facts, actor=self.name, reason=f"c{n}"),
            keyed=False,
            repeatable=False,
        )

    def _delete(self, workflow: Workflow, id: Any, row: Any) -> Command | None:
        act = self.app.erase if self.world.random.random() < 0.5 else self.app.delete
        return self._command(
            f"{act.__name__} {workflow.name} {id}",
            workflow,
            id,
            lambda n, _: act(workflow, id, actor=self.name, role="admin", reason=f"c{n}"),
            keyed=False,
            repeatable=False,
        )

    def _pause(self, workflow: Workflow) -> Command | None:
        if not workflow.stages:
            return None
        stage = self.world.random.choice(sorted(workflow.stages))
        resumes = self.world.random.random() < 0.6

        def give(n: int, _: str | None) -> Answer:
            if resumes:
                self.app.resume(workflow, stage)
            else:
                self.app.pause(workflow, stage, actor=self.name, reason=f"c{n}")
            return Answer(None, "unchanged")

        return self._command(
            f"{'resume' if resumes else 'pause'} {stage}", workflow, None, give, keyed=False, repeatable=True
        )
