"""The exit code of every error, in one table, and how errors are printed on stderr."""

from __future__ import annotations

import os
import re
from errno import EACCES, EADDRINUSE, EADDRNOTAVAIL, EEXIST, ENOENT, ENOSPC, ENOTDIR, EPERM, EROFS
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
    """Print the error and its hint on stderr, without a traceback; for a noun without a verb, print its help."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(harmless(error.format_message()), err=True)
        return
    code = f"[{error.code}]" if isinstance(error, InterlockError) else ""
    label, hint = click.style(f"error{code}:", fg="red", bold=True), hint_of(error)
    color = False if os.environ.get("NO_COLOR") else None
    click.echo(f"{label} {harmless(message_of(error))}", err=True, color=color)
    if hint:
        click.echo(f"{click.style('hint:', fg='cyan')} {harmless(hint)}", err=True, color=color)


EXTRAS: Final[dict[str, str]] = {
    "psycopg": "postgres",
    "cryptography": "signing",
    "httpx_sse": "client",
    "fastapi": "service",
    "jinja2": "service",
    "multipart": "service",
    "prometheus_client": "service",
    "python_multipart": "service",
    "starlette": "service",
    "uvicorn": "service",
    "pypdfium2": "statements",
    "rapidfuzz": "statements",
    "email_validator": "scraping",
    "lxml": "scraping",
    "phonenumbers": "scraping",
    "protego": "scraping",
    "feedparser": "themes",
    "s3fs": "s3",
    "httpx": "client",
    "idna": "scraping",
}
"""By package: the extra of ours that installs it."""


NOT_A_NUMBER: Final = re.compile(r"is not a valid integer( range)?(?=\.)")
"""Click's words for it."""


class UnknownCommand(click.UsageError):
    """No command of this name, where it is known what was meant."""

    def __init__(self, message: str, ctx: click.Context, hint: str) -> None:
        super().__init__(message, ctx)
        self.hint = hint


_ELSEWHERE = "Name a folder that this user may write to, with --data, INTERLOCK_DATA or INTERLOCK_FILES."
OF_THE_SYSTEM: Final[dict[int, str]] = {
    EADDRINUSE: "Another process listens there; choose another port with --port.",
    EADDRNOTAVAIL: "This machine has no such address; --host names one that it has.",
    EACCES: _ELSEWHERE,
    EPERM: _ELSEWHERE,
    EROFS: _ELSEWHERE,
    ENOENT: "Name one that is there, or whose parent folder is.",
    EEXIST: "Something of that name is there already, where a folder is needed; name another one.",
    ENOTDIR: "A file is there, where a folder is needed; name another one.",
    ENOSPC: "The disk is full; make room, then run it again.",
}
"""By what the system answered: what to do about it."""


def missing_extra(error: BaseException) -> tuple[str, str] | None:
    """The package that is not installed and the extra that brings it, where an import of such a package failed."""
    package = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    return (package, EXTRAS[package]) if package in EXTRAS else None


def message_of(error: BaseException) -> str:
    if isinstance(error, InterlockError):
        return error.message
    if missing := missing_extra(error):
        return f"this needs the package {missing[0]}, which is not installed"
    if isinstance(error, click.ClickException):
        return NOT_A_NUMBER.sub("is not a whole number", " ".join(error.format_message().split()))
    if isinstance(error, OSError):
        where = f": {error.filename}" if error.filename else ""
        return f"{error.strerror or error}{where}"
    return f"{type(error).__name__}: {error}"


def usage_hint(context: click.Context | None) -> str:
    """How the command is written that was written wrongly: its first example, and where all of its options are listed."""
    if context is None:
        return "`interlock --help` lists the commands and their options."
    examples = () if isinstance(context.command, click.Group) else getattr(context.command, "examples", ())
    such = f"Such as `{examples[0]}`; " if examples else ""
    return f"{such}`{context.command_path} --help` shows how it is written."


def hint_of(error: BaseException) -> str:
    if isinstance(error, InterlockError):
        return error.hint
    if isinstance(error, UnknownCommand):
        return error.hint
    if isinstance(error, click.UsageError):
        return usage_hint(error.ctx)
    if missing := missing_extra(error):
        return f"pip install 'interlock[{missing[1]}]'"
    if isinstance(error, OSError):
        return OF_THE_SYSTEM.get(error.errno or 0, "")
    if isinstance(error, click.ClickException):
        return ""
    return "Unexpected error; please report it. Run it again with --debug to see where it comes from."
