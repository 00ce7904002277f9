"""Past a deadline a runner is asked first whether the work was done after all; no answer means no."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from ..store.work import rechecking
from ..store.work.attempts import Attempt

if TYPE_CHECKING:
    from .coordinator import Coordinator

PATIENCE = timedelta(seconds=30)


class Rechecks:
    """Asks runners about attempts past their deadline; question and answer are columns of the work row."""

    def __init__(self, coordinator: Coordinator) -> None:
        self.on = coordinator

    def unanswered(self, tx: Connection, late: list[Attempt]) -> tuple[int, list[Attempt]]:
        """Ask about those that were not asked about; how many, and those that were answered with no, or not at all."""
        if not late:
            return 0, []
        positions = [one.position for one in late]
        fresh = rechecking.ask(self.on.work, tx, positions)
        final = rechecking.over(self.on.work, tx, positions, PATIENCE)
        return fresh, [one for one in late if one.position in final]
