"""The routes of one kind: its list, a record, its decision, its work; domains come in by theirs, contacts go out by theirs."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import Query
from sqlalchemy import select
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import StreamingResponse

from interlock import App, Workflow
from interlock.client import BulkCommand, RecordFilter, connect
from interlock.errors import BadInput, InterlockError
from interlock.http import (
    API,
    Json,
    Limits,
    MalformedForm,
    Route,
    caller_of,
    decode_cursor,
    encode_cursor,
    patch_axis,
    read_form,
    record_id,
    role_for,
)

from ..import_export import VIEWS, ImportLine, contact_rows, read_domain, read_table, write_contacts
from ..tables import PUBLIC_COLUMNS
from . import schemas

AT_ONCE = 1_000
"""Up to so many records are decided within the request; more are an operation of their own."""
PART = 5_000
"""So many ids are looked up by one statement."""
UNCHANGED = "It is decided so already; POST …/retry sends what failed back into the queue, POST …/reprocess what is complete."
Limit = Annotated[int, Query(ge=1, le=500)]
Cursor = Annotated[str | None, Query(min_length=1, max_length=1000, description="`next` of the page before.")]
States = Annotated[list[str], Query(description="Any of these; `null` is one.")]
Text = Annotated[str | None, Query(min_length=1, max_length=200)]
CSV: dict[str, Any] = {"text/csv": {"schema": {"type": "string"}}}
FILE = {
    "required": True,
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "required": ["file"],
                "properties": {
                    "file": {
                        "type": "string",
                        "format": "binary",
                        "description": "CSV with a column domain or url; of contacts email or phone, and domain.",
                    }
                },
            }
        }
    },
}


def routes(app: App, workflow: Workflow, limits: Limits) -> list[Route]:
    """Everything under /domains, /sitemap-files, /pages or /contacts."""
    kind = Kind(app, workflow, limits)
    base, one = f"{API}/{workflow.name}", f"{API}/{workflow.name}/{{id}}"
    problems = ("409", "422")
    declared = [
        Route("GET", base, kind.page, schemas.RecordPage, least="viewer", problems=("422",)),
        Route("GET", one, kind.show, schemas.RecordAnswer, least="viewer"),
        patch_axis(app, workflow, "curation_status", path=one, least="curator", unchanged=UNCHANGED),
        Route(
            "PUT",
            f"{base}/curation",
            kind.curate,
            schemas.Curated,
            least="curator",
            problems=problems,
            also={202: schemas.Curated},
        ),
        Route("POST", f"{one}/retry", kind.retry, schemas.RecordAnswer, least="operator", problems=problems),
        Route(
            "POST",
            f"{one}/reprocess",
            kind.reprocess,
            schemas.RecordAnswer,
            least="operator",
            problems=problems,
        ),
    ]
    declared.append(
        Route(
            "POST",
            f"{base}/import",
            kind.import_file,
            schemas.AddedDomains if workflow.name == "domains" else schemas.AddedRecords,
            least="curator",
            body=FILE,
            problems=("413", "422"),
        )
    )
    if workflow.name == "domains":
        declared += [
            Route(
                "POST", base, kind.add, schemas.AddedDomains, status=201, least="curator", problems=("422",)
            ),
        ]
    if workflow.name == "contacts":
        declared.insert(1, Route("GET", f"{base}/export", kind.export, None, least="viewer", content=CSV))
    return declared


class Kind:
    """What may be asked about the records of one kind, and done to them."""

    def __init__(self, app: App, workflow: Workflow, limits: Limits) -> None:
        self.app, self.workflow, self.limits = app, workflow, limits

    def page(
        self,
        curation_status: States = [],  # noqa: B006 read by FastAPI, never changed
        processing_status: States = [],  # noqa: B006 likewise
        view: Text = None,
        q: Text = None,
        sort: Text = None,
        domain_id: int | None = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Json:
        """A page of records with both statuses; a repeated parameter means any of, `view` is wanted, ready, processing or unreviewed."""
        where: dict[str, Any] = {}
        if view is not None:
            if view not in VIEWS:
                raise BadInput(f"there is no view {view!r}", hint=f"There are {', '.join(VIEWS)}.")
            where |= VIEWS[view]
        for axis, states in (("curation_status", curation_status), ("processing_status", processing_status)):
            if states and axis in where:
                raise BadInput(f"the view {view} names {axis} itself", hint=f"Leave out view or {axis}.")
        if curation_status:
            where["curation_status"] = curation_status
        if processing_status:
            where["processing_status"] = [None if one == "null" else one for one in processing_status]
        if domain_id is not None:
            where["domain_id"] = domain_id
        page = self.app.list(
            self.workflow,
            where=where,
            columns=PUBLIC_COLUMNS[self.workflow.name],
            sort=sort,
            text=q,
            limit=min(limit, self.limits.page),
            after=None if cursor is None else decode_cursor(cursor),
        )
        rows = [
            {"id": one.id, **one.columns, **{at.axis: at.state for at in one.where}} for one in page.records
        ]
        return Json({"records": rows, "next": None if page.next is None else encode_cursor(page.next)})

    def show(self, id: str) -> Json:
        """One record with both statuses; its ETag is what If-Match takes."""
        row = self.row(record_id(self.app, self.workflow, id))
        versions = (row["curation_version"], row["processing_version"])
        tag = ".".join("-" if one is None else str(one) for one in versions)
        return Json(row, headers={"ETag": f'"{tag}"'})

    def row(self, id: Any) -> dict[str, Any]:
        row = self.app.get(self.workflow, id)
        names = (
            "id",
            "curation_status",
            "processing_status",
            "curation_version",
            "processing_version",
            *PUBLIC_COLUMNS[self.workflow.name],
        )
        return {name: row[name] for name in names}

    def add(self, request: Request, body: schemas.AddCommand) -> Json:
        """Add sites; one that is there already answers with its record."""
        wanted = [*([] if body.domain is None else [body.domain]), *(body.domains or [])]
        if not wanted:
            raise BadInput("name a domain, or a list of domains")
        read = [read_domain(one, body.curation_status) for one in wanted]
        return Json({"domains": self.admit(request, read, body.reason)}, 201)

    def admit(self, request: Request, wanted: list[ImportLine], reason: str | None) -> list[dict[str, Any]]:
        rows = [one.row for one in wanted if one.row is not None]
        answers = iter(
            self.app.admit_many(self.workflow, rows, actor=caller_of(request).actor, reason=reason)
        )
        results = []
        for one in wanted:
            if one.row is None:
                results.append({"id": None, "outcome": "refused", "domain": one.text, "problem": one.problem})
                continue
            answer = next(answers)
            problem = answer.error.message if answer.error is not None else None
            results.append(
                {"id": answer.id, "outcome": answer.outcome, "domain": one.row["host"], "problem": problem}
            )
        return results

    async def import_file(self, request: Request) -> Json:
        """Add the records of a CSV file, with decisions that it may have; the site of a child is added where it is not there."""
        file = io.BytesIO()
        try:
            form = await read_form(request, file, self.limits, ())
            if form.file_name is None:
                raise MalformedForm("no part of it is a file with the name file")
        except MalformedForm as error:
            hint = "Send multipart/form-data with the field file."
            raise BadInput(f"the form has no file: {error}", hint=hint) from error
        try:
            read = list(read_table(file.getvalue().decode("utf-8-sig"), self.workflow.name))
        except UnicodeDecodeError as error:
            raise BadInput("the file is not text in UTF-8", hint="Save it as CSV in UTF-8.") from error
        if self.workflow.name == "domains":
            return Json({"domains": await run_in_threadpool(self.admit, request, read, None)})
        return Json({"records": await run_in_threadpool(self.admit_children, request, read)})

    def admit_children(self, request: Request, wanted: list[ImportLine]) -> list[dict[str, Any]]:
        """What came of each sitemap file, page or contact, in their order."""
        actor = caller_of(request).actor
        sites = list(dict.fromkeys(one.site for one in wanted if one.site is not None))
        parents = self.app.admit_many(
            "domains", [{"host": site.host, "url": site.url} for site in sites], actor=actor
        )
        ids = {site: answer.id for site, answer in zip(sites, parents, strict=True)}
        rows = [{**one.row, "domain_id": ids[one.site]} for one in wanted if one.row and one.site]
        answers = iter(self.app.admit_many(self.workflow, rows, actor=actor))
        results: list[dict[str, Any]] = []
        for one in wanted:
            if one.row is None:
                results.append({"id": None, "outcome": "refused", "record": one.text, "problem": one.problem})
                continue
            answer = next(answers)
            problem = answer.error.message if answer.error is not None else None
            results.append(
                {"id": answer.id, "outcome": answer.outcome, "record": one.text, "problem": problem}
            )
        return results

    def curate(self, request: Request, body: schemas.CurationCommand) -> Json:
        """Decide about many records: by id, or by a filter on any declared column."""
        where = self._chosen(body)
        if where and not self.app.list(self.workflow, where=where, limit=1).records:
            return Json(
                {"updated_count": 0, "queued_count": 0, "refused": [], "missing": [], "operation": None}
            )
        client = connect(self.app, actor=caller_of(request).actor)
        command = BulkCommand(
            self.workflow.name,
            body.reason,
            axis="curation_status",
            to=body.curation_status,
            ids=body.ids,
            filter=None if body.ids is not None else RecordFilter(where=where),
        )
        missing = self._missing(body.ids or [])
        operation = client.operations.create(command)
        if operation.records > AT_ONCE:
            threading.Thread(
                target=self._run, args=(operation.id,), name=f"curation {operation.id}", daemon=True
            ).start()
            return Json(
                {
                    "updated_count": 0,
                    "queued_count": 0,
                    "refused": [],
                    "missing": missing,
                    "operation": operation.id,
                },
                202,
                headers={"Location": f"{API}/operations/{operation.id}"},
            )
        done = client.operations.run(operation.id)
        queued = [
            one["records"]
            for one in done.driven
            if one["axis"] == "processing_status" and one["to"] == "Queued"
        ]
        return Json(
            {
                "updated_count": done.outcomes.get("moved", 0),
                "queued_count": sum(queued),
                "refused": [one for one in done.refusals if one["outcome"] != "unknown"],
                "missing": missing,
                "operation": operation.id,
            }
        )

    def _missing(self, ids: list[int]) -> list[int]:
        """The ids that no record has, each once."""
        key = self.workflow.records.c.id
        known: set[int] = set()
        with self.app.database.read() as tx:
            for first in range(0, len(ids), PART):
                known.update(tx.execute(select(key).where(key.in_(ids[first : first + PART]))).scalars())
        return [id for id in dict.fromkeys(ids) if id not in known]

    def _run(self, id: str) -> None:
        try:
            self.app.operations.run(id)
        except InterlockError:  # whoever sweeps takes it over, and its status says so
            return

    def _chosen(self, body: schemas.CurationCommand) -> dict[str, Any]:
        if (body.ids is None) == (body.filter is None and not body.all):
            raise BadInput("name ids or a filter, and not both")
        if body.ids is None and not body.filter and not body.all:
            raise BadInput("an empty filter matches every record", hint="Send all=true if that is meant.")
        return dict(body.filter or {})

    def retry(self, request: Request, id: str, body: schemas.AgainCommand) -> Json:
        """Send a failed record back into the queue; its decision stays."""
        who, key = caller_of(request), record_id(self.app, self.workflow, id)
        self.app.retry(self.workflow, key, actor=who.actor, role=role_for(who, None), reason=body.reason)
        return Json(self.row(key))

    def reprocess(self, request: Request, id: str, body: schemas.AgainCommand) -> Json:
        """Queue a complete record once more; refused while it is not selected."""
        who, key = caller_of(request), record_id(self.app, self.workflow, id)
        row = self.app.get(self.workflow, key)
        if row["processing_status"] != "Complete":
            raise BadInput(
                f"{self.workflow.noun} {id} is not complete", hint="POST …/retry is for what failed."
            )
        self.app.move(
            self.workflow,
            key,
            actor=who.actor,
            role=role_for(who, None) or "operator",
            reason=body.reason,
            override=True,
            processing_status="Queued",
        )
        return Json(self.row(key))

    def export(self) -> StreamingResponse:
        """All contacts as CSV, safe for spreadsheets."""
        return StreamingResponse(
            self._lines(),
            media_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="contacts.csv"'},
        )

    def _lines(self) -> Iterator[str]:
        with self.app.database.read() as tx:
            yield from write_contacts(contact_rows(tx))
