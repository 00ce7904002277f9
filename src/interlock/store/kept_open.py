"""Keeps a transaction open while functions of a team run in it: whatever would end it is refused as their fault."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, TextClause

from ..errors import BadInput

_ENDS = re.compile(
    r"\s*(?:commit|rollback(?!\s+(?:\w+\s+)?to\b)|begin|end|abort|start\s+transaction)\b", re.IGNORECASE
)
_REFUSED = ("commit", "rollback", "close", "invalidate", "detach")


@contextmanager
def kept_open(tx: Connection, message: str, hint: str) -> Iterator[None]:
    """Refuse with this message and hint whatever would end the connection's transaction: through SQLAlchemy, and through the driver's own
    connection where its object takes attributes."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise BadInput(message, hint=hint)

    with _kept_open(tx, refuse), _driver_kept_open(tx.connection.driver_connection, refuse):
        yield


@contextmanager
def _kept_open(tx: Connection, refuse: Callable[..., Any]) -> Iterator[None]:
    kept = {
        **dict.fromkeys(_REFUSED, refuse),
        "execute": _watched(tx.execute, refuse),
        "exec_driver_sql": _watched(tx.exec_driver_sql, refuse),
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
def _driver_kept_open(raw: Any, refuse: Callable[..., Any]) -> Iterator[None]:
    """The same of the driver's own connection; where its object takes no attributes, whether the transaction is still open can only be
    asked afterwards."""
    attributes = getattr(raw, "__dict__", None)
    if attributes is None:
        yield
        return
    kept = {"commit": refuse, "rollback": refuse, "execute": _watched(raw.execute, refuse)}
    before = {name: attributes[name] for name in kept if name in attributes}
    attributes.update(kept)
    try:
        yield
    finally:
        for name in kept:
            attributes.pop(name, None)
        attributes.update(before)


def _watched(run: Any, refuse: Callable[..., Any]) -> Any:
    def running(statement: Any, *arguments: Any, **options: Any) -> Any:
        text = statement.text if isinstance(statement, TextClause) else statement
        if isinstance(text, str) and _ENDS.match(text):
            refuse()
        return run(statement, *arguments, **options)

    return running
