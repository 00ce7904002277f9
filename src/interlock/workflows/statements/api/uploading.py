"""POST /uploads: the file is read as it comes, judged when it is whole, and gone without a trace if it is not taken."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from interlock import App, Workflow
from interlock.http import Json, Limits, MalformedForm, caller_of, read_form

from ..uploads.receiving import missing, receive

FIELDS = ("source_type", "account")
FILE = "The statement: PDF, CSV (also .tsv, .tab, .txt, .xls, .html), OFX (.qfx, .qbo, .sgml, .xml), QIF, CAMT (.xml) or MT940 (.sta)."
BODY = {
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
                        "description": FILE,
                    },
                    "source_type": {
                        "type": "string",
                        "description": "What it is; auto, or nothing at all: it is found out.",
                        "default": "auto",
                        "example": "auto",
                    },
                    "account": {
                        "type": "string",
                        "maxLength": 200,
                        "description": "Whose rows these are; without it, bank and masked number as the file has them.",
                    },
                },
            },
            "encoding": {"file": {"contentType": "application/octet-stream"}},
        }
    },
}


class Uploading:
    """Takes files in."""

    def __init__(self, app: App, workflow: Workflow, limits: Limits) -> None:
        self.app, self.workflow, self.limits = app, workflow, limits

    async def upload(self, request: Request) -> Json:
        """Upload a statement; the same bytes again answer 409 with the upload that they already are."""
        who = caller_of(request)
        with await run_in_threadpool(self.app.files.receive) as file:
            try:
                form = await read_form(request, file, self.limits, FIELDS)
            except MalformedForm as error:
                raise missing("file", "source_type", why=str(error)) from error
            taken = await run_in_threadpool(
                receive,
                self.app,
                self.workflow,
                file,
                form.file_name,
                form.fields.get("source_type"),
                actor=who.actor,
                account=form.fields.get("account"),
            )
        return Json(
            {"upload_id": taken.upload_id, "status": taken.status, "upload_log_ref": taken.upload_log_ref},
            201,
            {"Location": f"{request.scope.get('root_path', '')}/api/v1/uploads/{taken.upload_id}"},
        )
