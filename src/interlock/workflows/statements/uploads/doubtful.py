"""Which uploads are in doubt: they were read to their end, and their rows contradict the balances that the bank printed."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, select

from interlock.extension import Need

from ..tables import DIFFERS, uploads

PARSED_AGAIN = ("parsed", "normalized")
"""Where a file is when it was read, and from where it is read again."""
PAGE_OF_DOUBTFUL = "uploads?only=in-doubt"


def is_in_doubt() -> ColumnElement[bool]:
    """The condition on a row; what failed is an error and no doubt, and what is read again may come to agree."""
    return and_(DIFFERS, uploads.c.status.in_(PARSED_AGAIN))


def needs() -> list[Need]:
    """What needs a person though no state says so. Asked once the workflow has its tables: the engine has added `status` by then."""
    return [
        Need(
            "statement in doubt",
            "statements in doubt",
            "the sums do not agree",
            select(uploads.c.upload_id).where(is_in_doubt()),
            "interlock statements list --in-doubt",
            page=PAGE_OF_DOUBTFUL,
            sign="differs",
        )
    ]
