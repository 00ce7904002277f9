"""Calls the hooks of a step inside the move's transaction, and keeps them from ending it: both stand or fall together."""

from __future__ import annotations

import logging
from typing import Any

from sqlalchemy import Connection

from ..errors import HookFailed, InterlockError, SchemaOutdated, StoreError
from ..store.connect import refuse_failed
from ..store.contract import Step
from ..store.engines import sql_of
from ..store.faults import is_driver_error, is_lost_race, translate
from ..store.kept_open import kept_open
from ..workflow import Answer, Hook, Move, Refusal, Workflow

log = logging.getLogger("interlock.authority")

HINT = "Leave commit and rollback to Interlock; raise an exception to undo the move."


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
    through. Raises `StoreError` if the hook has ended the transaction all the same: what it kept then cannot be undone."""
    name = getattr(function, "__name__", "hook")
    transaction = tx.get_transaction()
    raw: Any = tx.connection.driver_connection
    connections = sql_of(tx.dialect).connections
    began = connections.is_in_transaction(raw)
    try:
        with kept_open(tx, "a hook may not end the transaction of its move", HINT):
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


def after_removal(app: Any, workflow: Workflow, answer: Answer) -> Answer:
    """Call what the workflow wants called once a removal is committed; the answer as it was, also where a function raises."""
    for function in workflow.removed_hooks if answer.error is None else ():
        try:
            function(app, [answer])
        except Exception:
            log.exception(
                "what %s calls after a removal failed; the removal of %s stands", workflow.name, answer.id
            )
    return answer


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
