"""Answers as they are stored under an idempotency key, and back: a repeated command gets the very same answer."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from ... import errors
from ...errors import InterlockError
from ...store.entry import plain
from ...workflow import Answer, Move

_BY_CODE: dict[str, type[InterlockError]] = {
    kind.code: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, InterlockError)
}


def stored_answers(answers: list[Answer]) -> str:
    return json.dumps([_stored(answer) for answer in answers], ensure_ascii=False)


def _stored(answer: Answer) -> dict[str, Any]:
    error = answer.error
    said = (
        None
        if error is None
        else {"code": error.code, "message": error.message, "hint": error.hint, "facts": _facts(error)}
    )
    return {
        "id": plain(answer.id),
        "uuid": isinstance(answer.id, UUID),
        "outcome": answer.outcome,
        "old": answer.old,
        "new": answer.new,
        "version": answer.version,
        "error": said,
        "driven": [plain(asdict(move)) for move in answer.driven],
    }


def _facts(error: InterlockError) -> dict[str, Any]:
    kept = (str, int, float, bool, type(None), datetime, list)
    return {
        name: plain(value) if isinstance(value, kept) else str(value) for name, value in error.facts.items()
    }


def unstored_answers(text: str) -> list[Answer]:
    return [_unstored(one) for one in json.loads(text)]


def _unstored(one: dict[str, Any]) -> Answer:
    error = None if one["error"] is None else rebuilt(**one["error"])
    restore = (
        UUID if one.get("uuid") else lambda id: id
    )  # JSON has no UUIDs; every move of an answer is of the same record
    driven = [
        Move(**{**move, "id": restore(move["id"]), "at": datetime.fromisoformat(move["at"])})
        for move in one["driven"]
    ]
    return Answer(restore(one["id"]), one["outcome"], one["old"], one["new"], one["version"], driven, error)


def rebuilt(code: str, message: str, hint: str, facts: dict[str, Any]) -> InterlockError:
    """An error of the right class from its stored facts."""
    kind = _BY_CODE.get(code, InterlockError)
    error = kind.__new__(kind)
    InterlockError.__init__(error, message, hint=hint, **facts)
    return error
