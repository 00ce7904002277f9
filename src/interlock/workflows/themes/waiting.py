"""How much is left to do: pairs that wait or run, of sources that feed their pipeline and of pipelines that are not paused."""

from __future__ import annotations

from sqlalchemy import and_, func, or_, select

from interlock import App

from .sources import KIND
from .tables import PIPELINES, content_items, content_sources, is_fed, pipeline_state

STATES_DECIDE = 3
"""The phase of adoption from which on states, and not flags, decide what is extracted."""


def count_waiting(app: App) -> int:
    """Return how many rows can be begun or are in progress: pending ones, and failures whose time to be tried again has come. None can be
    begun as long as an older system's flags say what is to be done."""
    if any(one.number < STATES_DECIDE for one in app.adoptions.status(KIND)):
        return 0
    paused = {one.scope for one in app.paused() if one.kind == KIND}
    open_pipelines = [one for one in PIPELINES if one not in paused and "" not in paused]
    rows = pipeline_state.c
    can_begin = and_(
        or_(
            rows.status == "pending",
            and_(rows.status == "failed_retryable", rows.ready_at <= app.clock.now()),
        ),
        rows.pipeline.in_(open_pipelines),
        content_sources.c.is_active,
        is_fed(rows.pipeline),
    )
    query = (
        select(func.count())
        .select_from(pipeline_state)
        .join(content_items, content_items.c.id == rows.content_item_id)
        .join(content_sources, content_sources.c.id == content_items.c.source_id)
        .where(or_(can_begin, rows.status == "in_progress"))
    )
    with app.database.read() as tx:
        return int(tx.execute(query).scalar_one())
