"""Bulk operations over HTTP: preview, create, run, pause, resume, undo; the service runs them beside the requests."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Query
from starlette.requests import Request

from ...app import App
from ...errors import BadInput, InterlockError, TooManyRequests
from ...observe.records.listing import Filter, filter_of
from ...operations.describe import describe_item, describe_operation
from ...operations.run import Run
from ..http.answers import Json
from ..http.routing import who_asks
from ..schemas import operations as shapes
from .moves import Key, role_of
from .records import pair

log = logging.getLogger("interlock.service")
AT_ONCE = 4
PATIENCE = 30.0


class Turns:
    """The operations that this process runs, each in a thread of its own; when the process ends, others may go on with them."""

    def __init__(self) -> None:
        self.stopping, self.lock = threading.Event(), threading.Lock()
        self.threads: list[threading.Thread] = []

    def take(self, begin: Callable[[], Run | None]) -> bool:
        """Begin an operation, unless this process runs as many as it may; returns whether one was begun."""
        with self.lock:
            self.threads = [one for one in self.threads if one.is_alive()]
            if len(self.threads) >= AT_ONCE:
                raise TooManyRequests(f"{AT_ONCE} operations are being run here already", retry_after=10)
            if (run := begin()) is None:
                return False
            thread = threading.Thread(
                target=self.go, args=(run,), name=f"operation {run.operation.id}", daemon=True
            )
            self.threads.append(thread)
            thread.start()
            return True

    def go(self, run: Run) -> None:
        try:
            run.go(stop=self.stopping.is_set)
        except InterlockError as error:
            log.error("operation %s stopped: %s", run.operation.id, error)
        except Exception:
            log.exception("operation %s stopped", run.operation.id)

    def wait(self, seconds: float = PATIENCE) -> bool:
        """Whether all of them ended in time."""
        for one in list(self.threads):
            one.join(seconds)
        return not any(one.is_alive() for one in self.threads)

    def close(self) -> None:
        self.stopping.set()
        self.wait()


class BulkOperations:
    """What people do to many records at once."""

    def __init__(self, app: App, turns: Turns) -> None:
        self.operations, self.turns = app.operations, turns

    def create(self, request: Request, body: shapes.OperationCommand, idempotency_key: Key = None) -> Json:
        """Freeze which records an act is about; it is run by a request of its own. With `preview`, only say what would come of it."""
        who = who_asks(request)
        if body.act == "move" and "to" not in body.model_fields_set:
            raise BadInput(
                "a move needs `to`: the state that the records are to enter, or null where that is a state"
            )
        asked: dict[str, Any] = {
            "act": body.act,
            "axis": body.axis,
            "to": body.to,
            "scope": body.scope,
            "ids": body.ids,
            "where": None if body.filter is None else filter_from(body.filter),
            "actor": who.actor,
            "role": role_of(who, body.role),
            "reason": body.reason,
            "facts": body.facts,
        }
        if body.preview:
            return Json({"operation": None, "preview": self.operations.preview(body.kind, **asked).as_dict()})
        made = self.operations.create(body.kind, **asked, ramp=body.ramp, key=idempotency_key)
        return Json({"operation": describe_operation(made), "preview": None})

    def newest(self, limit: Annotated[int, Query(ge=1, le=500)] = 50) -> Json:
        """The newest operations, and how far each is."""
        return Json({"operations": [describe_operation(one) for one in self.operations.newest(limit=limit)]})

    def show(self, id: str) -> Json:
        """One operation: how far it is, what came of its records, and why some did not move."""
        return Json(describe_operation(self.operations.get(id)))

    def items(
        self,
        id: str,
        outcome: shapes.Outcome | None = None,
        after: Annotated[int, Query(ge=0, le=2**53)] = 0,
        limit: Annotated[int, Query(ge=1, le=500)] = 100,
    ) -> Json:
        """The records of an operation, in its order, with what came of each."""
        found = self.operations.items(id, outcome=outcome, after=after, limit=limit)
        return Json(
            {
                "items": [describe_item(one) for one in found],
                "next": found[-1].number if len(found) == limit else None,
            }
        )

    def run(self, id: str) -> Json:
        """Run what was planned, or what a process left when it died; the answer comes at once, and how far it is can be asked."""
        self.turns.take(lambda: self.operations.begin(id))
        return self.show(id)

    def pause(self, id: str) -> Json:
        """Stop it after the chunk that is being moved now; what is done stays done."""
        return Json(describe_operation(self.operations.pause(id)))

    def resume(self, id: str) -> Json:
        """Go on after a pause, or behind a ramp."""
        if self.operations.unpaused(id) is None:
            self.turns.take(lambda: self.operations.begin(id, resuming=True))
        return self.show(id)

    def undo(self, request: Request, id: str, body: shapes.UndoCommand) -> Json:
        """Make the operation that brings back what this one moved, where that is legal and nobody has moved the record since."""
        who = who_asks(request)
        asked: dict[str, Any] = {"actor": who.actor, "role": role_of(who, body.role), "reason": body.reason}
        if body.preview:
            return Json({"operation": None, "preview": self.operations.preview_undo(id, **asked).as_dict()})
        return Json({"operation": describe_operation(self.operations.undo(id, **asked)), "preview": None})


def filter_from(body: shapes.OperationFilter) -> Filter:
    return filter_of(
        [pair(one) for one in body.where],
        axis=body.axis,
        scope=body.scope,
        error=body.error,
        older=body.older,
        younger=body.younger,
        text=body.text,
    )
