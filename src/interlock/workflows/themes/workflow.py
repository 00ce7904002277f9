"""The themes workflow as a declaration: items with one state for each pipeline, and one stage that extracts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from importlib.util import find_spec
from typing import Any

from sqlalchemy import Connection, literal_column, select, union_all

from interlock import App, Axis, Done, Extension, Failed, Machine, Outcome, Work, Workflow, operator
from interlock.extension import Clock, SystemClock

from .adoption import FLAGS, adoption
from .compat import COMPAT_READS, EMPTY, PARSE_FAILURE, compat_fields
from .extraction.local import LocalExtractor
from .extraction.mentions import Mention, ResponseNotParseable
from .extraction.tickers import bundled_universe
from .figures import metrics
from .invariants import invariants
from .mention_storage import replace_mentions
from .options import LOCAL, Options, read_options
from .providers.faults import (
    ProviderFault,
    ProviderRejected,
    ProviderUnavailable,
    QuotaExhausted,
    RateLimited,
)
from .sources import settle_sources
from .tables import (
    PIPELINES,
    content_items,
    content_sources,
    is_fed,
    pipeline_state,
    theme_clusters,
    theme_mentions,
)

Extract = Callable[[str, str, str], list[Mention]]
log = logging.getLogger("interlock.workflows.themes")
RETRY_DELAYS = ("30s", "1m", "2m", "4m")
FETCHING_PACKAGES = ("feedparser", "httpcore", "httpx", "idna")
"""Without them, as without the extra `themes`, no feed is fetched; items still come in by the API and from files."""
LEVELS = {
    "themes_age": {"leave": "pending", "within": "1h", "share": 95},
    "themes_success": {
        "leave": "in_progress",
        "into": ["processed"],
        "among": ["processed", "failed_terminal"],
        "within": "2h",
        "share": 90,
    },
}
"""In each pipeline: 95 % of pending items are begun within an hour, and 90 % of those that come to an end are processed. An attempt that is
tried again is no end: a first empty result costs nothing of the budget."""
EXTRACTION = Machine(
    "extraction",
    initial="pending",
    moves={
        "pending": ["in_progress"],
        "in_progress": ["processed", "failed_retryable", "failed_terminal"],
        "failed_retryable": ["in_progress", "failed_terminal"],
        "processed": [operator("pending")],
        "failed_terminal": [operator("pending")],
    },
)


def declare(
    options: Options | None = None, clock: Clock | None = None, extract: Extract | None = None
) -> Workflow:
    """Return the workflow; without options those of this process's settings. `extract(title, content, pipeline)` is asked instead of the
    provider that the options name; what it raises is classified like a fault of a provider."""
    options, clock = options or read_options(), clock or SystemClock()
    workflow = Workflow(
        "themes",
        noun="item",
        records=content_items,
        unique=[content_items.c.source_type, content_items.c.external_id],
        tables=[content_sources, theme_mentions, theme_clusters],
        axes=[_axis(clock)],
    )
    workflow.mirror(*FLAGS, axis="status", reads=COMPAT_READS, alike=("pending", "in_progress"))(
        compat_fields
    )
    _declare_stage(workflow, options, clock, extract)
    _declare_schedules(workflow, options)
    workflow.extension = Extension(
        routes=f"{__package__}.api.routes:routes",
        commands={"themes": f"{__package__}.commands.noun:themes"},
        metrics=metrics(clock),
        levels=LEVELS,
        invariants=invariants(),  # they name columns that the stage has added
        intake="POST /api/v1/themes/items",
    )
    return workflow


def _axis(clock: Clock) -> Axis:
    return Axis(
        "status",
        EXTRACTION,
        table=pipeline_state,
        scope=PIPELINES,
        scope_column="pipeline",
        columns={"tries": "attempt_count"},
        stamps={"in_progress": "last_attempt_at", "processed": "processed_at"},
        cleared={"pending": ["processed_at", "empty_results"]},
        copies={"published_at": content_items.c.published_at},
        pairs=eligible_pairs(),
        adopt=adoption(clock.now()),
    )


def eligible_pairs() -> Any:
    """Select (item, pipeline) for every pipeline that the item's source feeds, as long as the source is active."""
    names: list[Any] = [select(literal_column(f"'{one}'").label("pipeline")) for one in PIPELINES]
    pipelines = union_all(*names).subquery("fed")
    return (
        select(content_items.c.id, pipelines.c.pipeline)
        .join(content_sources, content_sources.c.id == content_items.c.source_id)
        .join(pipelines, is_fed(pipelines.c.pipeline))
        .where(content_sources.c.is_active)
    )


def failure_classes(options: Options) -> dict[type[Exception], Failed[Any]]:
    """Return what becomes of each fault; what is not here is retried under the name of its class."""
    return {
        ResponseNotParseable: Failed(PARSE_FAILURE),
        ProviderUnavailable: Failed("llm_provider_unavailable"),
        RateLimited: Failed("provider_rate_limited"),
        QuotaExhausted: Failed("provider_quota_exhausted", final=True, pause=options.quota_pause),
        ProviderRejected: Failed("provider_rejected", final=True),
    }


def wait_as_asked(fault: ProviderFault, classes: Mapping[type[Exception], Failed[Any]]) -> Failed[Any]:
    """Return the failure of a provider that asks to be left alone for a while; raises the fault again where it does not ask."""
    declared = next((classes[one] for one in type(fault).__mro__ if one in classes), None)
    if declared is None or fault.after is None:
        raise fault
    return Failed(declared.code, str(fault), final=declared.final, pause=declared.pause, after=fault.after)


def judge_mentions(work: Work, mentions: list[Mention], options: Options) -> Outcome[list[Mention]]:
    """Return success, or a failure for the first empty result since the row last entered `pending`."""
    if mentions:
        return Done(mentions)
    empty = int((work.state or {}).get("empty_results") or 0) + 1
    if empty == 1 and options.empty_retry:
        return Failed(EMPTY, "no themes; tried once more", empty_results=empty)
    return Done([], empty=True, empty_results=empty)


def _declare_stage(workflow: Workflow, options: Options, clock: Clock, own: Extract | None) -> None:
    classes = failure_classes(options)
    stage = workflow.stage(
        waiting=("pending", "failed_retryable"),
        running="in_progress",
        done="processed",
        failed="failed_retryable",
        terminal="failed_terminal",
        retry=RETRY_DELAYS,
        order=content_items.c.published_at.desc(),
        timeout="5m",
        deadline="2h",
        failures=classes,
    )
    extract: Any
    if own is not None or options.provider == LOCAL:

        @cache
        def extractor() -> LocalExtractor:
            """Made for the first article: most processes that declare the workflow read none."""
            return LocalExtractor(bundled_universe().extended(options.universe))

        def extract_here(work: Work) -> Outcome[list[Mention]]:
            ask = own or extractor().extract
            try:
                return judge_mentions(work, ask(*_article(work)), options)
            except ProviderFault as fault:
                return wait_as_asked(fault, classes)

        extract_here.__name__ = "extract"
        extract = stage(extract_here)
    else:
        from .providers.endpoint import Endpoint

        universe = bundled_universe().extended(options.universe)
        endpoint = Endpoint(options.provider, options.model, universe, options.key, options.timeout, clock)

        async def extract_there(work: Work) -> Outcome[list[Mention]]:
            try:
                return judge_mentions(work, await endpoint.extract(*_article(work)), options)
            except ProviderFault as fault:
                return wait_as_asked(fault, classes)

        extract_there.__name__ = "extract"
        extract = stage(extract_there)

    @extract.save_many  # type: ignore[untyped-decorator]
    def store(tx: Connection, results: Sequence[tuple[Work, list[Mention]]]) -> None:
        replace_mentions(tx, results, clock.now())


def _declare_schedules(workflow: Workflow, options: Options) -> None:
    @workflow.every("1m")
    def settle_reassignments(app: App, tick: datetime) -> None:
        settle_sources(app)

    if not options.fetch or not all(map(find_spec, FETCHING_PACKAGES)):
        return

    @workflow.every("1m")
    def fetch_feeds(app: App, tick: datetime) -> None:
        from .feeds.fetching import fetch_due  # it needs packages that only a feed is fetched with

        done = fetch_due(app, app.clock.now(), options.allow_private)
        for problem in done.problems:
            log.warning("themes: feed of %s", problem)


def _article(work: Work) -> tuple[str, str, str]:
    record = work.record or {}
    return str(record["title"] or ""), str(record["content"] or ""), str(work.scope)
