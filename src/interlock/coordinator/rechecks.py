"""Past a deadline a runner is asked first whether the work was done after all; no answer means no."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from ..store.work import Attempt

if TYPE_CHECKING:
    from .coordinator import Coordinator

PATIENCE = timedelta(seconds=30)


class Rechecks:
    """Questions to runners, kept on the work row itself."""

    def __init__(self, coordinator: Coordinator) -> None:
        self.on = coordinator

    def unanswered(self, tx: Connection, late: list[Attempt]) -> tuple[int, list[Attempt]]:
        """Ask about those that were not asked about; how many, and those that were answered with no, or not at all."""
        work = self.on.work
        positions = [one.position for one in late]
        asked = f"UPDATE interlock_work SET recheck_at = NOW WHERE recheck_at IS NULL AND {work.among('position', 'positions', 'bigint')}"
        if not positions:
            return 0, []
        fresh = work.run(tx, asked, {"positions": positions}).rowcount
        past = "LATER(patience)" if work.sqlite else "NOW - %(patience)s::interval"
        over = work.run(tx, f"SELECT position FROM interlock_work WHERE {work.among('position', 'positions', 'bigint')} "
                            f"AND (rechecked_by IS NOT NULL OR recheck_at < {past})", {"positions": positions},
                        patience=-PATIENCE if work.sqlite else PATIENCE).fetchall()
        final = {row[0] for row in over}
        return fresh, [one for one in late if one.position in final]
