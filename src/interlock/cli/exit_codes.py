"""What a command's exit code says, in one table, and how a refusal or fault is worded on stderr."""

from __future__ import annotations

import os
from typing import Final

import click

from ..errors import (
    AdoptionNotReady,
    BadDeclaration,
    BadInput,
    ConcurrentModificationError,
    DuplicateRecord,
    GateRejected,
    HookFailed,
    ImmutabilityViolation,
    InterlockError,
    InvalidStateTransition,
    KeyReused,
    LedgerBroken,
    MaxRetriesExceeded,
    NoSuchRoute,
    NotAdopted,
    NotAuthenticated,
    NotAuthorized,
    NotPermitted,
    RefusedByDatabase,
    RequestRefused,
    RuleRefused,
    StaleAttempt,
    StoreError,
    StrandedRecords,
    UnknownKind,
    UnknownRecord,
    UnsupportedMedia,
    ValueNotAllowed,
)
from .render.text import harmless

OK, ERROR, USAGE, NOT_FOUND, NOT_ALLOWED, REFUSED, CONFLICT, FINDINGS, INTERRUPTED = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    130,
)

EXIT_CODES: Final[dict[type[InterlockError], int]] = {
    InterlockError: ERROR,
    BadDeclaration: ERROR,
    StoreError: ERROR,
    HookFailed: ERROR,
    RequestRefused: ERROR,
    BadInput: USAGE,
    UnknownKind: NOT_FOUND,
    UnknownRecord: NOT_FOUND,
    NoSuchRoute: NOT_FOUND,
    NotPermitted: NOT_ALLOWED,
    NotAuthenticated: NOT_ALLOWED,
    NotAuthorized: NOT_ALLOWED,
    InvalidStateTransition: REFUSED,
    RuleRefused: REFUSED,
    GateRejected: REFUSED,
    MaxRetriesExceeded: REFUSED,
    NotAdopted: REFUSED,
    ImmutabilityViolation: REFUSED,
    KeyReused: REFUSED,
    RefusedByDatabase: REFUSED,
    StrandedRecords: REFUSED,
    AdoptionNotReady: REFUSED,
    DuplicateRecord: REFUSED,
    UnsupportedMedia: REFUSED,
    ValueNotAllowed: USAGE,
    ConcurrentModificationError: CONFLICT,
    StaleAttempt: CONFLICT,
    LedgerBroken: FINDINGS,
}
"""Error class to exit code; a class that is not named here is like the nearest one above it."""

MEANINGS: Final[dict[int, str]] = {
    OK: "done",
    ERROR: "an error: the database, the app's declaration, something unforeseen",
    USAGE: "the command was not written as it must be",
    NOT_FOUND: "no such record, workflow or axis",
    NOT_ALLOWED: "not allowed to you: the move needs another role",
    REFUSED: "refused: by the machine, a rule, a gate or a guard of the database",
    CONFLICT: "a version conflict: somebody else moved the record first",
    FINDINGS: "the check ran, and there are findings",
    INTERRUPTED: "interrupted with Ctrl-C",
}


def exit_code(error: BaseException) -> int:
    """The code a command ends with after this error."""
    if isinstance(error, InterlockError):
        return next(EXIT_CODES[kind] for kind in type(error).__mro__ if kind in EXIT_CODES)
    return error.exit_code if isinstance(error, click.ClickException) else ERROR


def complain(error: BaseException) -> None:
    """Say what went wrong and what to do, on stderr; never a traceback."""
    code = f"[{error.code}]" if isinstance(error, InterlockError) else ""
    label, hint = click.style(f"error{code}:", fg="red", bold=True), hint_of(error)
    color = False if os.environ.get("NO_COLOR") else None
    click.echo(f"{label} {harmless(said_by(error))}", err=True, color=color)
    if hint:
        click.echo(f"{click.style('hint:', fg='cyan')} {harmless(hint)}", err=True, color=color)


def said_by(error: BaseException) -> str:
    if isinstance(error, InterlockError):
        return error.message
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, OSError):
        where = f": {error.filename}" if error.filename else ""
        return f"{error.strerror or error}{where}"
    return f"{type(error).__name__}: {error}"


def hint_of(error: BaseException) -> str:
    if isinstance(error, InterlockError):
        return error.hint
    if isinstance(error, click.UsageError):
        return f"`{error.ctx.command_path} --help` shows how it is written." if error.ctx else ""
    if isinstance(error, click.ClickException | OSError):
        return ""
    return "Unexpected error; please report it. Run it again with --debug to see where it comes from."
