"""Calls the hooks of a step inside the move's transaction, and keeps them from ending it: both stand or fall together."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, TextClause

from ..errors import BadInput, HookFailed, InterlockError, SchemaOutdated, StoreError
from ..store.connect import refuse_failed
from ..store.contract import Step
from ..store.engines import sql_of
from ..store.faults import is_driver_error, is_lost_race, translate
from ..workflow import Hook, Move, Refusal, Workflow

log = logging.getLogger("interlock.authority")

HINT = "Leave commit and rollback to Interlock; raise an exception to undo the move."
_ENDS = re.compile(
    r"\s*(?:commit|rollback(?!\s+(?:\w+\s+)?to\b)|begin|end|abort|start\s+transaction)\b", re.IGNORECASE
)
_REFUSED = ("commit", "rollback", "close", "invalidate", "detach")


def hooks_of(workflow: Workflow, step: Step) -> list[Hook]:
    """The hooks of this step: those of the state it enters; an amendment enters nothing, and calls those that ask for amendments."""
    template = step.template
    entered = template.old != template.new
    return [
        hook
        for hook in workflow.hooks
        if hook.wants(template.axis, template.new)
        and (entered or (hook.amended and template.origin == "amend"))
    ]


def call_hook(function: Any, tx: Connection, moves: list[Move] | list[Refusal]) -> None:
    """Call it; a fault of the hook is `HookFailed`, a table that only it names and that is missing among them; one of the database goes
    through. Raises `StoreError` if the hook has ended the
    transaction all the same: what it kept then cannot be undone."""
    name = getattr(function, "__name__", "hook")
    transaction = tx.get_transaction()
    raw: Any = tx.connection.driver_connection
    connections = sql_of(tx.dialect).connections
    began = connections.is_in_transaction(raw)
    try:
        with _kept_open(tx), _driver_kept_open(raw):
            function(tx, moves)
        refuse_failed(tx, f"hook {name}")
    except InterlockError:
        raise
    except Exception as error:
        if is_driver_error(error) and not isinstance(translate(error), SchemaOutdated):
            raise  # a table that is missing would be missing for the move too, were it ours
        raise HookFailed(f"hook {name} failed: {type(error).__name__}: {error}", hook=name) from error
    finally:
        ended = transaction is not None and not transaction.is_active
        if ended or (began and not connections.is_in_transaction(raw)):
            if connections.is_in_transaction(raw):  # the driver has refused what SQLAlchemy takes for done
                raw.rollback()
            raise StoreError(
                f"hook {name} ended the transaction of its move: what it had changed until then is kept or gone, whatever came after",
                hint=f"Look at the records: {', '.join(str(move.id) for move in moves[:5])}. {HINT}",
            )


def call_refusal_hooks(tx: Connection, workflow: Workflow, refusals: list[Refusal]) -> None:
    """Call what the workflow wants called with refusals, each function in a savepoint: one that raises takes neither the refusals nor the
    other functions along."""
    for function in workflow.refusal_hooks if refusals else ():
        try:
            with tx.begin_nested():
                call_hook(function, tx, refusals)
        except StoreError:
            raise
        except Exception as error:
            if is_lost_race(error):
                raise
            log.exception(
                "a hook of %s failed; the refusal it was called with stands: %s",
                workflow.name,
                refusals[0].error,
            )


@contextmanager
def _kept_open(tx: Connection) -> Iterator[None]:
    """Refuse whatever would end the connection's transaction, as a fault of the hook."""
    kept = {
        **dict.fromkeys(_REFUSED, _refuse),
        "execute": _watched(tx.execute),
        "exec_driver_sql": _watched(tx.exec_driver_sql),
    }
    before = {name: vars(tx)[name] for name in kept if name in vars(tx)}
    vars(tx).update(kept)
    try:
        yield
    finally:
        for name in kept:
            del vars(tx)[name]
        vars(tx).update(before)


@contextmanager
def _driver_kept_open(raw: Any) -> Iterator[None]:
    """Refuse the same of the driver's own connection, where its object takes attributes; where it does not, whether the transaction is
    still open is asked afterwards."""
    attributes = getattr(raw, "__dict__", None)
    if attributes is None:
        yield
        return
    kept = {"commit": _refuse, "rollback": _refuse, "execute": _watched(raw.execute)}
    before = {name: attributes[name] for name in kept if name in attributes}
    attributes.update(kept)
    try:
        yield
    finally:
        for name in kept:
            attributes.pop(name, None)
        attributes.update(before)


def _refuse(*_: Any, **__: Any) -> Any:
    raise BadInput("a hook may not end the transaction of its move", hint=HINT)


def _watched(run: Any) -> Any:
    def running(statement: Any, *arguments: Any, **options: Any) -> Any:
        text = statement.text if isinstance(statement, TextClause) else statement
        if isinstance(text, str) and _ENDS.match(text):
            _refuse()
        return run(statement, *arguments, **options)

    return running
