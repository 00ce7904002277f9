"""Which uploads are in doubt: they were read to their end, and balances contradict their rows, or nobody has settled their warnings.

Every surface means this: `import` and its exit code, `list --in-doubt`, the API's `in_doubt`, the console's list and what the board counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, and_, select

from interlock.extension import Need

from ..tables import IN_DOUBT, uploads

UNREAD = ("queued_for_parse", "parsing", "normalizing", "error")
"""Where nobody can say yet what an upload comes to; what failed is an error and no doubt."""
PARSED_AGAIN = ("parsed", "normalized")
"""Where a file is when it was read, and from where it is read again."""
FACT = "balances contradict the rows, or warnings are open"
PAGE_OF_DOUBTFUL = "uploads?only=in-doubt"


def is_in_doubt() -> ColumnElement[bool]:
    """The condition on a row; what failed is an error and no doubt, and what is read again may come to agree."""
    return and_(IN_DOUBT, uploads.c.status.not_in(UNREAD))


def is_under_way(row: Mapping[str, Any]) -> bool:
    """Whether an upload waits for a stage or is in one: it was not read to its end, and nothing failed."""
    return row["status"] in ("queued_for_parse", "parsing", "normalizing") or (
        row["status"] == "parsed" and bool(row.get("observations_count"))
    )


def what_goes_on(upload_id: str) -> str:
    """What gets an upload done that waits, or that a process which is gone has left."""
    return (
        "It goes on as soon as a runner is at work: one of `interlock up`, or "
        f"`interlock statements reparse {upload_id} --wait --reason TEXT`, which only waits for it."
    )


def is_doubtful(row: Mapping[str, Any]) -> bool:
    """The same of an upload as it is shown."""
    return row["status"] not in UNREAD and (row.get("reconciled") == "no" or bool(row.get("warnings_count")))


def needs() -> list[Need]:
    """What needs a person though no state says so. Asked once the workflow has its tables: the engine has added `status` by then."""
    return [
        Need(
            "statement in doubt",
            "statements in doubt",
            FACT,
            select(uploads.c.upload_id).where(is_in_doubt()),
            "interlock statements list --in-doubt",
            page=PAGE_OF_DOUBTFUL,
            sign="differs",
        )
    ]
