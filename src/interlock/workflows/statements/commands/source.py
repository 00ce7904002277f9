"""Who answers the commands: the database itself, or a service; both are asked in the same words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Protocol

from interlock import App, Workflow
from interlock.commands import Session
from interlock.errors import UnknownKind
from interlock.extension import Limits, too_large

from ..doubt.decisions import Decisions
from ..doubt.fixing import Fixes
from ..doubt.interpretation import PARTS, Decision
from ..exports.contract import Row
from ..uploads.acting import Acts
from ..uploads.reading import Uploads
from ..uploads.receiving import receive
from .distant import Distant

CHUNK = 1 << 20
Json = dict[str, Any]
NOUN = "statements"


class Source(Protocol):
    """What the commands ask."""

    def take(self, path: Path, source_type: str, actor: str, account: str | None = None) -> Json: ...

    def upload(self, upload_id: str) -> Json: ...

    def uploads(self, status: str | None, limit: int, in_doubt: bool = False) -> tuple[list[Json], bool]: ...

    def timeline(self, upload_id: str) -> list[Json]: ...

    def warnings(self, upload_id: str) -> Json: ...

    def retry(self, upload_id: str, reason: str, actor: str) -> Json: ...

    def reparse(self, upload_id: str, reason: str, actor: str) -> Json: ...

    def erase(self, upload_id: str, reason: str, actor: str) -> Json: ...

    def readings(self, upload_id: str) -> Json: ...

    def fix(self, upload_id: str, body: Json, actor: str, version: int | None = None) -> Json: ...

    def decisions(self) -> list[Json]: ...

    def forget(self, key: str, reason: str, actor: str) -> Json: ...

    def transactions(self, upload_id: str | None, limit: int | None = None) -> Iterator[Row]: ...

    def monitoring(self) -> Json: ...


class Local:
    """The app on its own database."""

    def __init__(self, app: App, workflow: Workflow) -> None:
        self.app, self.workflow = app, workflow
        self.known, self.acts = Uploads(app, workflow), Acts(app, workflow)
        self.fixes, self.kept = Fixes(app, workflow), Decisions(app, workflow)

    def take(self, path: Path, source_type: str, actor: str, account: str | None = None) -> Json:
        limit = Limits().upload
        with self.app.files.receive() as file, path.open("rb") as opened:
            for chunk in pieces(opened):
                file.write(chunk)
                if file.size > limit:
                    raise too_large(limit)
            taken = receive(
                self.app, self.workflow, file, path.name, source_type, actor=actor, account=account
            )
        return {"upload_id": taken.upload_id, "status": taken.status, "upload_log_ref": taken.upload_log_ref}

    def upload(self, upload_id: str) -> Json:
        return self.known.upload(upload_id)

    def uploads(self, status: str | None, limit: int, in_doubt: bool = False) -> tuple[list[Json], bool]:
        return self.known.uploads(status=status, in_doubt=in_doubt, limit=limit)

    def timeline(self, upload_id: str) -> list[Json]:
        return self.known.timeline(upload_id)

    def warnings(self, upload_id: str) -> Json:
        return self.known.warnings(upload_id)

    def retry(self, upload_id: str, reason: str, actor: str) -> Json:
        answer = self.acts.retry(upload_id, actor=actor, role="operator", reason=reason)
        if answer.error is not None:
            raise answer.error
        return self.known.upload(upload_id)

    def reparse(self, upload_id: str, reason: str, actor: str) -> Json:
        self.acts.reparse(upload_id, actor=actor, role="operator", reason=reason)
        return self.known.upload(upload_id)

    def erase(self, upload_id: str, reason: str, actor: str) -> Json:
        answer = self.acts.erase(upload_id, actor=actor, role="admin", reason=reason)
        return {"upload_id": upload_id, "outcome": answer.outcome, "version": answer.version}

    def readings(self, upload_id: str) -> Json:
        return self.fixes.readings(upload_id)

    def fix(self, upload_id: str, body: Json, actor: str, version: int | None = None) -> Json:
        if not body.get("apply"):
            return self.fixes.preview(upload_id, _decision(body))
        return self.fixes.apply(
            upload_id,
            _decision(body),
            actor=actor,
            role="operator",
            reason=body["reason"],
            earlier=body["earlier"],
            version=version,
        )

    def decisions(self) -> list[Json]:
        return self.kept.all()

    def forget(self, key: str, reason: str, actor: str) -> Json:
        return self.kept.withdraw(key, actor=actor, role="operator", reason=reason)

    def transactions(self, upload_id: str | None, limit: int | None = None) -> Iterator[Row]:
        if upload_id is not None:
            self.known.row(upload_id)
        if limit is not None:
            yield from self.known.transactions(upload_id=upload_id, limit=limit).rows
            return
        yield from self.known.every_transaction(upload_id=upload_id)

    def monitoring(self) -> Json:
        return self.known.monitoring()


def _decision(body: Json) -> Decision:
    return Decision(**{name: body[name] for name in PARTS if name in body})


def pieces(file: IO[bytes]) -> Iterator[bytes]:
    read: Callable[[], bytes] = lambda: file.read(CHUNK)  # noqa: E731 iter() wants a function
    return iter(read, b"")


def source_of(running: Session, *, prepare: bool = False) -> Source:
    """The service that was named, or the app; `prepare` makes an embedded database ready that is not there yet."""
    if (service := running.service) is not None:
        return Distant(service)
    app = running.bundled_app()
    workflow = next((one for one in app.workflows.values() if NOUN in one.extension.commands), None)
    if workflow is None:
        raise UnknownKind(f"this app has no statements; it has {', '.join(app.workflows)}", kind=NOUN)
    if prepare:
        app.migrate()
    else:
        app.ready()
    return Local(app, workflow)
