"""Bulk operations as a client sees them, run in this process and by a service: previewed, run in chunks, paused, undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from ..clock import Clock
from ..operations.describe import describe_item
from .api_words import PAGE, command_body, operation_path, value_of
from .api_words import operation_of as answered_operation
from .convert import filter_in, item_of, operation_of, preview_of, progress_of
from .values import BulkCommand, Operation, OperationItem, OperationPreview

if TYPE_CHECKING:  # requests need httpx, which an app without a service has not
    from .connection import Connection
    from .local import LocalClient

LOOK_SECONDS = 0.3


class Operations(Protocol):
    """Acts on many records: previewed, run in chunks, paused, undone."""

    def preview(self, command: BulkCommand) -> OperationPreview:
        """What would come of it; nothing is changed."""
        ...

    def create(self, command: BulkCommand, *, key: str | None = None) -> Operation:
        """Freeze which records it is about."""
        ...

    def run(self, id: str, *, progress: Callable[[Operation], None] | None = None) -> Operation:
        """Run it to its end or to its pause; `progress` is called as it goes."""
        ...

    def resume(self, id: str, *, progress: Callable[[Operation], None] | None = None) -> Operation:
        """Go on after a pause, to the end or to the next pause."""
        ...

    def pause(self, id: str) -> Operation:
        """Stop it after the chunk that is being moved now."""
        ...

    def get(self, id: str) -> Operation:
        """The operation with its progress."""
        ...

    def newest(self, *, limit: int = 50) -> list[Operation]:
        """The newest operations first."""
        ...

    def items(
        self, id: str, *, outcome: str | None = None, after: int = 0, limit: int = 100
    ) -> list[OperationItem]:
        """The records of an operation in its order, with what came of each."""
        ...

    def preview_undo(self, id: str, *, reason: str, role: str | None = None) -> OperationPreview:
        """What undoing it would bring back."""
        ...

    def undo(self, id: str, *, reason: str, role: str | None = None) -> Operation:
        """Make the operation that brings back what this one moved, where that is legal; `run` runs it."""
        ...


class LocalOperations:
    """The app's own operations, run in this process."""

    def __init__(self, client: LocalClient) -> None:
        self.client, self.app = client, client.app

    def preview(self, command: BulkCommand) -> OperationPreview:
        return preview_of(self.app.operations.preview(command.kind, **self._asked(command)))

    def create(self, command: BulkCommand, *, key: str | None = None) -> Operation:
        asked = self._asked(command)
        return operation_of(self.app.operations.create(command.kind, **asked, ramp=command.ramp, key=key))

    def run(self, id: str, *, progress: Callable[[Operation], None] | None = None) -> Operation:
        return operation_of(self.app.operations.run(id, tell=progress_of(progress)))

    def resume(self, id: str, *, progress: Callable[[Operation], None] | None = None) -> Operation:
        return operation_of(self.app.operations.resume(id, tell=progress_of(progress)))

    def pause(self, id: str) -> Operation:
        return operation_of(self.app.operations.pause(id))

    def get(self, id: str) -> Operation:
        return operation_of(self.app.operations.get(id))

    def newest(self, *, limit: int = 50) -> list[Operation]:
        return [operation_of(one) for one in self.app.operations.newest(limit=limit)]

    def items(
        self, id: str, *, outcome: str | None = None, after: int = 0, limit: int = 100
    ) -> list[OperationItem]:
        rows = self.app.operations.items(id, outcome=outcome, after=after, limit=limit)
        return [item_of(describe_item(row)) for row in rows]

    def preview_undo(self, id: str, *, reason: str, role: str | None = None) -> OperationPreview:
        operations = self.app.operations
        return preview_of(operations.preview_undo(id, actor=self.client.actor, role=role, reason=reason))

    def undo(self, id: str, *, reason: str, role: str | None = None) -> Operation:
        return operation_of(self.app.operations.undo(id, actor=self.client.actor, role=role, reason=reason))

    def _asked(self, command: BulkCommand) -> dict[str, Any]:
        self.client.workflow(command.kind)
        return {
            "act": command.act,
            "axis": command.axis,
            "to": command.to,
            "scope": command.scope,
            "ids": None if command.ids is None else list(command.ids),
            "where": None if command.filter is None else filter_in(command.filter),
            "role": command.role,
            "reason": command.reason,
            "facts": command.facts,
            "actor": self.client.actor,
        }


class RemoteOperations:
    """The operations of a service: it runs them, and is asked how far they are."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        self.connection, self.clock = connection, clock

    def preview(self, command: BulkCommand) -> OperationPreview:
        body = {**command_body(command), "ramp": None, "preview": True}
        return value_of(OperationPreview, self.connection.ask("POST", "/operations", body=body)["preview"])

    def create(self, command: BulkCommand, *, key: str | None = None) -> Operation:
        answer = self.connection.ask("POST", "/operations", body=command_body(command), key=key)
        return answered_operation(answer["operation"])

    def run(self, id: str, *, progress: Callable[[Operation], None] | None = None) -> Operation:
        return self._carried_out(id, "run", progress)

    def resume(self, id: str, *, progress: Callable[[Operation], None] | None = None) -> Operation:
        return self._carried_out(id, "resume", progress)

    def _carried_out(self, id: str, act: str, progress: Callable[[Operation], None] | None) -> Operation:
        """Have it run; a service that dies meanwhile leaves it stalled, and it can be run again."""
        operation = answered_operation(self.connection.ask("POST", f"{operation_path(id)}/{act}", body={}))
        while operation.status == "running" and not operation.stalled:
            if progress is not None:
                progress(operation)
            self.clock.sleep(LOOK_SECONDS)
            operation = self.get(id)
        if progress is not None:
            progress(operation)
        return operation

    def pause(self, id: str) -> Operation:
        return answered_operation(self.connection.ask("POST", f"{operation_path(id)}/pause", body={}))

    def get(self, id: str) -> Operation:
        return answered_operation(self.connection.ask("GET", operation_path(id)))

    def newest(self, *, limit: int = 50) -> list[Operation]:
        answer = self.connection.ask("GET", "/operations", query=[("limit", limit)])
        return [answered_operation(one) for one in answer["operations"]]

    def items(
        self, id: str, *, outcome: str | None = None, after: int = 0, limit: int = 100
    ) -> list[OperationItem]:
        items: list[OperationItem] = []
        start: int | None = after
        while start is not None and len(items) < limit:
            query = [("outcome", outcome), ("after", start), ("limit", min(limit - len(items), PAGE))]
            answer = self.connection.ask("GET", f"{operation_path(id)}/items", query=query)
            items += [item_of(one) for one in answer["items"]]
            start = answer["next"]
        return items

    def preview_undo(self, id: str, *, reason: str, role: str | None = None) -> OperationPreview:
        body = {"role": role, "reason": reason, "preview": True}
        answer = self.connection.ask("POST", f"{operation_path(id)}/undo", body=body)
        return value_of(OperationPreview, answer["preview"])

    def undo(self, id: str, *, reason: str, role: str | None = None) -> Operation:
        body = {"role": role, "reason": reason}
        answer = self.connection.ask("POST", f"{operation_path(id)}/undo", body=body)
        return answered_operation(answer["operation"])
