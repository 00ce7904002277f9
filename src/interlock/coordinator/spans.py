"""The moves of a coordinator as spans in the traces of their records: exported after the commit, where traces are collected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from .. import tracing
from ..authority.stage_move import StageMove
from ..errors import state_text
from ..store.ledger import traces
from ..workflow import Answer

if TYPE_CHECKING:
    from .coordinator import Coordinator


class Spans:
    """Collects the moves of one coordinator step and emits them as spans after the commit; a step that failed emits none."""

    def __init__(self, coordinator: Coordinator) -> None:
        self.on = coordinator
        self._known: dict[tuple[str, str], str] = {}
        self._moved: list[tuple[str, dict[str, Any]]] = []

    def note(self, tx: Connection, stage_move: StageMove, answers: Mapping[Any, Answer]) -> None:
        """Remember what moved; records that nobody traced cost one question for all of them."""
        kind = stage_move.workflow.name
        moved = {str(key): answer for key, answer in answers.items() if answer.outcome == "moved"}
        for id, trace in traces.of_records(tx, kind, moved).items() if moved else ():
            self._known[kind, id] = trace
            answer = moved[id]
            self._moved.append(
                (
                    trace,
                    {
                        "kind": kind,
                        "id": id,
                        "axis": stage_move.axis.name,
                        "scope": stage_move.scope or None,
                        "from": state_text(answer.old),
                        "to": state_text(answer.new),
                        "version": answer.version,
                        "cause": stage_move.cause,
                    },
                )
            )

    def hand_over(self, tx: Connection, kind: str, axis: str, scope: str, ids: Iterable[str]) -> None:
        """Give the traces of what was dispatched just now to whoever will work on it."""
        if found := {id: self._known[kind, id] for id in ids if (kind, id) in self._known}:
            traces.hand_over(self.on.work, tx, kind, axis, scope, found)

    def tell(self) -> None:
        """It is committed."""
        for trace, about in self._moved:
            with tracing.span(f"interlock.move {about['to']}", trace, **about):
                pass
        self.forget()

    def forget(self) -> None:
        self._known.clear()
        self._moved.clear()
