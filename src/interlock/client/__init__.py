"""The client of an app, wherever it runs: in this process or behind a service, with the same calls, the same values and the same errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from ..app import App
from ..errors import BadInput
from ..observe.activity import Activity, EdgeFlow, MovesThen, NeedCount, RetryingState, StateAge, StuckStage
from ..observe.records.listing import AxisState, ListedRecord, Page
from ..observe.records.patterns import Pattern, ScopeState
from ..observe.verdicts import GateVerdict
from ..observe.working import DueRetry, ErrorHours, HeldAttempt, RefusedEvent, Working
from ..store.ledger.seals.seal import EntrySeal
from ..workflow import Workflow
from .contract import Client
from .local import LocalClient
from .values import (
    ApiKey,
    Attention,
    BulkCommand,
    CheckReport,
    Count,
    ErrorGroup,
    Health,
    MachineChange,
    MachineVersion,
    Operation,
    OperationItem,
    OperationPreview,
    PairCount,
    PastState,
    Record,
    RecordFilter,
    StageState,
)

if TYPE_CHECKING:
    from .remote import RemoteClient

__all__ = [
    "Activity",
    "ApiKey",
    "Attention",
    "AxisState",
    "BulkCommand",
    "CheckReport",
    "Client",
    "Count",
    "DueRetry",
    "EdgeFlow",
    "EntrySeal",
    "ErrorGroup",
    "ErrorHours",
    "GateVerdict",
    "Health",
    "HeldAttempt",
    "ListedRecord",
    "LocalClient",
    "MachineChange",
    "MachineVersion",
    "MovesThen",
    "NeedCount",
    "Operation",
    "OperationItem",
    "OperationPreview",
    "Page",
    "PairCount",
    "PastState",
    "Pattern",
    "Record",
    "RecordFilter",
    "RefusedEvent",
    "RemoteClient",
    "RetryingState",
    "ScopeState",
    "StageState",
    "StateAge",
    "StuckStage",
    "Working",
    "connect",
]


@overload
def connect(to: App, *, actor: str = ...) -> LocalClient: ...


@overload
def connect(to: str, *, key: str | None = ...) -> RemoteClient: ...


@overload
def connect(to: str, *, workflows: Sequence[Workflow], actor: str = ...) -> LocalClient: ...


def connect(
    to: App | str,
    *,
    key: str | None = None,
    workflows: Sequence[Workflow] | None = None,
    actor: str = "app",
) -> LocalClient | RemoteClient:
    """A client of this app, of the service at this address, or of these workflows on the database at this URL.

    A service knows who acts by the API key; elsewhere it is `actor`. Needs the extra `client` for a service.
    """
    if isinstance(to, App):
        return LocalClient(to, actor)
    if workflows is not None:
        return LocalClient(App(list(workflows), database=to), actor, keeps=True)
    try:
        from .remote import RemoteClient
    except ModuleNotFoundError as error:
        raise BadInput(
            f"a service is asked with the package {error.name}", hint="pip install 'interlock[client]'"
        ) from error
    return RemoteClient(to, key)


def __getattr__(name: str) -> object:
    """`RemoteClient` is imported when it is asked for: it needs packages that an app without a service has not."""
    if name == "RemoteClient":
        from .remote import RemoteClient

        return RemoteClient
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
