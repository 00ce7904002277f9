"""A piece of claimed work, what came of it, and the contract of everything that executes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

from ...workflow import Outcome, Stage, Work
from ...workflow.stage import Gate


class _Nothing:
    """Stands for "the stage has no load"; None is something that a load may well have found."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "NOTHING"

    def __reduce__(self) -> str:
        return "NOTHING"


NOTHING: Final = _Nothing()


class Cancelled:
    """Marks a cancelled task, whose result is dropped. It is not an outcome, so no stage can return it."""

    __slots__ = ()


CANCELLED: Final = Cancelled()


class Postponed(NamedTuple):
    """A gate is to be asked again after so many seconds; the task waits for it without a slot."""

    delay: float


Ended = Outcome[Any] | Cancelled
"""What comes of a task."""


@dataclass(slots=True)
class Task:
    """One claimed attempt: what to call, and with what."""

    token: str
    stage: Stage
    work: Work
    loaded: Any = NOTHING
    kind: str = ""
    span: Any = None
    """Where somebody collects traces: what the function's own spans are part of."""
    read_for: Callable[[Gate, Work], Any] | None = None
    """Returns what a gate's load reads, in a short reading transaction."""
    verdicts: list[dict[str, Any]] = field(default_factory=list)
    """The verdicts of gates, in the order they were asked; user code never sees them."""
    passed: set[str] = field(default_factory=set)
    gate_tries: dict[str, int] = field(default_factory=dict)
    retries: int = 0
    """Further tries that the runner itself made."""


class Finished(NamedTuple):
    """A task and the outcome to report."""

    task: Task
    outcome: Ended


class Executor(Protocol):
    """Runs tasks. One thread submits and collects; `wake` and `cancel` may come from any, `wake` from a signal handler too."""

    def free(self, stage: Stage) -> int:
        """How many more tasks of this stage it would take now."""
        ...

    def submit(self, task: Task) -> None:
        """Take one task; it is collected exactly once, or given back by `close`."""
        ...

    def collect(self, wait: float) -> list[Finished]:
        """Everything that finished meanwhile; waits up to `wait` seconds for the first."""
        ...

    def running(self) -> list[Task]:
        """Everything that was submitted and not yet collected."""
        ...

    def queued(self) -> int:
        """How many tasks of short work were taken in advance and have not begun."""
        ...

    def cancel(self, token: str) -> None:
        """Tell the work that nobody wants its result; an isolated process is killed. It is still collected, to be dropped."""
        ...

    def close(self, grace: float) -> list[Task]:
        """Take no more and wait up to `grace` seconds; answers what did not finish. What finished can still be collected."""
        ...

    def wake(self) -> None:
        """Make `collect` return at once."""
        ...
