"""What guards hold against the server's clock: the instants that entries record, and the dates until which a record is put off.

Where a record may go never depends on a clock. A test or a replay brings its own clock; then the owner has said so in `interlock_meta`,
and nothing here is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from ....workflow.durations import LONGEST
from ...guarded import Guarded
from ...sql import text
from ..moves.move_context import AT
from ..moves.parameters import interval

LARGEST_DIFFERENCE = timedelta(days=1)
INJECTED = "EXISTS (SELECT 1 FROM interlock_meta c WHERE c.key = 'clock' AND c.value = 'injected')"
"""SQL: the owner has said that clocks are injected; `app.migrate()` says so for an app that has one."""


def is_near(instant: str = f"{AT}::timestamptz") -> str:
    """SQL: at most a day from the server's clock, either way; processes on PostgreSQL correct theirs by it."""
    day = interval(LARGEST_DIFFERENCE)
    return f"{instant} BETWEEN statement_timestamp() - {day} AND statement_timestamp() + {day}"


def refuse_far_instants(guarded: Guarded) -> str:
    """Statements: the instant that was said is near, or clocks are injected."""
    place = guarded.placement
    why = text(
        f"ILK-213: {place.kind}: the instant of an entry of {place.name} lies more than a day from the server's clock"
    )
    return f"""
IF told AND NOT ({is_near("instant")}) THEN
    IF NOT {INJECTED} THEN RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = {why}; END IF;
END IF;"""


def _dates(guards: Sequence[Guarded], row: str) -> list[str]:
    """What a record of a table that Interlock made waits for; a timer may be longer than any stage can ask to wait."""
    found = []
    for guarded in guards:
        place = guarded.placement
        if place.axis.adopt is not None or not place.workflow.create:
            continue
        if place.axis.has("ready_at"):
            found.append(f"{row}.{place.quote(place.axis.column_name('ready_at'))}")
        if guarded.has_timers:
            spans = [
                one.after for machine in guarded.machines for one in machine.timers.values() if one.after
            ]
            longer = max([timedelta(), *(one - LONGEST for one in spans)])
            found.append(f"{row}.{place.quote(place.axis.column_name('timer_at'))} - {interval(longer)}")
    return found


def latest_date(guards: Sequence[Guarded], row: str) -> str | None:
    """SQL: the latest date that a row waits for; None where rows have none."""
    dates = _dates(guards, row)
    return f"greatest({', '.join(dates)})" if dates else None


def is_put_off(date: str) -> str:
    """SQL: the date lies further ahead than any stage or timer can ask for."""
    return f"{date} > statement_timestamp() + {interval(LONGEST + LARGEST_DIFFERENCE)}"


def refuse_put_off(guards: Sequence[Guarded]) -> str:
    """Statements: no row waits for longer than any stage or timer can ask for; `due` is whether one does."""
    if latest_date(guards, "n") is None:
        return ""
    why = text(
        f"ILK-213: {guards[0].placement.kind}: a record is put off for longer than any stage or timer can ask for"
    )
    return f"""
IF due THEN
    IF NOT {INJECTED} THEN RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = {why}; END IF;
END IF;"""
