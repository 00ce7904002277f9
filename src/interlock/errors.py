"""Every refusal and fault of Interlock, each built from facts and carrying a stable code.

InterlockError
├── BadDeclaration                    ILK-101  a machine, axis, stage or rule that cannot work
├── BadInput                          ILK-102  an argument of the wrong type, size or shape
│   └── UnknownKind                   ILK-103  a workflow or axis this app does not have
├── UnknownRecord                     ILK-201  no such record
├── NotAdopted                        ILK-202  the row is there, but has no history yet
├── InvalidStateTransition            ILK-204  the machine has no such move
│   ├── UnknownState                  ILK-203  the machine has no such state
│   └── NotPermitted                  ILK-211  the move needs a role or a reason that was not given
│       └── MovedByStages             ILK-219  only stages, rules, retry and cancel move this axis
├── RuleRefused                       ILK-205  a rule between axes says no
├── GateRejected                      ILK-206  a gate has not passed for this version
├── MaxRetriesExceeded                ILK-207  the retries of this record are used up
├── ConcurrentModificationError       ILK-208  somebody else moved it first
├── StaleAttempt                      ILK-209  a late result; a newer attempt holds the record
├── ImmutabilityViolation             ILK-210  approved or historical rows may not change
├── KeyReused                         ILK-212  an idempotency key came back with another command
├── RefusedByDatabase                 ILK-213  a guard or constraint of the database said no
├── HookFailed                        ILK-214  an on_move hook raised
├── StrandedRecords                   ILK-215  records stand in states that the new machine does not have
├── JudgingFailed                     ILK-217  judging this record raised an unexpected error
├── DuplicateRecord                   ILK-216  the same thing was brought before; the record of then is named
├── LedgerBroken                      ILK-220  history does not verify
├── IsolationLost                     ILK-221  a runner can make no more isolated processes
├── AdoptionNotReady                  ILK-222  a step of an adoption whose conditions do not hold
├── StoreError
│   ├── StoreUnavailable              ILK-301  the database cannot be reached, or was closed
│   ├── StoreBusy                     ILK-302  the database stayed locked too long
│   ├── StoreFull                     ILK-303  no space left to write
│   ├── SchemaOutdated                ILK-304  the tables are older or newer than this code
│   ├── UnsafeStore                   ILK-305  this database version can corrupt data
│   └── StoreDamaged                  ILK-306  the database's own files, or a stored file, are damaged
└── RequestRefused
    ├── NotAuthenticated              ILK-401  no key, or one that is unknown, expired or revoked
    ├── NotAuthorized                 ILK-403  the key's scope does not reach that far
    ├── NoSuchRoute                   ILK-404  the service has nothing at this address
    ├── NoSuchMethod                  ILK-405  the address does not take this method
    ├── RequestTooSlow                ILK-408  the body did not arrive in time
    ├── RequestTooLarge               ILK-413  the body or its nesting is larger than the service takes
    ├── UnsupportedMedia              ILK-415  a file that is not of a kind that is taken
    ├── ValueNotAllowed               ILK-422  a value that is none of those there are
    ├── TooManyRequests               ILK-429  more requests than this caller may make
    └── RequestTimedOut               ILK-504  the answer was not ready in time
"""

from __future__ import annotations

from typing import Any, ClassVar

_ABSENT: Any = object()


def state_text(state: str | None) -> str:
    """A state as people read it; null is a state too."""
    return "null" if state is None else str.__str__(state)


class InterlockError(Exception):
    """Something Interlock refused or could not do."""

    code: ClassVar[str] = "ILK-000"
    hint: str = ""

    def __init__(self, message: str = "", *, hint: str = "", **facts: Any) -> None:
        self.message = message or (type(self).__doc__ or "").strip()
        if hint:
            self.hint = hint
        self.facts: dict[str, Any] = {name: value for name, value in facts.items() if value is not _ABSENT}
        super().__init__(self.message)
        self.add_note(f"{self.code}: {self.hint}" if self.hint else self.code)  # a traceback prints it too

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (type(self), self.message, self.hint, self.facts))


def _rebuild(kind: type[InterlockError], message: str, hint: str, facts: dict[str, Any]) -> InterlockError:
    """Facts-built errors have constructors of their own; copies carry message and facts as they are."""
    error = kind.__new__(kind)
    InterlockError.__init__(error, message, hint=hint, **facts)
    return error


class BadDeclaration(InterlockError):
    """A machine, axis, stage or rule that cannot work."""

    code = "ILK-101"
    hint = "Correct the declaration that the message names; docs/reference has every option with an example."


class BadInput(InterlockError):
    """An argument of the wrong type, size or shape."""

    code = "ILK-102"


class UnknownKind(BadInput):
    """A workflow or axis that this app does not have."""

    code = "ILK-103"
    hint = "`interlock machine show` lists the workflows of an app."


THINGS = {"cluster": "cluster", "keys": "API key", "operations": "bulk operation", "source": "source"}
"""By the kind that an UnknownRecord names: what one of them is called, where it is no record of a workflow."""


class UnknownRecord(InterlockError):
    """No such record."""

    code = "ILK-201"
    hint = "`interlock record list KIND` lists the records that exist."

    def __init__(self, kind: str, id: Any, scope: str | None = None, *, hint: str = "") -> None:
        where = f" in scope {scope!r}" if scope else ""
        unknown = (
            f"there is no {THINGS[kind]} {id!r}" if kind in THINGS else f"{kind} has no record {id!r}{where}"
        )
        if kind not in THINGS and kind.isidentifier():
            hint = hint or self.hint.replace("KIND", kind)
        super().__init__(unknown, hint=hint, kind=kind, id=id, scope=scope)


class NotAdopted(InterlockError):
    """The row exists, but Interlock has no history of it yet."""

    code = "ILK-202"
    hint = "Declare `adopt` on the axis; `interlock adopt backfill` gives such rows their first entry."

    def __init__(self, kind: str, id: Any, axis: str) -> None:
        super().__init__(
            f"{kind} {id!r} has no version on {axis}: it was not admitted by Interlock",
            kind=kind,
            id=id,
            axis=axis,
        )


def _legal(old: str | None, legal: tuple[str | None, ...]) -> str:
    """Where a state leads, in words."""
    if not legal:
        return f"{state_text(old)} is final; no moves leave it"
    return f"legal from {state_text(old)}: {', '.join(state_text(state) for state in legal)}"


class InvalidStateTransition(InterlockError):
    """The machine has no such move."""

    code = "ILK-204"
    hint = "`interlock record why KIND ID` lists the moves that are possible now, and why not the others."

    def __init__(
        self,
        machine: str,
        old: str | None,
        new: str | None,
        legal: tuple[str | None, ...],
        *,
        why: str = "",
        hint: str = "",
        **facts: Any,
    ) -> None:
        message = (
            why
            or f"{machine}: {state_text(old)} → {state_text(new)} is not a legal move; {_legal(old, legal)}"
        )
        super().__init__(message, hint=hint, machine=machine, old=old, new=new, legal=list(legal), **facts)


class UnknownState(InvalidStateTransition):
    """The machine has no such state."""

    code = "ILK-203"


class NotPermitted(InvalidStateTransition):
    """The move exists, but needs a role or a reason that was not given."""

    code = "ILK-211"


class MovedByStages(NotPermitted):
    """The axis is moved by stages, rules, retry and cancel only; a person needs the named override."""

    code = "ILK-219"
    hint = 'An operator or admin can say override=True with a reason: app.move(…, override=True, role="operator", reason=…).'


class RuleRefused(InterlockError):
    """A rule between axes says no."""

    code = "ILK-205"
    hint = "Bring about what the rule requires, then try again; `interlock record why KIND ID` says what holds now."


class GateRejected(InterlockError):
    """A gate has not passed for this version."""

    code = "ILK-206"
    hint = "`interlock record why KIND ID` lists each gate and its latest verdict."


class MaxRetriesExceeded(InterlockError):
    """The retries of this record are used up."""

    code = "ILK-207"
    hint = "Find out why it keeps failing: `interlock record show KIND ID`. `max_retries` of the axis allows more."

    def __init__(self, kind: str, id: Any, retries: int, allowed: int) -> None:
        super().__init__(
            f"{kind} {id!r} was retried {retries} times; {allowed} are allowed",
            kind=kind,
            id=id,
            retries=retries,
            allowed=allowed,
        )


class ConcurrentModificationError(InterlockError):
    """Somebody else moved the record first."""

    code = "ILK-208"
    hint = "Read the record again and decide on what it says now."


class StaleAttempt(InterlockError):
    """A late result; a newer attempt holds the record."""

    code = "ILK-209"
    hint = "Nothing has to be done: the newer attempt counts."


class ImmutabilityViolation(InterlockError):
    """Frozen rows and history may not change."""

    code = "ILK-210"
    hint = "Write a new row instead of changing this one; app.erase() removes a record and keeps the chain whole."


class KeyReused(InterlockError):
    """An idempotency key came back with another command."""

    code = "ILK-212"
    hint = "Use a new key for a new command; the same key repeats the stored answer of the first."


class RefusedByDatabase(InterlockError):
    """A guard or constraint of the database said no."""

    code = "ILK-213"
    hint = "Correct the value that the constraint is about; where the message names a call such as app.move(), use it instead of SQL."


class HookFailed(InterlockError):
    """An on_move hook raised; the move was rolled back with it."""

    code = "ILK-214"
    hint = "Mend the hook: what it raised is the __cause__ of this error, and the log has the traceback."


class JudgingFailed(InterlockError):
    """Judging this record raised an unexpected error; the record was left alone, its neighbours were not affected."""

    code = "ILK-217"
    hint = "The log has the traceback. Please report it."


class StrandedRecords(InterlockError):
    """Records stand in states that the new machine does not have."""

    code = "ILK-215"
    hint = "`interlock machine diff` lists them; `interlock machine migrate` moves them by a plan, with a reason for each line."


class DuplicateRecord(InterlockError):
    """The same was brought before; nothing was made, and the record of then is named."""

    code = "ILK-216"
    hint = "Go on with the record that is named."


class LedgerBroken(InterlockError):
    """History does not verify."""

    code = "ILK-220"
    hint = "`interlock ledger verify` locates each break."


class IsolationLost(InterlockError):
    """A runner can make no more isolated processes."""

    code = "ILK-221"
    hint = "Start the runner again. If it recurs, look whether the system kills processes for want of memory."


class AdoptionNotReady(InterlockError):
    """A step of an adoption whose conditions do not hold, or that somebody else carries out."""

    code = "ILK-222"
    hint = "`interlock adopt status` lists how far each adoption has come."


class StoreError(InterlockError):
    """The database could not do its work."""

    code = "ILK-300"


class StoreUnavailable(StoreError):
    """The database cannot be reached, or was closed."""

    code = "ILK-301"
    hint = "Check the database URL and that the server runs; `interlock doctor` tries it."


class StoreBusy(StoreError):
    """The database stayed locked too long."""

    code = "ILK-302"
    hint = "Another process holds the database; nothing was written. Try again."


class StoreFull(StoreError):
    """No space is left to write; nothing was written."""

    code = "ILK-303"
    hint = "Free some disk space; what was committed before is intact."


class SchemaOutdated(StoreError):
    """The tables do not fit this version of the code."""

    code = "ILK-304"
    hint = "Call app.migrate(), or run `interlock db upgrade`, with the owner's database URL."


class UnsafeStore(StoreError):
    """This version of the database can lose or corrupt data."""

    code = "ILK-305"


class StoreDamaged(StoreError):
    """The database's own files, or a stored file, are damaged."""

    code = "ILK-306"
    hint = "Stop everything that writes, keep a copy of the files, and restore a backup; seals kept elsewhere prove what it holds."


class RequestRefused(InterlockError):
    """The service does not take this request."""

    code = "ILK-400"


class NotAuthenticated(RequestRefused):
    """The request does not say who asks, or says it with a key that does not hold."""

    code = "ILK-401"
    hint = "Send `Authorization: Bearer ilk_…`; `interlock key create` makes keys."


class NotAuthorized(RequestRefused):
    """Whoever asks may not do this."""

    code = "ILK-403"
    hint = "Ask with a key of a wider scope; `interlock key list` shows the scope of each."


class NoSuchRoute(RequestRefused):
    """The service has nothing at this address."""

    code = "ILK-404"
    hint = "GET /api/v1/openapi.json lists every address."


class NoSuchMethod(RequestRefused):
    """This address does not take the request's method."""

    code = "ILK-405"
    hint = "The header Allow lists the methods that it takes."


class RequestTooSlow(RequestRefused):
    """The body of the request did not arrive in time; nothing was done."""

    code = "ILK-408"


class RequestTooLarge(RequestRefused):
    """The request is larger, or nested deeper, than the service takes."""

    code = "ILK-413"


class UnsupportedMedia(RequestRefused):
    """The file is not of a kind that is taken, or its bytes are not what its name says."""

    code = "ILK-415"


class ValueNotAllowed(RequestRefused):
    """A value is none of those that there are."""

    code = "ILK-422"


class TooManyRequests(RequestRefused):
    """More requests than this caller may make; nothing was done."""

    code = "ILK-429"
    hint = "Wait as long as the header Retry-After says."


class RequestTimedOut(RequestRefused):
    """The answer was not ready in time; what was asked for may still be done."""

    code = "ILK-504"
    hint = "Ask again with the same Idempotency-Key: a command that was done answers, and is not done twice."
