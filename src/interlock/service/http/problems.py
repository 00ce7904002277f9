"""Errors over HTTP: one table from class to status, and problem+json with code and hint; never a path, a secret or a traceback."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final

from starlette.responses import Response

from ... import errors
from ...errors import InterlockError
from ...ids import random_uuid
from .answers import encoded

log = logging.getLogger("interlock.service")

STATUS: Final[dict[type[InterlockError], int]] = {
    errors.InterlockError: 500,
    errors.BadDeclaration: 500,
    errors.BadInput: 400,
    errors.UnknownKind: 404,
    errors.UnknownRecord: 404,
    errors.NotAdopted: 409,
    errors.UnknownState: 422,
    errors.InvalidStateTransition: 409,
    errors.NotPermitted: 403,
    errors.MovedByStages: 403,
    errors.RuleRefused: 409,
    errors.GateRejected: 409,
    errors.MaxRetriesExceeded: 409,
    errors.ConcurrentModificationError: 409,
    errors.StaleAttempt: 409,
    errors.ImmutabilityViolation: 409,
    errors.KeyReused: 422,
    errors.RefusedByDatabase: 409,
    errors.HookFailed: 500,
    errors.JudgingFailed: 500,
    errors.StrandedRecords: 409,
    errors.AdoptionNotReady: 409,
    errors.DuplicateRecord: 409,
    errors.LedgerBroken: 500,
    errors.StoreDamaged: 500,
    errors.IsolationLost: 503,
    errors.StoreError: 503,
    errors.StoreUnavailable: 503,
    errors.StoreBusy: 503,
    errors.StoreFull: 507,
    errors.SchemaOutdated: 503,
    errors.UnsafeStore: 503,
    errors.RequestRefused: 400,
    errors.NotAuthenticated: 401,
    errors.NotAuthorized: 403,
    errors.NoSuchRoute: 404,
    errors.NoSuchMethod: 405,
    errors.RequestTooSlow: 408,
    errors.RequestTooLarge: 413,
    errors.UnsupportedMedia: 415,
    errors.ValueNotAllowed: 422,
    errors.TooManyRequests: 429,
    errors.RequestTimedOut: 504,
}
"""Error class to status. Every class stands here; a class that is younger than this table is like the nearest one above it."""

PRECONDITION_FAILED = 412
TYPES = "urn:interlock:error:"
UNFORESEEN = "Unexpected error; please report it. The service's log has it under this problem's instance."


def status_of(error: InterlockError) -> int:
    return next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)


def speaks_freely(error: InterlockError, status: int) -> bool:
    """Whether a caller may see the message: of a refusal, yes; faults of the database, declarations and hooks may quote values."""
    return status < 500 or isinstance(error, errors.RequestTimedOut)


def problem(
    error: InterlockError, *, status: int | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """The error as an answer."""
    answer = described(error, status=status)
    number: int = answer["status"]
    more = {"WWW-Authenticate": 'Bearer realm="interlock"'} if number == 401 else {}
    if number in (429, 503):
        more["Retry-After"] = str(error.facts.get("retry_after", 1))
    return Response(encoded(answer), number, {**more, **(headers or {})}, "application/problem+json")


def described(error: InterlockError, *, status: int | None = None) -> dict[str, Any]:
    """The error in the words of a problem."""
    number = status or status_of(error)
    kind = type(error)
    free = speaks_freely(error, number)
    title = (kind.__doc__ or "").strip()
    answer: dict[str, Any] = {
        "type": f"{TYPES}{kind.code}",
        "title": title,
        "status": number,
        "detail": error.message if free else title,
        "code": kind.code,
        "hint": error.hint if free else kind.hint,
        "facts": error.facts if free else {},
    }
    if not free:
        answer["instance"] = noted(error)
    elif (
        "error" in error.facts
    ):  # a refusal with a word of its own says its facts beside it, where simple clients look
        answer = {**error.facts, **answer}
    return answer


def unforeseen(error: BaseException) -> Response:
    """The answer to an unexpected error."""
    return Response(encoded(unforeseen_words(error)), 500, media_type="application/problem+json")


def unforeseen_words(error: BaseException) -> dict[str, Any]:
    """An unexpected error in the words of a problem: a number by which the log entry is found, and no details."""
    return {
        "type": f"{TYPES}ILK-000",
        "title": (InterlockError.__doc__ or "").strip(),
        "status": 500,
        "detail": UNFORESEEN,
        "code": "ILK-000",
        "hint": "",
        "facts": {},
        "instance": noted(error),
    }


def noted(error: BaseException) -> str:
    """Log the error with its traceback; returns the number under which it is found, for the answer."""
    instance = f"urn:uuid:{random_uuid()}"
    log.error("%s: %s", instance, error, exc_info=error)
    return instance
