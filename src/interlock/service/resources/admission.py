"""Records come in over HTTP: one row or many, each admitted, there already, or refused with the reason; one bad row stops no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from starlette.requests import Request

from ...app import App
from ...client.rows import column_values, refuse_own_intake
from ...errors import BadInput
from ...workflow import Answer, Workflow
from ..http.access import V1
from ..http.answers import Json
from ..http.keyed import keyed_answers
from ..http.problems import described
from ..http.routing import who_asks
from ..schemas import admission as shapes
from .ledger import entry
from .moves import Key

ADMITTED, EXISTS, MANY = 201, 200, 207
Row = Mapping[str, Any]


class Admitting:
    """Admits records of every kind that has no intake of its own."""

    def __init__(self, app: App) -> None:
        self.app = app

    def admit(
        self, request: Request, kind: str, body: shapes.AdmitCommand, idempotency_key: Key = None
    ) -> Json:
        """Make records of rows: one in `row`, answered 201, or 200 if it was there already; several in `rows`, each answered for itself."""
        workflow = self.app.workflow(kind)
        refuse_own_intake(workflow)
        if (body.row is None) == (body.rows is None):
            raise BadInput("say `row`, which is one record, or `rows`, which are several")
        rows = [body.row] if body.row is not None else body.rows or []
        answers = self.answers(workflow, rows, who_asks(request).actor, body, idempotency_key)
        if body.row is None:
            return many(workflow, answers)
        if answers[0].error is not None:
            raise answers[0].error
        return Json(
            {"kind": workflow.name, **describe_answer(answers[0])},
            ADMITTED if answers[0].outcome == "admitted" else EXISTS,
            {"Location": address(request, workflow, answers[0].id)},
        )

    def answers(
        self, workflow: Workflow, rows: Sequence[Row], actor: str, body: shapes.AdmitCommand, key: str | None
    ) -> list[Answer]:
        """What came of each row, in their order; a key holds for all of them together."""
        if key is None:
            return self.admitted(workflow, rows, actor, body.reason, None)
        payload = [workflow.name, "admit", body.model_dump()]
        return keyed_answers(
            self.app, actor, key, payload, lambda tx: self.admitted(workflow, rows, actor, body.reason, tx)
        )

    def admitted(
        self, workflow: Workflow, rows: Sequence[Row], actor: str, reason: str | None, tx: Any
    ) -> list[Answer]:
        drafts: dict[int, dict[str, Any]] = {}
        refused: dict[int, Answer] = {}
        for number, row in enumerate(rows):
            try:
                drafts[number] = column_values(workflow, row)
            except BadInput as error:
                refused[number] = Answer(id_in(workflow, row), "refused", error=error)
        made = self.app.admit_many(workflow, drafts.values(), actor=actor, reason=reason, tx=tx)
        found = {**refused, **dict(zip(drafts, made, strict=True))}
        return [found[number] for number in range(len(rows))]


def id_in(workflow: Workflow, row: Row) -> str | int | None:
    id = row.get(workflow.id_column.name)
    return id if type(id) in (str, int) else None


def describe_answer(answer: Answer) -> dict[str, Any]:
    return {
        "id": answer.id,
        "outcome": answer.outcome,
        "new_status": answer.new,
        "version": answer.version,
        "driven": [entry(move) for move in answer.driven],
    }


def many(workflow: Workflow, answers: Sequence[Answer]) -> Json:
    """An answer for every row, in their order, and how many there are of each outcome."""
    answered = [
        {**describe_answer(one), "problem": None if one.error is None else described(one.error)}
        for one in answers
    ]
    return Json(
        {"kind": workflow.name, "outcomes": Counter(one.outcome for one in answers), "answers": answered},
        MANY,
    )


def address(request: Request, workflow: Workflow, id: Any) -> str:
    """Where the record is found from now on, also when the service is mounted into another."""
    return f"{request.scope.get('root_path', '')}{V1}/{quote(workflow.name, safe='')}/records/{quote(str(id), safe='')}"
