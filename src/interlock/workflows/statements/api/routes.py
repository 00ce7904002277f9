"""The routes of the statements workflow, each with the least scope that reaches it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interlock import App, Workflow
from interlock.http import API, Limits, Route, Shape

from . import schemas
from .acting import Acting
from .asking import Asking
from .uploading import BODY, Uploading

TAG = "statements"
ONE = f"{API}/uploads/{{id}}"
TEXT: dict[str, Any] = {"text/plain": {"type": "string"}}
JSON: dict[str, Any] = {"application/json": {"type": "object"}}
Text = tuple[str, Callable[..., Any], dict[str, Any]]


def routes(app: App, workflow: Workflow, limits: Limits) -> list[Route]:
    """Everything under /uploads, /interpretations, /transactions and /logs."""
    asking, uploading = Asking(app, workflow, limits), Uploading(app, workflow, limits)
    acting = Acting(app, workflow)
    reads: list[tuple[str, Callable[..., Any], type[Shape]]] = [
        (f"{API}/uploads", asking.list, schemas.UploadPage),
        (ONE, asking.show, schemas.Upload),
        (f"{ONE}/observations", asking.observations, schemas.ObservationPage),
        (f"{ONE}/transactions", asking.transactions_of, schemas.TransactionPage),
        (f"{API}/transactions", asking.transactions, schemas.TransactionPage),
        (f"{ONE}/warnings", asking.warnings, schemas.Warnings),
        (f"{ONE}/readings", acting.readings, schemas.Readings),
        (f"{API}/interpretations", acting.decisions, schemas.KeptDecisions),
        (f"{ONE}/timeline", asking.timeline, schemas.Timeline),
        (f"{ONE}/events", asking.events, schemas.Events),
        (f"{API}/monitoring/uploads", asking.monitoring, schemas.Monitoring),
    ]
    logs: list[Text] = [
        ("/logs/uploads/{id}.log", asking.upload_log, TEXT),
        ("/logs/parse/{id}.log.json", asking.parse_log, JSON),
        ("/logs/normalize/{id}.log.json", asking.normalization_log, JSON),
    ]
    texts: list[Text] = [
        *logs,
        (f"{ONE}/parse-log", asking.parse_log, JSON),
        (f"{ONE}/normalization-log", asking.normalization_log, JSON),
    ]
    return [
        Route(
            "POST",
            f"{API}/uploads",
            uploading.upload,
            schemas.Uploaded,
            TAG,
            201,
            least="curator",
            body=BODY,
            problems=("409", "413", "415", "422"),
        ),
        *(
            Route("GET", path, endpoint, shape, TAG, least="viewer", problems=("422",))
            for path, endpoint, shape in reads
        ),
        *(
            Route(
                "POST", f"{ONE}/{name}", act, schemas.Upload, TAG, least="operator", problems=("409", "412")
            )
            for name, act in (("retry", acting.retry), ("reparse", acting.reparse))
        ),
        Route(
            "PATCH",
            f"{ONE}/interpretation",
            acting.interpret,
            schemas.Interpreted,
            TAG,
            least="operator",
            problems=("409", "412"),
        ),
        Route(
            "DELETE",
            f"{API}/interpretations/{{key}}",
            acting.withdraw,
            schemas.WithdrawnDecision,
            TAG,
            least="operator",
        ),
        Route(
            "POST",
            f"{ONE}/erase",
            acting.erase,
            schemas.ErasedUpload,
            TAG,
            least="admin",
            problems=("409", "412"),
        ),
        *(
            Route("GET", path, endpoint, None, TAG, least="viewer", content=media)
            for path, endpoint, media in texts
        ),
        *(
            Route("GET", f"{API}{path}", endpoint, None, TAG, least="viewer", content=media, described=False)
            for path, endpoint, media in logs
        ),
    ]
