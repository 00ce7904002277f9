"""The ledger as an app shows it: history of one record, tail in commit order, verification."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import UnknownKind
from ..store import ledger
from ..store.connect import Database
from ..store.ledger import Cursor
from ..store.placement import record_name
from ..store.verify import Report
from ..workflow import Move, Workflow
from .invariants import check


class Ledger:
    """Reads; the authority writes."""

    def __init__(self, database: Database, workflows: Mapping[str, Workflow]) -> None:
        self.database, self.workflows = database, workflows

    def history(self, kind: str | Workflow, id: Any, *, axis: str | None = None, scope: str | None = None) -> list[Move]:
        """Every move of a record, oldest first."""
        with self.database.read() as tx:
            return ledger.history(tx, self._name(kind), self._record(kind, id), axis, scope)

    def tail(self, after: Cursor | str | None = None, *, limit: int = 100, kind: str | None = None) -> list[tuple[Cursor, Move]]:
        """Moves after a cursor in commit order; without a cursor the newest ones."""
        with self.database.read() as tx:
            if after is None:
                return ledger.newest(self.database, tx, limit, kind)
            cursor = Cursor.parse(after) if isinstance(after, str) else after
            return ledger.tail(self.database, tx, cursor, limit, kind)

    def verify(self, kind: str | Workflow | None = None, id: Any = None) -> Report:
        """Verify everything, one kind, or one record."""
        name = None if kind is None else self._name(kind)
        return check(self.database, list(self.workflows.values()), name, None if id is None or kind is None else self._record(kind, id))

    def _record(self, kind: str | Workflow, id: Any) -> str:
        return record_name(self.workflows[self._name(kind)], id, self.database.dialect)

    def _name(self, kind: str | Workflow) -> str:
        name = kind.name if isinstance(kind, Workflow) else kind
        if name not in self.workflows:
            raise UnknownKind(f"this app has no workflow {name!r}; it has {', '.join(self.workflows)}", kind=name)
        return name
