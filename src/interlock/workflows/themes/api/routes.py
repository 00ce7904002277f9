"""The routes of the themes workflow, each with the least scope that reaches it."""

from __future__ import annotations

import threading
from typing import Annotated, Any

from fastapi import Path, Query
from starlette.requests import Request

from interlock import App, Workflow
from interlock.client import connect
from interlock.errors import InterlockError
from interlock.http import (
    API,
    Json,
    Limits,
    Route,
    caller_of,
    decode_cursor,
    encode_cursor,
    record_id,
    role_for,
)

from .. import health, items, ranking, sources
from ..invariants import read_spec
from ..tables import LARGEST_ID
from . import schemas

BASE = f"{API}/themes"
AT_ONCE = 1_000
"""Up to so many items are reset within the request; more are reset behind it."""
Limit = Annotated[int, Query(ge=1, le=500)]
Cursor = Annotated[str | None, Query(min_length=1, max_length=1000, description="`next` of the page before.")]
Pipeline = Annotated[schemas.Pipeline | None, Query()]
Statuses = Annotated[list[schemas.Status], Query(description="Any of these.")]
Text = Annotated[str | None, Query(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]
SourceId = Annotated[int, Path(ge=1, le=LARGEST_ID)]
ClusterKey = Annotated[str, Path(min_length=1, max_length=96, pattern=r"^[^\x00]*$")]
Window = Annotated[str, Query(max_length=10, examples=["7d"], description="24h, 7d or 4w.")]


def routes(app: App, workflow: Workflow, limits: Limits) -> list[Route]:
    """Return everything under /themes."""
    themes = Themes(app, workflow, limits)
    table: list[tuple[str, str, Any, Any, str, int]] = [
        ("POST", "/sources", themes.add_source, schemas.Source, "operator", 201),
        ("GET", "/sources", themes.list_sources, schemas.Sources, "viewer", 200),
        ("PATCH", "/sources/{id}", themes.reassign, schemas.Reassigned, "operator", 200),
        ("POST", "/items", themes.add_items, schemas.AdmittedItems, "curator", 201),
        ("GET", "/items", themes.list_items, schemas.ItemPage, "viewer", 200),
        ("GET", "/items/{id}", themes.show_item, schemas.ItemAnswer, "viewer", 200),
        ("GET", "/items/{id}/mentions", themes.list_mentions, schemas.Mentions, "viewer", 200),
        ("POST", "/items/{id}/reset", themes.reset_item, schemas.Reset, "operator", 200),
        ("POST", "/reset", themes.reset_many, schemas.ResetMany, "operator", 200),
        ("GET", "/top", themes.top, schemas.Top, "viewer", 200),
        ("GET", "/clusters/{key}", themes.show_cluster, schemas.Cluster, "viewer", 200),
        ("GET", "/health", themes.health, schemas.HealthAnswer, "viewer", 200),
        ("GET", "/invariants", themes.invariants, schemas.Invariants, "viewer", 200),
    ]
    return [
        Route(
            method,
            BASE + path,
            endpoint,
            schema,
            status=status,
            least=least,
            problems=("422",) if method == "GET" else ("409", "422"),
            also={202: schema} if path == "/reset" else {},
        )
        for method, path, endpoint, schema, least, status in table
    ]


class Themes:
    """What may be asked about sources, items and themes, and done with them."""

    def __init__(self, app: App, workflow: Workflow, limits: Limits) -> None:
        self.app, self.workflow, self.limits = app, workflow, limits

    def add_source(self, source: schemas.SourceCommand) -> Json:
        """Add a source and the pipelines that it feeds."""
        return Json(sources.add_source(self.app, **source.model_dump()), 201)

    def list_sources(self) -> Json:
        """Every source, the most important first."""
        return Json({"sources": sources.list_sources(self.app)})

    def reassign(self, request: Request, id: SourceId, change: schemas.ReassignCommand) -> Json:
        """Change which pipelines a source feeds: items get the rows that they lack, and what is in progress for a pipeline that went is
        ended; its worker is refused when it reports."""
        return Json(sources.reassign(self.app, id, **by(request), **change.model_dump()))

    def add_items(self, request: Request, command: schemas.ItemsCommand) -> Json:
        """Add items, each answered in its place; one that is there already answers with its id."""
        entries = [one.model_dump() for one in command.items]
        return Json({"items": items.ingest(self.app, entries, actor=caller_of(request).actor)}, 201)

    def list_items(
        self,
        pipeline: Pipeline = None,
        status: Statuses = [],  # noqa: B006 read by FastAPI, never changed
        q: Text = None,
        source_id: Annotated[int | None, Query(ge=1, le=LARGEST_ID)] = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Json:
        """A page of items, the newest first, by pipeline, status, source and text."""
        rows, after = items.list_items(
            self.app,
            pipeline=pipeline,
            status=status,
            text=q,
            source_id=source_id,
            limit=min(limit, self.limits.page),
            after=None if cursor is None else decode_cursor(cursor),
        )
        return Json({"items": rows, "next": None if after is None else encode_cursor(after)})

    def show_item(self, id: str) -> Json:
        """One item with its text, its compatibility fields and its state in each pipeline."""
        return Json(items.read_item_row(self.app, self.id(id)))

    def list_mentions(self, id: str, pipeline: Pipeline = None) -> Json:
        """The themes that pipelines read in an item."""
        return Json({"mentions": items.read_item_mentions(self.app, self.id(id), pipeline)})

    def reset_item(self, request: Request, id: str, command: schemas.ResetCommand) -> Json:
        """Process an item again, in one pipeline or in all; with `dry_run`, only count."""
        return Json(items.reset_item(self.app, self.id(id), **by(request), **command.model_dump()))

    def reset_many(self, request: Request, command: schemas.ResetManyCommand) -> Json:
        """Process all items of a pipeline again that match, as an operation; 202 where it goes on behind the answer."""
        asked = command.model_dump(exclude={"dry_run"})
        who = by(request)
        bulk = items.reset_command(role=who["role"], **asked)
        operations = connect(self.app, actor=who["actor"]).operations
        if command.dry_run:
            preview = operations.preview(bulk)
            return Json(
                {"dry_run": True, "records": preview.records, "counts": preview.outcomes, "operation": None}
            )
        operation = operations.create(bulk)
        if operation.records <= AT_ONCE:
            operation = operations.run(operation.id)
        else:
            threading.Thread(
                target=self._run, args=(operation.id,), name=f"reset {operation.id}", daemon=True
            ).start()
        return Json(
            {
                "dry_run": False,
                "records": operation.records,
                "counts": operation.outcomes,
                "operation": operation.id,
            },
            200 if operation.records <= AT_ONCE else 202,
        )

    def _run(self, id: str) -> None:
        try:
            self.app.operations.run(id)
        except InterlockError:  # whoever sweeps goes on with it, and its status says so
            return

    def top(
        self,
        pipeline: Pipeline = None,
        window: Window = "7d",
        limit: Annotated[int, Query(ge=1, le=ranking.MOST_THEMES)] = 20,
    ) -> Json:
        """The themes that were mentioned most within a window."""
        themes = ranking.top_themes(self.app, pipeline=pipeline, window=window, limit=limit)
        return Json({"window": window, "pipeline": pipeline, "themes": themes})

    def show_cluster(self, key: ClusterKey) -> Json:
        """One cluster of themes, by its own key or by that of a theme in it."""
        return Json(ranking.read_cluster(self.app, key))

    def health(self) -> Json:
        """Figures, alerts and drift of each pipeline, what is paused, and every invariant."""
        return Json(health.read_health(self.app))

    def invariants(self) -> Json:
        """The invariants of the spec, whether each holds now, and the deviations that were accepted."""
        spec = read_spec()
        return Json(
            {
                "name": spec["name"],
                "version": spec["version"],
                "invariants": health.check_invariants(self.app),
                "deviations": spec["deviations"],
            }
        )

    def id(self, text: str) -> int:
        return int(record_id(self.app, self.workflow, text))


def by(request: Request) -> dict[str, Any]:
    """Who acts, and in which role."""
    who = caller_of(request)
    return {"actor": who.actor, "role": role_for(who, None)}
