"""A piece of claimed work, what came of it, and the contract of everything that executes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from ..workflow import Outcome, Stage, Work


class _Nothing:
    """Stands for "the stage has no load"; None is something that a load may well have found."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "NOTHING"

    def __reduce__(self) -> str:
        return "NOTHING"


NOTHING: Final = _Nothing()


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


class Finished(NamedTuple):
    """A task and the outcome to report."""

    task: Task
    outcome: Outcome[Any]


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

    def cancel(self, token: str) -> None:
        """Tell the work that nobody wants its result; an isolated process is killed. It is still collected, to be dropped."""
        ...

    def close(self, grace: float) -> list[Task]:
        """Take no more and wait up to `grace` seconds; answers what did not finish. What finished can still be collected."""
        ...

    def wake(self) -> None:
        """Make `collect` return at once."""
        ...
