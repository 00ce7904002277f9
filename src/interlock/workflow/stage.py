"""Work bound to an axis: which states wait for it, and where each outcome leads. Declared here, run by runners."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal, TypeVar

from sqlalchemy import ColumnElement, Connection

from ..errors import BadDeclaration
from ..machine import State
from .answer import Answer, Move, Refusal
from .checks.freezing import Freezable
from .outcome import Failed, Outcome
from .work import Work

RetryIn = Literal["runner", "running", "failed", "waiting"]
Function = Callable[..., Any]
Answered = Outcome[Any] | Awaitable[Outcome[Any]]
StageFunction = Callable[[Work], Answered] | Callable[[Work, Any], Answered]
"""What a stage or a gate is made of: (work), or (work, what was loaded), plain or async."""
Loader = TypeVar("Loader", bound=Callable[[Connection, Work], Any])
GroupLoader = TypeVar("GroupLoader", bound=Callable[[Connection, list[Work]], Sequence[Any]])
Saver = TypeVar("Saver", bound=Callable[[Connection, Work, Any], object])
GroupSaver = TypeVar("GroupSaver", bound=Callable[[Connection, list[tuple[Work, Any]]], object])
Rechecker = TypeVar("Rechecker", bound=Callable[[Connection, Work], "Outcome[Any] | None"])
HookFunction = TypeVar("HookFunction", bound=Callable[[Connection, list[Move]], object])
RemovedHook = TypeVar("RemovedHook", bound=Callable[[Any, list[Answer]], object])
RefusalHook = TypeVar("RefusalHook", bound=Callable[[Connection, list[Refusal]], object])


@dataclass(eq=False)
class Stage(Freezable):
    """A plain function with its place in the machine; calling it calls the function. Final once an App is made from its workflow."""

    name: str
    axis: str
    function: Function
    waiting: tuple[State, ...]
    done: State
    running: str | None = None
    failed: str | None = None
    terminal: str | None = None
    only_if: ColumnElement[bool] | None = None
    order: tuple[Any, ...] = ()
    retry: tuple[timedelta, ...] = ()
    retry_in: RetryIn | None = None
    limit: int | None = None
    per_key: tuple[Any, int] | None = None
    rate: tuple[int, timedelta] | None = None
    rate_per: tuple[Any, tuple[int, timedelta]] | None = None
    """A column, and how many of each of its values are begun in how long: one after the other, evenly spaced."""
    deadline: timedelta | None = None
    timeout: timedelta | None = None
    memory: str | None = None
    isolate: bool = False
    failures: Mapping[type[Exception], Failed[Any]] = field(default_factory=dict)
    returns: tuple[type, ...] = ()
    """Classes of results that its annotations do not name; only declared ones leave an isolated process."""
    writes: tuple[str, ...] = ()
    """Folders that an isolated process may write to, beside its own temporary one."""
    loader: Function | None = None
    group_loader: Function | None = None
    saver: Function | None = None
    group_saver: Function | None = None
    rechecker: Function | None = None
    guards: Callable[[], Sequence[Gate]] = tuple
    """The gates before the state it leads to: asked when it runs, for they may be declared after it."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def load(self, function: Loader) -> Loader:
        """Declare the short read before the work: (tx, work) -> the function's second argument."""
        _refuse_second(f"stage {self.name!r}", load=self.loader, load_many=self.group_loader)
        self.loader = function
        return function

    def load_many(self, function: GroupLoader) -> GroupLoader:
        """Declare one short read for a group of works: (tx, [work, …]) -> the second arguments, one for each work in their order."""
        _refuse_second(f"stage {self.name!r}", load=self.loader, load_many=self.group_loader)
        self.group_loader = function
        return function

    def save(self, function: Saver) -> Saver:
        """Declare what is written with the report: (tx, work, result), inside the fenced finish."""
        _refuse_second(f"stage {self.name!r}", save=self.saver, save_many=self.group_saver)
        self.saver = function
        return function

    def save_many(self, function: GroupSaver) -> GroupSaver:
        """Declare what is written with a group of reports: (tx, [(work, result), …]), once per group, inside the fenced finish."""
        _refuse_second(f"stage {self.name!r}", save=self.saver, save_many=self.group_saver)
        self.group_saver = function
        return function

    def recheck(self, function: Rechecker) -> Rechecker:
        """Declare how to find out, past the deadline, whether the work was done after all."""
        _refuse_second(f"stage {self.name!r}", recheck=self.rechecker)
        self.rechecker = function
        return function

    def __repr__(self) -> str:
        return f"Stage({self.name!r})"

    @property
    def spacing(self) -> timedelta:
        """How long after one attempt of a key the next one may begin, by `rate_per`."""
        if self.rate_per is None:
            return timedelta(0)
        count, window = self.rate_per[1]
        return window / count

    @property
    def declared_waiting(self) -> State:
        """The waiting state that was declared; not a failed state in which retries wait."""
        return next((state for state in self.waiting if state != self.failed), self.waiting[0])

    def steps(self) -> list[tuple[State, State, str]]:
        """Every move this stage makes, with what it is for; lint holds them against the machine."""
        start: Sequence[State] = self.waiting if self.running is None else (self.running,)
        found: list[tuple[State, State, str]] = []
        if self.running is not None:
            found += [(state, self.running, "dispatch") for state in self.waiting]
        found += [(state, self.done, "done") for state in start]
        if self.failed is not None:
            found += [(state, self.failed, "failed") for state in start if state != self.failed]
        if self.terminal is not None:
            found += [(state, self.terminal, "terminal") for state in start]
        return found


def _refuse_second(owner: str, **declared: Function | None) -> None:
    """Raise where one of these functions, of which an owner has one, was declared before."""
    for word, function in declared.items():
        if function is not None:
            raise BadDeclaration(
                f"{owner} has a {word} already",
                hint=f"It has one function for {' or '.join(declared)}: let that one do both.",
            )


StageDecorator = Callable[[StageFunction], Stage]


@dataclass(eq=False)
class Gate:
    """A check that must have passed, for the record's current version, before a state is entered."""

    name: str
    axis: str
    to: str
    function: Function
    tier: int = 1
    retry: tuple[timedelta, ...] = ()
    loader: Function | None = None
    group_loader: Function | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    @property
    def reads(self) -> Function | None:
        """Its load or load_many, whichever it has."""
        return self.loader or self.group_loader

    def load(self, function: Loader) -> Loader:
        """Declare the short read before the check: (tx, work) -> the function's second argument. Gates that share a function share what it
        returned: it is called once for all of them in each try."""
        _refuse_second(f"gate {self.name!r}", load=self.loader, load_many=self.group_loader)
        self.loader = function
        return function

    def load_many(self, function: GroupLoader) -> GroupLoader:
        """Declare one short read for a group of works: (tx, [work, …]) -> the second arguments, one for each work in their order. It is
        called when the first of them reaches the gate, so also for works that an earlier tier stops; a further try reads for its work only.
        Gates that share a function share what it returned."""
        _refuse_second(f"gate {self.name!r}", load=self.loader, load_many=self.group_loader)
        self.group_loader = function
        return function


GateDecorator = Callable[[StageFunction], Gate]


@dataclass(frozen=True, eq=False)
class Hook:
    """A function called inside the move's transaction, once per batch."""

    axis: str
    states: tuple[State, ...]
    function: Function
    amended: bool = False
    """Called for amendments in these states too, not only when one of them is entered."""

    def wants(self, axis: str, new: State) -> bool:
        return axis == self.axis and (not self.states or new in self.states)
